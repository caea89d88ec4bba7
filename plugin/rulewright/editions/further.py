"""What throws that go on after the first faces add to where two editions part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .apart import Apart, ended, most_dice, ranges
from .conditions import Condition
from .examples import End, alike
from .grid import Axis, told
from .matching import RulePair
from .onward import MOST_FURTHER, onward
from .quantities import holds
from .script import Both
from .things import Text
from .throws import Table, counted

MOST_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Further:
    """Throws that go on after the first faces; `unlike` are sets of dice of which more is told than what holds without.

    None were tried where `dice` is 0."""

    tried: int = 0
    most: int = MOST_FURTHER  # faces, after the first of all dice
    dice: int = 0
    complete: bool = False
    ranges: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)
    apart: int = 0  # of these so many end differently
    unlike: int = 0  # so many do although the others do not, or the other way round
    smallest: tuple[Apart, ...] = ()
    longer: bool = False  # those that need more faces were left out
    taken: bool = False  # dice that may be declined were taken


def further(
    pair: RulePair, settings: Sequence[Table], every: Sequence[Axis], found: Condition | None = None
) -> Further | None:
    """What throws that go on add to what was found without them."""
    seen = onward(pair.old, pair.new, settings)
    if seen is None:
        return None
    apart = [(table, one, not alike(*both_ends(pair, one), pair)) for table, one in seen.throws]
    unlike = [one for one in apart if one[2] != foretold(*one[:2], found)]
    differ = sorted((one for one in unlike if one[2]), key=lambda one: (one[0].dice, one[1].further, one[0].rank))
    return Further(
        seen.tried, MOST_FURTHER, most_dice(seen.chosen), seen.complete, ranges(seen.chosen, every),
        sum(one.ways for _, one, yes in apart if yes), sum(one.ways for _, one, _ in unlike),
        tuple(shown(pair, [one[:2] for one in differ], every)), seen.longer,
        any(may_decline(one) for _, one in seen.throws),
    )  # fmt: skip


def foretold(table: Table, one: Both, found: Condition | None) -> bool:
    """Would they end differently by what holds for all others? Where no condition tells, nothing is foretold."""
    if found is None:
        return False
    counts = {text: one.old.tallies[place] for text, (place, _) in counted(one.old.rule).items()}
    return holds(found, {**table.inputs, **one.old.steps, **counts})


def may_decline(one: Both) -> bool:
    dice = (die for result in (one.old, one.new) for die in result.throw.dice)
    return any(landing.may_decline or landing.may_stop for die in dice for landing in die.throws)


def both_ends(pair: RulePair, one: Both) -> tuple[End, End]:
    return ended(pair.old, one.old.worked), ended(pair.new, one.new.worked)


def shown(pair: RulePair, throws: Sequence[tuple[Table, Both]], every: Sequence[Axis]) -> Iterator[Apart]:
    """The first few, each pair of ends once; as the record of the edition that needs more faces."""
    known = set[tuple[str, str]]()
    for table, one in throws:
        old, new = both_ends(pair, one)
        if (old.text, new.text) not in known and len(known) < MOST_SHOWN:
            known.add((old.text, new.text))
            longer = max(one.old, one.new, key=lambda result: len(result.dice))
            again = f", rerolled {longer.rerolled}" if longer.rerolled else ""
            yield Apart(told(table.inputs, every), longer.dice + again, old, new)
