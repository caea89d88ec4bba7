"""From the file game.toml to a Game, with every problem of the file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path as File
from posixpath import normpath
from typing import Any

from ..root import EVERYWHERE, SHARE, Root, real_path
from ..text import Problem, Source, Span, in_reading_order, suggest
from .build import MOST_PROBLEMS, Builder, EnoughError
from .language import GAME
from .model import Game
from .page_table import Pages, fill, no_pages
from .shape import KEY
from .toml import LARGEST_FILE, Path, Places, read_toml, too_large

FILE = "game.toml"
MOST_LAYERS = 10
BY_NAME = ("traits", "tables", "sheets", "orders")  # their entries are inherited one by one


class Where:
    """Finds the span of a path in the file it came from: the game's own, or one that it extends."""

    def __init__(self, layers: list[Places]) -> None:
        self.layers = layers

    def __call__(self, path: Path) -> Span:
        keyed = bool(path) and path[-1] == KEY
        path = path[:-1] if keyed else path
        places = self.layer(path)
        while path:
            found = (places.keys if keyed else places.values).get(path) or places.keys.get(path)
            if found:
                return found
            path = path[:-1]
        return Span(places.source, 0, 0)

    def layer(self, path: Path) -> Places:
        """The file that this part of the game comes from; what one file replaces, the others no longer say."""
        part = inherited(path)
        return next((places for places in self.layers if part in places.keys), self.layers[0])


def inherited(path: Path) -> Path:
    """The beginning of a path that is either replaced or inherited as a whole."""
    if path[:1] == ("rules",):
        return path[:4] if path[2:3] == ("inputs",) else path[:3]
    return path[:2] if path[:1] and path[0] in BY_NAME else path[:1]


def read_game(
    file: File, shown: str | None = None, pages: Pages = no_pages, folder: str | None = None, root: Root = EVERYWHERE
) -> tuple[Game | None, list[Problem]]:
    """The game of a folder's game.toml; None where problems leave no game to work with. `folder` is what a book calls
    it by, `root` says which files it may be made of."""
    data, layers, problems = read_layers(file, shown or file.as_posix(), (), pages, root)
    return make_game(data, Where(layers), problems, file.parent.name if folder is None else folder)


def read_game_text(
    text: str, path: str = FILE, pages: Pages = no_pages, folder: str = ""
) -> tuple[Game | None, list[Problem]]:
    """A game that stands in the middle of something else; it cannot extend another."""
    data, places, problems = read_toml(Source(path, text))
    problems += fill(data, places, None, pages)
    where = Where([places])
    if "extends" in data:
        said = "only a game in a folder of its own can extend another"
        problems.append(Problem("game-extends", said, where(("extends",))))
    game, problems = make_game(data, where, problems, folder)
    return game and replace(game, alone=True), problems


def make_game(
    data: dict[str, Any], where: Where, problems: list[Problem], folder: str
) -> tuple[Game | None, list[Problem]]:
    game = None
    if not problems:
        complaints = islice(GAME.examine(data, ()), MOST_PROBLEMS)
        problems = [Problem("game-shape", message, where(path)) for path, message in complaints]
    if not problems:
        builder = Builder(where)
        with suppress(EnoughError):
            game = builder.game(data, folder)
        problems = builder.problems
    return (None if problems else game), in_reading_order(problems)


def read_layers(
    file: File, shown: str, seen: tuple[File, ...], pages: Pages, root: Root
) -> tuple[dict[str, Any], list[Places], list[Problem]]:
    """The data of a file laid over that of the game it extends."""
    source, problems = open_source(file, shown, root)
    data, places, more = read_toml(source) if not problems else ({}, Places(source), problems)
    more += fill(data, places, file.parent, pages)
    base = data.get("extends")
    if more or not isinstance(base, str):
        return data, [places], more
    seen = (*seen, resolved(file))
    parent = resolved(file.parent / base / FILE)
    name = normpath(f"{shown.removesuffix(FILE)}{base}/{FILE}")
    if problem := link_out(file.parent / base / FILE, name, root):
        return data, [places], [problem]
    said = refused(parent, base, seen, root)
    if said:
        return data, [places], [Problem("game-extends", said, places.values[("extends",)])]
    above, layers, more = read_layers(parent, name, seen, pages, root)
    return merge(above, data), [places, *layers], more


def link_out(file: File, shown: str, root: Root) -> Problem | None:
    """The problem of the link by which a path leaves the project, if one does; it may be a folder above the file."""
    try:
        path = File(os.path.normpath(file))
        return root.problem_at(path, shown) if root.link_out(path) else None
    except (OSError, ValueError):
        return None


def resolved(file: File) -> File:
    try:
        return real_path(file)
    except (OSError, ValueError):  # a name that no file can have
        return file


def refused(parent: File, base: str, seen: tuple[File, ...], root: Root) -> str:
    """Why a game cannot be extended."""
    if not root.holds(parent):
        return f"the game in «{base}» is outside the project; copy it into the project, or {SHARE}"
    if parent in seen:
        return "a game cannot extend itself" if len(seen) == 1 else "these games extend each other in a circle"
    if len(seen) >= MOST_LAYERS:
        return f"this is one of more than {MOST_LAYERS} games that extend one another"
    if not exists(parent):
        return f"there is no {FILE} in «{base}»; {suggest(base, neighbors(seen[-1], root))}".rstrip("; ")
    return ""


def exists(file: File) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def neighbors(file: File, root: Root) -> list[str]:
    """The games next to a game."""
    above = file.parent.parent
    folders = (game.parent for game in sorted(above.glob(f"*/{FILE}"))) if root.holds(above) else ()
    return [f"../{folder.name}" for folder in folders if folder != file.parent]


def open_source(file: File, shown: str, root: Root) -> tuple[Source, list[Problem]]:
    source = Source(shown, "")
    if problem := root.problem_at(file, shown):
        return source, [problem]
    try:
        size = file.stat().st_size
        if size > LARGEST_FILE:
            return source, [too_large(source, size)]
        data = file.read_bytes()
    except OSError as error:
        return source, [Problem("game-toml", f"this file cannot be read: {error.strerror}", Span(source, 0, 0))]
    try:
        return Source(shown, data.decode("utf-8").removeprefix("\ufeff")), []
    except UnicodeDecodeError as error:
        return source, [not_utf8(shown, data, error.start)]


def not_utf8(shown: str, data: bytes, place: int) -> Problem:
    """Points at the first byte that does not belong to UTF-8 text."""
    source = Source(shown, data.decode("utf-8", "replace"))
    start = len(data[:place].decode("utf-8"))
    said = "this file is not saved as UTF-8: the character here cannot be read; save it anew in that encoding"
    return Problem("game-toml", said, Span(source, start, start + 1))


def merge(above: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Traits, tables and inputs merge by name; a rule's other parts are replaced whole; order is kept."""
    merged = {key: value for key, value in above.items() if key != "title"} | dict(own)
    for part in BY_NAME:
        merged |= joined(part, above, own)
    merged |= joined("rules", above, own)
    if isinstance(merged.get("rules"), dict):
        old = table(above.get("rules"))
        for name, rule in table(own.get("rules")).items():
            if isinstance(rule, dict) and isinstance(old.get(name), dict):
                merged["rules"][name] = {**old[name], **rule, **joined("inputs", old[name], rule)}
    return merged


def joined(part: str, above: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """One part of both, entry by entry; what is no table stands as it is, to be complained of."""
    if part in own and not isinstance(own[part], dict):
        return {part: own[part]}
    found = {**table(above.get(part)), **table(own.get(part))}
    return {part: found} if found else {}


def table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
