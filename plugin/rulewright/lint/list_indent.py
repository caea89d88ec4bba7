"""Lists whose content is indented by less than four columns: what Python-Markdown makes of them, and the repair."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..book.markdown_tree import ITEM, LEVEL, LISTS, BlockNode, BlockTree, indent_width

_MARKER = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?P<space>[ \t]*)")
_LITERAL_HTML = re.compile(r"<(?:pre|textarea|script|style)\b", re.IGNORECASE)


class LineIndent(NamedTuple):
    """A new indentation for a line: the offset in the line, the number of spaces and tabs there, the new spaces."""

    line: int
    offset: int
    length: int
    text: str


def is_outermost(node: BlockNode) -> bool:
    return node.kind in LISTS and not node.is_in_item


def shallow_blocks(tree: BlockTree, outermost: BlockNode) -> Iterator[BlockNode]:
    """The items and blocks of a list that Python-Markdown does not take for content of the item around them."""
    for node in _content(outermost):
        item = node.parent if node.kind != ITEM else node.parent and node.parent.parent
        if item is None or item.kind != ITEM or node.first_line == item.first_line:
            continue
        is_separate = node.kind == ITEM or tree.is_below_empty_line(node)
        if is_separate and tree.column(node) < node.required_column:
            yield node


def _content(outermost: BlockNode) -> Iterator[BlockNode]:
    """The items of a list and the blocks in them, without those in quotes and boxes."""
    open_nodes = [outermost]
    while open_nodes:
        node = open_nodes.pop()
        if node.kind in LISTS or node.kind == ITEM:
            open_nodes += reversed(node.children)
        if node is not outermost and node.kind not in LISTS:
            yield node


def reindent(tree: BlockTree, outermost: BlockNode) -> list[LineIndent] | None:
    """Indent the content of a list by four columns per level; None where that would change what it means to us."""
    columns: dict[int, int] = {}  # new column by line
    try:
        for item in outermost.children:  # stay where they are: the lines below the list would become part of it
            _place_item(tree, item, tree.column(item), columns)
    except _NoRepairError:
        return None
    edits = []
    for line, column in sorted(columns.items()):
        before, rest = tree.split_line(line, outermost.quotes)
        if before.endswith(">") and rest.startswith("\t"):
            return None
        if rest.strip() and indent_width(rest) != column:
            edits.append(LineIndent(line, len(before), len(rest) - len(rest.lstrip(" \t")), " " * column))
    return edits


class _NoRepairError(Exception):
    """The list cannot be indented without changing its meaning."""


def _place_item(tree: BlockTree, item: BlockNode, column: int, columns: dict[int, int]) -> None:
    """Put the marker of an item at a column, and its blocks at the next level."""
    old = tree.column(item)
    rest = tree.split_line(item.first_line, item.quotes)[1]
    marker = _MARKER.match(rest)
    if not marker or item.first_line in columns:
        raise _NoRepairError
    expanded = rest.expandtabs(LEVEL)
    spaces = len(expanded[: indent_width(rest)]) - old + indent_width(marker["space"])
    width = len(marker[0].strip()) + (spaces if 1 <= spaces <= LEVEL and rest[marker.end() :].strip() else 1)
    if "\t" in marker["space"]:
        raise _NoRepairError
    _shift(tree, item, item.first_line, item.first_line + 1, column - old, columns)
    for block in item.children:
        if block.first_line == item.first_line:
            if block.kind in LISTS:
                raise _NoRepairError
            _shift(tree, item, block.first_line + 1, block.end_line, column - old, columns, old + width)
        else:
            _place_block(tree, block, old + width, column + width, columns)


def _place_block(tree: BlockTree, block: BlockNode, old_content: int, content: int, columns: dict[int, int]) -> None:
    """Put a block below its item: at its column if that is deep enough for both parsers, else at the next level."""
    required, old = block.required_column, tree.column(block)
    if block.kind == "code_block" or (block.kind == "html_block" and _LITERAL_HTML.search(block.token.content)):
        raise _NoRepairError
    new = old if max(required, content) <= old < min(required, content) + LEVEL else max(required, content)
    if new >= min(required, content) + LEVEL:
        raise _NoRepairError
    if block.kind in LISTS:
        for item in block.children:
            _place_item(tree, item, new, columns)
    else:
        _shift(tree, block, block.first_line, block.end_line, new - old, columns, old_content)


def _shift(
    tree: BlockTree, node: BlockNode, first: int, end: int, by: int, columns: dict[int, int], least: int = 0
) -> None:
    """Shift lines; those that are not indented to the content of the item continue a paragraph and stay."""
    for line in range(first, end):
        width = indent_width(tree.split_line(line, node.quotes)[1])
        columns[line] = width + by if width >= least else width
