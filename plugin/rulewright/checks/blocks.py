"""Every kind of block, and who checks it."""

from __future__ import annotations

from collections.abc import Callable

from ..book.model import Block
from .claim import check_claim
from .example import check_example
from .model import Around, Checked
from .odds import check_odds
from .plain import check_plain

CHECKS: dict[str, Callable[[Block, Around], Checked]] = {
    "example": check_example,
    "claim": check_claim,
    "odds": check_odds,
    "roller": check_plain,
    "rule": check_plain,
    "table": check_plain,
}


def check_block(block: Block, around: Around) -> Checked:
    """The check of a block. A `game` block is read with its page; sheets and orders nobody checks yet."""
    check = CHECKS.get(block.kind)
    if check:
        return check(block, around)
    return Checked(block, "passed" if block.kind == "game" else "skipped")
