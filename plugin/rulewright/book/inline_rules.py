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

ITEM = r"""(?:\#[^\s{}#."'=]+|\.[^\s{}#."'=]+|[A-Za-z_:][\w:.-]*=(?:"[^"{}]*"|'[^'{}]*'|[^\s{}"'=]+))"""
LIST = r"\{:?[ \t]*(" + ITEM + r"(?:[ \t]+" + ITEM + r")*)[ \t]*\}"
LIST_OF_ITEMS = re.compile(LIST)
ITEMS = re.compile(ITEM)

ON_THE_LINE = {"heading_open", "dt_open", "th_open", "td_open"}
CARRIERS = {"link_close": "link_open", "em_close": "em_open", "strong_close": "strong_open", "s_close": "s_open"}


def install(md: MarkdownIt) -> None:
    """Add attribute lists (`{#id .class key=value}`) after blocks and inline elements."""
    md.core.ruler.after("block", "block_attributes", block_attributes)
    md.core.ruler.after("inline", "inline_attributes", inline_attributes)


def read(items: str) -> dict[str, str]:
    """Parse the items of an attribute list; the last id wins, classes add up."""
    found: dict[str, str] = {}
    for item in ITEMS.findall(items):
        if item[0] == "#":
            found["id"] = item[1:]
        elif item[0] == ".":
            add(found, "class", item[1:])
        else:
            key, _, value = item.partition("=")
            add(found, key, value.strip("\"'"))
    return found


def add(found: dict[str, str], key: str, value: str) -> None:
    found[key] = f"{found[key]} {value}" if key == "class" and key in found else value


def give(token: Token, found: dict[str, str]) -> None:
    """Set attributes on a token; classes add up."""
    for key, value in found.items():
        if key == "class" and "class" in token.attrs:
            token.attrJoin("class", value)
        else:
            token.attrs[key] = value


def block_attributes(state: StateCore) -> None:
    """Cut attribute lists off blocks before their text is parsed; `meta["whole"]` keeps the original text."""
    tokens = state.tokens
    for number, token in enumerate(tokens):
        if token.type != "inline" or not token.content.endswith("}"):
            continue
        opening = tokens[number - 1]
        start = token.content.rfind("{")
        found = LIST_OF_ITEMS.fullmatch(token.content, max(start, 0))
        before = token.content[: max(start, 0)]
        if found and fits(opening, before[len(before.rstrip()) :], before):
            give(opening, read(found[1]))
            token.meta["whole"] = token.content
            token.content = before.rstrip()


def fits(opening: Token, space: str, before: str) -> bool:
    """True if a list may be here: after a space in a heading, or on its own line below a paragraph."""
    if opening.type in ON_THE_LINE:
        return bool(space) or not before
    return opening.type == "paragraph_open" and "\n" in space


def inline_attributes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children and "{" in token.content:
            behind_elements(token.children)


def behind_elements(children: list[Token]) -> None:
    """Apply each list at the start of a text token to the element before it."""
    for number in range(1, len(children)):
        token = children[number]
        if token.type == "text" and token.content.startswith("{"):
            carrier = element(children, number - 1)
            found = LIST_OF_ITEMS.match(token.content)
            if carrier and found:
                give(carrier, read(found[1]))
                token.content = token.content[found.end() :]


def element(children: list[Token], number: int) -> Token | None:
    """The opening token of the inline element that ends at this index."""
    last = children[number]
    if last.type in ("image", "code_inline"):
        return last
    opening = CARRIERS.get(last.type)
    return next((t for t in reversed(children[:number]) if t.type == opening and t.level == last.level), None)


INLINE = re.compile(r"\$(?![\s$])(?:\\.|[^\\$])+?(?<!\s)\$|\\\((?:\\[^)]|[^\\])+?\\\)", re.DOTALL)
OPENING = re.compile(r"\$\$|\\\[|\\begin\{([a-z]+\*?)\}")
CLOSING = {"$$": "$$", "\\[": "\\]"}
INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def math_install(md: MarkdownIt) -> None:
    """Add TeX formulas, inline and as blocks."""
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
    """The line that ends with the closing delimiter; None if an empty line comes before it."""
    for number in range(line, end_line):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent:
            return None
        start = max(behind, state.bMarks[number])
        if state.src[start : state.eMarks[number]].rstrip().endswith(closing):
            return number
    return None


Rule = Callable[[StateInline, bool], bool]

WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
LETTER = re.compile(r"[^\W\d_]")
SIMPLE = re.compile(r"([^\s()<>\\]+)\)")
SPACE = re.compile(r"[ \t\n]*")
DEEPEST_IMAGE = 8  # images nested in descriptions of images


def traces_install(md: MarkdownIt) -> None:
    """Add wiki links, and wrap the rules for links, images and HTML so that their tokens know their offsets."""
    md.inline.ruler.before("link", "wiki", wiki)
    md.inline.ruler.at("link", traced(link, "[", "link_open"))
    md.inline.ruler.at("image", traced(shallow_image, "!", "image"))
    md.inline.ruler.at("autolink", traced(autolink, "<", "link_open"))
    md.inline.ruler.at("html_inline", traced(html_inline, "<", "html_inline"))
    md.core.ruler.before("text_join", "literal", literal)


def traced(rule: Rule, first: str, type_: str) -> Rule:
    """Wrap a rule so that it sets `meta["at"]`, for links and images also `meta["target"]`."""

    def run(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if state.src[start] != first or not rule(state, silent):
            return False
        if not silent:
            token = next(token for token in state.tokens[before:] if token.type == type_)
            token.meta["at"] = (start, state.pos)
            if first in "[!":
                token.meta["target"] = destination(state, start, state.pos)
        return True

    return run


def destination(state: StateInline, start: int, end: int) -> tuple[int, int] | None:
    """Offsets of the target in `[text](target "title")`; None for a reference."""
    if state.src[end - 1] != ")":
        return None
    label_end = state.src.find("](", start, end)
    if label_end != state.src.rfind("](", start, end):
        label_end = parseLinkLabel(state, start + (state.src[start] == "!"), state.src[start] != "!")
    if simple := SIMPLE.match(state.src, label_end + 2, end):
        return simple.span(1)
    space = SPACE.match(state.src, label_end + 2)
    first = space.end() if space else label_end + 2
    found = parseLinkDestination(state.src, first, end)
    if not found.ok:
        return first, first
    return (first + 1, found.pos - 1) if state.src[first] == "<" else (first, found.pos)


def shallow_image(state: StateInline, silent: bool) -> bool:
    """The rule for images, with a limit on their nesting."""
    depth = state.env.get("image", 0)
    if depth > DEEPEST_IMAGE:
        return False
    state.env["image"] = depth + 1
    found = image(state, silent)
    state.env["image"] = depth
    return found


def wiki(state: StateInline, silent: bool) -> bool:
    """Parse `[[Page#anchor|text]]`."""
    if not state.src.startswith("[[", state.pos):
        return False
    found = WIKI.match(state.src, state.pos, state.posMax)
    if not found or not LETTER.search(found[1]):
        return False
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs, opening.markup = {"href": state.md.normalizeLink(found[1].strip())}, "wiki"
        opening.meta = {"at": found.span(), "target": found.span(1)}
        state.push("text", "", 0).content = (found[2] or found[1]).strip()
        state.push("link_close", "a", -1).markup = "wiki"
    state.pos = found.end()
    return True


def literal(state: StateCore) -> None:
    """Record in `meta["literal"]` which characters are escaped or entities, and so never markup."""
    for token in state.tokens:
        if token.type == "inline" and ("\\" in token.content or "&" in token.content):
            note_literal(token.children or [])


def note_literal(children: list[Token]) -> None:
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
