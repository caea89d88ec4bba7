"""Unfinished places: marks such as TODO, empty sections, "page XX", filler text, cells with a question mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import zip_longest
from typing import NamedTuple

from ..book.page import Heading, Page, map_lines
from ..book.text import Passage
from ..source import Problem, Span
from .check import Check, Noticed, Reading, texts

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
PUT_IN_LATER = re.compile(
    r"\S*|.*(?:include|insert|begin|start|end|auto|generat|snippet|toc\b|\{|\}|/).*", re.IGNORECASE | re.DOTALL
)
RULE = re.compile(r"^[ \t>]*[-*_= \t]*$", re.MULTILINE)
FILLED_LATER = re.compile(
    r"(?:table of )?contents?|toc|index|inhalt(?:sverzeichnis)?|sommaire|unreleased|upcoming|\[?(?:v|version )?\d.*",
    re.IGNORECASE,
)
FIRST_WORD = re.compile(r"[\w.'’ -]{5,}?(?=[\s(\[:,]|$)")
MOST = 3  # empty sections on a page that are reported one by one; more are a habit of the author


class Section(NamedTuple):
    heading: Heading
    below: str  # the text up to the next heading
    following: Heading | None

    @property
    def bare(self) -> bool:
        deeper = self.following is not None and self.following.level > self.heading.level
        if deeper or self.shared or self.title:
            return False
        return not RULE.sub("", COMMENT.sub(left, self.below)).strip()

    @property
    def title(self) -> bool:
        """Whether the heading repeats the one above it, as when a tool puts the file name on top."""
        trail = self.heading.trail
        return bool(trail) and letters(trail[-1]) == letters(self.heading.text)

    @property
    def shared(self) -> bool:
        """Whether the next heading begins with the same words, so that both may share one text."""
        first = FIRST_WORD.match(self.heading.text)
        return bool(first and self.following and self.following.text.startswith(first[0]))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def left(comment: re.Match[str]) -> str:
    """A replacement for `re.sub`: keeps comments that a tool replaces with text, drops all others."""
    return comment[1] if PUT_IN_LATER.fullmatch(comment[1].strip()) else ""


def sections(reading: Reading) -> Iterator[Section]:
    """The headings outside of lists, quotes and boxes, each with the text below it."""
    page, tokens, lines = reading.page, reading.page.tokens, reading.sheet.lines
    opened = zip(page.headings, reading.layout.headings, strict=False)
    found = [(one, number) for one, number in opened if tokens[number].map]
    for (heading, number), behind in zip_longest(found, found[1:]):
        if tokens[number].level or (behind and tokens[behind[1]].level):
            continue
        start = (tokens[number].map or [0, 0])[1]
        end = (tokens[behind[1]].map or [0])[0] if behind else len(lines)
        yield Section(heading, "\n".join(lines[start:end]), behind[0] if behind else None)


def problems(reading: Reading) -> Iterator[Problem]:
    page = reading.page
    title = page.headings[0] if page.headings else None
    bare = (section for section in sections(reading) if section.heading is not title and section.bare)
    found = [section for section in bare if is_meant_to_be_full(section.heading)]
    rare = len(found) <= MOST and 3 * len(found) <= len(page.headings)
    if found and not rare:
        others = f" and {len(found) - 1} more headings of this page" if len(found) > 1 else ""
        message = f"nothing stands below «{found[0].heading.text}»{others}"
        yield problem(found[0].heading, message, "info")
        return
    for section in found:
        yield problem(section.heading, f"nothing stands below «{section.heading.text}»", "warning")


def is_meant_to_be_full(heading: Heading) -> bool:
    return bool(heading.text) and heading.level > 1 and not FILLED_LATER.fullmatch(heading.text)


def problem(heading: Heading, message: str, severity: str) -> Problem:
    notes = ("the next heading is no deeper than this one", "write what is missing, or take the heading out")
    return Problem("unfinished-section", message, heading.span, severity, notes, heading.trail)


MARK = re.compile(r"(?<![\w`/#.@$&-])@?(TODO|FIXME|TBD|TBA|XXX)(?![\w/`=@-])")
AROUND = " \t\n*_()[]{}<>.,!:;…-–—\"'"
ORDERS = re.compile(
    r"\s+(?:(?:re)?writ(?:e|ing)|add|check|fix|describe|explain|update|finish|decide|clarify|expand|insert|find|make|move|"
    r"define|rename|remove|complete|balance|playtest|test (?!s)|rework|review|fill|include|put|work out|think|ask|draw|"
    r"translate|sort out|more|better|this|the)\b"
)
SPELLED_OUT = re.compile(r"(?:determined|decided|announced|done|do|defined)\W*$", re.IGNORECASE)
EXPLAINED = re.compile(r"\W{0,3}\s*(?:=|means|stands for|is short|:?\s*to be\b)", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?:^|[.!?:;)–—|])\s*$")
PAGE = re.compile(r"\b(?:[Pp]ages?|pp?\.|S\.|Seiten?)[ \u00a0]?(X{2,4}|\?{2,4}|#{2,4}|0{2,3}|N{2,3}|TBD)(?![\w#?])")
ROMAN = re.compile(r"\b(?:[Pp]ages?|pp?\.)[ \u00a0]?(?!X+\b)[IVXLC]{2,8}\b")
FILLER = re.compile(r"\A\W*lorem ipsum\b|\blorem ipsum dolor\b", re.IGNORECASE)
INSERT = re.compile(r"[\[<(]\s*insert [^\[\](){}<>\n]{1,60} here\s*[\])>]", re.IGNORECASE)
UNKNOWN = re.compile(r"(?:(?<=[(:=] )|(?<=[(:=]))\?{3,4}(?=[\s.,;)]|$)|(?<=[a-z] )\?{3,4}(?= [a-z])")
ASKED = re.compile(r"\?{1,4}")
EMPTY_EXAMPLE = re.compile(r"(?:[Ee]xamples?|[Bb]eispiele?)\s?[:.–—-]?\s*(\?{1,4}|\.{3}|…)\s*")
MOST_ALIKE = 3  # more equal problems on a page are reported as one
MOST_LINES = 12
MOST_CELLS = 4  # tables with more question marks have them on purpose
NAMED = re.compile(r"(?:\b(?:or|and|as|like|called|marks?|words?|says?)\s+|[«“\"„'‘])$")
SAMPLE = re.compile(r"\s*(?:\?{1,4}|TODO|TBD|FIXME|XXX)\s*")


class Found(NamedTuple):
    start: int
    end: int
    what: str
    repair: str
    severity: str = "warning"


def look(reading: Reading) -> Noticed:
    page = reading.page
    found = [*problems(reading), *cells(reading), *gathered(in_text(reading))]
    found += [*in_headings(page), *in_code(page), *in_comments(page)]
    return Noticed(len(page.headings), tuple(found))


def in_text(reading: Reading) -> Iterator[Problem]:
    roman = cache(partial(any_roman, reading.page.source.text))
    for passage in texts(reading):
        for one in marks(passage.text, roman):
            span = passage.span(one.start, one.end)
            if not is_code(span):
                yield unfinished_problem(one, span, passage.trail)


def any_roman(text: str) -> bool:
    return ROMAN.search(text) is not None


def gathered(found: Iterable[Problem]) -> Iterator[Problem]:
    """Merge equal problems of a page into one if there are too many."""
    alike: dict[str, list[Problem]] = {}
    for one in found:
        alike.setdefault(one.message, []).append(one)
    for first, *others in alike.values():
        if len(others) < MOST_ALIKE:
            yield from (first, *others)
            continue
        message = f"{first.message}; it stands on this page {len(others) + 1} times"
        lines = dict.fromkeys(str(one.span.source.place(one.span.start)[0]) for one in others)
        more = ", …" if len(lines) > MOST_LINES else ""
        note = f"also in line {', '.join(list(lines)[:MOST_LINES])}{more}"
        yield first._replace(message=message, notes=(*first.notes, note))


def is_code(span: Span) -> bool:
    """Whether the place is code or escaped, so that the mark is only mentioned, as `TODO` is here."""
    return span.source.text[span.start - 1 : span.start] in ("`", "\\")


def in_headings(page: Page) -> Iterator[Problem]:
    for heading in page.headings:
        for one in marks(heading.text, lambda: True):
            yield unfinished_problem(one, heading.span, heading.trail)


def marks(text: str, roman: Callable[[], bool]) -> Iterator[Found]:
    for found in MARK.finditer(text):
        if is_mark(text, found):
            yield Found(
                *found.span(), f"«{found[0]}» says that something is missing here", "write it, or take the mark out"
            )
    for found in PAGE.finditer(text):
        if not (found[1].startswith("X") and roman()) and not NAMED.search(text[: found.start()][-12:]):
            yield Found(
                *found.span(), f"«{found[0]}» is a page nobody has filled in", "name the page, or link to its heading"
            )
    if asked := EMPTY_EXAMPLE.fullmatch(text):
        yield Found(*asked.span(1), "this example was never written", "write it")
    if filler := FILLER.search(text):
        yield Found(*filler.span(), "this is text that only fills a gap", "write what belongs here")
    for found in INSERT.finditer(text):
        yield Found(*found.span(), "something was to be put in here", "put it in, or take the brackets out")
    for found in UNKNOWN.finditer(text):
        yield Found(*found.span(), "question marks stand where a word or a number should", "fill it in", "info")


def is_mark(text: str, found: re.Match[str]) -> bool:
    before, after = text[: found.start()], text[found.end() :]
    begun = SENTENCE_END.search(before[-4:])
    if begun and found[0].startswith("@"):
        return True
    if (begun and not after.strip(AROUND)) or (after[:1] == ":" and after[1:2] != ":" and begun):
        return not EXPLAINED.match(after)
    if SPELLED_OUT.search(before[-24:]) or NAMED.search(before[-12:]) or EXPLAINED.match(after[:24]):
        return False
    bracketed = before[-1:] in ("(", "[", "{") and after[:1] in (")", "]", "}", ":")
    if found[1] in ("TBD", "TBA"):
        return bracketed or after[:1] in ("", ".", ",", ";", ")")
    ordered = found[1] != "XXX" and begun and ORDERS.match(after)
    return bracketed or bool(ordered)


def unfinished_problem(one: Found, span: Span, trail: tuple[str, ...]) -> Problem:
    return Problem("unfinished-mark", one.what, span, one.severity, (one.repair,), trail)


def in_code(page: Page) -> Iterator[Problem]:
    """Code blocks with nothing but a mark."""
    sheet = None
    for token in page.tokens:
        if token.type == "fence" and token.map and SAMPLE.fullmatch(token.content) and not token.meta.get("block"):
            sheet = sheet or map_lines(page.source)
            span = sheet.line_span(token.map[0] + 1)
            yield Problem("unfinished-mark", "this example was never written", span, "warning", ("write it",))


def in_comments(page: Page) -> Iterator[Problem]:
    """Marks in comments, with severity "info": readers do not see them."""
    found = [(span.part(*one.span()), one[0]) for span in page.comments for one in MARK.finditer(span.text)]
    if found:
        first, mark = found[0]
        message = (
            f"a comment says «{mark}»" if len(found) == 1 else f"«{mark}» stands in {len(found)} comments of this page"
        )
        yield Problem("unfinished-mark", message, first, "info", ("do it, or take the comment out",))


def cells(reading: Reading) -> Iterator[Problem]:
    """Table cells with nothing but a question mark."""
    for table in reading.tables:
        found = [cell for row in table.rows for cell in row if is_asked(cell)]
        if 0 < len(found) <= MOST_CELLS:
            message = (
                f"{'a cell' if len(found) == 1 else f'{len(found)} cells'} of this table hold{'s' * (len(found) == 1)}"
            )
            span = found[0].span(0, len(found[0].text))
            note = "fill it in, or put a dash where there is nothing"
            yield Problem(
                "unfinished-cell", f"{message} nothing but a question mark", span, "info", (note,), table.trail
            )


def is_asked(cell: Passage) -> bool:
    return ASKED.fullmatch(cell.text.strip()) is not None


UNFINISHED = Check("unfinished", "headings", look)
