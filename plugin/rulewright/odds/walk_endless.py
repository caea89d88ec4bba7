"""Dice that go on: all that a die may show with all its throws, as faces of one roll.

A die that is rolled on, or earns dice of its own kind, is followed throw by throw; what formulas ask of each throw is
added up. Rolls that show the same are one face. What is still rolled on when little is left is one face more, with
open numbers (open_values.py); or with weight 0 and plain numbers, if these are not wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..game.core import EXPLODE, REROLL, CoreKind, RollAgain
from ..game.formula import Node, collect_names
from ..game.intervals import Bounds, Interval, evaluate_bounds, interval_between
from .budget import Budget, NotExactError
from .fold import constant, is_number, truth_of
from .open_values import Excess, Open, between, close_value, make_sum
from .unroll import DICE, ThrowAsked, Unroller, throw_word
from .walk_pools import COUNTS, ORDERED, Face, Pool, complete_words, order_faces

_MOST_THROWS = 200
_MOST_CLASSES = 20  # throws that add different numbers, of which all that follow are told apart
_OF_THROWS = ("throw", "last", "first")


class _Throw(NamedTuple):
    """What a throw does: what it adds to each total, how many dice follow, and whether it is replaced."""

    adds: tuple[int, ...]
    more: int
    is_replaced: bool


class _State(NamedTuple):
    """A die so far: its totals, its last face and its first, and how many dice are still to be rolled."""

    totals: tuple[int, ...]
    last: int
    first: int
    left: int


class EndlessDie:
    """A die of a kind that goes on; `thrown` are the faces of a throw, `asked` what formulas ask of each throw, and
    `words` what they ask of the whole die."""

    def __init__(
        self, unroller: Unroller, kind: int, thrown: Sequence[Face], asked: Sequence[ThrowAsked], words: Iterable[str]
    ) -> None:
        self.unroller, self.kind, self.own = unroller, kind, unroller.rule.kinds[kind]
        self.thrown, self.asked, self.sides = thrown, asked, sum(face.weight for face in thrown)
        self.entries = [entry for entry in self.own.again if entry.roll in (EXPLODE, REROLL, kind)]
        self.is_family = kind in self.own.earned_kinds
        if self.is_family and self.own.rolls_on:
            raise NotExactError("dice that are rolled on earn dice of their own kind")
        tests = [test.node for test in self.own.tests.values()]
        leading = [node for entry in self.entries for node in (entry.when.node, entry.count.node, entry.optional.node)]
        names = set[str]().union(*map(collect_names, (*tests, *leading, *(own.node for own in asked))))
        self.tells = names.intersection(_OF_THROWS)  # what tells throws apart
        shown = () if self.own.explodes or self.is_family else tuple(name for name, _ in thrown[0].words[1:])
        self.words = [name for name in (*_OF_THROWS, *shown) if name in set(words)]
        if any(entry.roll == REROLL for entry in self.entries) and {*self.tells, *self.words}.intersection(_OF_THROWS):
            raise NotExactError("throws that are replaced are told apart")
        self.known: dict[tuple[int, ...], _Throw] = {}
        self.drop_replaced()

    def drop_replaced(self) -> None:
        """Throws that are replaced and count nothing might as well not happen: they are as likely each time."""
        throws = [self.throw(place, 0, 0, 1) for place in range(len(self.thrown))] if not self.tells else []
        kept = [face for face, one in zip(self.thrown, throws, strict=False) if not one.is_replaced or any(one.adds)]
        if throws and not kept:
            raise NotExactError("these dice are rolled again whatever they show")
        if 0 < len(kept) < len(throws):
            self.thrown = kept
            self.known.clear()

    def throw(self, place: int, last: int, first: int, number: int) -> _Throw:
        """What a throw with this face does."""
        told = {"last": last, "first": first, "throw": number}
        key = (place, *(told[name] if name in self.tells else 0 for name in ("last", "first", "throw")))
        if key not in self.known:
            self.known[key] = self.work_out(self.thrown[place], told)
        return self.known[key]

    def work_out(self, face: Face, told: Mapping[str, int]) -> _Throw:
        shown: dict[str, Node] = {name: constant(value) for name, value in face.words}
        if told["throw"] > 1:
            shown |= {name: constant(value) for name, value in told.items()}
        own = complete_words(self.unroller, self.own, shown, self.sides)

        def value(node: Node) -> int:
            found = self.unroller.formula(node, own, {})
            if not is_number(found):
                raise NotExactError("it is not known which dice go on")
            return int(found.args[0])

        is_eager = self.unroller.rule.kinds[self.kind].takes(self.unroller.eager)

        def amount(entry: RollAgain) -> int:
            holds = value(truth_of(entry.when.node)) and (is_eager or not value(truth_of(entry.optional.node)))
            return max(value(entry.count.node), 0) if holds and self.is_family else int(holds)

        following = [(entry.roll, amount(entry)) for entry in self.entries]
        is_replaced = any(number for roll, number in following if roll == REROLL)
        adds = [0 if is_replaced else value(own["face"])]
        adds += [0 if is_replaced and not one.is_earning else value(one.node) for one in self.asked]
        adds += [1] if self.is_family else []
        more = sum(number for _, number in following)
        return _Throw(tuple(adds), more if self.is_family else min(more, 1), is_replaced)

    # All throws

    def list_faces(self, name: str, most: int, budget: Budget) -> tuple[Face, ...]:
        """All that a die may show, with weights; less than one part in `most` is left open, under this name."""
        states: dict[_State, int] = {_State((0,) * self.size, 0, 0, 1): 1}
        ended: list[dict[tuple[tuple[str, Any], ...], int]] = []
        size, whole = sum(face.weight for face in self.thrown), 1
        while states and sum(states.values()) * most >= whole:
            if len(ended) == _MOST_THROWS:
                raise NotExactError("these dice go on too long")
            budget.spend(len(states) * len(self.thrown))
            after: dict[_State, int] = {}
            done: dict[tuple[tuple[str, Any], ...], int] = {}
            for state, weight in states.items():
                for place, face in enumerate(self.thrown):
                    self.follow(state, weight * face.weight, place, len(ended) + 1, after, done)
            ended.append(done)
            states, whole = after, whole * size
        faces: dict[tuple[tuple[str, Any], ...], int] = {}
        for number, done in enumerate(ended, 1):
            for words, weight in done.items():
                faces[words] = faces.get(words, 0) + weight * size ** (len(ended) - number)
        rest = [Face(self.rest_words(name, states), sum(states.values()))] if states else []
        return (*rest, *(Face(words, weight) for words, weight in faces.items()))

    @property
    def size(self) -> int:
        """How many totals there are: the value, what formulas ask, and how many dice a family has."""
        return 1 + len(self.asked) + self.is_family

    @property
    def names(self) -> list[str]:
        """What formulas call the totals."""
        return ["face", *map(throw_word, self.asked), *([DICE] if self.is_family else [])]

    def follow(
        self,
        state: _State,
        weight: int,
        place: int,
        number: int,
        after: dict[_State, int],
        done: dict[tuple[tuple[str, Any], ...], int],
    ) -> None:
        """One throw of a die so far: what it becomes."""
        told = 1 if self.is_family else number
        one = self.throw(place, state.last, state.first, told)
        face = int(dict(self.thrown[place].words)["face"])
        first = state.first if told > 1 else face
        totals = tuple([total + add for total, add in zip(state.totals, one.adds, strict=True)])
        left = state.left - 1 + one.more
        if left:
            asks = {*self.tells, *self.words}
            key = _State(
                totals, face if "last" in asks and not self.is_family else 0, first if "first" in asks else 0, left
            )
            after[key] = after.get(key, 0) + weight
            return
        shown = {**dict(self.thrown[place].words), "last": state.last, "first": first, "throw": number}
        words = (*zip(self.names, totals, strict=True), *((name, shown[name]) for name in self.words))
        done[words] = done.get(words, 0) + weight

    # What is left

    def rest_words(self, name: str, states: Mapping[_State, int]) -> tuple[tuple[str, Any], ...]:
        """What dice show that are still rolled on: what they have, and how often throws that add the same follow."""
        throws = list(self.likely_throws())
        rest = sum(states.values())
        more = sum((share * one.more for share, one in throws), Fraction(0))
        left = Fraction(sum(state.left * weight for state, weight in states.items()), rest)
        number = left / (1 - more) if more < 1 and not self.tells else None  # how many throws follow
        shares: dict[tuple[int, ...], Fraction] = {}
        for share, one in throws:
            shares[one.adds] = shares.get(one.adds, Fraction(0)) + share
        words: list[tuple[str, Any]] = []
        for place, own in enumerate(self.names):
            have = [state.totals[place] for state in states]
            mean = Fraction(sum(state.totals[place] * weight for state, weight in states.items()), rest)
            total = make_sum(0, {Excess(f"{name} {own}", min(have), max(have), mean): 1})
            if min(have) == max(have):
                total = min(have)
            if len(self.names) == 1 or len(shares) > _MOST_CLASSES:
                adds = [one.adds[place] for _, one in throws]
                each = sum((share * one.adds[place] for share, one in throws), Fraction(0))
                ends = (-inf if min(adds) < 0 else 0, inf if max(adds) > 0 else 0)
                after = Excess(f"{name} {own} after", *ends, None if number is None else number * each)
                total = total + (make_sum(0, {after: 1}) if any(adds) else 0)
                words.append((own, total))
                continue
            for class_, (adds_of, share) in enumerate(shares.items()):
                times = Excess(f"{name} class {class_}", 0, inf, None if number is None else number * share)
                total = total + make_sum(0, {times: adds_of[place]})
            words.append((own, total))
        return (*words, *((own, self.rest_word(own)) for own in self.words))

    def likely_throws(self) -> Iterator[tuple[Fraction, _Throw]]:
        """What throws do, with their chances if all throws are alike."""
        if self.tells:
            yield from ((Fraction(0), one) for one in self.known.values())
            return
        size = sum(face.weight for face in self.thrown)
        for place, face in enumerate(self.thrown):
            yield Fraction(face.weight, size), self.throw(place, 0, 0, 1)

    def rest_word(self, own: str) -> Any:
        """What else formulas ask of a die that is still rolled on."""
        word = "face" if own in _OF_THROWS else own
        shown = [value for face in self.thrown for name, value in face.words if name == word]
        if any(isinstance(value, str) for value in shown):
            raise NotExactError("words of dice that go on too long")
        return between(2, inf) if own == "throw" else between(min(shown), max(shown))


def merge_rolls(unroller: Unroller, own: CoreKind, kind: int, faces: Sequence[Face], sides: int) -> tuple[Face, ...]:
    """Rolls that nothing tells apart become one; one with open numbers if these decide all that is asked."""
    merged: dict[tuple[Node, ...], Face] = {}
    for face in faces:
        leaves, bounds = dict[str, Node](), Bounds({}, {}, unroller.rule.tables)
        for number, (name, value) in enumerate(face.words):
            leaves[name] = Node("name", (f"OPEN_{number}",)) if isinstance(value, Open) else constant(value)
            if isinstance(value, Open):
                bounds = bounds.with_value(f"OPEN_{number}", interval_between(value.low, value.high))
        words = complete_words(unroller, own, leaves, sides)
        totals = [node for name, node in words.items() if ":" in name or name == DICE]
        asked = (unroller.formula(node, words, {}) for node in unroller.asked[kind])
        key = tuple([_settle(node, bounds) for node in (*totals, *asked)])
        old = merged.get(key)
        merged[key] = Face(face.words, old.weight + face.weight) if old else face
    return tuple(merged.values())


def _settle(node: Node, bounds: Bounds) -> Node:
    """What is asked of open numbers, if their bounds decide it."""
    if not collect_names(node) or not collect_names(node) <= bounds.values.keys():
        return node
    value = evaluate_bounds(node, bounds)
    return constant(int(value.low)) if isinstance(value, Interval) and value.is_exact else node


def close_rolls(faces: Sequence[Face]) -> tuple[Face, ...]:
    """The same without open numbers: what they would leave open weighs nothing."""
    return tuple(
        Face(tuple([(name, close_value(value)) for name, value in face.words]), 0)
        if any(isinstance(value, Open) for _, value in face.words)
        else face
        for face in faces
    )


def shape_endless(pool: Pool, probe: Unroller, is_held: bool, left_open: int, budget: Budget) -> Pool:
    """Dice that go on, with all their throws; those that leave numbers open are told apart."""
    kind, own = pool.kind, probe.rule.kinds[pool.kind]
    if is_held:
        raise NotExactError("dice that go on are rolled again")
    words = set[str]().union(*map(collect_names, probe.asked[kind]))
    words = words.union(*(collect_names(test.node) for test in own.tests.values() if words & own.tests.keys()))
    unroller = Unroller(probe.rule, probe.known, {}, {}, probe.eager)
    die = EndlessDie(unroller, kind, pool.faces, tuple(probe.asked_throws[kind]), words)
    faces = merge_rolls(probe, own, kind, die.list_faces(f"d{pool.number}", 2 ** abs(left_open), budget), pool.sides)
    closed, base = close_rolls(faces), sum(face.weight for face in faces)
    form = ORDERED if pool.present or pool.dice == 1 or closed != faces else COUNTS
    faces = faces if left_open > 0 else closed
    return replace(pool, form=form, faces=order_faces(faces) if form == COUNTS else faces, thrown=pool.faces, base=base)
