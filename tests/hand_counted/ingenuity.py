"""Twins of Ingenuity: an attribute die, a skill die and a luck die, with rerolls for the first two."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from .odds import Odds, Result, compare, decided, gather

Dice = tuple[int, ...]
Fall = dict[Dice, Fraction]  # where the dice end, with chances


def judge(base: int, luck: int, difficulty: int) -> Result:
    """`luck` is the face of the luck die, 0 when it is not thrown."""
    lucky = int(luck >= 20)
    total = base + 3 * lucky
    steps = (("base", base), ("lucky", lucky), ("total", total))
    return Result("success", total - difficulty, steps) if total >= difficulty else Result("failure", 0, steps)


def rerolled(dice: Dice, sides: Dice, place: int, keep: Callable[[int, int], int]) -> Iterator[tuple[Dice, Fraction]]:
    for face in range(1, sides[place] + 1):
        yield (*dice[:place], keep(dice[place], face), *dice[place + 1 :]), Fraction(1, sides[place])


def mixed(parts: Iterator[tuple[Fall, Fraction]]) -> Fall:
    table: defaultdict[Dice, Fraction] = defaultdict(Fraction)
    for fall, chance in parts:
        for dice, further in fall.items():
            table[dice] += chance * further
    return dict(table)


@cache
def improved(dice: Dice, sides: Dice, times: int, needed: int | None) -> Fall:
    """The best use of `times` rerolls of any die, keeping the higher face.

    Without `needed` the mean of the sum is made as great as can be, else the chance to reach it.
    Of equally good choices the first die is taken; a reroll never harms, so none is left out.
    """

    def worth(fall: Fall) -> Fraction:
        values = ((sum(end) if needed is None else int(sum(end) >= needed), chance) for end, chance in fall.items())
        return sum((value * chance for value, chance in values), Fraction(0))

    if times == 0:
        return {dice: Fraction(1)}
    choices = [
        mixed((improved(now, sides, times - 1, needed), chance) for now, chance in rerolled(dice, sides, place, max))
        for place in range(len(dice))
    ]
    return max(choices, key=worth)


@cache
def worsened(dice: Dice, sides: Dice, times: int, tie: str) -> Fall:
    """The greatest die is thrown again, `times` times, keeping the lower face."""
    if times == 0:
        return {dice: Fraction(1)}
    greatest = [place for place, face in enumerate(dice) if face == max(dice)]
    place = greatest[0] if tie == "attribute" else greatest[-1]
    return mixed((worsened(now, sides, times - 1, tie), chance) for now, chance in rerolled(dice, sides, place, min))


def skill_test(
    *,
    attribute: int,
    skill: int = 0,
    proficiency: int = 0,
    difficulty: int = 0,
    advantage: int = 0,
    disadvantage: int = 0,
    luck: bool = True,
    tie: str = "attribute",
    aim: str = "mean(total)",
) -> Odds:
    """All dice lie, the luck die too, before it is chosen what is thrown again."""
    sides = (attribute, skill) if skill else (attribute,)
    net = advantage - disadvantage
    lucks = range(1, 21) if luck else range(1)

    def end(dice: Dice, face: int) -> Fall:
        if net < 0:
            return worsened(dice, sides, -net, tie)
        needed = difficulty - proficiency - (3 if face >= 20 else 0)
        return improved(dice, sides, net, needed if aim == "chance(success)" else None)

    def results() -> Iterator[tuple[Result, Fraction]]:
        each = Fraction(1, len(lucks) * attribute * (skill or 1))
        for face, *dice in product(lucks, *(range(1, side + 1) for side in sides)):
            for final, chance in end(tuple(dice), face).items():
                yield judge(sum(final) + proficiency, face, difficulty), chance * each

    return gather(results())


def luck_test(*, target: int = 20) -> Odds:
    return gather(
        (Result("success" if face >= target else "failure", 0, (("total", face),)), Fraction(1, 20))
        for face in range(1, 21)
    )


def against(first: Odds, second: Odds) -> Odds:
    """Both throw a test; a tie goes to the first."""
    return compare(first, second, "total", "first")


def contest(first: Odds, second: Odds) -> Odds:
    """Both throw a test; ties are thrown again."""
    return decided(compare(first, second, "total", "tie"))
