"""What can be said against an example without working it out: its values, its names, keys out of their place."""

from __future__ import annotations

from collections.abc import Iterator

from ..book.model import Entry
from ..game.inputs import bind
from ..text import Problem
from .expect import unreadable
from .model import trouble
from .roll import declined_of
from .scene import Scene, spans_of


def misread(scene: Scene) -> Iterator[Problem]:
    """All at once, for an example of which nothing can be worked out."""
    from .contest import misread_sides
    from .given import read_given

    spans = spans_of(scene)
    yield from out_of_place(scene)
    for name, message in bind(scene.rule, scene.texts)[1]:
        yield trouble(scene.block, "block-value", message, spans[name])
    yield from read_given(scene)[1]
    yield from () if scene.rule.contest else unreadable(scene)
    problem = declined_of(scene)[1]
    if problem:
        yield problem
    if scene.rule.contest and scene.sides:
        yield from misread_sides(scene)


def out_of_place(scene: Scene) -> Iterator[Problem]:
    """Sides and a winner where there is no contest; dice and results of nobody where there is one."""
    contest = bool(scene.rule.contest)
    wrong = ("dice", "given", "rerolled", "declined", "outcome", "degree") if contest else ("side", "winner")
    what = "is a contest: its dice and results belong to its sides" if contest else "is no contest"
    for entry in scene.part.entries:
        if entry.key == "policy":
            yield from undecided(scene, entry)
        if entry.key in wrong:
            message = f"the rule {scene.rule.name} {what}"
            notes = ("write side NAME: with its inputs and dice, and winner:",) if contest else ()
            yield trouble(scene.block, "example-side", message, entry.key_span, notes)


def undecided(scene: Scene, entry: Entry) -> Iterator[Problem]:
    """A policy that there is none of, or that decides nothing here."""
    from .settings import wrong_policy  # knows the odds engine, for which examples do not wait

    if message := wrong_policy(scene.rule, entry.value):
        yield trouble(scene.block, "block-value", message, entry.value_span)
