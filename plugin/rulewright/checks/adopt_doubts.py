"""Finds the doubts that `adopt` wrote into its blocks and that are still open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..book.page import Page
from ..source import Problem

DOUBT = "# ? "
_LEFTOVER = re.compile(rf"^[ \t>]*({re.escape(DOUBT)}.*?)[ \t\r]*$", re.MULTILINE)


def find_doubts(page: Page) -> Iterator[Problem]:
    """A warning for each line of a block that begins with `# ?`."""
    for block in page.blocks:
        for match in _LEFTOVER.finditer(block.span.text):
            span = block.span.subspan(*match.span(1))
            note = "correct the block or the text beside it, then delete this line"
            message = f"an open doubt: {match[1].removeprefix(DOUBT)}"
            yield Problem("block-doubt", message, span, "warning", (note,), block.trail)
