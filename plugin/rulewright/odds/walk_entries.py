"""The entries of `again` of a rule in a walk: which of them have a stage of their own, and which belong to the faces of
dice, because they do the same to each die by itself before anything looks at it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import gcd
from typing import TYPE_CHECKING, Any

from ..game.core import REROLL, CoreRule, Reroll
from ..game.formula import Node
from ..play.bound_rule import BoundRule
from .budget import NotExactError
from .fold import ZERO, constant, is_number, substitute
from .rule_facts import entry_kinds, find_earning, goes_on, kinds_in, names_in
from .unroll import Unroller
from .walk_pools import Face, complete_words

if TYPE_CHECKING:
    from .walk_frames import Setup

_MOST_SETTLED = 3  # how often an entry may roll dice again and belong to their faces


class RuleEntries:
    """The entries of a bound rule; `known` are values that do not change, `late` those that dice decide, and `open`
    choices that are not made yet."""

    def __init__(
        self, setting: BoundRule, known: Mapping[str, Any], open: Collection[str], late: Mapping[str, Node]
    ) -> None:
        self.rule, self.open, self.late = setting.rule, open, late
        asked = {name: entry for name, entry in setting.program.asked.items() if name in late}
        never = {
            name: entry.default
            for name, entry in asked.items()
            if _is_false(substitute(setting.program.get_formula(name).node, known, self.rule.tables))
        }
        self.known = {**known, **never}  # with the defaults of questions that do not arise
        self.settled = self.find_settled()

    def is_stage(self, number: int) -> bool:
        """Whether an entry may roll dice again, in a stage of its own."""
        return self.known_times(number) != 0 and number not in self.settled

    def known_times(self, number: int) -> int | None:
        """How often an entry rolls dice again; None if dice or choices decide that."""
        times = substitute(self.rule.again[number].times.node, self.known, self.rule.tables)
        return max(int(times.args[0]), 0) if is_number(times) else None

    def may_earn(self, kind: int) -> bool:
        """Whether throws may earn dice of a kind."""
        entries = [entry for own in find_earning(self.rule, kind).values() for entry in own]
        return not all(_is_false(substitute(entry.when.node, self.known, self.rule.tables)) for entry in entries)

    def find_settled(self) -> frozenset[int]:
        """Entries that belong to the faces of their dice."""
        found, lying = set[int](), set[int]()
        for stage in self.rule.order:
            if stage.what == "again":
                for number in map(int, stage.of):
                    kinds = set(entry_kinds(self.rule, self.rule.again[number]))
                    if self.known_times(number) != 0 and not (kinds <= lying and self.may_settle(number)):
                        lying = set()
                    found |= {number} if kinds <= lying else set()
            elif stage.what != "values" or not set(self.open).isdisjoint(stage.of):
                lying = {int(kind) for kind in stage.of} if stage.what == "dice" else set()
        numbers = range(len(self.rule.again))
        while True:
            others = [number for number in numbers if number not in found and self.known_times(number) != 0]
            held = {kind for number in others for kind in entry_kinds(self.rule, self.rule.again[number])}
            left = {number for number in found if held.isdisjoint(entry_kinds(self.rule, self.rule.again[number]))}
            if left == found:
                return frozenset(found)
            found = left

    def may_settle(self, number: int) -> bool:
        entry, times = self.rule.again[number], self.known_times(number)
        is_plain = entry.pick == "all" and entry.keep == "new" and self.rule.is_whole(entry.of)
        if not is_plain or entry.roll != REROLL or times is None or times > _MOST_SETTLED:
            return False
        if any(goes_on(self.rule, kind) for kind in self.rule.kinds_of(entry.of)):
            return False
        nodes = [entry.when.node] if entry.when else []
        nodes += [test.node for kind in entry_kinds(self.rule, entry) for test in self.rule.kinds[kind].tests.values()]
        return not kinds_in(self.rule, *nodes) and not names_in(self.rule, *nodes) & self.late.keys()

    def settle(self, kind: int, faces: tuple[Face, ...], setup: Setup) -> tuple[Face, ...]:
        """The faces of a die after the entries that belong to them."""
        entries = [(self.rule.again[number], self.known_times(number) or 0) for number in sorted(self.settled)]
        own = [(entry, times) for entry, times in entries if times and kind in entry_kinds(self.rule, entry)]
        unroller = Unroller(self.rule, setup.constants, {}, {}, setup.eager)
        return _settle_faces(self.rule, kind, faces, own, unroller) if own else faces


def _settle_faces(
    rule: CoreRule, kind: int, faces: Sequence[Face], entries: Sequence[tuple[Reroll, int]], unroller: Unroller
) -> tuple[Face, ...]:
    """The faces of a die that entries roll again, each so many times, with weights."""
    sides = sum(face.weight for face in faces)
    words = [
        complete_words(unroller, rule.kinds[kind], {name: constant(value) for name, value in face.words}, sides)
        for face in faces
    ]
    weights = [face.weight for face in faces]
    for entry, times in entries:
        when = entry.when.node if entry.when else constant(1)
        meets = [substitute(unroller.formula(when, own, {}), {}, rule.tables) for own in words]
        if not all(map(is_number, meets)):
            raise NotExactError("it is not known which dice are rolled again")
        for _ in range(times):
            again = sum(weight for weight, own in zip(weights, meets, strict=True) if own.args[0])
            stay = [0 if own.args[0] else weight * sides for weight, own in zip(weights, meets, strict=True)]
            weights = [old + again * face.weight for old, face in zip(stay, faces, strict=True)]
    common = gcd(*weights)
    named = zip(faces, weights, strict=True)
    return tuple(Face((*face.words, ("sides", sides)), weight // common) for face, weight in named)


def _is_false(node: Node) -> bool:
    """Whether a test never holds."""
    return node == ZERO or (node.op == "and" and any(map(_is_false, node.args)))
