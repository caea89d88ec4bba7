"""Dice on the screen: every face, marked by what it counts for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..game.result import Result, Shown
from .screen import INDENT, Screen, fold, pad

MARKS = {"cancelled": ("x", "lost"), "removed": ("-", "lost"), "good": ("*", "good"), "bad": ("!", "bad")}
ASIDE = ("rerolled", "dropped")
TOLD = {"good": "good", "bad": "bad", "cancelled": "good, but cancelled", "removed": "good, but removed"}


def dice_groups(result: Result) -> list[tuple[str, list[list[Shown]]]]:
    """The dice round by round and kind by kind, each group with its name."""
    faces = [die for die in result.faces if die]
    groups = groupby(faces, key=lambda die: (die[0].round, die[0].kind))
    return [(kind if number == 1 else f"earned: {kind}", list(dice)) for (number, kind), dice in groups]


def dice_lines(result: Result, screen: Screen, room: int) -> Iterator[str]:
    """All dice, and what the marks mean."""
    groups = dice_groups(result)
    for name, dice in groups:
        yield from fold([drawn(die, screen) for die in dice], "  ", f"{INDENT}{pad(name, room)}{INDENT}")
    legend = [*meanings([die for _, dice in groups for die in dice])]
    if legend:
        yield from (screen.paint(line, "quiet") for line in fold(legend, "   ", INDENT + " " * room + INDENT))


def drawn(die: Sequence[Shown], screen: Screen) -> str:
    """«7*», «6+4», «(2) 5»: what does not count stands in brackets."""
    parts = [(face, marked(face, screen)) for face in die]
    text = ""
    for face, part in parts:
        text += ("+" if "thrown on" in face.roles else " " if text else "") + part
    return text


def marked(face: Shown, screen: Screen) -> str:
    if any(role in ASIDE for role in face.roles):
        return screen.paint(f"({face.text})", "quiet")
    mark, style = next((MARKS[role] for role in MARKS if role in face.roles), ("", ""))
    return screen.paint(face.text + mark, style)


def meanings(dice: Sequence[Sequence[Shown]]) -> Iterator[str]:
    """What each mark means, for those that are there."""
    lying = [face for die in dice for face in die if not any(role in ASIDE for role in face.roles)]
    used = {next((role for role in MARKS if role in face.roles), "") for face in lying}
    yield from (f"{MARKS[role][0]} {meaning}" for role, meaning in TOLD.items() if role in used)
    if any("thrown on" in face.roles for die in dice for face in die):
        yield "a+b thrown on"
    if any("rerolled" in face.roles for die in dice for face in die):
        yield "( ) replaced"
    elif any("dropped" in face.roles for die in dice for face in die):
        yield "( ) not kept"
