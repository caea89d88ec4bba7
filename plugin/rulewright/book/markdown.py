"""The Markdown parser: CommonMark with the extensions of Material for MkDocs (boxes, tabs, Markdown in HTML)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from .inline_rules import install_attributes, install_links, install_math

_ABBREVIATION = re.compile(r"\*\[([^\]\\\n]+)\][ ]?:[ \t]*(\S.*)")
_ABBREVIATION_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def _install_abbreviations(md: MarkdownIt) -> None:
    """Add abbreviations: `*[HP]: hit points`."""
    md.block.ruler.before("fence", "abbreviation", _parse_abbreviation, _ABBREVIATION_INTERRUPTS)


def _parse_abbreviation(state: StateBlock, line: int, _end_line: int, silent: bool) -> bool:
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if not state.src.startswith("*[", start, end) or state.is_code_block(line):
        return False
    match = _ABBREVIATION.fullmatch(state.src, start, end)
    if not match or not match[1].strip():
        return False
    if not silent:
        token = state.push("abbreviation", "", 0)
        token.map, token.info, token.meta = [line, line + 1], match[1].strip(), {"means": match[2].strip()}
        state.line = line + 1
    return True


_BOX_LINE = re.compile(r'(!!!|\?\?\?\+?)[ \t]*([\w-]+(?: +[\w-]+)*)?(?: *"(.*)")?[ \t]*$')
_TAB_LINE = re.compile(r'={3}([+!]{0,2})[ \t]+"(.*)"[ \t]*$')
_INDENT = 4
_CONTAINERS_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def _install_containers(md: MarkdownIt) -> None:
    """Add boxes (`!!!`, `???`) and tabs (`===`)."""
    md.block.ruler.before("fence", "box", _parse_box, _CONTAINERS_INTERRUPTS)
    md.block.ruler.before("fence", "tabs", _parse_tabs, _CONTAINERS_INTERRUPTS)


def _marked_line(state: StateBlock, line: int, marks: str) -> str:
    """The text of a line that begins with one of the characters in `marks`, else an empty string."""
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if start >= end or state.src[start] not in marks or state.is_code_block(line):
        return ""
    return state.src[start:end]


def _parse_box(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Parse an admonition (`!!!`) or a folding box (`???`)."""
    if not state.src.startswith(("!!!", "???"), state.bMarks[line] + state.tShift[line]):
        return False
    text = _marked_line(state, line, "!?")
    match = _BOX_LINE.match(text) if text else None
    if not match or (match[2] is None and (match[1] == "!!!" or match[3] is None)):
        return False
    if not silent:
        end = _end_of_body(state, line, end_line)
        _push_box(state, line, end, match)
        _parse_body(state, line + 1, end)
        state.push("admonition_close" if match[1] == "!!!" else "details_close", _box_tag(match), -1)
    return True


def _box_tag(match: re.Match[str]) -> str:
    return "div" if match[1] == "!!!" else "details"


def _push_box(state: StateBlock, line: int, end: int, match: re.Match[str]) -> None:
    kinds, folds = match[2] or "", match[1] != "!!!"
    token = state.push("details_open" if folds else "admonition_open", _box_tag(match), 1)
    token.attrs = {"class": " ".join(filter(None, ["" if folds else "admonition", kinds.lower()]))}
    if match[1] == "???+":
        token.attrs["open"] = "open"
    token.markup, token.info, token.map = match[1], kinds, [line, end]
    title = kinds.split(" ")[0].capitalize() if match[3] is None else match[3]
    if folds:
        _push_title(state, "summary", "summary", title, line)
    elif title:
        _push_title(state, "admonition_title", "p", title, line).attrs = {"class": "admonition-title"}


def _push_title(state: StateBlock, name: str, tag: str, title: str, line: int) -> Token:
    """Push an element with inline text."""
    opening = state.push(f"{name}_open", tag, 1)
    opening.map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = title, [line, line + 1], []
    state.push(f"{name}_close", tag, -1)
    return opening


def _parse_tabs(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Parse a set of tabs."""
    if not state.src.startswith("===", state.bMarks[line] + state.tShift[line]):
        return False
    text = _marked_line(state, line, "=")
    if not text or not _TAB_LINE.match(text):
        return False
    if silent:
        return True
    opening = state.push("tabs_open", "div", 1)
    opening.attrs, opening.map = {"class": "tabbed-set"}, [line, line]
    while match := _match_next_tab(state, line, end_line):
        line = _parse_tab(state, state.line, end_line, match)
    opening.map = [opening.map[0], line]
    state.push("tabs_close", "div", -1)
    return True


def _match_next_tab(state: StateBlock, line: int, end_line: int) -> re.Match[str] | None:
    """Match the next tab of a set on the next line that is not empty, and move `state.line` to it."""
    state.line = state.skipEmptyLines(line)
    if state.line < end_line and state.sCount[state.line] >= state.blkIndent:
        match = _TAB_LINE.match(_marked_line(state, state.line, "="))
        if match and (state.tokens[-1].type == "tabs_open" or "!" not in match[1]):
            return match
    state.line = line
    return None


def _parse_tab(state: StateBlock, line: int, end_line: int, match: re.Match[str]) -> int:
    """Parse one tab; return the line after it."""
    end = _end_of_body(state, line, end_line)
    token = state.push("tab_open", "div", 1)
    token.attrs, token.map, token.meta = {"class": "tabbed-block"}, [line, end], {"title": match[2]}
    token.markup = match[1]
    _push_title(state, "tab_title", "p", match[2], line)
    _parse_body(state, line + 1, end)
    state.push("tab_close", "div", -1)
    return end


def _end_of_body(state: StateBlock, line: int, end_line: int) -> int:
    """The line after the last one that is indented far enough."""
    end = line + 1
    for number in range(line + 1, end_line):
        if state.isEmpty(number):
            continue
        if state.sCount[number] < state.blkIndent + _INDENT:
            break
        end = number + 1
    return end


def _parse_body(state: StateBlock, first: int, end: int) -> None:
    """Parse the indented lines of a box or tab."""
    before = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", end, state.blkIndent + _INDENT
    state.line = first
    state.md.block.tokenize(state, first, end)
    state.parentType, state.lineMax, state.blkIndent = before
    state.line = end


ATTRIBUTE = r"""\s+([a-zA-Z_:][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
_OPENING = re.compile(r"<([a-zA-Z][\w-]*)((?:" + ATTRIBUTE + r")*)\s*>")
_ATTRIBUTES = re.compile(ATTRIBUTE)
_MARKDOWN_VALUES = {"", "1", "block", "span", "markdown", "true"}
_TEXT_TAGS = re.compile(r"address|dd|dt|figcaption|h[1-6]|label|legend|li|p|span|summary|td|th")  # hold no paragraphs
_SPAN_ATTRIBUTE = re.compile(r"\smarkdown\s*=\s*[\"']?span\b")
_INNER_HTML_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}

_Attributes = dict[str, str | int | float]


def _install_inner_html(md: MarkdownIt) -> None:
    """Add Markdown inside of HTML: `<div markdown>`."""
    md.block.ruler.before("html_block", "inner_html", _parse_inner_html, _INNER_HTML_INTERRUPTS)


def _parse_inner_html(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start, end = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    if start >= end or state.src[start] != "<" or state.is_code_block(line):
        return False
    opening = _OPENING.match(state.src, start, end)
    attributes = _markdown_attributes(opening) if opening else None
    if not opening or attributes is None:
        return False
    closing = _find_closing(state, opening, line, end_line)
    if closing is None:
        return False
    if not silent:
        _parse_element(state, opening, attributes, line, closing)
    return True


def _markdown_attributes(opening: re.Match[str]) -> _Attributes | None:
    """The attributes of a tag with the attribute `markdown`, without that one; None for other tags."""
    if "markdown" not in opening[2]:
        return None
    attributes: _Attributes = {key: value.strip("\"'") for key, value in _ATTRIBUTES.findall(opening[2])}
    return attributes if str(attributes.pop("markdown", "no")).lower() in _MARKDOWN_VALUES else None


def _find_closing(state: StateBlock, opening: re.Match[str], line: int, end_line: int) -> tuple[int, int, int] | None:
    """Line, start and end of the tag that closes an element; None if the container ends before it."""
    start, end = _tag_pairs(state, opening[1].lower()).get(opening.start(), (0, 0))
    last = bisect_left(state.eMarks, end)
    if not end or last >= end_line:
        return None
    outside = (state.sCount[n] < state.blkIndent and not state.isEmpty(n) for n in range(line + 1, last + 1))
    return None if any(outside) else (last, start, end)


def _tag_pairs(state: StateBlock, name: str) -> dict[int, tuple[int, int]]:
    """For all elements of one name on the page: offset of the opening tag -> span of the closing tag."""
    pairs_by_name: dict[str, dict[int, tuple[int, int]]] = state.env.setdefault("pairs", {})
    if name not in pairs_by_name:
        pairs_by_name[name], opened = {}, []
        for tag in re.finditer(rf"<(/?){re.escape(name)}(?=[\s>])[^<>]*>", state.src, re.IGNORECASE):
            if not tag[1]:
                opened.append(tag.start())
            elif opened:
                pairs_by_name[name][opened.pop()] = tag.span()
    return pairs_by_name[name]


def _parse_element(
    state: StateBlock, opening: re.Match[str], attributes: _Attributes, line: int, closing: tuple[int, int, int]
) -> None:
    """Parse the content of an HTML element as Markdown."""
    name = opening[1].lower()
    last, inner_end, outer_end = closing
    token = state.push("html_open", name, 1)
    token.attrs, token.map = attributes, [line, last + 1]
    token.meta = {
        "at": opening[0],
        "words": _TEXT_TAGS.fullmatch(name) is not None or _SPAN_ATTRIBUTE.search(opening[2]) is not None,
    }
    marks = [(number, *_line_state(state, number)) for number in (line, last)]
    _narrow_line(state, line, opening.end())
    state.eMarks[last] = inner_end
    _parse_lines(state, line, last)
    for number, begin, end, shift, count in marks:
        state.bMarks[number], state.eMarks[number] = begin, end
        state.tShift[number], state.sCount[number] = shift, count
    state.push("html_close", name, -1)
    _parse_rest_of_line(state, last, outer_end)
    state.line = last + 1


def _line_state(state: StateBlock, number: int) -> tuple[int, int, int, int]:
    """What the parser knows of a line, to restore it later."""
    return state.bMarks[number], state.eMarks[number], state.tShift[number], state.sCount[number]


def _narrow_line(state: StateBlock, line: int, start: int) -> None:
    """Make a line begin at a later offset."""
    first = start
    while first < state.eMarks[line] and state.src[first] in " \t":
        first += 1
    state.bMarks[line], state.tShift[line], state.sCount[line] = first, 0, state.blkIndent


def _parse_lines(state: StateBlock, line: int, last: int) -> None:
    """Parse the lines of an HTML element."""
    if state.bMarks[last] + state.tShift[last] > state.eMarks[last]:
        state.tShift[last] = max(state.eMarks[last] - state.bMarks[last], 0)
    before = state.parentType, state.lineMax
    state.parentType, state.lineMax, state.line = "html", last + 1, line
    state.md.block.tokenize(state, line, last + 1)
    state.parentType, state.lineMax = before


def _parse_rest_of_line(state: StateBlock, line: int, start: int) -> None:
    """Parse the text after a closing tag as a paragraph."""
    text = state.src[start : state.eMarks[line]].strip()
    if text:
        state.push("paragraph_open", "p", 1).map = [line, line + 1]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = text, [line, line + 1], []
        state.push("paragraph_close", "p", -1)


MAX_NESTING = 100  # nested containers; a list counts twice, for itself and its item
_OPTIONS = {"maxNesting": MAX_NESTING, "alerts": True, "tasklists": True, "store_labels": True}


_UNSAFE = re.compile(r"\s*(?:vbscript:|javascript:|data:(?!image/(?:gif|png|jpeg|webp);))", re.IGNORECASE)


def _is_link(url: str) -> bool:
    """Whether a target makes a link: that of a file on one computer does, too, so that it can be reported."""
    return _UNSAFE.match(url) is None


@cache
def _markdown_parser(formulas: bool = False) -> MarkdownIt:
    """The parser. Footnotes stay where they are written, so that those without a reference are kept."""
    md = MarkdownIt("commonmark", _OPTIONS).enable(["table", "strikethrough"]).disable("normalize")  # by Paper
    md.validateLink = _is_link  # type: ignore[method-assign]
    md.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    _install_containers(md)
    _install_inner_html(md)
    install_attributes(md)
    install_links(md)
    _install_abbreviations(md)
    if formulas:
        install_math(md)
    return md


def parse_markdown(
    text: str, formulas: bool = False, references: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[list[Token], dict[str, object]]:
    """The tokens of a text, and the environment of the parser with its references; some may be known before."""
    env: dict[str, object] = {"references": dict(references)} if references else {}
    return _markdown_parser(formulas).parse(text, env), env
