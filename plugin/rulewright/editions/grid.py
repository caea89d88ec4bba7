"""Values of the inputs that two editions of a rule share: what is usual, and its neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..game.inputs import shown
from ..game.model import Input, Rule
from ..game.program import program, test_functions
from ..game.tree import names_in

MOST_VALUES = 10  # of one input; of a longer range those beside what is usual
NUMBER_FORMS = ("number", "die", "code")
RANGE_FORMS = ("number", "code")


@dataclass(frozen=True, eq=False)
class Axis:
    """An input with values that both editions allow, those nearest to the usual first; `usual` is the default."""

    entry: Input
    values: tuple[Any, ...]
    usual: Any

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def ordered(self) -> list[Any]:
        """As the input declares them."""
        declared = [*self.entry.choices, *self.entry.dice]
        return sorted(self.values, key=declared.index if declared else None)

    def shown(self, value: Any) -> str:
        return shown(self.entry, value)


def input_axes(old: Rule, new: Rule) -> list[Axis] | None:
    """Those that matter, without a default first; nothing where an edition needs what the other does not know."""
    theirs = {entry.name: entry for entry in new.inputs}
    counting, plain = inputs_counting_dice(old) | inputs_counting_dice(new), not (old.dice or new.dice)
    both = [
        (entry, theirs[entry.name], plain or bool(counting & {*entry.variables}))
        for entry in old.inputs
        if entry.name in theirs
    ]
    found = [axis for one, other, counts in both if (axis := common_axis(one, other, counts))]
    known = {axis.name for axis in found}
    asked = [entry for rule in (old, new) for entry in rule.inputs if entry.default is None and entry.name not in known]
    if asked:
        return None
    matter = relevant_inputs(old) | relevant_inputs(new)
    useful = [axis for axis in found if matter & set(axis.entry.variables) or axis.entry.default is None]
    return sorted(useful, key=lambda axis: (axis.entry.default is not None, axis.entry.form not in NUMBER_FORMS))


def inputs_counting_dice(rule: Rule) -> set[str]:
    """The inputs on which a number of dice rests."""
    return set().union(*(names_in(kind.count.node) for kind in rule.dice))


def common_axis(entry: Input, other: Input, counts: bool) -> Axis | None:
    """`counts` is whether its lowest values are the usual ones, as those of a number of dice; else it is the middle."""
    if entry.form != other.form:
        return None
    values = common_numbers(entry, other, counts) if entry.form in RANGE_FORMS else common_values(entry, other)
    if not values:
        return None
    usual = entry.default if entry.default in values else values[plainest_index(entry, values, counts)]
    place = values.index(usual)
    near = sorted(range(len(values)), key=lambda number: abs(number - place))[:MOST_VALUES]
    return Axis(entry, tuple(values[number] for number in near), usual)


def plainest_index(entry: Input, values: list[Any], counts: bool) -> int:
    """The place of the first, or of what is nearest to 0, where the lowest are usual; else of the middle."""
    if entry.form == "number" and counts:
        return min(range(len(values)), key=lambda place: abs(values[place]))
    return 0 if counts or entry.form not in RANGE_FORMS else len(values) // 2


def common_numbers(entry: Input, other: Input, counts: bool) -> list[Any]:
    """A range can be endless for all that we know: only what is near to the usual is looked at, or what has a name."""
    least, most = max(entry.least, other.least), min(entry.most, other.most)
    named = sorted({number for number in entry.names.names.values() if least <= number <= most}) if entry.names else []
    if named and entry.default is None:
        return named
    spread = entry.form == "number" and entry.default is None and not counts
    if spread and most - least >= MOST_VALUES:
        return [least + (most - least) * step // (MOST_VALUES - 1) for step in range(MOST_VALUES)]
    middle = entry.default[0] if isinstance(entry.default, tuple) else entry.default
    start = max(least, min(max(least, 0) if middle is None else middle, most) - MOST_VALUES)
    found = range(start, min(most, start + 2 * MOST_VALUES) + 1)
    return [(dice, 0) for dice in found] if entry.form == "code" else list(found)


def common_values(entry: Input, other: Input) -> list[Any]:
    values = {"flag": (0, 1), "choice": entry.choices, "die": entry.dice}[entry.form]
    allowed = {"flag": (0, 1), "choice": other.choices, "die": other.dice}[entry.form]
    return [value for value in values if value in allowed]


def relevant_inputs(rule: Rule) -> set[str]:
    """The inputs on which dice, steps or outcomes rest."""
    made = program(rule)
    formulas = [part for kind in rule.dice for part in (kind.count, kind.sides, *test_functions(kind).values())]
    formulas += [one.formula for one in rule.steps]
    formulas += [part for one in rule.outcomes for part in (one.when, one.degree)]
    formulas += [part for one in rule.rerolls for part in (one.times, one.when)]
    kept = [kind.keep.number for kind in rule.dice if kind.keep]
    every = [one for one in [*formulas, *kept] if one]
    return made.needed(every) | set().union(*(names_in(one.node) for one in every))


def usual_values(all_axes: Iterable[Axis]) -> dict[str, Any]:
    return {axis.name: axis.usual for axis in all_axes}


def as_texts(values: Mapping[str, Any], all_axes: Iterable[Axis]) -> dict[str, str]:
    """Values as an author writes them."""
    return {axis.name: axis.shown(values[axis.name]) for axis in all_axes if axis.name in values}


def shown_inputs(values: Mapping[str, Any], all_axes: Iterable[Axis]) -> dict[str, str]:
    """The first two inputs, and of the others those that are not as usual."""
    every = list(all_axes)
    said = [*every[:2], *(axis for axis in every[2:] if values[axis.name] != axis.usual)]
    return as_texts(values, said)
