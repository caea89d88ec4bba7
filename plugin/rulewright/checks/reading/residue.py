"""What is left behind when text was taken out of a PDF: letters, hyphens, lines that belong to a printed page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...book.model import Page
from ...book.templates import Code
from ...text import Fix, Problem, Span
from . import page_lines
from .model import Check, Noticed, Reading

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
LIGATURE = re.compile(r"(?<!\w)(?:[^\W\ufb00-\ufb06]{0,40})[\ufb00-\ufb06]\w*|[\ufb00-\ufb06]\w*")
UNREAD = re.compile("\ufffd+")
PRIVATE = re.compile(r"[\ue000-\uf8ff]+")
SOFT = re.compile(r"(\w{1,40})\u00ad(?:[ \t]*\n[ \t>]{0,8}|[ \t]+)(?=[a-zäöüßéèà])")
HIDDEN = re.compile(r"\w\u00ad\w")
BREAK = re.compile(r"-(?<=[^\W\d_]-)(?:[ \t]|[ \t]*\n[ \t>]{0,8})([^\W\d_]{2,30})(?![\w-])")
BEFORE = re.compile(r"(?<![\w-])[^\W\d_]{2,30}\Z")
GOES_ON = frozenset((
    "and", "or", "to", "nor", "but", "und", "oder", "bis", "bzw", "sowie", "et", "ou", "y", "o", "e", "or", "of",
    "in", "für", "versus", "vs", "as", "through",
))  # fmt: skip
WORD = re.compile(r"[^\W\d_]{5,60}")


def look(reading: Reading) -> Noticed:
    page = reading.page
    words = sum([one.plain.count(" ") + 1 for one in reading.paragraphs])
    strange = (*ligatures(page), *unread(page), *soft(page))
    return Noticed(words, (*strange, *broken(page), *page_lines.problems(reading)))


def visible(expression: re.Pattern[str], page: Page) -> list[re.Match[str]]:
    """What stands in no code and no comment."""
    found = list(expression.finditer(page.source.text))
    code = Code(page) if found else ()
    return [one for one in found if one.start() not in code]


def span(page: Page, found: re.Match[str]) -> Span:
    return Span(page.source, *found.span())


def told(found: Sequence[object]) -> str:
    return "" if len(found) == 1 else f", and {len(found) - 1} more on this page"


def ligatures(page: Page) -> Iterator[Problem]:
    found = [one for one in visible(LIGATURE, page) if len(one[0]) > 1]
    if found:
        first = found[0]
        message = f"«{first[0]}» has two letters in one{told(found)}: nobody who searches for the word finds it"
        notes = ("such letters come from a PDF: write them one by one",)
        yield Problem("residue-letter", message, span(page, first), "warning", notes, (), fix(page, first, found[-1]))


def fix(page: Page, first: re.Match[str], last: re.Match[str]) -> Fix:
    """All of them in one edit, from the first to the last."""
    stretch = Span(page.source, first.start(), last.end())
    return Fix(stretch, re.sub("[ﬀ-ﬆ]", lambda letter: LIGATURES[letter[0]], stretch.text))


def unread(page: Page) -> Iterator[Problem]:
    if found := [one for one in visible(UNREAD, page) if not is_shown(page.source.text, one.start())]:
        message = f"a letter was lost here when the text was read{told(found)}"
        yield Problem("residue-letter", message, span(page, found[0]), "warning", ("look it up in the original",))
    if found := visible(PRIVATE, page):
        message = f"only one font knows what this sign is{told(found)}: U+{ord(found[0][0][0]):04X}"
        note = "if it came from a PDF, write what it stood for"
        yield Problem("residue-letter", message, span(page, found[0]), "info", (note,))


def is_shown(text: str, place: int) -> bool:
    """Some texts speak of this very sign."""
    around = text[max(place - 60, 0) : place + 60].lower()
    return "fffd" in around or "replacement character" in around


def soft(page: Page) -> Iterator[Problem]:
    """Hyphens that are only seen at the end of a line; there they were once."""
    for found in visible(SOFT, page):
        here = Span(page.source, found.end(1), found.end())
        message = f"«{found[1]}» and what follows are one word, which a line once broke"
        yield Problem("residue-word", message, span(page, found), "warning", ("join them",), (), Fix(here, ""))
    if found_inside := visible(HIDDEN, page):
        first = found_inside[0]
        message = f"a hyphen that nobody sees stands in this word{told(found_inside)}: searches do not find it"
        yield Problem("residue-letter", message, span(page, first), "info", ("take it out unless it was meant",))


def broken(page: Page) -> Iterator[Problem]:
    """A word in two parts that stands whole elsewhere on the page."""
    text = page.source.text
    found = [(one, two) for two in BREAK.finditer(text) if (one := first_part(text, two)) and goes_with(two[1])]
    if not found:
        return
    small, code = text.lower(), Code(page)
    words = set(WORD.findall(small))
    for one, two in found:
        whole = one + two[1]
        if whole.lower() in words and f"{one}-{two[1]}".lower() not in small and two.start() not in code:
            here = Span(page.source, two.start(), two.start(1))
            place = Span(page.source, two.start() - len(one), two.end())
            message = f"«{whole}» is one word elsewhere on this page; here a line once broke it"
            yield Problem("residue-word", message, place, "warning", ("join the two",), (), Fix(here, ""))


def first_part(text: str, hyphen: re.Match[str]) -> str:
    found = BEFORE.search(text[max(hyphen.start() - 32, 0) : hyphen.start()])
    return found[0] if found else ""


def goes_with(second: str) -> bool:
    return second.islower() and second not in GOES_ON


RESIDUE = Check("residue", "words", look)
