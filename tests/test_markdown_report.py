"""The report for an editor without a command line: what it says, and that nothing in it is taken for Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rulewright.cli.report import Report
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.files import REPORT_MARK
from rulewright.render.digest import Digest, Entry
from rulewright.render.fingerprints import identify_problems
from rulewright.render.markdown_report import format_markdown
from rulewright.render.text_width import visible
from rulewright.source import LINE_BREAK, Fix, Problem, Source, Span
from small_book import BLOCK, WRONG, write

Golden = Callable[[str, str], None]
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
TAGS = {"h1", "h2", "p", "strong", "code", "ul", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td"}
STORY = """\
# Coins & <b>chances</b>

> **Example:** Ann tosses three coins. She gets 2 heads, and the degree is 4.
>
> ```example
> rule: toss
> coins: 3
> dice: 2 2 1
> outcome: loss
> heads:  3
> ```

## Two * stars

```claim
chance(win; coins 2) = 1/3
```

It is [30 %](chance:win?coins=2), see [nowhere](#nowhere), *stars*, `code`, &amp; and <i>tags</i>.
"""
SETTINGS = """\
site_name: Coins
docs_dir: .
nav: [story.md, again.md]
plugins:
  - rulewright: {title: The | book, checks: {page-index: off}}
"""


def report(folder: Path) -> str:
    return Report(compile_book([folder], folder), folder).format("markdown")


def test_report(tmp_path: Path, golden: Golden) -> None:
    again = "# Again\n\n" + WRONG.replace("degree: 4", "degree: 4\nhaeds: 2")
    book = write(tmp_path, {"story.md": STORY, "again.md": again, "mkdocs.yml": SETTINGS})
    golden("reports/report.md", report(book) + "\n")


def test_pages_are_in_reading_order(tmp_path: Path) -> None:
    write(tmp_path, {"story.md": "# Story\n\n" + WRONG, "again.md": "# Again\n\n" + WRONG, "mkdocs.yml": SETTINGS})
    assert re.findall(r"^\| (\w+) \| 1", report(tmp_path), re.MULTILINE) == ["Story", "Again"]


def test_a_book_without_problems(tmp_path: Path) -> None:
    write(tmp_path, {"story.md": "# Story\n\n" + BLOCK})
    assert report(tmp_path) == (
        f"{REPORT_MARK}\n\n# Report on Story\n\n**No problems**. The check read 1 page; "
        "1 of 1 examples, claims and tables agree with the rules."
    )


def test_no_path_of_this_machine(tmp_path: Path) -> None:
    assert str(tmp_path) not in report(write(tmp_path, {"story.md": STORY}))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> CompiledBook:
    folder = tmp_path_factory.mktemp("book")
    (folder / "page.md").write_text("# Title\n", "utf-8")
    return compile_book([folder], folder)


def entry(compiled: CompiledBook, problem: Problem) -> str:
    """The HTML of a report with one problem."""
    here = compiled.games.root
    return str(
        READER.render(
            format_markdown(compiled, Digest(list(map(Entry, identify_problems([problem], here, here))), Counter()))
        )
    )


def words(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def squeezed(text: str) -> str:
    return " ".join(visible(text).split())


@pytest.mark.parametrize(
    "line",
    [
        "# no heading", "1. no list", "- no list", "+ no list", "=== no line", "--- no line", "no *stars* and _lines_",
        "no [link](x.md) and ![picture](y.png)", "no <b>tags</b> and <!-- comments -->", "no &amp; and &#65;",
        "no `code`", "```", "a \\ and \\*", "| no | table |", "~~no~~", "<https://example.org>", "$x$", "* * *",
        "[ref]: x", "> > quote",
    ],
)  # fmt: skip
@pytest.mark.parametrize("part", ["start", "end", "all", "none"])
def test_a_quoted_line_shows_as_it_is_written(empty: CompiledBook, line: str, part: str) -> None:
    first, last = {"start": (0, 1), "end": (len(line) - 1, len(line)), "all": (0, len(line)), "none": (3, 3)}[part]
    source = Source("page.md", f"before\n{line}\nafter\n")
    html = entry(empty, Problem("code", line, Span(source, 7 + first, 7 + last), trail=(line,), notes=(line,)))
    assert set(re.findall(r"<(\w+)", html)) <= TAGS
    quoted = words(re.findall(r"<blockquote>(.*?)</blockquote>", html, re.DOTALL)[0])
    assert quoted == squeezed(line).removeprefix("" if part in ("start", "all") else "> > ")


@given(st.text(min_size=1, max_size=40), st.data())
def test_nothing_in_a_report_is_taken_for_markdown(empty: CompiledBook, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = Span(Source("page.md", text), start, end)
    problem = Problem("code", text, span, notes=(text,), trail=(text,), fix=Fix(span, text))
    html = entry(empty, problem)
    assert set(re.findall(r"<(\w+)", html)) <= TAGS
    assert html.count("<h1>") == html.count("<h2>") == 1
    for quote in re.findall(r"<blockquote>(.*?)</blockquote>", html, re.DOTALL):
        assert any(words(quote) in squeezed(line) for line in LINE_BREAK.split(text))


def test_a_long_line_is_cut_around_its_place(empty: CompiledBook) -> None:
    text = "before " * 60 + "here" + " after" * 60
    start = text.index("here")
    html = entry(empty, Problem("code", "message", Span(Source("page.md", text), start, start + 4)))
    quoted = words(re.findall(r"<blockquote>(.*?)</blockquote>", html, re.DOTALL)[0])
    assert re.fullmatch(r"… .*before here after.* …", quoted)
    assert len(quoted) < 260
