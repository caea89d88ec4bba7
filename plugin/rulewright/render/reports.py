"""Reports of a check: problems as text, JSON and GitHub commands; checked blocks as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..source import Problem, Span
from .text_width import column, visible

INDENT = "   "
LONGEST = 110  # characters of a quoted line; if it wrapped, the carets would point to the wrong place
SHORT = 60
STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "place": "1", "quiet": "2", "fix": "32"}
COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
MARKUP = re.compile(r"[\s>]*")

Paint = Callable[[str, str], str]


def text(problems: Iterable[Problem], colour: bool = False) -> str:
    """All problems for the terminal, separated by blank lines."""
    paint = coloured if colour else plain
    return "\n\n".join("\n".join(lines(problem, paint)) for problem in problems)


def plain(words: str, _style: str) -> str:
    return words


def coloured(words: str, style: str) -> str:
    return f"\033[{STYLES[style]}m{words}\033[0m"


def lines(problem: Problem, paint: Paint) -> Iterator[str]:
    """One problem: position, message, the quoted line, notes, fix."""
    kind = paint(f"{problem.severity}[{problem.code}]", problem.severity)
    yield f"{paint(place(problem.span) + ':', 'place')} {kind} {visible(problem.message)}"
    if problem.trail:
        yield INDENT + paint(visible(" › ".join(problem.trail)), "quiet")
    if not whole_file(problem.span):
        yield from quoted(problem.span, problem.severity, paint)
    for note in problem.notes:
        yield from (INDENT + visible(line) for line in note.split("\n"))
    if problem.fix:
        yield f"{INDENT}{paint('fix: ' + mended(problem), 'fix')}      (rulewright check --fix writes it)"


def place(span: Span) -> str:
    line, number = span.source.place(span.start)
    return f"{visible(span.source.path) or 'text'}:{line}:{number}"


def whole_file(span: Span) -> bool:
    """An empty span at offset 0 means the whole file."""
    return span.start == span.end == 0


def quoted(span: Span, severity: str, paint: Paint) -> Iterator[str]:
    """The line of the problem, and carets below the span."""
    number, first = span.source.place(span.start)
    whole = span.source.line(number)
    last = min(first + max(span.end - span.start, 1), max(len(whole), first) + 1)
    line, first, last = excerpt(whole, first, last)
    left, right = column(line, first), column(line, last)
    gutter = len(str(number)) * " "
    yield f"{INDENT}{paint(f'{number} |', 'quiet')}" + (f" {visible(line)}" if line else "")
    yield f"{INDENT}{paint(f'{gutter} |', 'quiet')} {' ' * left}{paint('^' * max(right - left, 1), severity)}"


def excerpt(line: str, first: int, last: int) -> tuple[str, int, int]:
    """The part of a long line around two columns, and the columns in it."""
    if len(line) <= LONGEST:
        return line, first, last
    start = max(0, min(first - 1 - LONGEST // 3, len(line) - LONGEST))
    lead, tail = "… " if start else "", " …" if start + LONGEST < len(line) else ""
    shift = len(lead) - start
    return lead + line[start : start + LONGEST] + tail, first + shift, min(last + shift, len(lead) + LONGEST + 1)


def mended(problem: Problem) -> str:
    """The line after the fix; of a long line only the new text."""
    assert problem.fix
    span, new = problem.fix.span, problem.fix.text
    if "\n" in new + span.text:
        return visible(new.strip().partition("\n")[0]) + " …"
    number, first = span.source.place(span.start)
    line = span.source.line(number)
    after = MARKUP.sub("", line[: first - 1] + new + line[first - 1 + len(span.text) :], count=1).rstrip()
    if not after:
        return "remove this line"
    return visible(after if len(after) <= SHORT else new) or f"remove «{visible(span.text)}»"


def as_json(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """The `problems` of the JSON report; ends are exclusive."""
    return [
        {
            "code": problem.code,
            "severity": problem.severity,
            "path": problem.span.source.path,
            **ends(problem.span),
            "trail": list(problem.trail),
            "message": problem.message,
            "notes": list(problem.notes),
            "fix": {**ends(problem.fix.span), "text": problem.fix.text} if problem.fix else None,
        }
        for problem in problems
    ]


def ends(span: Span) -> dict[str, int]:
    """The start and end of a span as lines and columns."""
    line, first = span.source.place(span.start)
    end_line, last = span.source.place(span.end)
    return {"line": line, "column": first, "end_line": end_line, "end_column": last}


def github(problems: Iterable[Problem]) -> str:
    """Workflow commands, one per line, that GitHub shows next to the changed lines."""
    return "\n".join(map(command, problems))


def command(problem: Problem) -> str:
    """One problem as a workflow command."""
    where = ends(problem.span)
    named = {"file": problem.span.source.path, "line": where["line"], "endLine": where["end_line"]}
    if where["line"] == where["end_line"]:  # GitHub supports columns only within one line
        named |= {"col": where["column"], "endColumn": max(where["end_column"] - 1, where["column"])}
    named["title"] = problem.code
    settings = ",".join(f"{name}={escaped(str(value), ':,')}" for name, value in named.items())
    fix = ["fix: " + mended(problem)] if problem.fix else []
    return f"::{COMMANDS[problem.severity]} {settings}::" + escaped("\n".join([problem.message, *problem.notes, *fix]))


def escaped(words: str, also: str = "") -> str:
    """Percent-encode special characters of a workflow command."""
    for sign in "%\r\n" + also:
        words = words.replace(sign, f"%{ord(sign):02X}")
    return words
