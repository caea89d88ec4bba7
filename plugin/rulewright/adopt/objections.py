"""What a text says against a block, more strictly than a warning would: every number has to be accounted for."""

from __future__ import annotations

from collections.abc import Iterator

from ..checks.drifting import CLASSES, plural
from ..checks.told.mood import Bit
from .clues import Clues
from .matching import Fit
from .outcomes import speaks_against
from .roles import TOTALS

REMAINING = ("net", "kept", "final", "remaining")


def objections(fit: Fit, clues: Clues) -> tuple[str, ...]:
    """One sentence for each, none twice."""
    found = [one.message.replace("the block beside it", "this block") for one in fit.differences]
    if not found:
        found += [*speaks_against(fit.rule, fit.move.outcome, clues), *last_counts(fit, clues), *last_total(fit, clues)]
    return tuple(dict.fromkeys(found))


def last_counts(fit: Fit, clues: Clues) -> Iterator[str]:
    """The last count of each noun is what is left of it: the step of that name, the degree, or what remains."""
    last: dict[str, Bit] = {}
    for bit in clues.told.counts:
        if bit.sure and not bit.what.endswith("change"):
            last[bit.what.split(" ")[0]] = bit
    for noun, bit in last.items():
        if bit.number not in left_of(fit, noun):
            made = f"degree {fit.move.degree}" if fit.move.degree is not None else fit.move.outcome or "nothing of it"
            yield f"the text says {bit.number} {noun if bit.number == 1 else plural(noun)}, this block comes to {made}"


def left_of(fit: Fit, noun: str) -> set[int]:
    steps = {name: value for name, value in fit.move.steps.items() if isinstance(value, int)}
    found = {steps[name] for name in (noun, plural(noun), *REMAINING) if name in steps}
    of_it = CLASSES.get((fit.move.outcome or "").lower()) == CLASSES.get(noun, noun)
    counted = noun not in steps and plural(noun) not in steps
    found |= {fit.move.degree} if fit.move.degree is not None and (of_it or counted) else set()
    return found | ({0} if not of_it else set())


def last_total(fit: Fit, clues: Clues) -> Iterator[str]:
    """The last total that is told is the total of the rule, where it has one."""
    totals = {int(value) for name, value in fit.move.steps.items() if name in TOTALS and isinstance(value, int)}
    told = [bit.number for bit in clues.told.totals if bit.sure]
    margin = abs(fit.move.degree) if fit.move.degree is not None else None
    if totals and told and told[-1] not in totals | {margin}:
        yield f"the text says {told[-1]}, this block comes to {max(totals)}"
