"""Contests in examples: rolls both sides, breaks ties with roll-offs, compares the winner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..book.page import Entry
from ..book.settings import PIECE, Setting, parse_settings
from ..game.inputs import bind_inputs
from ..game.model import Contest, Rule
from ..play.record import RECORD_KEYS
from ..source import Problem, Span, suggest
from .model import Bout, Move, Side, make_problem, value_notes
from .roll import evaluate_roll
from .safe_fixes import either_note
from .scene import TRAIT_KEYS, Scene, StatedValue, input_spans, with_traits
from .written_settings import INPUT, record_setting, setting_names


def check_contest(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """The move of a contest, with a problem if the stated winner differs from the actual one."""
    contest = scene.rule.contest
    assert contest
    problems = list(check_sides(scene))
    if problems:
        return None, problems
    sides: list[Side] = []
    for entry, rule in zip(scene.sides, contest.of, strict=True):
        side, more = _evaluate_side(scene, entry, rule, contest)
        problems += more
        sides.append(side)
    winner = None
    if not problems:
        winner, problems = _find_winner(scene, contest, sides)
    if problems:
        return None, problems
    move = Move(scene.rule, {}, sides[0].bouts[-1].move.result, {}, winner or "none", None, sides=tuple(sides))
    return move, list(_compare_winner(scene, sides, winner))


def check_sides(scene: Scene) -> Iterator[Problem]:
    """Problems of the sides that do not need the dice."""
    contest = scene.rule.contest
    assert contest
    if len(scene.sides) != 2 or len(contest.of) != 2:
        message = "a contest has two sides; write side NAME: twice, each with its inputs and dice"
        third = scene.sides[2].key_span if len(scene.sides) > 2 else None
        yield make_problem(scene.block, "example-side", message, third or _part_span(scene))
    for entry, rule in zip(scene.sides, contest.of, strict=False):
        side, problems = read_side(scene, entry, rule)
        yield from problems
        spans = input_spans(side.scene)
        for name, message in bind_inputs(rule, side.scene.texts)[1]:
            yield make_problem(scene.block, "block-value", message, spans[name], value_notes(spans[name].text))
        if not side.rolls and not problems:
            message = f"{entry.name} shows no dice; write dice or {contest.compare}"
            yield make_problem(scene.block, "example-side", message, entry.value_span)


def _part_span(scene: Scene) -> Span:
    return scene.part.span if scene.part.name else scene.block.word


def _evaluate_side(scene: Scene, entry: Entry, rule: Rule, contest: Contest) -> tuple[Side, list[Problem]]:
    """Evaluates the rolls of a side in order; stops at the first that cannot be evaluated."""
    bouts: list[Bout] = []
    for roll_scene in read_side(scene, entry, rule)[0].scenes:
        move, problems = evaluate_roll(roll_scene)
        value = move.steps.get(contest.compare) if move else None
        if not problems and not isinstance(value, int):
            message = f"{contest.compare} is not known for {entry.name}"
            problems = [make_problem(scene.block, "example-side", message, entry.value_span)]
        if problems:
            return Side(entry.name, tuple(bouts), entry.value_span), problems
        assert move
        assert isinstance(value, int)
        bouts.append(Bout(value, move))
    return Side(entry.name, tuple(bouts), entry.value_span), []


@dataclass
class _SidePhrase:
    """The parsed phrase of a side: its inputs, and the dice of each roll-off."""

    scene: Scene
    rolls: list[dict[str, StatedValue]] = field(default_factory=list)

    @property
    def scenes(self) -> list[Scene]:
        return [replace(self.scene, roll=throw) for throw in self.rolls]

    def add_entry(self, key: str, value: StatedValue) -> None:
        """Adds an entry to the current roll; each further `dice` starts another roll-off."""
        if not self.rolls or (key == "dice" and "dice" in self.rolls[-1]):
            self.rolls.append({})
        roll = self.rolls[-1]
        previous = roll.get(key)
        if previous:  # consecutive steps form one `given` phrase
            value = _join_values(previous, value)
        roll[key] = value


def read_side(scene: Scene, entry: Entry, rule: Rule) -> tuple[_SidePhrase, list[Problem]]:
    names, steps = [rule_input.name for rule_input in rule.inputs], [step.name for step in rule.steps]
    side = _SidePhrase(Scene(scene.block, scene.part, rule))
    problems: list[Problem] = []
    keys = [*map(record_setting, (*RECORD_KEYS, *TRAIT_KEYS)), *(Setting(step, PIECE) for step in steps)]
    items = parse_settings(entry.value_span, setting_names(rule, *keys))
    for item in items:
        key, value = item.name, StatedValue(item.value, item.value_span)
        name = key.removeprefix(f"{INPUT} ")
        if name in names and name in side.scene.inputs:
            message = f"`{item.name}` is written twice"
            problems.append(make_problem(scene.block, "block-key", message, item.name_span))
        elif name in names and key not in (*RECORD_KEYS, *TRAIT_KEYS):
            side.scene = replace(side.scene, inputs={**side.scene.inputs, name: value})
        elif key in RECORD_KEYS:
            side.add_entry(key, value)
        elif key in TRAIT_KEYS:
            side.scene = replace(side.scene, roll={**side.scene.roll, key: value})
        elif key in steps:
            step_span = Span(item.name_span.source, item.name_span.start, item.value_span.end)
            side.add_entry("given", StatedValue(step_span.text, step_span))
        else:
            note = suggest(item.name, [*names, *steps, *RECORD_KEYS, *TRAIT_KEYS])
            message = f'{rule.name} has no input or step "{item.name}"; {note}'.rstrip("; ")
            problems.append(make_problem(scene.block, "block-key", message, item.name_span))
    if side.scene.roll:
        entries = {item.name.removeprefix(f"{INPUT} "): item for item in items}
        side.scene, more = with_traits(replace(side.scene, own=frozenset(entries)), entries)
        problems += more
    return side, problems


def _join_values(first: StatedValue, last: StatedValue) -> StatedValue:
    span = Span(first.span.source, first.span.start, last.span.end)
    return StatedValue(span.text, span)


def _find_winner(scene: Scene, contest: Contest, sides: Sequence[Side]) -> tuple[str | None, list[Problem]]:
    """The winner after the recorded roll-offs; None if there is none."""
    first, second = sides
    for number, (first_bout, second_bout) in enumerate(zip(first.bouts, second.bouts, strict=False)):
        if first_bout.value == second_bout.value and contest.ties == "again":
            continue
        longer_side = next((side for side in sides if len(side.bouts) > number + 1), None)
        if longer_side:
            score = f"{first_bout.value} to {second_bout.value}"
            message = f"roll-off {number + 1} has decided it, {score}; leave out what follows"
            return None, [make_problem(scene.block, "example-side", message, longer_side.span)]
        if first_bout.value == second_bout.value:
            return {"first": first.name, "second": second.name}.get(contest.ties), []
        return (first.name if first_bout.value > second_bout.value else second.name), []
    shorter_side = min(sides, key=lambda side: len(side.bouts))
    message = f"after {len(shorter_side.bouts)} roll-offs it is a tie, and both sides roll again"
    message += f"; write the next dice of {shorter_side.name}"
    return None, [
        make_problem(scene.block, "example-side", message.replace("1 roll-offs", "1 roll-off"), shorter_side.span)
    ]


def _compare_winner(scene: Scene, sides: Sequence[Side], winner: str | None) -> list[Problem]:
    entry = scene.roll.get("winner")
    if entry is None:
        message = "nothing is said of who wins"
        return [
            make_problem(
                scene.block, "example-empty", message, scene.block.word, ("write winner: with a side's name, or none",)
            )
        ]
    names = [side.name for side in sides]
    if entry.text.lower() not in [name.lower() for name in (*names, "none")]:
        return [
            make_problem(
                scene.block, "block-value", f'there is no side "{entry.text}"; {suggest(entry.text, names)}', entry.span
            )
        ]
    if entry.text.lower() == (winner or "none").lower():
        return []
    values = ", then ".join(
        f"{first_bout.value} to {second_bout.value}"
        for first_bout, second_bout in zip(sides[0].bouts, sides[1].bouts, strict=True)
    )
    message = f"the rules give winner {winner or 'none'}, the example says {entry.text}"
    notes = (f"{names[0]} against {names[1]}: {values}", either_note("winner", winner or "none"))
    return [make_problem(scene.block, "example-winner", message, entry.span, notes)]
