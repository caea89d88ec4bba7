"""Block rules of Material for MkDocs: admonitions `!!!`, collapsibles `???` and `???+`, tabs `=== "Title"`."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

BOX = re.compile(r'(!!!|\?\?\?\+?)[ \t]*([\w-]+(?: +[\w-]+)*)?(?: *"(.*)")?[ \t]*$')
TAB = re.compile(r'={3}([+!]{0,2})[ \t]+"(.*)"[ \t]*$')
INDENT = 4
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def install(md: MarkdownIt) -> None:
    md.block.ruler.before("fence", "box", box, INTERRUPTS)
    md.block.ruler.before("fence", "tabs", tabs, INTERRUPTS)


def first_line(state: StateBlock, line: int, marks: str) -> str:
    """The text of a line that begins with one of some marks; nothing otherwise."""
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if start >= end or state.src[start] not in marks or state.is_code_block(line):
        return ""
    return state.src[start:end]


def box(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    if not state.src.startswith(("!!!", "???"), state.bMarks[line] + state.tShift[line]):
        return False
    text = first_line(state, line, "!?")
    found = BOX.match(text) if text else None
    if not found or (found[2] is None and (found[1] == "!!!" or found[3] is None)):
        return False
    if not silent:
        end = end_of_body(state, line, end_line)
        open_box(state, line, end, found)
        body(state, line + 1, end)
        state.push("admonition_close" if found[1] == "!!!" else "details_close", tag(found), -1)
    return True


def tag(found: re.Match[str]) -> str:
    return "div" if found[1] == "!!!" else "details"


def open_box(state: StateBlock, line: int, end: int, found: re.Match[str]) -> None:
    kinds, folds = found[2] or "", found[1] != "!!!"
    token = state.push("details_open" if folds else "admonition_open", tag(found), 1)
    token.attrs = {"class": " ".join(filter(None, ["" if folds else "admonition", kinds.lower()]))}
    if found[1] == "???+":
        token.attrs["open"] = "open"
    token.markup, token.info, token.map = found[1], kinds, [line, end]
    title = kinds.split(" ")[0].capitalize() if found[3] is None else found[3]
    if folds:
        titled(state, "summary", "summary", title, line)
    elif title:
        titled(state, "admonition_title", "p", title, line).attrs = {"class": "admonition-title"}


def titled(state: StateBlock, name: str, tag: str, title: str, line: int) -> Token:
    opening = state.push(f"{name}_open", tag, 1)
    opening.map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = title, [line, line + 1], []
    state.push(f"{name}_close", tag, -1)
    return opening


def tabs(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    if not state.src.startswith("===", state.bMarks[line] + state.tShift[line]):
        return False
    text = first_line(state, line, "=")
    if not text or not TAB.match(text):
        return False
    if silent:
        return True
    opening = state.push("tabs_open", "div", 1)
    opening.attrs, opening.map = {"class": "tabbed-set"}, [line, line]
    while found := next_tab(state, line, end_line):
        line = tab(state, state.line, end_line, found)
    opening.map = [opening.map[0], line]
    state.push("tabs_close", "div", -1)
    return True


def next_tab(state: StateBlock, line: int, end_line: int) -> re.Match[str] | None:
    """The next tab of the same set: the next visible line begins it, and is indented as the first."""
    state.line = state.skipEmptyLines(line)
    if state.line < end_line and state.sCount[state.line] >= state.blkIndent:
        found = TAB.match(first_line(state, state.line, "="))
        if found and (state.tokens[-1].type == "tabs_open" or "!" not in found[1]):
            return found
    state.line = line
    return None


def tab(state: StateBlock, line: int, end_line: int, found: re.Match[str]) -> int:
    end = end_of_body(state, line, end_line)
    token = state.push("tab_open", "div", 1)
    token.attrs, token.map, token.meta = {"class": "tabbed-block"}, [line, end], {"title": found[2]}
    token.markup = found[1]
    titled(state, "tab_title", "p", found[2], line)
    body(state, line + 1, end)
    state.push("tab_close", "div", -1)
    return end


def end_of_body(state: StateBlock, line: int, end_line: int) -> int:
    """The line behind the last one that is indented far enough."""
    end = line + 1
    for number in range(line + 1, end_line):
        if state.isEmpty(number):
            continue
        if state.sCount[number] < state.blkIndent + INDENT:
            break
        end = number + 1
    return end


def body(state: StateBlock, first: int, end: int) -> None:
    before = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", end, state.blkIndent + INDENT
    state.line = first
    state.md.block.tokenize(state, first, end)
    state.parentType, state.lineMax, state.blkIndent = before
    state.line = end
