"""Looks for the blocks of a page in its finished HTML, after all other plugins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from html import unescape

from ..book.page import Block
from ..checks.model import make_problem
from ..source import Problem

_BLOCK_TAG = re.compile(r"<div\b[^<>]*\brulewright-block\b[^<>]*>")
_ID = re.compile(r"""\sid\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


def find_missing_blocks(
    html: str, blocks: Iterable[Block], shown_as_text: Collection[str], reads_all_fences: bool
) -> Iterator[Problem]:
    """A problem for each block without a card on the page; `shown_as_text` has the ids of those the host misread."""
    present = _count_block_ids(html)
    for block in blocks:
        if present[block.id]:
            present[block.id] -= 1
        else:
            yield _missing_block_problem(block, block.id in shown_as_text, reads_all_fences)


def _count_block_ids(html: str) -> Counter[str]:
    """The ids of the blocks on a page; other plugins may have rewritten the attributes without quotes."""
    ids = (_ID.search(tag) for tag in _BLOCK_TAG.findall(html))
    return Counter(unescape(match[1].strip("\"'")) for match in ids if match)


def _missing_block_problem(block: Block, is_text: bool, reads_all_fences: bool) -> Problem:
    """The problem of a block without a card on the finished page."""
    if not is_text:
        message = f"the {block.kind} {block.id} was checked, but it is not on the finished page"
        return make_problem(block, "block-lost", message, block.word, ("another plugin or extension has removed it",))
    if reads_all_fences:
        repair = "leave a blank line above it, and in a list indent it by four spaces"
    else:
        repair = "start it at the beginning of a line, or add `pymdownx.superfences` to `markdown_extensions`"
    message = f"Python-Markdown shows the {block.kind} {block.id} as text, because it does not see a fence here"
    return make_problem(block, "block-lost", message, block.word, (repair,))
