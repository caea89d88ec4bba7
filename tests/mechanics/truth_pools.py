"""Pools of equal dice: what is counted, what matches, what cancels."""

from __future__ import annotations

from collections import Counter

from .truth import Chances, Dice, F, add, each, hits, judge, rolls, share, sorted_rolls, truth


@truth("shadowrun5", "test")
def shadowrun5(pool: int, limit: int = 6, needed: int = 1) -> Chances:
    faces = add(*[share([0, 0, 0, 1, 1, 100])] * pool)  # 100 for a one, 1 for a hit

    def look(total: int) -> tuple[str, dict[str, int]]:
        ones, counted = divmod(total, 100)
        found = min(counted, limit)
        if 2 * ones > pool:
            name = "critical glitch" if found == 0 else "glitched success" if found >= needed else "glitch"
        else:
            name = "success" if found >= needed else "failure"
        return name, {"hits": found}

    return judge(faces, look)


@truth("vampire5", "test")
def vampire5(pool: int, hunger: int = 1, difficulty: int = 2) -> Chances:
    red = min(pool, hunger)
    # per die: failure, success, ten; and a one of a hunger die
    plain = add(*[share([0] * 5 + [1] * 4 + [100])] * (pool - red))
    angry = add(*[share([10**6] + [0] * 4 + [1] * 4 + [100])] * red)

    def look(pair: Dice) -> tuple[str, dict[str, int]]:
        ones, rest = divmod(pair[1], 10**6)
        tens = pair[0] // 100 + rest // 100
        successes = pair[0] % 100 + rest % 100 + tens + tens // 2 * 2
        if successes >= difficulty:
            name = "success" if tens < 2 else "messy critical" if rest >= 100 else "critical"
        else:
            name = "bestial failure" if ones else "failure"
        return name, {"successes": successes}

    return judge(each(plain, angry), look)


@truth("exalted3", "action")
def exalted3(pool: int, difficulty: int = 1) -> Chances:
    def look(total: int) -> tuple[str, dict[str, int]]:
        ones, successes = divmod(total, 1000)
        botch = successes == 0 and ones > 0
        name = "success" if successes >= difficulty else "botch" if botch else "failure"
        return name, {"successes": successes}

    return judge(add(*[share([1000, *[0] * 5, 1, 1, 1, 2])] * pool), look)


@truth("one-roll-engine", "action")
def one_roll_engine(pool: int) -> Chances:
    return _sets(pool, 0, 0)


@truth("godlike-hard", "action")
def godlike(plain: int = 4, hard: int = 0, wiggle: int = 0) -> Chances:
    return _sets(plain, hard, wiggle)


def _sets(plain: int, tens: int, free: int) -> Chances:
    """The widest set of ten-sided dice, and of those the highest; `tens` show 10, `free` join the widest."""

    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        counted = Counter((*faces, *[10] * tens))
        width, tall = max((times, face) for face, times in counted.items())
        steps = {"width": width + free} if free else {"width": width, "tall": tall}  # of equal sets, any may grow
        return "success" if width + free >= 2 else "failure", steps

    return judge(sorted_rolls(10, plain), look)


@truth("alternity", "check")
def alternity(score: int, situation: int = 0, worse: bool = True) -> Chances:
    def look(dice: Dice) -> tuple[str, dict[str, int]]:
        total = dice[0] + (sum(dice[1:]) if worse else -sum(dice[1:]))
        bands = (("amazing", score // 4), ("good", score // 2), ("ordinary", score))
        name = next((word for word, least in bands if total <= least), "failure")
        return "critical failure" if dice[0] == 20 else name, {"total": total}

    return judge(rolls(20, situation) if situation else rolls(20), look)


@truth("silhouette", "test")
def silhouette(skill: int, attribute: int = 0, threshold: int = 4) -> Chances:
    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        total = max(faces) + max(faces.count(6) - 1, 0) + attribute
        name = "success" if total > threshold else "tie" if total == threshold else "failure"
        return "fumble" if max(faces) == 1 else name, {"total": total}

    return judge(sorted_rolls(6, skill), look)


@truth("degenesis", "action")
def degenesis(number: int, difficulty: int = 2) -> Chances:
    def look(total: int) -> tuple[str, dict[str, int]]:
        ones, rest = divmod(total, 10000)
        triggers, plain = divmod(rest, 100)
        successes = triggers + plain + max(number - 12, 0)
        name = "success" if successes >= difficulty else "botch" if ones > successes else "failure"
        return name, {"triggers": triggers}

    return judge(add(*[share([10000, 0, 0, 1, 1, 100])] * min(number, 12)), look)


@truth("ubiquity", "test")
def ubiquity(pool: int, difficulty: int = 2) -> Chances:
    return judge(
        hits(pool, F(1, 2)), lambda even: ("success" if even >= difficulty else "failure", {"successes": even})
    )


@truth("wildsea", "action")
def wildsea(pool: int, cut: int = 0) -> Chances:
    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        left = faces[: max(pool - cut, 0)]
        best = max(left, default=0)
        name = "triumph" if best == 6 else "conflict" if best >= 4 else "disaster"
        return name, {"twist": len(set(left)) < len(left)}

    return judge(sorted_rolls(6, pool), look)


@truth("heart-spire", "check")
def heart_spire(pool: int, reduced: str = "standard") -> Chances:
    removed = ["standard", "risky", "dangerous"].index(reduced)

    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        best = faces[: max(pool - removed, 1)][-1]
        names = ["critical failure", *["failure"] * 4, *["success at a cost"] * 2, "success", "success", "critical"]
        return names[best - 1], {"best": best}

    return judge(sorted_rolls(10, pool), look)


@truth("trophy", "risk")
def trophy(light: int = 1, dark: int = 1, ruin: int = 1) -> Chances:
    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        bright, grim = max(faces[:light], default=0), max(faces[light:], default=0)
        best = max(bright, grim)
        name = "success" if best == 6 else "partial" if best >= 4 else "failure"
        return name, {"worse": dark > 0 and grim >= bright and grim > ruin}

    return judge(rolls(*[6] * (light + dark)), look)


@truth("blood-bowl", "block")
def blood_bowl(number: int = 1, chooser: str = "attacker", block: bool = False, dodge: bool = False) -> Chances:
    worth = share([0, 3 if block else 1, 2, 2, 2 if dodge else 3, 3])
    names = ["turnover", "both down", "push", "knockdown"]
    choose = max if chooser == "attacker" else min
    return judge(each(*[worth] * number), lambda faces: names[choose(faces)])


@truth("liars-dice", "call")
def liars_dice(hidden: int, bid: int, own: int = 0, wild: bool = True) -> Chances:
    def look(fitting: int) -> tuple[str, dict[str, int]]:
        return "stands" if own + fitting >= bid else "fails", {"fitting": own + fitting}

    return judge(hits(hidden, F(1 + wild, 6)), look)


@truth("neon-city-overdrive", "check")
def neon_city(action: int, danger: int = 0) -> Chances:
    def look(pair: tuple[Dice, Dice]) -> tuple[str, dict[str, int]]:
        left = Counter(pair[0]) - Counter(pair[1])
        best = max(left, default=0)
        name = "success" if best == 6 else "partial" if best >= 4 else "failure" if best > 1 else "botch"
        return name, {"best": best}

    return judge(_two(6, action, danger), look)


def _two(sides: int, first: int, second: int) -> dict[tuple[Dice, Dice], F]:
    """Two pools next to each other, each sorted."""
    right = sorted_rolls(sides, second)
    return {(a, b): p * q for a, p in sorted_rolls(sides, first).items() for b, q in right.items()}


@truth("sorcerer", "conflict")
def sorcerer(mine: int, theirs: int) -> Chances:
    def look(pair: tuple[Dice, Dice]) -> tuple[str, dict[str, int]]:
        own, other = list(pair[0]), list(pair[1])
        while own and other and own[-1] == other[-1]:
            own.pop()
            other.pop()
        if not own and not other:
            return "tied", {"victories": 0}
        ahead = not other or bool(own and own[-1] > other[-1])
        winner, loser = (own, other) if ahead else (other, own)
        return "won" if ahead else "lost", {"victories": sum(face > max(loser, default=0) for face in winner)}

    return judge(_two(10, mine, theirs), look)


@truth("dont-rest-your-head", "conflict")
def dont_rest_your_head(pain: int, discipline: int = 3, exhaustion: int = 0, madness: int = 0) -> Chances:
    def look(pools: tuple[Dice, ...]) -> tuple[str, dict[str, int]]:
        names = ["discipline", "madness", "exhaustion", "pain"]
        strengths = [tuple(reversed(faces)) for faces in pools]
        low = [sum(face <= 3 for face in faces) for faces in pools]
        return names[strengths.index(max(strengths))], {"success": sum(low[:3]) >= low[3]}

    return judge(each(*(sorted_rolls(6, size) for size in (discipline, madness, exhaustion, pain))), look)


@truth("poker-dice", "hand")
def poker_dice() -> Chances:
    names = {
        (5,): "five", (4, 1): "four", (3, 2): "full house", (3, 1, 1): "three", (2, 2, 1): "two pairs",
        (2, 1, 1, 1): "one pair", (1,) * 5: "bust",
    }  # fmt: skip

    def look(faces: Dice) -> tuple[str, dict[str, int]]:
        shape = tuple(sorted(Counter(faces).values(), reverse=True))
        straight = faces in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
        return "straight" if straight else names[shape], {"kinds": len(shape)}

    return judge(sorted_rolls(6, 5), look)


@truth("chronicles-rote", "action")
def chronicles_rote(pool: int, again: int = 10, rote: bool = False) -> Chances:
    on, stop, miss = F(11 - again, 10), F(3 - (11 - again), 10), F(7, 10)
    chain = [miss]  # successes of one die that is rolled again from `again` on; beyond five it does not matter
    chain += [on ** (more - 1) * (on * miss + stop) for more in range(1, 6)]
    one = dict(enumerate([miss * chain[0], *(x + miss * x for x in chain[1:])] if rote else chain))
    one[6] = 1 - sum(one.values(), F(0))
    mean = pool * F(3, 10) / (1 - on) * (1 + miss * rote)
    found = judge(add(*[one] * pool), lambda wins: "exceptional" if wins >= 5 else "success" if wins else "failure")
    return {**found, "mean(successes)": mean}
