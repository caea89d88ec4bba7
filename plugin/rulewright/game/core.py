"""The core of a game: the one form that rolls, odds, explanations and the browser read.

`lower.py` makes it from a declared game. It holds no places in files, and every formula refers only to what a player
can know: inputs, steps, and tallies over sets of dice. `core_json.py` writes each class as JSON, field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .cached import Cached
from .dependencies import names_in
from .formula import DIE_WORDS, THROW_WORDS, ZERO, Node

CORE_VERSION = 2
ROUND = "round"  # the name of the number of a round
EXPLODE = "explode"  # the same die is rolled again and adds up
AIM = "aim"  # the form of a setting that says what a roll, or one side of a contest, chooses for
PICKED = "dice"  # the form of an input for dice that a player picks: `any 2 of d6`
REROLL = "reroll"  # another throw of the same die takes the place of this one
TURN = "turn"  # a die that lies is not rolled but set to another face
ROLLS_AGAIN = (EXPLODE, REROLL)
NOT_JSON = {"json": False}  # of a field that follows from others, or that the rules of a game share
IF_SET, BY_NAME = {"json": "if set"}, {"json": "name"}  # JSON leaves it out where it is None; names a table
TEST_WORDS = (*THROW_WORDS, *DIE_WORDS)
MARK = "_mark"  # a face as it is written, as formulas of a core name it


def is_within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


@dataclass(frozen=True, eq=False, slots=True)
class Expression:
    """A formula. Explanations replace its `slots` by values: start and end in the text, then a name or the numbers of
    the tallies that add up to the value."""

    text: str
    node: Node
    slots: tuple[tuple[int, int, str | tuple[int, ...]], ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False)
class CoreTable:
    """A table whose rows are found by name, or by a range of numbers; a bound of `None` is open."""

    name: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Any, ...]]
    ranges: tuple[tuple[int | None, int | None, tuple[Any, ...]], ...]

    @property
    def cells(self) -> tuple[tuple[Any, ...], ...]:
        """All cells, row by row."""
        return (*self.rows.values(), *(cells for _, _, cells in self.ranges))

    def column_cells(self, column: str) -> list[int | str]:
        index = self.columns.index(column)
        return [cells[index] for cells in self.cells]

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
class CoreInput:
    """An input of a rule; `form` is number, flag, choice, die, code or dice (those that a player picks for the step of
    this name), `names` a table that names its numbers.

    What `is_choice` is decided during the roll, where `asked` holds; elsewhere it has its default. The `goal` is what a
    choice of a rule that is rolled is made for, the best mean; other choices follow the aim of the rule."""

    name: str
    form: str
    label: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    default: Any = None
    names: CoreTable | None = field(default=None, metadata=BY_NAME)
    open: bool = False
    asked: Expression | None = None
    is_choice: bool = False
    goal: Expression | None = field(default=None, metadata=IF_SET)
    wholes: tuple[str, ...] | None = field(default=None, metadata=IF_SET)  # of an aim: where results of `parts` are

    @property
    def follows_aim(self) -> bool:
        """Whether this is a choice that the aim of the rule decides."""
        return self.is_choice and self.goal is None

    @property
    def options(self) -> Sequence[int | str]:
        """What can be chosen, the plainest first."""
        return self.choices or range(self.least, (1 if self.form == "flag" else self.most) + 1)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The names that formulas use: the input's own, or those of the two parts of a die code."""
        return self.parts or (self.name,)


@dataclass(frozen=True, slots=True)
class RollAgain:
    """What a throw that passes `when` leads to: `explode`, `reroll`, or `count` dice of the kind with this number.

    All entries that hold happen; a throw that is rerolled has no value and counts nothing, and does not explode."""

    roll: str | int
    when: Expression
    count: Expression
    optional: Expression


@dataclass(frozen=True, eq=False, slots=True)
class CoreFace:
    """A face of a die: as it is recorded, its value, what readers call it, and how many sides show it.

    `words` are what formulas may ask: how often each symbol is on it, or the parts of a card. Throws name faces by
    their places in a list, or by their numbers where a die has sides."""

    mark: str
    value: int
    label: str | None
    words: Mapping[str, Any]
    copies: int  # of a die; a deck has formulas for them


@dataclass(frozen=True, eq=False)
class CoreKind:
    """A kind of dice; it has sides from 1 on, or faces, which may be those of a deck. Its tests ask each throw, `good`
    and `bad` for the marks."""

    name: str
    label: str | None
    faces: tuple[CoreFace, ...]
    count: Expression
    sides: Expression | None
    tests: Mapping[str, Expression]
    again: tuple[RollAgain, ...]
    deck: tuple[Expression, ...]  # drawn without replacement: how many cards show each face; empty for dice
    deck_of: int | None = field(default=None, metadata=IF_SET)  # the kind from whose deck these cards are drawn
    taken: bool | None = field(default=None, metadata=IF_SET)  # what is optional, in a roll

    @cached_property
    def follows_aim(self) -> bool:
        """Whether the aim of the rule decides throws that a player may decline."""
        choices = [entry.optional.node for entry in self.again] if self.taken is None else []
        return any(choice.op != "number" or choice.args[0] for choice in choices)

    def takes(self, is_eager: bool) -> bool:
        """Whether throws that a player may decline are made, if the aim of the rule is so."""
        return is_eager if self.taken is None else self.taken

    @cached_property
    def explodes(self) -> bool:
        """Whether throws of a die may add up."""
        return any(entry.roll == EXPLODE for entry in self.again)

    @cached_property
    def rolls_on(self) -> bool:
        """Whether a die may be rolled several times at once."""
        return any(entry.roll in ROLLS_AGAIN for entry in self.again)

    @cached_property
    def earned_kinds(self) -> tuple[int, ...]:
        """The kinds of the dice that this kind earns."""
        return tuple(dict.fromkeys(entry.roll for entry in self.again if isinstance(entry.roll, int)))

    @property
    def is_only_earned(self) -> bool:
        return self.count.node == ZERO

    @property
    def throw_formulas(self) -> dict[str, Expression]:
        """The formulas of each throw, other than tests: `when 0`, `count 0`, `optional 0` of the first entry."""
        return {
            f"{key} {number}": getattr(entry, key)
            for number, entry in enumerate(self.again)
            for key in ("when", "count", "optional")
        }


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A set of dice: those of a `kind`, several sets `together`, the `highest`, `lowest` or `first` dice of a set,
    `any` of them that a player picks, those `where` a test holds, or one set `without` another.

    `of` holds the number of the kind, otherwise numbers of earlier sets. `number` says how many are picked; `by` gives
    what is compared instead of the value; `by` and `test` ask each die. Of `any` it names the input that says which."""

    op: str
    of: tuple[int, ...]
    number: Expression | None = None
    by: Node | None = None
    test: Node | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that is read from dice.

    sum, count, highest or lowest over a set; `body` is what each throw, or each die, gives instead. groups: how many
    groups of these dice reach the value `body`. With a `word`, which runs over a `domain` (`faces` of kinds, or a
    `range`): max, min, sum or count of `body`, whose own tallies name the word."""

    function: str
    set: int | None
    body: Node | None
    every_throw: bool
    word: str = ""
    domain: Node | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Reroll:
    """Dice of a set that are rerolled once they lie: all, or some or one that are picked; `keep` says which of old and
    new stays: new, higher, lower, or better by the aim. If `roll` is a kind, they earn `times` dice of it; if `turn`,
    they show the value `turn`, or what a player chooses. The `goal` is what dice are picked for in a rolled rule."""

    of: int
    pick: str
    times: Expression
    when: Expression | None
    keep: str
    roll: str | int
    goal: Expression | None = field(default=None, metadata=IF_SET)
    turn: Expression | None = field(default=None, metadata=IF_SET)

    @property
    def chooses(self) -> bool:  # dice, or their faces
        return self.pick in ("any", "some") or self.keep == "better" or self.chooses_face

    @property
    def chooses_face(self) -> bool:
        return self.roll == TURN and self.turn is None

    @property
    def follows_aim(self) -> bool:  # a player chooses dice for the aim of the rule
        return self.chooses and self.goal is None


@dataclass(frozen=True, slots=True)
class Stage:
    """What happens next, from the dice and values as they are by then (stages.py finds the order).

    `values`: these steps are worked out and these questions asked; a step comes again where dice that it looks at have
    changed, a question once. `dice`: a wave, the first dice of these kinds, as given. `again`: entries of the rule.
    `earned`: dice of these kinds that dice have earned so far, and what those earn of these kinds, until none are left.
    At last come all values that are not known yet, and then the outcome."""

    what: str
    of: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class CoreStep:
    name: str
    formula: Expression
    label: str | None  # the empty label hides the step from readers
    set: int | None = None  # of a step that is a set of dice


@dataclass(frozen=True, slots=True)
class CoreOutcome:
    name: str
    label: str | None
    says: str
    see: str
    when: Expression | None
    degree: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Rounds:
    """How a rule goes on: what inputs are afterwards, and until when it is rolled again and again."""

    carry: Mapping[str, Expression]
    until: Expression | None
    most: Expression | None  # rounds


@dataclass(frozen=True, slots=True)
class CoreAim:
    """What choices are made for: `always` or `never` take what is optional, `mean` or `chance` (of what holds) make the
    most of the formula."""

    text: str
    what: str
    formula: Expression | None = None


@dataclass(frozen=True, slots=True)
class CoreContest:
    """Each side rolls a rule; one step of both is compared."""

    of: tuple[str, ...]
    compare: str
    ties: str


@dataclass(frozen=True, eq=False, slots=True)
class CoreSpend:
    """A point that a player spends after a roll to change inputs, or to set one die to its highest face."""

    name: str
    label: str
    point: str
    changes: Mapping[str, Expression]
    highest: tuple[str, ...]
    most: int | None  # points of this type in one roll
    traits: tuple[str, ...]  # only for rolls of these traits


@dataclass(frozen=True, slots=True)
class TraitSum:
    """The inputs that the traits of a roll go into: each value into the first that accepts it."""

    into: tuple[str, ...]
    most: int | None = None
    one_of: tuple[str, ...] = ()  # at most one trait of these categories


@dataclass(frozen=True, slots=True)
class Category:
    """A category of traits, such as attributes or skills."""

    name: str
    names: tuple[str, ...]
    least: int | None
    most: int | None
    groups: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, tuple[str, ...]]
    untrained: Mapping[str, Expression] | None  # inputs to change without dots; None if it cannot be rolled
    specialties: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, eq=False)
class CoreRule(Cached):
    """A rule; `order` is the program that rolls it. `aims_of_rolls`: aims that may be set for rules that it rolls."""

    name: str
    label: str
    inputs: tuple[CoreInput, ...]
    kinds: tuple[CoreKind, ...]
    sets: tuple[DiceSet, ...]
    tallies: tuple[Tally, ...]
    again: tuple[Reroll, ...]
    order: tuple[Stage, ...]
    steps: tuple[CoreStep, ...]
    marks: Mapping[str, Expression]
    outcomes: tuple[CoreOutcome, ...]
    aims: tuple[CoreAim, ...]  # how choices are made: the first that can decide a choice
    spends: tuple[CoreSpend, ...]
    traits: TraitSum | None
    contest: CoreContest | None
    rounds: Rounds | None = None
    aims_of_rolls: tuple[CoreInput, ...] | None = field(default=None, metadata=IF_SET)
    sides: tuple[CoreRule, ...] = field(default=(), metadata=NOT_JSON)  # the rules of a contest
    tables: Mapping[str, CoreTable] = field(default_factory=dict, metadata=NOT_JSON)
    categories: Mapping[str, Category] = field(default_factory=dict, metadata=NOT_JSON)

    @property
    def has_rounds(self) -> bool:
        return self.rounds is not None and self.rounds.until is not None

    def find_deck(self, kind: int) -> tuple[int, ...]:
        """The kinds whose cards are drawn from the same deck as those of this kind, itself included."""
        own = self.kinds[kind]
        if not own.deck:
            return ()
        first = kind if own.deck_of is None else own.deck_of
        return first, *(number for number, other in enumerate(self.kinds) if other.deck_of == first)

    def kinds_of(self, number: int) -> tuple[int, ...]:
        """The kinds of dice in a set, in its order."""
        dice_set = self.sets[number]
        if dice_set.op == "kind":
            return dice_set.of
        parts = dice_set.of[:1] if dice_set.op == "without" else dice_set.of
        return tuple(dict.fromkeys(kind for part in parts for kind in self.kinds_of(part)))

    def is_whole(self, number: int) -> bool:
        """Whether a set is all dice of its kinds."""
        own = self.sets[number]
        return own.op == "kind" or (own.op == "together" and all(map(self.is_whole, own.of)))

    def asks_symbols(self, entry: Reroll) -> bool:
        """Whether an entry asks of its dice more than numbers: symbols, or whole faces."""
        names = names_in(self, entry.when.node if entry.when else None)
        tests = {test: formula for kind in self.kinds for test, formula in kind.tests.items()}
        if names & tests.keys():
            names |= names_in(self, *(formula.node for kind in self.kinds for formula in kind.tests.values()))
        return bool(names & (self.face_words.keys() - set(TEST_WORDS) - tests.keys()))

    @cached_property
    def picks(self) -> Mapping[str, DiceSet]:
        """The sets of dice that a player picks, by the input that says which."""
        return {str(own.by.args[0]): own for own in self.sets if own.op == "any" and own.by}

    @cached_property
    def face_words(self) -> Mapping[str, Any]:
        """The words that tests use for a face, each with its value on a face that does not have it."""
        faces = [face for kind in self.kinds for face in kind.faces]
        tests = [test for kind in self.kinds for test in kind.tests]
        symbols = {word: "" if isinstance(value, str) else 0 for face in faces for word, value in face.words.items()}
        return {**dict.fromkeys((*TEST_WORDS, *tests), 0), **symbols, MARK: ""}

    def words_on(self, kind: int, face: int) -> Mapping[str, Any]:
        """The words for one face of a kind: its value, its mark and its symbols."""
        if not self.kinds[kind].faces:
            return {"face": face, MARK: ""}
        found = self.kinds[kind].faces[face]
        return {"face": found.value, MARK: found.mark, **found.words}

    @cached_property
    def is_one_wave(self) -> bool:
        """Whether all first dice are rolled at once, without a look at dice."""
        if any(isinstance(entry.roll, int) for entry in self.again):
            return False
        return bool(re.fullmatch("v?d?a?e?v?", "".join(stage.what[0] for stage in self.order)))

    @cached_property
    def kept_sets(self) -> tuple[DiceSet | None, ...]:
        """The highest or lowest dice of each kind, if these are all that the rule looks at; otherwise None."""
        used: dict[int, set[int]] = {}
        for tally in self.tallies:
            if tally.set is not None:
                for kind in self.kinds_of(tally.set):
                    used.setdefault(kind, set()).add(tally.set)
        for number, own in enumerate(self.sets):
            if own.number and own.op != "kind":
                used.setdefault(self.kinds_of(number)[0], {number})
        return tuple(self.find_kept_set(used.get(kind, set())) for kind in range(len(self.kinds)))

    @cached_property
    def picking_steps(self) -> tuple[CoreStep, ...]:
        """The steps that pick dice for all to see; not those where the dice that are left do not count at all."""
        kept = [id(own) for own in self.kept_sets]
        shown = (step for step in self.steps if step.set is not None and step.label != "")
        return tuple(step for step in shown if self.is_picking(step.set) and id(self.sets[step.set or 0]) not in kept)

    def is_picking(self, number: int | None) -> bool:
        own = self.sets[number or 0]
        return any(map(self.is_picking, own.of)) if own.op == "together" else own.op != "kind"

    def find_kept_set(self, used: set[int]) -> DiceSet | None:
        own = self.sets[next(iter(used))] if len(used) == 1 else None
        is_kept = own and own.op in ("highest", "lowest") and own.by is None and self.sets[own.of[0]].op == "kind"
        number = own.number if own and is_kept else None
        return own if number and names_in(self, number.node) <= self.early_names else None

    @cached_property
    def early_names(self) -> frozenset[str]:
        """The values that are known before any dice are rolled."""
        names = {name for entry in self.inputs for name in entry.variable_names}
        return frozenset(names.union(step.name for step in self.steps)) - self.late_names

    @cached_property
    def late_names(self) -> frozenset[str]:
        """The values that are known only after dice have been rolled."""
        late = self.order[1:] if self.order and self.order[0].what == "values" else self.order
        return frozenset(str(name) for stage in late if stage.what == "values" for name in stage.of)


@dataclass(frozen=True, eq=False)
class Core:
    """All rules of a game, with its tables, and its traits if any rule takes them; `alone`: it belongs to one page."""

    version: int
    folder: str
    alone: bool
    title: str
    tables: Mapping[str, CoreTable]
    register: Mapping[str, Category]
    rules: Mapping[str, CoreRule]
