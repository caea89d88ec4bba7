"""The odds of a rule: exact chances of its outcomes, means and distributions of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import Any, TypeVar

from ..game.codegen import EvaluationError
from ..game.model import CONTEST_SIDES
from ..odds import rule_odds as engine
from ..odds.budget import NO_ANSWER, BudgetError, NotExactError
from ..odds.distribution import Chance
from ..odds.estimate import COST_REFUSALS
from ..odds.proof import prove_rule
from ..play.bound_rule import RollError
from ..play.result import RollProblem, error_problem
from ..render.chance_lines import format_chances
from ..render.number_format import (
    all_digits,
    format_bounds,
    format_estimate,
    format_fraction,
    format_mean,
    format_percent,
)
from .describe import hidden_steps
from .request import RuleRequest, RulewrightError, UnknownNameError, cut, plain_inputs, refuse, unknown_name

_T = TypeVar("_T")
_MOST_LEFT = Fraction(1, 10**9)  # of a distribution that does not end
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
    bounds = {"low": float(chance.low), "high": float(chance.high)}
    estimate = {"estimate": True, "rolls": chance.rolls} if chance.rolls else {}
    return {"name": name, "exact": None, "chance": float(chance), **bounds, **estimate, "why": _why_not_exact(chance)}


def _why_not_exact(chance: Chance) -> str:
    return "" if chance.exact is not None else engine.ESTIMATED if chance.rolls else engine.NO_FRACTION


def odds_data(request: RuleRequest, answer: engine.Odds | engine.ContestOdds) -> dict[str, Any]:
    """The odds as data for JSON."""
    steps = {name: step for name, step in _steps(answer).items() if request.rule.find_whole(name) == name}
    means = {name: mean_or_none(partial(side.mean, step)) for name, (side, step) in steps.items()}
    missing = {name: steps[name] for name, mean in means.items() if mean is None}
    why = {name: _why_no_mean(*step) for name, step in missing.items()}
    estimates = {name: mean for name, step in missing.items() if (mean := step[0].estimated_mean(step[1])) is not None}
    with all_digits():
        return {
            "version": 1,
            "game": request.game,
            "rule": request.rule.name,
            "inputs": plain_inputs(request),
            "aim": answer.aim or None,
            "outcomes": [outcome_data(name, chance) for name, chance in answer.chances.items()],
            "steps": {name: None if mean is None else float(mean) for name, mean in means.items()},
            **({"why": why} if why else {}),
            **({"estimates": {name: float(mean) for name, mean in estimates.items()}} if estimates else {}),
        }


def _why_no_mean(side: engine.Odds, step: str) -> str:
    return side.why_no_mean(partial(side.mean, step), step)


def _steps(answer: engine.Odds | engine.ContestOdds) -> dict[str, tuple[engine.Odds, str]]:
    """The steps with the odds that they belong to; of a contest, only those that are compared."""
    if isinstance(answer, engine.Odds):
        return {step: (answer, step) for step in answer.steps}
    step = answer.contest.compare
    return {f"{name}.{step}": (side, step) for name, side in zip(CONTEST_SIDES, answer.sides, strict=True)}


class Distribution(dict[int | str, Fraction]):
    """The chance of each value of a step, in ascending order.

    Dice that may explode forever have a `tail`: the chance of all values beyond those listed, `side` says where
    (`beyond`, `below` or `around`). `unknown` is the chance of what could not be decided; a listed chance may be
    greater by up to as much. Both are usually 0, and below a billionth where the dice allow it. The chances listed,
    `tail` and `unknown` add up to 1."""

    def __init__(self, values: Mapping[Any, Fraction], tail: Fraction, unknown: Fraction, side: str) -> None:
        super().__init__(values)
        self.tail, self.unknown, self.side = tail, unknown, side

    def _rows(self) -> dict[str, Chance]:
        """Everything that adds up to 1, for people to read."""
        rest = {f"{self.side} these": self.tail, "unknown": self.unknown}
        named = {str(value): share for value, share in self.items()}
        named |= {name: share for name, share in rest.items() if share}
        return {name: Chance(share, share) for name, share in named.items()}

    def __str__(self) -> str:
        return "\n".join(format_chances(self._rows(), with_long=False))

    def _repr_html_(self) -> str:
        return _render_bars("value", self._rows())


class Odds(Mapping[str, Fraction]):
    """The chance of each outcome of a rule as an exact fraction; also the means and distributions of its steps.

        >>> odds = Game.load("maelstrom").odds("action", pool=5)
        >>> odds["success"]
        Fraction(211, 250)
        >>> odds.mean("net")
        Fraction(2, 1)
        >>> odds.distribution("net")[3]
        Fraction(37, 160)

    A few questions have no exact answer within reach. Then `exact` is False, `bounds` gives what is certain, and
    `odds[outcome]` raises an error rather than returning a guess. If even bounds cost too much, `rolls` says from how
    many rolls `estimate` was made. Steps of a contest are named `first.STEP`."""

    _request: RuleRequest
    _answer: engine.Odds | engine.ContestOdds
    _chances: dict[str, Chance]

    @classmethod
    def _make(cls, request: RuleRequest, answer: engine.Odds | engine.ContestOdds) -> Odds:
        odds = cls()
        odds._request, odds._answer, odds._chances = request, answer, answer.chances
        return odds

    @property
    def rule(self) -> str:
        """The name of the rule."""
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
        exact = self._chance(outcome).exact
        if exact is None:
            way = "estimate" if self.rolls else "bounds"
            raise RulewrightError(f"the chance of {outcome} has no exact value; use {way}({outcome!r})")
        return exact

    def __iter__(self) -> Iterator[str]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def bounds(self, outcome: str) -> tuple[Fraction, Fraction]:
        """The least and the greatest that the chance of an outcome may be; both are equal if it is exact."""
        chance = self._chance(outcome)
        return chance.low, chance.high

    @property
    def rolls(self) -> int:
        """From how many rolls the chances are estimated; 0 if they are exact, or certain bounds."""
        return max((chance.rolls for chance in self._chances.values()), default=0)

    def estimate(self, name: str) -> float | None:
        """The chance of an outcome or the mean of a step as a number: exact, in the middle of its bounds, or estimated
        from some rolls. None if the step has words."""
        if name in self._chances:
            return float(self._chances[name])
        side, step = self._find_step(name)
        mean = mean_or_none(lambda: side.mean(step))
        mean = side.estimated_mean(step) if mean is None else mean
        return None if mean is None else float(mean)

    def _chance(self, outcome: str) -> Chance:
        if not isinstance(outcome, str) or outcome not in self._chances:
            fact = f'{self.rule} has no outcome "{cut(outcome)}"'
            raise UnknownNameError(unknown_name(fact, cut(outcome), self._chances))
        return self._chances[outcome]

    def mean(self, step: str) -> Fraction | None:
        """The mean of a step; of a condition, its chance. None if the step has words, or no mean that is exact."""
        side, name = self._find_step(step)
        return mean_or_none(lambda: side.mean(name))

    def why(self, name: str) -> str:
        """Why an outcome has no exact chance or a step no exact mean; empty if there is one."""
        if name in self._chances:
            return _why_not_exact(self._chances[name])
        return _why_no_mean(*self._find_step(name))

    def distribution(self, step: str) -> Distribution:
        """The chance of each value of a step."""
        side, name = self._find_step(step)
        return Distribution(*self._compute(lambda: side.distribution(name, _MOST_LEFT)))

    def _find_step(self, step: str) -> tuple[engine.Odds, str]:
        steps = _steps(self._answer)
        if not isinstance(step, str) or step not in steps:
            raise RulewrightError(unknown_name(f'{self.rule} has no step "{cut(step)}"', cut(step), steps))
        return steps[step]

    def _compute(self, compute: Callable[[], _T]) -> _T:
        try:
            return compute()
        except (RollError, EvaluationError) as error:
            raise refuse(self._request, [error_problem(error)]) from None
        except (NotExactError, BudgetError) as error:
            raise RulewrightError(str(error) or engine.NO_FRACTION) from None

    def to_dict(self) -> dict[str, Any]:
        """The data that `rulewright odds --json` prints."""
        return odds_data(self._request, self._answer)

    def __repr__(self) -> str:
        chances = ", ".join(f"{name} {_short(chance)}" for name, chance in self._chances.items())
        return f"<Odds of {self.rule}: {chances or 'no outcomes'}>"

    def __str__(self) -> str:
        return "\n".join(format_chances(self._chances)) or "\n".join(self._mean_lines())

    def _mean_lines(self) -> Iterator[str]:
        """What a rule without outcomes has: the mean of each step that is a number."""
        hidden = hidden_steps(self._request.rule)
        for step in self.steps:
            if step not in hidden and (mean := self.mean(step)) is not None:
                yield f"{step}  mean {format_mean(mean)}"

    def _repr_html_(self) -> str:
        return _render_bars("outcome", self._chances)


def name_costs(request: RuleRequest, complaints: Iterable[RollProblem]) -> list[RollProblem]:
    """The complaints; one about what exact odds cost also says which step or reroll makes them so expensive."""
    return [_name_cost(request, complaint) for complaint in complaints]


def _name_cost(request: RuleRequest, complaint: RollProblem) -> RollProblem:
    if complaint.message not in COST_REFUSALS:
        return complaint
    from ..odds.cost_warnings import explain_refusal

    sides = [(side, side.aim or request.aim) for side in request.sides]
    found = [explain_refusal(side.rule, side.inputs, aim, complaint.message) for side, aim in sides]
    if not (fact := next(filter(None, found), "")):
        return complaint
    lead = complaint.message.partition("; ask")[0] if complaint.message != NO_ANSWER else ""
    return complaint._replace(message=": ".join(filter(None, [lead, fact])))


def compute_odds(request: RuleRequest) -> Odds:
    """The odds of a request; its rule must have proved itself."""
    if fact := prove_rule(request.rule):
        raise RulewrightError(fact)
    try:
        answer, complaints = engine.compute_odds(request.rule, request.inputs, request.aim, estimating=True)
    except NotExactError as error:
        raise RulewrightError(str(error) or engine.NO_FRACTION) from None
    if answer is None or complaints:
        raise refuse(request, name_costs(request, complaints))
    return Odds._make(request, answer)


def _short(chance: Chance) -> str:
    if chance.exact is not None:
        return format_percent(chance.exact)
    return format_estimate(chance) if chance.rolls else format_bounds(chance.low, chance.high)


def _render_bars(head: str, chances: Mapping[str, Chance]) -> str:
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
