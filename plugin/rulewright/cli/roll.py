"""`rulewright roll`: rolls a rule or a contest, or evaluates given dice, and explains the result."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import groupby

from ..api.describe import hidden_steps
from ..api.request import RuleRequest, Side
from ..api.roll import (
    EndlessTieError,
    PlayedContest,
    RollRefusedError,
    aims_of_roll,
    contest_data,
    play_contest,
    random_seed,
    roll_data,
    roll_side,
)
from ..game.core import CoreInput
from ..game.model import Rule
from ..play.bound_rule import BoundRule, evaluate_roll
from ..play.result import Result, RollProblem, describe_outcome, format_outcome
from ..play.roll import RandomGenerator
from ..render.explanation_text import explain_in_text
from .roll_text import (
    aim_lines,
    complaint_error,
    dice_groups,
    dice_lines,
    format_complaint,
    heading,
    input_lines,
    questions,
    record_lines,
    step_lines,
    step_value,
    tie_line,
)
from .rule_arguments import read_request
from .streams import json_text
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, join_parts, pad, screen_width, wrap


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    request = read_request(options.words, allow_record=True)
    seed = random_seed() if options.seed is None else options.seed
    roll = _roll_contest if request.rule.contest else _roll_rule
    try:
        return roll(request, seed, screen, options.json)
    except RollRefusedError as error:
        raise complaint_error(request, error.complaints, error.side) from None
    except EndlessTieError as error:
        raise CommandError(str(error), SOMETHING_WRONG) from None


def _roll_rule(request: RuleRequest, seed: int, screen: Screen, json: bool) -> int:
    side = request.sides[0]
    result, complaints = roll_side(request, side, RandomGenerator(seed))
    shown_seed = None if side.record else seed
    if json:
        screen.print(json_text(roll_data(request, result, complaints, shown_seed)))
    else:
        screen.print(
            *_roll_lines(request, side, result, screen), *_footer([*record_lines(result, side.inputs)], shown_seed)
        )
        _print_complaints(screen, complaints)
    return SOMETHING_WRONG if complaints else NOTHING_WRONG


def preview_roll(request: RuleRequest, seed: int, screen: Screen) -> tuple[list[str], list[str]]:
    """The report of a roll, and the lines of an example block that records it."""
    if request.rule.contest:
        contest = play_contest(request, seed)
        lines = [f"rule: {request.rule.name}", *_example_lines(contest)]
        return [*_contest_lines(contest, screen)], lines
    side = request.sides[0]
    result, _ = roll_side(request, side, RandomGenerator(seed))
    lines = [*(f"{name}: {value}" for name, value in side.inputs.items()), *record_lines(result, side.inputs)]
    outcome = [f"outcome: {result.outcome.name}"] if result.outcome else []
    return [*_roll_lines(request, side, result, screen)], [*lines, *outcome]


def _print_complaints(screen: Screen, complaints: Sequence[RollProblem], side: Side | None = None) -> None:
    """Print the complaints about a roll that still has a result."""
    screen.stream.flush()
    for complaint in complaints:
        print(f"rulewright: {format_complaint(complaint, side)}", file=sys.stderr)


def _roll_lines(request: RuleRequest, side: Side, result: Result, screen: Screen) -> Iterator[str]:
    """The report of a roll, from the inputs to the outcome."""
    yield heading(request, screen)
    yield from input_lines(request, screen)
    yield from aim_lines(aims_of_roll(request, side, result))
    steps = explain_in_text(side.rule, result)
    room = max((screen_width(name) for name, _ in (*dice_groups(result), *steps)), default=0)
    has_dice = result.roll.dice and not result.before  # rounds have theirs in their rows
    yield from ("", *dice_lines(result, screen, room)) if has_dice else ()
    yield from ("", *step_lines(steps, room)) if steps else ()
    yield from ("", *_outcome_lines(side.rule, result, screen))
    yield from questions(side, result)


def _outcome_lines(rule: Rule, result: Result, screen: Screen) -> Iterator[str]:
    text = describe_outcome(result)
    shown = [name for name in result.steps if name not in hidden_steps(rule)]
    result_text = format_outcome(result) or ", ".join(f"{name} {result.steps[name]}" for name in shown[-1:])
    bold, *more = wrap(result_text + (f": {text}" if text else ""), "")
    yield bold.replace(result_text, screen.paint(result_text, "verdict"), 1)
    yield from more
    if result.outcome is None:
        yield from (line for entry in result.rule.inputs for line in _reachable_outcomes(result, entry))


def _reachable_outcomes(result: Result, entry: CoreInput) -> Iterator[str]:
    """The outcome for each named value of an open input that is not given."""
    if not (entry.open and entry.names) or entry.name in result.setting.values:
        return
    scale = sorted(
        (number, name) for name, number in entry.names.named_numbers.items() if entry.least <= number <= entry.most
    )
    outcomes = [(_outcome_with(result, entry, number), f"{name} ({number})") for number, name in scale]
    runs = [(outcome, [name for _, name in group]) for outcome, group in groupby(outcomes, key=lambda one: one[0])]
    room = max((len(outcome) for outcome, _ in runs), default=0)
    for outcome, names in runs:
        yield f"{INDENT}{pad(outcome, room)}{INDENT}{' to '.join(dict.fromkeys((names[0], names[-1])))}"


def _outcome_with(result: Result, entry: CoreInput, number: int) -> str:
    setting = BoundRule(result.rule, {**result.setting.values, entry.name: number})
    outcome = evaluate_roll(setting, copy(result.tallies)).outcome
    return outcome.name if outcome else "not known"


def _footer(record: list[str], seed: int | None) -> Iterator[str]:
    """The dice as lines of an example block, and the seed that repeats the roll."""
    if record and seed is not None:
        yield from ("", "in an example block:", *(INDENT + line for line in record))
    if seed is not None:
        yield from ("", f"the same roll again: --seed {seed}")


def _roll_contest(request: RuleRequest, seed: int, screen: Screen, json: bool) -> int:
    contest = play_contest(request, seed)
    shown_seed = None if all(side.record for side in request.sides) else seed
    if json:
        screen.print(json_text(contest_data(contest, shown_seed)))
    else:
        screen.print(*_contest_lines(contest, screen), *_footer([*_example_lines(contest)], shown_seed))
        for side, complaint in contest.complaints:
            _print_complaints(screen, [complaint], side)
    return SOMETHING_WRONG if contest.complaints else NOTHING_WRONG


def _contest_lines(contest: PlayedContest, screen: Screen) -> Iterator[str]:
    request = contest.request
    assert request.rule.contest
    yield heading(request, screen)
    yield from input_lines(request, screen)
    yield from aim_lines(contest.used_aims)
    yield tie_line(request.rule)
    for number, contest_round in enumerate(contest.rounds):
        yield from ("", "a tie, so both sides roll again") if number else ()
        for side, result in zip(request.sides, contest_round.results, strict=True):
            yield from ("", side.name, *_side_lines(side.rule, result, request.rule.contest.compare, screen))
            yield from questions(side, result)
    yield from ("", screen.paint(_contest_verdict(contest), "verdict"))


def _side_lines(rule: Rule, result: Result, step: str, screen: Screen) -> Iterator[str]:
    """The dice of a side, and the steps that the compared step depends on."""
    room = max(screen_width(name) for name in ("gives", *(name for name, _ in dice_groups(result))))
    yield from dice_lines(result, screen, room)
    program = result.setting.program
    needed = program.collect_dependencies([program.formulas[step]]) | {step}
    steps = [
        f"{rule_step.name} {step_value(rule_step, result.steps[rule_step.name])}"
        for rule_step in result.rule.steps
        if rule_step.name in needed - hidden_steps(rule)
    ]
    yield from join_parts(steps, ", ", f"{INDENT}{pad('gives', room)}{INDENT}")


def _contest_verdict(contest: PlayedContest) -> str:
    high, low = sorted(contest.rounds[-1].values, reverse=True)
    winning_side = contest.winner
    if high != low:
        return f"{winning_side} wins, {high} to {low}"
    return f"a tie, {high} to {low}: " + {"": "both sides roll again", "none": "nobody wins"}.get(
        winning_side, f"{winning_side} wins"
    )


def _example_lines(contest: PlayedContest) -> Iterator[str]:
    """The contest as lines of an example block."""
    for number, side in enumerate(contest.request.sides):
        results = [contest_round.results[number] for contest_round in contest.rounds]
        yield f"side {side.name}: {', '.join(_side_phrases(side, results))}"
    yield f"winner: {contest.winner}"


def _side_phrases(side: Side, results: Sequence[Result]) -> Iterator[str]:
    """The inputs and rolls of a side, as in "die d8, dice 3, dice 5+1"."""
    yield from (f"{name} {value}" for name, value in side.inputs.items())
    for result in results:
        yield from (line.replace(": ", " ", 1) for line in record_lines(result, side.inputs))
