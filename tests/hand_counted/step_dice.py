"""Twins of Step Dice: one die, thrown on after its highest face and after a 1."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from .odds import Odds, Result, compare, decided, gather

Faces = tuple[int, ...]


def fumbled(faces: Faces, ones: str) -> bool:
    """Two ones in a row: anywhere, or only as the first two throws."""
    if ones == "at the start":
        return faces[:2] == (1, 1)
    return (1, 1) in pairwise(faces)


def goes_on(faces: Faces, die: int, ones: str, aim: str) -> bool:
    if fumbled(faces, ones):
        return False
    return faces[-1] == 1 or (faces[-1] == die and aim == "always")


def throws(die: int, ones: str, aim: str, depth: int, faces: Faces = ()) -> Iterator[Faces]:
    """Every finished series of at most `depth` throws."""
    if len(faces) == depth:
        return
    for face in range(1, die + 1):
        longer = (*faces, face)
        if goes_on(longer, die, ones, aim):
            yield from throws(die, ones, aim, depth, longer)
        else:
            yield longer


def judge(faces: Faces, bonus: int, target: int, ones: str, exploding_one: str) -> Result:
    critical = fumbled(faces, ones)
    total = sum(faces) + bonus
    if exploding_one == "is replaced":
        total -= faces.count(1)
    steps = (("critical", int(critical)), ("total", total), ("rank", -1000 if critical else total))
    if critical:
        return Result("critical failure", 0, steps)
    return Result("success", total - target, steps) if total >= target else Result("failure", 0, steps)


def check(
    *,
    die: int,
    bonus: int = 0,
    target: int = 4,
    ones: str = "anywhere",
    exploding_one: str = "counts",
    aim: str = "always",
    depth: int = 10,
) -> Odds:
    return gather(
        (judge(faces, bonus, target, ones, exploding_one), Fraction(1, die ** len(faces)))
        for faces in throws(die, ones, aim, depth)
    )


def after(
    opening: Faces,
    *,
    die: int,
    bonus: int = 0,
    target: int = 4,
    ones: str = "anywhere",
    exploding_one: str = "counts",
    depth: int = 10,
) -> Odds:
    """The odds once the first throws lie."""
    return gather(
        (judge(faces, bonus, target, ones, exploding_one), Fraction(1, die ** (len(faces) - len(opening))))
        for faces in throws(die, ones, "always", depth)
        if faces[: len(opening)] == opening
    )


def contest(first: Odds, second: Odds) -> Odds:
    """Both throw a check; ties are thrown again."""
    return decided(compare(first, second, "rank", "tie"))
