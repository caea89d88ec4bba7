"""Numbers of a text that need not agree with the game, by written rules; `rules/handbook/commands.md` lists them."""

from __future__ import annotations

import re

from ..prose.frames import Frame

_REFERENCE = re.compile(
    r"\b(?:pages?|pp?\.|chapters?|sections?|steps?|editions?|versions?|figures?|tables?|parts?|nos?\.|seite|kapitel|schritt)\s+$",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\b(?:he|she|his|him|hers|her)\b|[“„\"]", re.IGNORECASE)
_ILLUSTRATED = re.compile(
    r"\b(?:such as|for example,?|for instance,?|e\.g\.,?|zum Beispiel)\s+(?:an?\s+|eine?\s+)?(?:[0-9]{1,3}D)?[+−–-]?$",
    re.IGNORECASE,
)
_YEARS = range(1800, 2200)
_DIE = "the name of a die"


def why_free(frame: Frame, is_die_of_game: bool = False) -> str:
    """The rule by which a number need not agree with the game; empty if there is none. A sentence that names a die of
    the game says what is rolled."""
    reason = _why_reference(frame)
    if reason and not (reason == _DIE and is_die_of_game):
        return reason
    if _ILLUSTRATED.search(frame.before):
        return 'one of many, after "such as"'
    return "a story" if _TELLING.search(frame.text) or frame.is_example else ""


def is_reference(frame: Frame) -> bool:
    """Whether a number names something and measures nothing: a page, a year, a die."""
    return bool(_why_reference(frame))


def _why_reference(frame: Frame) -> str:
    if frame.number.form == "ordinal":
        return "a place in a row"
    if frame.number.form == "sides":
        return _DIE
    if frame.text in (f"{frame.span.text}.", f"{frame.span.text})"):
        return "the number of a paragraph"
    if _REFERENCE.search(frame.before):
        return "a page, a chapter or a step"
    return "a year" if frame.value in _YEARS and len(frame.span.text) == 4 else ""
