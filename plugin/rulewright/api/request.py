"""A request to roll a rule or to compute its odds, and the error for one that cannot be answered."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any

from ..checks.roll_records import join_texts, roll_keys
from ..game.core import AIM, PICKED
from ..game.inputs import bind_inputs, format_die, format_value
from ..game.model import CONTEST_SIDES, Input, Rule
from ..odds.aims import invalid_aim_message
from ..play.record import RECORD_KEYS, RECORDS
from ..play.result import RollProblem
from ..source import Problem, Source, Span, suggest

MISSING = " must be given"
_LONG_NUMBER = 64  # bits; no input takes more
_LONGEST = 40  # characters of a value in a message


class RulewrightError(ValueError):
    """What was asked for has no answer: a wrong value, an unknown name, or a game with mistakes.

    The message is the one that the command line prints; `problems` has each mistake by itself."""

    def __init__(self, message: str, problems: Iterable[Problem] = (), code: str = "block-value") -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (Problem(code, message, Span(Source("", ""), 0, 0)),)


class UnknownNameError(RulewrightError, KeyError):
    """A name that a mapping does not have; also a `KeyError`, so that `in` and `get` work."""

    __str__ = Exception.__str__  # without the quotes of a KeyError


def cut(value: object) -> str:
    """A value for a message, shortened if it is long."""
    try:
        text = str(value)
    except ValueError:  # an integer of thousands of digits
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def require_text(value: object, what: str) -> str:
    """The value if it is text, or an error about the kind of name that it should be."""
    if not isinstance(value, str):
        raise RulewrightError(f"{what} is a text, not {cut(repr(value))}")
    return value


def find_path(path: str | os.PathLike[str]) -> File:
    """The absolute path of a file or folder."""
    try:
        found = File(os.path.normpath(File.cwd() / os.fspath(path)))
        found.exists()
    except (TypeError, ValueError, OSError):
        raise RulewrightError(f"{cut(repr(path))} is not the path of a file or folder") from None
    return found


def unknown_name(fact: str, word: str, known: Iterable[str]) -> str:
    """A message about an unknown name, with the nearest known one."""
    return f"{fact}; {suggest(word[:_LONGEST], known)}".rstrip("; ")


def check_aim(rule: Rule, aim: str) -> str:
    """Check an aim; an empty one means that of the rule."""
    name = require_text(aim, "an aim").lower()
    if name and (message := invalid_aim_message(rule, cut(name))):
        raise RulewrightError(message)
    return name


@dataclass
class Side:
    """One side of a contest, or the only side: its rule, its inputs, and a record of given dice."""

    name: str
    rule: Rule
    inputs: dict[str, str] = field(default_factory=dict)
    record: dict[str, str] = field(default_factory=dict)
    aim: str = ""  # what choices are made for, if not what all are made for
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
    aim: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        """All inputs; in a contest, their keys begin with the side."""
        aims = {key_of(side, AIM): side.aim for side in self.sides if side.aim}
        return {key_of(side, name): value for side in self.sides for name, value in side.inputs.items()} | aims


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
        for entry in side.rule.settings:
            if entry.name in values:
                data_by_key[key_of(side, entry.name)] = plain_value(entry, values[entry.name])
    return data_by_key


def plain_value(entry: Input, value: Any) -> Any:
    if entry.form == "flag":
        return bool(value)
    return value if entry.form == "number" else format_value(entry, value)


def make_request(
    game: str,
    title: str,
    rule: Rule,
    inputs: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
    with_record: bool = False,
) -> RuleRequest:
    """A request with the values of a program; a mapping holds the inputs of one side of a contest.

    Given dice are read from `values` only, so that `inputs` may come from a stranger."""
    request = RuleRequest(game, title, rule, sides_of(rule))
    problems, seen = list[Problem](), set[str]()
    arguments = [(key, value, False) for key, value in _flatten(inputs)]
    arguments += [(key, value, with_record) for key, value in _flatten(values or {})]
    for key, value, may_record in arguments:
        side_name, _, name = key.rpartition(".") if rule.contest else ("", "", key)
        side = next((side for side in request.sides if side.name == side_name), None)
        if key in seen:
            problems.append(_problem(key, f"{cut(key)} is given twice"))
        elif side is None:
            problems.append(_problem(key, _unknown_side_message(request, key)))
        elif may_record and name in record_keys(side.rule):
            side.record[name] = write_value(value)
        elif rule.contest and name == AIM and AIM not in _input_names(side.rule):
            side.aim = check_aim(side.rule, value)
        else:
            problems += _store_input(side, name, value)
        seen.add(key)
    for side in request.sides:
        side.record = join_texts(side.rule, side.record)
        if side.record and "dice" not in side.record:
            key = key_of(side, next(iter(side.record)))
            problems.append(_problem(key, f"{key}= goes with {key_of(side, 'dice')}="))
    if problems:
        raise RulewrightError("\n".join(problem.message for problem in problems), problems)
    return request


def record_keys(rule: Rule) -> tuple[str, ...]:
    """The keys for what the dice showed."""
    return (*RECORD_KEYS, *roll_keys(rule, *RECORDS))


def _store_input(side: Side, name: str, value: Any) -> list[Problem]:
    """Store an input of a side; returns what is wrong with it."""
    _, mistakes = bind_inputs(side.rule, {name: value})
    if mistakes and len(name) + len(str(value)) > _LONGEST:
        _, mistakes = bind_inputs(side.rule, {cut(name): cut(value)})  # for a short message
    side.inputs[name] = write_value(value)
    return [_problem(key_of(side, name), _with_side(side, cut(name), message)) for _, message in mistakes]


def _flatten(inputs: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    if not isinstance(inputs, Mapping):
        raise RulewrightError(f"inputs are a mapping from names to values, not {cut(repr(inputs))}")
    for raw_name, value in inputs.items():
        name = require_text(raw_name, "the name of an input").lower()
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", item) for inner, item in _flatten(value))
        elif value is not None:
            yield name, cut(value) if isinstance(value, int) and value.bit_length() > _LONG_NUMBER else value


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
        return unknown_name(f'{request.rule.name} has no input "{cut(key)}"', key, _input_names(request.rule))
    if not dot:
        return f"in a contest each side has its own: write first.{cut(name)}=… or second.{cut(name)}=…"
    return f'there is no side "{cut(side)}"; the sides are first and second'


def _input_names(rule: Rule) -> list[str]:
    return [entry.name for entry in rule.inputs]


def _with_side(side: Side, name: str, message: str) -> str:
    text = f"{key_of(side, name)}{message.removeprefix(name)}" if message.startswith(name) else message
    return text.rstrip("; ")


def _problem(part: str, message: str) -> Problem:
    """A problem of an input, or of the dice; its span is the name."""
    code = "example-dice" if part.rpartition(".")[2] == "dice" else "block-value"
    return Problem(code, message, Span(Source("", part), 0, len(part)))


def usage(sides: Iterable[Side]) -> Iterator[tuple[Rule, list[tuple[str, str]]]]:
    """What each rule wants to know: its inputs, each with the values that it takes."""
    for rule in dict.fromkeys(side.rule for side in sides):
        yield rule, [(entry.name, _allowed_values(entry)) for entry in rule.inputs if entry.label]


def _allowed_values(entry: Input) -> str:
    """The allowed values of an input, such as "2 to 10; 6 unless said otherwise"."""
    names = f", or {', '.join(entry.names.named_numbers)}" if entry.names else ""
    allowed = {
        "number": f"{entry.least} to {entry.most}{names}",
        "flag": "yes or no",
        "choice": " or ".join(entry.choices),
        "die": ", ".join(map(format_die, entry.dice)),
        "code": f"a die code such as {entry.least}D+1",
        PICKED: "the faces of the dice that are picked",
    }[entry.form]
    default = "" if entry.default in (None, "") else f"; {format_value(entry, entry.default)} unless said otherwise"
    return allowed + default


def _usage_lines(sides: Iterable[Side]) -> Iterator[str]:
    for rule, rows in usage(sides):
        yield f"{rule.name} wants to know"
        room = max(len(name) for name, _ in rows)
        yield from (f"  {name:<{room}}  {allowed}" for name, allowed in rows)


def cut_words(message: str) -> str:
    """A message about text of a stranger, whose words may be of any length."""
    message = re.sub(r'"([^"]+)"', lambda match: f'"{cut(match[1])}"', message)
    return re.sub(rf'[^\s"]{{{_LONGEST + 2},}}', lambda match: cut(match[0]), message)


def refuse(request: RuleRequest, complaints: Iterable[RollProblem], side: Side | None = None) -> RulewrightError:
    """The error for complaints without a result."""
    sides = [side] if side else request.sides
    problems, lines = [], dict[str, None]()
    for complaint in complaints:
        missing = find_missing_inputs(sides, complaint.message)
        message = f"{' and '.join(missing)}{MISSING}" if missing else complaint.message
        about = f"{side.name}: " if side and side.name and not missing else ""
        problems.append(_problem(complaint.part, cut_words(f"{about}{message}".rstrip("; "))))
        lines |= dict.fromkeys(_usage_lines(sides) if missing else ())
    unique = tuple(dict.fromkeys(problems))
    return RulewrightError("\n".join([*dict.fromkeys(problem.message for problem in unique), *lines]), unique)
