"""Results of both engines (Python and JavaScript) in one form, so that tests can compare them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from rulewright.game.codegen import EvaluationError
from rulewright.game.inputs import format_inputs
from rulewright.odds.budget import BudgetError
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import ContestOdds, Odds
from rulewright.play.bound_rule import RollError
from rulewright.play.result import Result, RollProblem, derivation_lines, describe_outcome, dice_line, explain_result

Made = TypeVar("Made")
ALIKE = 1e-9  # how far the odds of both engines may be apart


def result_data(result: Result | None, complaints: list[RollProblem], with_details: bool = False) -> dict[str, Any]:
    return {
        "result": result and {**summary_data(result), **(detail_data(result) if with_details else {})},
        "complaints": [complaint_data(complaint) for complaint in complaints],
    }


def summary_data(result: Result) -> dict[str, Any]:
    return {
        "steps": dict(result.steps),
        "outcome": result.outcome.name if result.outcome else None,
        "degree": result.degree,
        "dice": result.dice,
        "rerolled": result.rerolled,
        **({"turned": result.turned} if result.turned else {}),
        "declined": result.declined,
    }


def _format_inputs(result: Result) -> str:
    """The inputs as the browser writes them: "pool 5, difficulty 6"."""
    every = [name for entry in result.rule.inputs for name in entry.variable_names]
    return format_inputs(result.rule, result.setting.values, every)


def detail_data(result: Result) -> dict[str, Any]:
    return {
        "faces": [
            [{"kind": face.kind, "text": face.text, "round": face.round, "roles": list(face.roles)} for face in die]
            for die in result.faces
        ],
        "marks": result.marks,
        "unasked": list(result.unasked_questions),
        "line": explain_result(result),
        "derivation": derivation_lines(result),
        "dice": dice_line(result),
        "says": describe_outcome(result),
        "inputs": _format_inputs(result),
    }


def complaint_data(complaint: RollProblem) -> dict[str, Any]:
    return {"part": complaint.part, "message": complaint.message, "start": complaint.start, "end": complaint.end}


def odds_data(odds: Odds | ContestOdds, whole: bool = True) -> dict[str, Any]:
    """All odds as JSON; None for what exceeds the budget."""
    data = {"aim": odds.aim, "chances": {name: chance_bounds(chance) for name, chance in odds.chances.items()}}
    if isinstance(odds, ContestOdds) or not whole:
        return data
    steps = [step.name for step in odds.rule.steps if step.set is None]
    degrees = [outcome.name for outcome in odds.rule.outcomes if outcome.degree]
    return data | {
        "means": {step: exact_or_none(partial(odds.mean, step)) for step in steps},
        "degrees": {name: exact_or_none(partial(odds.mean_degree, name)) for name in degrees},
        "spreads": {step: or_none(partial(distribution_data, odds, step)) for step in steps},
    }


def chance_bounds(chance: Chance) -> list[float]:
    return [float(chance.low), float(chance.high)]


def exact_or_none(compute: Callable[[], Fraction | None]) -> float | None:
    number = or_none(compute)
    return None if number is None else float(number)


def distribution_data(odds: Odds, step: str) -> dict[str, Any]:
    """Each value with its chance, and the chance of all others."""
    distribution = odds.distribution(step)
    values = [
        [value if isinstance(value, str) else int(value), float(chance)]
        for value, chance in distribution.values.items()
    ]
    return {"values": values, "others": float(distribution.tail + distribution.unknown)}


def or_none(compute: Callable[[], Made]) -> Made | None:
    try:
        return compute()
    except (BudgetError, RollError, EvaluationError):
        return None


def is_near(low: float, high: float, number: float, part: float = 1e-12) -> bool:
    """Whether a number is within bounds, to twelve digits."""
    return low - part * max(1, abs(low)) <= number <= high + part * max(1, abs(high))


def find_differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Where the odds of the two engines differ; what one of them does not have cannot differ."""
    differences = ["aim"] if ours["aim"] != theirs["aim"] else []
    differences += [
        name for name, (low, high) in ours["chances"].items() if not is_near(low, high, theirs["chances"][name])
    ]
    for part in ("means", "degrees"):
        pairs = [(name, value, theirs[part][name]) for name, value in ours.get(part, {}).items()]
        differences += [f"{part} {name}" for name, a, b in pairs if None not in (a, b) and not is_near(a, a, b)]
    spreads = ours.get("spreads", {}).items()
    return differences + [
        f"spread {step}" for step, spread in spreads if is_spread_different(spread, theirs["spreads"][step])
    ]


def is_spread_different(ours: dict[str, Any] | None, theirs: list[tuple[Any, float]] | None) -> bool:
    if ours is None or theirs is None:
        return False
    chances = dict(theirs)
    return not all(
        is_near(chance, chance + ours["others"], chances.get(value, 0.0)) for value, chance in ours["values"]
    )


def find_odds_differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Where the odds of both engines differ; what one has, the other must have. Bounds of both must meet."""
    differences = ["aim"] if ours["aim"] != theirs["aim"] else []
    unknown = theirs["unknown"] / 2
    for name, (low, high) in ours["chances"].items():
        if not is_near(low - unknown, high + unknown, theirs["chances"][name], ALIKE):
            differences.append(f"chance of {name}: {low} to {high}, {theirs['chances'][name]} ± {unknown}")
    for part in ("means", "degrees"):
        for name, value in ours.get(part, {}).items():
            other = theirs[part][name]
            if (value is None) != (other is None) or (value is not None and not is_near(value, value, other, ALIKE)):
                differences.append(f"{part} {name}: {value}, {other}")
    for step, spread in ours.get("spreads", {}).items():
        other = theirs["spreads"][step]
        if (spread is None) != (other is None):
            differences.append(f"spread of {step}")
        elif spread is not None:
            chances = dict(other)
            rest = max(1 - sum(chances.values()), 0)  # what was not followed may have any value
            differences += [
                f"spread of {step}: {value} {chance}, {chances.get(value, 0)}"
                for value, chance in spread["values"]
                if not is_near(chance - rest, chance + spread["others"], chances.get(value, 0), ALIKE)
            ]
    return differences
