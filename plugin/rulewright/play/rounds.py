"""What comes after a round: whether the rule is rolled again, and with which inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..game.core import CoreInput, CoreRule
from ..game.inputs import format_value, parse_value
from .bound_rule import BoundRule, RollError
from .compiled_rule import MAX_ROUNDS

_MOST_PLAYED = 1_000  # rounds of one roll


class RoundsError(RollError):
    """A rule that is rolled again cannot go on, or never ends; `carried` is the value that its input cannot have."""

    def __init__(self, message: str, carried: tuple[str, Any] | None = None) -> None:
        super().__init__(message)
        self.carried = carried


def most_rounds(setting: BoundRule) -> int:
    """How many rounds there are at most."""
    rounds = setting.rule.rounds
    if not rounds or not rounds.until:
        return 1
    most = setting.evaluate(rounds.most) if rounds.most else MAX_ROUNDS
    if most < 1:
        raise RollError(f"there would be {most} rounds; one is the fewest")
    return min(most, MAX_ROUNDS)


def is_last_round(setting: BoundRule, known: Mapping[str, Any], tallies: Sequence[int]) -> bool | None:
    """Whether a rule is over after this round; None if that is not known."""
    rounds = setting.rule.rounds
    if not rounds or not rounds.until or setting.round >= most_rounds(setting):
        return True
    run, needs = setting.program.get_function(rounds.until)
    if not needs <= known.keys():
        return None
    return bool(run(known, tallies))


def carried_values(setting: BoundRule, known: Mapping[str, Any], tallies: Sequence[int]) -> dict[str, Any]:
    """What the carried inputs are afterwards, as far as it is known."""
    values = {}
    for name, formula in setting.rule.rounds.carry.items() if setting.rule.rounds else ():
        run, needs = setting.program.get_function(formula)
        if needs <= known.keys():
            value = run(known, tallies)
            values[name] = value if isinstance(value, str) else int(value)
    return values


def split_answers(
    rule: CoreRule, inputs: Mapping[str, Any]
) -> tuple[dict[str, list[Any]], dict[str, Any], list[tuple[str, str]]]:
    """Choices that are written round by round, as in `stop: no; no; yes`; the other inputs; and what is wrong."""
    answers, rest, problems = dict[str, list[Any]](), dict(inputs), list[tuple[str, str]]()
    for entry in rule.inputs if rule.has_rounds else ():
        text = next((str(value) for name, value in inputs.items() if name.lower() == entry.name.lower()), "")
        if not entry.is_choice or ";" not in text:
            continue
        rest = {name: value for name, value in rest.items() if name.lower() != entry.name.lower()}
        parsed = [parse_value(entry, part) if part.strip() else (None, "") for part in text.split(";")]
        answers[entry.name] = [value for value, _ in parsed]
        problems += [(entry.name, message.rstrip("; ")) for _, message in parsed if message]
    return answers, rest, problems


def next_round(setting: BoundRule, carried: Mapping[str, Any], given: Mapping[str, Any]) -> BoundRule:
    """The rule as it is rolled again, with the values given at first; a RollError if it cannot have a carried value."""
    if setting.round == _MOST_PLAYED:
        raise RollError(f"this goes on for more than {_MOST_PLAYED:,} rounds")
    return bind_round(setting, carried, setting.round + 1, given)


def bind_round(
    setting: BoundRule, carried: Mapping[str, Any], number: int, given: Mapping[str, Any] | None = None
) -> BoundRule:
    """The round with this number and these carried values."""
    for entry in setting.rule.inputs:
        if entry.name in carried and (message := parse_value(entry, value_text(entry, carried[entry.name]))[1]):
            carried_value = (entry.name, carried[entry.name])
            raise RoundsError(f"the next round cannot begin: {message.rstrip('; ')}", carried_value)
    values = setting.values if given is None else given
    return BoundRule(setting.rule, {**values, **carried}, number)


def value_text(entry: CoreInput, value: Any) -> str:
    """A value that a formula yields, as an author would write it, even if the input cannot have it."""
    is_usual = entry.form != "flag" or value in (0, 1)
    return format_value(entry, value) if is_usual else str(value)
