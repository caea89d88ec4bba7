"""An outline as Markdown, in which no sign of a text means anything, and few need a backslash for that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..columns import visible
from .outline import Grid, Line, Section

MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~^$&]|==|:(?=\w)|^[-+](?=\s)|(?<=^\d)[.)](?=\s))")

WHITESPACE = re.compile(r"[^\S\u00a0]+")  # but for the one at which no line ends


def render_markdown(sections: Iterable[Section], level: int = 2) -> str:
    return "\n".join(line for section in sections for line in markdown_section(section, level)).rstrip("\n") + "\n"


def markdown_section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escape_markdown(section.title)}"
    yield ""
    listed = False
    for part in section.body:
        if isinstance(part, Grid):
            yield from [""] if listed else []
            yield from markdown_table(part)
            listed = False
        else:
            yield markdown_item(part)
            listed = True
    yield from [""] if listed else []


def markdown_item(one: Line) -> str:
    return f"{'    ' * one.depth}- {escape_markdown(one.text)}"


def markdown_table(one: Grid) -> Iterator[str]:
    yield from [escape_markdown(one.caption), ""] if one.caption else []
    head, *rows = one.rows
    yield markdown_row(head)
    yield "| " + " | ".join(["---", *["--:"] * (len(head) - 1)]) + " |"
    yield from map(markdown_row, rows)
    yield ""


def markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(escape_markdown, cells)) + " |"


def escape_markdown(text: str) -> str:
    return MARKUP.sub(r"\\\1", visible(WHITESPACE.sub(" ", text.strip())))
