"""A block rule: Markdown inside HTML, where the tag says `markdown="1"`."""

from __future__ import annotations

import re
from bisect import bisect_left

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

ATTRIBUTE = r"""\s+([a-zA-Z_:][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
OPENING = re.compile(r"<([a-zA-Z][\w-]*)((?:" + ATTRIBUTE + r")*)\s*>")
ATTRIBUTES = re.compile(ATTRIBUTE)
WANTED = {"", "1", "block", "span", "markdown", "true"}
WORDS = re.compile(r"address|dd|dt|figcaption|h[1-6]|label|legend|li|p|span|summary|td|th")  # hold no paragraphs
ONLY_WORDS = re.compile(r"\smarkdown\s*=\s*[\"']?span\b")
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}

Attributes = dict[str, str | int | float]


def install(md: MarkdownIt) -> None:
    md.block.ruler.before("html_block", "inner_html", inner_html, INTERRUPTS)


def inner_html(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if start >= end or state.src[start] != "<" or state.is_code_block(line):
        return False
    opening = OPENING.match(state.src, start, end)
    attributes = asked_for(opening) if opening else None
    if not opening or attributes is None:
        return False
    closing = find_closing(state, opening, line, end_line)
    if closing is None:
        return False
    if not silent:
        element(state, opening, attributes, line, closing)
    return True


def asked_for(opening: re.Match[str]) -> Attributes | None:
    """The attributes of a tag that wants Markdown inside, without the one that says so."""
    if "markdown" not in opening[2]:
        return None
    found: Attributes = {key: value.strip("\"'") for key, value in ATTRIBUTES.findall(opening[2])}
    return found if str(found.pop("markdown", "no")).lower() in WANTED else None


def find_closing(state: StateBlock, opening: re.Match[str], line: int, end_line: int) -> tuple[int, int, int] | None:
    """Line, start and end of the tag that closes the element."""
    start, end = pairs(state, opening[1].lower()).get(opening.start(), (0, 0))
    last = bisect_left(state.eMarks, end)
    if not end or last >= end_line:
        return None
    outside = (state.sCount[n] < state.blkIndent and not state.isEmpty(n) for n in range(line + 1, last + 1))
    return None if any(outside) else (last, start, end)


def pairs(state: StateBlock, name: str) -> dict[int, tuple[int, int]]:
    """All tags of one name on the page: where an element opens, and where the tag stands that closes it."""
    known: dict[str, dict[int, tuple[int, int]]] = state.env.setdefault("pairs", {})
    if name not in known:
        known[name], opened = {}, []
        for tag in re.finditer(rf"<(/?){re.escape(name)}(?=[\s>])[^<>]*>", state.src, re.IGNORECASE):
            if not tag[1]:
                opened.append(tag.start())
            elif opened:
                known[name][opened.pop()] = tag.span()
    return known[name]


def element(
    state: StateBlock, opening: re.Match[str], attributes: Attributes, line: int, closing: tuple[int, int, int]
) -> None:
    name = opening[1].lower()
    last, inner_end, outer_end = closing
    token = state.push("html_open", name, 1)
    token.attrs, token.map = attributes, [line, last + 1]
    token.meta = {
        "at": opening[0],
        "words": WORDS.fullmatch(name) is not None or ONLY_WORDS.search(opening[2]) is not None,
    }
    marks = [(number, *line_of(state, number)) for number in (line, last)]
    narrow(state, line, opening.end())
    state.eMarks[last] = inner_end
    tokenize(state, line, last)
    for number, begin, end, shift, count in marks:
        state.bMarks[number], state.eMarks[number] = begin, end
        state.tShift[number], state.sCount[number] = shift, count
    state.push("html_close", name, -1)
    behind(state, last, outer_end)
    state.line = last + 1


def line_of(state: StateBlock, number: int) -> tuple[int, int, int, int]:
    return state.bMarks[number], state.eMarks[number], state.tShift[number], state.sCount[number]


def narrow(state: StateBlock, line: int, start: int) -> None:
    """Lets a line begin later, as if nothing stood before."""
    first = start
    while first < state.eMarks[line] and state.src[first] in " \t":
        first += 1
    state.bMarks[line], state.tShift[line], state.sCount[line] = first, 0, state.blkIndent


def tokenize(state: StateBlock, line: int, last: int) -> None:
    if state.bMarks[last] + state.tShift[last] > state.eMarks[last]:
        state.tShift[last] = max(state.eMarks[last] - state.bMarks[last], 0)
    before = state.parentType, state.lineMax
    state.parentType, state.lineMax, state.line = "html", last + 1, line
    state.md.block.tokenize(state, line, last + 1)
    state.parentType, state.lineMax = before


def behind(state: StateBlock, line: int, start: int) -> None:
    """What stands behind the closing tag on its line is text again."""
    text = state.src[start : state.eMarks[line]].strip()
    if text:
        state.push("paragraph_open", "p", 1).map = [line, line + 1]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = text, [line, line + 1], []
        state.push("paragraph_close", "p", -1)
