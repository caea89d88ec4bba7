"""Renders the nodes of a page as Typst: a function for each kind of inline, block and table node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html.parser import HTMLParser

from markdown_it.token import Token

from ...book.inlines import plain_text
from ...book.page import Block
from .compiler import MODIFIERS
from .markup import Node, PageState, array, build_tree, call, content, flag, label, string_literal, text, text_content

ALERT_TYPES = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "info", "WARNING": "warning", "CAUTION": "danger"}
_BREAKING_TAGS = {
    "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption", "ul", "ol", "dl", "dt", "dd",
    "pre", "blockquote", "hr", "details", "summary", "figure", "figcaption", "section", "article", "aside", "header",
    "footer",
}  # fmt: skip
_HIDDEN_TAGS = {"script", "style", "template", "head"}


class _TextReader(HTMLParser):
    """Collects the visible text of HTML in lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines, self.hidden_depth = [""], 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN_TAGS:
            self.hidden_depth += 1
        elif tag in _BREAKING_TAGS:
            self.lines.append("")
        elif tag in ("img", "svg"):
            self.lines[-1] += next((value or "" for name, value in attrs if name in ("alt", "aria-label")), "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN_TAGS:
            self.hidden_depth = max(self.hidden_depth - 1, 0)
        elif tag in _BREAKING_TAGS:
            self.lines.append("")
        elif tag in ("td", "th"):
            self.lines[-1] += " "

    def handle_data(self, data: str) -> None:
        if not self.hidden_depth:
            self.lines[-1] += data


def _html_lines(html: str) -> list[str]:
    """The text of HTML, one line for each paragraph or table row."""
    reader = _TextReader()
    reader.feed(html)
    reader.close()
    texts = (" ".join(line.split()) for line in reader.lines)
    return [line for line in texts if line]


def _is_line_break(html: str) -> bool:
    """Whether a tag is a line break."""
    return html.lower().lstrip("</ ").startswith("br")


# icons of the theme
_ICON_SHORTCODE = re.compile(r":(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:(?:\{[^{}]*\})?\s?")
_WIDTH_PATTERN = re.compile(r"([1-9][0-9]{0,3})(%|px|)")


def _render_inlines(state: PageState, nodes: Iterable[Node]) -> str:
    return "".join(_render_inline(state, node) for node in nodes)


def _render_inline(state: PageState, node: Node) -> str:
    """One inline node; unknown kinds become their text."""
    renderer = _INLINE_RENDERERS.get(node.kind)
    if renderer:
        return renderer(state, node)
    return _render_inlines(state, node.children) if node.children else text(node.token.content)


def _wrap_inlines(name: str) -> Callable[[PageState, Node], str]:
    """A renderer that puts the content of a node into a Typst function."""
    return lambda state, node: call(name, body=_render_inlines(state, node.children)) + _render_anchor(state, node)


def _render_text(_state: PageState, node: Node) -> str:
    """Text without the shortcodes of icons."""
    content = node.token.content
    return text(_ICON_SHORTCODE.sub("", content) if ":" in content else content)


def _render_link(state: PageState, node: Node) -> str:
    """A link; a link to another page of the book also prints a page number."""
    inside = _render_inlines(state, node.children)
    parsed_link = node.token.meta.get("link")
    target = state.resolve_link(parsed_link) if parsed_link else None
    if target is None or state.in_heading or not text_content(node.children).strip():
        return inside
    if target.address:
        return call("link", string_literal(target.address), body=inside)
    return call("near" if target.is_same_page else "far", string_literal(target.label), body=inside)


def _render_image(state: PageState, node: Node) -> str:
    """A picture; reports a missing file or a missing text alternative."""
    source, alt = str(node.token.attrs.get("src", "")), plain_text(node.token.children or [])
    line = (node.token.map or [0])[0] + 1
    parsed_link = node.token.meta.get("link")
    line = parsed_link.span.source.position(parsed_link.span.start)[0] if parsed_link else line
    file = state.find_picture(source)
    if file is None:
        state.warn("export-picture", f"the picture {source} cannot be printed", line, "its words stand in its place")
        return text(alt)
    if not alt:
        state.warn("export-alt", f"the picture {source} has no words for those who cannot see it", line, "![words](…)")
        alt = file.stem.replace("-", " ").replace("_", " ")
    return call("picture", string_literal(file.as_posix()), string_literal(alt), **_read_width(node))


def _read_width(node: Node) -> dict[str, str]:
    """The `width` attribute of a picture in Typst units; a pixel is 0.75 points."""
    match = _WIDTH_PATTERN.fullmatch(str(node.token.attrs.get("width", "")))
    return {"width": f"{match[1]}%" if match[2] == "%" else f"{int(match[1]) * 0.75}pt"} if match else {}


def _render_footnote(state: PageState, node: Node) -> str:
    """A footnote; further references to it only refer to the first."""
    name = str(node.token.meta["label"])
    if name not in state.footnotes or state.in_heading:
        return ""
    label_name = state.make_label(f"fn:{name}")
    if name in state.placed_footnotes:
        return call("footnote", f"label({string_literal(label_name)})")
    state.placed_footnotes.add(name)
    return call("footnote", body=state.footnotes[name]) + label(label_name)


def _render_inline_html(_state: PageState, node: Node) -> str:
    """Inline HTML: a line break, or the text it contains."""
    return (
        call("linebreak") if _is_line_break(node.token.content) else "".join(map(text, _html_lines(node.token.content)))
    )


def _render_anchor(state: PageState, node: Node) -> str:
    """A label for the id of a node."""
    return _render_label(state, str(node.token.attrs["id"])) if "id" in node.token.attrs else ""


def _render_label(state: PageState, anchor: str) -> str:
    """A label for links to an anchor, unless it already exists."""
    label_name = state.make_label(anchor)
    if label_name in state.placed_labels:
        return ""
    state.placed_labels.add(label_name)
    return f"#metadata(none);{label(label_name)}"


_INLINE_RENDERERS: dict[str, Callable[[PageState, Node], str]] = {
    "text": _render_text,
    "softbreak": lambda _state, _node: "\n",
    "hardbreak": lambda _state, _node: call("linebreak"),
    "em": _wrap_inlines("emph"),
    "strong": _wrap_inlines("strong"),
    "s": _wrap_inlines("strike"),
    "code_inline": lambda _state, node: call("raw", string_literal(node.token.content)),
    "math_inline": lambda _state, node: call("raw", string_literal(node.token.content)),
    "link": _render_link,
    "image": _render_image,
    "footnote_ref": _render_footnote,
    "footnote_anchor": lambda _state, _node: "",
    "html_inline": _render_inline_html,
}


LINE_LENGTH, _COLUMN_LENGTH = 78, 36  # characters per line at full width, and in one of two columns
_FEW_COLUMNS = 3  # tables with more columns get the full width if their text does not fit on a line
_SHORT_TEXT = 18  # characters of a column that is never wrapped
_COLUMN_GAP = 3  # characters between two columns
_MOST_ROWS = 12  # rows; a longer table may break across pages


def _render_table(state: PageState, node: Node) -> str:
    """A table, with column widths from the lengths of its texts."""
    head = [row for part in node.find_all("thead") for row in part.find_all("tr")]
    rows = [row for part in node.find_all("tbody") for row in part.find_all("tr")]
    cells = [[text_content(cell.children) for cell in row.children] for row in (*head, *rows)]
    size, spans_page = fit_table(cells)
    widths = column_widths(cells, LINE_LENGTH if spans_page else state.line_length)
    alignments = array(str(_find_alignment(cell)) for cell in head[0].children) if head else "(left,)"
    header = "".join(f"{_render_cell(state, cell)}, " for row in head for cell in row.children)
    body = ", ".join(_render_cell(state, cell) for row in rows for cell in row.children)
    parts = [f"columns: {array(widths)}", f"align: {alignments}"]
    table_arguments = ", ".join([*parts, f"table.header({header})" if header else "", body])
    return (
        call("grid-of", f"{size}em", flag(spans_page), flag(len(rows) > _MOST_ROWS), body=f"#table({table_arguments})")
        + "\n"
    )


def _render_cell(state: PageState, node: Node) -> str:
    return content(_render_inlines(state, (child for inner in node.children for child in inner.children)))


def _find_alignment(node: Node) -> str:
    style = str(node.token.attrs.get("style", ""))
    return next((alignment for alignment in ("right", "center") if alignment in style), "left")


def column_widths(cells: Sequence[Sequence[str]], line_length: int = LINE_LENGTH) -> list[str]:
    """Typst column widths: `auto` if the text fits on a line.

    Otherwise each long column gets its longest word and a share of the remaining space that grows with its text.
    """
    text_lengths = [max((len(text) for text in column), default=0) for column in _transpose(cells)]
    if sum(text_lengths) + _COLUMN_GAP * len(text_lengths) <= line_length:
        return ["auto"] * len(text_lengths)
    is_short = [
        length <= max(_SHORT_TEXT, line_length // (2 * len(text_lengths))) and length <= line_length // 3
        for length in text_lengths
    ]
    if all(is_short):
        return ["auto"] * len(text_lengths)
    least_widths = [
        length if fits else word
        for length, fits, word in zip(text_lengths, is_short, _longest_words(cells), strict=True)
    ]
    extra_weights = [(length - word) ** 0.7 for length, word in zip(text_lengths, least_widths, strict=True)]
    width_per_weight = max(line_length - sum(least_widths) - _COLUMN_GAP * len(least_widths), 0) / (
        sum(extra_weights) or 1
    )
    shares = [
        word + _COLUMN_GAP + width_per_weight * weight for word, weight in zip(least_widths, extra_weights, strict=True)
    ]
    return ["auto" if fits else f"{share:.1f}fr" for fits, share in zip(is_short, shares, strict=True)]


def _longest_words(cells: Sequence[Sequence[str]]) -> list[int]:
    """The length of the longest word of each column."""
    return [max((len(word) for text in column for word in text.split()), default=1) for column in _transpose(cells)]


def fit_table(cells: Sequence[Sequence[str]]) -> tuple[float, bool]:
    """The font size in em, and whether the table spans both columns of a page."""
    least = sum(word + _COLUMN_GAP for word in _longest_words(cells))
    total = sum(max((len(text) for text in column), default=0) + _COLUMN_GAP for column in _transpose(cells))
    size = 1.0 if least <= LINE_LENGTH else max(LINE_LENGTH / least, 0.5)
    many_columns = max((len(row) for row in cells), default=0) > _FEW_COLUMNS
    return round(size, 2), least > _COLUMN_LENGTH or (many_columns and total > _COLUMN_LENGTH)


def _transpose(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Transposes rows to columns; rows may differ in length."""
    column_count = max((len(row) for row in cells), default=0)
    return [[row[index] for row in cells if index < len(row)] for index in range(column_count)]


ALIASES = {  # types of admonitions by their aliases in Material for MkDocs
    "seealso": "note", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip", "important": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "caution": "warning",
    "attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "snippet": "example",
    "cite": "quote",
}  # fmt: skip
_CHECKED, _UNCHECKED = "☑ ", "☐ "
_PLAIN_LANGUAGES = ("text", "txt", "plain")  # languages of fences that are not code
_LEAD_IN_ENDINGS = (":", "：")
_VISIBLE_TEXT = re.compile(r'(?:#|#raw\()"[^"]')  # visible text in Typst source


def render_page(state: PageState, tokens: Iterable[Token]) -> str:
    """Renders a page; its footnotes first, because Typst needs their text at the first reference."""
    tree = build_tree(tokens)
    for node in _walk_nodes(tree):
        if node.kind == "footnote_reference":
            state.footnotes.setdefault(str(node.token.meta["label"]), _render_blocks(state, node.children).strip())
    return _render_blocks(state, tree)


def _walk_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes, depth first."""
    for node in nodes:
        yield node
        yield from _walk_nodes(node.children)


def _render_blocks(state: PageState, nodes: Iterable[Node]) -> str:
    return "".join(_render_block(state, node) for node in nodes)


def _render_block(state: PageState, node: Node) -> str:
    """One block node; unknown kinds become their content."""
    renderer = _BLOCK_RENDERERS.get(node.kind)
    return renderer(state, node) if renderer else _render_blocks(state, node.children)


def _render_paragraph(state: PageState, node: Node) -> str:
    inside = "".join(_render_line(state, child) for child in node.children)
    if not inside:
        return ""
    if node.token.hidden:
        return inside + _render_anchor(state, node) + "\n"
    return (
        call("lead", body=inside + _render_anchor(state, node))
        if _is_lead_in(node)
        else inside + _render_anchor(state, node)
    ) + "\n\n"


def _is_lead_in(node: Node) -> bool:
    """Whether a paragraph introduces the next block: it ends with a colon or is all bold."""
    parts = [part for child in node.children for part in child.children if text_content([part]).strip()]
    return bool(parts) and (
        text_content(parts).rstrip().endswith(_LEAD_IN_ENDINGS) or [part.kind for part in parts] == ["strong"]
    )


def _render_line(state: PageState, node: Node) -> str:
    """The content of a paragraph, without the marker of a table of contents."""
    return "" if node.token.meta.get("contents") else _render_inlines(state, node.children)


def _render_heading(state: PageState, node: Node) -> str:
    """A heading; levels are never skipped, because screen readers rely on them. Without text it becomes a label."""
    label_name = state.make_label(str(node.token.attrs["id"]))
    title, below = _split_title(state, node)
    if not title:
        return _render_label(state, str(node.token.attrs["id"])) + below
    state.heading_level = level = min(int(node.token.tag[1]) + state.heading_offset, state.heading_level + 1)
    heading_call = call("heading", level=str(level), body=title)
    if label_name not in state.placed_labels:
        state.placed_labels.add(label_name)
        heading_call += label(label_name)
    return f"{heading_call}\n\n{below}"


def _split_title(state: PageState, node: Node) -> tuple[str, str]:
    """The title of a heading, and what follows it.

    A heading with only pictures gets their text alternatives as its title, and the pictures follow.
    """
    state.in_heading = True
    inside = "".join(_render_line(state, child) for child in node.children)
    state.in_heading = False
    if _VISIBLE_TEXT.search(MODIFIERS.sub("", inside)):
        return inside, ""
    alt = " ".join(
        part.token.content for child in node.children for part in child.children if part.kind == "image"
    ).strip()
    return text(alt), inside + "\n\n" if inside else ""


def _list_renderer(name: str) -> Callable[[PageState, Node], str]:
    """A renderer for bullet lists or numbered lists."""

    def render_list(state: PageState, node: Node) -> str:
        items = [content(_render_item(state, child)) for child in node.find_all("list_item")]
        start = {"start": str(node.token.attrs["start"])} if "start" in node.token.attrs else {}
        return call(name, *items, tight="true" if _is_tight(node) else "false", **start) + "\n\n"

    return render_list


def _render_item(state: PageState, node: Node) -> str:
    """The content of a list item, with the checkbox of a task."""
    is_checked = node.token.meta.get("checked")
    return ("" if is_checked is None else text(_CHECKED if is_checked else _UNCHECKED)) + _render_blocks(
        state, node.children
    ).strip()


def _is_tight(node: Node) -> bool:
    """Whether a list has no space between its items."""
    return all(child.token.hidden for part in node.children for child in part.find_all("paragraph"))


def _render_quote(state: PageState, node: Node) -> str:
    return call("quote", block="true", body=_render_blocks(state, node.children).strip()) + "\n\n"


def _render_box(state: PageState, node: Node) -> str:
    """An admonition, alert or collapsible section: its title and its content, always open."""
    titles = [child for child in node.children if child.kind in ("admonition_title", "summary", "alert_title")]
    title = "".join(_render_inlines(state, part.children) for heading in titles for part in heading.children)
    body = _render_blocks(state, (child for child in node.children if child not in titles)).strip()
    return call("box-of", string_literal(_box_kind(node)), content(title), body=body) + "\n\n"


def _box_kind(node: Node) -> str:
    """The type of a box, with aliases resolved."""
    if node.kind == "alert":
        return ALERT_TYPES.get(str(node.token.meta["kind"]).upper(), "note")
    name = (node.token.info or "note").split(" ")[0].lower()
    return ALIASES.get(name, name)


def _render_tab(state: PageState, node: Node) -> str:
    """A tab: its title and its content, since a PDF has no tabs."""
    title = "".join(
        _render_inlines(state, part.children) for heading in node.find_all("tab_title") for part in heading.children
    )
    return call(
        "tab-of",
        content(title),
        body=_render_blocks(state, (child for child in node.children if child.kind != "tab_title")).strip(),
    )


def _render_definitions(state: PageState, node: Node) -> str:
    """A definition list; several terms may share their definitions."""
    groups: list[tuple[list[str], list[str]]] = []
    for entry in node.children:
        if entry.kind == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            id_label = _render_label(state, entry.token.meta["id"]) if entry.token.meta.get("id") else ""
            groups[-1][0].append(
                _render_inlines(state, (deep for inner in entry.children for deep in inner.children)) + id_label
            )
        elif groups:
            groups[-1][1].append(_render_blocks(state, entry.children).strip())
    items = (f"terms.item([{', '.join(names)}], [{'#parbreak();'.join(texts)}])" for names, texts in groups)
    return call("terms", *items, tight="false") + "\n\n"


def _render_fence(state: PageState, node: Node) -> str:
    """A fence: the card of a Rulewright block, or code."""
    if rulewright_block := node.token.meta.get("block"):
        return _render_card(state, rulewright_block)
    return _render_code(node)


def _render_card(state: PageState, rulewright_block: Block) -> str:
    """The card of a block after a label for its id."""
    return (
        (_render_label(state, rulewright_block.id) + state.render_card(rulewright_block) + "\n\n")
        if rulewright_block.shown
        else ""
    )


def _render_code(node: Node) -> str:
    """A code block, highlighted if it has a language."""
    language = node.token.info.split(maxsplit=1)[0].strip("{}.") if node.token.info.strip() else ""
    arguments = {"lang": string_literal(language)} if language.isalnum() and language not in _PLAIN_LANGUAGES else {}
    return call("raw", string_literal(node.token.content.rstrip("\n")), block="true", **arguments) + "\n\n"


def _render_html_block(state: PageState, node: Node) -> str:
    """The text of block HTML, after labels for the Rulewright blocks it contains."""
    labels = "".join(
        _render_label(state, rulewright_block.id)
        for rulewright_block in node.token.meta.get("blocks", ())
        if rulewright_block.shown
    )
    return labels + "".join(text(line) + "\n\n" for line in _html_lines(node.token.content))


def _render_nothing(_state: PageState, _node: Node) -> str:
    """For nodes that are rendered elsewhere."""
    return ""


_BLOCK_RENDERERS: dict[str, Callable[[PageState, Node], str]] = {
    "paragraph": _render_paragraph,
    "inline": _render_line,
    "heading": _render_heading,
    "bullet_list": _list_renderer("list"),
    "ordered_list": _list_renderer("enum"),
    "blockquote": _render_quote,
    "alert": _render_box,
    "admonition": _render_box,
    "details": _render_box,
    "tab": _render_tab,
    "table": _render_table,
    "dl": _render_definitions,
    "fence": _render_fence,
    "code_block": lambda _state, node: _render_code(node),
    "math_block": lambda _state, node: _render_code(node),
    "html_block": _render_html_block,
    "hr": lambda _state, _node: call("rule") + "\n\n",
    "footnote_reference": _render_nothing,
    "abbreviation": _render_nothing,
}
