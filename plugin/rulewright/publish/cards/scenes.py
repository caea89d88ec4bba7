"""One roll as a card shows it: what was given, what fell, what came of it and how likely that was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...checks.model import Move
from ...game.explain import filled, say
from ...game.model import SIDES, Rule
from ...game.odds.answer import Chance
from ...game.odds.remembered import chances
from ...game.result import Result
from ..words import Words
from .bars import Bar, bars
from .derivation import How, derivation, truths
from .figures import value
from .formulas import named
from .inputs import Given, given
from .throws import Group, groups
from .written import Line

TOLD = ("traits", "holds", "required", "uses", "spends", "given")


class Step(NamedTuple):
    name: str
    value: str


class Bout(NamedTuple):
    """What one side threw, and the value that is compared."""

    groups: list[Group]
    value: str


class Side(NamedTuple):
    name: str
    inputs: list[Given]
    bouts: list[Bout]
    wins: bool


class Scene(NamedTuple):
    """`heading` says how it hangs together with the roll before; `told` is said beside inputs and dice."""

    heading: str
    rule: Rule
    inputs: list[Given]
    told: list[Line]
    groups: list[Group]
    steps: list[Step]
    outcome: str
    degree: str
    says: str
    odds: list[Bar]
    how: list[How]
    sides: list[Side]
    differences: list[str]  # what the author wrote, and what the rules say instead


def scene(move: Move, words: Words, heading: str, inputs: list[Given]) -> Scene:
    result = move.result if not move.sides else None
    degree = "" if move.degree is None else value(move.degree, words)
    return Scene(
        heading,
        move.rule,
        inputs,
        told(move, words),
        groups(result, words) if result else [],
        steps(move, words),
        outcome(move, words),
        degree,
        says(move, result),
        bars(known, words, move.outcome) if (known := odds(move)) else [],
        derivation(result, words) if result else [],
        sides(move, words),
        differences(move, words),
    )


def told(move: Move, words: Words) -> list[Line]:
    """What the text says beside inputs and dice: traits, specialties, points, results."""
    named = move.part.named if move.part else {}
    return [
        Line(words(f"told {key}"), called(move.rule, key, named[key].value) or words("none"))
        for key in TOLD
        if key in named
    ]


def called(rule: Rule, key: str, text: str) -> str:
    """Points by the labels that the rule gives them, «Fate: one die at its highest (luck)»; all else as written."""
    return ", ".join(point(rule, part.strip()) for part in text.split(",")) if key == "spends" else text


def point(rule: Rule, text: str) -> str:
    """A point may be followed by the die it is spent on."""
    found = [one for one in rule.spends if one.label and f"{text.lower()} ".startswith(f"{one.name} ")]
    if not found:
        return text
    best = max(found, key=lambda one: len(one.name))
    die = text[len(best.name) :].strip()
    return f"{best.label} ({die})" if die else best.label


def steps(move: Move, words: Words) -> list[Step]:
    flags = truths(move.rule)
    return [
        Step(named(name), value(found, words, name in flags)) for name, found in move.steps.items() if found is not None
    ]


def outcome(move: Move, words: Words) -> str:
    if not move.sides:
        return move.outcome or ""
    return words("nobody wins") if move.outcome == "none" else words("wins", name=move.outcome)


def says(move: Move, result: Result | None) -> str:
    """What the outcome means; nothing where a value of the sentence is not known."""
    if result:
        return say(result)
    found = next((one.says for one in move.rule.outcomes if one.name == move.outcome), "")
    text = filled(found, {**move.steps, "degree": move.degree})
    return "" if "?" in text and "?" not in found else text


def odds(move: Move) -> Mapping[str, Chance]:
    """The chances of all outcomes, where the inputs are enough to tell them."""
    named = move.part.named if move.part else {}
    if "spends" in named:  # points are spent after the dice have fallen
        return {}
    policy = named["policy"].value.lower() if "policy" in named else ""
    if not move.sides:
        return chances(move.rule, move.inputs, policy) if move.outcome and move.rule.dice else {}
    inputs = {f"{place}.{name}": text for place, side in sided(move) for name, text in inputs_of(side).items()}
    names = {place: side.name for place, side in sided(move)}
    return {names.get(name, name): chance for name, chance in chances(move.rule, inputs, policy).items()}


def sided(move: Move) -> list[tuple[str, Any]]:
    return list(zip(SIDES, move.sides, strict=True))


def inputs_of(side: Any) -> Mapping[str, str]:
    texts: Mapping[str, str] = side.bouts[0].move.inputs
    return texts


def sides(move: Move, words: Words) -> list[Side]:
    return [
        Side(
            side.name,
            given(side.bouts[0].move.rule, inputs_of(side), words),
            [
                Bout(groups(bout.move.result, words) if bout.move.result else [], value(bout.value, words))
                for bout in side.bouts
            ],
            side.name == move.outcome,
        )
        for side in move.sides
    ]


def differences(move: Move, words: Words) -> list[str]:
    """Where the rules come to something else than the author wrote."""
    found = []
    real = {**move.steps, "outcome": move.outcome, "degree": move.degree, "winner": move.outcome}
    for entry in move.part.entries if move.part else ():
        if entry.key in real and not same(entry.value, real[entry.key]):
            shown = words("nothing") if real[entry.key] is None else value(real[entry.key], words)
            found.append(words("says but is", name=named(entry.key), said=entry.value, real=shown))
    return found


def same(text: str, found: Any) -> bool:
    """Whether an author's text means this value."""
    plain = text.strip().lower().replace("−", "-").lstrip("+")
    plain = {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(plain, plain)
    return plain == str(int(found) if isinstance(found, bool) else found).lower()
