"""Detects renames: pairs the entities of two editions by name, by common features, or by similar names.

A trait is often no more than its name in a list. It counts as renamed where the game or a page says so, where only
capitals or hyphens differ, or where the names are similar at the same position of the list. A similar name or the same
position alone is enough for "probably". For an outcome its position counts: the first that matches applies, whatever
its name is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from .entities import Entity, list_features

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
        or _is_same_spelling(old_entity.name, new_entity.name)
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
    """Similarity of the letters; 1 if only capitals or hyphens differ, 0 unless one name is a form of the other or has
    only words added."""
    words, others = _list_words(old), _list_words(new)
    old_name, new_name = " ".join(words), " ".join(others)
    ratio = _letter_ratio(old_name, new_name)
    stem = next(
        (place for place, two in enumerate(zip(old_name, new_name, strict=False)) if len(set(two)) > 1), len(old_name)
    )
    form = ratio >= _SIMILAR and stem >= max(_SHORTEST_STEM, min(len(old_name), len(new_name)) / 2)
    return ratio if form or set(words) < set(others) or set(others) < set(words) else 0


def _list_words(name: str) -> list[str]:
    """The words of a name, however it is written; the name itself if it has no letters."""
    return re.findall(r"[^\W_]+", name.lower()) or [name]


def _is_same_spelling(old: str, new: str) -> bool:
    """Whether only capitals, hyphens and the like differ."""
    return _list_words(old) == _list_words(new)


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


_ALL_FEATURES, _SOME_FEATURES = 0.99, 0.5  # small entities must match completely
_SMALL_ENTITY = 3  # facts


class Match(NamedTuple):
    """An entity of the old edition and the same entity in the new one; not `sure` if only a guess says so."""

    old: Entity
    new: Entity
    sure: bool = True


def match_entities(old: Sequence[Entity], new: Sequence[Entity], known: HeadingRenames = ()) -> list[Match]:
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
        Match(old[by_name[place]], entity, place not in unsure) for place, entity in enumerate(new) if place in by_name
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
