"""Books as EPUB: read as archives here, and by epubcheck where it is installed."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zipfile import ZIP_STORED, ZipFile

import pytest

import shipped_books
from rulewright.compile.book import compile_book
from rulewright.render.epub import make as epub_make
from rulewright.render.export import BookExport
from rulewright.source import Problem
from small_book import BLOCK, write

CONSTRUCTS = Path(__file__).parent / "pages" / "published" / "constructs.md"
DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
SETTINGS = '[tool.rulewright]\ntitle = "The <Book> of Coins"\nversion = "Third & last"\nfail_on = "never"\n'
TYPE = "{http://www.idpf.org/2007/ops}type"
RAW = """# Raw

<center><font color=red>old</font></center> <b onclick="x()" foo=1>bold <a name="here">here</a>

<div><p>open <ul><li>one<li>two <table><tr><td>cell</table> <br> &nbsp; <script>no()</script>

<svg viewBox="0 0 1 1"><linearGradient id="g"/><path d="M0 0"/></svg> <video src="x.mp4"></video>

[2nd](#2nd), ünï {#über}

## 2nd {#2nd .x foo=bar}

## Über uns

[that](#über-uns) <rule-card>mine</rule-card>
"""


def make(folder: Path, files: dict[str, str]) -> tuple[bytes, list[Problem]]:
    write(folder, {"pyproject.toml": SETTINGS, **files})
    return epub_make(BookExport(compile_book([folder], folder), folder), lambda _: None)


def documents(data: bytes) -> dict[str, Element]:
    """All files that are XML; reading them shows that they are."""
    with ZipFile(BytesIO(data)) as zipped:
        names = [name for name in zipped.namelist() if name.endswith((".xhtml", ".opf", ".svg", ".xml"))]
        return {name: ElementTree.fromstring(zipped.read(name)) for name in names}


def dead(found: dict[str, Element]) -> list[str]:
    """Links that lead to no file, or to nothing there."""
    ids = {name: {one.get("id") for one in root.iter()} for name, root in found.items()}
    every = ((name, one.get("href")) for name, root in found.items() for one in root.iter() if one.tag.endswith("}a"))
    links = ((name, link) for name, link in every if link is not None)
    wrong = []
    for name, link in links:
        path, _, anchor = link.partition("#")
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if "://" not in link and (goal not in ids or (anchor and unquote(anchor) not in ids[goal])):
            wrong.append(f"{name}: {link}")
    return wrong


def complaints(data: bytes, folder: Path) -> list[str]:
    """What epubcheck says, warnings too."""
    jar = shutil.which("epubcheck")
    if not jar or not shutil.which("java"):
        pytest.skip("epubcheck is not installed: apt-get install epubcheck default-jre-headless")
    (folder / "book.epub").write_bytes(data)
    command = ["java", "-jar", str(Path(jar).resolve()), str(folder / "book.epub")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    said = (ran.stdout + ran.stderr).splitlines()
    assert any("EPUBCheck completed" in line for line in said), said
    return [line for line in said if re.match(r"(FATAL|ERROR|WARNING)", line)]


def test_what_an_epub_is_made_of(tmp_path: Path) -> None:
    files = {
        "index.md": f"# Coins\n\n[toss](rules/toss.md#heads)[^1]\n\n[^1]: Note.\n\n{BLOCK}",
        "rules/toss.md": "# Toss\n\n## Heads\n\n[back](../index.md) ![a die](../dice.svg) ![again](../dice.svg)\n",
        "dice.svg": DRAWING,
    }
    data, problems = make(tmp_path, files)
    assert problems == []
    with ZipFile(BytesIO(data)) as zipped:
        first = zipped.infolist()[0]
        assert (first.filename, first.compress_type, first.header_offset) == ("mimetype", ZIP_STORED, 0)
        assert zipped.read("mimetype") == b"application/epub+zip"
        page = zipped.read("EPUB/001-index.xhtml").decode()
    found = documents(data)
    assert dead(found) == []
    assert {"EPUB/001-index.xhtml", "EPUB/002-rules-toss.xhtml", "EPUB/nav.xhtml", "EPUB/cover.svg"} <= found.keys()
    types = [str(one.get(TYPE)) for one in found["EPUB/001-index.xhtml"].iter() if one.get(TYPE)]
    assert types == ["noteref", "footnotes", "footnote"]
    assert "rule-card" not in page
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="rw-die' in page
    nav = "".join(found["EPUB/nav.xhtml"].itertext())
    assert re.findall(r"\S+", nav) == ["Contents", "Contents", "Coins", "Rules", "Toss", "Heads"]
    assert sum(name.startswith("EPUB/picture") for name in found) == 1


def test_the_identifier_is_that_of_title_and_version(tmp_path: Path) -> None:
    def identifier(name: str, files: dict[str, str]) -> str:
        root = documents(make(tmp_path / name, files)[0])["EPUB/package.opf"]
        return next(str(one.text) for one in root.iter() if one.tag.endswith("}identifier"))

    one = identifier("one", {"a.md": "# A\n"})
    assert one == identifier("two", {"a.md": "# B\n\nMore.\n"})
    assert one != identifier("three", {"a.md": "# A\n", "pyproject.toml": SETTINGS.replace("Third", "Fourth")})


def test_pictures_that_cannot_go_along(tmp_path: Path) -> None:
    calling = DRAWING.replace("<rect", "<image href='https://example.org/x.png'/><rect")
    page = "# A\n\n![one](a.webp) ![two](calling.svg) ![three](broken.svg)\n"
    _, problems = make(tmp_path, {"a.md": page, "a.webp": "x", "calling.svg": calling, "broken.svg": "<svg>"})
    assert [one.span.text for one in problems] == ["a.webp", "calling.svg", "broken.svg"]


def test_epubcheck_finds_nothing_on_any_construct(tmp_path: Path) -> None:
    files = {
        "constructs.md": CONSTRUCTS.read_text(encoding="utf-8"),
        "raw.md": RAW,
        "a b/ö.md": "words only [x](../raw.md#2nd)\n",
        "a-b/o.md": f"# Deep\n\n{BLOCK}",
        "dice.svg": DRAWING,
    }
    data, problems = make(tmp_path / "book", files)
    assert {one.code for one in problems} == {"export-html"}
    found = documents(data)
    assert dead(found) == []
    assert complaints(data, tmp_path) == []


@pytest.mark.long
def test_epubcheck_finds_nothing_in_the_shipped_books(tmp_path: Path) -> None:
    data, problems = epub_make(shipped_books.make_shipped_edition(), lambda _: None)
    assert problems == []
    assert dead(documents(data)) == []
    assert complaints(data, tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("book", shipped_books.BOOKS)
def test_epubcheck_finds_nothing_in_each_book(tmp_path: Path, book: str) -> None:
    assert complaints(epub_make(shipped_books.make_shipped_edition(book), lambda _: None)[0], tmp_path) == []
