"""Twins of Maelstrom, both editions: pools of ten-sided dice, counted face by face."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from .odds import Odds, Result, gather

TENTH = Fraction(1, 10)
Tally = tuple[int, int]  # successes, ones


def judge(successes: int, botches: int, threshold: int) -> Result:
    kept = max(successes - threshold, 0)
    net = kept - botches
    steps = (("successes", successes), ("botches", botches), ("kept", kept), ("net", net))
    if net > 0:
        return Result("success", net, steps)
    return Result("botch", -net, steps) if net < 0 else Result("failure", 0, steps)


def judge_first_edition(successes: int, failures: int, threshold: int) -> Result:
    kept = max(successes - threshold, 0)
    steps = (("successes", successes), ("failures", failures), ("kept", kept))
    if kept == 0 and failures > 0:
        return Result("botch", 0, steps)
    return Result("success", kept - failures, steps) if kept > failures else Result("failure", 0, steps)


def thrown(pool: int, difficulty: int) -> Iterator[tuple[int, int, int, Fraction]]:
    """Successes, ones and tens of every way the pool can fall."""
    falls = Counter(
        (sum(face >= difficulty for face in faces), faces.count(1), faces.count(10))
        for faces in product(range(1, 11), repeat=pool)
    )
    for (good, ones, tens), ways in falls.items():
        yield good, ones, tens, Fraction(ways, 10**pool)


def together(first: dict[Tally, Fraction], second: dict[Tally, Fraction]) -> dict[Tally, Fraction]:
    table: defaultdict[Tally, Fraction] = defaultdict(Fraction)
    for ((a, b), p), ((c, d), q) in product(first.items(), second.items()):
        table[a + c, b + d] += p * q
    return dict(table)


@cache
def earned_die(difficulty: int, children: int, ones: bool, depth: int) -> dict[Tally, Fraction]:
    """An earned die with all that it earns: each 10 throws `children` more, to `depth` throws in a row."""
    if depth == 0:
        return {}
    table: defaultdict[Tally, Fraction] = defaultdict(Fraction)
    for face in range(1, 11):
        more = earned_dice(children, difficulty, children, ones, depth - 1) if face == 10 else {(0, 0): Fraction(1)}
        for (good, bad), chance in more.items():
            table[good + (face >= difficulty), bad + (ones and face == 1)] += chance * TENTH
    return dict(table)


@cache
def earned_dice(number: int, difficulty: int, children: int, ones: bool, depth: int) -> dict[Tally, Fraction]:
    table = {(0, 0): Fraction(1)}
    for _ in range(number):
        table = together(table, earned_die(difficulty, children, ones, depth))
    return table


def action(
    *, pool: int, difficulty: int = 6, raised: int = 0, threshold: int = 0, specialty: bool = False, depth: int = 6
) -> Odds:
    """Each 10 earns two dice, whose ones do not count."""
    goal = difficulty + raised

    def results() -> Iterator[tuple[Result, Fraction]]:
        for good, ones, tens, chance in thrown(pool, goal):
            for (more, _), further in earned_dice(2 * tens if specialty else 0, goal, 2, False, depth).items():
                yield judge(good + more, ones, threshold), chance * further

    return gather(results())


def first_edition_action(
    *,
    pool: int,
    difficulty: int = 6,
    raised: int = 0,
    threshold: int = 0,
    specialty: bool = False,
    aim: str = "always",
    depth: int = 6,
) -> Odds:
    """Each 10 may earn one die, whose ones count like any other."""
    goal = difficulty + raised
    throws_on = specialty and aim == "always"

    def results() -> Iterator[tuple[Result, Fraction]]:
        for good, ones, tens, chance in thrown(pool, goal):
            for (more, bad), further in earned_dice(tens if throws_on else 0, goal, 1, True, depth).items():
                yield judge_first_edition(good + more, ones + bad, threshold), chance * further

    return gather(results())


def settle(result: Result, current: int, spend: bool) -> Result:
    """What a willpower roll leaves; a dot can be spent unless it is a botch or the last dot."""
    net = result.value("net")
    if net < 0:
        return Result("botch", -net, (*result.steps, ("left", current + net)))
    if spend and current >= 2:
        return Result("success", current - 1, (*result.steps, ("left", current - 1)))
    return Result("success" if net else "failure", net, (*result.steps, ("left", current)))


def willpower(*, current: int, difficulty: int = 6, threshold: int = 0, spend: bool = False) -> Odds:
    return gather(
        (settle(judge(good, ones, threshold), current, spend), chance)
        for good, ones, _, chance in thrown(current, difficulty)
    )
