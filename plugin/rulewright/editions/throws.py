"""All throws of a few dice that two editions of a rule both can judge, and how each of them ends.

Faces that no edition tells apart stand for each other, the lowest for all; so few throws speak for many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any, NamedTuple

from ..game.model import Rule
from ..game.outline import Worked, work_out
from ..game.play import Die, count_tallies, drop
from ..game.program import program
from ..game.setting import Landing, Ready, Setting
from ..game.tree import DICE, Node, walk

Hand = tuple[int, ...]  # the faces of one kind
Group = tuple[int, ...]  # faces that no edition tells apart


class Trial(NamedTuple):
    """A throw under both editions."""

    inputs: Mapping[str, Any]
    hands: tuple[Hand, ...]
    old: Worked
    new: Worked
    counts: Mapping[str, int]  # what formulas of both editions count over the dice, as it is written there


@dataclass(frozen=True, eq=False)
class Table:
    """One setting of the inputs under both editions, with as many dice of the same kinds on the table."""

    inputs: Mapping[str, Any]
    old: Setting
    new: Setting
    kinds: tuple[tuple[Ready, Ready], ...]
    rank: int = 0  # how far from the usual

    @property
    def dice(self) -> int:
        return sum(ready.count for ready, _ in self.kinds)

    @cached_property
    def groups(self) -> list[list[Group]]:
        """For each kind the faces that stay on the table and bring no further dice, in groups."""
        return [faces_alike(*pair) for pair in self.kinds]

    @cached_property
    def goes_on(self) -> bool:
        """May any throw need more than the first faces?"""
        sizes = zip(self.groups, self.kinds, strict=True)
        return self.anew or any(sum(map(len, groups)) < len(old.face_set) for groups, (old, _) in sizes)

    @cached_property
    def anew(self) -> bool:
        """May dice be thrown anew?"""
        return rerolls(self.old) or rerolls(self.new)

    @property
    def plain(self) -> bool:
        """Are there throws that end with the first faces?"""
        return bool(self.size) and not self.anew

    @cached_property
    def signature(self) -> object:
        """Settings that have it in common end alike for the same numbers of each group."""
        if any(looks_at_faces(ready) for pair in self.kinds for ready in pair):
            return tuple(self.inputs.values())
        needs = program(self.old.rule).needs | program(self.new.rule).needs
        known = {name: value for setting in (self.old, self.new) for name, value in setting.known.items()}
        kinds = tuple((old.count, tuple(sorted(map(repr, keys(old, new))))) for old, new in self.kinds)
        return kinds, tuple((name, known[name]) for name in sorted(needs & known.keys()))

    def hands(self) -> Iterator[tuple[tuple[Group, ...], ...]]:
        choices = (
            combinations_with_replacement(groups, ready.count)
            for groups, (ready, _) in zip(self.groups, self.kinds, strict=True)
        )
        yield from product(*choices)

    @property
    def all_throws(self) -> int:
        """How many sets of faces there are."""
        return prod(
            comb(sum(map(len, groups)) + ready.count - 1, ready.count)
            for groups, (ready, _) in zip(self.groups, self.kinds, strict=True)
        )

    @property
    def size(self) -> int:
        """How many hands there are."""
        return prod(
            comb(len(groups) + ready.count - 1, ready.count) if groups else 0
            for groups, (ready, _) in zip(self.groups, self.kinds, strict=True)
        )

    def trial(self, hand: Sequence[Sequence[Group]]) -> Trial:
        faces = tuple(tuple(group[0] for group in own) for own in hand)
        old, new = self.tallies(0, faces), self.tallies(1, faces)
        counts = {text: old[place] for text, place in self.shared_counts.items()}
        return Trial(self.inputs, faces, work_out(self.old, old), work_out(self.new, new), counts)

    @cached_property
    def shared_counts(self) -> dict[str, int]:
        """Where the older rule has them."""
        old, new = counted(self.old.rule), counted(self.new.rule)
        return {text: place for text, (place, node) in old.items() if text in new and new[text][1] == node}

    def tallies(self, edition: int, hands: Sequence[Hand]) -> list[int]:
        setting = (self.old, self.new)[edition]
        kinds = sorted(zip((pair[edition] for pair in self.kinds), hands, strict=True), key=lambda one: one[0].number)
        dice = [Die(ready.number, (ready.land(face),)) for ready, own in kinds for face in own]
        return count_tallies(setting, tuple(drop(setting, dice)))


@lru_cache(maxsize=64)
def counted(rule: Rule) -> dict[str, tuple[int, Node]]:
    """`sum(luck)`, `count(regular, good)`: each as it is written, with its place among the tallies of a rule."""
    made = program(rule)
    places = {tally.name: place for place, tally in enumerate(made.tallies)}
    formulas = [*(step.formula for step in rule.steps), *(one.when for one in rule.outcomes if one.when)]
    nodes = [(formula, node) for formula in formulas for node in walk(formula.node) if node.op in DICE]
    return {formula.text[node.start : node.end]: (places[made.tally(node)], node) for formula, node in nodes}


def faces_alike(old: Ready, new: Ready) -> list[Group]:
    return [tuple(group) for group in keys(old, new).values()]


def keys(old: Ready, new: Ready) -> dict[object, list[int]]:
    """Faces by what the editions see in them."""
    apart = looks_at_faces(old) or looks_at_faces(new)
    groups: dict[object, list[int]] = defaultdict(list)
    for face in sorted(old.face_set):
        lands = old.land(face), new.land(face)
        if not any(one.explodes or one.earns for one in lands):
            groups[(*map(seen, lands), face if apart else 0)].append(face)
    return groups


def seen(landing: Landing) -> object:
    return landing.good, landing.bad, landing.hits


def looks_at_faces(ready: Ready) -> bool:
    """Is more asked of a die of this kind than what each throw counts for?"""
    tallies = [tally for tally in program(ready.setting.rule).tallies if tally.kind == ready.number]
    counted = all(tally.function == "count" and (tally.test is None or tally.per_throw) for tally in tallies)
    return ready.keep is not None or not counted


def rerolls(setting: Setting) -> bool:
    return any(setting.of(one.times) > 0 for one in setting.rule.rerolls)
