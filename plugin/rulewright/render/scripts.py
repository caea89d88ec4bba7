"""The scripts of a page or file: bundles the JavaScript modules, minifies them, and adds the data of games."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from markdown_it.token import Token

from ..book.page import Page
from ..book.parser import read_again
from ..compile.book import CheckedPage
from ..game.core_json import core_text
from ..game.lower import lower_game
from ..game.model import Game
from .cards.derivation import explanation_data
from .cards.dice import BADGES, PIPS, ROUND_SHAPE, SHAPES, STROKES, SUITS
from .export import BookExport
from .strings import Words

_WEB = Path(__file__).parent.parent / "web"
_SIGNS, _BEGIN = r"{}()\[\],;:?<>=&|*%^!", r"[(,=:\[!&|?>]"  # after the second, a slash begins a pattern
_KEPT = rf"""( "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`  # strings and patterns stay
      | (?:(?<={_BEGIN})|(?<={_BEGIN}[ ])) /(?![/*]) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ / )"""
_PARTS = re.compile(
    rf"""
    (?=["'`/\s]) (?: {_KEPT}                                         # fails fast at most positions
      | (?<=\n) (?:\s | //[^\n]* | /\*.*?\*/)+                        # whitespace before a line
      | [ \t]*//[^\n]* | /\*.*?\*/[ \t]?                              # comments, types
      | [ ]+(?=[{_SIGNS}\n]) | (?<=[{_SIGNS}])[ ]+                      # spaces next to operators
      | (?<![+-])[ ](?=[+-]=?[ ](?![+-])) | (?<=[^+-][+-])[ ](?![+-])
    )""",
    re.DOTALL | re.VERBOSE,
)
_LINES = re.compile(
    rf"""
    (?=["'`/;\n]) (?: {_KEPT}
      | (?<=[;{{(\[,=?:&|>]) \n | \n (?=[)\].?:&|])  # inside a statement
      | ;?\n? (?=\}})                                # before a closing brace
      | (?<=\}}) \n (?=\w+[ (])                      # after a function or block
    )""",
    re.DOTALL | re.VERBOSE,
)
_STYLE = re.compile(r"""("[^"]*")|/\*.*?\*/\s*|(?<=[{};,:>\n])\s+|\s+(?=[{>])|;(?=\s*\})""", re.DOTALL)


def _data_script(data: str) -> str:
    """A script that leaves JSON at its own element, which works from a disk and in the page itself."""
    text = data.replace("&", r"\u0026").replace("<", r"\u003c")  # so that it cannot end the element
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"document.currentScript.data=JSON.parse('{quoted}');\n"


def _data_name(data: str) -> str:
    """A file name from the hash of the content, so that a changed game is a new file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def minify_script(text: str) -> str:
    """Minify one of our scripts: no comments, types and needless whitespace.

    Three limits: template literals with spaces nested in such literals, loops without a body, and statements that end
    in a brace without a semicolon.
    """
    for pattern in (_PARTS, _LINES):
        text = "".join(filter(None, pattern.split(text)))  # kept text is a group, other groups are None
    return text


def minify_style(style: str) -> str:
    """Minify one of our styles."""
    return _STYLE.sub(r"\1", style)


def read_asset(file: Path) -> str:
    """A style or script as it is published; files with a license comment of others stay as they are."""
    text = file.read_text(encoding="utf-8")
    return text if text.startswith("/*!") else minify_style(text) if file.suffix == ".css" else minify_script(text)


@cache
def generated_styles() -> str:
    """The styles of the pages that we write ourselves."""
    return read_asset(_WEB / "generated.css")


@cache
def site_styles() -> str:
    """The styles of cards and of what else is ours on the pages of a site."""
    return "".join(read_asset(_WEB / name) for name in ("rulewright.css", "rolling.css", "reading.css"))


_IMPORTED = re.compile(r'\n(?:im|ex)port .* from "[\w./]*/([\w-]+)\.js";')  # each begins with the line end before it
_NAMED = re.compile(r'\nimport \{ (.*) \} from "[\w./]*/([\w-]+)\.js";')
_EXPORTED = re.compile(r"\nexport (?=function|class|const)")
_FILES = {path.stem: path for path in _WEB.glob("*/*.js")}  # engine/, odds/, roller/ and site/ share no name
ROLLER, ODDS, LOADER, DICE = "roller", "odds", "loader", "dice"  # scripts; the last is for dice notation in the text
_AFTER = "after-roll"  # the first module of the script of odds
# This order, found by experiment, compresses best. A subclass follows its base; other names resolve at run time.
MODULE_ORDER = (
    "formula", "intervals", "dice-sets", "rule", "partial-result", "bound-rule", "rounds", "messages", "why",
    "known-values", "roll", "face-text", "rerolls", "picked-dice", "ask-dice", "result", "contest", "dice-groups",
    "inputs", "traits", "spends", "record", "page-data", "check-record", "roll-session", "describe-result",
    "spend-buttons", "reached-values", "number-field", "dice-code-field", "input-field", "character",
    "named-number-field", "reroll-record", "share-roll", "random", "scene", "result-text", "next-question",
    "asked-inputs", "dom", "menu", "card", "chips", "dialog", "outcome-odds", "draw-dice", "budget", "unroll",
    "rule-facts", "walk", "walk-decks", "walk-picks", "plan", "walk-frames", "fold", "bound-ends", "elimination",
    "settle", "walk-pools", "open-values", "piles", "walk-endless", "rerolled-die", "state-search", "ordered",
    "sums", "automaton", "final-states", "groups", "family", "reroll-odds", "solve", "components", "lines",
    "walk-again", "walk-choices", "walk-solver", "rounds-odds", "estimate", "odds", "rounds-plan", "derivation",
    "contest-odds", "aims", "copy-roll",
)  # fmt: skip


def bundle_modules(start: str) -> str:
    """A module and all its imports as one script, because browsers load no modules from a disk.

    All modules share one block, so no two may declare the same name. The roller hands over what the odds take from it.
    """
    if start == ODDS:
        own = "".join(_module_body(name) for name in order_modules(_AFTER) if name not in order_modules(ROLLER))
        head = f'"use strict";\ndocument.currentScript.data = ({{ {_shared_names()} }}) => {{\n'
        return f"{head}{own}return afterRoll;\n}};\n"
    modules = order_modules(start)
    shared = f"document.currentScript.data.parts = {{ {_shared_names()} }};\n" if start == ROLLER else ""
    return '"use strict";\n{\n' + "".join(map(_module_body, modules)) + shared + "}\n"


def _shared_names() -> str:
    """What the modules of the script of odds import from modules of the roller."""
    roller = order_modules(ROLLER)
    sources = (read_module(name) for name in order_modules(_AFTER) if name not in roller)
    found = (match for source in sources for match in _NAMED.findall(source))
    return ", ".join(sorted({name for names, module in found if module in roller for name in names.split(", ")}))


@cache
def read_module(name: str) -> str:
    return _FILES[name].read_text(encoding="utf-8")


def order_modules(start: str) -> tuple[str, ...]:
    """A module and its transitive imports, which come before it."""
    modules = [start]
    for name in modules:  # which grows on the way
        modules += (other for other in _IMPORTED.findall(read_module(name)) if other not in modules)
    places = {name: place for place, name in enumerate(MODULE_ORDER)}
    return (*sorted(modules[:0:-1], key=lambda name: places.get(name, len(places))), start)


def _module_body(name: str) -> str:
    """The source of a module without its imports and exports."""
    return _EXPORTED.sub("\n", _IMPORTED.sub("", read_module(name)))


_CARDS_THAT_ROLL = ("example", "roller")
# A first filter for roller/dice.js. It begins with what only dice have, then looks at what is before.
_DICE_NOTATION = re.compile(
    r"[dD](?=[\d%])(?:(?<=\d.)(?<![\w.,/#-]\d.)|(?<=\d\d.)(?<![\w.,/#-]\d\d.)"
    r"|(?<![\w.,/#-].)\d{1,4}\s?[-+−]\s?\d)"
)
_DIE = re.compile(r"[dD][\d%]")  # every dice notation contains this
_DICE_HEADER = re.compile(r"\s*\d{0,2}[dD](?:\d{1,4}|%)\s*")
ScriptUrl = Callable[[str], str]  # the URL of a script, by its name


class PageRolls(NamedTuple):
    """What a page or file rolls: games by their folders, the game of links that name none, and dice in its text."""

    games: Mapping[str, Game]
    home: Game | None = None
    has_dice: bool = False


@dataclass(frozen=True)
class DiceScripts:
    """The scripts and data with which pages of a book can roll dice."""

    games: Mapping[str, Game]
    words: Words
    plain: bool = True
    game_texts: dict[int, tuple[Game, str]] = field(default_factory=dict)  # JSON of games, by id()

    def linked_scripts(self, rolls: PageRolls, script_url: ScriptUrl) -> str:
        """The scripts that the dice of a page need; the roller loads at the first touch."""
        running = self.running_scripts(rolls)
        return "".join(script_element(attributes, script_url(name)) for name, attributes in running.items())

    def inline_scripts(self, rolls: PageRolls) -> list[InlineScript]:
        """The same for a page that works without other files: with the roller and its data."""
        games = rolls.games
        data = [words_json(self.words), *map(self.game_text, games.values())] if games else []
        scripts = [InlineScript(_data_script(text), {"data-file": _data_name(text)}) for text in data]
        scripts += [InlineScript(script_text(name), {"data-file": name}) for name in (ROLLER, ODDS) if games]
        running = self.running_scripts(rolls)
        return [*scripts, *(InlineScript(script_text(name), attributes) for name, attributes in running.items())]

    def running_scripts(self, rolls: PageRolls) -> dict[str, dict[str, str]]:
        """The attributes of each script that runs when a page opens, by its name."""
        games = {name: _data_name(self.game_text(game)) for name, game in rolls.games.items()}
        words = _data_name(words_json(self.words))
        scripts = {LOADER: _loader_attributes(words, games, rolls.home)} if games else {}
        return {**scripts, DICE: _dice_attributes(self.words)} if self.plain and rolls.has_dice else scripts

    def script_files(self, games: Iterable[Game]) -> dict[str, str]:
        """All script files of a site, by name: those that run, and the data that they load."""
        data = [words_json(self.words), *map(self.game_text, games)]
        names = (ROLLER, ODDS, LOADER, DICE) if self.plain else (ROLLER, ODDS, LOADER)
        return {name: script_text(name) for name in names} | {_data_name(text): _data_script(text) for text in data}

    def game_text(self, game: Game) -> str:
        """The JSON of a game, cached."""
        if id(game) not in self.game_texts:
            self.game_texts[id(game)] = game, explained_game_json(game, self.words)
        return self.game_texts[id(game)][1]

    def rolls_of(self, pages: Iterable[CheckedPage], home: Game | None = None) -> PageRolls:
        """What these pages roll; `home` is the game of links that name none."""
        games = {**self.games, **({home.folder: home} if home else {})}
        names = {name: None for page in pages for name in _rolled_folders(page)}
        has_dice = self.plain and any(_has_dice(page.page) for page in pages)
        return PageRolls({name: games[name] for name in names if name in games}, home, has_dice)


def _loader_attributes(words: str, games: Mapping[str, str], home: Game | None) -> dict[str, str]:
    """What the loader must know of a page: the files of its words and games, and the game of links without one."""
    return {
        "data-words": words,
        "data-games": json.dumps(games, ensure_ascii=False, separators=(",", ":")),
        "data-home": home.folder if home else "",
    }


def _dice_attributes(words: Words) -> dict[str, str]:
    """The one phrase that the script for dice notation needs."""
    return {"data-label": words("roll dice", dice="{dice}")}


def script_element(attributes: Mapping[str, str], address: str = "", text: str = "") -> str:
    """A script of a page, from a file or inline."""
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    if address:
        return f'<script src="{escape(address)}" defer{written}></script>'
    return f"<script{written}>{text}</script>"


@cache
def script_text(name: str) -> str:
    """One of our scripts as it is published; one word for every declaration compresses better."""
    return re.sub(r"\bconst ", "let ", minify_script(bundle_modules(name)))


def _has_dice(page: Page) -> bool:
    """Is there dice notation in the text of a page or in a table header?"""
    if not _DIE.search(page.source.text):
        return False
    tokens = page.tokens or read_again(page, False).tokens  # a build drops those of pages that the host renders
    headers = (inside.content for cell, inside in pairwise(tokens) if cell.type == "th_open")
    return any(map(_DICE_HEADER.fullmatch, headers)) or bool(_DICE_NOTATION.search(" ".join(_texts(tokens))))


def _texts(tokens: Iterable[Token]) -> Iterator[str]:
    """The texts of a page without code, and the HTML of the author."""
    for token in tokens:
        if token.type in ("text", "html_inline", "html_block"):
            yield token.content
        elif token.type == "inline":
            yield from _texts(token.children or ())


def _rolled_folders(page: CheckedPage) -> Iterator[str]:
    """The folders of the games that cards and links of a page roll."""
    for checked in page.blocks:
        if checked.rule and checked.block.shown and checked.block.kind in _CARDS_THAT_ROLL:
            yield checked.rule.game
    for link in page.links:
        if link.rule and link.kind == "roll":
            yield link.rule.game


def explained_game_json(game: Game, words: Words) -> str:
    """The JSON of a game, with its formulas in the words of the book."""
    explanations = {name: explanation_data(rule, words) for name, rule in game.rules.items()}
    return core_text(lower_game(game), explanations=explanations)


@cache
def words_json(words: Words) -> str:
    """The strings and dice shapes for the roller."""
    shapes = {**{str(sides): shape for sides, shape in SHAPES.items()}, "round": ROUND_SHAPE}
    phrases = {name: words(name, **_placeholder_values(words.phrases[name])) for name in _used_phrases(words)}
    content = {
        "language": words.language,
        "words": phrases,
        "shapes": shapes,
        "pips": PIPS,
        "badges": BADGES,
        "strokes": STROKES,
        "suits": SUITS,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _placeholder_values(phrase: str) -> dict[str, str]:
    """Each placeholder of a phrase stays one: the script fills it in."""
    return {name: f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", phrase)}


def _used_phrases(words: Words) -> Iterator[str]:
    """The phrases that the roller uses, named in full or by their first word."""
    source = "".join(map(read_module, {*order_modules(ROLLER), *order_modules(_AFTER)}))
    starts, whole = tuple(re.findall(r"say\(`(\w+ )\$", source)), set(source.split('"')[1:-1])
    return (name for name in words.phrases if name in whole or name.startswith(starts))


class InlineScript(NamedTuple):
    """A script of a single file: its text and its attributes."""

    text: str
    attributes: Mapping[str, str]

    @property
    def html(self) -> str:
        return script_element(self.attributes, text=self.text)


def book_scripts(export: BookExport) -> list[InlineScript]:
    """The scripts of a book in a single file, with the data of its games."""
    dice_scripts = DiceScripts(export.compiled.all_games, export.words, export.compiled.options.dice)
    rolls = dice_scripts.rolls_of([chapter.page for chapter in export.chapters])
    return [InlineScript(script_text("single-file"), {}), *dice_scripts.inline_scripts(rolls)]
