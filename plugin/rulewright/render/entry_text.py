"""The entries of a digest as text: the first problem in full, and where the others with its cause are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..source import Problem
from .digest import Entry
from .reports import INDENT, Paint, count, format_position, paint_ansi, paint_nothing, problem_lines
from .text_width import visible

_MAX_PLACES = 5  # of one entry, and one more rather than "and 1 more"


def count_hidden(others: Sequence[object]) -> int:
    """How many places of an entry are not shown."""
    return len(others) - _MAX_PLACES if len(others) > _MAX_PLACES + 1 else 0


def format_entries(entries: Iterable[Entry[Problem]], color: bool = False) -> str:
    """The entries of a digest for the terminal, separated by blank lines."""
    paint = paint_ansi if color else paint_nothing
    return "\n\n".join("\n".join(_entry_lines(entry, paint)) for entry in entries)


def _entry_lines(entry: Entry[Problem], paint: Paint) -> Iterator[str]:
    """The first problem of an entry in full, and a line for each of the next."""
    if heading := entry_heading(entry.all):
        yield paint(visible(heading), "place")
    yield from problem_lines(entry.first, paint)
    yield from (
        INDENT + line for line in other_lines(entry.first, entry.others, lambda other: format_position(other.span))
    )


def entry_heading(problems: Sequence[Problem]) -> str:
    """The line above problems with one cause that say different things."""
    cause, pages = problems[0].cause, len({problem.path for problem in problems})
    if len({problem.message for problem in problems}) < 2:
        return ""
    if any(problem.code == "prose-number" for problem in problems):
        return f"{cause}; {len(problems):,} places on {count(pages, 'page')} disagree"
    return f"{len(problems):,} places with one cause: {cause}"


def other_lines(first: Problem, others: Sequence[Problem], place_of: Callable[[Problem], str]) -> Iterator[str]:
    """The first places of the other problems of an entry, and the number of the rest."""
    rest = count_hidden(others)
    listed = others[: len(others) - rest]
    if entry_heading([first, *others]):
        yield from ("; ".join([f"{place_of(other)}: {visible(other.message)}", *other.notes[:1]]) for other in listed)
        if rest > 0:
            yield f"and {rest:,} more"
    elif others:
        more = f" and {rest:,} more" if rest > 0 else ""
        yield f"also at {', '.join(map(place_of, listed))}{more}"
