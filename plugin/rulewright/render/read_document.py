"""Reads the document of a page from the tokens of its Markdown, with the targets of its links."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from markdown_it.token import Token

from ..book.inlines import COMMENT, OPAQUE_TAG, plain_text
from ..book.page import Link as PageLink
from ..book.page import Page
from ..book.rule_links import is_rule_link
from ..source import Span
from . import document as doc

_DEEPEST = 200  # nested elements; deeper emphasis is invisible, and recursion over the tree would fail
_LINK_ATTRIBUTE = re.compile(
    r"""(<(a|area|img)\b(?:[^<>"']|"[^"]*"|'[^']*')*?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)""",
    re.IGNORECASE,
)
_TOOL_COMMENT = re.compile(r"\s*(?:material/|mkdocs|more\s*\Z)")  # comments that other tools look for
_CALLOUT = re.compile(r"\[!([\w-]+(?: [\w-]+)*)\]([+-]?)(?:[ \t]+|\n|\Z)")
BOX_TYPES = {  # types of boxes by their other names in Material for MkDocs
    "seealso": "note", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip", "important": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "caution": "warning",
    "attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "snippet": "example",
    "cite": "quote",
}  # fmt: skip
_CALLOUT_TYPES = BOX_TYPES | {"important": "info", "caution": "danger"}  # as GitHub and Obsidian show them


class _Reader:
    """Reads the tokens of one page, and collects its footnotes and abbreviations."""

    def __init__(self, page: Page, resolve: doc.Resolve, markers: Mapping[str, str]) -> None:
        self.page, self.resolve, self.markers = page, resolve, markers
        self.notes: dict[str, doc.Nodes] = {}
        self.references: dict[str, int] = {}
        self.abbreviations: list[tuple[str, str]] = []

    def read(self, tokens: Iterable[Token], depth: int = 1) -> list[doc.Node]:
        """The nodes of tokens that are inside as many elements as `depth` says."""
        opened: list[tuple[Token, list[doc.Node]]] = []
        nodes: list[doc.Node] = []
        for token in tokens:
            if token.nesting > 0:
                opened.append((token, nodes))
                nodes = []
            elif token.nesting < 0:
                opening, outer = opened.pop()
                if read_container := _CONTAINERS.get(opening.type):
                    outer += read_container(self, opening, nodes)
                elif token.block or depth + len(opened) < _DEEPEST:
                    outer.append(doc.Element(_TAGS.get(opening.type, opening.tag), tuple(nodes), opening.attrs))
                else:
                    outer += nodes
                nodes = outer
            elif token.type == "inline":
                nodes += self.read_inline(token, depth + len(opened))
            elif read_leaf := _LEAVES.get(token.type):
                nodes += read_leaf(self, token)
        return nodes

    def read_inline(self, token: Token, depth: int) -> list[doc.Node]:
        """Inline content, with the text between signs such as `==` in elements."""
        if token.meta.get("contents"):
            return [doc.Contents()]
        nodes = _join_texts(self.read(token.children or (), depth))
        for marker, tag in self.markers.items():
            while len(nodes) > 1 and marker in token.content and (wrapped := _wrap_pair(nodes, marker, tag)):
                nodes = wrapped
        return nodes

    def address(self, link: PageLink) -> doc.Address:
        return doc.Address(link, self.resolve(link))

    def html_address(self, tag: str, written: str) -> doc.Address:
        """The address in a tag of HTML."""
        kind = "image" if tag.lower() == "img" else "html"
        return self.address(PageLink("", written, Span(self.page.source, 0, 0), kind, ()))

    def html(self, content: str, is_block: bool) -> list[doc.Node]:
        """HTML of the author, with its addresses and without comments."""
        parts: list[str | doc.HtmlAddress] = []
        end = 0
        if not OPAQUE_TAG.match(content):
            content = _remove_comments(content)
            for match in _LINK_ATTRIBUTE.finditer(content):
                written = html.unescape(match[3].strip("\"'"))
                parts += [
                    content[end : match.start(3)],
                    doc.HtmlAddress(match[3], self.html_address(match[2], written)),
                ]
                end = match.end()
        parts.append(content[end:].rstrip("\n") if is_block else content[end:])
        return [doc.Html(tuple(parts), is_block)] if any(parts) else []


def _join_texts(nodes: Iterable[doc.Node]) -> list[doc.Node]:
    """The nodes with neighboring texts as one."""
    joined: list[doc.Node] = []
    for _, neighbors in groupby(nodes, lambda node: isinstance(node, doc.Text)):
        group = list(neighbors)
        texts = [node for node in group if isinstance(node, doc.Text)]
        joined += [_join_text(texts)] if texts else group
    return joined


def _join_text(texts: Iterable[doc.Text]) -> doc.Text:
    contents, literal, length = list[str](), list[int](), 0
    for text in texts:
        contents.append(text.content)
        literal += [at + length for at in text.literal]
        length += len(text.content)
    return doc.Text("".join(contents), tuple(literal))


def _wrap_pair(nodes: Sequence[doc.Node], marker: str, tag: str) -> list[doc.Node] | None:
    """The nodes with what is between the first two markers in different texts in an element; None without such.

    Extensions of Python-Markdown do the same, but only within one text.
    """
    texts = ((place, node, node.unescaped) for place, node in enumerate(nodes) if isinstance(node, doc.Text))
    halves = (half for half in texts if half[2].count(marker) % 2)
    first = next((half for half in halves if not half[2].rpartition(marker)[2][:1].isspace()), None)
    last = next(halves, None)
    if first is None or last is None or last[2].partition(marker)[0][-1:].isspace():
        return None
    start, end = first[2].rfind(marker), last[2].find(marker)
    inside = (first[1].cut(start + len(marker)), *nodes[first[0] + 1 : last[0]], last[1].cut(0, end))
    around = first[1].cut(0, start), doc.Element(tag, inside), last[1].cut(end + len(marker))
    return [*nodes[: first[0]], *around, *nodes[last[0] + 1 :]]


def _remove_comments(content: str) -> str:
    """Remove the author's comments, except those that other tools read."""
    if "<!--" not in content:
        return content
    return COMMENT.sub(lambda match: match[0] if _TOOL_COMMENT.match(match[1]) else "", content).strip("\n")


def _attributes_without(token: Token, *names: str) -> doc.Attributes:
    return {name: value for name, value in token.attrs.items() if name not in names}


def _read_link(reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    written, attributes = str(token.attrs["href"]), _attributes_without(token, "href")
    address = reader.address(token.meta["link"])
    if address.target is None and is_rule_link(address.link):
        return [doc.RuleLink(tuple(children), address.link.target, attributes)]
    return [doc.Link(tuple(children), written, address, attributes)]


def _read_image(reader: _Reader, token: Token) -> list[doc.Node]:
    attributes = {**_attributes_without(token, "src"), "alt": plain_text(token.children or [])}
    return [doc.Image(str(attributes["alt"]), str(token.attrs["src"]), reader.address(token.meta["link"]), attributes)]


def _read_note_reference(reader: _Reader, token: Token) -> list[doc.Node]:
    label = str(token.meta["label"])
    times = reader.references[label] = reader.references.get(label, 0) + 1
    return [doc.NoteReference(label, list(reader.references).index(label) + 1, times)]


def _read_fence(_reader: _Reader, token: Token) -> list[doc.Node]:
    block = token.meta.get("block")
    return [doc.Card(block) if block else doc.Code(token.content, token.info.strip())]


def _read_html_block(reader: _Reader, token: Token) -> list[doc.Node]:
    contents = [doc.Contents()] if token.meta.get("contents") else []
    return [*reader.html(token.content, True), *map(doc.Card, token.meta.get("blocks", ())), *contents]


def _read_abbreviation(reader: _Reader, token: Token) -> list[doc.Node]:
    reader.abbreviations.append((token.info, token.meta["means"]))
    return []


_LEAVES: dict[str, Callable[[_Reader, Token], list[doc.Node]]] = {
    "text": lambda _, token: [doc.Text(token.content, tuple(token.meta.get("literal", ())))] if token.content else [],
    "softbreak": lambda _, _token: [doc.Text("\n")],
    "hardbreak": lambda _, _token: [doc.Element("br")],
    "code_inline": lambda _, token: [doc.InlineCode(token.content, token.attrs)],
    "math_inline": lambda _, token: [doc.Formula(token.content, False)],
    "html_inline": lambda reader, token: reader.html(token.content, False),
    "footnote_ref": _read_note_reference,
    "image": _read_image,
    "fence": _read_fence,
    "code_block": lambda _, token: [doc.Code(token.content, is_fence=False)],
    "math_block": lambda _, token: [doc.Formula(token.content, True)],
    "html_block": _read_html_block,
    "abbreviation": _read_abbreviation,
    "hr": lambda _, _token: [doc.Element("hr")],
}


def _read_paragraph(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    is_contents = len(children) == 1 and isinstance(children[0], doc.Contents)
    return children if is_contents else [doc.Paragraph(tuple(children), token.attrs, token.hidden)]


def _read_heading(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    return [doc.Heading(int(token.tag[1]), tuple(children), str(token.attrs["id"]), token.attrs)]


def _read_item(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    return [doc.Item(tuple(children), token.attrs, token.meta.get("checked"))]


def _read_term(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    id_ = {"id": token.meta["id"]} if token.meta.get("id") else {}
    return [doc.Element("dt", tuple(children), {**id_, **token.attrs})]


def _read_quote(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    """A quote; one that begins with `[!type]` is a box."""
    first = children[0] if children else None
    line = first.children if isinstance(first, doc.Paragraph) else ()
    text, others = line[0] if line else None, line[1:]
    match = _CALLOUT.match(text.unescaped) if isinstance(text, doc.Text) else None
    if isinstance(text, doc.Text) and match:
        is_apart = match.end() < len(text.content) or match[0][-1].isspace()
        if is_apart or not others or _is_break(others[0]):
            return [_read_callout(match, text, others, children[1:])]
    return [doc.Element("blockquote", tuple(children), token.attrs)]


def _is_break(node: doc.Node) -> bool:
    return isinstance(node, doc.Element) and node.tag == "br"


def _read_callout(
    match: re.Match[str], text: doc.Text, others: Sequence[doc.Node], rest: Sequence[doc.Node]
) -> doc.Box:
    """The box of a quote: what follows `[!type]` in its first line is the title."""
    start = match.end() - match[0].endswith("\n")
    title, body = _split_line((text.cut(start), *others))
    kinds = match[1].lower().split()
    known = [_CALLOUT_TYPES[kind] for kind in kinds if kind in _CALLOUT_TYPES]
    return doc.Box(
        (*([doc.Paragraph(body)] if body else []), *rest),
        title or (doc.Text(match[1].capitalize()),),
        next(iter([*known, *kinds])),
        " ".join(dict.fromkeys([*kinds, *known])),
        bool(match[2]),
        match[2] == "+",
    )


def _split_line(nodes: doc.Nodes) -> tuple[doc.Nodes, doc.Nodes]:
    """The nodes up to the end of the first line, and those after it."""
    nodes = tuple(node for node in nodes if not isinstance(node, doc.Text) or node.content)
    for place, node in enumerate(nodes):
        if _is_break(node):
            return nodes[:place], nodes[place + 1 :]
        if isinstance(node, doc.Text) and "\n" in node.content:
            end = node.content.index("\n")
            before, after = ((part,) if part.content else () for part in (node.cut(0, end), node.cut(end + 1)))
            return (*nodes[:place], *before), (*after, *nodes[place + 1 :])
    return nodes, ()


def _read_box(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    """An admonition, or a box that folds."""
    title, body = _take_title(children)
    name = (token.info or "note").split(" ")[0].lower()
    classes = " ".join(word for word in str(token.attrs["class"]).split() if word != "admonition")
    kind, folds = BOX_TYPES.get(name, name), token.type == "details_open"
    return [doc.Box(body, title, kind, classes, folds, "open" in token.attrs)]


def _read_alert(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    title, body = _take_title(children)
    name = str(token.meta["kind"]).lower()
    kind = _CALLOUT_TYPES.get(name, name)
    return [doc.Box(body, title, kind, " ".join(dict.fromkeys([name, kind])))]


_TITLE = "title"  # the tag of the title of a box or tab until it is complete


def _take_title(children: Sequence[doc.Node]) -> tuple[doc.Nodes, doc.Nodes]:
    """The title at the beginning of a box or tab, and what follows it."""
    first = children[0] if children else None
    if isinstance(first, doc.Element) and first.tag == _TITLE:
        return first.children, tuple(children[1:])
    return (), tuple(children)


def _read_title(_reader: _Reader, _token: Token, children: list[doc.Node]) -> list[doc.Node]:
    return [doc.Element(_TITLE, tuple(children))]


def _read_tabs(_reader: _Reader, _token: Token, children: list[doc.Node]) -> list[doc.Node]:
    """A set of tabs; of several that the author selects the last one counts, else it is the first."""
    tabs = [node for node in children if isinstance(node, doc.Tab)]
    selected = max((place for place, tab in enumerate(tabs) if tab.is_selected), default=0)
    return [doc.Tabs(tuple(replace(tab, is_selected=place == selected) for place, tab in enumerate(tabs)))]


def _read_tab(_reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    title, body = _take_title(children)
    return [doc.Tab(body, title, "+" in token.markup)]


def _read_html_element(reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    """HTML with Markdown in it; an element that contains only inline content has no paragraphs."""
    name = {"a": "href", "img": "src"}.get(token.tag, "")
    written = str(token.attrs.get(name, ""))
    if token.meta.get("words"):
        children = [replace(node, is_bare=True) if isinstance(node, doc.Paragraph) else node for node in children]
    address = reader.html_address(token.tag, written) if written else None
    return [doc.HtmlElement(token.tag, tuple(children), _attributes_without(token, name), address)]


def _read_note(reader: _Reader, token: Token, children: list[doc.Node]) -> list[doc.Node]:
    label = str(token.meta["label"])
    reader.notes.setdefault(label, tuple(children))
    return []


_TAGS = {"s_open": "del"}
_CONTAINERS: dict[str, Callable[[_Reader, Token, list[doc.Node]], list[doc.Node]]] = {
    "paragraph_open": _read_paragraph,
    "heading_open": _read_heading,
    "list_item_open": _read_item,
    "dt_open": _read_term,
    "blockquote_open": _read_quote,
    "admonition_open": _read_box,
    "details_open": _read_box,
    "alert_open": _read_alert,
    "admonition_title_open": _read_title,
    "summary_open": _read_title,
    "alert_title_open": _read_title,
    "tab_title_open": _read_title,
    "tabs_open": _read_tabs,
    "tab_open": _read_tab,
    "html_open": _read_html_element,
    "footnote_reference_open": _read_note,
    "link_open": _read_link,
}


def read_document(page: Page, resolve: doc.Resolve, markers: Mapping[str, str] = MappingProxyType({})) -> doc.Document:
    """Read the tokens of a page. `markers` has the tags of signs around text, such as `mark` for `==`."""
    reader = _Reader(page, resolve, markers)
    children = tuple(reader.read(page.tokens))
    references = reader.references
    order = dict.fromkeys([label for label in (*references, *reader.notes) if label in reader.notes])
    return doc.Document(
        children, {label: reader.notes[label] for label in order}, references, tuple(reader.abbreviations)
    )
