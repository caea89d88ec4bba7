"""Nothing that an author can write makes the check stumble: pages of odd blocks, and pages spoiled by random edits."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from call_counts import hang_guard
from example_counts import sample, scale_examples
from rulewright.book.page import BLOCK_KINDS
from rulewright.cli.report import Report
from rulewright.cli.report_formats import FORMATS
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.games import read_games
from rulewright.project import find_games
from rulewright.render.blocks_json import count_pages_and_blocks as blocks_summary
from rulewright.source import Problem, Span
from source_books import BOTH, GAMES, Books, source_books

HERE = Path(__file__).parent
RULES = HERE.parent / "rules"
STATUSES = ("passed", "failed", "error", "skipped")
FUZZ = settings(deadline=None, max_examples=scale_examples(60), suppress_health_check=list(HealthCheck))
LONG = settings(FUZZ, max_examples=3_400)

WORDS = (HERE / "data/fuzz_words.txt").read_text(encoding="utf-8")
SNIPPETS = (
    "\n", "\r", "\r\n", "\t", "\u2028", "\f", "\u0000", "\ufeff", " ", "    ", "> ", "- ", "1. ", "# ", "## ", "|",
    "`", "```", "```example\n", "~~~", "<!-- example\n", "-->", "<!--", "!!! note\n", "=== \"A\"\n",
    "<div markdown=\"1\">", "</div>", "[", "](", ")", "](#x)", "[[", "]]", "[a](roll:action?pool=5)",
    "[27 %](chance:botch?pool=5)", "[4](value:x?row=y&column=z)", "instead:\n", "then:\n", "rule: action\n",
    "dice: ", "outcome: ", "given: ", ": ", ":", ",", "=", "−", "→", "->", "+", "..", "Example: ", "five dice",
    "d10", "2d6+3", "{#a}", "---\n", "*", "_", "\\", "&amp;", "é", "\U0001f3b2", "\ud7ff", "9" * 30,
)  # fmt: skip


def words(part: str) -> list[str]:
    """The odd words of one part of the list."""
    return WORDS.partition(f"[{part}]\n")[2].partition("\n\n")[0].strip("\n").split("\n")


@cache
def sources() -> list[str]:
    """Pages of the book and of the tests."""
    files = [*sorted(RULES.rglob("*.md")), *sorted(HERE.glob("cases/**/*.md"))]
    return [file.read_bytes().decode() for file in files]


def entries() -> st.SearchStrategy[str]:
    key = st.one_of(st.sampled_from(words("keys")), st.text(max_size=6))
    value = st.one_of(st.sampled_from(words("values")), st.text(max_size=12))
    return st.one_of(
        st.builds("{}: {}".format, key, value),
        st.sampled_from(("instead:", "then:", "wrong: so", "skip: so", *words("statements"))),
        st.text(max_size=20),
    )


def odd_block(kind: str, rule: str, lines: list[str], prefix: str) -> str:
    inside = [f"```{kind}", *([f"rule: {rule}"] if rule else []), *lines, "```", ""]
    return "\n".join(prefix + line for line in inside)


def odd_blocks(rule: str) -> st.SearchStrategy[str]:
    """Mostly with lines that the rule understands."""
    apt = st.sampled_from(words(rule))
    lines = st.lists(st.one_of(apt, apt, apt, apt, entries()), max_size=12) | st.lists(apt, max_size=9, unique=True)
    kinds = st.sampled_from((*BLOCK_KINDS, "example", "example", "example", "example"))
    return st.builds(odd_block, kinds, st.just(rule), lines, st.sampled_from(("", "", "> ", "    ")))


def odd_pages() -> st.SearchStrategy[str]:
    rules = ("action", "willpower", "wild-die/check", "step-dice/contest", "ingenuity/test")
    block = st.sampled_from(rules).flatmap(odd_blocks)
    between = st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=40), st.just("# A heading\n"))
    return st.lists(st.one_of(block, block, block, between), max_size=6).map("\n\n".join)


@st.composite
def edited(draw: Callable[[st.SearchStrategy[Any]], Any], texts: list[str]) -> str:
    """One of the texts after some random edits."""
    text: str = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 12))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 400)))
        new = draw(
            st.one_of(st.just(""), st.sampled_from(SNIPPETS), st.just(text[start : end + 60]), st.text(max_size=5))
        )
        text = text[:start] + new + text[end:]
    return text


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the five games and no page, which are read once: they do not change, the page does."""
    folder = tmp_path_factory.mktemp("book")
    for game in GAMES:
        (folder / game).mkdir()
        shutil.copy(RULES / game / "game.toml", folder / game)
    games = read_games(folder, find_games(folder), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulewright.compile.book.read_games", lambda *_: games)
        yield folder


def try_page(book: Path, text: str) -> None:
    """The page is checked, which ends, and what is said of it can be printed."""
    (book / "maelstrom/page.md").write_bytes(text.encode("utf-8", "replace"))
    with hang_guard():
        compiled = compile_book([book], book)
    summary = blocks_summary(compiled)
    assert summary["blocks"] == len(compiled.blocks) == sum(1 for one in compiled.blocks if one.status in STATUSES)
    assert summary["blocks"] == sum(summary[name] for name in ("passed", "failed", "errors", "skipped"))
    for problem in compiled.problems:
        check_spans(problem)
    assert not unsaid(compiled)
    for form in FORMATS:
        Report(compiled, book).format(form)


def check_spans(problem: Problem) -> None:
    spans: list[Span] = [problem.span, *([problem.fix.span] if problem.fix else [])]
    for span in spans:
        assert 0 <= span.start <= span.end <= len(span.source.text), problem
    assert problem.message.strip()


def unsaid(compiled: CompiledBook) -> list[str]:
    """Blocks that are not accepted, though nothing is said against them."""
    return [one.block.id for one in compiled.blocks if one.status in ("failed", "error") and not one.problems]


@FUZZ
@given(odd_pages())
def test_odd_blocks(book: Path, text: str) -> None:
    try_page(book, text)


@FUZZ
@given(st.data())
def test_edited_pages(book: Path, data: st.DataObject) -> None:
    try_page(book, data.draw(edited(sources())))


@FUZZ
@given(st.data())
def test_edited_sources(book: Path, data: st.DataObject) -> None:
    try_page(book, data.draw(edited([*source_books("own").values()])))


@pytest.mark.long
@LONG
@given(odd_pages())
def test_many_odd_blocks(book: Path, text: str) -> None:
    try_page(book, text)


@pytest.mark.long
@LONG
@given(st.data())
def test_many_edited_pages(book: Path, data: st.DataObject) -> None:
    try_page(book, data.draw(edited(sources())))


@pytest.mark.long
@pytest.mark.parametrize("which", BOTH)
@LONG
@given(data=st.data())
def test_many_edited_sources(book: Path, which: Books, data: st.DataObject) -> None:
    try_page(book, data.draw(edited([*source_books(which).values()])))


LARGE = [
    "rule: maelstrom-first-edition/action\ngiven: successes 500, failures 400\noutcome: success",
    "rule: maelstrom-first-edition/action\ngiven: successes 20, failures 40\noutcome: success",
    "rule: wild-die/check\ngiven: total 39, lost 30\ntotal: 39",
    "rule: step-dice/check\ngiven: rank 700, total 600\noutcome: success",
    "rule: ingenuity/test\ngiven: base 50\nluck: yes\ntotal: 50",
    f"rule: action\npool: 5\ndice: {'8 ' * 50_000}\ndegree: 1",
    f"rule: wild-die/check\ncode: 1D\ndifficulty: 9\ndice: {'6+' * 20_000}1\ndegree: 1",
    "pool: 5\ndice: 7 7 7 7 7\ndegree: 5\n" + "instead:\ndifficulty: 5\ndegree: 5\n" * 2_000,
    "pool: 5\ndice: 7 7 7 7 7\ndegree: 5\n" + "then:\npool: = pool\ndice: 7 7 7 7 7\ndegree: 5\n" * 2_000,
    f"rule: step-dice/contest\nside A: die d6{', dice 3' * 2_000}\nside B: die d6{', dice 3' * 2_000}\nwinner: A",
    "\n".join(f"side S{number}: die d6, dice 3" for number in range(1_000)),
    f"given: {', '.join(f'net {number}' for number in range(2_000))}\nnet: 1",
]


@pytest.mark.parametrize("inside", sample(LARGE, 4), ids=lambda inside: inside[:40].replace("\n", ", "))
def test_large_examples(book: Path, inside: str) -> None:
    try_page(book, f"```example\n{inside}\n```\n")
