"""The odds of a rule: chances of outcomes, means and distributions of steps, with a cache for repeated questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ..game.aims import degree_formula
from ..game.codegen import EvaluationError
from ..game.core import AIM, ROUND, CoreRule, Expression
from ..game.formula import Node
from ..game.inputs import bind_inputs
from ..game.lower import lower_rule
from ..game.model import CONTEST_SIDES, Rule
from ..play.bound_rule import BoundRule, RollError
from ..play.result import RollProblem, error_problem
from .aims import Aims, aims_in_use, is_aim
from .budget import BudgetError, NotExactError
from .cache import OddsCache
from .distribution import TAIL_ABOVE, TAIL_BELOW, TAIL_ON_BOTH_SIDES, Chance, Distribution, Solution
from .estimate import MOST_STEPS, Sample, estimate_contest, roll_sample
from .plan import ROUND_FORMULA, Question
from .solve import Solver
from .state_search import MOST_MISSING
from .unasked import without_unasked
from .walk_solver import make_round_solver

if TYPE_CHECKING:
    from .any_solver import AnySolver

_ZERO = Fraction(0)
_LITTLE = Fraction(1, 10**9)
ESTIMATED = "an exact answer would cost too much; this is an estimate, which proves nothing"
NO_FRACTION = "dice without end decide this in a way for which no exact fraction is known"


def make_solver(setting: BoundRule, aims: Aims, cache: OddsCache | None) -> AnySolver:
    if not setting.rule.has_rounds:
        return make_round_solver(setting, aims, cache)
    from .rounds import RoundsSolver  # most games are rolled once

    return RoundsSolver(setting, aims, cache)


class Odds:
    """The odds of one bound rule; each number is computed on first use."""

    def __init__(self, setting: BoundRule, aim: str = "", cache: OddsCache | None = None) -> None:
        self.setting = setting = without_unasked(setting)
        self.rule = setting.rule
        self.aims, self.aim = aims_in_use(setting, aim)  # the text is empty if no choice arises
        self.solver = make_solver(setting, self.aims, cache)

    @property
    def steps(self) -> tuple[str, ...]:
        """What has a mean and a distribution: the steps, and the number of rounds."""
        return (*self.setting.program.formulas, *((ROUND,) if self.rule.has_rounds else ()))

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        return tuple(outcome.when for outcome in self.rule.outcomes if outcome.when)

    @cached_property
    def chances(self) -> dict[str, Chance]:
        return self.to_chances(self.solver.count(Question(self.conditions)))

    @cached_property
    def sample(self) -> Sample:
        """Rolls for estimates, where exact odds cost too much."""
        return self.roll_sample(1, MOST_STEPS)

    def roll_sample(self, seed: int, budget: int) -> Sample:
        return roll_sample(self.setting, self.aims.taking.what, seed, budget)

    def estimate_chances(self) -> dict[str, Chance]:
        return {outcome.name: self.sample.chance(outcome.name) for outcome in self.rule.outcomes}

    def to_chances(self, solution: Solution) -> dict[str, Chance]:
        """The chances of the outcomes by name."""
        open_, chances = solution.unknown or None, {}
        for number, outcome in enumerate(self.rule.outcomes):
            low = solution.weights.get((number,), _ZERO)
            chances[outcome.name] = Chance(low, low + open_ if open_ else low)
        return chances

    def chance(self, event: Expression, given: Expression | None = None) -> Chance:
        """The probability of an event, or its conditional probability."""
        conditions = (event,) if given is None else (join_conditions(event, given), given)
        solution = self.solver.count(Question(conditions))
        parts = [solution.weights.get((number,), Fraction(0)) for number in range(2)]
        if given is None:
            return Chance(parts[0], parts[0] + solution.unknown)
        if not sum(parts) and not solution.unknown:
            raise RollError(f'"{given.text}" never holds here, so nothing can be said about it')
        low = parts[0] / (parts[0] + parts[1] + solution.unknown) if parts[0] else Fraction(0)
        high = (parts[0] + solution.unknown) / (parts[0] + parts[1] + solution.unknown)
        return Chance(low, high)

    def mean(self, step: str) -> Fraction | None:
        """The mean of a step; None if its values are words or it has no exact mean."""
        return self.solver.mean(Question((), (self.formula(step),)))

    def formula(self, step: str) -> Expression:
        """The formula of a step, or the number of the round."""
        return self.setting.program.formulas.get(step, ROUND_FORMULA)

    def mean_degree(self, outcome: str) -> Fraction | None:
        """The mean degree of an outcome; every other outcome counts as 0."""
        number = [other.name for other in self.rule.outcomes].index(outcome)
        if not self.rule.outcomes[number].degree:
            return None
        formula = self.rule.cached(("degree", number), lambda: degree_formula(self.rule.outcomes[: number + 1]))
        return self.solver.mean(Question((), (formula,)))

    def estimated_mean(self, step: str) -> Fraction | None:
        """The mean of a step from some rolls, if its exact mean costs too much; None for words."""
        try:
            if self.mean(step) is not None or "sample" not in self.__dict__:
                return None
        except (BudgetError, NotExactError):
            pass
        except (RollError, EvaluationError):
            return None
        try:
            return self.sample.mean(step) if step in self.sample.steps else None
        except (RollError, EvaluationError, BudgetError):
            return None

    def why_no_mean(self, find: Callable[[], Fraction | None], step: str = "") -> str:
        """Why a mean is missing, empty if it is not; with the name of a step, also what it is about."""
        try:
            if find() is not None:
                return ""
            listed = self.distribution(step) if step else None
        except (RollError, EvaluationError) as error:
            return error_problem(error).message
        except (BudgetError, NotExactError) as error:
            return str(error) or NO_FRACTION
        if listed and any(isinstance(value, str) for value in listed.values):
            return "its values are words"
        if not listed or listed.tail + listed.unknown > _LITTLE:
            return NO_FRACTION
        about = float(sum(value * chance for value, chance in listed.values.items()) / sum(listed.values.values()))
        return f"{NO_FRACTION}; it is about {about:.6g}"

    def distribution(self, step: str, most_left: Fraction = Fraction(1)) -> Distribution:
        """The distribution of a step; of infinite dice, as many values as leave `most_left` or less for the rest."""
        question = Question((), (self.formula(step),))
        solution = self.solver.list_most(question, most_left / 1000 if most_left < 1 else most_left)
        values: dict[Any, Fraction] = {}
        for (_, raw), weight in sorted(solution.weights.items()):
            value = raw if isinstance(raw, str) else int(raw)  # a condition is 1 or 0
            values[value] = values.get(value, Fraction(0)) + weight
        tail = solution.tail
        whole, torn = _split_off_tail(values, solution.open_ends)
        if tail + torn > most_left >= tail:  # the tail can have nearly every value
            return Distribution(dict(sorted(values.items())), Fraction(0), solution.unknown + tail)
        side = find_tail_side(solution.open_ends, list(whole))
        return Distribution(dict(sorted(whole.items())), tail + torn, solution.unknown, side)


def find_tail_side(open_ends: Sequence[tuple[float, float]], values: Sequence[Any]) -> str:
    """On which side of the listed values the tail is."""
    if not open_ends or not values:
        return TAIL_ABOVE
    below, above = min(low for low, _ in open_ends) < min(values), max(high for _, high in open_ends) > max(values)
    return TAIL_ON_BOTH_SIDES if below and above else TAIL_BELOW if below else TAIL_ABOVE


def _split_off_tail(
    values: Mapping[Any, Fraction], open_ends: Sequence[tuple[float, float]]
) -> tuple[dict[Any, Fraction], Fraction]:
    """Splits off values that the tail can contain too: the other values, and the probability of those split off."""
    whole = {
        value: share for value, share in values.items() if not any(low <= value <= high for low, high in open_ends)
    }
    return whole, sum(values.values(), Fraction(0)) - sum(whole.values(), Fraction(0))


def join_conditions(event: Expression, given: Expression) -> Expression:
    return Expression(f"({event.text}) and ({given.text})", Node("and", (event.node, given.node)))


class ContestOdds:
    """The odds of a contest: first, second and none."""

    def __init__(self, rule: CoreRule, sides: Sequence[Odds]) -> None:
        assert rule.contest
        self.rule, self.sides, self.contest = rule, sides, rule.contest

    @property
    def aim(self) -> str:
        return ", ".join(dict.fromkeys(side.aim for side in self.sides if side.aim))

    @cached_property
    def chances(self) -> dict[str, Chance]:
        from .contest import compare_sides, decide_winner  # most games have no contests

        comparison = compare_sides(self.contest, cast("list[Solver]", [side.solver for side in self.sides]))
        chances = {name: Chance(low, high) for name, (low, high) in decide_winner(self.contest, comparison).items()}
        return chances if self.contest.ties == "none" else {name: chances[name] for name in ("first", "second")}

    def estimate_chances(self) -> dict[str, Chance]:
        samples = [side.roll_sample(number, MOST_STEPS // 3) for number, side in enumerate(self.sides, 1)]
        return estimate_contest(self.contest, samples)


def compute_odds(
    declared_rule: Rule | CoreRule,
    inputs: Mapping[str, Any],
    aim: str = "",
    compute_now: bool = True,
    cache: OddsCache | None = None,
    estimating: bool = False,
) -> tuple[Odds | ContestOdds | None, list[RollProblem]]:
    """The odds of a rule with these inputs, or the reasons why there are none.

    With `compute_now` the chances of the outcomes are computed at once, so that their errors are reported here. Without
    it, callers can ask questions that need fewer inputs. Calls for one rule may share a cache. With `estimating`,
    chances that cost too much are estimated, which proves nothing."""
    rule = lower_rule(declared_rule)
    if aim and not is_aim(rule, aim):
        return None, [RollProblem("aim", _wrong_aim(aim))]
    try:
        result, complaints = (_compute_contest_odds if rule.contest else _compute_rule_odds)(rule, inputs, aim, cache)
        if result and compute_now:
            _compute_chances(result, estimating)
        return result, complaints
    except (RollError, EvaluationError) as error:
        return None, [error_problem(error)]
    except BudgetError as error:
        return None, [RollProblem("rule", str(error))]


def _compute_chances(odds: Odds | ContestOdds, estimating: bool) -> None:
    try:
        if not estimating or all(chance.high - chance.low <= MOST_MISSING for chance in odds.chances.values()):
            odds.chances  # noqa: B018
            return
    except (BudgetError, NotExactError):
        if not estimating:
            raise
    odds.chances = odds.estimate_chances()


def _compute_rule_odds(
    rule: CoreRule, inputs: Mapping[str, Any], aim: str, cache: OddsCache | None
) -> tuple[Odds | None, list[RollProblem]]:
    values, complaints = bind_inputs(rule, inputs)
    if complaints:
        return None, [RollProblem(name, message) for name, message in complaints]
    setting = BoundRule(rule, values)
    return Odds(setting, aim, cache), []


def _wrong_aim(aim: str) -> str:
    return f"`{aim}` is not an aim of this rule"


def _compute_contest_odds(
    rule: CoreRule, inputs: Mapping[str, Any], aim: str, cache: OddsCache | None
) -> tuple[ContestOdds | None, list[RollProblem]]:
    assert rule.contest
    from .contest import find_side_aim, split_inputs_by_side

    shared = cache or OddsCache()  # both sides spend from one budget
    parts, wrong = split_inputs_by_side(inputs)
    complaints = [RollProblem(name, message) for name, message in wrong]
    sides: list[Odds] = []
    aims = [find_side_aim(own, values, aim) for own, values in zip(rule.sides, parts, strict=True)]
    for name, own, values, own_aim in zip(CONTEST_SIDES, rule.sides, parts, aims, strict=True):
        if sides and own is rule.sides[0] and (values, own_aim) == (parts[0], aims[0]):
            sides.append(sides[0])
            continue
        if own_aim != aim and not is_aim(own, own_aim):
            complaints.append(RollProblem(f"{name}.{AIM}", _wrong_aim(own_aim)))
        side, more = _compute_rule_odds(own, values, own_aim, shared)
        complaints += [complaint._replace(part=f"{name}.{complaint.part}") for complaint in more]
        sides += [side] if side else []
    return (None if complaints else ContestOdds(rule, sides)), complaints


def compute_chances(rule: Rule, inputs: Mapping[str, str], aim: str = "") -> Mapping[str, Chance]:
    """The chance of each outcome, estimated if need be; empty if the inputs allow no answer."""
    return rule.cached(("chances", tuple(inputs.items()), aim), lambda: _compute_uncached_chances(rule, inputs, aim))


def _compute_uncached_chances(rule: Rule, inputs: Mapping[str, str], aim: str) -> Mapping[str, Chance]:
    try:
        cache = rule.cached(("odds",), OddsCache)
        result, complaints = compute_odds(rule, inputs, aim, cache=cache, estimating=True)
    except NotExactError:
        return {}
    return {} if result is None or complaints else result.chances
