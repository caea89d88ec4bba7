"""Policies: whether optional dice are taken and how rerolls are chosen, for players and for odds."""

from __future__ import annotations

from ..game.core import CoreKind, CoreRule
from ..game.lower import lower_rule
from ..game.model import Rule
from ..play.bound_rule import BoundRule

OPTIONAL_POLICIES = ("always", "never")  # optional dice
REROLL_POLICIES = ("best mean", "best chance")  # rerolls
POLICIES = OPTIONAL_POLICIES + REROLL_POLICIES


def _has_optional_throws(kind: CoreKind) -> bool:
    """Whether a player may ever decline a throw of such a die."""
    choices = [entry.optional.node for entry in kind.again]
    return any(choice.op != "number" or choice.args[0] for choice in choices)


def relevant_policies(rule: Rule) -> tuple[str, ...]:
    """The policies that make a difference for a rule."""
    core = lower_rule(rule)
    has_optional = any(_has_optional_throws(kind) for kind in core.kinds)
    has_choice = any(reroll.pick == "any" for reroll in core.again)
    return (OPTIONAL_POLICIES if has_optional else ()) + (REROLL_POLICIES if has_choice else ())


def choose_policies(rule: Rule | CoreRule, policy: str = "") -> tuple[str, str]:
    """The policy for optional dice and the one for rerolls: as given, otherwise the first ones of the rule."""
    wanted = (policy, *rule.policies)
    optional_policy = next((name for name in wanted if name in OPTIONAL_POLICIES), OPTIONAL_POLICIES[0])
    reroll_policy = next((name for name in wanted if name in REROLL_POLICIES), REROLL_POLICIES[0])
    return optional_policy, reroll_policy


def policies_in_use(setting: BoundRule, policy: str) -> dict[str, str]:
    """The policies for the choices that arise with these inputs, by kind of choice."""
    optional_policy, reroll_policy = choose_policies(setting.rule, policy)
    in_use = {}
    if any(_has_optional_throws(kind) for kind in setting.rule.kinds):
        in_use["taking"] = optional_policy
    if any(reroll.pick == "any" and setting.evaluate(reroll.times) > 0 for reroll in setting.rule.again):
        in_use["choosing"] = reroll_policy
    return in_use
