"""Mistakes of beginners: each is accepted, or answered with its place and with words that can be copied."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

Run = Callable[..., tuple[int, str, str]]
FOLDER = Path(__file__).parent / "cases" / "beginners"
FILES = sorted(file.stem for file in FOLDER.glob("*.txt"))
PROBLEM = re.compile(r"^(\S+?:\d+:\d+): (?:error|warning|info)\[", re.MULTILINE)
ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}


class Case(NamedTuple):
    title: str
    lines: list[tuple[str, str]]  # each key with its value

    def values(self, key: str) -> list[str]:
        return [value for name, value in self.lines if name == key]

    @property
    def is_accepted(self) -> bool:
        return bool(self.values("accepted"))


def read_cases(name: str) -> list[Case]:
    cases = []
    for text in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("## ")[1:]:
        title, *lines = text.strip().split("\n")
        pairs = [line.partition(":")[::2] for line in lines]
        cases.append(Case(title, [(key, value.removeprefix(" ") or "yes") for key, value in pairs]))
    return cases


def unescape(text: str) -> str:
    return re.sub(r"\\[nt\\]", lambda match: ESCAPES[match[0]], text)


def apply_edits(case: Case, book: Path) -> None:
    for key, value in case.lines:
        old, arrow, new = (unescape(part) for part in f"{value} ".partition(" ⇒ "))
        if key == "rename":
            (book / old).rename(book / new.strip())
        elif key.startswith("file "):
            path = book / key.removeprefix("file ")
            path.parent.mkdir(exist_ok=True)
            path.write_text("" if value == "yes" else unescape(value), encoding="utf-8")
        elif arrow:
            text = (book / key).read_text(encoding="utf-8")
            assert old in text, f"{case.title}: {old}"
            (book / key).write_text(text.replace(old, new[:-1], 1), encoding="utf-8")


def print_case(case: Case, ran: Run, book: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything that is printed for a case; checks it against what the case demands."""
    shutil.copytree(FOLDER / "book", book)
    apply_edits(case, book)
    monkeypatch.chdir(book)
    command = (case.values("run") or ["check"])[0]
    status, output, errors = ran(*shlex.split(command))
    printed = output + errors
    if case.is_accepted:
        assert status == 0, f"{case.title}\n{printed}"
        assert not PROBLEM.search(printed), f"{case.title}\n{printed}"
        for other in case.values("like"):
            assert ran(*shlex.split(other))[1] == output, case.title
        return "accepted\n"
    places = PROBLEM.findall(printed)
    assert len(places) == (int((case.values("problems") or ["1"])[0]) if command == "check" else 0), printed
    assert case.values("place") == places[:1], printed
    assert case.values("repair"), case.title
    for repair in case.values("repair"):
        assert repair in printed, f"{case.title}\n{printed}"
    return printed


@pytest.mark.parametrize("name", FILES)
def test_what_beginners_write(
    name: str, ran: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, str], None]
) -> None:
    texts = []
    for number, case in enumerate(read_cases(name)):
        texts.append(f"## {case.title}\n{print_case(case, ran, tmp_path / str(number) / 'book', monkeypatch)}")
    golden(f"beginners/{name}.txt", "\n".join(texts))


def test_there_are_many_cases_with_different_titles() -> None:
    titles = [(name, case.title) for name in FILES for case in read_cases(name)]
    assert len(titles) == len(set(titles)) > 250
