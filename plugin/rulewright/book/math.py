"""Rules for formulas in TeX, for sites that show them: `$…$`, `\\(…\\)`, `$$…$$`, `\\[…\\]`, `\\begin{…}…\\end{…}`.

A rulebook without them may well speak of $5 and $10, so only a site that asks for formulas is read like this.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

INLINE = re.compile(r"\$(?![\s$])(?:\\.|[^\\$])+?(?<!\s)\$|\\\((?:\\[^)]|[^\\])+?\\\)", re.DOTALL)
OPENING = re.compile(r"\$\$|\\\[|\\begin\{([a-z]+\*?)\}")
CLOSING = {"$$": "$$", "\\[": "\\]"}
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def install(md: MarkdownIt) -> None:
    md.inline.ruler.before("escape", "math_inline", inline)
    md.block.ruler.before("fence", "math_block", block, INTERRUPTS)


def inline(state: StateInline, silent: bool) -> bool:
    found = INLINE.match(state.src, state.pos, state.posMax) if state.src[state.pos] in "$\\" else None
    if not found:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = found[0]
    state.pos = found.end()
    return True


def block(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    opening = OPENING.match(state.src, start, state.eMarks[line])
    if not opening or state.is_code_block(line):
        return False
    closing = CLOSING.get(opening[0]) or f"\\end{{{opening[1]}}}"
    last = closed(state, line, end_line, closing, opening.end())
    if last is None:
        return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.map, token.content = [line, last + 1], state.getLines(line, last + 1, state.blkIndent, False).strip()
        state.line = last + 1
    return True


def closed(state: StateBlock, line: int, end_line: int, closing: str, behind: int) -> int | None:
    """The line that the closing sign ends; no blank line may stand before."""
    for number in range(line, end_line):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent:
            return None
        start = max(behind, state.bMarks[number])
        if state.src[start : state.eMarks[number]].rstrip().endswith(closing):
            return number
    return None
