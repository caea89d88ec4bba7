"""Dice thrown or judged for one side, and what is said of them in rolls and contests alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..game.explain import derivation
from ..game.generator import Generator
from ..game.inputs import shown
from ..game.odds.advise import player
from ..game.odds.policies import chosen
from ..game.result import Complaint, Result, Shown, asked_in_vain, check, roll
from .screen import INDENT, WIDTH, cells, fold, pad, wrap
from .told import stop
from .words import Asked, Side, key_of


def throw(asked: Asked, side: Side, generator: Generator) -> tuple[Result, list[Complaint]]:
    """The result of dice that lie already or are thrown now, and complaints that leave it standing."""
    if side.record:
        text, rerolled = side.record["dice"], side.record.get("rerolled", "")
        result, complaints = check(side.rule, side.inputs, text, side.declined, rerolled)
    else:
        result, complaints = roll(side.rule, side.inputs, player(side.rule, generator, asked.policy))
        complaints += asked_in_vain(result, side.inputs) if result else []
    if result is None:
        raise stop(asked, complaints, side)
    return result, complaints


def policies(asked: Asked, side: Side, result: Result) -> list[str]:
    """How choices were made, where any came up in dice thrown now."""
    if side.record:
        return []
    taking, choosing = chosen(side.rule, asked.policy)
    throws = [landing for die in result.throw.dice for landing in die.throws]
    offered = any(landing.may_stop or (landing.earns and landing.may_decline) for landing in throws)
    anew = any(reroll.pick == "any" and result.setting.of(reroll.times) > 0 for reroll in side.rule.rerolls)
    return [taking] * offered + [choosing] * anew


def policy_lines(asked: Asked, names: Iterable[str]) -> Iterator[str]:
    """What a policy means for this rule."""
    rule = asked.sides[0].rule
    step, outcome = (part[place].name if part else "" for part, place in ((rule.steps, -1), (rule.outcomes, 0)))
    meaning = {
        "always": "optional dice are thrown",
        "never": "optional dice are declined",
        "best mean": f"a die is thrown anew where that raises the mean of {step}",
        "best chance": f"a die is thrown anew where that raises the chance of {outcome}",
    }
    yield from (f"policy {name}: {meaning[name]}" for name in names)


def questions(side: Side, result: Result) -> Iterator[str]:
    """Choices that came up and were not answered, with what would answer them."""
    made = result.setting.program
    for name, entry in made.asked.items():
        known = entry.asked and made.needed([entry.asked]) <= result.known.keys()
        if known and name not in side.inputs and name not in result.unasked:
            values = (0, 1) if entry.form == "flag" else entry.choices
            key = key_of(side, name)
            others = [f"{key}={quote(shown(entry, value))}" for value in values if value != entry.default]
            said = f"{key} comes up here: it is {shown(entry, entry.default)} unless you write"
            yield from fold([*said.split(), " or ".join(others)], " ", "")


def quote(value: str) -> str:
    """A value as a shell takes it."""
    return f'"{value}"' if " " in value else value


def derived(result: Result) -> list[tuple[str, str]]:
    """Each step and how it came about; last, why it is this outcome, and its degree."""
    lines = derivation(result)
    steps = [line.partition(": ")[::2] for line in lines[: len(result.steps)]]
    if result.outcome is None:
        return steps
    why, _, degree = lines[-1].partition("; degree: ")
    return [(name, text) for name, text in [*steps, why.partition(": ")[::2], ("degree", degree)] if text]


def step_lines(steps: Iterable[tuple[str, str]], room: int) -> Iterator[str]:
    """Formula, the same with values, and what it comes to; where that is too long, the formula is left out."""
    for name, worked in steps:
        lead = f"{INDENT}{pad(name, room)}{INDENT}"
        short = worked if cells(lead + worked) <= WIDTH else " → ".join(worked.split(" → ")[1:]) or worked
        yield from wrap(short, lead)


def record_lines(result: Result) -> Iterator[str]:
    """The dice as an example block has them."""
    if result.dice:
        yield f"dice: {result.dice}"
    if result.rerolled:
        yield f"rerolled: {result.rerolled}"
    if result.throw.declined:
        yield f"declined: {result.throw.declined}"


def data(result: Result) -> dict[str, Any]:
    """A result as data for other programs."""
    outcome = result.outcome.name if result.outcome else None
    return {
        "dice": [die_data(die) for die in result.faces if die],
        "record": {"dice": result.dice, "rerolled": result.rerolled, "declined": result.throw.declined},
        "result": {"outcome": outcome, "degree": result.degree, "values": dict(result.steps)},
    }


def die_data(die: Sequence[Shown]) -> dict[str, Any]:
    faces = [{"face": face.text, "roles": list(face.roles)} for face in die]
    return {"kind": die[0].kind, "round": die[0].round, "faces": faces}
