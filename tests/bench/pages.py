"""Checking pages of examples, beside the parser alone and beside tools that run examples in documents."""

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from rulewright.book.read import read_page
from rulewright.compile.books import check_page, compile_book
from rulewright.compile.games import Games, read_games
from rulewright.text import Source

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
    found = check_page(GAMES / "nights.md", read_page(Source("nights.md", text)), games(), [])
    assert not found.problems, found.problems[0]
    assert all(block.status == "passed" for block in found.blocks)


def parse_alone(text: str) -> Callable[[], object]:
    parser = MarkdownIt("commonmark").enable("table")
    return lambda: parser.parse(text)


def python_page() -> str:
    return "# Sums\n\n" + "\n".join(
        f"## Sum {number}\n\n{STORY}\n\n```python\nassert {number} + 1 == {number + 1}\n```\n"
        for number in range(EXAMPLES)
    )


def sybil() -> None:
    """Collects and runs a thousand trivial examples."""
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


def write_book(folder: Path, pages: int, examples: int) -> None:
    (folder / "game.toml").write_text((GAMES / "game.toml").read_text(encoding="utf-8"), encoding="utf-8")
    for number in range(pages):
        (folder / f"nights-{number}.md").write_text(page_text(examples), encoding="utf-8")


def whole_book(folder: Path) -> None:
    found = compile_book([folder], folder)
    assert len(found.blocks) == 2000
    assert not found.problems


def rows() -> Iterator[tuple[str, Callable[[], object]]]:
    text = page_text()
    yield "Rulewright, from text to results", lambda: check_text(text)
    yield "markdown-it-py, the parser alone", parse_alone(text)
    yield "Sybil, trivial examples", sybil
    yield "mktestdocs, trivial examples", mktestdocs
