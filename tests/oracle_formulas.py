"""Formulas for the oracle: parsed from their text into functions. No code of the engine.

A function takes the world (names with values, `tallies` over dice) and returns a number, or a word. True is 1, false 0.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Function = Callable[[Any], Any]
Tables = Mapping[str, Mapping[str, Any]]  # as in the file
_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_]\w*)|('[^']*')|([<>!]=|[-+*/()=<>,:])|$)")
_COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_THROW_WORDS = {"face", "last", "throw"}
_MOST = 2**53 - 1


class FailedError(Exception):
    """A formula without a value: a division by zero, a number that is too large, or a row that a table lacks."""


class Tally(NamedTuple):
    """Something counted over dice of a kind: all of them, or the `highest` or `lowest`, and how many."""

    function: str
    kind: str
    test: Function | None
    is_per_throw: bool
    pick: str = ""
    number: Function | None = None


@dataclass
class Parser:
    """Parses the formulas of one rule; `tallies` collects what they count over dice, each once.

    `tests` are the names of the tests of its dice."""

    tables: Tables
    tests: Set[str] = frozenset()
    tallies: dict[tuple[str, ...], Tally] = field(default_factory=dict)

    def parse(self, text: str) -> Function:
        self.tokens, at = list[str](), 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            assert match, (text, at)
            self.tokens.append(match[0].strip())
            at = match.end()
        self.at = 0
        function = self.parse_or()
        assert self.at == len(self.tokens), text
        return function

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        assert token, self.tokens
        assert not expected or token == expected, (expected, self.tokens)
        self.at += 1
        return token

    def parse_or(self) -> Function:
        parts = self.parse_chain(self.parse_and, "or")
        return parts[0] if len(parts) == 1 else lambda world: int(any(part(world) for part in parts))

    def parse_and(self) -> Function:
        parts = self.parse_chain(self.parse_not, "and")
        return parts[0] if len(parts) == 1 else lambda world: int(all(part(world) for part in parts))

    def parse_chain(self, parse_part: Callable[[], Function], word: str) -> list[Function]:
        parts = [parse_part()]
        while self.peek() == word:
            self.take()
            parts.append(parse_part())
        return parts

    def parse_not(self) -> Function:
        if self.peek() != "not":
            return self.parse_comparison()
        self.take()
        part = self.parse_not()
        return lambda world: int(not part(world))

    def parse_comparison(self) -> Function:
        left = self.parse_sum()
        if self.peek() not in _COMPARE:
            return left
        compare, right = _COMPARE[self.take()], self.parse_sum()
        return lambda world: int(compare(_fold(left(world)), _fold(right(world))))

    def parse_sum(self) -> Function:
        left = self.parse_product()
        while self.peek() in ("+", "-"):
            left = _limited(operator.add if self.take() == "+" else operator.sub, left, self.parse_product())
        return left

    def parse_product(self) -> Function:
        left = self.parse_signed()
        while self.peek() == "*":
            self.take()
            left = _limited(operator.mul, left, self.parse_signed())
        return left

    def parse_signed(self) -> Function:
        if self.peek() != "-":
            return self.parse_atom()
        self.take()
        part = self.parse_signed()
        return lambda world: -part(world)

    def parse_atom(self) -> Function:
        token = self.take()
        if token == "(":
            inner = self.parse_or()
            self.take(")")
            return inner
        if token.isdigit():
            number = int(token)
            return lambda _: number
        if token.startswith("'"):
            return lambda _: token[1:-1]
        if self.peek() != "(":
            return lambda world: world[token]
        self.take()
        function = self.parse_call(token)
        self.take(")")
        return function

    def parse_call(self, name: str) -> Function:
        if name in ("sum", "count", "highest", "lowest"):
            return self.parse_tally(name)
        if name in ("down", "up", "near"):
            over = self.parse_product()
            self.take("/")
            return _divided(name, over, self.parse_signed())
        if name == "lookup":
            return self.parse_lookup()
        parts = self.parse_chain(self.parse_or, ",")
        if name == "if":
            condition, then, otherwise = parts
            return lambda world: then(world) if condition(world) else otherwise(world)
        pick: Any = {"min": min, "max": max, "abs": lambda values: abs(next(values))}[name]
        return lambda world: pick(part(world) for part in parts)

    def parse_tally(self, function: str) -> Function:
        start, pick, number, test = self.at, "", None, None
        if self.peek() in ("highest", "lowest"):
            pick, number = self.take(), self.parse_signed()
            self.take("of")
        kind, begin = self.take().strip("'"), self.at
        if self.peek() == ":":
            self.take()
            test = self.parse_or()
        asked, key = self.tokens[begin : self.at], (function, *self.tokens[start : self.at])
        is_per_throw = not (_THROW_WORDS | self.tests).isdisjoint(asked)
        self.tallies.setdefault(key, Tally(function, kind, test, is_per_throw, pick, number))
        place = list(self.tallies).index(key)
        return lambda world: world.tallies[place]

    def parse_lookup(self) -> Function:
        table = self.tables[self.take().strip("'")]
        self.take(",")
        row = self.parse_or()
        self.take(",")
        column = self.take().strip("'")
        return lambda world: _find_cell(table, row(world), column)


def _fold(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _limited(compute: Callable[[int, int], int], left: Function, right: Function) -> Function:
    def run(world: Any) -> int:
        value = compute(left(world), right(world))
        if abs(value) > _MOST:
            raise FailedError("too large")
        return value

    return run


def _divided(way: str, over: Function, under: Function) -> Function:
    def run(world: Any) -> int:
        a, b = over(world), under(world)
        if b == 0:
            raise FailedError("division by zero")
        rounded: int = a // b if way == "down" else -(-a // b) if way == "up" else (2 * a + b) // (2 * b)
        return rounded

    return run


def _find_cell(table: Mapping[str, Any], row: Any, column: str) -> Any:
    columns = table.get("columns", [column])
    for key, cells in (table.get("ranges") or table.get("rows") or table).items():
        if key.lower() == row.lower() if isinstance(row, str) else _is_within(row, key):
            return cells[columns.index(column)] if isinstance(cells, list) else cells
    raise FailedError("no such row")


def _is_within(number: int, ends: str) -> bool:
    low, dots, high = ends.partition("..")
    return int(low) == number if not dots else (not low or int(low) <= number) and (not high or number <= int(high))
