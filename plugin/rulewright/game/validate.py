"""What only the evaluator can see of a game: dice that never stop, dice that cannot be, contests without a result.

`load_game` and `load_game_text` give a game with all its problems, those of its files and these."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path as File

from ..root import EVERYWHERE, Root
from ..text import Problem, in_reading_order
from .bounds import Bounds, Range, exactly
from .breeding import Effort, endless
from .inputs import shown
from .load import FILE, Loaded, read_game, read_game_text
from .load_table import Pages, no_pages
from .model import MOST_SIDES, Contest, Formula, Game, Input, Kind, Rule
from .places import Path
from .program import program
from .ranges import evaluate
from .schema import MOST_PROBLEMS
from .setting import MOST_DICE
from .tree import walk

Impossible = tuple[Path, str]  # a key of a rule, and the complaint


def load_game(
    file: File, name: str | None = None, pages: Pages = no_pages, folder: str | None = None, root: Root = EVERYWHERE
) -> tuple[Game | None, list[Problem]]:
    """The game of a folder's game.toml; None where problems leave no game to work with. `folder` is what a book calls
    it by."""
    return validate(read_game(file, name, pages, folder, root))


def load_game_text(
    text: str, path: str = FILE, pages: Pages = no_pages, folder: str = ""
) -> tuple[Game | None, list[Problem]]:
    """A game that stands in the middle of something else; it cannot extend another."""
    return validate(read_game_text(text, path, pages, folder))


def validate(loaded: Loaded) -> tuple[Game | None, list[Problem]]:
    problems = [*loaded.problems]
    problems += islice(evaluated(loaded), MOST_PROBLEMS - len(problems))
    return (None if problems else loaded.game), in_reading_order(problems)


def evaluated(loaded: Loaded) -> Iterator[Problem]:
    """The problems of rules without other problems; contests wait until all rules are without them."""
    effort, playable = Effort(), True
    for name in loaded.rules.sound:
        rule = loaded.rules.rules[name]
        for code, path, message in (*impossible(rule), *never_ending(rule, effort)):
            playable = False
            yield Problem(code, message, loaded.where(("rules", name, *path)))
    for name in loaded.rules.contests if playable else ():
        contest = loaded.rules.rules[name].contest
        assert contest
        for key, message in without_result(contest):
            yield Problem("contest", message, loaded.where(("rules", name, "contest", key)))


def never_ending(rule: Rule, effort: Effort) -> Iterator[tuple[str, Path, str]]:
    for name, message in endless(rule, effort):
        kind = rule.dice[rule.kind_numbers[name]]
        yield "endless-dice", ("dice", name, "explode" if kind.explode else "again"), message


def impossible(rule: Rule) -> Iterator[tuple[str, Path, str]]:
    """Counts, sides and numbers to keep that are always wrong, or wrong where a die may be left out."""
    bounds = program(rule).bounds
    for kind in rule.dice:
        for key, message in impossible_dice(rule, kind, bounds):
            yield "dice", ("dice", kind.name, *key), message


def impossible_dice(rule: Rule, kind: Kind, bounds: Bounds) -> Iterator[Impossible]:
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
    """Whether dice are rolled although this input says that there is none."""
    none = bounds.with_value(entry.name, exactly(0))
    return known(sides, none).high < 1 <= known(kind.count, none).low


def known(formula: Formula, bounds: Bounds) -> Range:
    result = evaluate(formula.node, bounds)
    assert isinstance(result, Range), "names have been checked"
    return result


def without_result(contest: Contest) -> Iterator[tuple[str, str]]:
    """What is compared is a number, and not always the same where a tie is rolled again."""
    for rule in dict.fromkeys(contest.of):
        if not isinstance(program(rule).bounds.values[contest.compare], Range):
            yield "compare", f"the step {contest.compare} of {rule.name} is a word; only numbers can be compared"
    if contest.ties == "again" and all(settled(rule, contest.compare) for rule in contest.of):
        message = f"{contest.compare} does not depend on dice, so a tie comes again for ever"
        yield "ties", f"{message}; choose first, second or none"


def settled(rule: Rule, step: str) -> bool:
    """Whether a step is the same whatever the dice show."""
    made = program(rule)
    result = evaluate(made.node(made.formulas[step]), made.bounds)
    needed = made.needed([made.formulas[step]])
    nodes = [made.node(made.formula(name)) for name in {step, *needed} if name in made.formulas or name in made.asked]
    counted = any(node.op == "tally" for root in nodes for node in walk(root))
    return not counted or (isinstance(result, Range) and result.certain)
