"""Where dice without end stop to matter: the end from which the outcome of a roll no longer changes.

The formulas are evaluated over intervals in which some variables move, such as a sum of exploding dice from an end on,
while all others have any value that they can have, but stay as they are. Of each formula we ask how it follows: not at
all, in a straight line, or somehow. From the end on no outcome may follow. A value that follows in a straight line has
the same mean as on two points of that line; so two weighted points replace a tail, and sums stay finite and exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from ..game.formula import COMPARISONS, ROUNDING_FUNCTIONS, Node
from ..game.intervals import (
    EITHER_TRUTH,
    Bounds,
    Interval,
    ValueSet,
    apply_operation,
    evaluate_bounds,
    exact_value,
    interval_between,
    join_values,
    look_up_cells,
)
from .plan import Plan

_FAR_END = 2**44
_MOST_OPTIONS = 16
_STAYS, _IN_LINE, _SOMEHOW = 0, 1, 2  # how a value follows the variables that move
SETTLED_VALUES = (_STAYS, _IN_LINE)  # what points can replace: of groups without lines, and with them


class TailCase(NamedTuple):
    """Some variables within bounds, the coordinates as sums of them, and which of them move."""

    variables: Mapping[str, tuple[float, float]]
    coordinates: Mapping[str, Mapping[str, int]]
    moving: frozenset[str]


class _Option(NamedTuple):
    """A value that a formula may take, and how it follows."""

    value: Interval
    follows: int


class _Followed(NamedTuple):
    """What a formula does: it takes the value of one of its options, by a choice that stays as it is.

    Where the options are compared with each other (max, min), the choice may change if the value is `kinked`, but the
    sign of each option still decides every comparison."""

    options: tuple[_Option, ...]
    kinked: bool = False
    words: frozenset[str] | None = None

    @property
    def follows(self) -> int:
        most = max((option.follows for option in self.options), default=_STAYS)
        return _SOMEHOW if self.kinked and most else most

    @property
    def value(self) -> ValueSet:
        return self.words if self.words is not None else join_values([option.value for option in self.options])

    @property
    def truth(self) -> bool | None:
        value = self.value
        return value.truth if isinstance(value, Interval) else None


def find_end(is_settled: Callable[[int], bool], least: int, hint: int) -> int | None:
    """The least end that settles a question: first doubling from a guess, then bisection. None if there is none."""
    low, high = least, max(hint, least)
    if not is_settled(high):
        if not is_settled(max(_FAR_END, 2 * high)):
            return None
        step = 1
        while not is_settled(high):
            low, high, step = high + 1, high + step, 2 * step
    while low < high:
        middle = high - 1 if high == hint else (low + high) // 2
        if is_settled(middle):
            high = middle
        else:
            low = middle + 1
    return high


class TailAnswer(NamedTuple):
    """In a tail: whether the outcome stays as it is, how the values follow, and their bounds."""

    outcome_stays: bool
    follows: int
    values: list[tuple[float, float]]


def follow_question(plan: Plan, known: Mapping[str, Any], cases: Sequence[TailCase]) -> TailAnswer:
    """What the outcome and the values of a question do while variables move; each case is of another group."""
    return _Follower(plan, known, cases).answer()


class _Follower:
    """Evaluates the formulas of a question while variables move."""

    def __init__(self, plan: Plan, known: Mapping[str, Any], cases: Sequence[TailCase]) -> None:
        self.plan, self.known = plan, known
        self.moving = frozenset().union(*(case.moving for case in cases))
        variables = {name: ends for case in cases for name, ends in case.variables.items()}
        self.bounds = Bounds(variables, dict(plan.bounds.values), plan.bounds.tables)
        self.values: dict[str, _Followed] = {}
        exact = {name: int(low) for name, (low, high) in variables.items() if low == high}
        for name, terms in ((name, terms) for case in cases for name, terms in case.coordinates.items()):
            constant = sum(times * exact.get(own, 0) for own, times in terms.items())
            value = self.bounds.evaluate_affine(constant, {own: n for own, n in terms.items() if own not in exact})
            self.values[name] = _Followed((self.option(value, ()),))

    def option(self, value: Interval, parts: Sequence[_Option]) -> _Option:
        """An option made of parts: its coefficients say how it follows, if it has them."""
        if value.is_exact:
            return _Option(value, _STAYS)
        if value.terms is not None:
            return _Option(value, _IN_LINE if self.moving & value.terms.keys() else _STAYS)
        return _Option(value, max((part.follows for part in parts), default=_STAYS))

    def answer(self) -> TailAnswer:
        for name, node in self.plan.statements.items():
            entry = self.plan.compiled.asked.get(name)
            if entry:
                worth = [self.constant(self.known[name]), self.constant(entry.default)]
                self.values[name] = self.choose(self.truth(node), worth)
            else:
                self.values[name] = self.follow(node)
        stays = True
        for node in self.plan.targets[: len(self.plan.question.conditions)]:
            test = self.truth(node)
            stays = stays and test.follows == _STAYS
            if test.truth:
                break
        found = [self.follow(node) for node in self.plan.targets[len(self.plan.question.conditions) :]]
        spans = [(one.value.low, one.value.high) if isinstance(one.value, Interval) else (0.0, 0.0) for one in found]
        return TailAnswer(stays, max((one.follows for one in found), default=_STAYS), spans)

    def constant(self, value: Any) -> _Followed:
        exact = exact_value(value)
        if isinstance(exact, frozenset):
            return _Followed((), words=exact)
        return _Followed((_Option(exact, _STAYS),))

    def follow(self, node: Node) -> _Followed:
        if node.op in ("number", "word"):
            return self.constant(node.args[0])
        if node.op in ("name", "tally"):
            name = node.args[0]
            return self.values[name] if name in self.values else self.constant(self.known[name])
        if node.op == "if":
            return self.choose(self.truth(node.args[0]), [self.follow(arg) for arg in node.args[1:]])
        if node.op in ("and", "or", "not"):
            return self.combine_truths(node)
        if node.op in COMPARISONS:
            return self.compare(node.op, *map(self.follow, node.args))
        if node.op == "lookup":
            return self.look_up(node)
        parts = [self.follow(arg) for arg in node.args]
        if node.op in ROUNDING_FUNCTIONS:
            return self.divide(node.op, parts)
        if node.op in ("max", "min"):
            return self.extreme(node.op, parts)
        if node.op == "abs":
            return self.extreme("max", [parts[0], self.arithmetic("neg", parts)])
        return self.arithmetic(node.op, parts)

    def arithmetic(self, op: str, parts: Sequence[_Followed]) -> _Followed:
        options = []
        for way in product(*(part.options for part in parts)):
            value = apply_operation(op, [option.value for option in way], self.bounds)
            option = self.option(value, way)
            if op == "*" and sum(part.follows > _STAYS for part in way) > 1 and option.follows:
                option = option._replace(follows=_SOMEHOW)
            options.append(option)
        if op == "*" and self.may_turn(parts):
            return self.lump(options)
        return self.gather(options, any(part.kinked for part in parts))

    def may_turn(self, parts: Sequence[_Followed]) -> bool:
        """Whether a product or quotient may turn the order of options around while the choice of one changes."""
        return any(part.kinked for part in parts) and sum(part.follows > _STAYS for part in parts) > 1

    def gather(self, options: Iterable[_Option], kinked: bool) -> _Followed:
        """These options; if they are too many, a value within their bounds that follows somehow."""
        distinct: dict[tuple[Any, ...], _Option] = {}
        for option in options:
            value = option.value
            form = None if value.terms is None else (tuple(sorted(value.terms.items())), value.const)
            distinct[value.low, value.high, form, option.follows] = option
        if len(distinct) <= _MOST_OPTIONS:
            return _Followed(tuple(distinct.values()), kinked)
        return self.lump(distinct.values())

    def lump(self, options: Iterable[_Option], follows: int = _STAYS) -> _Followed:
        """One value within the bounds of all, which follows if any of them does."""
        every = list(options)
        low, high = min(one.value.low for one in every), max(one.value.high for one in every)
        most = max([follows, *(one.follows for one in every)])
        return _Followed((_Option(interval_between(low, high), _SOMEHOW if most else _STAYS),))

    def difference(self, left: _Option, right: _Option) -> _Option:
        value = apply_operation("+", [left.value, apply_operation("neg", [right.value], self.bounds)], self.bounds)
        return self.option(value, (left, right))

    def extreme(self, op: str, parts: Sequence[_Followed]) -> _Followed:
        """max or min: an option that never wins falls away."""
        options, kinked = list(parts[0].options), any(part.kinked for part in parts)
        for part in parts[1:]:
            lost: set[int] = set()
            for (at, left), (number, right) in product(enumerate(options), enumerate(part.options, len(options))):
                gap = self.difference(left, right)
                low, high = (gap.value.low, gap.value.high) if op == "max" else (-gap.value.high, -gap.value.low)
                if low >= 0 and len(part.options) == 1:
                    lost.add(number)
                elif high <= 0 and len(options) == 1:
                    lost.add(at)
                elif low < 0 < high and gap.follows:
                    kinked = True
            options = [one for number, one in enumerate([*options, *part.options]) if number not in lost]
        return self.gather(options, kinked and len(options) > 1)

    def choose(self, test: _Followed, ways: Sequence[_Followed]) -> _Followed:
        if test.truth is not None:
            return ways[0 if test.truth else 1]
        if any(way.words is not None for way in ways):
            words = frozenset().union(*(way.words or () for way in ways))
            follows = max([test.follows, *(way.follows for way in ways)])
            return self.words(words, follows)
        options = [option for way in ways for option in way.options]
        if test.follows:
            return self.lump(options, _SOMEHOW)
        return self.gather(options, any(way.kinked for way in ways))

    def words(self, words: frozenset[str], follows: int) -> _Followed:
        """Some word; an option without meaning says how it follows."""
        follows = _SOMEHOW if follows and len(words) > 1 else _STAYS
        return _Followed((_Option(EITHER_TRUTH, follows),), words=words)

    def truth(self, node: Node) -> _Followed:
        if node.op in ("and", "or", "not") or node.op in COMPARISONS:
            return self.follow(node)
        return self.compare("!=", self.follow(node), self.constant(0))

    def truth_value(self, truth: bool | None, follows: int) -> _Followed:
        if truth is None:
            return _Followed((_Option(EITHER_TRUTH, follows),))
        return self.constant(int(truth))

    def compare(self, op: str, left: _Followed, right: _Followed) -> _Followed:
        if left.words is not None or right.words is not None:
            sides = [Node("name", ("left",)), Node("name", ("right",))]
            bounds = Bounds({}, {"left": left.value, "right": right.value})
            value = evaluate_bounds(Node(op, tuple(sides)), bounds)
            truth = value.truth if isinstance(value, Interval) else None
            return self.truth_value(truth, max(left.follows, right.follows))
        truths, follows = set(), _STAYS
        for one, other in product(left.options, right.options):
            gap = self.difference(one, other)
            low, high = gap.value.low, gap.value.high
            if op in ("=", "!="):
                same = True if low == high == 0 else None if low <= 0 <= high else False
                truth = None if same is None else same is (op == "=")
            else:
                truth = apply_operation(op, [gap.value, Interval(0, 0, {}, 0)], self.bounds).truth
            truths.add(truth)
            follows = max(follows, gap.follows if truth is None else _STAYS)
        return self.truth_value(truths.pop() if len(truths) == 1 else None, _SOMEHOW if follows else _STAYS)

    def combine_truths(self, node: Node) -> _Followed:
        tests = [self.truth(arg) for arg in node.args]
        truth = apply_operation(node.op, [self.as_interval(test) for test in tests], self.bounds).truth
        open_tests = [test.follows for test in tests if test.truth is None]
        return self.truth_value(truth, max(open_tests, default=_STAYS))

    def as_interval(self, test: _Followed) -> Interval:
        return EITHER_TRUTH if test.truth is None else Interval(int(test.truth), int(test.truth), {}, int(test.truth))

    def divide(self, op: str, parts: Sequence[_Followed]) -> _Followed:
        """A divisor that moves and may become 0 settles nothing, as that would be an error."""
        options = []
        for way in product(*(part.options for part in parts)):
            value = apply_operation(op, [option.value for option in way], self.bounds)
            same = value is way[0].value
            may_fail = way[1].follows and way[1].value.low <= 0 <= way[1].value.high
            moves = may_fail or (not value.is_exact and any(option.follows for option in way))
            options.append(way[0] if same else _Option(value, _SOMEHOW if moves else _STAYS))
        if self.may_turn(parts) or parts[1].kinked:
            return self.lump(options)
        return self.gather(options, any(part.kinked for part in parts))

    def look_up(self, node: Node) -> _Followed:
        row = self.follow(node.args[1])
        cells = look_up_cells(self.bounds.tables[node.args[0]], row.value, node.args[2])
        if isinstance(cells, frozenset):
            return self.words(cells, row.follows)
        return _Followed((_Option(cells, _SOMEHOW if row.follows and not cells.is_exact else _STAYS),))
