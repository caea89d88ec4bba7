"""Syntax trees of formulas, and the words of the language. The handbook page "Formulas" describes the grammar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_NUMBER = 2**53 - 1
DICE_FUNCTIONS = ("sum", "count", "highest", "lowest")
OVER_FUNCTIONS = ("max", "min", "sum", "count")  # functions of a word that runs over faces or numbers
DICE_OPERATIONS = (*DICE_FUNCTIONS, "groups", "over")  # each becomes a tally
PICKS = ("highest_of", "lowest_of", "first_of", "any_of")
SET_OPERATIONS = ("set", "together", *PICKS, "where", "without")
ROUNDING_FUNCTIONS = ("down", "up", "near", "rest")
COMPARISONS = ("=", "!=", "<=", ">=", "<", ">")
FUNCTIONS = (*DICE_FUNCTIONS, *ROUNDING_FUNCTIONS, "groups", "if", "min", "max", "abs", "lookup")
THROW_WORDS = ("face", "last", "first", "throw")
MARKING_TESTS = ("good", "bad")  # tests that decide how dice are drawn
DIE_WORDS = ("value", "sides")
SHEET_WORDS = ("sumof", "number", "dots")
_SET_WORDS = ("of", "by", "where", "without", "any")
RESERVED_WORDS = frozenset((*FUNCTIONS, *THROW_WORDS, *DIE_WORDS, *_SET_WORDS, "and", "or", "not"))


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a formula; `args` are nodes, or the plain names, words and numbers that it needs.

    `labels` are the offsets of the kinds, tables and columns among them. Comparing trees ignores all offsets."""

    op: str
    args: tuple[Any, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    labels: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    def child_nodes(self) -> Iterator[Node]:
        return (arg for arg in self.args if isinstance(arg, Node))

    def label_node(self, number: int) -> Node:
        """A node with the offsets of one label."""
        start, end = self.labels[number] if number < len(self.labels) else (self.start, self.end)
        return Node("label", (), start, end)


FACE, ZERO = Node("name", ("face",)), Node("number", (0,))


def compared_face(node: Node) -> Node | None:
    """The word in `face = 'word'`, which is a whole face as it is written."""
    if node.op not in ("=", "!=") or FACE not in node.args:
        return None
    return next((arg for arg in node.args if arg.op == "word"), None)


def walk(node: Node) -> Iterator[Node]:
    """The node and its descendants, in preorder."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [arg for arg in reversed(current.args) if isinstance(arg, Node)]


def collect_names(node: Node) -> set[str]:
    """The names of values in a formula, without those that a word over faces or numbers stands for."""
    if node.op == "name":
        return {node.args[0]}
    if node.op == "over":
        _, word, domain, body = node.args
        return collect_names(domain) | collect_names(body) - {word}
    return set().union(*map(collect_names, node.child_nodes()))


def collect_sets(node: Node) -> set[str]:
    """The names of kinds and of other sets in a formula."""
    return {inner.args[0] for inner in walk(node) if inner.op == "set"}


def needs_dice(node: Node) -> bool:
    """Whether a formula looks at dice."""
    return any(inner.op in (*DICE_OPERATIONS, *SET_OPERATIONS, "tally") for inner in walk(node))
