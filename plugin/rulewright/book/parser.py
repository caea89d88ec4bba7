"""Parses a page: walks its tokens once and collects headings, links, blocks and problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from markdown_it.token import Token

from ..source import Problem, Source, Span, sort_problems
from .anchors import github_slug
from .blocks import (
    LOOSE_FENCE_SIGNS,
    PageBuilder,
    check_block_ids,
    check_indented_code,
    check_loose_fence,
    collect_fence,
    file_stem,
)
from .definitions import read_definitions
from .foreign_syntax import translate_lines
from .inlines import collect_html, collect_inline, locate_inline, plain_text
from .markdown import MAX_NESTING, parse_markdown
from .page import BLOCK_KINDS, LARGEST_PAGE, NO_SNIPPETS, Anchor, Heading, LineMap, Page, Snippets, Term, map_lines

_FRONT_MATTER_FIELD = re.compile(r"""([\w-]+)[ \t]*:(?:[ \t]+(?:"([^"]*)"|'([^']*)'|(.*)))?$""")
_MULTIMARKDOWN_FIELD = re.compile(r" {0,3}([A-Za-z0-9_-]+):\s*(.*)")
_CONTINUATION = re.compile(r" {4}|\t")
_YAML_START = re.compile(r"""[\w"'-][^:]*:(\s|$)|\{""")


def count_front_matter_lines(line_map: LineMap, multimarkdown: bool = False) -> int:
    """Number of lines of front matter, with the rules around it; 0 without any."""
    if line_map.lines[0].rstrip() != "---":
        return _count_multimarkdown_lines(line_map.lines) if multimarkdown else 0
    ends = (number for number, line in enumerate(line_map.lines) if number and line.rstrip() in ("---", "..."))
    end = next(ends, 0)
    return end + 1 if end and _is_yaml(line_map.lines[1:end]) else 0


def _count_multimarkdown_lines(lines: list[str]) -> int:
    """Number of first lines `name: value`, and of indented lines below them; 0 if the first line is none."""
    count = 0
    for line in lines:
        if not line.strip() or not (_MULTIMARKDOWN_FIELD.match(line) or (count and _CONTINUATION.match(line))):
            break
        count += 1
    return count


def _is_yaml(lines: list[str]) -> bool:
    """True if the lines between two rules look like YAML; a page may also begin with a horizontal rule."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return _YAML_START.match(first) is not None


def _front_matter_fields(line_map: LineMap) -> Mapping[str, Span]:
    """Simple values at the top level of the front matter; lists and nested values are ignored."""
    values = dict[str, Span]()
    if line_map.lines[0].rstrip() != "---":
        for number in range(line_map.front_matter_lines):
            if named := _MULTIMARKDOWN_FIELD.match(line_map.lines[number].rstrip()):
                values.setdefault(named[1].lower(), line_map.span(number, *named.span(2)))
        return values
    for number in range(1, max(line_map.front_matter_lines - 1, 1)):
        if field := _FRONT_MATTER_FIELD.match(line_map.lines[number].rstrip()):
            group = field.lastindex if field.lastindex and field.lastindex > 1 else 1
            start, end = field.span(group) if group > 1 else (field.end(), field.end())
            values[field[1]] = line_map.span(number, start, end)
    return values


_CONTAINER_NAMES = {
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


def read_page(
    source: Source,
    formulas: bool = False,
    has_game: bool = True,
    extra_kinds: frozenset[str] = frozenset(),
    multimarkdown: bool = False,
    snippets: Snippets = NO_SNIPPETS,
) -> Page:
    """Parse a source. In a book without a game (`has_game`), only a fence that is surely a block is one; that of a
    kind which another package adds (`extra_kinds`) always is.

    With `multimarkdown`, first lines `name: value` are front matter, as MkDocs reads them. `snippets` define links.
    """
    if len(source.text) * 4 > LARGEST_PAGE and len(source.text.encode(errors="replace")) > LARGEST_PAGE:
        return _empty_page(source)
    line_map = map_lines(source)
    front_matter_lines = count_front_matter_lines(line_map, multimarkdown)
    translated = translate_lines(line_map.lines, source.path, {*BLOCK_KINDS, *extra_kinds})
    line_map = replace(line_map, front_matter_lines=front_matter_lines, translated=translated)
    tokens, env = parse_markdown(line_map.text, formulas, snippets.references)
    references = cast(dict[str, dict[str, object]], env.get("references", {}))
    builder = PageBuilder(line_map, references, has_game, extra_kinds)
    _reserve_ids(builder, tokens)
    for number, token in enumerate(tokens):
        if handle := _HANDLERS.get(token.type):
            handle(builder, tokens, number)
    check_block_ids(builder)
    return _build_page(builder, tokens, multimarkdown, snippets)


def read_again(page: Page, formulas: bool = False) -> Page:
    """The page with its tokens, which a build drops where the host renders it."""
    return read_page(page.source, formulas, page.has_game, page.extra_kinds, page.multimarkdown, page.snippets)


def _empty_page(source: Source) -> Page:
    message = "this page is larger than 4 MB and was not read"
    problem = Problem("page-size", message, Span(source, 0, 0), notes=("split it into several",))
    return Page(source, (), (), (), (), (), (), (), (), {}, file_stem(source.path), (problem,))


def _reserve_ids(builder: PageBuilder, tokens: Sequence[Token]) -> None:
    """Reserve the explicit ids of headings before any slug is generated."""
    for token in tokens:
        if token.type == "heading_open" and "id" in token.attrs:
            builder.slugs.taken.setdefault(str(token.attrs["id"]), 0)


def _build_page(builder: PageBuilder, tokens: list[Token], multimarkdown: bool, snippets: Snippets) -> Page:
    """Build the page from everything that was collected."""
    meta = _front_matter_fields(builder.line_map) if builder.line_map.front_matter_lines else {}
    return Page(
        source=builder.line_map.source,
        tokens=tuple(tokens),
        headings=tuple(builder.headings),
        links=tuple(builder.links),
        anchors=tuple(builder.anchors),
        blocks=tuple(builder.blocks),
        terms=tuple(builder.terms),
        comments=tuple(builder.comments),
        contents=tuple(builder.contents),
        ignores=tuple(builder.ignores),
        meta=meta,
        title=(meta["title"].text if "title" in meta else "") or _page_title(builder),
        problems=tuple(sort_problems(builder.problems)),
        has_game=builder.has_game,
        extra_kinds=builder.extra_kinds,
        definitions=tuple(read_definitions(tokens)) if builder.terms else (),
        multimarkdown=multimarkdown,
        snippets=snippets,
    )


def _page_title(builder: PageBuilder) -> str:
    """The first heading of the highest level, else the name of the file."""
    first = min(builder.headings, key=lambda heading: heading.level, default=None)
    if first and first.text:
        return first.text
    return file_stem(builder.line_map.source.path).replace("-", " ").replace("_", " ").capitalize()


def _handle_heading(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    token, inline = tokens[number], tokens[number + 1]
    level, text = int(token.tag[1]), plain_text(inline.children or [])
    builder.leave_sections(level)
    explicit = "id" in token.attrs
    id_ = str(token.attrs["id"]) if explicit else builder.slugs.take(github_slug(text))
    token.attrs["id"] = id_
    span = locate_inline(builder, inline, token).span(0, len(inline.content))
    line = token.map[0] + 1 if token.map and token.markup[0] == "#" else span.source.position(span.start)[0]
    builder.enter_section(Heading(level, text, id_, span, line, builder.trail, explicit))


def _handle_inline(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    """Collect terms, anchors and links from an inline token."""
    opening = tokens[number - 1]
    if opening.type == "dt_open":
        span = locate_inline(builder, tokens[number], opening).span(0, len(tokens[number].content))
        text = plain_text(tokens[number].children or [])
        id_ = str(opening.attrs.get("id") or builder.new_term_id(text))
        opening.meta |= {"id": id_, "span": span}
        builder.terms.append(Term(text, span, builder.trail, id_))
    if "id" in opening.attrs and opening.type != "heading_open":
        builder.anchors.append(Anchor(str(opening.attrs["id"]), builder.line_map.line_span((opening.map or [0])[0])))
    collect_inline(builder, tokens[number], opening)
    if opening.type == "paragraph_open" and tokens[number].content[:1] in LOOSE_FENCE_SIGNS:
        check_loose_fence(builder, tokens[number])


def _handle_html_block(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    token = tokens[number]
    before, ignores = len(builder.contents), len(builder.ignores)
    blocks = collect_html(builder, builder.line_map.locate((token.map or [0])[0], token.content))
    if len(builder.ignores) > ignores:
        scope = _find_next_element(builder, tokens, number)
        builder.ignores[ignores:] = [ignore._replace(scope=scope) for ignore in builder.ignores[ignores:]]
    if blocks:
        token.meta["blocks"] = tuple(blocks)
    if len(builder.contents) > before:
        token.meta["contents"] = True


def _find_next_element(builder: PageBuilder, tokens: Sequence[Token], number: int) -> Span | None:
    """The block element after an ignore comment, in the same container; other such comments are passed over."""
    for token in tokens[number + 1 :]:
        if token.nesting < 0:
            return None
        is_ignore = token.type == "html_block" and token.content.strip().startswith("<!-- rulewright:")
        if token.map and not is_ignore:
            return builder.line_map.range_span(token.map[0], token.map[1])
    return None


def _handle_html_open(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    """Collect from the opening tag of an element with Markdown inside."""
    token = tokens[number]
    collect_html(builder, builder.line_map.locate((token.map or [0])[0], token.meta["at"]))
    _enter_container(builder, tokens, number)


def _handle_footnote(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    """Record the ids that different tools give to a footnote."""
    token = tokens[number]
    span = builder.line_map.line_span((token.map or [0])[0])
    label = str(token.meta.get("label"))
    builder.anchors.extend(Anchor(f"{mark}{label}", span) for mark in ("fn:", "fnref:", "user-content-fn-"))
    _enter_container(builder, tokens, number)


def _start_row(builder: PageBuilder, _tokens: Sequence[Token], _number: int) -> None:
    builder.row_cells, builder.row_pipes = [], []


def _enter_container(builder: PageBuilder, tokens: Sequence[Token], number: int) -> None:
    """Enter a container; report nesting at which the parser stops."""
    token = tokens[number]
    builder.containers.append(_CONTAINER_NAMES[token.type])
    if token.level >= MAX_NESTING - 1:
        span = builder.line_map.line_span((token.map or [0])[0])
        builder.report_error(
            "page-nesting", "this is nested too deeply to be read", span, "take some of the levels away"
        )


def _leave_container(builder: PageBuilder, _tokens: Sequence[Token], _number: int) -> None:
    builder.containers.pop()


_HANDLERS: dict[str, Callable[[PageBuilder, Sequence[Token], int], None]] = {
    **dict.fromkeys(_CONTAINER_NAMES, _enter_container),
    **{name.replace("_open", "_close"): _leave_container for name in _CONTAINER_NAMES},
    "heading_open": _handle_heading,
    "inline": _handle_inline,
    "fence": lambda builder, tokens, number: collect_fence(builder, tokens[number]),
    "code_block": lambda builder, tokens, number: check_indented_code(builder, tokens[number]),
    "html_block": _handle_html_block,
    "html_open": _handle_html_open,
    "footnote_reference_open": _handle_footnote,
    "tr_open": _start_row,
}
