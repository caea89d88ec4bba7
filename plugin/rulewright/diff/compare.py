"""Compares two entities: what was added, removed, renamed, changed or moved. `renames.py` says which are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .entities import Entity, Names, Text, rename_entity
from .renames import HeadingRenames, Match, match_entities

_ORDERED_PARTS = ("outcome",)  # the first that matches applies: their order is part of the rule
INSIDE_RULES = ("input", "dice", "step")  # formulas refer to these by name
_MOST_ROUNDS = 20  # of steps that depend on renamed steps


@dataclass(frozen=True, slots=True)
class Edit:
    """One fact, before and after; empty where there was none."""

    aspect: str
    old: Text
    new: Text


@dataclass(frozen=True, slots=True)
class Change:
    """The change of an entity; `way` is added, removed, renamed, changed or moved."""

    part: str
    name: str
    way: str
    new_name: str = ""
    edits: tuple[Edit, ...] = ()
    children: tuple[Change, ...] = ()
    sure: bool = True  # False for a rename that only its position or its letters suggest


def compare_entities(old: Entity, new: Entity, known: HeadingRenames = ()) -> Change | None:
    """None if nothing changed; `known` are headings that were renamed."""
    old = rename_entity(old, find_new_names(old, new))
    edits = [*_changed_facts(old, new), *_changed_order(old, new)]
    inner = tuple(_changed_children(old.children, new.children, known))
    same = old.name == new.name or old.part == "game"
    if not edits and not inner and same:
        return None
    return Change(new.part, old.name, "changed" if same else "renamed", new.name, tuple(edits), inner)


def find_new_names(old: Entity, new: Entity) -> Names:
    """The new names that formulas use; a step may depend on another that was renamed."""
    names: dict[str, str] = {}
    for _ in range(_MOST_ROUNDS if old.part == "rule" else 0):
        matches = match_entities(rename_entity(old, names).children, new.children)
        found_names = {
            old_part.name: new_part.name
            for old_part, new_part, _ in matches
            if old_part.part in INSIDE_RULES and old_part.name != new_part.name
        }
        if found_names == names:
            break
        names = found_names
    return names


def _changed_facts(old: Entity, new: Entity) -> Iterator[Edit]:
    for aspect in dict.fromkeys([*old.facts, *new.facts]):
        before, after = old.facts.get(aspect), new.facts.get(aspect)
        if before != after and not (aspect == "label" and _has_default_label(old) and _has_default_label(new)):
            yield Edit(aspect, before.text if before else "", after.text if after else "")


def _has_default_label(entity: Entity) -> bool:
    """Whether its label is just its name, as it is when none is given."""
    return (
        entity.facts["label"].text == entity.name.replace("_", " ").capitalize() if "label" in entity.facts else False
    )


def _changed_order(old: Entity, new: Entity) -> Iterator[Edit]:
    for part in _ORDERED_PARTS:
        before, after = _names_in_both(old, new, part)
        if before != after:
            yield Edit("order", ", ".join(before), ", ".join(after))


def _names_in_both(old: Entity, new: Entity, part: str) -> tuple[list[str], list[str]]:
    first, second = ([child.name for child in entity.children if child.part == part] for entity in (old, new))
    return [name for name in first if name in set(second)], [name for name in second if name in set(first)]


def _changed_children(old: Sequence[Entity], new: Sequence[Entity], known: HeadingRenames) -> Iterator[Change]:
    """In the order of the new edition, then what was removed."""
    matches = match_entities(old, new, known)
    before = {id(match.new): match for match in matches}
    for entity in new:
        match = before.get(id(entity))
        change = (
            compare_entities(match.old, entity, known)
            if match
            else Change(entity.part, entity.name, "added", entity.name)
        )
        if change:
            yield replace(change, sure=match.sure) if match else change
    kept = {id(match.old) for match in matches}
    yield from (Change(entity.part, entity.name, "removed") for entity in old if id(entity) not in kept)
    yield from _moved_children(matches, old)


def _moved_children(matches: Iterable[Match], old: Sequence[Entity]) -> Iterator[Change]:
    """Entities whose order changed; reported only on request."""
    places = {id(entity): place for place, entity in enumerate(old)}
    reached: dict[str, int] = {}
    for old_entity, new_entity, _ in matches:
        if places[id(old_entity)] < reached.get(old_entity.part, -1) and old_entity.part not in _ORDERED_PARTS:
            yield Change(new_entity.part, new_entity.name, "moved", new_entity.name)
        reached[old_entity.part] = max(reached.get(old_entity.part, -1), places[id(old_entity)])


def drop_moves(change: Change) -> Change | None:
    """The change without changes of order."""
    kept = tuple(child for child in map(drop_moves, change.children) if child)
    if change.way == "moved" or (change.way == "changed" and not change.edits and not kept):
        return None
    return replace(change, children=kept)
