"""Builds what can be spent on a roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .model import Formula, Input, Kind, Spend
from .names import Scope, check
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder


def build_spends(
    builder: Builder,
    path: Path,
    raw: Mapping[str, Any],
    inputs: tuple[Input, ...],
    dice: tuple[Kind, ...],
    scope: Scope,
) -> tuple[Spend, ...]:
    builder.labels([(name, (*path, name, KEY)) for name in raw], "something to spend")
    return tuple(
        SpendBuilder(builder, (*path, name), scope).spend(name, value, inputs, dice) for name, value in raw.items()
    )


class SpendBuilder:
    """Builds one entry; `path` is its place in the file."""

    def __init__(self, builder: Builder, path: Path, scope: Scope) -> None:
        self.builder, self.path, self.scope = builder, path, scope

    def spend(self, name: str, raw: Mapping[str, Any], inputs: tuple[Input, ...], dice: tuple[Kind, ...]) -> Spend:
        kinds = [kind.name for kind in dice]
        for number, kind in enumerate(raw.get("highest", ())):
            if kind not in kinds:
                said = f"there is no kind of dice «{kind}»; {suggest(kind, kinds)}".rstrip("; ")
                self.builder.problem("spend", (*self.path, "highest", number), said)
        if not raw.get("highest") and not raw.get("changes"):
            said = f"{name} changes nothing; write changes = {{ … }} or highest = […]"
            self.builder.problem("spend", (*self.path, KEY), said)
        changes = self.changes(raw.get("changes", {}), inputs)
        where = self.builder.where((*self.path, KEY))
        label, point = raw.get("label", name.capitalize()), raw.get("point", name)
        highest, traits = tuple(raw.get("highest", ())), tuple(raw.get("traits", ()))
        return Spend(name, label, point, changes, highest, raw.get("most"), traits, where)

    def changes(self, raw: Mapping[str, Any], inputs: tuple[Input, ...]) -> dict[str, Formula]:
        """Inputs with formulas over inputs."""
        able = [entry.name for entry in inputs if entry.form in ("number", "flag", "die")]
        made = {}
        for name, value in raw.items():
            path = (*self.path, "changes", name)
            if name not in able:
                note = suggest(name, able)
                said = f"there is no input «{name}» that a formula can change; {note}".rstrip("; ")
                self.builder.problem("spend", (*path, KEY), said)
            formula = self.builder.formula(path, value)
            if formula:
                self.builder.complaints(formula, check(formula.node, self.scope))
                made[name] = formula
        return made
