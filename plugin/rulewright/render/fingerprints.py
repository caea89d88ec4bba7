"""Identifies problems across runs: a path from the root of the repository, a fingerprint and a short number.

All three stay the same when lines above a problem come or go, and wherever the command is run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path as File
from typing import NamedTuple

from ..source import Problem

STANDARD_INPUT = "-"  # the path of a page that was not read from a file
_DIGITS = 5


class IdentifiedProblem(NamedTuple):
    """A problem with its path from the root of the repository, its fingerprint, and a number that people can say."""

    problem: Problem
    path: str
    fingerprint: str
    number: int


def identify_problems(problems: Sequence[Problem], here: File, repository: File) -> list[IdentifiedProblem]:
    """Identify each problem by its code, its path, the text of its line, and how often these occurred before."""
    counts = Counter[tuple[str, str, str]]()
    identities = list[tuple[Problem, str, str]]()
    for problem in problems:
        path = repository_path(problem.span.source.path, here, repository)
        key = problem.code, path, line_text(problem)
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


def line_text(problem: Problem) -> str:
    """The line of a problem without the spaces around it; empty for a problem of the whole file."""
    source, start, end = problem.span
    return "" if start == end == 0 else source.line(source.position(start)[0]).strip()


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
