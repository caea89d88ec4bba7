"""The smallest roll on which two editions of a rule differ: rolls are tried in order of size until one does.

The size of a roll is the number of its faces (and choices, where a player picks dice to reroll) plus the distance of
its inputs from the usual ones. Inputs that only say how many dice are rolled add no distance: their dice count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations_with_replacement, islice, product
from typing import Any, NamedTuple

from ..game.codegen import EvaluationError
from ..game.core import PICKED, CoreInput
from ..game.model import Rule
from ..play.bound_rule import BoundKind, BoundRule, RollError
from ..play.picked_dice import pick_highest
from ..play.result import Result, play_roll
from ..play.roll import DiceRoller, Die
from .chances import Axis, input_axes, inputs_counting_dice, shown_inputs, usual_values
from .recheck import BlockResult, is_same_result
from .rule_pairs import RulePair

MOST_ROLLS = 10_000  # played by both editions; each combination of inputs counts as one
_MOST_DICE = 10
_MOST_FOLLOWUPS = 4  # faces and choices after the first roll of all dice

_Key = tuple[Any, ...]  # which face or choice: the round, the kind of die, its number in the round, its throw
_Inputs = Mapping[str, Any]
_Answers = Mapping[_Key, Any]


@dataclass(frozen=True)
class Counterexample:
    """One roll that both editions can play, and its result in each of them."""

    inputs: Mapping[str, str]
    dice: str  # the record of the edition that needs more faces
    rerolled: str
    turned: str
    old: BlockResult
    new: BlockResult


@dataclass(frozen=True, eq=False)
class RollComparison:
    """`rolls` were tried; `why` says what keeps rolls from being compared: `dice` where the editions roll others."""

    pair: RulePair
    rolls: int
    smallest: Counterexample | None
    why: str = ""


def compare_rolls(pair: RulePair, hint: Mapping[str, str]) -> RollComparison | None:
    """None for contests, and for rules that cannot be given the same inputs.

    `hint` are inputs with which the chances differ; they are tried if no smaller roll is found."""
    grid = None if pair.old.contest or pair.new.contest else input_axes(pair.old, pair.new)
    if grid is None:
        return None
    search = _Search(pair, grid)
    smallest = search.run(_inputs_by_distance(pair, grid))
    if hint and not smallest:
        values = {
            axis.name: value for axis in grid for value in axis.values if axis.shown(value) == hint.get(axis.name)
        }
        smallest = search.run(iter([(0, usual_values(grid) | values)]))
    if search.rolls or (pair.old.dice and pair.new.dice):
        return RollComparison(pair, search.rolls, smallest, "" if search.rolls else "dice")
    return None


def _inputs_by_distance(pair: RulePair, grid: Sequence[Axis]) -> Iterator[tuple[int, _Inputs]]:
    """All combinations of inputs, those nearest to the usual ones first, with their distance."""
    counting = inputs_counting_dice(pair.old) | inputs_counting_dice(pair.new)
    free = [axis for axis in grid if counting & {*axis.entry.variable_names}]
    rest = [axis for axis in grid if axis not in free]
    names = [axis.name for axis in (*rest, *free)]
    for distance in range(sum(len(axis.values) - 1 for axis in rest) + 1):
        for near, counts in product(_at_distance(rest, distance), product(*(axis.values for axis in free))):
            yield distance, dict(zip(names, (*near, *counts), strict=True))


def _at_distance(grid: Sequence[Axis], distance: int) -> Iterator[tuple[Any, ...]]:
    """Values whose positions on their axes add up to `distance`."""
    if not grid:
        yield from [()] * (distance == 0)
        return
    for position, value in enumerate(grid[0].values[: distance + 1]):
        for others in _at_distance(grid[1:], distance - position):
            yield (value, *others)


class _Table(NamedTuple):
    """Both rules with the same inputs, and the same dice to roll first."""

    inputs: _Inputs
    old: BoundRule
    new: BoundRule
    kinds: Mapping[str, BoundKind]

    @property
    def dice(self) -> int:
        return sum(ready.count for ready in self.kinds.values())

    def first_rolls(self) -> Iterator[_Answers]:
        """All faces of the first roll, the lowest first; the order of dice of one kind does not matter."""
        hands = (combinations_with_replacement(sorted(kind.face_set), kind.count) for kind in self.kinds.values())
        for faces in product(*hands):
            yield {
                (1, label, number, 1): face
                for label, own in zip(self.kinds, faces, strict=True)
                for number, face in enumerate(own)
            }


class _Search:
    """Plays rolls in order of size: all of one size before the next."""

    def __init__(self, pair: RulePair, grid: Sequence[Axis]) -> None:
        self.pair, self.grid, self.rolls = pair, grid, 0
        self.labels = _kind_labels(pair.old, pair.new)

    def run(self, settings: Iterator[tuple[int, _Inputs]]) -> Counterexample | None:
        """Rolls that need one more face wait in the queue until their size is due."""
        queue: list[tuple[int, int, int, _Table, Iterable[_Answers]]] = []
        budget, number, coming = MOST_ROLLS, 0, next(settings, None)
        while (queue or coming) and budget > 0:
            if coming and (not queue or coming[0] <= queue[0][0]):
                table = self._table(coming[1])
                if table:
                    heappush(queue, (coming[0] + table.dice, table.dice, number, table, table.first_rolls()))
                budget, number, coming = budget - 1, number + 1, next(settings, None)
                continue
            size, faces, order, table, rolls = heappop(queue)
            longer: list[_Answers] = []
            for answers in islice(rolls, budget):
                budget -= 1
                try:
                    old = play_roll(table.old, _SharedFaces(answers, self.labels[0]))
                    new = play_roll(table.new, _SharedFaces(answers, self.labels[1]))
                except _NeedError as need:
                    longer += [{**answers, need.key: option} for option in need.options]
                except (RollError, EvaluationError):
                    continue
                else:
                    self.rolls += 1
                    ends = _end(old), _end(new)
                    if not is_same_result(*ends, self.pair):
                        return self._counterexample(table, old, new, *ends)
            if longer and faces < table.dice + _MOST_FOLLOWUPS:
                heappush(queue, (size + 1, faces + 1, order, table, longer))
        return None

    def _table(self, inputs: _Inputs) -> _Table | None:
        """None where the editions refuse these inputs, or roll different dice."""
        try:
            old, new = (BoundRule(rule, _values(rule, inputs)) for rule in self.pair.both)
            first, second = (
                {label: kind for label, kind in zip(labels, setting.kinds, strict=True) if kind.count}
                for labels, setting in zip(self.labels, (old, new), strict=True)
            )
            same = first.keys() == second.keys() and all(
                (kind.count, kind.face_set) == (second[label].count, second[label].face_set)
                for label, kind in first.items()
            )
        except (RollError, EvaluationError):
            return None
        table = _Table(inputs, old, new, first)
        return table if same and table.dice <= _MOST_DICE else None

    def _counterexample(self, table: _Table, old: Result, new: Result, *ends: BlockResult) -> Counterexample:
        longer = max(old, new, key=lambda result: len(result.dice + result.rerolled + result.turned))
        names = {kind.name for kind in longer.rule.kinds}
        first, _, rest = longer.dice.partition(" ")
        dice = rest if first in names and "|" not in rest else longer.dice
        return Counterexample(shown_inputs(table.inputs, self.grid), dice, longer.rerolled, longer.turned, *ends)


def _values(rule: Rule, inputs: _Inputs) -> dict[str, Any]:
    defaults = {entry.name: entry.default for entry in rule.declared_inputs if entry.default is not None}
    return {**defaults, **{entry.name: inputs[entry.name] for entry in rule.declared_inputs if entry.name in inputs}}


def _end(result: Result) -> BlockResult:
    """The outcome and its degree; the steps for rules without outcomes."""
    outcome = result.outcome.name if result.outcome else ""
    return BlockResult(outcome, result.degree, {} if result.rule.outcomes else result.steps)


def _kind_labels(old: Rule, new: Rule) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """For each kind of dice the name under which both editions share its faces; kinds with new names by position."""
    first, second = [kind.name for kind in old.dice], [kind.name for kind in new.dice]
    added, gone = [name for name in second if name not in first], [name for name in first if name not in second]
    renamed = dict(zip(added, gone, strict=False))
    return tuple(first), tuple(renamed.get(name, name) for name in second)


class _NeedError(Exception):
    """The roll needs a face or a choice that has not been given yet."""

    def __init__(self, key: _Key, options: Sequence[Any]) -> None:
        super().__init__(key)
        self.key, self.options = key, options


class _SharedFaces:
    """Supplies the faces that both editions share to one of them; optional dice are always taken."""

    def __init__(self, answers: _Answers, labels: Sequence[str]) -> None:
        self.answers, self.labels = answers, labels
        self.current_round, self.throw, self.choices, self.rerolls = 1, 0, 0, 0
        self.dice, self.die = Counter[_Key](), _Key()

    def begin(self, ready: BoundKind, _fresh: bool) -> None:
        kind = (self.current_round, self.labels[ready.number])
        self.die, self.throw = (*kind, self.dice[kind]), 0
        self.dice[kind] += 1

    def face(self, ready: BoundKind, _way: str) -> int:
        self.throw += 1
        face = int(self._answer((*self.die, self.throw), sorted(ready.face_set)))
        if face not in ready.face_set:
            raise RollError(f"a {ready.kind.name} die does not show {face}")
        return face

    def _answer(self, key: _Key, options: Sequence[Any]) -> Any:
        if key not in self.answers:
            raise _NeedError(key, options)
        return self.answers[key]

    def onward(self, _ready: BoundKind, _way: str) -> bool:
        return True

    def end(self, _ready: BoundKind) -> None:
        return

    def offered(self, _ready: BoundKind) -> bool:
        return True

    def round(self, _earned: Mapping[int, int]) -> None:
        self.current_round += 1

    def choose(self, _play: DiceRoller, dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        """A die by its kind and its number among them; None where the choice of the other edition is impossible."""
        options = {
            (self.labels[dice[place].kind], sum(die.kind == dice[place].kind for die in dice[:place])): place
            for place in places
        }
        self.choices += 1
        return options.get(self._answer(("choice", self.choices), [None, *options]))

    def prefers(self, _play: DiceRoller, _dice: list[Die], _place: int, _new: Die, _number: int, _left: int) -> bool:
        return bool(self._answer(("prefers", self.rerolls), [True, False]))

    def turn_die(
        self, play: DiceRoller, dice: list[Die], place: int, _number: int, _left: int, face: int | None
    ) -> int:
        self.rerolls += 1
        faces = sorted(play.setting.kinds[dice[place].kind].face_set)
        return int(self._answer(("turn", self.rerolls), faces)) if face is None else face

    def answer(self, play: DiceRoller, _dice: list[Die], entry: CoreInput) -> Any:
        if entry.form == PICKED:
            return pick_highest(play.setting, entry.name)
        return self._answer(("answer", entry.name), entry.options)

    def goes_on(self, number: int) -> bool:
        return number > 0

    def rethrow(self, ready: BoundKind, _die: Die) -> None:
        self.rerolls += 1
        self.die, self.throw = ("reroll", self.labels[ready.number], self.rerolls), 0
