"""Links as other tools write them: the small books of tests/cases/links/."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import Path

import pytest

from call_counts import LINEAR, call_growth, call_growth_from_half, hang_guard
from example_counts import sample
from link_cases import Book, Case, book, books, every_case
from rulewright.book.anchors import written_ids
from rulewright.book.dialects import DIALECTS_BY_NAME, included_files, template_links
from rulewright.book.disk import is_file_on_disk
from rulewright.book.link_problems import find_link_problems
from rulewright.book.page import Page
from rulewright.book.parser import read_page
from rulewright.book.resolver import LinkResolver
from rulewright.cli import main
from rulewright.compile.fixes import apply_fixes
from rulewright.compile.watch import BookWatcher
from rulewright.source import Problem, Source

CASES = every_case()


def nothing(_path: str) -> bool:
    return False


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def atlas_of(folder: Path, files: dict[str, str], root: str = "") -> LinkResolver:
    """Of a book on disk; `root` is the folder inside it that is checked."""
    start = posixpath.normpath(folder / root)
    pages = [Source(str(folder / path), text) for path, text in files.items() if path.endswith(".md")]
    inside = [read_page(source) for source in pages if source.path.startswith(f"{start}/")]
    return LinkResolver(inside, start, is_file_on_disk)


def with_link(folder: Path, known: Book, case: Case, root: str = "") -> tuple[Source, list[Problem]]:
    text = known.files.get(case.page, "# Here\n") + f"\n{case.link}\n"
    files = known.files | {case.page: text}
    write(folder, files)
    atlas = atlas_of(folder, files, root)
    assert atlas.dialect.name == known.dialect
    source = Source(str(folder / case.page), text)
    return source, [problem for problem in find_link_problems(atlas) if problem.span.source.path == source.path]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.book}: {case.link}" for case in CASES])
def test_links(case: Case, tmp_path: Path) -> None:
    source, problems = with_link(tmp_path, book(case.book), case)
    told = ["\n".join([problem.message, *problem.notes, problem.cause]) for problem in problems]
    if not case.expected and not case.fixed:
        assert told == []
        return
    assert len(told) == 1 or len({problem.cause for problem in problems}) == 1 < case.link.count("]("), told
    assert all(words in told[0] for words in case.expected), told
    mended = apply_fixes(source, problems).text
    assert (case.fixed in mended.splitlines()[-1]) if case.fixed else (mended == source.text)


@pytest.mark.parametrize("case", [case for case in CASES if case.fixed], ids=lambda case: case.link)
def test_fixes_mend(case: Case, tmp_path: Path) -> None:
    known = book(case.book)
    source, problems = with_link(tmp_path, known, case)
    mended = apply_fixes(source, problems).text.splitlines()[-1]
    _, left = with_link(tmp_path, known, case._replace(link=mended))
    assert left == []


def test_there_are_wrong_cases_and_right_ones_in_every_dialect() -> None:
    assert {bool(case.expected or case.fixed) for case in CASES} == {True, False}
    assert {book(name).dialect for name in books()} >= {
        "Obsidian", "docsify", "mdBook", "Hugo", "Jekyll", "Docusaurus", "VitePress", "GitBook",
    }  # fmt: skip


INSIDE = {"mdbook": "src", "hugo": "content", "docusaurus": "docs", "vitepress": "docs"}
OUTSIDE = ("(/about)", "(/tide/about)", "(/blog/2022/03/01/launch)")  # what is shown there is known to the tool alone
INSIDE_ALONE = [case for case in CASES if case.book in INSIDE and not any(link in case.link for link in OUTSIDE)]


@pytest.mark.parametrize("case", INSIDE_ALONE, ids=lambda case: case.link)
def test_the_folder_of_the_pages_may_be_checked_alone(case: Case, tmp_path: Path) -> None:
    """Then its settings lie above; links to pages outside are files on the disk."""
    _, problems = with_link(tmp_path, book(case.book), case, INSIDE[case.book])
    assert len(problems) == bool(case.expected or case.fixed)


@pytest.mark.parametrize("name", books())
def test_the_books_themselves_are_clean(name: str, tmp_path: Path) -> None:
    write(tmp_path, book(name).files)
    assert find_link_problems(atlas_of(tmp_path, book(name).files)) == []


@pytest.mark.parametrize(
    ("files", "dialect"),
    [
        ({"mkdocs.yml": "", "_config.yml": ""}, "MkDocs"),
        ({"index.html": "<h1>Hello</h1>"}, ""),
        ({"config.toml": ""}, ""),
        ({"config.toml": "", "content/a.md": "# A"}, "Hugo"),
        ({"site/hugo.yaml": "", "site/content/a.md": "# A"}, "Hugo"),
        ({"docs/_config.yml": "", "docs/a.md": "# A"}, "Jekyll"),
        ({"a.md": "# A"}, ""),
        ({"book/SUMMARY.md": "# Summary"}, "GitBook"),
        ({"book.toml": "", "src/SUMMARY.md": "# Summary"}, "mdBook"),
    ],
)
def test_how_a_dialect_is_known(files: dict[str, str], dialect: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    assert atlas_of(tmp_path, files).dialect.name == dialect


# hostile pages


def pages(count: int, text: Callable[[int], str]) -> list[Page]:
    return [read_page(Source(f"page-{number:02}.md", text(number))) for number in range(count)]


HOSTILE = {
    "ids": "{#a" * 30_000,
    "braces": "{" * 100_000,
    "shortcodes": '{{< ref "' * 11_000,
    "shortcodes that end": '{{< ref "a" >}} ' * 6_000,
    "includes": "{{#include a.md}}\n" * 5_500,
    "tags": "{% link " * 12_000,
    "bases": "[x]({{ site.baseurl }}/a) " * 4_000,
    "open bases": "[x]({{ " * 14_000,
    "snippets": '--8<-- "' * 12_000,
    "wiki links": "[[a" * 6_000,
    "carets": " ^a" * 33_000,
    "queries": "[x](a?id=b) " * 8_000,
    "backticks": "`a" * 50_000,
}


def read_in_every_dialect(text: str) -> None:
    page = read_page(Source("page.md", text))
    for name in ("Hugo", "Jekyll", "mdBook", "Obsidian", "docsify"):
        atlas = LinkResolver([page], "", nothing, DIALECTS_BY_NAME[name])
        list(template_links(page, name))
        included_files(page)
        written_ids(page)
        find_link_problems(atlas)


@pytest.mark.parametrize("text", sample(HOSTILE.values(), 8), ids=HOSTILE)
def test_hostile_pages_of_100_kb_are_read(text: str) -> None:
    with hang_guard():
        read_in_every_dialect(text)


@pytest.mark.parametrize("text", sample(HOSTILE.values(), 8), ids=HOSTILE)
def test_twice_the_page_is_twice_the_work(text: str) -> None:
    assert call_growth_from_half(read_in_every_dialect, text) < LINEAR


def test_pages_that_show_each_other() -> None:
    found = find_link_problems(
        LinkResolver(pages(30, lambda _: "# A\n" + '--8<-- "page-07.md"\n' * 30 + "[x](#nowhere)\n"), "", nothing)
    )
    assert len(found) == 30


# how long it takes, and what is told


LINKS = {
    "": ("", "[x](page-{other}.md#part-{part})"),
    "Docusaurus": ("docusaurus.config.js", "[x](/docs/page-{other}#part-{part})"),
    "Hugo": ("hugo.toml", '[x]({{{{< ref "page-{other}.md#part-{part}" >}}}})'),
    "Jekyll": ("_config.yml", "[x]({{{{ site.baseurl }}}}/page-{other}.html#part-{part})"),
    "docsify": ("index.html", "[x](#/page-{other}?id=part-{part})"),
    "Obsidian": (".obsidian/app.json", "[[page-{other}#Part {part}]]"),
}


def large(link: str, root: str, pages: int, links: int = 56) -> list[Page]:
    def page(number: int) -> str:
        parts = [f"# Page {number}"]
        for part in range(links):
            told = link.format(other=(number * 3 + part) % pages, part=(part * 5) % links)
            parts.append(f"\n## Part {part}\n\nSee {told}.")
        return "\n".join(parts)

    return [read_page(Source(f"{root}page-{number}.md", page(number))) for number in range(pages)]


@pytest.mark.parametrize("dialect", sample(LINKS, 3))
def test_a_large_clean_book_is_quiet_and_quick(dialect: str, tmp_path: Path) -> None:
    mark, link = LINKS[dialect]
    if mark:
        write(tmp_path, {mark: "docsify"})
    books = {pages: large(link, f"{tmp_path}/", pages) for pages in (15, 30)}

    def read(pages: int) -> None:
        atlas = LinkResolver(books[pages], str(tmp_path), is_file_on_disk)
        assert atlas.dialect.name == dialect
        assert find_link_problems(atlas) == []

    assert call_growth(read, 15) < LINEAR


def test_the_report_says_how_links_were_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, book("obsidian").files)
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("links read as Obsidian writes them\n")
    write(tmp_path, {"mkdocs.yml": "docs_dir: ."})
    main(["check", str(tmp_path)])
    assert "links read" not in capsys.readouterr().out


def test_whoever_watches_sees_another_dialect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    known = book("jekyll")
    write(tmp_path, {**known.files, "rules/travel.md": "# Travel\n\n[x](/fighting/#run)\n"})
    (tmp_path / "_config.yml").rename(tmp_path / "settings.yml")
    watching = BookWatcher([tmp_path], tmp_path)
    assert watching.update()
    assert [problem.code for problem in watching.compiled.problems] == ["link-missing"]
    (tmp_path / "settings.yml").rename(tmp_path / "_config.yml")
    assert watching.update()
    assert watching.compiled.problems == []
    assert watching.compiled.link_rules.dialect.display_name == "Jekyll"


def test_the_report_says_how_well_plain_links_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a.md": "# A\n\n[b](b.md) [c](c.md)\n", "b.md": "# B\n\n[a](a.md)\n"})
    assert main(["check", str(tmp_path)]) == 1
    assert "links read as plain Markdown: 2 of 3 paths lead to a file" in capsys.readouterr().out
    write(tmp_path, {"mkdocs.yml": "docs_dir: ."})
    main(["check", str(tmp_path)])
    assert "links read" not in capsys.readouterr().out
