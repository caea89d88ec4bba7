"""Loads a game: reads game.toml and the games that it extends, and builds a `Game` and a list of problems.

Nothing is evaluated here: play/validate.py reports problems that only show when rules are evaluated."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path as File
from posixpath import normpath
from typing import Any

from ..paths import is_spelled_as_on_disk
from ..root import SHARE_ADVICE, UNRESTRICTED, Root, real_path
from ..source import Problem, Source, Span, suggest
from .core import Category
from .formula import Node, walk
from .game_schema import CATEGORIES, GAME, NAME_PATTERN, ORDERS, RESERVED_ORDER_KEYS, SHEETS, TABLES, UNTRAINED
from .load_rule import LoadedRules, SharedParts, load_rules
from .load_table import PageReader, fill_tables, load_table, no_pages, parse_range
from .model import Formula, Game, Order, Rule, Sheet
from .schema import KEY, MAX_PROBLEMS, Loader, TooManyProblemsError
from .scope import NUMBER_TYPE, NodeProblem, Scope, ValueType, check_formula
from .sheets import GROUP_FUNCTIONS, group_members, group_names, specialty_kinds
from .toml import MAX_FILE_SIZE, Path, SpanIndex, read_toml, size_problem

GAME_FILE = "game.toml"
_MAX_LAYERS = 10
_MERGED_PARTS = ("traits", "tables", "sheets", "orders")  # their entries are inherited one by one


class _PathFinder:
    """Maps a path to its span in the file that defines it: the game's own, or one that it extends."""

    def __init__(self, layers: list[SpanIndex]) -> None:
        self.layers = layers

    def __call__(self, path: Path) -> Span:
        keyed = bool(path) and path[-1] == KEY
        path = path[:-1] if keyed else path
        places = self.find_layer(path)
        while path:
            span = (places.keys if keyed else places.values).get(path) or places.keys.get(path)
            if span:
                return span
            path = path[:-1]
        return Span(places.source, 0, 0)

    def find_layer(self, path: Path) -> SpanIndex:
        """The first file that defines this part of the game; it replaces the part in the files that it extends."""
        part = _inherited_prefix(path)
        return next((places for places in self.layers if part in places.keys), self.layers[0])


def _inherited_prefix(path: Path) -> Path:
    """The prefix of a path that is inherited or replaced as a whole."""
    if path[:1] == ("rules",):
        return path[:4] if path[2:3] == ("inputs",) else path[:3]
    return path[:2] if path[:1] and path[0] in _MERGED_PARTS else path[:1]


@dataclass
class LoadedGame:
    """A game, if its files define one, with their problems and the rules that can be evaluated."""

    problems: list[Problem]
    find_span: _PathFinder
    game: Game | None = None
    rules: LoadedRules = field(default_factory=LoadedRules)


def read_game_file(
    file: File,
    display_path: str | None = None,
    pages: PageReader = no_pages,
    folder: str | None = None,
    root: Root = UNRESTRICTED,
) -> LoadedGame:
    """Load the game of a game.toml. `folder` is its name in a book; `root` restricts the files that it may read."""
    data, layers, problems = _read_layers(file, display_path or file.as_posix(), (), pages, root)
    return _load_data(data, _PathFinder(layers), problems, file.parent.name if folder is None else folder)


def read_game_text(text: str, path: str = GAME_FILE, pages: PageReader = no_pages, folder: str = "") -> LoadedGame:
    """Load a game from text, such as a block in a page; it cannot extend another."""
    data, places, problems = read_toml(Source(path, text))
    problems += fill_tables(data, places, None, pages)
    find_span = _PathFinder([places])
    if "extends" in data:
        message = "only a game in a folder of its own can extend another"
        problems.append(Problem("game-extends", message, find_span(("extends",))))
    loaded = _load_data(data, find_span, problems, folder)
    return replace(loaded, game=loaded.game and replace(loaded.game, is_inline=True))


def _load_data(data: dict[str, Any], find_span: _PathFinder, problems: list[Problem], folder: str) -> LoadedGame:
    if not problems:
        shape_problems = islice(GAME.examine(data, ()), MAX_PROBLEMS)
        problems = [Problem("game-shape", message, find_span(path)) for path, message in shape_problems]
    loaded = LoadedGame(problems, find_span)
    if not problems:
        loader = Loader(find_span)
        with suppress(TooManyProblemsError):
            loaded.game, loaded.rules = _load_game_data(loader, data, folder)
        loaded.problems = loader.problems
    return loaded


def _load_game_data(loader: Loader, data: Mapping[str, Any], folder: str) -> tuple[Game, LoadedRules]:
    """Build the game and its rules from data that matches the schema."""
    tables = {
        name: load_table(loader, path, name, raw)
        for name, path, raw in TABLES.entries(data.get("tables", {}), ("tables",), loader)
    }
    traits = _load_traits(loader, data.get("traits", {}))
    rules = load_rules(loader, data.get("rules", {}), SharedParts(folder, tables, traits))
    _check_untrained(loader, traits, rules.rules)
    shared = Scope({}, tables=tables)
    sheets = {
        name: _load_sheet(loader, path, name, raw, traits, shared)
        for name, path, raw in SHEETS.entries(data.get("sheets", {}), ("sheets",), loader)
    }
    orders = {
        name: _load_order(loader, path, name, raw)
        for name, path, raw in ORDERS.entries(data.get("orders", {}), ("orders",), loader)
    }
    spans = {name: loader.where(("traits", name, KEY)) for name in traits}
    return Game(folder, data["title"], rules.rules, tables, traits, sheets, orders, spans), rules


def _load_traits(loader: Loader, raw: Mapping[str, Any]) -> dict[str, Category]:
    entries = CATEGORIES.entries(raw, ("traits",), loader)
    traits = {name: _load_category(loader, path, name, data) for name, path, data in entries}
    named = [entry for name, data in raw.items() for entry in _named_traits(("traits", name), data)]
    loader.check_labels(named, "a trait", "+")
    return traits


def _named_traits(path: Path, raw: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """The names and aliases of a category, with their paths. They must be unique in a game."""
    for number, name in enumerate(raw.get("names", ())):
        yield name, (*path, "names", number)
    for trait, aliases in raw.get("aliases", {}).items():
        if isinstance(aliases, str):
            yield aliases, (*path, "aliases", trait)
        else:
            yield from ((alias, (*path, "aliases", trait, number)) for number, alias in enumerate(aliases))


def _load_category(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Category:
    names, missing = tuple(raw.get("names", ())), f"{name} has no trait"
    ends = parse_range(loader, (*path, "range"), raw["range"]) if "range" in raw else None
    least, most = ends or (None, None)
    for group, traits in raw.get("groups", {}).items():
        for number, trait in enumerate(traits):
            loader.check_known("trait", (*path, "groups", group, number), trait, names, missing)
    for key in ("aliases", "specialties"):
        for trait in raw.get(key, {}):
            loader.check_known("trait", (*path, key, trait, KEY), trait, names, missing)
    groups = {group: tuple(traits) for group, traits in raw.get("groups", {}).items()}
    aliases = {
        trait: (others,) if isinstance(others, str) else tuple(others)
        for trait, others in raw.get("aliases", {}).items()
    }
    specialties = {
        trait: {kind: tuple(items) for kind, items in kinds.items()}
        for trait, kinds in raw.get("specialties", {}).items()
    }
    untrained = None if isinstance(raw.get("untrained"), str) else raw.get("untrained", {})
    return Category(name, names, least, most, groups, aliases, untrained, specialties)


def _check_untrained(loader: Loader, traits: Mapping[str, Category], rules: Mapping[str, Rule]) -> None:
    """Check that `untrained` changes inputs of the rules that take traits."""
    values: dict[str, ValueType] = {}
    for rule in [rule for rule in rules.values() if rule.traits] or rules.values():
        for entry in rule.inputs:
            values |= dict.fromkeys(entry.variable_names, entry.choices or NUMBER_TYPE)
    for category in traits.values():
        for name in category.untrained or {}:
            path = ("traits", category.name, "untrained", name, KEY)
            loader.check_known("trait", path, name, values, "no rule that takes traits has an input")
        loader.check_formulas(category.untrained, {UNTRAINED: Scope(values)})


def _load_sheet(
    loader: Loader, path: Path, name: str, raw: Mapping[str, Any], categories: Mapping[str, Category], shared: Scope
) -> Sheet:
    groups = {group: tuple(parts) for group, parts in raw.get("groups", {}).items()}
    groupless = Sheet(name, {}, {}, loader.where((*path, KEY)))
    for group, parts in groups.items():
        for number, part in enumerate(parts):
            if group_members(categories, groupless, part) is None:
                message = f'there are no traits "{part}"; {suggest(part, group_names(categories, groupless))}'
                loader.report("trait", (*path, "groups", group, number), message)
    sheet = Sheet(name, groups, raw["require"], groupless.span)
    for formula in sheet.require.values():
        loader.report_formula(formula, _find_sheet_problems(formula, sheet, categories, shared))
    return sheet


def _find_sheet_problems(
    formula: Formula, sheet: Sheet, categories: Mapping[str, Category], shared: Scope
) -> Iterator[NodeProblem]:
    """Unknown groups, and the mistakes that any formula can contain."""
    for node in walk(formula.node):
        if node.op not in GROUP_FUNCTIONS:
            continue
        group = node.args[0]
        if group not in specialty_kinds(categories) and group_members(categories, sheet, group) is None:
            note = suggest(group, group_names(categories, sheet))
            yield node.label_node(0), f'there is no group of traits "{group}"; {note}'
        if node.op == "numberof":
            yield from check_formula(_replace_groups(node.args[1]), replace(shared, values={"dots": NUMBER_TYPE}))
    forbidden = {"dots": "it is only known in a test, such as number(group, dots >= 1)"}
    yield from check_formula(_replace_groups(formula.node), shared.without(forbidden))


def _replace_groups(node: Node) -> Node:
    """The formula with a number in place of each function over a group."""
    if node.op in GROUP_FUNCTIONS:
        return Node("number", (1,), node.start, node.end)
    args = tuple(_replace_groups(arg) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end, node.labels)


def _load_order(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Order:
    keys = [key.removeprefix("-").strip() for key in raw["by"]]
    team, out = raw.get("alternate", ""), tuple(raw.get("out", ()))
    for number, key in enumerate(keys):
        _check_order_key(loader, (*path, "by", number), key, keys[:number])
    for number, key in enumerate(out):
        _check_order_key(loader, (*path, "out", number), key)
    if "alternate" in raw:
        _check_order_key(loader, (*path, "alternate"), team, keys)
    downward = frozenset(key for key, written in zip(keys, raw["by"], strict=True) if written.startswith("-"))
    return Order(name, tuple(keys), downward, team, out, loader.where((*path, KEY)))


def _check_order_key(loader: Loader, path: Path, key: str, taken: Iterable[str] = ()) -> None:
    if not NAME_PATTERN.fullmatch(key) or key in RESERVED_ORDER_KEYS:
        message = f'"{key}" cannot be a key: a to z, digits and _, such as initiative or -initiative'
        loader.report("order", path, message)
    elif key in taken:
        loader.report("order", path, f'"{key}" appears twice; a second comparison changes nothing')


def _read_layers(
    file: File, display_path: str, visited: tuple[File, ...], pages: PageReader, root: Root
) -> tuple[dict[str, Any], list[SpanIndex], list[Problem]]:
    """The data of a file merged over that of the game that it extends, with the places of all files."""
    source, problems = _read_source(file, display_path, root)
    data, places, more = read_toml(source) if not problems else ({}, SpanIndex(source), problems)
    more += fill_tables(data, places, file.parent, pages)
    base = data.get("extends")
    if more or not isinstance(base, str):
        return data, [places], more
    visited = (*visited, _resolve_path(file))
    parent = _resolve_path(file.parent / base / GAME_FILE)
    name = normpath(f"{display_path.removesuffix(GAME_FILE)}{base}/{GAME_FILE}")
    if problem := find_link_problem(file.parent / base / GAME_FILE, name, root):
        return data, [places], [problem]
    reason = _why_not_extensible(parent, base, visited, root)
    if reason:
        return data, [places], [Problem("game-extends", reason, places.values[("extends",)])]
    inherited_data, layers, more = _read_layers(parent, name, visited, pages, root)
    return _merge_games(inherited_data, data), [places, *layers], more


def find_link_problem(file: File, display_path: str, root: Root) -> Problem | None:
    """The problem of a link, in any part of the path, that leads out of the project; else None."""
    try:
        path = File(os.path.normpath(file))
        return root.find_problem(path, display_path) if root.find_outside_link(path) else None
    except (OSError, ValueError):
        return None


def _resolve_path(file: File) -> File:
    try:
        return real_path(file)
    except (OSError, ValueError):  # a name that no file can have
        return file


def _why_not_extensible(parent: File, base: str, visited: tuple[File, ...], root: Root) -> str:
    """Why a game cannot be extended; empty if it can."""
    if not root.contains(parent):
        return f'the game in "{base}" is outside the project; copy it into the project, or {SHARE_ADVICE}'
    if parent in visited:
        return "a game cannot extend itself" if len(visited) == 1 else "these games extend each other in a circle"
    if len(visited) >= _MAX_LAYERS:
        return f"this is one of more than {_MAX_LAYERS} games that extend one another"
    if not (_is_existing_file(parent) and is_spelled_as_on_disk(str(visited[-1].parent / base))):
        slashes = f"write {base.replace(chr(92), '/')}" if chr(92) in base else ""
        note = slashes or suggest(base, _neighbor_games(visited[-1], root)) or "write the way from this folder: ../NAME"
        return f'there is no {GAME_FILE} in "{base}"; {note}'
    return ""


def _is_existing_file(file: File) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _neighbor_games(file: File, root: Root) -> list[str]:
    """The games in sibling folders, as relative paths."""
    parent_folder = file.parent.parent
    folders = (
        (game.parent for game in sorted(parent_folder.glob(f"*/{GAME_FILE}"))) if root.contains(parent_folder) else ()
    )
    return [f"../{folder.name}" for folder in folders if folder != file.parent]


def _read_source(file: File, display_path: str, root: Root) -> tuple[Source, list[Problem]]:
    source = Source(display_path, "")
    if problem := root.find_problem(file, display_path):
        return source, [problem]
    try:
        size = file.stat().st_size
        if size > MAX_FILE_SIZE:
            return source, [size_problem(source, size)]
        data = root.read_bytes(file)
    except OSError as error:
        return source, [Problem("game-toml", f"this file cannot be read: {error.strerror}", Span(source, 0, 0))]
    try:
        return Source(display_path, data.decode("utf-8").removeprefix("\ufeff")), []
    except UnicodeDecodeError as error:
        return source, [_utf8_problem(display_path, data, error.start)]


def _utf8_problem(display_path: str, data: bytes, offset: int) -> Problem:
    """A problem at the first byte that is not valid UTF-8."""
    source = Source(display_path, data.decode("utf-8", "replace"))
    start = len(data[:offset].decode("utf-8"))
    message = "this file is not saved as UTF-8: the character here cannot be read; save it again in that encoding"
    return Problem("game-toml", message, Span(source, start, start + 1))


def _merge_games(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge a game over the one it extends: traits, tables and inputs by name, other parts of a rule as a whole."""
    merged = {key: value for key, value in base.items() if key != "title"} | dict(own)
    for part in _MERGED_PARTS:
        merged |= _merge_part(part, base, own)
    merged |= _merge_part("rules", base, own)
    if isinstance(merged.get("rules"), dict):
        base_rules = _as_table(base.get("rules"))
        for name, rule in _as_table(own.get("rules")).items():
            if isinstance(rule, dict) and isinstance(base_rules.get(name), dict):
                merged["rules"][name] = {**base_rules[name], **rule, **_merge_part("inputs", base_rules[name], rule)}
    return merged


def _merge_part(part: str, base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """One part of both games, merged by key; a value of the wrong type stays, so that the schema reports it."""
    if part in own and not isinstance(own[part], dict):
        return {part: own[part]}
    entries = {**_as_table(base.get(part)), **_as_table(own.get(part))}
    return {part: entries} if entries else {}


def _as_table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
