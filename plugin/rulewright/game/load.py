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

from ..root import EVERYWHERE, SHARE, Root, real_path
from ..source import Problem, Source, Span, suggest
from .formula import Node, walk
from .game_schema import CATEGORIES, GAME, NAME, ORDER_WORDS, ORDERS, SHEETS, TABLES, UNTRAINED
from .load_rule import Rules, Shared, load_rules
from .load_table import Pages, fill, load_table, no_pages, read_range
from .model import Category, Formula, Game, Order, Rule, Sheet
from .schema import KEY, MOST_PROBLEMS, EnoughError, Loader
from .scope import NUMBER, Complaint, Scope, Worth, check
from .sheets import GROUPS, kinds, known_groups, members
from .toml import LARGEST_FILE, Path, Places, read_toml, too_large

FILE = "game.toml"
MOST_LAYERS = 10
BY_NAME = ("traits", "tables", "sheets", "orders")  # their entries are inherited one by one


class Where:
    """Maps a path to its span in the file that defines it: the game's own, or one that it extends."""

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
        """The first file that defines this part of the game; it replaces the part in the files that it extends."""
        part = inherited(path)
        return next((places for places in self.layers if part in places.keys), self.layers[0])


def inherited(path: Path) -> Path:
    """The prefix of a path that is inherited or replaced as a whole."""
    if path[:1] == ("rules",):
        return path[:4] if path[2:3] == ("inputs",) else path[:3]
    return path[:2] if path[:1] and path[0] in BY_NAME else path[:1]


@dataclass
class Loaded:
    """A game, if its files define one, with their problems and the rules that can be evaluated."""

    problems: list[Problem]
    where: Where
    game: Game | None = None
    rules: Rules = field(default_factory=Rules)


def read_game(
    file: File, shown: str | None = None, pages: Pages = no_pages, folder: str | None = None, root: Root = EVERYWHERE
) -> Loaded:
    """Load the game of a game.toml. `folder` is its name in a book; `root` restricts the files that it may read."""
    data, layers, problems = read_layers(file, shown or file.as_posix(), (), pages, root)
    return load(data, Where(layers), problems, file.parent.name if folder is None else folder)


def read_game_text(text: str, path: str = FILE, pages: Pages = no_pages, folder: str = "") -> Loaded:
    """Load a game from text, such as a block in a page; it cannot extend another."""
    data, places, problems = read_toml(Source(path, text))
    problems += fill(data, places, None, pages)
    where = Where([places])
    if "extends" in data:
        message = "only a game in a folder of its own can extend another"
        problems.append(Problem("game-extends", message, where(("extends",))))
    loaded = load(data, where, problems, folder)
    return replace(loaded, game=loaded.game and replace(loaded.game, alone=True))


def load(data: dict[str, Any], where: Where, problems: list[Problem], folder: str) -> Loaded:
    if not problems:
        complaints = islice(GAME.examine(data, ()), MOST_PROBLEMS)
        problems = [Problem("game-shape", message, where(path)) for path, message in complaints]
    loaded = Loaded(problems, where)
    if not problems:
        loader = Loader(where)
        with suppress(EnoughError):
            loaded.game, loaded.rules = load_game_data(loader, data, folder)
        loaded.problems = loader.problems
    return loaded


def load_game_data(loader: Loader, data: Mapping[str, Any], folder: str) -> tuple[Game, Rules]:
    """Build the game and its rules from data that matches the schema."""
    tables = {
        name: load_table(loader, path, name, raw)
        for name, path, raw in TABLES.entries(data.get("tables", {}), ("tables",), loader)
    }
    traits = load_traits(loader, data.get("traits", {}))
    rules = load_rules(loader, data.get("rules", {}), Shared(folder, tables, traits))
    check_untrained(loader, traits, rules.rules)
    shared = Scope({}, tables=tables)
    sheets = {
        name: load_sheet(loader, path, name, raw, traits, shared)
        for name, path, raw in SHEETS.entries(data.get("sheets", {}), ("sheets",), loader)
    }
    orders = {
        name: load_order(loader, path, name, raw)
        for name, path, raw in ORDERS.entries(data.get("orders", {}), ("orders",), loader)
    }
    return Game(folder, data["title"], rules.rules, tables, traits, sheets, orders), rules


def load_traits(loader: Loader, raw: Mapping[str, Any]) -> dict[str, Category]:
    entries = CATEGORIES.entries(raw, ("traits",), loader)
    traits = {name: load_category(loader, path, name, data) for name, path, data in entries}
    named = [entry for name, data in raw.items() for entry in trait_names(("traits", name), data)]
    loader.labels(named, "a trait", "+")
    return traits


def trait_names(path: Path, raw: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """The names and aliases of a category, with their paths. They must be unique in a game."""
    for number, name in enumerate(raw.get("names", ())):
        yield name, (*path, "names", number)
    for trait, aliases in raw.get("aliases", {}).items():
        if isinstance(aliases, str):
            yield aliases, (*path, "aliases", trait)
        else:
            yield from ((alias, (*path, "aliases", trait, number)) for number, alias in enumerate(aliases))


def load_category(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Category:
    names, missing = tuple(raw.get("names", ())), f"{name} has no trait"
    ends = read_range(loader, (*path, "range"), raw["range"]) if "range" in raw else None
    least, most = ends or (None, None)
    for group, traits in raw.get("groups", {}).items():
        for number, trait in enumerate(traits):
            loader.known("trait", (*path, "groups", group, number), trait, names, missing)
    for key in ("aliases", "specialties"):
        for trait in raw.get(key, {}):
            loader.known("trait", (*path, key, trait, KEY), trait, names, missing)
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


def check_untrained(loader: Loader, traits: Mapping[str, Category], rules: Mapping[str, Rule]) -> None:
    """Check that `untrained` changes inputs of the rules that take traits."""
    values: dict[str, Worth] = {}
    for rule in [rule for rule in rules.values() if rule.traits] or rules.values():
        for entry in rule.inputs:
            values |= dict.fromkeys(entry.variables, entry.choices or NUMBER)
    for category in traits.values():
        for name in category.untrained or {}:
            path = ("traits", category.name, "untrained", name, KEY)
            loader.known("trait", path, name, values, "no rule that takes traits has an input")
        loader.check(category.untrained, {UNTRAINED: Scope(values)})


def load_sheet(
    loader: Loader, path: Path, name: str, raw: Mapping[str, Any], register: Mapping[str, Category], shared: Scope
) -> Sheet:
    groups = {group: tuple(parts) for group, parts in raw.get("groups", {}).items()}
    plain = Sheet(name, {}, {}, loader.where((*path, KEY)))
    for group, parts in groups.items():
        for number, part in enumerate(parts):
            if members(register, plain, part) is None:
                message = f"there are no traits «{part}»; {suggest(part, known_groups(register, plain))}"
                loader.problem("trait", (*path, "groups", group, number), message)
    sheet = Sheet(name, groups, raw["require"], plain.span)
    for formula in sheet.require.values():
        loader.complaints(formula, sheet_complaints(formula, sheet, register, shared))
    return sheet


def sheet_complaints(
    formula: Formula, sheet: Sheet, register: Mapping[str, Category], shared: Scope
) -> Iterator[Complaint]:
    """Unknown groups, and the mistakes that any formula can contain."""
    for node in walk(formula.node):
        if node.op not in GROUPS:
            continue
        group = node.args[0]
        if group not in kinds(register) and members(register, sheet, group) is None:
            note = suggest(group, known_groups(register, sheet))
            yield node.label(0), f"there is no group of traits «{group}»; {note}"
        if node.op == "numberof":
            yield from check(without_groups(node.args[1]), replace(shared, values={"dots": NUMBER}))
    barred = {"dots": "it is only known in a test, such as number(group, dots >= 1)"}
    yield from check(without_groups(formula.node), shared.without(barred))


def without_groups(node: Node) -> Node:
    """The formula with a number in place of each function over a group."""
    if node.op in GROUPS:
        return Node("number", (1,), node.start, node.end)
    args = tuple(without_groups(arg) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end, node.labels)


def load_order(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Order:
    keys = [key.removeprefix("-").strip() for key in raw["by"]]
    team, out = raw.get("alternate", ""), tuple(raw.get("out", ()))
    for number, key in enumerate(keys):
        check_key(loader, (*path, "by", number), key, keys[:number])
    for number, key in enumerate(out):
        check_key(loader, (*path, "out", number), key)
    if "alternate" in raw:
        check_key(loader, (*path, "alternate"), team, keys)
    downward = frozenset(key for key, written in zip(keys, raw["by"], strict=True) if written.startswith("-"))
    return Order(name, tuple(keys), downward, team, out, loader.where((*path, KEY)))


def check_key(loader: Loader, path: Path, key: str, taken: Iterable[str] = ()) -> None:
    if not NAME.fullmatch(key) or key in ORDER_WORDS:
        message = f"«{key}» cannot be a key: a to z, digits and _, such as initiative or -initiative"
        loader.problem("order", path, message)
    elif key in taken:
        loader.problem("order", path, f"«{key}» stands here twice; who is equal once is equal again")


def read_layers(
    file: File, shown: str, seen: tuple[File, ...], pages: Pages, root: Root
) -> tuple[dict[str, Any], list[Places], list[Problem]]:
    """The data of a file merged over that of the game that it extends, with the places of all files."""
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
    """The problem of a link, in any part of the path, that leads out of the project; else None."""
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
    """Why a game cannot be extended; empty if it can."""
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
    """The games in sibling folders, as relative paths."""
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
    """A problem at the first byte that is not valid UTF-8."""
    source = Source(shown, data.decode("utf-8", "replace"))
    start = len(data[:place].decode("utf-8"))
    said = "this file is not saved as UTF-8: the character here cannot be read; save it anew in that encoding"
    return Problem("game-toml", said, Span(source, start, start + 1))


def merge(above: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge a game over the one it extends: traits, tables and inputs by name, other parts of a rule as a whole."""
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
    """One part of both games, merged by key; a value of the wrong type stays, so that the schema reports it."""
    if part in own and not isinstance(own[part], dict):
        return {part: own[part]}
    found = {**table(above.get(part)), **table(own.get(part))}
    return {part: found} if found else {}


def table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
