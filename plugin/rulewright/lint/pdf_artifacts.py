"""Artifacts of text extracted from a PDF: ligatures, hyphens from line breaks, headers and numbers of printed pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..book.dialects import CodeRanges
from ..book.page import Page
from ..book.text import Paragraph, Passage
from ..source import Fix, Problem, Span
from .check import Check, LintContext, LintResult

NUMBER = re.compile(r"(?:[Pp]age |p\. ?|[-–—|] ?)?\d{1,4}(?: ?[-–—|])?")
DIGITS = re.compile(r"\d+")
MAX_LINE_LENGTH = 60
MIN_REPEATS = 3
OPEN_END = re.compile(r"[\w,;]-?$")
LOWER_CASE = re.compile(r"[a-zäöüßéèà]")
ROWS = re.compile(r"\s{2,}|\t")


def page_line_problems(context: LintContext) -> Iterator[Problem]:
    """Report lines of printed pages, one problem per kind, if at least one of them breaks a sentence."""
    if not any(may_break(*pair) for pair in pairwise(context.paragraphs)):
        return
    passages = context.passages
    kinds: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        if 0 < number < len(passages) - 1 and is_short_line(passage):
            kinds.setdefault(line_kind(passage.text), []).append(number)
    for same in kinds.values():
        breaks = [number for number in same if breaks_sentence(passages, number)]
        if breaks and (line_kind(passages[breaks[0]].text) == "" or (len(same) >= MIN_REPEATS and len(breaks) > 1)):
            yield page_line_problem([passages[number] for number in same], passages[breaks[0]])


def may_break(line: Paragraph, following: Paragraph) -> bool:
    return (
        len(line.plain) <= MAX_LINE_LENGTH and line.token.level == 0 and LOWER_CASE.match(following.plain) is not None
    )


def is_short_line(passage: Passage) -> bool:
    text = passage.text.strip()
    return (
        bool(text)
        and len(text) <= MAX_LINE_LENGTH
        and "\n" not in text
        and passage.container_token < 0
        and not passage.container
    )


def line_kind(text: str) -> str:
    """The text with its digits masked, so that page headers are equal; empty for a page number."""
    return "" if NUMBER.fullmatch(text.strip()) else DIGITS.sub("0", text.strip())


def breaks_sentence(passages: Sequence[Passage], number: int) -> bool:
    before, following = passages[number - 1], passages[number + 1]
    plain = before.container_token == following.container_token == -1 and before.trail == following.trail
    begun = OPEN_END.search(before.text.rstrip()[-2:]) and len(before.text) > MAX_LINE_LENGTH
    return bool(plain and begun and LOWER_CASE.match(following.text))


def page_line_problem(lines: Sequence[Passage], first: Passage) -> Problem:
    text = first.text.strip()
    subject = "the number of a printed page" if line_kind(text) == "" else f"«{text}», the head of a printed page,"
    message = f"{subject} stands in the middle of a sentence"
    places = Counter(str(line.line) for line in lines)
    others = (f"lines like this one: {', '.join(list(places)[:12])}",) if len(lines) > 1 else ()
    notes = (*others, "take it out and join the sentence")
    return Problem("residue-line", message, first.span(0, len(first.text)), "warning", notes, first.trail)


LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
LIGATURE = re.compile(r"(?<!\w)(?:[^\W\ufb00-\ufb06]{0,40})[\ufb00-\ufb06]\w*|[\ufb00-\ufb06]\w*")
LOST_LETTER = re.compile("\ufffd+")
PRIVATE_USE = re.compile(r"[\ue000-\uf8ff]+")
SOFT_HYPHEN_BREAK = re.compile(r"(\w{1,40})\u00ad(?:[ \t]*\n[ \t>]{0,8}|[ \t]+)(?=[a-zäöüßéèà])")
HIDDEN_HYPHEN = re.compile(r"\w\u00ad\w")
HYPHEN_BREAK = re.compile(r"-(?<=[^\W\d_]-)(?:[ \t]|[ \t]*\n[ \t>]{0,8})([^\W\d_]{2,30})(?![\w-])")
WORD_BEFORE = re.compile(r"(?<![\w-])[^\W\d_]{2,30}\Z")
CONJUNCTIONS = frozenset((
    "and", "or", "to", "nor", "but", "und", "oder", "bis", "bzw", "sowie", "et", "ou", "y", "o", "e", "or", "of",
    "in", "für", "versus", "vs", "as", "through",
))  # fmt: skip
WORD = re.compile(r"[^\W\d_]{5,60}")


def check_page(context: LintContext) -> LintResult:
    page = context.page
    words = sum([paragraph.plain.count(" ") + 1 for paragraph in context.paragraphs])
    letter_problems = (*ligature_problems(page), *lost_letters(page), *soft_hyphens(page))
    return LintResult(words, (*letter_problems, *broken_words(page), *page_line_problems(context)))


def visible_matches(expression: re.Pattern[str], page: Page) -> list[re.Match[str]]:
    """Matches outside of code and comments."""
    matches = list(expression.finditer(page.source.text))
    code = CodeRanges(page) if matches else ()
    return [match for match in matches if match.start() not in code]


def match_span(page: Page, match: re.Match[str]) -> Span:
    return Span(page.source, *match.span())


def more_on_page(matches: Sequence[object]) -> str:
    return "" if len(matches) == 1 else f", and {len(matches) - 1} more on this page"


def ligature_problems(page: Page) -> Iterator[Problem]:
    matches = [match for match in visible_matches(LIGATURE, page) if len(match[0]) > 1]
    if matches:
        first = matches[0]
        message = (
            f"«{first[0]}» has two letters in one{more_on_page(matches)}: nobody who searches for the word finds it"
        )
        notes = ("such letters come from a PDF: write them one by one",)
        yield Problem(
            "residue-letter",
            message,
            match_span(page, first),
            "warning",
            notes,
            (),
            ligature_fix(page, first, matches[-1]),
        )


def ligature_fix(page: Page, first: re.Match[str], last: re.Match[str]) -> Fix:
    """Replace all ligatures in one edit, from the first word to the last."""
    stretch = Span(page.source, first.start(), last.end())
    return Fix(stretch, re.sub("[ﬀ-ﬆ]", lambda letter: LIGATURES[letter[0]], stretch.text))


def lost_letters(page: Page) -> Iterator[Problem]:
    if matches := [
        match for match in visible_matches(LOST_LETTER, page) if not is_mentioned(page.source.text, match.start())
    ]:
        message = f"a letter was lost here when the text was read{more_on_page(matches)}"
        yield Problem(
            "residue-letter", message, match_span(page, matches[0]), "warning", ("look it up in the original",)
        )
    if matches := visible_matches(PRIVATE_USE, page):
        message = f"only one font knows what this sign is{more_on_page(matches)}: U+{ord(matches[0][0][0]):04X}"
        note = "if it came from a PDF, write what it stood for"
        yield Problem("residue-letter", message, match_span(page, matches[0]), "info", (note,))


def is_mentioned(text: str, offset: int) -> bool:
    """Whether the text is about this character."""
    around = text[max(offset - 60, 0) : offset + 60].lower()
    return "fffd" in around or "replacement character" in around


def soft_hyphens(page: Page) -> Iterator[Problem]:
    """Soft hyphens, which are visible only where a line breaks."""
    for match in visible_matches(SOFT_HYPHEN_BREAK, page):
        here = Span(page.source, match.end(1), match.end())
        message = f"«{match[1]}» and what follows are one word, which a line once broke"
        yield Problem("residue-word", message, match_span(page, match), "warning", ("join them",), (), Fix(here, ""))
    if hidden := visible_matches(HIDDEN_HYPHEN, page):
        first = hidden[0]
        message = f"a hyphen that nobody sees stands in this word{more_on_page(hidden)}: searches do not find it"
        yield Problem("residue-letter", message, match_span(page, first), "info", ("take it out unless it was meant",))


def broken_words(page: Page) -> Iterator[Problem]:
    """Words split by a hyphen that are written in one elsewhere on the page."""
    text = page.source.text
    splits = [
        (first, match)
        for match in HYPHEN_BREAK.finditer(text)
        if (first := first_part(text, match)) and is_continuation(match[1])
    ]
    if not splits:
        return
    small, code = text.lower(), CodeRanges(page)
    words = set(WORD.findall(small))
    for first, two in splits:
        whole = first + two[1]
        if whole.lower() in words and f"{first}-{two[1]}".lower() not in small and two.start() not in code:
            hyphen_span = Span(page.source, two.start(), two.start(1))
            word_span = Span(page.source, two.start() - len(first), two.end())
            message = f"«{whole}» is one word elsewhere on this page; here a line once broke it"
            yield Problem("residue-word", message, word_span, "warning", ("join the two",), (), Fix(hyphen_span, ""))


def first_part(text: str, hyphen: re.Match[str]) -> str:
    match = WORD_BEFORE.search(text[max(hyphen.start() - 32, 0) : hyphen.start()])
    return match[0] if match else ""


def is_continuation(second: str) -> bool:
    return second.islower() and second not in CONJUNCTIONS


RESIDUE = Check("residue", "words", check_page)
