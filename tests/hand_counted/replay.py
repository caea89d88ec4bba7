"""Recorded throws, judged by the twins: reads the dice of a book's example."""

import re
from collections.abc import Iterator

from . import ingenuity, maelstrom, step_dice, wild_die
from .odds import Result
from .spelling import Inputs, plain


def words(dice: str) -> Iterator[str]:
    """The faces in order, without bars, commas and names of kinds."""
    return (word for word in re.split(r"[\s,|]+", dice) if word and not word.isalpha())


def series(word: str) -> tuple[int, ...]:
    return tuple(int(face) for face in word.split("+"))


def waves(faces: list[int], pool: int, children: int, declined: int) -> tuple[list[int], list[int]]:
    """The pool and all dice it earned, wave by wave; refuses too few and too many."""
    first, rest, due = faces[:pool], faces[pool:], children * faces[:pool].count(10)
    earned: list[int] = []
    while due > declined:
        due, wave, rest = due - declined, rest[: due - declined], rest[due - declined :]
        if len(wave) < due:
            raise ValueError("dice are missing")
        declined, due = 0, children * wave.count(10)
        earned += wave
    if rest or len(first) < pool:
        raise ValueError("too many or too few dice")
    return first, earned


def action(faces: list[int], inputs: Inputs, first_edition: bool, declined: int) -> Result:
    goal = inputs.get("difficulty", 6) + inputs.get("raised", 0)
    children = (1 if first_edition else 2) if inputs.get("specialty") else 0
    pool, earned = waves(faces, inputs["pool"], children, declined)
    good = sum(face >= goal for face in pool + earned)
    if first_edition:
        return maelstrom.judge_first_edition(good, (pool + earned).count(1), inputs.get("threshold", 0))
    return maelstrom.judge(good, pool.count(1), inputs.get("threshold", 0))


def willpower(faces: list[int], inputs: Inputs) -> Result:
    good = sum(face >= inputs.get("difficulty", 6) for face in faces)
    spend, current = inputs.get("spend", False), inputs["current"]
    result = maelstrom.judge(good, faces.count(1), inputs.get("threshold", 0))
    if spend and (result.value("net") < 0 or current < 2):
        raise ValueError("no dot can be spent here")
    return maelstrom.settle(result, current, spend)


def wild_check(dice: list[str], inputs: Inputs) -> Result:
    if len(dice) != inputs["d"] + inputs.get("extra", 0):
        raise ValueError("too many or too few dice")
    return wild_die.judge(
        tuple(int(face) for face in dice[:-1]),
        series(dice[-1]),
        inputs["pips"],
        inputs.get("bonus", 0),
        inputs.get("difficulty", 0),
        inputs.get("fumble", "complication"),
        inputs.get("wild_one", "counts"),
    )


def step_check(dice: str, inputs: Inputs) -> Result:
    faces, die, ones = series(dice), inputs["die"], inputs.get("ones", "anywhere")
    for length in range(1, len(faces)):
        if not step_dice.goes_on(faces[:length], die, ones, "always"):
            raise ValueError("thrown on without need")
    if step_dice.goes_on(faces, die, ones, "always"):
        raise ValueError("a throw is missing")
    counts = inputs.get("exploding_one", "counts")
    return step_dice.judge(faces, inputs.get("bonus", 0), inputs.get("target", 4), ones, counts)


def ingenuity_test(faces: list[int], inputs: Inputs) -> Result:
    luck = faces.pop() if inputs.get("luck", True) else 0
    if len(faces) != (2 if inputs.get("skill") else 1):
        raise ValueError("too many or too few dice")
    return ingenuity.judge(sum(faces) + inputs.get("proficiency", 0), luck, inputs.get("difficulty", 0))


def replay(game: str, rule: str, inputs: Inputs, dice: str, declined: int = 0) -> Result:
    values, faces = plain(inputs), list(words(dice))
    match game, rule:
        case (("maelstrom" | "maelstrom-first-edition"), "action"):
            return action([int(face) for face in faces], values, game != "maelstrom", declined)
        case "maelstrom", "willpower":
            return willpower([int(face) for face in faces], values)
        case "wild-die", "check":
            return wild_check(faces, values)
        case "step-dice", "check":
            return step_check(faces[0], values)
        case "ingenuity", "test":
            return ingenuity_test([int(face) for face in faces], values)
    raise ValueError(f"no twin for {game}/{rule}")
