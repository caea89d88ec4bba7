"""The register of a game's traits, and what else its names may mean."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from ..game.model import Category, Game

CLOSE = 0.75
GENERIC = [
    "attribute",
    "ability",
    "skill",
    "talent",
    "trait",
    "specialty",
    "proficiency",
    "bonus",
    "bonuses",
    "modifier",
    "modifiers",
    "penalty",
    "dice",
    "die",
    "dots",
    "level",
    "rank",
    "score",
    "value",
    "pips",
    "threshold",
    "difficulty",
    "total",
    "result",
    "pool",
    "points",
]


class Register(NamedTuple):
    """Traits by their names in lower case; specialties with their kind and ability; words that mean something else."""

    traits: dict[str, str]
    specialties: dict[str, list[tuple[str, str]]]
    others: frozenset[str]

    def knows(self, phrase: str) -> bool:
        return phrase.lower() in self.traits

    def means_else(self, phrase: str) -> bool:
        return phrase.lower() in self.others

    def near(self, phrase: str) -> str | None:
        """The trait that was almost certainly meant: spelled nearly so, or the same stem."""
        word = phrase.lower()
        best = max(self.traits, key=lambda known: likeness(word, known), default="")
        return self.traits[best] if best and likeness(word, best) >= CLOSE else None

    def specialty(self, phrase: str) -> list[tuple[str, str]]:
        return self.specialties.get(phrase.lower(), [])

    def likely(self, phrase: str) -> bool:
        """Whether a trait was meant, although there is none of this name."""
        return bool(self.specialty(phrase) or self.near(phrase))


def likeness(word: str, known: str) -> float:
    shorter = min(len(word), len(known))
    stem = next((at for at in range(shorter) if word[at] != known[at]), shorter)
    if shorter >= 4 and stem >= max(4, shorter - 1):
        return 0.8 + stem / 1000
    return SequenceMatcher(None, word, known).ratio() if abs(len(word) - len(known)) <= 3 else 0.0


def register(game: Game) -> Register | None:
    """Nothing where a game has no traits, or an unfinished list: a name may yet belong there."""
    if not game.traits or not all(category.names for category in game.traits.values()):
        return None
    traits = {name.lower(): name for category in game.traits.values() for name in names(category)}
    specialties: dict[str, list[tuple[str, str]]] = {}
    for category in game.traits.values():
        for spelling, kind, ability in special(category):
            specialties.setdefault(spelling, []).append((kind, ability))
    return Register(traits, specialties, frozenset(other_words(game)) - traits.keys())


def names(category: Category) -> Iterator[str]:
    yield from category.names
    for others in category.aliases.values():
        yield from others


def special(category: Category) -> Iterator[tuple[str, str, str]]:
    """Each specialty as it may be written, its kind and its ability."""
    for ability, kinds in category.specialties.items():
        for kind, listed in kinds.items():
            for name in listed:
                yield name.partition(" (")[0].lower(), kind, ability


def other_words(game: Game) -> Iterator[str]:
    """Categories and groups, rules, inputs, steps: names too, but no traits."""
    yield from GENERIC
    for category in game.traits.values():
        for name in (category.name, *category.groups):
            yield from (name.lower(), name.lower().removesuffix("s"))
    yield from (name.lower() for name in game.tables)
    for rule in game.rules.values():
        yield from (rule.name.lower(), rule.label.lower())
        for entry in rule.inputs:
            yield from (entry.name.lower(), entry.label.lower())
        yield from (step.name.lower() for step in rule.steps)
