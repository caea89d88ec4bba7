"""The tree of a formula, and the words formulas are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

LARGEST = 2**53 - 1
LONGEST = 2_000  # characters; what is longer is better said in several steps
DEEPEST = 40  # brackets in brackets
TALLEST = 80  # operations in operations; what compiles and what evaluates must not run out of stack
DICE = ("sum", "count", "highest", "lowest")
ROUNDINGS = ("down", "up", "near")
COMPARISONS = ("=", "!=", "<=", ">=", "<", ">")
FUNCTIONS = (*DICE, *ROUNDINGS, "if", "min", "max", "abs", "lookup")
THROW_WORDS = ("face", "last", "throw", "good", "bad")
DIE_WORDS = ("value", "sides")
SHEET_WORDS = ("sumof", "number", "dots")
RESERVED = frozenset((*FUNCTIONS, *THROW_WORDS, *DIE_WORDS, *SHEET_WORDS, "and", "or", "not"))


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a formula; `args` holds nodes, and names, words and numbers as they are.

    `labels` are the places of the kinds, tables and columns among them. Places do not count when trees are compared."""

    op: str
    args: tuple[Any, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    labels: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    def nodes(self) -> Iterator[Node]:
        return (arg for arg in self.args if isinstance(arg, Node))

    def label(self, number: int) -> Node:
        """The place of a label, in the form of a node."""
        start, end = self.labels[number] if number < len(self.labels) else (self.start, self.end)
        return Node("label", (), start, end)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, outermost first."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(list(found.nodes()))


def depth(node: Node) -> int:
    return 1 + max((depth(child) for child in node.nodes()), default=0)


def names_in(node: Node) -> set[str]:
    return {inner.args[0] for inner in walk(node) if inner.op == "name"}


def to_json(node: Node) -> Any:
    """The form in which the browser receives a formula: nested lists, numbers as they are."""
    if node.op == "number":
        return node.args[0]
    return [node.op, *(to_json(arg) if isinstance(arg, Node) else arg for arg in node.args)]
