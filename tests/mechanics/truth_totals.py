"""Dice that are added up, compared or read: totals against a number, percentages, two sides."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from .truth import Chances, Dice, F, die, each, explode, judge, rolls, share, sorted_rolls, truth


@truth("pbta-middle", "move")
def middle_of_three(bonus: int = 0, luck: str = "even") -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = dice[["bane", "even", "boon"].index(luck)] + bonus
        return "strong hit" if total >= 8 else "weak hit" if total >= 5 else "miss", {"middle": dice[1]}

    return judge(sorted_rolls(10, 3), look)


@truth("dcc-dice-chain", "check")
def dcc_dice_chain(shift: int = 0, bonus: int = 0, dc: int = 10) -> Chances:
    sides = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30)[10 + shift]

    def look(face: int) -> tuple[str, dict[str, int]]:
        name = (
            "critical" if face == sides else "fumble" if face == 1 else "success" if face + bonus >= dc else "failure"
        )
        return name, {"total": face + bonus}

    return judge(die(sides), look)


@truth("coc7", "check")
def call_of_cthulhu(skill: int, bonus: int = 0, penalty: int = 0) -> Chances:
    choose: Callable[[list[int]], int] = min if bonus >= penalty else max

    def look(digits: Dice) -> tuple[str, dict[str, int]]:
        roll = choose([10 * ten + digits[0] or 100 for ten in digits[1:]])
        levels = (("extreme", skill // 5), ("hard", skill // 2), ("regular", skill))
        name = next((word for word, least in levels if roll <= least), "failure")
        fumble = roll == 100 or (skill < 50 and roll > 95)
        return "critical" if roll == 1 else "fumble" if fumble else name, {"roll": roll}

    return judge(each(*[share(range(10))] * (2 + abs(bonus - penalty))), look)


@truth("warhammer4", "test")
def warhammer(skill: int, modifier: int = 0) -> Chances:
    target = skill + modifier

    def look(roll: int) -> tuple[str, dict[str, int]]:
        double = roll % 11 == 0 or roll == 100
        passed = roll <= 5 or (roll <= target and roll <= 95)
        name = ("critical" if double else "success") if passed else "fumble" if double else "failure"
        return name, {"level": target // 10 - roll // 10}

    return judge(die(100), look)


def _knight(skill: int, roll: int) -> tuple[int, int]:
    """Level (0 fumble to 3 critical) and the number that is compared."""
    if skill >= 20:
        return (3, 20) if roll + skill - 20 >= 20 else (2, roll + skill - 20)
    level = 3 if roll == skill else 2 if roll < skill else 0 if roll == 20 else 1
    return level, {3: 20, 2: roll}.get(level, 0)


@truth("pendragon", "skill")
def pendragon_skill(skill: int) -> Chances:
    return judge(die(20), lambda roll: ["fumble", "failure", "success", "critical"][_knight(skill, roll)[0]])


@truth("pendragon", "opposed")
def pendragon_opposed(attack_skill: int, defence_skill: int) -> Chances:
    def look(dice: Dice) -> str:
        (own, high), (other, low) = _knight(attack_skill, dice[0]), _knight(defence_skill, dice[1])
        mine, theirs = (own, high) if own > 1 else (0, 0), (other, low) if other > 1 else (0, 0)
        if mine > theirs:
            return "win"
        return ("tie" if own > 1 else "loss") if mine == theirs else "partial" if own == 2 else "loss"

    return judge(rolls(20, 20), look)


@truth("mythras-differential", "fight")
def mythras(attack_skill: int, defence_skill: int) -> Chances:
    def level(skill: int, roll: int) -> int:
        if roll <= -(-skill // 10):
            return 3
        if roll == 100 or (roll == 99 and skill <= 100):
            return 0
        return 2 if roll <= max(5, min(skill, 95)) else 1

    def look(levels: Dice) -> tuple[str, dict[str, int]]:
        margin = levels[0] - levels[1] if max(levels) > 1 else 0
        return "edge" if margin > 0 else "riposte" if margin < 0 else "neither", {"margin": margin}

    sides = (share(level(skill, roll) for roll in range(1, 101)) for skill in (attack_skill, defence_skill))
    return judge(each(*sides), look)


@truth("gurps", "check")
def gurps(skill: int) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        roll = sum(dice)
        critical = 4 if skill < 15 else min(skill - 10, 6)
        if roll <= critical:
            name = "critical"
        elif roll == 18 or (roll == 17 and skill <= 15) or roll - skill >= 10:
            name = "fumble"
        else:
            name = "success" if roll <= skill and roll < 17 else "failure"
        return name, {"margin": skill - roll}

    return judge(sorted_rolls(6, 3), look)


@truth("hero-damage", "damage")
def hero_damage(classes: int, pd: int = 8, con: int = 15) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        stun = max(sum(dice) - pd, 0)
        body = max(len(dice) - dice.count(1) + dice.count(6) - pd, 0)
        return "stunned" if stun > con else "hurt" if stun else "unharmed", {"stun": stun, "body": body}

    return judge(sorted_rolls(6, classes), look)


@truth("traveller-boon", "check")
def traveller(modifier: int = 0, target: int = 8, luck: str = "even") -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        effect = sum(dice[:2] if luck == "bane" else dice[-2:]) + modifier - target
        return "success" if effect >= 0 else "failure", {"effect": effect}

    return judge(sorted_rolls(6, 2 if luck == "even" else 3), look)


@truth("ironsworn", "move")
def ironsworn(adds: int = 2, momentum: int = 0) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        score = min(adds + (0 if dice[0] == -momentum else dice[0]), 10)
        name = ["miss", "weak hit", "strong hit"][(score > dice[1]) + (score > dice[2])]
        return name, {"score": score, "match": dice[1] == dice[2]}

    return judge(rolls(6, 10, 10), look)


@truth("ars-magica", "stress")
def ars_magica(bonus: int = 0, ease: int = 9, risk: int = 1) -> Chances:
    found = {"botch": F(1, 10) * (1 - F(9, 10) ** risk)}
    success = F(1, 10) * F(9, 10) ** risk * (bonus >= ease) + F(sum(face + bonus >= ease for face in range(2, 10)), 10)
    running, double = F(1, 10), 2
    while 2 * double + bonus < ease:
        success += running * F(sum(face * double + bonus >= ease for face in range(2, 11)), 10)
        running, double = running / 10, 2 * double
    found["success"] = success + running  # from here on every number is enough
    return {**found, "failure": 1 - sum(found.values(), F(0))}


@truth("feng-shui", "check")
def feng_shui(action: int, difficulty: int = 8) -> Chances:
    def ahead(least: int) -> F:
        """The chance that a die that explodes on a 6 is ahead of another by so much, which may be negative."""
        if least <= 0:
            return 1 - ahead(1 - least)
        single = explode(6, 12 + least)
        # both dice may have exploded equally often besides, each time with 1/36
        equal = [sum(single[r] * single.get(r + d, F(0)) for r in range(1, 6)) / (1 - F(1, 36)) for d in range(least)]
        return (1 - equal[0] - 2 * sum(equal[1:])) / 2

    enough, below = ahead(difficulty - action), 1 - ahead(-action)
    return {  # two sixes at first change nothing about the difference
        "success": F(35, 36) * enough,
        "way-awesome success": enough / 36,
        "way-awful failure": (1 - enough) / 36 + F(35, 36) * below,
        "failure": F(35, 36) * (1 - enough - below),
        "mean(total)": F(action),
    }


@truth("marvel-multiverse", "check")
def marvel(ability: int = 0, target: int = 12, edges: int = 0) -> Chances:
    def total(dice: Dice) -> int:
        return dice[0] + dice[1] + (dice[2] if dice[2] > 1 else 6) + ability

    @cache
    def best(dice: Dice, left: int) -> F:
        """The chance of success with the best plan; a new face is taken only where it helps."""
        if total(dice) >= target or not left:
            return F(total(dice) >= target)
        stay = best(dice, left - 1)
        plans = ([(*dice[:i], face, *dice[i + 1 :]) for face in range(1, 7)] for i in range(3))
        return max(stay, *(sum((max(best(new, left - 1), stay) for new in plan), F(0)) / 6 for plan in plans))

    if edges:
        chance = sum((best(dice, edges) * p for dice, p in rolls(6, 6, 6).items()), F(0))
        return {"success or fantastic success": chance, "failure or fantastic failure": 1 - chance}

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        name = "success" if total(dice) >= target else "failure"
        return "fantastic " * (dice[2] == 1) + name, {"total": total(dice)}

    return judge(rolls(6, 6, 6), look)


@truth("cypher", "task")
def cypher(difficulty: int = 4, effort: int = 0) -> Chances:
    left = max(difficulty - effort, 0)

    def look(roll: int) -> tuple[str, dict[str, int]]:
        names = {1: "intrusion" if left else "success", 19: "minor effect", 20: "major effect"}
        enough = roll == 1 or roll >= 3 * left
        return names.get(roll, "success") if enough else "failure", {"roll": roll}

    return judge(die(20), look)
