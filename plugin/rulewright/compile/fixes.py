"""Fixes written into the text of a page, and nothing else of it changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..text import LINE_END, Fix, Problem, Source


@dataclass(frozen=True)
class Fixed:
    """A text with the fixes in it, and which ones they are, in reading order."""

    text: str
    edits: tuple[Fix, ...]


def fixed(source: Source, problems: Iterable[Problem]) -> Fixed:
    """Of fixes that overlap the first is written; the others are found again when the page is checked again."""
    edits = apart(problem.fix for problem in problems if problem.fix and problem.fix.span.source == source)
    text = source.text
    for edit in reversed(edits):
        text = text[: edit.span.start] + with_line_ends(edit.text, source) + text[edit.span.end :]
    return Fixed(text, tuple(edits))


def apart(fixes: Iterable[Fix]) -> list[Fix]:
    """Those that change something and do not overlap one before them."""
    found: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: fix.span.start):
        if fix.text != fix.span.text and not (found and overlap(found[-1], fix)):
            found.append(fix)
    return found


def overlap(first: Fix, second: Fix) -> bool:
    return second.span.start < first.span.end or second.span.start == first.span.start


def with_line_ends(text: str, source: Source) -> str:
    """New lines end as the lines of the page do."""
    usual = LINE_END.search(source.text)
    return text.replace("\n", usual.group()) if usual else text
