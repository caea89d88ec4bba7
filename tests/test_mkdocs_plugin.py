"""Sites built by MkDocs: links, contents, search, what is said and when a build fails."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from built_site import SETTINGS, build
from small_book import BLOCK, WRONG

QUIET = ((), ("-q",), ("-v",), ("--strict",), ("-q", "--strict"), ("-v", "--strict"))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_golden_a_page(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    page = "# Größe & *Kraft*\n\nintro\n- a\n- b\n\n<!-- toc -->\n\n## Toss\n\n### Deep\n\ntext [up](#toss)\n"
    site = build(tmp_path, {"index.md": page}, "--strict")
    assert site.code == 0, site.said
    golden("published/site.html", site.article() + "\n")
    assert "<title>Book</title>" in site.text("index.html")


def test_search_knows_headings_and_no_cards(tmp_path: Path) -> None:
    page = f"# One\n\n[TOC]\n\nfirst\n\n## Größe\n\nsecond diﬃculty\n\n{BLOCK}\nbehind\n\n## Two\n\nthird\n"
    sections = build(tmp_path, {"index.md": page}).sections
    assert {"", "#größe", "#two"} <= sections.keys()
    assert sections["#größe"]["text"] == "<p>second difficulty</p> <p>behind</p>"
    assert sections[""]["text"] == "<p>first</p>"


LINKS = [
    "[a](#home)", "[b](rules/actions.md#using-specialties--more)", "[c](rules/actions.md#using-specialties-more)",
    "[d](/rules/actions#again-1)", "[e](rules/actions/#again_1)", "[[actions#Using Specialties & more|f]]",
    "[g](rules/actions.html)", '<a href="rules/actions.md#own">h</a>', "[i](rules/actions.md?x=1#toss.1)",
    "[j](rules/#über)", "![k](/rules/pic.svg)", "[l](rules/actions.md#hidden)", '<img src="/rules/pic.svg">', "[m]",
    "[n](https://example.org/a?b=1&c=2)", "[o](rules/actions.md#user-content-fn-x)", "[p](rules/actions.md#quiet)",
]  # fmt: skip
ACTIONS = f"""\
# Actions

## Using Specialties & more

## Again

## Again

## Other {{#own}}

## Toss

{BLOCK}
<!-- claim
id: hidden
rule: toss
chance(win; coins 2) = 1/4
-->

{BLOCK.replace("rule:", "id: quiet@show: no@rule:").replace("@", chr(10))}
note[^x] [back](../#home) [sib](../rules/)

[^x]: text
"""
BOOK = {
    "index.md": "# Home\n\n" + "\n\n".join(LINKS) + "\n\n[m]: rules/actions#own\n",
    "rules/index.md": "# Rules\n\n## Über\n\n[up](../index.md) [self](index.md#%C3%BCber)\n",
    "rules/actions.md": ACTIONS,
    "rules/pic.svg": '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
}


@pytest.mark.parametrize("parser", ["own", "host"])
@pytest.mark.parametrize("directories", ["true", "false"])
def test_every_link_that_is_accepted_works(tmp_path: Path, parser: str, directories: str) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - footnotes\n")
    site = build(tmp_path, BOOK, "--strict", settings=mode(parser, settings) + f"use_directory_urls: {directories}\n")
    assert site.code == 0, site.said
    pages = [page for page in site.folder.rglob("*.html") if page.name != "404.html"]
    found = [(page, target) for page in pages for target in links(page)]
    assert len(found) > len(LINKS)
    assert [f"{page}: {target}" for page, target in found if not works(site.folder, page, target)] == []


def mode(parser: str, settings: str = SETTINGS) -> str:
    return settings.replace("rulewright]", f"rulewright: {{parser: {parser}}}]")


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get({"a": "href", "img": "src"}.get(tag, "")) or ""
        if target and not urlsplit(target).scheme:
            self.found.append(target)


def links(page: Path) -> list[str]:
    text = page.read_text("utf-8")
    parser = Links()
    parser.feed(text[text.index("<article") : text.index("</article>")])
    return parser.found


def works(site: Path, page: Path, target: str) -> bool:
    """Does a link lead to a file that is there, and to an id in it?"""
    parts = urlsplit(urljoin(f"http://site/{page.relative_to(site).as_posix()}", target))
    file = site / unquote(parts.path).lstrip("/")
    file = file / "index.html" if parts.path.endswith("/") else file
    anchor = unquote(parts.fragment)
    return file.is_file() and (not anchor or f'id="{anchor}"' in file.read_text("utf-8"))


@pytest.mark.parametrize("options", QUIET, ids=" ".join)
def test_a_wrong_example_fails_the_build(tmp_path: Path, options: tuple[str, ...]) -> None:
    site = build(tmp_path, {"index.md": f"# Toss\n\n{WRONG}"}, *options)
    assert site.code == 1
    assert "book/docs/index.md:8:9: error[example-degree]" in site.said
    assert site.said.count("error[example-degree]") == 1
