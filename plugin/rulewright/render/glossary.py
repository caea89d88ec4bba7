"""Glossary: the terms of a book with their explanations, from definition lists and from the traits of its games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..book.inlines import plain_text
from ..book.page import Page
from ..book.parser import read_again
from ..compile.terms import is_ambiguous
from ..game.core import Category
from ..game.model import Game
from .strings import Words

if TYPE_CHECKING:
    from ..compile.book import CheckedPage, CompiledBook

LONGEST = 260  # characters that fit into a tooltip
_ABBREVIATION = re.compile(r"\s*\(([^()]*)\)\s*$")  # "(GM)" of "Game master (GM)"
_WHITESPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s")


class Meaning(NamedTuple):
    """A term, its explanation, and where it is explained: page and anchor."""

    name: str
    text: str
    path: str = ""
    anchor: str = ""
    is_trait: bool = False  # a proper name: "Driving" matches, "driving" does not


@dataclass(frozen=True)
class PageTerms:
    """The terms that are explained on a page."""

    meanings: tuple[Meaning, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Meaning]:
        """All spellings of the terms in running text; the first meaning wins."""
        meanings: dict[str, Meaning] = {}
        for meaning in self.meanings:
            for name in _spellings(meaning) if meaning.text else ():
                meanings.setdefault(name, meaning)
        return meanings

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """A pattern for all spellings; begins with literal characters, which makes it fast."""
        names = sorted(self.by_name, key=lambda name: (-len(name), name))
        return re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?![\w-])") if names else None

    def find(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        """The terms in a text as (start, end, meaning); of overlapping ones the first, then the longest."""
        for match in self.pattern.finditer(text) if self.pattern else ():
            before = text[match.start() - 1 : match.start()]
            if not (before.isalnum() or before in ("-", "_")):
                yield match.start(), match.end(), self.by_name[match[0]]


@dataclass(frozen=True)
class Glossary:
    """The terms of each game by its folder; those under None belong to the whole book."""

    by_game: dict[str | None, list[Meaning]] = field(default_factory=dict)
    page_terms: dict[str | None, PageTerms] = field(default_factory=dict)

    def meanings_of(self, game: Game | None) -> tuple[Meaning, ...]:
        own = self.by_game.get(game.folder, []) if game else []
        return (*own, *self.by_game.get(None, ()))

    def terms(self, game: Game | None) -> PageTerms:
        """The terms on the pages of a game, cached."""
        folder = game.folder if game else None
        if folder not in self.page_terms:
            self.page_terms[folder] = PageTerms(self.meanings_of(game))
        return self.page_terms[folder]


def _spellings(meaning: Meaning) -> Iterator[str]:
    """The name without its abbreviation, also capitalized or not, and the abbreviation itself."""
    short = _ABBREVIATION.search(meaning.name)
    name = meaning.name[: short.start()] if short else meaning.name
    if name[:1].isalnum():
        yield name
        if not meaning.is_trait and not name[:2].isupper():
            yield name[0].lower() + name[1:]
            yield name[0].upper() + name[1:]
    if short and short[1].isupper():
        yield short[1]


def read_glossary(compiled: CompiledBook, path: Callable[[Page], str], words: Words) -> Glossary:
    """Collect the terms of all pages and games; a definition list wins over a trait."""
    by_game: dict[str | None, list[Meaning]] = {}
    declared = compiled.declared_terms
    for home, names in declared.items():
        for terms in names.values():
            if not is_ambiguous(terms):
                place, definition = terms[0]
                meaning = Meaning(definition.name, shorten(definition.text), place, definition.id)
                by_game.setdefault(home, []).append(meaning)
    for folder, game in compiled.all_games.items():
        if game.traits and (compiled.options.terms or by_game.get(folder)):
            pages = [entry for entry in compiled.pages if entry.game and entry.game.folder == folder]
            defined = declared.get(folder, {})
            new = (entry for entry in _trait_meanings(game, pages, path, words) if entry.name.lower() not in defined)
            by_game.setdefault(folder, []).extend(new)
    return Glossary(by_game)


def shorten(text: str) -> str:
    """As many whole sentences as fit into a tooltip, at least one, truncated if it is too long."""
    text = _WHITESPACE.sub(" ", text).strip()
    if len(text) <= LONGEST:
        return text
    ends = [match.start() for match in _SENTENCE.finditer(text) if match.start() <= LONGEST]
    return text[: ends[-1]] if ends else text[:LONGEST].rpartition(" ")[0] + " …"


def _trait_meanings(
    game: Game, pages: Iterable[CheckedPage], path: Callable[[Page], str], words: Words
) -> Iterator[Meaning]:
    """The traits of a game: explained by the section with the same name, else by their category."""
    places: dict[str, tuple[Page, str, str]] = {}
    for page_checked in pages:
        for name, anchor, text in _heading_texts(page_checked.page):
            places.setdefault(name.lower(), (page_checked.page, anchor, text))
    for category in game.traits.values():
        for name in category.names:
            page, anchor, text = places.get(name.lower(), (None, "", ""))
            explanation = _WHITESPACE.sub(" ", f"{_category_text(category, words)} {text}")
            yield Meaning(name, shorten(explanation), path(page) if page else "", anchor, True)


def _heading_texts(page: Page) -> Iterator[tuple[str, str, str]]:
    """Each heading, its id, and the text of the paragraph directly below it."""
    tokens = page.tokens or read_again(page).tokens
    opened = (number for number, token in enumerate(tokens) if token.type == "heading_open")
    for heading, number in zip(page.headings, opened, strict=False):
        below = tokens[number + 3 : number + 5]
        is_text = len(below) == 2 and below[0].type == "paragraph_open"
        yield heading.text, heading.id, plain_text(below[1].children or []) if is_text else ""


def _category_text(category: Category, words: Words) -> str:
    """The explanation of a category, for example "Attributes, 0 to 5." in English."""
    if category.least is None or category.most is None:
        return words("trait", category=category.name.capitalize())
    values = words("range", low=category.least, high=category.most)
    return words("trait with values", category=category.name.capitalize(), values=values)
