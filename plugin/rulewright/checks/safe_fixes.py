"""Decides which fixes are safe: not if they change what happens, nor if the section repeats the number elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from ..book.page import Entry, Page, Part
from ..prose.number_words import find_portions, mentions_integer
from ..source import LINE_BREAK, Problem, Source, Span
from .model import CheckedBlock
from .written_numbers import NUMBER_PATTERN, WrittenNumber, number_from_match, read_number

_COMMENT_PATTERN = re.compile(r"[ \t]#\s(.*)")  # in a line of a block
_INVISIBLE = re.compile(  # comments, tags, targets of links, attributes, marks of footnotes, definitions of links
    r"<!--.*?-->|</?[a-z][^<>]*>|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s\"[^\"]*\")?\)|\{[#.:][^}]*\}|\[\^[^\]]*\]"
    r"|^[ \t>]*\[[^\]^][^\]]*\]:[^\n]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_INCLUDE = re.compile(r"-{1,3}8<-{1,3}|\{%\s*include|\{\{|!\[\[")  # what such a line includes is unknown
_LETTERS = re.compile(r"[^\W\d_]+")
_TOLERANCE = Fraction(1, 20)  # "a third of the time" may mean 30%


def repeats_number(page: Page, span: Span) -> bool:
    """Whether the section repeats a number: in a sentence, a table, or the title or a comment of a block."""
    return _is_in_text(_text_around(page, span), span)


def _is_in_text(text: str, span: Span) -> bool:
    value = read_number(span)
    if _INCLUDE.search(text):
        return True
    if value is None:
        return bool(span.text.strip()) and span.text.strip().lower() in text.lower()
    if value.style == "decimal" and not value.places:
        return mentions_integer(text, abs(int(value.value)))
    return _mentions_amount(text, value)


def _mentions_amount(text: str, value: WrittenNumber) -> bool:
    """Whether a text has the same chance or mean with other rounding or in another style."""
    if any(amount.rounds_to(value.value) or value.rounds_to(amount.value) for amount in _find_amounts(text)):
        return True
    return any(abs(portion - value.value) <= _TOLERANCE for portion in find_portions(text))


def _find_amounts(text: str) -> Iterator[WrittenNumber]:
    """All numbers of a text; a number without a percent sign is also read as a percentage."""
    source = Source("", text)
    for match in NUMBER_PATTERN.finditer(text):
        amount = number_from_match(match, Span(source, *match.span()))
        if amount and (amount.style != "decimal" or amount.places or amount.value > 1):
            yield amount
        if amount and amount.style == "decimal":
            yield replace(amount, style="percent", value=amount.value / 100)


def _text_around(page: Page, span: Span) -> str:
    """The readable text of the section around a number or a block, without it."""
    start, end = _section_bounds(page, span.start)
    blocks = [block for block in page.blocks if start <= block.span.start < end]
    visible_lines = [
        line
        for block in blocks
        for line in (block.title, *_COMMENT_PATTERN.findall(_normalize_line_ends(block.span.text)))
    ]
    return "\n".join([_visible_text(page, start, end, [(span.start, span.end)]), *visible_lines])


def _section_bounds(page: Page, place: int) -> tuple[int, int]:
    """The offsets of the section around a place; a section without text is joined to the one before it."""
    starts = [0, *sorted(heading.span.start for heading in page.headings), len(page.source.text)]
    index = bisect_right(starts, place, hi=len(starts) - 1) - 1
    text_below = _visible_text(page, starts[index], starts[index + 1]).partition("\n")[2]
    return starts[index - 1 if index and not _LETTERS.search(text_below) else index], starts[index + 1]


def _visible_text(page: Page, start: int, end: int, excluded: Iterable[tuple[int, int]] = ()) -> str:
    """The text between two offsets of a page, without blocks and without invisible markup."""
    pieces, offset = list[str](), start
    for first, last in sorted([*((block.span.start, block.span.end) for block in page.blocks), *excluded]):
        if start <= first < end:
            pieces.append(page.source.text[offset : max(first, offset)])
            offset = max(last, offset)
    return _INVISIBLE.sub(" ", _normalize_line_ends("\0".join([*pieces, page.source.text[offset:end]])))


def _normalize_line_ends(text: str) -> str:
    return LINE_BREAK.sub("\n", text)


_STORY_CODES = frozenset({"example-outcome", "example-degree", "example-winner"})
_OTHER_REPAIRS = {"example-step": "the dice, the inputs or the rule", "example-input": "the traits or the rule"}
_WHOLE_NUMBER = re.compile(r"[-+−]?[0-9]+")


def either_note(key: str, value: str, others: str = _OTHER_REPAIRS["example-step"]) -> str:
    """The note with both repairs, if only the author can decide between them."""
    entry_text = f"{key}: {value}" if key else value
    return f"either write `{entry_text}` and correct the sentences around it, or change {others}"


def with_safe_fixes(checked: CheckedBlock, page: Page) -> CheckedBlock:
    """Replaces each unsafe fix of a block by a note with both repairs."""
    is_disputed = any(problem.code in _STORY_CODES for problem in checked.problems)
    text = _text_around(page, checked.block.span)
    problems = (_keep_safe_result(checked, problem, text, is_disputed) for problem in checked.problems)
    return replace(checked, problems=tuple(problems))


def keep_safe_numbers(problems: Iterable[Problem], page: Page) -> tuple[Problem, ...]:
    """Like `with_safe_fixes`, for the problems of links."""
    return tuple(
        _keep_safe_number(problem, problem.fix is not None and repeats_number(page, problem.fix.span))
        for problem in problems
    )


def _keep_safe_result(checked: CheckedBlock, problem: Problem, text: str, is_disputed: bool) -> Problem:
    """Keeps the fix of a step or an input only if the block states what happens, and states it correctly."""
    fix = problem.fix
    if fix is None or problem.code not in _OTHER_REPAIRS:
        return _keep_safe_number(problem, fix is not None and _is_in_text(text, fix.span))
    part, entry = _find_entry(checked, fix.span)
    is_number = _WHOLE_NUMBER.fullmatch(fix.span.text) and _WHOLE_NUMBER.fullmatch(fix.text)
    if is_number and not is_disputed and _states_what_happens(checked, part) and not _is_in_text(text, fix.span):
        return problem
    key = entry.key if entry.value_span == fix.span else ""
    return _without_fix(problem, either_note(key, fix.text, _OTHER_REPAIRS[problem.code]))


def _find_entry(checked: CheckedBlock, span: Span) -> tuple[Part, Entry]:
    """The part and the entry whose value contains a span."""
    entries = ((part, entry) for part in checked.block.parts for entry in part.entries)
    return next(
        (part, entry) for part, entry in entries if entry.value_at <= span.start and span.end <= entry.value_end
    )


def _states_what_happens(checked: CheckedBlock, part: Part) -> bool:
    """Whether a part states its outcome, and its degree if it has one."""
    move = next((move for move in checked.moves if move.part is part), None)
    if move is None:
        return False
    is_open = len(move.rule.outcomes) > 1 or move.rule.contest is not None
    is_named = part.get("outcome") is not None or part.get("winner") is not None
    return (is_named or not is_open) and (move.degree is None or part.get("degree") is not None)


def _keep_safe_number(problem: Problem, is_repeated: bool) -> Problem:
    if problem.fix is None or not is_repeated:
        return problem
    was, new = problem.fix.span.text, problem.fix.text
    note = f"either write {new} here and wherever the text repeats {was}, or change the rule"
    return _without_fix(problem, note)


def _without_fix(problem: Problem, note: str) -> Problem:
    return problem._replace(fix=None, notes=(*problem.notes, note))
