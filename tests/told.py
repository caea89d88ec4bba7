"""Results of both engines (Python and JavaScript) in one form, so that tests can compare them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from rulewright.game.codegen import Stuck
from rulewright.odds.answer import ContestOdds, Odds
from rulewright.odds.distribution import Chance
from rulewright.odds.plan import TooMuch
from rulewright.play.bound_rule import Refused
from rulewright.play.result import Complaint, Result, derivation, dice_line, explain, inputs_line, say

Made = TypeVar("Made")


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


def odds_data(found: Odds | ContestOdds) -> dict[str, Any]:
    """All odds as JSON; None for what exceeds the budget."""
    data = {"policy": found.policy, "chances": {name: ends(chance) for name, chance in found.chances.items()}}
    if isinstance(found, ContestOdds):
        return data
    steps = [step.name for step in found.rule.steps]
    degrees = [outcome.name for outcome in found.rule.outcomes if outcome.degree]
    return data | {
        "means": {step: exact(partial(found.mean, step)) for step in steps},
        "degrees": {name: exact(partial(found.mean_degree, name)) for name in degrees},
        "spreads": {step: attempted(partial(spread_data, found, step)) for step in steps},
    }


def ends(chance: Chance) -> list[float]:
    return [float(chance.low), float(chance.high)]


def exact(work: Callable[[], Fraction | None]) -> float | None:
    found = attempted(work)
    return None if found is None else float(found)


def spread_data(found: Odds, step: str) -> dict[str, Any]:
    """Each value with its chance, and the chance of all others."""
    spread = found.spread(step)
    values = [
        [value if isinstance(value, str) else int(value), float(chance)] for value, chance in spread.values.items()
    ]
    return {"values": values, "others": float(spread.beyond + spread.unknown)}


def attempted(work: Callable[[], Made]) -> Made | None:
    try:
        return work()
    except (TooMuch, Refused, Stuck):
        return None


def near(low: float, high: float, found: float) -> bool:
    """Whether a number is within bounds, to twelve digits."""
    return low - 1e-12 * max(1, abs(low)) <= found <= high + 1e-12 * max(1, abs(high))


def odds_differ(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Where the odds of the two engines differ; what one of them does not have cannot differ."""
    found = ["policy"] if ours["policy"] != theirs["policy"] else []
    found += [name for name, (low, high) in ours["chances"].items() if not near(low, high, theirs["chances"][name])]
    for part in ("means", "degrees"):
        pairs = [(name, value, theirs[part][name]) for name, value in ours.get(part, {}).items()]
        found += [f"{part} {name}" for name, a, b in pairs if None not in (a, b) and not near(a, a, b)]
    spreads = ours.get("spreads", {}).items()
    return found + [f"spread {step}" for step, spread in spreads if spread_differs(spread, theirs["spreads"][step])]


def spread_differs(ours: dict[str, Any] | None, theirs: list[tuple[Any, float]] | None) -> bool:
    if ours is None or theirs is None:
        return False
    told = dict(theirs)
    return not all(near(chance, chance + ours["others"], told.get(value, 0.0)) for value, chance in ours["values"])
