"""Numbers beside dice, judged by the habits of the whole book."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import NamedTuple

from ...text import Problem
from .average_told import figure, others
from .pairs import Pair, die_by_die, fits, hero, near, way

ENOUGH = 3  # so many averages that fit show a habit
STEADY = 4  # so many means rounded in one way show how a book rounds
NO_AVERAGE = re.compile(  # what these words name is no average of dice
    r"levels?|lvl|pages?|pp?|pg|table|chapter|section|roll(?:s|ed|ing)?|throw(?:s|ing)?|threw|target|dc|check|save|ac|hd|die|dice"
    r"|morale|ml|recharge|difficulty|rank|tier|cr|initiative|bonus|step|gets?|got|prices?|costs?|rounds?|turns?|aged?"
)


class Habits(NamedTuple):
    """What a book does with numbers beside dice."""

    shapes: frozenset[str]  # so written, a number is an average
    keys: frozenset[str]  # behind this word it is, even when it is far off
    strangers: frozenset[str]  # behind this word it is something else
    by_die: bool  # each die is rounded by itself
    rounds: str  # down, up or nothing that is known
    ways: Mapping[str, str]  # the same of numbers written in one way, where it is known
    exact: frozenset[str]  # so written, a mean keeps its half
    agree: int
    of: int


def judged(pairs: Sequence[Pair]) -> list[Problem]:
    habits = learned(pairs)
    return [problem for pair in pairs for problem in [wrong(pair, habits)] if problem]


def learned(pairs: Sequence[Pair]) -> Habits:
    strangers = frozenset(key for key, (good, bad) in tally(pairs, "key").items() if bad >= 2 and bad >= good)
    known = [
        pair for pair in pairs if pair.key not in strangers and not NO_AVERAGE.fullmatch(pair.key) and not hero(pair)
    ]
    many = [pair for pair in known if any(abs(dice.number) > 1 for dice in pair.dice.dice)]
    by_die = count(die_by_die, many) >= max(ENOUGH, count(fits, many))
    shapes = {shape for shape, (good, bad) in tally(known, "shape", by_die).items() if good >= max(ENOUGH, 2 * bad)}
    keys = {key for key, (good, bad) in tally(known, "key", by_die).items() if key and sure(good, bad)}
    agree = [pair for pair in known if right(pair, by_die)]
    exact = frozenset(pair.shape for pair in agree if way(pair) == "not")
    ways = {shape: rounding([pair for pair in agree if pair.shape == shape]) for shape in shapes}
    told = (rounding(agree), {shape: found for shape, found in ways.items() if found})
    return Habits(frozenset(shapes), frozenset(keys), strangers, by_die, *told, exact, len(agree), len(known))


def count(asks: Callable[[Pair], bool], pairs: Iterable[Pair]) -> int:
    return sum(map(asks, pairs))


def sure(good: int, bad: int) -> bool:
    return good > ENOUGH and good >= 10 * bad - 5


def tally(pairs: Iterable[Pair], what: str, by_die: bool = False) -> dict[str, list[int]]:
    """How many pairs fit and how many do not, by their shape or by the word before; damage that fits counts twice."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair in pairs:
        good = right(pair, by_die)
        counts[pair.shape if what == "shape" else pair.key][not good] += 1 + (good and pair.damage)
    return counts


def right(pair: Pair, by_die: bool) -> bool:
    return fits(pair) or hero(pair) or (by_die and die_by_die(pair))


def rounding(pairs: Iterable[Pair]) -> str:
    """The one way in which nearly all means are rounded."""
    ways = Counter(way(pair) for pair in pairs if not pair.label)
    (best, most), (_, least) = sorted((("down", ways["down"]), ("up", ways["up"])), key=lambda one: -one[1])
    return best if most >= STEADY and most >= 8 * least - 4 else ""


def wrong(pair: Pair, habits: Habits) -> Problem | None:
    if not is_average(pair, habits):
        return None
    if not right(pair, habits.by_die):
        return apart(pair, habits)
    return rounded_else(pair, habits) if not pair.label else None


def is_average(pair: Pair, habits: Habits) -> bool:
    if pair.label:
        return pair.said * 2 == int(pair.said * 2)  # 4.2 for an exploding die is none of ours
    if pair.key in habits.strangers or NO_AVERAGE.fullmatch(pair.key):
        return False
    usual = pair.shape in habits.shapes or (pair.damage and not pair.dice.bare)
    return usual and (near(pair) or pair.key in habits.keys)


def apart(pair: Pair, habits: Habits) -> Problem:
    mean, best = pair.dice.mean, nearest_way(pair, habits)
    exact = f", {figure(best)} when rounded {habits.rounds or 'down'}" if mean != int(mean) and best != mean else ""
    message = f"{pair.written} averages {figure(mean)}{exact}, but the text says {figure(pair.said)}"
    notes = [f"write {figure(best)}, or change the dice{others(pair, habits.rounds)}"]
    if not pair.label and habits.agree >= ENOUGH:
        notes.append(f"{habits.agree} of {habits.of} numbers beside dice in this book are their averages")
    return Problem("average-wrong", message, pair.span, "warning", tuple(notes), pair.trail)


def nearest_way(pair: Pair, habits: Habits) -> float:
    mean = pair.dice.mean
    if pair.shape in habits.exact or (pair.label and not habits.rounds):
        return mean
    return ceil(mean) if habits.rounds == "up" else max(floor(mean), 1)


def rounded_else(pair: Pair, habits: Habits) -> Problem | None:
    rounds = habits.ways.get(pair.shape, habits.rounds)
    if not rounds or way(pair) not in ("down", "up") or way(pair) == rounds:
        return None
    best = figure(ceil(pair.dice.mean) if rounds == "up" else max(floor(pair.dice.mean), 1))
    message = (
        f"{pair.written} averages {figure(pair.dice.mean)}, which this book rounds {rounds} to {best}, "
        f"but the text says {figure(pair.said)}"
    )
    note = f"write {best}, or change the dice{others(pair, rounds)}"
    return Problem("average-rounded", message, pair.span, "warning", (note,), pair.trail)
