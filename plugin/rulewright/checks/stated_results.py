"""Evaluates examples that give results instead of dice: what follows, and whether some roll can produce them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from ..book.entries import Item, parse_phrase
from ..game.codegen import Stuck
from ..game.formula import Node
from ..game.inputs import bind
from ..game.intervals import Worth, exactly
from ..game.model import Formula, Input, Rule
from ..odds.generating_function import NotExact
from ..odds.group import Undecided
from ..odds.plan import Question, TooMuch
from ..odds.solve import Solver
from ..odds.tail import dice_names
from ..play.bound_rule import Ready, Refused, Setting, outline, worths
from ..play.compiled_rule import program
from ..play.record import Record, Unreadable, read_dice
from ..play.roll import Faces, Play, count_tallies
from ..play.validate import domain, sample
from ..source import Problem, suggest
from .expectations import number_in, words_of
from .model import Move, trouble
from .scene import Scene, spans_of


class PartialPlay(Play):
    """Rolls only the dice of the named kinds."""

    def __init__(self, setting: Setting, faces: Faces, kinds: set[str]) -> None:
        super().__init__(setting, faces)
        self.kinds = kinds

    def thrown(self, ready: Ready) -> int:
        return ready.count if ready.kind.name.lower() in self.kinds else 0


def shown_tallies(setting: Setting, dice: str) -> dict[str, int]:
    """The tallies of the kinds whose dice are recorded next to the given results."""
    rule = setting.rule
    marks = read_dice(dice, rule)
    kinds = {mark.text for mark in marks if mark.what == "kind"}
    record = Record(marks, [], len(dice))
    throw = PartialPlay(setting, record, kinds).run()
    record.close()
    shown = {number for number, kind in enumerate(rule.dice) if kind.name.lower() in kinds}
    found = count_tallies(setting, throw.dice)
    return {tally.name: found[place] for place, tally in enumerate(setting.program.tallies) if tally.kind in shown}


MOST_TRIES = 300
Values = Mapping[str, int | str]


def attainable(scene: Scene, given: Values) -> bool:
    """Whether some roll, for some values of the missing inputs, produces all given results.

    Never wrongly False: if there are too many values to try, the answer is True."""
    rule = without_rerolls(scene.rule)
    largest = max((abs(value) for value in given.values() if isinstance(value, int)), default=0)
    most = max(MOST_TRIES // max(largest // 10, 1) ** 2, 1)  # large numbers take longer
    free = free_inputs(scene, rule)
    if excluded(scene, given, free):
        return False
    for tries, values in enumerate(possible_values(scene, free)):
        if tries == most:
            return True
        try:
            if possible(Setting(rule, values), [*told(given), *shown(scene, values)]):
                return True
        except (Refused, Stuck, Unreadable):
            continue
        except (TooMuch, NotExact):
            return True
    return any(domain(entry) > len(sample(entry, MOST_TRIES)) for entry in free)


@lru_cache(maxsize=256)
def without_rerolls(rule: Rule) -> Rule:
    """The rule without rerolls: a reroll can show the same face again, so the possible results do not change."""
    return replace(rule, rerolls=())


def excluded(scene: Scene, given: Values, free: Sequence[Input]) -> bool:
    """Whether a given value is outside the interval that the other ones allow, for any dice and missing inputs."""
    stated, names = bind(scene.rule, scene.texts)[0], {entry.name for entry in free}
    if any(entry.asked for entry in free):  # the intervals would assume its default, which it need not have
        return False
    setting = Setting(scene.rule, {name: value for name, value in stated.items() if name not in names})
    for name, value in given.items():
        others = {other: known for other, known in given.items() if other != name}
        if outside(worths(setting, {}, others).values[name], value):
            return True
    return False


def outside(worth: Worth, value: int | str) -> bool:
    if isinstance(value, str) or isinstance(worth, frozenset):
        return isinstance(worth, frozenset) and value not in worth
    return not worth.low <= value <= worth.high


def free_inputs(scene: Scene, rule: Rule) -> list[Input]:
    """The missing inputs that affect the dice or have no default."""
    stated, made = bind(scene.rule, scene.texts)[0], program(rule)
    deciding = made.behind(dice_names(made)) | made.needed(kind.count for kind in rule.dice)
    deciding |= made.needed(kind.keep.number for kind in rule.dice if kind.keep)
    return [
        entry
        for entry in scene.rule.inputs
        if entry.name not in scene.inputs and (deciding & set(entry.variables) or entry.name not in stated)
    ]


def possible_values(scene: Scene, free: Sequence[Input]) -> Iterator[dict[str, Any]]:
    """Candidate values of all inputs: several for the free ones, the bound value for the others."""
    stated, _ = bind(scene.rule, scene.texts)
    columns = []
    for entry in scene.rule.inputs:
        known = [stated[entry.name]] if entry.name in stated else []
        some = sample(entry, MOST_TRIES) if entry in free else []
        columns.append(list(dict.fromkeys([*known, *some])))
    names = [entry.name for entry in scene.rule.inputs]
    return (dict(zip(names, row, strict=True)) for row in plainest_first(columns))


def plainest_first(columns: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The product of the columns, ordered by the number of columns that differ from their first value."""
    places = range(len(columns))
    for size in range(len(columns) + 1):
        for others in combinations(places, size):
            yield from product(*(columns[place][1:] if place in others else columns[place][:1] for place in places))


def shown(scene: Scene, values: Mapping[str, Any]) -> list[Node]:
    """Conditions for the tallies of the recorded dice."""
    dice, rule = scene.roll.get("dice"), scene.rule
    found = shown_tallies(Setting(rule, values), dice.text) if dice else {}
    return [equals(Node("tally", (name,)), value) for name, value in found.items()]


def possible(setting: Setting, wanted: Sequence[Node]) -> bool:
    """Whether some roll meets all conditions under these inputs; True if the solver leaves a part uncounted."""
    solver = Solver(setting, True, "best mean")
    solver.machine = Undecided(setting)
    node = wanted[0] if len(wanted) == 1 else Node("and", tuple(wanted))
    found = solver.count(Question((Formula("all that is told", node, setting.rule.span),)))
    return bool(found.weights.get((0,)) or found.unknown or any(not far.outcome and far.chance for far in found.beyond))


def told(given: Values) -> list[Node]:
    return [equals(Node("name", (name,)), value) for name, value in given.items()]


def equals(what: Node, value: int | str) -> Node:
    if isinstance(value, str):
        return Node("=", (what, Node("word", (value,))))
    number = Node("number", (abs(value),))
    return Node("=", (what, number if value >= 0 else Node("neg", (number,))))


GivenValues = Mapping[str, int | str]


def work_out_given(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene from its given steps and the dice of the kinds that are recorded."""
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


def contradiction(given: GivenValues, known: Mapping[str, Any]) -> str:
    """The message for a contradiction between a given value and the value forced by the recorded dice and inputs."""
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
