"""The condition under which throws end differently, in quantities that both editions of a rule know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..game.formula import parse
from ..game.tree import names_in, walk
from .conditions import Condition, find_condition
from .matching import RulePair
from .throws import Trial

MOST_SAMPLES = 300  # from which a condition is learned; it is tried on all others
MOST_ROUNDS = 8
MOST_NUMBERS = 6


def condition(pair: RulePair, trials: Sequence[Trial], apart: Sequence[bool]) -> Condition | None:
    """Learned from some throws and tried on all; what does not fit there is learned as well."""
    shared = quantities(trials)
    rows = list(dict.fromkeys(zip(zip(*shared.values(), strict=True), apart, strict=True))) if shared else []
    if len({values for values, _ in rows}) < len(rows) or not rows:
        return None  # the same quantities, once alike and once not: no condition over them can tell
    chosen, numbers = spread(rows), named_numbers(pair)
    for _ in range(MOST_ROUNDS):
        sample = {name: [values[place] for values, _ in chosen] for place, name in enumerate(shared)}
        found = find_condition(sample, [yes for _, yes in chosen], numbers)
        if found is None:
            return None
        wrong = [(values, yes) for values, yes in rows if holds(found, dict(zip(shared, values, strict=True))) != yes]
        if not wrong:
            return found
        chosen += wrong[:MOST_SAMPLES]
    return None


Row = tuple[tuple[int, ...], bool]


def spread(rows: Sequence[Row]) -> list[Row]:
    """As many of both sorts, the smallest throws first."""
    yes, no = ([row for row in rows if row[1] is sort] for sort in (True, False))
    return [*yes[: MOST_SAMPLES // 2], *no[: MOST_SAMPLES // 2]]


def named_numbers(pair: RulePair) -> list[int]:
    """The numbers that stand in the formulas of outcomes and steps."""
    rules = (pair.old, pair.new)
    formulas = [one.when for rule in rules for one in rule.outcomes if one.when]
    formulas += [one.formula for rule in rules for one in rule.steps]
    found = {node.args[0] for one in formulas for node in walk(one.node) if node.op == "number"}
    return sorted(number for number in found if isinstance(number, int))[:MOST_NUMBERS]


def holds(found: Condition, values: Mapping[str, int]) -> bool:
    truths = [compare_terms(atom.left.text, atom.sign, atom.right.text, values) for atom in found.atoms]
    return all(truths) if found.word == "and" else any(truths)


def compare_terms(left: str, sign: str, right: str, values: Mapping[str, int]) -> bool:
    one, other = number(left, values), number(right, values)
    return {"<=": one <= other, "<": one < other, "=": one == other}[sign]


def number(text: str, values: Mapping[str, int]) -> int:
    """A term of a condition: a number, a name, a sum or a difference of two, perhaps not below 0."""
    inner = text.removeprefix("max(").removesuffix(", 0)")
    for sign in (" + ", " - "):
        one, found, other = inner.partition(sign)
        if found:
            result = number(one, values) + (number(other, values) if sign == " + " else -number(other, values))
            return max(result, 0) if inner != text else result
    return int(text) if text.isdigit() else values[text]


def quantities(trials: Sequence[Trial]) -> dict[str, list[int]]:
    """Numbers that both editions know: inputs, and steps that are equal on all throws, whatever they are called."""
    old = columns([trial.old.steps for trial in trials])
    new = columns([trial.new.steps for trial in trials])
    alike_new = {tuple(values) for values in new.values()}
    shared = {name: values for name, values in old.items() if tuple(values) in alike_new}
    inputs = columns([trial.inputs for trial in trials])
    found = {**shared, **columns([trial.counts for trial in trials]), **inputs}
    seen: dict[tuple[int, ...], str] = {}
    for name, values in found.items():
        seen.setdefault(tuple(values), name)
    return {name: found[name] for name in seen.values() if len(set(found[name])) > 1}


def columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    names = rows[0].keys() if rows else ()
    found = {name: [row.get(name) for row in rows] for name in names}
    return {name: [int(one) for one in values] for name, values in found.items() if all(map(is_number, values))}  # type: ignore[arg-type]


def is_number(value: Any) -> bool:
    return isinstance(value, int)


def called(trials: Sequence[Trial], found: Condition) -> dict[str, str]:
    """Quantities of the condition that the newer edition calls something else."""
    old = columns([trial.old.steps for trial in trials])
    new = columns([trial.new.steps for trial in trials])
    used = names_in(parse(found.formula)) & old.keys()
    names = {name: next((other for other in new if new[other] == old[name]), name) for name in sorted(used)}
    return {name: other for name, other in names.items() if name != other and new.get(name) != old[name]}
