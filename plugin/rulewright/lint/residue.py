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
from .interface import Check, LintContext, LintResult

_NUMBER = re.compile(r"(?:[Pp]age |p\. ?|[-–—|] ?)?\d{1,4}(?: ?[-–—|])?")
_DIGITS = re.compile(r"\d+")
_MAX_LINE_LENGTH = 60
_MIN_REPEATS = 3
_OPEN_END = re.compile(r"[\w,;]-?$")
_LOWER_CASE = re.compile(r"[a-zäöüßéèà]")
_ROWS = re.compile(r"\s{2,}|\t")


def _page_line_problems(context: LintContext) -> Iterator[Problem]:
    """Report lines of printed pages, one problem per kind, if at least one of them breaks a sentence."""
    if not any(_may_break(*pair) for pair in pairwise(context.paragraphs)):
        return
    passages = context.passages
    kinds: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        if 0 < number < len(passages) - 1 and _is_short_line(passage):
            kinds.setdefault(_line_kind(passage.text), []).append(number)
    for same in kinds.values():
        breaks = [number for number in same if _breaks_sentence(passages, number)]
        if breaks and (_line_kind(passages[breaks[0]].text) == "" or (len(same) >= _MIN_REPEATS and len(breaks) > 1)):
            yield _page_line_problem([passages[number] for number in same], passages[breaks[0]])


def _may_break(line: Paragraph, following: Paragraph) -> bool:
    return (
        len(line.plain) <= _MAX_LINE_LENGTH and line.token.level == 0 and _LOWER_CASE.match(following.plain) is not None
    )


def _is_short_line(passage: Passage) -> bool:
    text = passage.text.strip()
    return (
        bool(text)
        and len(text) <= _MAX_LINE_LENGTH
        and "\n" not in text
        and passage.container_token < 0
        and not passage.container
    )


def _line_kind(text: str) -> str:
    """The text with its digits masked, so that page headers are equal; empty for a page number."""
    return "" if _NUMBER.fullmatch(text.strip()) else _DIGITS.sub("0", text.strip())


def _breaks_sentence(passages: Sequence[Passage], number: int) -> bool:
    before, following = passages[number - 1], passages[number + 1]
    plain = before.container_token == following.container_token == -1 and before.trail == following.trail
    begun = _OPEN_END.search(before.text.rstrip()[-2:]) and len(before.text) > _MAX_LINE_LENGTH
    return bool(plain and begun and _LOWER_CASE.match(following.text))


def _page_line_problem(lines: Sequence[Passage], first: Passage) -> Problem:
    text = first.text.strip()
    subject = "the number of a printed page" if _line_kind(text) == "" else f'"{text}", the head of a printed page,'
    message = f"{subject} is in the middle of a sentence"
    places = Counter(str(line.line) for line in lines)
    others = (f"lines like this one: {', '.join(list(places)[:12])}",) if len(lines) > 1 else ()
    notes = (*others, "take it out and join the sentence")
    return Problem("residue-line", message, first.span(0, len(first.text)), "warning", notes, first.trail)


_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
_LIGATURE = re.compile(r"[\ufb00-\ufb06]\w*")
_LOST_LETTER = re.compile("\ufffd+")
_PRIVATE_USE = re.compile(r"[\ue000-\uf8ff]+")
_SOFT_HYPHEN_BREAK = re.compile(r"\u00ad(?<=\w\u00ad)(?:[ \t]*\n[ \t>]{0,8}|[ \t]+)(?=[a-zäöüßéèà])")
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?<=\w\u00ad)\w")
_LETTERS_BEFORE = re.compile(r"\w{1,40}\Z")
_HYPHEN_BREAK = re.compile(r"-(?<=[^\W\d_]-)(?:[ \t]|[ \t]*\n[ \t>]{0,8})([^\W\d_]{2,30})(?![\w-])")
_WORD_BEFORE = re.compile(r"(?<![\w-])[^\W\d_]{2,30}\Z")
_CONJUNCTIONS = frozenset((
    "and", "or", "to", "nor", "but", "und", "oder", "bis", "bzw", "sowie", "et", "ou", "y", "o", "e", "or", "of",
    "in", "für", "versus", "vs", "as", "through",
))  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{5,60}")


def _check_page(context: LintContext) -> LintResult:
    page = context.page
    words = sum([paragraph.plain.count(" ") + 1 for paragraph in context.paragraphs])
    letter_problems = (*_ligature_problems(page), *_lost_letters(page), *_soft_hyphens(page))
    return LintResult(words, (*letter_problems, *_broken_words(page), *_page_line_problems(context)))


def _visible_matches(expression: re.Pattern[str], page: Page) -> list[re.Match[str]]:
    """Matches outside of code and comments."""
    matches = list(expression.finditer(page.source.text))
    code = CodeRanges(page) if matches else ()
    return [match for match in matches if match.start() not in code]


def _match_span(page: Page, match: re.Match[str]) -> Span:
    return Span(page.source, *match.span())


def _span_from_word(page: Page, match: re.Match[str]) -> Span:
    """The span of a match, with the letters directly before it."""
    letters = _LETTERS_BEFORE.search(page.source.text, max(match.start() - 40, 0), match.start())
    return Span(page.source, letters.start() if letters else match.start(), match.end())


def _more_on_page(matches: Sequence[object]) -> str:
    return "" if len(matches) == 1 else f", and {len(matches) - 1} more on this page"


def _ligature_problems(page: Page) -> Iterator[Problem]:
    spans = [_span_from_word(page, match) for match in _visible_matches(_LIGATURE, page)]
    if words := [span for span in spans if len(span.text) > 1]:
        first = words[0]
        message = (
            f'"{first.text}" has two letters in one{_more_on_page(words)}: nobody who searches for the word finds it'
        )
        notes = ("such letters come from a PDF: write them one by one",)
        yield Problem("residue-letter", message, first, "warning", notes, (), _ligature_fix(first, words[-1]))


def _ligature_fix(first: Span, last: Span) -> Fix:
    """Replace all ligatures in one edit, from the first word to the last."""
    stretch = Span(first.source, first.start, last.end)
    return Fix(stretch, re.sub("[ﬀ-ﬆ]", lambda letter: _LIGATURES[letter[0]], stretch.text))


def _lost_letters(page: Page) -> Iterator[Problem]:
    if matches := [
        match for match in _visible_matches(_LOST_LETTER, page) if not _is_mentioned(page.source.text, match.start())
    ]:
        message = f"a letter was lost here when the text was read{_more_on_page(matches)}"
        yield Problem(
            "residue-letter", message, _match_span(page, matches[0]), "warning", ("look it up in the original",)
        )
    if matches := _visible_matches(_PRIVATE_USE, page):
        message = f"only one font knows what this sign is{_more_on_page(matches)}: U+{ord(matches[0][0][0]):04X}"
        note = "if it came from a PDF, write what it stood for"
        yield Problem("residue-letter", message, _match_span(page, matches[0]), "info", (note,))


def _is_mentioned(text: str, offset: int) -> bool:
    """Whether the text is about this character."""
    around = text[max(offset - 60, 0) : offset + 60].lower()
    return "fffd" in around or "replacement character" in around


def _soft_hyphens(page: Page) -> Iterator[Problem]:
    """Soft hyphens, which are visible only where a line breaks."""
    for match in _visible_matches(_SOFT_HYPHEN_BREAK, page):
        span, here = _span_from_word(page, match), _match_span(page, match)
        word = page.source.text[span.start : here.start]
        message = f'"{word}" and what follows are one word, which a line once broke'
        yield Problem("residue-word", message, span, "warning", ("join them",), (), Fix(here, ""))
    if hidden := _visible_matches(_HIDDEN_HYPHEN, page):
        first = Span(page.source, hidden[0].start() - 1, hidden[0].end())
        message = f"this word contains an invisible hyphen{_more_on_page(hidden)}: searches do not find it"
        yield Problem("residue-letter", message, first, "info", ("take it out unless it was meant",))


def _broken_words(page: Page) -> Iterator[Problem]:
    """Words split by a hyphen that are written in one elsewhere on the page."""
    text = page.source.text
    splits = [
        (first, match)
        for match in _HYPHEN_BREAK.finditer(text)
        if (first := _first_part(text, match)) and _is_continuation(match[1])
    ]
    if not splits:
        return
    small, code = text.lower(), CodeRanges(page)
    words = set(_WORD.findall(small))
    for first, two in splits:
        whole = first + two[1]
        if whole.lower() in words and f"{first}-{two[1]}".lower() not in small and two.start() not in code:
            hyphen_span = Span(page.source, two.start(), two.start(1))
            word_span = Span(page.source, two.start() - len(first), two.end())
            message = f'"{whole}" is one word elsewhere on this page; here a line once broke it'
            yield Problem("residue-word", message, word_span, "warning", ("join the two",), (), Fix(hyphen_span, ""))


def _first_part(text: str, hyphen: re.Match[str]) -> str:
    match = _WORD_BEFORE.search(text[max(hyphen.start() - 32, 0) : hyphen.start()])
    return match[0] if match else ""


def _is_continuation(second: str) -> bool:
    return second.islower() and second not in _CONJUNCTIONS


CHECK = Check("residue", "words", _check_page)
