"""Leaves out problems that the author knows: by comments in the page, by the option `ignore`, and by a baseline.

Problems of blocks and games stay: a block says itself by `skip:` or `wrong:` that it does not pass.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import NamedTuple

from ..book.page import Ignore, Page
from ..globs import matches_any
from ..paths import relative_path
from ..source import Problem, Source, Span, suggest
from .options import Options
from .problem_families import GROUPS, is_about_rules, is_about_settings

_UNUSED = "ignore-unused"


def can_be_ignored(code: str) -> bool:
    return not (is_about_rules(code) or is_about_settings(code) or code.startswith("ignore-"))


def _covers(name: str, code: str) -> bool:
    """Whether a code, or the name of a group as in `checks`, covers a code."""
    return can_be_ignored(code) and (code == name or code.partition("-")[0] in GROUPS.get(name, (name,)))


class Silenced(NamedTuple):
    """The problems of a page that are left, the number of the others, and what of the option `ignore` applied."""

    problems: list[Problem]
    ignored_count: int
    used: frozenset[Span]


def silence_page(page: Page, path: str, problems: Iterable[Problem], options: Options) -> Silenced:
    """Leave out what the comments of a page, and the option `ignore` for its path, name; report useless comments."""
    ignored = [item for item in options.ignore if matches_any(path, [item.pattern])]
    left, used, count = list[Problem](), set[Span](), 0
    for problem in problems:
        inside = (
            code
            for ignore in page.ignores
            if ignore.scope and ignore.scope.start <= problem.span.start < ignore.scope.end
            for code in ignore.codes
        )
        names = [*inside, *(item.code for item in ignored)]
        matches = {name for name in names if _covers(name.text, problem.code)}
        used |= matches
        count += bool(matches) and options.is_enabled(problem.code)
        left += [] if matches else [problem]
    wrong = (problem for ignore in page.ignores for problem in _check_ignore(ignore, used, options))
    return Silenced([*left, *wrong], count, frozenset(used))


def _check_ignore(ignore: Ignore, used: set[Span], options: Options) -> Iterator[Problem]:
    """The problems of a comment: it names no code, an unknown code, or one that cannot be ignored."""
    if not ignore.codes:
        message = "this comment names no code; write <!-- rulewright: ignore link-missing -->"
        yield Problem("ignore-code", message, ignore.span, "warning")
    for code in ignore.codes:
        if message := find_wrong_code(code.text, options):
            yield Problem("ignore-code", message, code, "warning")
        elif ignore.scope is None:
            message = "no block element follows this comment; put it on the line above one"
            yield Problem(_UNUSED, message, code, "info")
        elif code not in used and options.is_enabled(code.text):
            yield Problem(_UNUSED, f"nothing below has the problem `{code.text}`; delete this comment", code, "info")


def find_wrong_code(name: str, options: Options) -> str:
    """What is wrong with a name to ignore; empty if a problem may have it."""
    from ..handbook import read_explanations

    if is_about_rules(name):
        return (
            f"`{name}` is about a block or a game and cannot be ignored; "
            "write `skip:` with the reason into the block, or `wrong:` if it is wrong on purpose"
        )
    if is_about_settings(name):
        return f"`{name}` cannot be ignored; correct the settings or the file"
    known = (*GROUPS, *read_explanations())
    if name in known or options.extensions.find_name(name):
        return ""
    return f"there is no problem `{name}`; {suggest(name, known) or '`rulewright explain` lists them'}"


def check_ignored_paths(options: Options, used: Iterable[frozenset[Span]], is_whole: bool) -> Iterator[Problem]:
    """Entries of the option `ignore` that are wrong or, in a check of the whole book, that no problem needs."""
    applied = frozenset[Span]().union(*used) if options.ignore else ()
    for item in options.ignore:
        if message := find_wrong_code(item.code.text, options):
            yield Problem("ignore-code", message, item.code, "warning")
        elif is_whole and item.code not in applied and options.is_enabled(item.code.text):
            message = f"no page that {item.pattern} names has the problem `{item.code.text}`; delete this entry"
            yield Problem(_UNUSED, message, item.code, "info")


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

    def without_known(self, problems: Iterable[Problem], paths: Sequence[str]) -> list[Problem]:
        """The problems that are new, and those of entries that no problem on the pages at `paths` has any more."""
        left, rest = list[Problem](), Counter(self.entries)
        for problem in problems:
            entry = _make_entry(problem, self.file, self.here)
            if entry and rest[entry] > 0:
                rest[entry] -= 1
            else:
                left.append(problem)
        checked = {relative_path(self.here / path, self.file.parent) for path in paths}
        unused = (entry for entry in +rest if entry.path in checked or self._is_gone(entry, paths))
        return [*left, *(self._unused_problem(entry, rest[entry]) for entry in unused)]

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
        text = file.read_bytes().decode()
        rows = json.loads(text)["problems"]
        entries = Counter({_Entry(row["code"], row["path"], row["text"]): int(row["count"]) for row in rows})
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        message = "there is no such file" if isinstance(error, FileNotFoundError) else "it is not a baseline"
        raise BaselineError(message) from error
    return Baseline(file, here, Source(relative_path(file, here), text), entries)


def format_baseline(problems: Iterable[Problem], file: File, here: File) -> str:
    """All problems that can be ignored as the text of a baseline, one on a line, so that a difference can be read."""
    entries = Counter(entry for problem in problems if (entry := _make_entry(problem, file, here)))
    rows = (json.dumps({**entry._asdict(), "count": entries[entry]}, ensure_ascii=False) for entry in sorted(entries))
    return '{"version": 1, "problems": [\n' + ",\n".join(rows) + "\n]}\n"
