"""Contests: two sides, one step of both compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .model import Contest, Rule
from .places import Path
from .program import program
from .ranges import Range, evaluate
from .tree import walk

if TYPE_CHECKING:
    from .build import Builder


def build_contest(
    builder: Builder, rule: Rule, rules: Mapping[str, Rule], all_raw: Mapping[str, Any], sound: bool
) -> Rule:
    """The contest with both its sides; `sound` where all rules make sense, so that they can be looked into."""
    path: Path = ("rules", rule.name)
    raw = all_raw[rule.name]["contest"]
    for part in ("inputs", "dice", "reroll", "steps", "marks", "outcomes", "traits", "specialties", "spends"):
        if part in all_raw[rule.name]:
            said = f"a contest has no {part} of its own; they are those of the rule that both sides roll"
            builder.problem("contest", (*path, part), said)
    names = [raw["of"]] * 2 if isinstance(raw["of"], str) else raw["of"]
    plain = {name: found for name, found in rules.items() if "contest" not in all_raw[name]}
    for number, name in enumerate(dict.fromkeys(names)):
        place = () if isinstance(raw["of"], str) else (number,)
        side(builder, (*path, "contest", "of", *place), (*path, "contest", "compare"), name, raw["compare"], plain)
    sides = tuple(plain[name] for name in names if name in plain)
    if sound and len(sides) == 2 and all(raw["compare"] in program(side).formulas for side in sides):
        compared(builder, path, raw, sides)
    return replace(rule, contest=Contest(sides, raw["compare"], raw["ties"]))


def compared(builder: Builder, path: Path, raw: Mapping[str, Any], sides: tuple[Rule, ...]) -> None:
    """What is compared is a number, and not for ever the same where a tie is thrown again."""
    step = raw["compare"]
    for rule in sides[: 1 + (sides[0] is not sides[1])]:
        if not isinstance(program(rule).bounds.values[step], Range):
            said = f"the step {step} of {rule.name} is a word; only numbers can be compared"
            builder.problem("contest", (*path, "contest", "compare"), said)
    if raw["ties"] == "again" and all(settled(rule, step) for rule in sides):
        said = f"{step} does not depend on dice, so a tie comes again for ever; choose first, second or none"
        builder.problem("contest", (*path, "contest", "ties"), said)


def side(builder: Builder, path: Path, compare: Path, name: str, step: str, plain: Mapping[str, Rule]) -> None:
    if name not in plain:
        builder.problem("contest", path, f"there is no rule «{name}» to roll; {suggest(name, plain)}")
        return
    known = [found.name for found in plain[name].steps]
    if step not in known:
        builder.problem("contest", compare, f"the rule {name} has no step «{step}»; {suggest(step, known)}")


def settled(rule: Rule, step: str) -> bool:
    """Whether a step is the same whatever the dice show."""
    made = program(rule)
    found = evaluate(made.node(made.formulas[step]), made.bounds)
    needed = made.needed([made.formulas[step]])
    nodes = [made.node(made.formula(name)) for name in {step, *needed} if name in made.formulas or name in made.asked]
    counted = any(node.op == "tally" for root in nodes for node in walk(root))
    return not counted or (isinstance(found, Range) and found.certain)
