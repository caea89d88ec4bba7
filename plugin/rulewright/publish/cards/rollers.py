"""A roller before it rolls: its inputs, where they start, and the odds there."""

from __future__ import annotations

from typing import NamedTuple

from ...checks.model import Checked
from ...game.model import SIDES
from ...game.odds.remembered import chances
from ..words import Words
from .bars import Bar, bars
from .inputs import Asked, asked


class Part(NamedTuple):
    """The inputs of one side of a contest, or of a roll by itself, which needs no heading."""

    heading: str
    inputs: list[Asked]


class Roller(NamedTuple):
    parts: list[Part]
    odds: list[Bar]

    @property
    def inputs(self) -> list[Asked]:
        """All in one list, for what has no room for headings."""
        return [
            one._replace(label=f"{part.heading}: {one.label}" if part.heading else one.label)
            for part in self.parts
            for one in part.inputs
        ]


def roller(checked: Checked, words: Words) -> Roller | None:
    rule = checked.rule
    if rule is None:
        return None
    known = chances(rule, checked.inputs, checked.policy)
    if not rule.contest:
        return Roller([Part("", asked(rule, words, checked.inputs))], bars(known, words))
    parts = [
        Part(words(f"side {number}"), asked(side, words, own_inputs(checked, number)))
        for number, side in enumerate(rule.contest.of, 1)
    ]
    sides = {words(f"side {SIDES.index(name) + 1}") if name in SIDES else name: one for name, one in known.items()}
    return Roller(parts, bars(sides, words))


def own_inputs(checked: Checked, number: int) -> dict[str, str]:
    """What is written for one side of a contest."""
    place = f"{SIDES[number - 1]}."
    return {name.removeprefix(place): text for name, text in checked.inputs.items() if name.startswith(place)}
