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

from ..game.codegen import Stuck
from ..game.formula import names_in, walk
from ..game.inputs import shown, unsettled, variables
from ..game.intervals import BOTH, Bounds, Range, between, evaluate, exactly
from ..game.load import FILE, Loaded, read_game, read_game_text
from ..game.load_table import Pages, no_pages
from ..game.model import MOST_SIDES, Contest, Formula, Game, Input, Kind, Rule
from ..game.schema import MOST_PROBLEMS
from ..game.toml import Path
from ..root import EVERYWHERE, Root
from ..source import Problem, in_reading_order
from .automaton import Machine, Place, solve
from .bound_rule import MOST_DICE, Refused, Setting
from .compiled_rule import input_worths, program, test_functions

MOST_TRIES = 400  # combinations of inputs for one kind
LOOK, TRY = 10, 50  # the cost of a rule and of a combination, in faces


@dataclass
class Effort:
    """The budget of the termination check for all rules of a game, in faces. What it misses fails when rolled."""

    left: int = 25_000

    def spend(self, faces: int) -> bool:
        self.left -= faces
        return self.left > 0


def endless(rule: Rule, effort: Effort) -> Iterator[tuple[str, str]]:
    """Kinds of dice that, for some allowed inputs, lead to at least one new die per die on average, with a message.

    Of kinds that earn each other only the first is reported."""
    seen: set[str] = set()
    for kind in rule.dice:
        if kind.name in seen or not (kind.explode or kind.again):
            continue
        kinds, circle = reached(rule, kind)
        if (kind.explode or circle) and effort.spend(LOOK):
            seen |= {found.name for found in kinds}
            message = "" if harmless(rule, kinds, effort) else search(rule, kinds, effort)
            if message:
                yield kind.name, message


def reached(rule: Rule, kind: Kind) -> tuple[list[Kind], bool]:
    """A kind and the kinds that it earns, directly or not; and whether it earns itself."""
    found = {kind.name: kind}
    while kind.again:
        kind = rule.dice[rule.kind_numbers[kind.again.roll]]
        if kind.name in found:
            break
        found[kind.name] = kind
    return list(found.values()), bool(kind.again) and kind.name == next(iter(found))


def harmless(rule: Rule, kinds: list[Kind], effort: Effort) -> bool:
    """Whether these dice end even if every face has its greatest possible effect. A quick sufficient test."""
    names = set().union(*(names_in(kind.sides.node) for kind in kinds if kind.sides))
    return all(most_ends(rule, kinds, values, effort) for values in combinations(rule, names))


def most_ends(rule: Rule, kinds: list[Kind], values: Mapping[str, Any], effort: Effort) -> bool:
    bounds = program(rule).bounds
    for name, value in variables(rule, values).items():
        bounds = bounds.with_value(name, exactly(value))
    rows: dict[Place, dict[Place, Fraction]] = {}
    for kind in kinds:
        faces = sides_of(kind, bounds)
        if not effort.spend(len(faces) + len(kinds)):
            return False
        row = most(rule, kind, faces, bounds) if faces else {}
        if row is None:
            return False
        rows[Place(rule.kind_numbers[kind.name])] = row
    throws = solve(rows, dict.fromkeys(rows, Fraction(1)))
    return throws is not None and all(number > 0 for number in throws.values())


def sides_of(kind: Kind, bounds: Bounds) -> list[int]:
    if not kind.sides:
        return [number for _, number in kind.faces]
    sides = evaluate(kind.sides.node, bounds)
    if not isinstance(sides, Range) or not sides.certain or not 1 <= sides.low <= MOST_SIDES:
        return []
    return list(range(1, int(sides.low) + 1))


def most(rule: Rule, kind: Kind, faces: list[int], bounds: Bounds) -> dict[Place, Fraction] | None:
    """An upper bound of the average number of dice that a throw leads to; None if there is no bound."""
    own = Place(rule.kind_numbers[kind.name])
    found: dict[Place, Fraction] = {}
    words = {"last": between(min(0, *faces), max(0, *faces)), "throw": between(1, inf), "good": BOTH, "bad": BOTH}
    bounds = Bounds({}, {**bounds.values, **words, "sides": exactly(len(faces))}, bounds.tables)
    asked = test_functions(kind)
    for face in faces:
        here = bounds.with_value("face", exactly(face))
        worths = {name: evaluate(asked[name].node, here) for name in ("explode", "earn", "times") if name in asked}
        ranges = {name: worth for name, worth in worths.items() if isinstance(worth, Range)}
        if "explode" in ranges and ranges["explode"].truth is not False:
            found[own] = found.get(own, Fraction(0)) + Fraction(1, len(faces))
        if kind.again and ranges["earn"].truth is not False:
            if ranges["times"].high == inf:
                return None
            child = Place(rule.kind_numbers[kind.again.roll])
            found[child] = found.get(child, Fraction(0)) + Fraction(max(int(ranges["times"].high), 0), len(faces))
    return found


def search(rule: Rule, kinds: list[Kind], effort: Effort) -> str:
    """The message for the first inputs for which these dice do not end; empty if none are found."""
    deciding, rule = set().union(*map(named, kinds)), only_dice(rule)
    for values in combinations(rule, deciding):
        try:
            machine = Machine(Setting(rule, {**others(rule), **values}))
            sides = [len(machine.setting.kinds[rule.kind_numbers[kind.name]].faces) for kind in kinds]
            if not effort.spend(TRY + sum(map(cost, kinds, sides))):
                return ""
            places = machine.reach([Place(rule.kind_numbers[kinds[0].name])])
            if not machine.ends(places):
                return told(rule, machine, kinds[0], values)
        except (Refused, Stuck):
            continue
    return ""


def only_dice(rule: Rule) -> Rule:
    """The rule without steps and outcomes: they do not affect the dice, and could raise errors."""
    late = unsettled(rule.inputs)
    inputs = tuple(replace(entry, asked=None) if entry.name in late else entry for entry in rule.inputs)
    return replace(rule, inputs=inputs, steps=(), marks={}, outcomes=())


def named(kind: Kind) -> set[str]:
    """The names that determine the effect of throws of a kind."""
    formulas = {**test_functions(kind), **({"sides": kind.sides} if kind.sides else {})}
    names = set().union(*(names_in(formula.node) for name, formula in formulas.items() if name not in ("good", "bad")))
    judged = (formulas[word] for word in ("good", "bad") if word in names)
    return names.union(*(names_in(formula.node) for formula in judged))


def cost(kind: Kind, sides: int) -> int:
    """An estimate of the faces to check; more if tests use the previous face or the number of the throw."""
    names = named(kind)
    return sides * (sides if "last" in names else 1) * (1000 if "throw" in names else 1)


def told(rule: Rule, machine: Machine, kind: Kind, values: Mapping[str, Any]) -> str:
    said = ", ".join(
        f"{entry.name} {shown(entry, values[entry.name])}" for entry in rule.inputs if entry.name in values
    )
    when = f" (with {said})" if said else ""
    if all(branch.onward for branch in machine.branches(Place(rule.kind_numbers[kind.name]))):
        return f"a {kind.name} die explodes on every face{when}, so it would never come to rest"
    return f"each {kind.name} die leads to one new throw or more on average{when}, so the throws would never end"


def others(rule: Rule) -> dict[str, Any]:
    """An allowed value for every input."""
    return {entry.name: sample(entry, 1)[0] for entry in rule.inputs}


def combinations(rule: Rule, names: set[str]) -> Iterator[dict[str, Any]]:
    """Combinations of values for these inputs: all if there are few, else a sample."""
    deciding = sorted((entry for entry in rule.inputs if names & set(entry.variables)), key=domain)
    samples, room = [], MOST_TRIES
    for number, entry in enumerate(deciding):
        fair = max(2, int(room ** (1 / (len(deciding) - number))))
        samples.append(sample(entry, fair))
        room = max(1, room // len(samples[-1]))
    for values in product(*samples):
        yield dict(zip((entry.name for entry in deciding), values, strict=True))


def domain(entry: Input) -> int:
    return len(entry.choices or entry.dice) or (2 if entry.form == "flag" else entry.most - entry.least + 1)


def sample(entry: Input, most: int) -> list[Any]:
    """All values of an input, or a sample with both ends; the greatest first."""
    if entry.form == "choice":
        return list(entry.choices)
    if entry.form == "die":
        return [sides for sides in entry.dice if sides] or list(entry.dice)
    worth = input_worths(entry)[entry.variables[0]]
    assert isinstance(worth, Range)
    low, high = int(worth.low), int(worth.high)
    numbers = sorted({high, low, *range(low, high, max(1, -(-(high - low) // most)))}, reverse=True)
    return [(number, pips) for number in numbers for pips in (0, 1, 2)] if entry.form == "code" else numbers


class RuleProblem(NamedTuple):
    """What is wrong with a key of a rule; `path` leads to it from the rule."""

    code: str
    path: Path
    message: str


def load_game(
    file: File, name: str | None = None, pages: Pages = no_pages, folder: str | None = None, root: Root = EVERYWHERE
) -> tuple[Game | None, list[Problem]]:
    """Load the game of a game.toml; None if it has problems. `folder` is its name in a book."""
    return validate(read_game(file, name, pages, folder, root))


def load_game_text(
    text: str, path: str = FILE, pages: Pages = no_pages, folder: str = ""
) -> tuple[Game | None, list[Problem]]:
    """Load a game from text, such as a block in a page; it cannot extend another."""
    return validate(read_game_text(text, path, pages, folder))


def validate(loaded: Loaded) -> tuple[Game | None, list[Problem]]:
    problems = [*loaded.problems]
    problems += islice(evaluated(loaded), MOST_PROBLEMS - len(problems))
    return (None if problems else loaded.game), in_reading_order(problems)


def evaluated(loaded: Loaded) -> Iterator[Problem]:
    """The problems of sound rules; contests are checked only if their rules have none."""
    effort, playable = Effort(), True
    for name in loaded.rules.sound:
        rule = loaded.rules.rules[name]
        for problem in (*impossible(rule), *never_ending(rule, effort)):
            playable = False
            yield Problem(problem.code, problem.message, loaded.where(("rules", name, *problem.path)))
    for name in loaded.rules.contests if playable else ():
        contest = loaded.rules.rules[name].contest
        assert contest
        for key, message in without_result(contest):
            yield Problem("contest", message, loaded.where(("rules", name, "contest", key)))


def never_ending(rule: Rule, effort: Effort) -> Iterator[RuleProblem]:
    for name, message in endless(rule, effort):
        kind = rule.dice[rule.kind_numbers[name]]
        path = ("dice", name, "explode" if kind.explode else "again")
        yield RuleProblem("endless-dice", path, message)


def impossible(rule: Rule) -> Iterator[RuleProblem]:
    """Dice whose count, sides or number to keep is wrong for all inputs, or for an input that means no die."""
    bounds = program(rule).bounds
    for kind in rule.dice:
        for key, message in impossible_dice(rule, kind, bounds):
            yield RuleProblem("dice", ("dice", kind.name, *key), message)


def impossible_dice(rule: Rule, kind: Kind, bounds: Bounds) -> Iterator[tuple[Path, str]]:
    count = known(kind.count, bounds)
    if count.high < 0:
        yield ("count",), "there would always be fewer than 0 of these dice"
    if count.low > MOST_DICE:
        yield ("count",), f"there would always be more than {MOST_DICE:,} of these dice"
    if kind.keep and known(kind.keep.number, bounds).high < 0:
        yield ("keep", "highest" if kind.keep.highest else "lowest"), "this would always keep fewer than 0 dice"
    if kind.sides:
        sides = known(kind.sides, bounds)
        if sides.high < 1 or sides.low > MOST_SIDES:
            yield ("sides",), f"a die has 1 to {MOST_SIDES:,} sides"
            return
        for entry in rule.inputs:
            if entry.form == "die" and 0 in entry.dice and missing(entry, kind, kind.sides, bounds):
                message = f"with {entry.name} {shown(entry, 0)} there would be a die without sides"
                yield ("sides",), f'{message}; write count = "if({entry.name} > 0, 1, 0)"'


def missing(entry: Input, kind: Kind, sides: Formula, bounds: Bounds) -> bool:
    """Whether dice without sides are rolled when this input is 0 (no die)."""
    none = bounds.with_value(entry.name, exactly(0))
    return known(sides, none).high < 1 <= known(kind.count, none).low


def known(formula: Formula, bounds: Bounds) -> Range:
    result = evaluate(formula.node, bounds)
    assert isinstance(result, Range), "names have been checked"
    return result


def without_result(contest: Contest) -> Iterator[tuple[str, str]]:
    """Contests that compare words, or that roll ties again although the compared step is constant."""
    for rule in dict.fromkeys(contest.of):
        if not isinstance(program(rule).bounds.values[contest.compare], Range):
            yield "compare", f"the step {contest.compare} of {rule.name} is a word; only numbers can be compared"
    if contest.ties == "again" and all(settled(rule, contest.compare) for rule in contest.of):
        message = f"{contest.compare} does not depend on dice, so a tie comes again for ever"
        yield "ties", f"{message}; choose first, second or none"


def settled(rule: Rule, step: str) -> bool:
    """Whether a step does not depend on the dice."""
    made = program(rule)
    result = evaluate(made.node(made.formulas[step]), made.bounds)
    needed = made.needed([made.formulas[step]])
    nodes = [made.node(made.formula(name)) for name in {step, *needed} if name in made.formulas or name in made.asked]
    counted = any(node.op == "tally" for root in nodes for node in walk(root))
    return not counted or (isinstance(result, Range) and result.certain)
