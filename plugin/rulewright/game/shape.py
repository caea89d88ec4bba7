"""The shape of data: one description that checks a file and makes its JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..text import suggest
from .places import Path
from .tree import LARGEST

Complaint = tuple[Path, str]
MANY = 1_000  # entries of a list or table; more than anybody reads
TABLE = "a table, such as [name] or { key = value },"


class Scalar(NamedTuple):
    """A single value of one of the named types: text, whole, flag."""

    types: tuple[str, ...]
    choices: tuple[str, ...] = ()
    least: int = -LARGEST
    most: int = LARGEST
    called: str = ""

    @property
    def expected(self) -> str:
        return self.called or " or ".join(WORDS[name] for name in self.types)

    def fits(self, value: Any) -> bool:
        return type_of(value) in self.types

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not self.fits(value):
            yield wrong_type(self, value, path)
        elif self.choices and value not in self.choices:
            yield path, f"{described(value)} is not known here; write {either(self.choices)}"
        elif type_of(value) == "whole" and not self.least <= value <= self.most:
            yield path, f"a whole number from {self.least} to {self.most} is expected here, not {described(value)}"

    def schema(self) -> dict[str, Any]:
        if self.choices:
            return {"enum": list(self.choices)}
        names = [JSON_TYPES[name] for name in self.types]
        limits = {"minimum": self.least, "maximum": self.most} if "whole" in self.types else {}
        return {"type": names[0] if len(names) == 1 else names, **limits}


@dataclass(frozen=True)
class Items:
    """A list whose entries all have one shape."""

    of: Shape
    least: int = 0
    most: int = MANY
    expected = "a list in [ ]"

    def fits(self, value: Any) -> bool:
        return isinstance(value, list)

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not self.fits(value):
            yield wrong_type(self, value, path)
            return
        if len(value) < self.least:
            yield path, f"this list has {counted(len(value))} and needs {counted(self.least)}"
        elif len(value) > self.most:
            yield path, f"this list has {counted(len(value))} and may have {counted(self.most)}"
        for number, item in enumerate(value):
            yield from self.of.examine(item, (*path, number))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.of.schema(), "minItems": self.least, "maxItems": self.most}


@dataclass(frozen=True)
class Named:
    """A table whose keys are the author's own names."""

    of: Shape
    most: int = MANY
    expected = TABLE

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict)

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not self.fits(value):
            yield wrong_type(self, value, path)
            return
        if len(value) > self.most:
            yield path, f"this table has {counted(len(value))} and may have {counted(self.most)}"
        for key, item in value.items():
            yield from self.of.examine(item, (*path, key))

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema(), "maxProperties": self.most}


class Field(NamedTuple):
    of: Shape
    about: str
    required: bool = False


@dataclass(frozen=True)
class Keys:
    """A table with known keys; with `others`, further keys of that shape are allowed."""

    fields: dict[str, Field]
    others: Shape | None = None

    @property
    def expected(self) -> str:
        first = next(iter(self.fields), "key")
        return f"a table, such as {{ {first} = … }},"

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict)

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not self.fits(value):
            yield wrong_type(self, value, path)
            return
        for key, item in value.items():
            field = self.fields.get(key)
            if field:
                yield from field.of.examine(item, (*path, key))
            elif self.others:
                yield from self.others.examine(item, (*path, key))
            else:
                yield (*path, key, KEY), f"there is no key {described(key)} here; {suggest(key, self.fields)}"
        for key, field in self.fields.items():
            if field.required and key not in value:
                yield path, f"the key «{key}» is missing here: {field.about}"

    def schema(self) -> dict[str, Any]:
        described = {key: {**field.of.schema(), "description": field.about} for key, field in self.fields.items()}
        required = [key for key, field in self.fields.items() if field.required]
        others = self.others.schema() if self.others else False
        return {"type": "object", "properties": described, "required": required, "additionalProperties": others}


@dataclass(frozen=True)
class Either:
    """One of several shapes, told apart by the type of the value."""

    shapes: tuple[Shape, ...]

    @property
    def expected(self) -> str:
        return " or ".join(dict.fromkeys(shape.expected for shape in self.shapes))

    def fits(self, value: Any) -> bool:
        return any(shape.fits(value) for shape in self.shapes)

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        meant = next((shape for shape in self.shapes if shape.fits(value)), None)
        if meant is None:
            yield wrong_type(self, value, path)
        else:
            yield from meant.examine(value, path)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [shape.schema() for shape in self.shapes]}


Shape = Scalar | Items | Named | Keys | Either
KEY = "\0key"  # marks a path that means the key, not the value behind it
WORDS = {"text": "text in quotes", "whole": "a whole number", "flag": "true or false"}
JSON_TYPES = {"text": "string", "whole": "integer", "flag": "boolean"}


def type_of(value: Any) -> str:
    return {str: "text", int: "whole", bool: "flag"}.get(type(value), "other")


def either(words: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def wrong_type(shape: Shape, value: Any, path: Path) -> Complaint:
    return path, f"{shape.expected} is expected here, not {described(value)}"


def described(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > LARGEST:
        return "so long a number"  # Python may refuse to write it down
    said = str(value).lower() if isinstance(value, bool) else str(value)
    return f"«{said}»" if len(said) <= 60 else f"«{said[:59]}…»"


def counted(number: int) -> str:
    return f"{number} entry" if number == 1 else f"{number} entries"
