"""A block rule: `*[HP]: Hit points` says what an abbreviation means; nothing of it is shown where it stands."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

DEFINITION = re.compile(r"\*\[([^\]\\\n]+)\][ ]?:[ \t]*(\S.*)")
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def install(md: MarkdownIt) -> None:
    md.block.ruler.before("fence", "abbreviation", abbreviation, INTERRUPTS)


def abbreviation(state: StateBlock, line: int, _end_line: int, silent: bool) -> bool:
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if not state.src.startswith("*[", start, end) or state.is_code_block(line):
        return False
    found = DEFINITION.fullmatch(state.src, start, end)
    if not found or not found[1].strip():
        return False
    if not silent:
        token = state.push("abbreviation", "", 0)
        token.map, token.info, token.meta = [line, line + 1], found[1].strip(), {"means": found[2].strip()}
        state.line = line + 1
    return True
