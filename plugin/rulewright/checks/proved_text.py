"""Compares the numbers of a text with the blocks below it that say `proves: text`.

The text is the paragraph, list or table right above. Each of its numbers has to be one that a block writes: a setting,
a face, a result, or how many dice there are. Numbers that state a figure of the game are compared with that instead."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..book.page import Block, Page
from ..prose.frames import Frame
from ..prose.numbers import find_numbers
from ..source import Problem, Span
from .free_numbers import is_reference
from .page_numbers import Beside, PageNumber

_PROVES = "proves"
_UNREAD = re.compile(
    rf"^[ \t]*(?:id|title|game|rule|show|skip|wrong|{_PROVES})[ \t]*:.*$", re.IGNORECASE | re.MULTILINE
)
_DICE = re.compile(r"\b(?:dice|rolled)[ \t]*:?[ \t]+([^\n]*)", re.IGNORECASE)
_ROUND_END = re.compile(r"[|;]")
_FACE = re.compile(r"[−-]?[0-9]\S*")
_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_EMPTY_LINE = re.compile(r"\n[ \t>]*\n")
_DIE_WORDS = frozenset(("die", "würfel"))  # stems
_MOST_LENGTH = 20_000  # characters of a text that are looked at
_WHERE = "the block below"


class _Proof(NamedTuple):
    """A part of a page, and the numbers of the blocks that prove it."""

    text: Span
    values: frozenset[int]  # settings and results
    faces: frozenset[int]
    counts: frozenset[int]  # of dice
    decimals: frozenset[str]

    def has(self, frame: Frame) -> bool:
        if frame.number.form == "decimal" or "." in frame.span.text:
            return frame.span.text.replace(",", ".") in self.decimals
        is_count = _counts_dice(frame) and not frame.is_face
        return frame.value in self.values or frame.value in (self.counts if is_count else self.faces)


def _counts_dice(frame: Frame) -> bool:
    return frame.number.form == "dice" or not _DIE_WORDS.isdisjoint(frame.noun)


def compare_proved(
    page: Page, numbers: Sequence[PageNumber], is_declared: Callable[[Frame], bool]
) -> dict[int, Beside]:
    """What blocks say of the numbers of the text that they prove, by the identity of the frame.

    A word such as "two" counts only before something that the game declares."""
    proofs = list(_find_proofs(page))
    ordered = sorted(numbers, key=lambda number: number.frame.span.start) if proofs else []
    starts = [number.frame.span.start for number in ordered]
    found: dict[int, Beside] = {}
    for proof in proofs:
        for number in ordered[bisect_left(starts, proof.text.start) : bisect_left(starts, proof.text.end)]:
            frame = number.frame
            if is_reference(frame) or (frame.number.form == "word" and not is_declared(frame)):
                continue
            found[id(frame)] = Beside(_WHERE) if proof.has(frame) else Beside("", _problem(number))
    return found


def _problem(number: PageNumber) -> Problem:
    frame = number.frame
    message = f"the text says {frame.span.text}, {_WHERE} has no such number"
    notes = ("correct the number here, or the block; what it does not prove belongs in another paragraph",)
    return Problem("prose-number", message, frame.span, notes=notes, trail=number.trail)


def _find_proofs(page: Page) -> Iterator[_Proof]:
    """The proved texts of a page; blocks that follow each other share their text."""
    text, end, above = page.source.text, -1, None
    proving: list[Block] = []
    for block in page.blocks:
        if end < 0 or text[end : block.span.start].strip(" \t\r\n>"):
            if above and proving:
                yield _read_proof(above, proving)
            above, proving = _text_above(page, block), []
        end = block.span.end
        proves = block.get(_PROVES) and not block.get("skip") and not block.get("wrong")
        proving += [block] if proves else []
    if above and proving:
        yield _read_proof(above, proving)


def _text_above(page: Page, block: Block) -> Span:
    """The lines right above a block, up to an empty one."""
    text, first = page.source.text, max(block.span.start - _MOST_LENGTH, 0)
    end = first + len(text[first : block.span.start].rstrip(" \t\r\n>"))
    empty = [match.end() for match in _EMPTY_LINE.finditer(text, first, end)]
    return Span(page.source, empty[-1] if empty else first, end)


def _read_proof(above: Span, blocks: Sequence[Block]) -> _Proof:
    text = "\n".join(_UNREAD.sub("", block.text.content) for block in blocks)
    dice = [match[1] for match in _DICE.finditer(text)]
    rounds = [[len(_FACE.findall(part.replace(",", " "))) for part in _ROUND_END.split(line)] for line in dice]
    counts = frozenset(count for line in rounds for count in (*line, sum(line)))
    values, faces = _integers(_DICE.sub("", text)), _integers("\n".join(dice))
    decimals = frozenset(found.replace(",", ".") for found in _DECIMAL.findall(text))
    return _Proof(above, values, faces, counts, decimals)


def _integers(text: str) -> frozenset[int]:
    return frozenset(number.value for number in find_numbers(text) if number.form not in ("decimal", "sides"))
