"""Numbers of a text that need not agree with the game, by written rules; `rules/handbook/commands.md` lists them."""

from __future__ import annotations

import re

from ..prose.frames import Frame
from ..prose.stems import stems_of

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
_CODE = re.compile(r"[0-9]{0,3}[dDwW]?[0-9]{0,4}")
_DICE_FORMS = ("dice", "sides")
_POINTED_OUT = re.compile(r"\b(?:an?|the|that|this|another|each|every|der|die|das|eine)\s+$", re.IGNORECASE)
_JOINED = re.compile(r"(?:\b(?:or|and|und|oder)|[,;])\s+$", re.IGNORECASE)
_NOUN_NEXT = re.compile(  # "30 guards", but not "30 ran"
    r"\s+(?!(?:is|was|as|has|does|his|this|always|towards)\b)(?:[^\W\d_]*[^\W\d_s]s|\w*men|people|children|[A-ZÄÖÜ]\w+)\b"
)
_GAME_STEMS = stems_of(
    "die dice roll throw throws face shows total result target difficulty damage wound point dot hit level rank"
    " round turn pool bonus penalty modifier success test check attack würfeln wirft punkte schaden probe erfolg runde"
    " ergebnis"
)


def why_free(frame: Frame, is_of_game: bool) -> str:
    """The rule by which a number need not agree with the game; empty if there is none.

    A story is free only where it counts what no game knows: "30 guards", not "rolls a 9"."""
    if reason := _why_reference(frame):
        return reason
    if _ILLUSTRATED.search(frame.before):
        return 'one of many, after "such as"'
    is_told = frame.is_example or _TELLING.search(frame.text)
    is_count = frame.noun and not (_states(frame, is_of_game) or _is_one_of_them(frame))
    return "a story" if is_told and is_count and _GAME_STEMS.isdisjoint(frame.sentence) else ""


def why_free_heading(frame: Frame, is_of_game: bool) -> str:
    """The rule for a number in a heading, which names what follows: "Step 1", "Taking 10", "d4"."""
    is_name = _CODE.fullmatch(frame.text) or not (_states(frame, is_of_game) or frame.limit)
    return "a heading" if is_name or _why_reference(frame) else ""


def is_reference(frame: Frame) -> bool:
    """Whether a number names something and measures nothing: a page, a year."""
    return bool(_why_reference(frame))


def _is_one_of_them(frame: Frame) -> bool:
    """Whether a number may be one that was named before: "the 14", "a 9, a 10 and 11 are left"."""
    is_joined = _JOINED.search(frame.before) and not _NOUN_NEXT.match(frame.span.source.text, frame.span.end)
    return bool(is_joined or _POINTED_OUT.search(frame.before))


def _states(frame: Frame, is_of_game: bool) -> bool:
    """Whether a number may say what a roll shows, gives or needs."""
    return is_of_game or frame.is_face or frame.is_change or frame.number.form in _DICE_FORMS


def _why_reference(frame: Frame) -> str:
    if frame.number.form == "ordinal":
        return "a place in a row"
    if frame.text in (f"{frame.span.text}.", f"{frame.span.text})"):
        return "the number of a paragraph"
    if _REFERENCE.search(frame.before):
        return "a page, a chapter or a step"
    return "a year" if frame.value in _YEARS and len(frame.span.text) == 4 else ""
