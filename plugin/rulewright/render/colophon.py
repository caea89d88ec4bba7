"""The line at the end of each book that says how many examples, chances and tables were checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from ..book.page import Page
from ..book.parser import read_page
from ..compile.book import CheckedPage, CompiledBook
from ..compile.nav import order_chapters
from ..source import Source
from .strings import Words

_NOUNS = ("examples", "chances", "tables")
_NOUN_OF_KIND = {"example": "examples", "sheet": "examples", "order": "examples", "odds": "tables", "table": "tables"}


def write_colophons(compiled: CompiledBook, words: Words, left_out: Collection[str] = ()) -> dict[str, str]:
    """The lines by the source path of the last page of each book, if the option `colophon` is on.

    A book is a folder with a game of its own; where no folder has one, all pages are one book. `left_out` are the
    paths of pages that readers do not get.
    """
    books: dict[str, list[CheckedPage]] = {}
    chapters = order_chapters(compiled, compiled.games.root) if compiled.options.colophon else []
    for page in (chapter.page for chapter in chapters):
        folder = compiled.games.nearest_folder(page.file) if compiled.games.folders else ""
        if folder is not None and compiled.path(page) not in left_out:
            books.setdefault(folder, []).append(page)
    counts = {
        pages[-1].page.source.path: Counter(noun for page in pages for noun in _checked(page))
        for pages in books.values()
    }
    return {path: _phrase(numbers, words) for path, numbers in counts.items() if numbers}


def add_colophon(page: Page, colophons: Mapping[str, str]) -> Page:
    """The page with the line of its book after its last block, if it is the last page."""
    text = colophons.get(page.source.path)
    if not text:
        return page
    line = read_page(Source(page.source.path, colophon_markdown(text)))
    return replace(page, tokens=(*page.tokens, *line.tokens))


def colophon_markdown(text: str) -> str:
    """The line as a paragraph of its own in Markdown."""
    return f"*{text}*"


def _checked(page: CheckedPage) -> Iterator[str]:
    """A noun for each thing on a page that was checked and is right, also in comments."""
    for checked in page.blocks:
        if checked.status == "passed":
            kind, entries = checked.block.kind, checked.block.entries
            if noun := _NOUN_OF_KIND.get(kind):
                yield noun
            expected = sum(entry.key == "expect" for entry in entries) if kind == "odds" else 0
            yield from ["chances"] * (len(checked.proofs) + expected)
    yield from ("chances" for link in page.links if link.kind == "chance" and link.status == "passed")


def _phrase(numbers: Mapping[str, int], words: Words) -> str:
    parts = (
        words(f"checked {noun}" if numbers[noun] > 1 else f"checked one of {noun}", number=numbers[noun])
        for noun in _NOUNS
        if numbers[noun]
    )
    return words("colophon", list=", ".join(parts))
