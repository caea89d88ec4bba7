"""Loads a contest: two rules that are rolled against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..source import suggest
from .model import Contest, Rule
from .schema import Loader
from .toml import Path

_CONTEST_KEYS = ("label", "contest")


def load_contest(loader: Loader, path: Path, data: Mapping[str, Any], plain: Mapping[str, Rule]) -> Contest:
    """Load a contest; its sides are two of the `plain` rules."""
    raw = data["contest"]
    for part in data:
        if part not in _CONTEST_KEYS:
            message = f"a contest has no {part} of its own; they are those of the rule that both sides roll"
            loader.report("contest", (*path, part), message)
    names = [raw["of"]] * 2 if isinstance(raw["of"], str) else raw["of"]
    for number, name in enumerate(dict.fromkeys(names)):
        if name not in plain:
            of_path = (*path, "contest", "of", *(() if isinstance(raw["of"], str) else (number,)))
            loader.report("contest", of_path, f"there is no rule «{name}» to roll; {suggest(name, plain)}")
            continue
        steps = [step.name for step in plain[name].steps]
        if plain[name].has_rounds:
            loader.report("contest", (*path, "contest", "of"), f"{name} has rounds; a contest compares single rolls")
        missing = f"the rule {name} has no step"
        loader.check_known("contest", (*path, "contest", "compare"), raw["compare"], steps, missing)
    return Contest(tuple(plain[name] for name in names if name in plain), raw["compare"], raw["ties"])
