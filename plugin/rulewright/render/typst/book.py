"""Exports a book as PDF: writes the Typst source of all chapters and compiles it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from ...book.page import Link, Page
from ...book.resolver import Atlas, Place
from ...compile.nav import Chapter
from ...root import Root
from ...source import Problem, Span
from ..export import Edition, Made, Watch, highest, picture, placed, start
from ..strings import Words
from .cards import Desk, Drawings
from .compiler import PressError, in_words, is_picture, is_unseen, press
from .markup import Goal, Print, call, flag, label, quoted
from .page import LINE, printed

LOOK = File(__file__).with_name("look.typ")
PLACE = re.compile(r'#label\("((?:[^"\\]|\\.)*)"\)')
ENTRY = re.compile(r"#heading\(level: [1-3]\)")
LONG = 45  # lines of the table of contents that fit on a page
OWN_LOOK = "// the book's own styles are inserted here"


@dataclass(frozen=True)
class Setup:
    """Settings of the PDF: title, paper, columns, colors."""

    title: str
    version: str = ""
    language: str = "en"
    paper: str = "a4"
    columns: int = 1
    dark: bool = False
    own_look: str = ""  # Typst code from the overrides of the book


@dataclass
class Binding:
    """Resolves links and pictures across all chapters of the PDF."""

    chapters: Sequence[Chapter]
    atlas: Atlas
    root: File
    words: Words
    project: Root | None = None  # decides which files may be embedded; without it, those in the folder of the book

    def __post_init__(self) -> None:
        self.pages = {self.atlas.path(chapter.page.page): chapter.page.page for chapter in self.chapters}
        self.pictures = set[File]()  # those that the pages show
        self.refused = set[File]()  # those that Typst cannot read

    def goal(self, page: Page, link: Link) -> Goal | None:
        """The target of a link; None if it cannot be reached from the PDF."""
        found = self.atlas.resolve(link, page)
        if found is None:
            return Goal(address=link.target) if "://" in link.target or link.target.startswith("mailto:") else None
        if not isinstance(found, Place) or found.path not in self.pages:
            return None
        anchor = found.anchor if found.anchor not in ("", "top") else start(self.pages[found.path])
        return Goal(label=f"{found.path}#{anchor}", near=found.path == self.atlas.path(page))

    def picture(self, page: Page, source: str) -> File | None:
        """The file of an image as a path from the root of the book; None for files outside it."""
        file = picture(self.root, self.atlas.path(page), source, self.project)
        if file is None or file in self.refused:
            return None
        self.pictures.add(file)
        return File("/") / file.relative_to(self.root)


def book(binding: Binding, setup: Setup, watch: Callable[[str], None] = lambda _: None) -> tuple[str, list[Problem]]:
    """The Typst source of a book, and problems with what cannot be printed."""
    parts, problems = list[str](), list[Problem]()
    desk = Desk(binding.words, Drawings(setup.dark))
    for chapter, part, depth in placed(binding.chapters):
        watch(chapter.page.page.title)
        if part:
            parts.append(call("heading", level="1", body=f"#{quoted(part)};") + "\n\n")
        made, found = leaf(binding, desk, chapter, depth, line(setup))
        parts.append(made)
        problems += found
    text = "\n".join(parts)
    first = head(setup, binding.words, PLACE.findall(text), len(ENTRY.findall(text)))
    return f"{first}\n{desk.drawings.defined()}\n{text}", problems


def head(setup: Setup, words: Words, places: Sequence[str], entries: int) -> str:
    """The start of the Typst source: settings, style, cover and table of contents.

    The labels are those that links can lead to, escaped for Typst. `entries` is the number of lines in the contents.
    """
    said = {"page": words("page short"), "contents": words("contents")}
    told = ", ".join(f"{name}: {quoted(word)}" for name, word in said.items())
    known = ", ".join(f'"{place}": none' for place in dict.fromkeys(places))
    values = {
        "title": quoted(setup.title),
        "version": quoted(setup.version),
        "paper": quoted(setup.paper),
        "cols": str(setup.columns),
        "dark": flag(setup.dark),
        "long-contents": flag(entries > LONG),
        "lang": quoted(setup.language.partition("-")[0]),
        "words": f"({told})",
        "places": f"({known or ':'})",
    }
    lets = "".join(f"#let {name} = {value}\n" for name, value in values.items())
    look = LOOK.read_text(encoding="utf-8").replace(OWN_LOOK, setup.own_look)
    return f"{lets}{look}\n#show: book\n#cover()\n#contents()\n#counter(page).update(1)\n"


def line(setup: Setup) -> int:
    """The number of characters that fit on a line."""
    whole = 56 if setup.paper == "a5" else LINE
    return whole if setup.columns == 1 else whole // 2 - 3


def leaf(binding: Binding, desk: Desk, chapter: Chapter, depth: int, line: int) -> tuple[str, list[Problem]]:
    """The Typst source of one page and its problems. A page without a heading gets its title as one."""
    page = chapter.page.page
    checked = {id(one.block): one for one in chapter.page.blocks}
    sheet = Print(
        page=page,
        words=binding.words,
        goal=lambda link: binding.goal(page, link),
        card=lambda block: desk.card(checked[id(block)]),
        picture=lambda source: binding.picture(page, source),
        name=binding.atlas.path(page),
        line=line,
        depth=depth + 1 - highest(page),
        level=depth,
    )
    own = ""
    if not start(page):  # a chapter needs a title
        sheet.level = depth + 1
        own = call("heading", level=str(depth + 1), body=f"#{quoted(page.title)};") + label(sheet.label_of(""))
    return f"{own}\n\n{printed(sheet, page.tokens)}", sheet.problems


FONTS = (".ttf", ".otf", ".ttc")
PAPERS = {"letter": "us-letter"}


def make(edition: Edition, watch: Watch) -> Made:
    """The PDF of a book and its problems.

    If Typst fails, tries again without the pictures that it cannot read.
    """
    binding = Binding(edition.chapters, edition.atlas, edition.root, edition.words, edition.compiled.project)
    source, problems = book(binding, setup(edition), watch)
    watch("")
    fonts = fonts_of(edition.overrides)
    try:
        made, missing = press(source, edition.root, fonts)
    except PressError:
        binding.refused = {one for one in binding.pictures if not is_picture(one, edition.root, fonts)}
        if not binding.refused:
            raise
        source, problems = book(binding, setup(edition))
        made, missing = press(source, edition.root, fonts)
    seen = (sign for sign in sorted(missing) if not is_unseen(sign))
    return made, [*problems, *(problem for sign in seen for problem in unprinted(sign, edition.chapters))]


def setup(edition: Edition) -> Setup:
    """The settings from the options of the book, with the `book.typ` of its overrides."""
    options, look = edition.compiled.options, edition.overrides and edition.overrides / "book.typ"
    return Setup(
        title=edition.title,
        version=options.version,
        language=options.language,
        paper=PAPERS.get(options.paper, options.paper),
        columns=int(options.columns),
        dark=options.dark,
        own_look=look.read_text(encoding="utf-8") if look and look.is_file() else "",
    )


def unprinted(sign: str, chapters: Sequence[Chapter]) -> list[Problem]:
    """Problems for a character that no font has, one at its first position on each page."""
    found = []
    for chapter in chapters:
        source = chapter.page.page.source
        at = source.text.find(sign)
        if at >= 0:
            message = f"no font of the print has «{sign}»; {in_words(sign)} stands in its place"
            note = "a font file in site_overrides/fonts that has it will be used"
            found.append(Problem("export-glyph", message, Span(source, at, at + 1), "warning", (note,)))
    return found


def fonts_of(overrides: File | None) -> list[File]:
    """The folder with fonts of the book, if there is one."""
    if overrides is None:
        return []
    folder = overrides / "fonts"
    return [folder] if folder.is_dir() and any(file.suffix.lower() in FONTS for file in folder.iterdir()) else []
