"""The words that a book explains, on the pages that it declares for this or as traits of its games."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from markdown_it.token import Token

from ..book.inlines import plain
from ..book.page import Page
from ..compile.book import CheckedPage, Compiled
from ..compile.options import ON
from ..game.model import Category, Game
from ..project import matches
from .strings import Words

LONGEST = 260  # characters that fit beside a word
SHORT = re.compile(r"\s*\(([^()]*)\)\s*$")  # «Game master (GM)»
BLANKS = re.compile(r"\s+")
SENTENCE = re.compile(r"(?<=[.!?])\s")


class Meaning(NamedTuple):
    """A word with what the book says of it, and where: the page and an id there."""

    name: str
    text: str
    path: str = ""
    anchor: str = ""
    is_trait: bool = False  # a name: «Driving» is one, «driving» is none


class Explained(NamedTuple):
    """A word of a list of definitions, the text behind it, and its id."""

    name: str
    text: str
    id: str


@dataclass(frozen=True)
class Terms:
    """The words that count on a page."""

    meanings: tuple[Meaning, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Meaning]:
        """Every way to write a word in running text; what comes first counts."""
        found: dict[str, Meaning] = {}
        for one in self.meanings:
            for name in spellings(one) if one.text else ():
                found.setdefault(name, one)
        return found

    @cached_property
    def sought(self) -> re.Pattern[str] | None:
        """Begins with plain letters, which is what makes it quick."""
        names = sorted(self.by_name, key=lambda name: (-len(name), name))
        return re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?![\w-])") if names else None

    def find(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        """The words in a text, from its beginning; of two that overlap the first, of two at one place the longer."""
        for found in self.sought.finditer(text) if self.sought else ():
            before = text[found.start() - 1 : found.start()]
            if not (before.isalnum() or before in ("-", "_")):
                yield found.start(), found.end(), self.by_name[found[0]]


@dataclass(frozen=True)
class Glossary:
    """The words of each game by its folder; those below None belong to the whole book."""

    by_game: dict[str | None, list[Meaning]] = field(default_factory=dict)
    ready: dict[str | None, Terms] = field(default_factory=dict)

    def of(self, game: Game | None) -> tuple[Meaning, ...]:
        own = self.by_game.get(game.folder, []) if game else []
        return (*own, *self.by_game.get(None, ()))

    def terms(self, game: Game | None) -> Terms:
        """Those of the pages of a game, which seek the same words."""
        folder = game.folder if game else None
        if folder not in self.ready:
            self.ready[folder] = Terms(self.of(game))
        return self.ready[folder]


def spellings(meaning: Meaning) -> Iterator[str]:
    """As it was written, without what stands in brackets behind it; in the middle of a sentence with a small letter."""
    short = SHORT.search(meaning.name)
    name = meaning.name[: short.start()] if short else meaning.name
    if name[:1].isalnum():
        yield name
        if not meaning.is_trait and not name[:2].isupper():
            yield name[0].lower() + name[1:]
            yield name[0].upper() + name[1:]
    if short and short[1].isupper():
        yield short[1]


def explains_words(checked: CheckedPage, compiled: Compiled) -> bool:
    """Whether the author declares that the definition lists of a page explain words; most lists do not."""
    if "terms" in checked.page.meta:
        return checked.page.meta["terms"].text.strip().lower() in ON
    name = os.path.relpath(checked.file, compiled.games.root).replace(os.sep, "/")
    return matches(name, compiled.options.terms)


def read_glossary(compiled: Compiled, path: Callable[[Page], str], words: Words) -> Glossary:
    found: dict[str | None, list[Meaning]] = {}
    for one in compiled.pages:
        home = one.home.folder if one.home else None
        for term in explained(one.page.tokens) if one.page.terms and explains_words(one, compiled) else ():
            found.setdefault(home, []).append(Meaning(term.name, term.text, path(one.page), term.id))
    for folder, game in compiled.every_game.items():
        if game.traits:
            pages = [one for one in compiled.pages if one.home and one.home.folder == folder]
            known = {one.name.lower() for one in found.get(folder, ())}
            new = (one for one in traits(game, pages, path, words) if one.name.lower() not in known)
            found.setdefault(folder, []).extend(new)
    return Glossary(found)


def explained(tokens: Iterable[Token]) -> Iterator[Explained]:
    """A list inside of a definition is part of it."""
    name, id_, texts = "", "", list[str]()
    depth, inside = 0, ""
    for token in tokens:
        kind = token.type.partition("_")[0]
        depth += token.nesting if kind == "dl" else 0
        if name and ((kind == "dt" and depth == 1 and token.nesting > 0) or (kind == "dl" and not depth)):
            yield Explained(name, short(" ".join(texts)), id_)
            name, texts = "", []
        if kind in ("dt", "dd") and depth == 1:
            inside = kind if token.nesting > 0 else ""
            id_ = str(token.meta["id"]) if inside == "dt" else id_
        elif token.type == "inline" and inside == "dt":
            name = plain(token.children or [])
        elif token.type == "inline" and inside:
            texts.append(plain(token.children or []))


def short(text: str) -> str:
    """As many whole sentences as fit beside a word, and at least one, cut where it is too long."""
    text = BLANKS.sub(" ", text).strip()
    if len(text) <= LONGEST:
        return text
    ends = [found.start() for found in SENTENCE.finditer(text) if found.start() <= LONGEST]
    return text[: ends[-1]] if ends else text[:LONGEST].rpartition(" ")[0] + " …"


def traits(game: Game, pages: Iterable[CheckedPage], path: Callable[[Page], str], words: Words) -> Iterator[Meaning]:
    """A trait is explained below the heading that has its name; else its category says what it is."""
    places: dict[str, tuple[Page, str, str]] = {}
    for one in pages:
        for name, anchor, text in sections(one.page):
            places.setdefault(name.lower(), (one.page, anchor, text))
    for category in game.traits.values():
        for name in category.names:
            page, anchor, text = places.get(name.lower(), (None, "", ""))
            told = BLANKS.sub(" ", f"{kind(category, words)} {text}")
            yield Meaning(name, short(told), path(page) if page else "", anchor, True)


def sections(page: Page) -> Iterator[tuple[str, str, str]]:
    """Each heading, its id, and the paragraph that stands right below it."""
    tokens = page.tokens
    opened = (number for number, token in enumerate(tokens) if token.type == "heading_open")
    for heading, number in zip(page.headings, opened, strict=False):
        below = tokens[number + 3 : number + 5]
        is_text = len(below) == 2 and below[0].type == "paragraph_open"
        yield heading.text, heading.id, plain(below[1].children or []) if is_text else ""


def kind(category: Category, words: Words) -> str:
    """«Attributes, 0 to 5.»"""
    if category.least is None or category.most is None:
        return words("trait", category=category.name.capitalize())
    values = words("range", low=category.least, high=category.most)
    return words("trait with values", category=category.name.capitalize(), values=values)
