"""Finite automaton of one die: its states, the transition for each face, and the dice that it earns.

A state is a die about to be rolled: its kind, its last face, and the number of the throw. Throws that no formula can
distinguish share one state, so the automaton is finite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple, TypeVar

from ..game.core import ROLLS_AGAIN, CoreKind, Reroll
from ..game.formula import Node, collect_names
from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value, interval_between
from .bound_rule import BoundRule, RollError, Transition, keeps_old
from .compiled_rule import CompiledRule

_MAX_DISTINCT_THROWS = 64  # throws that formulas may distinguish
_MAX_FACE_PAIRS = 10_000  # pairs of a face and the face before it
_ZERO_NODE = Node("number", (0,))


class _ThrowTests(NamedTuple):
    """The tests of a kind of dice on each throw, with names of tests replaced by their formulas."""

    tests: Mapping[str, Node]
    names: frozenset[str]

    @property
    def throw_dependent(self) -> dict[str, Node]:
        """The tests that can depend on the number of the throw."""
        return {name: node for name, node in self.tests.items() if "throw" in collect_names(node)}


def find_distinctions(bound_rule: BoundRule, kind: int) -> tuple[bool, int]:
    """Whether the previous face matters, and the throw from which on all throws are equivalent."""
    throw_tests_of_kind = _get_expanded_tests(bound_rule.program, kind)
    if "throw" not in throw_tests_of_kind.names:
        return "last" in throw_tests_of_kind.names, 1
    known = tuple(
        sorted((name, bound_rule.known[name]) for name in throw_tests_of_kind.names & bound_rule.known.keys())
    )
    faces = tuple(sorted(set(bound_rule.kinds[kind].faces)))
    first_equivalent = bound_rule.rule.cached(
        ("equivalent throw", kind, faces, known), lambda: _find_equivalent_throw(bound_rule.program, kind, faces, known)
    )
    if first_equivalent is None:
        raise RollError(
            f"the {bound_rule.rule.kinds[kind].name} dice tell more than {_MAX_DISTINCT_THROWS} throws apart"
        )
    return "last" in throw_tests_of_kind.names, first_equivalent


def _get_expanded_tests(compiled_rule: CompiledRule, kind: int) -> _ThrowTests:
    return compiled_rule.rule.cached(("throw tests", kind), lambda: _expand_tests(compiled_rule, kind))


def _words_of(kind: CoreKind) -> dict[str, Node]:
    """The tests of a kind, as parts of formulas."""
    words: dict[str, Node] = {}
    for name, test in kind.tests.items():
        words[name] = Node("!=", (_inline_words(test.node, words), _ZERO_NODE))
    return words


def inline_tests(kind: CoreKind, node: Node) -> Node:
    """A formula with the tests of a kind in place of their names, and with `face` for the value of the die."""
    return _inline_words(node, {**_words_of(kind), "value": Node("name", ("face",))})


def _expand_tests(compiled_rule: CompiledRule, kind: int) -> _ThrowTests:
    own = compiled_rule.rule.kinds[kind]
    words = _words_of(own)
    tests = {name: _inline_words(formula.node, words) for name, formula in own.throw_formulas.items()}
    tests |= {
        f"hit {number}": _inline_words(node, words)
        for number, node in enumerate(compiled_rule.kinds[kind].collect_throw_tests())
    }
    return _ThrowTests(tests, frozenset().union(*map(collect_names, tests.values())))


def _inline_words(node: Node, words: Mapping[str, Node]) -> Node:
    if node.op == "name":
        return words.get(node.args[0], node)
    return Node(node.op, tuple(_inline_words(arg, words) if isinstance(arg, Node) else arg for arg in node.args))


def _find_equivalent_throw(
    compiled_rule: CompiledRule, kind: int, faces: tuple[int, ...], known: tuple[tuple[str, Any], ...]
) -> int | None:
    """The throw from which on all throws are equivalent; None if it is not below MAX_DISTINCT_THROWS."""
    throw_tests_of_kind, bounds = _get_expanded_tests(compiled_rule, kind), compiled_rule.bounds
    sides = sum(face.copies for face in compiled_rule.rule.kinds[kind].faces) or len(faces)
    for name, value in (*compiled_rule.rule.face_words.items(), *known, ("sides", sides)):
        bounds = bounds.with_value(name, exact_value(value))
    throw, words = 1, {face: compiled_rule.rule.words_on(kind, face) for face in faces}
    again = enumerate(compiled_rule.rule.kinds[kind].again)
    onward = [f"when {number}" for number, entry in again if entry.roll in ROLLS_AGAIN]
    # equivalence from one throw on holds for later throws too
    for face, last in _face_pairs(throw_tests_of_kind, words, bounds, onward):
        while not _is_equivalent(throw_tests_of_kind, bounds, throw, words[face], last):
            throw += 1
            if throw == _MAX_DISTINCT_THROWS:
                return None
    return throw


def _face_pairs(
    throw_tests_of_kind: _ThrowTests,
    words: Mapping[int, Mapping[str, Any]],
    bounds: Bounds,
    onward_names: Collection[str],
) -> Iterator[tuple[int, int]]:
    """Each face with the value of each possible previous face; 0 if the previous face does not matter."""
    before, onward = [0], [node for name, node in throw_tests_of_kind.tests.items() if name in onward_names]
    if not onward:
        before = []
    elif "last" in throw_tests_of_kind.names:
        values = [face["face"] for face in words.values()]
        wide = _bounds_since(bounds, 1).with_value("last", interval_between(min(0, *values), max(0, *values)))
        before = [
            face["face"] for face in words.values() if any(_may_hold(node, _with_words(wide, face)) for node in onward)
        ]
    if len(before) * len(words) > _MAX_FACE_PAIRS:
        raise RollError(f"dice that tell throws apart cannot have {len(words):,} faces")
    return product(words, dict.fromkeys(before))


def _with_words(bounds: Bounds, words: Mapping[str, Any]) -> Bounds:
    for name, value in words.items():
        bounds = bounds.with_value(name, exact_value(value))
    return bounds


def _bounds_since(bounds: Bounds, throw: int) -> Bounds:
    """The bounds for all throws from this one on."""
    later = Bounds({"throw": (throw, inf)}, bounds.values, bounds.tables)
    return later.with_value("throw", later.variable_interval("throw"))


def _may_hold(node: Node, bounds: Bounds) -> bool:
    result = evaluate_bounds(node, bounds)
    return not isinstance(result, Interval) or result.truth is not False


def _is_equivalent(
    throw_tests_of_kind: _ThrowTests, bounds: Bounds, throw: int, words: Mapping[str, Any], last: int
) -> bool:
    """Whether a face with these words after `last` has the same effect on this throw and all later ones."""
    known = _with_words(_bounds_since(bounds, throw), {**words, "last": last})
    results = {name: evaluate_bounds(node, known) for name, node in throw_tests_of_kind.throw_dependent.items()}
    return all(
        isinstance(result, Interval)
        and (
            (result.is_exact or not _may_hold(throw_tests_of_kind.tests[name.replace("count", "when")], known))
            if name.startswith("count")  # of dice that are not earned the number does not matter
            else result.truth is not None
        )
        for name, result in results.items()
    )


_MAX_ROUNDS = 100
_MAX_BRANCHES = 100_000


class DieState(NamedTuple):
    """A state: a die about to be rolled. Throw 0 is the first throw including its rerolls.

    A die that may be rerolled as a whole also has an attempt: its value so far, and the rounds before."""

    kind: int
    last: int = 0
    throw: int = 1
    attempt: tuple[int, int] | None = None


class Branch(NamedTuple):
    """The transition of one face, which is on `weight` sides of the die."""

    weight: int
    transition: Transition
    next_state: DieState | None
    earned: tuple[tuple[DieState, int], ...]  # the dice that it earns, by kind

    @property
    def child_states(self) -> tuple[tuple[DieState, int], ...]:
        return ((self.next_state, 1), *self.earned) if self.next_state else self.earned


def add_dice(dice: Iterable[tuple[DieState, int]]) -> tuple[tuple[DieState, int], ...]:
    """Dice about to be rolled, each sort once, in order."""
    numbers: dict[DieState, int] = {}
    for state, number in dice:
        if number:
            numbers[state] = numbers.get(state, 0) + number
    return tuple(sorted(numbers.items()))


class Automaton:
    """The automaton of the dice of a bound rule; `eager` decides whether optional dice are rolled."""

    def __init__(self, bound_rule: BoundRule, eager: bool = True) -> None:
        self.setting, self.eager = bound_rule, eager
        self.found: dict[DieState, list[Branch]] = {}
        self.shown: dict[tuple[int, bool], dict[int, int]] = {}

    def find_branches(self, state: DieState) -> list[Branch]:
        if state not in self.found:
            self.found[state] = list(self.explore(state))
        return self.found[state]

    def explore(self, state: DieState) -> Iterator[Branch]:
        bound_kind = self.setting.kinds[state.kind]
        for face, weight in sorted(self.face_weights(state).items()):
            transition = bound_kind.get_transition(face, state.last, max(state.throw, 1))
            is_eager = bound_kind.kind.takes(self.eager)
            taken = (1, 2) if is_eager else (1,)
            goes_on = transition.rerolls in taken or transition.explodes in taken
            next_state = self.follow(state, transition.value) if goes_on else None
            earned = add_dice(
                (DieState(kind), number) for kind, number, optional in transition.earned if is_eager or not optional
            )
            if transition.rerolls in taken:
                transition = transition._replace(value=0, hits=(0,) * len(transition.hits), is_replaced=True)
            yield Branch(weight, transition, next_state, earned)

    def follow(self, state: DieState, value: int) -> DieState:
        last, furthest = find_distinctions(self.setting, state.kind)
        return DieState(state.kind, value if last else 0, min(max(state.throw, 1) + 1, furthest))

    def face_weights(self, state: DieState) -> dict[int, int]:
        """The number of sides, or of combinations after rerolls, for each face."""
        key = (state.kind, state.throw > 0)
        if key not in self.shown:
            plain = dict(Counter(self.setting.kinds[state.kind].faces))
            self.shown[key] = plain if state.throw else self.apply_rerolls(state.kind, plain)
        return self.shown[key]

    def sides(self, state: DieState) -> int:
        return sum(self.face_weights(state).values()) if not state.throw else len(self.setting.kinds[state.kind].faces)

    def initial_state(self, kind: int) -> DieState:
        """The initial state of a die of the first round."""
        return DieState(kind, 0, 0 if any(self.reroll_rounds(kind)) else 1)

    def reroll_rounds(self, kind: int) -> Iterator[Reroll]:
        """The rerolls of all matching dice, once for each round."""
        rule = self.setting.rule
        for reroll in rule.again:
            if reroll.pick == "all" and kind in rule.kinds_of(reroll.of):
                times = max(self.setting.evaluate(reroll.times), 0)
                if times > _MAX_ROUNDS:
                    raise RollError(f"{times:,} rounds of rerolls are more than the {_MAX_ROUNDS} that odds can follow")
                yield from [reroll] * times

    def apply_rerolls(self, kind: int, plain: dict[int, int]) -> dict[int, int]:
        weights_so_far, sides = plain, sum(plain.values())
        values = {face: self.setting.rule.words_on(kind, face)["face"] for face in plain}
        for reroll in self.reroll_rounds(kind):
            after: dict[int, int] = {}
            for face, weight in weights_so_far.items():
                is_rerolled = self.setting.is_rerolled(reroll, kind, values[face])
                for new, share in plain.items() if is_rerolled else ((face, sides),):
                    stays = face if keeps_old(reroll, values[face], values[new]) else new
                    after[stays] = after.get(stays, 0) + weight * share
            weights_so_far = after
        return weights_so_far

    def find_reachable(self, starts: Sequence[DieState]) -> list[DieState]:
        """All reachable states, the starts first."""
        reached = dict.fromkeys(starts)
        stack = list(starts)
        while stack:
            state = stack.pop()
            for branch in self.find_branches(state):
                for child, _ in branch.child_states:
                    if child not in reached:
                        reached[child] = None
                        stack.append(child)
            if sum(map(len, self.found.values())) > _MAX_BRANCHES:
                raise RollError("these dice tell too many faces apart that may lie before a throw")
        return list(reached)

    def average_offspring(self, state: DieState) -> dict[DieState, Fraction]:
        """The average number of dice in each state after one throw."""
        averages: dict[DieState, Fraction] = {}
        for branch in self.find_branches(state):
            for child, times in branch.child_states:
                averages[child] = averages.get(child, Fraction(0)) + Fraction(branch.weight * times, self.sides(state))
        return averages

    def has_finite_mean(self, states: Sequence[DieState]) -> bool:
        """Whether the average number of throws is finite."""
        rows = {state: self.average_offspring(state) for state in states}
        throws = solve_linear(rows, dict.fromkeys(states, Fraction(1)))
        return throws is not None and all(number > 0 for number in throws.values())


_State = TypeVar("_State", bound=Hashable)


def solve_linear(
    rows: Mapping[_State, Mapping[_State, Fraction]], right: Mapping[_State, Fraction]
) -> dict[_State, Fraction] | None:
    """Solve x = rows·x + right by elimination; None if the solution is not unique."""
    system = {}
    for state, row in rows.items():
        line = {other: -share for other, share in row.items() if share}
        line[state] = line.get(state, Fraction(0)) + 1
        system[state] = (line, right[state])
    order = list(system)
    for number, pivot in enumerate(order):
        line, value = system[pivot]
        if not line.get(pivot):
            return None
        for other in order[:number] + order[number + 1 :]:
            system[other] = _eliminate(system[other], pivot, line, value)
    return {state: value / line[state] for state, (line, value) in system.items()}


def _eliminate(
    row: tuple[dict[_State, Fraction], Fraction], pivot: _State, line: Mapping[_State, Fraction], value: Fraction
) -> tuple[dict[_State, Fraction], Fraction]:
    own, right = row
    if not own.get(pivot):
        return row
    times = own[pivot] / line[pivot]
    mixed = dict(own)
    for name, share in line.items():
        mixed[name] = mixed[name] - times * share if name in mixed else -times * share
    return {name: share for name, share in mixed.items() if share and name != pivot}, right - times * value
