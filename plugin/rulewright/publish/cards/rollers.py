"""A roller before it rolls: its inputs, where they start, and the odds there."""

from __future__ import annotations

from typing import NamedTuple

from ...checks.model import Checked
from ...game.odds.contest import SIDES
from ...game.odds.remembered import chances
from ..words import Words
from .bars import Bar, bars
from .inputs import Asked, asked


class Roller(NamedTuple):
    inputs: list[Asked]
    odds: list[Bar]


def roller(checked: Checked, words: Words) -> Roller | None:
    rule = checked.rule
    if rule is None:
        return None
    known = chances(rule, checked.inputs, checked.policy)
    if not rule.contest:
        return Roller(asked(rule, words, checked.inputs), bars(known, words))
    inputs = [
        one._replace(label=words("of side", side=words(f"side {number}"), name=one.label))
        for number, side in enumerate(rule.contest.of, 1)
        for one in asked(side, words, own_inputs(checked, number))
    ]
    return Roller(inputs, bars(known, words))


def own_inputs(checked: Checked, number: int) -> dict[str, str]:
    """What is written for one side of a contest."""
    place = f"{SIDES[number - 1]}."
    return {name.removeprefix(place): text for name, text in checked.inputs.items() if name.startswith(place)}
