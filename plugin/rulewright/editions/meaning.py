"""Steps of a rule that mean the same in both editions: worked out alike, from the same dice and inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..game.model import Rule
from ..game.setting import Setting
from ..game.tree import DICE, Node, names_in, walk
from .compare import INSIDE_RULES, find_new_names
from .declared import rule_entity
from .matching import RulePair
from .things import Entity, Names, rename_entity
from .unthrown import UnusedDice, drop_dice, find_unused_dice

Key = tuple[str, str]  # what it is, and its name
COUNTED = ("good", "bad")  # asked for only by formulas that name them
AGAIN_PREFIX = "again_"
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class RuleParts:
    """A rule by its parts, in the names of the newer edition."""

    rule: Rule
    parts: Mapping[Key, Entity]
    unthrown: UnusedDice

    def rests(self, keys: Iterable[Key]) -> dict[Key, Facts]:
        """All that something rests on, down to the dice and the inputs."""
        found: dict[Key, Facts] = {}
        waiting = [*keys]
        while waiting:
            key = waiting.pop()
            if key not in found:
                found[key] = self.facts(key)
                waiting += self.further(key, found[key])
        return found

    def worked_out(self, step: str) -> tuple[Facts, Mapping[Key, Facts]]:
        """How, and from what: two steps of any names are one when they have it in common."""
        found = self.rests([("step", step)])
        return found.pop(("step", step)), found

    def facts(self, key: Key) -> Facts:
        part, name = key
        if part == "table":
            table = self.rule.tables.get(name)
            return {"rows": table and (table.columns, dict(table.rows), table.ranges)}
        thing = self.parts.get(("dice", name) if part in COUNTED else key)
        told = {aspect: self.plain(one.meaning) for aspect, one in thing.facts.items()} if thing else {}
        if part in COUNTED:
            return {part: told.get(part)}
        if part == "input":
            return {"asked": told.get("asked")}
        return told if part != "dice" else {aspect: one for aspect, one in told.items() if self.counts(name, aspect)}

    def plain(self, meaning: Any) -> Any:
        return drop_dice(meaning, self.unthrown.absent) if isinstance(meaning, Node) else meaning

    def counts(self, kind: str, aspect: str) -> bool:
        """Does it matter for the throws of this kind?"""
        return aspect not in COUNTED and not (aspect.startswith(AGAIN_PREFIX) and kind in self.unthrown.barren)

    def further(self, key: Key, told: Facts) -> Iterator[Key]:
        nodes = [one for one in told.values() if isinstance(one, Node)]
        yield from (other for node in nodes for other in self.asked(node))
        if key[0] == "dice":
            yield from ((word, key[1]) for word in COUNTED if any(word in names_in(node) for node in nodes))
            yield from (other for other in self.parts if other[0] == "reroll")
            if "again_roll" in told:
                yield "dice", told["again_roll"]

    def asked(self, node: Node) -> Iterator[Key]:
        return (other for inner in walk(node) for other in self.named(inner))

    def named(self, node: Node) -> Iterator[Key]:
        """What one operation of a formula names."""
        if node.op in DICE:
            yield "dice", node.args[0]
            words = names_in(node.args[1]) if isinstance(node.args[1], Node) else set[str]()
            yield from ((word, node.args[0]) for word in COUNTED if word in words)
        elif node.op == "lookup":
            yield "table", node.args[0]
        elif node.op == "name":
            yield "step" if ("step", node.args[0]) in self.parts else "input", node.args[0]


def make_rule_parts(thing: Entity, setting: Setting, names: Names) -> RuleParts:
    parts = {(one.part, one.name): one for one in thing.inner}
    return RuleParts(setting.rule, parts, find_unused_dice(setting).called(names))


class BothRuleParts(NamedTuple):
    """Both rules in the names of the newer one, and the values that the older one knows."""

    before: RuleParts
    after: RuleParts
    names: Names
    known: Mapping[str, Any]


def rule_parts_of_both(pair: RulePair, old_setting: Setting, new_setting: Setting) -> BothRuleParts:
    old, new = rule_entity(pair.old), rule_entity(pair.new)
    names = find_new_names(old, new)
    before = make_rule_parts(relabel_parts(rename_entity(old, names), names), old_setting, names)
    known = {names.get(name, name): value for name, value in old_setting.known.items()}
    return BothRuleParts(before, make_rule_parts(new, new_setting, {}), names, known)


def map_same_steps(pair: RulePair, old_setting: Setting, new_setting: Setting) -> dict[str, str]:
    """Those that have one value in both editions whatever is thrown, each with the one that it is in the newer one."""
    before, after, names, known = rule_parts_of_both(pair, old_setting, new_setting)
    theirs = {name: after.worked_out(name) for name in (step.name for step in pair.new.steps)}
    found: dict[str, str] = {}
    for step in pair.old.steps:
        name = names.get(step.name, step.name)
        own, rests = before.worked_out(name)
        inputs = [other for part, other in rests if part == "input"]
        if all(known.get(one) == new_setting.known.get(one) for one in inputs):
            alike = [other for other, worked_out in theirs.items() if worked_out == (own, rests)]
            if alike:
                found[step.name] = name if name in alike else alike[0]
    return found


def relabel_parts(thing: Entity, names: Names) -> Entity:
    inner = (
        replace(one, name=names.get(one.name, one.name)) if one.part in INSIDE_RULES else one for one in thing.inner
    )
    return replace(thing, inner=tuple(inner))
