"""Examples that tell a result instead of dice: what follows from it, and whether it can be at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..book.phrases import Item, parse_phrase
from ..game.bounds import exactly
from ..game.inputs import bind
from ..game.notation import Unreadable
from ..game.outline import outline
from ..game.python import Stuck
from ..game.setting import Refused, Setting
from ..text import Problem, suggest
from .attainable import attainable
from .expect import number_in, words_of
from .model import Move, trouble
from .partial import shown_tallies
from .scene import Scene, spans_of

Values = Mapping[str, int | str]


def work_out_given(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """What follows from the steps that are told, and from the dice of the kinds that are shown."""
    values, complaints = bind(scene.rule, scene.texts)
    spans = spans_of(scene)
    problems = [
        trouble(scene.block, "block-value", message, spans.get(name, scene.block.word)) for name, message in complaints
    ]
    given, more = read_given(scene)
    problems += more
    if problems:
        return None, problems
    setting, dice = Setting(scene.rule, values), scene.roll.get("dice")
    try:
        shown = shown_tallies(setting, dice.text) if dice else {}
        tallies = {name: exactly(value) for name, value in shown.items()}
        found, plain = outline(setting, tallies, given), outline(setting, tallies, {})
    except Unreadable as error:
        assert dice
        place = dice.span.part(error.start, max(error.end, error.start + 1))
        return None, [trouble(scene.block, "example-dice", error.message, place)]
    except (Refused, Stuck) as error:
        return None, [trouble(scene.block, "example-dice", str(error), scene.block.word)]
    message = contradiction(given, plain.steps)
    if not message and given and not attainable(scene, given):
        message = "no throw gives " + ", ".join(f"{name} {value}" for name, value in given.items())
    if message:
        problems = [trouble(scene.block, "example-given", message, scene.roll["given"].span)]
    outcome = found.outcome.name if found.outcome else None
    return Move(scene.rule, scene.texts, None, found.steps, outcome, found.degree), problems


def contradiction(given: Values, known: Mapping[str, Any]) -> str:
    """What is told against what the dice and inputs that are shown leave no choice about."""
    for name, value in given.items():
        if known.get(name) not in (None, value):
            return f"what is shown gives {name} {known[name]}, the text tells {name} {value}"
    return ""


def read_given(scene: Scene) -> tuple[dict[str, int | str], list[Problem]]:
    entry = scene.roll.get("given")
    given: dict[str, int | str] = {}
    problems = []
    for item in parse_phrase(entry.span) if entry else []:
        value, problem = read_step(scene, item)
        if problem:
            problems.append(problem)
        elif item.name.lower() in given:
            problems.append(trouble(scene.block, "block-key", f"`{item.name}` is told twice", item.name_span))
        else:
            given[item.name.lower()] = value
    return given, problems


def read_step(scene: Scene, item: Item) -> tuple[int | str, Problem | None]:
    names = [step.name for step in scene.rule.steps]
    if item.name.lower() not in names:
        message = f"{scene.rule.name} has no step «{item.name}»; {suggest(item.name, names)}"
        return 0, trouble(scene.block, "block-key", message.rstrip("; "), item.name_span)
    words = words_of(scene, item.name.lower())
    if words is not None:
        found = next((word for word in words if word.lower() == item.value.lower()), None)
        message = f"{item.name} cannot be «{item.value}»; {suggest(item.value, sorted(words))}"
        return found or "", None if found else trouble(scene.block, "block-value", message, item.value_span)
    number = number_in(item.value)
    if number is None:
        message = f"{item.name} is a whole number, not «{item.value}»"
        return 0, trouble(scene.block, "block-value", message, item.value_span)
    return number, None
