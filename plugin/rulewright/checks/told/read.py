"""What a prose example says, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...book.prose import Passage
from . import dice, outcomes, results
from .mood import Bit, Reading, Sentence

Bits = tuple[Bit, ...]


@dataclass(frozen=True)
class Told:
    """Everything in the order in which it is told; `sure` tells facts from what is only supposed."""

    passage: Passage
    sentences: tuple[Sentence, ...]
    faces: Bits
    codes: Bits
    pools: Bits
    difficulties: Bits
    thresholds: Bits
    counts: Bits
    totals: Bits
    margins: Bits
    bounds: Bits
    dots: Bits
    outcomes: Bits
    of_rolls: bool  # the passage speaks of dice, rolls, tests

    @property
    def difficulty(self) -> Bit | None:
        return first(self.difficulties)

    @property
    def threshold(self) -> Bit | None:
        return first(self.thresholds)

    @property
    def total(self) -> Bit | None:
        return first(reversed(self.totals))

    @property
    def outcome(self) -> Bit | None:
        return first(bit for bit in reversed(self.outcomes) if not bit.negated)

    @property
    def checkable(self) -> bool:
        """Whether dice or a result are told as a fact."""
        counts = (bit for bit in self.counts if not bit.what.endswith("change"))
        numbers = (*self.faces, *self.codes, *self.pools, *counts, *self.totals, *self.margins)
        return any(bit.sure for bit in numbers) or (self.of_rolls and any(bit.sure for bit in self.outcomes))


def first(bits: Iterable[Bit]) -> Bit | None:
    return next((bit for bit in bits if bit.sure), None)


def read_told(passage: Passage) -> Told:
    reading = Reading(passage)
    return Told(
        passage=passage,
        sentences=tuple(reading.sentences),
        faces=in_order(dice.faces(reading)),
        codes=in_order(dice.codes(reading)),
        pools=in_order(dice.pools(reading)),
        difficulties=in_order(results.asked(reading)),
        thresholds=in_order(results.thresholds(reading)),
        counts=in_order(results.counts(reading)),
        totals=in_order(results.totals(reading)),
        margins=in_order(results.margins(reading)),
        bounds=in_order(results.bounds(reading)),
        dots=in_order(results.dots(reading)),
        outcomes=in_order(outcomes.outcomes(reading)),
        of_rolls=outcomes.speaks_of_rolls(reading),
    )


def in_order(bits: Iterable[Bit]) -> Bits:
    return tuple(sorted(bits, key=lambda bit: (bit.start, bit.end)))
