"""The dice of a rule, and the rerolls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .model import Again, Explode, Formula, Keep, Kind, Reroll
from .names import Complaint, Scope, check, is_constant, not_about_die
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder

FACES = re.compile(r"[-+−]?\d+([+]\d+)*")
APART = "|[]"  # what separates dice in a record
FALLING = {"value": "the die has not come to rest yet"}
JUDGING = {**FALLING, **dict.fromkeys(("good", "bad"), "that is what this kind of dice is about to say")}
LYING = dict.fromkeys(
    ("last", "throw", "good", "bad", "value"), "before dice are thrown anew only face and sides are known"
)


def build_dice(builder: Builder, rule: Path, raw: Mapping[str, Any], scope: Scope) -> tuple[Kind, ...]:
    builder.labels([(name, (*rule, "dice", name, KEY)) for name in raw], "a kind of dice", APART)
    marks = {mark.lower() for value in raw.values() for mark in value.get("faces", {})}
    for name, value in raw.items():
        if FACES.fullmatch(name) or name.lower() in marks:
            said = f"«{name}» cannot name a kind of dice: in a row of dice it would be a face"
            builder.problem("name", (*rule, "dice", name, KEY), said)
        roll = value.get("again", {}).get("roll")
        if roll is not None and roll not in raw:
            said = f"there is no kind of dice «{roll}»; {suggest(roll, raw)}"
            builder.problem("dice", (*rule, "dice", name, "again", "roll"), said)
    return tuple(DiceBuilder(builder, (*rule, "dice", name), scope).kind(name, value) for name, value in raw.items())


class DiceBuilder:
    """Builds one kind of dice; `path` is its place in the file."""

    def __init__(self, builder: Builder, path: Path, scope: Scope) -> None:
        self.builder, self.path, self.scope = builder, path, scope

    def kind(self, name: str, raw: Mapping[str, Any]) -> Kind:
        self.sides(name, raw)
        count = self.formula(raw.get("count", 1), "count")
        sides = self.formula(raw["sides"], "sides") if "sides" in raw else None
        faces = tuple(raw.get("faces", {}).items())
        plain = Kind(name, count or self.constant(0), sides, faces, self.builder.where(self.path))
        good, bad = (self.test(raw[key], plain, key) if key in raw else None for key in ("good", "bad"))
        kind = replace(plain, good=good, bad=bad)
        return replace(kind, again=self.again(raw, kind), explode=self.explode(raw, kind), keep=self.keep(raw))

    def sides(self, name: str, raw: Mapping[str, Any]) -> None:
        if "sides" not in raw and "faces" not in raw:
            self.problem((KEY,), f"the {name} dice need sides or faces, such as sides = 6")
        if "sides" in raw and "faces" in raw:
            self.problem(("faces", KEY), f"the {name} dice have sides and faces; one of the two says it all")
        if "faces" in raw and not raw["faces"]:
            self.problem(("faces",), "a die needs at least one face")
        if "keep" in raw and "again" in raw:
            self.problem(("keep", KEY), "dice that earn more dice cannot be kept or dropped")
        places = [(mark, (*self.path, "faces", mark, KEY)) for mark in raw.get("faces", {})]
        self.builder.labels(places, "a face", " " + APART + ("+" if "explode" in raw else ""))

    def again(self, raw: Mapping[str, Any], kind: Kind) -> Again | None:
        if "again" not in raw:
            return None
        spec = raw["again"]
        when, times, optional = (
            self.test(spec[key], kind, "again", key) if key in spec else self.constant(default)
            for key, default in (("when", 0), ("times", 1), ("optional", 0))
        )
        return Again(when, spec["roll"], times, optional) if when and times and optional else None

    def explode(self, raw: Mapping[str, Any], kind: Kind) -> Explode | None:
        if "explode" not in raw:
            return None
        spec = raw["explode"]
        if not isinstance(spec, dict):
            when, optional = self.test(spec, kind, "explode"), self.test(0, kind, "explode", "optional")
        else:
            when = self.test(spec["when"], kind, "explode", "when")
            optional = self.test(spec.get("optional", 0), kind, "explode", "optional")
        return Explode(when, optional) if when and optional else None

    def keep(self, raw: Mapping[str, Any]) -> Keep | None:
        if "keep" not in raw:
            return None
        spec = raw["keep"]
        if len(spec) != 1:
            self.problem(("keep",), "keep = { highest = … } or keep = { lowest = … }, one of the two")
            return None
        ((which, number),) = spec.items()
        formula = self.formula(number, "keep", which)
        return Keep(which == "highest", formula) if formula else None

    def constant(self, number: int) -> Formula:
        made = self.builder.formula(self.path, number)
        assert made
        return made

    def formula(self, raw: Any, *keys: str) -> Formula | None:
        formula = self.builder.formula((*self.path, *keys), raw)
        if formula:
            self.builder.complaints(formula, check(formula.node, replace(self.scope, dice={})))
        return formula

    def test(self, raw: Any, kind: Kind, *keys: str) -> Formula | None:
        """A formula that is asked of every throw."""
        formula = self.builder.formula((*self.path, *keys), raw)
        if formula:
            unknown = JUDGING if keys[0] in ("good", "bad") else FALLING
            complaints = test_complaints(formula, self.scope, kind, unknown)
            if keys[-1] in ("good", "bad", "when", "explode") and not complaints:
                complaints = blind(raw, formula, keys[-1] in ("good", "bad"))
            self.builder.complaints(formula, complaints)
        return formula

    def problem(self, keys: Path, message: str) -> None:
        self.builder.problem("dice", (*self.path, *keys), message)


def test_complaints(formula: Formula, scope: Scope, kind: Kind, unknown: Mapping[str, str]) -> list[Complaint]:
    """Complaints about a test that does not know all the words that a test over dice on the table knows."""
    return check(formula.node, scope.inside_test(kind).without(unknown))


def blind(raw: Any, formula: Formula, marks_faces: bool) -> list[Complaint]:
    """The complaint about a test that does not look at the die, unless that is meant.

    `true` and `false` say it on purpose. Whether dice explode, earn others or are rerolled may depend on an input
    alone; which faces are good or bad may not."""
    complaint = not_about_die(formula.node)
    meant = isinstance(raw, bool) or not (marks_faces or is_constant(formula.node))
    return [complaint] if complaint and not meant else []


def build_rerolls(builder: Builder, path: Path, raw: Any, scope: Scope) -> tuple[Reroll, ...]:
    entries = [(path, raw)] if isinstance(raw, dict) else [((*path, number), entry) for number, entry in enumerate(raw)]
    rerolls = [build_reroll(builder, place, entry, scope) for place, entry in entries]
    return tuple(reroll for reroll in rerolls if reroll)


def build_reroll(builder: Builder, path: Path, raw: Mapping[str, Any], scope: Scope) -> Reroll | None:
    among = tuple(raw.get("among", scope.dice))
    if not scope.dice:
        builder.problem("dice", path, "this rule has no dice that could be thrown anew")
        return None
    for number, name in enumerate(among):
        if name not in scope.dice:
            said = f"there is no kind of dice «{name}»; {suggest(name, scope.dice)}"
            builder.problem("dice", (*path, "among", number), said)
        elif name in among[:number]:
            builder.problem("dice", (*path, "among", number), f"«{name}» stands here twice")
    if raw["pick"] == "all" and "when" not in raw:
        builder.problem("dice", (*path, "pick"), 'pick = "all" needs a «when»: the faces that are thrown anew')
    if raw["pick"] != "all" and "when" in raw:
        builder.problem("dice", (*path, "when", KEY), '«when» belongs to pick = "all"; here «pick» says which die')
    times = builder.formula((*path, "times"), raw.get("times", 1))
    if times:
        moving = dict.fromkeys(scope.values.keys() - scope.fixed, "it depends on dice, and these still may change")
        builder.complaints(times, check(times.node, replace(scope.without(moving), dice={})))
    return (
        Reroll(times, among, raw["pick"], raw["keep"], reroll_test(builder, path, raw, among, scope)) if times else None
    )


def reroll_test(
    builder: Builder, path: Path, raw: Mapping[str, Any], among: tuple[str, ...], scope: Scope
) -> Formula | None:
    """Which dice are thrown anew: of a die on the table only its face and its sides are known."""
    when = builder.formula((*path, "when"), raw["when"]) if "when" in raw else None
    kinds = [scope.dice[name] for name in among if name in scope.dice]
    if when and kinds:
        complaints = test_complaints(when, scope, kinds[0], LYING)
        builder.complaints(when, complaints or blind(raw["when"], when, marks_faces=False))
    return when
