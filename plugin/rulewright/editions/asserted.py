"""Other blocks that say something of the rules, checked once more by those of the other edition."""

from __future__ import annotations

from collections.abc import Iterator

from ..book.model import Block
from ..checks.blocks import check_block
from ..checks.model import Around, Checked, find_game, find_rule
from ..checks.verdict import FALSE
from ..game.model import Game
from ..text import Problem
from .examples import BlockResult, Direction, RecheckedBlock
from .sides import EditionPage
from .translated import Reason

CLAIM_KINDS = ("claim", "odds", "sheet", "order")


def makes_claims(block: Block) -> bool:
    """A table of odds says nothing that could be wrong, unless it says what it expects."""
    return block.kind in CLAIM_KINDS and (block.kind != "odds" or block.get("expect") is not None)


def game_of_block(block: Block, around: Around) -> Game | None:
    if block.kind in ("claim", "odds"):
        rule, _ = find_rule(block, around)
        return next((game for game in (around.home, *around.games.values()) if rule and holds_rule(game, rule)), None)
    entry = block.get("game")
    return find_game(around, entry.value if entry else "")


def holds_rule(game: Game | None, rule: object) -> bool:
    return game is not None and any(one is rule for one in game.rules.values())


def recheck_block(
    leaf: EditionPage, block: Block, around: Around, other: Around, way: Direction
) -> Iterator[RecheckedBlock]:
    """What it says by its own rules beside what it would have to say by the others."""
    own = check_block(block, around)
    why = why_block_unusable(own)
    again = None if why else check_block(block, other)
    if again and (wrong := unreadable_problem(again)):
        why = Reason("said", wrong.message)
    if why:
        yield way.unjudged(leaf, block, why)
    elif again and (ends := (block_result(own), block_result(again)))[0] != ends[1]:
        notes = tuple(one.message for one in again.problems[:1]) if ends[1].sort == "claim" else ()
        yield way.retold(
            leaf,
            block,
            block.span,
            ends=ends,
            rule=again.rule.name if again.rule else "",
            inputs="",
            dice="",
            notes=notes,
        )


def unreadable_problem(checked: Checked) -> Problem | None:
    """What the other edition cannot read; a requirement that it no longer has is not broken there."""
    verdict = checked.block.get("verdict") if checked.sheet else None
    places = [verdict.value_span, *verdict.lines] if verdict else []
    wrong = (one for one in checked.problems if one.code not in FALSE and one.span not in places)
    return next(wrong, None) if checked.status == "error" else None


def why_block_unusable(checked: Checked) -> Reason | None:
    skip = checked.block.get("skip")
    if skip:
        return Reason("skipped", skip.value)
    if checked.status != "passed":
        return Reason("failed", checked.problems[0].message.partition("; ")[0] if checked.problems else "")
    return None


def block_result(checked: Checked) -> BlockResult:
    if checked.block.kind == "sheet" and checked.sheet:
        return BlockResult(", ".join(checked.violations) or "legal", None, {}, "verdict")
    if checked.block.kind == "order" and checked.acting:
        return BlockResult(", ".join(checked.acting), None, {}, "result")
    passed = checked.status == "passed"
    return BlockResult("holds" if passed != bool(checked.block.get("wrong")) else "fails", None, {}, "claim")
