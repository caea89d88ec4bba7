"""What the inputs of a rule are for, read off its formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..game.model import Formula, Input, Kind, Rule
from ..game.tree import names_in, walk

ASKED = ("difficulty", "target", "target_number", "tn", "dc")
TOTALS = ("total", "result", "sum", "score")


@dataclass(frozen=True)
class Roles:
    """Inputs by what they decide; an input that decides nothing of this is in no list."""

    counts: tuple[Input, ...]  # how many dice
    sides: tuple[Input, ...]  # which dice
    targets: tuple[Input, ...]  # what must be reached, and whatever else a result rests on
    adders: tuple[Input, ...]  # what is added to the dice
    switches: tuple[Input, ...]  # flags and choices


@lru_cache(maxsize=512)
def roles(rule: Rule) -> Roles:
    steps = [step.formula for step in rule.steps]
    ends = [one for outcome in rule.outcomes for one in (outcome.when, outcome.degree) if one]
    good = [one for kind in rule.dice for one in (kind.good, kind.bad) if one]
    numbers = [entry for entry in rule.inputs if entry.form == "number"]
    counts = tuple(entry for entry in numbers if plain_count(rule, entry))
    free = [entry for entry in numbers if entry not in counts]
    adders = tuple(e for e in free if e.default == 0 and not e.names and not asked(e) and e.name in summed(steps))
    looked = named([*good, *ends, *steps])
    targets = tuple(entry for entry in free if entry not in adders and entry.name in looked)
    dice = tuple(entry for entry in rule.inputs if entry.form in ("die", "code"))
    switches = tuple(entry for entry in rule.inputs if entry.form in ("flag", "choice"))
    return Roles(counts, dice, targets, adders, switches)


def summed(formulas: Iterable[Formula]) -> set[str]:
    """The names that are added to something."""
    sums = (node for formula in formulas for node in walk(formula.node) if node.op == "+")
    return {arg.args[0] for node in sums for arg in node.nodes() if arg.op == "name"}


def plain_count(rule: Rule, entry: Input) -> bool:
    """Whether more of it means more dice, kept or thrown; not where it only weighs against others."""
    own = [kind for kind in rule.dice if entry.name in names_in(kind.count.node)]
    kept = [kind for kind in rule.dice if kind.keep and entry.name in names_in(kind.keep.number.node)]
    return any(kind.count.node.op in ("name", "if") for kind in own) or (bool(kept) and not own)


def named(formulas: Iterable[Formula]) -> set[str]:
    return {name for one in formulas for name in names_in(one.node)}


def fixed_sides(kind: Kind) -> int | None:
    """The size of a kind whose dice are always the same."""
    text = kind.sides.text.strip() if kind.sides else ""
    return int(text) if text.isdecimal() else None


def spoken(entry: Input, rule: Rule) -> tuple[str, ...]:
    """The words by which a text may name an input: its name, its label, and what is left of the label."""
    taken = {step.name for step in rule.steps} | {outcome.name for outcome in rule.outcomes}
    label = entry.label.lower()
    short = re.sub(r"^(?:number of|using an?|using|current|has an?|the)\s+", "", label)
    words = dict.fromkeys([entry.name.replace("_", " "), label, short])
    others = {one.name for one in rule.inputs if one is not entry}
    return tuple(word for word in words if len(word) > 1 and word not in taken | others and word not in ("the", "dice"))


def neutral(entry: Input) -> bool:
    """Whether an input that is not spoken of changes nothing by its default."""
    if entry.form in ("flag", "choice"):
        return True
    return entry.default is not None and entry.default in (0, entry.least)


def asked(entry: Input) -> bool:
    label = entry.label.lower()
    return entry.name in ASKED or any(word in label for word in ("difficulty", "target"))
