"""Prose examples: finds them, matches them with example blocks, reports unchecked ones and contradictions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..book.page import Block, Page
from ..book.text import Passage, blocks_after, blocks_before, blocks_inside, closing, first_words, passages
from ..prose.mood import LABEL, begins_as_example, is_label
from ..prose.reader import Told, read_told
from ..source import Problem, Span, in_reading_order
from .drift import Account, Difference, accounts, differences
from .model import Checked

LISTED = re.compile(r"[0-9]\W{1,9}(?:(?:and|a|an)\s){0,2}[0-9]")  # the digits of a list of faces


class Example(NamedTuple):
    """A passage that describes a roll, with the blocks next to it."""

    passage: Passage
    told: Told
    blocks: tuple[Block, ...]
    labelled: bool  # whether it has a label such as "Example:"


def examples(page: Page) -> list[Example]:
    """Labeled examples with dice or a result, and paragraphs before a block that list its dice."""
    found = [one for passage in told_passages(page) if (one := example(page, passage))]
    return shared_out(page, found)


def told_passages(page: Page, more: Callable[[int], bool] = lambda _: False) -> Iterator[Passage]:
    """Possible examples; a label of its own is joined with the next paragraph. `more` accepts other paragraphs."""
    label: Passage | None = None
    likely = wanted(page)
    for passage in passages(page, whole(page), lambda number: likely(number) or more(number)):
        one = label.joined(passage) if label and passage.first == label.last + 1 else passage
        label = one if is_label(one) else None
        if label is None:
            yield one


def whole(page: Page) -> Callable[[int], bool]:
    """A predicate on tokens: whether a quote or box is a single example."""

    def ask(number: int) -> bool:
        named = "example" in page.tokens[number].info.lower().split() or LABEL.match(first_words(page, number))
        return bool(named) or after_label(page, number)

    return ask


def after_label(page: Page, number: int) -> bool:
    return (
        number > 2
        and page.tokens[number - 1].type == "paragraph_close"
        and is_short_label(page.tokens[number - 2].content)
    )


def is_short_label(text: str) -> bool:
    return len(text) < 60 and bool(LABEL.match(text))


def wanted(page: Page) -> Callable[[int], bool]:
    """A predicate on tokens: whether a paragraph may be an example, a cheap test before it is parsed."""

    def ask(number: int) -> bool:
        text = page.tokens[number + 1].content
        if LABEL.match(text) or after_label(page, number):
            return True
        return bool(blocks_after(page, number + 2) and LISTED.search(text))

    return ask


def example(page: Page, passage: Passage) -> Example | None:
    labelled = begins_as_example(passage)
    if not labelled and not (blocks_after(page, passage.last) and LISTED.search(passage.text)):
        return None
    from ..prose.reader import read_told  # imports many patterns that most books do not need

    told = read_told(passage)
    if labelled:
        return Example(passage, told, (), True) if told.checkable else None
    dice = any(bit.sure and isinstance(bit.value, tuple) and len(bit.value) > 1 for bit in told.faces)
    return Example(passage, told, (), False) if dice else None


def shared_out(page: Page, found: Sequence[Example]) -> list[Example]:
    """Assigns blocks to the example before or after them, whichever leaves fewer examples without a block."""
    behind, before = given_away(page, found, True), given_away(page, found, False)
    return before if lonely(before) < lonely(behind) else behind


def lonely(found: Sequence[Example]) -> int:
    return sum(not one.blocks for one in found)


def given_away(page: Page, found: Sequence[Example], forward: bool) -> list[Example]:
    """Assigns blocks to examples, preferring the ones after it if `forward`; a row of blocks may be shared."""
    taken: set[int] = set()
    known: dict[int, list[Block]] = {}
    ready = []
    for one in found:
        inside = inner(page, one.passage, known)
        before = [block for block in blocks_before(page, one.passage.first) if one.labelled and id(block) not in taken]
        after = blocks_after(page, one.passage.last)
        mine = inside or ((after or before) if forward else (before or after))
        if inside or len(mine) == 1:
            taken.update(map(id, mine))
        ready.append(one._replace(blocks=tuple(mine)))
    return ready


def inner(page: Page, passage: Passage, known: dict[int, list[Block]]) -> list[Block]:
    """The blocks inside the passage, or inside the list item, tab or box that contains it."""
    found = blocks_inside(page, passage.first, passage.last)
    holder = passage.holder
    if found or holder < 0:
        return found
    if holder not in known:
        known[holder] = blocks_inside(page, holder, closing(page.tokens, holder))
    return known[holder]


__all__ = ["Told", "WrongSentence", "drift", "left_wrong", "read_told", "unchecked"]


@dataclass(frozen=True)
class WrongSentence:
    """A sentence that contradicts its block, with the problems."""

    span: Span
    text: str  # without markup
    problems: tuple[Problem, ...]


def unchecked(page: Page, told: Sequence[Example] | None = None, *, could: bool = True) -> tuple[int, list[Problem]]:
    """The number of labeled prose examples, and a problem for each that has no block.

    Pass the examples of the page if they are known. Without a game none of them could be checked."""
    found = [one for one in (examples(page) if told is None else told) if one.labelled]
    severity = "warning" if could else "info"
    return len(found), [prose_lonely(one, severity) for one in found if not one.blocks]


def prose_lonely(one: Example, severity: str) -> Problem:
    passage = one.passage
    start = len(passage.text) - len(passage.text.lstrip())
    end = min((end for end in (passage.text.find(sign, start) for sign in ":.\n") if end > 0), default=start + 7)
    message = "this example tells a roll that nothing checks"
    note = "put an example block behind it, or into the same box; in <!-- example … --> it is checked and not shown"
    return Problem(
        "prose-unchecked", message, passage.span(start, min(end, start + 40)), severity, (note,), passage.trail
    )


def drift(page: Page, results: Iterable[Checked | Account], told: Sequence[Example] | None = None) -> list[Problem]:
    """Problems for words that contradict the results of the block next to them."""
    return in_reading_order(problem for one in drifted(page, results, told) for problem in one.problems)


def left_wrong(page: Page, results: Iterable[Checked | Account]) -> list[WrongSentence]:
    """The sentences that would still be wrong if every block had the correct results."""
    found: dict[tuple[int, int], WrongSentence] = {}
    for one in drifted(page, results):
        known = found.get((one.span.start, one.span.end))
        problems = (*known.problems, *one.problems) if known else one.problems
        found[one.span.start, one.span.end] = WrongSentence(one.span, one.text, problems)
    return [found[place] for place in sorted(found)]


def drifted(
    page: Page, results: Iterable[Checked | Account], told: Sequence[Example] | None = None
) -> Iterator[WrongSentence]:
    """Each difference with the sentence that contains it."""
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
