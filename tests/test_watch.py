"""A book that stays checked: quick, and never other than a book that is checked from the beginning."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from call_counts import count_calls
from example_counts import scale_examples
from rulewright.cli.check import changes
from rulewright.cli.terminal import Screen
from rulewright.compile.book import compile_book
from rulewright.compile.watch import BookWatcher
from rulewright.render.reports import format_problems
from small_book import BLOCK, GAME, WRONG, write

HEADINGS = ["# Coins", "## Heads", "## Tails", "## Heads and tails", "Heads\n====="]
LINKS = ["a.md", "b.md#heads", "#tails", "sub/c.md#coins", "picture.png", "gone.md", "#nowhere", "c.md"]
TABLE = "| d6 | a |\n|---|---|\n| 1-3 | x |\n| 5 | y |\n| 6 | z |\n"
PIECES = [
    *HEADINGS,
    *(f"See [heads]({link})." for link in LINKS),
    *(f"![seen]({link})" for link in ("picture.png", "../picture.png")),
    BLOCK,
    WRONG,
    BLOCK.replace("rule: toss", "rule: sub/toss"),
    BLOCK.replace("rule: toss", "game: other"),
    "Example: Ann tosses three coins and gets 2 heads, a loss.\n\n" + BLOCK,
    "Roll Sleight + Patiense.",
    '[Heads][] and [other][]\n\n--8<-- "links.txt"',
    f"```game\n{GAME}```",
]
GAMES = [
    GAME,
    GAME.replace("heads >= 2", "heads >= 3"),
    GAME.replace("Patience", "Patiense"),
    GAME.replace("count =", "cuont ="),
    GAME.replace("loss = {}", 'loss = { see = "a.md#tails" }'),
    'extends = ".."\ntitle = "Other coins"\n',
    'extends = "../other"\ntitle = "Borrowed coins"\n',
]
OPTIONS = [
    "[tool.rulewright.checks]\nlinks = false\n",
    "[tool.rulewright.checks]\nlinsk = 'off'\nexample-degree = 'off'\n",
    "[tool.rulewright]\nfail_on = 'nevr'\n",
    "[tool.rulewright]\nfail_on = 'warning'\n",
    "[tool.rulewright.checks]\nnames = 'on'\nprose-unchecked = 'on'\nrollable = 'on'\n",
    "[tool.rulewright\n",
]
SITE = [
    "docs_dir: .\nmarkdown_extensions: [pymdownx.snippets]\n",
    "docs_dir: sub\n",
    "docs_dir: .\nplugins:\n  - rulewright:\n      colums: 2\n",
    "site_dir: sub\n",
]
PAGES = st.lists(st.sampled_from(PIECES), max_size=4).map("\n\n".join)
CONTENTS = {
    **dict.fromkeys(["a.md", "b.md", "sub/c.md", "other/README.md"], PAGES),
    **dict.fromkeys(["game.toml", "sub/game.toml", "other/game.toml"], st.sampled_from(GAMES)),
    "picture.png": st.just("no picture"),
    "links.txt": st.sampled_from(["[heads]: #heads\n", "[heads]: gone.md\n[other]: b.md#coins\n", "## Heads\n"]),
    "pyproject.toml": st.sampled_from(OPTIONS),
    "mkdocs.yml": st.sampled_from(SITE),
}
EDITS = st.sampled_from(list(CONTENTS)).flatmap(
    lambda name: st.tuples(st.just(name), st.none() | CONTENTS[name] | CONTENTS[name])
)


def edit(folder: Path, name: str, content: str | None) -> None:
    if content is None:
        (folder / name).unlink(missing_ok=True)
    else:
        write_one(folder / name, content)


def write_one(path: Path, content: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")


@settings(deadline=None, max_examples=scale_examples(25))
@given(st.lists(EDITS, min_size=1, max_size=12), st.booleans())
@example([("a.md", "[x](picture.png)"), ("picture.png", ""), ("picture.png", None)], False)
@example([("other/game.toml", 'extends = ".."\ntitle = "X"\n'), ("a.md", PIECES[-4]), ("game.toml", GAMES[1])], False)
@example([("a.md", "# Coins\n\n[x](b.md#heads)"), ("b.md", "## Heads"), ("b.md", "## Tails"), ("b.md", None)], False)
@example([("b.md", PIECES[-1]), ("a.md", TABLE), ("a.md", None)], False)
@example([("sub/c.md", WRONG), ("sub/game.toml", GAMES[3]), ("sub/game.toml", None)], False)
@example([("a.md", "[Heads](b.md#tails)"), ("b.md", "## Tails\n\n## Heads"), ("b.md", "## Tails\n\n### Heads")], False)
@example([("a.md", TABLE + PIECES[-2]), *(("pyproject.toml", text) for text in OPTIONS[3:5])], True)
def test_the_same_problems_as_a_fresh_check(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str | None]], is_build: bool
) -> None:
    folder = write(tmp_path_factory.mktemp("book"), {"a.md": "# Coins\n\n" + WRONG})
    with chdir(folder):
        follow(folder, edits, is_build)


def follow(folder: Path, edits: list[tuple[str, str | None]], is_build: bool) -> None:
    """A check after each edit, and beside it one that knows nothing of the ones before."""
    watching = BookWatcher([folder], folder, is_build=is_build)
    watching.update()
    for name, content in edits:
        edit(folder, name, content)
        before = watching.compiled.problems
        changed = watching.update()
        fresh = compile_book([folder], folder, is_build=is_build)
        assert format_problems(watching.compiled.problems) == format_problems(fresh.problems)
        assert watching.compiled.problems == fresh.problems
        assert [page.file for page in watching.compiled.pages] == [page.file for page in fresh.pages]
        assert changed or before == fresh.problems
        assert not watching.update()


def hundred_pages(folder: Path) -> Path:
    words = "Words of all sorts that fill a paragraph of a manual"
    section = "## Part {k} of {n}\n\n{words}, and [a link](p{to}.md#part-{k}-of-{to}).\n\n{block}\n"
    pages = {
        f"p{n}.md": f"# Page {n}\n\n"
        + "".join(section.format(k=k, n=n, to=(n + k) % 100, words=words, block=BLOCK) for k in range(10))
        for n in range(100)
    }
    return write(folder, pages)


def test_only_the_page_that_changed_is_checked(tmp_path: Path) -> None:
    watching = BookWatcher([hundred_pages(tmp_path)], tmp_path)
    watching.update()
    assert (watching.checks, watching.compiled.problems) == (100, [])
    page = tmp_path / "p7.md"
    content = page.read_text()
    for change, checks, problems in (
        (content.replace("degree: 1", "degree: 2", 1), 101, 1),
        (content.replace("## Part 3 of 7", "## Chapter"), 102, 1),
        (content, 103, 0),
    ):
        page.write_text(change)
        assert watching.update()
        assert (watching.checks, len(watching.compiled.problems)) == (checks, problems)
    os.utime(page)
    assert not watching.update()
    assert watching.checks == 103


def test_a_change_is_seen_soon(tmp_path: Path) -> None:
    """It costs a small part of what checking all 100 pages costs."""
    watching = BookWatcher([hundred_pages(tmp_path)], tmp_path)
    whole = count_calls(watching.update)
    for number in range(3):
        page = tmp_path / f"p{number}.md"
        page.write_text(page.read_text().replace("degree: 1", f"degree: {number + 2}", 1).replace("Part 3", "Chapter"))
        assert count_calls(watching.update) < whole / 3.9  # the rules of links are inferred each time
        assert any(problem.span.source.path.endswith(page.name) for problem in watching.compiled.problems)


def test_what_is_new_and_what_is_gone(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    write(tmp_path, {"a.md": f"# A\n\n{WRONG}\n[x](#y)\n"})
    before = compile_book([tmp_path], tmp_path).problems
    shifted = f"# A\n\nA new line.\n\n[x](#y)\n\n{BLOCK}\n[one](#z)\n\n[two](gone.md)\n"
    now = compile_book([write(tmp_path, {"a.md": shifted})], tmp_path).problems
    golden("watch/changes.txt", "\n".join(changes(before, now, Screen(sys.stdout))) + "\n")
    assert not list(changes(now, now, Screen(sys.stdout)))


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    """It is heard, also where these tests run in the background of a shell, whose commands ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
@pytest.mark.usefixtures("_ctrl_c")
def test_a_session(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    write(tmp_path, {"a.md": f"# A\n\n{BLOCK}"})
    command = [sys.executable, "-m", "rulewright", "check", "--watch"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=-1, stderr=-1, text=True, encoding="utf-8") as session:
        lines = [until("watching", session)]
        put(tmp_path / "a.md", f"# A\n\n{WRONG}")
        lines.append(until("now", session))
        put(tmp_path / "a.md", f"# A\n\n{BLOCK}")
        lines.append(until("now", session))
        session.send_signal(signal.SIGINT)
        rest, errors = session.communicate(timeout=60)
    golden("watch/session.txt", "".join(lines) + rest)
    assert (session.returncode, errors) == (0, "")


def put(page: Path, text: str) -> None:
    """The whole text at once: nobody who looks at this moment sees half a page."""
    other = page.with_suffix(".new")
    other.write_text(text)
    other.replace(page)


def until(word: str, session: subprocess.Popen[str]) -> str:
    assert session.stdout
    lines = []
    for line in session.stdout:
        lines.append(line)
        if line.startswith(word):
            break
    return "".join(lines)


@pytest.mark.long
def test_many_edits_of_many_pages(tmp_path: Path) -> None:
    chance = random.Random(5)
    watching = BookWatcher([hundred_pages(tmp_path)], tmp_path)
    for _ in range(300):
        watching.update()
        page = tmp_path / f"p{chance.randrange(100)}.md"
        lines = page.read_text().split("\n")
        place = chance.randrange(len(lines))
        lines[place : place + chance.randrange(3)] = chance.choices(lines, k=chance.randrange(3))
        page.write_text("\n".join(lines))
    watching.update()
    assert watching.compiled.problems == compile_book([tmp_path], tmp_path).problems
