"""What dice need on a page: their games, words and shapes as data, and their scripts, each as one file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape, unescape

from ..game.model import Game
from . import shared
from .cards.dice import BADGES, STROKES
from .cards.shapes import PIPS, ROUND, SHAPES
from .gamedata import game_json
from .modules import EVERYTHING, Parts, bundle, needed, ordered, source_of
from .words import Words

ROLLER, DICE = "roller", "dice"  # scripts: of games that are declared, of dice that just stand there
ROLLS = re.compile(r'<(?:rule-roller|rule-card)\b[^>]*\bdata-kind="(?:roller|example)"[^>]*>')
GAME = re.compile(r'\bdata-game="([^"]*)"')
LINK = re.compile(r'data-roll="([^"]*)"')
SILENT = re.compile(  # from sign to sign, because texts between them are long
    r"<(?:(code|pre|script|style|svg|template|rule-card|rule-roller)\b[^<]*+(?:<(?!/\1>)[^<]*+)*+</\1>|[^>]*+>)"
)
# What dice.js looks at more closely; a class of signs in front makes it quick.
PLAIN = re.compile(r"[\ddD](?<![\w.,/#-].)(?:(?<=\d)\d?[dD](?:\d|%)|(?<=[dD])\d{1,4}\s?[-+−]\s?\d)")
DIE = re.compile(r"[dD][\d%]")  # which each of these holds
HEADED = re.compile(r"<th\b[^>]*>\s*\d{0,2}[dD](?:\d{1,4}|%)\s*</th>")
Way = Callable[[str], str]  # from a page to a script, by its name


@dataclass(frozen=True)
class Rolling:
    """What a book has for its dice; `plain` is whether those that just stand there can be rolled."""

    games: Mapping[str, Game]
    words: Words
    plain: bool = True
    shares: bool = False  # do pages have the scripts of `shared` beside them?
    every: Callable[[], Iterable[Game]] | None = None  # games, with those that stand in pages
    written: dict[int, tuple[Game, str]] = field(default_factory=dict)  # games as text, by who they are

    @cached_property
    def parts(self) -> Parts:
        """What the games need of the scripts; asked for when all pages are read."""
        return needed(self.every() if self.every else self.games.values())

    def page(self, html: str, home: Game | None, way: Way) -> str:
        """The words of a page, and behind them what their dice need; nothing where nothing rolls."""
        folder = home.folder if home else ""
        needed = self.needed(html, home)
        names = [*([ROLLER] if needed else []), *([DICE] if self.plain and has_dice(html) else [])]
        if not names:
            return html
        parts = [self.spoken(folder, way), *(self.told(name, game, way) for name, game in needed.items())]
        parts += [f'<script src="{escape(way(name))}" defer></script>' for name in names]
        return html + "".join(parts)

    def scripts(self) -> dict[str, str]:
        """All of a site, by their names; the words, and each game that has a file, are shared."""
        common = [words_json(self.words, "", self.parts), *map(self.text, self.games.values())] if self.shares else ()
        return {name: shared.shortened(bundle(name, self.parts)) for name in (ROLLER, DICE)} | shared.scripts(common)

    def spoken(self, folder: str, way: Way) -> str:
        if not self.shares:
            return data('data-words=""', words_json(self.words, folder, self.parts))
        more = json.dumps({"home": folder}, ensure_ascii=False)
        return shared.element(way(shared.name(words_json(self.words, "", self.parts))), {"more": more, "words": ""})

    def told(self, folder: str, game: Game, way: Way) -> str:
        """One that stands in its page is told there."""
        if not self.shares or game.alone:
            return data(f'data-game="{escape(folder)}"', self.text(game))
        return shared.element(way(shared.name(self.text(game))), {"game": folder})

    def text(self, game: Game) -> str:
        if id(game) not in self.written:
            self.written[id(game)] = game, game_json(game)
        return self.written[id(game)][1]

    def needed(self, html: str, home: Game | None) -> dict[str, Game]:
        """The games of which something is rolled on a page; one that stands in the page comes first."""
        known = {**self.games, **({home.folder: home} if home else {})}
        return {name: known[name] for name in rolled(html, home.folder if home else "") if name in known}


def has_dice(html: str) -> bool:
    """Do dice stand in the words of a page, or above a table?"""
    return bool(DIE.search(html) and (HEADED.search(html) or PLAIN.search(SILENT.sub(" ", html))))


def rolled(html: str, home: str) -> Iterable[str]:
    """The games of which something is rolled on a page, each once."""
    cards = (GAME.search(tag) for tag in ROLLS.findall(html))
    links = (game_of(unescape(found), home) for found in LINK.findall(html))
    return dict.fromkeys([*(unescape(found[1]) for found in cards if found), *links])


def game_of(link: str, home: str) -> str:
    """«maelstrom/action?pool=5», «action?pool=5&game=maelstrom»; without a game that of the page."""
    name, _, query = link.partition("?")
    folder, slash, _ = name.rpartition("/")
    said = re.search(r"(?:^|&)game=([^&]*)", query)
    return folder if slash else said[1] if said else home


def data(name: str, text: str) -> str:
    """JSON that cannot end the element it stands in. Themes that change pages without loading them run every script of
    the new page whatever its type, so it is none."""
    safe = text.replace("&", r"\u0026").replace("<", r"\u003c")
    return f"<template {name}>{safe}</template>"


@cache
def words_json(words: Words, home: str, parts: Parts = EVERYTHING) -> str:
    """Words and shapes; `home` is the game of the page."""
    shapes = {**{str(sides): shape for sides, shape in SHAPES.items()}, "round": ROUND}
    said = {name: words(name, **blanks(words.found[name])) for name in spoken(words, parts)}
    whole = {"words": said, "home": home, "shapes": shapes, "pips": PIPS, "badges": BADGES, "strokes": STROKES}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def blanks(phrase: str) -> dict[str, str]:
    """Each blank stands for itself: the page fills it in."""
    return {name: f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", phrase)}


def spoken(words: Words, parts: Parts) -> Iterator[str]:
    """The phrases that the scripts name, whole or by their first word."""
    source = "".join(source_of(name) for name in [*ordered(ROLLER, parts), DICE])
    starts, whole = tuple(re.findall(r"say\(`(\w+ )\$", source)), set(source.split('"')[1:-1])
    return (name for name in words.found if name in whole or name.startswith(starts))
