"""Prose examples: which ones nobody checks, and where a text and the block beside it have drifted apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..book.model import Page
from ..text import Problem, Span, in_reading_order
from .account import Account, accounts
from .beside import Example, examples
from .drifting import differences
from .model import Checked
from .told.read import Told, read_told

__all__ = ["Told", "WrongSentence", "drift", "left_wrong", "read_told", "unchecked"]


@dataclass(frozen=True)
class WrongSentence:
    """A sentence that says something else than the block beside it, and what."""

    span: Span
    problems: tuple[Problem, ...]


def unchecked(page: Page) -> tuple[int, list[Problem]]:
    """How many prose examples tell dice or a result, and those of them that have no block."""
    found = [one for one in examples(page) if one.labelled]
    return len(found), [lonely(one) for one in found if not one.blocks]


def lonely(one: Example) -> Problem:
    passage = one.passage
    start = len(passage.text) - len(passage.text.lstrip())
    end = min((end for end in (passage.text.find(sign, start) for sign in ":.\n") if end > 0), default=start + 7)
    message = "this example tells a roll that nothing checks"
    note = "put an example block behind it, or into the same box; in <!-- example … --> it is checked and not shown"
    return Problem(
        "prose-unchecked", message, passage.span(start, min(end, start + 40)), "warning", (note,), passage.trail
    )


def drift(page: Page, results: Iterable[Checked | Account]) -> list[Problem]:
    """Words that say something else than the rules make of the block beside them."""
    return in_reading_order(problem for _, problem in drifted(page, results))


def left_wrong(page: Page, results: Iterable[Checked | Account]) -> list[WrongSentence]:
    """The sentences that stay wrong when every block says what the rules say."""
    found: dict[tuple[int, int], tuple[Span, list[Problem]]] = {}
    for sentence, problem in drifted(page, results):
        found.setdefault((sentence.start, sentence.end), (sentence, []))[1].append(problem)
    return [WrongSentence(span, tuple(problems)) for _, (span, problems) in sorted(found.items())]


def drifted(page: Page, results: Iterable[Checked | Account]) -> Iterator[tuple[Span, Problem]]:
    known: dict[int, list[Account]] = {}
    for result in results:
        for one in (result,) if isinstance(result, Account) else accounts(result):
            known.setdefault(id(one.block), []).append(one)
    for example in examples(page) if known else ():
        blocks = [block for block in example.blocks if block.kind == "example"]
        beside = [one for block in blocks for one in known.get(id(block), ())]
        if all(id(block) in known for block in blocks):
            yield from compared(example, beside)


def compared(example: Example, beside: list[Account]) -> Iterator[tuple[Span, Problem]]:
    passage = example.passage
    for found in differences(example.told, beside):
        sentence = next(one for one in example.told.sentences if one.start <= found.start < one.end)
        block = beside[0].block
        note = f"the block {block.id} begins in line {block.line}; change the one that is wrong"
        span = passage.span(found.start, found.end)
        yield (
            passage.span(sentence.start, sentence.end),
            Problem("prose-drift", found.message, span, "warning", (note,), (*passage.trail, block.id)),
        )
