"""Books of MkDocs: links by its rules and ids, excluded pages, metadata, and finished sites."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymdownx.slugs import slugify  # type: ignore[import-untyped]

from built_site import build
from rulewright.book.anchors import host_ids
from rulewright.book.finished_site import FinishedSite
from rulewright.book.host import HeadingSlugs
from rulewright.book.parser import read_page
from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.host_settings import read_host_settings
from rulewright.compile.watch import BookWatcher
from rulewright.source import Problem, Source
from small_book import BLOCK, WRONG, write

Ran = Callable[..., tuple[int, str, str]]

SETTINGS = "site_name: Book\ntheme: mkdocs\nmarkdown_extensions: [attr_list]\n"
COMBAT = (
    "# Combat\n\n## Skills & feats\n\n## Setup\n\n## Setup\n\n## Speed {#sp}\n\n## Über uns\n\n## A <b>b</b> -- c\n"
)
FILES = {
    "docs/rules/combat.md": COMBAT, "docs/rules/index.md": "# Rules\n", "docs/index.md": "# Book\n",
    "docs/rules/map.png": "",
}  # fmt: skip


def book(folder: Path, text: str = "", settings: str = SETTINGS, **more: str) -> Path:
    """A site with a page `rules/page.md`; further files have `__` for slashes."""
    files = {path.replace("__", "/") + ".md": other for path, other in more.items()}
    return write(folder, {**FILES, "docs/rules/page.md": f"# Page\n\n{text}\n", **files, "mkdocs.yml": settings})


def compiled(folder: Path, site: Path | None = None) -> CompiledBook:
    finished = FinishedSite(site) if site else None
    with chdir(folder):
        return replace(compile_book([folder / "docs"], folder, finished=finished), with_info=True)


def problems(folder: Path, site: Path | None = None) -> list[Problem]:
    return [problem for problem in compiled(folder, site).problems if problem.code.startswith("link")]


def found(folder: Path, site: Path | None = None) -> list[tuple[str, str, str | None]]:
    """Code, severity and fix of each problem of a link."""
    return [(one.code, one.severity, one.fix.text if one.fix else None) for one in problems(folder, site)]


UNSURE = "combat.md#a-b----c"  # HTML in the heading: only the finished page shows its id
RIGHT = [
    "combat.md", "./combat.md#setup", "combat.md#skills-feats", "combat.md#setup_1", "combat.md#sp", "../index.md",
    "combat.md#uber-uns", "../combat/", "../combat/#setup_1", "/rules/combat/#skills-feats", "../combat", "../",
    "#page", "map.png", "../map.png", "combat.md#a-b-c", UNSURE, "#", "#top", "https://example.org/#a--b",
]  # fmt: skip
FOREIGN = {
    "combat.md#skills--feats": "skills-feats",
    "combat.md#setup-1": "setup_1",
    "combat.md#über-uns": "uber-uns",
    "combat/#setup": "combat.md#setup",
    "combat/": "combat.md",
    "combat": "combat.md",
    "combat.html": "combat.md",
    "/rules/combat.md#setup-1": "combat.md#setup_1",
    "../rules/combat/#skills--feats": "combat.md#skills-feats",
}


@pytest.mark.parametrize("target", RIGHT)
def test_what_the_site_resolves_is_right(target: str, tmp_path: Path) -> None:
    assert found(book(tmp_path, f"[x]({target})")) == []


@pytest.mark.parametrize("target", FOREIGN)
def test_links_of_other_tools_are_problems_with_the_link_of_the_site_as_fix(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)  # where --fix is refused
    folder = book(tmp_path, f"[x]({target})")
    assert found(folder) == [("link-dialect", "error", FOREIGN[target])]
    with chdir(folder):
        main(["check", "docs", "--fix"])
    assert found(folder) == []


def test_every_verdict_agrees_with_the_finished_site(tmp_path: Path) -> None:
    """The same links, judged by the pages that MkDocs has built."""
    targets = {**dict.fromkeys(RIGHT), **FOREIGN}
    pages = {path.removeprefix("docs/"): text for path, text in FILES.items()}
    pages |= {f"rules/page{number}.md": f"# Page\n\n[x]({target})\n" for number, target in enumerate(targets)}
    site = build(tmp_path, pages, settings=SETTINGS)
    assert site.code == 0
    judged = {one.span.source.path: one.code for one in problems(tmp_path / "book", site.folder)}
    assert judged == {
        f"docs/rules/page{number}.md": "link-dialect"
        for number, target in enumerate(targets)
        if target in (*FOREIGN, UNSURE)
    }


@pytest.mark.parametrize(
    ("link", "fix"),
    [
        ("[[combat]]", "[combat](combat.md)"),
        ("[[combat#Skills & feats|feats]]", "[feats](combat.md#skills-feats)"),
        ("[[no page of this book]]", None),
        ('<a href="combat.md#setup-1">x</a>', "../combat/#setup_1"),
        ('<img src="map.png">', "../map.png"),
        ('<a href="../combat/#setup">x</a>', None),
        ("[x][y] [z][y]\n\n[y]: combat.md#setup-1", "setup_1"),
    ],
)
def test_other_kinds_of_links(link: str, fix: str | None, tmp_path: Path) -> None:
    assert found(book(tmp_path, link)) == ([("link-dialect", "error", fix)] if fix else [])


@pytest.mark.parametrize(
    "settings",
    [
        f"{SETTINGS}plugins: [rulewright: {{anchors: add}}]\n",
        f"{SETTINGS}plugins: [rulewright: {{markdown: commonmark}}]\n",
        f"{SETTINGS}plugins: [rulewright: {{markdown: {{commonmark: rules/page.md}}}}]\n",
        f"{SETTINGS}plugins: [rulewright: {{markdown: {{commonmark: rules/combat.md}}}}]\n",
        "# nothing\n",
    ],
)
def test_where_other_ids_are_added_or_links_rewritten_they_are_right(settings: str, tmp_path: Path) -> None:
    folder = book(tmp_path, "[x](combat.md#skills--feats)", settings)
    if settings.startswith("#"):
        (folder / "mkdocs.yml").unlink()
    assert found(folder) == []


PYMDOWNX = "toc: {slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}"


@pytest.mark.parametrize(
    ("extension", "anchor"),
    [
        (PYMDOWNX, "skills--feats"),
        ("toc: {slugify: !!python/object/apply:pymdownx.slugs.slugify {}}", "Skills--feats"),
        ("toc: {slugify: !!python/name:pymdownx.slugs.uslugify }", "skills--feats"),
        ("toc: {slugify: !!python/name:markdown.extensions.toc.slugify_unicode , permalink: true}", "skills-feats"),
        ("markdown.extensions.toc: {separator: _}", "skills_feats"),
        ("admonition", "skills-feats"),
    ],
)
def test_ids_are_made_as_the_settings_say(extension: str, anchor: str, tmp_path: Path) -> None:
    folder = book(tmp_path, "[x](combat.md#skills-feats) [y](combat.md#skills--feats)")
    (folder / "mkdocs.yml").write_text(f"site_name: Book\nmarkdown_extensions:\n  - {extension}\n", "utf-8")
    fixes = {one.fix.text for one in problems(folder) if one.fix}
    assert fixes == {anchor}


@pytest.mark.parametrize("code", ["my.module.slugify", "pymdownx.slugs.other"])
def test_ids_of_unknown_code_are_not_judged(code: str, tmp_path: Path) -> None:
    settings = f"{SETTINGS}  - toc: {{slugify: !!python/name:{code} }}\n".replace("[attr_list]", "\n  - attr_list")
    folder = book(tmp_path, "[x](combat.md#skills--feats) [y](combat.md#whatever) [z](gone.md)", settings)
    assert found(folder) == [("link-missing", "info", None), ("link-missing", "error", None)]


HEADINGS = st.lists(st.text(st.sampled_from("aB1 -_'&/.,ü(?!:漢"), min_size=1, max_size=9), min_size=1, max_size=5)


@settings(max_examples=25)  # each makes a Markdown instance
@given(HEADINGS, st.sampled_from(["toc", "unicode", "pymdownx"]), st.sampled_from(["-", "_"]))
def test_ids_are_those_of_python_markdown(texts: list[str], style: str, separator: str) -> None:
    text = "".join(f"## x{heading.strip()}x\n\n" for heading in texts) + "#Hash\n\n```\n#Code\n```\n\n## Hash\n"
    functions = {
        "toc": markdown.extensions.toc.slugify, "unicode": markdown.extensions.toc.slugify_unicode,
        "pymdownx": slugify(case="lower"),
    }  # fmt: skip
    toc = {"slugify": functions[style], "separator": separator}
    md: Any = markdown.Markdown(extensions=["toc", "fenced_code"], extension_configs={"toc": toc})
    md.convert(text)
    expected = [token["id"] for token in md.toc_tokens for token in [token, *token["children"]]]
    ids = host_ids(read_page(Source("page.md", text)), HeadingSlugs(style, separator, "lower"))
    assert sorted(ids.values()) == sorted(expected)


def test_the_settings_of_a_site_are_read_without_running_code(tmp_path: Path) -> None:
    write(tmp_path, {
        "base.yml": "site_url: https://example.org/book/\nplugins: {search: {}}\n",
        "mkdocs.yml": "INHERIT: base.yml\nuse_directory_urls: no\nhooks: [evil.py]\n"
        "markdown_extensions:\n  - toc: {slugify: !!python/object/apply:os.system ['touch ran']}\n"
        "validation: {links: {absolute_links: relative_to_docs}}\n"
        "plugins: {literate-nav: {nav_file: NAV.md}, strange: {}, exclude: {glob: ['*.tmp.md', 'x/*'], regex: '('}}\n"
        "exclude_docs: |\n  drafts/\n  !drafts/good.md\n  # comment\n  /top.md\n",
        "docs/index.md": "",
    })  # fmt: skip
    with chdir(tmp_path):
        host = read_host_settings(tmp_path / "docs")
    assert host
    assert not (tmp_path / "ran").exists()
    assert (host.slugs, host.base, host.directories, host.absolute_from_docs) == (None, "/book", False, True)
    assert (host.nav_file, host.id_makers) == ("NAV.md", ("hooks", "strange"))
    excluded = [
        "drafts/a.md",
        "a/drafts/b/c.md",
        "top.md",
        "templates/a.md",
        ".x/a.md",
        "a.tmp.md",
        "a/b.tmp.md",
        "x/y/a.md",
    ]
    assert [path for path in excluded if not host.is_excluded(path)] == []
    assert [
        path for path in ("drafts/good.md", "a/top.md", "a/templates/a.md", "index.md") if host.is_excluded(path)
    ] == []


@pytest.mark.parametrize("text", ["a: &x [*x]", "{", "- a", "a: *b", "", "plugins: 7\nmarkdown_extensions: {a: 1}\n"])
def test_any_settings_are_read(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": text, "docs/index.md": ""})
    assert read_host_settings(tmp_path / "docs")


@pytest.mark.parametrize(
    ("target", "settings", "severity"),
    [
        ('--8<-- "part.md"', "", "info"),
        ("{{ options() }}", "", "info"),
        ("{% include 'x' %}", "", "info"),
        ("::: some.module", "", "info"),
        ("text", "hooks: [hook.py]\n", "info"),
        ("text", "plugins: [search, unknown]\n", "info"),
        ("text", "plugins: [search, mkdocstrings, macros, minify: {minify_html: true}]\n", "error"),
        ("text", "", "error"),
    ],
)
def test_an_anchor_that_only_a_build_can_make_is_a_remark(
    target: str, settings: str, severity: str, tmp_path: Path
) -> None:
    folder = book(tmp_path, "[x](made.md#by-a-build)", SETTINGS + settings, docs__rules__made=f"# Made\n\n{target}\n")
    (problem,) = problems(folder)
    assert (problem.code, problem.severity, problem.fix) == ("link-missing", severity, None)
    assert ("--site" in " ".join(problem.notes)) == (severity == "info")


def test_a_page_that_a_plugin_may_add_is_a_remark(tmp_path: Path) -> None:
    folder = book(tmp_path, "[x](gone.md) ![y](gone.png)", f"{SETTINGS}plugins: [gen-files]\n")
    assert found(folder) == [("link-missing", "info", None), ("link-missing", "error", None)]


EXCLUDING = [
    "exclude_docs: |\n  _*.md\n  old/\n",
    "draft_docs: |\n  _*.md\n  old/\n",
    "plugins:\n  - exclude:\n      glob: ['*_template.md', 'old/*']\n",
]


@pytest.mark.parametrize("settings", EXCLUDING)
def test_links_from_and_to_excluded_pages_are_not_judged(settings: str, tmp_path: Path) -> None:
    outside = "# Out\n\n[x](nowhere.md) [y](#gone)\n"
    more = {"docs__rules___template": outside, "docs__old__page": outside}
    folder = book(tmp_path, "[x](_template.md#y) [y](../old/page.md) [z](../../old/page/)", SETTINGS + settings, **more)
    assert found(folder) == []
    assert len(compiled(folder).unpublished) == 2


def test_pages_that_are_not_in_the_navigation_are_judged(tmp_path: Path) -> None:
    assert len(found(book(tmp_path, "[x](gone.md)", f"{SETTINGS}not_in_nav: page.md\n"))) == 1


@pytest.mark.parametrize("plugin", ["literate-nav", "literate-nav: {nav_file: SUMMARY.md}"])
def test_folders_in_a_page_of_navigation_are_right(plugin: str, tmp_path: Path) -> None:
    nav = "* [Rules](rules/)\n* [All](rules/*)\n* [Home](index.md)\n* [Gone](gone.md)\n* [No folder](none/)\n"
    folder = book(tmp_path, "", f"{SETTINGS}plugins:\n  - {plugin}\n", docs__SUMMARY=nav)
    assert [problem.span.text for problem in problems(folder)] == ["gone.md", "none/"]


def test_paths_below_the_address_of_the_site(tmp_path: Path) -> None:
    text = "[a](/book/rules/combat/) [b](/rules/combat/) ![c](/book/rules/map.png) [d](/book/)"
    folder = book(tmp_path, text, f"{SETTINGS}site_url: https://example.org/book/\n")
    assert found(folder) == [("link-dialect", "error", "combat.md")]


@pytest.mark.parametrize("settings", ["use_directory_urls: false", "plugins: [offline: {enabled: !ENV [X, true]}]"])
def test_pages_as_files(settings: str, tmp_path: Path) -> None:
    folder = book(tmp_path, "[a](combat.html#setup) [b](combat/)", f"{SETTINGS}{settings}\n")
    assert found(folder) == [("link-dialect", "error", "combat.md")]


METADATA = "name: Goblin\ntitle: The Goblin\n   terms: yes\n    and more\n\n# Goblin\n\nText.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_metadata_without_rules_is_front_matter_in_books_of_mkdocs(end: str, tmp_path: Path) -> None:
    folder = book(tmp_path, docs__goblin=METADATA.replace("\n", end), docs__plain="Text: here\nMore text\n")
    pages = {page.file.name: page.page for page in compiled(folder).pages}
    assert {name: span.text for name, span in pages["goblin.md"].meta.items()} == {
        "name": "Goblin", "title": "The Goblin", "terms": "yes",
    }  # fmt: skip
    assert (pages["goblin.md"].title, pages["goblin.md"].headings[0].line) == ("The Goblin", 6)
    assert [token.content for token in pages["plain.md"].tokens if token.type == "inline"] == ["More text"]
    (folder / "mkdocs.yml").unlink()
    assert not {page.file.name: page.page for page in compiled(folder).pages}["goblin.md"].meta


def test_a_page_with_such_metadata_is_not_checked_again_in_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = list[str]()
    monkeypatch.setattr("rulewright.render.context.BuildContext.check_text", lambda _, path, __: calls.append(path))
    page = f"name: Goblin\ncr: 1\n\n# Goblin\n\n{BLOCK}"
    site = build(tmp_path, {"index.md": page}, settings=f"{SETTINGS}plugins: [rulewright]\n")
    assert (site.code, calls) == (0, [])
    assert "rulewright-block" in site.text("index.html")
    assert "name: Goblin" not in site.text("index.html")


def test_a_wrong_block_on_an_excluded_page_does_not_fail_a_build(tmp_path: Path) -> None:
    pages = {"index.md": "# Book\n", "draft.md": WRONG}
    settings = f"{SETTINGS}plugins: [rulewright]\n"
    assert build(tmp_path / "in", pages, settings=settings).code == 1
    assert build(tmp_path / "out", pages, settings=f"{settings}exclude_docs: draft.md\n").code == 0


# definitions of links in snippets

SNIPPETS = f"{SETTINGS}  - pymdownx.snippets: {{base_path: [parts], auto_append: [all.md]}}\n".replace(
    "[attr_list]", "\n  - attr_list"
)
PARTS = {
    "parts/links.md": "[Setup]: /rules/combat/#setup\n[gone]: combat.md#gone\n[page]: <combat.md>\n[map]: map.png\n",
    "parts/more.md": '--8<--\nlinks.md\n; off.md\n--8<--\n\n[far]: nowhere.md "a title"\n[rules]: index.md\n',
    "parts/all.md": "*[HP]: hit points\n[common]: combat.md#common\n",
    "parts/off.md": "[off]: off.md\n",
    "parts/text.md": "## Made\n\n[Setup]: combat.md#setup\n",
    "secret.md": "[secret]: secret.md\n",
}
USES = (
    "[Setup][], [x][gone], [far], [page][], ![m][map], [common], [rules], [off], [secret], [own], [z](#made)\n\n"
    "[own]: combat.md#own"
)


ALWAYS_DEAD = {"[common]", "combat.md#own"}


@pytest.mark.parametrize(
    ("included", "dead", "unsure"),
    [
        ("", {"#made"}, set()),
        ('--8<-- "more.md"', {"#made", "[x][gone]", "[far]"}, {"#made"}),  # it also has a line that defines no link
        ("--8<--\nlinks.md\n--8<--", {"#made", "[x][gone]"}, set()),
        ('--8<-- "text.md"', set(), {"#made"}),
        ('--8<-- "../secret.md"', {"#made"}, {"#made"}),  # not below `base_path`
        (';--8<-- "more.md"', {"#made"}, set()),
    ],
)
def test_links_that_snippets_define_are_judged(
    included: str, dead: set[str], unsure: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {name.removeprefix("docs/"): text for name, text in FILES.items()}
    write(tmp_path / "book", PARTS)
    monkeypatch.chdir(tmp_path / "book")  # MkDocs looks for `base_path` from the current folder
    site = build(tmp_path, {**pages, "rules/page.md": f"# Page\n\n{USES}\n\n{included}\n"}, settings=SNIPPETS)
    assert site.code == 0
    before, finished = problems(tmp_path / "book"), problems(tmp_path / "book", site.folder)
    assert {one.span.text for one in before} == dead | unsure | ALWAYS_DEAD
    assert {one.span.text for one in before if one.severity == "info"} == unsure
    assert {one.span.text for one in finished} == dead | ALWAYS_DEAD
    assert {(one.code, one.severity, one.fix) for one in finished} == {("link-missing", "error", None)}


def test_snippets_may_include_each_other(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": '[x]\n\n--8<-- "b.txt"\n', "b.txt": '--8<-- "b.txt"\n--8<-- "c.txt"\n'})
    write(tmp_path, {"c.txt": '--8<-- "b.txt"\n\n[x]: gone.md\n', "d.md": "[x]\n"})
    with chdir(tmp_path):
        assert [one.span.text for one in compile_book([tmp_path], tmp_path).problems] == ["[x]"]


# finished sites

HOOK = """\
def on_page_content(html, page, **_):
    return html.replace("@here", '<a name=from-a-hook></a>').replace("@link", '<a href="elsewhere/">x</a>')
"""
MADE = {
    "index.md": "# Book\n\n[a](made.md#from-a-hook) [b](made.md#gone) [c](nowhere.md) [d](made.md#the----dash)\n",
    "made.md": "# Made\n\n@here\n\n## The -- dash\n\n[hash](#hash)\n\n#Hash\n",
    "draft.md": "# Draft\n\n[x](nowhere.md)\n",
    "README.md": "# Not in the site\n",
}


@pytest.mark.parametrize("directories", ["true", "false"])
def test_links_are_judged_by_the_finished_pages(directories: str, tmp_path: Path, ran: Ran) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "hook.py").write_text(HOOK, "utf-8")
    settings = f"{SETTINGS}hooks: [hook.py]\nuse_directory_urls: {directories}\nexclude_docs: draft.md\n"
    pages = {name: text for name, text in MADE.items() if name != "README.md"}
    site = build(tmp_path, pages, settings=settings)
    assert site.code == 0
    assert [(one.span.text, one.severity) for one in problems(tmp_path / "book")] == [
        ("made.md#from-a-hook", "info"), ("made.md#gone", "info"), ("nowhere.md", "error"),
    ]  # fmt: skip
    assert [(one.span.text, one.severity, one.code) for one in problems(tmp_path / "book", site.folder)] == [
        ("made.md#gone", "error", "link-missing"),
        ("nowhere.md", "error", "link-missing"),
        ("made.md#the----dash", "error", "link-dialect"),
    ]
    with chdir(tmp_path / "book"):
        status, out, _ = ran("check", "docs", "--site", "../site")
        assert status == 1
        assert out.splitlines()[-2] == "links judged by the pages of ../site; 1 page is not there: docs/draft.md"
        _, out, _ = ran("check", "docs", "--site", "../site", "--format", "json")
        assert json.loads(out)["site"] == {"folder": "../site", "missing": ["docs/draft.md"]}


@pytest.mark.parametrize(
    ("page", "html"),
    [
        ("rules.md", "rules/index.html"), ("rules.md", "rules.html"), ("rules/README.md", "rules/index.html"),
        ("rules.de.md", "de/rules/index.html"), ("rules.en.md", "rules/index.html"),
        ("en/rules.md", "rules/index.html"), ("index.de.md", "de/index.html"), ("de/rules.md", "de/rules/index.html"),
    ],
)  # fmt: skip
def test_where_the_html_of_a_page_is(page: str, html: str, tmp_path: Path) -> None:
    settings = SETTINGS + ("use_directory_urls: false\n" if html == "rules.html" else "") + "plugins: [i18n]\n"
    write(tmp_path, {
        "mkdocs.yml": settings, f"docs/{page}": "# Rules\n\n[x](#from-a-hook) [y](#gone)\n",
        f"site/{html}": '<h1 id=rules>Rules</h1><p id="from-a-hook"><a href=#from-a-hook>x</a> <a href="#gone">y</a>',
    })  # fmt: skip
    assert [problem.span.text for problem in problems(tmp_path, tmp_path / "site")] == ["#gone"]


def test_translations_link_to_each_other(tmp_path: Path) -> None:
    text = "# {0}\n\n[x](combat.md#combat) [y](combat.md#gone)\n"
    names = ("index.en", "index.de", "combat.en", "combat.de", "other")
    pages = {f"docs/{name}.md": text.format(name.split(".")[0]) for name in names}
    i18n = "plugins:\n  - i18n: {languages: [{locale: de}, {locale: en, default: true}]}\n"
    write(tmp_path, {**pages, "mkdocs.yml": SETTINGS + i18n})
    assert [problem.message.split()[-1] for problem in problems(tmp_path)] == [
        "page", "page", "combat.de.md", "combat.en.md", "combat.en.md"
    ]  # fmt: skip
    html = '<a href="{0}combat/#combat">x</a><a href="{0}combat/#gone">y</a>'
    write(tmp_path, {
        "site/index.html": html.format(""), "site/de/index.html": html.format(""),
        "site/combat/index.html": "<h1 id=combat>" + html.format("../"), "site/other/index.html": html.format("../"),
        "site/de/combat/index.html": "<h1 id=combat>" + html.format("../"),
    })  # fmt: skip
    assert [problem.span.text for problem in problems(tmp_path, tmp_path / "site")] == ["combat.md#gone"] * 5


def test_no_fix_leads_a_link_to_its_own_page(tmp_path: Path) -> None:
    assert found(book(tmp_path, docs__a__page="[x](index.md)\n")) == [("link-missing", "error", None)]


def test_what_the_finished_page_does_not_have_as_a_link_is_not_judged(tmp_path: Path) -> None:
    """A plugin has rewritten it, or Python-Markdown shows it as text."""
    folder = book(tmp_path, "[x](gone.md) [y](also.md)")
    write(folder, {"site/rules/page/index.html": '<a href="https://example.org">x</a> <a href="also.md">y</a>'})
    assert [problem.span.text for problem in problems(folder, folder / "site")] == ["also.md"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--site", "none"], "there is no folder none"),
        (["--site", "empty"], "empty has no page of this book"),
        (["--site", "empty", "--watch"], "use one of both"),
    ],
)
def test_what_is_not_a_finished_site(arguments: list[str], message: str, tmp_path: Path, ran: Ran) -> None:
    folder = book(tmp_path)
    (folder / "empty").mkdir()
    with chdir(folder):
        status, _, told = ran("check", "docs", *arguments)
    assert status == 2
    assert message in told


def test_a_site_needs_the_settings_of_mkdocs(tmp_path: Path, ran: Ran) -> None:
    (book(tmp_path) / "mkdocs.yml").unlink()
    with chdir(tmp_path):
        assert "no mkdocs.yml" in ran("check", "docs", "--site", "docs")[2]


def test_a_finished_site_is_of_one_book(tmp_path: Path, ran: Ran) -> None:
    write(book(tmp_path), {"notes/mkdocs.yml": "site_name: Notes\n", "notes/docs/index.md": "# Notes\n\n[x](#gone)\n"})
    write(tmp_path, {"site/rules/combat/index.html": "", "site/rules/page/index.html": ""})
    with chdir(tmp_path):
        status, _, message = ran("check", "docs", "notes", "--site", "site")
        assert (status, "these are 2: docs, notes/docs; name the one" in message) == (2, True)
        assert ran("check", "docs", "--site", "site")[0] == 0


def test_pages_outside_of_the_site_are_judged_as_files(tmp_path: Path, ran: Ran) -> None:
    text = "# Book\n\ntext\n- no list of the site\n\n[x](docs/index.md#book) [y](docs/none.md) [z](CHANGES.md#b--c)\n"
    write(
        book(tmp_path, "[x](../../README.md)"),
        {"README.md": text, "CHANGES.md": "# Changes\n\n## B & C\n", "docs/rules/_x.mdx": "a\n- b\n"},
    )
    with chdir(tmp_path):
        _, out, _ = ran("check", ".", "--format", "json")
    assert [one["message"] for one in json.loads(out)["problems"]] == [
        "there is no page docs/none.md",
        "../../README.md is outside of the folder of the pages, so the site does not have it",
    ]


def test_mdx_is_no_page_of_the_site(tmp_path: Path) -> None:
    folder = write(book(tmp_path, "[x](page.mdx) [y](tool.mdx#gone)"), {
        "docs/rules/page.mdx": "[x](nowhere.md)\n", "docs/rules/tool.mdx": "# Tool\n",
    })  # fmt: skip
    assert problems(folder) == []
    assert [page.file.name for page in compiled(folder).unpublished] == ["page.mdx", "tool.mdx"]


def test_links_are_checked_again_when_the_settings_change(tmp_path: Path) -> None:
    folder = book(tmp_path, "[x](combat.md#skills--feats)")
    watching = BookWatcher([folder / "docs"], folder)
    assert watching.update()
    assert [problem.code for problem in watching.compiled.problems] == ["link-dialect"]
    (folder / "mkdocs.yml").write_text(f"markdown_extensions:\n  - attr_list\n  - {PYMDOWNX}\n", "utf-8")
    assert watching.update()
    assert watching.compiled.problems == []
