"""From checked data to a Game: formulas parsed, names resolved, ranges made sense of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..text import Problem, Span, suggest
from .build_rule import RuleBuilder
from .formula import FormulaError, parse
from .model import Category, Formula, Game, Table
from .names import NAMED_NUMBERS, Complaint
from .shape import KEY
from .toml import Path
from .tree import Node

RANGE = re.compile(r"\s*([-−]?\d{1,15})?\s*(\.\.)?\s*([-−]?\d{1,15})?\s*")


class Builder:
    """Builds a game and collects what is wrong with it; `where` gives the span of a path."""

    def __init__(self, where: Callable[[Path], Span]) -> None:
        self.where = where
        self.problems: list[Problem] = []

    def game(self, data: Mapping[str, Any], folder: str) -> Game:
        tables = {name: self.table(("tables", name), name, raw) for name, raw in data.get("tables", {}).items()}
        traits = {name: self.category(("traits", name), name, raw) for name, raw in data.get("traits", {}).items()}
        rules = RuleBuilder(self, folder, tables, data.get("rules", {})).rules()
        return Game(folder, data["title"], rules, tables, traits)

    def problem(self, code: str, path: Path, message: str, notes: Iterable[str] = ()) -> None:
        self.problems.append(Problem(code, message.strip().rstrip(";"), self.where(path), notes=tuple(notes)))

    def formula(self, path: Path, raw: Any) -> Formula | None:
        """The formula at a path; true and false are 1 and 0."""
        span = self.where(path)
        if not isinstance(raw, str):
            return Formula(str(raw), Node("number", (int(raw),)), span)
        try:
            return Formula(raw, parse(raw), span)
        except FormulaError as error:
            self.problems.append(Problem("formula", error.message, inner(span, raw, error.start, error.end)))
            return None

    def complaints(self, formula: Formula, found: Iterable[Complaint]) -> None:
        for node, message in found:
            place = inner(formula.span, formula.text, node.start, node.end)
            self.problems.append(Problem("formula", message.strip().rstrip(";"), place))

    def table(self, path: Path, name: str, raw: Mapping[str, Any]) -> Table:
        columns = tuple(raw.get("columns", ()))
        named = {key: (value,) for key, value in raw.items() if key not in ("columns", "rows", "ranges")}
        if named and (columns or "rows" in raw or "ranges" in raw):
            self.problem("table", path, f"the table {name} mixes named numbers with columns; give each row under rows or ranges")
        if not named and not columns:
            self.problem("table", path, f"the table {name} has no columns; write columns = [\"…\"]")
        rows = {key: self.cells((*path, "rows", key), value, columns) for key, value in raw.get("rows", {}).items()}
        ranges = [self.range_row((*path, "ranges", key), key, value, columns) for key, value in raw.get("ranges", {}).items()]
        ranges.sort(key=lambda row: -(10**16) if row[0] is None else row[0])
        self.partition(path, name, ranges)
        return Table(name, columns or (NAMED_NUMBERS,), named or rows, tuple(ranges), self.where(path))

    def cells(self, path: Path, value: Any, columns: tuple[str, ...]) -> tuple[Any, ...]:
        cells = tuple(value) if isinstance(value, list) else (value,)
        if len(cells) != len(columns):
            self.problem("table", path, f"this row has {len(cells)} cells and the table {len(columns)} columns")
            cells = (*cells, *[0] * len(columns))[: len(columns)]
        return cells

    def range_row(self, path: Path, key: str, value: Any, columns: tuple[str, ...]) -> tuple[int | None, int | None, tuple[Any, ...]]:
        low, high = self.range((*path, KEY), key)
        return low, high, self.cells(path, value, columns)

    def range(self, path: Path, text: str) -> tuple[int | None, int | None]:
        """Both ends of "66..99", "7", "41.." or "..0"."""
        found = RANGE.fullmatch(text)
        if not found or not (found.group(1) or found.group(3)):
            self.problem("range", path, f"«{text}» is no range; write 66..99, 7, 41.. or ..0")
            return 0, 0
        low, high = (int(end.replace("−", "-")) if end else None for end in found.group(1, 3))
        if not found.group(2):
            return low, low
        if low is not None and high is not None and low > high:
            self.problem("range", path, f"the range {text} runs backwards; write {high}..{low}")
        return low, high

    def partition(self, path: Path, name: str, ranges: list[tuple[int | None, int | None, tuple[Any, ...]]]) -> None:
        """Between its first and its last range a table leaves no gap and says nothing twice."""
        for before, after in zip(ranges, ranges[1:], strict=False):
            high, low = before[1], after[0]
            if high is None or low is None or low <= high:
                self.problem("table", path, f"the table {name} covers {low if low is not None else high} twice")
            elif low > high + 1:
                gap = f"{high + 1}" if low == high + 2 else f"{high + 1} to {low - 1}"
                self.problem("table", path, f"the table {name} says nothing for {gap}")

    def category(self, path: Path, name: str, raw: Mapping[str, Any]) -> Category:
        names = tuple(raw.get("names", ()))
        least, most = self.range((*path, "range"), raw["range"]) if "range" in raw else (None, None)
        groups = {key: tuple(value) for key, value in raw.get("groups", {}).items()}
        for key, members in groups.items():
            self.known((*path, "groups", key), members, names, name)
        specialties = {
            trait: {sort: tuple(items) for sort, items in kinds.items()} for trait, kinds in raw.get("specialties", {}).items()
        }
        for trait in specialties:
            self.known((*path, "specialties", trait, KEY), (trait,), names, name)
        aliases = {key: tuple([value] if isinstance(value, str) else value) for key, value in raw.get("aliases", {}).items()}
        return Category(name, names, least, most, groups, aliases, raw.get("untrained"), specialties)

    def known(self, path: Path, members: Iterable[str], names: tuple[str, ...], category: str) -> None:
        for number, member in enumerate(members):
            if member not in names:
                place = path if path[-1] == KEY else (*path, number)
                self.problem("trait", place, f"{category} has no trait «{member}»; {suggest(member, names)}")


def inner(span: Span, text: str, start: int, end: int) -> Span:
    """The part of a formula inside its quotes; all of it where the quotes hide how it is spelled."""
    if span.text[1:-1] == text and span.text[:1] in "\"'":
        return span.part(1 + start, 1 + max(end, start + 1))
    return span
