"""What a site may run, show and load: computed from its finished pages."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path

import pytest

from built_site import SETTINGS, build
from rulewright.render.content_policy import (
    POLICY_META,
    external_hosts,
    find_sources,
    find_style_sources,
    headers_text,
    insert_policy,
    policy_text,
)
from rulewright.render.finished_page import read_tags
from small_book import BLOCK

PALETTE = "palette: [{scheme: default, toggle: {icon: material/weather-night, name: Dark}}, {scheme: slate}]"
PLAIN = SETTINGS.replace("font: false}", f"font: false, {PALETTE}}}")
LOOK = PLAIN.replace("rulewright: {", "rulewright: {policy: on, ")
OFFLINE = LOOK.replace("plugins: [search,", "plugins: [search, offline,").replace("policy: on", "offline: on")

LOADS = "t.src='https://a.example/b.js'"
LOADED = [f"{kind}-src https://a.example" for kind in ("connect", "font", "frame", "img", "script", "style")]
DRAWN = ["script-src https://unpkg.com", "style-src 'unsafe-inline'"]
STYLED = [f"{kind}-src https://a.example" for kind in ("font", "img", "style")]


def digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>plain</p>", []),
        ("<script>a < b</script>", [f"script-src {digest('a < b')}"]),
        ('<script type="module">\nx\n</script>', [f"script-src {digest(chr(10) + 'x' + chr(10))}"]),
        ('<script type="application/json">{"a": 1}</script>', []),
        ('<script src="a.js"></script>', []),
        ('<script src="https://a.example/b.js"></script>', LOADED),
        (f"<script>{LOADS}</script>", [f"script-src {digest(LOADS)}", *LOADED]),
        (
            '<a href="https://github.com/me/book" class="md-source" data-md-component="source">',
            ["connect-src https://api.github.com"],
        ),
        (
            '<a href="https://gitlab.example/me/book" data-md-component="source">',
            ["connect-src https://gitlab.example"],
        ),
        ('<a href="https://github.com/me/book">book</a>', []),
        ("<style>p { color: red }</style>", [f"style-src {digest('p { color: red }')}"]),
        (
            "<td style=\"text-align:right\">1</td><td style='text-align:right'>",
            ["style-src 'unsafe-hashes'", f"style-src {digest('text-align:right')}"],
        ),
        ('<b style="a: &quot;b&quot;">', ["style-src 'unsafe-hashes'", "style-src " + digest('a: "b"')]),
        ('<img src="//a.example/b.png">', ["img-src https://a.example"]),
        ('<link rel="stylesheet" href="https://a.example/c.css">', STYLED),
        (
            '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Roboto">',
            [
                "font-src https://fonts.googleapis.com",
                "font-src https://fonts.gstatic.com",
                "img-src https://fonts.googleapis.com",
                "style-src https://fonts.googleapis.com",
            ],
        ),
        ("<style>@import '//a.example/b';</style>", [*STYLED, "style-src " + digest("@import '//a.example/b';")]),
        ('<pre class="mermaid"><code>graph TD</code></pre>', DRAWN),
        ("<div class=mermaid>graph TD</div>", DRAWN),
        ('<pre class="a mermaid"></pre><script src="js/mermaid.min.js"></script>', DRAWN[1:]),
        ('<p class="mermaids">mermaid</p><pre><code>class="mermaid"</code></pre>', []),
        ('<link rel="canonical" href="https://a.example/"><a href="https://b.example">', []),
    ],
)
def test_what_a_page_uses(html: str, said: list[str]) -> None:
    assert sorted({f"{use.directive} {use.source}" for use in find_sources(read_tags(html))}) == sorted(said)


def test_a_policy_allows_nothing_else() -> None:
    found = list(
        find_sources(
            read_tags('<script>1</script><script src="https://a.example/b.js"></script><iframe src="//c.example">')
        )
    )
    directives = dict(one.split(" ", 1) for one in policy_text(found).split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == f"'self' {digest('1')} https://a.example"
    assert directives["frame-src"] == "https://a.example https://c.example"
    assert directives["connect-src"] == "'self' https://a.example"
    assert "unsafe-inline" not in headers_text(found)
    assert external_hosts(found) == ["a.example", "c.example"]
    assert policy_text(reversed(found)) == policy_text(found)


@pytest.mark.parametrize(
    ("css", "hosts"),
    [
        ("@import url('https://a.example/b.css'); p {}", {"a.example"}),
        ('p { background: url( "//a.example:8000/b.png" ) } /* https://b.example */', {"a.example:8000"}),
        ("p { background: url(data:image/svg+xml,https://b.example) url(local.png) }", set()),
    ],
)
def test_what_a_style_sheet_uses(css: str, hosts: set[str]) -> None:
    assert set(external_hosts(find_style_sources(css))) == hosts


def test_styles_that_are_set_while_drawing_need_a_policy_without_hashes() -> None:
    uses = find_sources(read_tags('<style>p {}</style><p style="a: b"><script>1</script><pre class="mermaid"></pre>'))
    directives = dict(one.split(" ", 1) for one in policy_text(uses).split("; "))
    assert directives["style-src"] == "'self' 'unsafe-inline'"
    assert directives["script-src"] == f"'self' {digest('1')} https://unpkg.com"


def test_a_page_that_asks_for_its_policy_gets_it() -> None:
    page = f"<head>{POLICY_META}</head><script>1</script>"
    assert insert_policy(page, find_sources(read_tags(page))) == page.replace(
        'content="rulewright"', f'content="{policy_text(find_sources(read_tags(page)))}"'
    )
    assert insert_policy("<head></head>", []) == "<head></head>"


def test_a_site_writes_its_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = "# Page\n\n| a | b |\n| --- | --: |\n| 1 | 2 |\n"
    site = build(tmp_path, {"index.md": page, "deep/page.md": "# Deep\n"}, "--strict", settings=LOOK)
    assert site.code == 0, site.said
    said = site.text("_headers")
    pages = [file.read_text("utf-8") for file in site.folder.rglob("*.html")]
    assert len(pages) >= 3, "404.html counts too"
    for use in (use for html in pages for use in find_sources(read_tags(html))):
        assert use.source in said
    assert not any("fonts.googleapis" in html for html in pages)
    assert "also fetch" not in site.said


def test_a_site_has_no_policy_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    site = build(tmp_path, {"index.md": f"# Page\n\n![a](https://pictures.example/a.png)\n\n{BLOCK}"}, settings=PLAIN)
    assert not (site.folder / "_headers").exists()
    assert "also fetch" not in site.said


def test_a_policy_allows_what_the_theme_and_the_downloads_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = LOOK.replace("policy: on", "policy: on, exports: html") + (
        "repo_url: https://github.com/example/book\nextra: {analytics: {provider: google, property: G-1}}\n"
    )
    site = build(tmp_path, {"index.md": f"# Page\n\n{BLOCK}"}, settings=settings)
    allowed = dict(one.split(" ", 1) for one in site.text("_headers").split("Policy: ")[1].split("; "))
    assert "https://api.github.com" in allowed["connect-src"]
    assert "https://www.googletagmanager.com" in allowed["script-src"]
    assert "https://*.google-analytics.com" in allowed["connect-src"]
    book = next((site.folder / "downloads").glob("*.html")).read_text("utf-8")
    needed = list(find_sources(read_tags(book)))
    assert {use.directive for use in needed} >= {"script-src", "style-src"}
    assert [use for use in needed if use.source not in allowed[use.directive]] == []


MERMAID = """\
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          class: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
"""


def test_a_policy_allows_diagrams_and_the_styles_of_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = LOOK.replace("  - attr_list\n", f"  - attr_list\n{MERMAID}") + "extra_css: [own.css]\n"
    pages = {
        "index.md": "# Page\n\n```mermaid\ngraph TD; A-->B\n```\n",
        "own.css": "@import 'https://a.example/b.css';",
    }
    site = build(tmp_path, pages, settings=settings)
    assert '<pre class="mermaid">' in site.article()
    allowed = dict(one.split(" ", 1) for one in site.text("_headers").split("Policy: ")[1].split("; "))
    assert "https://unpkg.com" in allowed["script-src"].split()
    assert "'unsafe-inline'" not in allowed["script-src"]
    assert allowed["style-src"] == "'self' 'unsafe-inline' https://a.example"
    assert "readers of this site also fetch something from a.example, unpkg.com" in site.said


def test_a_policy_of_the_author_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    site = build(tmp_path, {"index.md": "# Page\n", "_headers": "/*\n  X-Own: 1\n"}, settings=LOOK)
    assert site.text("_headers") == "/*\n  X-Own: 1\n"


def test_other_hosts_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    site = build(tmp_path, {"index.md": "# Page\n\n![a](https://pictures.example/a.png)\n"}, settings=LOOK)
    assert "readers of this site also fetch something from pictures.example" in site.said


def test_a_site_for_the_disk_brings_what_its_search_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    site = build(tmp_path, {"index.md": "# Page\n"}, "--strict", settings=OFFLINE)
    assert site.code == 0, site.said
    assert '<script src="assets/iframe-worker.js">' in site.text("index.html")
    assert "MIT" not in site.text("index.html")
    assert "Permission is hereby granted" in site.text("assets/iframe-worker.js")
    assert not external_hosts(find_sources(read_tags(site.text("index.html"))))
