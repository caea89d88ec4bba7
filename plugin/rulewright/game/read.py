"""From the file game.toml to a Game, with every problem of the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as File
from typing import Any

from ..text import Problem, Source, Span, in_reading_order
from .build import Builder
from .language import GAME
from .model import Game
from .shape import KEY
from .toml import LARGEST_FILE, Path, Places, read_toml

FILE = "game.toml"


class Where:
    """Finds the span of a path in the file it came from: the game's own, or one that it extends."""

    def __init__(self, layers: list[Places]) -> None:
        self.layers = layers

    def __call__(self, path: Path) -> Span:
        keyed = bool(path) and path[-1] == KEY
        path = path[:-1] if keyed else path
        while True:
            for places in self.layers:
                found = (places.keys if keyed else places.values).get(path) or places.keys.get(path)
                if found:
                    return found
            if not path:
                return Span(self.layers[0].source, 0, 0)
            path = path[:-1]


def read_game(file: File, shown: str | None = None) -> tuple[Game | None, list[Problem]]:
    """The game of a folder's game.toml; None where problems leave no game to work with."""
    data, layers, problems = read_layers(file, shown or file.as_posix(), ())
    return make_game(data, Where(layers), problems, file.parent.name)


def read_game_text(text: str, path: str = FILE) -> tuple[Game | None, list[Problem]]:
    """A game that stands in the middle of something else; it cannot extend another."""
    data, places, problems = read_toml(Source(path, text))
    if "extends" in data:
        problems.append(Problem("game-extends", "only a game in a folder of its own can extend another", places.values[("extends",)]))
    return make_game(data, Where([places]), problems, "")


def make_game(data: dict[str, Any], where: Where, problems: list[Problem], folder: str) -> tuple[Game | None, list[Problem]]:
    if not problems:
        problems = [Problem("game-shape", message, where(path)) for path, message in GAME.examine(data, ())]
    if problems:
        return None, in_reading_order(problems)
    builder = Builder(where)
    game = builder.game(data, folder)
    return (None if builder.problems else game), in_reading_order(builder.problems)


def read_layers(file: File, shown: str, seen: tuple[File, ...]) -> tuple[dict[str, Any], list[Places], list[Problem]]:
    """The data of a file laid over that of the game it extends."""
    source, problems = open_source(file, shown)
    if problems:
        return {}, [Places(source)], problems
    data, places, problems = read_toml(source)
    base = data.get("extends")
    if problems or not isinstance(base, str):
        return data, [places], problems
    span = places.values[("extends",)]
    parent = (file.parent / base / FILE).resolve()
    if parent in (*seen, file.resolve()):
        return data, [places], [Problem("game-extends", "these games extend each other in a circle", span)]
    if not parent.is_file():
        return data, [places], [Problem("game-extends", f"there is no {FILE} in {base}", span)]
    above, layers, problems = read_layers(parent, f"{shown.removesuffix(FILE)}{base}/{FILE}", (*seen, file.resolve()))
    return merge(above, data), [places, *layers], problems


def open_source(file: File, shown: str) -> tuple[Source, list[Problem]]:
    source = Source(shown, "")
    try:
        size = file.stat().st_size
        if size > 4 * LARGEST_FILE:
            return source, [Problem("game-size", f"this file has {size:,} bytes; a game may have {LARGEST_FILE:,}", Span(source, 0, 0))]
        return Source(shown, file.read_bytes().decode("utf-8-sig")), []
    except UnicodeDecodeError as error:
        return source, [Problem("game-toml", f"this file is not UTF-8 text (byte {error.start})", Span(source, 0, 0))]
    except OSError as error:
        return source, [Problem("game-toml", f"this file cannot be read: {error.strerror}", Span(source, 0, 0))]


def merge(above: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Traits, tables and inputs merge by name; a rule's other parts are replaced whole; order is kept."""
    merged = {**above, **own}
    for part in ("traits", "tables"):
        if part in above or part in own:
            merged[part] = {**table(above.get(part)), **table(own.get(part))}
    rules = dict(table(above.get("rules")))
    for name, rule in table(own.get("rules")).items():
        rules[name] = merge_rule(table(rules.get(name)), rule) if isinstance(rule, dict) else rule
    if rules:
        merged["rules"] = rules
    return merged


def merge_rule(above: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**above, **own}
    if "inputs" in above or "inputs" in own:
        merged["inputs"] = {**table(above.get("inputs")), **table(own.get("inputs"))}
    return merged


def table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
