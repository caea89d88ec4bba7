"""Results as both engines tell them: one form, so that they can be compared word by word."""

from __future__ import annotations

from typing import Any

from rulewright.game.explain import derivation, dice_line, explain, inputs_line, say
from rulewright.game.odds.answer import Chance, Odds
from rulewright.game.odds.limits import TooMuch
from rulewright.game.result import Complaint, Result


def told(result: Result | None, complaints: list[Complaint], whole: bool = False) -> dict[str, Any]:
    return {
        "result": result and {**short(result), **(long(result) if whole else {})},
        "complaints": [complaint_data(complaint) for complaint in complaints],
    }


def short(result: Result) -> dict[str, Any]:
    return {
        "steps": dict(result.steps),
        "outcome": result.outcome.name if result.outcome else None,
        "degree": result.degree,
        "dice": result.dice,
        "rerolled": result.rerolled,
        "declined": result.throw.declined,
    }


def long(result: Result) -> dict[str, Any]:
    return {
        "faces": [
            [{"kind": face.kind, "text": face.text, "round": face.round, "roles": list(face.roles)} for face in die]
            for die in result.faces
        ],
        "marks": result.marks,
        "unasked": list(result.unasked),
        "line": explain(result),
        "derivation": derivation(result),
        "dice": dice_line(result),
        "says": say(result),
        "inputs": inputs_line(result),
    }


def complaint_data(complaint: Complaint) -> dict[str, Any]:
    return {"part": complaint.part, "message": complaint.message, "start": complaint.start, "end": complaint.end}


def odds_data(found: Odds) -> dict[str, Any]:
    """Everything that can be asked of the odds of a rule; a bound stands for itself, what is too much is None."""
    steps = [step.name for step in found.rule.steps]
    degrees = [outcome.name for outcome in found.rule.outcomes if outcome.degree]
    return {
        "policy": found.policy,
        "chances": {name: ends(chance) for name, chance in found.chances.items()},
        "means": {step: attempted(lambda step=step: found.mean(step)) for step in steps},
        "degrees": {name: attempted(lambda name=name: found.mean_degree(name)) for name in degrees},
        "spreads": {step: attempted(lambda step=step: found.spread(step)) for step in steps},
    }


def ends(chance: Chance) -> tuple[float, float]:
    return float(chance.low), float(chance.high)


def attempted(work: Any) -> Any:
    try:
        return work()
    except TooMuch:
        return None
