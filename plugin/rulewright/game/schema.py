"""Schemas: one description validates the data of a file, generates its JSON Schema, and parses its formulas.

`examine` reports data of the wrong shape. `parse` expects the right shape and returns the same data with formulas
parsed and defaults filled in; a `Loader` collects the problems."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..source import Problem, Span, suggest
from .formula import MAX_NUMBER, Node, walk
from .formula_lexer import FormulaError
from .formula_parser import parse_formula
from .model import Formula
from .old_keys import Hint
from .scope import NodeProblem, Scope, check_formula
from .toml import Path, inner_span

_ShapeProblem = tuple[Path, str]
MAX_PROBLEMS = 100
_MAX_ITEMS = 1_000  # entries of a list or table
_EXPECTED_TABLE = "a table, such as [name] or { key = value },"


class Scalar(NamedTuple):
    """A single value of one of these types: text, whole, flag. With a `scope` it is a formula, and the scope determines
    the names that it may use."""

    types: tuple[str, ...]
    choices: tuple[str, ...] = ()
    least: int = -MAX_NUMBER
    most: int = MAX_NUMBER
    called: str = ""
    scope: str = ""
    word: str = ""  # that is no formula

    @property
    def expected(self) -> str:
        return self.called or " or ".join(_TYPE_NAMES[name] for name in self.types)

    def fits(self, value: Any) -> bool:
        return _type_name(value) in self.types

    def examine(self, value: Any, path: Path) -> Iterator[_ShapeProblem]:
        if not self.fits(value):
            yield _type_problem(self, value, path)
        elif self.choices and value not in self.choices:
            yield path, f"{_describe_value(value)} is not known here; write {_join_choices(self.choices)}"
        elif _type_name(value) == "whole" and not self.least <= value <= self.most:
            yield (
                path,
                f"a whole number from {self.least} to {self.most} is expected here, not {_describe_value(value)}",
            )

    def schema(self) -> dict[str, Any]:
        if self.choices:
            return {"enum": list(self.choices)}
        names = [_JSON_TYPES[name] for name in self.types]
        limits = {"minimum": self.least, "maximum": self.most} if "whole" in self.types else {}
        return {"type": names[0] if len(names) == 1 else names, **limits}

    def parse(self, value: Any, path: Path, loader: Loader) -> Any:
        is_formula = self.scope and (not self.word or value != self.word)
        return loader.parse_formula_at(path, value, self.scope) if is_formula else value


@dataclass(frozen=True)
class Items:
    """A list whose entries have one shape; if they are names, `labels` says of what."""

    of: Shape
    least: int = 0
    most: int = _MAX_ITEMS
    labels: str = ""
    expected = "a list in [ ]"

    def fits(self, value: Any) -> bool:
        return isinstance(value, list)

    def examine(self, value: Any, path: Path) -> Iterator[_ShapeProblem]:
        if not self.fits(value):
            yield _type_problem(self, value, path)
            return
        if len(value) < self.least:
            yield path, f"this list has {_count_entries(len(value))} and needs {_count_entries(self.least)}"
        elif len(value) > self.most:
            yield path, f"this list has {_count_entries(len(value))} and may have {_count_entries(self.most)}"
        for number, item in enumerate(value):
            yield from self.of.examine(item, (*path, number))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.of.schema(), "minItems": self.least, "maxItems": self.most}

    def parse(self, value: Any, path: Path, loader: Loader) -> Any:
        if self.labels:
            loader.check_labels([(item, (*path, number)) for number, item in enumerate(value)], self.labels)
        return [self.of.parse(item, (*path, number), loader) for number, item in enumerate(value)]


@dataclass(frozen=True)
class NamedEntries:
    """A table whose keys are names that the author chooses.

    If they may contain spaces, `labels` says what they name, and `separators` are the characters that they must not
    contain."""

    of: Shape
    most: int = _MAX_ITEMS
    labels: str = ""
    separators: str = ""
    expected = _EXPECTED_TABLE

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict)

    def examine(self, value: Any, path: Path) -> Iterator[_ShapeProblem]:
        if not self.fits(value):
            yield _type_problem(self, value, path)
            return
        if len(value) > self.most:
            yield path, f"this table has {_count_entries(len(value))} and may have {_count_entries(self.most)}"
        for key, item in value.items():
            yield from self.of.examine(item, (*path, key))

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema(), "maxProperties": self.most}

    def parse(self, value: Any, path: Path, loader: Loader) -> Any:
        return {key: item for key, _, item in self.entries(value, path, loader)}

    def entries(self, value: Any, path: Path, loader: Loader) -> Iterator[tuple[str, Path, Any]]:
        """The entries with their names and paths. Names are checked at once, entries are parsed lazily."""
        if self.labels:
            loader.check_labels([(key, (*path, key, KEY)) for key in value], self.labels, self.separators)
        return ((key, (*path, key), self.of.parse(item, (*path, key), loader)) for key, item in value.items())


class Field(NamedTuple):
    of: Shape
    description: str
    required: bool = False
    default: int | None = None  # of a formula


@dataclass(frozen=True)
class KnownKeys:
    """A table with known keys; further keys are allowed if they have the shape `others`."""

    fields: dict[str, Field]
    others: Shape | None = None
    hints: Mapping[str, str | Hint] = field(default_factory=dict)  # what to write for keys that belong elsewhere

    @property
    def expected(self) -> str:
        first = next(iter(self.fields), "key")
        return f"a table, such as {{ {first} = … }},"

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict)

    def examine(self, value: Any, path: Path) -> Iterator[_ShapeProblem]:
        if not self.fits(value):
            yield _type_problem(self, value, path)
            return
        for key, item in value.items():
            field = self.fields.get(key)
            if field:
                yield from field.of.examine(item, (*path, key))
            elif self.others:
                yield from self.others.examine(item, (*path, key))
            else:
                hint = self.hints.get(key) or suggest(key, self.fields)
                note = hint if isinstance(hint, str) else hint(value, path)
                yield (*path, key, KEY), f"there is no key {_describe_value(key)} here; {note}"
        for key, field in self.fields.items():
            if field.required and key not in value:
                yield (
                    path,
                    f"the key `{key}` is missing here: {field.description}; write {_example_line(key, field.of)}",
                )

    def schema(self) -> dict[str, Any]:
        described = {key: {**field.of.schema(), "description": field.description} for key, field in self.fields.items()}
        required = [key for key, field in self.fields.items() if field.required]
        others = self.others.schema() if self.others else False
        return {"type": "object", "properties": described, "required": required, "additionalProperties": others}

    def parse(self, value: Any, path: Path, loader: Loader) -> Any:
        defaults = {key: field.default for key, field in self.fields.items() if field.default is not None}
        shapes = {key: field.of for key, field in self.fields.items()}
        return {
            key: shape.parse(item, (*path, key), loader) if (shape := shapes.get(key, self.others)) else item
            for key, item in {**defaults, **value}.items()
        }


@dataclass(frozen=True)
class OneOf:
    """One of several shapes, chosen by the type of the value."""

    shapes: tuple[Shape, ...]

    @property
    def expected(self) -> str:
        return " or ".join(dict.fromkeys(shape.expected for shape in self.shapes))

    def fits(self, value: Any) -> bool:
        return any(shape.fits(value) for shape in self.shapes)

    def examine(self, value: Any, path: Path) -> Iterator[_ShapeProblem]:
        fitting = next((shape for shape in self.shapes if shape.fits(value)), None)
        if fitting is None:
            yield _type_problem(self, value, path)
        else:
            yield from fitting.examine(value, path)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [shape.schema() for shape in self.shapes]}

    def parse(self, value: Any, path: Path, loader: Loader) -> Any:
        return next(shape for shape in self.shapes if shape.fits(value)).parse(value, path, loader)


Shape = Scalar | Items | NamedEntries | KnownKeys | OneOf
KEY = "\0key"  # ends a path that refers to a key instead of its value
_TYPE_NAMES = {"text": "text in quotes", "whole": "a whole number", "flag": "true or false"}
_JSON_TYPES = {"text": "string", "whole": "integer", "flag": "boolean"}


def _type_name(value: Any) -> str:
    return {str: "text", int: "whole", bool: "flag"}.get(type(value), "other")


def _join_choices(words: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _type_problem(shape: Shape, value: Any, path: Path) -> _ShapeProblem:
    shapes = shape.shapes if isinstance(shape, OneOf) else (shape,)
    repairs = list(filter(None, (_suggest_value(one, value, path) for one in shapes)))
    note = f"; write {repairs[0]}" if len(repairs) == 1 else ""
    return path, f"{shape.expected} is expected here, not {_describe_value(value)}{note}"


_DICE_TEXT = re.compile(r"(.*?)\s*d([1-9][0-9]{0,3})", re.IGNORECASE | re.DOTALL)
_FLAG_TEXTS = {"yes": "true", "true": "true", "on": "true", "no": "false", "false": "false", "off": "false"}


def _suggest_value(shape: Shape, value: Any, path: Path) -> str:
    """The same value in the shape that is expected; empty if that is not certain."""
    if isinstance(shape, KnownKeys | NamedEntries) and isinstance(value, list):
        return f"[{'.'.join(map(str, path))}] in single brackets" if value and isinstance(value[0], dict) else ""
    if isinstance(shape, KnownKeys):
        dice = _DICE_TEXT.fullmatch(value) if isinstance(value, str) and {"count", "sides"} <= {*shape.fields} else None
        if dice is None:
            return ""
        count = f"count = {dice[1] if dice[1].isdecimal() else json.dumps(dice[1], ensure_ascii=False)}, "
        return f"{{ {count if dice[1] else ''}sides = {dice[2]} }}"
    if isinstance(shape, Items) and isinstance(value, str) and shape.of.fits(""):
        return f"[{', '.join(_quote(item.strip()) for item in value.split(','))}]"
    return _suggest_scalar(shape, value, path) if isinstance(shape, Scalar) else ""


def _suggest_scalar(shape: Scalar, value: Any, path: Path) -> str:
    if isinstance(value, list) and len(value) == 1 and shape.fits(value[0]):
        return _quote(value[0]) if isinstance(value[0], str) else str(value[0]).lower()
    if isinstance(value, str) and "whole" in shape.types and re.fullmatch(r"-?[0-9]{1,9}", value):
        return value
    if isinstance(value, str) and shape.types == ("whole",):
        other = {"max": "min", "min": "max"}.get(str(path[-1]))
        note = f"; a limit that changes is {other}({path[-2]}, {value}) in the formulas" if other else ""
        return f"digits, such as {min(max(shape.least, 6), shape.most)}{note}"
    if isinstance(value, str) and "flag" in shape.types:
        return _FLAG_TEXTS.get(value.lower(), "")
    return _quote(str(value)) if "text" in shape.types and _type_name(value) == "whole" else ""


def _example_line(key: str, shape: Shape) -> str:
    """A line that gives a missing key a value."""
    value = '"…"' if shape.fits("") else "[…]" if shape.fits([]) else "{ … }" if shape.fits({}) else "1"
    return f"{key} = {value}"


def _quote(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)


def _describe_value(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        return "so long a number"  # Python may refuse to format it
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'"{text}"' if len(text) <= 60 else f'"{text[:59]}…"'


def _count_entries(number: int) -> str:
    return f"{number} entry" if number == 1 else f"{number} entries"


ON_SHEET = "sheet"  # the scope of formulas over groups of traits, which have their own functions
BROKEN_NODE = Node("number", (0,))  # replaces a formula that cannot be parsed


class TooManyProblemsError(Exception):
    """Stops loading: the limit of reported problems is reached."""


class Loader:
    """Collects the problems of a file while it is loaded; `where` maps a path to its span."""

    def __init__(self, where: Callable[[Path], Span]) -> None:
        self.where = where
        self.problems: list[Problem] = []

    def report(self, code: str, path: Path, message: str, span: Span | None = None) -> None:
        problem = Problem(code, message.strip().rstrip(";"), span or self.where(path))
        self.problems += [problem] if self.problems[-1:] != [problem] else []
        if len(self.problems) == MAX_PROBLEMS:
            raise TooManyProblemsError

    def is_sound_since(self, before: int) -> bool:
        """Whether nothing was reported since; a rule that others roll has its problems once."""
        found, known = self.problems[before:], [(one.code, one.span) for one in self.problems[:before]]
        self.problems[before:] = [one for one in found if (one.code, one.span) not in known]
        return not found

    def parse_formula_at(self, path: Path, value: Any, scope: str) -> Formula:
        """Parse the formula at a path; true and false are 1 and 0."""
        span = self.where(path)
        if not isinstance(value, str):
            return Formula(str(int(value)), Node("number", (int(value),)), span, scope)
        try:
            node = parse_formula(value, scope == ON_SHEET)
            if inner := next((part for part in walk(node) if part.op == "any_of" and part is not node), None):
                raise FormulaError("dice that a player picks are a step of their own", inner.start, inner.end)
            return Formula(value, node, span, scope)
        except FormulaError as error:
            self.report("formula", path, error.message, inner_span(span, value, error.start, error.end))
            return Formula(value, BROKEN_NODE, span, scope)

    def check_formulas(self, data: Any, scopes: Mapping[str, Scope]) -> None:
        """Check the names and types in all formulas of the given scopes; skip those of other scopes."""
        for formula in collect_formulas(data):
            if formula.scope in scopes:
                self.report_formula(formula, check_formula(formula.node, scopes[formula.scope]))

    def report_formula(self, formula: Formula, problems: Iterable[NodeProblem]) -> None:
        for node, message in problems:
            self.report("formula", (), message, inner_span(formula.span, formula.text, node.start, node.end))

    def check_known(self, code: str, path: Path, name: str, names: Collection[str], missing: str) -> None:
        """Report an unknown name; `missing` begins the message, such as `there is no table`."""
        if name not in names:
            self.report(code, path, f'{missing} "{name}"; {suggest(name, names)}')

    def check_labels(self, named: Iterable[tuple[str, Path]], role: str, separators: str = "") -> None:
        """Check names that may contain spaces: they must be readable in a block, and unique ignoring case."""
        names_by_lower: dict[str, str] = {}
        for name, path in named:
            other = names_by_lower.get(name.lower())
            if reason := _why_unreadable(name, separators):
                self.report("name", path, f'"{name}" cannot name {role}: {reason}')
            elif other is not None:
                same = f'capitals make no difference, and "{other}" already names {role}'
                self.report("name", path, f'"{name}" already names {role}' if name == other else same)
            names_by_lower.setdefault(name.lower(), name)


def collect_formulas(data: Any) -> Iterator[Formula]:
    """All formulas in parsed data."""
    if isinstance(data, Formula):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from collect_formulas(item)


def _why_unreadable(name: str, separators: str) -> str:
    """Why a name could not be parsed in a list of names; empty if it could."""
    if not name.strip():
        return "it is empty"
    if name != name.strip():
        return "leave out the spaces at its ends"
    forbidden = next((sign for sign in name if sign in separators + "," or not sign.isprintable()), "")
    shown = "the space" if forbidden == " " else f'"{forbidden}"'
    return f"leave out {shown}" if forbidden else ""
