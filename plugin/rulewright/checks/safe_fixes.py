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
from ..source import LINE_BREAK, Problem, Source, Span
from .amounts import NUMBER_PATTERN, WrittenNumber, number_from_match, read_number
from .model import CheckedBlock

COMMENT_PATTERN = re.compile(r"[ \t]#\s(.*)")  # in a line of a block
INVISIBLE = re.compile(  # comments, tags, targets of links, attributes, marks of footnotes, definitions of links
    r"<!--.*?-->|</?[a-z][^<>]*>|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s\"[^\"]*\")?\)|\{[#.:][^}]*\}|\[\^[^\]]*\]"
    r"|^[ \t>]*\[[^\]^][^\]]*\]:[^\n]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
INCLUDE = re.compile(r"-{1,3}8<-{1,3}|\{%\s*include|\{\{|!\[\[")  # what such a line includes is unknown
DIGITS = re.compile(r"[0-9]+")
GROUPED = re.compile(r"[0-9]{1,3}(?:[,.'’\u00a0\u202f][0-9]{3})+(?![0-9])")  # 1,200
WORD = re.compile(r"[^\W\d_]+")
HUNDREDS = re.compile(r"hundred|thousand|hundert|tausend", re.IGNORECASE)
GERMAN = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
]  # fmt: skip
OTHER_WORDS = {  # other words for a number
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
DENOMINATORS = {
    "hal": 2, "eve": 2, "häl": 2, "thi": 3, "dri": 3, "qua": 4, "vie": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
    "nin": 9, "ten": 10,
}  # fmt: skip
OUT_OF = re.compile(
    rf"({SPOKEN})\s+(?:times?\s+)?(?:in|out\s+of|of|von)\s+(?:every\s+|the\s+)?({SPOKEN})", re.IGNORECASE
)
TOLERANCE = Fraction(1, 20)  # "a third of the time" may mean 30%


def repeats_number(page: Page, span: Span) -> bool:
    """Whether the section repeats a number: in a sentence, a table, or the title or a comment of a block."""
    text, value = text_around(page, span), read_number(span)
    if INCLUDE.search(text):
        return True
    if value is None:
        return bool(span.text.strip()) and span.text.strip().lower() in text.lower()
    if value.style == "decimal" and not value.places:
        return mentions_integer(text, abs(int(value.value)))
    return mentions_amount(text, value)


def mentions_integer(text: str, value: int) -> bool:
    digit_runs = [*DIGITS.findall(text), *(re.sub(r"\D", "", grouped) for grouped in GROUPED.findall(text))]
    if any(len(run) < 20 and int(run) == value for run in digit_runs):
        return True
    words = [word.lower() for word in WORD.findall(text)]
    number_words = [*words, *(f"{tens}-{units}" for tens, units in pairwise(words))]
    if any(number(word) == value for word in number_words) or (value >= 100 and HUNDREDS.search(text)):
        return True
    other_words = [OTHER_WORDS[value]] if value in OTHER_WORDS else []
    other_words += [f"{UNITS[value]}th"] if value < len(UNITS) else []
    other_words += [GERMAN[value]] if value < len(GERMAN) else []
    return bool(other_words) and bool(re.search(rf"\b(?:{'|'.join(other_words)})\b", text, re.IGNORECASE))


def mentions_amount(text: str, value: WrittenNumber) -> bool:
    """Whether a text has the same chance or mean with other rounding or in another style."""
    if any(amount.rounds_to(value.value) or value.rounds_to(amount.value) for amount in find_amounts(text)):
        return True
    return any(abs(portion - value.value) <= TOLERANCE for portion in find_portions(text))


def find_amounts(text: str) -> Iterator[WrittenNumber]:
    """All numbers of a text; a number without a percent sign is also read as a percentage."""
    source = Source("", text)
    for match in NUMBER_PATTERN.finditer(text):
        amount = number_from_match(match, Span(source, *match.span()))
        if amount and (amount.style != "decimal" or amount.places or amount.value > 1):
            yield amount
        if amount and amount.style == "decimal":
            yield replace(amount, style="percent", value=amount.value / 100)


def find_portions(text: str) -> Iterator[Fraction]:
    """Fractions in words: "two thirds", "one in four"."""
    for match in PORTION.finditer(text):
        yield Fraction(number(match[1] or "one") or 1, DENOMINATORS[match[2][:3].lower()])
    for match in OUT_OF.finditer(text):
        hits, tries = number(match[1]), number(match[2])
        if hits is not None and tries:
            yield Fraction(hits, tries)


def text_around(page: Page, span: Span) -> str:
    """The readable text of the section around a number, without the number."""
    start, end = section_bounds(page, span.start)
    blocks = [block for block in page.blocks if start <= block.span.start < end]
    visible_lines = [
        line
        for block in blocks
        for line in (block.title, *COMMENT_PATTERN.findall(normalize_line_ends(block.span.text)))
    ]
    return "\n".join([visible_text(page, start, end, [(span.start, span.end)]), *visible_lines])


def section_bounds(page: Page, place: int) -> tuple[int, int]:
    """The offsets of the section around a place; a section without text is joined to the one before it."""
    starts = [0, *sorted(heading.span.start for heading in page.headings), len(page.source.text)]
    index = bisect_right(starts, place, hi=len(starts) - 1) - 1
    text_below = visible_text(page, starts[index], starts[index + 1]).partition("\n")[2]
    return starts[index - 1 if index and not WORD.search(text_below) else index], starts[index + 1]


def visible_text(page: Page, start: int, end: int, excluded: Iterable[tuple[int, int]] = ()) -> str:
    """The text between two offsets of a page, without blocks and without invisible markup."""
    pieces, offset = list[str](), start
    for first, last in sorted([*((block.span.start, block.span.end) for block in page.blocks), *excluded]):
        if start <= first < end:
            pieces.append(page.source.text[offset : max(first, offset)])
            offset = max(last, offset)
    return INVISIBLE.sub(" ", normalize_line_ends("\0".join([*pieces, page.source.text[offset:end]])))


def normalize_line_ends(text: str) -> str:
    return LINE_BREAK.sub("\n", text)


STORY_CODES = frozenset({"example-outcome", "example-degree", "example-winner"})
OTHER_REPAIRS = {"example-step": "the dice, the inputs or the rule", "example-input": "the traits or the rule"}
WHOLE_NUMBER = re.compile(r"[-+−]?[0-9]+")


def either_note(key: str, value: str, others: str = OTHER_REPAIRS["example-step"]) -> str:
    """The note with both repairs, if only the author can decide between them."""
    entry_text = f"{key}: {value}" if key else value
    return f"either write `{entry_text}` and change the story, or change {others}"


def with_safe_fixes(checked: CheckedBlock, page: Page) -> CheckedBlock:
    """Replaces each unsafe fix of a block by a note with both repairs."""
    is_disputed = any(problem.code in STORY_CODES for problem in checked.problems)
    problems = (keep_safe_result(checked, problem, page, is_disputed) for problem in checked.problems)
    return replace(checked, problems=tuple(problems))


def keep_safe_numbers(problems: Iterable[Problem], page: Page) -> tuple[Problem, ...]:
    """Like `with_safe_fixes`, for the problems of links."""
    return tuple(keep_safe_number(problem, page) for problem in problems)


def keep_safe_result(checked: CheckedBlock, problem: Problem, page: Page, is_disputed: bool) -> Problem:
    """Keeps the fix of a step or an input only if the block states what happens, and states it correctly."""
    fix = problem.fix
    if fix is None or problem.code not in OTHER_REPAIRS:
        return keep_safe_number(problem, page)
    part, entry = find_entry(checked, fix.span)
    is_number = WHOLE_NUMBER.fullmatch(fix.span.text) and WHOLE_NUMBER.fullmatch(fix.text)
    if is_number and not is_disputed and states_what_happens(checked, part) and not is_repeated(page, fix.span):
        return problem
    key = entry.key if entry.value_span == fix.span else ""
    return without_fix(problem, either_note(key, fix.text, OTHER_REPAIRS[problem.code]))


def find_entry(checked: CheckedBlock, span: Span) -> tuple[Part, Entry]:
    """The part and the entry whose value contains a span."""
    entries = ((part, entry) for part in checked.block.parts for entry in part.entries)
    return next(
        (part, entry) for part, entry in entries if entry.value_at <= span.start and span.end <= entry.value_end
    )


def states_what_happens(checked: CheckedBlock, part: Part) -> bool:
    """Whether a part states its outcome, and its degree if it has one."""
    move = next((move for move in checked.moves if move.part is part), None)
    if move is None:
        return False
    is_open = len(move.rule.outcomes) > 1 or move.rule.contest is not None
    is_named = part.get("outcome") is not None or part.get("winner") is not None
    return (is_named or not is_open) and (move.degree is None or part.get("degree") is not None)


def keep_safe_number(problem: Problem, page: Page) -> Problem:
    if problem.fix is None or not is_repeated(page, problem.fix.span):
        return problem
    was, new = problem.fix.span.text, problem.fix.text
    note = f"either write {new} here and wherever the text repeats {was}, or change the rule"
    return without_fix(problem, note)


def without_fix(problem: Problem, note: str) -> Problem:
    return problem._replace(fix=None, notes=(*problem.notes, note))


def is_repeated(page: Page, span: Span) -> bool:
    return repeats_number(page, span)
