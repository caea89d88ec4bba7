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
from .check import Check, LintContext, LintResult

WORD = re.compile(r"[\w'’]+")
NOT_WORD = re.compile(r"[^\w'’]+")
OPENING_LENGTH = 100  # enough for the first words of nearly every paragraph
OPENING_WORDS = 8  # words that two paragraphs must share at the beginning to be compared
MIN_WORDS = 15  # words
MAX_WORDS = 250
MIN_RATIO = 0.72
SURE_RATIO = 0.86
MAX_DISTANCE = 4  # largest distance, in paragraphs
MIN_EDITION_PAIRS = 3  # two pages with so many pairs of paragraphs are editions of one text
TABLE_OR_CODE = re.compile(r"^[ \t>]{0,12}(?:`{3}|~{3}|\|| {4}\S|<)", re.MULTILINE)
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


class RuleParagraph(NamedTuple):
    """A paragraph, with what is needed to compare it with the others of the book."""

    opening: tuple[str, ...]
    text: str
    heading: str
    trail: tuple[str, ...]
    span: Span
    number: int  # index of the paragraph on its page

    @property
    def words(self) -> tuple[str, ...]:
        return split_words(self.text)

    @property
    def page(self) -> str:
        return self.span.source.path

    @property
    def location(self) -> str:
        return f"{self.span.source.path}:{self.span.source.position(self.span.start)[0]}"


def check_page(context: LintContext) -> LintResult:
    """Collect the paragraphs outside of lists, boxes and quotes, which repeat themselves on purpose."""
    rules = [
        read_paragraph(paragraph, number, context.source_map)
        for number, paragraph in enumerate(context.paragraphs)
        if is_rule(paragraph)
    ]
    return LintResult(len(rules), (), tuple(rules))


def is_rule(paragraph: Paragraph) -> bool:
    long = len(paragraph.plain) > 5 * MIN_WORDS and paragraph.plain.count(" ") >= MIN_WORDS
    return long and paragraph.token.level == 0 and bool(paragraph.opening.trail)


def read_paragraph(paragraph: Paragraph, number: int, sheet: LineMap) -> RuleParagraph:
    trail, span = paragraph.opening.trail, sheet.range_span(*(paragraph.token.map or (0, 1)))
    return RuleParagraph(opening_words(paragraph.plain), paragraph.plain, trail[-1], trail, span, number)


def opening_words(text: str) -> tuple[str, ...]:
    """The first words of a paragraph. Splitting may leave one empty piece in front of them."""
    pieces = NOT_WORD.split(text[:OPENING_LENGTH].lower(), OPENING_WORDS + 1)
    return tuple([piece for piece in pieces[: OPENING_WORDS + 1] if piece][:OPENING_WORDS])


def split_words(text: str) -> tuple[str, ...]:
    return tuple([word.lower() for word in WORD.findall(text[: MAX_WORDS * 12])[:MAX_WORDS]])


def check_book(facts: Sequence[RuleParagraph]) -> list[Problem]:
    by_opening: dict[tuple[str, ...], list[RuleParagraph]] = defaultdict(list)
    for paragraph in facts:
        by_opening[paragraph.opening].append(paragraph)
    pairs = [(group[0], group[1]) for group in by_opening.values() if len(group) == 2]
    pair_counts = Counter(page_pair(*pair) for pair in pairs)
    names = Counter(
        paragraph.heading for paragraph in {(told.trail, told.span.source.path): told for told in facts}.values()
    )
    unique_pairs = [
        pair for pair in pairs if pair_counts[page_pair(*pair)] < MIN_EDITION_PAIRS and names[pair[0].heading] <= 2
    ]
    return [problem for pair in unique_pairs if (problem := compare_paragraphs(*pair))]


def page_pair(first: RuleParagraph, second: RuleParagraph) -> tuple[str, str]:
    """The pages of a pair. Two pages with many pairs are editions of one text, or describe two things alike."""
    return first.page, second.page


def compare_paragraphs(first: RuleParagraph, second: RuleParagraph) -> Problem | None:
    """Compare two paragraphs that begin alike."""
    if BOILERPLATE.search(first.span.text) or BOILERPLATE.search(second.span.text):
        return None
    if first.words == second.words:
        return duplicate_problem(first, second) if first.trail == second.trail and first.page == second.page else None
    if not has_same_heading(first, second) or are_parallel(first.words, second.words):
        return None
    ratio = SequenceMatcher(None, first.words, second.words, autojunk=False).ratio()
    return versions_problem(first, second, ratio) if ratio >= MIN_RATIO else None


def has_same_heading(first: RuleParagraph, second: RuleParagraph) -> bool:
    """Whether both are below the same heading, on pages of the same folder."""
    return first.heading == second.heading and posixpath.dirname(first.page) == posixpath.dirname(second.page)


def are_parallel(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the texts say the same of two opposites, such as attacker and defender, or one negates the other."""
    mine, its = set(first) - set(second), set(second) - set(first)
    denied = any(first.count(word) != second.count(word) for word in NEGATIONS)
    return denied or any((pair & mine and pair & its) for pair in OPPOSITES)


def duplicate_problem(first: RuleParagraph, second: RuleParagraph) -> Problem:
    message = f"this paragraph stands a second time below «{second.heading}»"
    notes = (f"the first is at {first.location}", "take one of the two out")
    severity = "warning" if are_close(first, second) else "info"
    return Problem("repeated-paragraph", message, second.span, severity, notes, second.trail)


def are_close(first: RuleParagraph, second: RuleParagraph) -> bool:
    """Whether they are a few paragraphs apart, without a table or code between them that both might describe."""
    between = first.span.source.text[first.span.end : second.span.start]
    return second.number - first.number <= MAX_DISTANCE and not TABLE_OR_CODE.search(between)


def versions_problem(first: RuleParagraph, second: RuleParagraph, ratio: float) -> Problem:
    same = next((n for n, (word, other) in enumerate(zip(first.words, second.words, strict=False)) if word != other), 0)
    message = f"this paragraph and another below «{second.heading}» begin with the same {same} words, then they differ"
    notes = (
        f"the other is at {first.location}",
        describe_difference(first, second, same),
        "if one is an old version, take it out",
    )
    sure = first.page == second.page and first.trail == second.trail and ratio >= SURE_RATIO
    severity = "warning" if sure and are_close(first, second) else "info"
    return Problem("repeated-rule", message, second.span, severity, notes, second.trail)


def describe_difference(first: RuleParagraph, second: RuleParagraph, same: int) -> str:
    mine, its = (" ".join(paragraph.words[same : same + 4]) or "nothing more" for paragraph in (first, second))
    return f"there: … {mine} …, here: … {its} …"


REPEATED = Check("repeated", "paragraphs", check_page, check_book)
