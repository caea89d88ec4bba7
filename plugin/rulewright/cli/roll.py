"""`rulewright roll`: rolls a rule or a contest, or evaluates given dice, and explains the result."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..game.model import SIDES, Input
from ..play.bound_rule import Setting, work_out
from ..play.result import Complaint, Result, say
from ..play.result import verdict as explain_verdict
from ..play.roll import Generator
from .rule_arguments import Asked, Side, read_request
from .rule_text import (
    MISSING,
    data,
    derived,
    dice_groups,
    dice_lines,
    heading,
    input_lines,
    plain_inputs,
    policies,
    policy_lines,
    questions,
    record_lines,
    step_lines,
    step_value,
    stop,
    throw,
    ties,
    told,
)
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, Screen, Stop, cells, fold, pad, wrap


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    asked = read_request(options.words, judging=True)
    seed = random_seed() if options.seed is None else options.seed
    if asked.rule.contest:
        return roll_contest(asked, seed, screen, options.json)
    return roll_rule(asked, seed, screen, options.json)


def random_seed() -> int:
    return int.from_bytes(os.urandom(4))


def roll_rule(asked: Asked, seed: int, screen: Screen, json: bool) -> int:
    side = asked.sides[0]
    result, complaints = throw(asked, side, Generator(seed))
    now = None if side.record else seed
    if json:
        screen.print(roll_as_json(asked, result, complaints, now))
    else:
        screen.print(*roll_lines(asked, side, result, screen), *footer([*record_lines(result)], now))
        complain(screen, complaints)
    return SOMETHING_WRONG if complaints else NOTHING_WRONG


def complain(screen: Screen, complaints: Sequence[Complaint], side: Side | None = None) -> None:
    """Print the complaints about a roll that still has a result."""
    screen.stream.flush()
    for complaint in complaints:
        print(f"rulewright: {told(complaint, side)}", file=sys.stderr)


def roll_lines(asked: Asked, side: Side, result: Result, screen: Screen) -> Iterator[str]:
    """The report of a roll, from the inputs to the outcome."""
    yield heading(asked, screen)
    yield from input_lines(asked, screen)
    yield from policy_lines(asked, policies(asked, side, result))
    steps = derived(result)
    room = max((cells(name) for name, _ in (*dice_groups(result), *steps)), default=0)
    yield from ("", *dice_lines(result, screen, room)) if result.throw.dice else ()
    yield from ("", *step_lines(steps, room)) if steps else ()
    yield from ("", *outcome_lines(result, screen))
    yield from questions(side, result)


def outcome_lines(result: Result, screen: Screen) -> Iterator[str]:
    said = say(result)
    found = explain_verdict(result) or ", ".join(f"{name} {value}" for name, value in [*result.steps.items()][-1:])
    bold, *more = wrap(found + (f": {said}" if said else ""), "")
    yield bold.replace(found, screen.paint(found, "verdict"), 1)
    yield from more
    if result.outcome is None:
        yield from (line for entry in result.rule.inputs for line in reached(result, entry))


def reached(result: Result, entry: Input) -> Iterator[str]:
    """The outcome for each named value of an open input that is not given."""
    if not (entry.open and entry.names) or entry.name in result.setting.values:
        return
    scale = sorted((number, name) for name, number in entry.names.names.items() if entry.least <= number <= entry.most)
    found = [(outcome_with(result, entry, number), f"{name} ({number})") for number, name in scale]
    runs = [(outcome, [name for _, name in group]) for outcome, group in groupby(found, key=lambda one: one[0])]
    room = max((len(outcome) for outcome, _ in runs), default=0)
    for outcome, names in runs:
        yield f"{INDENT}{pad(outcome, room)}{INDENT}{' to '.join(dict.fromkeys((names[0], names[-1])))}"


def outcome_with(result: Result, entry: Input, number: int) -> str:
    setting = Setting(result.rule, {**result.setting.values, entry.name: number})
    outcome = work_out(setting, result.tallies).outcome
    return outcome.name if outcome else "not known"


def footer(record: list[str], seed: int | None) -> Iterator[str]:
    """The dice as lines of an example block, and the seed that repeats the roll."""
    if record and seed is not None:
        yield from ("", "in an example block:", *(INDENT + line for line in record))
    if seed is not None:
        yield from ("", f"the same roll again: --seed {seed}")


def roll_as_json(asked: Asked, result: Result, complaints: Sequence[Complaint], seed: int | None) -> str:
    from json import dumps

    side = asked.sides[0]
    report = {
        "version": 1,
        "game": asked.game,
        "rule": asked.rule.name,
        "inputs": plain_inputs(asked),
        "policy": ", ".join(policies(asked, side, result)) or None,
        "seed": seed,
        **data(result),
        "says": say(result),
        "complaints": [told(complaint) for complaint in complaints],
    }
    return dumps(report, ensure_ascii=False, indent=2)


MOST_TIES = 100


@dataclass(frozen=True)
class Bout:
    """One round of a contest: the results of both sides."""

    results: tuple[Result, ...]
    values: tuple[int, ...]

    @property
    def winner(self) -> str:
        """The side with the higher value; empty for a tie."""
        first, second = self.values
        return "" if first == second else SIDES[first < second]


def roll_contest(asked: Asked, seed: int, screen: Screen, json: bool) -> int:
    generator, bouts, complaints = Generator(seed), list[Bout](), list[tuple[Side, Complaint]]()
    while not bouts or thrown_again(asked, bouts):
        bouts.append(bout(asked, generator, complaints))
    now = None if all(side.record for side in asked.sides) else seed
    if json:
        screen.print(as_json(asked, bouts, complaints, now))
    else:
        screen.print(*lines(asked, bouts, screen), *footer([*paste(asked, bouts)], now))
        for side, complaint in complaints:
            complain(screen, [complaint], side)
    return SOMETHING_WRONG if complaints else NOTHING_WRONG


def bout(asked: Asked, generator: Generator, complaints: list[tuple[Side, Complaint]]) -> Bout:
    assert asked.rule.contest
    step, results, values = asked.rule.contest.compare, [], []
    for side in asked.sides:
        result, found = throw(asked, side, generator)
        value = result.steps[step]
        if not isinstance(value, int):
            raise stop(asked, [unknown(side, step)], side)
        complaints += [(side, complaint) for complaint in found]
        results.append(result)
        values.append(value)
    return Bout(tuple(results), tuple(values))


def unknown(side: Side, step: str) -> Complaint:
    absent = [entry for entry in side.rule.inputs if entry.default is None and entry.name not in side.inputs]
    names = ", ".join(name for entry in absent for name in entry.variables)
    return Complaint("rule", f"{names}{MISSING}" if names else f"{step} is not known")


def thrown_again(asked: Asked, bouts: Sequence[Bout]) -> bool:
    """Whether a tie is rolled again; given dice are not."""
    assert asked.rule.contest
    again = asked.rule.contest.ties == "again" and not bouts[-1].winner and not any(side.record for side in asked.sides)
    if again and len(bouts) == MOST_TIES:
        raise Stop(f"still a tie after {MOST_TIES} throws", SOMETHING_WRONG)
    return again


def winner(asked: Asked, bouts: Sequence[Bout]) -> str:
    """The winner: "first", "second" or "none"; empty if a tie must still be rolled again."""
    assert asked.rule.contest
    ties = asked.rule.contest.ties
    return bouts[-1].winner or ("" if ties == "again" else ties)


def lines(asked: Asked, bouts: Sequence[Bout], screen: Screen) -> Iterator[str]:
    assert asked.rule.contest
    yield heading(asked, screen)
    yield from input_lines(asked, screen)
    yield from policy_lines(asked, used_policies(asked, bouts))
    yield ties(asked.rule)
    for number, bout in enumerate(bouts):
        yield from ("", "a tie, so both throw again") if number else ()
        for side, result in zip(asked.sides, bout.results, strict=True):
            yield from ("", side.name, *side_lines(result, asked.rule.contest.compare, screen))
            yield from questions(side, result)
    yield from ("", screen.paint(verdict(asked, bouts), "verdict"))


def used_policies(asked: Asked, bouts: Sequence[Bout]) -> list[str]:
    pairs = [pair for bout in bouts for pair in zip(asked.sides, bout.results, strict=True)]
    return list(dict.fromkeys(name for side, result in pairs for name in policies(asked, side, result)))


def side_lines(result: Result, step: str, screen: Screen) -> Iterator[str]:
    """The dice of a side, and the steps that the compared step depends on."""
    room = max(cells(name) for name in ("gives", *(name for name, _ in dice_groups(result))))
    yield from dice_lines(result, screen, room)
    made = result.setting.program
    needed = made.needed([made.formulas[step]]) | {step}
    steps = [f"{one.name} {step_value(one, result.steps[one.name])}" for one in result.rule.steps if one.name in needed]
    yield from fold(steps, ", ", f"{INDENT}{pad('gives', room)}{INDENT}")


def verdict(asked: Asked, bouts: Sequence[Bout]) -> str:
    high, low = sorted(bouts[-1].values, reverse=True)
    found = winner(asked, bouts)
    if high != low:
        return f"{found} wins, {high} to {low}"
    return f"a tie, {high} to {low}: " + {"": "both throw again", "none": "nobody wins"}.get(found, f"{found} wins")


def paste(asked: Asked, bouts: Sequence[Bout]) -> Iterator[str]:
    """The contest as lines of an example block."""
    for number, side in enumerate(asked.sides):
        yield f"side {side.name}: {', '.join(phrase(side, [bout.results[number] for bout in bouts]))}"
    yield f"winner: {winner(asked, bouts)}"


def phrase(side: Side, results: Sequence[Result]) -> Iterator[str]:
    """The inputs and rolls of a side, as in "die d8, dice 3, dice 5+1"."""
    yield from (f"{name} {value}" for name, value in side.inputs.items())
    for result in results:
        yield from (line.replace(": ", " ", 1) for line in record_lines(result))


def as_json(asked: Asked, bouts: Sequence[Bout], complaints: Sequence[tuple[Side, Complaint]], seed: int | None) -> str:
    from json import dumps

    report = {
        "version": 1,
        "game": asked.game,
        "rule": asked.rule.name,
        "inputs": plain_inputs(asked),
        "policy": ", ".join(used_policies(asked, bouts)) or None,
        "seed": seed,
        "throws": [{name: data(result) for name, result in zip(SIDES, bout.results, strict=True)} for bout in bouts],
        "winner": winner(asked, bouts) or None,
        "complaints": [told(complaint, side) for side, complaint in complaints],
    }
    return dumps(report, ensure_ascii=False, indent=2)
