"""The same book built by other programs: ProperDocs makes the same site, Zensical one with all that the pages say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from built_site import SETTINGS
from small_book import BLOCK, write

HOME = "# Größe\n\nintro\n- one\n- two\n\n<!-- toc -->\n\n{}\n[Other](rules/other.md#toss-1) [[other]]\n"
OTHER = "# Other\n\n## Toss\n\nCoins.\n\n## Toss\n\n{}\n!!! note\n    Text with a [link](../index.md#größe).\n"
PAGES = {"index.md": HOME.format(BLOCK), "rules/other.md": OTHER.format(BLOCK)}
GENERATOR = re.compile(r'<meta name="generator" content="[^"]*">')


def book(folder: Path, settings: str = SETTINGS) -> Path:
    write(folder / "docs", PAGES)
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return folder


def run(folder: Path, program: str, *arguments: str) -> str:
    """The program as the command line starts it; an editor's environment must not change what it says."""
    command = [sys.executable, "-m", program, *arguments]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(site: Path) -> dict[str, bytes]:
    found = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {name: without_generator(name, content) for name, content in found.items() if not name.endswith(".gz")}


def without_generator(name: str, content: bytes) -> bytes:
    return GENERATOR.sub("", content.decode()).encode() if name.endswith(".html") else content


@pytest.mark.skipif(not find_spec("properdocs"), reason="ProperDocs is not installed")
def test_properdocs_makes_the_same_site(tmp_path: Path) -> None:
    folder = book(tmp_path)
    run(folder, "mkdocs", "build", "--strict", "-d", "mkdocs")
    run(folder, "properdocs", "build", "--strict", "-f", "mkdocs.yml", "-d", "properdocs")
    one, other = files(folder / "mkdocs"), files(folder / "properdocs")
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def zensical(folder: Path, options: str) -> tuple[str, str, str]:
    """What Zensical says, and both its pages; it knows no plugins, but our extension reads their options."""
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - rulewright\n")
    said = run(book(folder, settings.replace("markdown: commonmark", options)), "zensical", "build")
    home, other = (folder / "site" / page for page in ("index.html", "rules/other/index.html"))
    return said, home.read_text("utf-8"), other.read_text("utf-8")


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_puts_cards_on_its_own_pages(tmp_path: Path) -> None:
    said, home, other = zensical(tmp_path, "language: en")
    assert "anchor does not exist" in said, "links in other dialects are left to Zensical, which reports them"
    assert [page.count('class="rulewright-block"') for page in (home, other)] == [1, 1]
    assert [page.count("<rule-card") for page in (home, other)] == [1, 1]
    assert '<h2 id="toss_1">Toss' in other
    assert "<li>one</li>" not in home, "Python-Markdown wants a blank line above a list"
    assert "[[other]]" in home


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_reads_pages_with_our_extension(tmp_path: Path) -> None:
    said, home, other = zensical(tmp_path, "markdown: commonmark")
    assert "No issues found" in said
    parts = ("<li>one</li>", '<h1 id="groe">', 'id="größe"', 'id="größe.1"', 'class="rulewright-block"')
    assert [home.count(part) for part in parts] == [1] * 5
    assert '<a href="rules/other/#toss_1">Other</a> <a href="rules/other/">other</a>' in home
    assert '<h2 id="toss_1">' in other
    assert 'id="toss-1.1"' in other
    assert '<div class="admonition note">' in other
