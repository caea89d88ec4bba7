"""Repeated paragraphs: the same text pasted twice, or an old version of a rule next to the new one."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..book.page import LineMap
from ..book.text import Paragraph
from ..source import Problem, Span
from .check import Check, Noticed, Reading

WORD = re.compile(r"[\w'’]+")
NO_WORD = re.compile(r"[^\w'’]+")
FIRST_LETTERS = 100  # enough for the first words of nearly every paragraph
FIRST = 8  # words that two paragraphs must share at the beginning to be compared
SHORTEST = 15  # words
LONGEST = 250
ALIKE = 0.72
NEARLY = 0.86
NEAR = 4  # largest distance, in paragraphs
EDITIONS = 3  # two pages with so many pairs of paragraphs are editions of one text
SHOWN = re.compile(r"^[ \t>]{0,12}(?:`{3}|~{3}|\|| {4}\S|<)", re.MULTILINE)
BOILERPLATE = re.compile(
    r"licen[cs]e|copyright|©|trademark|all rights|creative commons|warranty|permission|hit:|to hit|saving throw|"
    r"reach \d",
    re.IGNORECASE,
)
NEGATIONS = ("not", "no", "never", "cannot", "kein", "keine", "nicht")
OPPOSITES = (
    {"attacker", "defender"}, {"success", "failure"}, {"succeed", "fail"}, {"succeeds", "fails"}, {"first", "second"},
    {"higher", "lower"}, {"more", "less"}, {"before", "after"}, {"left", "right"}, {"ally", "enemy"},
    {"gains", "loses"},
    {"small", "large"}, {"light", "heavy"}, {"men", "women"}, {"he", "she"}, {"with", "without"}, {"can", "cannot"},
)  # fmt: skip


class Told(NamedTuple):
    """A paragraph, with what is needed to compare it with the others of the book."""

    begin: tuple[str, ...]
    text: str
    heading: str
    trail: tuple[str, ...]
    span: Span
    place: int  # index of the paragraph on its page

    @property
    def words(self) -> tuple[str, ...]:
        return words_of(self.text)

    @property
    def page(self) -> str:
        return self.span.source.path

    @property
    def where(self) -> str:
        return f"{self.span.source.path}:{self.span.source.place(self.span.start)[0]}"


def look(reading: Reading) -> Noticed:
    """Collect the paragraphs outside of lists, boxes and quotes, which repeat themselves on purpose."""
    found = [read(one, number, reading.sheet) for number, one in enumerate(reading.paragraphs) if is_rule(one)]
    return Noticed(len(found), (), tuple(found))


def is_rule(one: Paragraph) -> bool:
    long = len(one.plain) > 5 * SHORTEST and one.plain.count(" ") >= SHORTEST
    return long and one.token.level == 0 and bool(one.opening.trail)


def read(one: Paragraph, number: int, sheet: LineMap) -> Told:
    trail, span = one.opening.trail, sheet.range_span(*(one.token.map or (0, 1)))
    return Told(begin(one.plain), one.plain, trail[-1], trail, span, number)


def begin(text: str) -> tuple[str, ...]:
    """The first words of a paragraph. Splitting may leave one empty piece in front of them."""
    pieces = NO_WORD.split(text[:FIRST_LETTERS].lower(), FIRST + 1)
    return tuple([piece for piece in pieces[: FIRST + 1] if piece][:FIRST])


def words_of(text: str) -> tuple[str, ...]:
    return tuple([word.lower() for word in WORD.findall(text[: LONGEST * 12])[:LONGEST]])


def settle(facts: Sequence[Told]) -> list[Problem]:
    same: dict[tuple[str, ...], list[Told]] = defaultdict(list)
    for told in facts:
        same[told.begin].append(told)
    pairs = [(found[0], found[1]) for found in same.values() if len(found) == 2]
    alike = Counter(pages(*pair) for pair in pairs)
    names = Counter(told.heading for told in {(told.trail, told.span.source.path): told for told in facts}.values())
    alone = [pair for pair in pairs if alike[pages(*pair)] < EDITIONS and names[pair[0].heading] <= 2]
    return [problem for pair in alone if (problem := judge(*pair))]


def pages(first: Told, second: Told) -> tuple[str, str]:
    """The pages of a pair. Two pages with many pairs are editions of one text, or describe two things alike."""
    return first.page, second.page


def judge(first: Told, second: Told) -> Problem | None:
    """Compare two paragraphs that begin alike."""
    if BOILERPLATE.search(first.span.text) or BOILERPLATE.search(second.span.text):
        return None
    if first.words == second.words:
        return again(first, second) if first.trail == second.trail and first.page == second.page else None
    if not beside(first, second) or are_parallel(first.words, second.words):
        return None
    ratio = SequenceMatcher(None, first.words, second.words, autojunk=False).ratio()
    return versions(first, second, ratio) if ratio >= ALIKE else None


def beside(first: Told, second: Told) -> bool:
    """Whether both are below the same heading, on pages of the same folder."""
    return first.heading == second.heading and posixpath.dirname(first.page) == posixpath.dirname(second.page)


def are_parallel(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the texts say the same of two opposites, such as attacker and defender, or one negates the other."""
    mine, its = set(first) - set(second), set(second) - set(first)
    denied = any(first.count(word) != second.count(word) for word in NEGATIONS)
    return denied or any((pair & mine and pair & its) for pair in OPPOSITES)


def again(first: Told, second: Told) -> Problem:
    message = f"this paragraph stands a second time below «{second.heading}»"
    notes = (f"the first is at {first.where}", "take one of the two out")
    severity = "warning" if stand_together(first, second) else "info"
    return Problem("repeated-paragraph", message, second.span, severity, notes, second.trail)


def stand_together(first: Told, second: Told) -> bool:
    """Whether they are a few paragraphs apart, without a table or code between them that both might describe."""
    between = first.span.source.text[first.span.end : second.span.start]
    return second.place - first.place <= NEAR and not SHOWN.search(between)


def versions(first: Told, second: Told, ratio: float) -> Problem:
    same = next((n for n, (one, other) in enumerate(zip(first.words, second.words, strict=False)) if one != other), 0)
    message = f"this paragraph and another below «{second.heading}» begin with the same {same} words, then they differ"
    notes = (f"the other is at {first.where}", difference(first, second, same), "if one is an old version, take it out")
    sure = first.page == second.page and first.trail == second.trail and ratio >= NEARLY
    severity = "warning" if sure and stand_together(first, second) else "info"
    return Problem("repeated-rule", message, second.span, severity, notes, second.trail)


def difference(first: Told, second: Told, same: int) -> str:
    mine, its = (" ".join(told.words[same : same + 4]) or "nothing more" for told in (first, second))
    return f"there: … {mine} …, here: … {its} …"


REPEATED = Check("repeated", "paragraphs", look, settle)
