"""Finds the outcomes of a rule that a passage names: "that is a mishap", "a weak hit"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .mood import Reading
from .words import NOT, NOW, RESULT_IS, THE

_BEFORE = rf"(?:\b(?:{RESULT_IS}|{THE}|by|with|for|mit)\s(?:{NOW}\s)?(?:{THE}\s)?)"
_AS_RESULT = (  # what makes a name the result of the roll, and not what somebody fears
    rf"(?:^|[:,—–.!?]\s|\b{RESULT_IS}\s)(?:{NOW}\s)?(?:{THE}\s)?"
)
_BETWEEN_WORDS = r",?\s(?:(?:but|though)\s)?"  # of the name of an outcome: "a success, but at a cost"
OUTCOME_CLASSES = {
    "success": "success", "critical success": "success", "hit": "success", "pass": "success",
    "failure": "failure", "fail": "failure", "miss": "failure",
    "botch": "botch", "fumble": "botch", "critical failure": "botch",
}  # fmt: skip
_VERDICT = rf"[:,—–]\s{THE}\s"
_DENIED = re.compile(rf"{NOT}\b[^.;,]{{0,20}}$", re.IGNORECASE)


class NamedOutcome(NamedTuple):
    """Where a passage names an outcome, and the name in the game, in small letters."""

    start: int
    end: int
    name: str


def find_named_outcomes(
    reading: Reading, phrases: Mapping[str, Sequence[str]], as_result: bool = False
) -> list[NamedOutcome]:
    """The outcomes that a text names, by their phrases; common words for success and failure only after a colon.

    Where one name is part of another, the longest counts: "a success at a cost" is not a success."""
    found = list[NamedOutcome]()
    for name, words in phrases.items():
        pattern = "|".join(_outcome_pattern(word.lower(), as_result) for word in words)
        for one in re.finditer(pattern, reading.text, re.IGNORECASE):
            if reading.sure(one.start(), one.end()) and not _DENIED.search(reading.before(one.start())):
                found.append(NamedOutcome(*one.span(one.lastindex or 0), name.lower()))
    return sorted(
        one
        for one in found
        if not any(
            start <= one.start and one.end <= end and end - start > one.end - one.start for start, end, _ in found
        )
    )


def _outcome_pattern(name: str, as_result: bool) -> str:
    spelled = _BETWEEN_WORDS.join(map(re.escape, name.split()))
    if name in OUTCOME_CLASSES and " " not in name:
        return rf"{_VERDICT}({spelled})(?=[.,;!)]|$)"
    if as_result:
        return rf"{_AS_RESULT}({spelled})(?=[.,;!)]|$)"
    stem = f"{name[:-2]}y" if name.endswith("ie") else name.removesuffix("e")  # tying
    return rf"{_BEFORE}({spelled})\b|\b(?:s?he|it|they|you|and|who)\s({spelled})s\b|\b({re.escape(stem)}ing)\sat\b"
