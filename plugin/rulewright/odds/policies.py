"""Policies: whether optional dice are taken and how rerolls are chosen, for players and for odds."""

from __future__ import annotations

from ..game.model import Kind, Rule
from ..play.bound_rule import Setting

TAKING = ("always", "never")  # optional dice


CHOOSING = ("best mean", "best chance")  # rerolls


POLICIES = TAKING + CHOOSING


def optional(kind: Kind) -> bool:
    """Whether a player may ever decline a throw of such a die."""
    choices = [part.optional for part in (kind.again, kind.explode) if part]
    return any(choice.node.op != "number" or choice.node.args[0] for choice in choices)


def choices(rule: Rule) -> tuple[str, ...]:
    """The policies that make a difference for a rule."""
    taking = any(optional(kind) for kind in rule.dice)
    choosing = any(reroll.pick == "any" for reroll in rule.rerolls)
    return (TAKING if taking else ()) + (CHOOSING if choosing else ())


def chosen(rule: Rule, policy: str = "") -> tuple[str, str]:
    """The policy for optional dice and the one for rerolls: as given, otherwise the first ones of the rule."""
    wanted = (policy, *rule.policies)
    taking = next((name for name in wanted if name in TAKING), TAKING[0])
    choosing = next((name for name in wanted if name in CHOOSING), CHOOSING[0])
    return taking, choosing


def chosen_policies(setting: Setting, policy: str) -> dict[str, str]:
    """The policies for the choices that arise with these inputs, by kind of choice."""
    taking, choosing = chosen(setting.rule, policy)
    found = {}
    if any(optional(kind) for kind in setting.rule.dice):
        found["taking"] = taking
    if any(reroll.pick == "any" and setting.of(reroll.times) > 0 for reroll in setting.rule.rerolls):
        found["choosing"] = choosing
    return found
