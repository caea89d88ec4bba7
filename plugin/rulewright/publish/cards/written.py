"""Blocks of which nothing could be worked out: what the author wrote, line by line."""

from __future__ import annotations

from typing import NamedTuple

from ...book.model import Block, Part
from ..words import Words

TOLD = ("id", "title", "show", "wrong", "skip")  # at the head of a card, or not meant for readers
HEAD = (*TOLD, "game", "rule", "name")


class Line(NamedTuple):
    key: str
    value: str


class Piece(NamedTuple):
    """What stands up to the next `then:` or `instead:`."""

    heading: str
    lines: list[Line]


def written(block: Block, words: Words) -> list[Piece]:
    """Where nothing else is written, that also which names a rule or a table: no card is empty."""
    pieces = [Piece(words(f"begins {part.name}") if part.name else "", lines(part, HEAD)) for part in block.parts]
    if block.statements:
        pieces.append(Piece("", [Line("", span.text.strip()) for span in block.statements]))
    found = [piece for piece in pieces if piece.lines]
    return found or [Piece("", named) for part in block.parts if (named := lines(part, TOLD))]


def lines(part: Part, left_out: tuple[str, ...]) -> list[Line]:
    return [
        Line(
            f"{entry.key} {entry.name}".strip(),
            " / ".join([entry.value, *(one.text for one in entry.lines)]).strip(" /"),
        )
        for entry in part.entries
        if entry.key not in left_out
    ]
