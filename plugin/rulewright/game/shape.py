"""The shape of data: one description that checks a file and makes its JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..text import suggest
from .toml import Path

Complaint = tuple[Path, str]


@dataclass(frozen=True)
class Scalar:
    """A single value of one of the named types: text, whole, flag."""

    types: tuple[str, ...]
    choices: tuple[str, ...] = ()

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if type_of(value) not in self.types:
            yield path, f"{' or '.join(WORDS[name] for name in self.types)} is expected here, not {described(value)}"
        elif self.choices and value not in self.choices:
            yield path, f"«{value}» is not known here; {suggest(str(value), self.choices)}"

    def schema(self) -> dict[str, Any]:
        if self.choices:
            return {"enum": list(self.choices)}
        names = [JSON_TYPES[name] for name in self.types]
        return {"type": names[0] if len(names) == 1 else names}


@dataclass(frozen=True)
class Items:
    """A list whose entries all have one shape."""

    of: Shape
    least: int = 0
    most: int = 10_000

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not isinstance(value, list):
            yield path, f"a list in [ ] is expected here, not {described(value)}"
            return
        if not self.least <= len(value) <= self.most:
            yield path, f"this list needs {self.least if len(value) < self.least else self.most} entries and has {len(value)}"
        for number, item in enumerate(value):
            yield from self.of.examine(item, (*path, number))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.of.schema(), "minItems": self.least, "maxItems": self.most}


@dataclass(frozen=True)
class Named:
    """A table whose keys are the author's own names."""

    of: Shape

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not isinstance(value, dict):
            yield path, f"a table is expected here, not {described(value)}"
            return
        for key, item in value.items():
            yield from self.of.examine(item, (*path, key))

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema()}


@dataclass(frozen=True)
class Field:
    of: Shape
    about: str
    required: bool = False


@dataclass(frozen=True)
class Keys:
    """A table with known keys; with `others`, further keys of that shape are allowed."""

    fields: dict[str, Field]
    others: Shape | None = None

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        if not isinstance(value, dict):
            yield path, f"a table is expected here, not {described(value)}"
            return
        for key, item in value.items():
            field = self.fields.get(key)
            if field:
                yield from field.of.examine(item, (*path, key))
            elif self.others:
                yield from self.others.examine(item, (*path, key))
            else:
                yield (*path, key, KEY), f"there is no key «{key}» here; {suggest(key, self.fields)}"
        for key, field in self.fields.items():
            if field.required and key not in value:
                yield path, f"the key «{key}» is missing: {field.about}"

    def schema(self) -> dict[str, Any]:
        described = {key: {**field.of.schema(), "description": field.about} for key, field in self.fields.items()}
        required = [key for key, field in self.fields.items() if field.required]
        others = self.others.schema() if self.others else False
        return {"type": "object", "properties": described, "required": required, "additionalProperties": others}


@dataclass(frozen=True)
class Either:
    """One of several shapes, told apart by the type of the value."""

    shapes: tuple[Shape, ...]

    def examine(self, value: Any, path: Path) -> Iterator[Complaint]:
        complaints = [list(shape.examine(value, path)) for shape in self.shapes]
        if all(complaints):
            fitting = [found for found in complaints if any(place != path for place, _ in found)]
            yield from (fitting or complaints)[0]

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [shape.schema() for shape in self.shapes]}


Shape = Scalar | Items | Named | Keys | Either
KEY = "\0key"  # marks a path that means the key, not the value behind it
WORDS = {"text": "text in quotes", "whole": "a whole number", "flag": "true or false"}
JSON_TYPES = {"text": "string", "whole": "integer", "flag": "boolean"}


def type_of(value: Any) -> str:
    return {str: "text", int: "whole", bool: "flag"}.get(type(value), "other")


def described(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return f"«{value}»"
