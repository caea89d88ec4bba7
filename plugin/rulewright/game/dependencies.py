"""What formulas of a core depend on: values and kinds of dice, also through tallies and sets of dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from .formula import Node, walk


class Owner(Protocol):
    """What has numbered tallies and sets of dice."""

    @property
    def sets(self) -> Sequence[Any]: ...

    @property
    def tallies(self) -> Sequence[Any]: ...


def names_in(owner: Owner, *nodes: Node | None) -> frozenset[str]:
    """The names in formulas and in the dice that they look at; those of a throw or a die are among them."""
    found: set[str] = set()
    for node in nodes:
        for inner in walk(node) if node else ():
            if inner.op == "name":
                found.add(inner.args[0])
            elif inner.op == "tally":
                found |= tally_names(owner, tally_number(inner))
            elif inner.op == "dice":
                found |= set_names(owner, inner.args[0])
    return frozenset(found)


def tally_number(node: Node) -> int:
    return int(node.args[0][1:])


def tally_names(owner: Owner, number: int) -> frozenset[str]:
    tally = owner.tallies[number]
    names = names_in(owner, tally.domain) | (names_in(owner, tally.body) - {tally.word})
    return names if tally.set is None else names | set_names(owner, tally.set)


def set_names(owner: Owner, number: int) -> frozenset[str]:
    """The names that decide which dice are in a set."""
    own = owner.sets[number]
    names = names_in(owner, own.number and own.number.node, own.by, own.test)
    return names.union(*(set_names(owner, part) for part in own.of)) if own.op != "kind" else names


def kinds_in(owner: Owner, *nodes: Node | None) -> frozenset[int]:
    """The kinds of dice that formulas look at, but not those behind the values that they name."""
    found: set[int] = set()
    for node in nodes:
        for inner in walk(node) if node else ():
            if inner.op == "tally":
                found |= tally_kinds(owner, tally_number(inner))
            elif inner.op == "dice":
                found |= set_kinds(owner, inner.args[0])
            elif inner.op == "faces":
                found.update(inner.args[1:])
    return frozenset(found)


def tally_kinds(owner: Owner, number: int) -> frozenset[int]:
    tally = owner.tallies[number]
    kinds = kinds_in(owner, tally.body, tally.domain)
    return kinds if tally.set is None else kinds | set_kinds(owner, tally.set)


def set_kinds(owner: Owner, number: int) -> frozenset[int]:
    """The kinds of dice that decide which dice are in a set."""
    own = owner.sets[number]
    if own.op == "kind":
        return frozenset(own.of)
    kinds = kinds_in(owner, own.number and own.number.node, own.by, own.test)
    return kinds.union(*(set_kinds(owner, part) for part in own.of))
