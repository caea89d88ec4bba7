"""Rules tried on what a passage tells: which one, with which inputs, comes to what the text says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from ..book.model import Block
from ..book.read import read_page
from ..checks.account import account
from ..checks.difference import Difference
from ..checks.drifting import differences
from ..checks.model import Move
from ..game.model import Input, Rule
from ..game.notation import Unreadable, face_number
from ..game.result import Result, roll
from ..game.tree import names_in
from ..text import Source
from .clues import Clues, Swap
from .faces import Token
from .hand import Hand
from .mentions import Found
from .roles import roles
from .values import Options, options, rows

MOST_ROWS = 40  # values of inputs that are tried for one rule and one way to read the dice
MOST_TRIES = 60
MOST_FACES = 60


@dataclass(frozen=True)
class Fit:
    """A rule whose dice are those of the text, and where both part all the same."""

    rule: Rule
    inputs: Mapping[str, Found]  # as they are to be written
    roll: tuple[str, ...]  # the lines that tell the dice, or what they came to
    guessed: tuple[str, ...]  # inputs that the text does not speak of and that are not as usual
    move: Move
    differences: tuple[Difference, ...]
    dropped: int = 0  # faces that were taken for repeated ones

    @property
    def named(self) -> int:
        return sum(found.named for found in self.inputs.values())

    @property
    def rank(self) -> tuple[int, ...]:
        """The least is the best."""
        return len(self.differences), len(self.guessed), -self.named, self.dropped


class Dealing(NamedTuple):
    """One way to read the faces of a text: which of them repeat others, and how throws of one die are told."""

    tokens: tuple[Token, ...]
    swaps: tuple[Swap, ...]
    dropped: int


@cache
def no_block() -> Block:
    """A block for accounts of rolls that no block tells yet."""
    return read_page(Source("", "```example\n```\n")).blocks[0]


def dice_fits(rule: Rule, clues: Clues) -> list[Fit]:
    """Every way in which the dice of a text are a roll of this rule."""
    if rule.contest or not rule.dice:
        return []
    fits = (
        fit
        for dealing in dealings(rule, clues)
        for found in options(rule, clues)
        for fit in tried(rule, clues, found, dealing)
    )
    return list(islice(fits, MOST_TRIES))


def dealings(rule: Rule, clues: Clues) -> Iterator[Dealing]:
    tokens = faces_for(rule, clues)
    if not tokens or len(tokens) > MOST_FACES:
        return
    swaps = clues.swaps if rule.rerolls else ()
    anew = [swap.after for swap in swaps]
    told = tuple(token for token in tokens if not (token.alone and token.face in anew))
    yield Dealing(told, swaps, 0)
    lonely = [token for token in told if token.alone][:3]
    for dropped in product((False, True), repeat=len(lonely)):
        gone = [token for token, drop in zip(lonely, dropped, strict=True) if drop]
        if gone and len(gone) < len(told):
            yield Dealing(tuple(token for token in told if not any(token is one for one in gone)), swaps, len(gone))


def faces_for(rule: Rule, clues: Clues) -> tuple[Token, ...]:
    """The faces that the text tells, as numbers: signs count where dice show signs."""
    marked = next((kind for kind in rule.dice if kind.faces), None)
    if not marked:
        return clues.tokens
    faces = [face_number(marked, sign) for sign in clues.signs]
    return tuple(Token(face, "", False) for face in faces if face is not None)


def tried(rule: Rule, clues: Clues, found: Options, dealing: Dealing) -> Iterator[Fit]:
    names = [entry.name for entry in rule.inputs]
    for said in rows(found, names, MOST_ROWS):
        for guess in guesses(rule, said, len(dealing.tokens)):
            for ahead in aheads(rule, dealing):
                fit = dealt(rule, clues, {**said, **guess}, dealing, ahead)
                if fit:
                    yield fit


def guesses(rule: Rule, said: Mapping[str, Found], faces: int) -> Iterator[dict[str, Found]]:
    """Values for inputs that decide about dice and are not spoken of: as usual first, then all others."""
    part = roles(rule)
    columns: list[list[tuple[str, Found | None]]] = []
    for entry in part.counts:
        if entry.name not in said:
            numbers = range(max(entry.least, 0), min(entry.most, faces) + 1)
            usual = [(entry.name, None)] if entry.default is not None else []
            columns.append([*usual, *((entry.name, Found(str(n), False)) for n in numbers)])
    free = [entry for entry in part.switches if entry.name not in said and not entry.asked]
    columns += [[(e.name, None), *((e.name, Found(text, False)) for text in others(e))] for e in free]
    for row in islice(product(*columns), MOST_ROWS):
        yield {name: found for name, found in row if found}


def others(entry: Input) -> list[str]:
    """What a flag or choice may be instead of its default."""
    if entry.form == "flag":
        return ["no" if entry.default else "yes"]
    return [choice for choice in entry.choices if choice != entry.default]


def aheads(rule: Rule, dealing: Dealing) -> Iterable[int]:
    """How many faces may lie there before any die is thrown on."""
    explodes = any(kind.explode for kind in rule.dice)
    return range(len(dealing.tokens)) if explodes and len(dealing.tokens) < 12 else (0,)


def dealt(rule: Rule, clues: Clues, inputs: Mapping[str, Found], dealing: Dealing, ahead: int) -> Fit | None:
    """The roll of these inputs with the faces of the text; nothing where they do not fit."""
    hand = Hand(dealing.tokens, dealing.swaps, ahead)
    texts = {name: found.text for name, found in inputs.items()}
    try:
        result, complaints = roll(rule, texts, hand)
        if result is None or complaints:
            return None
        hand.close()
        first = sum(die.round == 1 for die in result.throw.dice)
        if ahead and ahead != first:
            return None
    except Unreadable:
        return None
    return fit_of(rule, clues, inputs, result, dealing)


def fit_of(rule: Rule, clues: Clues, inputs: Mapping[str, Found], result: Result, dealing: Dealing) -> Fit:
    outcome = result.outcome.name if result.outcome else None
    texts = {name: found.text for name, found in inputs.items()}
    move = Move(rule, texts, result, result.steps, outcome, result.degree)
    found = differences(clues.told, [account(no_block(), move)])
    switches = {entry.name: entry for entry in roles(rule).switches}
    tried_out = [name for name, one in inputs.items() if not one.named and name in switches]
    keeping = {name for kind in rule.dice if kind.keep for name in names_in(kind.keep.number.node)}
    kept = [name for name, one in inputs.items() if not one.named and name in keeping and not counts_dice(rule, name)]
    guessed = (*kept, *(name for name in tried_out if inputs[name].text in others(switches[name])))
    return Fit(rule, inputs, roll_lines(result), guessed, move, tuple(found), dealing.dropped)


def counts_dice(rule: Rule, name: str) -> bool:
    """Whether the faces that are shown tell this number."""
    return any(name in names_in(kind.count.node) for kind in rule.dice)


def roll_lines(result: Result) -> tuple[str, ...]:
    """The dice as a block tells them; the kind is named only where there is more than one group of dice."""
    groups = {(die.round, die.kind) for die in result.throw.dice}
    dice = result.dice
    if groups == {(1, 0)}:
        dice = dice.removeprefix(f"{result.rule.dice[0].name} ")
    lines = [f"dice: {dice}"]
    lines += [f"rerolled: {result.rerolled}"] if result.rerolled else []
    lines += [f"declined: {result.throw.declined}"] if result.throw.declined else []
    return tuple(lines)
