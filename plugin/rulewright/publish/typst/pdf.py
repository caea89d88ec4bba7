"""The book as a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as File

from ...compile.nav import Chapter
from ...text import Problem, Span
from ..edition import Edition, Made, Watch
from .book import Binding, Setup, book
from .press import PressError, in_words, is_picture, is_unseen, press

FONTS = (".ttf", ".otf", ".ttc")
PAPERS = {"letter": "us-letter"}


def make(edition: Edition, watch: Watch) -> Made:
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
    """A sign that no font has, at the first place of each page where it stands."""
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
    """The folder of a book's own fonts, if it has any."""
    if overrides is None:
        return []
    folder = overrides / "fonts"
    return [folder] if folder.is_dir() and any(file.suffix.lower() in FONTS for file in folder.iterdir()) else []
