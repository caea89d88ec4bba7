"""The Markdown parser: CommonMark with the extensions of Material for MkDocs (boxes, tabs, Markdown in HTML)."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from .inline_rules import install as attributes_install
from .inline_rules import math_install, traces_install

DEFINITION = re.compile(r"\*\[([^\]\\\n]+)\][ ]?:[ \t]*(\S.*)")
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def install(md: MarkdownIt) -> None:
    """Add abbreviations: `*[HP]: hit points`."""
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


BOX = re.compile(r'(!!!|\?\?\?\+?)[ \t]*([\w-]+(?: +[\w-]+)*)?(?: *"(.*)")?[ \t]*$')
TAB = re.compile(r'={3}([+!]{0,2})[ \t]+"(.*)"[ \t]*$')
INDENT = 4
CONTAINERS_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def containers_install(md: MarkdownIt) -> None:
    """Add boxes (`!!!`, `???`) and tabs (`===`)."""
    md.block.ruler.before("fence", "box", box, CONTAINERS_INTERRUPTS)
    md.block.ruler.before("fence", "tabs", tabs, CONTAINERS_INTERRUPTS)


def first_line(state: StateBlock, line: int, marks: str) -> str:
    """The text of a line that begins with one of the characters in `marks`, else an empty string."""
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if start >= end or state.src[start] not in marks or state.is_code_block(line):
        return ""
    return state.src[start:end]


def box(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Parse an admonition (`!!!`) or a folding box (`???`)."""
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
    """Push an element with inline text."""
    opening = state.push(f"{name}_open", tag, 1)
    opening.map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = title, [line, line + 1], []
    state.push(f"{name}_close", tag, -1)
    return opening


def tabs(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Parse a set of tabs."""
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
    """Match the next tab of a set on the next line that is not empty, and move `state.line` to it."""
    state.line = state.skipEmptyLines(line)
    if state.line < end_line and state.sCount[state.line] >= state.blkIndent:
        found = TAB.match(first_line(state, state.line, "="))
        if found and (state.tokens[-1].type == "tabs_open" or "!" not in found[1]):
            return found
    state.line = line
    return None


def tab(state: StateBlock, line: int, end_line: int, found: re.Match[str]) -> int:
    """Parse one tab; return the line after it."""
    end = end_of_body(state, line, end_line)
    token = state.push("tab_open", "div", 1)
    token.attrs, token.map, token.meta = {"class": "tabbed-block"}, [line, end], {"title": found[2]}
    token.markup = found[1]
    titled(state, "tab_title", "p", found[2], line)
    body(state, line + 1, end)
    state.push("tab_close", "div", -1)
    return end


def end_of_body(state: StateBlock, line: int, end_line: int) -> int:
    """The line after the last one that is indented far enough."""
    end = line + 1
    for number in range(line + 1, end_line):
        if state.isEmpty(number):
            continue
        if state.sCount[number] < state.blkIndent + INDENT:
            break
        end = number + 1
    return end


def body(state: StateBlock, first: int, end: int) -> None:
    """Parse the indented lines of a box or tab."""
    before = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", end, state.blkIndent + INDENT
    state.line = first
    state.md.block.tokenize(state, first, end)
    state.parentType, state.lineMax, state.blkIndent = before
    state.line = end


ATTRIBUTE = r"""\s+([a-zA-Z_:][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
OPENING = re.compile(r"<([a-zA-Z][\w-]*)((?:" + ATTRIBUTE + r")*)\s*>")
ATTRIBUTES = re.compile(ATTRIBUTE)
WANTED = {"", "1", "block", "span", "markdown", "true"}
WORDS = re.compile(r"address|dd|dt|figcaption|h[1-6]|label|legend|li|p|span|summary|td|th")  # hold no paragraphs
ONLY_WORDS = re.compile(r"\smarkdown\s*=\s*[\"']?span\b")
INNER_HTML_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}

Attributes = dict[str, str | int | float]


def inner_html_install(md: MarkdownIt) -> None:
    """Add Markdown inside of HTML: `<div markdown>`."""
    md.block.ruler.before("html_block", "inner_html", inner_html, INNER_HTML_INTERRUPTS)


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
    """The attributes of a tag with the attribute `markdown`, without that one; None for other tags."""
    if "markdown" not in opening[2]:
        return None
    found: Attributes = {key: value.strip("\"'") for key, value in ATTRIBUTES.findall(opening[2])}
    return found if str(found.pop("markdown", "no")).lower() in WANTED else None


def find_closing(state: StateBlock, opening: re.Match[str], line: int, end_line: int) -> tuple[int, int, int] | None:
    """Line, start and end of the tag that closes an element; None if the container ends before it."""
    start, end = pairs(state, opening[1].lower()).get(opening.start(), (0, 0))
    last = bisect_left(state.eMarks, end)
    if not end or last >= end_line:
        return None
    outside = (state.sCount[n] < state.blkIndent and not state.isEmpty(n) for n in range(line + 1, last + 1))
    return None if any(outside) else (last, start, end)


def pairs(state: StateBlock, name: str) -> dict[int, tuple[int, int]]:
    """For all elements of one name on the page: offset of the opening tag -> span of the closing tag."""
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
    """Parse the content of an HTML element as Markdown."""
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
    """What the parser knows of a line, to restore it later."""
    return state.bMarks[number], state.eMarks[number], state.tShift[number], state.sCount[number]


def narrow(state: StateBlock, line: int, start: int) -> None:
    """Make a line begin at a later offset."""
    first = start
    while first < state.eMarks[line] and state.src[first] in " \t":
        first += 1
    state.bMarks[line], state.tShift[line], state.sCount[line] = first, 0, state.blkIndent


def tokenize(state: StateBlock, line: int, last: int) -> None:
    """Parse the lines of an HTML element."""
    if state.bMarks[last] + state.tShift[last] > state.eMarks[last]:
        state.tShift[last] = max(state.eMarks[last] - state.bMarks[last], 0)
    before = state.parentType, state.lineMax
    state.parentType, state.lineMax, state.line = "html", last + 1, line
    state.md.block.tokenize(state, line, last + 1)
    state.parentType, state.lineMax = before


def behind(state: StateBlock, line: int, start: int) -> None:
    """Parse the text after a closing tag as a paragraph."""
    text = state.src[start : state.eMarks[line]].strip()
    if text:
        state.push("paragraph_open", "p", 1).map = [line, line + 1]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = text, [line, line + 1], []
        state.push("paragraph_close", "p", -1)


DEEPEST = 100  # nested containers; a list counts twice, for itself and its item
OPTIONS = {"maxNesting": DEEPEST, "alerts": True, "tasklists": True, "store_labels": True}


@cache
def parser(formulas: bool = False) -> MarkdownIt:
    """The parser. Footnotes stay where they are written, so that those without a reference are kept."""
    md = MarkdownIt("commonmark", OPTIONS).enable(["table", "strikethrough"]).disable("normalize")  # by Paper
    md.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    containers_install(md)
    inner_html_install(md)
    attributes_install(md)
    traces_install(md)
    install(md)
    if formulas:
        math_install(md)
    return md


def parse(text: str, formulas: bool = False) -> tuple[list[Token], dict[str, object]]:
    """The tokens of a text, and the environment of the parser with its references."""
    found: dict[str, object] = {}
    return parser(formulas).parse(text, found), found
