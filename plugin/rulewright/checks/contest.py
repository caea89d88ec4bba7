"""Contests in examples: two sides, throw-offs, a winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..book.model import Entry
from ..book.phrases import Item, parse_phrase
from ..game.model import Contest, Rule
from ..text import Fix, Problem, Span, suggest
from .model import Move, trouble
from .roll import work_out
from .scene import Said, Scene

Found = tuple[Move | None, list[Problem], bool]


@dataclass(frozen=True)
class Bout:
    """What one side shows in one throw-off: the value that is compared, and how it came about."""

    value: int
    move: Move


@dataclass(frozen=True)
class Side:
    name: str
    bouts: tuple[Bout, ...]
    span: Span


def check_contest(scene: Scene) -> Found:
    """Who wins, beside who is said to win."""
    contest = scene.rule.contest
    assert contest
    if len(scene.sides) != 2 or len(contest.of) != 2:
        message = "a contest has two sides; write side NAME: twice, each with its inputs and dice"
        return (
            None,
            [trouble(scene.block, "example-side", message, scene.part.span if scene.part.name else scene.block.word)],
            False,
        )
    sides, problems = [], []
    for entry, rule in zip(scene.sides, contest.of, strict=True):
        side, found = read_side(scene, entry, rule, contest)
        sides.append(side)
        problems += found
    if problems or len(sides) != 2:
        return None, problems, False
    winner, problems = decide(scene, contest, sides)
    if problems:
        return None, problems, False
    last = sides[0].bouts[-1].move
    move = Move(scene.rule, {}, None, {}, winner or "none", None)
    return replace(move, result=last.result), list(compare_winner(scene, sides, winner)), True


def read_side(scene: Scene, entry: Entry, rule: Rule, contest: Contest) -> tuple[Side, list[Problem]]:
    """A side's throw-offs, each worked out by the rule that it rolls."""
    throws, scenes, problems = side_scenes(scene, entry, rule)
    bouts = []
    for one in scenes if not problems else []:
        move, found = work_out(one)
        problems += found
        value = move.steps.get(contest.compare) if move else None
        if move and not found and not isinstance(value, int):
            problems.append(
                trouble(
                    scene.block, "example-side", f"{contest.compare} cannot be told for {entry.name}", entry.value_span
                )
            )
        elif move and isinstance(value, int):
            bouts.append(Bout(value, move))
    if not throws and not problems:
        problems.append(
            trouble(
                scene.block,
                "example-side",
                f"{entry.name} shows no dice; write dice or {contest.compare}",
                entry.value_span,
            )
        )
    return Side(entry.name, tuple(bouts), entry.value_span), problems


def side_scenes(scene: Scene, entry: Entry, rule: Rule) -> tuple[int, list[Scene], list[Problem]]:
    """One scene for each throw-off of a side; all share its inputs."""
    names = {one.name.lower(): one.name for one in rule.inputs}
    steps = {step.name for step in rule.steps}
    plain = Scene(scene.block, scene.part, rule)
    throws: list[Item] = []
    given: list[Item] = []
    extra: dict[str, Said] = {}
    problems = []
    for item in parse_phrase(entry.value_span):
        key = item.name.lower()
        if key == "dice":
            throws.append(item)
        elif key in names:
            plain = replace(plain, inputs={**plain.inputs, names[key]: Said(item.value, item.value_span)})
        elif key in steps:
            given.append(item)
        elif key in ("declined", "rerolled"):
            extra[key] = said(item)
        else:
            note = suggest(item.name, [*names.values(), *steps, "dice", "declined", "rerolled"])
            problems.append(
                trouble(
                    scene.block,
                    "block-key",
                    f"{rule.name} has no input «{item.name}»; {note}".rstrip("; "),
                    item.name_span,
                )
            )
    if given:
        whole = Span(entry.value_span.source, given[0].name_span.start, given[-1].value_span.end)
        return 1, [replace(plain, roll={**extra, "given": Said(whole.text, whole)})], problems
    return len(throws), [replace(plain, roll={**extra, "dice": said(item)}) for item in throws], problems


def said(item: Item) -> Said:
    return Said(item.value, item.value_span)


def decide(scene: Scene, contest: Contest, sides: Sequence[Side]) -> tuple[str | None, list[Problem]]:
    """The winner after the recorded throw-offs; None where nobody wins."""
    first, second = sides
    for number, (one, other) in enumerate(zip(first.bouts, second.bouts, strict=False)):
        if one.value == other.value and contest.ties == "again":
            continue
        longer = next((side for side in sides if len(side.bouts) > number + 1), None)
        if longer:
            message = f"throw-off {number + 1} has decided it, {one.value} to {other.value}; leave out what follows"
            return None, [trouble(scene.block, "example-side", message, longer.span)]
        if one.value == other.value:
            return {"first": first.name, "second": second.name}.get(contest.ties), []
        return (first.name if one.value > other.value else second.name), []
    short = min(sides, key=lambda side: len(side.bouts))
    message = (
        f"after {len(short.bouts)} throw-offs it is a tie, and both throw again; write the next dice of {short.name}"
    )
    return None, [trouble(scene.block, "example-side", message.replace("1 throw-offs", "1 throw-off"), short.span)]


def compare_winner(scene: Scene, sides: Sequence[Side], winner: str | None) -> list[Problem]:
    entry = scene.roll.get("winner")
    if entry is None:
        message = "nothing is said of who wins"
        return [
            trouble(
                scene.block, "example-empty", message, scene.block.word, ("write winner: with a side's name, or none",)
            )
        ]
    names = [side.name for side in sides]
    if entry.text.lower() not in [name.lower() for name in (*names, "none")]:
        return [
            trouble(
                scene.block, "block-value", f"there is no side «{entry.text}»; {suggest(entry.text, names)}", entry.span
            )
        ]
    if entry.text.lower() == (winner or "none").lower():
        return []
    values = ", then ".join(
        f"{one.value} to {other.value}" for one, other in zip(sides[0].bouts, sides[1].bouts, strict=True)
    )
    message = f"the rules give winner {winner or 'none'}, the example says {entry.text}"
    notes = (f"{names[0]} against {names[1]}: {values}",)
    problem = trouble(scene.block, "example-winner", message, entry.span, notes)
    return [replace(problem, fix=Fix(entry.span, winner or "none"))]
