"""The newer rule in the names of the older one, so that both can be asked the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..game.model import Category, Contest, Formula, Input, Kind, Rule, Spend
from ..game.people import Specialties
from ..game.tree import DICE, Node

if TYPE_CHECKING:
    from .matching import RulePair

ALL_PARTS = ("rule", "input", "step", "dice", "outcome")
Names = Mapping[str, str]
T = TypeVar("T", bound=Any)


def rule_in_old_names(pair: RulePair, parts: Collection[str] = ALL_PARTS) -> Rule:
    """The rule itself where none of these parts has another name; a name that is taken there stays as it is."""
    back = {part: {new: old for (what, old), new in pair.called.items() if what == part} for part in parts}
    values = unambiguous_names(
        {**back.get("input", {}), **variable_names(pair, back.get("input", {})), **back.get("step", {})}, pair.new
    )
    compare = {new: old for side in pair.sides[:1] for (what, old), new in side.called.items() if what == "step"}
    naming = Renamer(values, changed_names(back.get("dice", {})), changed_names(back.get("outcome", {})))
    sides = tuple(rule_in_old_names(side, parts) for side in pair.sides)
    if any(naming) or any(one is not side.new for one, side in zip(sides, pair.sides, strict=True)):
        found = naming.rule(pair.new, sides, changed_names(compare) if "step" in parts else {})
        return replace(found, name=pair.old.name) if "rule" in parts else found
    return replace(pair.new, name=pair.old.name) if "rule" in parts and pair.new.name != pair.old.name else pair.new


def changed_names(names: Names) -> dict[str, str]:
    return {new: old for new, old in names.items() if new != old}


def unambiguous_names(names: Names, rule: Rule) -> dict[str, str]:
    """Those that do not fall upon a name that something else has kept."""
    own = [*(one.name for one in rule.inputs), *(one.name for one in rule.steps)]
    kept = {name for name in own if names.get(name, name) == name}
    return {new: old for new, old in changed_names(names).items() if old not in kept}


def variable_names(pair: RulePair, inputs: Names) -> dict[str, str]:
    """A die code has names of its own for its two parts."""
    old, new = ({one.name: one for one in rule.inputs} for rule in pair.both)
    both = [(old[before], new[after]) for after, before in inputs.items()]
    return {one: other for before, after in both for one, other in zip(after.parts, before.parts, strict=False)}


class Renamer(NamedTuple):
    """What inputs and steps, kinds of dice and outcomes are called instead."""

    values: Names
    kinds: Names
    outcomes: Names

    def rule(self, rule: Rule, sides: tuple[Rule, ...], compare: Names) -> Rule:
        """`compare` are the steps of the rules that stand against each other."""
        return replace(
            rule,
            inputs=tuple(map(self.input, rule.inputs)),
            dice=tuple(map(self.kind, rule.dice)),
            rerolls=tuple(
                replace(self.fields(one, "times", "when"), among=self.dice(one.among)) for one in rule.rerolls
            ),
            steps=tuple(replace(self.fields(one, "formula"), name=self.value(one.name)) for one in rule.steps),
            marks={name: self.formula(one) for name, one in rule.marks.items()},
            outcomes=tuple(
                replace(self.fields(one, "when", "degree"), name=self.outcomes.get(one.name, one.name))
                for one in rule.outcomes
            ),
            contest=self.contest(rule.contest, sides, compare) if rule.contest else None,
            spends=tuple(
                replace(one, changes=self.changes(one.changes), highest=self.dice(one.highest)) for one in rule.spends
            ),
            traits=replace(rule.traits, into=tuple(map(self.value, rule.traits.into))) if rule.traits else None,
            specialties=self.specialties(rule.specialties) if rule.specialties else None,
            register={name: self.category(one) for name, one in rule.register.items()},
        )

    def contest(self, own: Contest, sides: tuple[Rule, ...], compare: Names) -> Contest:
        return replace(own, of=sides or own.of, compare=compare.get(own.compare, own.compare))

    def value(self, name: str) -> str:
        return self.values.get(name, name)

    def dice(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.kinds.get(name, name) for name in names)

    def input(self, entry: Input) -> Input:
        parts = tuple(map(self.value, entry.parts))
        return replace(self.fields(entry, "asked"), name=self.value(entry.name), parts=parts)

    def kind(self, kind: Kind) -> Kind:
        again = self.fields(kind.again, "when", "times", "optional") if kind.again else None
        return replace(
            self.fields(kind, "count", "sides", "good", "bad"),
            name=self.kinds.get(kind.name, kind.name),
            again=replace(again, roll=self.kinds.get(again.roll, again.roll)) if again else None,
            explode=self.fields(kind.explode, "when", "optional") if kind.explode else None,
            keep=self.fields(kind.keep, "number") if kind.keep else None,
        )

    def spend(self, own: Spend) -> Spend:
        return replace(own, changes=self.changes(own.changes), highest=self.dice(own.highest))

    def specialties(self, own: Specialties) -> Specialties:
        return replace(own, into=self.value(own.into), unused_adds=self.value(own.unused_adds))

    def category(self, own: Category) -> Category:
        return replace(own, untrained=None if own.untrained is None else self.changes(own.untrained))

    def changes(self, own: Mapping[str, Formula]) -> dict[str, Formula]:
        return {self.value(name): self.formula(one) for name, one in own.items()}

    def fields(self, own: T, *names: str) -> T:
        """With the formulas of these fields in other names, where there are any."""
        found = {name: getattr(own, name) for name in names}
        return replace(own, **{name: self.formula(one) for name, one in found.items() if one is not None})

    def formula(self, formula: Formula) -> Formula:
        return replace(formula, node=self.node(formula.node))

    def node(self, node: Node) -> Node:
        args: list[Any] = [self.node(arg) if isinstance(arg, Node) else arg for arg in node.args]
        if node.op == "name":
            args[0] = self.value(args[0])
        elif node.op in DICE:
            args[0] = self.kinds.get(args[0], args[0])
        return replace(node, args=tuple(args))
