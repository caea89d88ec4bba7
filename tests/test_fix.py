"""`check --fix`: the right answers in the pages, and nothing else touched."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from rulewright.compile.book import compile_book
from rulewright.compile.fixes import BookFixer, FixedPage, apply_fixes, write_page
from rulewright.source import Fix, Problem, Source, Span
from small_book import BLOCK
from small_book import write as write_book

Golden = Callable[[str, str], None]
Said = Callable[..., tuple[int, str, str]]

PAGE = """\
# Coins

> **Example:** Ann tosses three coins. She gets 3 heads, and the degree is 4.
>
> ```example
> rule: toss
> coins: 3          # as many as she has
> dice: 2 2 1
> outcome: loss     # <- wrong
> degree:  4
> heads: 3
> ```

```claim
rule: toss
chance(win; coins 2) = 1/3
chance(win; coins 3) ~ 49.0%   # halves
```

The chance is [30 %](chance:win?coins=2&rule=toss), see [nowhere](#nowhere).

## Again

> **Example:** Ann tosses her coins again. She wins, and the degree is 4.
>
> ```example
> rule: toss
> coins: 3          # as before
> dice: 2 2 1
> outcome: win
> degree: 1
> heads:  3     # <- wrong
> ```
"""
SLIP = BLOCK.replace("degree: 1", "degree: 1\nheads: 3")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_book(tmp_path, {"page.md": PAGE, "right.md": f"# Right\n\n{BLOCK}"}))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


@pytest.fixture
def check(ran: Said) -> Said:
    return partial(ran, "check")


def test_what_is_shown(book: Path, check: Said, golden: Golden) -> None:
    status, printed, _ = check("--fix")
    golden("fix/shown.txt", printed)
    golden("fix/page.md", (book / "page.md").read_text())
    assert status == 1


def test_a_second_run_changes_nothing(book: Path, check: Said, golden: Golden) -> None:
    check("--fix")
    before = [(file.name, file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(book.iterdir())]
    status, printed, _ = check("--fix")
    golden("fix/again.txt", printed)
    assert status == 1
    assert before == [(file.name, file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(book.iterdir())]


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: "\ufeff" + text.replace("\n", "\r\n").rstrip(),
        lambda text: text.replace("# as many", "# \u2028 \f as many"),
    ],
    ids=["CRLF", "CR", "BOM", "BOM, CRLF, no end", "strange blanks"],
)
def test_the_rest_stays_byte_for_byte(book: Path, check: Said, written: Callable[[str], str]) -> None:
    check("--fix")
    expected = written((book / "page.md").read_bytes().decode())
    (book / "page.md").write_bytes(written(PAGE).encode())
    check("--fix")
    assert (book / "page.md").read_bytes().decode() == expected


def test_nothing_is_written_where_nobody_looks(book: Path, check: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    status, printed, errors = check("--fix")
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "CI" in errors
    assert (book / "page.md").read_text() == PAGE


def test_only_one_block_is_fixed(book: Path, check: Said) -> None:
    check("--fix", "--only", "again.1")
    lines = (book / "page.md").read_text().split("\n")
    assert [new for new, old in zip(lines, PAGE.split("\n"), strict=True) if new != old] == [
        "> heads:  2     # <- wrong"
    ]


def test_data_for_tools_has_no_difference_in_it(book: Path, check: Said) -> None:
    _, printed, _ = check("--fix", "--format", "json")
    assert printed.startswith("{")
    assert (book / "page.md").read_text() != PAGE


def test_a_page_that_changed_meanwhile_is_left_alone(
    book: Path, check: Said, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(page: FixedPage) -> bool:
        page.file.write_text("# New\n", encoding="utf-8")
        return write_page(page)

    monkeypatch.setattr("rulewright.cli.check.write_page", late)
    status, printed, _ = check("--fix")
    golden("fix/meanwhile.txt", printed)
    assert status == 1
    assert (book / "page.md").read_text() == "# New\n"
    assert sorted(file.name for file in book.iterdir()) == ["game.toml", "page.md", "right.md"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights and links")
def test_rights_and_links_are_kept(book: Path, check: Said) -> None:
    (book / "page.md").rename(book / "real.txt")
    (book / "page.md").symlink_to("real.txt")
    (book / "real.txt").chmod(0o640)
    check("--fix")
    assert (book / "page.md").is_symlink()
    assert stat.S_IMODE((book / "real.txt").stat().st_mode) == 0o640
    assert (book / "real.txt").read_text() != PAGE


def test_a_page_that_may_not_be_written(book: Path, check: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    status, _, errors = check("--fix")
    assert (status, errors.count("\n")) == (2, 1)
    assert (book / "page.md").read_text() == PAGE


@pytest.mark.usefixtures("book")
def test_each_difference_is_shown_before_its_page_is_written(
    check: Said, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = list[str]()

    def look(page: FixedPage) -> bool:
        shown.append(capsys.readouterr().out)
        return write_page(page)

    monkeypatch.setattr("rulewright.cli.check.write_page", look)
    check("--fix")
    assert "+> heads:  2     # <- wrong" in shown[0].split("\n")


def test_differences_alone(book: Path, check: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")  # nothing is written, so nobody has to look
    status, printed, errors = check("--diff")
    assert (status, errors) == (1, "--fix would change 1 page\n")
    assert printed.startswith("--- page.md\n+++ page.md\n@@")
    assert (book / "page.md").read_text() == PAGE
    monkeypatch.delenv("CI")
    _, fixed, _ = check("--fix")
    assert fixed.startswith(printed.rstrip())


@pytest.mark.usefixtures("book")
def test_no_differences(check: Said) -> None:
    assert check("--diff", "right.md") == (0, "", "there is nothing to fix\n")


@pytest.mark.usefixtures("book")
def test_differences_of_one_block(check: Said) -> None:
    _, printed, _ = check("--diff", "--only", "again.1")
    assert [line for line in printed.split("\n") if line[:2] == "+>"] == ["+> heads:  2     # <- wrong"]


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    "words", [("--format", "json"), ("--fix",), ("--watch",), ("--write-baseline", "known.json")], ids=" ".join
)
def test_what_does_not_go_with_differences(check: Said, words: tuple[str, ...]) -> None:
    status, printed, errors = check("--diff", *words)
    assert (status, printed) == (2, "")
    assert "--diff" in errors


def test_where_the_disk_ends_what_was_written_is_shown(
    book: Path, check: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(page: FixedPage) -> bool:
        if page.file.name == "page.md":
            return write_page(page)
        raise OSError(28, "No space left on device", str(page.file))

    (book / "second.md").write_text(f"# A\n\n{SLIP}")
    monkeypatch.setattr("rulewright.cli.check.write_page", full)
    status, printed, errors = check("--fix")
    assert (status, errors.count("\n")) == (2, 1)
    assert "+++ page.md" in printed
    assert "second.md" in errors


def problem(source: Source, start: int, end: int, text: str) -> Problem:
    span = Span(source, start, end)
    return Problem("x", "x", span, fix=Fix(span, text))


def test_of_fixes_that_overlap_the_first_wins() -> None:
    source = Source("x.md", "one two\r\nthree\r\n")
    found = apply_fixes(
        source, [problem(source, 2, 5, "-"), problem(source, 0, 3, "a\nb"), problem(source, 4, 7, "TWO")]
    )
    assert found.text == "a\r\nb TWO\r\nthree\r\n"
    assert len(found.edits) == 2


def test_fixes_of_other_pages_and_empty_ones_are_none() -> None:
    source, other = Source("x.md", "one two"), Source("y.md", "one two")
    assert apply_fixes(source, [problem(other, 0, 3, "a"), problem(source, 4, 7, "two")]).edits == ()


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9), st.text("abc", max_size=4))))
def test_what_lies_between_the_fixes_stays(text: str, parts: list[tuple[int, int, str]]) -> None:
    source = Source("x.md", text)
    problems = [
        problem(source, min(start, len(text)), min(start + length, len(text)), new) for start, length, new in parts
    ]
    found = apply_fixes(source, problems)
    expected, at = "", 0
    for edit in found.edits:
        assert edit.span.start >= at
        expected, at = expected + text[at : edit.span.start] + edit.text, edit.span.end
    assert found.text == expected + text[at:]


KEYS = st.fixed_dictionaries(
    {"outcome": st.sampled_from(["win", "loss", "LOSS", "wim"]), "degree": st.integers(0, 4)},
    optional={"heads": st.integers(0, 4), "bonus": st.integers(0, 2)},
)


@settings(deadline=None, max_examples=scale_examples(40))
@given(st.lists(KEYS, min_size=1, max_size=3))
def test_what_can_be_fixed_is_right_afterwards(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[dict[str, str | int]]
) -> None:
    entries = ["\n".join(f"{key}: {value}" for key, value in block.items()) for block in blocks]
    pages = [f"# Coins\n\n```example\nrule: toss\ncoins: 3\ndice: 2 2 1\n{lines}\n```\n" for lines in entries]
    folder = write_book(tmp_path_factory.mktemp("book"), {f"{n}.md": page for n, page in enumerate(pages)})
    run = BookFixer([folder], folder)
    left = run.run()
    assert not [one for one in left.problems if one.fix]
    assert all(map(write_page, run.pages.values()))
    assert compile_book([folder], folder).problems == left.problems
    again = BookFixer([folder], folder)
    again.run()
    assert not again.pages


def test_what_was_noticed_in_a_table_is_fixed(tmp_path: Path) -> None:
    """On pages without blocks, too; line ends stay as they are."""
    text = "| d20 | x |\r\n|---|---|\r\n| 1-5 | a |\r\n| 6-10 | b |\r\n| {} | c |\r\n| 16-20 | d |\r\n"
    folder = write_book(tmp_path, {"a.md": text.format("10-15")})
    run = BookFixer([folder], folder)
    assert not run.run().problems
    assert [page.after.text for page in run.pages.values()] == [text.format("11-15")]


def test_wrong_and_right(book: Path, check: Said) -> None:
    for file in book.glob("*.md"):
        file.unlink()
    (book / "a.md").write_text(f"# A\n\n{SLIP}")
    assert check("--fix")[0] == 0
    assert (book / "a.md").read_text() == f"# A\n\n{SLIP.replace('heads: 3', 'heads: 2')}"


UNREAD = {
    "a line without a colon": "example\nrule: toss\ncoins: 3\nbonus 1\ndice: 2 2 1\nheads: 3\noutcome: win",
    "a key that is none": "example\nrule: toss\ncoins: 3\nbnus: 1\ndice: 2 2 1\nheads: 3",
    "a what-if on such a step": "example\nrule: toss\ncoins: 3\nbnus: 1\ndice: 2 1 1\nheads: 2\n"
    "instead:\ndice: 2 2 1\nheads: 3",
    "a change beside instead": "example\nrule: toss\ncoins: 3\ndice: 2 2 1\nheads: 2\ninstead: bonus 1\nheads: 3",
    "a setting of a claim": "claim\nrule: toss\nbnus: 1\nchance(win; coins 2) = 3/4",
    "a line of a claim": "claim\nrule: toss\nbonus 1\nchance(win; coins 2) = 3/4",
    "a setting of odds": "odds\nrule: toss\nbnus: 1\nrows: coins 2..3\nshow: chance of win\nexpect: coins 2 = 75%",
    "a line of odds": "odds\nrule: toss\nbonus 1\nrows: coins 2..3\nshow: chance of win\nexpect: coins 2 = 75%",
}


@pytest.mark.parametrize("block", UNREAD.values(), ids=UNREAD)
def test_nothing_is_held_against_what_could_not_be_read(tmp_path: Path, block: str) -> None:
    """Each is right once its slip is mended, so nothing of it may be changed."""
    folder = write_book(tmp_path, {"a.md": f"# A\n\n```{block}\n```\n"})
    run = BookFixer([folder], folder)
    (problem,) = run.run().problems
    assert problem.code in ("block-line", "block-key", "block-claim")
    assert not run.pages
    mended = block.replace("bonus 1", "bonus: 1").replace("bnus", "bonus").replace("instead: ", "instead:\n")
    write_book(tmp_path, {"a.md": f"# A\n\n```{mended}\n```\n"})
    assert not compile_book([folder], folder).problems


def test_a_fix_that_leads_to_another_problem_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fix of one of two equal pages is made to break a link."""

    def apply(source: Source, problems: Iterable[Problem]) -> object:
        fixed = apply_fixes(source, problems)
        is_bad = fixed.edits and source.path.endswith("a.md")
        return replace(fixed, text=fixed.text + "\n[x](#gone)\n") if is_bad else fixed

    monkeypatch.setattr("rulewright.compile.fixes.apply_fixes", apply)
    table = "| d20 | x |\n|---|---|\n| 1-5 | a |\n| 6-10 | b |\n| 10-15 | c |\n| 16-20 | d |\n"
    folder = write_book(tmp_path, {"a.md": table, "b.md": table})
    run = BookFixer([folder], folder)
    (problem,) = run.run().problems
    assert problem.code == "rollable-overlap"
    assert problem.path.endswith("a.md")
    assert [file.name for file in run.pages] == ["b.md"]
