"""Formulas of a rule with other names, for a rule that rolls it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .formula import Node
from .formula_lexer import FormulaError
from .formula_parser import parse_formula
from .model import Formula


def step_formula(raw: Any) -> Formula:
    found: Formula = raw["is"] if isinstance(raw, Mapping) else raw
    return found


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def parse_again(text: str, formula: Formula) -> Formula:
    try:
        return Formula(text, parse_formula(text), formula.span, formula.scope)
    except FormulaError:  # the used rule has a mistake there, which is reported at its place
        return formula


def rename_nodes(node: Node, names: Mapping[str, str]) -> Node:
    """The same formula with other names."""
    if node.op == "name":
        return replace(node, args=(names.get(node.args[0], node.args[0]),))
    return replace(node, args=tuple(rename_nodes(arg, names) if isinstance(arg, Node) else arg for arg in node.args))


def write_renamed(node: Node, names: Mapping[str, str], text: str, kinds: Mapping[str, str] | None = None) -> str:
    """The text of a part of a formula with its names replaced; `text` is that of the whole."""
    start, end = (0, len(text)) if kinds is not None else (node.start, node.end)
    part = text[start:end]
    for name_start, name_end, name in sorted(_find_names(node, names, kinds or {}), reverse=True):
        part = part[: name_start - start] + name + part[name_end - start :]
    return part


def _find_names(node: Node, names: Mapping[str, str], kinds: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    if node.op == "name" and node.args[0] in names:
        yield node.start, node.end, names[node.args[0]]
    elif node.op == "set" and node.args[0] in {**names, **kinds}:
        yield node.start, node.end, f"'{ {**names, **kinds}[node.args[0]] }'"
    for child in node.child_nodes():
        yield from _find_names(child, names, kinds)
