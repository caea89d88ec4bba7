"""Stems of words, so that a label of a game is found in a sentence in any form: "Move", "moves", "moving"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from .number_words import CARDINALS

_WORD = re.compile(r"[^\W\d_]{2,}")
_IRREGULAR = {
    "dice": "die", "threw": "throw", "thrown": "throw", "lost": "los", "loss": "los", "dealt": "deal", "kept": "keep",
    "succeed": "success", "succeeds": "success", "succeeded": "success", "successes": "success", "won": "win",
    "failure": "fail", "spent": "spend", "hit": "hit", "higher": "high", "highest": "high", "lower": "low",
    "lowest": "low", "doubles": "doubl", "würfel": "die", "würfeln": "die",
}  # fmt: skip
_EMPTY_WORDS = (  # English, then German
    "a an the and or nor but so as if then than that this these those it its their his her your my our you they "
    "we he she who which what is are was were be been being has have had do does did can may must might shall "
    "will would should could not no any each every all some more most least less fewer few many much other "
    "another only just also too very always usually nearly never normally exactly here there when whenever while "
    "until unless without with within of for from to in into on onto at by after before beside besides behind "
    "beyond among above below up down out off over under between against per about around one once own i whose "
    "whom der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war "
    "hat haben wird werden kann muss darf wer man sie er es ihr auf im am zu zum zur von vom mit bei nach vor für "
    "über unter aus als wie wenn dann auch nur noch schon sich jede jeder jedes "
    "zwischen gegen ohne um ab seit dauert "
)
_EMPTY = frozenset(_EMPTY_WORDS.split())

_SPLIT = re.compile(
    r"\b(?:of|for|in|this|from|by|after|before|when|with|without|at|under|to|that|on|as|since|against|behind|beyond|des"
    r"|der|von|für|bei|nach|mit|pro|im)\b",
    re.IGNORECASE,
)
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("zes", "z"))
_MIN_STEM = 4  # letters that a word needs before an ending is cut off


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, kept in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + kept
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
        if word in _IRREGULAR:
            return _IRREGULAR[word]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM - 1:
            word = word.removesuffix(ending)
            word = word[:-1] if word[-1:] == word[-2:-1] and word[-1] not in "ls" else word
            break
    return word[:-1] if word.endswith("e") and len(word) > _MIN_STEM else word


def is_empty(word: str) -> bool:
    """Whether a word says nothing about what a number measures: an article, a preposition, an auxiliary."""
    return word.lower() in _EMPTY


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something."""
    return frozenset(stem(word) for word in _WORD.findall(text) if not is_empty(word) and word.lower() not in CARDINALS)


class Subject(NamedTuple):
    """A phrase as stems: what it names, and what it says beside that, as in "Actions (this round)"."""

    core: frozenset[str]
    rest: frozenset[str]


@lru_cache(maxsize=20_000)
def read_subject(phrase: str) -> Subject | None:
    """The stems of a phrase; None if it has no words."""
    first, *rest = (stems_of(part) for part in _SPLIT.split(phrase, maxsplit=1))
    core, others = (first, frozenset().union(*rest)) if first else (frozenset().union(*rest), frozenset[str]())
    return Subject(core, others) if core else None


def read_subjects(phrases: Iterable[str]) -> tuple[Subject, ...]:
    return tuple(dict.fromkeys(filter(None, map(read_subject, phrases))))
