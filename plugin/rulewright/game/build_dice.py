"""The dice of a rule, and the rerolls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .model import Again, Explode, Formula, Keep, Kind, Reroll
from .names import Scope, check
from .toml import Path

if TYPE_CHECKING:
    from .build import Builder


def build_dice(builder: Builder, rule: Path, raw: Mapping[str, Any], scope: Scope) -> tuple[Kind, ...]:
    kinds = tuple(DiceBuilder(builder, (*rule, "dice", name), scope).kind(name, value) for name, value in raw.items())
    for name, value in raw.items():
        roll = value.get("again", {}).get("roll")
        if roll is not None and roll not in raw:
            builder.problem("dice", (*rule, "dice", name, "again", "roll"), f"there is no kind of dice «{roll}»; {suggest(roll, raw)}")
    return kinds


class DiceBuilder:
    """Builds one kind of dice; `path` is its place in the file."""

    def __init__(self, builder: Builder, path: Path, scope: Scope) -> None:
        self.builder, self.path, self.scope = builder, path, scope

    def kind(self, name: str, raw: Mapping[str, Any]) -> Kind:
        self.sides(name, raw)
        faces = tuple(raw.get("faces", {}).items())
        count = self.formula("count", raw.get("count", 1)) or one(self.builder, self.path)
        sides = self.formula("sides", raw["sides"]) if "sides" in raw else None
        plain = Kind(name, count, sides, faces, self.builder.where(self.path))
        good, bad = (self.test((key,), raw[key], plain) if key in raw else None for key in ("good", "bad"))
        kind = replace(plain, good=good, bad=bad)
        return replace(kind, again=self.again(raw, kind), explode=self.explode(raw, kind), keep=self.keep(raw))

    def sides(self, name: str, raw: Mapping[str, Any]) -> None:
        if ("sides" in raw) == ("faces" in raw):
            self.problem("dice", (), f"the {name} dice need either sides or faces")
        if "faces" in raw and not raw["faces"]:
            self.problem("dice", ("faces",), "a die needs at least one face")
        for label in raw.get("faces", {}):
            if not label or any(sign in label for sign in " |,[]"):
                self.problem("dice", ("faces",), f"the mark «{label}» cannot be told apart in a row of faces; use a word or sign without blanks")
        if "keep" in raw and "again" in raw:
            self.problem("dice", ("keep",), "dice that earn more dice cannot be kept or dropped")

    def again(self, raw: Mapping[str, Any], kind: Kind) -> Again | None:
        if "again" not in raw:
            return None
        spec = raw["again"]
        when, times, optional = (
            self.test(("again", key), spec.get(key, default), kind) for key, default in (("when", 0), ("times", 1), ("optional", 0))
        )
        return Again(when, spec["roll"], times, optional) if when and times and optional else None

    def explode(self, raw: Mapping[str, Any], kind: Kind) -> Explode | None:
        if "explode" not in raw:
            return None
        spec = raw["explode"]
        if not isinstance(spec, dict):
            when, optional = self.test(("explode",), spec, kind), self.test((), 0, kind)
        else:
            when, optional = self.test(("explode", "when"), spec["when"], kind), self.test(("explode", "optional"), spec.get("optional", 0), kind)
        return Explode(when, optional) if when and optional else None

    def keep(self, raw: Mapping[str, Any]) -> Keep | None:
        if "keep" not in raw:
            return None
        spec = raw["keep"]
        if len(spec) != 1:
            self.problem("dice", ("keep",), "keep either the highest or the lowest")
            return None
        (which, number), = spec.items()
        formula = self.formula("keep", number, which)
        return Keep(which == "highest", formula) if formula else None

    def formula(self, key: str, raw: Any, *more: str) -> Formula | None:
        formula = self.builder.formula((*self.path, key, *more), raw)
        if formula:
            self.builder.complaints(formula, check(formula.node, replace(self.scope, dice={})))
        return formula

    def test(self, keys: Path, raw: Any, kind: Kind) -> Formula | None:
        formula = self.builder.formula((*self.path, *keys), raw)
        if formula:
            self.builder.complaints(formula, test_complaints(formula, self.scope, kind))
        return formula

    def problem(self, code: str, keys: Path, message: str) -> None:
        self.builder.problem(code, (*self.path, *keys), message)


def test_complaints(formula: Formula, scope: Scope, kind: Kind) -> Any:
    inner = scope.inside_test(kind)
    values = {name: found for name, found in inner.values.items() if name != "value"}
    return check(formula.node, replace(inner, values=values))


def one(builder: Builder, path: Path) -> Formula:
    formula = builder.formula(path, 1)
    assert formula
    return formula


def build_rerolls(builder: Builder, path: Path, raw: Any, scope: Scope) -> tuple[Reroll, ...]:
    entries = [(path, raw)] if isinstance(raw, dict) else [((*path, number), entry) for number, entry in enumerate(raw)]
    rerolls = [build_reroll(builder, place, entry, scope) for place, entry in entries]
    return tuple(reroll for reroll in rerolls if reroll)


def build_reroll(builder: Builder, path: Path, raw: Mapping[str, Any], scope: Scope) -> Reroll | None:
    among = tuple(raw.get("among", scope.dice))
    for number, name in enumerate(among):
        if name not in scope.dice:
            builder.problem("dice", (*path, "among", number), f"there is no kind of dice «{name}»; {suggest(name, scope.dice)}")
    if (raw["pick"] == "all") != ("when" in raw):
        builder.problem("dice", path, "«when» belongs to pick = \"all\", and that needs it")
    times = builder.formula((*path, "times"), raw.get("times", 1))
    fixed = {name: scope.values[name] for name in scope.fixed}
    if times:
        builder.complaints(times, check(times.node, replace(scope, values=fixed, dice={})))
    when = builder.formula((*path, "when"), raw["when"]) if "when" in raw else None
    kinds = [scope.dice[name] for name in among if name in scope.dice]
    if when and kinds:
        builder.complaints(when, test_complaints(when, scope, kinds[0]))
    return Reroll(times, among, raw["pick"], raw["keep"], when) if times else None
