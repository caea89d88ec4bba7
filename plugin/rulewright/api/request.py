"""A request to roll a rule or to compute its odds, and the error for one that cannot be answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..game.inputs import bind_inputs, format_value
from ..game.model import CONTEST_SIDES, Input, Rule
from ..play.result import RollProblem
from ..source import Problem, Source, Span, suggest

MISSING = " must be given"


class RulewrightError(ValueError):
    """What was asked for has no answer: a wrong value, an unknown name, or a game with mistakes.

    The message is the one that the command line prints; `problems` has each mistake by itself."""

    def __init__(self, message: str, problems: Iterable[Problem] = (), code: str = "block-value") -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (Problem(code, message, Span(Source("", ""), 0, 0)),)


@dataclass
class Side:
    """One side of a contest, or the only side: its rule, its inputs, and a record of given dice."""

    name: str
    rule: Rule
    inputs: dict[str, str] = field(default_factory=dict)
    record: dict[str, str] = field(default_factory=dict)
    traits: str = ""  # a sum of traits that gives some of the inputs

    @property
    def declined(self) -> int:
        return int(self.record.get("declined", 0))


@dataclass
class RuleRequest:
    """A request to roll a rule or to compute its odds: the rule, its game and title, and the arguments by side."""

    game: str
    title: str
    rule: Rule
    sides: list[Side]
    policy: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        """All inputs; in a contest, their keys begin with the side."""
        return {key_of(side, name): value for side in self.sides for name, value in side.inputs.items()}


def key_of(side: Side, name: str) -> str:
    return f"{side.name}.{name}" if side.name else name


def sides_of(rule: Rule) -> list[Side]:
    contest = zip(CONTEST_SIDES, rule.contest.of, strict=True) if rule.contest else [("", rule)]
    return [Side(name, own) for name, own in contest]


def find_missing_inputs(sides: Iterable[Side], message: str) -> list[str]:
    """The missing inputs that a complaint names; formulas may use other names than the inputs."""
    if not message.endswith(MISSING):
        return []
    names = set(message.removesuffix(MISSING).split(", "))
    return [
        key_of(side, entry.name)
        for side in sides
        for entry in side.rule.inputs
        if entry.name not in bind_inputs(side.rule, side.inputs)[0]
        and {entry.name, key_of(side, entry.name), *entry.variable_names} & names
    ]


def plain_inputs(request: RuleRequest) -> dict[str, Any]:
    """All inputs for JSON: numbers and flags as such, everything else as text."""
    data_by_key = {}
    for side in request.sides:
        values = bind_inputs(side.rule, side.inputs)[0]
        for entry in side.rule.inputs:
            if entry.name in values:
                data_by_key[key_of(side, entry.name)] = plain_value(entry, values[entry.name])
    return data_by_key


def plain_value(entry: Input, value: Any) -> Any:
    if entry.form == "flag":
        return bool(value)
    return value if entry.form == "number" else format_value(entry, value)


def make_request(
    game: str, title: str, rule: Rule, inputs: Mapping[str, Any], record_keys: Sequence[str] = ()
) -> RuleRequest:
    """A request with the values of a program; a mapping holds the inputs of one side of a contest."""
    request = RuleRequest(game, title, rule, sides_of(rule))
    problems = []
    for key, value in _flatten(inputs):
        side_name, _, name = key.rpartition(".")
        side = next((side for side in request.sides if side.name == side_name), None)
        if side is None:
            problems.append(_problem(key, _unknown_side_message(request, key)))
        elif name in record_keys and not any(entry.name == name for entry in side.rule.inputs):
            side.record[name] = write_value(value)
        else:
            _, mistakes = bind_inputs(side.rule, {name: value})
            problems += [_problem(key, _with_side(side, name, message)) for _, message in mistakes]
            side.inputs[name] = write_value(value)
    for side in request.sides:
        if side.record and "dice" not in side.record:
            key = key_of(side, next(iter(side.record)))
            problems.append(_problem(key, f"{key}= goes with {key_of(side, 'dice')}="))
    if problems:
        raise RulewrightError("\n".join(problem.message for problem in problems), problems)
    return request


def _flatten(inputs: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for name, value in inputs.items():
        if isinstance(value, Mapping):
            yield from ((f"{name.lower()}.{inner}".lower(), item) for inner, item in value.items())
        elif value is not None:
            yield name.lower(), value


def write_value(value: Any) -> str:
    """A value as an author would write it: `yes` for True, `1 3 4` for a sequence of dice."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(map(write_value, value))
    return " ".join(str(value).split())


def _unknown_side_message(request: RuleRequest, key: str) -> str:
    side, dot, name = key.rpartition(".")
    if not request.rule.contest:
        return f"{request.rule.name} has no input «{key}»; {suggest(key, _input_names(request.rule))}".rstrip("; ")
    if not dot:
        return f"in a contest each side has its own: write first.{name}=… or second.{name}=…"
    return f"there is no side «{side}»; the sides are first and second"


def _input_names(rule: Rule) -> list[str]:
    return [entry.name for entry in rule.inputs]


def _with_side(side: Side, name: str, message: str) -> str:
    text = f"{key_of(side, name)}{message.removeprefix(name)}" if message.startswith(name) else message
    return text.rstrip("; ")


def _problem(part: str, message: str) -> Problem:
    """A problem of an input, or of the dice; its span is the name."""
    code = "example-dice" if part.rpartition(".")[2] == "dice" else "block-value"
    return Problem(code, message, Span(Source("", part), 0, len(part)))


def refuse(request: RuleRequest, complaints: Iterable[RollProblem], side: Side | None = None) -> RulewrightError:
    """The error for complaints without a result."""
    sides = [side] if side else request.sides
    problems = []
    for complaint in complaints:
        missing = find_missing_inputs(sides, complaint.message)
        message = f"{' and '.join(missing)}{MISSING}" if missing else complaint.message
        about = f"{side.name}: " if side and side.name and not missing else ""
        problems.append(_problem(complaint.part, f"{about}{message}".rstrip("; ")))
    unique = tuple(dict.fromkeys(problems))
    return RulewrightError("\n".join(dict.fromkeys(problem.message for problem in unique)), unique)
