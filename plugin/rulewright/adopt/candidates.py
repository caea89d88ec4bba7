"""Finds the passages of a page that may tell a roll, and how each is introduced as an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from ..book.page import Page, map_lines
from ..book.text import Opening, Passage, blocks_after, build_passage
from ..checks.prose_examples import candidate_passages, find_examples
from ..prose.dice import ROLL
from ..prose.mood import SCENE, begins_as_example, is_introduced, opens_example

_LONGEST = 6_000  # characters; a longer passage is not an example
_ROLLED = re.compile(
    rf"(?:{ROLL}|\b(?:shows?|showed|comes?\sup|came\sup|gets?|got)\b)[^.]{{0,60}}?"
    r"(?:[0-9]|[+−–-]{2}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)",
    re.IGNORECASE,
)


class Introduction(IntEnum):
    """How sure it is that a passage is an example, before its dice are read."""

    NONE = 0
    WORDS = 1  # "For example, …", a heading, a box of another tool
    LABEL = 2  # "Example:"


def find_candidates(page: Page) -> Iterator[tuple[Passage, Introduction]]:
    """Passages that may contain a roll and have no block."""
    checked = {passage.first for one in find_examples(page) if one.blocks for passage in [one.passage]}
    for passage in candidate_passages(page, lambda number: bool(_ROLLED.search(page.tokens[number + 1].content))):
        introduction = _introduction(passage)
        if not introduction and SCENE.match(passage.text.strip()):
            continue
        if passage.first not in checked and len(passage.text) <= _LONGEST and not blocks_after(page, passage.last):
            yield passage, introduction


def next_paragraph(page: Page, passage: Passage) -> Passage | None:
    """The next paragraph in the same container, unless it is an example itself."""
    number = passage.last + 1
    if passage.container or number >= len(page.tokens) or page.tokens[number].type != "paragraph_open":
        return None
    opening = Opening(number, passage.trail, passage.container_token)
    after = build_passage(page, map_lines(page.source), opening, number + 2)
    return None if opens_example(after) or len(after.text) > _LONGEST else after


def inner_paragraphs(passage: Passage) -> Iterator[Passage]:
    """The paragraphs of a quote or box."""
    if not passage.container:
        return
    line_map = map_lines(passage.page.source)
    for number in range(passage.first, passage.last):
        if passage.page.tokens[number].type == "paragraph_open":
            yield build_passage(passage.page, line_map, Opening(number, passage.trail, passage.first), number + 2)


def _introduction(passage: Passage) -> Introduction:
    if begins_as_example(passage):
        return Introduction.LABEL
    return Introduction.WORDS if is_introduced(passage) or _is_set_apart(passage) else Introduction.NONE


def _is_set_apart(passage: Passage) -> bool:
    """Whether a paragraph is in a quote, or in italics throughout: many books set their examples apart so."""
    holder = passage.container_token
    is_quoted = holder >= 0 and passage.page.tokens[holder].type == "blockquote_open"
    return is_quoted or passage.is_emphasized(0, len(passage.text))
