"""The scripts of a page or file: bundles the JavaScript modules, minifies them, and adds the data of games."""

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

# Inserts its data after itself as a template element, as in pages with inline data.
SCRIPT = """\
(() => {
const own = document.currentScript, holder = document.createElement("template"), {more, ...names} = own.dataset;
const data = 'DATA';
Object.assign(holder.dataset, names);
holder.content.textContent = more ? JSON.stringify({...JSON.parse(data), ...JSON.parse(more)}) : data;
own.after(holder);
})();
"""
SIGNS, BEGIN = r"{}()\[\],;:?<>=&|*%^!", r"[(,=:\[!&|?>]"  # after the second, a slash begins a pattern
KEPT = rf"""( "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`  # strings and patterns stay
      | (?:(?<={BEGIN})|(?<={BEGIN}[ ])) /(?![/*]) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ / )"""
PARTS = re.compile(
    rf"""
    (?=["'`/\s]) (?: {KEPT}                                         # fails fast at most positions
      | (?<=\n) (?:\s | //[^\n]* | /\*.*?\*/)+                        # whitespace before a line
      | [ \t]*//[^\n]* | /\*.*?\*/[ \t]?                              # comments, types
      | [ ]+(?=[{SIGNS}\n]) | (?<=[{SIGNS}])[ ]+                      # spaces next to operators
      | (?<![+-])[ ](?=[+-]=?[ ](?![+-])) | (?<=[^+-][+-])[ ](?![+-])
    )""",
    re.DOTALL | re.VERBOSE,
)
LINES = re.compile(
    rf"""
    (?=["'`/;\n]) (?: {KEPT}
      | (?<=[;{{(\[,=?:&|>]) \n | \n (?=[)\].?:&|])  # inside a statement
      | ;?\n? (?=\}})                                # before a closing brace
    )""",
    re.DOTALL | re.VERBOSE,
)
STYLE = re.compile(r"""("[^"]*")|/\*.*?\*/\s*|(?<=[{};,:>\n])\s+|\s+(?=[{>])|;(?=\s*\})""", re.DOTALL)


@cache
def name(data: str) -> str:
    """A file name from the hash of the content, so that a changed game is a new file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def script(data: str) -> str:
    """A script that inserts the data into the page."""
    return SCRIPT.replace("DATA", data.replace("\\", "\\\\").replace("'", "\\'"))


def scripts(found: Iterable[str]) -> dict[str, str]:
    """The data scripts, by name."""
    return {name(data): script(data) for data in found}


def shortened(text: str) -> str:
    """Minify one of our scripts: no comments, types and needless whitespace.

    Two limits: template literals with spaces nested in such literals, and loops without a body.
    """
    for pattern in (PARTS, LINES):
        text = "".join(filter(None, pattern.split(text)))  # kept text is a group, other groups are None
    return text


def tight(style: str) -> str:
    """Minify one of our styles."""
    return STYLE.sub(r"\1", style)


def delivered(file: Path) -> str:
    """A style or script as it is published; files with a license comment of others stay as they are."""
    text = file.read_text(encoding="utf-8")
    return text if text.startswith("/*!") else tight(text) if file.suffix == ".css" else shortened(text)


def element(address: str, names: dict[str, str]) -> str:
    """A script element that inserts shared data, instead of a template with the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'


WEB = Path(__file__).parent.parent / "web"
IMPORTED = re.compile(r'\n(?:im|ex)port .* from "\./([\w-]+)\.js";')  # each begins with the end of the line before
EXPORTED = re.compile(r"\nexport (?=function|class|const)")
Parts = frozenset[str]  # names of modules
# This order, found by experiment, compresses best. A subclass follows its base; other names resolve at run time.
ORDER = (
    "formula", "ranges", "program", "plan", "words", "outline", "space", "play", "setting", "changes", "notation",
    "answer", "reckoner", "rests", "chances", "result", "asking", "anew", "odds", "random", "turns", "kept",
    "inputs", "family", "explain", "traits", "contest", "spend", "written", "record", "number", "match", "page",
    "element", "named", "code", "character", "reached", "field", "verdict", "tray", "drawing", "rewritten",
    "points", "example", "outcome", "question", "choices", "card",
)  # fmt: skip
# Modules that only some rules need; importers use one only if the predicate holds for a rule.
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
    """The optional modules that some rule needs."""
    rules = [rule for game in games for rule in game.rules.values()]
    return frozenset(name for name, asks in NEEDED.items() if any(map(asks, rules)))


@cache
def bundle(start: str, parts: Parts = EVERYTHING) -> str:
    """A module and all its imports as one script, because browsers load no modules from a disk.

    All modules share one block, so no two may declare the same name.
    """
    return '"use strict";\n{\n' + "".join(map(joined, ordered(start, parts))) + "}\n"


@cache
def source_of(name: str) -> str:
    return (WEB / f"{name}.js").read_text(encoding="utf-8")


@cache
def ordered(start: str, parts: Parts = EVERYTHING) -> tuple[str, ...]:
    """A module and its transitive imports; each module comes after what it imports."""
    found = [start]
    for name in found:  # which grows on the way
        others = (other for other in IMPORTED.findall(source_of(name)) if other in parts or other not in NEEDED)
        found += (other for other in others if other not in found)
    places = {name: place for place, name in enumerate(ORDER)}
    return (*sorted(found[:0:-1], key=lambda name: places.get(name, len(places))), start)


def joined(name: str) -> str:
    """The source of a module without its imports and exports."""
    return EXPORTED.sub("\n", IMPORTED.sub("", source_of(name)))


ROLLER, DICE = "roller", "dice"  # scripts: for declared games, for dice notation in the text
ROLLS = re.compile(r'<(?:rule-roller|rule-card)\b[^>]*\bdata-kind="(?:roller|example)"[^>]*>')
GAME = re.compile(r'\bdata-game="([^"]*)"')
LINK = re.compile(r'data-roll="([^"]*)"')
SILENT = re.compile(  # possessive, because the texts between tags are long
    r"<(?:(code|pre|script|style|svg|template|rule-card|rule-roller)\b[^<]*+(?:<(?!/\1>)[^<]*+)*+</\1>|[^>]*+>)"
)
# A first filter for dice.js; the character class in front makes it fast.
PLAIN = re.compile(r"[\ddD](?<![\w.,/#-].)(?:(?<=\d)\d?[dD](?:\d|%)|(?<=[dD])\d{1,4}\s?[-+−]\s?\d)")
DIE = re.compile(r"[dD][\d%]")  # every dice notation contains this
HEADED = re.compile(r"<th\b[^>]*>\s*\d{0,2}[dD](?:\d{1,4}|%)\s*</th>")
Way = Callable[[str], str]  # the URL of a script, by its name


@dataclass(frozen=True)
class Rolling:
    """The scripts and data with which pages of a book can roll dice."""

    games: Mapping[str, Game]
    words: Words
    plain: bool = True
    shares: bool = False  # is data in files that pages share, or inline?
    every: Callable[[], Iterable[Game]] | None = None  # all games, with those declared in pages
    written: dict[int, tuple[Game, str]] = field(default_factory=dict)  # JSON of games, by id()

    @cached_property
    def parts(self) -> Parts:
        """The modules that the games need; computed when all pages are read."""
        return needed(self.every() if self.every else self.games.values())

    def page(self, html: str, home: Game | None, way: Way) -> str:
        """The HTML of a page followed by the data and scripts that its dice need."""
        folder = home.folder if home else ""
        needed = self.needed(html, home)
        names = [*([ROLLER] if needed else []), *([DICE] if self.plain and has_dice(html) else [])]
        if not names:
            return html
        parts = [self.spoken(folder, way), *(self.told(name, game, way) for name, game in needed.items())]
        parts += [f'<script src="{escape(way(name))}" defer></script>' for name in names]
        return html + "".join(parts)

    def scripts(self) -> dict[str, str]:
        """All script files of a site, by name: rollers, and shared strings and games."""
        common = [words_json(self.words, "", self.parts), *map(self.text, self.games.values())] if self.shares else ()
        return {name: shortened(bundle(name, self.parts)) for name in (ROLLER, DICE)} | scripts(common)

    def spoken(self, folder: str, way: Way) -> str:
        """The strings and shapes of the page, inline or as shared script."""
        if not self.shares:
            return data('data-words=""', words_json(self.words, folder, self.parts))
        more = json.dumps({"home": folder}, ensure_ascii=False)
        return element(way(name(words_json(self.words, "", self.parts))), {"more": more, "words": ""})

    def told(self, folder: str, game: Game, way: Way) -> str:
        """The data of a game; inline if it is declared in the page."""
        if not self.shares or game.alone:
            return data(f'data-game="{escape(folder)}"', self.text(game))
        return element(way(name(self.text(game))), {"game": folder})

    def text(self, game: Game) -> str:
        """The JSON of a game, cached."""
        if id(game) not in self.written:
            self.written[id(game)] = game, game_json(game)
        return self.written[id(game)][1]

    def needed(self, html: str, home: Game | None) -> dict[str, Game]:
        """The games that a page rolls; the game declared in the page comes first."""
        known = {**self.games, **({home.folder: home} if home else {})}
        return {name: known[name] for name in rolled(html, home.folder if home else "") if name in known}


def has_dice(html: str) -> bool:
    """Is there dice notation in the text of a page or in a table header?"""
    return bool(DIE.search(html) and (HEADED.search(html) or PLAIN.search(SILENT.sub(" ", html))))


def rolled(html: str, home: str) -> Iterable[str]:
    """The folders of the games that a page rolls, each once."""
    cards = (GAME.search(tag) for tag in ROLLS.findall(html))
    links = (game_of(unescape(found), home) for found in LINK.findall(html))
    return dict.fromkeys([*(unescape(found[1]) for found in cards if found), *links])


def game_of(link: str, home: str) -> str:
    """The game of a link such as "maelstrom/action?pool=5" or "action?pool=5&game=maelstrom"; else that of the page."""
    name, _, query = link.partition("?")
    folder, slash, _ = name.rpartition("/")
    said = re.search(r"(?:^|&)game=([^&]*)", query)
    return folder if slash else said[1] if said else home


def data(name: str, text: str) -> str:
    """A `template` element with JSON.

    Not a `script`: themes with instant navigation run every script of a new page, whatever its type. `<` and `&` are
    escaped, so that the JSON cannot end the element.
    """
    safe = text.replace("&", r"\u0026").replace("<", r"\u003c")
    return f"<template {name}>{safe}</template>"


@cache
def words_json(words: Words, home: str, parts: Parts = EVERYTHING) -> str:
    """The strings and dice shapes for the scripts; `home` is the game of the page."""
    shapes = {**{str(sides): shape for sides, shape in SHAPES.items()}, "round": ROUND}
    said = {name: words(name, **blanks(words.found[name])) for name in spoken(words, parts)}
    whole = {"words": said, "home": home, "shapes": shapes, "pips": PIPS, "badges": BADGES, "strokes": STROKES}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def blanks(phrase: str) -> dict[str, str]:
    """Each placeholder of a phrase stays one: the script fills it in."""
    return {name: f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", phrase)}


def spoken(words: Words, parts: Parts) -> Iterator[str]:
    """The phrases that the scripts use, named in full or by their first word."""
    source = "".join(source_of(name) for name in [*ordered(ROLLER, parts), DICE])
    starts, whole = tuple(re.findall(r"say\(`(\w+ )\$", source)), set(source.split('"')[1:-1])
    return (name for name in words.found if name in whole or name.startswith(starts))


class Scripts(NamedTuple):
    """The scripts of a single file, and their data."""

    data: str  # HTML that holds it
    texts: list[str]


def scripts_scripts(edition: Edition, pages: str) -> Scripts:
    """The scripts and data of a book in a single file."""
    own = shortened(bundle("book"))
    games = edition.compiled.every_game
    played = {name: games[name] for name in rolled(pages, "") if name in games}
    parts = needed(played.values())
    names = [*([ROLLER] if played else []), *([DICE] if edition.compiled.options.dice and has_dice(pages) else [])]
    told = [data('data-words=""', words_json(edition.words, "", parts))] if names else []
    told += [data(f'data-game="{escape(name)}"', game_json(game)) for name, game in played.items()]
    return Scripts("\n".join(told), [own, *(shortened(bundle(name, parts)) for name in names)])
