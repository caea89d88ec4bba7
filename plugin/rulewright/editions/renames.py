"""Names in a list: which of those that are gone are there under another name.

A trait is often no more than its name in a list. It is the same under another name where the game or a page says so,
or where the names are alike in the same place of the list. One of the two is enough to say «probably»; two names that
have nothing in common, in two places, are two things. Of an outcome its place is what counts: the first that fits is
meant, whatever it is called."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from .things import Entity

HeadingRenames = Collection[tuple[str, str]]  # names of headings, before and after
SIMILAR, MISSPELLED = 0.6, 0.85  # of the letters
SHORTEST_STEM = 3  # letters, and half of the shorter name
MOST_NAME_PAIRS = 2_000  # pairs of names that are compared by their letters
FEWEST_KEPT_NAMES = {"trait": 2, "outcome": 1}  # names that have stayed, before a place in a list says anything


class Guess(NamedTuple):
    old: int
    new: int
    sure: bool


class NameLists(NamedTuple):
    """The names of a list in both editions; `found` are those that are known to be the same, by the newer place."""

    old: Sequence[Entity]
    new: Sequence[Entity]
    found: Mapping[int, int]


def guess_renames(
    old: Sequence[Entity], new: Sequence[Entity], found: Mapping[int, int], known: HeadingRenames
) -> Iterator[Guess]:
    """Those of the parts that stand in such lists, by their places among all."""
    for part in FEWEST_KEPT_NAMES:
        olds, news = ([place for place, one in enumerate(every) if one.part == part] for every in (old, new))
        own = {news.index(after): olds.index(before) for after, before in found.items() if after in news}
        lists = NameLists([old[place] for place in olds], [new[place] for place in news], own)
        yield from (Guess(olds[one.old], news[one.new], one.sure) for one in best_guesses(lists, known))


def best_guesses(lists: NameLists, known: HeadingRenames) -> list[Guess]:
    """The surest first; each name once."""
    every = [found for old, new in rename_candidates(lists) if (found := guess_rename(lists, old, new, known))]
    chosen: list[Guess] = []
    for _, one in sorted(every, key=lambda found: (-found[0], found[1])):
        if all(one.old != other.old and one.new != other.new for other in chosen):
            chosen.append(one)
    return chosen


def rename_candidates(lists: NameLists) -> list[tuple[int, int]]:
    """All that are gone with all that are new; of too many only those that follow upon the same name."""
    kept = set(lists.found.values())
    gone = [place for place in range(len(lists.old)) if place not in kept]
    fresh = [place for place in range(len(lists.new)) if place not in lists.found]
    if len(gone) * len(fresh) <= MOST_NAME_PAIRS:
        return [(old, new) for old in gone for new in fresh]
    before = {new: lists.found.get(new - 1, -1) + 1 for new in fresh}
    return [(old, new) for new, old in before.items() if old < len(lists.old) and old not in kept]


def guess_rename(lists: NameLists, old: int, new: int, known: HeadingRenames) -> tuple[float, Guess] | None:
    """How much speaks for it, and what it is worth."""
    one, other = lists.old[old], lists.new[new]
    said = other.name in list_aliases(one) or one.name in list_aliases(other) or (one.name, other.name) in known
    like, placed = name_similarity(one.name, other.name), is_same_position(lists, old, new)
    if not said and (facts_contradict(one, other) or not (placed or (like and one.part == "trait"))):
        return None
    return 2 * said + placed + like, Guess(
        old, new, said or (placed and (like > 0 or letter_ratio(one.name, other.name) >= MISSPELLED))
    )


def list_aliases(thing: Entity) -> list[str]:
    """What it is called besides."""
    return thing.facts["aliases"].meaning.split(", ") if "aliases" in thing.facts else []


def name_similarity(one: str, other: str) -> float:
    """By letters; 0 for names of which neither is a form of the other and neither has only a word more."""
    first, second = one.lower(), other.lower()
    words, others = set(first.split()), set(second.split())
    ratio = letter_ratio(first, second)
    stem = next((place for place, two in enumerate(zip(first, second, strict=False)) if len(set(two)) > 1), len(first))
    form = ratio >= SIMILAR and stem >= max(SHORTEST_STEM, min(len(first), len(second)) / 2)
    return ratio if form or words < others or others < words else 0


def letter_ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio()


def facts_contradict(one: Entity, other: Entity) -> bool:
    """Is what is said of them not the same? Of an outcome: is only one of them counted?"""
    if one.part == "outcome":
        return ("degree" in one.facts) != ("degree" in other.facts)
    shared = (one.facts.keys() & other.facts.keys()) - {"aliases"}
    return any(one.facts[aspect] != other.facts[aspect] for aspect in shared)


def is_same_position(lists: NameLists, old: int, new: int) -> bool:
    """Between the same neighbours, where enough names have stayed for that to mean something."""
    stayed = sum(lists.old[before].name == lists.new[after].name for after, before in lists.found.items())
    return stayed >= FEWEST_KEPT_NAMES[lists.old[old].part] and all(neighbors_match(lists, old, new))


def neighbors_match(lists: NameLists, old: int, new: int) -> Iterator[bool]:
    for step in (-1, 1):
        ends = not 0 <= old + step < len(lists.old), not 0 <= new + step < len(lists.new)
        yield all(ends) or (not any(ends) and lists.found.get(new + step) == old + step)
