"""What Python-Markdown loses: the reports and their fixes against Python-Markdown itself, on generated pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import markdown
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from html_structure import by_itself, structure
from rulewright.book.host import HostSettings
from rulewright.book.parser import read_page
from rulewright.compile.book import compile_book
from rulewright.compile.fixes import apply_fixes
from rulewright.compile.watch import BookWatcher
from rulewright.lint.interface import LintContext
from rulewright.lint.markdown import CHECK
from rulewright.source import Problem, Source
from small_book import write

BUILT_IN = ("toc", "tables", "fenced_code")
RICH = (*BUILT_IN, "sane_lists", "pymdownx.superfences", "admonition", "def_list", "md_in_html")
SITES = {"plain": BUILT_IN, "rich": RICH}


def problems_of(text: str, extensions: tuple[str, ...] = BUILT_IN) -> list[Problem]:
    page = read_page(Source("page.md", text))
    result = CHECK.check_page(LintContext(page, HostSettings(extensions=frozenset(extensions))))
    return [*result.problems, *CHECK.check_book(result.facts)]


def fix(text: str, extensions: tuple[str, ...]) -> str:
    """The text after all fixes, as `--fix` applies them: round by round."""
    for _ in range(8):
        text = apply_fixes(Source("page.md", text), problems_of(text, extensions)).text
    return text


def site_of(text: str, extensions: tuple[str, ...]) -> dict[str, str]:
    return places_of(structure(markdown.markdown(text, extensions=list(extensions))))


def places_of(tags: list[str]) -> dict[str, str]:
    """The block around each word; for words of lists with the number of lists around it."""
    around, places = list[str](), dict[str, str]()
    for tag in tags:
        if tag.startswith("</"):
            around.pop()
        elif tag.startswith("<"):
            around += [tag.strip("<>")] * (tag != "<hr>")
        else:
            blocks = [name for name in around if name != "p"] or ["text"]
            depth = blocks.count("li") if blocks[-1] == "li" else 0
            places |= dict.fromkeys(re.findall(r"w\d+", tag), f"{blocks[-1]} {depth or ''}")
    return places


@st.composite
def lists(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The lines of a list, nested by two to four columns."""
    marker = draw(st.sampled_from(["- ", "* ", "1. ", "1) "]))
    step = draw(st.integers(min_value=len(marker), max_value=4))
    lines = []
    for number in range(draw(st.integers(min_value=1, max_value=3))):
        lines.append((f"{number + 1}{marker[1:]}" if marker[0] == "1" else marker) + "w")
        inner = draw(st.sampled_from(["", "", "list", "more", "fence", "table", "text list"]))
        if inner in ("more", "fence", "table", "text list"):
            kind = {"more": ["w"], "fence": FENCE, "table": TABLE, "text list": ["w", "- w", "- w"]}[inner]
            lines += ["", *indent(kind, " " * step), *draw(st.sampled_from([[""], []]))]
        elif inner == "list" and depth < 2:
            lines += indent(draw(lists(depth + 1)), " " * step)
    return lines if lines[-1] else lines[:-1]


FENCE = ["```", "w", "```"]
TABLE = ["| w | w |", "| --- | --- |", "| w | w |"]


def indent(lines: list[str], prefix: str) -> list[str]:
    return [(prefix + line).rstrip() for line in lines]


@st.composite
def pages(draw: st.DrawFn) -> str:
    """A page of usual blocks, some of them directly below each other, with a number behind each word."""
    block = st.one_of(
        st.just(["w"]),
        st.just(["w", "w"]),
        st.just(TABLE),
        st.just(FENCE),
        st.integers(min_value=0, max_value=3).map(lambda spaces: [" " * spaces + "## w"]),
        lists().map(lambda lines: [*lines, ""]),
        lists().map(lambda lines: [*indent(["w", *lines], "> "), ""]),
        st.just(["> w", "- w", ""]),
    )
    blocks = draw(st.lists(block, min_size=1, max_size=4))
    gaps = draw(st.lists(st.sampled_from([[], [""], [""]]), min_size=len(blocks), max_size=len(blocks)))
    text = "\n".join(line for gap, lines in zip(gaps, blocks, strict=True) for line in [*gap, *lines])
    count = iter(range(1, 1000))
    return re.sub("w", lambda _: f"w{next(count)}w", text.lstrip("\n")) + "\n"


@pytest.mark.parametrize("extensions", SITES.values(), ids=SITES)
@settings(max_examples=scale_examples(40))
@given(text=pages())
def test_a_report_is_a_difference(text: str, extensions: tuple[str, ...]) -> None:
    if any(problem.fix for problem in problems_of(text, extensions)):
        assert structure(markdown.markdown(text, extensions=list(extensions))) != by_itself(text)


@pytest.mark.parametrize("extensions", SITES.values(), ids=SITES)
@settings(max_examples=scale_examples(40))
@given(text=pages())
def test_fixes_keep_what_we_read_and_end(text: str, extensions: tuple[str, ...]) -> None:
    fixed = fix(text, extensions)
    assert by_itself(fixed) == by_itself(text)
    assert fix(fixed, extensions) == fixed


@pytest.mark.parametrize("extensions", SITES.values(), ids=SITES)
@settings(max_examples=scale_examples(40))
@given(text=pages())
@example(text="> w1w\n- w2w\n\n  ## w3w\nw4w\n")
@example(text="```\nw1w\n```\n> w2w\n- w3w\n\n")
@example(text="- w1w\n```\nw2w\n```\n> w3w\n- w4w\n")
def test_a_fixed_page_is_read_alike(text: str, extensions: tuple[str, ...]) -> None:
    """Where nothing is reported any more, the site has every list, table, quote and heading."""
    fixed = fix(text, extensions)
    assume(not problems_of(fixed, extensions))
    assert site_of(fixed, extensions) == places_of(by_itself(fixed))


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("Text\r\n- a\r\n- b\r\n", "Text\r\n\r\n- a\r\n- b\r\n"),
        ("> Text\n> - a\n", "> Text\n>\n> - a\n"),
        ("!!! note\n    Text\n    - a\n", "!!! note\n    Text\n\n    - a\n"),
        ("- a\n\n    Text\n    - b\n", "- a\n\n    Text\n\n    - b\n"),
        ("- a\n\n    Text\n- b\n", "- a\n\n    Text\n\n- b\n"),
        ("- a\n\n    ## b\nText\n", "- a\n\n    ## b\n\nText\n"),
        ("```\na\n```\n> b\n- c\n", "```\na\n```\n> b\n\n- c\n"),
        ("- a\n  - b\n    - c\n", "- a\n    - b\n        - c\n"),
        ("> 1. a\n>    - b\n", "> 1. a\n>     - b\n"),
        ("1. a\n\n   ```\n     x\n   ```\n", "1. a\n\n    ```\n      x\n    ```\n"),
        ("- a\n  - b\n\tx\n", "- a\n    - b\n      x\n"),
        (" ## Heading\n", "## Heading\n"),
        ("1) a\n2) b\n", "1. a\n2. b\n"),
        ("Text\n| a |\n| - |\n| 1 |\n## Next\n", "Text\n\n| a |\n| - |\n| 1 |\n\n## Next\n"),
        ("\ufeffNote: all of us who sleep wake up.\n\n# A\n", "\ufeff\nNote: all of us who sleep wake up.\n\n# A\n"),
        ("---\ntitle: A\n---\nText\n- a\n", "---\ntitle: A\n---\nText\n\n- a\n"),
    ],
)
def test_what_a_fix_writes(text: str, fixed: str) -> None:
    assert fix(text, RICH) == fixed


@pytest.mark.parametrize("text", ["- a\n\n      code\n  - b\n", "- - a\n    - b\n", "99. a\n\n     b\n\n      - c\n"])
def test_what_has_no_single_repair_stays(text: str) -> None:
    assert fix(text, RICH) == text


SITE = "site_name: Book\n"
PAGE = "# Camp\n\nYou carry\n- a rope\n- a lamp\n"


def codes(folder: Path) -> list[str]:
    return [problem.code for problem in compile_book([folder], folder).problems]


@pytest.mark.parametrize(
    ("settings_text", "page", "count"),
    [
        (SITE, PAGE, 1),
        (SITE + "plugins: [{rulewright: {markdown: commonmark}}]\n", PAGE, 0),
        (SITE + "plugins: [{rulewright: {markdown: {commonmark: camp.md}}}]\n", PAGE, 0),
        (SITE + "plugins: [{rulewright: {checks: {markdown: off}}}]\n", PAGE, 0),
        (SITE, "---\nmarkdown: commonmark\n---\n" + PAGE, 0),
        (SITE + "markdown_extensions: [mdx_truly_sane_lists]\n", PAGE, 0),
        (SITE + "markdown_extensions: {toc: {slugify: !!python/name:a.b }}\n", PAGE, 1),
        (SITE, "A ~~B~~\n", 1),
        (SITE + "markdown_extensions: [pymdownx.tilde]\n", "A ~~B~~\n", 0),
        (SITE + "markdown_extensions:\n  - pymdownx.tilde: {subscript: false}\n", "A ~~B~~\n", 0),
        (SITE + "INHERIT: base.yml\n", "A ~~B~~\n", 0),
        (SITE + "INHERIT: nowhere.yml\n", PAGE, 0),
        (SITE + "markdown_extensions: [extra]\n", "A[^1]\n\n[^1]: B\n", 0),
        ("plugins: [\n", PAGE, 0),
    ],
)
def test_sites(tmp_path: Path, settings_text: str, page: str, count: int) -> None:
    base = "markdown_extensions: [markdown.extensions.toc, pymdownx.tilde]\n"
    folder = write(tmp_path, {"mkdocs.yml": settings_text, "base.yml": base, "docs/camp.md": page})
    assert codes(folder / "docs").count("markdown-lost") == count


def test_a_folder_without_a_site_is_nobodys_host(tmp_path: Path) -> None:
    assert codes(write(tmp_path, {"camp.md": PAGE})) == []
    write(tmp_path, {"site/mkdocs.yml": SITE, "site/docs/index.md": "# A\n", "site/notes/camp.md": PAGE})
    assert codes(tmp_path / "site" / "notes") == []


def test_a_missing_extension_is_one_problem_of_the_book(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": "- [ ] a\n- [x] b\n" for name in "abcdef"}
    pages["docs/index.md"] = "# Camp\n"
    (problem,) = compile_book([write(tmp_path, {"mkdocs.yml": SITE, **pages}) / "docs"], tmp_path).problems
    assert "pymdownx.tasklist" in problem.notes[0]
    assert problem.notes[1] == "also on docs/b.md, docs/c.md, docs/d.md and 2 more"


def test_check_fixes_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    folder = write(tmp_path, {"mkdocs.yml": SITE, "docs/camp.md": PAGE + "\n1. Sleep\n   - or wake\n2. Go\n"})
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    assert "fix: insert the empty line" in ran("check")[1]
    ran("check", "--fix")
    fixed = PAGE.replace("carry\n", "carry\n\n") + "\n1. Sleep\n    - or wake\n2. Go\n"
    assert (folder / "docs" / "camp.md").read_text(encoding="utf-8") == fixed
    assert ran("check")[0] == 0


def test_watching_notices_that_the_site_has_changed(tmp_path: Path) -> None:
    folder = write(tmp_path, {"mkdocs.yml": SITE, "docs/camp.md": "A ~~B~~\n"})
    watcher = BookWatcher([folder / "docs"], folder)
    watcher.update()
    assert [problem.code for problem in watcher.compiled.problems] == ["markdown-lost"]
    write(folder, {"mkdocs.yml": SITE + "markdown_extensions: [pymdownx.tilde]\n"})
    watcher.update()
    assert watcher.compiled.problems == []
