"""The books of this repository, compiled once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from rulewright.compile.book import Compiled, compile_book
from rulewright.render.export import Edition

RULES = Path(__file__).parent.parent / "rules"
BOOKS = ("maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity", "handbook")


@cache
def compiled() -> Compiled:
    return compile_book([RULES], RULES)


def edition(*books: str) -> Edition:
    """Some of the books, or all of them, whatever problems they have."""
    pages = tuple(page for page in compiled().pages if not books or page.file.parent.name in books)
    return Edition(replace(compiled(), pages=pages), RULES)
