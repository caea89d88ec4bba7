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
from rulewright.play.bound_rule import Ready, Setting, work_out
from rulewright.play.roll import Die, Play, count_tallies

ZERO = Fraction(0)


@dataclass(frozen=True)
class End:
    """The result of a roll."""

    outcome: str
    degree: int | None
    steps: tuple[tuple[str, Any], ...]

    def value(self, step: str) -> Any:
        return dict(self.steps)[step]


Ends = dict[End, Fraction]


@dataclass(frozen=True)
class Enumerated:
    """Every result with its chance; `complete` if nothing was left out, not even in choices."""

    ends: Ends
    complete: bool

    @property
    def missing(self) -> Fraction:
        return 1 - sum(self.ends.values(), ZERO)

    def chance(self, holds: Callable[[End], bool]) -> Fraction:
        return sum((chance for end, chance in self.ends.items() if holds(end)), ZERO)

    def spread(self, value: Callable[[End], Any]) -> dict[Any, Fraction]:
        found: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for end, chance in self.ends.items():
            found[value(end)] += chance
        return dict(found)

    def mean(self, value: Callable[[End], int]) -> Fraction:
        return sum((chance * value(end) for end, chance in self.ends.items()), ZERO)


class Fork(Exception):
    """The roll needs one more face or a choice; lists the options with their weights."""

    def __init__(self, ways: Mapping[Any, int], chosen: bool) -> None:
        super().__init__()
        self.ways, self.chosen = ways, chosen


class Script:
    """Supplies given faces and choices; raises an error when they run out."""

    def __init__(self, told: tuple[Any, ...], takes: bool) -> None:
        self.told, self.takes = iter(told), takes

    def following(self, ways: Callable[[], Mapping[Any, int]], chosen: bool) -> Any:
        for one in self.told:
            return one
        raise Fork(ways(), chosen)

    def face(self, ready: Ready) -> int:
        face: int = self.following(lambda: Counter(ready.faces), False)
        return face

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:  # noqa: ARG002
        def ways() -> Mapping[int | None, int]:
            kinds = {place: order for order, place in enumerate(dict.fromkeys(dice[place].kind for place in places))}
            ordered = sorted(places, key=lambda place: (kinds[dice[place].kind], dice[place].value))
            return dict.fromkeys([*ordered, None], 1)

        place: int | None = self.following(ways, True)
        return place

    def onward(self, ready: Ready) -> bool:  # noqa: ARG002
        return self.takes

    def offered(self, ready: Ready) -> bool:  # noqa: ARG002
        return self.takes

    def begin(self, ready: Ready, fresh: bool) -> None: ...

    def end(self, ready: Ready) -> None: ...

    def round(self, earned: Mapping[int, int]) -> None: ...

    def rethrow(self, ready: Ready, die: Die) -> None: ...


class Enumerator:
    """Follows all sequences of faces that are likely enough."""

    script = Script

    def __init__(self, setting: Setting, takes: bool, worth: Callable[[End], Fraction], unlikely: Fraction) -> None:
        self.setting, self.takes, self.worth, self.unlikely = setting, takes, worth, unlikely
        self.known: dict[tuple[int, ...], End] = {}
        self.complete = True

    def follow(self, told: tuple[Any, ...], chance: Fraction, effort: Fraction) -> Ends:
        """All results from here on; a branch with too little `effort` is not followed."""
        try:
            dice = Play(self.setting, self.script(told, self.takes)).run().dice
        except Fork as fork:
            if effort < self.unlikely:
                self.complete = False
                return {}
            return (self.best if fork.chosen else self.all)(told, chance, effort, fork.ways)
        return {self.finish(dice): chance}

    def all(self, told: tuple[Any, ...], chance: Fraction, effort: Fraction, ways: Mapping[Any, int]) -> Ends:
        found: defaultdict[End, Fraction] = defaultdict(Fraction)
        for face, times in ways.items():
            share = Fraction(times, sum(ways.values()))
            for end, part in self.follow((*told, face), chance * share, effort * share).items():
                found[end] += part
        return found

    def best(self, told: tuple[Any, ...], chance: Fraction, effort: Fraction, ways: Mapping[Any, int]) -> Ends:
        """The choice with the best expected result; among equals the first, and stopping comes last."""
        return max((self.follow((*told, way), chance, effort / len(ways)) for way in ways), key=self.promise)

    def promise(self, ends: Ends) -> Fraction:
        return sum((self.worth(end) * chance for end, chance in ends.items()), ZERO)

    def finish(self, dice: tuple[Die, ...]) -> End:
        tallies = tuple(count_tallies(self.setting, dice))
        if tallies not in self.known:
            worked = work_out(self.setting, tallies)
            self.known[tallies] = End(
                worked.outcome.name if worked.outcome else "", worked.degree, tuple(worked.steps.items())
            )
        return self.known[tallies]


def enumerate_rule(
    rule: Rule, values: Mapping[str, Any], takes: bool = True, by_chance: bool = False, unlikely: Fraction = ZERO
) -> Enumerated:
    """All results of a rule; `takes` says whether optional dice are rolled, `by_chance` what choices maximize."""
    worth = chance_worth(rule) if by_chance and rule.outcomes and rule.outcomes[0].when else mean_worth(rule)
    enumerator = Enumerator(Setting(rule, values), takes, worth, unlikely)
    ends = enumerator.follow((), Fraction(1), Fraction(1))
    return Enumerated(ends, enumerator.complete)


def chance_worth(rule: Rule) -> Callable[[End], Fraction]:
    return lambda end: Fraction(end.outcome == rule.outcomes[0].name)


def mean_worth(rule: Rule) -> Callable[[End], Fraction]:
    def worth(end: End) -> Fraction:
        value = end.value(rule.steps[-1].name) if rule.steps else 0
        return ZERO if isinstance(value, str) else Fraction(value)

    return worth
