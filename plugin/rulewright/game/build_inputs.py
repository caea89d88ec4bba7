"""The inputs of a rule: numbers, flags, choices, dice and die codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .inputs import read_value
from .model import Input, Table
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder

FORMS = ("flag", "choice", "die", "code")
BELONGS = {  # keys that only some forms of input know
    "min": ("number", "code"), "max": ("number", "code"), "names": ("number",), "open": ("number",),
    "asked": ("flag", "choice"),
}  # fmt: skip


def build_inputs(
    builder: Builder, path: Path, raw: Mapping[str, Any], tables: Mapping[str, Table]
) -> tuple[Input, ...]:
    return tuple(InputBuilder(builder, (*path, name), tables).input(name, value) for name, value in raw.items())


class InputBuilder:
    """Builds one input; `path` is its place in the file."""

    def __init__(self, builder: Builder, path: Path, tables: Mapping[str, Table]) -> None:
        self.builder, self.path, self.tables = builder, path, tables

    def input(self, name: str, raw: Mapping[str, Any]) -> Input:
        before = len(self.builder.problems)
        form = self.form(name, raw)
        asked = self.builder.formula((*self.path, "asked"), raw["asked"]) if "asked" in raw else None
        entry = Input(
            name, form, raw.get("label", name.replace("_", " ").capitalize()), self.builder.where(self.path),
            raw.get("min", 0), raw.get("max", 0), tuple(raw.get("choice", ())), tuple(raw.get("die", ())),
            tuple(raw.get("code", ())), None, self.table(raw), raw.get("open", False), asked,
        )  # fmt: skip
        self.limits(entry, raw)
        self.choices(entry)
        if "asked" in raw and "default" not in raw and form in BELONGS["asked"]:
            self.problem(("asked", KEY), f"{name} is asked only at times, so it needs a default for all others")
        if "default" not in raw or len(self.builder.problems) > before:
            return entry
        value, complaint = read_value(entry, raw["default"])
        if complaint:
            self.problem(("default",), f"this default does not fit: {complaint}")
        return replace(entry, default=value)

    def problem(self, keys: Path, message: str) -> None:
        self.builder.problem("input", (*self.path, *keys), message)

    def form(self, name: str, raw: Mapping[str, Any]) -> str:
        forms = [form for form in FORMS if form in raw]
        for other in forms[1:]:
            self.problem((other, KEY), f"{name} is a {forms[0]} already; make a second input for the {other}")
        if raw.get("flag") is False:
            self.problem(("flag",), "«flag = true» makes an input a yes or no; for anything else leave it out")
        form = forms[0] if forms else "number"
        for key, owners in BELONGS.items():
            if key in raw and form not in owners:
                self.problem((key, KEY), f"«{key}» is for a {' or a '.join(owners)}, and {name} is a {form}")
        return form

    def limits(self, entry: Input, raw: Mapping[str, Any]) -> None:
        if entry.form not in BELONGS["min"]:
            return
        missing = [key for key in ("min", "max") if key not in raw]
        if missing:
            self.problem((KEY,), f"{entry.name} is a {entry.form} and needs a {' and a '.join(missing)}")
        elif entry.least > entry.most:
            said = f"{entry.name} would go from {entry.least} down to {entry.most}; swap min and max"
            self.problem(("max",), said)
        elif entry.form == "code" and entry.least < 0:
            self.problem(("min",), "dice cannot be fewer than 0")

    def choices(self, entry: Input) -> None:
        self.builder.labels(
            [(word, (*self.path, "choice", place)) for place, word in enumerate(entry.choices)], "a choice"
        )
        for place, sides in enumerate(entry.dice):
            if sides in entry.dice[:place]:
                self.problem(("die", place), f"{sides} stands here twice")

    def table(self, raw: Mapping[str, Any]) -> Table | None:
        """The table whose names stand for numbers."""
        name = raw.get("names")
        if name is None:
            return None
        table = self.tables.get(name)
        if table is None:
            self.problem(("names",), f"there is no table «{name}»; {suggest(name, self.tables)}")
        elif table.ranges:
            words = [cells[0] for _, _, cells in table.ranges]
            again = next((word for place, word in enumerate(words) if word in words[:place]), None)
            if not all(isinstance(word, str) for word in words):
                self.problem(
                    ("names",), f"the first column of {name} holds numbers; names for numbers are needed there"
                )
            elif again is not None:
                self.problem(("names",), f"«{again}» stands for two ranges in the table {name}, so it names no number")
        elif not all(isinstance(cells[0], int) for cells in table.rows.values()):
            self.problem(("names",), f"the first column of {name} holds words; numbers are needed there")
        return table
