"""Which of the things that are gone and those that are new are the same under another name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

ENOUGH_IN_COMMON = 0.6  # of what two things are made of, they have so much in common when one is the other renamed
MOST_SHARING = 40  # a feature that more things have tells nothing


class Similarity(NamedTuple):
    score: float
    old: int
    new: int


def best_pairs(
    old: Mapping[int, frozenset[Hashable]], new: Mapping[int, frozenset[Hashable]], enough: float = ENOUGH_IN_COMMON
) -> dict[int, int]:
    """The best pairs first, each thing in one pair at most; of equals those that come first."""
    found, taken = dict[int, int](), set[int]()
    for like in sorted(feature_similarities(old, new), key=lambda one: (-one.score, one.old, one.new)):
        if like.score >= enough and like.old not in found and like.new not in taken:
            found[like.old] = like.new
            taken.add(like.new)
    return found


def feature_similarities(
    old: Mapping[int, frozenset[Hashable]], new: Mapping[int, frozenset[Hashable]]
) -> Iterable[Similarity]:
    """Only things that share something rare are compared: the work grows with what they share, not with all pairs."""
    homes: dict[Hashable, list[int]] = defaultdict(list)
    for number, made_of in new.items():
        for feature in made_of:
            homes[feature].append(number)
    for number, made_of in old.items():
        near = Counter(
            one for feature in made_of if len(homes.get(feature, ())) <= MOST_SHARING for one in homes[feature]
        )
        for other in near:
            shared = len(made_of & new[other])
            yield Similarity(shared / (len(made_of) + len(new[other]) - shared), number, other)
