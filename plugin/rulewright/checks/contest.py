"""Contests in examples: rolls both sides, breaks ties with roll-offs, compares the winner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..book.entries import Item, parse_phrase
from ..book.page import Entry
from ..game.inputs import bind
from ..game.model import Contest, Rule
from ..play.record import ARROW
from ..source import Problem, Span, suggest
from .model import Bout, Move, Side, trouble
from .roll import work_out
from .safe_fixes import either
from .scene import KEYS as TRAITS
from .scene import Said, Scene, spans_of, with_traits

SHOWN = ("dice", "rerolled", "declined")


def check_contest(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """The move of a contest, with a problem if the stated winner differs from the actual one."""
    contest = scene.rule.contest
    assert contest
    problems = list(misread_sides(scene))
    if problems:
        return None, problems
    sides: list[Side] = []
    for entry, rule in zip(scene.sides, contest.of, strict=True):
        side, found = worked_out(scene, entry, rule, contest)
        problems += found
        sides.append(side)
    winner = None
    if not problems:
        winner, problems = decide(scene, contest, sides)
    if problems:
        return None, problems
    move = Move(scene.rule, {}, sides[0].bouts[-1].move.result, {}, winner or "none", None, sides=tuple(sides))
    return move, list(compare_winner(scene, sides, winner))


def misread_sides(scene: Scene) -> Iterator[Problem]:
    """Problems of the sides that do not need the dice."""
    contest = scene.rule.contest
    assert contest
    if len(scene.sides) != 2 or len(contest.of) != 2:
        message = "a contest has two sides; write side NAME: twice, each with its inputs and dice"
        third = scene.sides[2].key_span if len(scene.sides) > 2 else None
        yield trouble(scene.block, "example-side", message, third or part_span(scene))
    for entry, rule in zip(scene.sides, contest.of, strict=False):
        side, problems = read_side(scene, entry, rule)
        yield from problems
        spans = spans_of(side.scene)
        for name, message in bind(rule, side.scene.texts)[1]:
            yield trouble(scene.block, "block-value", message, spans[name])
        if not side.throws and not problems:
            message = f"{entry.name} shows no dice; write dice or {contest.compare}"
            yield trouble(scene.block, "example-side", message, entry.value_span)


def part_span(scene: Scene) -> Span:
    return scene.part.span if scene.part.name else scene.block.word


def worked_out(scene: Scene, entry: Entry, rule: Rule, contest: Contest) -> tuple[Side, list[Problem]]:
    """Evaluates the rolls of a side in order; stops at the first that cannot be evaluated."""
    bouts: list[Bout] = []
    for one in read_side(scene, entry, rule)[0].scenes:
        move, problems = work_out(one)
        value = move.steps.get(contest.compare) if move else None
        if not problems and not isinstance(value, int):
            message = f"{contest.compare} cannot be told for {entry.name}"
            problems = [trouble(scene.block, "example-side", message, entry.value_span)]
        if problems:
            return Side(entry.name, tuple(bouts), entry.value_span), problems
        assert move
        assert isinstance(value, int)
        bouts.append(Bout(value, move))
    return Side(entry.name, tuple(bouts), entry.value_span), []


@dataclass
class Spoken:
    """The parsed phrase of a side: its inputs, and the dice of each roll-off."""

    scene: Scene
    throws: list[dict[str, Said]] = field(default_factory=list)

    @property
    def scenes(self) -> list[Scene]:
        return [replace(self.scene, roll=throw) for throw in self.throws]

    def show(self, key: str, said: Said) -> None:
        """Adds an entry to the current roll; each further `dice` starts another roll-off."""
        if not self.throws or (key == "dice" and "dice" in self.throws[-1]):
            self.throws.append({})
        throw = self.throws[-1]
        before = throw.get(key)
        if before:  # consecutive steps form one `given` phrase
            said = spanned(before, said)
        throw[key] = said


def read_side(scene: Scene, entry: Entry, rule: Rule) -> tuple[Spoken, list[Problem]]:
    names = {one.name.lower(): one.name for one in rule.inputs}
    steps = [step.name for step in rule.steps]
    side = Spoken(Scene(scene.block, scene.part, rule))
    problems: list[Problem] = []
    items = joined(parse_phrase(entry.value_span))
    for item in items:
        key, value = item.name.lower(), Said(item.value, item.value_span)
        if key in names and names[key] in side.scene.inputs:
            message = f"`{item.name}` is written twice"
            problems.append(trouble(scene.block, "block-key", message, item.name_span))
        elif key in names:
            side.scene = replace(side.scene, inputs={**side.scene.inputs, names[key]: value})
        elif key in SHOWN:
            side.show(key, value)
        elif key in TRAITS:
            side.scene = replace(side.scene, roll={**side.scene.roll, key: value})
        elif key in steps:
            whole = Span(item.name_span.source, item.name_span.start, item.value_span.end)
            side.show("given", Said(whole.text, whole))
        else:
            note = suggest(item.name, [*names.values(), *steps, *SHOWN, *TRAITS])
            message = f"{rule.name} has no input or step «{item.name}»; {note}".rstrip("; ")
            problems.append(trouble(scene.block, "block-key", message, item.name_span))
    if side.scene.roll:
        own = {names.get(item.name.lower(), item.name.lower()): item for item in items}
        side.scene, more = with_traits(replace(side.scene, own=frozenset(own)), own)
        problems += more
    return side, problems


def joined(items: Sequence[Item]) -> list[Item]:
    """Merges rerolls that were split at commas: an item with an arrow belongs to the `rerolled` before it."""
    found: list[Item] = []
    for item in items:
        last = found[-1] if found else None
        if last and last.name.lower() == "rerolled" and ARROW.search(item.value):
            whole = Span(last.value_span.source, last.value_span.start, item.value_span.end)
            found[-1] = Item(last.name, whole.text, last.name_span, whole)
        else:
            found.append(item)
    return found


def spanned(first: Said, last: Said) -> Said:
    whole = Span(first.span.source, first.span.start, last.span.end)
    return Said(whole.text, whole)


def decide(scene: Scene, contest: Contest, sides: Sequence[Side]) -> tuple[str | None, list[Problem]]:
    """The winner after the recorded roll-offs; None if there is none."""
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
    notes = (f"{names[0]} against {names[1]}: {values}", either("winner", winner or "none"))
    return [trouble(scene.block, "example-winner", message, entry.span, notes)]
