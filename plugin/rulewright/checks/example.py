"""Examples: recorded dice, told results, what-ifs and stories, judged by the rules."""

from __future__ import annotations

from collections.abc import Sequence

from ..book.model import Block
from ..game.model import Rule
from ..text import Problem
from .contest import check_contest
from .expect import compare
from .model import Around, Checked, Move, trouble
from .roll import deal_again, own_roll, work_out
from .scene import Scene, any_of, read_scene


def check_example(block: Block, around: Around) -> Checked:
    """All steps of an example; the first that cannot be read ends it."""
    skip = block.get("skip")
    problems: list[Problem] = []
    moves: list[Move] = []
    base: tuple[Scene, Move | None] | None = None
    last: Move | None = None
    unreadable = False
    for part in block.parts:
        scene, found = read_scene(block, part, around, base[0] if base else None, last)
        problems += found
        if scene is None or any_of(found):
            unreadable = True
            break
        if skip:
            base = (scene, None) if part.name != "instead" else base
            continue
        move, found, readable = run(scene, base[1] if base else None)
        problems += found
        unreadable = unreadable or not readable
        if move is None:
            break
        moves.append(move)
        if part.name != "instead":
            base, last = (scene, move), move
    rule = base[0].rule if base else None
    return verdict(block, problems, rule, moves, unreadable)


def verdict(
    block: Block, problems: list[Problem], rule: Rule | None, moves: Sequence[Move], unreadable: bool
) -> Checked:
    """The status of a block; one that is meant to be wrong has passed when it fails."""
    wrong, status = block.get("wrong"), "error" if unreadable else "failed" if problems else "passed"
    if block.get("skip") and not unreadable:
        status = "skipped"
    if wrong and status != "skipped":
        if any(problem.code != "block-key" for problem in problems):
            problems, status = [], "passed"
        elif not problems:
            message = "this example is said to be wrong, but the rules agree with it"
            problems, status = [trouble(block, "wrong-passes", message, wrong.key_span)], "failed"
    return Checked(block, status, tuple(problems), rule, tuple(moves))


def run(scene: Scene, before: Move | None) -> tuple[Move | None, list[Problem], bool]:
    """What comes of a scene: its move, what is wrong, and whether it could be read at all."""
    if scene.rule.contest:
        return check_contest(scene)
    dice = scene.roll.get("dice")
    if dice and not scene.expected and "given" not in scene.roll:
        message = "these dice are thrown, but nothing is said of what comes of it"
        note = "write outcome:, degree: or a step of the rule"
        return None, [trouble(scene.block, "example-empty", message, dice.span, (note,))], False
    if scene.part.name == "instead" and before and before.result and not own_roll(scene):
        move, problems = deal_again(scene, before.result)
    else:
        move, problems = work_out(scene)
    if move is None:
        return None, problems, False
    return move, [*problems, *compare(scene, move)], not problems
