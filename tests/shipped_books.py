"""The books of this repository, compiled once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from rulewright.compile.book import CompiledBook, compile_book
from rulewright.render.export import BookExport

RULES = Path(__file__).parent.parent / "rules"
BOOKS = ("maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity", "handbook")


@cache
def compile_shipped_books() -> CompiledBook:
    return compile_book([RULES], RULES)


def make_shipped_edition(*books: str) -> BookExport:
    """Some of the books, or all of them, whatever problems they have."""
    pages = tuple(page for page in compile_shipped_books().pages if not books or page.file.parent.name in books)
    return BookExport(replace(compile_shipped_books(), pages=pages), RULES)
