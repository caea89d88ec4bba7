"""Compares sentences that name the dice of a game with those that its rules roll: "d4, d6, d8 and d10", "d4 to d12"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from ..game.model import Game, Rule
from ..prose.frames import Frame
from ..prose.statements import OTHER_ROLLS
from ..prose.words import TO
from ..source import Problem
from .page_numbers import Beside, PageNumber

_LEAST = 4  # sizes that a list has, so that another one is a mistake
_REAL = frozenset((2, 3, 4, 6, 8, 10, 12, 20, 30, 100))  # sizes of dice for sale: of another roll, not a mistake
_DIE = r"(?:an?\W+|eine[mn]?\W+)?[dDwW]"
_TO = re.compile(rf"\W*{TO}\W*{_DIE}", re.IGNORECASE)
_NEXT = re.compile(rf"s?(?:\]?\s*\([^()]{{0,60}}\))?\W*(?:(?:and|or|und|oder)\W+)?{_DIE}", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between|von|zwischen)\s+(?:an?\s+|eine[mn]?\s+)?$", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:chang|turn|replac|(?:up|down)grad|swap|trad|rais|reduc|lower|increas|improv|step|änder|wechsel|ersetz|steiger"
    r"|erhöh|senk)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"[0-9][dDwW]?$")
_WHERE = "the dice of the game"


def compare_dice(game: Game, numbers: Sequence[PageNumber]) -> dict[int, Beside]:
    """What the game says of dice that are listed, by the identity of the frame: all its sizes, or the smallest and the
    largest of an input."""
    by_sentence: dict[int, list[PageNumber]] = {}
    for number in numbers:
        if number.frame.number.form == "sides":
            by_sentence.setdefault(number.frame.sentence_span.start, []).append(number)
    groups = [group for group in by_sentence.values() if len(group) > 1 and _states_rule(group[0].frame)]
    sizes = rolled_sizes(game) if groups else frozenset()
    ends = {(min(chosen), max(chosen)) for chosen in _choices(game)} if groups else set()
    found: dict[int, Beside] = {}
    for group in groups:
        for listed in _lists(group) if len(sizes) >= _LEAST else ():
            found |= _compare_all(listed, sizes)
        for pair in pairwise(group):
            found |= _compare_ends(pair, ends, sizes)
    return found


def is_plain_die(frame: Frame) -> bool:
    """Whether a die may be one of the settings: not 2d6, and not of another roll, such as damage."""
    is_counted = _COUNTED.search(frame.span.source.text, max(frame.span.start - 2, 0), frame.span.start)
    return not is_counted and frame.sentence.isdisjoint(OTHER_ROLLS)


def _states_rule(frame: Frame) -> bool:
    """Whether the sentence of a die may say which dice the game has."""
    return not (frame.is_doubtful or frame.is_negated) and frame.sentence.isdisjoint(OTHER_ROLLS)


def rolled_sizes(game: Game) -> frozenset[int]:
    """The sides of the dice that the rules of a game roll."""
    return frozenset[int]().union(*map(fixed_sides, game.rules.values()), *_choices(game))


def fixed_sides(rule: Rule) -> frozenset[int]:
    """The sides of the dice of a rule that always have as many."""
    nodes = (kind.sides.node for kind in rule.dice if kind.sides)
    return frozenset(int(node.args[0]) for node in nodes if node.op == "number") - {0}


def _choices(game: Game) -> set[frozenset[int]]:
    inputs = (entry for rule in game.rules.values() for entry in rule.inputs if entry.dice)
    return {frozenset(entry.dice) - {0} for entry in inputs} - {frozenset()}


def _lists(group: Sequence[PageNumber]) -> Iterator[list[PageNumber]]:
    """The dice of a sentence that follow each other with nothing but "and" between them."""
    listed = list[PageNumber]()
    for number in group:
        last = listed[-1].frame.span if listed else None
        if last and not _NEXT.fullmatch(last.source.text, last.end, number.frame.span.start):
            yield listed
            listed = []
        listed.append(number)
    yield listed


def _compare_all(listed: Sequence[PageNumber], sizes: Collection[int]) -> dict[int, Beside]:
    """What a list of all sizes says; of one that has another instead of one of them, only that is wrong."""
    values = [number.frame.value for number in listed]
    missing = set(sizes).difference(values)
    others = [number for number in listed if number.frame.value not in {*sizes, *_REAL}]
    if len(missing) > 1 or (missing and len(others) != 1):
        return {}
    once = [number for number in listed if number.frame.value in sizes and values.count(number.frame.value) == 1]
    wrong = {id(one.frame): _problem(one, "die of the game that is missing", min(missing)) for one in others if missing}
    return {id(number.frame): Beside(_WHERE) for number in once} | wrong


def _compare_ends(
    pair: tuple[PageNumber, PageNumber], ends: Collection[tuple[int, int]], sizes: Collection[int]
) -> dict[int, Beside]:
    first, last = (number.frame for number in pair)
    if not _TO.fullmatch(first.span.source.text, first.span.end, last.span.start):
        return {}
    if _CHANGES.search(first.before) and not _FROM.search(first.before):
        return {}  # "change every d6 to a d8"
    if (first.value, last.value) in ends:
        return {id(first): Beside(_WHERE), id(last): Beside(_WHERE)}
    lowest = {low for low, high in ends if high == last.value}
    highest = {high for low, high in ends if low == first.value}
    for number, known, what in ((pair[0], lowest, "smallest die"), (pair[1], highest, "largest die")):
        if known and number.frame.value not in {*sizes, *_REAL}:
            return {id(number.frame): _problem(number, what, min(known))}
    return {}


def _problem(number: PageNumber, what: str, right: int) -> Beside:
    span = number.frame.span
    letter = span.source.text[max(span.start - 1, 0) : span.start]
    letter = letter if letter in ("D", "w", "W") else "d"
    message = f"the text says {letter}{span.text}; the {what} here is {letter}{right}"
    notes = ("correct the die here, or the rules of the game",)
    return Beside("", Problem("prose-number", message, span, notes=notes, trail=number.trail))
