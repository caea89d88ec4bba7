"""Rulebooks as authors write them: five small ones of our own, and the five source books if they are available.

A test that uses the source books also uses ours, so that a plain clone runs it too; ours have the same constructs and
the same kinds of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

HERE = Path(__file__).parent
OWN = HERE / "pages" / "books"
SEEDS = HERE.parent.parent / "shared" / "seeds"
GAMES = ("maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity")  # one for each book, in order

Books = Literal["own", "source"]
EXTRA = (  # only in `make test-long`
    pytest.mark.long,
    pytest.mark.skipif(not SEEDS.is_dir(), reason="extra: ../shared/seeds is not here; the books of our own are"),
)
BOTH = [pytest.param("own"), pytest.param("source", marks=EXTRA)]


def source_books(which: Books) -> dict[str, str]:
    """The text of each book by its number: "000.md" is the first."""
    files = [OWN / f"{game}.md" for game in GAMES] if which == "own" else sorted(SEEDS.glob("*.txt"))
    assert len(files) == len(GAMES)
    return {f"{number:03}.md": file.read_bytes().decode() for number, file in enumerate(files)}
