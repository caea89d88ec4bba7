"""Pages with claims, odds and numbers, checked against the games of the house."""

from __future__ import annotations

from functools import cache

from games import GAMES, load_shipped_game
from rulewright.book.page import Block, Page
from rulewright.book.parser import read_page
from rulewright.checks.claim import check_claim
from rulewright.checks.model import BlockContext, CheckedBlock
from rulewright.checks.odds_block import check_odds
from rulewright.checks.static_blocks import check_static_block
from rulewright.game.model import Game
from rulewright.render.reports import format_problems
from rulewright.source import Problem, Source

CHECKS = {
    "claim": check_claim,
    "odds": check_odds,
    "roller": check_static_block,
    "rule": check_static_block,
    "table": check_static_block,
}


@cache
def games() -> dict[str, Game]:
    return {name: load_shipped_game(name) for name in GAMES}


def page(written: str) -> Page:
    return read_page(Source("page.md", written))


def around(written: str, home: str = "maelstrom") -> BlockContext:
    return BlockContext(page(written), games()[home], games())


def check(block: Block, where: BlockContext) -> CheckedBlock:
    return CHECKS[block.kind](block, where)


def checked(kind: str, inside: str, home: str = "maelstrom") -> CheckedBlock:
    """One block on a page of its own."""
    where = around(f"# Page\n\n```{kind}\n{inside}\n```\n", home)
    return check(where.page.blocks[0], where)


def claimed(statement: str, rule: str = "maelstrom/action", *settings: str) -> CheckedBlock:
    """A claim of one statement about a rule."""
    return checked("claim", "\n".join([f"rule: {rule}", *settings, statement]))


def printed(problems: tuple[Problem, ...] | list[Problem]) -> str:
    return format_problems(problems)


def told(written: str, home: str = "maelstrom") -> str:
    """What is said of each block of a page, one after the other."""
    where = around(written, home)
    return "\n".join(f"{one.block.id}: {one.status}\n{printed(one.problems)}" for one in map_blocks(where))


def map_blocks(where: BlockContext) -> list[CheckedBlock]:
    return [check(block, where) for block in where.page.blocks]
