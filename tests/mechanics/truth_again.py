"""Dice that are rolled again: exploding, rerolled, or followed by others."""

from __future__ import annotations

from functools import cache

from .truth import (
    Chances,
    Dice,
    F,
    add,
    die,
    each,
    explode,
    hits,
    judge,
    mapped,
    rolls,
    share,
    sorted_rolls,
    truth,
    weigh,
)


def mean_of_exploding(sides: int, less: int = 0) -> F:
    """The mean of a die that explodes on its highest face; each further roll counts `less` less."""
    return (F(sides + 1, 2) - F(less, sides)) * F(sides, sides - 1)


def at_least(sides: int, value: int) -> F:
    """The chance that a die that explodes on its highest face reaches a value."""
    return explode(sides, value)[value] if value > 0 else F(1)


@truth("hackmaster", "damage")
def hackmaster(die: int, number: int = 2, armor: int = 0) -> Chances:
    single = {0: F(0)}
    base, chance = 0, F(1)
    while base <= armor:  # the last roll shows less than the highest face; all before added `die - 1`, the first 1 more
        for face in range(1, die):
            value = base + face - (base > 0)
            single[value] = single.get(value, F(0)) + chance / die
        base, chance = base + die - (base > 0), chance / die
    single[armor + 1] = single.get(armor + 1, F(0)) + chance
    nothing = sum((p for value, p in add(*[single] * number).items() if value <= armor), F(0))
    found = {"nothing": nothing, "wound": 1 - nothing}
    return found if armor else {**found, "mean(harm)": number * mean_of_exploding(die, 1)}


@truth("earthdawn", "test")
def earthdawn(step: int, target: int = 6) -> Chances:
    dice = {1: [4], 2: [4], 3: [4], 4: [6], 5: [8], 6: [10], 7: [12], 8: [6, 6], 9: [6, 8], 10: [8, 8]}[step]
    less = max(3 - step, 0)
    total = add(*(explode(sides, target + less) for sides in dice))
    ones = F(1, dice[0] * dice[-1]) if len(dice) > 1 else F(0)
    enough = sum((p for value, p in total.items() if max(value - less, 1) >= target), F(0))
    if target <= 2 and len(dice) > 1:
        enough -= ones
    found = {"rule of one": ones, "success": enough, "failure": 1 - ones - enough}
    return found if less else {**found, "mean(total)": sum((mean_of_exploding(sides) for sides in dice), F(0))}


@truth("rolemaster", "maneuver")
def rolemaster(bonus: int = 0) -> Chances:
    more = explode(100, 300, 96)
    total = weigh(
        (face + bonus + sign * value, p / 100)
        for face in range(1, 101)
        for sign in [(face >= 96) - (face <= 5)]
        for value, p in (more.items() if sign else [(0, F(1))])
    )
    found = judge(total, lambda x: "blunder" if x < 0 else "success" if x > 100 else "partial" if x > 75 else "failure")
    return {**found, "mean(total)": F(101, 2) + bonus}


@truth("deadlands", "trait")
def deadlands(die: int, number: int = 3, target: int = 5) -> Chances:
    fails = explode(die, target)
    one, low = F(1, die), 1 - fails.get(target, F(0)) - F(1, die)  # a first roll of 1; another value below the target
    found = {"bust": F(0), "failure": F(0)}
    for ones, chance in hits(number, one).items():
        if 2 * ones > number:
            found["bust"] += chance
        else:
            found["failure"] += chance * (low / (1 - one)) ** (number - ones)
    return {**found, "success": 1 - found["bust"] - found["failure"]}


@truth("anima", "check")
def anima(ability: int = 50, difficulty: int = 120) -> Chances:
    def reach(value: int, open_from: int) -> F:
        if value <= 0:
            return F(1)
        return sum(
            (reach(value - face, min(open_from + 1, 100)) if face >= open_from else F(face >= value))
            for face in range(1, 101)
        ) / F(100)

    need = difficulty - ability
    success = reach(need, 90) - F(sum(face >= need for face in (1, 2, 3)), 100)
    return {"fumble": F(3, 100), "success": success, "failure": F(97, 100) - success}


@truth("witcher", "check")
def witcher(base: int = 10, dc: int = 14) -> Chances:
    need = dc - base
    success = sum((F(1, 10) for face in range(2, 10) if face >= need), F(0)) + at_least(10, need - 10) / 10
    if need <= 0:  # after a 1 the die that is taken away must stay at or below what is to spare
        success += (1 - at_least(10, 1 - need)) / 10
    total = F(10, 10) * mean_of_exploding(10) - F(1, 10) - mean_of_exploding(10) / 10
    return {"success": success, "failure": 1 - success, "mean(total)": base + total}


@truth("cyberpunk-red", "check")
def cyberpunk(base: int = 10, dv: int = 15) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = base + dice[0] + {10: dice[1], 1: -dice[1]}.get(dice[0], 0)
        return "success" if total > dv else "failure", {"total": total}

    return judge(rolls(10, 10), look)


@truth("torg", "action")
def torg(skill: int = 10, difficulty: int = 10) -> Chances:
    single = {0: F(1)}
    ended: dict[int, F] = {}
    while single:  # values up to 45; beyond that the bonus stays 13
        after = weigh((min(value + face, 46), p / 20) for value, p in single.items() for face in range(1, 21))
        going = weigh((value + face, p / 20) for value, p in single.items() for face in (10, 20) if value + face < 46)
        for value, p in after.items():
            ended[value] = ended.get(value, F(0)) + p - going.get(value, F(0))
        single = going
    bonuses = [-12, -10, -8, -8, -5, -5, -2, -2, -1, -1, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7]

    def look(value: int) -> str:
        bonus = bonuses[value - 1] if value <= 20 else 8 + (value - 21) // 5
        return "success" if skill + bonus >= difficulty else "failure"

    return judge(ended, look)


@truth("fantasy-age", "test")
def fantasy_age(ability: int = 1, target: int = 11) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        doubles = len(set(dice)) < 3
        passed = sum(dice) + ability >= target
        name = ("stunt" if doubles else "success") if passed else "failure"
        return name, {"points": dice[2] if doubles else 0}

    return judge(rolls(6, 6, 6), look)


@truth("2d20", "test")
def two_d20(pool: int = 2, target: int = 12, focus: int = 1, difficulty: int = 1, **more: int) -> Chances:
    troubled = more.get("range", 20)
    faces = share((face <= target) + (face <= max(focus, 1)) + 100 * (face >= troubled) for face in range(1, 21))

    def look(total: int) -> tuple[str, dict[str, int]]:
        complications, successes = divmod(total, 100)
        name = "success" if successes >= difficulty else "failure"
        return name, {"successes": successes, "complications": complications}

    return judge(add(*[faces] * pool), look)


@truth("dc-heroes", "action")
def dc_heroes(column: int = 11) -> Chances:
    @cache
    def reach(total: int) -> F:
        if total >= column:
            return F(1)  # doubles go on, but this is enough
        return sum((p * (reach(total + sum(dice)) if dice[0] == dice[1] else F(total + sum(dice) >= column))
                    for dice, p in sorted_rolls(10, 2).items() if total + sum(dice) > 2), F(0))  # fmt: skip

    success = reach(0)
    more = F(9, 100) / (1 - F(1, 10))  # rounds after the first
    return {"double ones": F(1, 100), "success": success, "failure": F(99, 100) - success, "mean(round)": 1 + more}


@truth("ironclaw", "contest")
def ironclaw(body: int = 6, skill: int = 0, against: int = 6, other: int = 0) -> Chances:
    def look(pair: tuple[Dice, Dice]) -> tuple[str, dict[str, int]]:
        best = max(pair[1])
        wins = sum(value > best for value in pair[0])
        name = "success" if wins else "tie" if best in pair[0] else "failure"
        return "botch" if max(pair[0]) == 1 else name, {"hits": wins}

    mine, theirs = (rolls(*filter(None, sides)) for sides in ((body, skill), (against, other)))
    return judge({(a, b): p * q for a, p in mine.items() for b, q in theirs.items()}, look)


@truth("benny", "trait")
def savage_worlds(trait: int, modifier: int = 0) -> Chances:
    failure = (1 - at_least(trait, 4 - modifier)) * (1 - at_least(6, 4 - modifier))
    return {"failure": failure, "success": 1 - failure}


@truth("benny", "benny")
def benny(trait: int, modifier: int = 0) -> Chances:
    failure = savage_worlds(trait, modifier)["failure"] ** 2
    return {"failure": failure, "success": 1 - failure}


@truth("5e-attack", "attack")
def fifth_attack(bonus: int = 5, ac: int = 15, luck: str = "even", bless: bool = False) -> Chances:
    choose = min if luck == "disadvantage" else max

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = dice[0] + bonus + dice[1]
        name = "critical" if dice[0] == 20 else "miss" if dice[0] == 1 or total < ac else "hit"
        return name, {"total": total}

    natural = mapped(rolls(*[20] * (1 + (luck != "even"))), choose)
    return judge(each(natural, die(4) if bless else {0: F(1)}), look)


@truth("5e-great-weapon", "damage")
def great_weapon(number: int = 2, die: int = 6, bonus: int = 3, hp: int = 10) -> Chances:
    low = min(2, die)
    one = {face: (F(face > 2) + F(low, die)) / die for face in range(1, die + 1)}
    return judge(add(*[one] * number), lambda roll: ("slain" if roll + bonus >= hp else "hurt", {"harm": roll + bonus}))
