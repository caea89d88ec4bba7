"""Checks a block of any kind: the registry of checks by kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import cast

from ..book.page import Block
from .model import BlockCheck, BlockContext, CheckedBlock
from .safe_fixes import with_safe_fixes

_BLOCK_CHECKS = {
    "example": "example.check_example",
    "claim": "claim.check_claim",
    "odds": "odds_block.check_odds",
    "roller": "static_blocks.check_static_block",
    "rule": "static_blocks.check_static_block",
    "table": "static_blocks.check_static_block",
    "sheet": "sheet.check_sheet",
    "order": "order.check_order",
}


def check_block(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks a block and keeps only the fixes that are safe to apply. A `game` block was read with its page."""
    check = _load_check(block.kind) or context.extra_checks.get(block.kind)
    checked = check(block, context) if check else CheckedBlock(block, "passed" if block.kind == "game" else "skipped")
    checked = _add_parse_errors(checked) if block.problems else checked
    return with_safe_fixes(checked, context.page) if any(problem.fix for problem in checked.problems) else checked


def _add_parse_errors(checked: CheckedBlock) -> CheckedBlock:
    """Adds the parse errors of the block: an error, unless the block is marked `wrong:`."""
    if checked.block.get("wrong") and checked.status != "skipped":
        others = tuple(problem for problem in checked.problems if problem.code != "wrong-passes")
        return replace(checked, status=checked.status if others else "passed", problems=others)
    return replace(checked, status="error", problems=(*checked.block.problems, *checked.problems))


@cache
def _load_check(kind: str) -> BlockCheck | None:
    """The check for a kind of block, imported on first use: a book without claims does not load the odds engine."""
    module, _, name = _BLOCK_CHECKS.get(kind, "").partition(".")
    return cast(BlockCheck, getattr(import_module(f".{module}", __package__), name)) if module else None
