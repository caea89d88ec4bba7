"""The chances of published mechanics, worked out without the engine: what all of them count with.

Each function marked with `truth` answers for one rule of one game in this folder. It takes the inputs of the rule and
returns the chance of each outcome, and `mean(STEP)` where a claim asks for it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import TypeVar

F = Fraction
T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Dice = tuple[int, ...]
Chances = dict[str, Fraction]
Truth = Callable[..., Chances]
TRUTHS: dict[tuple[str, str], Truth] = {}


def truth(game: str, rule: str) -> Callable[[Truth], Truth]:
    """Register a function as the truth about a rule."""

    def register(function: Truth) -> Truth:
        assert (game, rule) not in TRUTHS
        TRUTHS[game, rule] = function
        return function

    return register


def judge(rolls: Mapping[T, Fraction], look: Callable[[T], str | tuple[str, dict[str, int]]]) -> Chances:
    """Add up the chances of all rolls by their outcome, and the means of the steps that `look` returns beside it."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for roll, chance in rolls.items():
        seen = look(roll)
        outcome, steps = (seen, {}) if isinstance(seen, str) else seen
        found[outcome] += chance
        for name, value in steps.items():
            found[f"mean({name})"] += chance * value
    return dict(found)


def weigh(pairs: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """A distribution from values that may repeat."""
    found: defaultdict[T, Fraction] = defaultdict(Fraction)
    for value, chance in pairs:
        found[value] += chance
    return dict(found)


def mapped(values: Mapping[T, Fraction], change: Callable[[T], U]) -> dict[U, Fraction]:
    return weigh((change(value), chance) for value, chance in values.items())


def each(*parts: Mapping[T, Fraction]) -> dict[tuple[T, ...], Fraction]:
    """Independent parts, side by side."""
    return {
        tuple(value for value, _ in row): prod((chance for _, chance in row), start=F(1))
        for row in product(*(part.items() for part in parts))
    }


def add(*parts: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The sum of independent numbers."""
    total: dict[int, Fraction] = {0: F(1)}
    for part in parts:
        total = weigh((a + b, p * q) for a, p in total.items() for b, q in part.items())
    return total


def share(faces: Iterable[T]) -> dict[T, Fraction]:
    """A fair die with these faces, which may repeat."""
    counted = Counter(faces)
    return {face: F(times, counted.total()) for face, times in counted.items()}


def die(sides: int) -> dict[int, Fraction]:
    return share(range(1, sides + 1))


def rolls(*sides: int) -> dict[Dice, Fraction]:
    """All rolls of a few dice, in order."""
    return share(product(*(range(1, size + 1) for size in sides)))


def sorted_rolls(sides: int, size: int) -> dict[Dice, Fraction]:
    """All rolls of equal dice, each sorted from the lowest die to the highest."""
    found = {}
    for faces in combinations_with_replacement(range(1, sides + 1), size):
        ways = factorial(size) // prod(factorial(times) for times in Counter(faces).values())
        found[faces] = F(ways, sides**size)
    return found


def hits(size: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of equal dice succeed."""
    return {n: comb(size, n) * chance**n * (1 - chance) ** (size - n) for n in range(size + 1)}


def explode(sides: int, cap: int, least: int = 0) -> dict[int, Fraction]:
    """One die rolled again after a face of `least` (its highest) or more and added up; `cap` is "this or more"."""
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    running = {0: F(1)}
    while running:
        ahead: defaultdict[int, Fraction] = defaultdict(Fraction)
        for value, chance in running.items():
            for face in range(1, sides + 1):
                if value + face >= cap:
                    found[cap] += chance / sides
                elif face >= (least or sides):
                    ahead[value + face] += chance / sides
                else:
                    found[value + face] += chance / sides
        running = dict(ahead)
    return dict(found)


def solve(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Linear equations, by elimination."""
    size = len(rows)
    table = [[*row, end] for row, end in zip(rows, right, strict=True)]
    for i in range(size):
        lead = next(r for r in range(i, size) if table[r][i])
        table[i], table[lead] = table[lead], table[i]
        table[i] = [x / table[i][i] for x in table[i]]
        for r in range(size):
            if r != i and table[r][i]:
                table[r] = [x - table[r][i] * y for x, y in zip(table[r], table[i], strict=True)]
    return [row[-1] for row in table]


def absorb(start: T, move: Callable[[T], Mapping[T | str, Fraction]]) -> Chances:
    """A chain of states that ends in outcomes, which are words: their chances, and `mean(round)`."""
    states = [start]
    moves: dict[T, Mapping[T | str, Fraction]] = {}
    for state in states:
        moves[state] = move(state)
        states += [after for after in moves[state] if not isinstance(after, str) and after not in states]
    place = {state: i for i, state in enumerate(states)}
    ends = sorted({after for row in moves.values() for after in row if isinstance(after, str)})
    # visits to each state, from the equations visits = start + visits * moves
    rows = [
        [F(int(i == j)) - moves[states[j]].get(states[i], F(0)) for j in range(len(states))] for i in place.values()
    ]
    visits = solve(rows, [F(int(state == start)) for state in states])
    found = {end: sum((visits[place[state]] * moves[state].get(end, F(0)) for state in states), F(0)) for end in ends}
    return {**found, "mean(round)": sum(visits, F(0))}
