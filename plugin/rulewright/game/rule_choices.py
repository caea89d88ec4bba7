"""Finds mistakes in the choices of a rule and in its aim."""

from __future__ import annotations

from collections.abc import Iterator

from .aims import TAKING
from .model import Rule
from .schema import KEY
from .toml import Path


def find_aim_problems(rule: Rule, message: str) -> Iterator[tuple[Path, str]]:
    """What is wrong with the aim of a rule, with the path to it; `message` says what is wrong with its text."""
    if message:
        yield ("aim",), message
    elif rule.aim and rule.policies:
        yield ("policies", KEY), "the rule has an aim; leave the policies out"
    elif rule.aim and rule.aim.text in TAKING and any(reroll.pick == "any" for reroll in rule.rerolls):
        yield ("aim",), f"`{rule.aim.text}` cannot say which die is picked; write chance(OUTCOME) or mean(STEP)"
