"""Few dice that are read in an unusual way: by color, by tier, by degree, in a table."""

from __future__ import annotations

from .truth import Chances, Dice, F, add, die, each, hits, judge, mapped, rolls, share, sorted_rolls, truth


@truth("cthulhu-dark", "investigate")
def cthulhu_dark(human: bool = True, job: bool = False, risk: bool = False, insight: int = 1) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        plain, mind = max(dice[: human + job], default=0), dice[-1] if risk else 0
        name = {6: "glimpse", 5: "all", 4: "enough"}.get(max(plain, mind), "little")
        return name, {"shaken": mind > max(plain, insight)}

    return judge(rolls(*[6] * (human + job + risk)), look)


@truth("lasers-and-feelings", "act")
def lasers(number: int, approach: str = "lasers", prepared: bool = False, expert: bool = False) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        wins = sum(face <= number if approach == "lasers" else face >= number for face in dice)
        names = ["failure", "barely", "success", "critical success"]
        return names[wins], {"successes": wins, "exact": dice.count(number)}

    return judge(rolls(*[6] * (1 + prepared + expert)), look)


@truth("roll-for-shoes", "contest")
def roll_for_shoes(mine: int, theirs: int) -> Chances:
    gap = add(*[die(6)] * mine, *[share(range(-6, 0))] * theirs)
    return judge(gap, lambda ahead: "win" if ahead > 0 else "loss")


@truth("pathfinder2", "check")
def pathfinder(bonus: int = 5, dc: int = 15) -> Chances:
    def look(natural: int) -> tuple[str, dict[str, int]]:
        margin = natural + bonus - dc
        degree = (margin >= 10) + (margin >= 0) + (margin > -10) + (natural == 20) - (natural == 1)
        names = ["critical failure", "failure", "success", "critical success"]
        return names[min(max(degree, 0), 3)], {"margin": margin}

    return judge(die(20), look)


@truth("draw-steel", "power")
def draw_steel(characteristic: int = 2, edges: int = 0, banes: int = 0) -> Chances:
    balance = edges - banes

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = sum(dice) + characteristic + (2 * balance if abs(balance) == 1 else 0)
        tier = 1 + (total > 11) + (total > 16) + (balance // 2 if abs(balance) == 2 else 0)
        if sum(dice) > 18:
            return "critical", {"tier": 3}
        tier = sorted([1, tier, 3])[1]
        return f"tier {tier}", {"tier": tier}

    return judge(rolls(10, 10), look)


@truth("daggerheart", "action")
def daggerheart(modifier: int = 1, difficulty: int = 15, luck: str = "even") -> Chances:
    extra = {"even": {0: F(1)}, "advantage": die(6), "disadvantage": share(range(-6, 0))}[luck]

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = sum(dice) + modifier
        word, feeling = "success" if total >= difficulty else "failure", "hope" if dice[0] > dice[1] else "fear"
        return "critical success" if dice[0] == dice[1] else f"{word} with {feeling}", {"total": total}

    return judge(each(die(12), die(12), extra), look)


@truth("demon-lord", "challenge")
def demon_lord(modifier: int = 1, boons: int = 0, banes: int = 0, target: int = 10) -> Chances:
    sign = 1 if boons > banes else -1
    extra = mapped(sorted_rolls(6, abs(boons - banes)), lambda dice: sign * max(dice, default=0))

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = sum(dice) + modifier
        return "success" if total >= target else "failure", {"total": total}

    return judge(each(die(20), extra), look)


@truth("troika", "clash")
def troika(skill: int = 7, other: int = 7, armor: int = 0) -> Chances:
    def look(dice: tuple[Dice, ...]) -> tuple[str, dict[str, int]]:
        mine, theirs = skill + sum(dice[0]), other + sum(dice[1])
        mighty, dire = dice[0] == (6, 6), dice[1] == (6, 6)
        if mighty != dire:
            mine, theirs = int(mighty), int(dire)
        harm = [4, 6, 6, 6, 6, 8][max(dice[2][0] - armor, 1) - 1] * (1 + (mighty != dire))
        name = "hit" if mine > theirs else "taken" if theirs > mine else "miss"
        return name, {"harm": harm if mine != theirs else 0}

    return judge(each(sorted_rolls(6, 2), sorted_rolls(6, 2), sorted_rolls(6, 1)), look)


@truth("paranoia", "node")
def paranoia(stat: int = 1, skill: int = 1, needed: int = 1) -> Chances:
    size = abs(stat + skill)
    bad = -1 if stat + skill < 0 else 0
    plain = add(*[share([bad] * 4 + [1, 1])] * size)
    computer = share([bad, bad, bad, bad, 1, 100])

    def look(pair: Dice) -> tuple[str, dict[str, int]]:
        watched = pair[1] == 100
        successes = pair[0] + (1 if watched else pair[1])
        name = "success" if successes >= needed else "failure"
        return "noticed " * watched + name, {"successes": successes}

    return judge(each(plain, computer), look)


@truth("one-ring2", "test")
def one_ring(rating: int = 2, target: int = 14, luck: str = "even", weary: bool = False) -> Chances:
    choose = min if luck == "ill-favored" else max
    feat = mapped(each(*[share(range(12))] * (1 + (luck != "even"))), choose)
    plain = add(*[share(0 if weary and face < 4 else face for face in range(1, 7))] * rating)

    def look(pair: Dice) -> tuple[str, dict[str, int]]:
        rune = pair[0] == 11
        total = pair[1] + (0 if rune else pair[0])
        return "success" if rune or total >= target else "failure", {"total": total}

    return judge(each(feat, plain), look)


@truth("fabula-ultima", "check")
def fabula_ultima(main: int = 8, other: int = 8, modifier: int = 0, difficulty: int = 10) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        high = max(dice)
        name = "success" if sum(dice) + modifier >= difficulty else "failure"
        if dice[0] == dice[1]:
            name = "fumble" if high == 1 else "critical" if high > 5 else name
        return name, {"high": high}

    return judge(rolls(main, other), look)


@truth("harnmaster", "skill")
def harnmaster(level: int = 50) -> Chances:
    def look(roll: int) -> tuple[str, dict[str, int]]:
        kind = "critical" if roll % 5 == 0 else "marginal"
        return f"{kind} {'success' if roll <= level else 'failure'}", {"roll": roll}

    return judge(die(100), look)


@truth("unknown-armies", "check")
def unknown_armies(skill: int = 40, shift: int = 0) -> Chances:
    def look(roll: int) -> tuple[str, dict[str, int]]:
        name = "success" if roll <= skill + shift else "failure"
        extreme = {1: "critical success", 100: "fumble"}.get(roll)
        return extreme or "matched " * (roll % 11 == 0) + name, {"roll": roll}

    return judge(die(100), look)


@truth("backgammon-hit", "shot")
def backgammon(distance: int) -> Chances:
    def look(dice: Dice) -> str:
        a, b = dice
        reached = {a, 2 * a, 3 * a, 4 * a} if a == b else {a, b, a + b}
        return "hit" if distance in reached else "miss"

    return judge(rolls(6, 6), look)


@truth("mausritter-inventory", "usage")
def mausritter(items: int = 3, dots: int = 0) -> Chances:
    def look(marked: int) -> tuple[str, dict[str, int]]:
        return ("lost" if dots == 2 else "worn") if marked else "whole", {"marked": marked}

    return judge(hits(items, F(1, 2)), look)


@truth("hillfolk-two-step", "scene")
def hillfolk(strength: str = "yellow", effort: str = "yellow") -> Chances:
    colors = ["red", "yellow", "green"]

    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        need = sorted([1, dice[0] + 1 - colors.index(effort), 6])[1]
        return "success" if max(dice[1:]) >= need else "failure", {"need": need}

    return judge(rolls(*[6] * (2 + colors.index(strength))), look)


@truth("asym-contest", "fight")
def attack_against_dodge(attack_weapon: int, dodge_reflex: int) -> Chances:
    return judge(
        rolls(attack_weapon, 6, 20), lambda dice: "hit" if dice[0] + dice[1] > dice[2] // 2 + dodge_reflex else "miss"
    )


@truth("faserip", "feat")
def faserip(rank: str, needed: str = "green") -> Chances:
    least = {"Excellent": (41, 71, 95), "Feeble": (61, 91, 100), "Amazing": (26, 56, 91)}[rank]
    chance = F(101 - least[["green", "yellow", "red"].index(needed)], 100)
    return {"success": chance, "failure": 1 - chance}


@truth("x-wing", "attack")
def x_wing(red: int = 3, green: int = 2, focused: bool = False, evasive: bool = False) -> Chances:
    attack = add(*[share([100, 1, 1, 1, int(focused), int(focused), 0, 0])] * red)
    defense = add(*[share([1, 1, 1, int(evasive), int(evasive), 0, 0, 0])] * green)

    def look(pair: Dice) -> tuple[str, dict[str, int]]:
        crits, plain = divmod(pair[0], 100)
        damage = max(plain + crits - pair[1], 0)
        left = min(crits, damage)  # critical hits are cancelled last
        return "critical" if left else "hit" if damage else "miss", {"damage": damage}

    return judge(each(attack, defense), look)
