"""What a game is, once it is read: plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..source import Span
from .formula import Node

MOST_SIDES = 10_000


@dataclass(frozen=True, eq=False, slots=True)
class Formula:
    """A formula with the place where it is written; the scope says which names it may use there."""

    text: str
    node: Node
    span: Span
    scope: str = ""


def within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


@dataclass(frozen=True, eq=False)
class Table:
    """Rows found by a word, or by the range a number falls in; `None` is an open end."""

    name: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Any, ...]]
    ranges: tuple[tuple[int | None, int | None, tuple[Any, ...]], ...]
    span: Span
    places: tuple[tuple[Span, ...], ...] = ()  # of the cells, row after row

    @property
    def cells(self) -> tuple[tuple[Any, ...], ...]:
        """Row after row."""
        return (*self.rows.values(), *(cells for _, _, cells in self.ranges))

    def number(self, row: int | str) -> int | None:
        """Which row, counted from 0."""
        if isinstance(row, str):
            return next((place for place, name in enumerate(self.rows) if name.lower() == row.lower()), None)
        return next((place for place, (low, high, _) in enumerate(self.ranges) if within(row, low, high)), None)

    def find(self, row: int | str) -> tuple[Any, ...] | None:
        if isinstance(row, str):
            return next((cells for name, cells in self.rows.items() if name.lower() == row.lower()), None)
        return next((cells for low, high, cells in self.ranges if within(row, low, high)), None)

    def cell(self, row: int | str, column: int) -> Any:
        cells = self.find(row)
        return None if cells is None else cells[column]

    @cached_property
    def names(self) -> dict[str, int]:
        """The names that stand for numbers: a row's number, or the lowest of a range."""
        if self.ranges:
            return {str(cells[0]): (low if low is not None else high or 0) for low, high, cells in self.ranges}
        return {name: cells[0] for name, cells in self.rows.items()}


@dataclass(frozen=True, eq=False)
class Input:
    """Something known before the roll; `form` is number, flag, choice, die or code."""

    name: str
    form: str
    label: str
    span: Span
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    default: Any = None
    names: Table | None = None
    open: bool = False
    asked: Formula | None = None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names by which formulas see it: its own, or those of the two parts of a die code."""
        return self.parts or (self.name,)


@dataclass(frozen=True, slots=True)
class Again:
    when: Formula
    roll: str
    times: Formula
    optional: Formula


@dataclass(frozen=True, slots=True)
class Explode:
    when: Formula
    optional: Formula


@dataclass(frozen=True, slots=True)
class Keep:
    """Only the highest (or lowest) dice of a kind count."""

    highest: bool
    number: Formula


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dice in a rule."""

    name: str
    count: Formula
    sides: Formula | None
    faces: tuple[tuple[str, int], ...]
    span: Span
    good: Formula | None = None
    bad: Formula | None = None
    again: Again | None = None
    explode: Explode | None = None
    keep: Keep | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Reroll:
    times: Formula
    among: tuple[str, ...]
    pick: str
    keep: str
    when: Formula | None


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    when: Formula | None
    degree: Formula | None
    says: str
    see: str  # where a reader can read on, as a link from the folder of the game
    span: Span
    place: Span  # of `see`, or of the outcome


SIDES = ("first", "second")  # of a contest, as inputs, outcomes and links call them


@dataclass(frozen=True, slots=True)
class Contest:
    """Two sides roll a rule each and compare a step of both."""

    of: tuple[Rule, ...]  # two rules; none where a name was wrong
    compare: str
    ties: str


@dataclass(frozen=True, eq=False, slots=True)
class Spend:
    """A point that changes a roll: inputs, or one die of some kinds, set to its highest face."""

    name: str
    label: str
    point: str
    changes: Mapping[str, Formula]
    highest: tuple[str, ...]
    most: int | None  # points of this sort in one roll
    traits: tuple[str, ...]  # only for rolls of these
    span: Span


@dataclass(frozen=True, slots=True)
class Sum:
    """Where the traits of a roll go: each value into the first of these inputs that takes it."""

    into: tuple[str, ...]
    most: int | None = None
    one_of: tuple[str, ...] = ()  # of the traits of these categories only one


@dataclass(frozen=True, slots=True)
class Specialties:
    """What a specialty does that is used, and what one does that is required and not used."""

    into: str
    per_dot: int | None = None
    least: int = 1  # dots that a trait needs before its specialties can be used
    unused_adds: str = ""


@dataclass(frozen=True, eq=False)
class Rule:
    game: str
    name: str
    label: str
    span: Span
    inputs: tuple[Input, ...] = ()
    dice: tuple[Kind, ...] = ()
    rerolls: tuple[Reroll, ...] = ()
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, Formula] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    contest: Contest | None = None
    policies: tuple[str, ...] = ()
    spends: tuple[Spend, ...] = ()
    traits: Sum | None = None
    specialties: Specialties | None = None
    tables: Mapping[str, Table] = field(default_factory=dict)
    register: Mapping[str, Category] = field(default_factory=dict)

    @cached_property
    def kind_numbers(self) -> dict[str, int]:
        return {kind.name: number for number, kind in enumerate(self.dice)}


@dataclass(frozen=True, slots=True)
class Category:
    """A category of traits, such as attributes or skills."""

    name: str
    names: tuple[str, ...]
    least: int | None
    most: int | None
    groups: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, tuple[str, ...]]
    untrained: Mapping[str, Formula] | None  # inputs that change without dots; None where that is not allowed
    specialties: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is required of a character; a group has the names of categories, of groups and of traits."""

    name: str
    groups: Mapping[str, tuple[str, ...]]
    require: Mapping[str, Formula]
    span: Span


@dataclass(frozen=True, slots=True)
class Order:
    """Keys by which participants are sorted, the first counts most."""

    name: str
    keys: tuple[str, ...]
    downward: frozenset[str]  # the greatest first
    alternate: str  # the key that names a team; teams take turns
    out: tuple[str, ...]  # who has one of these does not act
    span: Span


@dataclass(frozen=True, slots=True)
class Game:
    folder: str  # from the book's root; of a game that stands in a page, that page
    title: str
    rules: Mapping[str, Rule]
    tables: Mapping[str, Table]
    traits: Mapping[str, Category]
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    alone: bool = False  # does it stand in a page, where no other page can name it?
