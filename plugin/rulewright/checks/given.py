"""Examples that tell a result instead of dice: what follows from it, and whether it can be at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from ..book.phrases import Item, parse_phrase
from ..game.bounds import Worth, exactly
from ..game.breeding import sample
from ..game.inputs import bind
from ..game.model import Rule
from ..game.notation import Unreadable, read_dice
from ..game.odds.family import NotExact
from ..game.odds.limits import TooMuch
from ..game.odds.memory import dice_names
from ..game.odds.plan import Question
from ..game.odds.solve import Solver
from ..game.outline import outline
from ..game.play import count_tallies
from ..game.program import program
from ..game.python import Stuck
from ..game.record import Record
from ..game.setting import Refused, Setting
from ..game.tree import names_in
from ..text import Problem, suggest
from .expect import number_in, words_of
from .model import Move, trouble
from .partial import PartialPlay
from .scene import Scene, spans_of

MOST_TRIES = 300
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
    setting = Setting(scene.rule, values)
    try:
        tallies = shown_tallies(scene, setting)
        found, plain = outline(setting, tallies, given), outline(setting, tallies, {})
    except Unreadable as error:
        dice = scene.roll["dice"].span
        return None, [
            trouble(scene.block, "example-dice", error.message, dice.part(error.start, max(error.end, error.start + 1)))
        ]
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


def shown_tallies(scene: Scene, setting: Setting) -> dict[str, Worth]:
    """The tallies of the kinds whose dice are written beside what is told."""
    entry = scene.roll.get("dice")
    if entry is None:
        return {}
    marks = read_dice(entry.text, scene.rule)
    kinds = {mark.text for mark in marks if mark.what == "kind"}
    record = Record(marks, [], len(entry.text))
    throw = PartialPlay(setting, record, kinds).run()
    record.close()
    shown = {number for number, kind in enumerate(scene.rule.dice) if kind.name.lower() in kinds}
    found = count_tallies(setting, throw.dice)
    made = setting.program
    return {tally.name: exactly(found[place]) for place, tally in enumerate(made.tallies) if tally.kind in shown}


def attainable(scene: Scene, given: Values) -> bool:
    """Whether some throw, for some value of the inputs that are left out, gives all that is told."""
    rule = without_rerolls(scene.rule)
    largest = max((abs(value) for value in given.values() if isinstance(value, int)), default=0)
    most = max(MOST_TRIES // max(largest // 10, 1) ** 2, 1)  # large numbers take longer
    for tries, values in enumerate(possible_values(scene, rule)):
        if tries == most:  # nothing is claimed that has not been tried
            return True
        try:
            if chance(Setting(rule, values), given):
                return True
        except (Refused, Stuck):
            continue
        except (TooMuch, NotExact):
            return True
    return False


@lru_cache(maxsize=256)
def without_rerolls(rule: Rule) -> Rule:
    """A die that is thrown anew may show what it showed: what is possible at all is possible without."""
    return replace(rule, rerolls=())


def possible_values(scene: Scene, rule: Rule) -> Iterator[dict[str, Any]]:
    """Values for the inputs that are left out and decide about dice; all others stand as they are."""
    stated, _ = bind(scene.rule, scene.texts)
    deciding = dice_names(program(rule)).union(*(names_in(kind.count.node) for kind in rule.dice))
    columns = []
    for entry in scene.rule.inputs:
        decides = bool(deciding & set(entry.variables))
        free = entry.name not in scene.inputs and (decides or entry.name not in stated)
        known = [stated[entry.name]] if entry.name in stated else []
        some = sample(entry, 6 if decides else MOST_TRIES) if free else []
        columns.append(list(dict.fromkeys([*known, *some])))
    names = [entry.name for entry in scene.rule.inputs]
    return (dict(zip(names, row, strict=True)) for row in plainest_first(columns))


def plainest_first(columns: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """One value of each column: first of each the first, then rows that depart from that in ever more places."""
    places = range(len(columns))
    for size in range(len(columns) + 1):
        for others in combinations(places, size):
            yield from product(*(columns[place][1:] if place in others else columns[place][:1] for place in places))


def chance(setting: Setting, given: Values) -> Fraction:
    formulas = tuple(step.formula for step in setting.rule.steps if step.name in given)
    wanted = tuple(given[step.name] for step in setting.rule.steps if step.name in given)
    most = max((abs(value) for value in wanted if isinstance(value, int)), default=0)
    found = Solver(setting, True, "best mean").gather(Question((), formulas), most + 2)
    return found.weights.get((0, *wanted), Fraction(0))
