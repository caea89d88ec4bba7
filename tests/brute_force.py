"""Brute force over all rolls: a slow and obvious check for the odds of any rule.

It plays the engine's own `Play` once for each sequence of faces. Sequences that are too unlikely are not followed;
their probability is `missing`. A player's choice takes the best way, looking ahead at everything that may follow."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulewright.game.model import Rule
from rulewright.play.bound_rule import BoundKind, BoundRule, evaluate_roll
from rulewright.play.roll import DiceRoller, Die, count_tallies

ZERO = Fraction(0)


@dataclass(frozen=True)
class RollResult:
    """The result of a roll."""

    outcome: str
    degree: int | None
    steps: tuple[tuple[str, Any], ...]

    def value(self, step: str) -> Any:
        return dict(self.steps)[step]


ChancesByResult = dict[RollResult, Fraction]


@dataclass(frozen=True)
class Enumerated:
    """Every result with its chance; `complete` if nothing was left out, not even in choices."""

    results: ChancesByResult
    complete: bool

    @property
    def missing(self) -> Fraction:
        return 1 - sum(self.results.values(), ZERO)

    def chance(self, holds: Callable[[RollResult], bool]) -> Fraction:
        return sum((chance for end, chance in self.results.items() if holds(end)), ZERO)

    def distribution(self, value: Callable[[RollResult], Any]) -> dict[Any, Fraction]:
        chances: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for end, chance in self.results.items():
            chances[value(end)] += chance
        return dict(chances)

    def mean(self, value: Callable[[RollResult], int]) -> Fraction:
        return sum((chance * value(end) for end, chance in self.results.items()), ZERO)


class RollNeedsMoreError(Exception):
    """The roll needs one more face or a choice; lists the options with their weights."""

    def __init__(self, ways: Mapping[Any, int], chosen: bool) -> None:
        super().__init__()
        self.options, self.is_choice = ways, chosen


class Script:
    """Supplies given faces and choices; raises an error when they run out."""

    def __init__(self, answers: tuple[Any, ...], takes: bool) -> None:
        self.answers, self.takes = iter(answers), takes

    def next_answer(self, ways: Callable[[], Mapping[Any, int]], chosen: bool) -> Any:
        for answer in self.answers:
            return answer
        raise RollNeedsMoreError(ways(), chosen)

    def face(self, ready: BoundKind) -> int:
        face: int = self.next_answer(lambda: Counter(ready.faces), False)
        return face

    def choose(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:  # noqa: ARG002
        def ways() -> Mapping[int | None, int]:
            kinds = {place: order for order, place in enumerate(dict.fromkeys(dice[place].kind for place in places))}
            ordered = sorted(places, key=lambda place: (kinds[dice[place].kind], dice[place].value))
            return dict.fromkeys([*ordered, None], 1)

        place: int | None = self.next_answer(ways, True)
        return place

    def onward(self, ready: BoundKind) -> bool:  # noqa: ARG002
        return self.takes

    def offered(self, ready: BoundKind) -> bool:  # noqa: ARG002
        return self.takes

    def begin(self, ready: BoundKind, fresh: bool) -> None: ...

    def end(self, ready: BoundKind) -> None: ...

    def round(self, earned: Mapping[int, int]) -> None: ...

    def rethrow(self, ready: BoundKind, die: Die) -> None: ...


class Enumerator:
    """Follows all sequences of faces that are likely enough."""

    script = Script

    def __init__(
        self, setting: BoundRule, takes: bool, worth: Callable[[RollResult], Fraction], unlikely: Fraction
    ) -> None:
        self.setting, self.takes, self.worth, self.unlikely = setting, takes, worth, unlikely
        self.known_results: dict[tuple[int, ...], RollResult] = {}
        self.complete = True

    def follow(self, answers: tuple[Any, ...], chance: Fraction, effort: Fraction) -> ChancesByResult:
        """All results from here on; a branch with too little `effort` is not followed."""
        try:
            dice = DiceRoller(self.setting, self.script(answers, self.takes)).roll_all().dice
        except RollNeedsMoreError as fork:
            if effort < self.unlikely:
                self.complete = False
                return {}
            return (self.best_choice if fork.is_choice else self.all_results)(answers, chance, effort, fork.options)
        return {self.finish_roll(dice): chance}

    def all_results(
        self, answers: tuple[Any, ...], chance: Fraction, effort: Fraction, options: Mapping[Any, int]
    ) -> ChancesByResult:
        chances: defaultdict[RollResult, Fraction] = defaultdict(Fraction)
        for face, times in options.items():
            share = Fraction(times, sum(options.values()))
            for end, part in self.follow((*answers, face), chance * share, effort * share).items():
                chances[end] += part
        return chances

    def best_choice(
        self, answers: tuple[Any, ...], chance: Fraction, effort: Fraction, options: Mapping[Any, int]
    ) -> ChancesByResult:
        """The choice with the best expected result; among equals the first, and stopping comes last."""
        return max(
            (self.follow((*answers, option), chance, effort / len(options)) for option in options),
            key=self.expected_worth,
        )

    def expected_worth(self, ends: ChancesByResult) -> Fraction:
        return sum((self.worth(end) * chance for end, chance in ends.items()), ZERO)

    def finish_roll(self, dice: tuple[Die, ...]) -> RollResult:
        tallies = tuple(count_tallies(self.setting, dice))
        if tallies not in self.known_results:
            worked = evaluate_roll(self.setting, tallies)
            self.known_results[tallies] = RollResult(
                worked.outcome.name if worked.outcome else "", worked.degree, tuple(worked.steps.items())
            )
        return self.known_results[tallies]


def enumerate_rule(
    rule: Rule, values: Mapping[str, Any], takes: bool = True, by_chance: bool = False, unlikely: Fraction = ZERO
) -> Enumerated:
    """All results of a rule; `takes` says whether optional dice are rolled, `by_chance` what choices maximize."""
    worth = chance_value(rule) if by_chance and rule.outcomes and rule.outcomes[0].when else mean_value(rule)
    enumerator = Enumerator(BoundRule(rule, values), takes, worth, unlikely)
    ends = enumerator.follow((), Fraction(1), Fraction(1))
    return Enumerated(ends, enumerator.complete)


def chance_value(rule: Rule) -> Callable[[RollResult], Fraction]:
    return lambda end: Fraction(end.outcome == rule.outcomes[0].name)


def mean_value(rule: Rule) -> Callable[[RollResult], Fraction]:
    def worth(end: RollResult) -> Fraction:
        value = end.value(rule.steps[-1].name) if rule.steps else 0
        return ZERO if isinstance(value, str) else Fraction(value)

    return worth
