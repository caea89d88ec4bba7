"""Two things compared: what was added, removed, renamed, changed, moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .pairs import best_pairs
from .renames import HeadingRenames, guess_renames
from .things import Entity, Names, Text, list_features, rename_entity

ORDERED_PARTS = ("outcome",)  # the first that fits is meant: their order is part of the rule
INSIDE_RULES = ("input", "dice", "step")  # formulas see these by their names
MOST_ROUNDS = 20  # of steps that rest on steps
ALL_FEATURES, SOME_FEATURES = 0.99, 0.5  # of small things everything has to be the same
SMALL_ENTITY = 3  # facts


@dataclass(frozen=True, slots=True)
class Edit:
    """One fact, before and after; empty where there was none."""

    aspect: str
    old: Text
    new: Text


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a thing; `way` is added, removed, renamed, changed or moved."""

    part: str
    name: str
    way: str
    new_name: str = ""
    edits: tuple[Edit, ...] = ()
    inner: tuple[Change, ...] = ()
    sure: bool = True  # of another name that nobody but its place or its letters speaks for


def compare_entities(old: Entity, new: Entity, known: HeadingRenames = ()) -> Change | None:
    """Nothing where nothing has changed; `known` are headings that have another text now."""
    old = rename_entity(old, find_new_names(old, new))
    edits = [*changed_facts(old, new), *changed_order(old, new)]
    inner = tuple(changed_children(old.inner, new.inner, known))
    same = old.name == new.name or old.part == "game"
    if not edits and not inner and same:
        return None
    return Change(new.part, old.name, "changed" if same else "renamed", new.name, tuple(edits), inner)


def find_new_names(old: Entity, new: Entity) -> Names:
    """How formulas call what has another name now; a step may rest on another that was renamed."""
    names: dict[str, str] = {}
    for _ in range(MOST_ROUNDS if old.part == "rule" else 0):
        found = match_entities(rename_entity(old, names).inner, new.inner)
        more = {one.name: other.name for one, other, _ in found if one.part in INSIDE_RULES and one.name != other.name}
        if more == names:
            break
        names = more
    return names


def changed_facts(old: Entity, new: Entity) -> Iterator[Edit]:
    for aspect in dict.fromkeys([*old.facts, *new.facts]):
        before, after = old.facts.get(aspect), new.facts.get(aspect)
        if before != after and not (aspect == "label" and has_default_label(old) and has_default_label(new)):
            yield Edit(aspect, before.text if before else "", after.text if after else "")


def has_default_label(thing: Entity) -> bool:
    """Is its label what a name becomes that has none?"""
    return thing.facts["label"].text == thing.name.replace("_", " ").capitalize() if "label" in thing.facts else False


def changed_order(old: Entity, new: Entity) -> Iterator[Edit]:
    for part in ORDERED_PARTS:
        before, after = names_in_both(old, new, part)
        if before != after:
            yield Edit("order", ", ".join(before), ", ".join(after))


def names_in_both(old: Entity, new: Entity, part: str) -> tuple[list[str], list[str]]:
    first, second = ([one.name for one in thing.inner if one.part == part] for thing in (old, new))
    return [name for name in first if name in set(second)], [name for name in second if name in set(first)]


def changed_children(old: Sequence[Entity], new: Sequence[Entity], known: HeadingRenames) -> Iterator[Change]:
    """In the order of the new edition; what is gone follows."""
    found = match_entities(old, new, known)
    before = {id(one.new): one for one in found}
    for thing in new:
        match = before.get(id(thing))
        change = (
            compare_entities(match.old, thing, known) if match else Change(thing.part, thing.name, "added", thing.name)
        )
        if change:
            yield replace(change, sure=match.sure) if match else change
    kept = {id(one.old) for one in found}
    yield from (Change(one.part, one.name, "removed") for one in old if id(one) not in kept)
    yield from moved_children(found, old)


def moved_children(found: Iterable[Match], old: Sequence[Entity]) -> Iterator[Change]:
    """Where the same things stand in another order: a fact only for those who ask."""
    places = {id(thing): place for place, thing in enumerate(old)}
    reached: dict[str, int] = {}
    for one, other, _ in found:
        if places[id(one)] < reached.get(one.part, -1) and one.part not in ORDERED_PARTS:
            yield Change(other.part, other.name, "moved", other.name)
        reached[one.part] = max(reached.get(one.part, -1), places[id(one)])


class Match(NamedTuple):
    old: Entity
    new: Entity
    sure: bool = True


def match_entities(old: Sequence[Entity], new: Sequence[Entity], known: HeadingRenames = ()) -> list[Match]:
    """The same name is the same thing; of the others those that are nearly alike. In the order of the new ones."""
    names = {(one.part, one.name): place for place, one in enumerate(old)}
    by_name = {place: names[one.part, one.name] for place, one in enumerate(new) if (one.part, one.name) in names}
    left = [place for place in range(len(old)) if place not in set(by_name.values())]
    rest = [place for place in range(len(new)) if place not in by_name]
    for parts, enough in ((is_small, ALL_FEATURES), (is_large, SOME_FEATURES)):
        before = {place: feature_set(old[place]) for place in left if parts(old[place])}
        after = {place: feature_set(new[place]) for place in rest if parts(new[place])}
        by_name |= {new_place: old_place for old_place, new_place in best_pairs(before, after, enough).items()}
    guessed = {one.new: one for one in guess_renames(old, new, by_name, known)}
    by_name |= {place: one.old for place, one in guessed.items()}
    unsure = {place for place, one in guessed.items() if not one.sure}
    return [Match(old[by_name[place]], one, place not in unsure) for place, one in enumerate(new) if place in by_name]


def feature_set(thing: Entity) -> frozenset[tuple[object, ...]]:
    own = frozenset((thing.part, *feature) for feature in list_features(thing))
    return own or frozenset({(thing.part, "nothing", thing.name)})


def is_small(thing: Entity) -> bool:
    """A row of one cell, a step of one formula: half of it is nothing. A trait may be nothing but a name in a group."""
    bare = thing.part == "trait" and not thing.facts.keys() - {"groups", "aliases"}
    return not bare and count_features(thing) < SMALL_ENTITY


def is_large(thing: Entity) -> bool:
    return count_features(thing) >= SMALL_ENTITY


def count_features(thing: Entity) -> int:
    return sum(1 for _ in list_features(thing))


def drop_moves(change: Change) -> Change | None:
    """The change without those that are only about order."""
    kept = tuple(one for one in map(drop_moves, change.inner) if one)
    if change.way == "moved" or (change.way == "changed" and not change.edits and not kept):
        return None
    return replace(change, inner=kept)
