"""What readers of an MkDocs site do not get: constructs that we read and Python-Markdown does not.

Each construct is known and certain, and is decided on our tokens; the tests compare with Python-Markdown itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..book.host import HostSettings
from ..book.markdown_tree import ITEM, LEVEL, LISTS, QUOTES, BlockNode, BlockTree, indent_width
from ..book.page import LineMap
from ..source import BOM, Fix, Problem, Span
from .host_syntax import Unread, find_unread
from .interface import Check, LintContext, LintResult
from .list_indent import is_outermost, reindent, shallow_blocks
from .markup import find_lost_line

_MAX_LINES = 6  # lines that a message lists
_KNOWN_LISTS = {"attr_list", "def_list", "sane_lists", "pymdownx.tasklist"}
_OTHER_PARSERS = re.compile("commonmark|gfm$|newline|list")  # extensions and plugins that may read lists in another way
_TEMPLATE_LINE = re.compile(r"[ \t>]*(?:\{[%{#]|--8<--|:::|///|#)|.*(?:[%}#]\}|--8<--)[ \t]*$")
_INNER_QUOTE = re.compile(r"[ \t>]*(?:>|!!!|===|\?\?\?)")  # starts a block in a paragraph for Python-Markdown
_INNER_ITEM = re.compile(r"[ \t>]*(?:[-+*]|\d+\.)[ \t]")  # and this in a list
_MARKUP_CHILDREN = ("strong_open", "em_open", "link_open", "code_inline", "image", "s_open")
_ROW_LIKE = ("heading_open", "blockquote_open", "alert_open", "admonition_open", "hr")
_INNER_BLOCKS = (*LISTS, "heading_open", "table_open", "fence", "blockquote_open", "alert_open", "admonition_open")
_PLAIN_FENCE = re.compile(r"(?:`{3,}|~{3,}) *\.?[\w#.+-]*")
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_TAG = re.compile(r"<(/?)(div|details|section|article|aside|figure|center|table|td)\b[^<>]*(?<!/)>", re.IGNORECASE)


class _Edit(NamedTuple):
    """Replace `length` characters at an offset of the page."""

    offset: int
    length: int
    text: str


class _Place(NamedTuple):
    """Something that is lost at a block; `edits` are None where there is more than one repair, or none."""

    node: BlockNode
    edits: tuple[_Edit, ...] | None


class _Cause(NamedTuple):
    """Why constructs are lost: the words of its message and of its repair."""

    message: str  # with {these} for what is lost
    noun: str
    note: str
    find: Callable[[BlockTree, HostSettings], Iterator[_Place]]
    severity: str = "warning"
    summary: str = ""


def _find_unseparated(tree: BlockTree, host: HostSettings, kinds: Sequence[str]) -> Iterator[_Place]:
    """Lists or tables that start in the line below other text."""
    for node in tree.blocks:
        before = node.previous
        if node.kind not in kinds or before is None or tree.is_below_empty_line(node):
            continue
        if node.parent and node.parent.first_line == node.first_line:
            continue
        if _is_read_below(tree, before, node, host) or _TEMPLATE_LINE.match(tree.lines.lines[node.first_line - 1]):
            continue
        yield _Place(node, None if _is_tight(before, node) else (_empty_line(tree, node),))


def _empty_line(tree: BlockTree, node: BlockNode) -> _Edit:
    """An empty line above a block, with the marks of the quotes around it."""
    marks = tree.split_line(node.first_line, node.quotes)[0].rstrip() if node.quotes else ""
    return _Edit(tree.lines.starts[node.first_line], 0, f"{marks}\n")


def _is_read_below(tree: BlockTree, before: BlockNode, node: BlockNode, host: HostSettings) -> bool:
    """Whether Python-Markdown reads a list or table directly below this block, or might."""
    if before.kind == "paragraph_open":
        lines = tree.lines.lines[before.first_line + 1 : before.end_line]
        is_first = node.is_in_item and node.kind in LISTS and before.place == 0  # `- text` and an inner list
        is_in_list = node.is_in_item or not _is_separate(tree, before, host)
        return is_first or any(_INNER_QUOTE.match(line) or (is_in_list and _INNER_ITEM.match(line)) for line in lines)
    if node.kind not in LISTS and before.kind != "fence":
        return True
    if before.kind in LISTS:
        is_other = before.kind != node.kind and ")" not in (before.token.markup, node.token.markup)
        return not (is_other and "sane_lists" in host.extensions and len(before.children[-1].children) == 1)
    if node.is_in_item or not _is_separate(tree, before, host):
        return True
    if before.kind == "fence":
        return not host.has_like("superfences")
    return not (before.kind == "table_open" or (before.kind == "blockquote_open" and _ends_in_text(before)))


def _is_separate(tree: BlockTree, node: BlockNode, host: HostSettings) -> bool:
    """Whether a block certainly does not belong to a list above it."""
    before = node.previous
    while before and before.kind == "fence" and not tree.is_below_empty_line(node):
        if _is_taken_out(tree, before, host):
            return True
        node, before = before, before.previous
    return before is None or before.kind in ("paragraph_open", "heading_open") or tree.is_below_empty_line(node)


def _is_taken_out(tree: BlockTree, fence: BlockNode, host: HostSettings) -> bool:
    """Whether `fenced_code` takes a fence out of the text, so that what is right below it is on its own."""
    if "fenced_code" not in host.extensions or host.has_like("superfences"):
        return False
    first, last = (tree.lines.lines[line].rstrip() for line in (fence.first_line, fence.end_line - 1))
    return last == fence.token.markup and _PLAIN_FENCE.fullmatch(first) is not None


def _ends_in_text(node: BlockNode) -> bool:
    return bool(node.children) and node.children[-1].kind == "paragraph_open"


def _is_tight(before: BlockNode, node: BlockNode) -> bool:
    """Whether an empty line would give paragraphs of an item or a definition more space."""
    return before.token.hidden or (before.kind != "paragraph_open" and node.is_in_item)


def _find_lists(tree: BlockTree, host: HostSettings) -> Iterator[_Place]:
    return _find_unseparated(tree, host, LISTS)


def _find_tables(tree: BlockTree, host: HostSettings) -> Iterator[_Place]:
    return _find_unseparated(tree, host, ("table_open",))


def _find_rows(tree: BlockTree, host: HostSettings) -> Iterator[_Place]:
    """Blocks in the line below a table."""
    kinds = _row_like(host)
    for node in tree.blocks:
        before = node.previous
        if before and before.kind == "table_open" and node.kind in kinds and not tree.is_below_empty_line(node):
            yield _Place(node, None if node.is_in_item else (_empty_line(tree, node),))


def _row_like(host: HostSettings) -> tuple[str, ...]:
    """The kinds of blocks that Python-Markdown takes for more of what is right above them."""
    return (*_ROW_LIKE, "fence") if host.has_like("superfences") else _ROW_LIKE


def _find_swallowed(tree: BlockTree, _host: HostSettings) -> Iterator[_Place]:
    """Items in the line below an item that has an empty line in it."""
    with_gaps = _items_with_gaps(tree)
    for node in tree.blocks:
        if node.kind == ITEM and node.previous in with_gaps and not tree.is_below_empty_line(node):
            is_loose = node.children and not node.children[0].token.hidden
            yield _Place(node, (_empty_line(tree, node),) if is_loose else None)


def _find_joined(tree: BlockTree, host: HostSettings) -> Iterator[_Place]:
    """Blocks in the line below a list whose last item has an empty line in it."""
    lists = {item.parent for item in _items_with_gaps(tree) if item and item.following is None}
    kinds = (*_row_like(host), *LISTS, "paragraph_open", "table_open")
    for node in tree.blocks:
        if node.previous in lists and node.kind in kinds and not tree.is_below_empty_line(node):
            yield _Place(node, None if node.is_in_item else (_empty_line(tree, node),))


def _items_with_gaps(tree: BlockTree) -> set[BlockNode | None]:
    """The items with a block below an empty line."""
    items = set[BlockNode | None]()
    for node in tree.blocks:
        if node.first_line < 1 or not tree.is_below_empty_line(node):
            continue
        for around in node.ancestors:
            if around.kind in QUOTES or around in items:
                break
            if around.kind == ITEM and around.first_line < node.first_line:
                items.add(around)
    return items


def _find_shallow(tree: BlockTree, host: HostSettings, is_serious: bool) -> Iterator[_Place]:
    """Lists whose content is not indented by four columns."""
    seen_to = -1
    for node in tree.blocks:
        if not is_outermost(node) or node.first_line < seen_to or _is_in_html(node):
            continue
        shallow = list(shallow_blocks(tree, node))
        if shallow:
            seen_to = node.end_line
            if any(_is_serious(tree, block, host) for block in shallow) == is_serious:
                indents = reindent(tree, node)
                edits = [_Edit(tree.lines.starts[new.line] + new.offset, new.length, new.text) for new in indents or ()]
                yield _Place(shallow[0], tuple(edits) or None)


def _is_in_html(node: BlockNode) -> bool:
    return any(ancestor.kind == "html_open" for ancestor in node.ancestors)


def _is_serious(tree: BlockTree, node: BlockNode, host: HostSettings) -> bool:
    """Whether readers lose the levels of a list, its numbers, or see its signs; else only the indent is lost."""
    item = node.parent
    if node.kind == ITEM or item is None:
        return True
    next_item = item.following
    if next_item is None or item.parent is None:
        return False
    is_last = node.following is None
    below = tree.lines.lines[next_item.first_line - 1]
    is_glued = is_last and bool(below.strip(" \t>"))
    return is_glued or (item.parent.kind == "ordered_list_open" and "sane_lists" not in host.extensions)


def _find_parentheses(tree: BlockTree, _host: HostSettings) -> Iterator[_Place]:
    """Lists with numbers such as `1)`."""
    for node in tree.blocks:
        if node.kind == "ordered_list_open" and node.token.markup == ")":
            yield _Place(node, _dot_edits(tree, node))


def _dot_edits(tree: BlockTree, node: BlockNode) -> tuple[_Edit, ...] | None:
    if any(other and other.kind in LISTS for other in (node.previous, node.following)):
        return None
    edits = []
    for item in node.children:
        match = re.match(r"[ \t>]*\d+(?=\))", tree.lines.lines[item.first_line])
        if match is None:
            return None
        edits.append(_Edit(tree.lines.starts[item.first_line] + match.end(), 1, "."))
    return tuple(edits)


def _find_indented_headings(tree: BlockTree, _host: HostSettings) -> Iterator[_Place]:
    """Headings with one to three spaces before their number signs."""
    for node in tree.blocks:
        if node.kind != "heading_open" or not node.token.markup.startswith("#"):
            continue
        before, rest = tree.split_line(node.first_line, node.quotes)
        if node.is_in_item:
            if rest[:1] in " \t" and rest.lstrip().startswith("#") and not tree.is_below_empty_line(node):
                yield _Place(node, None)
        else:
            spare = indent_width(rest) - node.required_column
            if 0 < spare < LEVEL and rest.lstrip().startswith("#") and not _is_in_html(node):
                offset = tree.lines.starts[node.first_line] + len(before) + len(rest) - len(rest.lstrip())
                yield _Place(node, (_Edit(offset - spare, spare, ""),) if rest[:1] == " " else None)


def _find_inner_markdown(tree: BlockTree, _host: HostSettings) -> Iterator[_Place]:
    """HTML elements with Markdown in them, but without the attribute `markdown`."""
    opened: list[tuple[str, BlockNode]] = []
    counts, elements = Counter[str](), dict[BlockNode, None]()
    for node in tree.blocks:
        if _is_raw_html(node):
            for closes, name in _raw_tags(node):
                if not closes:
                    opened.append((name, node))
                    counts[name] += 1
                elif counts[name]:
                    last = ""
                    while last != name:
                        last, _ = opened.pop()
                        counts[last] -= 1
        elif opened and _has_markup(node):
            elements[opened[-1][1]] = None
    yield from (_Place(element, None) for element in elements)


def _raw_lines(tree: BlockTree) -> list[range]:
    """The lines that Python-Markdown shows as they are, because an HTML element is around them."""
    ranges, depths, start = list[range](), Counter[str](), 0
    for node in filter(_is_raw_html, tree.blocks):
        for closes, name in _raw_tags(node):
            if not any(depths.values()):
                start = node.first_line
            depths[name] = max(depths[name] + (-1 if closes else 1), 0)
            if closes and not any(depths.values()):
                ranges.append(range(start, node.end_line))
    return ranges


def _is_raw_html(node: BlockNode) -> bool:
    return node.kind == "html_block" and node.parent is not None and node.parent.parent is None


def _raw_tags(node: BlockNode) -> Iterator[tuple[bool, str]]:
    """The tags of elements with blocks in a piece of HTML: whether each one closes its element, and its name."""
    return ((bool(tag[1]), tag[2].lower()) for tag in _RAW_TAG.finditer(_HTML_COMMENT.sub("", node.token.content)))


def _has_markup(node: BlockNode) -> bool:
    return node.kind in _INNER_BLOCKS or any(child.type in _MARKUP_CHILDREN for child in node.token.children or ())


_INNER_MARKDOWN = _Cause(
    "{these} Markdown that the site shows as it is written",
    "HTML element has",
    "add the attribute `markdown`, and `md_in_html` to `markdown_extensions` in mkdocs.yml",
    _find_inner_markdown,
)
_CAUSES = (
    _Cause(
        "{these} right below a line of text, so readers of the site get the signs in running text",
        "list starts", "write an empty line above it", _find_lists, summary="insert the empty line",
    ),
    _Cause(
        "{these} right below a line of text, so readers of the site get its bars in running text",
        "table starts", "write an empty line above it", _find_tables, summary="insert the empty line",
    ),
    _Cause(
        "{these} right below a table, so the site makes a row of it",
        "block starts", "write an empty line above it", _find_rows, summary="insert the empty line",
    ),
    _Cause(
        "{these} right below the text of another, so the site takes it for a part of that text",
        "item starts", "write an empty line above it", _find_swallowed, summary="insert the empty line",
    ),
    _Cause(
        "{these} right below a list, so the site takes it for a part of the last item",
        "block starts", "write an empty line above it", _find_joined, summary="insert the empty line",
    ),
    _Cause(
        "{these} content that is indented by less than four spaces, so the site loses its levels or numbers",
        "list has", "indent what belongs to an item by four spaces",
        lambda tree, host: _find_shallow(tree, host, is_serious=True), summary="indent by four spaces",
    ),
    _Cause(
        "{these} content that is indented by less than four spaces, so the site shows it outside of its item",
        "list has", "indent what belongs to an item by four spaces",
        lambda tree, host: _find_shallow(tree, host, is_serious=False), "info", "indent by four spaces",
    ),
    _Cause(
        "{these} numbers with a parenthesis, which the site shows as running text",
        "list has", "write `1.`", _find_parentheses, summary="write the numbers with a dot",
    ),
    _Cause(
        "{these} after spaces, so readers of the site see the number signs",
        "heading starts", "write it at the start of the line", _find_indented_headings, summary="remove the spaces",
    ),
    _INNER_MARKDOWN,
)  # fmt: skip


def _check_page(context: LintContext) -> LintResult:
    host = context.host
    if host is None or any(map(_OTHER_PARSERS.search, (host.extensions | host.plugins) - _KNOWN_LISTS)):
        return LintResult()
    tree = BlockTree(context.page)
    raw = _raw_lines(tree)
    problems = list[Problem]()
    for cause in _CAUSES:
        found = cause.find(tree, host)
        places = [place for place in found if cause is _INNER_MARKDOWN or not _is_within(place.node, raw)]
        if places:
            problems.append(_place_problem(tree, cause, places))
    unread = tuple(
        (f"{used.syntax.extension} {used.syntax.severity}", _unread_problem(tree, used))
        for used in find_unread(tree, host, lambda node: not _is_within(node, raw))
    )
    return LintResult(0, (*_first_line_problems(context, tree.lines), *problems), unread)


def _is_within(node: BlockNode, ranges: Sequence[range]) -> bool:
    """Whether a block is in one of some sorted ranges of lines."""
    place = bisect_right(ranges, node.first_line, key=lambda lines: lines.start)
    return place > 0 and node.first_line in ranges[place - 1]


def _place_problem(tree: BlockTree, cause: _Cause, places: list[_Place]) -> Problem:
    """One problem for all places of a page that are lost for the same reason."""
    lines = [place.node.first_line for place in places]
    verb = cause.noun.rpartition(" ")[2]
    if len(places) == 1:
        subject = f"this {cause.noun}"
    else:
        plural = {"starts": "start", "has": "have"}[verb]
        subject = f"{len(places)} {cause.noun.rpartition(' ')[0]}s on this page {plural}"
    notes = (cause.note, *_other_lines(lines))
    span, trail = tree.lines.line_span(lines[0]), tree.trail(lines[0])
    edits = [edit for place in places for edit in place.edits or ()]
    fix = _combine(tree.lines, edits, cause.summary)
    return Problem("markdown-lost", cause.message.format(these=subject), span, cause.severity, notes, trail, fix)


def _other_lines(lines: list[int]) -> tuple[str, ...]:
    if len(lines) == 1:
        return ()
    numbers = ", ".join(str(line + 1) for line in lines[1:_MAX_LINES])
    more = f" and {len(lines) - _MAX_LINES} more" if len(lines) > _MAX_LINES else ""
    return (f"also line {numbers}{more}" if len(lines) == 2 else f"also lines {numbers}{more}",)


def _combine(lines: LineMap, edits: list[_Edit], summary: str) -> Fix | None:
    """One fix that makes all edits of a page."""
    if not edits:
        return None
    edits.sort()
    text, parts, at = lines.source.text, list[str](), edits[0].offset
    for edit in edits:
        parts += (text[at : edit.offset], edit.text)
        at = edit.offset + edit.length
    return Fix(Span(lines.source, edits[0].offset, at), "".join(parts), summary)


def _first_line_problems(context: LintContext, lines: LineMap) -> Iterator[Problem]:
    """A first line that MkDocs takes out of the page."""
    if lost := find_lost_line(context):
        message = f"MkDocs takes the first line of this page for a setting named `{lost.key}` and does not show it"
        start = int(lines.source.text.startswith(BOM))
        fix = Fix(Span(lines.source, start, start), "\n", "insert an empty line") if lost.is_sentence else None
        severity = "warning" if lost.is_sentence else "info"
        yield Problem(
            "markdown-lost", message, lines.line_span(0), severity, ("write an empty line above it",), (), fix
        )


def _unread_problem(tree: BlockTree, used: Unread) -> Problem:
    syntax, line = used.syntax, used.node.first_line
    message = f"the site does not read {syntax.noun}: {syntax.effect}"
    option = " with `callouts: true`" if syntax.extension == "pymdownx.quotes" else ""
    note = f"add `{syntax.extension}`{option} to `markdown_extensions` in mkdocs.yml, or write it in another way"
    return Problem(
        "markdown-lost", message, tree.lines.line_span(line), used.syntax.severity, (note,), tree.trail(line)
    )


def _check_book(facts: Sequence[tuple[str, Problem]]) -> list[Problem]:
    """One problem for each extension that the site lacks, at the first page that needs it."""
    pages: dict[str, list[Problem]] = {}
    for extension, problem in facts:
        pages.setdefault(extension, []).append(problem)
    return [_merge(problems) for problems in pages.values()]


def _merge(problems: list[Problem]) -> Problem:
    first, others = problems[0], [problem.span.source.path for problem in problems[1:]]
    if not others:
        return first
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return first._replace(notes=(*first.notes, f"also on {', '.join(others[:3])}{more}"))


CHECK = Check("markdown", "", _check_page, _check_book)
