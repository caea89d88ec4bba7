"""Rolls over time: rounds that carry something on, until something happens."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod

from .truth import Chances, F, absorb, add, die, each, hits, judge, mapped, share, sorted_rolls, truth, weigh


@truth("tunnels-and-trolls", "save")
def tunnels_and_trolls(attribute: int, level: int = 1) -> Chances:
    need = max(15 + 5 * level - attribute, 5)

    def move(state: int) -> dict[int | str, Fraction]:
        def after(dice: tuple[int, ...]) -> int | str:
            total = max(state, 0) + sum(dice)
            if dice[0] == dice[1]:
                return min(total, 99)
            return "fumble" if state < 0 and total == 3 else "success" if total >= need else "failure"

        return weigh((after(dice), chance) for dice, chance in sorted_rolls(6, 2).items())

    return absorb(-1, move)  # before the first roll


def _battle(attackers: int, defenders: int) -> dict[int, Fraction]:
    """How many armies the defense loses in one round of Risk."""
    first, second = sorted_rolls(6, min(attackers, 3)), sorted_rolls(6, min(defenders, 2))
    return weigh(
        (sum(x > y for x, y in zip(a[::-1], d[::-1], strict=False)), p * q)
        for a, p in first.items()
        for d, q in second.items()
    )


@truth("risk", "battle")
def risk(attackers: int = 3, defenders: int = 2) -> Chances:
    pairs = min(attackers, defenders)

    def look(wins: int) -> tuple[str, dict[str, int]]:
        return "victory" if wins == pairs else "even" if wins else "defeat", {"losses": pairs - wins}

    return judge(_battle(attackers, defenders), look)


@truth("risk-to-the-end", "battle")
def risk_to_the_end(attackers: int, defenders: int) -> Chances:
    rounds = {(a, d): _battle(a, d) for a in (1, 2, 3) for d in (1, 2)}

    @cache
    def fight(a: int, d: int) -> tuple[F, F, F]:
        """The chance to conquer, the mean of rounds and the mean of attackers left."""
        if not a or not d:
            return F(a > 0), F(0), F(a)
        pairs = min(a, d, 2)
        after = [(p, fight(a - pairs + wins, d - wins)) for wins, p in rounds[min(a, 3), min(d, 2)].items()]
        chance, length, left = (sum((p * found[i] for p, found in after), F(0)) for i in range(3))
        return chance, length + 1, left

    chance, length, left = fight(attackers, defenders)
    return {"conquered": chance, "repelled": 1 - chance, "mean(round)": length, "mean(attackers_now)": left}


@truth("craps", "pass")
def craps(point: int = 0) -> Chances:
    two = add(die(6), die(6))

    def move(state: int) -> dict[int | str, Fraction]:
        def after(total: int) -> int | str:
            if state:
                return "win" if total == state else "lose" if total == 7 else state
            return "win" if total in (7, 11) else "lose" if total in (2, 3, 12) else total

        return mapped(two, after)

    return absorb(point, move)


@truth("yahtzee-sixes", "sixes")
def yahtzee_sixes() -> Chances:
    six = 1 - F(5, 6) ** 3
    return {"yahtzee": six**5, "sixes": 1 - six**5, "mean(score)": 30 * six}


@truth("yahtzee-sixes", "house")
def full_house() -> Chances:
    @cache
    def roll_on(kept: tuple[int, ...], left: int) -> F:
        """The chance when these dice stay, the others are rolled, and then `left` more times what you like."""
        if len(kept) < 5:
            return sum((roll_on(tuple(sorted((*kept, face))), left) for face in range(1, 7)), F(0)) / 6
        if not left:
            return F(sorted(Counter(kept).values()) == [2, 3])
        return max(roll_on(stay, left - 1) for size in range(6) for stay in set(combinations(kept, size)))

    chance = roll_on((), 2)
    return {"full house": chance, "other": 1 - chance}


@truth("death-saves", "dying")
def death_saves(good: int = 0, bad: int = 0) -> Chances:
    def move(state: tuple[int, int]) -> dict[tuple[int, int] | str, Fraction]:
        def after(roll: int) -> tuple[int, int] | str:
            saved, failed = state[0] + (roll >= 10), state[1] + (1 + (roll == 1)) * (roll < 10)
            return "up" if roll == 20 else "stable" if saved == 3 else "dead" if failed >= 3 else (saved, failed)

        return mapped(die(20), after)

    return absorb((good, bad), move)


@truth("usage-die", "use")
def usage_die(die: int) -> Chances:
    # a die of n sides lasts n / 2 uses in the mean
    return {"used up": F(1), "mean(round)": sum((F(size, 2) for size in (4, 6, 8, 10, 12, 20) if size <= die), F(0))}


@truth("extended-test", "extended")
def extended_test(pool: int, needed: int = 6) -> Chances:
    def move(state: tuple[int, int]) -> dict[tuple[int, int] | str, Fraction]:
        size, so_far = state

        def after(wins: int) -> tuple[int, int] | str:
            total = so_far + wins
            return "success" if total >= needed else "failure" if size == 1 else (size - 1, total)

        return mapped(hits(size, F(1, 3)), after)

    return absorb((pool, 0), move)


@truth("pig", "turn")
def pig(held: int = 0) -> Chances:
    @cache
    def roll(points: int) -> tuple[F, F, F]:
        """The mean of the score, the chance to lose it and the mean of rolls, before a roll with so many points."""
        score, bust, rounds = F(0), F(1, 6), F(1)
        for face in range(2, 7):
            total = points + face
            ahead = roll(total) if total < 100 else (F(0), F(0), F(0))
            if ahead[0] >= total:  # when both are worth the same, the answer to "hold?" is no
                score, bust, rounds = score + ahead[0] / 6, bust + ahead[1] / 6, rounds + ahead[2] / 6
            else:
                score += F(total, 6)
        return score, bust, rounds

    score, bust, rounds = roll(held)
    return {"bust": bust, "hold": 1 - bust, "mean(score)": score, "mean(round)": rounds}


@truth("monopoly-jail", "jail")
def monopoly_jail() -> Chances:
    # doubles and all other rolls move seven spaces in the mean alike
    stay = F(5, 6)
    return {"free": 1 - stay**3, "pay": stay**3, "mean(round)": 1 + stay + stay**2, "mean(moved)": F(7)}


Cup = tuple[int, int, int]  # green, yellow and red dice
_ZOMBIE_FACES = (Counter("bbbffs"), Counter("bbffss"), Counter("bffsss"))  # brain, footprints, shotgun


def _draw(cup: Cup, number: int) -> dict[Cup, F]:
    """Dice drawn from the cup; all of them where there are too few."""
    size = min(number, sum(cup))
    hands = [(a, b, size - a - b) for a in range(cup[0] + 1) for b in range(cup[1] + 1) if 0 <= size - a - b <= cup[2]]
    return {hand: F(prod(comb(*pair) for pair in zip(cup, hand, strict=True)), comb(sum(cup), size)) for hand in hands}


@cache
def _roll_zombie_dice(hand: Cup) -> dict[tuple[Cup, int, int], F]:
    """Footprints of each color, brains and shotguns."""

    def look(faces: tuple[str, ...]) -> tuple[Cup, int, int]:
        green, yellow = hand[0], hand[0] + hand[1]
        feet = tuple(part.count("f") for part in (faces[:green], faces[green:yellow], faces[yellow:]))
        return (feet[0], feet[1], feet[2]), faces.count("b"), faces.count("s")

    dice = [share(faces.elements()) for faces, size in zip(_ZOMBIE_FACES, hand, strict=True) for _ in range(size)]
    return mapped(each(*dice), look)


@cache
def _turn(cup: Cup, feet: Cup, brains: int, shots: int) -> F:
    """The mean score of the best plan, before a roll."""
    mean, same = F(0), F(0)
    for drawn, p in _draw(cup, 3 - sum(feet)).items():
        rest = (cup[0] - drawn[0], cup[1] - drawn[1], cup[2] - drawn[2])
        hand = (feet[0] + drawn[0], feet[1] + drawn[1], feet[2] + drawn[2])
        for (after, more, shot), q in _roll_zombie_dice(hand).items():
            if (rest, after, more, shot) == (cup, feet, 0, 0):
                same += p * q  # three footprints again
            elif shots + shot < 3:
                score, goes_on = F(brains + more), sum(rest) + sum(after) > 0
                mean += p * q * (max(score, _turn(rest, after, brains + more, shots + shot)) if goes_on else score)
    return max(mean / (1 - same), mean + same * brains)


@truth("zombie-dice", "turn")
def zombie_dice(green: int = 6, yellow: int = 4, red: int = 3, brains: int = 0, shots: int = 0) -> Chances:
    return {"mean(score)": _turn((green, yellow, red), (0, 0, 0), brains, shots)}
