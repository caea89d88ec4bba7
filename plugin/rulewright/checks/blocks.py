"""Checks a block of any kind: the registry of checks by kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from ..book.page import Block
from .model import Around, Checked
from .safe_fixes import with_safe_fixes

CHECKS = {
    "example": "example.check_example",
    "claim": "claim.check_claim",
    "odds": "odds_block.check_odds",
    "roller": "static_blocks.check_plain",
    "rule": "static_blocks.check_plain",
    "table": "static_blocks.check_plain",
    "sheet": "sheet.check_sheet",
    "order": "order.check_order",
}


class Check(Protocol):
    def __call__(self, block: Block, around: Around) -> Checked: ...


def check_block(block: Block, around: Around) -> Checked:
    """Checks a block and keeps only the fixes that are safe to apply. A `game` block was read with its page."""
    check = check_of(block.kind)
    found = check(block, around) if check else Checked(block, "passed" if block.kind == "game" else "skipped")
    found = half_read(found) if block.problems else found
    return with_safe_fixes(found, around.page) if any(problem.fix for problem in found.problems) else found


def half_read(found: Checked) -> Checked:
    """Adds the parse errors of the block: an error, unless the block is marked `wrong:`."""
    if found.block.get("wrong") and found.status != "skipped":
        others = tuple(problem for problem in found.problems if problem.code != "wrong-passes")
        return replace(found, status=found.status if others else "passed", problems=others)
    return replace(found, status="error", problems=(*found.block.problems, *found.problems))


@cache
def check_of(kind: str) -> Check | None:
    """The check for a kind of block, imported on first use: a book without claims does not load the odds engine."""
    module, _, name = CHECKS.get(kind, "").partition(".")
    return cast(Check, getattr(import_module(f".{module}", __package__), name)) if module else None
