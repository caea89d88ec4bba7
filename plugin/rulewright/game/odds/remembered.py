"""The chances of outcomes, remembered: many cards of a book ask for the same settings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..model import Rule
from .answer import Chance, odds
from .family import NotExact
from .memory import Memory

Texts = tuple[tuple[str, str], ...]


def chances(rule: Rule, inputs: Mapping[str, str], policy: str = "") -> Mapping[str, Chance]:
    """The chance of each outcome; empty where these inputs allow no answer, or none within the budget."""
    return remembered(rule, tuple(inputs.items()), policy)


@lru_cache(maxsize=64)
def memory_of(_rule: Rule) -> Memory:
    """What many questions to one rule have in common."""
    return Memory()


@lru_cache(maxsize=1024)
def remembered(rule: Rule, inputs: Texts, policy: str) -> Mapping[str, Chance]:
    try:
        found, complaints = odds(rule, dict(inputs), policy, memory=memory_of(rule))
    except NotExact:
        return {}
    return {} if found is None or complaints else found.chances
