"""Renders the document of a page as Typst: a function for each kind of node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html.parser import HTMLParser
from typing import Any

from .. import document as doc
from .compiler import MODIFIERS
from .syntax import PageState, array, call, content, flag, label, string_literal, text

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


def render_page(state: PageState, document: doc.Document) -> str:
    """Renders a page; its footnotes first, because Typst needs their text at the first reference."""
    for name, nodes in document.notes.items():
        state.footnotes[name] = _render_all(state, nodes).strip()
    return _render_all(state, document.children)


def _render_all(state: PageState, nodes: Iterable[doc.Node]) -> str:
    return "".join([_RENDERERS[type(node)](state, node) for node in nodes])


def _render_element(state: PageState, node: doc.Element) -> str:
    """An element of HTML; unknown ones become their content."""
    renderer = _ELEMENT_RENDERERS.get(node.tag)
    return renderer(state, node) if renderer else _render_all(state, node.children)


def _wrap(name: str) -> Callable[[PageState, doc.Element], str]:
    """A renderer that puts the content of an element into a Typst function."""
    return lambda state, node: call(name, body=_render_all(state, node.children)) + _render_anchor(state, node)


def _render_text(_state: PageState, node: doc.Text) -> str:
    """Text without the shortcodes of icons."""
    plain = _ICON_SHORTCODE.sub("", node.content) if ":" in node.content else node.content
    return "\n".join(map(text, plain.split("\n")))


def _render_link(state: PageState, node: doc.Link) -> str:
    """A link; a link to another page of the book also prints a page number."""
    inside, target = _render_all(state, node.children), state.locate(node.address)
    if target is None or state.in_heading or not doc.text_of(node.children).strip():
        return inside
    if target.address:
        return call("link", string_literal(target.address), body=inside)
    return call("near" if target.is_same_page else "far", string_literal(target.label), body=inside)


def _render_image(state: PageState, node: doc.Image) -> str:
    """A picture; reports a missing file or a missing text alternative."""
    source, alt, span = node.written, node.alt, node.address.link.span
    line = span.source.position(span.start)[0]
    file = state.find_picture(source)
    if file is None:
        state.warn("export-picture", f"the picture {source} cannot be printed", line, "its words take its place")
        return text(alt)
    if not alt:
        state.warn("export-alt", f"the picture {source} has no words for those who cannot see it", line, "![words](…)")
        alt = file.stem.replace("-", " ").replace("_", " ")
    return call("picture", string_literal(file.as_posix()), string_literal(alt), **_read_width(node))


def _read_width(node: doc.Image) -> dict[str, str]:
    """The `width` attribute of a picture in Typst units; a pixel is 0.75 points."""
    match = _WIDTH_PATTERN.fullmatch(str(node.attributes.get("width", "")))
    return {"width": f"{match[1]}%" if match[2] == "%" else f"{int(match[1]) * 0.75}pt"} if match else {}


def _render_note(state: PageState, node: doc.NoteReference) -> str:
    """A footnote; further references to it only refer to the first."""
    name = node.label
    if name not in state.footnotes or state.in_heading:
        return ""
    label_name = state.make_label(f"fn:{name}")
    if name in state.placed_footnotes:
        return call("footnote", f"label({string_literal(label_name)})")
    state.placed_footnotes.add(name)
    return call("footnote", body=state.footnotes[name]) + label(label_name)


def _render_html(_state: PageState, node: doc.Html) -> str:
    """The text of HTML, or a line break."""
    if node.is_block:
        return "".join(text(line) + "\n\n" for line in _html_lines(node.content))
    return call("linebreak") if _is_line_break(node.content) else "".join(map(text, _html_lines(node.content)))


def _render_anchor(state: PageState, node: doc.Element | doc.Paragraph) -> str:
    """A label for the id of a node."""
    return _render_label(state, str(node.attributes["id"])) if "id" in node.attributes else ""


def _render_label(state: PageState, anchor: str) -> str:
    """A label for links to an anchor, unless it already exists."""
    label_name = state.make_label(anchor)
    if label_name in state.placed_labels:
        return ""
    state.placed_labels.add(label_name)
    return f"#metadata(none);{label(label_name)}"


LINE_LENGTH, _COLUMN_LENGTH = 78, 36  # characters per line at full width, and in one of two columns
_FEW_COLUMNS = 3  # tables with more columns get the full width if their text does not fit on a line
_SHORT_TEXT = 18  # characters of a column that is never wrapped
_COLUMN_GAP = 3  # characters between two columns
_MOST_ROWS = 12  # rows; a longer table may break across pages


def _render_table(state: PageState, node: doc.Element) -> str:
    """A table, with column widths from the lengths of its texts."""
    head, rows = _find_rows(node, "thead"), _find_rows(node, "tbody")
    cells = [[doc.text_of(cell.children) for cell in row] for row in (*head, *rows)]
    size, spans_page = fit_table(cells)
    widths = column_widths(cells, LINE_LENGTH if spans_page else state.line_length)
    alignments = array(map(_find_alignment, head[0])) if head else "(left,)"
    header = "".join(f"{content(_render_all(state, cell.children))}, " for row in head for cell in row)
    body = ", ".join(content(_render_all(state, cell.children)) for row in rows for cell in row)
    parts = [f"columns: {array(widths)}", f"align: {alignments}"]
    table_arguments = ", ".join([*parts, f"table.header({header})" if header else "", body])
    return (
        call("grid-of", f"{size}em", flag(spans_page), flag(len(rows) > _MOST_ROWS), body=f"#table({table_arguments})")
        + "\n"
    )


def _find_rows(table: doc.Element, part: str) -> list[list[doc.Element]]:
    """The cells of the rows in a part of a table."""
    rows = (row for group in _elements(table) if group.tag == part for row in _elements(group))
    return [_elements(row) for row in rows]


def _elements(node: doc.Element) -> list[doc.Element]:
    return [child for child in node.children if isinstance(child, doc.Element)]


def _find_alignment(cell: doc.Element) -> str:
    style = str(cell.attributes.get("style", ""))
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


_CHECKED, _UNCHECKED = "☑ ", "☐ "
_PLAIN_LANGUAGES = ("text", "txt", "plain")  # languages of fences that are not code
_LEAD_IN_ENDINGS = (":", "：")
_VISIBLE_TEXT = re.compile(r'(?:#|#raw\()"[^"]')  # visible text in Typst source


def _render_paragraph(state: PageState, node: doc.Paragraph) -> str:
    inside = _render_all(state, node.children)
    if not inside:
        return ""
    inside += _render_anchor(state, node)
    if node.is_bare:
        return inside + "\n"
    return (call("lead", body=inside) if _is_lead_in(node) else inside) + "\n\n"


def _is_lead_in(node: doc.Paragraph) -> bool:
    """Whether a paragraph introduces the next block: it ends with a colon or is all bold."""
    parts = [part for part in node.children if doc.text_of([part]).strip()]
    is_bold = len(parts) == 1 and isinstance(parts[0], doc.Element) and parts[0].tag == "strong"
    return is_bold or doc.text_of(parts).rstrip().endswith(_LEAD_IN_ENDINGS)


def _render_heading(state: PageState, node: doc.Heading) -> str:
    """A heading; levels are never skipped, because screen readers rely on them. Without text it becomes a label."""
    label_name = state.make_label(node.id)
    title, below = _split_title(state, node)
    if not title:
        return _render_label(state, node.id) + below
    state.heading_level = level = min(node.level + state.heading_offset, state.heading_level + 1)
    heading_call = call("heading", level=str(level), body=title)
    if label_name not in state.placed_labels:
        state.placed_labels.add(label_name)
        heading_call += label(label_name)
    return f"{heading_call}\n\n{below}"


def _split_title(state: PageState, node: doc.Heading) -> tuple[str, str]:
    """The title of a heading, and what follows it.

    A heading with only pictures gets their text alternatives as its title, and the pictures follow.
    """
    state.in_heading = True
    inside = _render_all(state, node.children)
    state.in_heading = False
    if _VISIBLE_TEXT.search(MODIFIERS.sub("", inside)):
        return inside, ""
    alt = " ".join(part.alt for part in node.children if isinstance(part, doc.Image)).strip()
    return text(alt), inside + "\n\n" if inside else ""


def _list_renderer(name: str) -> Callable[[PageState, doc.Element], str]:
    """A renderer for bullet lists or numbered lists."""

    def render_list(state: PageState, node: doc.Element) -> str:
        items = [item for item in node.children if isinstance(item, doc.Item)]
        paragraphs = [child for item in items for child in item.children if isinstance(child, doc.Paragraph)]
        start = {"start": str(node.attributes["start"])} if "start" in node.attributes else {}
        tight = flag(all(paragraph.is_bare for paragraph in paragraphs))
        return call(name, *(content(_render_all(state, [item])) for item in items), tight=tight, **start) + "\n\n"

    return render_list


def _render_item(state: PageState, node: doc.Item) -> str:
    """The content of a list item, with the checkbox of a task."""
    box = "" if node.is_done is None else text(_CHECKED if node.is_done else _UNCHECKED)
    return box + _render_all(state, node.children).strip()


def _render_quote(state: PageState, node: doc.Element) -> str:
    return call("quote", block="true", body=_render_all(state, node.children).strip()) + "\n\n"


def _render_box(state: PageState, node: doc.Box) -> str:
    """A box: its title and its content, always open."""
    title, body = content(_render_all(state, node.title)), _render_all(state, node.children).strip()
    return call("box-of", string_literal(node.kind), title, body=body) + "\n\n"


def _render_tabs(state: PageState, node: doc.Tabs) -> str:
    """The titles and contents of tabs, since a PDF has no tabs."""
    return "".join(
        call("tab-of", content(_render_all(state, tab.title)), body=_render_all(state, tab.children).strip())
        for tab in node.tabs
    )


def _render_definitions(state: PageState, node: doc.Element) -> str:
    """A definition list; several terms may share their definitions."""
    groups: list[tuple[list[str], list[str]]] = []
    for entry in _elements(node):
        inside = _render_all(state, entry.children)
        if entry.tag == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(inside + _render_anchor(state, entry))
        elif groups:
            groups[-1][1].append(inside.strip())
    items = (f"terms.item([{', '.join(names)}], [{'#parbreak();'.join(texts)}])" for names, texts in groups)
    return call("terms", *items, tight="false") + "\n\n"


def _render_card(state: PageState, node: doc.Card) -> str:
    """The card of a block after a label for its id."""
    block = node.block
    return _render_label(state, block.id) + state.render_card(block) + "\n\n" if block.shown else ""


def _render_code(_state: PageState, node: doc.Code) -> str:
    """A code block, highlighted if it has a language."""
    language = node.info.split(maxsplit=1)[0].strip("{}.") if node.info else ""
    arguments = {"lang": string_literal(language)} if language.isalnum() and language not in _PLAIN_LANGUAGES else {}
    return call("raw", string_literal(node.content.rstrip("\n")), block="true", **arguments) + "\n\n"


def _render_formula(state: PageState, node: doc.Formula) -> str:
    return _render_code(state, doc.Code(node.content)) if node.is_block else call("raw", string_literal(node.content))


def _render_html_element(state: PageState, node: doc.HtmlElement) -> str:
    """The content of an element; it ends a paragraph."""
    inside = _render_all(state, node.children)
    return inside.rstrip("\n") + "\n\n" if inside else ""


_ELEMENT_RENDERERS: dict[str, Callable[[PageState, doc.Element], str]] = {
    "em": _wrap("emph"),
    "strong": _wrap("strong"),
    "del": _wrap("strike"),
    "br": lambda _state, _node: call("linebreak"),
    "hr": lambda _state, _node: call("rule") + "\n\n",
    "ul": _list_renderer("list"),
    "ol": _list_renderer("enum"),
    "blockquote": _render_quote,
    "table": _render_table,
    "dl": _render_definitions,
}
_RENDERERS: dict[type[doc.Node], Callable[[PageState, Any], str]] = {
    doc.Element: _render_element,
    doc.Text: _render_text,
    doc.InlineCode: lambda _state, node: call("raw", string_literal(node.content)),
    doc.Code: _render_code,
    doc.Formula: _render_formula,
    doc.Link: _render_link,
    doc.RuleLink: lambda state, node: _render_all(state, node.children),
    doc.Image: _render_image,
    doc.Html: _render_html,
    doc.HtmlElement: _render_html_element,
    doc.NoteReference: _render_note,
    doc.Paragraph: _render_paragraph,
    doc.Heading: _render_heading,
    doc.Item: _render_item,
    doc.Box: _render_box,
    doc.Tabs: _render_tabs,
    doc.Card: _render_card,
    doc.Contents: lambda _state, _node: "",
}
