"""The data model of a game: rules, tables, traits, sheets and orders, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..source import Span
from .cached import Cached
from .core import (
    EXPLODE,
    PICKED,
    TURN,
    Category,
    CoreAim,
    CoreInput,
    CoreSpend,
    CoreTable,
    Expression,
    Rounds,
    TraitSum,
)
from .formula import Node

MAX_SIDES = 10_000


@dataclass(frozen=True, eq=False, slots=True)
class Formula(Expression):
    """A parsed formula with its span; the scope determines the names that it may use."""

    span: Span
    scope: str = ""


@dataclass(frozen=True, eq=False)
class Table(CoreTable):
    span: Span
    cell_spans: tuple[tuple[Span, ...], ...] = ()  # of the cells, row by row


@dataclass(frozen=True, eq=False)
class Input(CoreInput):
    """An input of a rule."""

    asked: Formula | None = None
    goal: Formula | None = None
    span: Span = field(kw_only=True)
    also: tuple[str, ...] = field(default=(), kw_only=True)  # other words for it in prose


@dataclass(frozen=True, slots=True)
class ThrowAgain:
    """What a throw that passes `when` leads to: `explode`, `reroll`, or dice of a kind."""

    roll: str
    when: Formula
    count: Formula
    optional: Formula


class Face(NamedTuple):
    """A face as it is recorded, its value, how often each symbol is on it or what its parts are, the sides that show
    it, what readers call it, and other words for it in prose."""

    mark: str
    value: int
    words: Mapping[str, int | str]
    copies: int = 1
    label: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class DiceKind:
    """One kind of dice in a rule."""

    name: str
    count: Formula
    sides: Formula | None
    faces: tuple[Face, ...]
    span: Span
    tests: Mapping[str, Formula] = field(default_factory=dict)
    again: tuple[ThrowAgain, ...] = ()
    label: str = ""
    also: tuple[str, ...] = ()
    deck: tuple[Formula, ...] = ()  # how many cards show each face; empty for dice
    parts: tuple[str, ...] = ()  # of a card, such as its rank
    deck_of: str = ""  # the kind from whose deck these cards are drawn
    taken: bool | None = None  # in a rule that is rolled: whether it takes what is optional

    @property
    def explodes(self) -> bool:
        return any(entry.roll == EXPLODE for entry in self.again)

    @property
    def face_words(self) -> tuple[str, ...]:
        """What tests may ask a face of this kind by name: its tests, and its symbols or parts."""
        return tuple(dict.fromkeys((*self.tests, *(word for face in self.faces for word in face.words))))

    def find_words(self, name: str) -> tuple[str, ...] | None:
        """The words that a part of these cards can be; None for numbers."""
        values = {face.words.get(name, 0): None for face in self.faces}
        return tuple(value for value in values if isinstance(value, str)) or None


@dataclass(frozen=True, eq=False, slots=True)
class RuleAgain:
    """What dice lead to once they lie: `reroll`, `turn`, or `count` dice of a kind."""

    times: Formula
    of: tuple[str, ...]  # kinds, and steps that pick dice
    pick: str
    keep: str
    when: Formula | None
    roll: str
    count: Formula
    goal: Formula | None = None  # of an entry of a rule that is rolled: what dice are picked for
    turn: Formula | None = None  # the face that a die is turned to; None for any

    @property
    def chooses_face(self) -> bool:
        """Whether a player chooses the faces that dice are turned to."""
        return self.roll == TURN and self.turn is None


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    formula: Formula
    label: str | None = None  # the empty label hides the step from readers
    also: tuple[str, ...] = ()
    is_set: bool = False  # it picks dice
    goal: Formula | None = None  # of dice that a player picks in a rule that is rolled: what for


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


@dataclass(frozen=True, slots=True)
class Roll:
    """Another rule that a rule rolls: the kinds of its dice and the prefix of its names, for each time that it is
    rolled, and what readers call its outcomes; and what was written."""

    name: str
    rule: str
    kinds: tuple[tuple[str, ...], ...]
    prefixes: tuple[str, ...]
    outcomes: tuple[tuple[str, str], ...]
    given: Mapping[str, Formula] = field(default_factory=dict, hash=False)  # what inputs of the used rule are
    when: Formula | None = None
    times: Formula | None = None
    functions: Mapping[str, Node] = field(default_factory=dict, hash=False)  # over all results, by their hidden steps
    rounds: int = 0  # of the used rule at most; the kinds and prefixes are then those of each round
    side: str = ""  # what an example calls it: `side Ann: …`

    @property
    def label(self) -> str:
        return self.side or self.name.replace("_", " ")

    def find_copies(self, name: str) -> tuple[str, ...]:
        """The names of an input of the used rule that each time has of its own, such as `stat.stop`."""
        own = name.removeprefix(f"{self.name}.")
        return tuple(f"{prefix}.{own}" for prefix in self.prefixes) if own != name and len(self.prefixes) > 1 else ()

    @property
    def lead(self) -> str:
        """What the names of steps begin with that are known of it, the first time."""
        return f"{self.side or self.prefixes[0].replace('_', ' ')}: " if self.prefixes else ""


@dataclass(frozen=True, eq=False, slots=True)
class Spend(CoreSpend):
    span: Span


@dataclass(frozen=True, slots=True)
class SpecialtyRules:
    """The effect of a specialty that is used, and of a required one that is not."""

    into: str
    per_dot: int | None = None
    least: int = 1  # dots that a trait needs before its specialties can be used
    unused_adds: str = ""


@dataclass(frozen=True, eq=False)
class Rule(Cached):
    game: str
    name: str
    label: str
    span: Span
    inputs: tuple[Input, ...] = ()
    dice: tuple[DiceKind, ...] = ()
    rerolls: tuple[RuleAgain, ...] = ()
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, Formula] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    contest: Contest | None = None
    rounds: Rounds | None = None
    rolls: tuple[Roll, ...] = ()
    aims_of_rolls: tuple[Input, ...] = ()  # that may be set: `attack.aim`; what follows them begins with their `parts`
    aim: CoreAim | None = None
    spends: tuple[Spend, ...] = ()
    traits: TraitSum | None = None
    specialties: SpecialtyRules | None = None
    tables: Mapping[str, Table] = field(default_factory=dict)
    categories: Mapping[str, Category] = field(default_factory=dict)

    @property
    def settings(self) -> tuple[Input, ...]:
        """All that may be set by name: the inputs, and the aims of rolls."""
        return (*self.inputs, *self.aims_of_rolls)

    @property
    def declared_inputs(self) -> tuple[Input, ...]:
        """The inputs without the dice that a player picks, which are steps."""
        return tuple(entry for entry in self.inputs if entry.form != PICKED)

    @property
    def has_rounds(self) -> bool:
        """Whether the rule is rolled again and again."""
        return self.rounds is not None and self.rounds.until is not None

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The two rolls that are sides, each with an outcome of its name; none if the rule has no such sides."""
        names, outcomes = tuple(roll.name for roll in self.rolls), {outcome.name.lower() for outcome in self.outcomes}
        return names if len(names) == 2 and outcomes.issuperset(names) else ()

    @cached_property
    def face_words(self) -> frozenset[str]:
        return frozenset(word for kind in self.dice for word in kind.face_words)

    def find_whole(self, name: str) -> str:
        """What is known after the last round of a roll, for its value in one round: `hero.good` for `hero_2.good`."""
        lead, _, own = name.partition(".")
        is_round = any(roll.rounds and lead in roll.prefixes for roll in self.rolls)
        return f"{lead.rpartition('_')[0]}.{own}" if is_round else name

    def find_function(self, name: str) -> tuple[Roll, Node] | None:
        """The function over all results of a roll that a hidden step stands for, such as `highest(ability: total)`."""
        return next(((roll, roll.functions[name]) for roll in self.rolls if name in roll.functions), None)

    @property
    def own_rerolls(self) -> Iterator[RuleAgain]:
        """The entries whose choices follow the aim of the rule."""
        return (entry for entry in self.rerolls if entry.goal is None)

    @cached_property
    def kind_indices(self) -> dict[str, int]:
        return {kind.name: number for number, kind in enumerate(self.dice)}


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


@dataclass(frozen=True, eq=False)
class Game(Cached):
    folder: str  # relative to the root of the book; for a game in a page, that page
    title: str
    rules: Mapping[str, Rule]
    tables: Mapping[str, Table]
    traits: Mapping[str, Category]
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    trait_spans: Mapping[str, Span] = field(default_factory=dict)  # of the names of their categories
    is_inline: bool = False  # defined in a page, so that no other page can use it
