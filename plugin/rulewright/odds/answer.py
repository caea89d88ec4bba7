"""The odds of a rule: chances of outcomes, means and distributions of steps, with a cache for repeated questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from ..game.codegen import Stuck
from ..game.formula import Node
from ..game.inputs import bind
from ..game.model import SIDES, Formula, Rule
from ..play.bound_rule import Refused, Setting
from ..play.result import Complaint, refusal
from ..source import suggest
from .distribution import AROUND, BELOW, BEYOND, Chance, Spread
from .generating_function import NotExact
from .plan import Question, TooMuch
from .policies import CHOOSING, POLICIES, TAKING, chosen_policies
from .solve import Found, Solver
from .tail import Memory


class Odds:
    """The odds of one bound rule; each number is computed on first use."""

    def __init__(self, setting: Setting, policies: Mapping[str, str], memory: Memory | None = None) -> None:
        self.setting, self.rule = setting, setting.rule
        self.policies = policies
        eager = policies.get("taking", TAKING[0]) == TAKING[0]
        self.solver = Solver(setting, eager, policies.get("choosing", CHOOSING[0]), memory)

    @property
    def policy(self) -> str:
        """The policies in use, as text; empty if no choice arises."""
        return ", ".join(self.policies.values())

    @cached_property
    def whens(self) -> tuple[Formula, ...]:
        return tuple(outcome.when for outcome in self.rule.outcomes if outcome.when)

    @cached_property
    def chances(self) -> dict[str, Chance]:
        found = self.solver.count(Question(self.whens))
        chances = [found.weights.get((number,), Fraction(0)) for number in range(len(self.rule.outcomes))]
        for far in found.beyond:
            chances[far.outcome] += far.chance
        names = [outcome.name for outcome in self.rule.outcomes]
        open_ = found.unknown
        return {name: Chance(low, low + open_ if open_ else low) for name, low in zip(names, chances, strict=True)}

    def chance(self, event: Formula, given: Formula | None = None) -> Chance:
        """The probability of an event, or its conditional probability."""
        whens = (event,) if given is None else (both(event, given), given)
        found = self.solver.count(Question(whens))
        parts = [found.weights.get((number,), Fraction(0)) for number in range(2)]
        for far in found.beyond:
            if far.outcome < 2:
                parts[far.outcome] += far.chance
        if given is None:
            return Chance(parts[0], parts[0] + found.unknown)
        if not sum(parts) and not found.unknown:
            raise Refused(f"«{given.text}» never holds here, so nothing can be said about it")
        low = parts[0] / (parts[0] + parts[1] + found.unknown) if parts[0] else Fraction(0)
        high = (parts[0] + found.unknown) / (parts[0] + parts[1] + found.unknown)
        return Chance(low, high)

    def mean(self, step: str) -> Fraction | None:
        """The mean of a step; None if its values are words or it has no exact mean."""
        found = self.gathered((), self.setting.program.formulas[step])
        return total(found, None) if found else None

    def mean_degree(self, outcome: str) -> Fraction | None:
        """The mean degree of an outcome; every other outcome counts as 0."""
        names = [one.name for one in self.rule.outcomes]
        degree = self.rule.outcomes[names.index(outcome)].degree
        found = self.gathered(self.whens, degree) if degree else None
        return total(found, names.index(outcome)) if found else None

    def gathered(self, whens: tuple[Formula, ...], formula: Formula) -> Found | None:
        try:
            found = self.solver.gather(Question(whens, (formula,)))
        except NotExact:
            return None
        return None if found.unknown else found

    def spread(self, step: str) -> Spread:
        """The distribution of a step."""
        found = self.solver.gather(Question((), (self.setting.program.formulas[step],)))
        values: dict[Any, Fraction] = {}
        for (_, raw), weight in sorted(found.weights.items()):
            value = raw if isinstance(raw, str) else int(raw)  # a condition is 1 or 0
            values[value] = values.get(value, Fraction(0)) + weight
        beyond = Fraction(0)
        for far in found.beyond:
            if far.fixed is not None:
                values[far.fixed] = values.get(far.fixed, Fraction(0)) + far.chance
            else:
                beyond += far.chance
        open_ends = [far.bounds[0] for far in found.beyond if far.fixed is None]
        whole, torn = apart(values, open_ends)
        return Spread(dict(sorted(whole.items())), beyond + torn, found.unknown, side_of(open_ends, list(whole)))


def side_of(open_ends: Sequence[tuple[float, float]], values: Sequence[Any]) -> str:
    """On which side of the listed values the tail is."""
    if not open_ends or not values:
        return BEYOND
    below, above = min(low for low, _ in open_ends) < min(values), max(high for _, high in open_ends) > max(values)
    return AROUND if below and above else BELOW if below else BEYOND


def apart(
    values: Mapping[Any, Fraction], open_ends: Sequence[tuple[float, float]]
) -> tuple[dict[Any, Fraction], Fraction]:
    """Splits off values that the tail can contain too: the other values, and the probability of those split off."""
    whole = {
        value: share for value, share in values.items() if not any(low <= value <= high for low, high in open_ends)
    }
    return whole, sum(values.values(), Fraction(0)) - sum(whole.values(), Fraction(0))


def total(found: Found, outcome: int | None) -> Fraction | None:
    if any(isinstance(value, str) for _, value in found.weights):
        return None
    mean = sum(
        (weight * int(value) for (number, value), weight in found.weights.items() if outcome in (None, number)),
        Fraction(0),
    )
    return mean + sum((far.sums[0] for far in found.beyond if outcome in (None, far.outcome)), Fraction(0))


def both(event: Formula, given: Formula) -> Formula:
    return Formula(f"({event.text}) and ({given.text})", Node("and", (event.node, given.node)), event.span)


class ContestOdds:
    """The odds of a contest: first, second and none."""

    def __init__(self, rule: Rule, sides: Sequence[Odds]) -> None:
        assert rule.contest
        self.rule, self.sides, self.contest = rule, sides, rule.contest

    @property
    def policy(self) -> str:
        return ", ".join(dict.fromkeys(side.policy for side in self.sides if side.policy))

    @cached_property
    def chances(self) -> dict[str, Chance]:
        from .contest import compare, verdict  # most games have no contests

        found = compare(self.contest, [side.solver for side in self.sides])
        chances = {name: Chance(low, high) for name, (low, high) in verdict(self.contest, found).items()}
        return chances if self.contest.ties == "none" else {name: chances[name] for name in ("first", "second")}


def odds(
    rule: Rule, inputs: Mapping[str, Any], policy: str = "", now: bool = True, memory: Memory | None = None
) -> tuple[Odds | ContestOdds | None, list[Complaint]]:
    """The odds of a rule with these inputs, or the reasons why there are none.

    With `now` the chances of the outcomes are computed at once, so that their errors are reported here. Without it,
    callers can ask questions that need fewer inputs. Calls for one rule may share a cache."""
    if policy and policy not in POLICIES:
        return None, [Complaint("policy", f"there is no policy «{policy}»; {suggest(policy, POLICIES)}")]
    try:
        found, complaints = (contest_odds if rule.contest else rule_odds)(rule, inputs, policy, memory)
        if found and now:
            found.chances  # noqa: B018
        return found, complaints
    except (Refused, Stuck) as error:
        return None, [refusal(error)]
    except TooMuch as error:
        return None, [Complaint("rule", str(error))]


def rule_odds(
    rule: Rule, inputs: Mapping[str, Any], policy: str, memory: Memory | None
) -> tuple[Odds | None, list[Complaint]]:
    values, complaints = bind(rule, inputs)
    if complaints:
        return None, [Complaint(name, message) for name, message in complaints]
    setting = Setting(rule, values)
    return Odds(setting, chosen_policies(setting, policy), memory), []


def contest_odds(
    rule: Rule, inputs: Mapping[str, Any], policy: str, memory: Memory | None
) -> tuple[ContestOdds | None, list[Complaint]]:
    assert rule.contest
    from .contest import split_inputs

    parts, wrong = split_inputs(inputs)
    complaints = [Complaint(name, message) for name, message in wrong]
    sides = []
    for name, own, values in zip(SIDES, rule.contest.of, parts, strict=True):
        side, more = rule_odds(own, values, policy, memory)
        complaints += [complaint._replace(part=f"{name}.{complaint.part}") for complaint in more]
        sides += [side] if side else []
    return (None if complaints else ContestOdds(rule, sides)), complaints


Texts = tuple[tuple[str, str], ...]


def chances(rule: Rule, inputs: Mapping[str, str], policy: str = "") -> Mapping[str, Chance]:
    """The chance of each outcome; empty if the inputs allow no answer or the budget is exceeded."""
    return remembered(rule, tuple(inputs.items()), policy)


@lru_cache(maxsize=64)
def memory_of(_rule: Rule) -> Memory:
    """The cache that all questions about a rule share."""
    return Memory()


@lru_cache(maxsize=1024)
def remembered(rule: Rule, inputs: Texts, policy: str) -> Mapping[str, Chance]:
    try:
        found, complaints = odds(rule, dict(inputs), policy, memory=memory_of(rule))
    except NotExact:
        return {}
    return {} if found is None or complaints else found.chances
