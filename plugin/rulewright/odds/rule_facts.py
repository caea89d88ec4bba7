"""What formulas of a walk rest on: dice that are still to be rolled, and values that are not words of a die."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..game import dependencies
from ..game.core import CoreRule, Reroll, RollAgain
from ..game.formula import Node, walk


def is_tally(node: Node) -> bool:
    """Whether this is a function over dice, not a variable of a source of chance."""
    return node.op == "tally" and str(node.args[0])[0] == "t"


def names_in(rule: CoreRule, *nodes: Node | None) -> frozenset[str]:
    """The values that formulas name, directly or through the dice that they look at."""
    found: set[str] = set()
    for node in nodes:
        for inner in walk(node) if node else ():
            if inner.op == "name":
                found.add(str(inner.args[0]))
            elif is_tally(inner):
                found |= tally_names(rule, dependencies.tally_number(inner))
            elif inner.op == "dice":
                found |= dependencies.set_names(rule, int(inner.args[0]))
    return frozenset(found - rule.face_words.keys())


def tally_names(rule: CoreRule, number: int) -> frozenset[str]:
    """The values that a function over dice depends on."""
    return dependencies.tally_names(rule, number) - rule.face_words.keys()


def kinds_in(rule: CoreRule, *nodes: Node | None) -> frozenset[int]:
    """The kinds of dice that formulas look at."""
    found: set[int] = set()
    for node in nodes:
        for inner in walk(node) if node else ():
            if is_tally(inner):
                found |= dependencies.tally_kinds(rule, dependencies.tally_number(inner))
            elif inner.op == "dice":
                found |= dependencies.set_kinds(rule, int(inner.args[0]))
            elif inner.op == "faces":
                found.update(map(int, inner.args[1:]))
    return frozenset(found)


def entry_kinds(rule: CoreRule, entry: Reroll) -> tuple[int, ...]:
    """The kinds of dice that decide what an entry of the rule rolls again; none where it earns others."""
    if isinstance(entry.roll, int):
        return ()
    if rule.is_whole(entry.of):
        return rule.kinds_of(entry.of)
    return tuple(sorted(dependencies.set_kinds(rule, entry.of)))


def find_earning(rule: CoreRule, kind: int) -> Mapping[int, Sequence[RollAgain]]:
    """The kinds that earn dice of a kind, with the entries that say so; not the kind itself, but for cards."""
    found = {number: [entry for entry in own.again if entry.roll == kind] for number, own in enumerate(rule.kinds)}
    return {
        number: entries for number, entries in found.items() if entries and (number != kind or rule.kinds[kind].deck)
    }


def earned_by_rule(rule: CoreRule, kind: int) -> Sequence[Reroll]:
    """The entries of a rule that earn dice of a kind."""
    return [entry for entry in rule.again if entry.roll == kind]


def is_family(rule: CoreRule, kind: int) -> bool:
    """Whether dice earn dice of their own kind, with which they are one."""
    return kind in rule.kinds[kind].earned_kinds and not rule.kinds[kind].deck


def goes_on(rule: CoreRule, kind: int) -> bool:
    """Whether a die may be rolled several times, or comes with others of its kind."""
    return rule.kinds[kind].rolls_on or is_family(rule, kind)
