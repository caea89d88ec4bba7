"""What a card says, taken from the checked block; nothing is worked out here that the check did not already know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...checks.amounts import said
from ...checks.model import Checked, Move
from ...game.explain import derivation, say, verdict
from ...game.model import Rule
from ...game.result import Shown


class Group(NamedTuple):
    """Dice of one kind that were thrown in one round."""

    kind: str
    dice: list[list[Shown]]


class Scene(NamedTuple):
    """One roll of an example."""

    rule: Rule
    inputs: Mapping[str, str]
    groups: list[Group]
    verdict: str
    says: str
    steps: list[str]


def example(checked: Checked) -> list[Scene] | None:
    return [scene(move) for move in checked.moves] or None


def scene(move: Move) -> Scene:
    inputs = {label(move.rule, name): value for name, value in move.inputs.items()}
    if move.result is None:
        steps = [f"{name}: {value}" for name, value in move.steps.items() if value is not None]
        degree = "" if move.degree is None else f", degree {move.degree}"
        return Scene(move.rule, inputs, [], (move.outcome or "") + degree, "", steps)
    result = move.result
    return Scene(move.rule, inputs, groups(result.faces), verdict(result), say(result), derivation(result))


def groups(dice: list[list[Shown]]) -> list[Group]:
    """Round by round and kind by kind, as the dice were thrown."""
    found: dict[tuple[int, str], Group] = {}
    for faces in dice:
        if faces:
            found.setdefault((faces[0].round, faces[0].kind), Group(faces[0].kind, [])).dice.append(faces)
    return list(found.values())


def label(rule: Rule, name: str) -> str:
    return next((entry.label for entry in rule.inputs if entry.name == name), "") or name


class Grid(NamedTuple):
    """A table: what its first column is called, its columns, and its rows with their labels."""

    corner: str
    columns: tuple[str, ...]
    rows: list[tuple[str, list[str]]]


def odds(checked: Checked) -> Grid | None:
    table = checked.odds
    if table is None:
        return None
    cells = [[said(value, table.is_chance) if value else "" for value in row] for row in table.values]
    return Grid(table.row_name, table.columns, list(zip(table.rows, cells, strict=True)))


def table(checked: Checked) -> Grid | None:
    found = checked.table
    if found is None:
        return None
    wanted = [found.columns.index(name) for name in checked.columns or found.columns]
    named: list[tuple[str, tuple[Any, ...]]] = list(found.rows.items())
    named += [(span(low, high), cells) for low, high, cells in found.ranges]
    rows = [(name, [str(cells[number]) for number in wanted]) for name, cells in named]
    return Grid(found.name, tuple(found.columns[number] for number in wanted), rows)


def span(low: int | None, high: int | None) -> str:
    if low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"


def claim(checked: Checked) -> list[str] | None:
    return [statement.text.strip() for statement in checked.block.statements] or None


def rule(checked: Checked) -> Rule | None:
    return checked.rule
