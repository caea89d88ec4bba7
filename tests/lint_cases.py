"""The cases in tests/cases/lint/, as the page README.md there describes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "cases" / "lint"
HEADING = re.compile(r"^## (Also in the book|Wrong|Right)\n", re.MULTILINE)
BETWEEN = re.compile(r"^---\n", re.MULTILINE)
EXPECTED = re.compile(r"\n((?:>.*\n)+)\s*\Z")


class Case(NamedTuple):
    """A page, the page that goes with it, and what must be said of the first."""

    name: str
    text: str
    beside: str
    expected: tuple[str, ...]

    @property
    def id(self) -> str:
        words = re.sub(r"[^\w ]+", " ", self.text).split()
        return f"{self.name}: {' '.join(words[:8])}"[:60]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


def cases(name: str) -> Iterator[Case]:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    _, *parts = HEADING.split(text.rstrip("\n") + "\n")
    below = dict(zip(parts[::2], parts[1::2], strict=True))
    beside = below.get("Also in the book", "")
    for page in pages(below["Wrong"]):
        expected = EXPECTED.search(page)
        assert expected, f"{name}.md: this case says nothing of what is expected:\n{page}"
        words = (line.removeprefix(">").strip() for line in expected[1].splitlines())
        yield Case(name, page[: expected.start()].rstrip("\n") + "\n", beside, tuple(words))
    for page in pages(below["Right"]):
        yield Case(name, page, beside, ())


def pages(text: str) -> Iterator[str]:
    yield from (page.strip("\n") + "\n" for page in BETWEEN.split(text) if page.strip())
