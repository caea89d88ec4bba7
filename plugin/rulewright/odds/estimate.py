"""Estimates odds from rolls with a fixed seed, where neither an exact answer nor useful bounds fit the budget.

Both engines (web/odds/estimate.js) roll the same dice and stop at the same roll: what a roll costs is counted in work.
An estimate proves nothing, so nobody gets one who does not ask for it: claims and other checks never do. Where a player
would have to choose, there is none: a simple plan would look like the best one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from ..game.core import CoreContest
from ..play.bound_rule import BoundRule
from ..play.result import play_roll
from ..play.roll import RandomFaces, RandomGenerator
from .budget import NO_ANSWER, TOO_MANY_STATES, BudgetError
from .distribution import Chance

MOST_ROLLS = 2_500  # most errors are below two points
_FEWEST_ROLLS = 100
MOST_STEPS = 600_000  # of about a microsecond, beside the budget of an exact answer
_STEPS_OF_ROLL, _STEPS_OF_THROW = 20, 3  # a step of the rule costs as much as a throw
NEEDS_PLAN = "an exact answer would need too many states, and an estimate a plan for what to choose; ask for fewer dice"
TOO_FEW_ROLLS = "an exact answer would need too many states, and an estimate too many dice; ask for fewer"

COST_REFUSALS = (NO_ANSWER, TOO_MANY_STATES, TOO_FEW_ROLLS, NEEDS_PLAN)


class Sample(NamedTuple):
    """What came of some rolls, in order: outcomes, degrees, and the values of each step."""

    rolls: int
    outcomes: list[str | None]
    degrees: list[int | None]
    steps: dict[str, list[Any]]

    def chance(self, outcome: str) -> Chance:
        return estimated_chance(self.outcomes.count(outcome), self.rolls)

    def mean(self, step: str) -> Fraction | None:
        """The mean of a step; None if its values are words, or not known."""
        values = self.steps[step]
        return None if any(isinstance(value, str | None) for value in values) else Fraction(sum(values), self.rolls)

    def mean_degree(self, outcome: str) -> Fraction:
        pairs = zip(self.outcomes, self.degrees, strict=True)
        return Fraction(sum(degree or 0 for name, degree in pairs if name == outcome), self.rolls)


def roll_sample(setting: BoundRule, taking: str, seed: int = 1, left: int = MOST_STEPS) -> Sample:
    """As many rolls of a rule as the budget pays for."""
    sample = Sample(0, [], [], {step.name: [] for step in setting.rule.steps})
    refuse = _refuse_to_choose
    faces = RandomFaces(RandomGenerator(seed), taking, refuse, refuse, refuse, refuse)
    while len(sample.outcomes) < MOST_ROLLS:
        result = play_roll(setting, faces)
        dice = [die for own in result.rounds for die in own.roll.dice]
        throws = sum(len(throws) for die in dice for throws in (die.tries or (die.throws,)))
        left -= _STEPS_OF_ROLL + _STEPS_OF_THROW * (throws + len(sample.steps))
        if left < 0:
            break
        sample.outcomes.append(result.outcome.name if result.outcome else None)
        sample.degrees.append(result.degree)
        for name, values in sample.steps.items():
            values.append(result.steps[name])
    if len(sample.outcomes) < _FEWEST_ROLLS:
        raise BudgetError(TOO_FEW_ROLLS)
    return sample._replace(rolls=len(sample.outcomes))


def _refuse_to_choose(*_question: Any) -> NoReturn:
    raise BudgetError(NEEDS_PLAN)


def estimated_chance(times: int, rolls: int) -> Chance:
    """A chance of which nothing is certain."""
    return Chance(Fraction(0), Fraction(1), Fraction(times, rolls), rolls)


def estimate_contest(contest: CoreContest, sides: Sequence[Sample]) -> dict[str, Chance]:
    """The chances of first, second and none, from the rolls of both sides in pairs."""
    pairs = list(zip(*(sample.steps[contest.compare] for sample in sides), strict=False))
    times = {"first": sum(a > b for a, b in pairs), "second": sum(a < b for a, b in pairs)}
    ties, rolls = len(pairs) - sum(times.values()), len(pairs)
    if contest.ties == "none":
        times["none"] = ties
    elif contest.ties == "again":
        rolls -= ties
    else:
        times[contest.ties] += ties
    if rolls < _FEWEST_ROLLS:
        raise BudgetError(TOO_FEW_ROLLS)
    return {name: estimated_chance(number, rolls) for name, number in times.items()}
