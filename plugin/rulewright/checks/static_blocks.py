"""The roller, rule and table blocks: checks names and values; nothing is computed."""

from __future__ import annotations

from ..book.page import Block, Entry
from ..game.model import Game, Table
from ..source import Problem, suggest
from .model import Around, Checked, closed, find_game, find_rule, no_game, settings, trouble, wrong_show
from .settings import open_block

TABLE_WORDS = ("name", "columns")


def check_plain(block: Block, around: Around) -> Checked:
    """Checks a roller, rule or table block."""
    return PLAIN[block.kind](block, around)


def check_roller(block: Block, around: Around) -> Checked:
    """Checks the inputs that a roller starts with."""
    opened = open_block(block, around)
    opened.problems += wrong_show(block)
    setup = opened.setup
    if setup is None:
        return closed(block, opened.problems)
    return closed(block, opened.problems, rule=setup.rule, inputs=setup.inputs, policy=setup.policy)


def check_rule(block: Block, around: Around) -> Checked:
    rule, problems = find_rule(block, around)
    return closed(block, [*problems, *strange(block, ()), *wrong_show(block)], rule=rule)


def check_table(block: Block, around: Around) -> Checked:
    problems = [*strange(block, TABLE_WORDS), *wrong_show(block)]
    game, missing = game_of(block, around)
    if game is None:
        return closed(block, [*missing, *problems])
    table, more = named_table(block, game)
    if table is None:
        return closed(block, [*more, *problems])
    columns, wrong = columns_of(block, table)
    return closed(block, [*wrong, *problems], table=table, columns=columns)


PLAIN = {"roller": check_roller, "rule": check_rule, "table": check_table}


def strange(block: Block, words: tuple[str, ...]) -> list[Problem]:
    """Problems for unknown keys."""
    known = ("game", "rule", "id", "title", "show", *words)
    return [
        trouble(block, "block-key", f"a {block.kind} has no «{entry.key}»; {suggest(entry.key, known)}", entry.key_span)
        for entry in settings(block, words)
    ]


def game_of(block: Block, around: Around) -> tuple[Game | None, list[Problem]]:
    """The game that `game:` names, otherwise the game of the page."""
    entry = block.get("game")
    folder = entry.value if entry else ""
    game = find_game(around, folder)
    if game:
        return game, []
    return None, [trouble(block, "block-game", no_game(around, folder), entry.value_span if entry else block.word)]


def named_table(block: Block, game: Game) -> tuple[Table | None, list[Problem]]:
    entry = block.get("name")
    if entry is None:
        message = "name: is missing; it says which table of the game is shown"
        return None, [trouble(block, "block-value", message, block.word)]
    table = find_table(game, entry.value)
    if table:
        return table, []
    message = f"{game.title} has no table «{entry.value}»; {suggest(entry.value, game.tables)}".rstrip("; ")
    return None, [trouble(block, "block-value", message, entry.value_span)]


def find_table(game: Game, name: str) -> Table | None:
    return {known.lower(): table for known, table in game.tables.items()}.get(name.lower())


def columns_of(block: Block, table: Table) -> tuple[tuple[str, ...], list[Problem]]:
    """The columns to show: all, or the ones that `columns:` lists."""
    entry = block.get("columns")
    return named_columns(block, entry, table) if entry else (table.columns, [])


def named_columns(block: Block, entry: Entry, table: Table) -> tuple[tuple[str, ...], list[Problem]]:
    known = {name.lower(): name for name in table.columns}
    columns, problems, start = [], [], 0
    for piece in entry.value.split(","):
        name = piece.strip()
        first = start + len(piece) - len(piece.lstrip())
        start += len(piece) + 1
        if name.lower() in known:
            columns.append(known[name.lower()])
        else:
            message = f"the table {table.name} has no column «{name}»; {suggest(name, table.columns)}".rstrip("; ")
            span = entry.value_span.part(first, first + len(name))
            problems.append(trouble(block, "block-value", message, span))
    return tuple(columns), problems
