"""A book with a card of every kind, compiled once. Its games are its own: those of the site may go on changing."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.book.parser import read_page
from rulewright.checks.model import CheckedBlock
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.source import Source

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases" / "cards"


def write(folder: Path) -> Path:
    """The book on the disk, its one page as index.md."""
    shutil.copytree(CASES, folder)
    (folder / "every-kind.md").rename(folder / "index.md")
    return folder


def names() -> list[str]:
    """The ids of all blocks."""
    page = CASES / "every-kind.md"
    return [block.id for block in read_page(Source("index.md", page.read_text("utf-8"))).blocks]


@cache
def compiled() -> CompiledBook:
    with TemporaryDirectory() as place:
        folder = write(Path(place) / "book")
        return compile_book([folder], folder)


def blocks() -> list[CheckedBlock]:
    return compiled().blocks


def of_text(text: str, number: int = 0) -> CheckedBlock:
    """A block of a page with this text, beside the same games."""
    with TemporaryDirectory() as place:
        folder = write(Path(place) / "book")
        (folder / "index.md").write_text(text, encoding="utf-8")
        return compile_book([folder], folder).blocks[number]
