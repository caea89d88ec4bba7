"""Decides which fixes are safe: not if they change what happens, nor if the section repeats the number elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from ..book.page import Entry, Page, Part
from ..prose.dice import NUMBER as SPOKEN
from ..prose.dice import UNITS, number
from ..source import LINE_END, Problem, Source, Span
from .amounts import NUMBER, Written, read_number, written
from .model import Checked

COMMENT = re.compile(r"[ \t]#\s(.*)")  # in a line of a block
UNSEEN = re.compile(  # comments, tags, targets of links, attributes, marks of footnotes, definitions of links
    r"<!--.*?-->|</?[a-z][^<>]*>|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s\"[^\"]*\")?\)|\{[#.:][^}]*\}|\[\^[^\]]*\]"
    r"|^[ \t>]*\[[^\]^][^\]]*\]:[^\n]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
INSERTED = re.compile(r"-{1,3}8<-{1,3}|\{%\s*include|\{\{|!\[\[")  # what such a line includes is unknown
FIGURES = re.compile(r"[0-9]+")
GROUPED = re.compile(r"[0-9]{1,3}(?:[,.'’\u00a0\u202f][0-9]{3})+(?![0-9])")  # 1,200
WORD = re.compile(r"[^\W\d_]+")
HUNDREDS = re.compile(r"hundred|thousand|hundert|tausend", re.IGNORECASE)
GERMAN = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
]  # fmt: skip
OTHERWISE = {  # other words for a number
    0: r"no|not|none|nothing|nobody|never|neither|without|\w+n['’]t|kein\w*|nichts?|nie|ohne",
    1: r"an?|once|single|first|only|another|eine\w*|eins|erste\w*",
    2: r"both|twice|pairs?|doubles?|couple|second|beide\w*|doppelt\w*|zweite\w*",
    3: r"third|thrice|triple|dritte\w*",
    5: r"fifth",
    8: r"eighth",
    9: r"ninth",
    12: r"twelfth|dozens?|dutzend",
}
PORTION = re.compile(
    r"\b(?:(one|an?|two|three|four|five)[\s-]+)?(half|halves|even\s(?:chance|odds)|hälfte|thirds?|drittel|quarters?|viertel"
    r"|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b",
    re.IGNORECASE,
)
PARTS = {"hal": 2, "eve": 2, "häl": 2, "thi": 3, "dri": 3, "qua": 4, "vie": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
         "nin": 9, "ten": 10}  # fmt: skip
OUT_OF = re.compile(
    rf"({SPOKEN})\s+(?:times?\s+)?(?:in|out\s+of|of|von)\s+(?:every\s+|the\s+)?({SPOKEN})", re.IGNORECASE
)
ABOUT = Fraction(1, 20)  # "a third of the time" may mean 30%


def repeats(page: Page, span: Span) -> bool:
    """Whether the section repeats a number: in a sentence, a table, or the title or a comment of a block."""
    text, value = beside(page, span), read_number(span)
    if INSERTED.search(text):
        return True
    if value is None:
        return bool(span.text.strip()) and span.text.strip().lower() in text.lower()
    if value.style == "decimal" and not value.places:
        return says_whole(text, abs(int(value.value)))
    return says_amount(text, value)


def says_whole(text: str, value: int) -> bool:
    runs = [*FIGURES.findall(text), *(re.sub(r"\D", "", found) for found in GROUPED.findall(text))]
    if any(len(run) < 20 and int(run) == value for run in runs):
        return True
    words = [word.lower() for word in WORD.findall(text)]
    spoken = [*words, *(f"{tens}-{units}" for tens, units in pairwise(words))]
    if any(number(word) == value for word in spoken) or (value >= 100 and HUNDREDS.search(text)):
        return True
    others = [OTHERWISE[value]] if value in OTHERWISE else []
    others += [f"{UNITS[value]}th"] if value < len(UNITS) else []
    others += [GERMAN[value]] if value < len(GERMAN) else []
    return bool(others) and bool(re.search(rf"\b(?:{'|'.join(others)})\b", text, re.IGNORECASE))


def says_amount(text: str, value: Written) -> bool:
    """Whether a text has the same chance or mean with other rounding or in another style."""
    if any(one.rounds_to(value.value) or value.rounds_to(one.value) for one in amounts(text)):
        return True
    return any(abs(portion - value.value) <= ABOUT for portion in portions(text))


def amounts(text: str) -> Iterator[Written]:
    """All numbers of a text; a number without a percent sign is also read as a percentage."""
    source = Source("", text)
    for found in NUMBER.finditer(text):
        amount = written(found, Span(source, *found.span()))
        if amount and (amount.style != "decimal" or amount.places or amount.value > 1):
            yield amount
        if amount and amount.style == "decimal":
            yield replace(amount, style="percent", value=amount.value / 100)


def portions(text: str) -> Iterator[Fraction]:
    """Fractions in words: "two thirds", "one in four"."""
    for found in PORTION.finditer(text):
        yield Fraction(number(found[1] or "one") or 1, PARTS[found[2][:3].lower()])
    for found in OUT_OF.finditer(text):
        hits, tries = number(found[1]), number(found[2])
        if hits is not None and tries:
            yield Fraction(hits, tries)


def beside(page: Page, span: Span) -> str:
    """The readable text of the section around a number, without the number."""
    start, end = section(page, span.start)
    blocks = [block for block in page.blocks if start <= block.span.start < end]
    spoken = [line for block in blocks for line in (block.title, *COMMENT.findall(plain(block.span.text)))]
    return "\n".join([sentences(page, start, end, [(span.start, span.end)]), *spoken])


def section(page: Page, place: int) -> tuple[int, int]:
    """The offsets of the section around a place; a section without text is joined to the one before it."""
    starts = [0, *sorted(heading.span.start for heading in page.headings), len(page.source.text)]
    at = bisect_right(starts, place, hi=len(starts) - 1) - 1
    below = sentences(page, starts[at], starts[at + 1]).partition("\n")[2]
    return starts[at - 1 if at and not WORD.search(below) else at], starts[at + 1]


def sentences(page: Page, start: int, end: int, without: Iterable[tuple[int, int]] = ()) -> str:
    """The text between two offsets of a page, without blocks and without invisible markup."""
    pieces, at = list[str](), start
    for first, last in sorted([*((block.span.start, block.span.end) for block in page.blocks), *without]):
        if start <= first < end:
            pieces.append(page.source.text[at : max(first, at)])
            at = max(last, at)
    return UNSEEN.sub(" ", plain("\0".join([*pieces, page.source.text[at:end]])))


def plain(text: str) -> str:
    return LINE_END.sub("\n", text)


WHAT_HAPPENS = frozenset({"example-outcome", "example-degree", "example-winner"})
RESULTS = {"example-step": "the dice, the inputs or the rule", "example-input": "the traits or the rule"}
WHOLE_NUMBER = re.compile(r"[-+−]?[0-9]+")


def either(key: str, value: str, others: str = RESULTS["example-step"]) -> str:
    """The note with both repairs, if only the author can decide between them."""
    written = f"{key}: {value}" if key else value
    return f"either write `{written}` and change the story, or change {others}"


def with_safe_fixes(checked: Checked, page: Page) -> Checked:
    """Replaces each unsafe fix of a block by a note with both repairs."""
    disputed = any(problem.code in WHAT_HAPPENS for problem in checked.problems)
    problems = (safe_result(checked, problem, page, disputed) for problem in checked.problems)
    return replace(checked, problems=tuple(problems))


def safe_numbers(problems: Iterable[Problem], page: Page) -> tuple[Problem, ...]:
    """Like `with_safe_fixes`, for the problems of links."""
    return tuple(safe_number(problem, page) for problem in problems)


def safe_result(checked: Checked, problem: Problem, page: Page, disputed: bool) -> Problem:
    """Keeps the fix of a step or an input only if the block states what happens, and states it correctly."""
    fix = problem.fix
    if fix is None or problem.code not in RESULTS:
        return safe_number(problem, page)
    part, entry = written_in(checked, fix.span)
    is_number = WHOLE_NUMBER.fullmatch(fix.span.text) and WHOLE_NUMBER.fullmatch(fix.text)
    if is_number and not disputed and states_what_happens(checked, part) and not is_repeated(page, fix.span):
        return problem
    key = entry.key if entry.value_span == fix.span else ""
    return without_fix(problem, either(key, fix.text, RESULTS[problem.code]))


def written_in(checked: Checked, span: Span) -> tuple[Part, Entry]:
    """The part and the entry whose value contains a span."""
    entries = ((part, entry) for part in checked.block.parts for entry in part.entries)
    return next(
        (part, entry) for part, entry in entries if entry.value_at <= span.start and span.end <= entry.value_end
    )


def states_what_happens(checked: Checked, part: Part) -> bool:
    """Whether a part states its outcome, and its degree if it has one."""
    move = next((move for move in checked.moves if move.part is part), None)
    if move is None:
        return False
    is_open = len(move.rule.outcomes) > 1 or move.rule.contest is not None
    is_named = part.get("outcome") is not None or part.get("winner") is not None
    return (is_named or not is_open) and (move.degree is None or part.get("degree") is not None)


def safe_number(problem: Problem, page: Page) -> Problem:
    if problem.fix is None or not is_repeated(page, problem.fix.span):
        return problem
    was, new = problem.fix.span.text, problem.fix.text
    note = f"either write {new} here and wherever the text repeats {was}, or change the rule"
    return without_fix(problem, note)


def without_fix(problem: Problem, note: str) -> Problem:
    return problem._replace(fix=None, notes=(*problem.notes, note))


def is_repeated(page: Page, span: Span) -> bool:
    return repeats(page, span)
