"""How a roll works out, as lines of text for authors: the rows of its card, with the names and formulas of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..game.model import Input, Rule
from ..play.result import Result, describe_reason, describe_step
from .cards.derivation import Derivation, Explainer, explain_rounds
from .strings import read_words

_INDENT = "  "


class _AuthorsExplainer(Explainer):
    """Names everything as the game file does."""

    def explain_step(self, name: str) -> list[str]:
        return [describe_step(self.result, name)]

    def step_name(self, name: str, lead: str) -> str:
        return name.rpartition(".")[2] if lead else name

    def input_name(self, entry: Input) -> str:
        return entry.name


def explain_in_text(rule: Rule, result: Result) -> list[tuple[str, str]]:
    """The name and the text of each row, then the reason of the outcome and its degree; what unfolds is indented."""
    rows = [*_flatten(explain_rounds(rule, result, read_words("en"), _AuthorsExplainer))]
    why, degree = describe_reason(result)
    reasons = [(result.outcome.name if result.outcome else "", why), ("degree", degree)]
    return rows + [reason for reason in reasons if reason[1]]


def _flatten(rows: Iterable[Derivation], indent: str = "") -> Iterator[tuple[str, str]]:
    for row in rows:
        yield indent + row.name, " → ".join(row.parts)
        yield from _flatten(row.inner, indent + _INDENT)
