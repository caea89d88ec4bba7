"""Export as EPUB 3: one XHTML file for each page, without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path as File
from textwrap import wrap
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ..book.page import Page
from .export import BookExport, ExportResult, ProgressCallback, zip_files
from .export_page import BookRenderer, RenderedPage, shown_headings
from .sanitize import parse_html, remove_invalid_xml, to_xhtml
from .single_file import KINDS, WEB
from .typst.cards import LIGHT_COLORS, drawing_css

_MIMETYPE = "mimetype"
_FOLDER = "EPUB/"
_XHTML = "application/xhtml+xml"
_SOME_DAY = "2000-01-01T00:00:00Z"  # fixed, so that the same book gives the same bytes
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_CONTAINER = (
    _HEAD
    + '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    + f'<rootfile full-path="{_FOLDER}package.opf" media-type="application/oebps-package+xml"/>'
    + "</rootfiles></container>\n"
)
_ACCESS = (
    ("accessMode", "textual"), ("accessMode", "visual"), ("accessModeSufficient", "textual"),
    ("accessibilityFeature", "structuralNavigation"), ("accessibilityFeature", "tableOfContents"),
    ("accessibilityFeature", "alternativeText"), ("accessibilityHazard", "none"),
)  # fmt: skip
_WIDE, _TALL, _LETTERS, _LINE = 1600, 2400, 16, 170


class _PackageFile(NamedTuple):
    """A file of the package with its media type."""

    name: str
    kind: str
    data: bytes


class _Page(NamedTuple):
    """A page of the book: file name, title and HTML."""

    file: str
    title: str
    html: str


class _TocEntry(NamedTuple):
    """An entry of the table of contents; without an address it only groups the entries below it."""

    title: str
    address: str
    entries: list[_TocEntry]


class _Book(NamedTuple):
    """Everything that the package contains."""

    title: str
    version: str
    language: str
    contents: str  # the title of the table of contents
    cover: str
    pages: Sequence[_Page]
    entries: Sequence[_TocEntry]
    extra_files: Sequence[_PackageFile]

    @property
    def identifier(self) -> str:
        return uuid5(NAMESPACE_URL, f"rulewright:{self.language}:{self.title}:{self.version}").urn


def _package_files(book: _Book) -> dict[str, bytes]:
    """All files of the package, by path, in order."""
    cover = _xhtml_document(
        book, book.cover, f'<section epub:type="cover"><img src="cover.svg" alt="{escape(book.title)}"/></section>'
    )
    return {
        _MIMETYPE: b"application/epub+zip",
        "META-INF/container.xml": _CONTAINER.encode(),
        f"{_FOLDER}package.opf": _encode_text(_package_document(book)),
        f"{_FOLDER}nav.xhtml": _encode_text(_xhtml_document(book, book.contents, _nav_document(book))),
        f"{_FOLDER}cover.xhtml": _encode_text(cover),
        f"{_FOLDER}cover.svg": _encode_text(_cover_svg(book)),
        **{_FOLDER + page.file: _encode_text(_xhtml_document(book, page.title, page.html)) for page in book.pages},
        **{_FOLDER + item.name: item.data for item in book.extra_files},
    }


def _encode_text(text: str) -> bytes:
    return remove_invalid_xml(text).encode()


def _xhtml_document(book: _Book, title: str, body: str) -> str:
    """A complete XHTML document."""
    spaces = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    return (
        f'{_HEAD}<!DOCTYPE html>\n<html {spaces} lang="{book.language}" xml:lang="{book.language}">\n'
        f'<head><title>{escape(title)}</title><link rel="stylesheet" href="style.css"/></head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _nav_document(book: _Book) -> str:
    """The navigation document."""
    title = escape(book.contents)
    return f'<nav epub:type="toc" id="toc"><h1>{title}</h1>\n{_entries_html(book.entries)}</nav>'


def _entries_html(lines: Sequence[_TocEntry]) -> str:
    """A list of entries, nested."""
    return f"<ol>\n{''.join(map(_entry_html, lines))}</ol>\n" if lines else ""


def _entry_html(entry: _TocEntry) -> str:
    title = escape(entry.title)
    label = f'<a href="{entry.address}">{title}</a>' if entry.address else f"<span>{title}</span>"
    return f"<li>{label}{_entries_html(entry.entries)}</li>\n"


def _package_document(book: _Book) -> str:
    """The package document: metadata, manifest and spine."""
    version = f"<dc:description>{escape(book.version)}</dc:description>" if book.version else ""
    access = "".join(f'<meta property="schema:{name}">{value}</meta>' for name, value in _ACCESS)
    refs = "".join(f'<itemref idref="page{number}"/>' for number in range(1, len(book.pages) + 1))
    return (
        f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{book.language}">\n<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="id">{book.identifier}</dc:identifier><dc:title>{escape(book.title)}</dc:title>'
        f"<dc:language>{book.language}</dc:language>{version}\n"
        f'<meta property="dcterms:modified">{_SOME_DAY}</meta>{access}\n</metadata>\n'
        f"<manifest>\n{''.join(_manifest_items(book))}</manifest>\n"
        f'<spine><itemref idref="cover"/><itemref idref="nav"/>{refs}</spine>\n</package>\n'
    )


def _manifest_items(book: _Book) -> Iterator[str]:
    """The items of the manifest."""
    yield _manifest_item("nav", "nav.xhtml", _XHTML, "nav")
    yield _manifest_item("cover", "cover.xhtml", _XHTML)
    yield _manifest_item("cover-image", "cover.svg", "image/svg+xml", "cover-image")
    for number, page in enumerate(book.pages, 1):
        yield _manifest_item(f"page{number}", page.file, _XHTML, "svg" if "<svg" in page.html else "")
    for number, file in enumerate(book.extra_files, 1):
        yield _manifest_item(f"file{number}", file.name, file.kind)


def _manifest_item(name: str, file: str, kind: str, properties: str = "") -> str:
    attribute = f' properties="{properties}"' if properties else ""
    return f'<item id="{name}" href="{file}" media-type="{kind}"{attribute}/>\n'


def _cover_svg(book: _Book) -> str:
    """The cover as SVG: the title with a die below it."""
    lines = wrap(book.title, _LETTERS) or [""]
    middle, top = _WIDE // 2, _TALL // 3 - len(lines) * _LINE // 2
    title = "".join(
        f'<tspan x="{middle}" y="{top + number * _LINE}">{escape(words)}</tspan>' for number, words in enumerate(lines)
    )
    version = (
        f'<text x="{middle}" y="{_TALL - 200}" font-size="64">{escape(book.version)}</text>' if book.version else ""
    )
    die = '<path d="M800 1350L1110 1530V1890L800 2070L490 1890V1530Z" fill="none" stroke="#8a2f1f" stroke-width="14"/>'
    return (
        f'{_HEAD}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_TALL}" font-family="Georgia, serif" '
        f'text-anchor="middle" fill="#26221c"><rect width="{_WIDE}" height="{_TALL}" fill="#faf6ee"/>'
        f'<text font-size="140">{title}</text>{die}{version}</svg>\n'
    )


_UNSUPPORTED = (".webp",)  # not a core media type of EPUB
_NOT_IN_FILE_NAMES = re.compile(r"[^a-z0-9]+")
_NOTE_ID = "fn_3a_"
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9.-]")
_TYPES = {  # of elements by their classes, with their roles
    "footnote-ref": {"epub:type": "noteref", "role": "doc-noteref"},
    "footnote": {"epub:type": "footnotes", "role": "doc-endnotes"},
}


class _EpubFormat:
    """The EPUB as an export format: ids, addresses, pictures and cards in its pages."""

    top = 1
    card_element = "div"

    def __init__(self) -> None:
        self.file_names: dict[str, str] = {}  # file names of pages, by page name
        self.pictures: dict[File, _PackageFile] = {}

    def id(self, name: str, anchor: str) -> str:
        """The anchor as a valid XML id."""
        del name
        escaped = _NOT_IN_IDS.sub(lambda match: f"_{ord(match[0]):x}_", anchor)
        return escaped if escaped[:1].isalpha() else f"_{escaped}"

    def address(self, here: str, there: str, anchor: str) -> str:
        place = f"#{self.id(there, anchor)}" if anchor else ""
        return place if place and here == there else self.file_names[there] + place

    def picture(self, file: File) -> str:
        kind = KINDS.get(file.suffix.lower(), "")
        if file.suffix.lower() in _UNSUPPORTED or (kind == KINDS[".svg"] and not _is_safe_svg(file)):
            return ""
        if file not in self.pictures:
            name = f"picture-{len(self.pictures) + 1}{file.suffix.lower()}"
            self.pictures[file] = _PackageFile(name, kind, file.read_bytes())
        return self.pictures[file].name

    def card(self, html: str) -> str:
        return to_xhtml(parse_html(html))

    def finish(self, root: Element) -> None:
        """Say which elements are footnotes, and references to them."""
        for element in root.iter():
            element.attrib |= _TYPES.get(element.get("class", ""), {})
            if element.get("epub:type") == "footnotes":
                for note in element.iter("li"):
                    if note.get("id", "").startswith(_NOTE_ID):
                        note.set("epub:type", "footnote")


def make(export: BookExport, report_progress: ProgressCallback) -> ExportResult:
    """Export the book as EPUB."""
    form = _EpubFormat()
    renderer = BookRenderer(export, form)
    for number, name in enumerate(renderer.names.values(), 1):
        form.file_names[name] = f"{number:03}-{_NOT_IN_FILE_NAMES.sub('-', name.lower()).strip('-') or 'page'}.xhtml"
    rendered_pages = renderer.render_pages(report_progress)
    report_progress("")
    book = _Book(
        title=export.title,
        version=export.compiled.options.version,
        language=export.words.language,
        contents=export.words("contents"),
        cover=export.words("cover"),
        pages=[_epub_page(form, rendered) for rendered in rendered_pages],
        entries=_toc_entries(form, rendered_pages),
        extra_files=[_PackageFile("style.css", "text/css", _style_sheet().encode()), *form.pictures.values()],
    )
    return zip_files(_package_files(book), stored=(_MIMETYPE,)), renderer.problems


def _epub_page(form: _EpubFormat, rendered: RenderedPage) -> _Page:
    return _Page(form.file_names[rendered.name], rendered.page.title, rendered.html)


def _toc_entries(form: _EpubFormat, rendered_pages: list[RenderedPage]) -> list[_TocEntry]:
    """The table of contents: pages below their part, headings below their page."""
    top: list[_TocEntry] = []
    for rendered in rendered_pages:
        if rendered.entry.part:
            top.append(_TocEntry(rendered.entry.part, "", []))
        line = _TocEntry(
            rendered.page.title,
            form.file_names[rendered.name],
            list(_heading_entries(form, rendered.name, rendered.page)),
        )
        (top[-1].entries if rendered.entry.depth and top else top).append(line)
    return top


def _heading_entries(form: _EpubFormat, name: str, page: Page) -> list[_TocEntry]:
    """The entries of a page's headings."""
    shown = shown_headings(page, 1)
    return [_TocEntry(heading.text, f"{form.file_names[name]}#{form.id(name, heading.id)}", []) for heading in shown]


def _style_sheet() -> str:
    """Without colors from variables, which many e-readers do not support."""
    return remove_invalid_xml((WEB / "epub.css").read_text(encoding="utf-8")) + drawing_css(LIGHT_COLORS)


def _is_safe_svg(file: File) -> bool:
    """Is this valid SVG without scripts and external references?"""
    data = file.read_bytes()
    return (
        _is_xml(data)
        and b"<svg" in data
        and not re.search(rb"<script|<foreignObject|(?:href|src)\s*=\s*[\"'](?!#|data:)", data)
    )


def _is_xml(text: str | bytes) -> bool:
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    return True
