"""Reports for sites that host repositories: commands and step outputs for GitHub, code quality for GitLab."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from ..source import Problem
from .digest import Entry
from .entry_text import other_lines
from .fingerprints import IdentifiedProblem
from .reports import SEVERITIES, format_fix, span_ends

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_MAX_ANNOTATIONS = 10  # of each severity that GitHub shows for one step
_GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def format_github(entries: Iterable[Entry[IdentifiedProblem]]) -> str:
    """Workflow commands, one per line, that GitHub shows next to the changed lines: first one of each cause."""
    causes = list(entries)
    others = (Entry(other) for entry in causes for other in entry.others)
    return "\n".join(map(_github_command, (*causes, *others)))


def shown_annotations(problems: Iterable[Problem]) -> str:
    """How many of the problems GitHub shows next to their lines; empty if it shows all of them."""
    totals = Counter(problem.severity for problem in problems)
    parts = [
        f"{_MAX_ANNOTATIONS} of {number:,} {SEVERITIES[severity]}s"
        for severity, number in totals.items()
        if number > _MAX_ANNOTATIONS
    ]
    return f"GitHub marks {' and '.join(parts)} in the files; the report has all of them." if parts else ""


def _github_command(entry: Entry[IdentifiedProblem]) -> str:
    identified, problem = entry.first, entry.first.problem
    position = span_ends(problem.span)
    named = {"file": identified.path, "line": position["line"], "endLine": position["end_line"]}
    if position["line"] == position["end_line"]:  # GitHub supports columns only within one line
        named |= {"col": position["column"], "endColumn": max(position["end_column"] - 1, position["column"])}
    named["title"] = problem.code
    settings = ",".join(f"{name}={_escape_command(str(value), ':,')}" for name, value in named.items())
    return f"::{_COMMANDS[problem.severity]} {settings}::" + _escape_command("\n".join(full_message(entry)))


def full_message(entry: Entry[IdentifiedProblem]) -> list[str]:
    """The lines of a message with its notes, its fix and the other places with the same cause."""
    problem = entry.first.problem
    paths = {id(identified.problem): identified.path for identified in entry.others}
    fix = ["fix: " + format_fix(problem)] if problem.fix else []
    others = [identified.problem for identified in entry.others]
    return [
        problem.message,
        *problem.notes,
        *fix,
        *other_lines(problem, others, lambda other: f"{paths[id(other)]}:{other.line}"),
    ]


def _escape_command(words: str, also: str = "") -> str:
    """Percent-encode special characters of a workflow command."""
    for sign in "%\r\n" + also:
        words = words.replace(sign, f"%{ord(sign):02X}")
    return words


def format_step_outputs(problems: Iterable[Problem]) -> str:
    """Lines for the file `GITHUB_OUTPUT`: the number of problems, of errors and of warnings."""
    severities = Counter(problem.severity for problem in problems)
    return f"problems={severities.total()}\nerrors={severities['error']}\nwarnings={severities['warning']}\n"


def format_gitlab(problems: Iterable[IdentifiedProblem]) -> str:
    """A code quality report of GitLab."""
    entries = [
        {
            "description": identified.problem.message,
            "check_name": identified.problem.code,
            "fingerprint": identified.fingerprint,
            "severity": _GITLAB_SEVERITIES[identified.problem.severity],
            "location": {"path": identified.path, "lines": {"begin": span_ends(identified.problem.span)["line"]}},
        }
        for identified in problems
    ]
    return json.dumps(entries, ensure_ascii=False, indent=2)
