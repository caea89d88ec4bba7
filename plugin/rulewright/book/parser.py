"""Parses a page: walks its tokens once and collects headings, links, blocks and problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from markdown_it.token import Token

from ..source import Problem, Source, Span, in_reading_order
from .anchors import github
from .blocks import Found, code, fence, same_ids, stem
from .inlines import html, plain, standing
from .inlines import inline as inlines_inline
from .markdown import DEEPEST, parse
from .page import LARGEST_PAGE, Anchor, Heading, Page, Paper, Term, paper

FIELD = re.compile(r"""([\w-]+)[ \t]*:(?:[ \t]+(?:"([^"]*)"|'([^']*)'|(.*)))?$""")
LIKE_YAML = re.compile(r"""[\w"'-][^:]*:(\s|$)|\{""")


def front_lines(paper: Paper) -> int:
    """Number of lines of front matter, both rules included; 0 without any."""
    if paper.lines[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(paper.lines) if number and line.rstrip() in ("---", "..."))
    end = next(ends, 0)
    return end + 1 if end and is_yaml(paper.lines[1:end]) else 0


def is_yaml(lines: list[str]) -> bool:
    """True if the lines between two rules look like YAML; a page may also begin with a horizontal rule."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return LIKE_YAML.match(first) is not None


def fields(paper: Paper) -> Mapping[str, Span]:
    """Simple values at the top level of the front matter; lists and nested values are ignored."""
    found = {}
    for number in range(1, max(paper.hidden - 1, 1)):
        if field := FIELD.match(paper.lines[number].rstrip()):
            group = field.lastindex if field.lastindex and field.lastindex > 1 else 1
            start, end = field.span(group) if group > 1 else (field.end(), field.end())
            found[field[1]] = paper.span(number, start, end)
    return found


CONTAINERS = {
    "blockquote_open": "quote",
    "alert_open": "callout",
    "list_item_open": "list",
    "admonition_open": "box",
    "details_open": "fold",
    "tab_open": "tab",
    "dd_open": "definition",
    "footnote_reference_open": "footnote",
    "html_open": "html",
}


def read_page(source: Source, formulas: bool = False, has_game: bool = True) -> Page:
    """Parse a source. In a book without a game (`has_game`), only a fence that is surely a block is one."""
    if len(source.text) * 4 > LARGEST_PAGE and len(source.text.encode(errors="replace")) > LARGEST_PAGE:
        return too_large(source)
    sheet = paper(source)
    sheet = replace(sheet, hidden=front_lines(sheet))
    tokens, notes = parse(sheet.text, formulas)
    found = Found(sheet, cast(dict[str, dict[str, object]], notes.get("references", {})), has_game)
    reserve_ids(found, tokens)
    for number, token in enumerate(tokens):
        if look := LOOK.get(token.type):
            look(found, tokens, number)
    same_ids(found)
    return finished(found, tokens)


def too_large(source: Source) -> Page:
    message = "this page is larger than 4 MB and was not read"
    problem = Problem("page-size", message, Span(source, 0, 0), notes=("split it into several",))
    return Page(source, (), (), (), (), (), (), (), (), {}, stem(source.path), (problem,))


def reserve_ids(found: Found, tokens: Sequence[Token]) -> None:
    """Reserve the explicit ids of headings before any slug is generated."""
    for token in tokens:
        if token.type == "heading_open" and "id" in token.attrs:
            found.slugs.taken.setdefault(str(token.attrs["id"]), 0)


def finished(found: Found, tokens: list[Token]) -> Page:
    """Build the page from everything that was collected."""
    meta = fields(found.paper) if found.paper.hidden else {}
    return Page(
        source=found.paper.source,
        tokens=tuple(tokens),
        headings=tuple(found.headings),
        links=tuple(found.links),
        anchors=tuple(found.anchors),
        blocks=tuple(found.blocks),
        terms=tuple(found.terms),
        comments=tuple(found.comments),
        contents=tuple(found.contents),
        meta=meta,
        title=(meta["title"].text if "title" in meta else "") or title(found),
        problems=tuple(in_reading_order(found.problems)),
        has_game=found.has_game,
    )


def title(found: Found) -> str:
    """The first heading of the highest level, else the name of the file."""
    first = min(found.headings, key=lambda heading: heading.level, default=None)
    if first and first.text:
        return first.text
    return stem(found.paper.source.path).replace("-", " ").replace("_", " ").capitalize()


def heading(found: Found, tokens: Sequence[Token], number: int) -> None:
    token, inline = tokens[number], tokens[number + 1]
    level, text = int(token.tag[1]), plain(inline.children or [])
    found.leave(level)
    explicit = "id" in token.attrs
    id_ = str(token.attrs["id"]) if explicit else found.slugs.take(github(text))
    token.attrs["id"] = id_
    span = standing(found, inline, token).span(0, len(inline.content))
    line = token.map[0] + 1 if token.map and token.markup[0] == "#" else span.source.place(span.start)[0]
    found.go_below(Heading(level, text, id_, span, line, found.trail, explicit))


def inline(found: Found, tokens: Sequence[Token], number: int) -> None:
    """Collect terms, anchors and links from an inline token."""
    opening = tokens[number - 1]
    if opening.type == "dt_open":
        span = standing(found, tokens[number], opening).span(0, len(tokens[number].content))
        text = plain(tokens[number].children or [])
        id_ = str(opening.attrs.get("id") or found.term_id(text))
        opening.meta["id"] = id_
        found.terms.append(Term(text, span, found.trail, id_))
    if "id" in opening.attrs and opening.type != "heading_open":
        found.anchors.append(Anchor(str(opening.attrs["id"]), found.paper.whole((opening.map or [0])[0])))
    inlines_inline(found, tokens[number], opening)


def html_block(found: Found, tokens: Sequence[Token], number: int) -> None:
    token = tokens[number]
    before = len(found.contents)
    blocks = html(found, found.paper.cut((token.map or [0])[0], token.content))
    if blocks:
        token.meta["blocks"] = tuple(blocks)
    if len(found.contents) > before:
        token.meta["contents"] = True


def html_open(found: Found, tokens: Sequence[Token], number: int) -> None:
    """Collect from the opening tag of an element with Markdown inside."""
    token = tokens[number]
    html(found, found.paper.cut((token.map or [0])[0], token.meta["at"]))
    enter(found, tokens, number)


def footnote(found: Found, tokens: Sequence[Token], number: int) -> None:
    """Record the ids that different tools give to a footnote."""
    token = tokens[number]
    span = found.paper.whole((token.map or [0])[0])
    label = str(token.meta.get("label"))
    found.anchors.extend(Anchor(f"{mark}{label}", span) for mark in ("fn:", "fnref:", "user-content-fn-"))
    enter(found, tokens, number)


def row(found: Found, _tokens: Sequence[Token], _number: int) -> None:
    found.row, found.pipes = [], []


def enter(found: Found, tokens: Sequence[Token], number: int) -> None:
    """Enter a container; report nesting at which the parser stops."""
    token = tokens[number]
    found.containers.append(CONTAINERS[token.type])
    if token.level >= DEEPEST - 1:
        span = found.paper.whole((token.map or [0])[0])
        found.complain("page-nesting", "this is nested too deeply to be read", span, "take some of the levels away")


def leave(found: Found, _tokens: Sequence[Token], _number: int) -> None:
    found.containers.pop()


LOOK: dict[str, Callable[[Found, Sequence[Token], int], None]] = {
    **dict.fromkeys(CONTAINERS, enter),
    **{name.replace("_open", "_close"): leave for name in CONTAINERS},
    "heading_open": heading,
    "inline": inline,
    "fence": lambda found, tokens, number: fence(found, tokens[number]),
    "code_block": lambda found, tokens, number: code(found, tokens[number]),
    "html_block": html_block,
    "html_open": html_open,
    "footnote_reference_open": footnote,
    "tr_open": row,
}
