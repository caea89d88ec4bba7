"""The scripts that a single file needs, and the data they work with."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path as File
from typing import NamedTuple

from ...compile.books import Compiled
from ...game.model import Game
from ..edition import Edition
from ..gamedata import game_json
from ..rolling import bundle, rolled, words_json

COMMENTS = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE)
TYPES = re.compile(r"/\*\*(?:(?!\*/)[^\n])*\*/ ?")
DATA = "application/json"


class Script(NamedTuple):
    text: str
    attributes: str = ""


def scripts(edition: Edition, pages: str, web: File) -> list[Script]:
    own = Script(shortened((web / "book.js").read_text(encoding="utf-8")))
    games = by_name(edition.compiled)
    needed = [name for name in rolled(pages, "") if name in games]
    if not needed:
        return [own]
    words = Script(safe(words_json(edition.words, "")), f' type="{DATA}" data-words=""')
    return [own, words, *(data(name, games[name]) for name in needed), Script(shortened(bundle()))]


def by_name(compiled: Compiled) -> dict[str, Game]:
    """Games by the names that cards have for them: that of a book's only game is no folder below its root."""
    games = compiled.games.found
    return {rule.game: game for game in games.values() for rule in game.rules.values()} | dict(games)


def data(name: str, game: Game) -> Script:
    return Script(safe(game_json(game)), f' type="{DATA}" data-game="{escape(name)}"')


def shortened(text: str) -> str:
    """Without comments on lines of their own and without types."""
    return TYPES.sub("", COMMENTS.sub("", text))


def safe(text: str) -> str:
    """JSON that cannot end the element it stands in."""
    return text.replace("<", "\\u003c")
