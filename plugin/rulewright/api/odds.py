"""The odds of a rule: exact chances of its outcomes, means and distributions of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import Any, TypeVar

from ..game.codegen import EvaluationError
from ..game.model import CONTEST_SIDES
from ..odds import answer as engine
from ..odds.distribution import Chance
from ..odds.generating_function import NotExactError
from ..odds.plan import BudgetError
from ..play.bound_rule import RollError
from ..play.result import error_problem
from ..render.number_format import all_digits, format_bounds, format_fraction, format_percent
from ..source import suggest
from .request import RuleRequest, RulewrightError, plain_inputs, refuse

_T = TypeVar("_T")
_MOST_LEFT = Fraction(1, 10**9)  # of a distribution that does not end
_BAR_LENGTH = 24  # characters of a bar in a text
_BAR_WIDTH = 160  # pixels of a bar in a notebook


def mean_or_none(compute: Callable[[], Fraction | None]) -> Fraction | None:
    """A mean, or None if it cannot be computed."""
    try:
        return compute()
    except (NotExactError, RollError, EvaluationError, BudgetError):
        return None


def outcome_data(name: str, chance: Chance) -> dict[str, Any]:
    """The chance of an outcome for JSON."""
    if chance.exact is not None:
        return {"name": name, "exact": str(chance.exact), "chance": float(chance)}
    return {"name": name, "exact": None, "chance": float(chance), "low": float(chance.low), "high": float(chance.high)}


def odds_data(request: RuleRequest, answer: engine.Odds | engine.ContestOdds) -> dict[str, Any]:
    """The odds as data for JSON."""
    with all_digits():
        return {
            "version": 1,
            "game": request.game,
            "rule": request.rule.name,
            "inputs": plain_inputs(request),
            "policy": answer.policy or None,
            "outcomes": [outcome_data(name, chance) for name, chance in answer.chances.items()],
            "steps": {name: None if mean is None else float(mean) for name, mean in _step_means(answer).items()},
        }


def _step_means(answer: engine.Odds | engine.ContestOdds) -> dict[str, Fraction | None]:
    steps = _steps(answer).items()
    return {name: mean_or_none(partial(side.mean, step)) for name, (side, step) in steps}


def _steps(answer: engine.Odds | engine.ContestOdds) -> dict[str, tuple[engine.Odds, str]]:
    """The steps with the odds that they belong to; of a contest, only those that are compared."""
    if isinstance(answer, engine.Odds):
        return {step.name: (answer, step.name) for step in answer.rule.steps}
    step = answer.contest.compare
    return {f"{name}.{step}": (side, step) for name, side in zip(CONTEST_SIDES, answer.sides, strict=True)}


class Distribution(dict[int | str, Fraction]):
    """The chance of each value of a step, in ascending order.

    `tail` is the chance of all values beyond those listed, for dice that may explode forever, and `unknown` what could
    not be decided; both are usually 0. The chances listed, `tail` and `unknown` add up to 1."""

    def __init__(self, values: Mapping[Any, Fraction], tail: Fraction, unknown: Fraction) -> None:
        super().__init__(values)
        self.tail, self.unknown = tail, unknown

    def __str__(self) -> str:
        return _text_bars({str(value): Chance(share, share) for value, share in self.items()})

    def _repr_html_(self) -> str:
        return _html_bars("value", {str(value): Chance(share, share) for value, share in self.items()})


class Odds(Mapping[str, Fraction]):
    """The chance of each outcome of a rule as an exact fraction; also the means and distributions of its steps.

    A few questions have no exact answer within reach. Then `exact` is False, `bounds` gives what is certain, and
    `odds[outcome]` raises an error rather than returning a guess. Steps of a contest are named `first.STEP`."""

    def __init__(self, request: RuleRequest, answer: engine.Odds | engine.ContestOdds) -> None:
        self._request, self._answer = request, answer
        self._chances = answer.chances

    @property
    def rule(self) -> str:
        return self._request.rule.name

    @property
    def inputs(self) -> dict[str, Any]:
        """All inputs, with defaults filled in."""
        return plain_inputs(self._request)

    @property
    def exact(self) -> bool:
        """Whether every chance is known exactly."""
        return all(chance.exact is not None for chance in self._chances.values())

    @property
    def steps(self) -> tuple[str, ...]:
        """The names that `mean` and `distribution` accept."""
        return tuple(_steps(self._answer))

    def __getitem__(self, outcome: str) -> Fraction:
        exact = self._chances[outcome].exact
        if exact is None:
            raise RulewrightError(f"the chance of {outcome} has no exact value; use bounds({outcome!r})")
        return exact

    def __iter__(self) -> Iterator[str]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def bounds(self, outcome: str) -> tuple[Fraction, Fraction]:
        """The least and the greatest that the chance of an outcome may be; both are equal if it is exact."""
        chance = self._chances[outcome]
        return chance.low, chance.high

    def mean(self, step: str) -> Fraction:
        """The mean of a step; of a condition, its chance."""
        side, name = self._find_step(step)
        mean = self._compute(lambda: side.mean(name))
        if mean is None:
            raise RulewrightError(f"{step} has no exact mean")
        return mean

    def distribution(self, step: str) -> Distribution:
        """The chance of each value of a step."""
        side, name = self._find_step(step)
        distribution = self._compute(lambda: side.distribution(name, _MOST_LEFT))
        return Distribution(distribution.values, distribution.tail, distribution.unknown)

    def _find_step(self, step: str) -> tuple[engine.Odds, str]:
        steps = _steps(self._answer)
        if step not in steps:
            raise RulewrightError(f"{self.rule} has no step «{step}»; {suggest(step, steps)}".rstrip("; "))
        return steps[step]

    def _compute(self, compute: Callable[[], _T]) -> _T:
        try:
            return compute()
        except (RollError, EvaluationError) as error:
            raise refuse(self._request, [error_problem(error)]) from None
        except (NotExactError, BudgetError) as error:
            raise RulewrightError(str(error) or "this has no exact answer") from None

    def to_dict(self) -> dict[str, Any]:
        """The data that `rulewright odds --json` prints."""
        return odds_data(self._request, self._answer)

    def __repr__(self) -> str:
        chances = ", ".join(f"{name} {_short(chance)}" for name, chance in self._chances.items())
        return f"<Odds of {self.rule}: {chances or 'no outcomes'}>"

    def __str__(self) -> str:
        return _text_bars(self._chances)

    def _repr_html_(self) -> str:
        return _html_bars("outcome", self._chances)


def compute_odds(request: RuleRequest) -> Odds:
    """The odds of a request."""
    try:
        answer, complaints = engine.compute_odds(request.rule, request.inputs, request.policy)
    except NotExactError as error:
        raise RulewrightError(str(error) or "this has no exact answer") from None
    if answer is None or complaints:
        raise refuse(request, complaints)
    return Odds(request, answer)


def _short(chance: Chance) -> str:
    return format_bounds(chance.low, chance.high) if chance.exact is None else format_percent(chance.exact)


def _text_bars(chances: Mapping[str, Chance]) -> str:
    """A line for each name: percentage and bar."""
    room = max(map(len, chances), default=0)
    percents = {name: _short(chance) for name, chance in chances.items()}
    width = max(map(len, percents.values()), default=0)
    lines = (
        f"{name:<{room}}  {percents[name]:>{width}}  {'█' * round(float(chance) * _BAR_LENGTH)}"
        for name, chance in chances.items()
    )
    return "\n".join(line.rstrip() for line in lines)


def _html_bars(head: str, chances: Mapping[str, Chance]) -> str:
    """A small table with bars, for notebooks."""
    rows = "".join(
        f"<tr><th scope='row' style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:right'>{_short(chance)}</td>"
        f"<td style='text-align:left'><div style='height:.8em;width:{_BAR_WIDTH * float(chance):.0f}px;"
        "background:currentColor;opacity:.5'></div></td>"
        f"<td style='text-align:left'>{_exact(chance)}</td></tr>"
        for name, chance in chances.items()
    )
    heads = "".join(f"<th scope='col'>{name}</th>" for name in (head, "chance", "", "exactly"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _exact(chance: Chance) -> str:
    return "" if chance.exact is None else format_fraction(chance.exact)
