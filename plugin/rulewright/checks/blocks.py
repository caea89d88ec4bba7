"""Every kind of block, and who checks it."""

from __future__ import annotations

from collections.abc import Callable

from ..book.model import Block
from .example import check_example
from .model import Around, Checked

CHECKS: dict[str, Callable[[Block, Around], Checked]] = {"example": check_example}


def check_block(block: Block, around: Around) -> Checked:
    """The check of a block; kinds that nobody checks are passed over, and that is said."""
    check = CHECKS.get(block.kind)
    return check(block, around) if check else Checked(block, "skipped")
