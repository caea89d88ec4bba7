"""What comes of looking at a passage: a block that is proposed, or why there is none."""

from __future__ import annotations

from typing import NamedTuple

from ..book.prose import Passage


class Proposal(NamedTuple):
    """The lines of a block, and what the text leaves open or tells otherwise."""

    passage: Passage
    lines: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    proven: bool = True  # the text tells a result of its own
    agrees: bool = True  # nothing in the text is against what the rules make of the block


class Left(NamedTuple):
    """A prose example without a proposal."""

    passage: Passage
    why: str
