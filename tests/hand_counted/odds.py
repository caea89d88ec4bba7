"""What a twin hands back: every result it reached, with its chance."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple


class Result(NamedTuple):
    """One result of a throw; `steps` are pairs, so that results can be keys."""

    outcome: str
    degree: int
    steps: tuple[tuple[str, int], ...] = ()

    def value(self, step: str) -> int:
        return dict(self.steps)[step]


@dataclass(frozen=True)
class Odds:
    """Chances of all results reached; what was cut off is `missing`.

    Every true chance lies between `chances[outcome]` and `chances[outcome] + missing`.
    """

    results: dict[Result, Fraction]

    @cached_property
    def missing(self) -> Fraction:
        return 1 - sum(self.results.values(), Fraction(0))

    @property
    def chances(self) -> dict[str, Fraction]:
        table: defaultdict[str, Fraction] = defaultdict(Fraction)
        for result, chance in self.results.items():
            table[result.outcome] += chance
        return dict(table)

    def chance(self, holds: Callable[[Result], bool]) -> Fraction:
        return sum((chance for result, chance in self.results.items() if holds(result)), Fraction(0))

    def mean(self, step: str) -> Fraction:
        """Over all results that were reached: the true mean only where nothing is missing."""
        return sum((chance * result.value(step) for result, chance in self.results.items()), Fraction(0))

    def mean_degree(self, outcome: str) -> Fraction:
        """Mean degree of one outcome, all others counting as 0."""
        reached = ((result.degree, chance) for result, chance in self.results.items() if result.outcome == outcome)
        return sum((chance * degree for degree, chance in reached), Fraction(0))

    def spread(self, step: str) -> dict[int, Fraction]:
        table: defaultdict[int, Fraction] = defaultdict(Fraction)
        for result, chance in self.results.items():
            table[result.value(step)] += chance
        return dict(table)


def gather(pairs: Iterable[tuple[Result, Fraction]]) -> Odds:
    table: defaultdict[Result, Fraction] = defaultdict(Fraction)
    for result, chance in pairs:
        table[result] += chance
    return Odds(dict(table))


def compare(first: Odds, second: Odds, step: str, tied: str) -> Odds:
    """Two sides, the higher value of `step` wins; `tied` says who wins a tie."""
    return gather(
        (Result("first" if a > b else "second" if a < b else tied, 0), p * q)
        for a, p in first.spread(step).items()
        for b, q in second.spread(step).items()
    )


def decided(once: Odds) -> Odds:
    """The odds when ties are thrown again, given that it ends.

    Of the missing mass nothing is known: it may belong to either side or be a tie.
    Counting all of it as decided gives the lower bound of both sides.
    """
    won = {result: chance for result, chance in once.results.items() if result.outcome != "tie"}
    share = sum(won.values(), Fraction(0)) + once.missing
    return Odds({result: chance / share for result, chance in won.items()})
