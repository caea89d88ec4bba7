"""What a text says against a block, more strictly than a warning would: every number has to be accounted for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..checks.account import account
from ..checks.difference import single_numbers
from ..checks.drifting import CLASSES, plural
from ..checks.told.mood import Bit
from ..checks.told.numbers import FIGURES
from ..game.tree import walk
from .clues import Clues
from .matching import Fit, no_block
from .outcomes import speaks_against
from .roles import TOTALS

FIGURE = re.compile(FIGURES)
REMAINING = ("net", "kept", "final", "remaining")


def objections(fit: Fit, clues: Clues) -> tuple[str, ...]:
    """One sentence for each, none twice."""
    found = [one.message.replace("the block beside it", "this block") for one in fit.differences]
    if not found:
        found += [*speaks_against(fit.rule, fit.move.outcome, clues), *last_counts(fit, clues), *last_total(fit, clues)]
    return tuple(dict.fromkeys(found))


def unexplained(fit: Fit, clues: Clues) -> list[str]:
    """Figures that the text tells as facts and that are nowhere in what the rules make of the block."""
    one = account(no_block(), fit.move)
    figures = {int(text) for line in fit.roll for text in re.findall("[0-9]+", line)}
    chains = (text for line in fit.roll for text in re.findall(r"[0-9]+(?:\+[0-9]+)+", line))
    figures |= {sum(map(int, text.split("+"))) for text in chains}  # what one die comes to
    figures |= {int(text) for found in fit.inputs.values() for text in re.findall("[0-9]+", found.text)}
    figures |= {abs(value) for value in single_numbers(one)} | set(one.good) | set(one.dice) | set(one.sides)
    figures |= {abs(value) for value in one.inputs.values() if isinstance(value, int)}
    figures |= {abs(fit.move.degree)} if fit.move.degree is not None else set()
    told = {one.number for one in clues.told.pools} | {one.number for one in clues.told.difficulties if not one.sure}
    reading = clues.reading
    found = (one for one in FIGURE.finditer(clues.text, reading.label_end) if reading.sure(one.start(), one.end()))
    return list(dict.fromkeys(one[0] for one in found if int(one[0]) not in figures | told))


def last_counts(fit: Fit, clues: Clues) -> Iterator[str]:
    """The last count of each noun is what is left of it: the step of that name, the degree, or what remains."""
    last: dict[str, Bit] = {}
    for bit in clues.told.counts:
        if bit.sure and not bit.what.endswith("change"):
            last[bit.what.split(" ")[0]] = bit
    for bit in clues.told.counts:
        if (
            bit.sure
            and bit.number > 1
            and not bit.what.endswith("change")
            and not has_step(fit, bit.what.split(" ")[0])
        ):
            last.setdefault(f"{bit.what.split(' ')[0]} {bit.number}", bit)
    for name, bit in last.items():
        noun = name.split(" ")[0]
        if bit.number not in left_of(fit, noun, bit.what.split(" ")[1]):
            made = f"degree {fit.move.degree}" if fit.move.degree is not None else fit.move.outcome or "nothing of it"
            yield f"the text says {bit.number} {noun if bit.number == 1 else plural(noun)}, this block comes to {made}"


def has_step(fit: Fit, noun: str) -> bool:
    return any(name in fit.move.steps for name in (noun, plural(noun)))


def left_of(fit: Fit, noun: str, way: str) -> set[int]:
    steps = {name: value for name, value in fit.move.steps.items() if isinstance(value, int)}
    own = {steps[name] for name in (noun, plural(noun)) if name in steps}
    net = {steps[name] for name in REMAINING if name in steps}
    of_it = CLASSES.get((fit.move.outcome or "").lower()) == CLASSES.get(noun, noun)
    degree = {fit.move.degree} if fit.move.degree is not None and (of_it or not own) else set()
    if way == "final" and degree and net:  # what is left is less than what was rolled
        return degree
    return own | net | degree | ({0} if not of_it else set())


def last_total(fit: Fit, clues: Clues) -> Iterator[str]:
    """The last total that is told is the total of the rule, where it has one."""
    totals = {int(value) for name, value in fit.move.steps.items() if name in TOTALS and isinstance(value, int)}
    told = [bit.number for bit in clues.told.totals if bit.sure]
    margin = abs(fit.move.degree) if fit.move.degree is not None else None
    made = totals or {value for value in fit.move.steps.values() if isinstance(value, int)}
    if not totals and any(node.op == "sum" for step in fit.rule.steps for node in walk(step.formula.node)):
        made |= single_numbers(account(no_block(), fit.move))
    if told and told[-1] not in made | {margin}:
        yield f"the text says {told[-1]}, this block comes to {' or '.join(map(str, sorted(made)))}"
