"""Examples: the roll, its what-ifs and what came after, as the scenes of one card."""

from __future__ import annotations

from typing import NamedTuple

from ...checks.model import Checked, Move
from ..words import Words
from .formulas import named
from .inputs import Given, given
from .scenes import Scene, called, scene
from .throws import Meaning, legend


class Example(NamedTuple):
    scenes: list[Scene]
    legend: list[Meaning]


def example(checked: Checked, words: Words) -> Example | None:
    """None where nothing could be worked out, or nothing was to be."""
    if not checked.moves or checked.status == "skipped":
        return None
    scenes, base = [], checked.moves[0]
    for move in checked.moves:
        scenes.append(told(move, base, words))
        base = base if part_of(move) == "instead" else move
    rolls = [one.result for move in checked.moves for one in (move, *bouts(move)) if one.result]
    return Example(scenes, legend(rolls, words))


def part_of(move: Move) -> str:
    return move.part.name if move.part else ""


def bouts(move: Move) -> list[Move]:
    return [bout.move for side in move.sides for bout in side.bouts]


def told(move: Move, base: Move, words: Words) -> Scene:
    """A what-if shows what it changes, in its heading; a further step shows its rule where that is another."""
    inputs = given(move.rule, move.inputs, words)
    if part_of(move) != "instead":
        other = move.rule is not base.rule
        heading = words("then with", rule=move.rule.label) if other else words("then")
        return scene(move, words, heading if part_of(move) else "", inputs)
    before = given(base.rule, base.inputs, words)
    changed = [words("setting", name=one.label, value=one.value).strip() for one in inputs if one not in before]
    if move.rule.game != base.rule.game:
        folder = move.rule.game.rpartition("/")[2]
        changed.append(words("rules of", game=named(folder.replace("-", " ")).capitalize()))
    if move.rule.label != base.rule.label:
        changed.append(move.rule.label)
    changes = ", ".join(changed) or said(move) or words("other dice")
    return scene(move, words, words("what if", changes=changes), no_inputs())


def said(move: Move) -> str:
    """The traits or points of a what-if, where they change nothing else that a heading could name."""
    named = move.part.named if move.part else {}
    return ", ".join(called(move.rule, key, named[key].value) for key in ("traits", "spends") if key in named)


def no_inputs() -> list[Given]:
    """The heading has said them."""
    return []
