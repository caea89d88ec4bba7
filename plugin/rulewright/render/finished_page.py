"""Looks for the blocks of a page in its finished HTML, after all other plugins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from html.parser import HTMLParser

from ..book.page import Block
from ..checks.model import make_problem
from ..source import Problem


def find_missing_blocks(
    html: str, blocks: Iterable[Block], shown_as_text: Collection[str], reads_all_fences: bool
) -> Iterator[Problem]:
    """A problem for each block without a card on the page; `shown_as_text` has the ids of those the host misread."""
    present = _BlockIds(html).ids
    for block in blocks:
        if present[block.id]:
            present[block.id] -= 1
        else:
            yield _missing_block_problem(block, block.id in shown_as_text, reads_all_fences)


class _BlockIds(HTMLParser):
    """Collects the ids of the blocks on a finished page, however other plugins have written its HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids = Counter[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "div" and "rulewright-block" in (attributes.get("class") or "").split():
            self.ids[attributes.get("id") or ""] += 1


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
