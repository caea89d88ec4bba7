"""A block rule: tables, as the parser's own rule finds them, without a look at every sign of every cell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

from .inlines import PIPE

RULE = re.compile(r"(?:[|:][|: \t-]|-[|:-])[|: \t-]*")  # a blank behind a single - is an item of a list
COLUMN = re.compile(r"(:?)-+(:?)")
ALIGNED = {("", ""): "", (":", ""): "left", ("", ":"): "right", (":", ":"): "center"}
MOST_FILLED = 65_536  # cells that are missing in short rows
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference"]}


def install(md: MarkdownIt) -> None:
    md.block.ruler.at("table", table, INTERRUPTS)


def table(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    columns = aligned(state, line + 1) if line + 1 < end_line and is_rule(state, line + 1) else []
    if not columns or state.is_code_block(line):
        return False
    text = written(state, line)
    head = cells(text)
    if "|" not in text or len(head) != len(columns):
        return False
    if not silent:
        whole(state, line, end_line, head, columns)
    return True


def is_rule(state: StateBlock, line: int) -> bool:
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    return state.src[start : start + 1] in {"|", "-", ":"} and bool(RULE.fullmatch(state.src, start, end))


def aligned(state: StateBlock, line: int) -> list[str]:
    """How the line below the heads aligns their columns; nothing where it is no such line."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return []
    columns = [mdTrim(column) for column in written(state, line).split("|")]
    found = [COLUMN.fullmatch(column) for column in columns[not columns[0] : len(columns) - (not columns[-1])]]
    return [ALIGNED[column[1], column[2]] for column in found if column] if all(found) else []


def written(state: StateBlock, line: int) -> str:
    return mdTrim(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])


def cells(text: str) -> list[str]:
    """The cells of a row; what a | before the first or behind the last one would part off is none."""
    found = PIPE.split(text)
    found = found[not found[0] :]
    if found and not found[-1]:
        found.pop()
    return [mdTrim(cell.replace("\\|", "|")) for cell in found]


def whole(state: StateBlock, line: int, end_line: int, head: Sequence[str], columns: Sequence[str]) -> None:
    outside, state.parentType = state.parentType, "table"
    opening = state.push("table_open", "table", 1)
    state.push("thead_open", "thead", 1).map = [line, line + 1]
    row(state, line, "th", head, columns)
    state.push("thead_close", "thead", -1)
    state.line = body(state, line + 2, end_line, columns)
    state.push("table_close", "table", -1)
    opening.map, state.parentType = [line, state.line], outside


def body(state: StateBlock, line: int, end_line: int, columns: Sequence[str]) -> int:
    """The rows up to something else, and the number of its line."""
    first, opening, missing = line, None, 0
    rules = state.md.block.ruler.getRules("blockquote")
    while line < end_line and state.sCount[line] >= state.blkIndent and not state.is_code_block(line):
        text = written(state, line)
        found = cells(text)
        missing += len(columns) - len(found)
        if not text or missing > MOST_FILLED or any(rule(state, line, end_line, True) for rule in rules):
            break
        opening = opening or state.push("tbody_open", "tbody", 1)
        row(state, line, "td", found, columns)
        line += 1
    if opening:
        opening.map = [first, line]
        state.push("tbody_close", "tbody", -1)
    return line


def row(state: StateBlock, line: int, tag: str, found: Sequence[str], columns: Sequence[str]) -> None:
    state.push("tr_open", "tr", 1).map = [line, line + 1]
    for number, align in enumerate(columns):
        opening = state.push(f"{tag}_open", tag, 1)
        if align:
            opening.attrs = {"style": f"text-align:{align}"}
        inline = state.push("inline", "", 0)
        inline.map, inline.children = [line, line + 1], []
        inline.content = found[number] if number < len(found) else ""
        state.push(f"{tag}_close", tag, -1)
    state.push("tr_close", "tr", -1)
