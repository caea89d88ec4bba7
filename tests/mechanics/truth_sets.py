"""Choices, cards, symbols, and dice that bring other dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod

from .truth import Chances, Dice, F, add, die, each, hits, judge, mapped, rolls, share, sorted_rolls, truth, weigh


@truth("burning-wheel", "test")
def burning_wheel(
    pool: int, obstacle: int, shade: str = "black", open: bool = False, has_deeds: bool = False
) -> Chances:
    least = {"black": 4, "grey": 3, "white": 2}[shade]
    win, miss = F(7 - least, 6), F(least - 1, 6)
    many = obstacle + 1  # "this many or more" successes of one die
    plain = {0: miss, 1: win}
    once_more = {0: miss * miss, 1: win + miss * win} if has_deeds else plain  # deeds are spent whenever they help

    def with_sixes(after: dict[int, F]) -> dict[int, F]:
        """A die that is one success, and brings another die, on a six."""
        return weigh([*((min(1 + n, many), p / 6) for n, p in after.items()), (1, win - F(1, 6)), (0, miss)])

    earned = {many: F(1)}
    for _ in range(many + 1):
        earned = with_sixes(earned)
    one = with_sixes(earned) if open else once_more
    assert not (open and has_deeds)  # not worked out here
    total = add(*[one] * pool)
    return judge(total, lambda n: "success" if n >= obstacle else "failure")


@truth("genesys", "check")
def genesys(
    ability: int = 2, proficiency: int = 0, boost: int = 0, difficulty: int = 2, challenge: int = 0, setback: int = 0
) -> Chances:
    # success 1, advantage 100, triumph 10000; failure and threat the other way
    good = (
        (ability, [0, 1, 1, 2, 100, 100, 101, 200]),
        (proficiency, [0, 1, 1, 2, 2, 100, 101, 101, 101, 200, 200, 10001]),
        (boost, [0, 0, 1, 101, 200, 100]),
    )
    bad = (
        (difficulty, [0, 1, 2, 100, 100, 100, 200, 101]),
        (challenge, [0, 1, 1, 2, 2, 100, 100, 101, 101, 200, 200, 1]),
        (setback, [0, 0, 1, 1, 100, 100]),
    )
    ours, theirs = (add(*(share(faces) for size, faces in side for _ in range(size))) for side in (good, bad))

    def look(pair: Dice) -> tuple[str, dict[str, int]]:
        triumphs, rest = divmod(pair[0], 10000)
        successes, advantage = rest % 100 - pair[1] % 100, rest // 100 - pair[1] // 100
        return "success" if successes > 0 else "failure", {"advantage": advantage, "triumphs": triumphs}

    return judge(each(ours, theirs), look)


@truth("l5r5", "check")
def legend_of_the_five_rings(ring: int, skill: int = 1, tn: int = 2) -> Chances:
    # how a die fell: nothing, a success, an explosive success
    odds = (F(3, 6), F(2, 6), F(1, 6)), (F(5, 12), F(5, 12), F(2, 12))
    chains = []  # successes that an explosive die brings further, up to "tn or more"
    for nothing, plain, explosive in odds:
        chain = {tn: F(1)}
        for _ in range(tn + 1):
            chain = weigh([(0, nothing), (1, plain), *((min(1 + n, tn), p * explosive) for n, p in chain.items())])
        chains.append(chain)

    def fell(kind: int, size: int) -> Iterator[tuple[int, int, F]]:
        for explosive in range(size + 1):
            for plain in range(size + 1 - explosive):
                ways = comb(size, explosive) * comb(size - explosive, plain)
                none, one, more = odds[kind]
                yield explosive, plain, ways * more**explosive * one**plain * none ** (size - explosive - plain)

    @cache
    def kept(first: int, second: int, plain: int) -> F:
        total = add({first + second + plain: F(1)}, *[chains[0]] * first, *[chains[1]] * second)
        return sum((p for n, p in total.items() if n >= tn), F(0))

    success = F(0)
    for a, b, p in fell(0, ring):
        for c, d, q in fell(1, skill):
            plans = ((x, y, min(b + d, ring - x - y)) for x in range(a + 1) for y in range(c + 1) if x + y <= ring)
            success += p * q * max(kept(*plan) for plan in plans)
    return {"success": success, "failure": 1 - success}


@truth("cortex-prime", "test")
def cortex_prime(d4s: int = 0, d6s: int = 2, d8s: int = 1, d10s: int = 0, difficulty: int = 8) -> Chances:
    sides = [4] * d4s + [6] * d6s + [8] * d8s + [10] * d10s

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        alive = sorted(((value, -size) for value, size in zip(dice, sides, strict=True) if value > 1), reverse=True)
        total = sum(value for value, _ in alive[:2])
        effect = max((-size for _, size in alive[2:]), default=4)
        name = "heroic" if total >= difficulty + 5 else "success" if total >= difficulty else "failure"
        return name if alive else "botch", {"effect": effect, "hitches": dice.count(1)}

    return judge(rolls(*sides), look)


@truth("cortex-prime", "chosen")
def cortex_prime_chosen(d6s: int = 2, d8s: int = 1, difficulty: int = 8) -> Chances:
    sides = [6] * d6s + [8] * d8s

    def best(dice: Dice) -> int:
        """The largest effect die with which the total is still enough; 0 where nothing is."""
        alive = [i for i, value in enumerate(dice) if value > 1]
        plans = [two for size in range(3) for two in combinations(alive, size)]
        enough = [two for two in plans if sum(dice[i] for i in two) >= difficulty]
        return max((max((sides[i] for i in alive if i not in two), default=4) for two in enough), default=0)

    mean = sum((best(dice) * p for dice, p in rolls(*sides).items()), F(0))
    success = sum((p for dice, p in rolls(*sides).items() if best(dice)), F(0))
    return {"success": success, "failure": 1 - success, "mean(degree of success)": mean}


@truth("mothership", "check")
def mothership(stat: int = 35, luck: str = "even") -> Chances:
    def level(roll: int) -> int:
        sign = 1 if roll < min(stat, 90) else -1
        return sign * (2 if roll % 11 == 0 else 1)

    names = {2: "critical success", 1: "success", -1: "failure", -2: "critical failure"}
    one = mapped(share(range(100)), level)
    choose = min if luck == "disadvantage" else max
    return judge(each(*[one] * (1 + (luck != "even"))), lambda levels: names[choose(levels)])


@truth("two-cards", "draw")
def hearts(hand: int = 3, needed: int = 2, seen: int = 0) -> Chances:
    left = 13 - seen
    found = {n: F(comb(left, n) * comb(39, hand - n), comb(left + 39, hand)) for n in range(min(left, hand) + 1)}
    return judge(found, lambda n: ("success" if n >= needed else "failure", {"hearts": n}))


@truth("poker-hands", "hand")
def poker_hands() -> Chances:
    hands = {}
    for ranks in combinations_with_replacement(range(13), 5):  # 0 is the ace
        ways = prod(comb(4, times) for times in Counter(ranks).values())
        suited = 4 if len(set(ranks)) == 5 else 0
        hands[ranks, False] = F(ways - suited, comb(52, 5))
        if suited:
            hands[ranks, True] = F(suited, comb(52, 5))
    names = {(4, 1): "four", (3, 2): "full house", (3, 1, 1): "three", (2, 2, 1): "two pairs", (2, 1, 1, 1): "pair"}
    rows = [tuple(range(low, low + 5)) for low in range(9)] + [(0, 9, 10, 11, 12)]

    def look(hand: tuple[tuple[int, ...], bool]) -> tuple[str, dict[str, int]]:
        ranks, flush = hand
        shape = tuple(sorted(Counter(ranks).values(), reverse=True))
        words = ["straight"] * (ranks in rows) + ["flush"] * flush
        return " ".join(words) or names.get(shape, "nothing"), {"match": shape[0]}

    return judge(hands, look)


@truth("action-cards", "initiative")
def action_cards(mine: int = 1, foes: int = 2) -> Chances:
    joker = 1 - F(comb(52, mine), comb(54, mine))
    first = F(0)
    for best in range(mine, 53):  # the highest of your cards; all foes have less
        first += F(comb(best - 1, mine - 1), comb(54, mine)) * F(comb(best - mine, foes), comb(54 - mine, foes))
    return {"joker": joker, "first": first, "later": 1 - joker - first}


@truth("forbidden-lands-artifact", "roll")
def forbidden_lands(base: int = 3, skill: int = 0, artifact: int = 0, pushed: bool = False) -> Chances:
    def face_worth(face: int) -> int:
        return 0 if face < 6 else face // 2 - 2

    def after(faces: dict[int, F], stays: set[int]) -> dict[int, F]:
        """One push: what does not stay is rolled again."""
        again = sum((p for face, p in faces.items() if face not in stays), F(0))
        return {face: p * (face in stays) + again * p for face, p in faces.items()} if pushed else faces

    six = mapped(after(die(6), {1, 6}), lambda face: {6: 1, 1: 100}.get(face, 0))
    trained = mapped(after(die(6), {6}), lambda face: int(face == 6))
    relic = mapped(after(die(artifact), set(range(6, 13))), face_worth) if artifact else {0: F(1)}
    total = add(*[six] * base, *[trained] * skill, relic)

    def look(value: int) -> tuple[str, dict[str, int]]:
        ones, swords = divmod(value, 100)
        return "success" if swords else "failure", {"swords": swords, "damage": ones if pushed else 0}

    return judge(total, look)


@truth("alien-stress", "roll")
def alien(base: int = 4, stress: int = 1) -> Chances:
    def settle(size: int, nerves: int) -> Chances:
        none, calm = F(5, 6) ** size * F(5, 6) ** nerves, F(5, 6) ** nerves  # no six; no one on a stress die
        neither = F(5, 6) ** size * F(4, 6) ** nerves
        return {
            "failure": neither, "panic": none - neither, "success": calm - neither,
            "panicked success": 1 - none - calm + neither,
        }  # fmt: skip

    first, second = settle(base, stress), settle(base, stress + 1)
    push = first.pop("failure")  # pushed exactly then: no six yet, and no panic
    return {name: first.get(name, F(0)) + push * chance for name, chance in second.items()}


@truth("warhammer40k", "shooting")
def warhammer40k(attacks: int, hit: int = 3, wound: int = 4, save: int = 4, lethal: bool = False) -> Chances:
    wounds = F(7 - wound, 6)
    through = (F(1, 6) + F(6 - hit, 6) * wounds if lethal else F(7 - hit, 6) * wounds) * F(save - 1, 6)
    return judge(hits(attacks, through), lambda n: ("damage" if n else "nothing", {"unsaved": n}))


@truth("4d6-drop-lowest", "character")
def six_abilities() -> Chances:
    one = mapped(sorted_rolls(6, 4), lambda dice: sum(dice[1:]))
    below = {top: sum((p for total, p in one.items() if total <= top), F(0)) ** 6 for top in range(2, 19)}
    middle = hits(6, sum((p for total, p in one.items() if total >= 15), F(0)))
    strong = 1 - middle[0] - middle[1]
    found = {"hopeless": below[13], "strong": strong, "ordinary": 1 - below[13] - strong}
    best = sum((top * (below[top] - below[top - 1]) for top in range(3, 19)), F(0))
    return {**found, "mean(best)": best, "mean(high)": sum((n * p for n, p in middle.items()), F(0))}


@truth("seventh-sea-3", "act")
def seventh_sea(pool: int, needed: int = 1) -> Chances:
    @cache
    def raises(dice: Dice) -> int:
        """The highest die goes with some of the others, or stays alone."""
        if sum(dice) < 10:
            return 0
        *others, top = dice
        best = raises(tuple(others))
        for size in range(len(others) + 1):
            for some in set(combinations(others, size)):
                if sum(some) + top >= 10:
                    left = Counter(others) - Counter(some)
                    best = max(best, 1 + raises(tuple(sorted(left.elements()))))
        return best

    return judge(
        sorted_rolls(10, pool),
        lambda dice: ("success" if raises(dice) >= needed else "too few", {"raises": raises(dice)}),
    )


@truth("otherkind", "deed")
def otherkind() -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        bands = [(value >= 3) + (value >= 5) for value in dice]
        won, safe, cheap = max(permutations(bands), key=lambda plan: 9 * plan[0] + 3 * plan[1] + plan[2])
        name = ["failure", "partial", "success"][won]
        return "triumph" if won == safe == 2 else name, {"worth": 9 * won + 3 * safe + cheap}

    return judge(sorted_rolls(6, 3), look)


@truth("year-zero-twice", "action")
def year_zero(base: int, gear: int = 0, pushes: int = 1) -> Chances:
    stays = sum((F(4, 6) ** push for push in range(pushes + 1)), F(0)) / 6  # to end as a six; as a one alike
    found = judge(hits(base + gear, stays), lambda n: "success" if n else "failure")
    return {**found, "mean(harm)": base * stays * (pushes > 0), "mean(sixes)": (base + gear) * stays}


@truth("5e-dpr", "attack")
def damage_of_an_attack(
    bonus: int = 5, ac: int = 15, luck: str = "even", number: int = 1, die: int = 8, extra: int = 3
) -> Chances:
    choose = min if luck == "disadvantage" else max
    natural = mapped(rolls(*[20] * (1 + (luck != "even"))), choose)
    found = {"critical": natural[20]}
    found["hit"] = sum((p for roll, p in natural.items() if 1 < roll < 20 and roll + bonus >= ac), F(0))
    found["miss"] = 1 - sum(found.values(), F(0))
    assert number + extra >= 0  # so that damage is never cut off at 0
    one = F(die + 1, 2) * number
    return {**found, "mean(harm)": found["hit"] * (one + extra) + found["critical"] * (2 * one + extra)}


@truth("d6-times-d4", "cast")
def magic_missiles(hp: int = 8) -> Chances:
    total = weigh((harm, p / 6) for number in range(1, 7) for harm, p in add(*[die(4)] * number).items())
    return judge(total, lambda harm: ("slain" if harm >= hp else "hurt", {"damage": harm}))


@truth("chaos-bag", "test")
def chaos_bag(skill: int = 4, difficulty: int = 3, blessings: int = 0) -> Chances:
    tokens = [1, 0, 0, -1, -1, -1, -2, -2, -4, -2, -2]  # and the one that fails
    success, blessed = F(0), F(1)
    for drawn in range(blessings + 1):  # so many blessings come before something else
        left = len(tokens) + 1 + blessings - drawn
        enough = sum(max(skill + 2 * drawn + token, 0) >= difficulty for token in tokens)
        success += blessed * F(enough, left)
        blessed *= F(blessings - drawn, left)
    return {"success": success, "failure": 1 - success}
