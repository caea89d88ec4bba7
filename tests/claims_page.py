"""Pages with claims, odds and numbers, checked against the games of the house."""

from __future__ import annotations

from functools import cache

from games import GAMES, game
from rulewright.book.page import Block, Page
from rulewright.book.parser import read_page
from rulewright.checks.claim import check_claim
from rulewright.checks.model import Around, Checked
from rulewright.checks.odds_block import check_odds
from rulewright.checks.static_blocks import check_plain
from rulewright.game.model import Game
from rulewright.render.reports import text
from rulewright.source import Problem, Source

CHECKS = {"claim": check_claim, "odds": check_odds, "roller": check_plain, "rule": check_plain, "table": check_plain}


@cache
def games() -> dict[str, Game]:
    return {name: game(name) for name in GAMES}


def page(written: str) -> Page:
    return read_page(Source("page.md", written))


def around(written: str, home: str = "maelstrom") -> Around:
    return Around(page(written), games()[home], games())


def check(block: Block, where: Around) -> Checked:
    return CHECKS[block.kind](block, where)


def checked(kind: str, inside: str, home: str = "maelstrom") -> Checked:
    """One block on a page of its own."""
    where = around(f"# Page\n\n```{kind}\n{inside}\n```\n", home)
    return check(where.page.blocks[0], where)


def claimed(statement: str, rule: str = "maelstrom/action", *settings: str) -> Checked:
    """A claim of one statement about a rule."""
    return checked("claim", "\n".join([f"rule: {rule}", *settings, statement]))


def printed(problems: tuple[Problem, ...] | list[Problem]) -> str:
    return text(problems)


def told(written: str, home: str = "maelstrom") -> str:
    """What is said of each block of a page, one after the other."""
    where = around(written, home)
    return "\n".join(f"{one.block.id}: {one.status}\n{printed(one.problems)}" for one in map_blocks(where))


def map_blocks(where: Around) -> list[Checked]:
    return [check(block, where) for block in where.page.blocks]
