"""Evaluates a question over independent sources of chance, one after the other: variable elimination.

A source is a group of dice, or how many dice of a pool show one of its faces. After each source only what the rest of
the question still needs is kept: formulas whose dice are all known become numbers; sums and maxima become partial ones;
comparisons that can only end in one way are decided, and what only these need is forgotten. Equal states are merged. So
`max(a, b, c)` never needs all dice at once, and a walk over faces only knows the best face so far.

What is left of a question after a source is again a list of formulas; each source is compiled to one Python loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Any, NamedTuple

from ..game.formula import Node
from .budget import Budget
from .plan import AnyPlan, Plan
from .residual import Residual

_NODES_PER_STEP = 10  # nodes of formulas that cost as much as a step
_States = dict[tuple[Any, ...], int]
Points = Sequence[tuple[tuple[int, ...], int]]  # values of the coordinates, with their weights


class Source(NamedTuple):
    """A source of chance: the names of its coordinates, and their values with weights.

    For a face of a pool there are such values for each number of dice that are left; `rest` has the other faces, and
    `left` the weight of all that these dice may show there."""

    names: tuple[str, ...]
    points: Any
    ranges: Mapping[str, tuple[float, float]]
    rest: tuple[str, ...] | None = None
    pool: str = ""
    left: Sequence[int] = ()

    @property
    def shape(self) -> tuple[Any, ...]:
        return self.names, self.rest, self.pool

    @property
    def width(self) -> int:
        """How many values there are, on average."""
        per_face = self.rest is not None and isinstance(self.points[0], list)
        return len(self.points[-1]) // 2 + 1 if per_face else len(self.points)

    @property
    def bits(self) -> int:
        """About how long the weights are."""
        points = self.points[-1] if self.rest is not None and isinstance(self.points[0], list) else self.points
        return max(int(points[place][1]).bit_length() for place in (0, -1, len(points) // 2)) if points else 0


def face_sources(dice: int, names: Sequence[str], weights: Sequence[int]) -> Iterator[Source]:
    """A pool as one source for each of its faces: how many dice show it. The last face is on all dice that are left."""
    for number, (name, weight) in enumerate(zip(names, weights, strict=True)):
        rest, is_last = tuple(names[number + 1 :]), number == len(names) - 1
        points = [
            [((times,), comb(left, times) * weight**times) for times in range(left if is_last else 0, left + 1)]
            for left in range(dice + 1)
        ]
        share = sum(weights[number + 1 :])
        left = [share**dice_left for dice_left in range(dice + 1)]
        yield Source((name,), points if number else points[dice], {name: (0, dice)}, rest, names[0], left)


def eliminate(
    plan: Plan, sources: Sequence[Source], replaced: Mapping[str, Node] | None = None, key: Any = None
) -> Elimination:
    """The compiled question for sources of this shape; the plan keeps it."""
    shape = (tuple([source.shape for source in sources]), key)
    if shape not in plan.eliminations:
        plan.eliminations[shape] = Elimination(plan, shape[0], replaced or {})
    elimination: Elimination = plan.eliminations[shape]
    return elimination


class Elimination:
    """A question compiled for sources with certain coordinates; `replaced` coordinates are sums of others."""

    def __init__(self, plan: AnyPlan, shapes: Sequence[tuple[Any, ...]], replaced: Mapping[str, Node]) -> None:
        self.plan, self.shapes = plan, shapes
        residual = Residual.of_plan(plan, replaced)
        self.stages, self.costs = [], []
        for number, (names, rest, pool) in enumerate(shapes[:-1]):
            residual, run, nodes = residual.after(number, names, rest, pool)
            self.stages.append(run)
            self.costs.append(nodes if plan.has_stage_costs else plan.size)
        self.costs.append(residual.size if plan.has_stage_costs else plan.size)
        self.residual = residual
        self.last: dict[bool, Any] = {}

    def run(self, known: Mapping[str, Any], sources: Sequence[Source], gathering: bool, budget: Budget) -> Any:
        """The weight of each outcome; or of each outcome with the values of the question."""
        ranges = {name: ends for source in sources for name, ends in source.ranges.items()}
        states: _States = {(): 1}
        rests: dict[str, Sequence[int]] = {}
        bits = 0
        if gathering not in self.last:
            names, _, pool = self.shapes[-1] if self.shapes else ((), None, "")
            self.last[gathering] = self.residual.last(names, pool, gathering)
        runs = [*self.stages, self.last[gathering]]
        for run, source, nodes in zip(runs, sources or [Source((), [((), 1)], {})], self.costs, strict=True):
            bits += source.bits
            budget.spend(len(states) * source.width * (1 + nodes / _NODES_PER_STEP), bits)
            rests[source.pool] = source.left
            states = run(known, states, source.points, ranges, rests)
        return states
