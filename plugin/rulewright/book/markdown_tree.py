"""The blocks of a page as a tree, with the columns that Python-Markdown expects them at."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from markdown_it.token import Token

from .page import LineMap, Page, Trail, map_lines

LEVEL = 4  # columns by which Python-Markdown nests
LISTS = ("bullet_list_open", "ordered_list_open")
ITEM = "list_item_open"
QUOTES = ("blockquote_open", "alert_open")
_INDENTING = (ITEM, "admonition_open", "details_open", "tab_open", "dd_open", "footnote_reference_open")


@dataclass(eq=False)
class BlockNode:
    """A block, the block around it, and the blocks in it."""

    token: Token
    parent: BlockNode | None
    place: int = 0  # among the children of its parent
    children: list[BlockNode] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.token.type

    @property
    def first_line(self) -> int:
        return self.token.map[0] if self.token.map else -1

    @property
    def end_line(self) -> int:
        return self.token.map[1] if self.token.map else -1

    @property
    def previous(self) -> BlockNode | None:
        return self.parent.children[self.place - 1] if self.parent and self.place else None

    @property
    def following(self) -> BlockNode | None:
        siblings = self.parent.children if self.parent else []
        return siblings[self.place + 1] if self.place + 1 < len(siblings) else None

    @property
    def ancestors(self) -> Iterator[BlockNode]:
        node = self.parent
        while node and node.parent:
            yield node
            node = node.parent

    @cached_property
    def quotes(self) -> int:
        """How many quotes are around it."""
        return sum(node.kind in QUOTES for node in self.ancestors)

    @cached_property
    def required_column(self) -> int:
        """The column at which Python-Markdown expects the block, counted from the innermost quote around it."""
        levels = 0
        for node in self.ancestors:
            if node.kind in QUOTES:
                break
            levels += node.kind in _INDENTING
        return levels * LEVEL

    @cached_property
    def is_in_item(self) -> bool:
        """Whether a list item is around it, and no quote between them."""
        for node in self.ancestors:
            if node.kind in QUOTES:
                return False
            if node.kind == ITEM:
                return True
        return False


class BlockTree:
    """All blocks of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: LineMap = map_lines(page.source)
        self.blocks: list[BlockNode] = []  # in reading order
        node = BlockNode(Token("root", "", 1), None)
        for token in page.tokens:
            if token.nesting >= 0 and (token.map or token.nesting):
                child = BlockNode(token, node, len(node.children))
                node.children.append(child)
                self.blocks.append(child)
                node = child if token.nesting > 0 else node
            elif token.nesting < 0 and node.parent:
                node = node.parent

    def trail(self, line: int) -> Trail:
        """The headings above a line."""
        place = bisect_right(self.page.headings, line, key=lambda heading: heading.line)
        return (*self.page.headings[place - 1].trail, self.page.headings[place - 1].text) if place else ()

    def split_line(self, line: int, quotes: int) -> tuple[str, str]:
        """A line in two: the marks of the quotes around a block, and the rest."""
        text = self.lines.lines[line]
        match = re.match(rf"(?:[ \t]*>){{{quotes}}} ?", text) if quotes else None
        return (match[0], text[match.end() :]) if match else ("", text)

    def column(self, node: BlockNode) -> int:
        """The column at which a block starts, counted from the innermost quote around it."""
        return indent_width(self.split_line(node.first_line, node.quotes)[1])

    def is_below_empty_line(self, node: BlockNode) -> bool:
        line = node.first_line
        return line > 0 and not self.lines.lines[line - 1].strip(" \t>")


def indent_width(text: str) -> int:
    """The width of the spaces and tabs that a text begins with."""
    width = 0
    for sign in text:
        if sign == " ":
            width += 1
        elif sign == "\t":
            width += LEVEL - width % LEVEL
        else:
            break
    return width
