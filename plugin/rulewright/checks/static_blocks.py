"""The roller, rule and table blocks: checks names and values; nothing is computed."""

from __future__ import annotations

from ..book.page import Block, Entry
from ..game.model import Game, Table
from ..source import Problem, suggest
from .model import (
    BlockContext,
    CheckedBlock,
    check_show,
    find_game,
    find_rule,
    finish_block,
    make_problem,
    missing_game_message,
    setting_entries,
)
from .settings import open_block

_TABLE_KEYS = ("name", "columns")


def check_static_block(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks a roller, rule or table block."""
    return _STATIC_CHECKS[block.kind](block, context)


def _check_roller(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks the inputs that a roller starts with."""
    opened = open_block(block, context)
    opened.problems += check_show(block)
    setup = opened.setup
    if setup is None:
        return finish_block(block, opened.problems)
    return finish_block(block, opened.problems, rule=setup.rule, inputs=setup.inputs, aim=setup.aim)


def _check_rule(block: Block, context: BlockContext) -> CheckedBlock:
    rule, problems = find_rule(block, context)
    return finish_block(block, [*problems, *_unknown_keys(block, ()), *check_show(block)], rule=rule)


def _check_table(block: Block, context: BlockContext) -> CheckedBlock:
    problems = [*_unknown_keys(block, _TABLE_KEYS), *check_show(block)]
    game, missing = find_block_game(block, context)
    if game is None:
        return finish_block(block, [*missing, *problems])
    table, more = _find_named_table(block, game)
    if table is None:
        return finish_block(block, [*more, *problems])
    columns, column_problems = _shown_columns(block, table)
    return finish_block(block, [*column_problems, *problems], table=table, columns=columns)


_STATIC_CHECKS = {"roller": _check_roller, "rule": _check_rule, "table": _check_table}


def _unknown_keys(block: Block, words: tuple[str, ...]) -> list[Problem]:
    """Problems for unknown keys."""
    known = ("game", "rule", "id", "title", "show", "proves", *words)
    return [
        make_problem(
            block, "block-key", f'a {block.kind} has no "{entry.key}"; {suggest(entry.key, known)}', entry.key_span
        )
        for entry in setting_entries(block, words)
    ]


def find_block_game(block: Block, context: BlockContext) -> tuple[Game | None, list[Problem]]:
    """The game that `game:` names, otherwise the game of the page."""
    entry = block.get("game")
    folder = entry.value if entry else ""
    game = find_game(context, folder)
    if game:
        return game, []
    return None, [
        make_problem(
            block, "block-game", missing_game_message(context, folder), entry.value_span if entry else block.word
        )
    ]


def _find_named_table(block: Block, game: Game) -> tuple[Table | None, list[Problem]]:
    entry = block.get("name")
    if entry is None:
        message = "name: is missing; it says which table of the game is shown"
        return None, [make_problem(block, "block-value", message, block.word)]
    table = find_table(game, entry.value)
    if table:
        return table, []
    note = suggest(entry.value, game.tables) or "declare it under [tables.NAME] in game.toml"
    message = f'{game.title} has no table "{entry.value}"; {note}'
    return None, [make_problem(block, "block-value", message, entry.value_span)]


def find_table(game: Game, name: str) -> Table | None:
    return {known.lower(): table for known, table in game.tables.items()}.get(name.lower())


def _shown_columns(block: Block, table: Table) -> tuple[tuple[str, ...], list[Problem]]:
    """The columns to show: all, or the ones that `columns:` lists."""
    entry = block.get("columns")
    return _read_columns(block, entry, table) if entry else (table.columns, [])


def _read_columns(block: Block, entry: Entry, table: Table) -> tuple[tuple[str, ...], list[Problem]]:
    known = {name.lower(): name for name in table.columns}
    columns, problems, start = [], [], 0
    for piece in entry.value.split(","):
        name = piece.strip()
        first = start + len(piece) - len(piece.lstrip())
        start += len(piece) + 1
        if name.lower() in known:
            columns.append(known[name.lower()])
        else:
            message = f'the table {table.name} has no column "{name}"; {suggest(name, table.columns)}'.rstrip("; ")
            span = entry.value_span.subspan(first, first + len(name))
            problems.append(make_problem(block, "block-value", message, span))
    return tuple(columns), problems
