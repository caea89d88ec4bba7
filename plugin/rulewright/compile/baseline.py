"""The known problems of a book with history, listed in a file: only new ones are reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, NamedTuple

from ..paths import relative_path
from ..source import Problem, Source, Span
from .problem_families import can_be_ignored


class _Entry(NamedTuple):
    """What identifies problems across runs: never a line number."""

    code: str
    path: str  # from the folder of the baseline
    text: str  # of the line


class BaselineError(Exception):
    """A baseline cannot be read."""


@dataclass(frozen=True)
class Baseline:
    """The known problems of a book with history, and how often each occurs."""

    file: File
    here: File
    source: Source
    entries: Counter[_Entry]

    def without_known(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems that are new."""
        left, rest = list[Problem](), Counter(self.entries)
        for problem in problems:
            entry = _make_entry(problem, self.file, self.here)
            if entry and rest[entry] > 0:
                rest[entry] -= 1
            else:
                left.append(problem)
        return left

    def unused_entries(self, problems: Iterable[Problem], paths: Sequence[str]) -> Iterator[Problem]:
        """A problem for each entry that no problem on the pages at `paths` has any more."""
        used = Counter(_make_entry(problem, self.file, self.here) for problem in problems)
        checked = {relative_path(self.here / path, self.file.parent) for path in paths}
        for entry in self.entries:
            count = self.entries[entry] - used[entry]
            if count > 0 and (entry.path in checked or self._is_gone(entry, paths)):
                yield self._unused_problem(entry, count)

    def _is_gone(self, entry: _Entry, paths: Sequence[str]) -> bool:
        """Whether the file of an entry is missing; not asked if only a part of the book was checked."""
        return bool(paths) and not (self.file.parent / entry.path).exists()

    def _unused_problem(self, entry: _Entry, count: int) -> Problem:
        times = f" ({count} of {self.entries[entry]})" if count < self.entries[entry] else ""
        message = f"{entry.path} no longer has the problem `{entry.code}`{times}: {entry.text}"
        note = "rulewright check --write-baseline writes the list again"
        return Problem("ignore-baseline", message, Span(self.source, 0, 0), "info", (note,))


def _make_entry(problem: Problem, file: File, here: File) -> _Entry | None:
    if not can_be_ignored(problem.code):
        return None
    return _Entry(problem.code, relative_path(here / problem.path, file.parent), problem.line_text)


def read_baseline(file: File, here: File) -> Baseline:
    """Read a baseline; an error says what is wrong with it."""
    try:
        text = file.read_bytes().decode() if file.is_file() else "null"
        rows = json.loads(text)["problems"]
        entries = Counter(dict(map(_read_row, rows)))
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        message = "there is no such file" if not file.is_file() else "it is not a baseline"
        raise BaselineError(message) from error
    return Baseline(file, here, Source(relative_path(file, here), text), entries)


def _read_row(row: Mapping[str, Any]) -> tuple[_Entry, int]:
    """An entry and how often it occurs; a ValueError if it has other values than a baseline has."""
    entry, count = _Entry(row["code"], row["path"], row["text"]), row["count"]
    if not all(isinstance(part, str) for part in entry) or type(count) is not int or count < 1:
        raise ValueError(row)
    return entry, count


def format_baseline(problems: Iterable[Problem], file: File, here: File) -> str:
    """All problems that can be ignored as the text of a baseline, one on a line, so that a difference can be read."""
    entries = Counter(entry for problem in problems if (entry := _make_entry(problem, file, here)))
    rows = (json.dumps({**entry._asdict(), "count": entries[entry]}, ensure_ascii=False) for entry in sorted(entries))
    return '{"version": 1, "problems": [\n' + ",\n".join(rows) + "\n]}\n"
