"""Reports of a check: problems as text and JSON. Other formats have modules of their own, listed in `cli/report.py`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..source import Problem, Span
from .text_width import screen_column, visible

INDENT = "   "
_LONGEST = 110  # characters of a quoted line; if it wrapped, the carets would point to the wrong place
_SHORT = 60
_STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "place": "1", "quiet": "2", "fix": "32"}
SEVERITIES = {"error": "error", "warning": "warning", "info": "remark"}  # with their nouns
_MARKUP = re.compile(r"[\s>]*")

Paint = Callable[[str, str], str]


def format_problem_counts(problems: Iterable[Problem]) -> str:
    """The numbers of problems in words: "2 errors, 1 warning", or "no problems"."""
    severities = Counter(problem.severity for problem in problems)
    numbers = (count(severities[name], noun) for name, noun in SEVERITIES.items() if severities[name])
    return ", ".join(numbers) or "no problems"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def format_problems(problems: Iterable[Problem], colour: bool = False) -> str:
    """All problems for the terminal, separated by blank lines."""
    paint = paint_ansi if colour else paint_nothing
    return "\n\n".join("\n".join(problem_lines(problem, paint)) for problem in problems)


def paint_nothing(words: str, _style: str) -> str:
    return words


def paint_ansi(words: str, style: str) -> str:
    return f"\033[{_STYLES[style]}m{words}\033[0m"


def problem_lines(problem: Problem, paint: Paint) -> Iterator[str]:
    """One problem: position, message, the quoted line, notes, fix."""
    kind = paint(f"{problem.severity}[{problem.code}]", problem.severity)
    yield f"{paint(format_position(problem.span) + ':', 'place')} {kind} {visible(problem.message)}"
    if problem.trail:
        yield INDENT + paint(visible(" › ".join(problem.trail)), "quiet")
    if not _is_whole_file(problem.span):
        yield from _quote_line(problem.span, problem.severity, paint)
    for note in problem.notes:
        yield from (INDENT + visible(line) for line in note.split("\n"))
    if problem.fix:
        yield f"{INDENT}{paint('fix: ' + format_fix(problem), 'fix')}      (rulewright check --fix writes it)"


def format_position(span: Span) -> str:
    line, number = span.source.position(span.start)
    return f"{visible(span.source.path) or 'text'}:{line}:{number}"


def _is_whole_file(span: Span) -> bool:
    """An empty span at offset 0 means the whole file."""
    return span.start == span.end == 0


def _quote_line(span: Span, severity: str, paint: Paint) -> Iterator[str]:
    """The line of the problem, and carets below the span."""
    number, first = span.source.position(span.start)
    full_line = span.source.line(number)
    last = min(first + max(span.end - span.start, 1), max(len(full_line), first) + 1)
    line, first, last = _excerpt(full_line, first, last)
    left, right = screen_column(line, first), screen_column(line, last)
    gutter = len(str(number)) * " "
    yield f"{INDENT}{paint(f'{number} |', 'quiet')}" + (f" {visible(line)}" if line else "")
    yield f"{INDENT}{paint(f'{gutter} |', 'quiet')} {' ' * left}{paint('^' * max(right - left, 1), severity)}"


def _excerpt(line: str, first: int, last: int) -> tuple[str, int, int]:
    """The part of a long line around two columns, and the columns in it."""
    if len(line) <= _LONGEST:
        return line, first, last
    start = max(0, min(first - 1 - _LONGEST // 3, len(line) - _LONGEST))
    lead, tail = "… " if start else "", " …" if start + _LONGEST < len(line) else ""
    shift = len(lead) - start
    return lead + line[start : start + _LONGEST] + tail, first + shift, min(last + shift, len(lead) + _LONGEST + 1)


def format_fix(problem: Problem) -> str:
    """The line after the fix; of a long line only the new text."""
    assert problem.fix
    if problem.fix.summary:
        return visible(problem.fix.summary)
    span, new = problem.fix.span, problem.fix.text
    if "\n" in new + span.text:
        return visible(new.strip().partition("\n")[0]) + " …"
    number, first = span.source.position(span.start)
    line = span.source.line(number)
    after = _MARKUP.sub("", line[: first - 1] + new + line[first - 1 + len(span.text) :], count=1).rstrip()
    if not after:
        return "remove this line"
    return visible(after if len(after) <= _SHORT else new) or f'remove "{visible(span.text)}"'


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """The `problems` of the JSON report; ends are exclusive."""
    from .digest import cause_of  # needs the names of all checks

    return [
        {
            "code": problem.code,
            "severity": problem.severity,
            "path": problem.span.source.path,
            **span_ends(problem.span),
            "trail": list(problem.trail),
            "message": problem.message,
            "notes": list(problem.notes),
            "fix": {**span_ends(problem.fix.span), "text": problem.fix.text} if problem.fix else None,
            "cause": cause_of(problem),
        }
        for problem in problems
    ]


def span_ends(span: Span) -> dict[str, int]:
    """The start and end of a span as lines and columns."""
    line, first = span.source.position(span.start)
    end_line, last = span.source.position(span.end)
    return {"line": line, "column": first, "end_line": end_line, "end_column": last}
