"""Loads and validates a game. Validation evaluates its rules: termination check for dice that explode or earn dice,
impossible dice, and contests without a result.

`load_game` and `load_game_text` return a game with all its problems, including those of its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from math import inf
from pathlib import Path as File
from typing import Any, NamedTuple

from ..game.codegen import EvaluationError
from ..game.core import PICKED, ROLLS_AGAIN, CoreInput, CoreKind, CoreRule, Expression, Stage
from ..game.formula import collect_names, walk
from ..game.inputs import format_value, late_inputs, to_variables
from ..game.intervals import EITHER_TRUTH, Bounds, Interval, evaluate_bounds, exact_value, interval_between
from ..game.load import GAME_FILE, LoadedGame, read_game_file, read_game_text
from ..game.load_table import PageReader, no_pages
from ..game.lower import lower_rule
from ..game.model import MAX_SIDES, Game, Rule
from ..game.schema import MAX_PROBLEMS
from ..game.stages import RuleParts, find_circle
from ..game.toml import Path
from ..root import UNRESTRICTED, Root
from ..source import Problem, sort_problems
from .automaton import Automaton, DieState, solve_linear
from .bound_rule import MAX_DICE, BoundRule, RollError
from .compiled_rule import compile_rule, input_values
from .negative_counts import find_negative_count

_MAX_RANGE = 100  # numbers that a word in a formula runs over
_MAX_COMBINATIONS = 400  # combinations of inputs for one kind
_RULE_COST, _COMBINATION_COST = 10, 50  # the cost of a rule and of a combination, in faces


@dataclass
class _Budget:
    """The budget of the termination check for all rules of a game, in faces. What it misses fails when rolled."""

    remaining: int = 25_000

    def spend(self, faces: int) -> bool:
        self.remaining -= faces
        return self.remaining > 0


def _find_endless_dice(rule: CoreRule, effort: _Budget) -> Iterator[tuple[str, str]]:
    """Kinds of dice that, for some allowed inputs, lead to at least one new die per die on average, with a message.

    Of kinds that earn each other only the first is reported."""
    checked_names: set[str] = set()
    for kind in rule.kinds:
        if not kind.again or kind.name in checked_names:
            continue
        kinds, circle = _collect_earned_kinds(rule, kind)
        if (kind.rolls_on or circle) and effort.spend(_RULE_COST):
            checked_names |= {checked.name for checked in kinds}
            message = "" if _ends_at_most(rule, kinds, effort) else _find_endless_inputs(rule, kinds, effort)
            if message:
                yield kind.name, message


def _collect_earned_kinds(rule: CoreRule, kind: CoreKind) -> tuple[list[CoreKind], bool]:
    """A kind and the kinds that it earns, directly or not; and whether it earns itself."""
    kinds, earned = [kind], list(kind.earned_kinds)
    for number in earned:
        if rule.kinds[number] not in kinds:
            kinds.append(rule.kinds[number])
            earned += rule.kinds[number].earned_kinds
    return kinds, rule.kinds.index(kind) in earned


def _ends_at_most(rule: CoreRule, kinds: list[CoreKind], effort: _Budget) -> bool:
    """Whether these dice end even if every face has its greatest possible effect. A quick sufficient test."""
    names = set().union(*(collect_names(kind.sides.node) for kind in kinds if kind.sides))
    return all(_ends_for_values(rule, kinds, values, effort) for values in _input_combinations(rule, names))


def _ends_for_values(rule: CoreRule, kinds: list[CoreKind], values: Mapping[str, Any], effort: _Budget) -> bool:
    bounds = compile_rule(rule).bounds
    for name, value in to_variables(rule, values).items():
        bounds = bounds.with_value(name, exact_value(value))
    rows: dict[DieState, dict[DieState, Fraction]] = {}
    for kind in kinds:
        faces = _known_faces(kind, bounds)
        if not effort.spend(len(faces) + len(kinds)):
            return False
        row = _bound_offspring(rule, kind, faces, bounds) if faces else {}
        if row is None:
            return False
        rows[DieState(rule.kinds.index(kind))] = row
    throws = solve_linear(rows, dict.fromkeys(rows, Fraction(1)))
    return throws is not None and all(number > 0 for number in throws.values())


def _known_faces(kind: CoreKind, bounds: Bounds) -> list[int]:
    if not kind.sides:
        return [place for place, face in enumerate(kind.faces) for _ in range(face.copies)]
    sides = evaluate_bounds(kind.sides.node, bounds)
    if not isinstance(sides, Interval) or not sides.is_exact or not 1 <= sides.low <= MAX_SIDES:
        return []
    return list(range(1, int(sides.low) + 1))


def _bound_offspring(
    rule: CoreRule, kind: CoreKind, faces: list[int], bounds: Bounds
) -> dict[DieState, Fraction] | None:
    """An upper bound of the average number of dice that a throw leads to; None if there is no bound."""
    own_state = DieState(rule.kinds.index(kind))
    averages: dict[DieState, Fraction] = {}
    words_by_face = {face: {**rule.face_words, **rule.words_on(own_state.kind, face)} for face in faces}
    values = [words["face"] for words in words_by_face.values()]
    unknown = {
        "last": interval_between(min(0, *values), max(0, *values)),
        "throw": interval_between(1, inf),
        **dict.fromkeys(kind.tests, EITHER_TRUTH),
    }
    bounds = Bounds({}, {**bounds.values, "sides": exact_value(len(faces))}, bounds.tables)
    for face in faces:
        words = {name: exact_value(value) for name, value in words_by_face[face].items()}
        face_bounds = Bounds({}, {**bounds.values, **words, **unknown, "sides": exact_value(len(faces))}, bounds.tables)
        numbers: dict[DieState, int] = {}
        for entry in kind.again:
            if _evaluate_range(entry.when, face_bounds).truth is False:
                continue
            count = _evaluate_range(entry.count, face_bounds).high
            if count == inf:
                return None
            if isinstance(entry.roll, int):
                earned = DieState(entry.roll)
                numbers[earned] = numbers.get(earned, 0) + max(int(count), 0)
        if any(
            entry.roll in ROLLS_AGAIN and _evaluate_range(entry.when, face_bounds).truth is not False
            for entry in kind.again
        ):
            numbers[own_state] = numbers.get(own_state, 0) + 1
        for state, number in numbers.items():
            averages[state] = averages.get(state, Fraction(0)) + Fraction(number, len(faces))
    return averages


def _find_endless_inputs(rule: CoreRule, kinds: list[CoreKind], effort: _Budget) -> str:
    """The message for the first inputs for which these dice do not end; empty if none are found."""
    deciding, rule = set().union(*map(_deciding_names, kinds)), _drop_steps(rule)
    for values in _input_combinations(rule, deciding):
        try:
            machine = Automaton(BoundRule(rule, {**_sample_inputs(rule), **values}))
            sides = [len(machine.setting.kinds[rule.kinds.index(kind)].faces) for kind in kinds]
            if not effort.spend(_COMBINATION_COST + sum(map(_estimate_cost, kinds, sides))):
                return ""
            states = machine.find_reachable([DieState(rule.kinds.index(kinds[0]))])
            if not machine.has_finite_mean(states):
                return _describe_endless(rule, machine, kinds[0], values)
        except (RollError, EvaluationError):
            continue
    return ""


def _drop_steps(rule: CoreRule) -> CoreRule:
    """The rule with those steps only that dice need before they are rolled: all others could raise errors."""
    late = late_inputs(rule.inputs)
    inputs = tuple(replace(entry, asked=None) if entry.name in late else entry for entry in rule.inputs)
    needed, early = compile_rule(rule).dice_names, set(compile_rule(rule).fixed)
    steps = tuple(step for step in rule.steps if step.name in needed & early)
    names = {*(entry.name for entry in inputs if entry.asked), *(step.name for step in steps)}
    first = Stage("values", tuple(name for name in compile_rule(rule).fixed if name in names))
    order = (first, *(stage for stage in rule.order if stage.what != "values"))
    return replace(rule, inputs=inputs, steps=steps, marks={}, outcomes=(), tallies=(), order=order)


def _deciding_names(kind: CoreKind) -> set[str]:
    """The names that determine the effect of throws of a kind."""
    formulas = {**kind.throw_formulas, **({"sides": kind.sides} if kind.sides else {})}
    names = set().union(*(collect_names(formula.node) for formula in formulas.values()))
    for word, test in reversed([*kind.tests.items()]):
        names |= collect_names(test.node) if word in names else set()
    return names


def _estimate_cost(kind: CoreKind, sides: int) -> int:
    """An estimate of the faces to check; more if tests use the previous face or the number of the throw."""
    names = _deciding_names(kind)
    return sides * (sides if "last" in names else 1) * (1000 if "throw" in names else 1)


def _describe_endless(rule: CoreRule, machine: Automaton, kind: CoreKind, values: Mapping[str, Any]) -> str:
    inputs_text = ", ".join(
        f"{entry.name} {format_value(entry, values[entry.name])}" for entry in rule.inputs if entry.name in values
    )
    when = f" (with {inputs_text})" if inputs_text else ""
    if all(branch.next_state for branch in machine.find_branches(DieState(rule.kinds.index(kind)))):
        does = "explodes" if kind.explodes else "is rerolled"
        return f"a {kind.name} die {does} on every face{when}, so it would never come to rest"
    return f"each {kind.name} die leads to one new throw or more on average{when}, so the throws would never end"


def _sample_inputs(rule: CoreRule) -> dict[str, Any]:
    """An allowed value for every input."""
    return {entry.name: sample_values(entry, 1)[0] for entry in rule.inputs}


def _input_combinations(rule: CoreRule, names: set[str]) -> Iterator[dict[str, Any]]:
    """Combinations of values for these inputs: all if there are few, else a sample."""
    deciding = sorted((entry for entry in rule.inputs if names & set(entry.variable_names)), key=count_values)
    samples, room = [], _MAX_COMBINATIONS
    for number, entry in enumerate(deciding):
        fair = max(2, int(room ** (1 / (len(deciding) - number))))
        samples.append(sample_values(entry, fair))
        room = max(1, room // len(samples[-1]))
    for values in product(*samples):
        yield dict(zip((entry.name for entry in deciding), values, strict=True))


def count_values(entry: CoreInput) -> int:
    return len(entry.choices or entry.dice) or (2 if entry.form == "flag" else entry.most - entry.least + 1)


def sample_values(entry: CoreInput, most: int) -> list[Any]:
    """All values of an input, or a sample with both ends; the greatest first."""
    if entry.form == PICKED:
        return [entry.default]
    if entry.form == "choice":
        return list(entry.choices)
    if entry.form == "die":
        return [sides for sides in entry.dice if sides] or list(entry.dice)
    worth = input_values(entry)[entry.variable_names[0]]
    assert isinstance(worth, Interval)
    low, high = int(worth.low), int(worth.high)
    numbers = sorted({high, low, *range(low, high, max(1, -(-(high - low) // most)))}, reverse=True)
    return [(number, pips) for number in numbers for pips in (0, 1, 2)] if entry.form == "code" else numbers


class _RuleProblem(NamedTuple):
    """What is wrong with a key of a rule; `path` leads to it from the rule."""

    code: str
    path: Path
    message: str


def load_game(
    file: File,
    name: str | None = None,
    pages: PageReader = no_pages,
    folder: str | None = None,
    root: Root = UNRESTRICTED,
) -> tuple[Game | None, list[Problem]]:
    """Load the game of a game.toml; None if it has problems. `folder` is its name in a book."""
    return _validate_game(read_game_file(file, name, pages, folder, root))


def load_game_text(
    text: str, path: str = GAME_FILE, pages: PageReader = no_pages, folder: str = ""
) -> tuple[Game | None, list[Problem]]:
    """Load a game from text, such as a block in a page; it cannot extend another."""
    return _validate_game(read_game_text(text, path, pages, folder))


def _validate_game(loaded: LoadedGame) -> tuple[Game | None, list[Problem]]:
    problems = [*loaded.problems]
    problems += islice(_find_rule_problems(loaded), MAX_PROBLEMS - len(problems))
    return (None if problems else loaded.game), sort_problems(problems)


def _find_rule_problems(loaded: LoadedGame) -> Iterator[Problem]:
    """The problems of sound rules; contests are checked only if their rules have none."""
    effort, playable = _Budget(), True
    for name in loaded.rules.evaluable:
        rule = lower_rule(loaded.rules.rules[name])
        for problem in _find_circle_problem(rule) or (
            *_find_long_ranges(loaded.rules.rules[name], rule), *_find_impossible_problems(rule),
            *_find_endless_problems(rule, effort),
        ):  # fmt: skip
            playable = False
            yield Problem(problem.code, problem.message, loaded.find_span(("rules", name, *problem.path)))
    for name in loaded.rules.evaluable_contests if playable else ():
        for key, message in _find_contest_problems(lower_rule(loaded.rules.rules[name])):
            yield Problem("contest", message, loaded.find_span(("rules", name, "contest", key)))


def _find_circle_problem(rule: CoreRule) -> list[_RuleProblem]:
    """Dice that wait for themselves."""
    circle = find_circle(RuleParts(rule.inputs, rule.kinds, rule.sets, rule.tallies, rule.again, rule.steps))
    if not circle:
        return []
    name = rule.kinds[circle.kind].name
    way = "".join(f"{part}, {part} on " for part in circle.path)
    message = f"{name} dice can never be rolled, because they wait for themselves: they rest on {way}{name} dice"
    return [_RuleProblem("dice", ("dice", name), message)]


def _find_long_ranges(rule: Rule, core: CoreRule) -> Iterator[_RuleProblem]:
    """Words that would run over too many numbers for some allowed inputs."""
    formulas: list[tuple[Path, Expression]] = [(("steps", step.name), step.formula) for step in rule.steps]
    formulas += [(("outcomes", own.name, "when"), own.when) for own in rule.outcomes if own.when]
    for path, formula in formulas:
        for node in walk(formula.node):
            if node.op == "range":
                low, high = (evaluate_bounds(end, compile_rule(core).bounds) for end in node.args)
                assert isinstance(low, Interval), "ends have been checked"
                assert isinstance(high, Interval), "ends have been checked"
                if high.high - low.low >= _MAX_RANGE:
                    message = f"a word runs over {_MAX_RANGE} numbers at most, and here over more"
                    yield _RuleProblem("formula", path, f"{message}; write min(…, {_MAX_RANGE})")


def _find_endless_problems(rule: CoreRule, effort: _Budget) -> Iterator[_RuleProblem]:
    for name, message in _find_endless_dice(rule, effort):
        yield _RuleProblem("endless-dice", ("dice", name, "again"), message)


def _find_impossible_problems(rule: CoreRule) -> Iterator[_RuleProblem]:
    """Dice whose count, sides or number to keep is wrong for all inputs, or for an input that means no die."""
    bounds = compile_rule(rule).bounds
    for number, kind in enumerate(rule.kinds):
        for key, message in _find_impossible_dice(rule, number, bounds):
            yield _RuleProblem("dice", ("dice", kind.name, *key), message)


def _find_impossible_dice(rule: CoreRule, number: int, bounds: Bounds) -> Iterator[tuple[Path, str]]:
    kind, kept = rule.kinds[number], rule.kept_sets[number]
    count = _evaluate_range(kind.count, bounds)
    if count.high < 0:
        yield ("count",), "there would always be fewer than 0 of these dice"
    elif count.low < 0 and (found := find_negative_count(rule, kind)) and len(found.inputs) < 2:
        yield ("count",), found.message
    if count.low > MAX_DICE:
        yield ("count",), f"there would always be more than {MAX_DICE:,} of these dice"
    if kept and kept.number and _evaluate_range(kept.number, bounds).high < 0:
        yield (), f"the {kept.op} of these dice that count would always be fewer than 0"
    if kind.sides:
        sides = _evaluate_range(kind.sides, bounds)
        if sides.high < 1 or sides.low > MAX_SIDES:
            yield ("sides",), f"a die has 1 to {MAX_SIDES:,} sides"
            return
        for entry in rule.inputs:
            if entry.form == "die" and 0 in entry.dice and _lacks_sides(entry, kind, kind.sides, bounds):
                message = f"with {entry.name} {format_value(entry, 0)} there would be a die without sides"
                yield ("sides",), f'{message}; write count = "if({entry.name} > 0, 1, 0)"'


def _lacks_sides(entry: CoreInput, kind: CoreKind, sides: Expression, bounds: Bounds) -> bool:
    """Whether dice without sides are rolled when this input is 0 (no die)."""
    none = bounds.with_value(entry.name, exact_value(0))
    return _evaluate_range(sides, none).high < 1 <= _evaluate_range(kind.count, none).low


def _evaluate_range(formula: Expression, bounds: Bounds) -> Interval:
    result = evaluate_bounds(formula.node, bounds)
    assert isinstance(result, Interval), "names have been checked"
    return result


def _find_contest_problems(contest_rule: CoreRule) -> Iterator[tuple[str, str]]:
    """Contests that compare words, or that roll ties again although the compared step is constant."""
    contest = contest_rule.contest
    assert contest
    for rule in dict.fromkeys(contest_rule.sides):
        if not isinstance(compile_rule(rule).bounds.values[contest.compare], Interval):
            yield "compare", f"the step {contest.compare} of {rule.name} is a word; only numbers can be compared"
    if contest.ties == "again" and all(_is_constant_step(rule, contest.compare) for rule in contest_rule.sides):
        message = f"{contest.compare} does not depend on dice, so a tie comes again for ever"
        yield "ties", f"{message}; choose first, second or none"


def _is_constant_step(rule: CoreRule, step: str) -> bool:
    """Whether a step does not depend on the dice."""
    compiled_rule = compile_rule(rule)
    result = evaluate_bounds(compiled_rule.formulas[step].node, compiled_rule.bounds)
    return step in compiled_rule.fixed or (isinstance(result, Interval) and result.is_exact)
