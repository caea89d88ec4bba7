"""Mechanics that once were refused, or got bounds: each as a small game, with its answers worked out here.

Nothing here comes from the engine: enumeration with `itertools`, sums of fractions, and closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb, factorial

F = Fraction
Chances = dict[int, Fraction]


@dataclass(frozen=True)
class Mechanic:
    """A game with one rule, `roll`, and what is known about it: chances of outcomes, means of steps."""

    name: str
    text: str
    chances: Callable[[], Mapping[str, Fraction]]
    means: Callable[[], Mapping[str, Fraction]] = field(default=dict)


def die(faces: Iterable[int]) -> Chances:
    counted = Counter(faces)
    return {face: F(times, counted.total()) for face, times in counted.items()}


def add(left: Mapping[int, Fraction], right: Mapping[int, Fraction]) -> Chances:
    both: Chances = {}
    for (a, chance), (b, share) in product(left.items(), right.items()):
        both[a + b] = both.get(a + b, F(0)) + chance * share
    return both


def pool(one: Chances, dice: int) -> Chances:
    result = {0: F(1)}
    for _ in range(dice):
        result = add(result, one)
    return result


def below(sides: int, value: int) -> Fraction:
    """The chance that a die which explodes on its highest face stays below a value."""
    levels, rest = divmod(value, sides)
    return F(1) - F(1, sides**levels) * F(sides - max(rest - 1, 0), sides)


def benny() -> dict[str, Fraction]:
    fails, no_raise = below(8, 4) * below(6, 4), below(8, 8) * below(6, 8)
    raised = (1 - no_raise) * (1 + fails)
    return {"failure": fails**2, "raise": raised, "success": 1 - fails**2 - raised}


def joint_explosion() -> dict[str, Fraction]:
    """Both pools reach 20: each sum below 20 adds up from finitely many sequences of throws."""
    one = {6 * level + face: F(1, 6) ** (level + 1) for level in range(4) for face in range(1, 6)}
    low = sum((chance for total, chance in pool(one, 5).items() if total < 20), F(0))
    return {"both": (1 - low) ** 2, "one": 2 * low * (1 - low), "none": low**2}


def six_characters() -> dict[str, Fraction]:
    low = F(sum(sum(sorted(faces)[1:]) <= 15 for faces in product(range(1, 7), repeat=4)), 6**4)
    return {"hero": 1 - low**6, "average": low**6}


GENESYS = {
    "ability": ["", "s", "s", "ss", "a", "a", "sa", "aa"],
    "proficiency": ["", "s", "s", "ss", "ss", "a", "sa", "sa", "sa", "aa", "aa", "s"],
    "boost": ["", "", "s", "sa", "aa", "a"],
    "difficulty": ["", "f", "ff", "t", "t", "t", "tt", "ft"],
    "challenge": ["", "f", "f", "ff", "ff", "t", "t", "ft", "ft", "tt", "tt", "f"],
    "setback": ["", "", "f", "f", "t", "t"],
}
GENESYS_DICE = {"ability": 4, "proficiency": 3, "boost": 1, "difficulty": 4, "challenge": 2, "setback": 1}


def symbols(face: str) -> int:
    return 100 * (face.count("s") - face.count("f")) + face.count("a") - face.count("t")


def genesys_text() -> str:
    lines = ["[rules.roll.dice]"]
    for kind, faces in GENESYS.items():
        named = ", ".join(f'"{kind[0]}{number}" = {symbols(face)}' for number, face in enumerate(faces))
        lines.append(f"{kind} = {{ count = {GENESYS_DICE[kind]}, faces = {{ {named} }} }}")
    sums = " + ".join(f"sum({kind})" for kind in GENESYS)
    lines += ["[rules.roll.steps]", f'total = "{sums}"']
    lines += ['successes = "near(total / 100)"', 'advantage = "total - 100 * successes"', "[rules.roll.outcomes]"]
    lines += ['triumphant = { when = "successes > 0 and advantage > 0" }', 'success = { when = "successes > 0" }']
    return "\n".join([*lines, 'bitter = { when = "advantage > 0" }', "failure = {}"])


def genesys() -> dict[str, Fraction]:
    both: dict[tuple[int, int], Fraction] = {(0, 0): F(1)}
    for kind, faces in GENESYS.items():
        for _ in range(GENESYS_DICE[kind]):
            after: dict[tuple[int, int], Fraction] = {}
            for (s, a), chance in both.items():
                for face in faces:
                    key = (s + face.count("s") - face.count("f"), a + face.count("a") - face.count("t"))
                    after[key] = after.get(key, F(0)) + chance / len(faces)
            both = after
    names = {(True, True): "triumphant", (True, False): "success", (False, True): "bitter", (False, False): "failure"}
    chances = dict.fromkeys(names.values(), F(0))
    for (s, a), chance in both.items():
        chances[names[s > 0, a > 0]] += chance
    return chances


NIGHTMARE = {"discipline": 3, "exhaustion": 4, "madness": 3, "pain": 3}


def nightmare_text() -> str:
    named = ", ".join(f'"{face}" = {6 ** (face - 1)}' for face in range(1, 7))
    lines = [f"{kind} = {{ count = {dice}, faces = {{ {named} }} }}" for kind, dice in NIGHTMARE.items()]
    hits = " + ".join(f"count({kind}: value <= 36)" for kind in list(NIGHTMARE)[:3])
    outcomes = [f'"{kind}" = {{ when = "sum({kind}) = strongest" }}' for kind in list(NIGHTMARE)[:3]]
    success = [f'"{kind} wins" = {{ when = "hits >= pains and sum({kind}) = strongest" }}' for kind in NIGHTMARE]
    return "\n".join(
        [
            "[rules.roll.dice]",
            *lines,
            "[rules.roll.steps]",
            f'hits = "{hits}"',
            'pains = "count(pain: value <= 36)"',
            f'strongest = "max({", ".join(f"sum({kind})" for kind in NIGHTMARE)})"',
            "[rules.roll.outcomes]",
            *success,
            *outcomes,
            "pain = {}",
        ]
    )


def nightmare() -> dict[str, Fraction]:
    """By pool: how many dice of each strength with how many hits; then all combinations of four pools."""
    ways: dict[int, Counter[tuple[tuple[int, ...], int]]] = {}
    for dice in set(NIGHTMARE.values()):
        ways[dice] = Counter()
        for faces in product(range(1, 7), repeat=dice):
            ways[dice][tuple(sorted(faces, reverse=True)), sum(face <= 3 for face in faces)] += 1
    kinds, whole = list(NIGHTMARE), 6 ** sum(NIGHTMARE.values())
    chances: dict[str, Fraction] = {}
    padded = [
        Counter({((*faces, 0)[:4], hits): times for (faces, hits), times in ways[dice].items()})
        for dice in NIGHTMARE.values()
    ]
    strengths = sorted({key[0] for own in padded for key in own})
    for top in strengths:
        for leader, kind in enumerate(kinds):  # the first kind with this strength leads, all others have at most that
            spread = {0: 1}
            for number, own in enumerate(padded):
                after: dict[int, int] = {}
                sign = -1 if kinds[number] == "pain" else 1
                for (faces, hits), times in own.items():
                    fits = faces == top if number == leader else faces < top if number < leader else faces <= top
                    for total, count in spread.items() if fits else ():
                        after[total + sign * hits] = after.get(total + sign * hits, 0) + count * times
                spread = after
            for difference, count in spread.items():
                name = f"{kind} wins" if difference >= 0 else kind
                chances[name] = chances.get(name, F(0)) + F(count, whole)
    return chances


def one_roll_text() -> str:
    counts = [f'w{face} = "count(d: face = {face})"' for face in range(1, 11)]
    width = f'width = "max({", ".join(f"w{face}" for face in range(1, 11))})"'
    tall = "0"
    for face in range(1, 11):
        tall = f"if(w{face} = width, {face}, {tall})"
    lines = ["[rules.roll.dice]", "d = { count = 10, sides = 10 }", "[rules.roll.steps]", *counts, width]
    lines += [f'tall = "{tall}"', "[rules.roll.outcomes]", 'great = { when = "width >= 4 and tall >= 8" }']
    return "\n".join([*lines, 'good = { when = "width >= 3" }', "poor = {}"])


def one_roll_ways(width: int, tall: int) -> Fraction:
    """Ten dice whose widest set is `width` dice, `tall` the highest face with so many."""
    series = [F(1)] + [F(0)] * 10
    for face in range(1, 11):
        counts = range(width) if face > tall else [width] if face == tall else range(width + 1)
        series = [sum((series[k - n] / factorial(n) for n in counts if n <= k), F(0)) for k in range(11)]
    return series[10] * factorial(10) / F(10) ** 10


def one_roll() -> dict[str, Fraction]:
    ways = {(width, tall): one_roll_ways(width, tall) for width in range(1, 11) for tall in range(1, 11)}
    great = sum((chance for (width, tall), chance in ways.items() if width >= 4 and tall >= 8), F(0))
    wide = sum((chance for (width, _), chance in ways.items() if width >= 3), F(0))
    return {"great": great, "good": wide - great, "poor": 1 - wide}


def one_roll_means() -> dict[str, Fraction]:
    ways = {(width, tall): one_roll_ways(width, tall) for width in range(1, 11) for tall in range(1, 11)}
    mean = {"width": F(0), "tall": F(0)}
    for (width, tall), chance in ways.items():
        mean["width"] += width * chance
        mean["tall"] += tall * chance
    return mean


def explode_and_reroll() -> dict[str, Fraction]:
    """A 1 is rerolled once, whatever explodes; below 8 there are few totals."""
    fresh = {value: F(1, 6) ** (value // 6 + 1) for value in range(1, 9) if value % 6}
    one = {value: chance * F(7, 6) for value, chance in fresh.items()} | {1: F(1, 36)}
    low = sum((chance for total, chance in pool(one, 2).items() if total < 8), F(0))
    return {"hit": 1 - low, "miss": low}


def explode_and_reroll_means() -> dict[str, Fraction]:
    fresh = F(21, 5)
    return {"t": 2 * (fresh - F(1, 6) + F(1, 6) * fresh)}


def rote_means() -> dict[str, Fraction]:
    """h hits of a die that is thrown on while it shows 9 or 10; a die without a hit is thrown anew once."""
    h = F(3, 10) / (1 - F(2, 10))
    return {"successes": 3 * (h + F(7, 10) * h - F(0))}


def rote() -> dict[str, Fraction]:
    none = F(7, 10) ** 2
    exploded = F(2, 10)
    single = {0: none}
    for hits in range(1, 6):  # hits - 1 throws of 9 or 10, then an 8, or one more of them and then a miss
        fresh = exploded ** (hits - 1) * F(1, 10) + exploded**hits * F(7, 10)
        single[hits] = fresh * F(17, 10)
    few = pool(single, 3)
    low = sum((chance for hits, chance in few.items() if hits < 5), F(0))
    return {"exceptional": 1 - low, "failure": few[0], "success": low - few[0]}


ROLEMASTER = "\n".join(
    [
        "[rules.roll.dice]",
        'd = { sides = 100, again = { when = "face >= 96 or (throw = 1 and face <= 5)", roll = "explode" } }',
        "[rules.roll.steps]",
        'low = "count(d: throw = 1 and face <= 5)"',
        'opening = "' + " + ".join(f"{face} * count(d: throw = 1 and face = {face})" for face in range(1, 6)) + '"',
        'total = "if(low, 2 * opening - sum(d), sum(d))"',
        "[rules.roll.outcomes]",
        'triumph = { when = "total >= 175" }',
        'success = { when = "total >= 111" }',
        'disaster = { when = "total <= -50" }',
        "failure = {}",
    ]
)


@cache
def reaches(total: int) -> Fraction:
    """The chance that throws of d100, which go on from 96, add up to a total."""
    if total <= 0:
        return F(1)
    last = F(max(96 - max(total, 1), 0), 100)
    return last + sum((F(1, 100) * reaches(total - face) for face in range(96, 101)), F(0))


def rolemaster() -> dict[str, Fraction]:
    def high(total: int) -> Fraction:
        return sum((F(1, 100) * reaches(total - face) for face in range(96, 101)), F(0))

    low = sum((F(1, 100) * reaches(face + 50) for face in range(1, 6)), F(0))
    chances = {"triumph": high(175), "success": high(111) - high(175), "disaster": low}
    return chances | {"failure": 1 - sum(chances.values(), F(0))}


@cache
def equal_totals(dice: int, sides: int) -> Fraction:
    """The chance that two pools which explode on the highest face have the same total.

    A total is `sides` times the number of explosions, plus what the last throws show. The difference of the last throws
    is finite; that of the explosions is a sum over a polynomial times a power, by its differences at 0."""
    last = pool(die(range(1, sides)), dice)
    apart = add(last, {-value: chance for value, chance in last.items()})
    w = F(1, sides)
    total: Fraction = F(0)
    for gap, chance in apart.items():
        if gap % sides == 0:
            shift = abs(gap) // sides  # sum over k of C(k+n-1, n-1) · C(k+shift+n-1, n-1) · w^(2k+shift)
            n = dice
            row = [comb(k + n - 1, n - 1) * comb(k + shift + n - 1, n - 1) for k in range(2 * n - 1)]
            part = F(0)
            for order in range(2 * n - 1):
                part += row[0] * (w * w) ** order / (1 - w * w) ** (order + 1)
                row = [after - before for before, after in pairwise(row)]
            total += chance * part * w**shift * (1 - w) ** (2 * n)
    return total


def exploding_contest() -> dict[str, Fraction]:
    equal = equal_totals(20, 10)
    return {"first": (1 - equal) / 2, "second": (1 - equal) / 2, "none": equal}


def middle_of_two() -> dict[str, Fraction]:
    return {"nothing": F(1), "something": F(0)}


def middle_of_three() -> dict[str, Fraction]:
    """The middle of three dice reaches 8 if two of them do."""
    p = 1 - below(6, 8)
    reached = p**3 + 3 * p**2 * (1 - p)
    return {"high": reached, "low": 1 - reached}


def cascade(steps: int) -> str:
    """Each step names the one before twice, inside an `if`."""
    lines = [f's{n} = "if(s{n - 1} > {n % 7 + 3}, s{n - 1} - {n % 3}, s{n - 1} + 2)"' for n in range(1, steps + 1)]
    head = ["[rules.roll.dice]", "d = { count = 2, sides = 6 }", "[rules.roll.steps]", 's0 = "sum(d)"']
    tail = ["[rules.roll.outcomes]", f'high = {{ when = "s{steps} > 7" }}', "low = {}"]
    return "\n".join([*head, *lines, *tail])


def cascade_ends(steps: int) -> Chances:
    ends: Chances = {}
    for faces in product(range(1, 7), repeat=2):
        value = sum(faces)
        for n in range(1, steps + 1):
            value = value - n % 3 if value > n % 7 + 3 else value + 2
        ends[value] = ends.get(value, F(0)) + F(1, 36)
    return ends


def nested_ifs(steps: int) -> str:
    """A step for each value from the top: the else of each names the step before."""
    lines = [f's{n} = "if(total = {n + 19}, {n * n % 17}, s{n - 1})"' for n in range(1, steps + 1)]
    head = ["[rules.roll.dice]", "d = { count = 20, sides = 10 }", "[rules.roll.steps]", 'total = "sum(d)"', 's0 = "0"']
    tail = ["[rules.roll.outcomes]", f'high = {{ when = "s{steps} > 7" }}', "low = {}"]
    return "\n".join([*head, *lines, *tail])


def nested_high(steps: int) -> dict[str, Fraction]:
    totals = pool(die(range(1, 11)), 20)
    high = sum((chance for total, chance in totals.items() if total - 19 <= steps and (total - 19) ** 2 % 17 > 7), F(0))
    return {"high": high, "low": 1 - high}


def doublings(steps: int) -> str:
    lines = [f's{n} = "s{n - 1} + s{n - 1}"' for n in range(1, steps + 1)]
    head = ["[rules.roll.dice]", "d = { count = 2, sides = 6 }", "[rules.roll.steps]", 's0 = "sum(d)"']
    tail = ["[rules.roll.outcomes]", f'high = {{ when = "s{steps} > {7 * 2**steps}" }}', "low = {}"]
    return "\n".join([*head, *lines, *tail])


def rule_text(*lines: str) -> str:
    return "\n".join(lines)


EXPLODING = '{ count = %d, sides = %d, again = { when = "face = sides", roll = "explode" } }'

MECHANICS = [
    Mechanic(
        "four exploding dice, a second throw after a failure",
        rule_text(
            "[rules.roll.dice]",
            *(f"{name} = {EXPLODING % (1, sides)}" for name, sides in
              [("trait", 8), ("wild", 6), ("trait2", 8), ("wild2", 6)]),
            "[rules.roll.steps]",
            'once = "max(sum(trait), sum(wild))"',
            'twice = "max(sum(trait2), sum(wild2))"',
            'best = "if(once >= 4, once, twice)"',
            "[rules.roll.outcomes]",
            'raise = { when = "best >= 8" }',
            'success = { when = "best >= 4" }',
            "failure = {}",
        ),
        benny,
    ),
    Mechanic(
        "the best of six times four dice without the lowest",
        rule_text(
            "[rules.roll.dice]",
            *(f"{name} = {{ count = 4, sides = 6 }}" for name in "abcdef"),
            "[rules.roll.steps]",
            f'best = "max({", ".join(f"sum(highest 3 of {name})" for name in "abcdef")})"',
            "[rules.roll.outcomes]",
            'hero = { when = "best >= 16" }',
            "average = {}",
        ),
        six_characters,
    ),
    Mechanic(
        "three and three coins worth 0 or 10000",
        rule_text(
            "[rules.roll.dice]",
            *(f'{name} = {{ count = 3, faces = {{ "-" = 0, "+" = 10000 }} }}' for name in "pq"),
            "[rules.roll.outcomes]",
            'more = { when = "sum(p) > sum(q)" }',
            "rest = {}",
        ),
        lambda: {"more": F(11, 32), "rest": F(21, 32)},
    ),
    Mechanic("fifteen Genesys dice", genesys_text(), genesys),
    Mechanic("thirteen dice of a nightmare", nightmare_text(), nightmare),
    Mechanic("ten dice of one roll", one_roll_text(), one_roll, one_roll_means),
    Mechanic(
        "two exploding d6, ones rerolled",
        rule_text(
            "[rules.roll.dice]",
            f"d = {EXPLODING % (2, 6)}",
            "[[rules.roll.again]]", 'roll = "reroll"',
            'pick = "all"',
            'when = "face = 1"',
            'keep = "new"',
            "[rules.roll.steps]",
            't = "sum(d)"',
            "[rules.roll.outcomes]",
            'hit = { when = "t >= 8" }',
            "miss = {}",
        ),
        explode_and_reroll,
        explode_and_reroll_means,
    ),
    Mechanic(
        "a rote action with nine again",
        rule_text(
            "[rules.roll.dice]",
            'd = { count = 3, sides = 10, again = { when = "face >= 9", roll = "explode" } }',
            "[[rules.roll.again]]", 'roll = "reroll"',
            'pick = "all"',
            'when = "face < 8"',
            'keep = "new"',
            "[rules.roll.steps]",
            'successes = "count(d: face >= 8)"',
            "[rules.roll.outcomes]",
            'exceptional = { when = "successes >= 5" }',
            'success = { when = "successes > 0" }',
            "failure = {}",
        ),
        rote,
        rote_means,
    ),
    Mechanic("d100 open-ended to both sides", ROLEMASTER, rolemaster, lambda: {"total": F(101, 2)}),
    Mechanic(
        "a contest of twenty exploding d10",
        rule_text(
            "[rules.one.dice]",
            f"d = {EXPLODING % (20, 10)}",
            "[rules.one.steps]",
            'total = "sum(d)"',
            "[rules.roll]",
            'contest = { of = "one", compare = "total", ties = "none" }',
        ),
        exploding_contest,
    ),
    Mechanic(
        "two exploding dice without the lowest and the highest",
        rule_text(
            "[rules.roll.dice]",
            f"d = {EXPLODING % (2, 6)}",
            "[rules.roll.steps]",
            'middle = "sum(d) - lowest(d) - highest(d)"',
            "[rules.roll.outcomes]",
            'something = { when = "middle > 0" }',
            "nothing = {}",
        ),
        middle_of_two,
        lambda: {"middle": F(0)},
    ),
    Mechanic(
        "the middle of three exploding dice",
        rule_text(
            "[rules.roll.dice]",
            f"d = {EXPLODING % (3, 6)}",
            "[rules.roll.steps]",
            'middle = "sum(d) - lowest(d) - highest(d)"',
            "[rules.roll.outcomes]",
            'high = { when = "middle >= 8" }',
            "low = {}",
        ),
        middle_of_three,
    ),
    Mechanic(
        "a cascade of 190 ifs",
        cascade(190),
        lambda: {
            "high": sum((chance for value, chance in cascade_ends(190).items() if value > 7), F(0)),
            "low": sum((chance for value, chance in cascade_ends(190).items() if value <= 7), F(0)),
        },
        lambda: {"s190": sum((value * chance for value, chance in cascade_ends(190).items()), F(0))},
    ),
    Mechanic("190 nested ifs", nested_ifs(190), lambda: nested_high(190)),
    Mechanic(
        "30 doublings",
        doublings(30),
        lambda: {"high": F(15, 36), "low": F(21, 36)},
        lambda: {"s30": F(7 * 2**30)},
    ),
    Mechanic(
        "two pools of exploding dice both reach a target",
        rule_text(
            "[rules.roll.dice]",
            *(f"{name} = {EXPLODING % (5, 6)}" for name in "ab"),
            "[rules.roll.steps]",
            'hits = "(sum(a) >= 20) + (sum(b) >= 20)"',
            "[rules.roll.outcomes]",
            'both = { when = "hits = 2" }',
            'one = { when = "hits = 1" }',
            "none = {}",
        ),
        joint_explosion,
    ),
]  # fmt: skip
