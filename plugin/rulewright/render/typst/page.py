"""Renders the nodes of a page as Typst: a function for each kind of inline, block and table node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html.parser import HTMLParser

from markdown_it.token import Token

from ...book.inlines import plain
from ...book.page import Block
from ..elements import CALLOUTS
from .compiler import UNSEEN
from .markup import Node, Print, call, content, flag, label, many, nest, quoted, text, words

BREAKS = {
    "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption", "ul", "ol", "dl", "dt", "dd",
    "pre", "blockquote", "hr", "details", "summary", "figure", "figcaption", "section", "article", "aside", "header",
    "footer",
}  # fmt: skip
SILENT = {"script", "style", "template", "head"}


class Reader(HTMLParser):
    """Collects the visible text of HTML in lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines, self.silent = [""], 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silent += 1
        elif tag in BREAKS:
            self.lines.append("")
        elif tag in ("img", "svg"):
            self.lines[-1] += next((value or "" for name, value in attrs if name in ("alt", "aria-label")), "")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self.silent = max(self.silent - 1, 0)
        elif tag in BREAKS:
            self.lines.append("")
        elif tag in ("td", "th"):
            self.lines[-1] += " "

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.lines[-1] += data


def lines(html: str) -> list[str]:
    """The text of HTML, one line for each paragraph or table row."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    told = (" ".join(line.split()) for line in reader.lines)
    return [line for line in told if line]


def breaks(html: str) -> bool:
    """Whether a tag is a line break."""
    return html.lower().lstrip("</ ").startswith("br")


# icons of the theme
ICON = re.compile(r":(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:(?:\{[^{}]*\})?\s?")
WIDTH = re.compile(r"([1-9][0-9]{0,3})(%|px|)")


def inlines(sheet: Print, nodes: Iterable[Node]) -> str:
    return "".join(inline(sheet, node) for node in nodes)


def inline(sheet: Print, node: Node) -> str:
    """One inline node; unknown kinds become their text."""
    made = MADE.get(node.kind)
    if made:
        return made(sheet, node)
    return inlines(sheet, node.inner) if node.inner else text(node.token.content)


def wrapped(name: str) -> Callable[[Print, Node], str]:
    """A renderer that puts the content of a node into a Typst function."""
    return lambda sheet, node: call(name, body=inlines(sheet, node.inner)) + anchor(sheet, node)


def words_of(_sheet: Print, node: Node) -> str:
    """Text without the shortcodes of icons."""
    content = node.token.content
    return text(ICON.sub("", content) if ":" in content else content)


def link(sheet: Print, node: Node) -> str:
    """A link; a link to another page of the book also prints a page number."""
    inside = inlines(sheet, node.inner)
    made = node.token.meta.get("link")
    goal = sheet.goal(made) if made else None
    if goal is None or sheet.in_heading or not words(node.inner).strip():
        return inside
    if goal.address:
        return call("link", quoted(goal.address), body=inside)
    return call("near" if goal.near else "far", quoted(goal.label), body=inside)


def image(sheet: Print, node: Node) -> str:
    """A picture; reports a missing file or a missing text alternative."""
    source, alt = str(node.token.attrs.get("src", "")), plain(node.token.children or [])
    line = (node.token.map or [0])[0] + 1
    made = node.token.meta.get("link")
    line = made.span.source.place(made.span.start)[0] if made else line
    file = sheet.picture(source)
    if file is None:
        sheet.warn("export-picture", f"the picture {source} cannot be printed", line, "its words stand in its place")
        return text(alt)
    if not alt:
        sheet.warn("export-alt", f"the picture {source} has no words for those who cannot see it", line, "![words](…)")
        alt = file.stem.replace("-", " ").replace("_", " ")
    return call("picture", quoted(file.as_posix()), quoted(alt), **width_of(node))


def width_of(node: Node) -> dict[str, str]:
    """The `width` attribute of a picture in Typst units; a pixel is 0.75 points."""
    found = WIDTH.fullmatch(str(node.token.attrs.get("width", "")))
    return {"width": f"{found[1]}%" if found[2] == "%" else f"{int(found[1]) * 0.75}pt"} if found else {}


def note(sheet: Print, node: Node) -> str:
    """A footnote; further references to it only refer to the first."""
    name = str(node.token.meta["label"])
    if name not in sheet.notes or sheet.in_heading:
        return ""
    mark = sheet.label_of(f"fn:{name}")
    if name in sheet.called:
        return call("footnote", f"label({quoted(mark)})")
    sheet.called.add(name)
    return call("footnote", body=sheet.notes[name]) + label(mark)


def html(_sheet: Print, node: Node) -> str:
    """Inline HTML: a line break, or the text it contains."""
    return call("linebreak") if breaks(node.token.content) else "".join(map(text, lines(node.token.content)))


def anchor(sheet: Print, node: Node) -> str:
    """A label for the id of a node."""
    return place(sheet, str(node.token.attrs["id"])) if "id" in node.token.attrs else ""


def place(sheet: Print, anchor: str) -> str:
    """A label for links to an anchor, unless it already exists."""
    name = sheet.label_of(anchor)
    if name in sheet.placed:
        return ""
    sheet.placed.add(name)
    return f"#metadata(none);{label(name)}"


MADE: dict[str, Callable[[Print, Node], str]] = {
    "text": words_of,
    "softbreak": lambda _sheet, _node: "\n",
    "hardbreak": lambda _sheet, _node: call("linebreak"),
    "em": wrapped("emph"),
    "strong": wrapped("strong"),
    "s": wrapped("strike"),
    "code_inline": lambda _sheet, node: call("raw", quoted(node.token.content)),
    "math_inline": lambda _sheet, node: call("raw", quoted(node.token.content)),
    "link": link,
    "image": image,
    "footnote_ref": note,
    "footnote_anchor": lambda _sheet, _node: "",
    "html_inline": html,
}


LINE, COLUMN = 78, 36  # characters per line at full width, and in one of two columns
FEW = 3  # tables with more columns get the full width if their text does not fit on a line
MOST_WORD = 18  # characters of a column that is never wrapped
GAP = 3  # characters between two columns
LONG = 12  # rows; a longer table may break across pages


def table(sheet: Print, node: Node) -> str:
    """A table, with column widths from the lengths of its texts."""
    head = [row for part in node.all("thead") for row in part.all("tr")]
    rows = [row for part in node.all("tbody") for row in part.all("tr")]
    cells = [[words(cell.inner) for cell in row.inner] for row in (*head, *rows)]
    size, wide = room(cells)
    widths = columns(cells, LINE if wide else sheet.line)
    aligned = many(str(align(cell)) for cell in head[0].inner) if head else "(left,)"
    header = "".join(f"{cell(sheet, one)}, " for row in head for one in row.inner)
    body = ", ".join(cell(sheet, one) for row in rows for one in row.inner)
    parts = [f"columns: {many(widths)}", f"align: {aligned}"]
    given = ", ".join([*parts, f"table.header({header})" if header else "", body])
    return call("grid-of", f"{size}em", flag(wide), flag(len(rows) > LONG), body=f"#table({given})") + "\n"


def cell(sheet: Print, node: Node) -> str:
    return content(inlines(sheet, (one for inner in node.inner for one in inner.inner)))


def align(node: Node) -> str:
    style = str(node.token.attrs.get("style", ""))
    return next((way for way in ("right", "center") if way in style), "left")


def columns(cells: Sequence[Sequence[str]], line: int = LINE) -> list[str]:
    """Typst column widths: `auto` if the text fits on a line.

    Otherwise each long column gets its longest word and a share of the remaining space that grows with its text.
    """
    longest = [max((len(text) for text in column), default=0) for column in across(cells)]
    if sum(longest) + GAP * len(longest) <= line:
        return ["auto"] * len(longest)
    short = [long <= max(MOST_WORD, line // (2 * len(longest))) and long <= line // 3 for long in longest]
    if all(short):
        return ["auto"] * len(longest)
    least = [long if fits else word for long, fits, word in zip(longest, short, tables_words_of(cells), strict=True)]
    more = [(long - word) ** 0.7 for long, word in zip(longest, least, strict=True)]
    left = max(line - sum(least) - GAP * len(least), 0) / (sum(more) or 1)
    shares = [word + GAP + left * one for word, one in zip(least, more, strict=True)]
    return ["auto" if fits else f"{share:.1f}fr" for fits, share in zip(short, shares, strict=True)]


def tables_words_of(cells: Sequence[Sequence[str]]) -> list[int]:
    """The length of the longest word of each column."""
    return [max((len(word) for text in column for word in text.split()), default=1) for column in across(cells)]


def room(cells: Sequence[Sequence[str]]) -> tuple[float, bool]:
    """The font size in em, and whether the table spans both columns of a page."""
    least = sum(word + GAP for word in tables_words_of(cells))
    total = sum(max((len(text) for text in column), default=0) + GAP for column in across(cells))
    size = 1.0 if least <= LINE else max(LINE / least, 0.5)
    many_columns = max((len(row) for row in cells), default=0) > FEW
    return round(size, 2), least > COLUMN or (many_columns and total > COLUMN)


def across(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Transposes rows to columns; rows may differ in length."""
    width = max((len(row) for row in cells), default=0)
    return [[row[place] for row in cells if place < len(row)] for place in range(width)]


ALIASES = {  # types of admonitions by their aliases in Material for MkDocs
    "seealso": "note", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip", "important": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "caution": "warning",
    "attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "snippet": "example",
    "cite": "quote",
}  # fmt: skip
TICKED, OPEN = "☑ ", "☐ "
PLAIN = ("text", "txt", "plain")  # languages of fences that are not code
LEADING = (":", "：")
SAID = re.compile(r'(?:#|#raw\()"[^"]')  # visible text in Typst source


def printed(sheet: Print, tokens: Iterable[Token]) -> str:
    """Renders a page; its footnotes first, because Typst needs their text at the first reference."""
    tree = nest(tokens)
    for node in walk(tree):
        if node.kind == "footnote_reference":
            sheet.notes.setdefault(str(node.token.meta["label"]), blocks(sheet, node.inner).strip())
    return blocks(sheet, tree)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes, depth first."""
    for node in nodes:
        yield node
        yield from walk(node.inner)


def blocks(sheet: Print, nodes: Iterable[Node]) -> str:
    return "".join(block(sheet, node) for node in nodes)


def block(sheet: Print, node: Node) -> str:
    """One block node; unknown kinds become their content."""
    made = BLOCKS_MADE.get(node.kind)
    return made(sheet, node) if made else blocks(sheet, node.inner)


def paragraph(sheet: Print, node: Node) -> str:
    inside = "".join(line(sheet, one) for one in node.inner)
    if not inside:
        return ""
    if node.token.hidden:
        return inside + anchor(sheet, node) + "\n"
    return (call("lead", body=inside + anchor(sheet, node)) if leads(node) else inside + anchor(sheet, node)) + "\n\n"


def leads(node: Node) -> bool:
    """Whether a paragraph introduces the next block: it ends with a colon or is all bold."""
    parts = [part for one in node.inner for part in one.inner if words([part]).strip()]
    return bool(parts) and (words(parts).rstrip().endswith(LEADING) or [part.kind for part in parts] == ["strong"])


def line(sheet: Print, node: Node) -> str:
    """The content of a paragraph, without the marker of a table of contents."""
    return "" if node.token.meta.get("contents") else inlines(sheet, node.inner)


def heading(sheet: Print, node: Node) -> str:
    """A heading; levels are never skipped, because screen readers rely on them. Without text it becomes a label."""
    mark = sheet.label_of(str(node.token.attrs["id"]))
    title, below = title_of(sheet, node)
    if not title:
        return place(sheet, str(node.token.attrs["id"])) + below
    sheet.level = level = min(int(node.token.tag[1]) + sheet.depth, sheet.level + 1)
    made = call("heading", level=str(level), body=title)
    if mark not in sheet.placed:
        sheet.placed.add(mark)
        made += label(mark)
    return f"{made}\n\n{below}"


def title_of(sheet: Print, node: Node) -> tuple[str, str]:
    """The title of a heading, and what follows it.

    A heading with only pictures gets their text alternatives as its title, and the pictures follow.
    """
    sheet.in_heading = True
    inside = "".join(line(sheet, one) for one in node.inner)
    sheet.in_heading = False
    if SAID.search(UNSEEN.sub("", inside)):
        return inside, ""
    alt = " ".join(part.token.content for one in node.inner for part in one.inner if part.kind == "image").strip()
    return text(alt), inside + "\n\n" if inside else ""


def items(name: str) -> Callable[[Print, Node], str]:
    """A renderer for bullet lists or numbered lists."""

    def made(sheet: Print, node: Node) -> str:
        inside = [content(item(sheet, one)) for one in node.all("list_item")]
        named = {"start": str(node.token.attrs["start"])} if "start" in node.token.attrs else {}
        return call(name, *inside, tight="true" if is_tight(node) else "false", **named) + "\n\n"

    return made


def item(sheet: Print, node: Node) -> str:
    """The content of a list item, with the checkbox of a task."""
    done = node.token.meta.get("checked")
    return ("" if done is None else text(TICKED if done else OPEN)) + blocks(sheet, node.inner).strip()


def is_tight(node: Node) -> bool:
    """Whether a list has no space between its items."""
    return all(one.token.hidden for part in node.inner for one in part.all("paragraph"))


def quote(sheet: Print, node: Node) -> str:
    return call("quote", block="true", body=blocks(sheet, node.inner).strip()) + "\n\n"


def box(sheet: Print, node: Node) -> str:
    """An admonition, alert or collapsible section: its title and its content, always open."""
    titles = [one for one in node.inner if one.kind in ("admonition_title", "summary", "alert_title")]
    title = "".join(inlines(sheet, part.inner) for one in titles for part in one.inner)
    body = blocks(sheet, (one for one in node.inner if one not in titles)).strip()
    return call("box-of", quoted(kind_of(node)), content(title), body=body) + "\n\n"


def kind_of(node: Node) -> str:
    """The type of a box, with aliases resolved."""
    if node.kind == "alert":
        return CALLOUTS.get(str(node.token.meta["kind"]).upper(), "note")
    name = (node.token.info or "note").split(" ")[0].lower()
    return ALIASES.get(name, name)


def tab(sheet: Print, node: Node) -> str:
    """A tab: its title and its content, since a PDF has no tabs."""
    title = "".join(inlines(sheet, part.inner) for one in node.all("tab_title") for part in one.inner)
    return call("tab-of", content(title), body=blocks(sheet, (o for o in node.inner if o.kind != "tab_title")).strip())


def definition_list(sheet: Print, node: Node) -> str:
    """A definition list; several terms may share their definitions."""
    groups: list[tuple[list[str], list[str]]] = []
    for one in node.inner:
        if one.kind == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            mark = place(sheet, one.token.meta["id"]) if one.token.meta.get("id") else ""
            groups[-1][0].append(inlines(sheet, (deep for inner in one.inner for deep in inner.inner)) + mark)
        elif groups:
            groups[-1][1].append(blocks(sheet, one.inner).strip())
    made = (f"terms.item([{', '.join(names)}], [{'#parbreak();'.join(texts)}])" for names, texts in groups)
    return call("terms", *made, tight="false") + "\n\n"


def fence(sheet: Print, node: Node) -> str:
    """A fence: the card of a Rulewright block, or code."""
    if made := node.token.meta.get("block"):
        return placed(sheet, made)
    return code(node)


def placed(sheet: Print, made: Block) -> str:
    """The card of a block after a label for its id."""
    return (place(sheet, made.id) + sheet.card(made) + "\n\n") if made.shown else ""


def code(node: Node) -> str:
    """A code block, highlighted if it has a language."""
    language = node.token.info.split(maxsplit=1)[0].strip("{}.") if node.token.info.strip() else ""
    named = {"lang": quoted(language)} if language.isalnum() and language not in PLAIN else {}
    return call("raw", quoted(node.token.content.rstrip("\n")), block="true", **named) + "\n\n"


def blocks_html(sheet: Print, node: Node) -> str:
    """The text of block HTML, after labels for the Rulewright blocks it contains."""
    shown = "".join(place(sheet, made.id) for made in node.token.meta.get("blocks", ()) if made.shown)
    return shown + "".join(text(told) + "\n\n" for told in lines(node.token.content))


def nothing(_sheet: Print, _node: Node) -> str:
    """For nodes that are rendered elsewhere."""
    return ""


BLOCKS_MADE: dict[str, Callable[[Print, Node], str]] = {
    "paragraph": paragraph,
    "inline": line,
    "heading": heading,
    "bullet_list": items("list"),
    "ordered_list": items("enum"),
    "blockquote": quote,
    "alert": box,
    "admonition": box,
    "details": box,
    "tab": tab,
    "table": table,
    "dl": definition_list,
    "fence": fence,
    "code_block": lambda _sheet, node: code(node),
    "math_block": lambda _sheet, node: code(node),
    "html_block": blocks_html,
    "hr": lambda _sheet, _node: call("rule") + "\n\n",
    "footnote_reference": nothing,
    "abbreviation": nothing,
}
