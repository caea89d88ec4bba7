"""Loads how a rule goes on: `carry`, `until` and `most`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..source import suggest
from .core import ROUND, CoreInput, Rounds
from .model import Formula
from .schema import KEY, Loader
from .scope import NUMBER_TYPE, Scope, infer_type
from .toml import Path


def load_rounds(
    loader: Loader, path: Path, raw: Mapping[str, Any], inputs: Sequence[CoreInput], scope: Scope
) -> Rounds | None:
    """How a rule goes on; `scope` has the names that are known at the end of a round."""
    carry, until, most = raw.get("carry", {}), raw.get("until"), raw.get("most")
    if most is not None and until is None:
        message = "this rule is rolled once; write until = … beside it, or leave it out"
        loader.report("rounds", (*path, "most", KEY), message)
    for name in (*raw.get("inputs", {}), *raw.get("steps", {})) if until is not None else ():
        if name == ROUND:
            part = "inputs" if name in raw.get("inputs", {}) else "steps"
            message = f'"{ROUND}" is the number of the round in a rule with until; choose another name'
            loader.report("name", (*path, part, name, KEY), message)
    for name, formula in carry.items():
        for message in _find_unfit(name, inputs):
            loader.report("rounds", (*path, "carry", name, KEY), message)
        entry = next((entry for entry in inputs if entry.name == name), None)
        found, problems = infer_type(formula.node, scope)
        loader.report_formula(formula, problems)
        if entry and not problems and found != ():
            loader.report_formula(formula, [(formula.node, text) for text in _find_wrong_type(entry, formula, found)])
    return Rounds(carry, until, most) if carry or until is not None else None


def _find_unfit(name: str, inputs: Sequence[CoreInput]) -> Iterator[str]:
    """Why a value cannot be carried into this input."""
    able = {entry.name: entry for entry in inputs if not entry.asked and entry.form != "code"}
    if name in able:
        return
    entry = next((entry for entry in inputs if entry.name == name), None)
    if entry is None:
        yield f'there is no input "{name}"; {suggest(name, able)}'
    elif entry.asked:
        yield f"{name} is asked again in each round, so nothing can be carried into it"
    else:
        yield f"{name} is a die code, which is more than a number; carry a number or a die"


def _find_wrong_type(entry: CoreInput, formula: Formula, found: tuple[str, ...] | None) -> Iterator[str]:
    if entry.form != "choice":
        if found is not NUMBER_TYPE:
            yield f"{entry.name} is a {entry.form}, and this is a word"
        return
    known = [choice.lower() for choice in entry.choices]
    if found is NUMBER_TYPE:
        yield f"{entry.name} is one of its words, and this is a number; write '{entry.choices[0]}'"
    elif wrong := next((word for word in found or () if word.lower() not in known), None):
        yield f'{entry.name} is never "{wrong}" in {formula.text}; {suggest(wrong, entry.choices)}'
