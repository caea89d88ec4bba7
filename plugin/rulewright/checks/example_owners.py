"""Whose numbers an example tells: the first one who acts in it, or somebody or something else.

"Ann has a dice pool of 5. Her brother has a dice pool of 7": the block tells Ann's roll, and the 7 is not hers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass

from ..prose.stems import is_empty, stem, stems_of
from ..source import Span

_MOST_TEXT = 5_000  # characters of an example that are looked at
_NAME = r"(?-i:[A-ZÄÖÜ])[\w-]+"
_WORD = r"[^\W\d][\w-]{0,30}"
_HAS = (
    r"has|have|had|gets?|got|gains?|gives?|grants?|rolls?|rolled|throws?|threw|adds?|uses?|needs?|takes?|makes?|brings?"
    r"|faces?|wields?|carries|holds?|wears?"
    r"|hat|haben|hatte|bekommt|gibt|würfelt|wirft|nimmt|nutzt|braucht|macht|trägt"
)
_ONE = r"the|an?|this|that|der|die|das|eine?"
_OF_SOMEBODY = r"his|her|their|its|my|our|your|another|each|every|seine?|ihre?"
_OWNER = re.compile(
    rf"\b(?:(?:(?P<one>{_ONE})|{_OF_SOMEBODY}|{_NAME}['’]s)\s+(?:{_WORD}\s+){{0,2}}?(?P<noun>{_WORD})|(?P<name>{_NAME}))"
    rf"(?:['’]s?(?=\s)|(?:,[^,.;:]{{1,40}},|,)?(?:\s+(?:who|which|that|der|die|das))?\s+(?:{_HAS})\b|,?\s+(?:with|at|an?|mit|bei|eine[nm]?)\b)",
    re.IGNORECASE,
)
_OF_ROLL = stems_of(
    "roll throw test check task action attempt result total example würfeln wurf probe aufgabe beispiel"
)


@dataclass(frozen=True, slots=True)
class Owners:
    """The places of an example at which somebody else's numbers begin, and where they end."""

    starts: tuple[int, ...]
    is_other: tuple[bool, ...]

    def is_of_other(self, place: int) -> bool:
        """Whether a number at a place is not that of the one whose roll the example tells."""
        at = bisect_left(self.starts, place)
        return at > 0 and self.is_other[at - 1]


def read_owners(example: Span, settings: Collection[str]) -> Owners:
    """The owners that an example names; `settings` are stems of what they may have, which are none."""
    known, found = _OF_ROLL.union(settings), list[tuple[int, str, bool]]()
    for match in _OWNER.finditer(example.source.text, example.start, min(example.end, example.start + _MOST_TEXT)):
        word = match["name"] or match["noun"]
        if not is_empty(word) and stem(word) not in known:
            found.append((match.start(), word.lower(), bool(match["name"] or match["one"])))
    main = next((word for _, word, can_act in found if can_act), "")
    return Owners(tuple(start for start, *_ in found), tuple(word != main for _, word, _ in found))
