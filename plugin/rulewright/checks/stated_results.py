"""Evaluates examples that give results instead of dice: what follows, and whether some roll can produce them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from ..book.settings import PIECE, Item, Setting, SettingNames, parse_settings
from ..game.codegen import EvaluationError
from ..game.core import CoreRule, Expression
from ..game.formula import Node
from ..game.inputs import bind_inputs
from ..game.intervals import ValueSet, evaluate_bounds, exact_value
from ..game.model import Input, Rule
from ..odds.aims import choose_aims, relevant_aims
from ..odds.budget import BudgetError, NotExactError
from ..odds.group import UndecidedMachine
from ..odds.plan import Question
from ..odds.solve import Solver
from ..odds.walk_solver import make_round_solver
from ..play.bound_rule import BoundKind, BoundRule, RollError, bind_bounds, evaluate_partially
from ..play.compiled_rule import compile_rule
from ..play.face_text import parse_dice
from ..play.record import Record, RecordedReroll, RecordError, parse_again
from ..play.roll import DiceRoller, Die, count_tallies
from ..play.validate import count_values, sample_values
from ..source import Problem, suggest
from .expectations import parse_number, possible_words
from .model import Move, make_problem
from .roll_records import JoinedRecord, find_again, join_records, record_of, texts_of
from .rolled_sides import told_sides
from .scene import Scene, input_spans

_StepValues = Mapping[str, int | str]


class _PartialPlay(DiceRoller):
    """Rolls only the dice of the named kinds: as many as are recorded, if it is not known yet how many there are."""

    def __init__(self, setting: BoundRule, record: Record, kinds: Mapping[int, int], given: _StepValues) -> None:
        super().__init__(setting, record)
        self.kinds, self.given = kinds, given

    def thrown(self, ready: BoundKind) -> int:
        return ready.count if ready.number in self.kinds else 0

    def look_at(self, dice: list[Die], _names: Sequence[str] = ()) -> None:
        """What the dice on the table and the given results say of later dice."""
        found = evaluate_partially(self.setting, _exact(self.tally(dice)), self.given).steps
        later = self.setting.continue_with((), (), self.rolled)
        later.known |= {name: value for name, value in found.items() if value is not None}
        for number in _find_waiting_kinds(later.rule) & self.kinds.keys() - self.rolled:
            try:
                later.kinds[number].count  # noqa: B018
            except RollError:
                later.kinds[number].count = self.kinds[number]
        self.setting = later

    def tally(self, dice: Sequence[Die]) -> dict[str, int]:
        """The tallies of the kinds that have been rolled."""
        counts = count_tallies(self.setting, dice)
        tallies = enumerate(self.setting.program.tallies)
        return {own.name: counts[index] for index, own in tallies if own.kind in self.kinds and own.kind in self.rolled}


def _find_waiting_kinds(rule: CoreRule) -> frozenset[int]:
    """The kinds of dice that wait for other dice."""
    waves = [stage.of for stage in rule.order if stage.what == "dice"]
    return frozenset(int(number) for wave in waves[1:] for number in wave)


def _exact(tallies: Mapping[str, int]) -> dict[str, ValueSet]:
    return {name: exact_value(value) for name, value in tallies.items()}


def recorded_tallies(
    setting: BoundRule, dice: str, given: _StepValues, again: Sequence[RecordedReroll] = ()
) -> dict[str, int]:
    """The tallies of the kinds whose dice are recorded next to the given results, and what became of these dice."""
    marks = parse_dice(dice, setting.rule)
    record = Record(marks, again, len(dice))
    roller = _PartialPlay(setting, record, _count_recorded(setting.rule, dice), given)
    throw = roller.roll_all()
    record.close()
    return roller.tally(throw.dice)


def _count_recorded(rule: CoreRule, dice: str) -> dict[int, int]:
    """How many dice of each kind that is named are recorded, and of the only kind of a roll. Dice without a name are of
    all kinds of their roll that do not wait for others; how many of each is not known, so they are 0."""
    names = {kind.name.lower(): number for number, kind in enumerate(rule.kinds)}
    counts, current, lead = dict[int, int](), -1, ""
    for mark in parse_dice(dice, rule):
        if mark.lead != lead:
            lead, current = mark.lead, -1
        own = [number for name, number in names.items() if name.startswith(lead)]
        if mark.token_type == "kind" or len(own) == 1:
            current = names[mark.text] if mark.token_type == "kind" else own[0]
            counts.setdefault(current, 0)
        if mark.token_type == "die" and current >= 0:
            counts[current] += 1
        elif mark.token_type == "die":
            counts = dict.fromkeys(set(own) - _find_waiting_kinds(rule), 0) | counts
    return counts


_MAX_TRIES = 300


def _is_attainable(scene: Scene, given: _StepValues) -> bool:
    """Whether some roll, for some values of the missing inputs, produces all given results.

    Never wrongly False: if there are too many values to try, the answer is True."""
    rule = _without_rerolls(scene.rule)
    largest = max((abs(value) for value in given.values() if isinstance(value, int)), default=0)
    most = max(_MAX_TRIES // max(largest // 10, 1) ** 2, 1)  # large numbers take longer
    free = free_inputs(scene, rule)
    if _is_excluded(scene, given, free):
        return False
    for tries, values in enumerate(_candidate_inputs(scene, free)):
        if tries == most:
            return True
        try:
            conditions = [*_step_conditions(given), *_dice_conditions(scene, values, given)]
            if _is_possible(BoundRule(rule, values), conditions):
                return True
        except (RollError, EvaluationError, RecordError):
            continue
        except (BudgetError, NotExactError):
            return True
    return any(count_values(entry) > len(sample_values(entry, _MAX_TRIES)) for entry in free)


def _without_rerolls(rule: Rule) -> Rule:
    """The rule without rerolls: a reroll can show the same face again, so the possible results do not change."""
    return rule.cached(("without rerolls",), lambda: replace(rule, rerolls=()))


def _is_excluded(scene: Scene, given: _StepValues, free: Sequence[Input]) -> bool:
    """Whether a given value is outside the interval that the other ones allow, for any dice and missing inputs."""
    stated, names = bind_inputs(scene.rule, scene.texts)[0], {entry.name for entry in free}
    if any(entry.asked for entry in free):  # the intervals would assume its default, which it need not have
        return False
    setting = BoundRule(scene.rule, {name: value for name, value in stated.items() if name not in names})
    for name, value in given.items():
        others = {other_name: known for other_name, known in given.items() if other_name != name}
        if _is_outside_bounds(bind_bounds(setting, {}, others).values[name], value):
            return True
    return False


def _is_outside_bounds(worth: ValueSet, value: int | str) -> bool:
    if isinstance(value, str) or isinstance(worth, frozenset):
        return isinstance(worth, frozenset) and value not in worth
    return not worth.low <= value <= worth.high


def free_inputs(scene: Scene, rule: Rule) -> list[Input]:
    """The missing inputs that affect the dice or have no default."""
    stated, compiled = bind_inputs(scene.rule, scene.texts)[0], compile_rule(rule)
    return [
        entry
        for entry in scene.rule.inputs
        if entry.name not in scene.inputs
        and (compiled.dice_names & set(entry.variable_names) or entry.name not in stated)
    ]


def _candidate_inputs(scene: Scene, free: Sequence[Input]) -> Iterator[dict[str, Any]]:
    """Candidate values of all inputs: several for the free ones, the bound value for the others."""
    stated, _ = bind_inputs(scene.rule, scene.texts)
    columns = []
    for entry in scene.rule.inputs:
        known = [stated[entry.name]] if entry.name in stated else []
        samples = sample_values(entry, _MAX_TRIES) if entry in free else []
        columns.append(list(dict.fromkeys([*known, *samples])))
    names = [entry.name for entry in scene.rule.inputs]
    return (dict(zip(names, row, strict=True)) for row in _product_by_changes(columns))


def _product_by_changes(columns: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The product of the columns, ordered by the number of columns that differ from their first value."""
    places = range(len(columns))
    for size in range(len(columns) + 1):
        for others in combinations(places, size):
            yield from product(*(columns[index][1:] if index in others else columns[index][:1] for index in places))


def _dice_conditions(scene: Scene, values: Mapping[str, Any], given: _StepValues) -> list[Node]:
    """Conditions for the recorded dice: their tallies, and how many there are of those that wait for others."""
    dice, setting = _shown_dice(scene), BoundRule(scene.rule, values)
    if not dice:
        return []
    tallies = recorded_tallies(setting, dice.text, given, _recorded_again(scene, setting.rule, dice.text))
    counts = _count_recorded(setting.rule, dice.text)
    waiting = sorted(_find_waiting_kinds(setting.rule) & counts.keys())
    found = [_equality(Node("tally", (name,)), value) for name, value in tallies.items()]
    return found + [_equality(setting.rule.kinds[number].count.node, counts[number]) for number in waiting]


def _recorded_again(scene: Scene, rule: CoreRule, dice: str) -> list[RecordedReroll]:
    """What became of the dice that are recorded; those of a roll whose result is given are not."""
    kinds = _count_recorded(rule, dice)
    entries = parse_again(rule, **texts_of(find_again(scene.rule, scene.roll)))
    return [entry for entry in entries if entry.kind is None or entry.kind in kinds]


def _shown_dice(scene: Scene) -> JoinedRecord | None:
    """The dice that are recorded beside the given results."""
    dice = scene.roll.get("dice")
    return join_records(scene.rule, scene.roll) or (record_of(dice) if dice else None)


def _is_possible(setting: BoundRule, conditions: Sequence[Node]) -> bool:
    """Whether some roll meets all conditions under these inputs; True if the solver leaves a part uncounted."""
    node = conditions[0] if len(conditions) == 1 else Node("and", tuple(conditions))
    question = Question((Expression("all that is told", node),))
    if not setting.rule.is_one_wave:
        if relevant_aims(setting.rule) or any(map(setting.leaves_open, setting.rule.inputs)):
            return True  # other choices may lead there
        counted = make_round_solver(setting, choose_aims(setting.rule), None).count(question)
        return bool(counted.weights.get((0,)) or counted.unknown)
    solver = Solver(setting, choose_aims(setting.rule, "always"))
    solver.machine = UndecidedMachine(setting)
    counted = solver.count(question)
    return bool(counted.weights.get((0,)) or counted.unknown)


def _step_conditions(given: _StepValues) -> list[Node]:
    return [_equality(Node("name", (name,)), value) for name, value in given.items()]


def _equality(left: Node, value: int | str) -> Node:
    if isinstance(value, str):
        return Node("=", (left, Node("word", (value,))))
    number = Node("number", (abs(value),))
    return Node("=", (left, number if value >= 0 else Node("neg", (number,))))


def _tallies_of_none(setting: BoundRule, tallies: Mapping[str, ValueSet], given: _StepValues) -> Mapping[str, ValueSet]:
    """The tallies of kinds that wait for other dice, and of which there are none after the given results."""
    bounds = bind_bounds(setting, tallies, given)
    earned = {number for kind in setting.rule.kinds for number in kind.earned_kinds}
    none = {
        number
        for number in _find_waiting_kinds(setting.rule) - earned
        if evaluate_bounds(setting.rule.kinds[number].count.node, bounds) == exact_value(0)
    }
    return {tally.name: exact_value(0) for tally in setting.program.tallies if tally.kind in none}


_GivenValues = Mapping[str, int | str]


def evaluate_given(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene from its given steps and the dice of the kinds that are recorded."""
    values, complaints = bind_inputs(scene.rule, scene.texts)
    spans = input_spans(scene)
    problems = [
        make_problem(scene.block, "block-value", message, spans.get(name, scene.block.word))
        for name, message in complaints
    ]
    given, more = read_given(scene)
    problems += more
    if problems:
        return None, problems
    dice = _shown_dice(scene)
    try:
        setting = BoundRule(scene.rule, values)
        again = _recorded_again(scene, setting.rule, dice.text) if dice else ()
        tallies = _exact(recorded_tallies(setting, dice.text, given, again)) if dice else {}
        forced = evaluate_partially(setting, tallies, {})
        result = evaluate_partially(setting, {**_tallies_of_none(setting, tallies, given), **tallies}, given)
    except RecordError as error:
        assert dice
        place = dice.locate(error.start, error.end) or scene.block.word
        return None, [make_problem(scene.block, "example-dice", error.message, place)]
    except (RollError, EvaluationError) as error:
        return None, [make_problem(scene.block, "example-dice", str(error), scene.block.word)]
    message = _contradiction_message(given, forced.steps)
    if not message and given and not _is_attainable(scene, given):
        message = "no roll gives " + ", ".join(f"{name} {value}" for name, value in given.items())
        message += " beside these dice" if dice and not setting.rule.is_one_wave else ""
    if message:
        entry = scene.roll.get("given") or _list_given(scene)[0]
        span = entry.value_span if isinstance(entry, Item) else entry.span
        problems = [make_problem(scene.block, "example-given", message, span)]
    outcome = result.outcome.name if result.outcome else None
    return Move(scene.rule, scene.texts, None, result.steps, outcome, result.degree), problems


def _contradiction_message(given: _GivenValues, known: Mapping[str, Any]) -> str:
    """The message for a contradiction between a given value and the value forced by the recorded dice and inputs."""
    for name, value in given.items():
        if known.get(name) not in (None, value):
            return f"what is shown gives {name} {known[name]}, the text says {name} {value}"
    return ""


def _list_given(scene: Scene) -> list[Item]:
    """What an example tells instead of dice, in `given:` or of a side."""
    entry, names = scene.roll.get("given"), {step.name: Setting(step.name, PIECE) for step in scene.rule.steps}
    own = parse_settings(entry.span, SettingNames(names)) if entry else []
    return [*own, *told_sides(scene.rule, scene.sides, scene.roll)]


def read_given(scene: Scene) -> tuple[dict[str, int | str], list[Problem]]:
    given: dict[str, int | str] = {}
    problems = []
    for item in _list_given(scene):
        value, problem = _read_given_step(scene, item)
        if problem:
            problems.append(problem)
        elif item.name.lower() in given:
            message = f"`{item.name_span.text}` is given twice"
            problems.append(make_problem(scene.block, "block-key", message, item.name_span))
        else:
            given[item.name.lower()] = value
    return given, problems


def _read_given_step(scene: Scene, item: Item) -> tuple[int | str, Problem | None]:
    names = [step.name for step in scene.rule.steps]
    if item.name.lower() not in names:
        message = f'{scene.rule.name} has no step "{item.name}"; {suggest(item.name, names)}'
        return 0, make_problem(scene.block, "block-key", message.rstrip("; "), item.name_span)
    words = possible_words(scene, item.name.lower())
    if words is not None:
        match = next((word for word in words if word.lower() == item.value.lower()), None)
        message = f'{item.name} cannot be "{item.value}"; {suggest(item.value, sorted(words))}'
        return match or "", None if match else make_problem(scene.block, "block-value", message, item.value_span)
    number = parse_number(item.value)
    if number is None:
        message = f'{item.name} is a whole number, not "{item.value}"'
        return 0, make_problem(scene.block, "block-value", message, item.value_span)
    return number, None
