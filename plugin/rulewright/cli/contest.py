"""A contest rolled: both sides throw, and ties are settled as the rule says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..game.generator import Generator
from ..game.model import SIDES
from ..game.result import Complaint, Result
from .dice import dice_groups, dice_lines
from .roll import complain, footer
from .screen import INDENT, Screen, cells, fold, pad
from .stop import NOTHING_WRONG, SOMETHING_WRONG, Stop
from .throwing import data, policies, policy_lines, questions, record_lines, throw
from .told import MISSING, heading, input_lines, plain_inputs, step_value, stop, ties, told
from .words import Asked, Side

MOST_TIES = 100


@dataclass(frozen=True)
class Bout:
    """Both sides have thrown."""

    results: tuple[Result, ...]
    values: tuple[int, ...]

    @property
    def winner(self) -> str:
        """The side with more; empty at a tie."""
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
    """Whether a tie is thrown again now; dice that lie already are not."""
    assert asked.rule.contest
    again = asked.rule.contest.ties == "again" and not bouts[-1].winner and not any(side.record for side in asked.sides)
    if again and len(bouts) == MOST_TIES:
        raise Stop(f"still a tie after {MOST_TIES} throws", SOMETHING_WRONG)
    return again


def winner(asked: Asked, bouts: Sequence[Bout]) -> str:
    """«first», «second» or «none»; empty where a tie still has to be thrown again."""
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
    """The dice of a side, and the steps that lead to what is compared."""
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
    """The contest as an example block has it."""
    for number, side in enumerate(asked.sides):
        yield f"side {side.name}: {', '.join(phrase(side, [bout.results[number] for bout in bouts]))}"
    yield f"winner: {winner(asked, bouts)}"


def phrase(side: Side, results: Sequence[Result]) -> Iterator[str]:
    """«die d8, dice 3, dice 5+1»: what was said of a side, and its throws."""
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
