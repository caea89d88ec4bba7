"""Exact chances before and after, over a small grid of inputs, and where they differ most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from ..game.formula import collect_names
from ..game.inputs import format_value
from ..game.model import CONTEST_SIDES, Input, Rule
from ..odds.distribution import Chance
from ..odds.rule_odds import compute_odds
from ..odds.table import compute_odds_table
from ..play.compiled_rule import compile_rule
from .rule_pairs import RulePair

_MOST_VALUES = 10  # of one input; of a longer range those near the usual value
_NUMBER_FORMS = ("number", "die", "code")
_RANGE_FORMS = ("number", "code")


@dataclass(frozen=True, eq=False)
class Axis:
    """An input and the values that both editions allow, nearest to the usual value first."""

    entry: Input
    values: tuple[Any, ...]
    usual: Any

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def ordered(self) -> list[Any]:
        """The values in the order in which the input declares them."""
        declared = [*self.entry.choices, *self.entry.dice]
        return sorted(self.values, key=declared.index if declared else None)

    def shown(self, value: Any) -> str:
        return format_value(self.entry, value)


def input_axes(old: Rule, new: Rule) -> list[Axis] | None:
    """The inputs that affect the result, those without a default first.

    None if one edition requires an input that the other does not have."""
    theirs = {entry.name: entry for entry in new.declared_inputs}
    counting, plain = inputs_counting_dice(old) | inputs_counting_dice(new), not (old.dice or new.dice)
    both = [
        (entry, theirs[entry.name], plain or bool(counting & {*entry.variable_names}))
        for entry in old.declared_inputs
        if entry.name in theirs
    ]
    common = [axis for entry, counterpart, counts in both if (axis := _common_axis(entry, counterpart, counts))]
    known = {axis.name for axis in common}
    required = [
        entry
        for rule in (old, new)
        for entry in rule.declared_inputs
        if entry.default is None and entry.name not in known
    ]
    if required:
        return None
    matter = _relevant_inputs(old) | _relevant_inputs(new)
    useful = [axis for axis in common if matter & set(axis.entry.variable_names) or axis.entry.default is None]
    return sorted(useful, key=lambda axis: (axis.entry.default is not None, axis.entry.form not in _NUMBER_FORMS))


def inputs_counting_dice(rule: Rule) -> set[str]:
    """The inputs that a number of dice depends on."""
    return set().union(*(collect_names(kind.count.node) for kind in rule.dice))


def _common_axis(entry: Input, other: Input, counts: bool) -> Axis | None:
    """The values in common; with `counts` (a number of dice) the lowest is the usual one, otherwise the middle."""
    if entry.form != other.form:
        return None
    values = _common_numbers(entry, other, counts) if entry.form in _RANGE_FORMS else _common_values(entry, other)
    if not values:
        return None
    usual = entry.default if entry.default in values else values[_plainest_index(entry, values, counts)]
    place = values.index(usual)
    near = sorted(range(len(values)), key=lambda number: abs(number - place))[:_MOST_VALUES]
    return Axis(entry, tuple(values[number] for number in near), usual)


def _plainest_index(entry: Input, values: list[Any], counts: bool) -> int:
    """With `counts` the index of the first value, or of the one nearest to 0; otherwise of the middle."""
    if entry.form == "number" and counts:
        return min(range(len(values)), key=lambda place: abs(values[place]))
    return 0 if counts or entry.form not in _RANGE_FORMS else len(values) // 2


def _common_numbers(entry: Input, other: Input, counts: bool) -> list[Any]:
    """A range may be very long: only values near the usual one are used, or those that have a name."""
    least, most = max(entry.least, other.least), min(entry.most, other.most)
    named = (
        sorted({number for number in entry.names.named_numbers.values() if least <= number <= most})
        if entry.names
        else []
    )
    if named and entry.default is None:
        return named
    spread = entry.form == "number" and entry.default is None and not counts
    if spread and most - least >= _MOST_VALUES:
        return [least + (most - least) * step // (_MOST_VALUES - 1) for step in range(_MOST_VALUES)]
    middle = entry.default[0] if isinstance(entry.default, tuple) else entry.default
    start = max(least, min(max(least, 0) if middle is None else middle, most) - _MOST_VALUES)
    numbers = range(start, min(most, start + 2 * _MOST_VALUES) + 1)
    return [(dice, 0) for dice in numbers] if entry.form == "code" else list(numbers)


def _common_values(entry: Input, other: Input) -> list[Any]:
    values = {"flag": (0, 1), "choice": entry.choices, "die": entry.dice}[entry.form]
    allowed = {"flag": (0, 1), "choice": other.choices, "die": other.dice}[entry.form]
    return [value for value in values if value in allowed]


def _relevant_inputs(rule: Rule) -> set[str]:
    """The inputs that dice, steps or outcomes depend on."""
    compiled = compile_rule(rule)
    return compiled.dice_names | compiled.required_names


def usual_values(all_axes: Iterable[Axis]) -> dict[str, Any]:
    return {axis.name: axis.usual for axis in all_axes}


def _as_texts(values: Mapping[str, Any], all_axes: Iterable[Axis]) -> dict[str, str]:
    """Values as an author writes them."""
    return {axis.name: axis.shown(values[axis.name]) for axis in all_axes if axis.name in values}


def shown_inputs(values: Mapping[str, Any], all_axes: Iterable[Axis]) -> dict[str, str]:
    """The first two inputs, and those of the others that do not have their usual value."""
    axes = list(all_axes)
    shown_axes = [*axes[:2], *(axis for axis in axes[2:] if values[axis.name] != axis.usual)]
    return _as_texts(values, shown_axes)


_MOST_CONTEST_VALUES = 6

_ContestInputs = dict[str, str]
_Chances = Mapping[str, Fraction]


def _contest_axes(pair: RulePair) -> list[list[Axis]] | None:
    """For each side the inputs that both editions have; None if they ask for different inputs."""
    assert pair.old.contest
    assert pair.new.contest
    sides = list(zip(pair.old.contest.of, pair.new.contest.of, strict=False))
    axes_of_sides = [input_axes(old, new) for old, new in sides]
    known = [axes for axes in axes_of_sides if axes is not None]
    return known if len(known) == len(CONTEST_SIDES) else None


def _contest_inputs(sides: Sequence[Sequence[Axis]]) -> Iterator[tuple[tuple[str, str], _ContestInputs]]:
    """Each value of the first input of each side, with the usual values for all others."""
    normal = {
        f"{name}.{key}": text
        for name, own in zip(CONTEST_SIDES, sides, strict=True)
        for key, text in _usual_texts(own).items()
    }
    values = [[own[0].shown(value) for value in _nearest_values(own[0])] if own else [""] for own in sides]
    names = [f"{name}.{own[0].name}" if own else "" for name, own in zip(CONTEST_SIDES, sides, strict=True)]
    for row, column in product(*values):
        varied = {name: text for name, text in zip(names, (row, column), strict=True) if name}
        yield (row, column), normal | varied


def _usual_texts(own: Sequence[Axis]) -> _ContestInputs:
    return _as_texts(usual_values(own), own)


def _nearest_values(axis: Axis) -> list[object]:
    chosen = axis.values[:_MOST_CONTEST_VALUES]
    return [value for value in axis.ordered if value in chosen]


def _contest_chances(rule: Rule, inputs: _ContestInputs) -> _Chances | None:
    """None if they cannot be computed exactly."""
    answer, wrong = compute_odds(rule, inputs)
    if answer is None or wrong or any(chance.exact is None for chance in answer.chances.values()):
        return None
    return {name: chance.low for name, chance in answer.chances.items()}


def _contest_chances_in_both(
    pair: RulePair, sides: Sequence[Sequence[Axis]]
) -> dict[tuple[str, str], tuple[_Chances, _Chances]]:
    """The chances of both editions, by the first inputs of the sides."""
    by_inputs = {}
    for key, inputs in _contest_inputs(sides):
        old, new = _contest_chances(pair.old, inputs), _contest_chances(pair.new, inputs)
        if old is None or new is None:
            return {}
        by_inputs[key] = (old, new)
    return by_inputs


_MOST_GRIDS = 4  # of a rule: the usual inputs, then one input at a time set to a neighbor
_NEIGHBORS = 1  # values of an input next to the usual one


@dataclass(frozen=True)
class _LargestChange:
    """The largest change of a chance, and the inputs with which it occurs."""

    outcome: str  # its name in the older edition
    inputs: Mapping[str, str]
    old: Fraction
    new: Fraction

    @property
    def size(self) -> Fraction:
        return abs(self.new - self.old)


@dataclass(frozen=True, eq=False)
class _OddsCell:
    row: str
    column: str
    old: Fraction
    new: Fraction


@dataclass(frozen=True, eq=False)
class OddsChange:
    """The change of the odds of a rule; `cells` are the chances of the outcome that changes most."""

    pair: RulePair
    largest: _LargestChange | None
    rows: str
    columns: str
    fixed: Mapping[str, str]  # the other inputs where the change is largest
    cells: tuple[_OddsCell, ...]
    combinations: int  # combinations of inputs that were compared
    why: str = ""  # why the odds could not be compared: inputs or odds


@dataclass(frozen=True, eq=False)
class _OddsGrid:
    """All chances over two inputs, with the others at one value each."""

    fixed: Mapping[str, Any]
    chances: Mapping[tuple[Any, ...], tuple[Mapping[str, Chance], Mapping[str, Chance]]]


def compare_odds(pairs: Iterable[RulePair]) -> list[OddsChange]:
    return [change for pair in pairs if pair.changed and (change := _compare_rule_odds(pair))]


def _compare_rule_odds(pair: RulePair) -> OddsChange | None:
    """None for rules without chances: plain computations, no outcomes."""
    if pair.old.contest and pair.new.contest:
        return _compare_contest_odds(pair)
    if not (pair.old.dice and pair.new.dice and pair.old.outcomes and pair.new.outcomes):
        return None
    axes = input_axes(pair.old, pair.new)
    if axes is None:
        return OddsChange(pair, None, "", "", {}, (), 0, "inputs")
    table_axes, others = axes[:2], axes[2:]
    grids = [grid for fixed in _input_variations(others) if (grid := _compute_grid(pair, table_axes, fixed, others))]
    combinations = sum(len(grid.chances) for grid in grids)
    if not grids:
        return OddsChange(pair, None, "", "", {}, (), 0, "odds")
    changes = [change for grid in grids for change in _chance_differences(pair, table_axes, grid, axes)]
    if not changes:
        return OddsChange(pair, None, "", "", {}, (), combinations)
    largest, grid_of_change = max(changes, key=lambda change: change[0].size)
    return _describe_change(
        pair, table_axes, largest, grid_of_change, _as_texts(grid_of_change.fixed, others), combinations
    )


def _compare_contest_odds(pair: RulePair) -> OddsChange:
    sides = _contest_axes(pair)
    chances = _contest_chances_in_both(pair, sides) if sides else {}
    if not sides or not chances:
        return OddsChange(pair, None, "", "", {}, (), 0, "odds" if sides else "inputs")
    names = [f"{name}.{own[0].name}" if own else "" for name, own in zip(CONTEST_SIDES, sides, strict=True)]
    changes = [
        _LargestChange(winner, dict(zip(names, key, strict=True)), old[winner], new.get(winner, Fraction(0)))
        for key, (old, new) in chances.items()
        for winner in old
        if old[winner] != new.get(winner)
    ]
    if not changes:
        return OddsChange(pair, None, "", "", {}, (), len(chances))
    largest = max(changes, key=lambda change: change.size)
    winner = largest.outcome
    cells = tuple(_OddsCell(*key, old[winner], new.get(winner, Fraction(0))) for key, (old, new) in chances.items())
    return OddsChange(pair, largest, names[0], names[1], {}, cells, len(chances))


def _describe_change(
    pair: RulePair,
    own: Sequence[Axis],
    largest: _LargestChange,
    grid: _OddsGrid,
    fixed: Mapping[str, str],
    combinations: int,
) -> OddsChange:
    names = [*(axis.name for axis in own), "", ""][:2]
    return OddsChange(pair, largest, names[0], names[1], fixed, tuple(_grid_cells(pair, largest, grid)), combinations)


def _input_variations(others: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """The usual values, then one input at a time set to its neighbors."""
    normal = {axis.name: axis.usual for axis in others}
    every = [normal, *({**normal, axis.name: value} for axis in others for value in axis.values[1 : _NEIGHBORS + 1])]
    return iter(every[:_MOST_GRIDS])


def _compute_grid(
    pair: RulePair, own: Sequence[Axis], fixed: Mapping[str, Any], others: Sequence[Axis]
) -> _OddsGrid | None:
    """None if one of the editions refuses these inputs or would take too long."""
    fixed_texts = _as_texts(fixed, others)
    columns = {axis.name: [axis.shown(value) for value in axis.ordered] for axis in own}
    tables = []
    for rule in (pair.old, pair.new):
        known = {entry.name for entry in rule.declared_inputs}
        table, wrong = compute_odds_table(
            rule, {name: text for name, text in fixed_texts.items() if name in known}, columns
        )
        if wrong:
            return None
        tables.append(table)
    return _OddsGrid(fixed, {key: (chances, tables[1][key]) for key, chances in tables[0].items() if key in tables[1]})


def _chance_differences(
    pair: RulePair, own: Sequence[Axis], grid: _OddsGrid, every: Sequence[Axis]
) -> Iterator[tuple[_LargestChange, _OddsGrid]]:
    others = [axis for axis in every[2:] if grid.fixed[axis.name] != axis.usual]
    fixed = _as_texts(grid.fixed, others)
    names = [axis.name for axis in own]
    for key, chances in grid.chances.items():
        inputs = {**dict(zip(names, map(str, key), strict=True)), **fixed}
        for name, before, after in _outcome_chances(pair, *chances):
            if before != after:
                yield _LargestChange(name, inputs, before, after), grid


def _outcome_chances(
    pair: RulePair, old: Mapping[str, Chance], new: Mapping[str, Chance]
) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Exact chances of all outcomes; an outcome that only one edition has never happens in the other."""
    names = pair.names
    taken = {names.get(name, name) for name in old}
    for name, chance in old.items():
        other = new.get(names.get(name, name))
        if chance.exact is not None and (other is None or other.exact is not None):
            yield name, chance.exact, other.exact if other and other.exact is not None else Fraction(0)
    for name, chance in new.items():
        if name not in taken and chance.exact is not None:
            yield name, Fraction(0), chance.exact


def _grid_cells(pair: RulePair, largest: _LargestChange, grid: _OddsGrid) -> Iterator[_OddsCell]:
    for key, chances in grid.chances.items():
        row, column = [*map(str, key), "", ""][:2]
        for name, before, after in _outcome_chances(pair, *chances):
            if name == largest.outcome:
                yield _OddsCell(row, column, before, after)
