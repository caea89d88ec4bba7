"""Compares sentences that name the dice of a game with those that its rules roll: "d4, d6, d8 and d10", "d4 to d12"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ..game.formula import Node
from ..game.model import Game
from ..prose.words import TO
from ..source import Problem
from .page_numbers import Beside, PageNumber

_LEAST = 4  # sizes that a list has, so that another one is a mistake
_TO = re.compile(rf"\W*{TO}\W*(?:an?\W+|eine[mn]?\W+)?[dDwW]", re.IGNORECASE)
_WHERE = "the dice of the game"


def compare_dice(game: Game, numbers: Sequence[PageNumber]) -> dict[int, Beside]:
    """What the game says of dice that are listed, by the identity of the frame: all its sizes, or the smallest and the
    largest of an input."""
    by_sentence: dict[int, list[PageNumber]] = {}
    for number in numbers:
        if number.frame.number.form == "sides":
            by_sentence.setdefault(number.frame.sentence_span.start, []).append(number)
    groups = [group for group in by_sentence.values() if len(group) > 1]
    sizes = rolled_sizes(game) if groups else frozenset()
    ends = {(min(chosen), max(chosen)) for chosen in _choices(game)} if groups else set()
    found: dict[int, Beside] = {}
    for group in groups:
        missing = sizes.difference(number.frame.value for number in group)
        if len(sizes) >= _LEAST and len(missing) <= 1:
            found |= _compare_all(group, sizes, missing)
        for pair in pairwise(group):
            found |= _compare_ends(pair, ends, sizes)
    return found


def rolled_sizes(game: Game) -> frozenset[int]:
    """The sides of the dice that the rules of a game roll."""
    kinds = (kind.sides.node for rule in game.rules.values() for kind in rule.dice if kind.sides)
    fixed = (_fixed(node) for node in kinds)
    return frozenset(filter(None, fixed)).union(*_choices(game))


def _fixed(node: Node) -> int:
    return int(node.args[0]) if node.op == "number" else 0


def _choices(game: Game) -> set[frozenset[int]]:
    inputs = (entry for rule in game.rules.values() for entry in rule.inputs if entry.dice)
    return {frozenset(entry.dice) - {0} for entry in inputs} - {frozenset()}


def _compare_all(group: Sequence[PageNumber], sizes: Collection[int], missing: Collection[int]) -> dict[int, Beside]:
    others = [number for number in group if number.frame.value not in sizes]
    found = {id(number.frame): Beside(_WHERE) for number in group if number.frame.value in sizes}
    if missing and len(others) != 1:
        return {}
    return found | {id(number.frame): _problem(number, min(missing)) for number in others if missing}


def _compare_ends(
    pair: tuple[PageNumber, PageNumber], ends: Collection[tuple[int, int]], sizes: Collection[int]
) -> dict[int, Beside]:
    first, last = (number.frame for number in pair)
    text = first.span.source.text
    if not _TO.fullmatch(text, first.span.end, last.span.start):
        return {}
    if (first.value, last.value) in ends:
        return {id(first): Beside(_WHERE), id(last): Beside(_WHERE)}
    for number, known in ((pair[0], {low for low, high in ends if high == last.value}),
                          (pair[1], {high for low, high in ends if low == first.value})):  # fmt: skip
        if known and number.frame.value not in sizes:
            return {id(number.frame): _problem(number, min(known))}
    return {}


def _problem(number: PageNumber, right: int) -> Beside:
    span = number.frame.span
    message = f"the text says d{span.text}, {_WHERE} have d{right} here"
    notes = ("correct the die here, or the rules of the game",)
    return Beside("", Problem("prose-number", message, span, notes=notes, trail=number.trail))
