"""Computes what claims, tables and links want to know: chances and means of a rule, cached for each block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, TypeVar

from ..game.aims import uses_outcomes
from ..game.codegen import EvaluationError
from ..game.core import CoreOutcome
from ..game.formula import Node
from ..game.inputs import bind_inputs
from ..game.model import CONTEST_SIDES, Formula, Outcome, Rule
from ..odds.budget import TOO_MANY_STATES, BudgetError, NotExactError
from ..odds.cache import OddsCache
from ..odds.contest import find_side_aim, split_inputs_by_side
from ..odds.cost_warnings import explain_refusal
from ..odds.distribution import Chance
from ..odds.rule_odds import Odds, compute_odds, join_conditions
from ..odds.table import compute_odds_table
from ..play.bound_rule import BoundRule, RollError
from .quantities import Event, Quantity


def _as_formula(rule: Rule, event: Event, outcomes: Sequence[Outcome | CoreOutcome] = ()) -> Formula:
    """An event as one formula, over the `outcomes` of the lowered rule if nothing lowers it afterwards."""
    if event.formula:
        return event.formula
    parts = [_outcome_condition(outcomes or rule.outcomes, name) for name in event.outcomes]
    node = parts[0] if len(parts) == 1 else Node("or", tuple(parts))
    return Formula(" or ".join(event.outcomes), node, rule.span)


def _outcome_condition(outcomes: Sequence[Outcome | CoreOutcome], name: str) -> Node:
    number = next(number for number, outcome in enumerate(outcomes) if outcome.name == name)
    parts = [Node("not", (outcome.when.node,)) for outcome in outcomes[:number] if outcome.when]
    own_condition = outcomes[number].when
    parts += [own_condition.node] if own_condition else []
    if not parts:
        return Node("number", (1,))
    return parts[0] if len(parts) == 1 else Node("and", tuple(parts))


_EVENTS = ("event", "given")


def _with_event_outcomes(rule: Rule, quantity: Quantity) -> Rule:
    """The rule with the event and condition of a quantity as outcomes; unchanged if the event is made of outcomes."""
    event, condition_event = quantity.event, quantity.condition
    assert event
    if condition_event is None and event.formula is None:
        return rule
    whens = [_as_formula(rule, event)]
    if condition_event:
        condition = _as_formula(rule, condition_event)
        joined = join_conditions(whens[0], condition)
        whens = [Formula(joined.text, joined.node, rule.span), condition]
    return _with_outcomes(rule, dict(zip(_EVENTS, whens, strict=False)))


def _without_outcomes(rule: Rule) -> Rule:
    return rule.cached(("without outcomes",), lambda: replace(rule, outcomes=()))


def with_value_outcomes(rule: Rule, step: str, values: tuple[int, ...]) -> Rule:
    """The rule with one outcome for each value of a step."""
    return _with_outcomes(rule, {str(value): _equality_formula(rule, step, value) for value in values})


def _with_outcomes(rule: Rule, whens: dict[str, Formula]) -> Rule:
    outcomes = [Outcome(name, when, None, "", "", rule.span, rule.span) for name, when in whens.items()]
    return replace(rule, outcomes=(*outcomes, Outcome("none of these", None, None, "", "", rule.span, rule.span)))


def _equality_formula(rule: Rule, step: str, value: int) -> Formula:
    number = Node("number", (abs(value),))
    node = Node("=", (Node("name", (step,)), number if value >= 0 else Node("neg", (number,))))
    return Formula(f"{step} = {value}", node, rule.span)


_GENERAL_REFUSALS = (TOO_MANY_STATES, "must be given")  # endings of refusals that are the same for every cell
_NO_MEAN = "there is no exact mean that could be found"
_MAX_ESTIMATES = 12  # cells of one table
_MAX_CELLS = 10_000  # combinations of values computed in one table
_MAX_SINGLE_CELLS = 1_000  # combinations of values computed one by one
_IMPOSSIBLE_CONDITION = "what comes after | never happens"

T = TypeVar("T")
Values = tuple[str, ...]
_Axes = Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason that an answer cannot be computed; `explain` names what makes it too expensive."""

    message: str
    explain: Callable[[], str] | None = field(default=None, compare=False)

    @property
    def is_cost(self) -> bool:
        """Whether only an estimate is within reach."""
        return self.message.endswith(TOO_MANY_STATES)

    @property
    def notes(self) -> tuple[str, ...]:
        reason = self.explain() if self.explain else ""
        return (*filter(None, [reason]), *(["an estimate would be possible, but it proves nothing"] * self.is_cost))


Answer = Chance | Refusal
_Row = Mapping[str, Chance] | Refusal  # the chance of each outcome


@dataclass(frozen=True)
class Setup:
    """A rule with its settings: the text of each input, and the aim."""

    rule: Rule
    inputs: Mapping[str, str]
    aim: str = ""

    @property
    def ignores_outcomes(self) -> bool:
        """Whether optional choices are independent of the outcomes of the rule."""
        return not any(map(uses_outcomes, (self.aim, self.rule.aim.text if self.rule.aim else "")))

    def with_cell(self, names: Mapping[str, Values], cell: Values) -> Setup:
        return replace(self, inputs={**self.inputs, **dict(zip(names, cell, strict=True))})


class Answers:
    """Computes answers and caches tables while one block is checked."""

    def __init__(self) -> None:
        self.tables: dict[tuple[Any, ...], dict[Values, Answer]] = {}
        self.rows: dict[tuple[Any, ...], dict[Values, _Row]] = {}
        self.cache = OddsCache()
        self.estimates = 0

    def get_table(self, quantity: Quantity, setup: Setup, axes: _Axes) -> dict[Values, Answer]:
        """The answer for each combination of axis values."""
        key = (quantity, setup.rule, tuple(setup.inputs.items()), setup.aim, tuple(axes.items()))
        if key not in self.tables:
            table = self.compute_table(quantity, setup, axes)
            self.tables[key] = {cell: _explain(answer, setup.with_cell(axes, cell)) for cell, answer in table.items()}
        return self.tables[key]

    def compute_table(self, quantity: Quantity, setup: Setup, axes: _Axes) -> dict[Values, Answer]:
        if is_single(quantity, setup):
            return {
                cell: self.compute_single(quantity, setup.with_cell(axes, cell)) for cell in product(*axes.values())
            }
        rows = self.get_rows(replace(setup, rule=_with_event_outcomes(setup.rule, quantity)), axes)
        return {cell: _event_chance(quantity, row) for cell, row in rows.items()}

    def get_single(self, quantity: Quantity, setup: Setup) -> Answer:
        return self.get_table(quantity, setup, {})[()]

    def get_rows(self, setup: Setup, axes: _Axes) -> dict[Values, _Row]:
        key = (setup.rule, tuple(setup.inputs.items()), tuple(axes.items()), setup.aim)
        if key not in self.rows:
            self.rows[key] = _compute_rows(setup, axes, self.cache)
        return self.rows[key]

    def compute_single(self, quantity: Quantity, setup: Setup) -> Answer:
        rule = setup.rule
        if rule.contest and quantity.show == "mean":
            return self.compute_side_mean(quantity, setup)
        if rule.contest:
            return _event_chance(quantity, catch_refusal(lambda: _compute_contest_row(setup)))
        if quantity.show == "chance":
            return catch_refusal(lambda: self.compute_own_chance(quantity, setup))
        if quantity.show == "degree":
            return _mean_answer(catch_refusal(lambda: self.build_odds(setup).mean_degree(quantity.name)))
        return _mean_answer(catch_refusal(lambda: self.build_odds(without_rule_outcomes(setup)).mean(quantity.name)))

    def compute_side_mean(self, quantity: Quantity, setup: Setup) -> Answer:
        side, _, step = quantity.name.partition(".")
        number = CONTEST_SIDES.index(side)
        assert setup.rule.contest
        values, rule = split_inputs_by_side(setup.inputs)[0][number], setup.rule.contest.of[number]
        aim = find_side_aim(rule, values, setup.aim)
        side_setup = Setup(rule, {name: str(value) for name, value in values.items()}, aim)
        return self.compute_single(replace(quantity, name=step), side_setup)

    def compute_own_chance(self, quantity: Quantity, setup: Setup) -> Answer:
        """A chance where an aim names outcomes of the rule: they are not replaced."""
        event, condition_event = quantity.event, quantity.condition
        assert event
        rule_odds = self.build_odds(setup)
        outcomes = rule_odds.rule.outcomes
        condition = _as_formula(setup.rule, condition_event, outcomes) if condition_event else None
        if condition and not rule_odds.chance(condition).high:
            return Refusal(_IMPOSSIBLE_CONDITION)
        return rule_odds.chance(_as_formula(setup.rule, event, outcomes), condition)

    def estimate(self, quantity: Quantity, setup: Setup) -> Answer:
        """A chance or mean from some rolls, for what is only shown: it proves nothing."""
        self.estimates += 1
        if self.estimates > _MAX_ESTIMATES or (setup.rule.contest and quantity.show != "chance"):
            return Refusal(TOO_MANY_STATES)
        if quantity.show == "chance":
            rule = _with_event_outcomes(setup.rule, quantity)
            odds, complaints = compute_odds(rule, setup.inputs, setup.aim, compute_now=False)
            if odds is None:
                return Refusal(complaints[0].message)
            return catch_refusal(lambda: _estimate_event(quantity, odds.estimate_chances()))
        sample = catch_refusal(lambda: self.build_odds(setup).sample)
        if isinstance(sample, Refusal):
            return sample
        mean = sample.mean_degree(quantity.name) if quantity.show == "degree" else sample.mean(quantity.name)
        return Refusal(_NO_MEAN) if mean is None else Chance(Fraction(0), Fraction(1), mean, sample.rolls)

    def build_odds(self, setup: Setup) -> Odds:
        values, complaints = bind_inputs(setup.rule, setup.inputs)
        if complaints:
            raise RollError(complaints[0][1])
        setting = BoundRule(setup.rule, values)
        return Odds(setting, setup.aim, self.cache)


def is_single(quantity: Quantity, setup: Setup) -> bool:
    """Whether each combination of values must be computed one by one."""
    return bool(setup.rule.contest) or quantity.show != "chance" or not setup.ignores_outcomes


def too_many_message(cells: int, single: bool) -> str:
    """The message for ranges with too many combinations; empty if they fit."""
    most = _MAX_SINGLE_CELLS if single else _MAX_CELLS
    return f"these are {cells:,} combinations, at most {most:,} are worked out; leave some out" if cells > most else ""


def count_cells(axes: _Axes) -> int:
    return prod(len(values) for values in axes.values())


def without_rule_outcomes(setup: Setup) -> Setup:
    """Drops the outcomes, so that inputs that only they use may be missing."""
    return replace(setup, rule=_without_outcomes(setup.rule)) if setup.ignores_outcomes else setup


def catch_refusal(compute: Callable[[], T]) -> T | Refusal:
    """Calls a computation and turns the errors of the odds engine into refusals."""
    try:
        return compute()
    except (RollError, EvaluationError, BudgetError) as error:
        return Refusal(str(error))
    except NotExactError:
        return Refusal("there is no exact answer that could be found")


def _explain(answer: Answer, setup: Setup) -> Answer:
    """An answer that can say, if it is asked, what makes it too expensive."""
    if isinstance(answer, Chance) or not answer.is_cost:
        return answer
    explain = partial(explain_refusal, setup.rule, setup.inputs, setup.aim, answer.message)
    return replace(answer, explain=explain)


def _mean_answer(mean: Fraction | Refusal | None) -> Answer:
    if isinstance(mean, Refusal):
        return mean
    return Refusal(_NO_MEAN) if mean is None else Chance(mean, mean)


def _compute_rows(setup: Setup, axes: _Axes, cache: OddsCache) -> dict[Values, _Row]:
    """The rows of all cells. If the whole table is refused, computes each cell: one refusal affects no other."""
    cells = list(product(*axes.values()))
    table = catch_refusal(lambda: compute_whole_table(setup, axes, cache))
    if not isinstance(table, Refusal):
        return table
    if len(cells) == 1 or table.message.endswith(_GENERAL_REFUSALS):
        return dict.fromkeys(cells, table)
    rows: dict[Values, _Row] = {}
    for cell in cells:
        single_axes = dict(zip(axes, ((value,) for value in cell), strict=True))
        row = catch_refusal(partial(compute_whole_table, setup, single_axes, cache))
        rows[cell] = row if isinstance(row, Refusal) else row[cell]
    return rows


def compute_whole_table(setup: Setup, axes: _Axes, cache: OddsCache | None = None) -> dict[Values, _Row]:
    rows, complaints = compute_odds_table(setup.rule, setup.inputs, axes, setup.aim, cache)
    if complaints:
        raise RollError(complaints[0].message)
    return dict(rows)


def _compute_contest_row(setup: Setup) -> _Row:
    contest_odds, complaints = compute_odds(setup.rule, setup.inputs, setup.aim)
    return Refusal(complaints[0].message) if contest_odds is None else contest_odds.chances


def _estimate_event(quantity: Quantity, row: Mapping[str, Chance]) -> Answer:
    assert quantity.event
    names = quantity.event.outcomes if not (quantity.condition or quantity.event.formula) else _EVENTS[:1]
    share, rolls = sum((row[name].likely for name in names), Fraction(0)), row[names[0]].rolls
    if quantity.condition:
        happens = share + row["given"].likely
        if not happens:
            return Refusal("what comes after | happened in none of the rolls of an estimate")
        share, rolls = share / happens, int(happens * rolls)
    return Chance(Fraction(0), Fraction(1), share, rolls)


def _event_chance(quantity: Quantity, row: _Row) -> Answer:
    """The chance of an event from the chances of the outcomes, which share the same unresolved tail mass."""
    if isinstance(row, Refusal):
        return row
    assert quantity.event
    names = quantity.event.outcomes if not (quantity.condition or quantity.event.formula) else _EVENTS[:1]
    low = sum((row[name].low for name in names), Fraction(0))
    unknown = max((chance.high - chance.low for chance in row.values()), default=Fraction(0))
    if quantity.condition is None:
        return Chance(low, min(low + unknown, Fraction(1)))
    condition_high = low + row["given"].low + unknown
    return (
        Chance(low / condition_high, (low + unknown) / condition_high)
        if condition_high
        else Refusal(_IMPOSSIBLE_CONDITION)
    )
