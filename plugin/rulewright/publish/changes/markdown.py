"""An outline as Markdown, in which no sign of a text means anything, and few need a backslash for that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..columns import visible
from .outline import Grid, Line, Section

SIGN = re.compile(r"([\\`*_{}\[\]<>#|~^$&]|==|:(?=\w)|^[-+](?=\s)|(?<=^\d)[.)](?=\s))")

BLANKS = re.compile(r"[^\S\u00a0]+")  # but for the one at which no line ends


def markdown(sections: Iterable[Section], level: int = 2) -> str:
    return "\n".join(line for section in sections for line in of_section(section, level)).rstrip("\n") + "\n"


def of_section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {plain(section.title)}"
    yield ""
    listed = False
    for part in section.body:
        if isinstance(part, Grid):
            yield from [""] if listed else []
            yield from table(part)
            listed = False
        else:
            yield item(part)
            listed = True
    yield from [""] if listed else []


def item(one: Line) -> str:
    return f"{'    ' * one.depth}- {plain(one.text)}"


def table(one: Grid) -> Iterator[str]:
    yield from [plain(one.caption), ""] if one.caption else []
    head, *rows = one.rows
    yield row(head)
    yield "| " + " | ".join(["---", *["--:"] * (len(head) - 1)]) + " |"
    yield from map(row, rows)
    yield ""


def row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(plain, cells)) + " |"


def plain(text: str) -> str:
    return SIGN.sub(r"\\\1", visible(BLANKS.sub(" ", text.strip())))
