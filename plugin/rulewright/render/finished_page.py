"""A page as the site publishes it, after all other plugins: its elements, and the blocks that are missing from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from ..book.page import Block
from ..checks.model import make_problem
from ..source import Problem

BLOCK_CLASS = "rulewright-block"
_WITH_TEXT = ("script", "style")


class HtmlTag(NamedTuple):
    """An element of a finished page: its name, its attributes, and the text of an inline script or style."""

    name: str
    attributes: dict[str, str]
    text: str = ""


class _TagReader(HTMLParser):
    """Collects the elements of a page that have attributes or text of interest."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[HtmlTag] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if attrs or tag in _WITH_TEXT:
            self.tags.append(HtmlTag(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem in _WITH_TEXT:
            self.tags[-1] = self.tags[-1]._replace(text=self.tags[-1].text + data)


def read_tags(html: str) -> list[HtmlTag]:
    """The elements of a finished page in their order."""
    reader = _TagReader()
    reader.feed(html)
    reader.close()
    return reader.tags


def find_missing_blocks(
    tags: Iterable[HtmlTag], blocks: Iterable[Block], shown_as_text: Collection[str], reads_all_fences: bool
) -> Iterator[Problem]:
    """A problem for each block without a card on the page; `shown_as_text` has the ids of those the host misread."""
    present = Counter(
        tag.attributes.get("id") for tag in tags if BLOCK_CLASS in tag.attributes.get("class", "").split()
    )
    for block in blocks:
        if present[block.id]:
            present[block.id] -= 1
        else:
            yield _missing_block_problem(block, block.id in shown_as_text, reads_all_fences)


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
