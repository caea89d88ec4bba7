"""Exports a book as PDF: writes the Typst source of all chapters and compiles it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path as File

from ...book.page import Page
from ...book.resolver import LinkResolver, LinkTarget
from ...compile.nav import Chapter
from ...root import Root
from ...source import Problem, Span
from ..colophon import add_colophon
from ..document import Address
from ..export import BookExport, ExportResult, ProgressCallback, find_picture, highest_level, outline_entries, title_id
from ..read_document import read_document
from ..strings import Words
from .cards import CardWriter, Drawings
from .compiler import TypstCompileError, compile_replacing, describe_character, is_invisible, is_readable_picture
from .page import LINE_LENGTH, render_page
from .syntax import PageState, PdfLink, call, flag, label, string_literal

STYLES = File(__file__).with_name("look.typ")
_LABEL_CALL = re.compile(r'#label\("((?:[^"\\]|\\.)*)"\)')
_HEADING_CALL = re.compile(r"#heading\(level: [1-3]\)")
_LONG_CONTENTS = 45  # lines of the table of contents that fit on a page
_OWN_STYLES_MARKER = "// the book's own styles are inserted here"


@dataclass(frozen=True)
class _PrintSettings:
    """Settings of the PDF: title, paper, columns, colors."""

    title: str
    version: str = ""
    language: str = "en"
    paper: str = "a4"
    columns: int = 1
    dark: bool = False
    own_styles: str = ""  # Typst code from the overrides of the book


@dataclass
class _PrintedBook:
    """Resolves links and pictures across all chapters of the PDF."""

    chapters: Sequence[Chapter]
    resolver: LinkResolver
    root: File
    words: Words
    project: Root | None = None  # decides which files may be embedded; without it, those in the folder of the book
    colophons: Mapping[str, str] = field(default_factory=dict)  # by the source path of the last page of each book

    def __post_init__(self) -> None:
        self.pages = {self.resolver.path(chapter.page.page): chapter.page.page for chapter in self.chapters}
        self.used_pictures = set[File]()  # those that the pages show
        self.unreadable_pictures = set[File]()  # those that Typst cannot read

    def locate(self, page: Page, address: Address) -> PdfLink | None:
        """Where a link leads to; None if it cannot be reached from the PDF."""
        link, target = address
        if target is None:
            return PdfLink(address=link.target) if "://" in link.target or link.target.startswith("mailto:") else None
        if not isinstance(target, LinkTarget) or target.path not in self.pages:
            return None
        anchor = target.anchor if target.anchor not in ("", "top") else title_id(self.pages[target.path])
        return PdfLink(label=f"{target.path}#{anchor}", is_same_page=target.path == self.resolver.path(page))

    def find_picture(self, page: Page, source: str) -> File | None:
        """The file of an image as a path from the root of the book; None for files outside it."""
        file = find_picture(self.root, self.resolver.path(page), source, self.project)
        if file is None or file in self.unreadable_pictures:
            return None
        self.used_pictures.add(file)
        return File("/") / file.relative_to(self.root)


def _write_book(
    printed_book: _PrintedBook, settings: _PrintSettings, watch: Callable[[str], None] = lambda _: None
) -> tuple[str, list[Problem]]:
    """The Typst source of a book, and problems with what cannot be printed."""
    parts, problems = list[str](), list[Problem]()
    cards = CardWriter(printed_book.words, Drawings(settings.dark))
    for chapter, part, depth in outline_entries(printed_book.chapters):
        watch(chapter.page.page.title)
        if part:
            parts.append(call("heading", level="1", body=f"#{string_literal(part)};") + "\n\n")
        page_source, page_problems = _write_page(printed_book, cards, chapter, depth, _characters_per_line(settings))
        parts.append(page_source)
        problems += page_problems
    text = "\n".join(parts)
    preamble = _write_preamble(
        settings, printed_book.words, _LABEL_CALL.findall(text), len(_HEADING_CALL.findall(text))
    )
    return f"{preamble}\n{cards.drawings.define_all()}\n{text}", problems


def _write_preamble(settings: _PrintSettings, words: Words, labels: Sequence[str], entries: int) -> str:
    """The start of the Typst source: settings, style, cover and table of contents.

    The labels are those that links can lead to, escaped for Typst. `entries` is the number of lines in the contents.
    """
    terms = {"page": words("page short"), "contents": words("contents")}
    term_list = ", ".join(f"{name}: {string_literal(word)}" for name, word in terms.items())
    label_list = ", ".join(f'"{label_name}": none' for label_name in dict.fromkeys(labels))
    values = {
        "title": string_literal(settings.title),
        "version": string_literal(settings.version),
        "paper": string_literal(settings.paper),
        "cols": str(settings.columns),
        "dark": flag(settings.dark),
        "long-contents": flag(entries > _LONG_CONTENTS),
        "lang": string_literal(settings.language.partition("-")[0]),
        "words": f"({term_list})",
        "places": f"({label_list or ':'})",
    }
    definitions = "".join(f"#let {name} = {value}\n" for name, value in values.items())
    styles = STYLES.read_text(encoding="utf-8").replace(_OWN_STYLES_MARKER, settings.own_styles)
    return f"{definitions}{styles}\n#show: book\n#cover()\n#contents()\n#counter(page).update(1)\n"


def _characters_per_line(settings: _PrintSettings) -> int:
    """The number of characters that fit on a line."""
    full_width = 56 if settings.paper == "a5" else LINE_LENGTH
    return full_width if settings.columns == 1 else full_width // 2 - 3


def _write_page(
    printed_book: _PrintedBook, cards: CardWriter, chapter: Chapter, depth: int, line_length: int
) -> tuple[str, list[Problem]]:
    """The Typst source of one page and its problems. A page without a heading gets its title as one."""
    page = chapter.page.page
    checked = {id(checked_block.block): checked_block for checked_block in chapter.page.blocks}
    state = PageState(
        page=page,
        words=printed_book.words,
        locate=lambda address: printed_book.locate(page, address),
        render_card=lambda block: cards.write_card(checked[id(block)]),
        find_picture=lambda source: printed_book.find_picture(page, source),
        label_prefix=printed_book.resolver.path(page),
        line_length=line_length,
        heading_offset=depth + 1 - highest_level(page),
        heading_level=depth,
    )
    document = read_document(
        add_colophon(page, printed_book.colophons), partial(printed_book.resolver.resolve, page=page)
    )
    title = ""
    if not title_id(page):  # a chapter needs a title
        state.heading_level = depth + 1
        title = call("heading", level=str(depth + 1), body=f"#{string_literal(page.title)};") + label(
            state.make_label("")
        )
    return f"{title}\n\n{render_page(state, document)}", state.problems


_FONT_SUFFIXES = (".ttf", ".otf", ".ttc")
_TYPST_PAPERS = {"letter": "us-letter"}


def make(edition: BookExport, watch: ProgressCallback) -> ExportResult:
    """The PDF of a book and its problems.

    If Typst fails, tries again without the pictures that it cannot read.
    """
    printed_book = _PrintedBook(
        edition.chapters, edition.resolver, edition.root, edition.words, edition.compiled.project, edition.colophons
    )
    source, problems = _write_book(printed_book, _read_settings(edition), watch)
    watch("")
    fonts = _find_fonts(edition.overrides)
    try:
        pdf, missing = compile_replacing(source, edition.root, fonts)
    except TypstCompileError:
        printed_book.unreadable_pictures = {
            file for file in printed_book.used_pictures if not is_readable_picture(file, edition.root, fonts)
        }
        if not printed_book.unreadable_pictures:
            raise
        source, problems = _write_book(printed_book, _read_settings(edition))
        pdf, missing = compile_replacing(source, edition.root, fonts)
    visible = (character for character in sorted(missing) if not is_invisible(character))
    return pdf, [
        *problems,
        *(problem for character in visible for problem in _report_missing_glyph(character, edition.chapters)),
    ]


def _read_settings(edition: BookExport) -> _PrintSettings:
    """The settings from the options of the book, with the `book.typ` of its overrides."""
    options, own_styles = edition.compiled.options, edition.overrides and edition.overrides / "book.typ"
    return _PrintSettings(
        title=edition.title,
        version=options.version,
        language=options.language,
        paper=_TYPST_PAPERS.get(options.paper, options.paper),
        columns=int(options.columns),
        dark=options.dark,
        own_styles=own_styles.read_text(encoding="utf-8") if own_styles and own_styles.is_file() else "",
    )


def _report_missing_glyph(character: str, chapters: Sequence[Chapter]) -> list[Problem]:
    """Problems for a character that no font has, one at its first position on each page."""
    problems = []
    for chapter in chapters:
        source = chapter.page.page.source
        offset = source.text.find(character)
        if offset >= 0:
            message = f'no font of the print has "{character}"; {describe_character(character)} stands in its place'
            note = "a font file in site_overrides/fonts that has it will be used"
            problems.append(Problem("export-glyph", message, Span(source, offset, offset + 1), "warning", (note,)))
    return problems


def _find_fonts(overrides: File | None) -> list[File]:
    """The folder with fonts of the book, if there is one."""
    if overrides is None:
        return []
    folder = overrides / "fonts"
    return (
        [folder] if folder.is_dir() and any(file.suffix.lower() in _FONT_SUFFIXES for file in folder.iterdir()) else []
    )
