"""Lines of a printed page that stand in the middle of a sentence: its number, the head above its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...book.paragraphs import Paragraph
from ...book.prose import Passage
from ...text import Problem
from .model import Reading

NUMBER = re.compile(r"(?:[Pp]age |p\. ?|[-–—|] ?)?\d{1,4}(?: ?[-–—|])?")
DIGITS = re.compile(r"\d+")
LONGEST = 60
OFTEN = 3
OPEN_END = re.compile(r"[\w,;]-?$")
GOES_ON = re.compile(r"[a-zäöüßéèà]")
ROWS = re.compile(r"\s{2,}|\t")


def problems(reading: Reading) -> Iterator[Problem]:
    """One problem for all lines of one kind: without a line in the middle of a sentence nothing is sure."""
    if not any(could_break(*two) for two in pairwise(reading.paragraphs)):
        return
    passages = reading.passages
    kinds: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        if 0 < number < len(passages) - 1 and is_line(passage):
            kinds.setdefault(kind(passage.text), []).append(number)
    for same in kinds.values():
        breaks = [number for number in same if breaks_a_sentence(passages, number)]
        if breaks and (kind(passages[breaks[0]].text) == "" or (len(same) >= OFTEN and len(breaks) > 1)):
            yield problem([passages[number] for number in same], passages[breaks[0]])


def could_break(line: Paragraph, behind: Paragraph) -> bool:
    return len(line.plain) <= LONGEST and line.token.level == 0 and GOES_ON.match(behind.plain) is not None


def is_line(passage: Passage) -> bool:
    text = passage.text.strip()
    return bool(text) and len(text) <= LONGEST and "\n" not in text and passage.holder < 0 and not passage.container


def kind(text: str) -> str:
    """Nothing for a page number; heads are alike but for the number in them."""
    return "" if NUMBER.fullmatch(text.strip()) else DIGITS.sub("0", text.strip())


def breaks_a_sentence(passages: Sequence[Passage], number: int) -> bool:
    before, behind = passages[number - 1], passages[number + 1]
    plain = before.holder == behind.holder == -1 and before.trail == behind.trail
    begun = OPEN_END.search(before.text.rstrip()[-2:]) and len(before.text) > LONGEST
    return bool(plain and begun and GOES_ON.match(behind.text))


def problem(lines: Sequence[Passage], first: Passage) -> Problem:
    text = first.text.strip()
    what = "the number of a printed page" if kind(text) == "" else f"«{text}», the head of a printed page,"
    message = f"{what} stands in the middle of a sentence"
    places = Counter(str(line.line) for line in lines)
    others = (f"lines like this one: {', '.join(list(places)[:12])}",) if len(lines) > 1 else ()
    notes = (*others, "take it out and join the sentence")
    return Problem("residue-line", message, first.span(0, len(first.text)), "warning", notes, first.trail)
