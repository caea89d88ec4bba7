"""Whether results that an example tells can be at all: is there a throw that gives them?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from ..game.bounds import Worth
from ..game.breeding import domain, sample
from ..game.inputs import bind
from ..game.model import Formula, Input, Rule
from ..game.notation import Unreadable
from ..game.odds.family import NotExact
from ..game.odds.limits import TooMuch
from ..game.odds.memory import dice_names
from ..game.odds.plan import Question
from ..game.odds.solve import Solver
from ..game.odds.undecided import Undecided
from ..game.outline import worths
from ..game.program import program
from ..game.python import Stuck
from ..game.setting import Refused, Setting
from ..game.tree import Node
from .partial import shown_tallies
from .scene import Scene

MOST_TRIES = 300
Values = Mapping[str, int | str]


def attainable(scene: Scene, given: Values) -> bool:
    """Whether some throw, for some value of the inputs that are left out, gives all that is told.

    Nothing is claimed that has not been tried: where values are too many for that, the answer is yes."""
    rule = without_rerolls(scene.rule)
    largest = max((abs(value) for value in given.values() if isinstance(value, int)), default=0)
    most = max(MOST_TRIES // max(largest // 10, 1) ** 2, 1)  # large numbers take longer
    free = free_inputs(scene, rule)
    if excluded(scene, given, free):
        return False
    for tries, values in enumerate(possible_values(scene, free)):
        if tries == most:
            return True
        try:
            if possible(Setting(rule, values), [*told(given), *shown(scene, values)]):
                return True
        except (Refused, Stuck, Unreadable):
            continue
        except (TooMuch, NotExact):
            return True
    return any(domain(entry) > len(sample(entry, MOST_TRIES)) for entry in free)


@lru_cache(maxsize=256)
def without_rerolls(rule: Rule) -> Rule:
    """A die that is thrown anew may show what it showed: what is possible at all is possible without."""
    return replace(rule, rerolls=())


def excluded(scene: Scene, given: Values, free: Sequence[Input]) -> bool:
    """Whether one thing that is told lies outside of what all others leave, whatever the dice and what is left out."""
    stated, names = bind(scene.rule, scene.texts)[0], {entry.name for entry in free}
    if any(entry.asked for entry in free):  # worth its default there, which it need not have
        return False
    setting = Setting(scene.rule, {name: value for name, value in stated.items() if name not in names})
    for name, value in given.items():
        others = {other: known for other, known in given.items() if other != name}
        if outside(worths(setting, {}, others).values[name], value):
            return True
    return False


def outside(worth: Worth, value: int | str) -> bool:
    if isinstance(value, str) or isinstance(worth, frozenset):
        return isinstance(worth, frozenset) and value not in worth
    return not worth.low <= value <= worth.high


def free_inputs(scene: Scene, rule: Rule) -> list[Input]:
    """The inputs that are left out and decide about dice, or of which nothing is known."""
    stated, made = bind(scene.rule, scene.texts)[0], program(rule)
    deciding = made.behind(dice_names(made)) | made.needed(kind.count for kind in rule.dice)
    deciding |= made.needed(kind.keep.number for kind in rule.dice if kind.keep)
    return [
        entry
        for entry in scene.rule.inputs
        if entry.name not in scene.inputs and (deciding & set(entry.variables) or entry.name not in stated)
    ]


def possible_values(scene: Scene, free: Sequence[Input]) -> Iterator[dict[str, Any]]:
    """Values for the inputs that are free; all others stand as they are."""
    stated, _ = bind(scene.rule, scene.texts)
    columns = []
    for entry in scene.rule.inputs:
        known = [stated[entry.name]] if entry.name in stated else []
        some = sample(entry, MOST_TRIES) if entry in free else []
        columns.append(list(dict.fromkeys([*known, *some])))
    names = [entry.name for entry in scene.rule.inputs]
    return (dict(zip(names, row, strict=True)) for row in plainest_first(columns))


def plainest_first(columns: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """One value of each column: first of each the first, then rows that depart from that in ever more places."""
    places = range(len(columns))
    for size in range(len(columns) + 1):
        for others in combinations(places, size):
            yield from product(*(columns[place][1:] if place in others else columns[place][:1] for place in places))


def shown(scene: Scene, values: Mapping[str, Any]) -> list[Node]:
    """What the dice that are written beside what is told leave no choice about."""
    dice, rule = scene.roll.get("dice"), scene.rule
    found = shown_tallies(Setting(rule, values), dice.text) if dice else {}
    return [equals(Node("tally", (name,)), value) for name, value in found.items()]


def possible(setting: Setting, wanted: Sequence[Node]) -> bool:
    """Whether dice can fall so under these inputs; what could not be counted is not ruled out."""
    solver = Solver(setting, True, "best mean")
    solver.machine = Undecided(setting)
    node = wanted[0] if len(wanted) == 1 else Node("and", tuple(wanted))
    found = solver.count(Question((Formula("all that is told", node, setting.rule.span),)))
    return bool(found.weights.get((0,)) or found.unknown or any(not far.outcome and far.chance for far in found.beyond))


def told(given: Values) -> list[Node]:
    return [equals(Node("name", (name,)), value) for name, value in given.items()]


def equals(what: Node, value: int | str) -> Node:
    if isinstance(value, str):
        return Node("=", (what, Node("word", (value,))))
    number = Node("number", (abs(value),))
    return Node("=", (what, number if value >= 0 else Node("neg", (number,))))
