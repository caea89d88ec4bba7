"""Identifies problems across runs: a path from the root of the repository, a fingerprint and a short number.

All three stay the same when lines above a problem come or go, and wherever the command is run.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path as File
from typing import NamedTuple

from ..source import Problem

STANDARD_INPUT = "-"  # the path of a page that was not read from a file
_DIGITS = 5
_WORKSPACES = "GITHUB_WORKSPACE", "CI_PROJECT_DIR"  # where GitHub and GitLab put a repository
_PLACE = re.compile(
    r"([^\n,;`()]+\.(?:md|markdown|mdx|toml))(?=:\d)"
)  # a path before a line, perhaps after other words


class IdentifiedProblem(NamedTuple):
    """A problem with its path from the root of the repository, its fingerprint, and a number that people can say."""

    problem: Problem
    path: str
    fingerprint: str
    number: int


def find_repository(here: File, environment: Mapping[str, str]) -> File:
    """The root of the repository around a folder: the nearest `.git`, else the workspace of a service, else itself."""
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    workspaces = (File(environment[name]) for name in _WORKSPACES if environment.get(name))
    return root or next((folder for folder in workspaces if folder in (here, *here.parents)), here)


def identify_problems(problems: Sequence[Problem], here: File, repository: File) -> list[IdentifiedProblem]:
    """Identify each problem by its code, its path, the text of its line, and how often these occurred before."""
    counts = Counter[tuple[str, str, str]]()
    identities = list[tuple[Problem, str, str]]()
    for reported in problems:
        notes = tuple(_rebase_paths(note, here, repository) for note in reported.notes)
        problem = reported._replace(notes=notes)
        path = repository_path(problem.span.source.path, here, repository)
        key = problem.code, path, problem.line_text
        counts[key] += 1
        words = "\0".join([*key, str(counts[key])])
        identities.append((problem, path, sha256(words.encode(errors="replace")).hexdigest()[:32]))
    numbers = _assign_numbers(fingerprint for _, _, fingerprint in identities)
    return [
        IdentifiedProblem(problem, path, fingerprint, numbers[fingerprint]) for problem, path, fingerprint in identities
    ]


def repository_path(path: str, here: File, repository: File) -> str:
    """A path that is relative to the current folder, seen from the repository; unchanged if it leads out of it."""
    if path == STANDARD_INPUT:
        return path
    try:
        inside = os.path.relpath(here / path, repository)
    except ValueError:  # another drive of Windows
        return path
    return path if File(inside).parts[0] == os.pardir else inside.replace(os.sep, "/")


def _rebase_paths(note: str, here: File, repository: File) -> str:
    """A note with its places seen from the repository, as the place of the problem is."""
    if here == repository:
        return note

    def rebase(match: re.Match[str]) -> str:
        words = match[1].split(" ")
        for start in range(len(words)):
            path = " ".join(words[start:])
            if path and (here / path).is_file():
                return " ".join([*words[:start], repository_path(path, here, repository)])
        return match[1]

    return _PLACE.sub(rebase, note)


def _assign_numbers(fingerprints: Iterable[str]) -> dict[str, int]:
    """A number of five digits for each fingerprint; of two that would share a number, one gets the next free one."""
    ordered = sorted(set(fingerprints))
    first = 10 ** (max(_DIGITS, len(str(2 * len(ordered)))) - 1)
    numbers, taken = dict[str, int](), set[int]()
    for fingerprint in ordered:
        number = int(fingerprint, 16) % (9 * first)
        while number in taken:
            number = (number + 1) % (9 * first)
        taken.add(number)
        numbers[fingerprint] = first + number
    return numbers
