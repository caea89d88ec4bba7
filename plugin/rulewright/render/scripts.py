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
from .cards.dice import BADGES, PIPS, ROUND_SHAPE, SHAPES, STROKES
from .export import BookExport
from .game_json import game_json
from .strings import Words

# Inserts its data after itself as a template element, as in pages with inline data.
_SCRIPT = """\
(() => {
const own = document.currentScript, holder = document.createElement("template"), {more, ...names} = own.dataset;
const data = 'DATA';
Object.assign(holder.dataset, names);
holder.content.textContent = more ? JSON.stringify({...JSON.parse(data), ...JSON.parse(more)}) : data;
own.after(holder);
})();
"""
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


def _data_name(data: str) -> str:
    """A file name from the hash of the content, so that a changed game is a new file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def _data_script(data: str) -> str:
    """A script that inserts the data into the page."""
    return _SCRIPT.replace("DATA", data.replace("\\", "\\\\").replace("'", "\\'"))


def _data_scripts(texts: Iterable[str]) -> dict[str, str]:
    """The data scripts, by name."""
    return {_data_name(data): _data_script(data) for data in texts}


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


def site_styles() -> str:
    """The styles of cards and of what else is ours on the pages of a site."""
    return "".join(read_asset(_WEB / name) for name in ("rulewright.css", "reading.css"))


def _script_element(address: str, names: dict[str, str]) -> str:
    """A script element that inserts shared data, instead of a template with the data."""
    attributes = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{attributes}></script>'


_IMPORTED = re.compile(r'\n(?:im|ex)port .* from "[\w./]*/([\w-]+)\.js";')  # each begins with the line end before it
_EXPORTED = re.compile(r"\nexport (?=function|class|const)")
_FILES = {path.stem: path for path in _WEB.glob("*/*.js")}  # engine/, roller/ and site/ share no name
ModuleNames = frozenset[str]  # names of modules
# This order, found by experiment, compresses best. A subclass follows its base; other names resolve at run time.
MODULE_ORDER = (
    "intervals", "formula", "rule", "plan", "final-states", "messages", "distributions", "bound-rule",
    "partial-result", "known-values", "odds-calculator", "rule-odds", "reroll-odds", "result", "roll",
    "face-text", "ask-dice", "solver", "rerolls", "kept-dice", "random", "earned-dice", "odds", "contest",
    "inputs", "explain", "traits", "spends", "record", "check-record", "roll-session", "page-data",
    "reached-values", "number-field", "dom", "input-field", "dice-code-field", "character", "draw-dice",
    "describe-result", "reroll-record", "asked-inputs", "named-number-field", "spend-buttons", "share-roll",
    "question-form", "show-result", "card", "result-tray",
)  # fmt: skip
# Modules that only some rules need; importers use one only if the predicate holds for a rule.
OPTIONAL_MODULES: dict[str, Callable[[Rule], object]] = {
    "odds": lambda rule: rule.dice,
    "earned-dice": lambda rule: any(kind.again for kind in rule.dice),
    "kept-dice": lambda rule: any(kind.keep for kind in rule.dice),
    "rerolls": lambda rule: rule.rerolls,
    "reroll-odds": lambda rule: rule.rerolls,
    "reroll-record": lambda rule: rule.rerolls,
    "contest": lambda rule: rule.contest,
    "partial-result": lambda rule: any(entry.default is None for entry in rule.inputs),
    "reached-values": lambda rule: any(entry.open and entry.names for entry in rule.inputs),
    "asked-inputs": lambda rule: any(entry.asked for entry in rule.inputs),
    "dice-code-field": lambda rule: any(entry.form == "code" for entry in rule.inputs),
    "named-number-field": lambda rule: any(entry.names for entry in rule.inputs),
    "spend-buttons": lambda rule: rule.spends,
    "spends": lambda rule: rule.spends,
    "character": lambda rule: rule.traits,
    "traits": lambda rule: rule.traits,
}
ALL_OPTIONAL_MODULES: ModuleNames = frozenset(OPTIONAL_MODULES)


def needed_modules(games: Iterable[Game]) -> ModuleNames:
    """The optional modules that some rule needs."""
    rules = [rule for game in games for rule in game.rules.values()]
    return frozenset(name for name, asks in OPTIONAL_MODULES.items() if any(map(asks, rules)))


def bundle_modules(start: str, parts: ModuleNames = ALL_OPTIONAL_MODULES) -> str:
    """A module and all its imports as one script, because browsers load no modules from a disk.

    All modules share one block, so no two may declare the same name.
    """
    return '"use strict";\n{\n' + "".join(map(_module_body, order_modules(start, parts))) + "}\n"


@cache
def read_module(name: str) -> str:
    return _FILES[name].read_text(encoding="utf-8")


def order_modules(start: str, parts: ModuleNames = ALL_OPTIONAL_MODULES) -> tuple[str, ...]:
    """A module and its transitive imports; each module comes after what it imports."""
    modules = [start]
    for name in modules:  # which grows on the way
        others = (
            other for other in _IMPORTED.findall(read_module(name)) if other in parts or other not in OPTIONAL_MODULES
        )
        modules += (other for other in others if other not in modules)
    places = {name: place for place, name in enumerate(MODULE_ORDER)}
    return (*sorted(modules[:0:-1], key=lambda name: places.get(name, len(places))), start)


def _module_body(name: str) -> str:
    """The source of a module without its imports and exports."""
    return _EXPORTED.sub("\n", _IMPORTED.sub("", read_module(name)))


ROLLER, DICE = "roller", "dice"  # scripts: for declared games, for dice notation in the text
_ROLLS = re.compile(r'<(?:rule-roller|rule-card)\b[^>]*\bdata-kind="(?:roller|example)"[^>]*>')
_GAME = re.compile(r'\bdata-game="([^"]*)"')
_LINK = re.compile(r'data-roll="([^"]*)"')
_NOT_TEXT = re.compile(  # possessive, because the texts between tags are long
    r"<(?:(code|pre|script|style|svg|template|rule-card|rule-roller)\b[^<]*+(?:<(?!/\1>)[^<]*+)*+</\1>|[^>]*+>)"
)
# A first filter for roller/dice.js. It begins with what only dice have, then looks at what is before.
_DICE_NOTATION = re.compile(
    r"[dD](?=[\d%])(?:(?<=\d.)(?<![\w.,/#-]\d.)|(?<=\d\d.)(?<![\w.,/#-]\d\d.)"
    r"|(?<![\w.,/#-].)\d{1,4}\s?[-+−]\s?\d)"
)
_DIE = re.compile(r"[dD][\d%]")  # every dice notation contains this
_DICE_HEADER = re.compile(r"<th\b[^>]*>\s*\d{0,2}[dD](?:\d{1,4}|%)\s*</th>")
ScriptUrl = Callable[[str], str]  # the URL of a script, by its name


@dataclass(frozen=True)
class DiceScripts:
    """The scripts and data with which pages of a book can roll dice."""

    games: Mapping[str, Game]
    words: Words
    plain: bool = True
    shares_data: bool = False  # is data in files that pages share, or inline?
    get_games: Callable[[], Iterable[Game]] | None = None  # all games, with those declared in pages
    game_texts: dict[int, tuple[Game, str]] = field(default_factory=dict)  # JSON of games, by id()

    @cached_property
    def modules(self) -> ModuleNames:
        """The modules that the games need; computed when all pages are read."""
        return needed_modules(self.get_games() if self.get_games else self.games.values())

    def add_scripts(self, html: str, home: Game | None, script_url: ScriptUrl) -> str:
        """The HTML of a page followed by the data and scripts that its dice need."""
        folder = home.folder if home else ""
        needed = self.find_rolled_games(html, home)
        names = [*([ROLLER] if needed else []), *([DICE] if self.plain and _has_dice(html) else [])]
        if not names:
            return html
        parts = [
            self.words_html(folder, script_url),
            *(self.game_html(name, game, script_url) for name, game in needed.items()),
        ]
        parts += [f'<script src="{escape(script_url(name))}" defer></script>' for name in names]
        return html + "".join(parts)

    def script_files(self) -> dict[str, str]:
        """All script files of a site, by name: rollers, and shared strings and games."""
        common = (
            [words_json(self.words, "", self.modules), *map(self.game_text, self.games.values())]
            if self.shares_data
            else ()
        )
        names = (ROLLER, DICE) if self.plain else (ROLLER,)
        return {name: minify_script(bundle_modules(name, self.modules)) for name in names} | _data_scripts(common)

    def words_html(self, folder: str, script_url: ScriptUrl) -> str:
        """The strings and shapes of the page, inline or as shared script."""
        if not self.shares_data:
            return _template_html('data-words=""', words_json(self.words, folder, self.modules))
        more = json.dumps({"home": folder}, ensure_ascii=False)
        return _script_element(
            script_url(_data_name(words_json(self.words, "", self.modules))), {"more": more, "words": ""}
        )

    def game_html(self, folder: str, game: Game, script_url: ScriptUrl) -> str:
        """The data of a game; inline if it is declared in the page."""
        if not self.shares_data or game.is_inline:
            return _template_html(f'data-game="{escape(folder)}"', self.game_text(game))
        return _script_element(script_url(_data_name(self.game_text(game))), {"game": folder})

    def game_text(self, game: Game) -> str:
        """The JSON of a game, cached."""
        if id(game) not in self.game_texts:
            self.game_texts[id(game)] = game, game_json(game)
        return self.game_texts[id(game)][1]

    def find_rolled_games(self, html: str, home: Game | None) -> dict[str, Game]:
        """The games that a page rolls; the game declared in the page comes first."""
        available = {**self.games, **({home.folder: home} if home else {})}
        return {
            name: available[name]
            for name in _find_rolled_folders(html, home.folder if home else "")
            if name in available
        }


def _has_dice(html: str) -> bool:
    """Is there dice notation in the text of a page or in a table header?"""
    return bool(_DIE.search(html) and (_DICE_HEADER.search(html) or _DICE_NOTATION.search(_NOT_TEXT.sub(" ", html))))


def _find_rolled_folders(html: str, home: str) -> Iterable[str]:
    """The folders of the games that a page rolls, each once."""
    cards = (_GAME.search(tag) for tag in _ROLLS.findall(html))
    links = (_link_game(unescape(match), home) for match in _LINK.findall(html))
    return dict.fromkeys([*(unescape(match[1]) for match in cards if match), *links])


def _link_game(link: str, home: str) -> str:
    """The game of a link such as "maelstrom/action?pool=5" or "action?pool=5&game=maelstrom"; else that of the page."""
    name, _, query = link.partition("?")
    folder, slash, _ = name.rpartition("/")
    match = re.search(r"(?:^|&)game=([^&]*)", query)
    return folder if slash else match[1] if match else home


def _template_html(name: str, text: str) -> str:
    """A `template` element with JSON.

    Not a `script`: themes with instant navigation run every script of a new page, whatever its type. `<` and `&` are
    escaped, so that the JSON cannot end the element.
    """
    safe = text.replace("&", r"\u0026").replace("<", r"\u003c")
    return f"<template {name}>{safe}</template>"


@cache
def words_json(words: Words, home: str, parts: ModuleNames = ALL_OPTIONAL_MODULES) -> str:
    """The strings and dice shapes for the scripts; `home` is the game of the page."""
    shapes = {**{str(sides): shape for sides, shape in SHAPES.items()}, "round": ROUND_SHAPE}
    phrases = {name: words(name, **_placeholder_values(words.phrases[name])) for name in _used_phrases(words, parts)}
    content = {"words": phrases, "home": home, "shapes": shapes, "pips": PIPS, "badges": BADGES, "strokes": STROKES}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _placeholder_values(phrase: str) -> dict[str, str]:
    """Each placeholder of a phrase stays one: the script fills it in."""
    return {name: f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", phrase)}


def _used_phrases(words: Words, parts: ModuleNames) -> Iterator[str]:
    """The phrases that the scripts use, named in full or by their first word."""
    source = "".join(read_module(name) for name in [*order_modules(ROLLER, parts), DICE])
    starts, whole = tuple(re.findall(r"say\(`(\w+ )\$", source)), set(source.split('"')[1:-1])
    return (name for name in words.phrases if name in whole or name.startswith(starts))


class _BookScripts(NamedTuple):
    """The scripts of a single file, and their data."""

    data: str  # HTML that holds it
    texts: list[str]


def book_scripts(export: BookExport, pages: str) -> _BookScripts:
    """The scripts and data of a book in a single file."""
    own = minify_script(bundle_modules("single-file"))
    games = export.compiled.all_games
    played = {name: games[name] for name in _find_rolled_folders(pages, "") if name in games}
    parts = needed_modules(played.values())
    names = [*([ROLLER] if played else []), *([DICE] if export.compiled.options.dice and _has_dice(pages) else [])]
    data_parts = [_template_html('data-words=""', words_json(export.words, "", parts))] if names else []
    data_parts += [_template_html(f'data-game="{escape(name)}"', game_json(game)) for name, game in played.items()]
    return _BookScripts("\n".join(data_parts), [own, *(minify_script(bundle_modules(name, parts)) for name in names)])
