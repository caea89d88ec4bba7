"""What a table of odds shows in each cell: `show:` and `columns: outcomes`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..game.model import Rule
from ..text import Span
from .answers import Setup
from .events import Event, Quantity, Wrong, outcomes_of, read_chance, read_degree, read_step
from .opened import Opened

SHOW = re.compile(r"(chance of|mean degree of|mean|distribution of)\s+(\S.*)", re.IGNORECASE | re.DOTALL)
WAYS = "chance of OUTCOME, mean STEP, mean degree of OUTCOME, distribution of STEP, or no"
NOTHING = "this rule has neither outcomes nor steps, so there are no odds to show"


@dataclass(frozen=True, slots=True)
class Show:
    """`quantity` is what each cell asks for; a distribution has a step instead, and outcomes have neither."""

    way: str  # chance, mean, degree, distribution, outcomes
    of: str
    quantity: Quantity | None = None
    step: str = ""

    @property
    def is_chance(self) -> bool:
        return self.way in ("chance", "distribution", "outcomes")


def read_show(opened: Opened, setup: Setup, by_outcome: bool) -> Show | None:
    entry = opened.block.get("show")
    hidden = entry is not None and entry.value.lower() == "no"
    if entry is None or hidden:
        found = Show("outcomes", "") if by_outcome else usual(setup.rule)
        if found is None:
            opened.complain("block-odds", NOTHING, opened.block.word)
        return found
    if by_outcome:
        message = "each column is an outcome already; leave show out, or the columns"
        opened.complain("block-odds", message, entry.value_span)
        return None
    said = SHOW.fullmatch(entry.value)
    if not said:
        opened.complain("block-value", f"«{entry.value}» cannot be shown; write {WAYS}", entry.value_span)
        return None
    shown = understood(setup.rule, said[1].lower(), entry.value_span.part(*said.span(2)))
    if isinstance(shown, Wrong):
        opened.complain("block-value", shown.message, shown.span)
        return None
    return shown


def usual(rule: Rule) -> Show | None:
    """What is shown when nothing is said: the chance of the first outcome, else the mean of the last step."""
    outcomes = outcomes_of(rule)
    if outcomes:
        return Show("chance", outcomes[0], Quantity("chance", Event((outcomes[0],))))
    if rule.steps:
        return Show("mean", rule.steps[-1].name, Quantity("mean", name=rule.steps[-1].name))
    return None


def understood(rule: Rule, way: str, what: Span) -> Show | Wrong:
    if way == "distribution of":
        if rule.contest:
            return Wrong("a contest has no steps of its own; show the distribution of the rule it is about", what)
        step = read_step(rule, what)
        return step if isinstance(step, Wrong) else Show("distribution", step.name, step=step.name)
    readers = {"chance of": read_chance, "mean degree of": read_degree, "mean": read_step}
    quantity = readers[way](rule, what)
    if isinstance(quantity, Wrong):
        return quantity
    return Show(quantity.show, quantity.name or what.text, quantity)
