"""From checked data to a Game: formulas parsed, names resolved, ranges made sense of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..text import Problem, Span
from .build_order import build_orders
from .build_rule import RuleBuilder, Shared
from .build_sheet import build_sheets
from .build_table import build_table
from .build_traits import build_traits, check_untrained
from .formula import FormulaError, parse
from .model import Formula, Game
from .names import Complaint
from .places import Path, inner
from .tree import Node

MOST_PROBLEMS = 100


class EnoughError(Exception):
    """There are so many problems that the rest is better looked at when these are mended."""


class Builder:
    """Builds a game and collects what is wrong with it; `where` gives the span of a path."""

    def __init__(self, where: Callable[[Path], Span]) -> None:
        self.where = where
        self.problems: list[Problem] = []

    def game(self, data: Mapping[str, Any], folder: str) -> Game:
        tables = {name: build_table(self, ("tables", name), name, raw) for name, raw in data.get("tables", {}).items()}
        traits = build_traits(self, data.get("traits", {}))
        shared = Shared(tables, traits)
        rules = RuleBuilder(self, folder, shared, data.get("rules", {})).rules()
        check_untrained(self, traits, rules)
        sheets = build_sheets(self, data.get("sheets", {}), shared)
        orders = build_orders(self, data.get("orders", {}))
        return Game(folder, data["title"], rules, tables, traits, sheets, orders)

    def problem(self, code: str, path: Path, message: str, span: Span | None = None) -> None:
        self.problems.append(Problem(code, message.strip().rstrip(";"), span or self.where(path)))
        if len(self.problems) == MOST_PROBLEMS:
            raise EnoughError

    def formula(self, path: Path, raw: Any, on_sheet: bool = False) -> Formula | None:
        """The formula at a path; true and false are 1 and 0."""
        span = self.where(path)
        if not isinstance(raw, str):
            return Formula(str(int(raw)), Node("number", (int(raw),)), span)
        try:
            return Formula(raw, parse(raw, on_sheet), span)
        except FormulaError as error:
            self.problem("formula", path, error.message, inner(span, raw, error.start, error.end))
            return None

    def complaints(self, formula: Formula, found: Iterable[Complaint]) -> None:
        for node, message in found:
            self.problem("formula", (), message, inner(formula.span, formula.text, node.start, node.end))

    def labels(self, named: Iterable[tuple[str, Path]], what: str, barred: str = "") -> None:
        """Names that may hold blanks: readable in a block, and told apart without looking at capitals."""
        seen: dict[str, str] = {}
        for name, path in named:
            other = seen.setdefault(name.lower(), name)
            if reason := unreadable(name, barred):
                self.problem("name", path, f"«{name}» cannot name {what}: {reason}")
            elif seen[name.lower()] is not name:
                same = f"capitals make no difference, and «{other}» already names {what}"
                self.problem("name", path, f"«{name}» already names {what}" if name == other else same)


def unreadable(name: str, barred: str) -> str:
    """Why a name could not be read again where it stands among others."""
    if not name.strip():
        return "it is empty"
    if name != name.strip():
        return "leave out the blanks at its ends"
    strange = next((sign for sign in name if sign in barred + "," or not sign.isprintable()), "")
    return f"leave out {'the blank' if strange == ' ' else f'«{strange}»'}" if strange else ""
