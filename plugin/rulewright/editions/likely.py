"""How likely a throw is one that ends differently, by the first two inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ..game.formula import parse
from ..game.model import Formula, Rule
from ..game.odds.answer import Odds, odds
from ..game.odds.limits import TooMuch
from ..game.python import Stuck
from ..game.setting import Refused
from .conditions import Condition
from .grid import Axis, usual, written
from .matching import RulePair

MOST_CELLS = 12


def chances(pair: RulePair, found: Condition, every: Sequence[Axis]) -> Iterator[tuple[tuple[str, str], Fraction]]:
    """How likely the throw is one of those, by the first two inputs, the others as usual."""
    normal = written(usual(every), every)
    event = Formula(found.formula, parse(found.formula), pair.old.span)
    own = [axis.ordered[:MOST_CELLS] for axis in every[:2]]
    for row in own[0] if own else ():
        for column in own[1] if len(own) > 1 else [None]:
            said = normal | {axis.name: axis.shown(one) for axis, one in zip(every, (row, column), strict=False)}
            chance = chance_of(pair.old, said, event)
            if chance is not None:
                yield (every[0].shown(row), "" if column is None else every[1].shown(column)), chance


def chance_of(rule: Rule, said: Mapping[str, str], event: Formula) -> Fraction | None:
    answer, wrong = odds(rule, said, now=False)
    if wrong or not isinstance(answer, Odds):
        return None
    try:
        return answer.chance(event).exact
    except (Refused, Stuck, TooMuch):
        return None
