"""The data model of a game: rules, tables, traits, sheets and orders, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ..source import Span
from .formula import Node

MAX_SIDES = 10_000
_MISSING: Any = object()  # no value in a cache

_T = TypeVar("_T")


@dataclass(frozen=True, eq=False, slots=True)
class Formula:
    """A parsed formula with its span; the scope determines the names that it may use."""

    text: str
    node: Node
    span: Span
    scope: str = ""


def is_within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


@dataclass(frozen=True, eq=False)
class Table:
    """A table whose rows are found by name, or by a range of numbers; a bound of `None` is open."""

    name: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Any, ...]]
    ranges: tuple[tuple[int | None, int | None, tuple[Any, ...]], ...]
    span: Span
    cell_spans: tuple[tuple[Span, ...], ...] = ()  # of the cells, row by row

    @property
    def cells(self) -> tuple[tuple[Any, ...], ...]:
        """All cells, row by row."""
        return (*self.rows.values(), *(cells for _, _, cells in self.ranges))

    def row_index(self, row: int | str) -> int | None:
        """The index of a row, from 0."""
        if isinstance(row, str):
            return next((place for place, name in enumerate(self.rows) if name.lower() == row.lower()), None)
        return next((place for place, (low, high, _) in enumerate(self.ranges) if is_within(row, low, high)), None)

    def find_row(self, row: int | str) -> tuple[Any, ...] | None:
        if isinstance(row, str):
            return next((cells for name, cells in self.rows.items() if name.lower() == row.lower()), None)
        return next((cells for low, high, cells in self.ranges if is_within(row, low, high)), None)

    def find_cell(self, row: int | str, column: int) -> Any:
        cells = self.find_row(row)
        return None if cells is None else cells[column]

    @cached_property
    def named_numbers(self) -> dict[str, int]:
        """Numbers by name: the first cell of each named row, or the lower end of each range."""
        if self.ranges:
            return {str(cells[0]): (low if low is not None else high or 0) for low, high, cells in self.ranges}
        return {name: cells[0] for name, cells in self.rows.items()}


@dataclass(frozen=True, eq=False)
class Input:
    """An input of a rule; `form` is number, flag, choice, die or code."""

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
    also: tuple[str, ...] = ()  # other words for it in prose

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The names that formulas use: the input's own, or those of the two parts of a die code."""
        return self.parts or (self.name,)


@dataclass(frozen=True, slots=True)
class EarnedDice:
    when: Formula
    roll: str
    times: Formula
    optional: Formula


@dataclass(frozen=True, slots=True)
class Explosion:
    when: Formula
    optional: Formula


@dataclass(frozen=True, slots=True)
class KeptDice:
    """Only the highest (or lowest) dice of a kind count."""

    highest: bool
    number: Formula


class FaceName(NamedTuple):
    """What readers call a face, and other words for it in prose."""

    mark: str
    label: str
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiceKind:
    """One kind of dice in a rule."""

    name: str
    count: Formula
    sides: Formula | None
    faces: tuple[tuple[str, int], ...]
    span: Span
    good: Formula | None = None
    bad: Formula | None = None
    again: EarnedDice | None = None
    explode: Explosion | None = None
    keep: KeptDice | None = None
    label: str = ""
    also: tuple[str, ...] = ()
    face_names: tuple[FaceName, ...] = ()  # of faces that have a label or other words


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
    label: str | None = None  # the empty label hides the step from readers
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    when: Formula | None
    degree: Formula | None
    says: str
    see: str  # a link to more text, relative to the folder of the game
    span: Span
    link_span: Span  # of `see`, or of the outcome
    label: str = ""
    also: tuple[str, ...] = ()


NamedPart = Input | DiceKind | Step | Outcome  # parts of a rule that have a label

CONTEST_SIDES = ("first", "second")  # the sides of a contest, as named in inputs, outcomes and links


@dataclass(frozen=True, slots=True)
class Contest:
    """Each side rolls a rule; one step of both is compared."""

    of: tuple[Rule, ...]  # two rules; fewer if a name is unknown
    compare: str
    ties: str


@dataclass(frozen=True, eq=False, slots=True)
class Spend:
    """A point that a player spends after a roll to change inputs, or to set one die to its highest face."""

    name: str
    label: str
    point: str
    changes: Mapping[str, Formula]
    highest: tuple[str, ...]
    most: int | None  # points of this type in one roll
    traits: tuple[str, ...]  # only for rolls of these traits
    span: Span


@dataclass(frozen=True, slots=True)
class TraitSum:
    """The inputs that the traits of a roll go into: each value into the first that accepts it."""

    into: tuple[str, ...]
    most: int | None = None
    one_of: tuple[str, ...] = ()  # at most one trait of these categories


@dataclass(frozen=True, slots=True)
class SpecialtyRules:
    """The effect of a specialty that is used, and of a required one that is not."""

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
    dice: tuple[DiceKind, ...] = ()
    rerolls: tuple[Reroll, ...] = ()
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, Formula] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    contest: Contest | None = None
    policies: tuple[str, ...] = ()
    spends: tuple[Spend, ...] = ()
    traits: TraitSum | None = None
    specialties: SpecialtyRules | None = None
    tables: Mapping[str, Table] = field(default_factory=dict)
    categories: Mapping[str, Category] = field(default_factory=dict)

    @cached_property
    def cache(self) -> dict[tuple[object, ...], Any]:
        return {}

    def cached(self, key: tuple[object, ...], compute: Callable[[], _T]) -> _T:
        """What depends only on this rule and on the key, computed once; keys start with a name.

        The rule owns it, so that it goes when the book goes."""
        found: _T = self.cache.get(key, _MISSING)
        if found is _MISSING:
            found = self.cache[key] = compute()
        return found

    @cached_property
    def kind_indices(self) -> dict[str, int]:
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
    untrained: Mapping[str, Formula] | None  # inputs to change for a trait without dots; None if it cannot be rolled
    specialties: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Requirements for a character; the parts of a group are categories, groups and traits."""

    name: str
    groups: Mapping[str, tuple[str, ...]]
    require: Mapping[str, Formula]
    span: Span


@dataclass(frozen=True, slots=True)
class Order:
    """A turn order: keys to sort participants by, the most important first."""

    name: str
    keys: tuple[str, ...]
    descending: frozenset[str]  # sorted in descending order
    team_key: str  # the key that names a team; teams take turns
    excluding_keys: tuple[str, ...]  # a participant with one of these does not act
    span: Span


@dataclass(frozen=True, slots=True)
class Game:
    folder: str  # relative to the root of the book; for a game in a page, that page
    title: str
    rules: Mapping[str, Rule]
    tables: Mapping[str, Table]
    traits: Mapping[str, Category]
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    is_inline: bool = False  # defined in a page, so that no other page can use it
