"""Old places in the site: links that go on working, ids that stay, and a page that tells what has changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from built_site import SETTINGS, Site, build
from rulewright.book.parser import read_page
from rulewright.book.resolver import DeadLink, LinkResolver, LinkTarget, former_ids
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.compile.watch import BookWatcher
from rulewright.source import Source

PAIR = Path(__file__).parent / "data" / "editions"
Golden = Callable[[str, str], None]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)


def ferry(tmp_path: Path, settings: str) -> Site:
    """The newer edition as a site, beside it the older one; what has moved was learned, and no link mended."""
    shutil.copytree(PAIR, tmp_path / "pair")
    assert main(["diff", "pair/old", "pair/new", "--learn", "-q"]) == 0
    shutil.copytree(PAIR / "old", tmp_path / "before")
    pages = {file.name: file.read_text() for file in (tmp_path / "pair" / "new").iterdir()}
    shutil.rmtree(tmp_path / "pair")
    return build(tmp_path, pages, "--strict", settings=settings)


def test_old_ids_stay_and_links_lead_on(tmp_path: Path) -> None:
    site = ferry(tmp_path, SETTINGS)
    assert site.code == 0, site.said
    assert '<h2 id="taking-the-oars"><span id="rowing-across"></span>Taking the oars' in site.text(
        "crossing/index.html"
    )
    home = site.text("index.html")
    assert 'href="crossing/#taking-the-oars"' in home
    assert 'href="weather/#thunder"' in home


@pytest.mark.parametrize("language", ["en", "de"])
def test_golden_what_changed(tmp_path: Path, language: str, golden: Golden) -> None:
    options = f"commonmark, since: ../before, language: {language}}}"
    site = ferry(tmp_path, SETTINGS.replace("commonmark}", options))
    assert site.code == 0, site.said
    golden(f"diff/page-{language}.html", site.article("reference/changes/index.html") + "\n")
    assert [page.name for page in (site.folder / "reference").iterdir()] == ["changes"], "no other page is asked for"


def test_no_page_without_another_edition(tmp_path: Path) -> None:
    site = ferry(tmp_path, SETTINGS)
    assert not (site.folder / "reference" / "changes").exists()


def atlas(aliases: dict[str, str], **pages: str) -> LinkResolver:
    read = [read_page(Source(f"{name}.md", text)) for name, text in pages.items()]
    return LinkResolver(read, "", lambda _path: False, aliases=aliases)


@pytest.mark.parametrize(
    ("target", "aliases", "place"),
    [
        ("#old", {"a.md#old": "a.md#new"}, ("a.md", "new")),
        ("gone.md#x", {"gone.md#x": "b.md#there"}, ("b.md", "there")),
        ("gone.md", {"gone.md": "b.md"}, ("b.md", "")),
        ("gone.md#there", {"gone.md": "b.md"}, ("b.md", "there")),
        ("gone/#there", {"gone.md": "b.md"}, ("b.md", "there")),
        ("#old", {"a.md#old": "a.md#older", "a.md#older": "b.md#there"}, ("b.md", "there")),
        ("#old", {"a.md#old": "a.md#older", "a.md#older": "a.md#old"}, None),
        ("#old", {"a.md#old": "a.md#old"}, None),
        ("#old", {"a.md#old": "a.md#nowhere"}, None),
        ("#old", {"a.md#old": "a.md#new", "a.md#new": "a.md#old"}, ("a.md", "new")),  # there, back, and there again
        ("#old", {"a.md#old": "a.md#gone", "a.md#gone": "gone.md#x", "gone.md#x": "b.md#there"}, ("b.md", "there")),
        ("#old", {"b.md#old": "a.md#new"}, None),
        ("#new", {"a.md#new": "b.md#there"}, ("a.md", "new")),  # what is there is not looked for elsewhere
        ("gone.md#other", {"gone.md": "b.md"}, None),
    ],
)
def test_where_an_old_place_leads(target: str, aliases: dict[str, str], place: tuple[str, str] | None) -> None:
    found = atlas(aliases, a=f"# New\n\n[x]({target})\n", b="# There\n")
    page = found.pages[0]
    lead = found.resolve(page.links[0], page)
    assert isinstance(lead, DeadLink if place is None else LinkTarget)
    if isinstance(lead, LinkTarget):
        assert (lead.path, lead.anchor) == place
        assert lead.is_moved == (target != "#new")


def test_old_ids_are_given_once() -> None:
    """Not where the page has the id already, and not twice."""
    aliases = {"a.md#one": "a.md#new", "b.md#one": "a.md#new", "a.md#new": "a.md#last", "a.md#two": "a.md#last"}
    assert former_ids(atlas(aliases, a="# New\n\n# Last\n"), "a.md") == {"new": ("one",), "last": ("two",)}


def test_a_history_is_heard_of_while_the_book_is_watched(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# New\n\n[x](#old)\n")
    watching = BookWatcher([tmp_path], tmp_path)
    assert watching.update()
    assert [one.code for one in watching.compiled.problems] == ["link-missing"]
    (tmp_path / "aliases.toml").write_text('"a.md#old" = "a.md#new"\n')
    assert watching.update()
    assert watching.compiled.problems == []
    assert not watching.update()
    (tmp_path / "aliases.toml").write_text('"a.md#old" = "a.md#never"\n')
    assert watching.update()
    assert sorted(one.code for one in watching.compiled.problems) == ["link-history", "link-missing"]
    assert watching.compiled.problems == compile_book([tmp_path], tmp_path).problems


@pytest.mark.parametrize(
    "text", ['"a.md#old" = 3', '"a.md#old" = ["a.md#new"]', "[a]\nb = 1", "\x00", "= 1", '"a" = ""', "x = " + "[" * 200]
)
def test_histories_that_say_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text("# New\n\n[x](#old)\n")
    (tmp_path / "aliases.toml").write_text(text)
    assert {one.code for one in compile_book([tmp_path], tmp_path).problems} == {"link-history", "link-missing"}


def test_a_history_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# New\n")
    (tmp_path / "aliases.toml").write_bytes(b"\xff")
    assert [one.code for one in compile_book([tmp_path], tmp_path).problems] == ["link-history"]
