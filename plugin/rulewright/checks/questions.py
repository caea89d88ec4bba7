"""Chances and means for claims, tables and links: parses what is wanted and computes it, cached for each block."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import prod
from typing import Any, TypeVar

from ..game.codegen import Stuck
from ..game.formula import DICE, FormulaError, Node, parse, walk
from ..game.inputs import bind
from ..game.model import SIDES, Formula, Outcome, Rule
from ..game.scope import NUMBER, Scope, Worth, check, worth
from ..odds.answer import Odds, both, odds
from ..odds.contest import split_inputs
from ..odds.distribution import Chance
from ..odds.generating_function import NotExact
from ..odds.plan import NAME_ONCE, TOO_MANY_STATES, TooMuch
from ..odds.policies import chosen_policies
from ..odds.table import odds_table
from ..odds.tail import Memory
from ..play.bound_rule import Refused, Setting
from ..source import Span, nearest, suggest

OR = re.compile(r"\s+or\s+", re.IGNORECASE)
WORDS = re.compile(r"[\w' -]+")
AND_NOT = re.compile(r"\b(?:and|not)\b")
DEGREE = re.compile(r"degree\s+of\s+(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Wrong:
    """An error in an event or quantity, with its span."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Event:
    """One of some outcomes, or a condition as a formula."""

    outcomes: tuple[str, ...]
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value to compute; `show` is chance, mean or degree, `name` the step or outcome of a mean."""

    show: str
    event: Event | None = None
    given: Event | None = None
    name: str = ""

    @property
    def is_chance(self) -> bool:
        return self.show == "chance"


def read_chance(rule: Rule, what: Span, given: Span | None = None) -> Quantity | Wrong:
    """Parses the event of a chance, and the condition after `|`."""
    event = read_event(rule, what)
    if isinstance(event, Wrong):
        return event
    if given is None:
        return Quantity("chance", event)
    if rule.contest:
        return Wrong("in a contest a chance has no condition; leave out what stands behind |", given)
    condition = read_event(rule, given)
    return condition if isinstance(condition, Wrong) else Quantity("chance", event, condition)


def read_mean(rule: Rule, what: Span) -> Quantity | Wrong:
    """Parses `degree of OUTCOME` or the name of a step."""
    found = DEGREE.fullmatch(what.text)
    return read_degree(rule, what.part(*found.span(1))) if found else read_step(rule, what)


def read_degree(rule: Rule, what: Span) -> Quantity | Wrong:
    outcomes = {outcome.name.lower(): outcome for outcome in rule.outcomes}
    outcome = outcomes.get(what.text.lower())
    if rule.contest or outcome is None:
        names = [outcome.name for outcome in rule.outcomes]
        return Wrong(f"{rule.name} has no outcome «{what.text}»; {suggest(what.text, names)}".rstrip("; "), what)
    if outcome.degree is None:
        return Wrong(f"the outcome {outcome.name} of {rule.name} has no degree", what)
    return Quantity("degree", name=outcome.name)


def read_step(rule: Rule, what: Span) -> Quantity | Wrong:
    steps = steps_of(rule)
    name = next((name for name in steps if name.lower() == what.text.lower()), None)
    if name is None:
        return Wrong(f"{rule.name} has no step «{what.text}»; {suggest(what.text, steps)}".rstrip("; "), what)
    return Quantity("mean", name=name)


def steps_of(rule: Rule) -> list[str]:
    if not rule.contest:
        return [step.name for step in rule.steps]
    sides = zip(("first", "second"), rule.contest.of, strict=False)
    return [f"{side}.{step.name}" for side, own in sides for step in own.steps]


def outcomes_of(rule: Rule) -> list[str]:
    if not rule.contest:
        return [outcome.name for outcome in rule.outcomes]
    return ["first", "second"] if rule.contest.ties != "none" else ["first", "second", "none"]


def read_event(rule: Rule, what: Span) -> Event | Wrong:
    """Parses outcomes joined by "or"; otherwise a formula over inputs and steps."""
    if not what.text:
        return Wrong("this says not of what: an outcome or a formula belongs here", what)
    known = {name.lower(): name for name in outcomes_of(rule)}
    pieces = [what.text] if what.text.lower() in known else OR.split(what.text)
    if all(piece.lower() in known for piece in pieces):
        return Event(tuple(dict.fromkeys(known[piece.lower()] for piece in pieces)))
    if rule.contest:
        piece = next(piece for piece in pieces if piece.lower() not in known)
        return Wrong(f"a contest has no outcome «{piece}»; {suggest(piece, known.values())}", what)
    return no_outcome(rule, what, pieces) or read_formula(rule, what)


def no_outcome(rule: Rule, what: Span, pieces: list[str]) -> Wrong | None:
    """The error for a name that is neither an outcome nor part of a formula."""
    known = [*outcomes_of(rule), *(step.name for step in rule.steps), *(entry.name for entry in rule.inputs)]
    strange = [piece for piece in pieces if piece.lower() not in {name.lower() for name in known}]
    if not strange or AND_NOT.search(what.text) or not all(WORDS.fullmatch(piece) for piece in pieces):
        return None
    near = nearest(strange[0], known)
    note = f"did you mean {near}?" if near else suggest(strange[0], outcomes_of(rule))
    return Wrong(f"{rule.name} has no outcome or step «{strange[0]}»; {note}".rstrip("; "), what)


def read_formula(rule: Rule, what: Span) -> Event | Wrong:
    try:
        node = parse(what.text)
    except FormulaError as error:
        return Wrong(error.message, what.part(error.start, min(error.end, len(what.text))))
    for inner in walk(node):
        if inner.op in DICE:
            message = f"{inner.op}(…) looks at dice; ask for a step of {rule.name} instead"
            return Wrong(f"{message}; {suggest('', (step.name for step in rule.steps))}".rstrip("; "), at(what, inner))
    complaints = check(node, scope_of(rule))
    if complaints:
        inner, message = complaints[0]
        return Wrong(about_outcome(rule, inner) or message.rstrip("; "), at(what, inner))
    return Event((), Formula(what.text, node, what))


def at(what: Span, node: Node) -> Span:
    return what.part(node.start, node.end)


def about_outcome(rule: Rule, node: Node) -> str:
    """The message for an outcome inside a formula; empty for other names."""
    if node.op != "name" or node.args[0].lower() not in {name.lower() for name in outcomes_of(rule)}:
        return ""
    return f"«{node.args[0]}» is an outcome: outcomes stand alone or beside each other, joined by «or»"


def scope_of(rule: Rule) -> Scope:
    """The names that a formula over a finished roll may use: inputs and steps."""
    values: dict[str, Worth] = {}
    for entry in rule.inputs:
        values |= dict.fromkeys(entry.variables, entry.choices if entry.form == "choice" else NUMBER)
    coded = (entry for entry in rule.inputs if entry.parts)
    codes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in coded}
    dice = {kind.name: kind for kind in rule.dice}
    scope = Scope(values, frozenset(values), dice=dice, tables=rule.tables, barred=codes)
    for step in rule.steps:
        found = worth(step.formula.node, scope)[0]
        scope = replace(scope, values={**scope.values, step.name: found})
    return replace(scope, dice={})


def as_formula(rule: Rule, event: Event) -> Formula:
    """An event as one formula; an outcome requires that no earlier outcome applies."""
    if event.formula:
        return event.formula
    parts = [condition(rule.outcomes, name) for name in event.outcomes]
    node = parts[0] if len(parts) == 1 else Node("or", tuple(parts))
    return Formula(" or ".join(event.outcomes), node, rule.span)


def condition(outcomes: tuple[Outcome, ...], name: str) -> Node:
    number = next(number for number, outcome in enumerate(outcomes) if outcome.name == name)
    parts = [Node("not", (outcome.when.node,)) for outcome in outcomes[:number] if outcome.when]
    own = outcomes[number].when
    parts += [own.node] if own else []
    if not parts:
        return Node("number", (1,))
    return parts[0] if len(parts) == 1 else Node("and", tuple(parts))


EVENTS = ("event", "given")


@lru_cache(maxsize=256)
def asking(rule: Rule, quantity: Quantity) -> Rule:
    """The rule with the event and condition of a quantity as outcomes; unchanged if the event is made of outcomes."""
    event, given = quantity.event, quantity.given
    assert event
    if given is None and event.formula is None:
        return rule
    whens = [as_formula(rule, event)]
    if given:
        condition = as_formula(rule, given)
        whens = [both(whens[0], condition), condition]
    return with_outcomes(rule, dict(zip(EVENTS, whens, strict=False)))


@lru_cache(maxsize=64)
def without_outcomes(rule: Rule) -> Rule:
    return replace(rule, outcomes=())


@lru_cache(maxsize=256)
def by_value(rule: Rule, step: str, values: tuple[int, ...]) -> Rule:
    """The rule with one outcome for each value of a step."""
    return with_outcomes(rule, {str(value): equals(rule, step, value) for value in values})


def with_outcomes(rule: Rule, whens: dict[str, Formula]) -> Rule:
    outcomes = [Outcome(name, when, None, "", "", rule.span, rule.span) for name, when in whens.items()]
    return replace(rule, outcomes=(*outcomes, Outcome("none of these", None, None, "", "", rule.span, rule.span)))


def equals(rule: Rule, step: str, value: int) -> Formula:
    number = Node("number", (abs(value),))
    node = Node("=", (Node("name", (step,)), number if value >= 0 else Node("neg", (number,))))
    return Formula(f"{step} = {value}", node, rule.span)


FOR_ALL_CELLS = (TOO_MANY_STATES, NAME_ONCE, "must be given")  # endings of refusals that are the same for every cell
NO_MEAN = "there is no exact mean that could be found"
MOST_CELLS = 10_000  # combinations of values computed in one table
MOST_SINGLE = 1_000  # combinations of values computed one by one
NEVER = "what stands behind | never happens"

T = TypeVar("T")
Values = tuple[str, ...]
Axes = Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason that an answer cannot be computed."""

    message: str


Answer = Chance | Refusal
Row = Mapping[str, Chance] | Refusal  # the chance of each outcome


@dataclass(frozen=True)
class Setup:
    """A rule with its settings: the text of each input, and the policy."""

    rule: Rule
    inputs: Mapping[str, str]
    policy: str = ""

    @property
    def is_free(self) -> bool:
        """Whether optional choices are independent of the outcomes of the rule."""
        return "best chance" not in (self.policy, *self.rule.policies)

    def at(self, names: Mapping[str, Values], cell: Values) -> Setup:
        return replace(self, inputs={**self.inputs, **dict(zip(names, cell, strict=True))})


class Answers:
    """Computes answers and caches tables while one block is checked."""

    def __init__(self) -> None:
        self.tables: dict[tuple[Any, ...], dict[Values, Answer]] = {}
        self.rows: dict[tuple[Any, ...], dict[Values, Row]] = {}
        self.memory = Memory()

    def table(self, quantity: Quantity, setup: Setup, axes: Axes) -> dict[Values, Answer]:
        """The answer for each combination of axis values."""
        key = (quantity, setup.rule, tuple(setup.inputs.items()), setup.policy, tuple(axes.items()))
        if key not in self.tables:
            self.tables[key] = self.fresh_table(quantity, setup, axes)
        return self.tables[key]

    def fresh_table(self, quantity: Quantity, setup: Setup, axes: Axes) -> dict[Values, Answer]:
        if is_single(quantity, setup):
            return {cell: self.alone(quantity, setup.at(axes, cell)) for cell in product(*axes.values())}
        rows = self.outcomes(replace(setup, rule=asking(setup.rule, quantity)), axes)
        return {cell: chance_of(quantity, row) for cell, row in rows.items()}

    def single(self, quantity: Quantity, setup: Setup) -> Answer:
        return self.table(quantity, setup, {})[()]

    def outcomes(self, setup: Setup, axes: Axes) -> dict[Values, Row]:
        key = (setup.rule, tuple(setup.inputs.items()), tuple(axes.items()), setup.policy)
        if key not in self.rows:
            self.rows[key] = worked_out(setup, axes)
        return self.rows[key]

    def alone(self, quantity: Quantity, setup: Setup) -> Answer:
        rule = setup.rule
        if rule.contest and quantity.show == "mean":
            return self.side_mean(quantity, setup)
        if rule.contest:
            return chance_of(quantity, guarded(lambda: contest_row(setup)))
        if quantity.show == "chance":
            return guarded(lambda: self.chosen_chance(quantity, setup))
        if quantity.show == "degree":
            return as_answer(guarded(lambda: self.odds(setup).mean_degree(quantity.name)))
        return as_answer(guarded(lambda: self.odds(bare(setup)).mean(quantity.name)))

    def side_mean(self, quantity: Quantity, setup: Setup) -> Answer:
        side, _, step = quantity.name.partition(".")
        number = SIDES.index(side)
        assert setup.rule.contest
        inputs = {name: str(value) for name, value in split_inputs(setup.inputs)[0][number].items()}
        own = Setup(setup.rule.contest.of[number], inputs, setup.policy)
        return self.alone(replace(quantity, name=step), own)

    def chosen_chance(self, quantity: Quantity, setup: Setup) -> Answer:
        """A chance under the policy "best chance", which depends on the outcomes of the rule: they are not replaced."""
        event, given = quantity.event, quantity.given
        assert event
        condition = as_formula(setup.rule, given) if given else None
        found = self.odds(setup)
        if condition and not found.chance(condition).high:
            return Refusal(NEVER)
        return found.chance(as_formula(setup.rule, event), condition)

    def odds(self, setup: Setup) -> Odds:
        values, complaints = bind(setup.rule, setup.inputs)
        if complaints:
            raise Refused(complaints[0][1])
        setting = Setting(setup.rule, values)
        return Odds(setting, chosen_policies(setting, setup.policy), self.memory)


def is_single(quantity: Quantity, setup: Setup) -> bool:
    """Whether each combination of values must be computed one by one."""
    return bool(setup.rule.contest) or quantity.show != "chance" or not setup.is_free


def too_many(cells: int, single: bool) -> str:
    """The message for ranges with too many combinations; empty if they fit."""
    most = MOST_SINGLE if single else MOST_CELLS
    return f"these are {cells:,} combinations, at most {most:,} are worked out; leave some out" if cells > most else ""


def size(axes: Axes) -> int:
    return prod(len(values) for values in axes.values())


def bare(setup: Setup) -> Setup:
    """Drops the outcomes, so that inputs that only they use may be missing."""
    return replace(setup, rule=without_outcomes(setup.rule)) if setup.is_free else setup


def guarded(ask: Callable[[], T]) -> T | Refusal:
    """Calls a computation and turns the errors of the odds engine into refusals."""
    try:
        return ask()
    except (Refused, Stuck, TooMuch) as error:
        return Refusal(str(error))
    except NotExact:
        return Refusal("there is no exact answer that could be found")


def as_answer(mean: Fraction | Refusal | None) -> Answer:
    if isinstance(mean, Refusal):
        return mean
    return Refusal(NO_MEAN) if mean is None else Chance(mean, mean)


def worked_out(setup: Setup, axes: Axes) -> dict[Values, Row]:
    """The rows of all cells. If the whole table is refused, computes each cell: one refusal affects no other."""
    cells = list(product(*axes.values()))
    found = guarded(lambda: whole_table(setup, axes))
    if not isinstance(found, Refusal):
        return found
    if len(cells) == 1 or found.message.endswith(FOR_ALL_CELLS):
        return dict.fromkeys(cells, found)
    rows: dict[Values, Row] = {}
    for cell in cells:
        alone = dict(zip(axes, ((value,) for value in cell), strict=True))
        row = guarded(partial(whole_table, setup, alone))
        rows[cell] = row if isinstance(row, Refusal) else row[cell]
    return rows


def whole_table(setup: Setup, axes: Axes) -> dict[Values, Row]:
    found, complaints = odds_table(setup.rule, setup.inputs, axes, setup.policy)
    if complaints:
        raise Refused(complaints[0].message)
    return dict(found)


def contest_row(setup: Setup) -> Row:
    found, complaints = odds(setup.rule, setup.inputs, setup.policy)
    return Refusal(complaints[0].message) if found is None else found.chances


def chance_of(quantity: Quantity, row: Row) -> Answer:
    """The chance of an event from the chances of the outcomes, which share the same unresolved tail mass."""
    if isinstance(row, Refusal):
        return row
    assert quantity.event
    names = quantity.event.outcomes if not (quantity.given or quantity.event.formula) else EVENTS[:1]
    low = sum((row[name].low for name in names), Fraction(0))
    unknown = max((chance.high - chance.low for chance in row.values()), default=Fraction(0))
    if quantity.given is None:
        return Chance(low, min(low + unknown, Fraction(1)))
    whole = low + row["given"].low + unknown
    return Chance(low / whole, (low + unknown) / whole) if whole else Refusal(NEVER)
