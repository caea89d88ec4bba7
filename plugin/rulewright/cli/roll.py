"""`rulewright roll`: throws the dice of a rule, or judges dice that lie on the table."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..game.explain import say, verdict
from ..game.generator import Generator
from ..game.model import Input
from ..game.outline import work_out
from ..game.result import Complaint, Result
from ..game.setting import Setting
from .dice import dice_groups, dice_lines
from .rules import read_request
from .screen import INDENT, Screen, cells, pad, wrap
from .stop import NOTHING_WRONG, SOMETHING_WRONG
from .throwing import data, derived, policies, policy_lines, questions, record_lines, step_lines, throw
from .told import heading, input_lines, plain_inputs, told
from .words import Asked, Side


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    asked = read_request(options.words, judging=True)
    seed = random_seed() if options.seed is None else options.seed
    if asked.rule.contest:
        from .contest import roll_contest

        return roll_contest(asked, seed, screen, options.json)
    return roll_rule(asked, seed, screen, options.json)


def random_seed() -> int:
    return int.from_bytes(os.urandom(4))


def roll_rule(asked: Asked, seed: int, screen: Screen, json: bool) -> int:
    side = asked.sides[0]
    result, complaints = throw(asked, side, Generator(seed))
    now = None if side.record else seed
    if json:
        screen.print(as_json(asked, result, complaints, now))
    else:
        screen.print(*lines(asked, side, result, screen), *footer([*record_lines(result)], now))
        complain(screen, complaints)
    return SOMETHING_WRONG if complaints else NOTHING_WRONG


def complain(screen: Screen, complaints: Sequence[Complaint], side: Side | None = None) -> None:
    """What is wrong although there is a result."""
    screen.stream.flush()
    for complaint in complaints:
        print(f"rulewright: {told(complaint, side)}", file=sys.stderr)


def lines(asked: Asked, side: Side, result: Result, screen: Screen) -> Iterator[str]:
    """Everything about a roll, from the inputs to what comes of it."""
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
    found = verdict(result) or ", ".join(f"{name} {value}" for name, value in [*result.steps.items()][-1:])
    bold, *more = wrap(found + (f": {said}" if said else ""), "")
    yield bold.replace(found, screen.paint(found, "verdict"), 1)
    yield from more
    if result.outcome is None:
        yield from (line for entry in result.rule.inputs for line in reached(result, entry))


def reached(result: Result, entry: Input) -> Iterator[str]:
    """Where an open input is not known: how far this roll reaches on the scale of its names."""
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
    """The dice as a book has them, and how to see the same roll again."""
    if record and seed is not None:
        yield from ("", "in an example block:", *(INDENT + line for line in record))
    if seed is not None:
        yield from ("", f"the same roll again: --seed {seed}")


def as_json(asked: Asked, result: Result, complaints: Sequence[Complaint], seed: int | None) -> str:
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
