"""The chances that the books of this repository print are those that the other engine finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import shipped_books
from example_counts import scale_examples
from js_engine import shared_engine
from result_data import is_near
from rulewright.checks.model import CheckedBlock, OddsTable
from rulewright.game.model import Game, Rule
from rulewright.odds.distribution import TAIL_ABOVE, Chance
from rulewright.render.cards.examples import move_chances


class Told(NamedTuple):
    """A number that a page shows: the question behind it, and where in the answer it is found."""

    place: str
    game: Game
    rule: Rule
    inputs: Mapping[str, str]
    aim: str
    part: str  # chances, means, degrees, spreads
    names: tuple[str, ...]
    shown: Chance


def blocks(kind: str) -> Iterator[tuple[str, Game, CheckedBlock]]:
    games = shipped_books.compile_shipped_books().games.by_folder
    for page in shipped_books.compile_shipped_books().pages:
        for checked in page.blocks:
            rule = checked.rule
            if checked.block.kind == kind and checked.status == "passed" and rule:
                own = page.game if page.game and page.game.rules.get(rule.name) is rule else games[rule.game]
                yield f"{page.page.source.path} {checked.block.id}", own, checked


def cells(table: OddsTable) -> Iterator[tuple[dict[str, str], str, Chance]]:
    """Each cell with the inputs of its row and column, and the name of its column."""
    for row, line in zip(table.rows, table.values, strict=True):
        for column, found in zip(table.columns, line, strict=True):
            across = table.column_name if table.show != "distribution" and table.of else ""
            inputs = {name: value for name, value in ((table.row_name, row), (across, column)) if name}
            if found is not None and column != TAIL_ABOVE:
                yield inputs, column, found


def in_tables() -> Iterator[Told]:
    parts = {"chance": "chances", "mean": "means", "degree": "degrees", "distribution": "spreads"}
    for place, game, checked in blocks("odds"):
        table, rule = checked.odds, checked.rule
        assert table
        assert rule
        outcomes = {one.name for one in rule.outcomes} | ({"first", "second", "none"} if rule.contest else set())
        for inputs, column, found in cells(table):
            names = tuple(table.of.split(" or ")) if table.of else (column,)
            names = (table.column_name, column) if table.show == "distribution" else names
            if table.show != "chance" or outcomes.issuperset(names):
                asked = {**checked.inputs, **inputs}
                yield Told(place, game, rule, asked, checked.aim, parts[table.show], names, found)


def in_examples() -> Iterator[Told]:
    for place, game, checked in blocks("example"):
        for move in checked.moves:
            if not move.sides and game.rules.get(move.rule.name) is move.rule:
                aim = move.part.by_key["aim"].value if move.part and "aim" in move.part.by_key else ""
                for name, found in move_chances(move).items():
                    yield Told(place, game, move.rule, move.inputs, aim, "chances", (name,), found)


def question(one: Told) -> dict[str, Any]:
    """What a mean does not depend on may be left out in a book; the other engine wants some value."""
    missing = [entry for entry in one.rule.inputs if entry.default is None and entry.name not in one.inputs]
    given = {entry.name: str(entry.least) for entry in missing} if one.part != "chances" else {}
    return {"door": "odds", "inputs": {**given, **one.inputs}, "aim": one.aim, "whole": one.part != "chances"}


def number(answer: Mapping[str, Any], one: Told) -> float:
    found = answer[one.part]
    if one.part == "spreads":
        step, value = one.names
        return float(next((share for found, share in found[step] if str(found) == value), 0.0))
    return float(sum(found[name] for name in one.names))


def some(every: list[Told]) -> list[Told]:
    """All of them in `make test-long`."""
    return every[:: 1 if scale_examples(1) > 1 else 5]


def differing(every: list[Told]) -> list[str]:
    questions: dict[tuple[int, str], list[Told]] = {}
    for one in every:
        questions.setdefault((id(one.game), one.rule.name), []).append(one)
    wrong = []
    for group in questions.values():
        asked = [question(one) for one in group]
        for one, answer in zip(group, shared_engine().ask(group[0].game, group[0].rule.name, asked), strict=True):
            found = number(answer["odds"], one)
            if not is_near(float(one.shown.low), float(one.shown.high), found):
                wrong.append(f"{one.place} {dict(one.inputs)} {one.names}: {float(one.shown.low)}, not {found}")
    return wrong


def test_every_cell_of_a_table() -> None:
    every = list(in_tables())
    assert len(every) > 1000
    assert differing(some(every)) == []


def test_every_chance_beside_an_example() -> None:
    every = list(in_examples())
    assert len(every) > 500
    assert differing(some(every)) == []
