"""Checking pages of examples, beside the parser alone and beside tools that run examples in documents."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from bench.clock import best
from rulewright.book.parser import read_page
from rulewright.compile.book import check_page, compile_book
from rulewright.compile.games import Games, read_games
from rulewright.source import Source

RULES = Path(__file__).parents[2] / "rules"
GAMES = RULES / "maelstrom"
EXAMPLES = 1000
NETS = (5, 3, 3, 3, 2, 1)  # by difficulty, from 4 on
STORY = (
    "The guard looks up from the crate and reaches for the lamp while the rain drums on the tin roof above the yard,"
    " and nobody else moves before the captain has finished counting the coins on the table."
)


def page_text(examples: int = EXAMPLES) -> str:
    """Each example under its own heading, with a paragraph and a link."""
    return "# Nights in the yard\n\n" + "\n".join(part(number) for number in range(examples))


def part(number: int) -> str:
    return (
        f"## Night {number}\n\n{STORY} It began as told in [the night before](#night-{max(number - 1, 0)}).\n\n"
        f"```example\nrule: action\npool: 4\ndifficulty: {4 + number % 6}\nspecialty: yes\n"
        f"dice: 1 4 7 10 | 1 10 | 4 8\nnet: {NETS[number % 6]}\n```\n"
    )


@cache
def games() -> Games:
    return read_games(RULES, [GAMES / "game.toml"], RULES)


def check_text(text: str) -> None:
    """One page from text to results; all its examples are right."""
    found = check_page(GAMES / "nights.md", read_page(Source("nights.md", text)), games(), lambda _: True)
    assert not found.problems, found.problems[0]
    assert all(block.status == "passed" for block in found.blocks)


def parse_alone(text: str) -> Callable[[], object]:
    parser = MarkdownIt("commonmark").enable("table")
    return lambda: parser.parse(text)


def python_page(examples: int = EXAMPLES) -> str:
    return "# Sums\n\n" + "\n".join(
        f"## Sum {number}\n\n{STORY}\n\n```python\nassert {number} + 1 == {number + 1}\n```\n"
        for number in range(examples)
    )


def sybil() -> None:
    """Collects and runs a thousand trivial examples, without any runner of tests."""
    from sybil import Sybil
    from sybil.parsers.markdown import PythonCodeBlockParser

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sums.md"
        path.write_text(python_page(), encoding="utf-8")
        examples = list(Sybil(parsers=[PythonCodeBlockParser()], pattern="*.md", path=folder).parse(path).examples())
        assert len(examples) == EXAMPLES
        for example in examples:
            example.evaluate()


def mktestdocs() -> None:
    from mktestdocs import check_md_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sums.md"
        path.write_text(python_page(), encoding="utf-8")
        check_md_file(path)


SYBIL = """
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser()], pattern="*.md").pytest()
"""
MKTESTDOCS = """
import pathlib, pytest
from mktestdocs import grab_code_blocks
from mktestdocs.__main__ import exec_python
@pytest.mark.parametrize("code", grab_code_blocks(pathlib.Path("sums.md").read_text()))
def test_block(code):
    exec_python(code)
"""
PLAIN = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:hypothesispytest")


def under_pytest(files: Callable[[int], dict[str, str]]) -> float:
    """What a thousand examples take that one does not: pytest's own start is not counted."""
    return pytest_time(files(EXAMPLES + 1)) - pytest_time(files(1))


def pytest_time(files: dict[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", *PLAIN]
        return best(lambda: subprocess.run(command, cwd=folder, check=True, capture_output=True))


def sybil_files(examples: int) -> dict[str, str]:
    return {"sums.md": python_page(examples), "conftest.py": SYBIL}


def mktestdocs_files(examples: int) -> dict[str, str]:
    return {"sums.md": python_page(examples), "test_sums.py": MKTESTDOCS}


def own_files(examples: int) -> dict[str, str]:
    game = (GAMES / "game.toml").read_text(encoding="utf-8")
    return {"nights.md": page_text(examples), "game.toml": game, "pytest.ini": "[pytest]\nrulewright = true\n"}


def write_book(folder: Path, pages: int, examples: int) -> None:
    (folder / "game.toml").write_text((GAMES / "game.toml").read_text(encoding="utf-8"), encoding="utf-8")
    for number in range(pages):
        (folder / f"nights-{number}.md").write_text(page_text(examples), encoding="utf-8")


def whole_book(folder: Path) -> None:
    found = compile_book([folder], folder)
    assert len(found.blocks) == 2000
    assert not found.problems


def rows() -> Iterator[tuple[str, Callable[[], float]]]:
    """What is measured, and how long it takes."""
    text = page_text()
    yield OWN, lambda: best(lambda: check_text(text))
    yield PARSER, lambda: best(parse_alone(text))
    yield "Sybil, trivial examples under pytest", lambda: under_pytest(sybil_files)
    yield "mktestdocs, trivial examples under pytest", lambda: under_pytest(mktestdocs_files)
    yield "Rulewright, the same page under pytest", lambda: under_pytest(own_files)
    yield "Sybil, trivial examples without pytest", lambda: best(sybil)
    yield "mktestdocs, trivial examples without pytest", lambda: best(mktestdocs)


OWN, PARSER = "Rulewright, from text to results", "markdown-it-py, the parser alone"
GOALS = {
    PARSER: "at least 0.33 ×",
    "Sybil, trivial examples under pytest": "above 1 ×",
    "mktestdocs, trivial examples under pytest": "above 1 ×",
}
