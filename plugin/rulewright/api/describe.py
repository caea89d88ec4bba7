"""Describes rules, inputs, outcomes and tables: enough to build a form or a help text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..game import model
from ..game.inputs import format_die
from ..odds.aims import relevant_aims
from .request import key_of, plain_value, sides_of


@dataclass(frozen=True)
class Input:
    """An input of a rule.

    `kind` is `number`, `flag`, `choice`, `die` or `code` (a die code such as 4D+2). Numbers and codes lie between
    `least` and `most`; `choices` lists the values of all other kinds, and `names` the words that stand for numbers.
    An input without a `default` is `required`. Its `name` in a contest begins with the side: `first.die`."""

    name: str
    label: str
    kind: str
    default: int | bool | str | None
    required: bool
    least: int | None
    most: int | None
    choices: tuple[str, ...]
    names: Mapping[str, int]


@dataclass(frozen=True)
class Outcome:
    """An outcome of a rule; `says` is its meaning, with `{names}` of steps in place of their values."""

    name: str
    says: str
    has_degree: bool


@dataclass(frozen=True)
class Rule:
    """A rule of a game; `outcomes` of a contest are its possible winners."""

    name: str
    label: str
    inputs: tuple[Input, ...]
    steps: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    dice: tuple[str, ...]
    aims: tuple[str, ...]
    is_contest: bool


class Table(Mapping[str, Mapping[str, Any]]):
    """A table of a game: rows by name, or by range such as `2..4`; each row maps a column to its value."""

    def __init__(self, table: model.Table) -> None:
        self._table = table
        self._rows = {**table.rows, **{_format_range(low, high): cells for low, high, cells in table.ranges}}

    @property
    def name(self) -> str:
        return self._table.name

    @property
    def columns(self) -> tuple[str, ...]:
        return self._table.columns

    def lookup(self, row: int | str) -> dict[str, Any] | None:
        """The row of this name, in any letter case, or the row of the range that contains a number."""
        cells = self._table.find_row(row)
        return None if cells is None else self._as_dict(cells)

    def _as_dict(self, cells: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(self._table.columns, cells, strict=True))

    def __getitem__(self, row: str) -> dict[str, Any]:
        return self._as_dict(self._rows[row])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"


def _format_range(low: int | None, high: int | None) -> str:
    if low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"


def hidden_steps(rule: model.Rule) -> set[str]:
    """The steps that readers do not see, and those of single rounds of a roll."""
    return {step.name for step in rule.steps if step.label == "" or rule.find_whole(step.name) != step.name}


def describe_rule(rule: model.Rule) -> Rule:
    """The public description of a rule."""
    inputs = tuple(
        _describe_input(entry, key_of(side, entry.name)) for side in sides_of(rule) for entry in side.rule.inputs
    )
    played = rule.contest.of if rule.contest else (rule,)
    outcomes = tuple(Outcome(one.name, one.says, one.degree is not None) for one in rule.outcomes)
    if rule.contest:
        winners = (*model.CONTEST_SIDES, "none") if rule.contest.ties == "none" else model.CONTEST_SIDES
        outcomes = tuple(Outcome(winner, "", False) for winner in winners)
    return Rule(
        rule.name,
        rule.label,
        inputs,
        tuple(step.name for step in rule.steps),
        outcomes,
        tuple(dict.fromkeys(kind.name for own in played for kind in own.dice)),
        tuple(dict.fromkeys(aim for own in played for aim in relevant_aims(own))),
        rule.contest is not None,
    )


def _describe_input(entry: model.Input, name: str) -> Input:
    is_range = entry.form in ("number", "code")
    choices = entry.choices or tuple(map(format_die, entry.dice)) or (("yes", "no") if entry.form == "flag" else ())
    return Input(
        name,
        entry.label,
        entry.form,
        None if entry.default is None else plain_value(entry, entry.default),
        entry.default is None,
        entry.least if is_range else None,
        entry.most if is_range else None,
        choices,
        dict(entry.names.named_numbers) if entry.names else {},
    )
