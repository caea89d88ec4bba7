"""The site of this repository, built as `make book` builds it, and a site of the source books."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from built_site import SETTINGS, build, links, works
from rulewright.book.parser import read_page
from rulewright.book.resolver import DeadLink, LinkResolver
from rulewright.render.content_policy import external_hosts, find_sources
from rulewright.render.finished_page import read_tags
from rulewright.render.strings import read_words
from rulewright.source import Source
from source_books import BOTH, Books, source_books

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return folder


def broken(site: Path) -> list[str]:
    found = links(site)
    assert len(found) > 100
    return [f"{page.relative_to(site)}: {target}" for page, target in found if not works(site, page, target)]


@pytest.mark.long
def test_the_site_is_there(site: Path) -> None:
    assert (site / "index.html").exists()
    assert not list(site.rglob("game.toml")), "games are data, not pages"
    assert broken(site) == []


@pytest.mark.long
def test_what_can_be_taken_along(site: Path) -> None:
    found = {file.suffix: file.stat().st_size for file in (site / "downloads").iterdir()}
    assert sorted(found) == [".epub", ".html", ".pdf", ".zip"]
    pages = len([file for file in site.rglob("*.html") if file.parent.name != "downloads"])
    assert found[".zip"] <= 330_000 + 12_500 * pages
    assert "downloads/" not in (site / "offline.js").read_text("utf-8").partition("\n\n")[0]


@pytest.mark.long
def test_nobody_else_is_asked(site: Path) -> None:
    assert not external_hosts(
        use for page in site.rglob("*.html") for use in find_sources(read_tags(page.read_text("utf-8")))
    )
    sheets = "\n".join(file.read_text("utf-8") for file in site.rglob("*.css"))
    assert not re.findall(r"(?:@import\s+|url\()[\"']?(?:https?:)?//[^)\"']*", sheets)
    assert "unsafe-inline" not in (site / "_headers").read_text("utf-8")


@pytest.mark.long
def test_cards_are_not_searched(site: Path) -> None:
    docs = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    words = read_words("en")
    pages = "".join(page.read_text("utf-8") for page in (site / "maelstrom").glob("*.html"))
    for name in ("chances before", "role cancelled"):
        phrase = words(name)
        assert phrase in pages, "or this test says nothing"
        assert not [doc["location"] for doc in docs if phrase in doc["text"]]


@pytest.mark.parametrize("which", BOTH)
def test_links_of_the_source_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: Books) -> None:
    """Those that do not work are those that the checks do not accept."""
    monkeypatch.chdir(tmp_path)
    pages = source_books(which)
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - def_list\n  - md_in_html\n  - tables\n")
    site = build(tmp_path, {"index.md": "# Home\n", **pages}, settings=settings)
    atlas = LinkResolver([read_page(Source(name, text)) for name, text in pages.items()], "", lambda _path: False)
    every = [(link, atlas.resolve(link, page)) for page in atlas.pages for link in page.links]
    lost = {link.target for link, found in every if isinstance(found, DeadLink)}
    assert len(every) > len(lost) > 0
    assert {line.partition(": ")[2] for line in broken(site.folder)} <= lost
