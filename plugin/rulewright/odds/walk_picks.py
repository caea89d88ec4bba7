"""Dice that a player picks in a walk: of each class so many, as is best for the aim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from ..game.core import CoreInput, CoreRule, Expression, Stage
from ..game.formula import Node
from ..game.intervals import interval_between
from ..play.bound_rule import MAX_DICE, BoundRule, RollError
from .budget import Budget, NotExactError
from .elimination import Elimination, Source
from .fold import is_number, subtract
from .plan import Question
from .unroll import Unroller
from .walk_choices import Goal, Walked, is_better, list_picks, pick_best
from .walk_frames import Frame, Known, SegmentPlan, Setup, lay_pools

_OPTION_COST = 8  # what an option costs where the walk goes on, in steps; what is new there costs more
_OPTION = "OPTION"
Picked = Mapping[str, Any]  # what is known of an answer: how many dice of each member are picked


class _Walk(Protocol):
    """What is needed of a walk (walk.py)."""

    rule: CoreRule
    setting: BoundRule
    setup: Setup
    budget: Budget

    def work_out(self, frame: Frame, known: Known, node: Node) -> Node: ...

    def goal_of(self, entry: CoreInput) -> Goal: ...

    def follow(self, frame: Frame, known: Known) -> Walked: ...

    def after_stage(self, frame: Frame) -> Frame: ...


class _Class(NamedTuple):
    """Dice that can be picked and that nothing tells apart."""

    name: str  # of the number that is picked
    size: Node
    order: tuple[int, int]  # of equal choices: the first kind, then the lowest


def pick_parameters(rule: CoreRule, stage: Stage, position: int) -> dict[tuple[str, int], Node]:
    """What must be known where dice are picked: how many at most, and of which."""
    own = rule.picks.get(str(stage.of[0])) if stage.what == "choice" else None
    return (
        {("amount", position): own.number.node, ("able", position): Node("dice", own.of)} if own and own.number else {}
    )


def pick_dice(walk: _Walk, frame: Frame, known: Known, entry: CoreInput) -> tuple[Picked, Walked]:
    """The best dice to pick, and where that leads to; of equal choices the first."""
    name, goal = entry.name, walk.goal_of(entry)
    if name in walk.setting.values:
        raise RollError(f"{name} says which dice are picked; for odds leave it out")
    amount = walk.work_out(frame, known, frame.parameters["amount", frame.position])
    able: list[_Class] = frame.remembered("able", lambda: _find_classes(walk, frame, name))
    sizes = [_work_out(walk, frame, known, own.size) for own in able]
    numbers = tuple([own.name for own in able])
    after: Frame = frame.remembered("after", lambda: _find_after(walk, frame, name, numbers))
    if not is_number(amount):
        raise NotExactError("it is not known how many dice are picked")
    options = list(list_picks(sizes, int(amount.args[0]), range(len(sizes))))
    if after.position == len(walk.setup.program):
        last = frame.remembered(("last", numbers), lambda: _LastPick(walk, after, numbers))
        best, walked = last.pick(known, options, goal, walk.budget)
        return _name_picked(name, numbers, best), walked
    walk.budget.spend(_OPTION_COST * len(options))
    picks = [_name_picked(name, numbers, counts) for counts in options]
    return pick_best([(picked, partial(walk.follow, after, {**known, **picked})) for picked in picks], goal)


def _name_picked(name: str, numbers: Sequence[str], counts: Sequence[int]) -> Picked:
    return {**dict(zip(numbers, counts, strict=True)), name: " ".join(map(str, counts))}


class _LastPick:
    """What is picked where nothing is rolled after that: all ways are worked out at once, as if by chance."""

    def __init__(self, walk: _Walk, frame: Frame, numbers: Sequence[str]) -> None:
        self.names = (*numbers, _OPTION)
        unroller, _ = lay_pools(walk.setup, frame, frame.position, ())
        leaves = {name: Node("tally", (name,)) for name in self.names}
        statements = {own: _seat(unroller.unroll(node), leaves) for own, node in frame.statements.items()}
        targets = [*(_seat(unroller.unroll(node), leaves) for node in frame.targets), leaves[_OPTION]]
        shown = walk.setup.question
        question = Question(shown.conditions, (*shown.values, Expression("", leaves[_OPTION])))
        plan = SegmentPlan(walk.rule, question, statements, targets, frame.bounds)
        self.elimination = Elimination(plan, ((self.names, None, ""),), {})

    def pick(
        self, known: Known, options: Sequence[tuple[int, ...]], goal: Goal, budget: Budget
    ) -> tuple[tuple[int, ...], Walked]:
        points = [((*counts, number), 1) for number, counts in enumerate(options)]
        ends = zip(*(values for values, _ in points), strict=True)
        ranges = {name: (min(own), max(own)) for name, own in zip(self.names, ends, strict=True)}
        found = self.elimination.run(known, [Source(self.names, points, ranges)], True, budget)
        best, most = None, Fraction(0)
        for *key, number in sorted(found, key=itemgetter(-1)):
            value = Fraction(key[goal]) if isinstance(goal, int) else goal(tuple(key))
            if best is None or is_better(value.as_integer_ratio(), most.as_integer_ratio()):
                best, most = (options[number], Walked({tuple(key): 1}, 1)), value
        assert best
        return best


def _seat(node: Node, leaves: Mapping[str, Node]) -> Node:
    """A formula in which names of numbers that are picked are variables."""
    if node.op == "name":
        return leaves.get(str(node.args[0]), node)
    return Node(node.op, tuple([_seat(arg, leaves) if isinstance(arg, Node) else arg for arg in node.args]))


def _find_after(walk: _Walk, frame: Frame, name: str, numbers: Sequence[str]) -> Frame:
    """The frame behind a pick."""
    bounds = frame.bounds
    for number in numbers:
        bounds = bounds.with_value(number, interval_between(0, MAX_DICE))
    statements = {own: node for own, node in frame.statements.items() if own != name}
    own = pick_parameters(walk.rule, Stage("choice", (name,)), frame.position)
    parameters = {key: node for key, node in frame.parameters.items() if key not in own}
    return replace(walk.after_stage(frame), statements=statements, parameters=parameters, bounds=bounds)


def _find_classes(walk: _Walk, frame: Frame, name: str) -> list[_Class]:
    """The dice that can be picked; of all others of these kinds none. The first kind comes first, then the lowest."""
    unroller = Unroller(walk.rule, walk.setup.constants, frame.tables, frame.domains, walk.setup.eager)
    of = walk.rule.picks[name].of[0]
    kinds, able, found = walk.rule.kinds_of(of), unroller.dice(of, {}), []
    for number, member in enumerate(unroller.members):
        if member.kind in kinds:
            low, high = able.get(number, (member.number, member.number))
            value = member.words["value"]
            if not is_number(value):
                raise NotExactError("it is not known which dice can be picked")
            order = kinds.index(member.kind), int(value.args[0])
            found.append(_Class(unroller.taken_name(name, number), subtract(high, low), order))
    return sorted(found, key=lambda own: own.order)


def _work_out(walk: _Walk, frame: Frame, known: Known, node: Node) -> int:
    if node.op == "name" and node.args[0] in known:
        return int(known[node.args[0]])
    size = node if is_number(node) else walk.work_out(frame, known, node)
    if not is_number(size):
        raise NotExactError("it is not known which dice can be picked")
    return int(size.args[0])
