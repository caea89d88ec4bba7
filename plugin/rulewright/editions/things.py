"""What a game declares as plain things: each has facts, and other things inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..game.model import Formula
from ..game.tree import DICE, Node

NAMING_FACTS = ("again_roll", "among", "highest", "traits_into", "specialty_into", "unused")  # facts that are names
PRESENTATION_FACTS = ("label", "says", "see")
Names = Mapping[str, str]  # what was called so, and what it is called now


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that no author wrote: each language has its own for it, by the name in its catalogue."""

    name: str
    values: tuple[tuple[str, str], ...] = ()


Text = str | Phrase


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: two are the same when they mean the same, however they are written."""

    meaning: Any
    text: Text = field(compare=False)


@dataclass(frozen=True)
class Entity:
    """A rule, an input, a row of a table: `part` says what it is."""

    part: str
    name: str
    facts: Mapping[str, Fact]
    inner: tuple[Entity, ...] = ()


def to_fact(value: object) -> Fact:
    """A formula means its tree; everything else is what it is."""
    if isinstance(value, Formula):
        return Fact(value.node, " ".join(value.text.split()))
    if isinstance(value, bool):
        return Fact(value, Phrase("yes" if value else "no"))
    if isinstance(value, Phrase):
        return Fact(value, value)
    return Fact(value, str(value))


def range_phrase(low: object, high: object) -> Phrase:
    """«2 to 10»."""
    return Phrase("range", (("low", str(low)), ("high", str(high))))


def to_facts(**values: object) -> dict[str, Fact]:
    """Those that are there at all."""
    return {name: to_fact(value) for name, value in values.items() if value not in (None, "", (), [])}


def rename_entity(thing: Entity, names: Names) -> Entity:
    """The same thing with its formulas in other names."""
    if not names:
        return thing
    told = {
        (names.get(aspect, aspect) if thing.part == "spend" else aspect): rename_fact(aspect, one, names)
        for aspect, one in thing.facts.items()
    }
    return replace(thing, facts=told, inner=tuple(rename_entity(one, names) for one in thing.inner))


def rename_fact(aspect: str, one: Fact, names: Names) -> Fact:
    if isinstance(one.meaning, Node):
        return replace(one, meaning=rename_node(one.meaning, names))
    pieces = one.meaning.split(", ") if aspect in NAMING_FACTS and isinstance(one.meaning, str) else []
    return replace(one, meaning=", ".join(names.get(piece, piece) for piece in pieces)) if pieces else one


def rename_node(node: Node, names: Names) -> Node:
    named = node.op == "name" or node.op in DICE
    args = [rename_node(arg, names) if isinstance(arg, Node) else arg for arg in node.args]
    if named and args and isinstance(args[0], str):
        args[0] = names.get(args[0], args[0])
    return Node(node.op, tuple(args))


def list_features(thing: Entity, path: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Everything that makes a thing what it is, but for its own name, what it is called and what is said of it."""
    yield from (
        (*path, aspect, told.meaning) for aspect, told in thing.facts.items() if aspect not in PRESENTATION_FACTS
    )
    for one in thing.inner:
        yield from list_features(one, (*path, one.part, one.name))
