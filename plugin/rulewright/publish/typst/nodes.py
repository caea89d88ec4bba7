"""The tokens of a page as a tree: what opens and closes around others holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token


class Node(NamedTuple):
    kind: str  # the type of the token, without `_open`
    token: Token
    inner: tuple[Node, ...] = ()

    def all(self, kind: str) -> Iterator[Node]:
        """Those of one kind among the nodes directly inside."""
        return (node for node in self.inner if node.kind == kind)


def nest(tokens: Iterable[Token]) -> tuple[Node, ...]:
    open_: list[tuple[Token, list[Node]]] = []
    here: list[Node] = []
    for token in tokens:
        if token.nesting > 0:
            open_.append((token, here))
            here = []
        elif token.nesting < 0:
            opening, outside = open_.pop()
            outside.append(Node(opening.type.removesuffix("_open"), opening, tuple(here)))
            here = outside
        else:
            here.append(Node(token.type, token, nest(token.children or ())))
    return tuple(here)


def words(nodes: Sequence[Node]) -> str:
    """The text of all of them, one after the other."""
    return "".join(node.token.content if not node.inner else words(node.inner) for node in nodes)
