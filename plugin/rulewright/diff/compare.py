"""Compares two entities: what was added, removed, renamed, changed or moved.

A trait is often no more than its name in a list. It counts as renamed where the game or a page says so, or where the
names are similar at the same position of the list. One of the two is enough for "probably". For an outcome its position
counts: the first that matches applies, whatever its name is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import NamedTuple

from .entities import Entity, Names, Text, list_features, rename_entity

_ENOUGH_IN_COMMON = 0.6  # share of the features in common that makes one entity the other, renamed
_MOST_SHARING = 40  # a feature that more entities share says nothing


class _Similarity(NamedTuple):
    score: float
    old: int
    new: int


def best_pairs(
    old: Mapping[int, frozenset[Hashable]], new: Mapping[int, frozenset[Hashable]], enough: float = _ENOUGH_IN_COMMON
) -> dict[int, int]:
    """The best pairs first, each entity in one pair at most; among equals the first."""
    matches, taken = dict[int, int](), set[int]()
    for similarity in sorted(_feature_similarities(old, new), key=lambda item: (-item.score, item.old, item.new)):
        if similarity.score >= enough and similarity.old not in matches and similarity.new not in taken:
            matches[similarity.old] = similarity.new
            taken.add(similarity.new)
    return matches


def _feature_similarities(
    old: Mapping[int, frozenset[Hashable]], new: Mapping[int, frozenset[Hashable]]
) -> Iterable[_Similarity]:
    """Compares only entities that share a rare feature: the work grows with what they share, not with all pairs."""
    homes: dict[Hashable, list[int]] = defaultdict(list)
    for number, features in new.items():
        for feature in features:
            homes[feature].append(number)
    for number, features in old.items():
        candidates = Counter(
            home for feature in features if len(homes.get(feature, ())) <= _MOST_SHARING for home in homes[feature]
        )
        for other in candidates:
            shared = len(features & new[other])
            yield _Similarity(shared / (len(features) + len(new[other]) - shared), number, other)


HeadingRenames = Collection[tuple[str, str]]  # names of headings, before and after
_SIMILAR, _MISSPELLED = 0.6, 0.85  # share of equal letters
_SHORTEST_STEM = 3  # letters, and half of the shorter name
_MOST_NAME_PAIRS = 2_000  # compared by their letters
_FEWEST_KEPT_NAMES = {"trait": 2, "outcome": 1}  # before a position in a list says anything


class _Guess(NamedTuple):
    old: int
    new: int
    sure: bool


class _NameLists(NamedTuple):
    """The names of a list in both editions; `pairs` maps new positions to old ones where the entity is known."""

    old: Sequence[Entity]
    new: Sequence[Entity]
    pairs: Mapping[int, int]


def _guess_renames(
    old: Sequence[Entity], new: Sequence[Entity], known_pairs: Mapping[int, int], known: HeadingRenames
) -> Iterator[_Guess]:
    """Guessed renames of traits and outcomes, by their positions among all children."""
    for part in _FEWEST_KEPT_NAMES:
        olds, news = ([place for place, entity in enumerate(every) if entity.part == part] for every in (old, new))
        own = {news.index(after): olds.index(before) for after, before in known_pairs.items() if after in news}
        lists = _NameLists([old[place] for place in olds], [new[place] for place in news], own)
        yield from (_Guess(olds[guess.old], news[guess.new], guess.sure) for guess in _best_guesses(lists, known))


def _best_guesses(lists: _NameLists, known: HeadingRenames) -> list[_Guess]:
    """The most certain guesses first; each name once."""
    scored_guesses = [
        scored for old, new in _rename_candidates(lists) if (scored := _guess_rename(lists, old, new, known))
    ]
    chosen: list[_Guess] = []
    for _, guess in sorted(scored_guesses, key=lambda scored: (-scored[0], scored[1])):
        if all(guess.old != other.old and guess.new != other.new for other in chosen):
            chosen.append(guess)
    return chosen


def _rename_candidates(lists: _NameLists) -> list[tuple[int, int]]:
    """Every removed name with every new name; if those are too many, only names that follow the same neighbor."""
    kept = set(lists.pairs.values())
    gone = [place for place in range(len(lists.old)) if place not in kept]
    fresh = [place for place in range(len(lists.new)) if place not in lists.pairs]
    if len(gone) * len(fresh) <= _MOST_NAME_PAIRS:
        return [(old, new) for old in gone for new in fresh]
    before = {new: lists.pairs.get(new - 1, -1) + 1 for new in fresh}
    return [(old, new) for new, old in before.items() if old < len(lists.old) and old not in kept]


def _guess_rename(lists: _NameLists, old: int, new: int, known: HeadingRenames) -> tuple[float, _Guess] | None:
    """The score of a rename, and the guess; None if nothing supports it."""
    old_entity, new_entity = lists.old[old], lists.new[new]
    stated = (
        new_entity.name in _list_aliases(old_entity)
        or old_entity.name in _list_aliases(new_entity)
        or (old_entity.name, new_entity.name) in known
    )
    similarity, same_position = name_similarity(old_entity.name, new_entity.name), _is_same_position(lists, old, new)
    if not stated and (
        _facts_contradict(old_entity, new_entity) or not (same_position or (similarity and old_entity.part == "trait"))
    ):
        return None
    return 2 * stated + same_position + similarity, _Guess(
        old,
        new,
        stated
        or (same_position and (similarity > 0 or _letter_ratio(old_entity.name, new_entity.name) >= _MISSPELLED)),
    )


def _list_aliases(entity: Entity) -> list[str]:
    """Its other names."""
    return entity.facts["aliases"].value.split(", ") if "aliases" in entity.facts else []


def name_similarity(old: str, new: str) -> float:
    """Similarity of the letters; 0 unless one name is a form of the other or has only words added."""
    old_name, new_name = old.lower(), new.lower()
    words, others = set(old_name.split()), set(new_name.split())
    ratio = _letter_ratio(old_name, new_name)
    stem = next(
        (place for place, two in enumerate(zip(old_name, new_name, strict=False)) if len(set(two)) > 1), len(old_name)
    )
    form = ratio >= _SIMILAR and stem >= max(_SHORTEST_STEM, min(len(old_name), len(new_name)) / 2)
    return ratio if form or words < others or others < words else 0


def _letter_ratio(old: str, new: str) -> float:
    return SequenceMatcher(None, old.lower(), new.lower(), autojunk=False).ratio()


def _facts_contradict(old: Entity, new: Entity) -> bool:
    """Whether their facts rule out a rename; for outcomes, whether only one of them has a degree."""
    if old.part == "outcome":
        return ("degree" in old.facts) != ("degree" in new.facts)
    shared = (old.facts.keys() & new.facts.keys()) - {"aliases"}
    return any(old.facts[aspect] != new.facts[aspect] for aspect in shared)


def _is_same_position(lists: _NameLists, old: int, new: int) -> bool:
    """Whether both have the same neighbors, and enough names were kept for that to mean something."""
    stayed = sum(lists.old[before].name == lists.new[after].name for after, before in lists.pairs.items())
    return stayed >= _FEWEST_KEPT_NAMES[lists.old[old].part] and all(_neighbors_match(lists, old, new))


def _neighbors_match(lists: _NameLists, old: int, new: int) -> Iterator[bool]:
    for step in (-1, 1):
        ends = not 0 <= old + step < len(lists.old), not 0 <= new + step < len(lists.new)
        yield all(ends) or (not any(ends) and lists.pairs.get(new + step) == old + step)


_ORDERED_PARTS = ("outcome",)  # the first that matches applies: their order is part of the rule
INSIDE_RULES = ("input", "dice", "step")  # formulas refer to these by name
_MOST_ROUNDS = 20  # of steps that depend on renamed steps
_ALL_FEATURES, _SOME_FEATURES = 0.99, 0.5  # small entities must match completely
_SMALL_ENTITY = 3  # facts


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


def _moved_children(matches: Iterable[_Match], old: Sequence[Entity]) -> Iterator[Change]:
    """Entities whose order changed; reported only on request."""
    places = {id(entity): place for place, entity in enumerate(old)}
    reached: dict[str, int] = {}
    for old_entity, new_entity, _ in matches:
        if places[id(old_entity)] < reached.get(old_entity.part, -1) and old_entity.part not in _ORDERED_PARTS:
            yield Change(new_entity.part, new_entity.name, "moved", new_entity.name)
        reached[old_entity.part] = max(reached.get(old_entity.part, -1), places[id(old_entity)])


class _Match(NamedTuple):
    old: Entity
    new: Entity
    sure: bool = True


def match_entities(old: Sequence[Entity], new: Sequence[Entity], known: HeadingRenames = ()) -> list[_Match]:
    """Pairs entities of the same name, then those that are nearly the same, in the order of the new ones."""
    names = {(entity.part, entity.name): place for place, entity in enumerate(old)}
    by_name = {
        place: names[entity.part, entity.name]
        for place, entity in enumerate(new)
        if (entity.part, entity.name) in names
    }
    left = [place for place in range(len(old)) if place not in set(by_name.values())]
    rest = [place for place in range(len(new)) if place not in by_name]
    for parts, enough in ((_is_small, _ALL_FEATURES), (_is_large, _SOME_FEATURES)):
        before = {place: _feature_set(old[place]) for place in left if parts(old[place])}
        after = {place: _feature_set(new[place]) for place in rest if parts(new[place])}
        by_name |= {new_place: old_place for old_place, new_place in best_pairs(before, after, enough).items()}
    guessed = {guess.new: guess for guess in _guess_renames(old, new, by_name, known)}
    by_name |= {place: entity.old for place, entity in guessed.items()}
    unsure = {place for place, entity in guessed.items() if not entity.sure}
    return [
        _Match(old[by_name[place]], entity, place not in unsure) for place, entity in enumerate(new) if place in by_name
    ]


def _feature_set(entity: Entity) -> frozenset[tuple[object, ...]]:
    own = frozenset((entity.part, *feature) for feature in list_features(entity))
    return own or frozenset({(entity.part, "nothing", entity.name)})


def _is_small(entity: Entity) -> bool:
    """A row of one cell or a step of one formula: half a match means nothing. A trait may be just a name in a group."""
    bare = entity.part == "trait" and not entity.facts.keys() - {"groups", "aliases"}
    return not bare and _count_features(entity) < _SMALL_ENTITY


def _is_large(entity: Entity) -> bool:
    return _count_features(entity) >= _SMALL_ENTITY


def _count_features(entity: Entity) -> int:
    return sum(1 for _ in list_features(entity))


def drop_moves(change: Change) -> Change | None:
    """The change without changes of order."""
    kept = tuple(child for child in map(drop_moves, change.children) if child)
    if change.way == "moved" or (change.way == "changed" and not change.edits and not kept):
        return None
    return replace(change, children=kept)
