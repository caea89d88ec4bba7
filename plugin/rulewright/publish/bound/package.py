"""What an EPUB is made of besides its pages: the list of its files, the contents, a cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from .write import clean

MIMETYPE = "mimetype"
FOLDER = "EPUB/"
XHTML = "application/xhtml+xml"
SOME_DAY = "2000-01-01T00:00:00Z"  # the same book gives the same bytes, whenever it is made
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
CONTAINER = (
    HEAD
    + '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    + f'<rootfile full-path="{FOLDER}package.opf" media-type="application/oebps-package+xml"/>'
    + "</rootfiles></container>\n"
)
ACCESS = (
    ("accessMode", "textual"), ("accessMode", "visual"), ("accessModeSufficient", "textual"),
    ("accessibilityFeature", "structuralNavigation"), ("accessibilityFeature", "tableOfContents"),
    ("accessibilityFeature", "alternativeText"), ("accessibilityHazard", "none"),
)  # fmt: skip
WIDE, TALL, LETTERS, LINE = 1600, 2400, 16, 170


class Item(NamedTuple):
    name: str
    kind: str
    data: bytes


class Page(NamedTuple):
    file: str
    title: str
    html: str


class Line(NamedTuple):
    """A line of the contents; without an address it only names what stands below it."""

    title: str
    address: str
    below: list[Line]


class Book(NamedTuple):
    title: str
    version: str
    language: str
    contents: str  # what contents are called
    cover: str
    pages: Sequence[Page]
    lines: Sequence[Line]
    others: Sequence[Item]

    @property
    def identifier(self) -> str:
        return uuid5(NAMESPACE_URL, f"rulewright:{self.language}:{self.title}:{self.version}").urn


def files(book: Book) -> dict[str, bytes]:
    """All files of the archive, in order."""
    cover = document(
        book, book.cover, f'<section epub:type="cover"><img src="cover.svg" alt="{escape(book.title)}"/></section>'
    )
    return {
        MIMETYPE: b"application/epub+zip",
        "META-INF/container.xml": CONTAINER.encode(),
        f"{FOLDER}package.opf": utf8(package(book)),
        f"{FOLDER}nav.xhtml": utf8(document(book, book.contents, contents(book))),
        f"{FOLDER}cover.xhtml": utf8(cover),
        f"{FOLDER}cover.svg": utf8(drawing(book)),
        **{FOLDER + page.file: utf8(document(book, page.title, page.html)) for page in book.pages},
        **{FOLDER + item.name: item.data for item in book.others},
    }


def utf8(text: str) -> bytes:
    return clean(text).encode()


def document(book: Book, title: str, body: str) -> str:
    spaces = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    return (
        f'{HEAD}<!DOCTYPE html>\n<html {spaces} lang="{book.language}" xml:lang="{book.language}">\n'
        f'<head><title>{escape(title)}</title><link rel="stylesheet" href="style.css"/></head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def contents(book: Book) -> str:
    title = escape(book.contents)
    return f'<nav epub:type="toc" id="toc"><h1>{title}</h1>\n{ordered(book.lines)}</nav>'


def ordered(lines: Sequence[Line]) -> str:
    return f"<ol>\n{''.join(map(line, lines))}</ol>\n" if lines else ""


def line(one: Line) -> str:
    title = escape(one.title)
    shown = f'<a href="{one.address}">{title}</a>' if one.address else f"<span>{title}</span>"
    return f"<li>{shown}{ordered(one.below)}</li>\n"


def package(book: Book) -> str:
    version = f"<dc:description>{escape(book.version)}</dc:description>" if book.version else ""
    access = "".join(f'<meta property="schema:{name}">{value}</meta>' for name, value in ACCESS)
    refs = "".join(f'<itemref idref="page{number}"/>' for number in range(1, len(book.pages) + 1))
    return (
        f'{HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{book.language}">\n<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="id">{book.identifier}</dc:identifier><dc:title>{escape(book.title)}</dc:title>'
        f"<dc:language>{book.language}</dc:language>{version}\n"
        f'<meta property="dcterms:modified">{SOME_DAY}</meta>{access}\n</metadata>\n'
        f"<manifest>\n{''.join(manifest(book))}</manifest>\n"
        f'<spine><itemref idref="cover"/><itemref idref="nav"/>{refs}</spine>\n</package>\n'
    )


def manifest(book: Book) -> Iterator[str]:
    yield item("nav", "nav.xhtml", XHTML, "nav")
    yield item("cover", "cover.xhtml", XHTML)
    yield item("cover-image", "cover.svg", "image/svg+xml", "cover-image")
    for number, page in enumerate(book.pages, 1):
        yield item(f"page{number}", page.file, XHTML, "svg" if "<svg" in page.html else "")
    for number, one in enumerate(book.others, 1):
        yield item(f"file{number}", one.name, one.kind)


def item(name: str, file: str, kind: str, properties: str = "") -> str:
    told = f' properties="{properties}"' if properties else ""
    return f'<item id="{name}" href="{file}" media-type="{kind}"{told}/>\n'


def drawing(book: Book) -> str:
    """A cover: the title on plain ground, with a die below it."""
    lines = wrap(book.title, LETTERS) or [""]
    middle, top = WIDE // 2, TALL // 3 - len(lines) * LINE // 2
    title = "".join(
        f'<tspan x="{middle}" y="{top + number * LINE}">{escape(words)}</tspan>' for number, words in enumerate(lines)
    )
    version = (
        f'<text x="{middle}" y="{TALL - 200}" font-size="64">{escape(book.version)}</text>' if book.version else ""
    )
    die = '<path d="M800 1350L1110 1530V1890L800 2070L490 1890V1530Z" fill="none" stroke="#8a2f1f" stroke-width="14"/>'
    return (
        f'{HEAD}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {TALL}" font-family="Georgia, serif" '
        f'text-anchor="middle" fill="#26221c"><rect width="{WIDE}" height="{TALL}" fill="#faf6ee"/>'
        f'<text font-size="140">{title}</text>{die}{version}</svg>\n'
    )
