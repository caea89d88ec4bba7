"""The digest of a report: what costs a player most comes first, and problems with one cause are one entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..compile.problem_families import is_about_rules, weigh
from ..source import Problem

_T = TypeVar("_T")
MAX_PER_PAGE = 200  # entries; what is left out is counted
_RANKS = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class Entry(Generic[_T]):
    """A problem, and the others with the same cause."""

    first: _T
    others: Sequence[_T] = ()

    @property
    def all(self) -> list[_T]:
        return [self.first, *self.others]


@dataclass(frozen=True)
class Digest(Generic[_T]):
    """The entries of a report in their order, and how many were left out on which page."""

    entries: Sequence[Entry[_T]]
    left_out: Counter[str]


def cause_of(problem: Problem) -> str:
    """What groups a problem with others; empty if it is grouped with none.

    Equal messages have one cause, except about blocks: two examples may be wrong in the same words for two reasons.
    """
    is_alone = is_about_rules(problem.code) or problem.code == "prose-drift"
    return problem.cause or ("" if is_alone else f"{problem.code}: {problem.message}")


def digest(items: Iterable[_T], problem_of: Callable[[_T], Problem], each: bool = False) -> Digest[_T]:
    """Group items by the causes of their problems, and sort them. With `each`, no problem is folded or left out."""
    groups = dict[object, list[_T]]()
    for number, item in enumerate(items):
        cause = "" if each else cause_of(problem_of(item))
        groups.setdefault(cause or number, []).append(item)
    entries = [_make_entry(group, problem_of) for group in groups.values()]
    entries.sort(key=lambda entry: _weight(problem_of(entry.first)))
    counts, left_out, kept = Counter[str](), Counter[str](), list[Entry[_T]]()
    for entry in entries:
        path = problem_of(entry.first).path
        counts[path] += 1
        if each or counts[path] <= MAX_PER_PAGE:
            kept.append(entry)
        else:
            left_out[path] += 1
    return Digest(kept, left_out)


def _make_entry(group: Sequence[_T], problem_of: Callable[[_T], Problem]) -> Entry[_T]:
    first, *others = sorted(group, key=lambda item: _weight(problem_of(item)))
    return Entry(first, others)


def _weight(problem: Problem) -> tuple[bool, int, int]:
    """What sorts problems: remarks come last, then by subject, then errors before warnings."""
    return problem.severity == "info", weigh(problem.code), _RANKS[problem.severity]


def count_by(items: Iterable[_T], key: Callable[[_T], str], most: int) -> str:
    """Totals in words, the highest first: "link-missing 171, unfinished-mark 3 and 2 more"."""
    totals = Counter(map(key, items)).most_common()
    more = f" and {len(totals) - most} more" if len(totals) > most else ""
    return ", ".join(f"{name} {number:,}" for name, number in totals[:most]) + more
