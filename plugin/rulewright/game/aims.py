"""Aims: what the choices of a rule are made for, such as `chance(success)`, `-mean(harm)` or `always`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from ..source import suggest
from .core import CoreAim, CoreOutcome, CoreStep, Expression
from .formula import ZERO, Node

if TYPE_CHECKING:
    from .model import Outcome, Step

TAKING = ("always", "never")  # what is optional
_AIM = re.compile(r"([-−]?)\s*(chance|mean)\s*\(\s*(degree\s+of\s+)?(.*?)\s*\)", re.IGNORECASE)
_FORMS = "write always, never, chance(OUTCOME), mean(STEP), mean(degree of OUTCOME), or one of these with a - before it"
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_ONE = Node("number", (1,))


def uses_outcomes(text: str) -> bool:
    """Whether an aim names outcomes."""
    match = _AIM.fullmatch(text.strip())
    return bool(match and (match[2].lower() == "chance" or match[3]))


def read_aim(
    text: str, steps: Sequence[Step | CoreStep], outcomes: Sequence[Outcome | CoreOutcome]
) -> tuple[CoreAim | None, str]:
    """The aim that a text means, or a message that says what is wrong with it."""
    text = " ".join(text.split())
    if text.lower() in TAKING:
        return CoreAim(text.lower(), text.lower()), ""
    match = _AIM.fullmatch(text)
    if not match:
        return None, f"`{text}` is not an aim; {_FORMS}"
    what, name = match[2].lower(), match[4]
    if what == "mean" and not match[3]:
        formulas = {step.name: step.formula for step in steps}
        if name.lower() not in formulas:
            return None, f"there is no step `{name}`; {suggest(name, formulas)}".rstrip("; ")
        formula = formulas[name.lower()]
        if name.lower() in _word_steps(steps):
            return None, f"`{name}` is a word, which has no mean"
    else:
        chosen, message = _find_outcomes(name, outcomes)
        if message:
            return None, message
        if what == "mean" and (len(chosen) > 1 or not outcomes[chosen[0]].degree):
            return None, f"`{name}` is not an outcome with a degree"
        formula = degree_formula(outcomes[: chosen[0] + 1]) if what == "mean" else _event_formula(chosen, outcomes)
    if match[1]:
        return CoreAim(text, "mean", Expression(text, Node("neg", (formula.node,)))), ""
    return CoreAim(text, what, formula), ""


def split_outcomes(text: str, known: Container[str]) -> list[str]:
    """The names in a text such as `success or critical success`; one outcome may be called `hit or miss`."""
    return [text] if text.lower() in known else _OR.split(text)


def split_aim(text: str, known: Container[str]) -> list[str]:
    """The aims that a text is made of, in lower case and without signs: one for each outcome; none if it is no aim."""
    text = " ".join(text.lower().split())
    match = _AIM.fullmatch(text)
    if not match:
        return [text] if text in TAKING else []
    names = split_outcomes(match[4], known) if match[2] == "chance" else [match[4]]
    return [f"{match[2]}({'degree of ' if match[3] else ''}{name})" for name in names]


def list_aims(steps: Iterable[str], outcomes: Iterable[str], degrees: Iterable[str]) -> tuple[str, ...]:
    """All aims for the best of these steps, outcomes, and outcomes with a degree, in lower case."""
    chances = (f"chance({name.lower()})" for name in outcomes)
    return (*chances, *(f"mean({name})" for name in steps), *(f"mean(degree of {name.lower()})" for name in degrees))


def known_outcomes(aims: Iterable[str]) -> set[str]:
    """The outcomes, in lower case, whose chance is among these aims."""
    return {aim[7:-1] for aim in aims if aim.startswith("chance(")}


def write_goal(text: str, prefix: str, choices: Sequence[str], outcomes: Container[str]) -> str:
    """What an aim makes the most of, as a formula over what is known of a roll with this prefix; empty if nothing.
    `always` makes the most of the yes or no `choices`; `outcomes` are all outcomes of the rule, in lower case."""
    text = " ".join(text.split())
    if text.lower() in TAKING:
        taken = " + ".join(choices)
        return taken if text.lower() == TAKING[0] else f"-({taken})"
    match = _AIM.fullmatch(text)
    if not match:
        return ""
    names = [f"{prefix}.outcome = '{name}'" for name in split_outcomes(match[4], outcomes)]
    goal = " or ".join(names) if match[2].lower() == "chance" else f"{prefix}.{match[4].lower()}"
    if match[3]:
        goal = f"if({names[0]}, {prefix}.degree, 0)"
    return f"-({goal})" if match[1] else goal


def mean_of_last(steps: Sequence[CoreStep]) -> CoreAim:
    """What decides where a rule has no aim: the mean of its last step that is a number."""
    words = _word_steps(steps)
    numbers = [step for step in steps if step.set is None and step.name not in words]
    name, formula = (numbers[-1].name, numbers[-1].formula) if numbers else ("0", Expression("0", ZERO))
    return CoreAim(f"mean({name})", "mean", formula)


def _word_steps(steps: Sequence[Step | CoreStep]) -> set[str]:
    """The steps that yield a word, as far as formulas tell."""
    nodes = {step.name: step.formula.node for step in steps if step.formula}
    known: dict[str, bool] = {}

    def is_word(node: Node) -> bool:
        if node.op == "if":
            return any(map(is_word, node.args[1:]))
        name = node.args[0] if node.op == "name" else None
        if name not in nodes:
            return node.op == "word"
        if name not in known:
            known[name] = False  # where steps go in a circle, which is a problem of its own
            known[name] = is_word(nodes[name])
        return known[name]

    return {name for name, node in nodes.items() if is_word(node)}


def _find_outcomes(text: str, outcomes: Sequence[Outcome | CoreOutcome]) -> tuple[list[int], str]:
    """The numbers of the outcomes in a text such as `success or critical success`."""
    numbers = {outcome.name.lower(): number for number, outcome in enumerate(outcomes)}
    names = split_outcomes(text, numbers)
    for name in names:
        if name.lower() not in numbers:
            return [], f"there is no outcome `{name}`; {suggest(name, [own.name for own in outcomes])}".rstrip("; ")
    return sorted({numbers[name.lower()] for name in names}), ""


def _event_formula(chosen: Sequence[int], outcomes: Sequence[Outcome | CoreOutcome]) -> Expression:
    """A formula that holds for these outcomes: those before them do not happen."""
    if chosen == [0] and outcomes[0].when:
        return outcomes[0].when
    node = ZERO
    for number in reversed(range(chosen[-1] + 1)):
        when, is_chosen = outcomes[number].when, number in chosen
        node = Node("if", (when.node, _ONE if is_chosen else ZERO, node)) if when else _ONE
    return Expression(" or ".join(outcomes[number].name for number in chosen), node)


def degree_formula(outcomes: Sequence[Outcome | CoreOutcome]) -> Expression:
    """The degree of the last of these outcomes where it is the first that holds, otherwise 0.

    Elsewhere the degree may have no value: `down(12 / margin)` of an outcome with a margin."""
    degree = outcomes[-1].degree
    assert degree

    def add_condition(node: Node, number: int) -> Node:
        when = outcomes[number].when
        is_last = number == len(outcomes) - 1
        return Node("if", (when.node, *((node, ZERO) if is_last else (ZERO, node)))) if when else node

    return Expression(degree.text, reduce(add_condition, reversed(range(len(outcomes))), degree.node))
