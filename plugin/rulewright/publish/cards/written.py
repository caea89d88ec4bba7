"""Blocks of which nothing could be worked out: what the author wrote, line by line."""

from __future__ import annotations

from typing import NamedTuple

from ...book.model import Block, Part
from ..words import Words

HEAD = ("id", "title", "show", "game", "rule", "wrong", "skip", "name")


class Line(NamedTuple):
    key: str
    value: str


class Piece(NamedTuple):
    """What stands up to the next `then:` or `instead:`."""

    heading: str
    lines: list[Line]


def written(block: Block, words: Words) -> list[Piece]:
    pieces = [Piece(words(f"begins {part.name}") if part.name else "", lines(part)) for part in block.parts]
    if block.statements:
        pieces.append(Piece("", [Line("", span.text.strip()) for span in block.statements]))
    return [piece for piece in pieces if piece.lines]


def lines(part: Part) -> list[Line]:
    return [
        Line(
            f"{entry.key} {entry.name}".strip(),
            " / ".join([entry.value, *(one.text for one in entry.lines)]).strip(" /"),
        )
        for entry in part.entries
        if entry.key not in HEAD
    ]
