"""The page tests/formulas.md: the table at which formulas are played, and the cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.game.intervals import Bounds, evaluate_bounds, exact_value
from rulewright.game.model import Rule
from rulewright.play.compiled_rule import compile_rule
from rulewright.play.result import Result, check_roll
from rulewright.play.validate import load_game_text
from rulewright.source import Problem

PAGE = Path(__file__).parent / "formulas.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CASE = re.compile(r"(?:^[^\n]+\n)+", re.MULTILINE)


def blocks(page: str, word: str) -> Iterator[tuple[int, str]]:
    """The blocks that begin with a word, and where in the page their text begins."""
    return ((block.start(2), block[2]) for block in BLOCK.finditer(page) if block[1] == word)


TABLE, DICE = (next(blocks(PAGE.read_text("utf-8"), word))[1] for word in ("toml", "dice"))


@dataclass(frozen=True)
class Case:
    """One formula of the page with what is expected of it."""

    line: int
    formula: str
    inputs: dict[str, str] = field(default_factory=dict)
    gives: str | None = None
    stops: str | None = None
    wrong: tuple[int, int, str] | None = None


def cases(page: str) -> Iterator[Case]:
    for start, block in blocks(page, "formulas"):
        for found in CASE.finditer(block):
            yield read_case(found[0], page.count("\n", 0, start + found.start()) + 1)


def read_case(text: str, line: int) -> Case:
    formula, *rows = text.splitlines()
    said: dict[str, Any] = {}
    for row in rows:
        word, _, rest = row.strip().partition(" ")
        if set(word) == {"^"}:
            start = row.index("^")
            said["wrong"] = (start, start + len(word), rest)
        elif word == "with":
            said["inputs"] = dict(part.strip().split(" ", 1) for part in rest.split(","))
        else:
            assert word.rstrip(":") in ("gives", "stops"), f'line {line}: "{word}" is not known on this page'
            said[word.rstrip(":")] = rest
    return Case(line, formula, **said)


def played(formula: str, table: str = TABLE) -> tuple[Rule | None, list[Problem], int]:
    """The rule with this formula as its last step, the problems, and where in the file the formula begins."""
    text = f"{table}answer = '''{formula}'''\n"
    game, problems = load_game_text(text)
    rule = next(iter(game.rules.values())) if game else None
    return rule, problems, len(table) + len("answer = '''")


@cache
def table_rule() -> Rule:
    game, problems = load_game_text(TABLE)
    assert game, problems
    return game.rules["case"]


def result_of(rule: Rule, inputs: dict[str, Any], dice: str = DICE) -> tuple[Result | None, str]:
    """The roll with this formula in it, or why there is none."""
    result, complaints = check_roll(rule, inputs, dice)
    return result, "" if result else complaints[0].message


def over_points(result: Result, name: str = "answer") -> Any:
    """A step once more, by the evaluator of ranges: every range is a point."""
    made = compile_rule(result.rule)
    values = {**result.setting.known, **{step: value for step, value in result.steps.items() if step != name}}
    values |= {tally.name: value for tally, value in zip(made.tallies, result.tallies, strict=True)}
    known = {key: exact_value(value) for key, value in values.items() if value is not None}
    bounds = Bounds({}, known, result.rule.tables)
    return evaluate_bounds(made.formulas[name].node, bounds)
