"""What a block amounts to once its problems are known: its status, `skip:` and `wrong:`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..book.model import Block, Entry
from ..text import Problem
from .model import Checked, trouble

COMMON = ("game", "rule", "id", "title", "show", "skip", "wrong")
SHOWN = ("card", "line", "no")
FALSE = {"claim-false", "odds-expect", "sheet-verdict", "order-result"}  # what is readable, and not so


def is_skipped(block: Block) -> bool:
    return block.get("skip") is not None


def settings(block: Block, words: Iterable[str]) -> list[Entry]:
    """The entries that are no words of the block itself."""
    own = {*COMMON, *words}
    return [entry for entry in block.entries if entry.key not in own]


def closed(block: Block, problems: Sequence[Problem], **found: Any) -> Checked:
    """The block with its status; one that is meant to be wrong passes when it is."""
    problems = [*problems, *without_reason(block)]
    wrong = block.get("wrong")
    if is_skipped(block) and not problems:
        return Checked(block, "skipped", **found)
    if wrong and not is_skipped(block):
        if not problems:
            message = "this block is said to be wrong, and nothing is wrong with it"
            notes = ("leave wrong: out, or mend what it shows",)
            problem = trouble(block, "wrong-passes", message, wrong.key_span, notes)
            return Checked(block, "failed", (problem,), **found)
        if all(problem.code != "block-key" for problem in problems):
            return Checked(block, "passed", **found)
    return Checked(block, status(problems), tuple(problems), **found)


def status(problems: Sequence[Problem]) -> str:
    if not problems:
        return "passed"
    return "failed" if all(problem.code in FALSE for problem in problems) else "error"


def without_reason(block: Block) -> list[Problem]:
    entry = block.get("skip")
    if entry is None or entry.value:
        return []
    return [trouble(block, "block-value", "say why this is skipped: skip: reason", entry.key_span)]


def wrong_show(block: Block) -> list[Problem]:
    """`show:` of every block but odds."""
    entry = block.get("show")
    if entry is None or entry.value.lower() in SHOWN:
        return []
    message = f"show is card, line or no, not «{entry.value}»"
    return [trouble(block, "block-value", message, entry.value_span)]
