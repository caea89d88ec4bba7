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
from .interface import Check, LintContext, LintResult

_WORD = re.compile(r"[\w'’]+")
_NOT_WORD = re.compile(r"[^\w'’]+")
_OPENING_LENGTH = 100  # enough for the first words of nearly every paragraph
_OPENING_WORDS = 8  # words that two paragraphs must share at the beginning to be compared
_MIN_WORDS = 15  # words
_MAX_WORDS = 250
_MIN_RATIO = 0.72
_SURE_RATIO = 0.86
_MAX_DISTANCE = 4  # largest distance, in paragraphs
_MIN_EDITION_PAIRS = 3  # two pages with so many pairs of paragraphs are editions of one text
_TABLE_OR_CODE = re.compile(r"^[ \t>]{0,12}(?:`{3}|~{3}|\|| {4}\S|<)", re.MULTILINE)
_BOILERPLATE = re.compile(
    r"licen[cs]e|copyright|©|trademark|all rights|creative commons|warranty|permission|hit:|to hit|saving throw|"
    r"reach \d",
    re.IGNORECASE,
)
_NEGATIONS = ("not", "no", "never", "cannot", "kein", "keine", "nicht")
_OPPOSITES = (
    {"attacker", "defender"}, {"success", "failure"}, {"succeed", "fail"}, {"succeeds", "fails"}, {"first", "second"},
    {"higher", "lower"}, {"more", "less"}, {"before", "after"}, {"left", "right"}, {"ally", "enemy"},
    {"gains", "loses"},
    {"small", "large"}, {"light", "heavy"}, {"men", "women"}, {"he", "she"}, {"with", "without"}, {"can", "cannot"},
)  # fmt: skip


class _RuleParagraph(NamedTuple):
    """A paragraph, with what is needed to compare it with the others of the book."""

    opening: tuple[str, ...]
    text: str
    heading: str
    trail: tuple[str, ...]
    span: Span
    number: int  # index of the paragraph on its page

    @property
    def words(self) -> tuple[str, ...]:
        return _split_words(self.text)

    @property
    def page(self) -> str:
        return self.span.source.path

    @property
    def location(self) -> str:
        return f"{self.span.source.path}:{self.span.source.position(self.span.start)[0]}"


def _check_page(context: LintContext) -> LintResult:
    """Collect the paragraphs outside of lists, boxes and quotes, which repeat themselves on purpose."""
    rules = [
        _read_paragraph(paragraph, number, context.source_map)
        for number, paragraph in enumerate(context.paragraphs)
        if _is_rule(paragraph)
    ]
    return LintResult(len(rules), (), tuple(rules))


def _is_rule(paragraph: Paragraph) -> bool:
    long = len(paragraph.plain) > 5 * _MIN_WORDS and paragraph.plain.count(" ") >= _MIN_WORDS
    return long and paragraph.token.level == 0 and bool(paragraph.opening.trail)


def _read_paragraph(paragraph: Paragraph, number: int, sheet: LineMap) -> _RuleParagraph:
    trail, span = paragraph.opening.trail, sheet.range_span(*(paragraph.token.map or (0, 1)))
    return _RuleParagraph(_opening_words(paragraph.plain), paragraph.plain, trail[-1], trail, span, number)


def _opening_words(text: str) -> tuple[str, ...]:
    """The first words of a paragraph. Splitting may leave one empty piece in front of them."""
    pieces = _NOT_WORD.split(text[:_OPENING_LENGTH].lower(), _OPENING_WORDS + 1)
    return tuple([piece for piece in pieces[: _OPENING_WORDS + 1] if piece][:_OPENING_WORDS])


def _split_words(text: str) -> tuple[str, ...]:
    return tuple([word.lower() for word in _WORD.findall(text[: _MAX_WORDS * 12])[:_MAX_WORDS]])


def _check_book(facts: Sequence[_RuleParagraph]) -> list[Problem]:
    by_opening: dict[tuple[str, ...], list[_RuleParagraph]] = defaultdict(list)
    for paragraph in facts:
        by_opening[paragraph.opening].append(paragraph)
    pairs = [(group[0], group[1]) for group in by_opening.values() if len(group) == 2]
    pair_counts = Counter(_page_pair(*pair) for pair in pairs)
    names = Counter(
        paragraph.heading for paragraph in {(told.trail, told.span.source.path): told for told in facts}.values()
    )
    unique_pairs = [
        pair for pair in pairs if pair_counts[_page_pair(*pair)] < _MIN_EDITION_PAIRS and names[pair[0].heading] <= 2
    ]
    return [problem for pair in unique_pairs if (problem := _compare_paragraphs(*pair))]


def _page_pair(first: _RuleParagraph, second: _RuleParagraph) -> tuple[str, str]:
    """The pages of a pair. Two pages with many pairs are editions of one text, or describe two things alike."""
    return first.page, second.page


def _compare_paragraphs(first: _RuleParagraph, second: _RuleParagraph) -> Problem | None:
    """Compare two paragraphs that begin alike."""
    if _BOILERPLATE.search(first.span.text) or _BOILERPLATE.search(second.span.text):
        return None
    if first.words == second.words:
        return _duplicate_problem(first, second) if first.trail == second.trail and first.page == second.page else None
    if not _has_same_heading(first, second) or _are_parallel(first.words, second.words):
        return None
    ratio = SequenceMatcher(None, first.words, second.words, autojunk=False).ratio()
    return _versions_problem(first, second, ratio) if ratio >= _MIN_RATIO else None


def _has_same_heading(first: _RuleParagraph, second: _RuleParagraph) -> bool:
    """Whether both are below the same heading, on pages of the same folder."""
    return first.heading == second.heading and posixpath.dirname(first.page) == posixpath.dirname(second.page)


def _are_parallel(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the texts say the same of two opposites, such as attacker and defender, or one negates the other."""
    mine, its = set(first) - set(second), set(second) - set(first)
    denied = any(first.count(word) != second.count(word) for word in _NEGATIONS)
    return denied or any((pair & mine and pair & its) for pair in _OPPOSITES)


def _duplicate_problem(first: _RuleParagraph, second: _RuleParagraph) -> Problem:
    message = f'this paragraph appears again below "{second.heading}"'
    notes = (f"the first is at {first.location}", "take one of the two out")
    severity = "warning" if _are_close(first, second) else "info"
    return Problem("repeated-paragraph", message, second.span, severity, notes, second.trail)


def _are_close(first: _RuleParagraph, second: _RuleParagraph) -> bool:
    """Whether they are a few paragraphs apart, without a table or code between them that both might describe."""
    between = first.span.source.text[first.span.end : second.span.start]
    return second.number - first.number <= _MAX_DISTANCE and not _TABLE_OR_CODE.search(between)


def _versions_problem(first: _RuleParagraph, second: _RuleParagraph, ratio: float) -> Problem:
    same = next((n for n, (word, other) in enumerate(zip(first.words, second.words, strict=False)) if word != other), 0)
    message = f'this paragraph and another below "{second.heading}" begin with the same {same} words, then they differ'
    notes = (
        f"the other is at {first.location}",
        _describe_difference(first, second, same),
        "if one is an old version, take it out",
    )
    sure = first.page == second.page and first.trail == second.trail and ratio >= _SURE_RATIO
    severity = "warning" if sure and _are_close(first, second) else "info"
    return Problem("repeated-rule", message, second.span, severity, notes, second.trail)


def _describe_difference(first: _RuleParagraph, second: _RuleParagraph, same: int) -> str:
    mine, its = (" ".join(paragraph.words[same : same + 4]) or "nothing more" for paragraph in (first, second))
    return f"there: … {mine} …, here: … {its} …"


CHECK = Check("repeated", "paragraphs", _check_page, _check_book)
