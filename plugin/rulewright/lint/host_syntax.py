"""Syntax that Python-Markdown reads only with an extension: tasks, callouts, strikethrough, footnotes and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..book.host import HostSettings
from ..book.markdown_tree import ITEM, BlockNode, BlockTree

_HEADING_ATTRIBUTES = re.compile(r"\S[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t#]*$")
_SHORT_FENCE = re.compile(r"(?:`{3,}|~{3,})")


class _Syntax(NamedTuple):
    """A construct, the extension that reads it, and others that do (a regex on names of extensions and plugins)."""

    noun: str
    extension: str
    others: str
    is_used: Callable[[BlockTree, BlockNode], bool]
    effect: str
    severity: str = "warning"


class Unread(NamedTuple):
    """A construct that the site does not read, and the first block with it on a page."""

    syntax: _Syntax
    node: BlockNode


def _is_task(_tree: BlockTree, node: BlockNode) -> bool:
    return node.kind == ITEM and node.token.attrs.get("class") == "task-list-item"


def _has_child(name: str) -> Callable[[BlockTree, BlockNode], bool]:
    return lambda _tree, node: any(child.type == name for child in node.token.children or ())


def _is_kind(*names: str) -> Callable[[BlockTree, BlockNode], bool]:
    return lambda _tree, node: node.kind in names


def _has_heading_attributes(tree: BlockTree, node: BlockNode) -> bool:
    is_heading = node.kind == "heading_open" and node.token.markup.startswith("#")
    return is_heading and _HEADING_ATTRIBUTES.search(tree.lines.lines[node.first_line]) is not None


def _is_inner_fence(tree: BlockTree, node: BlockNode) -> bool:
    """Whether a fence does not start in the first column, where alone `fenced_code` reads one."""
    return node.kind == "fence" and not _SHORT_FENCE.match(tree.lines.lines[node.first_line])


def _is_inner_block(tree: BlockTree, node: BlockNode) -> bool:
    """Whether such a fence is a block with a card, without which a build fails."""
    lines = (tree.page.source.position(block.span.start)[0] for block in tree.page.blocks if block.shown)
    return _is_inner_fence(tree, node) and node.first_line + 1 in lines


def _is_inner_code(tree: BlockTree, node: BlockNode) -> bool:
    return _is_inner_fence(tree, node) and not _is_inner_block(tree, node)


def _is_renumbered(tree: BlockTree, node: BlockNode) -> bool:
    """Whether a list loses its numbers: one that starts late, or that follows a list of the other type."""
    is_first = node.first_line == 0 or tree.is_below_empty_line(node)
    if not is_first or (node.parent and node.parent.first_line == node.first_line):
        return False
    if node.kind == "bullet_list_open":
        return bool(node.previous and node.previous.kind == "ordered_list_open" and _is_dotted(node.previous))
    if node.kind != "ordered_list_open" or not _is_dotted(node) or _is_underlined(node):
        return False
    return node.token.attrs.get("start", 1) != 1 or bool(node.previous and node.previous.kind == "bullet_list_open")


def _is_underlined(node: BlockNode) -> bool:
    """Whether Python-Markdown reads `2. Text` with a rule below it as a heading."""
    return bool(node.following and node.following.kind == "hr" and node.following.first_line == node.end_line)


def _is_dotted(node: BlockNode) -> bool:
    return node.token.markup == "."


_SIGNS = "readers see its signs"
SYNTAX = (
    _Syntax("the numbers of this list", "sane_lists", "lists", _is_renumbered, "it starts at 1 or joins another list"),
    _Syntax("this task", "pymdownx.tasklist", "task|check", _is_task, _SIGNS),
    _Syntax("this callout", "pymdownx.quotes", "callout|quotes|alert|gh[-_]|obsidian", _is_kind("alert_open"), _SIGNS),
    _Syntax("this strikethrough", "pymdownx.tilde", "tilde|strike|del", _has_child("s_open"), _SIGNS),
    _Syntax("this footnote", "footnotes", "footnote", _has_child("footnote_ref"), _SIGNS),
    _Syntax("this definition list", "def_list", "def_?list", _is_kind("dl_open"), _SIGNS),
    _Syntax("this box", "admonition", "admonition", _is_kind("admonition_open"), _SIGNS),
    _Syntax("this folded box", "pymdownx.details", "details", _is_kind("details_open"), _SIGNS),
    _Syntax("this tab", "pymdownx.tabbed", "tabbed|tabs", _is_kind("tabs_open"), _SIGNS),
    _Syntax("this abbreviation", "abbr", "abbr", _is_kind("abbreviation"), _SIGNS),
    _Syntax("the braces of this heading", "attr_list", "attr_?list", _has_heading_attributes, _SIGNS),
    _Syntax("this HTML element", "md_in_html", "extrarawhtml", _is_kind("html_open"), "readers see the signs in it"),
    _Syntax("this block", "pymdownx.superfences", "superfence", _is_inner_block, "it becomes running text", "error"),
    _Syntax("this fence", "pymdownx.superfences", "superfence", _is_inner_code, "its code becomes running text"),
)  # fmt: skip


def find_unread(
    tree: BlockTree, host: HostSettings, is_read: Callable[[BlockNode], bool] = lambda _: True
) -> Iterator[Unread]:
    """The constructs of a page that no extension of the site reads."""
    for syntax in SYNTAX:
        if syntax.extension in host.extensions or host.has_like(syntax.others):
            continue
        if node := next((node for node in tree.blocks if syntax.is_used(tree, node) and is_read(node)), None):
            yield Unread(syntax, node)
