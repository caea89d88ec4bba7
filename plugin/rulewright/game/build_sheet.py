"""Builds the sheets of a game: named requirements over groups of traits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .model import Formula, Sheet
from .names import NUMBER, Complaint, Scope, check
from .places import Path
from .shape import KEY
from .sheet import GROUPS, kinds, known_groups, members
from .tree import Node

if TYPE_CHECKING:
    from .build import Builder
    from .build_rule import Shared


def build_sheets(builder: Builder, raw: Mapping[str, Any], shared: Shared) -> dict[str, Sheet]:
    builder.labels([(name, ("sheets", name, KEY)) for name in raw], "a sheet")
    return {name: build_sheet(builder, ("sheets", name), name, value, shared) for name, value in raw.items()}


def build_sheet(builder: Builder, path: Path, name: str, raw: Mapping[str, Any], shared: Shared) -> Sheet:
    groups = {group: tuple(parts) for group, parts in raw.get("groups", {}).items()}
    plain = Sheet(name, {}, {}, builder.where((*path, KEY)))
    for group, parts in groups.items():
        for number, part in enumerate(parts):
            if members(shared.register, plain, part) is None:
                said = f"there are no traits «{part}»; {suggest(part, known_groups(shared.register, plain))}"
                builder.problem("trait", (*path, "groups", group, number), said)
    sheet = Sheet(name, groups, {}, plain.span)
    require = {}
    for title, text in raw["require"].items():
        formula = builder.formula((*path, "require", title), text, on_sheet=True)
        if formula:
            builder.complaints(formula, complaints(formula, sheet, shared))
            require[title] = formula
    builder.labels([(title, (*path, "require", title, KEY)) for title in require], "a requirement")
    return Sheet(name, groups, require, plain.span)


def complaints(formula: Formula, sheet: Sheet, shared: Shared) -> Iterator[Complaint]:
    """Groups that do not exist, and everything that no formula could mean."""
    known = {*kinds(shared.register)}
    for node in asking(formula.node):
        group = node.args[0]
        if group not in known and members(shared.register, sheet, group) is None:
            note = suggest(group, known_groups(shared.register, sheet))
            yield node.label(0), f"there is no group of traits «{group}»; {note}".rstrip("; ")
        if node.op == "numberof":
            yield from check(blank(node.args[1]), Scope({"dots": NUMBER}, tables=shared.tables))
    barred = {"dots": "it is only known in a test, such as number(group, dots >= 1)"}
    yield from check(blank(formula.node), Scope({}, tables=shared.tables, barred=barred))


def asking(node: Node) -> Iterator[Node]:
    if node.op in GROUPS:
        yield node
    for inner in node.nodes():
        yield from asking(inner)


def blank(node: Node) -> Node:
    """The formula with some number for everything that it asks of a group."""
    if node.op in GROUPS:
        return Node("number", (1,), node.start, node.end)
    args = tuple(blank(arg) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end, node.labels)
