"""The faces of a kind of dice: what is written on them, what they are worth, and which symbols they show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .formula import RESERVED_WORDS
from .game_schema import DICE_SEPARATORS, NAME_PATTERN
from .model import MAX_SIDES, Face
from .schema import KEY, Loader
from .toml import Path

_NUMBER = re.compile(r"[+-]?[0-9]+")
_JOINER = "&"  # between the symbols of a face
_MAX_DIGITS = 6
_RawFaces = Mapping[str, Any] | Sequence[Any]  # names with values, or a list of faces


def marks_of(raw: _RawFaces) -> list[str]:
    """The faces as they are recorded, in order."""
    return [entry if isinstance(entry, str) else entry["is"] for entry in raw] if isinstance(raw, list) else [*raw]


def read_faces(raw: _RawFaces) -> Iterator[Face]:
    """The different faces of a die; in a list a face may be repeated."""
    marks = marks_of(raw)
    entries = raw.values() if isinstance(raw, Mapping) else raw
    named = {mark: entry for mark, entry in zip(marks, entries, strict=True) if isinstance(entry, dict)}
    for mark, copies in Counter(marks).items():
        value, words = read_symbols(mark)
        if isinstance(raw, Mapping):
            value, words = named[mark]["is"] if mark in named else raw[mark], {}
        more = named.get(mark, {})
        yield Face(mark, value, words, copies, more.get("label", ""), tuple(more.get("also", ())))


def read_symbols(mark: str) -> tuple[int, dict[str, int]]:
    """The value of a face such as `5&s&s`, and how often each symbol is on it that a formula can name."""
    parts = mark.replace("−", "-").split(_JOINER)
    value = sum(int(part) for part in parts if _NUMBER.fullmatch(part))
    return value, dict(Counter(part for part in parts if NAME_PATTERN.fullmatch(part) and part not in RESERVED_WORDS))


def check_faces(loader: Loader, path: Path, raw: _RawFaces, can_explode: bool) -> None:
    """Report faces that could not be read in a record, or not be asked for."""
    marks = marks_of(raw)
    listed: dict[str, Path] = {
        mark: (*path, number) if isinstance(raw, list) else (*path, mark, KEY) for number, mark in enumerate(marks)
    }
    loader.check_labels(listed.items(), "a face", " " + DICE_SEPARATORS + ("+" if can_explode else ""))
    for mark, place in listed.items() if isinstance(raw, list) else ():
        for part in mark.replace("−", "-").split(_JOINER):
            if not part:
                loader.report("dice", place, f"`{mark}` joins nothing with &; write the symbols, such as s&s")
            elif _NUMBER.fullmatch(part) and (len(part) > _MAX_DIGITS or abs(int(part)) > MAX_SIDES):
                loader.report("dice", place, f"the numbers on a die go from {-MAX_SIDES} to {MAX_SIDES}")
