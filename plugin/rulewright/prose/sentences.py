"""The sentences of a text: where they end, and what of one is before and after an offset."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<![.\s(\[][A-Za-z])[.!?]+[\"'”’)\]*_]*(?=\s|$)|\n|…|\.\.\.")
_ABBREVIATION = re.compile(r"\b(?:avg|av|approx|ca|vs|pts?|no|nr|pp|lvl|max|min|dmg|bzw|usw|evtl)$", re.IGNORECASE)
_LONGEST = 8  # characters of an abbreviation and before it
_MAX_SENTENCE = 240  # characters of a sentence that are read on each side of a match


def find_ends(text: str, start: int = 0, stop: int | None = None) -> Iterator[re.Match[str]]:
    """What ends the sentences of a text, with the quotes and brackets that are closed there."""
    for match in _END.finditer(text, start, len(text) if stop is None else stop):
        at = match.start()
        if text[at] != "." or not _ABBREVIATION.search(text, max(at - _LONGEST, start), at):
            yield match


def sentence_before(text: str, offset: int) -> str:
    """The part of the sentence before an offset."""
    begin = max(offset - _MAX_SENTENCE, 0)
    return text[max((end.end() for end in find_ends(text, begin, offset)), default=begin) : offset]


def sentence_after(text: str, offset: int) -> str:
    """The part of the sentence after an offset."""
    last = min(offset + _MAX_SENTENCE, len(text))
    return text[offset : next((end.start() for end in find_ends(text, offset, last)), last)]


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence around a range of text, without the range itself."""
    return f"{sentence_before(text, start)} … {sentence_after(text, end)}"
