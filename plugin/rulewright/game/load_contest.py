"""Loads a contest: two rules that are rolled against each other.

A contest with parts of its own is short for a rule that rolls both sides (`lower_contest`); any other one keeps its
sides apart, so that its chances are exact for dice without end too."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..source import suggest
from .formula_parser import parse_formula
from .game_schema import RESULT
from .model import CONTEST_SIDES, Contest, Formula, Rule
from .schema import Loader
from .toml import Path

_CONTEST_KEYS = ("label", "contest")
_ENDS = {  # when a side wins; the last outcome takes what is left
    "first": (">=", ""),
    "second": (">", ""),
    "again": (">", ""),
    "none": (">", "<", ""),
}


def is_plain_contest(data: Mapping[str, Any], rules: Mapping[str, Any], contests: Collection[str]) -> bool:
    """Whether a contest keeps its sides apart: it says nothing else, and both are rolled once and are no `contests`."""
    if "contest" not in data or not data.keys() <= {*_CONTEST_KEYS}:
        return False
    return not any(name in contests or "until" in rules.get(name, {}) for name in _sides(data["contest"]))


def lower_contest(loader: Loader, path: Path, data: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """A contest as a rule that rolls both sides; its own parts win. `rules` are those that it can roll, as written."""
    raw = data["contest"]
    rest = {key: part for key, part in data.items() if key != "contest"}
    rolled = zip(CONTEST_SIDES, _sides(raw), strict=True)
    of = (*path, "contest", "of")
    sides = {side: {"rule": name, "path": of} for side, name in rolled if name in rules}
    rest = {**rest, "rolls": {**rest.get("rolls", {}), **sides}}
    if not _check(loader, path, raw, {name: [*rule.get("steps", {})] for name, rule in rules.items()}):
        return rest
    one, other = (f"{side}.{raw['compare']}" for side in CONTEST_SIDES)
    span = loader.where((*path, "contest", "compare"))

    def formula(sign: str) -> Formula:
        return Formula(text := f"{one} {sign} {other}", parse_formula(text), span, RESULT)

    may_tie = raw["ties"] == "again" and not data.keys().isdisjoint(("until", "most"))
    signs = zip((*CONTEST_SIDES, "none"), _ENDS["none" if may_tie else raw["ties"]], strict=False)
    outcomes = {name: {"when": formula(sign)} if sign else {} for name, sign in signs}
    return {"outcomes": outcomes, **({"until": formula("!=")} if raw["ties"] == "again" else {}), **rest}


def load_contest(loader: Loader, path: Path, data: Mapping[str, Any], plain: Mapping[str, Rule]) -> Contest:
    """Load a contest; its sides are two of the `plain` rules."""
    raw = data["contest"]
    _check(loader, path, raw, {name: [step.name for step in rule.steps] for name, rule in plain.items()})
    return Contest(tuple(plain[name] for name in _sides(raw) if name in plain), raw["compare"], raw["ties"])


def _sides(raw: Mapping[str, Any]) -> list[str]:
    return [raw["of"]] * 2 if isinstance(raw["of"], str) else raw["of"]


def _check(loader: Loader, path: Path, raw: Mapping[str, Any], steps: Mapping[str, list[str]]) -> bool:
    """Report sides that are no rules, and those without the step that is compared."""
    before = len(loader.problems)
    for number, name in enumerate(dict.fromkeys(_sides(raw))):
        if name not in steps:
            of_path = (*path, "contest", "of", *(() if isinstance(raw["of"], str) else (number,)))
            loader.report("contest", of_path, f'there is no rule "{name}" to roll; {suggest(name, steps)}')
            continue
        missing = f"the rule {name} has no step"
        loader.check_known("contest", (*path, "contest", "compare"), raw["compare"], steps[name], missing)
    return len(loader.problems) == before
