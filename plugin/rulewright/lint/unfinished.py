"""Unfinished places: marks such as TODO, empty sections, "page XX", filler text, cells with a question mark."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import NamedTuple

from ..book.page import Heading, Page, map_lines
from ..book.text import Passage
from ..source import Problem, Span
from .interface import Check, LintContext, LintResult

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_REPLACED_LATER = re.compile(
    r"\S*|.*(?:include|insert|begin|start|end|auto|generat|snippet|toc\b|\{|\}|/).*", re.IGNORECASE | re.DOTALL
)
_EMPTY_LINE = re.compile(r"^[ \t]*[-*_= \t]*$", re.MULTILINE)  # or a line across the page
_FILLED_LATER = re.compile(
    r"(?:table of )?contents?|toc|index|inhalt(?:sverzeichnis)?|sommaire|unreleased|upcoming|\[?(?:v|version )?\d.*",
    re.IGNORECASE,
)
_HAS_CONTENT = re.compile(  # the heading itself says it: each alternative is one way in which authors do that
    r"!\[|\[\[|\]\(|\]\[|^[ \t#]*:::"  # a picture, an embedded page, a link, a directive
    r"|[:：]\W*$|[:=|]\s.*\d"  # a form field, "Health: 4"
    r"|^[^\d:：]*[:：]\s+\S"  # "Inability: you get lost"; not "Chapter 3: Combat"
    r"|(?<!\w)[+−-]\d|\b\d*[dDwW]\d|\d\s*(?:%|ft\b|m\b|lbs?\b|kg\b|gp\b|sp\b|cp\b|XP\b)"
    r"|[\w)][.!?…][\W_]*$|^[*+•-]\s"  # a sentence, an item of a list
    r"|(?:(?<!\.)\.{3,}|…|\(|\bpp?\.)\s*\d+\W*$"  # "Magic … 12", "INDEX (255)": a line of a contents list
)
_FIRST_WORD = re.compile(r"[\w.'’ -]{5,}?(?=[\s(\[:,]|$)")
_MAX_EMPTY = 3  # empty sections on a page that are reported one by one; more are a habit of the author


class _Section(NamedTuple):
    heading: Heading
    below: str  # the text up to the next heading
    following: Heading | None

    @property
    def is_empty(self) -> bool:
        if _HAS_CONTENT.search(self.heading.span.text) or self.has_subsections or self.shares_text:
            return False
        return not (self.repeats_parent or self._text)

    @property
    def has_subsections(self) -> bool:
        return self.following is not None and self.following.level > self.heading.level

    @property
    def is_certain(self) -> bool:
        """Whether text is surely missing: a comment stands there, or the section above ends as well.

        Before a heading of the same level, this one may be the title of what follows.
        """
        is_last = self.following is None or self.following.level < self.heading.level
        return is_last or self.has_comment

    @property
    def has_comment(self) -> bool:
        return "<!--" in self.below

    @property
    def _text(self) -> str:
        return _EMPTY_LINE.sub("", _COMMENT.sub(_keep_if_replaced, self.below)).strip()

    @property
    def repeats_parent(self) -> bool:
        """Whether the heading repeats the one above it, as when a tool puts the file name on top."""
        trail = self.heading.trail
        return bool(trail) and _letters_only(trail[-1]) == _letters_only(self.heading.text)

    @property
    def shares_text(self) -> bool:
        """Whether the next heading begins with the same words, so that both may share one text."""
        first = _FIRST_WORD.match(self.heading.text)
        return bool(first and self.following and self.following.text.startswith(first[0]))


def _letters_only(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _keep_if_replaced(comment: re.Match[str]) -> str:
    """A replacement for `re.sub`: keeps comments that a tool replaces with text, drops all others."""
    return comment[1] if _REPLACED_LATER.fullmatch(comment[1].strip()) else ""


def _find_sections(context: LintContext) -> Iterator[_Section]:
    """The headings outside of lists, quotes and boxes, each with the text below it."""
    page, tokens, lines = context.page, context.page.tokens, context.source_map.lines
    opened = zip(page.headings, context.layout.headings, strict=False)
    headings = [(heading, number) for heading, number in opened if tokens[number].map]
    for (heading, number), behind in zip_longest(headings, headings[1:]):
        if tokens[number].level or (behind and tokens[behind[1]].level):
            continue
        start = (tokens[number].map or [0, 0])[1]
        end = (tokens[behind[1]].map or [0])[0] if behind else len(lines)
        yield _Section(heading, "\n".join(lines[start:end]), behind[0] if behind else None)


def _empty_sections(context: LintContext) -> Iterator[Problem]:
    page = context.page
    title = page.headings[0] if page.headings else None
    levels = defaultdict[str, set[int]](set)
    for heading in page.headings:
        levels[_letters_only(heading.text)].add(heading.level)
    bare = (section for section in _find_sections(context) if section.heading is not title and section.is_empty)
    empty = [
        section
        for section in bare
        if _needs_text(section.heading)
        and (section.has_comment or len(levels[_letters_only(section.heading.text)]) == 1)
    ]
    rare = len(empty) <= _MAX_EMPTY and 3 * len(empty) <= len(page.headings)
    certain = [section for section in empty if section.is_certain] if rare else []
    for section in certain:
        yield _section_problem(section, f'there is nothing below "{section.heading.text}"', "warning")
    uncertain = [section for section in empty if section not in certain]
    if uncertain:
        others = f" and {len(uncertain) - 1} more headings of this page" if len(uncertain) > 1 else ""
        message = f'there is nothing below "{uncertain[0].heading.text}"{others}'
        yield _section_problem(uncertain[0], message, "info")


def _needs_text(heading: Heading) -> bool:
    return bool(heading.text) and heading.level > 1 and not _FILLED_LATER.fullmatch(heading.text)


def _section_problem(section: _Section, message: str, severity: str) -> Problem:
    heading = section.heading
    repairs = ["write what is missing", "take the heading out"]
    if not section.is_certain:
        repairs.insert(1, "make what belongs to it deeper")
    cause = "the next heading is no deeper than this one" if section.following else "nothing is written below"
    notes = (cause, ", or ".join(repairs))
    return Problem("unfinished-section", message, heading.span, severity, notes, heading.trail)


_MARK = re.compile(r"(?<![\w`/#.@$&-])@?(TODO|FIXME|TBD|TBA|XXX)(?![\w/`=@-])")
_AROUND = " \t\n*_()[]{}<>.,!:;…-–—\"'"
_ORDERS = re.compile(
    r"\s+(?:(?:re)?writ(?:e|ing)|add|check|fix|describe|explain|update|finish|decide|clarify|expand|insert|find|make|move|"
    r"define|rename|remove|complete|balance|playtest|test (?!s)|rework|review|fill|include|put|work out|think|ask|draw|"
    r"translate|sort out|more|better|this|the)\b"
)
_NOTE = re.compile(  # behind a mark that begins a paragraph: a word, and none that makes the mark a noun
    r"\s+(?!(?i:is|are|was|were|has|have|must|may|can|will|should|means?|marks?|says?|stands?|lists?|items?|notes?"
    r"|comments?|tags?|words?|and|or|in|on|at|of|for)\b)(?:[A-Z]?[a-z]+)\b"
)
_SPANISH = re.compile(  # there "TODO" is the word for all
    r"\b(?:el|la|los|las|de|del|en|con|una?|es|se|su|por|que|para|uma?|da|em|com)\b", re.IGNORECASE
)
_SPELLED_OUT = re.compile(r"(?:determined|decided|announced|done|do|defined)\W*$", re.IGNORECASE)
_EXPLAINED = re.compile(r"\W{0,3}\s*(?:=|means|stands for|is short|:?\s*to be\b)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?:^|[.!?:;)–—|])\s*$")
_PAGE = re.compile(r"\b(?:[Pp]ages?|pp?\.|S\.|Seiten?)[ \u00a0]?(X{2,4}|\?{2,4}|#{2,4}|0{2,3}|N{2,3}|TBD)(?![\w#?])")
_ROMAN = re.compile(r"\b(?:[Pp]ages?|pp?\.)[ \u00a0]?(?!X+\b)[IVXLC]{2,8}\b")
_FILLER = re.compile(  # at the beginning, perhaps in quotes, or more than two words of it
    r"[Ll](?<!\w.)(?i:orem ipsum)\b(?:(?<=^.{11})|(?<=^\W.{11})|(?i: dolor)\b)", re.MULTILINE
)
_BARE_LETTERS = re.compile(r"(Xx{2,}[.…]?)\s*(?:\[\^\w{1,20}\])?\s*")
_SAMPLE_NAME = re.compile(r"(?<![^\W_])(?:samples?|templates?|style[ _-]?guide)(?![^\W_])", re.IGNORECASE)
_TASKS = re.compile(r"\s*(?:[-*+]|\d+[.)])[ \t]")
_INSERT = re.compile(r"[\[<(]\s*insert [^\[\](){}<>\n]{1,60} here\s*[\])>]", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"\?\?\?(?:(?:(?<=[(:=] \?\?\?)|(?<=[(:=]\?\?\?))\??(?=[\s.,;)]|$)|(?<=[a-z] \?\?\?)\??(?= [a-z]))"
)
_QUESTION_MARKS = re.compile(r"\?{1,4}")
_EMPTY_EXAMPLE = re.compile(r"(?:[Ee]xamples?|[Bb]eispiele?)\s?[:.–—-]?\s*(\?{1,4}|\.{3}|…)\s*")
_TEXT_MARKS = (_MARK, _PAGE, _EMPTY_EXAMPLE, _FILLER, _BARE_LETTERS, _INSERT, _UNKNOWN)
_FILLS_GAP = "this is text that only fills a gap"
_MAX_EQUAL = 3  # more equal problems on a page are reported as one
_MAX_LINES = 12
_MAX_CELLS = 4  # tables with more question marks have them on purpose
_MENTIONED = re.compile(r"(?:\b(?:or|and|as|like|called|marks?|words?|says?)\s+|[«“\"„'‘])$")
_SAMPLE = re.compile(r"\s*(?:\?{1,4}|TODO|TBD|FIXME|XXX)\s*")


class _Mark(NamedTuple):
    start: int
    end: int
    message: str
    repair: str
    severity: str = "warning"


def _check_page(context: LintContext) -> LintResult:
    page = context.page
    found_problems = [*_empty_sections(context), *_question_cells(context), *_merge_equal(_in_text(context))]
    found_problems += [*_in_headings(context), *_in_code(page), *_in_comments(page)]
    return LintResult(len(page.headings), tuple(found_problems))


def _in_text(context: LintContext) -> Iterator[Problem]:
    roman = cache(partial(_has_roman_pages, context.page.source.text))
    is_sample = _is_sample(context.page)
    for passage in context.passages_with(*_TEXT_MARKS):
        for mark in _find_marks(passage.text, roman):
            span = passage.span(mark.start, mark.end)
            if not _is_code(span) and not (is_sample and mark.message == _FILLS_GAP):
                yield _mark_problem(mark, span, passage.trail)


def _is_sample(page: Page) -> bool:
    """Whether the page only shows how pages look."""
    title = page.headings[0].text if page.headings else ""
    return any(_SAMPLE_NAME.search(name) for name in (PurePosixPath(page.source.path).stem, title))


def _has_roman_pages(text: str) -> bool:
    return _ROMAN.search(text) is not None


def _merge_equal(found_problems: Iterable[Problem]) -> Iterator[Problem]:
    """Merge equal problems of a page into one if there are too many."""
    by_message: dict[str, list[Problem]] = {}
    for problem in found_problems:
        by_message.setdefault(problem.message, []).append(problem)
    for first, *others in by_message.values():
        if len(others) < _MAX_EQUAL:
            yield from (first, *others)
            continue
        message = f"{first.message}; it is on this page {len(others) + 1} times"
        lines = dict.fromkeys(str(other.span.source.position(other.span.start)[0]) for other in others)
        more = ", …" if len(lines) > _MAX_LINES else ""
        note = f"also in line {', '.join(list(lines)[:_MAX_LINES])}{more}"
        yield first._replace(message=message, notes=(*first.notes, note))


def _is_code(span: Span) -> bool:
    """Whether the place is code or escaped, so that the mark is only mentioned, as `TODO` is here."""
    return span.source.text[span.start - 1 : span.start] in ("`", "\\")


def _in_headings(context: LintContext) -> Iterator[Problem]:
    tasks = set(_task_lists(context)) if PurePosixPath(context.page.source.path).stem.lower() == "readme" else set()
    for heading in context.page.headings:
        for mark in _find_marks(heading.text, lambda: True):
            if heading.span not in tasks:
                yield _mark_problem(mark, heading.span, heading.trail)


def _task_lists(context: LintContext) -> Iterator[Span]:
    """The headings that say only "TODO", directly above a list: work on the files, not a gap in the rules."""
    for section in _find_sections(context):
        if _MARK.fullmatch(section.heading.text.strip(_AROUND)) and _TASKS.match(section.below):
            yield section.heading.span


def _find_marks(text: str, roman: Callable[[], bool]) -> Iterator[_Mark]:
    for match in _MARK.finditer(text):
        if _is_mark(text, match):
            yield _Mark(
                *match.span(), f'"{match[0]}" says that something is missing here', "write it, or take the mark out"
            )
    for match in _PAGE.finditer(text):
        if not (match[1].startswith("X") and roman()) and not _MENTIONED.search(text[: match.start()][-12:]):
            yield _Mark(
                *match.span(), f'"{match[0]}" is a page nobody has filled in', "name the page, or link to its heading"
            )
    if example := _EMPTY_EXAMPLE.fullmatch(text):
        yield _Mark(*example.span(1), "this example was never written", "write it")
    if filler := _FILLER.search(text):
        yield _Mark(*filler.span(), _FILLS_GAP, "write what belongs here")
    if letters := _BARE_LETTERS.fullmatch(text):
        yield _Mark(*letters.span(1), f'"{letters[1]}" is in place of text', "write it")
    for match in _INSERT.finditer(text):
        yield _Mark(*match.span(), "something was to be put in here", "put it in, or take the brackets out")
    for match in _UNKNOWN.finditer(text):
        yield _Mark(*match.span(), "question marks are where a word or a number should be", "fill it in", "info")


def _is_mark(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    begun = _SENTENCE_END.search(before[-4:])
    if begun and match[0].startswith("@"):
        return True
    if (begun and not after.strip(_AROUND)) or (after[:1] == ":" and after[1:2] != ":" and begun):
        return not _EXPLAINED.match(after)
    if _SPELLED_OUT.search(before[-24:]) or _MENTIONED.search(before[-12:]) or _EXPLAINED.match(after[:24]):
        return False
    bracketed = before[-1:] in ("(", "[", "{") and after[:1] in (")", "]", "}", ":")
    if match[1] in ("TBD", "TBA"):
        return bracketed or after[:1] in ("", ".", ",", ";", ")")
    if not before.strip() and _NOTE.match(after) and match[1] != "XXX" and not _SPANISH.search(after):
        return True
    ordered = match[1] != "XXX" and begun and _ORDERS.match(after)
    return bracketed or bool(ordered)


def _mark_problem(mark: _Mark, span: Span, trail: tuple[str, ...]) -> Problem:
    return Problem("unfinished-mark", mark.message, span, mark.severity, (mark.repair,), trail)


def _in_code(page: Page) -> Iterator[Problem]:
    """Code blocks with nothing but a mark."""
    sheet = None
    for token in page.tokens:
        if token.type == "fence" and token.map and _SAMPLE.fullmatch(token.content) and not token.meta.get("block"):
            sheet = sheet or map_lines(page.source)
            span = sheet.line_span(token.map[0] + 1)
            yield Problem("unfinished-mark", "this example was never written", span, "warning", ("write it",))


def _in_comments(page: Page) -> Iterator[Problem]:
    """Marks in comments, with severity "info": readers do not see them."""
    comment_marks = [
        (span.subspan(*match.span()), match[0]) for span in page.comments for match in _MARK.finditer(span.text)
    ]
    if comment_marks:
        first, mark = comment_marks[0]
        message = (
            f'a comment says "{mark}"'
            if len(comment_marks) == 1
            else f'"{mark}" is in {len(comment_marks)} comments of this page'
        )
        yield Problem("unfinished-mark", message, first, "info", ("do it, or take the comment out",))


def _question_cells(context: LintContext) -> Iterator[Problem]:
    """Table cells with nothing but a question mark."""
    for table in context.tables:
        questions = [cell for row in table.rows for cell in row if _is_question(cell)]
        if 0 < len(questions) <= _MAX_CELLS:
            cells = (
                "a cell of this table holds" if len(questions) == 1 else f"{len(questions)} cells of this table hold"
            )
            span = questions[0].span(0, len(questions[0].text))
            note = "fill it in, or put a dash where there is nothing"
            yield Problem("unfinished-cell", f"{cells} nothing but a question mark", span, "info", (note,), table.trail)


def _is_question(cell: Passage) -> bool:
    return _QUESTION_MARKS.fullmatch(cell.text.strip()) is not None


CHECK = Check("unfinished", "headings", _check_page)
