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


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_reads_pages_with_our_extension(tmp_path: Path) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - rulewright\n").replace(
        "[search, rulewright]", "[search]"
    )
    folder = book(tmp_path, settings)
    said = run(folder, "zensical", "build")
    home = (folder / "site" / "index.html").read_text("utf-8")
    other = (folder / "site" / "rules" / "other" / "index.html").read_text("utf-8")
    assert "No issues found" in said or "issue" not in said, said
    assert [
        home.count(part) for part in ("<li>one</li>", 'id="größe"', 'id="größe.1"', 'class="rulewright-block"')
    ] == [1] * 4
    assert '<a href="rules/other/#toss-1">Other</a> <a href="rules/other/">other</a>' in home
    assert 'id="toss-1.1"' in other
    assert '<div class="admonition note">' in other
