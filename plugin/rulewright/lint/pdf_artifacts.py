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
from .check import Check, Noticed, Reading

NUMBER = re.compile(r"(?:[Pp]age |p\. ?|[-–—|] ?)?\d{1,4}(?: ?[-–—|])?")
DIGITS = re.compile(r"\d+")
LONGEST = 60
OFTEN = 3
OPEN_END = re.compile(r"[\w,;]-?$")
GOES_ON = re.compile(r"[a-zäöüßéèà]")
ROWS = re.compile(r"\s{2,}|\t")


def problems(reading: Reading) -> Iterator[Problem]:
    """Report lines of printed pages, one problem per kind, if at least one of them breaks a sentence."""
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
    return (
        bool(text)
        and len(text) <= LONGEST
        and "\n" not in text
        and passage.container_token < 0
        and not passage.container
    )


def kind(text: str) -> str:
    """The text with its digits masked, so that page headers are equal; empty for a page number."""
    return "" if NUMBER.fullmatch(text.strip()) else DIGITS.sub("0", text.strip())


def breaks_a_sentence(passages: Sequence[Passage], number: int) -> bool:
    before, behind = passages[number - 1], passages[number + 1]
    plain = before.container_token == behind.container_token == -1 and before.trail == behind.trail
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


LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
LIGATURE = re.compile(r"(?<!\w)(?:[^\W\ufb00-\ufb06]{0,40})[\ufb00-\ufb06]\w*|[\ufb00-\ufb06]\w*")
UNREAD = re.compile("\ufffd+")
PRIVATE = re.compile(r"[\ue000-\uf8ff]+")
SOFT = re.compile(r"(\w{1,40})\u00ad(?:[ \t]*\n[ \t>]{0,8}|[ \t]+)(?=[a-zäöüßéèà])")
HIDDEN = re.compile(r"\w\u00ad\w")
BREAK = re.compile(r"-(?<=[^\W\d_]-)(?:[ \t]|[ \t]*\n[ \t>]{0,8})([^\W\d_]{2,30})(?![\w-])")
BEFORE = re.compile(r"(?<![\w-])[^\W\d_]{2,30}\Z")
RESIDUE_GOES_ON = frozenset((
    "and", "or", "to", "nor", "but", "und", "oder", "bis", "bzw", "sowie", "et", "ou", "y", "o", "e", "or", "of",
    "in", "für", "versus", "vs", "as", "through",
))  # fmt: skip
WORD = re.compile(r"[^\W\d_]{5,60}")


def look(reading: Reading) -> Noticed:
    page = reading.page
    words = sum([one.plain.count(" ") + 1 for one in reading.paragraphs])
    strange = (*ligatures(page), *unread(page), *soft(page))
    return Noticed(words, (*strange, *broken(page), *problems(reading)))


def visible(expression: re.Pattern[str], page: Page) -> list[re.Match[str]]:
    """Matches outside of code and comments."""
    found = list(expression.finditer(page.source.text))
    code = CodeRanges(page) if found else ()
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
    """Replace all ligatures in one edit, from the first word to the last."""
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
    """Whether the text is about this character."""
    around = text[max(place - 60, 0) : place + 60].lower()
    return "fffd" in around or "replacement character" in around


def soft(page: Page) -> Iterator[Problem]:
    """Soft hyphens, which are visible only where a line breaks."""
    for found in visible(SOFT, page):
        here = Span(page.source, found.end(1), found.end())
        message = f"«{found[1]}» and what follows are one word, which a line once broke"
        yield Problem("residue-word", message, span(page, found), "warning", ("join them",), (), Fix(here, ""))
    if found_inside := visible(HIDDEN, page):
        first = found_inside[0]
        message = f"a hyphen that nobody sees stands in this word{told(found_inside)}: searches do not find it"
        yield Problem("residue-letter", message, span(page, first), "info", ("take it out unless it was meant",))


def broken(page: Page) -> Iterator[Problem]:
    """Words split by a hyphen that are written in one elsewhere on the page."""
    text = page.source.text
    found = [(one, two) for two in BREAK.finditer(text) if (one := first_part(text, two)) and goes_with(two[1])]
    if not found:
        return
    small, code = text.lower(), CodeRanges(page)
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
    return second.islower() and second not in RESIDUE_GOES_ON


RESIDUE = Check("residue", "words", look)
