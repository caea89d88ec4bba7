"""Odds for claims and tables: what is asked for many values of some inputs is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, TypeVar

from ..game.inputs import bind
from ..game.model import SIDES, Rule
from ..game.odds.answer import Chance, Odds, odds
from ..game.odds.contest import split_inputs
from ..game.odds.family import NotExact
from ..game.odds.limits import NAME_ONCE, TOO_MANY_STATES, TooMuch
from ..game.odds.memory import Memory
from ..game.odds.policies import chosen_policies
from ..game.odds.table import odds_table
from ..game.python import Stuck
from ..game.setting import Refused, Setting
from .events import Quantity, as_formula
from .variants import EVENTS, asking, without_outcomes

FOR_ALL_CELLS = (TOO_MANY_STATES, NAME_ONCE, "must be given")  # refusals that do not change from cell to cell
NO_MEAN = "there is no exact mean that could be found"
MOST_CELLS = 10_000  # combinations of values that are asked for at once
MOST_SINGLE = 1_000  # the same where each is worked out alone
NEVER = "what stands behind | never happens"

T = TypeVar("T")
Values = tuple[str, ...]
Axes = Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer."""

    message: str


Answer = Chance | Refusal
Row = Mapping[str, Chance] | Refusal  # the chances of all outcomes


@dataclass(frozen=True)
class Setup:
    """A rule with settings: what was written for its inputs, and the policy."""

    rule: Rule
    inputs: Mapping[str, str]
    policy: str = ""

    @property
    def is_free(self) -> bool:
        """Whether choices do not depend on what the outcomes of the rule are."""
        return "best chance" not in (self.policy, *self.rule.policies)

    def at(self, names: Mapping[str, Values], cell: Values) -> Setup:
        return replace(self, inputs={**self.inputs, **dict(zip(names, cell, strict=True))})


class Answers:
    """Answers that share what they have in common, for as long as one block is checked."""

    def __init__(self) -> None:
        self.tables: dict[tuple[Any, ...], dict[Values, Answer]] = {}
        self.rows: dict[tuple[Any, ...], dict[Values, Row]] = {}
        self.memory = Memory()

    def table(self, quantity: Quantity, setup: Setup, axes: Axes) -> dict[Values, Answer]:
        """The answer for each combination of values."""
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
        """A chance where players choose with an eye on the outcomes, so that these must stay."""
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
    """Whether each combination of values is worked out alone."""
    return bool(setup.rule.contest) or quantity.show != "chance" or not setup.is_free


def too_many(cells: int, single: bool) -> str:
    """What is to be said of a range that asks for too much."""
    most = MOST_SINGLE if single else MOST_CELLS
    return f"these are {cells:,} combinations, at most {most:,} are worked out; leave some out" if cells > most else ""


def size(axes: Axes) -> int:
    return prod(len(values) for values in axes.values())


def bare(setup: Setup) -> Setup:
    """Without outcomes, so that what only they need may be left open."""
    return replace(setup, rule=without_outcomes(setup.rule)) if setup.is_free else setup


def guarded(ask: Callable[[], T]) -> T | Refusal:
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
    """All at once; where that is refused, one by one, because one that is refused must not spoil the others."""
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
    """The chance of an event from the chances of outcomes; all of them leave the same open."""
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
