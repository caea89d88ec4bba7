"""Chances of a contest before and after: who wins, by the first input of each side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from ..game.model import SIDES, Rule
from ..game.odds.answer import odds
from .grid import Axis, as_texts, input_axes, usual_values
from .matching import RulePair

MOST_CONTEST_VALUES = 6

ContestInputs = dict[str, str]
Chances = Mapping[str, Fraction]


def contest_axes(pair: RulePair) -> list[list[Axis]] | None:
    """For each side the inputs that both editions know; nothing where they ask for different things."""
    assert pair.old.contest
    assert pair.new.contest
    sides = list(zip(pair.old.contest.of, pair.new.contest.of, strict=False))
    found = [input_axes(old, new) for old, new in sides]
    known = [one for one in found if one is not None]
    return known if len(known) == len(SIDES) else None


def contest_inputs(sides: Sequence[Sequence[Axis]]) -> Iterator[tuple[tuple[str, str], ContestInputs]]:
    """The first input of each side at its values, all others as usual."""
    normal = {
        f"{name}.{key}": text for name, own in zip(SIDES, sides, strict=True) for key, text in usual_texts(own).items()
    }
    values = [[own[0].shown(value) for value in nearest_values(own[0])] if own else [""] for own in sides]
    names = [f"{name}.{own[0].name}" if own else "" for name, own in zip(SIDES, sides, strict=True)]
    for row, column in product(*values):
        said = {name: text for name, text in zip(names, (row, column), strict=True) if name}
        yield (row, column), normal | said


def usual_texts(own: Sequence[Axis]) -> ContestInputs:
    return as_texts(usual_values(own), own)


def nearest_values(axis: Axis) -> list[object]:
    chosen = axis.values[:MOST_CONTEST_VALUES]
    return [value for value in axis.ordered if value in chosen]


def contest_chances(rule: Rule, said: ContestInputs) -> Chances | None:
    """Nothing where they cannot be worked out exactly."""
    found, wrong = odds(rule, said)
    if found is None or wrong or any(chance.exact is None for chance in found.chances.values()):
        return None
    return {name: chance.low for name, chance in found.chances.items()}


def contest_chances_in_both(
    pair: RulePair, sides: Sequence[Sequence[Axis]]
) -> dict[tuple[str, str], tuple[Chances, Chances]]:
    """The chances of both editions, by the first inputs of the sides."""
    found = {}
    for key, said in contest_inputs(sides):
        old, new = contest_chances(pair.old, said), contest_chances(pair.new, said)
        if old is None or new is None:
            return {}
        found[key] = (old, new)
    return found
