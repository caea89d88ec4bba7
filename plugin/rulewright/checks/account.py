"""What the rules make of a block, as far as prose beside it may speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..book.model import Block
from ..game.inputs import bind
from ..game.model import Rule
from ..game.result import Result
from .model import Checked, Move

Faces = tuple[int, ...]


@dataclass(frozen=True)
class Account:
    """One step of a checked block; `faces` is empty where no dice are recorded."""

    block: Block
    inputs: Mapping[str, Any]  # by name, as numbers or words, defaults included
    faces: Sequence[tuple[str, Faces]]  # kind and faces, in the order recorded
    steps: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    outcomes: tuple[str, ...] = ()  # all that the rule has
    good: tuple[int, ...] = ()  # good faces up to the end of each group of faces
    dice: tuple[int, ...] = ()  # how many dice each group has
    sides: frozenset[int] = frozenset()  # kinds of dice that are thrown; none where that is not known

    @property
    def numbers(self) -> dict[str, int]:
        return {name: int(value) for name, value in self.steps.items() if isinstance(value, int)}


def accounts(checked: Checked) -> Iterator[Account]:
    """Nothing for blocks that could not be read, are skipped or are wrong on purpose, and for contests."""
    if checked.block.kind != "example" or checked.block.get("wrong") or checked.status in ("error", "skipped"):
        return
    for move in checked.moves:
        if not move.rule.contest:
            yield account(checked.block, move)


def account(block: Block, move: Move) -> Account:
    outcomes = tuple(outcome.name for outcome in move.rule.outcomes)
    if move.result is None:
        inputs, _ = bind(move.rule, move.inputs)
        return Account(block, inputs, (), move.steps, move.outcome, move.degree, outcomes)
    groups = groups_of(move.result)
    faces = [(kind, tuple(face for face, _ in thrown)) for kind, thrown, _ in groups]
    good = tuple(sum(fine for _, thrown, _ in groups[: n + 1] for _, fine in thrown) for n in range(len(groups)))
    inputs, dice = dict(move.result.setting.values), tuple(number for _, _, number in groups)
    sides = sides_of(move.rule, inputs)
    return Account(block, inputs, faces, move.steps, move.outcome, move.degree, outcomes, good, dice, sides)


def groups_of(result: Result) -> list[tuple[str, list[tuple[int, bool]], int]]:
    """Kind by kind and round by round: faces with their worth, rerolled ones too, and the number of dice."""
    groups: dict[tuple[int, int], tuple[list[tuple[int, bool]], list[int]]] = {}
    for die in result.throw.dice:
        faces, counted = groups.setdefault((die.round, die.kind), ([], []))
        counted.append(1)
        gone = [throw for throws in die.tries if throws is not die.throws for throw in throws]
        faces += [(throw.face, False) for throw in gone] + [(throw.face, throw.good) for throw in die.throws]
    return [(result.rule.dice[kind].name, faces, len(dice)) for (_, kind), (faces, dice) in groups.items()]


def sides_of(rule: Rule, inputs: Mapping[str, Any]) -> frozenset[int]:
    fixed = [int(kind.sides.text) for kind in rule.dice if kind.sides and kind.sides.text.strip().isdecimal()]
    chosen = [int(inputs[entry.name]) for entry in rule.inputs if entry.form == "die" and entry.name in inputs]
    return frozenset((*fixed, *chosen))
