"""Sides of a rule with two rolls, by the names that an example gives them: `side Ann: die d6, dice 5`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...game.model import Roll, Rule
from .wording import SideLabel


def name_sides(rule: Rule, names: Mapping[str, str]) -> Rule:
    """The rule as the card of such an example shows it: with these names in place of those of its rolls."""
    return rule.cached(("sides", *names.items()), lambda: _name_sides(rule, names)) if names else rule


def _name_sides(rule: Rule, names: Mapping[str, str]) -> Rule:
    for roll in rule.rolls:
        rule = _name_side(rule, roll, names[roll.name])
    return rule


def _name_side(rule: Rule, roll: Roll, name: str) -> Rule:
    lead, old = f"{roll.name}.", roll.label

    def rename(label: str) -> str:
        return SideLabel(f"{name}{label[len(old) :]}") if label.lower().startswith(f"{old.lower()}: ") else label

    return replace(
        rule,
        inputs=tuple(
            replace(entry, label=rename(entry.label)) if entry.name.startswith(lead) else entry for entry in rule.inputs
        ),
        dice=tuple(
            replace(kind, label=kind.label.replace(old, name, 1)) if kind.name.startswith(lead) else kind
            for kind in rule.dice
        ),
        steps=tuple(
            replace(step, label=rename(step.label)) if step.label and step.name.startswith(lead) else step
            for step in rule.steps
        ),
        outcomes=tuple(replace(own, label=name) if own.name.lower() == roll.name else own for own in rule.outcomes),
        rolls=tuple(replace(own, side=name) if own.name == roll.name else own for own in rule.rolls),
    )
