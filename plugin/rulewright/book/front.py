"""Front matter: what stands between two rules at the very top of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..text import Span
from .paper import Paper

FIELD = re.compile(r"""([\w-]+)[ \t]*:(?:[ \t]+(?:"([^"]*)"|'([^']*)'|(.*)))?$""")
LIKE_YAML = re.compile(r"""[\w"'-][^:]*:(\s|$)|\{""")


def front_lines(paper: Paper) -> int:
    """How many lines the front matter takes, both rules included; 0 without any."""
    if paper.lines[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(paper.lines) if number and line.rstrip() in ("---", "..."))
    end = next(ends, 0)
    return end + 1 if end and is_yaml(paper.lines[1:end]) else 0


def is_yaml(lines: list[str]) -> bool:
    """A page may well begin with a rule, and some lines later have another."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return LIKE_YAML.match(first) is not None


def fields(paper: Paper) -> Mapping[str, Span]:
    """The simple values at the top level; lists and whatever is nested are left to others."""
    found = {}
    for number in range(1, max(paper.hidden - 1, 1)):
        if field := FIELD.match(paper.lines[number].rstrip()):
            group = field.lastindex if field.lastindex and field.lastindex > 1 else 1
            start, end = field.span(group) if group > 1 else (field.end(), field.end())
            found[field[1]] = paper.span(number, start, end)
    return found
