"""What can be asked of a rule: the chance of outcomes or of a formula, the mean of a step, of a degree."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..game.formula import FormulaError, parse
from ..game.model import Formula, Outcome, Rule
from ..game.names import NUMBER, Scope, Worth, check, worth
from ..game.tree import DICE, Node, walk
from ..text import Span, nearest, suggest

OR = re.compile(r"\s+or\s+", re.IGNORECASE)
WORDS = re.compile(r"[\w' -]+")
AND_NOT = re.compile(r"\b(?:and|not)\b")
DEGREE = re.compile(r"degree\s+of\s+(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Wrong:
    """Why something cannot be asked, and where it stands."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Event:
    """Some outcomes, or a formula."""

    outcomes: tuple[str, ...]
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """`show` is chance, mean or degree; `name` the step or the outcome of a mean."""

    show: str
    event: Event | None = None
    given: Event | None = None
    name: str = ""

    @property
    def is_chance(self) -> bool:
        return self.show == "chance"


def read_chance(rule: Rule, what: Span, given: Span | None = None) -> Quantity | Wrong:
    event = read_event(rule, what)
    if isinstance(event, Wrong):
        return event
    if given is None:
        return Quantity("chance", event)
    if rule.contest:
        return Wrong("in a contest a chance has no condition; leave out what stands behind |", given)
    condition = read_event(rule, given)
    return condition if isinstance(condition, Wrong) else Quantity("chance", event, condition)


def read_mean(rule: Rule, what: Span) -> Quantity | Wrong:
    """`degree of OUTCOME` or a step."""
    found = DEGREE.fullmatch(what.text)
    return read_degree(rule, what.part(*found.span(1))) if found else read_step(rule, what)


def read_degree(rule: Rule, what: Span) -> Quantity | Wrong:
    outcomes = {outcome.name.lower(): outcome for outcome in rule.outcomes}
    outcome = outcomes.get(what.text.lower())
    if rule.contest or outcome is None:
        names = [outcome.name for outcome in rule.outcomes]
        return Wrong(f"{rule.name} has no outcome «{what.text}»; {suggest(what.text, names)}".rstrip("; "), what)
    if outcome.degree is None:
        return Wrong(f"the outcome {outcome.name} of {rule.name} has no degree", what)
    return Quantity("degree", name=outcome.name)


def read_step(rule: Rule, what: Span) -> Quantity | Wrong:
    steps = steps_of(rule)
    name = next((name for name in steps if name.lower() == what.text.lower()), None)
    if name is None:
        return Wrong(f"{rule.name} has no step «{what.text}»; {suggest(what.text, steps)}".rstrip("; "), what)
    return Quantity("mean", name=name)


def steps_of(rule: Rule) -> list[str]:
    if not rule.contest:
        return [step.name for step in rule.steps]
    sides = zip(("first", "second"), rule.contest.of, strict=False)
    return [f"{side}.{step.name}" for side, own in sides for step in own.steps]


def outcomes_of(rule: Rule) -> list[str]:
    if not rule.contest:
        return [outcome.name for outcome in rule.outcomes]
    return ["first", "second"] if rule.contest.ties != "none" else ["first", "second", "none"]


def read_event(rule: Rule, what: Span) -> Event | Wrong:
    """Outcomes joined by «or», else a formula over inputs and steps."""
    if not what.text:
        return Wrong("this says not of what: an outcome or a formula belongs here", what)
    known = {name.lower(): name for name in outcomes_of(rule)}
    pieces = [what.text] if what.text.lower() in known else OR.split(what.text)
    if all(piece.lower() in known for piece in pieces):
        return Event(tuple(dict.fromkeys(known[piece.lower()] for piece in pieces)))
    if rule.contest:
        piece = next(piece for piece in pieces if piece.lower() not in known)
        return Wrong(f"a contest has no outcome «{piece}»; {suggest(piece, known.values())}", what)
    return no_outcome(rule, what, pieces) or read_formula(rule, what)


def no_outcome(rule: Rule, what: Span, pieces: list[str]) -> Wrong | None:
    """Words that are no formula, and no outcome either."""
    known = [*outcomes_of(rule), *(step.name for step in rule.steps), *(entry.name for entry in rule.inputs)]
    strange = [piece for piece in pieces if piece.lower() not in {name.lower() for name in known}]
    if not strange or AND_NOT.search(what.text) or not all(WORDS.fullmatch(piece) for piece in pieces):
        return None
    near = nearest(strange[0], known)
    note = f"did you mean {near}?" if near else suggest(strange[0], outcomes_of(rule))
    return Wrong(f"{rule.name} has no outcome or step «{strange[0]}»; {note}".rstrip("; "), what)


def read_formula(rule: Rule, what: Span) -> Event | Wrong:
    try:
        node = parse(what.text)
    except FormulaError as error:
        return Wrong(error.message, what.part(error.start, min(error.end, len(what.text))))
    for inner in walk(node):
        if inner.op in DICE:
            message = f"{inner.op}(…) looks at dice; ask for a step of {rule.name} instead"
            return Wrong(f"{message}; {suggest('', (step.name for step in rule.steps))}".rstrip("; "), at(what, inner))
    complaints = check(node, scope_of(rule))
    if complaints:
        inner, message = complaints[0]
        return Wrong(about_outcome(rule, inner) or message.rstrip("; "), at(what, inner))
    return Event((), Formula(what.text, node, what))


def at(what: Span, node: Node) -> Span:
    return what.part(node.start, node.end)


def about_outcome(rule: Rule, node: Node) -> str:
    """An outcome inside a formula."""
    if node.op != "name" or node.args[0].lower() not in {name.lower() for name in outcomes_of(rule)}:
        return ""
    return f"«{node.args[0]}» is an outcome: outcomes stand alone or beside each other, joined by «or»"


def scope_of(rule: Rule) -> Scope:
    """What a formula about a finished roll may name: inputs and steps."""
    values: dict[str, Worth] = {}
    for entry in rule.inputs:
        values |= dict.fromkeys(entry.variables, entry.choices if entry.form == "choice" else NUMBER)
    coded = (entry for entry in rule.inputs if entry.parts)
    codes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in coded}
    dice = {kind.name: kind for kind in rule.dice}
    scope = Scope(values, frozenset(values), dice=dice, tables=rule.tables, barred=codes)
    for step in rule.steps:
        found = worth(step.formula.node, scope)[0]
        scope = replace(scope, values={**scope.values, step.name: found})
    return replace(scope, dice={})


def as_formula(rule: Rule, event: Event) -> Formula:
    """An event as one condition; an outcome is its own and none of those before it."""
    if event.formula:
        return event.formula
    parts = [condition(rule.outcomes, name) for name in event.outcomes]
    node = parts[0] if len(parts) == 1 else Node("or", tuple(parts))
    return Formula(" or ".join(event.outcomes), node, rule.span)


def condition(outcomes: tuple[Outcome, ...], name: str) -> Node:
    number = next(number for number, outcome in enumerate(outcomes) if outcome.name == name)
    parts = [Node("not", (outcome.when.node,)) for outcome in outcomes[:number] if outcome.when]
    own = outcomes[number].when
    parts += [own.node] if own else []
    if not parts:
        return Node("number", (1,))
    return parts[0] if len(parts) == 1 else Node("and", tuple(parts))
