"""Prose examples: which ones nobody checks, and where a text and the block beside it have drifted apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..book.model import Block, Page
from ..book.prose import Passage
from ..text import Problem, Span, in_reading_order
from .account import Account, accounts
from .beside import Example, examples
from .difference import Difference
from .drifting import differences
from .model import Checked
from .told.read import Told, read_told

__all__ = ["Told", "WrongSentence", "drift", "left_wrong", "read_told", "unchecked"]


@dataclass(frozen=True)
class WrongSentence:
    """A sentence that says something else than the block beside it, and what."""

    span: Span
    text: str  # without marks
    problems: tuple[Problem, ...]


def unchecked(page: Page, told: Sequence[Example] | None = None, *, could: bool = True) -> tuple[int, list[Problem]]:
    """How many prose examples tell dice or a result, and those of them that have no block.

    `told` are the examples of the page where they have been read already; none `could` be checked without a game."""
    found = [one for one in (examples(page) if told is None else told) if one.labelled]
    severity = "warning" if could else "info"
    return len(found), [lonely(one, severity) for one in found if not one.blocks]


def lonely(one: Example, severity: str) -> Problem:
    passage = one.passage
    start = len(passage.text) - len(passage.text.lstrip())
    end = min((end for end in (passage.text.find(sign, start) for sign in ":.\n") if end > 0), default=start + 7)
    message = "this example tells a roll that nothing checks"
    note = "put an example block behind it, or into the same box; in <!-- example … --> it is checked and not shown"
    return Problem(
        "prose-unchecked", message, passage.span(start, min(end, start + 40)), severity, (note,), passage.trail
    )


def drift(page: Page, results: Iterable[Checked | Account], told: Sequence[Example] | None = None) -> list[Problem]:
    """Words that say something else than the rules make of the block beside them."""
    return in_reading_order(problem for one in drifted(page, results, told) for problem in one.problems)


def left_wrong(page: Page, results: Iterable[Checked | Account]) -> list[WrongSentence]:
    """The sentences that stay wrong when every block says what the rules say."""
    found: dict[tuple[int, int], WrongSentence] = {}
    for one in drifted(page, results):
        known = found.get((one.span.start, one.span.end))
        problems = (*known.problems, *one.problems) if known else one.problems
        found[one.span.start, one.span.end] = WrongSentence(one.span, one.text, problems)
    return [found[place] for place in sorted(found)]


def drifted(
    page: Page, results: Iterable[Checked | Account], told: Sequence[Example] | None = None
) -> Iterator[WrongSentence]:
    """Each difference with the sentence that it stands in."""
    found = examples(page) if told is None else told
    spoken = {id(block) for example in found for block in example.blocks if block.kind == "example"}
    known: dict[int, list[Account]] = {}
    for result in results if spoken else ():
        if id(result.block) in spoken:
            known.setdefault(id(result.block), []).extend([result] if isinstance(result, Account) else accounts(result))
    for example in found if known else ():
        blocks = [block for block in example.blocks if block.kind == "example"]
        if all(known.get(id(block)) for block in blocks):
            yield from compared(example, [one for block in blocks for one in known[id(block)]])


def compared(example: Example, beside: list[Account]) -> Iterator[WrongSentence]:
    passage = example.passage
    for found in differences(example.told, beside):
        sentence = next(one for one in example.told.sentences if one.start <= found.start < one.end)
        text = passage.text[sentence.start : sentence.end].strip()
        yield WrongSentence(
            passage.span(sentence.start, sentence.end), text, (problem(passage, found, beside[0].block),)
        )


def problem(passage: Passage, found: Difference, block: Block) -> Problem:
    note = f"the block {block.id} begins in line {block.line}; change the one that is wrong"
    span, trail = passage.span(found.start, found.end), (*passage.trail, block.id)
    return Problem("prose-drift", found.message, span, "warning", (note,), trail)
