"""Books of others: the small books of tests/cases/reading/, as the page README.md there describes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.compile.book import compile_book

FOLDER = Path(__file__).parent / "cases" / "reading"
FILES = sorted(FOLDER.glob("[a-z]*.md"))
CASE = re.compile(r"^## (Wrong|Right): (.*)\n", re.MULTILINE)
FILE = re.compile(r"^=== (.*)\n", re.MULTILINE)
EXPECTED = re.compile(r"^>>> ([a-z-]+) (.*)\n", re.MULTILINE)


class Case(NamedTuple):
    name: str
    files: dict[str, str]
    expected: list[tuple[str, str]]  # codes, and words of the message or the notes


def cases(file: Path) -> Iterator[Case]:
    _, *parts = CASE.split(file.read_text("utf-8"))
    for kind, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        expected = EXPECTED.findall(text)
        assert bool(expected) == (kind == "Wrong"), f"{file.name}: {name}"
        page, *others = FILE.split(EXPECTED.sub("", text).strip() + "\n")
        names, texts = ["page.md", *others[::2]], [page, *others[1::2]]
        yield Case(f"{file.stem}: {name}", {n: f"{t.strip()}\n" for n, t in zip(names, texts, strict=True)}, expected)


EVERY = [case for file in FILES for case in cases(file)]


@pytest.mark.parametrize("case", EVERY, ids=[case.name for case in EVERY])
def test_book(case: Case, tmp_path: Path) -> None:
    for name, text in case.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    problems = compile_book([tmp_path], tmp_path).problems
    found = [(problem.code, "\n".join([problem.message, *problem.notes])) for problem in problems]
    assert len(found) == len(case.expected), found
    assert all(any(code == one and words in said for one, said in found) for code, words in case.expected), found


def test_each_file_has_right_and_wrong_books() -> None:
    assert all({bool(case.expected) for case in cases(file)} == {True, False} for file in FILES)
