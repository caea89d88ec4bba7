"""The scripts that a single file needs, and the data they work with."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from ..edition import Edition
from ..gamedata import game_json
from ..modules import bundle, needed
from ..rolling import DICE, ROLLER, data, has_dice, rolled, words_json
from ..shared import shortened


class Scripts(NamedTuple):
    data: str  # HTML that holds it
    texts: list[str]


def scripts(edition: Edition, pages: str) -> Scripts:
    own = shortened(bundle("book"))
    games = edition.compiled.every_game
    played = {name: games[name] for name in rolled(pages, "") if name in games}
    parts = needed(played.values())
    names = [*([ROLLER] if played else []), *([DICE] if edition.compiled.options.dice and has_dice(pages) else [])]
    told = [data('data-words=""', words_json(edition.words, "", parts))] if names else []
    told += [data(f'data-game="{escape(name)}"', game_json(game)) for name, game in played.items()]
    return Scripts("\n".join(told), [own, *(shortened(bundle(name, parts)) for name in names)])
