"""The scripts that a single file needs, and the data they work with."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from ..edition import Edition
from ..gamedata import game_json
from ..rolling import DICE, ROLLER, bundle, data, has_dice, rolled, words_json
from ..shared import shortened


class Scripts(NamedTuple):
    data: str  # HTML that holds it
    texts: list[str]


def scripts(edition: Edition, pages: str) -> Scripts:
    own = shortened(bundle("book"))
    games = edition.compiled.every_game
    needed = [name for name in rolled(pages, "") if name in games]
    names = [*([ROLLER] if needed else []), *([DICE] if edition.compiled.options.dice and has_dice(pages) else [])]
    parts = [data('data-words=""', words_json(edition.words, ""))] if names else []
    parts += [data(f'data-game="{escape(name)}"', game_json(games[name])) for name in needed]
    return Scripts("\n".join(parts), [own, *(shortened(bundle(name)) for name in names)])
