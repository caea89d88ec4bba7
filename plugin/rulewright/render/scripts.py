"""The scripts that a single file needs, and the data they work with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

from ..game.model import Game, Rule
from .cards.dice import BADGES, PIPS, ROUND, SHAPES, STROKES
from .export import Edition
from .game_json import game_json
from .strings import Words

# Puts what it holds behind itself, as pages with data of their own have it from the beginning.
SCRIPT = """\
(() => {
const own = document.currentScript, holder = document.createElement("template"), {more, ...names} = own.dataset;
const data = 'DATA';
Object.assign(holder.dataset, names);
holder.content.textContent = more ? JSON.stringify({...JSON.parse(data), ...JSON.parse(more)}) : data;
own.after(holder);
})();
"""
SIGNS, BEGIN = r"{}()\[\],;:?<>=&|*%^!", r"[(,=:\[!&|?>]"  # behind the second a stroke divides nothing
KEPT = rf"""( "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`  # texts and patterns stay as they are
      | (?:(?<={BEGIN})|(?<={BEGIN}[ ])) /(?![/*]) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ / )"""
PARTS = re.compile(
    rf"""
    (?=["'`/\s]) (?: {KEPT}                                         # so that most places are soon left
      | (?<=\n) (?:\s | //[^\n]* | /\*.*?\*/)+                        # what stands before a line
      | [ \t]*//[^\n]* | /\*.*?\*/[ \t]?                              # comments, types
      | [ ]+(?=[{SIGNS}\n]) | (?<=[{SIGNS}])[ ]+                      # blanks beside signs
      | (?<![+-])[ ](?=[+-]=?[ ](?![+-])) | (?<=[^+-][+-])[ ](?![+-])
    )""",
    re.DOTALL | re.VERBOSE,
)
LINES = re.compile(
    rf"""
    (?=["'`/;\n]) (?: {KEPT}
      | (?<=[;{{(\[,=?:&|>]) \n | \n (?=[)\].?:&|])  # where no statement ends
      | ;?\n? (?=\}})                                # what a brace ends anyway
    )""",
    re.DOTALL | re.VERBOSE,
)
STYLE = re.compile(r"""("[^"]*")|/\*.*?\*/\s*|(?<=[{};,:>\n])\s+|\s+(?=[{>])|;(?=\s*\})""", re.DOTALL)


@cache
def name(data: str) -> str:
    """By what is in it: a game that has changed is another file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def script(data: str) -> str:
    return SCRIPT.replace("DATA", data.replace("\\", "\\\\").replace("'", "\\'"))


def scripts(found: Iterable[str]) -> dict[str, str]:
    return {name(data): script(data) for data in found}


def shortened(text: str) -> str:
    """A script of ours without comments, types, and blanks and ends of lines that say nothing. A text with blanks
    inside a text with blanks, both between backticks, is more than it understands, and so is a loop without a body."""
    for pattern in (PARTS, LINES):
        text = "".join(filter(None, pattern.split(text)))  # what is kept is a group, and the others are not there
    return text


def tight(style: str) -> str:
    """A style of ours without comments and without blanks that say nothing."""
    return STYLE.sub(r"\1", style)


def delivered(file: Path) -> str:
    """A style or a script as readers fetch it; what others made keeps its licence, and stays as it is."""
    text = file.read_text(encoding="utf-8")
    return text if text.startswith("/*!") else tight(text) if file.suffix == ".css" else shortened(text)


def element(address: str, names: dict[str, str]) -> str:
    """In the place of a template that holds the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'


WEB = Path(__file__).parent.parent / "web"
IMPORTED = re.compile(r'\n(?:im|ex)port .* from "\./([\w-]+)\.js";')  # each begins with the end of the line before
EXPORTED = re.compile(r"\nexport (?=function|class|const)")
Parts = frozenset[str]  # names of modules
# In this order, found by trying, they weigh least. Who extends a class stands behind it; all else is looked up later.
ORDER = (
    "formula", "ranges", "program", "plan", "words", "outline", "space", "play", "setting", "changes", "notation",
    "answer", "reckoner", "rests", "chances", "result", "asking", "anew", "odds", "random", "turns", "kept",
    "inputs", "family", "explain", "traits", "contest", "spend", "written", "record", "number", "match", "page",
    "element", "named", "code", "character", "reached", "field", "verdict", "tray", "drawing", "rewritten",
    "points", "example", "outcome", "question", "choices", "card",
)  # fmt: skip
# Modules for some rules only: whoever imports one reaches for it only where a rule has what stands beside it.
NEEDED: dict[str, Callable[[Rule], object]] = {
    "odds": lambda rule: rule.dice,
    "family": lambda rule: any(kind.again for kind in rule.dice),
    "kept": lambda rule: any(kind.keep for kind in rule.dice),
    "anew": lambda rule: rule.rerolls,
    "turns": lambda rule: rule.rerolls,
    "rewritten": lambda rule: rule.rerolls,
    "contest": lambda rule: rule.contest,
    "outline": lambda rule: any(entry.default is None for entry in rule.inputs),
    "reached": lambda rule: any(entry.open and entry.names for entry in rule.inputs),
    "choices": lambda rule: any(entry.asked for entry in rule.inputs),
    "code": lambda rule: any(entry.form == "code" for entry in rule.inputs),
    "named": lambda rule: any(entry.names for entry in rule.inputs),
    "points": lambda rule: rule.spends,
    "spend": lambda rule: rule.spends,
    "character": lambda rule: rule.traits,
    "traits": lambda rule: rule.traits,
}
EVERYTHING: Parts = frozenset(NEEDED)


def needed(games: Iterable[Game]) -> Parts:
    """Those of these modules that some rule asks for."""
    rules = [rule for game in games for rule in game.rules.values()]
    return frozenset(name for name, asks in NEEDED.items() if any(map(asks, rules)))


@cache
def bundle(start: str, parts: Parts = EVERYTHING) -> str:
    """A module and all that it imports in one script, for pages read from a disk, where browsers fetch no modules. They
    share one block, which would take no name twice."""
    return '"use strict";\n{\n' + "".join(map(joined, ordered(start, parts))) + "}\n"


@cache
def source_of(name: str) -> str:
    return (WEB / f"{name}.js").read_text(encoding="utf-8")


@cache
def ordered(start: str, parts: Parts = EVERYTHING) -> tuple[str, ...]:
    """A module behind all that it imports, and that these import."""
    found = [start]
    for name in found:  # which grows on the way
        others = (other for other in IMPORTED.findall(source_of(name)) if other in parts or other not in NEEDED)
        found += (other for other in others if other not in found)
    places = {name: place for place, name in enumerate(ORDER)}
    return (*sorted(found[:0:-1], key=lambda name: places.get(name, len(places))), start)


def joined(name: str) -> str:
    return EXPORTED.sub("\n", IMPORTED.sub("", source_of(name)))


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
        return {name: shortened(bundle(name, self.parts)) for name in (ROLLER, DICE)} | scripts(common)

    def spoken(self, folder: str, way: Way) -> str:
        if not self.shares:
            return data('data-words=""', words_json(self.words, folder, self.parts))
        more = json.dumps({"home": folder}, ensure_ascii=False)
        return element(way(name(words_json(self.words, "", self.parts))), {"more": more, "words": ""})

    def told(self, folder: str, game: Game, way: Way) -> str:
        """One that stands in its page is told there."""
        if not self.shares or game.alone:
            return data(f'data-game="{escape(folder)}"', self.text(game))
        return element(way(name(self.text(game))), {"game": folder})

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


class Scripts(NamedTuple):
    data: str  # HTML that holds it
    texts: list[str]


def scripts_scripts(edition: Edition, pages: str) -> Scripts:
    own = shortened(bundle("book"))
    games = edition.compiled.every_game
    played = {name: games[name] for name in rolled(pages, "") if name in games}
    parts = needed(played.values())
    names = [*([ROLLER] if played else []), *([DICE] if edition.compiled.options.dice and has_dice(pages) else [])]
    told = [data('data-words=""', words_json(edition.words, "", parts))] if names else []
    told += [data(f'data-game="{escape(name)}"', game_json(game)) for name, game in played.items()]
    return Scripts("\n".join(told), [own, *(shortened(bundle(name, parts)) for name in names)])
