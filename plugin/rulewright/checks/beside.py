"""Prose examples of a page, and the blocks that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..book.model import Block, Page
from ..book.prose import Passage, blocks_after, blocks_before, blocks_inside, closing, first_words, passages
from .told.label import LABEL, begins_as_example, is_label

if TYPE_CHECKING:
    from .told.read import Told

LISTED = re.compile(r"[0-9]\W{1,9}(?:(?:and|a|an)\s){0,2}[0-9]")  # what a list of faces has in figures


class Example(NamedTuple):
    """A passage that tells a roll, with the blocks it belongs to."""

    passage: Passage
    told: Told
    blocks: tuple[Block, ...]
    labelled: bool  # it says of itself that it is an example


def examples(page: Page) -> list[Example]:
    """Examples that tell dice or a result, and paragraphs before a block that tell its dice."""
    found = [one for passage in told_passages(page) if (one := example(page, passage))]
    return shared_out(page, found)


def told_passages(page: Page, more: Callable[[int], bool] = lambda _: False) -> Iterator[Passage]:
    """What may be an example; a label that stands alone goes with what follows it. `more` accepts other paragraphs."""
    label: Passage | None = None
    likely = wanted(page)
    for passage in passages(page, whole(page), lambda number: likely(number) or more(number)):
        one = label.joined(passage) if label and passage.first == label.last + 1 else passage
        label = one if is_label(one) else None
        if label is None:
            yield one


def whole(page: Page) -> Callable[[int], bool]:
    """Whether a quote or box is one example."""

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
    """Whether a paragraph may be one: looked up before it is read."""

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
    from .told.read import read_told  # many patterns, of which most books need none

    told = read_told(passage)
    if labelled:
        return Example(passage, told, (), True) if told.checkable else None
    dice = any(bit.sure and isinstance(bit.value, tuple) and len(bit.value) > 1 for bit in told.faces)
    return Example(passage, told, (), False) if dice else None


def shared_out(page: Page, found: Sequence[Example]) -> list[Example]:
    """A block belongs to the example before it or behind it, whichever leaves fewer examples alone."""
    behind, before = given_away(page, found, True), given_away(page, found, False)
    return before if lonely(before) < lonely(behind) else behind


def lonely(found: Sequence[Example]) -> int:
    return sum(not one.blocks for one in found)


def given_away(page: Page, found: Sequence[Example], forward: bool) -> list[Example]:
    """Each block to one example; several in a row may belong to both."""
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
    """The blocks inside the passage, or inside the list item, tab or box that it stands in."""
    found = blocks_inside(page, passage.first, passage.last)
    holder = passage.holder
    if found or holder < 0:
        return found
    if holder not in known:
        known[holder] = blocks_inside(page, holder, closing(page.tokens, holder))
    return known[holder]
