"""Every rule of the gallery, and mechanics that need more than one sum, each beside icepool: one question, both cold.

A game is loaded anew before each run, and icepool gets new dice, so that neither knows an answer from before. icepool
follows an explosion only as far as it can still change the outcome, where that is known: then its answer is exact.
Run it by itself: python tests/bench/rules.py [part of a name]"""

import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import rulewright
from bench.clock import shown
from odds_mechanics import GENESYS, GENESYS_DICE, MECHANICS, NIGHTMARE, symbols
from rulewright.game.model import Rule
from rulewright.odds.rule_odds import compute_odds
from rulewright.play.validate import load_game, load_game_text

GALLERY = Path(rulewright.__file__).parent / "gallery"
GOALS = {True: 0.020, False: 0.500}  # seconds for a rule of the gallery, and for any other
LEAST_SLOWER, MOST_SLOWER = 0.005, 1.5  # where icepool takes longer than this, we take at most so many times as long
NEARLY = Fraction(1, 10**8)  # for the contest, whose dice have no end that matters
RUNS = 9

Peer = Callable[[], Mapping[Any, Fraction]]


class Case(NamedTuple):
    name: str
    is_gallery: bool
    load: Callable[[], Rule]
    inputs: Mapping[str, str]
    peer: Peer


class Row(NamedTuple):
    case: Case
    ours: float
    theirs: float


def chances(die: Any) -> Mapping[Any, Fraction]:
    return dict(zip(die, die.probabilities(), strict=True))


def dn(sides: int) -> Any:
    """A new die; icepool remembers those of its function `d`."""
    from icepool import Die

    return Die(range(1, sides + 1))


def bands(*limits: tuple[int, str]) -> Callable[[int], str]:
    """The name of the first limit that a number reaches."""
    return lambda number: next(name for limit, name in limits if number >= limit)


def best_die() -> Mapping[str, Fraction]:
    from icepool import highest

    best = highest(dn(8), dn(6), dn(6))
    return chances(best.map(lambda best: "mishap" if best == 1 else "success" if best >= 5 else "failure"))


def blackjack_rank(skill: int) -> Any:
    return dn(20).map(lambda roll: 0 if roll > skill else 100 if roll == skill else roll)


def blackjack_test() -> Mapping[str, Fraction]:
    return chances(dn(20).map(lambda roll: "critical" if roll == 12 else "success" if roll < 12 else "failure"))


def compare(first: int, second: int) -> str:
    return "first" if first > second else "second" if first < second else "none"


def blackjack_opposed() -> Mapping[str, Fraction]:
    from icepool import map as map_dice

    return chances(map_dice(compare, blackjack_rank(12), blackjack_rank(10)))


def d20_check() -> Mapping[str, Fraction]:
    named = {20: "critical success", 1: "critical failure"}
    return chances(dn(20).highest(2).map(lambda roll: named.get(roll) or ("success" if roll >= 10 else "failure")))


def d6_pool() -> Mapping[str, Fraction]:
    """Hits are worth 64, ones 1; nothing beyond three hits matters, nor a 1 after a hit."""
    from icepool import Die

    last = Die([0, 64], times=[4, 2])
    earned = Die([0, 64, 64 + last], times=[4, 1, 1])
    pool = 10 @ Die([1, 0, 64, 64 + earned], times=[1, 3, 1, 1])
    return chances(pool.map(lambda sum: "success" if sum >= 192 else "botch" if 0 < sum < 64 else "failure"))


def exploding_damage() -> Mapping[str, Fraction]:
    damage = 4 @ dn(8).explode(depth=1)
    return chances(damage.map(bands((17, "wounded"), (13, "shaken"), (0, "nothing"))))


def fate() -> Mapping[str, Fraction]:
    from icepool import Die

    shifts = 4 @ Die([-1, 0, 1]) + 1
    return chances(shifts.map(bands((3, "style"), (1, "success"), (0, "tie"), (-9, "failure"))))


def highest_of_pool() -> Mapping[str, Fraction]:
    from icepool import Die

    pool = 4 @ Die([0, 1, 8], times=[3, 2, 1])
    return chances(pool.map(bands((16, "critical"), (8, "full"), (1, "partial"), (0, "bad"))))


def percentile() -> Mapping[str, Fraction]:
    limits = ((97, "fumble"), (66, "failure"), (14, "success"), (5, "special"), (0, "critical"))
    return chances(dn(100).map(bands((99, "fumble"), *limits[1:])))


def push() -> Mapping[str, Fraction]:
    pushed = dn(6).reroll([2, 3, 4, 5], depth=1)
    return chances((9 @ pushed.map(lambda face: face == 6)).map(lambda sixes: "success" if sixes else "failure"))


def roll_and_keep() -> Mapping[str, Fraction]:
    kept = dn(10).explode(depth=2).highest(7, 4)
    return chances(kept.map(bands((30, "success"), (0, "failure"))))


def trait_and_wild() -> Mapping[str, Fraction]:
    from icepool import highest

    best = highest(dn(8).explode(depth=1), dn(6).explode(depth=1))
    return chances(best.map(bands((7, "success"), (2, "failure"), (1, "disaster"))))


def two_d6() -> Mapping[str, Fraction]:
    return chances((2 @ dn(6) + 1).map(bands((10, "success"), (7, "partly"), (0, "trouble"))))


def benny() -> Mapping[str, Fraction]:
    from icepool import highest

    once = highest(dn(8).explode(depth=1), dn(6).explode(depth=1))
    best = once.reroll(lambda total: total < 4, depth=1)
    return chances(best.map(bands((8, "raise"), (4, "success"), (0, "failure"))))


def six_characters() -> Mapping[str, Fraction]:
    best = dn(6).highest(4, 3).highest(6)
    return chances(best.map(bands((16, "hero"), (0, "average"))))


def coins() -> Mapping[str, Fraction]:
    from icepool import Die

    more = (3 @ Die([0, 10000])) > (3 @ Die([0, 10000]))
    return chances(more.map({True: "more", False: "rest"}))


def genesys() -> Mapping[str, Fraction]:
    from icepool import Die

    total = sum(GENESYS_DICE[kind] @ Die([symbols(face) for face in faces]) for kind, faces in GENESYS.items())

    def outcome(total: int) -> str:
        successes = (2 * total + 100) // 200
        if successes > 0:
            return "triumphant" if total > 100 * successes else "success"
        return "bitter" if total > 100 * successes else "failure"

    return chances(total.map(outcome))


def nightmare() -> Mapping[str, Fraction]:
    """Strength and hits of a pool in one number; after each pool only the strongest so far and the hits are kept."""
    from icepool import Die
    from icepool import map as map_dice

    def pool(kind: str) -> Any:
        return NIGHTMARE[kind] @ Die([16 * 6 ** (face - 1) + (face <= 3) for face in range(1, 7)])

    def join(kind: int, so_far: tuple[int, int, int], more: int) -> tuple[int, int, int]:
        strength, leader, hits = so_far
        own, own_hits = divmod(more, 16)
        hits += -own_hits if kind == 3 else own_hits
        return (own, kind, hits) if own > strength else (strength, leader, hits)

    joined = Die([(0, 0, 0)])
    for number, kind in enumerate(NIGHTMARE):
        joined = map_dice(partial(join, number), joined, pool(kind), star=False)
    kinds = list(NIGHTMARE)

    def outcome(_strength: int, leader: int, difference: int) -> str:
        return f"{kinds[leader]} wins" if difference >= 0 else kinds[leader]

    return chances(joined.map(outcome, star=True))


def one_roll() -> Mapping[str, Fraction]:
    from icepool import MultisetEvaluator

    class Widest(MultisetEvaluator):  # type: ignore[misc]
        def next_state(self, state: Any, _order: Any, outcome: int, count: int) -> tuple[int, int]:
            return (count, outcome) if state is None else max(state, (count, outcome))

    widest = Widest().evaluate(dn(10).pool(10))

    def outcome(width: int, tall: int) -> str:
        return "great" if width >= 4 and tall >= 8 else "good" if width >= 3 else "poor"

    return chances(widest.map(outcome, star=True))


def explode_and_reroll() -> Mapping[str, Fraction]:
    total = 2 @ dn(6).explode(depth=1).reroll([1], depth=1)
    return chances(total.map(bands((8, "hit"), (0, "miss"))))


def rote() -> Mapping[str, Fraction]:
    from icepool import Again, Die

    hits = Die([0, 1, 1 + Again], times=[7, 1, 2], again_depth=4)
    successes = 3 @ hits.reroll([0], depth=1)
    return chances(successes.map(bands((5, "exceptional"), (1, "success"), (0, "failure"))))


def rolemaster() -> Mapping[str, Fraction]:
    """A second throw of 96 or more decides the outcome, wherever the rest ends."""
    more = dn(100)
    total = dn(100).map(lambda face: face + more if face >= 96 else face - more if face <= 5 else face)
    limits = ((175, "triumph"), (111, "success"), (-49, "failure"), (-999, "disaster"))
    return chances(total.map(bands(*limits)))


def exploding_contest() -> Mapping[str, Fraction]:
    from icepool import map as map_dice

    return chances(map_dice(compare, 20 @ dn(10).explode(depth=6), 20 @ dn(10).explode(depth=6)))


def middle_of_two() -> Mapping[str, Fraction]:
    return chances(dn(6).explode(depth=1).pool(2)[1:-1].sum().map(bands((1, "something"), (0, "nothing"))))


def middle_of_three() -> Mapping[str, Fraction]:
    return chances(dn(6).explode(depth=1).middle(3).map(bands((8, "high"), (0, "low"))))


def cascade() -> Mapping[str, Fraction]:
    def end(value: int) -> str:
        for n in range(1, 191):
            value = value - n % 3 if value > n % 7 + 3 else value + 2
        return "high" if value > 7 else "low"

    return chances((2 @ dn(6)).map(end))


def nested_ifs() -> Mapping[str, Fraction]:
    def end(total: int) -> str:
        value = next((n * n % 17 for n in range(190, 0, -1) if total == n + 19), 0)
        return "high" if value > 7 else "low"

    return chances((20 @ dn(10)).map(end))


def doublings() -> Mapping[str, Fraction]:
    return chances((2 @ dn(6) * 2**30).map(bands((7 * 2**30 + 1, "high"), (0, "low"))))


def joint_explosion() -> Mapping[str, Fraction]:
    first, second = (5 @ dn(6).explode(depth=3) >= 20 for _ in range(2))
    return chances((first + second).map({0: "none", 1: "one", 2: "both"}))


RULES: dict[str, tuple[dict[str, str], Peer]] = {
    "best-die/test": ({"trait": "d8", "skill": "d6", "tool": "d6", "target": "5"}, best_die),
    "blackjack/test": ({"skill": "12"}, blackjack_test),
    "blackjack/opposed": ({"first.skill": "12", "second.skill": "10"}, blackjack_opposed),
    "d20/check": ({"bonus": "5", "target": "15", "luck": "advantage"}, d20_check),
    "d6-pool/action": ({"pool": "10", "needed": "3"}, d6_pool),
    "exploding-damage/damage": ({"strength": "4", "weapon": "d8", "armor": "12"}, exploding_damage),
    "fate/action": ({"skill": "2", "difficulty": "1"}, fate),
    "highest-of-pool/action": ({"pool": "4"}, highest_of_pool),
    "percentile/test": ({"skill": "55", "modifier": "10"}, percentile),
    "push/action": ({"base": "6", "gear": "3", "pushed": "yes"}, push),
    "roll-and-keep/check": ({"rolled": "7", "kept": "4", "target": "30"}, roll_and_keep),
    "trait-and-wild/trait": ({"trait": "d8", "modifier": "-3", "wild": "yes"}, trait_and_wild),
    "two-d6/move": ({"bonus": "1"}, two_d6),
}
PEERS: dict[str, Peer] = {
    "four exploding dice, a second throw after a failure": benny,
    "the best of six times four dice without the lowest": six_characters,
    "three and three coins worth 0 or 10000": coins,
    "fifteen Genesys dice": genesys,
    "thirteen dice of a nightmare": nightmare,
    "ten dice of one roll": one_roll,
    "two exploding d6, ones rerolled": explode_and_reroll,
    "a rote action with nine again": rote,
    "d100 open-ended to both sides": rolemaster,
    "a contest of twenty exploding d10": exploding_contest,
    "two exploding dice without the lowest and the highest": middle_of_two,
    "the middle of three exploding dice": middle_of_three,
    "a cascade of 190 ifs": cascade,
    "190 nested ifs": nested_ifs,
    "30 doublings": doublings,
    "two pools of exploding dice both reach a target": joint_explosion,
}


def gallery_rule(game: str, rule: str) -> Rule:
    loaded, problems = load_game(GALLERY / game / "game.toml")
    assert loaded, problems
    return loaded.rules[rule]


def mechanic_rule(text: str) -> Rule:
    loaded, problems = load_game_text(f'title = "Made up"\n{text}')
    assert loaded, problems
    return loaded.rules["roll"]


def cases() -> Iterator[Case]:
    for name, (inputs, peer) in RULES.items():
        yield Case(name, True, partial(gallery_rule, *name.split("/")), inputs, peer)
    for mechanic in MECHANICS:
        yield Case(mechanic.name, False, partial(mechanic_rule, mechanic.text), {}, PEERS[mechanic.name])


def answer(rule: Rule, inputs: Mapping[str, str]) -> Mapping[str, Fraction]:
    found, complaints = compute_odds(rule, inputs)
    assert found, complaints
    return {name: chance.low for name, chance in found.chances.items()}


def distance(case: Case) -> Fraction:
    ours, theirs = answer(case.load(), case.inputs), case.peer()
    return max(abs(ours.get(name, Fraction(0)) - theirs.get(name, Fraction(0))) for name in {*ours, *theirs})


def measure(case: Case) -> Row:
    """The best of several runs by turns, in time of the processor: loading a game does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        rule = case.load()
        calls: tuple[Peer, Peer] = (partial(answer, rule, case.inputs), case.peer)
        for own, call in zip(times, calls, strict=True):
            begin = process_time()
            call()
            own.append(process_time() - begin)
    return Row(case, min(times[0]), min(times[1]))


def is_slow(row: Row) -> bool:
    return row.ours > GOALS[row.case.is_gallery] or (row.theirs > LEAST_SLOWER and row.ours > MOST_SLOWER * row.theirs)


def rows() -> Iterator[tuple[str, ...]]:
    """All rules together, then those that take either library long."""
    found = []
    for case in cases():
        if distance(case) > NEARLY:
            raise ValueError(f"{case.name}: icepool has other chances")
        found.append(measure(case))
    for is_gallery, name in ((True, "of the gallery"), (False, "of harder mechanics")):
        own = [row for row in found if row.case.is_gallery == is_gallery]
        slowest = max(own, key=lambda row: row.ours)
        ours, theirs = (median(times) for times in zip(*((row.ours, row.theirs) for row in own), strict=True))
        goal = shown(GOALS[is_gallery])
        yield f"median of {len(own)} rules {name}", shown(ours), shown(theirs), f"{theirs / ours:.2f} ×", "1 ×"
        yield f"slowest: {slowest.case.name}", *comparison(slowest), f"at most {goal}"
    for row in found:
        if row.theirs > LEAST_SLOWER:
            yield row.case.name, *comparison(row), f"{1 / MOST_SLOWER:.2f} ×"


def comparison(row: Row) -> tuple[str, str, str]:
    return shown(row.ours), shown(row.theirs), f"{row.theirs / row.ours:.2f} ×"


def middle(found: list[Row]) -> float:
    """The median of how many times as long icepool takes."""
    return median(row.theirs / row.ours for row in found)


def main() -> int:
    found, wrong = [], False
    for case in cases():
        if len(sys.argv) < 2 or sys.argv[1] in case.name:
            off = distance(case)
            wrong = wrong or off > NEARLY
            row = measure(case)
            found.append(row)
            note = f"  off by {float(off):.0e}" if off else ""
            slow = "  too slow" if is_slow(row) else ""
            times = f"{shown(row.ours):>9}{shown(row.theirs):>9} {row.theirs / row.ours:7.2f} ×"
            print(f"{times}  {case.name}{note}{slow}", flush=True)
    print(f"median {middle(found):.2f} ×")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
