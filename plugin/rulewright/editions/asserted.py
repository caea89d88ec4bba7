"""Other blocks that say something of the rules, checked once more by those of the other edition."""

from __future__ import annotations

from collections.abc import Iterator

from ..book.model import Block
from ..checks.blocks import check_block
from ..checks.model import Around, Checked, find_game, find_rule
from ..checks.verdict import FALSE
from ..game.model import Game
from ..text import Problem
from .examples import Bearings, End, Judged
from .sides import Leaf
from .translated import Reason

KINDS = ("claim", "odds", "sheet", "order")


def asserts(block: Block) -> bool:
    """A table of odds says nothing that could be wrong, unless it says what it expects."""
    return block.kind in KINDS and (block.kind != "odds" or block.get("expect") is not None)


def game_of(block: Block, around: Around) -> Game | None:
    if block.kind in ("claim", "odds"):
        rule, _ = find_rule(block, around)
        return next((game for game in (around.home, *around.games.values()) if rule and holds_rule(game, rule)), None)
    entry = block.get("game")
    return find_game(around, entry.value if entry else "")


def holds_rule(game: Game | None, rule: object) -> bool:
    return game is not None and any(one is rule for one in game.rules.values())


def judge_block(leaf: Leaf, block: Block, around: Around, other: Around, way: Bearings) -> Iterator[Judged]:
    """What it says by its own rules beside what it would have to say by the others."""
    own = check_block(block, around)
    why = unready(own)
    again = None if why else check_block(block, other)
    if again and (wrong := unreadable(again)):
        why = Reason("said", wrong.message)
    if why:
        yield way.unjudged(leaf, block, why)
    elif again and (ends := (ended(own), ended(again)))[0] != ends[1]:
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


def unreadable(checked: Checked) -> Problem | None:
    """What the other edition cannot read; a requirement that it no longer has is not broken there."""
    verdict = checked.block.get("verdict") if checked.sheet else None
    places = [verdict.value_span, *verdict.lines] if verdict else []
    wrong = (one for one in checked.problems if one.code not in FALSE and one.span not in places)
    return next(wrong, None) if checked.status == "error" else None


def unready(checked: Checked) -> Reason | None:
    skip = checked.block.get("skip")
    if skip:
        return Reason("skipped", skip.value)
    if checked.status != "passed":
        return Reason("failed", checked.problems[0].message.partition("; ")[0] if checked.problems else "")
    return None


def ended(checked: Checked) -> End:
    if checked.block.kind == "sheet" and checked.sheet:
        return End(", ".join(checked.violations) or "legal", None, {}, "verdict")
    if checked.block.kind == "order" and checked.acting:
        return End(", ".join(checked.acting), None, {}, "result")
    passed = checked.status == "passed"
    return End("holds" if passed != bool(checked.block.get("wrong")) else "fails", None, {}, "claim")
