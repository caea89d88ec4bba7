"""How a result came about, in words and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from .inputs import said
from .model import Formula
from .result import Result
from .tree import DICE, Node


def explain(result: Result) -> str:
    """The derivation in one line: «successes 3, botches 1, kept 3, net 2: success, degree 2»."""
    steps = ", ".join(f"{name} {told(value)}" for name, value in result.steps.items())
    return ": ".join(part for part in (steps, verdict(result)) if part)


def verdict(result: Result) -> str:
    if not result.rule.outcomes:
        return ""
    if result.outcome is None:
        return not_known(result)
    return result.outcome.name + (f", degree {result.degree}" if result.degree is not None else "")


def not_known(result: Result) -> str:
    """Which inputs the outcome is waiting for."""
    questions = [outcome.when for outcome in result.rule.outcomes if outcome.when]
    needed, values = result.setting.program.needed(questions), result.setting.values
    missing = [entry.name for entry in result.rule.inputs if needed & {*entry.variables} and entry.name not in values]
    return f"outcome not known without {' and '.join(missing)}" if missing else "outcome not known"


def derivation(result: Result) -> list[str]:
    """One line a step, such as «net: kept - botches → 3 - 1 → 2», then the outcome."""
    formulas = result.setting.program.formulas
    lines = [f"{name}: {worked(result, formula, result.steps[name])}" for name, formula in formulas.items()]
    return lines + ([outcome_line(result)] if result.rule.outcomes else [])


def outcome_line(result: Result) -> str:
    """«success: net > 0 → 2 > 0; degree: net → 2»."""
    outcome = result.outcome
    if outcome is None:
        return not_known(result)
    others = len(result.rule.outcomes) > 1
    why = f": {worked(result, outcome.when)}" if outcome.when else ": nothing before it holds" if others else ""
    degree = f"; degree: {worked(result, outcome.degree, result.degree)}" if outcome.degree else ""
    return f"{outcome.name}{why}{degree}"


NOTHING = object()


def worked(result: Result, formula: Formula, value: Any = NOTHING) -> str:
    """A formula, the same with its values, and what it comes to; each only where it says something new."""
    parts = [formula.text, fill(result, formula)]
    if value is not NOTHING:
        parts.append("not known" if value is None else quoted(value))
    return " → ".join(dict.fromkeys(" ".join(part.split()) for part in parts))


def fill(result: Result, formula: Formula) -> str:
    """The text of a formula with every name and count replaced by its value."""
    text = formula.text
    for start, end, value in sorted(leaves(result, formula.node, result.known), reverse=True):
        after_sign = text[:start].rstrip().endswith(("+", "-", "−", "*"))
        text = text[:start] + (f"({value})" if after_sign and value.startswith("-") else value) + text[end:]
    return text


def leaves(result: Result, node: Node, values: Mapping[str, Any]) -> Iterator[tuple[int, int, str]]:
    if node.op == "name":
        yield node.start, node.end, quoted(values.get(node.args[0]))
    elif node.op in DICE:
        made = result.setting.program
        place = [tally.name for tally in made.tallies].index(made.tally(node))
        yield node.start, node.end, told(result.tallies[place])
    else:
        for child in node.nodes():
            yield from leaves(result, child, values)


def told(value: Any) -> str:
    return "?" if value is None else str(int(value) if isinstance(value, bool) else value)


def quoted(value: Any) -> str:
    """A value as a formula would name it: words stand in quotes."""
    return f"'{value}'" if isinstance(value, str) else told(value)


def dice_line(result: Result) -> str:
    """«regular 1 4 7 10 | bonus 1 10 | bonus 4 8»: the dice as they lie, round by round and kind by kind."""
    dice = [faces for faces in result.faces if faces]
    groups = groupby(dice, key=lambda faces: (faces[0].round, faces[0].kind))
    return " | ".join(" ".join([kind, *map(die_text, group)]) for (_, kind), group in groups)


def die_text(faces: list[Any]) -> str:
    lying = [face for face in faces if "rerolled" not in face.roles]
    text = "+".join(face.text for face in lying)
    return f"({text})" if any("dropped" in face.roles for face in lying) else text


def say(result: Result) -> str:
    """What the outcome means, with the steps filled in."""
    outcome = result.outcome
    if outcome is None or not outcome.says:
        return ""
    return filled(outcome.says, {**result.known, "degree": result.degree})


def filled(says: str, values: Mapping[str, Any]) -> str:
    """A sentence with `{names}` replaced by their values, the minus sign as it is printed."""
    return re.sub(r"\{([^{}]*)\}", lambda found: re.sub(r"^-(?=\d)", "−", told(values.get(found.group(1)))), says)


def inputs_line(result: Result) -> str:
    """«pool 5, difficulty 6»: the inputs as they would be written in a phrase."""
    every = [name for entry in result.rule.inputs for name in entry.variables]
    return said(result.rule, result.setting.values, every)
