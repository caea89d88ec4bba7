"""markdown-it rules: attribute lists, formulas, wiki links, and source offsets of inline tokens (`meta["at"]`)."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, autolink, html_inline, image, link
from markdown_it.token import Token

_ATTRIBUTE = r"""(?:\#[^\s{}#."'=]+|\.[^\s{}#."'=]+|[A-Za-z_:][\w:.-]*=(?:"[^"{}]*"|'[^'{}]*'|[^\s{}"'=]+))"""
_ATTRIBUTE_LIST = r"\{:?[ \t]*(" + _ATTRIBUTE + r"(?:[ \t]+" + _ATTRIBUTE + r")*)[ \t]*\}"
_ATTRIBUTE_LIST_PATTERN = re.compile(_ATTRIBUTE_LIST)
_ATTRIBUTE_PATTERN = re.compile(_ATTRIBUTE)

_SAME_LINE_BLOCKS = {"heading_open", "dt_open", "th_open", "td_open"}
_OPENING_TYPES = {"link_close": "link_open", "em_close": "em_open", "strong_close": "strong_open", "s_close": "s_open"}


def install_attributes(md: MarkdownIt) -> None:
    """Add attribute lists (`{#id .class key=value}`) after blocks and inline elements."""
    md.core.ruler.after("block", "block_attributes", _parse_block_attributes)
    md.core.ruler.after("inline", "inline_attributes", _parse_inline_attributes)


def _parse_attributes(items: str) -> dict[str, str]:
    """Parse the items of an attribute list; the last id wins, classes add up."""
    attributes: dict[str, str] = {}
    for item in _ATTRIBUTE_PATTERN.findall(items):
        if item[0] == "#":
            attributes["id"] = item[1:]
        elif item[0] == ".":
            _add_attribute(attributes, "class", item[1:])
        else:
            key, _, value = item.partition("=")
            _add_attribute(attributes, key, value.strip("\"'"))
    return attributes


def _add_attribute(attributes: dict[str, str], key: str, value: str) -> None:
    attributes[key] = f"{attributes[key]} {value}" if key == "class" and key in attributes else value


def _set_attributes(token: Token, attributes: dict[str, str]) -> None:
    """Set attributes on a token; classes add up."""
    for key, value in attributes.items():
        if key == "class" and "class" in token.attrs:
            token.attrJoin("class", value)
        else:
            token.attrs[key] = value


def _parse_block_attributes(state: StateCore) -> None:
    """Cut attribute lists off blocks before their text is parsed; `meta["whole"]` keeps the original text."""
    tokens = state.tokens
    for number, token in enumerate(tokens):
        if token.type != "inline" or not token.content.endswith("}"):
            continue
        opening = tokens[number - 1]
        start = token.content.rfind("{")
        match = _ATTRIBUTE_LIST_PATTERN.fullmatch(token.content, max(start, 0))
        before = token.content[: max(start, 0)]
        if match and _is_list_position(opening, before[len(before.rstrip()) :], before):
            _set_attributes(opening, _parse_attributes(match[1]))
            token.meta["whole"] = token.content
            token.content = before.rstrip()


def _is_list_position(opening: Token, space: str, before: str) -> bool:
    """True if a list may be here: after a space in a heading, or on its own line below a paragraph."""
    if opening.type in _SAME_LINE_BLOCKS:
        return bool(space) or not before
    return opening.type == "paragraph_open" and "\n" in space


def _parse_inline_attributes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children and "{" in token.content:
            _apply_inline_lists(token.children)


def _apply_inline_lists(children: list[Token]) -> None:
    """Apply each list at the start of a text token to the element before it."""
    for number in range(1, len(children)):
        token = children[number]
        if token.type == "text" and token.content.startswith("{"):
            opening = _find_element(children, number - 1)
            match = _ATTRIBUTE_LIST_PATTERN.match(token.content)
            if opening and match:
                _set_attributes(opening, _parse_attributes(match[1]))
                token.content = token.content[match.end() :]


def _find_element(children: list[Token], number: int) -> Token | None:
    """The opening token of the inline element that ends at this index."""
    last = children[number]
    if last.type in ("image", "code_inline"):
        return last
    opening = _OPENING_TYPES.get(last.type)
    return next((t for t in reversed(children[:number]) if t.type == opening and t.level == last.level), None)


_INLINE_MATH = re.compile(r"\$(?![\s$])(?:\\.|[^\\$])+?(?<!\s)\$|\\\((?:\\[^)]|[^\\])+?\\\)", re.DOTALL)
_MATH_OPENING = re.compile(r"\$\$|\\\[|\\begin\{([a-z]+\*?)\}")
_MATH_CLOSING = {"$$": "$$", "\\[": "\\]"}
_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def install_math(md: MarkdownIt) -> None:
    """Add TeX formulas, inline and as blocks."""
    md.inline.ruler.before("escape", "math_inline", _parse_inline_math)
    md.block.ruler.before("fence", "math_block", _parse_math_block, _INTERRUPTS)


def _parse_inline_math(state: StateInline, silent: bool) -> bool:
    match = _INLINE_MATH.match(state.src, state.pos, state.posMax) if state.src[state.pos] in "$\\" else None
    if not match:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _parse_math_block(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    opening = _MATH_OPENING.match(state.src, start, state.eMarks[line])
    if not opening or state.is_code_block(line):
        return False
    closing = _MATH_CLOSING.get(opening[0]) or f"\\end{{{opening[1]}}}"
    last = _find_math_end(state, line, end_line, closing, opening.end())
    if last is None:
        return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.map, token.content = [line, last + 1], state.getLines(line, last + 1, state.blkIndent, False).strip()
        state.line = last + 1
    return True


def _find_math_end(state: StateBlock, line: int, end_line: int, closing: str, after: int) -> int | None:
    """The line that ends with the closing delimiter; None if an empty line comes before it."""
    for number in range(line, end_line):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent:
            return None
        start = max(after, state.bMarks[number])
        if state.src[start : state.eMarks[number]].rstrip().endswith(closing):
            return number
    return None


_InlineRule = Callable[[StateInline, bool], bool]

_WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_LETTER = re.compile(r"[^\W\d_]")
_SIMPLE_TARGET = re.compile(r"([^\s()<>\\]+)\)")
_SPACE = re.compile(r"[ \t\n]*")
_MAX_IMAGE_NESTING = 8  # images nested in descriptions of images
_MAX_IMAGE_SEARCH = 500_000  # characters of a page searched in vain for the ends of images


def install_links(md: MarkdownIt) -> None:
    """Add wiki links, and wrap the rules for links, images and HTML so that their tokens know their offsets."""
    md.inline.ruler.before("link", "wiki", _parse_wiki_link)
    md.inline.ruler.at("link", _with_offsets(link, "[", "link_open"))
    md.inline.ruler.at("image", _with_offsets(_parse_image, "!", "image"))
    md.inline.ruler.at("autolink", _with_offsets(autolink, "<", "link_open"))
    md.inline.ruler.at("html_inline", _with_offsets(html_inline, "<", "html_inline"))
    md.core.ruler.before("text_join", "literal", _mark_literals)


def _with_offsets(rule: _InlineRule, first: str, type_: str) -> _InlineRule:
    """Wrap a rule so that it sets `meta["at"]`, for links and images also `meta["target"]`."""

    def run(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if state.src[start] != first or not rule(state, silent):
            return False
        if not silent:
            token = next(token for token in state.tokens[before:] if token.type == type_)
            token.meta["at"] = (start, state.pos)
            if first in "[!":
                token.meta["target"] = _target_offsets(state, start, state.pos)
        return True

    return run


def _target_offsets(state: StateInline, start: int, end: int) -> tuple[int, int] | None:
    """Offsets of the target in `[text](target "title")`; None for a reference."""
    if state.src[end - 1] != ")":
        return None
    label_end = state.src.find("](", start, end)
    if label_end != state.src.rfind("](", start, end):
        label_end = parseLinkLabel(state, start + (state.src[start] == "!"), state.src[start] != "!")
    if simple := _SIMPLE_TARGET.match(state.src, label_end + 2, end):
        return simple.span(1)
    space = _SPACE.match(state.src, label_end + 2)
    first = space.end() if space else label_end + 2
    parsed = parseLinkDestination(state.src, first, end)
    if not parsed.ok:
        return first, first
    return (first + 1, parsed.pos - 1) if state.src[first] == "<" else (first, parsed.pos)


def _parse_image(state: StateInline, silent: bool) -> bool:
    """The rule for images, with limits on their nesting and on searches without end, as in `![[]()` repeated."""
    depth, searched = state.env.get("image", 0), state.env.get("image_search", 0)
    if depth > _MAX_IMAGE_NESTING or searched > _MAX_IMAGE_SEARCH:
        return False
    state.env["image"] = depth + 1
    matched = image(state, silent)
    state.env["image"] = depth
    if not matched and state.src.startswith("![", state.pos):
        state.env["image_search"] = searched + state.posMax - state.pos
    return matched


def _parse_wiki_link(state: StateInline, silent: bool) -> bool:
    """Parse `[[Page#anchor|text]]`."""
    if not state.src.startswith("[[", state.pos):
        return False
    match = _WIKI_LINK.match(state.src, state.pos, state.posMax)
    if not match or not _LETTER.search(match[1]):
        return False
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs, opening.markup = {"href": state.md.normalizeLink(match[1].strip())}, "wiki"
        opening.meta = {"at": match.span(), "target": match.span(1)}
        state.push("text", "", 0).content = (match[2] or match[1]).strip()
        state.push("link_close", "a", -1).markup = "wiki"
    state.pos = match.end()
    return True


def _mark_literals(state: StateCore) -> None:
    """Record in `meta["literal"]` which characters are escaped or entities, and so never markup."""
    for token in state.tokens:
        if token.type == "inline" and ("\\" in token.content or "&" in token.content):
            _mark_literal_characters(token.children or [])


def _mark_literal_characters(children: list[Token]) -> None:
    """Collect the offsets on the first of several text tokens in a row, because the parser joins them next."""
    first, at = None, 0
    for child in children:
        if child.type not in ("text", "text_special"):
            first = None
            continue
        first, at = (first, at) if first else (child, 0)
        if child.type == "text_special":
            first.meta.setdefault("literal", []).extend(range(at, at + len(child.content)))
        at += len(child.content)
