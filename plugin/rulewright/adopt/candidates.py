"""Finds the passages of a page that may tell a roll, and how each is introduced as an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from ..book.page import Page, map_lines
from ..book.text import Opening, Passage, blocks_after, build_passage
from ..checks.prose_examples import candidate_passages, find_examples
from ..prose.dice import ROLL
from ..prose.mood import SCENE, begins_as_example

_LONGEST = 6_000  # characters; a longer passage is not an example
_ROLLED = re.compile(
    rf"(?:{ROLL}|\b(?:shows?|showed|comes?\sup|came\sup|gets?|got)\b)[^.\n]{{0,60}}?"
    r"(?:[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)",
    re.IGNORECASE,
)
_WORD = r"(?:examples?|instance|beispiele?)"
_OPENS = re.compile(
    rf"""[\W_]*(?:(?:for|as\san)\s(?:example|instance)|zum\sbeispiel|beispielsweise)\b  # For example, …
    |\[!{_WORD}\]                                                                        # a callout of Obsidian
    |:{{3,}}\s?\S{{0,20}}[^\n]{{0,60}}\b{_WORD}\b""",  # a box of Docusaurus
    re.IGNORECASE | re.VERBOSE,
)
_TITLE = re.compile(rf"(?:an?\s|ein\s)?{_WORD}\b|.{{1,60}}\s{_WORD}$", re.IGNORECASE)  # «Example of advantage»
_SUMMARY = re.compile(rf"<summary>[^<]{{0,60}}\b{_WORD}\b", re.IGNORECASE)


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
    is_own = begins_as_example(after) or _OPENS.match(after.text)
    return None if is_own or len(after.text) > _LONGEST else after


def _introduction(passage: Passage) -> Introduction:
    if begins_as_example(passage):
        return Introduction.LABEL
    before = passage.page.tokens[passage.first - 1] if passage.first else None
    is_folded = before and before.type == "html_block" and _SUMMARY.search(before.content)
    is_titled = passage.trail and _TITLE.match(passage.trail[-1].strip())
    return Introduction.WORDS if is_folded or is_titled or _OPENS.match(passage.text) else Introduction.NONE
