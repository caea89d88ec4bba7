"""Links, images and anchors in inline text and HTML, with their positions in the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from ..source import Span
from .blocks import PageBuilder, parse_comment
from .markdown import ATTRIBUTE
from .page import Anchor, Block, Ignore, LineMap, Link, MappedText
from .rule_links import check_spaced_link

COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:" + re.sub(r"\((?!\?)", "(?:", ATTRIBUTE) + r")+)\s*/?>")
_ATTRIBUTES = re.compile(ATTRIBUTE)
OPAQUE_TAG = re.compile(r"\s*<(?:script|pre|style|textarea)\b", re.IGNORECASE)
IGNORE_COMMENT = re.compile(r"\s*rulewright:\s*ignore\b(.*?)(?:\s--\s.*)?", re.DOTALL)
_CODE = re.compile(r"[^\s,]+")
TOC_COMMENT = re.compile(r"\s*toc\s*", re.IGNORECASE)
_LINK_ATTRIBUTES = {("a", "href"): "html", ("area", "href"): "html", ("img", "src"): "image"}


def collect_html(builder: PageBuilder, text: MappedText) -> list[Block]:
    """Collect comments, ids and links from a piece of HTML; return the blocks in its comments."""
    blocks = []
    content = text.content
    if "<!--" in content:
        for comment in COMMENT.finditer(content):
            blocks += _collect_comment(builder, text, comment)
        content = COMMENT.sub(lambda comment: " " * len(comment[0]), content)
    if "=" in content and not OPAQUE_TAG.match(content):
        for tag in _TAG.finditer(content):
            _collect_attributes(builder, text, tag)
    return blocks


def _collect_comment(builder: PageBuilder, text: MappedText, comment: re.Match[str]) -> list[Block]:
    """Record a comment; return the block in it, if there is one."""
    span = text.span(*comment.span())
    builder.comments.append(span)
    if not comment[0].endswith("-->"):
        message = "nothing closes this comment: the rest of the text here is part of it, and is not shown"
        builder.report_warning(
            "comment-unclosed", message, text.span(comment.start(), comment.start() + 4), "--> closes it"
        )
    if ignored := IGNORE_COMMENT.fullmatch(comment[1]):
        at = comment.start(1)
        codes = tuple(
            text.span(at + code.start(), at + code.end()) for code in _CODE.finditer(comment[1], *ignored.span(1))
        )
        builder.ignores.append(Ignore(span, codes))
    if TOC_COMMENT.fullmatch(comment[1]):
        builder.contents.append(span)
    return parse_comment(builder, text, comment)


def _collect_attributes(builder: PageBuilder, text: MappedText, tag: re.Match[str]) -> None:
    """Collect the id and the links of one tag."""
    name = tag[1].lower()
    for attribute in _ATTRIBUTES.finditer(tag.string, *tag.span(2)):
        key, value = attribute[1].lower(), (attribute[2] or "").strip("\"'")
        if not value:
            continue
        start = attribute.start(2) + (attribute[2][0] in "\"'")
        span = text.span(start, start + len(value))
        if key == "id" or (key == "name" and name == "a"):
            builder.anchors.append(Anchor(value, span))
        elif kind := _LINK_ATTRIBUTES.get((name, key)):
            builder.links.append(Link("", value, span, kind, builder.trail))


_PIPE = re.compile(r"\|(?<!\\\|)")
_DEFINITION_TARGET = re.compile(r"\]:\s*(<[^>\n]*>|\S+)")


def collect_inline(builder: PageBuilder, token: Token, opening: Token) -> None:
    """Collect links, images and anchors from an inline token."""
    if opening.type in ("td_open", "th_open"):
        builder.row_cells.append(token.content)
    text = None
    for number, child in enumerate(token.children or ()):
        if child.type != "text" and (child.type in ("link_open", "image", "html_inline") or "id" in child.attrs):
            text = text or locate_inline(builder, token, opening)
            _collect_child(builder, token, number, text)
    if builder.has_game and ("](roll:" in token.content or "](chance:" in token.content or "](value:" in token.content):
        texts = [child.content for child in token.children or () if child.type == "text" and "](" in child.content]
        if texts:
            check_spaced_link(builder, token.content, texts, text or locate_inline(builder, token, opening))
    if token.content == "[TOC]" and opening.type == "paragraph_open":
        builder.contents.append(locate_inline(builder, token, opening).span(0, 5))
        token.meta["contents"] = True


def _collect_child(builder: PageBuilder, token: Token, number: int, text: MappedText) -> None:
    """Collect from one child of an inline token."""
    child = (token.children or [])[number]
    start, end = child.meta.get("at", (0, 0))
    if child.type == "html_inline":
        collect_html(builder, text.part(start, end))
        return
    if "id" in child.attrs:
        builder.anchors.append(Anchor(str(child.attrs["id"]), text.span(start, end)))
    if child.type in ("link_open", "image"):
        _collect_link(builder, token, number, text)


def _collect_link(builder: PageBuilder, token: Token, number: int, text: MappedText) -> None:
    """Add a link or an image to the page and to the `meta` of its token."""
    children = token.children or []
    child = children[number]
    span = _target_span(builder, child, text)
    if span is None:  # the definition is in another file
        span, target = text.span(*child.meta["at"]), str(child.attrs.get("href") or child.attrs.get("src", ""))
    else:
        target = span.text if child.markup else unescapeAll(span.text)
    label = child.content if child.type == "image" else plain_text(_link_content(children, number))
    new_link = Link(label, target, span, _link_kind(child), builder.trail)
    child.meta["link"] = new_link
    builder.links.append(new_link)


def _link_kind(child: Token) -> str:
    if child.type == "image":
        return "image"
    return child.markup or ("inline" if child.meta.get("target") else "reference")


def _target_span(builder: PageBuilder, child: Token, text: MappedText) -> Span | None:
    """Span of the target as the author wrote it; None if it is not in the page."""
    start, end = child.meta["at"]
    if child.markup == "autolink":
        return text.span(start + 1, end - 1)
    if target := child.meta.get("target"):
        return text.span(*target)
    return _definition_span(builder, child)


def _definition_span(builder: PageBuilder, child: Token) -> Span | None:
    """Span of the target in `[label]: target`, which a reference uses."""
    line_range = builder.references.get(child.meta.get("label", ""), {}).get("map")
    if not isinstance(line_range, list):
        return None
    line_map = builder.line_map
    first, last = line_map.starts[line_range[0]], line_map.range_span(*line_range).end
    target = _DEFINITION_TARGET.search(line_map.source.text, first, last)
    if not target:
        return None
    start, end = target.span(1)
    angled = line_map.source.text[start] == "<"
    return Span(line_map.source, start + angled, end - angled)


def _link_content(children: Sequence[Token], number: int) -> Sequence[Token]:
    """The tokens inside a link."""
    level = children[number].level
    for end in range(number + 1, len(children)):
        if children[end].type == "link_close" and children[end].level == level:
            return children[number + 1 : end]
    return children[number + 1 :]


def plain_text(children: Sequence[Token]) -> str:
    """Text without markup."""
    if len(children) == 1 and children[0].type == "text":
        return children[0].content.strip()
    texts = []
    for child in children:
        if child.type in ("text", "code_inline", "text_special", "image", "math_inline"):
            texts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            texts.append(" ")
    return "".join(texts).strip()


def locate_inline(builder: PageBuilder, token: Token, opening: Token) -> MappedText:
    """The text of an inline token with its position in the page."""
    first = token.map[0] if token.map else 0
    written = str(token.meta.get("whole", token.content))
    if opening.type == "heading_open" and opening.markup.startswith("#"):
        line = builder.line_map.lines[first]
        start = line.find(written, line.find("#") + len(opening.markup))
        return _text_in_line(builder.line_map, first, max(start, 0), written)
    if opening.type in ("td_open", "th_open"):
        return _locate_cell(builder, first, written)
    return builder.line_map.locate(_first_text_line(builder.line_map, token, written), written)


def _first_text_line(line_map: LineMap, token: Token, written: str) -> int:
    """The line where the text begins: the parser takes lines of form feeds into a paragraph, then strips them."""
    first, end = token.map or (0, 0)
    opening, *others = written.split("\n")
    for line in range(first, end - len(others)):
        if line_map.lines[line].rstrip().endswith(opening.rstrip()):
            return line
    return first


def _text_in_line(line_map: LineMap, line: int, start: int, content: str) -> MappedText:
    return MappedText(line_map.source, content, (0,), (line_map.starts[line] + start,))


def _locate_cell(builder: PageBuilder, line: int, content: str) -> MappedText:
    """The table cell that was read last, with its position."""
    if not builder.row_pipes:
        builder.row_pipes = find_pipes(builder.line_map.lines[line])
    return locate_in_row(
        builder.line_map, line, builder.row_pipes, builder.row_cells[0], len(builder.row_cells) - 1, content
    )


def find_pipes(written: str) -> list[int]:
    """Offsets of the separators between the cells of a line; the first is -1, the last its length."""
    return [-1, *(pipe.start() for pipe in _PIPE.finditer(written)), len(written)]


def locate_in_row(line_map: LineMap, line: int, bounds: list[int], first: str, number: int, content: str) -> MappedText:
    """A cell, counted from 0, with its position. The parser wrote | for \\|; `first` is the text of the first cell."""
    source_line = line_map.lines[line]
    before = source_line[: bounds[1]].replace("\\|", "|").rstrip()
    number += 0 if first and before.endswith(first) else 1
    if number + 1 >= len(bounds):
        return _text_in_line(line_map, line, 0, content)
    segment = source_line[bounds[number] + 1 : bounds[number + 1]]
    start = bounds[number] + 1 + max(segment.replace("\\|", "||").rfind(content.replace("|", "||")), 0)
    return _locate_escaped(line_map, line, start, content)


def _locate_escaped(line_map: LineMap, line: int, start: int, content: str) -> MappedText:
    """Map the text of a cell to the page, where each | in it is written with a backslash."""
    if "|" not in content:
        return _text_in_line(line_map, line, start, content)
    starts, offsets = [0], [line_map.starts[line] + start]
    for number, pipe in enumerate(re.finditer(r"\|", content), 1):
        starts.append(pipe.start())
        offsets.append(offsets[0] + pipe.start() + number)
    return MappedText(line_map.source, content, tuple(starts), tuple(offsets))
