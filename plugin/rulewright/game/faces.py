"""The faces of a kind of dice: what is written on them, what they are worth, and which symbols they show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .game_schema import NAME_PATTERN
from .model import Face

_NUMBER = re.compile(r"[+-]?[0-9]+")
_NOTHING = "-"  # a face without a symbol
_JOINER = "&"  # between the symbols of a face


def read_faces(raw: Mapping[str, Any] | Sequence[str]) -> Iterator[Face]:
    """The different faces of a die: names with values, or a list in which a face may be repeated."""
    if isinstance(raw, Mapping):
        for mark, entry in raw.items():
            more = {} if isinstance(entry, int) else entry
            value = entry if isinstance(entry, int) else entry["is"]
            yield Face(mark, value, {}, 1, more.get("label", ""), tuple(more.get("also", ())))
        return
    for mark, copies in Counter(raw).items():
        yield Face(mark, *read_symbols(mark), copies)


def read_symbols(mark: str) -> tuple[int, dict[str, int]]:
    """The value of a face such as `5&s&s`, and how often each symbol is on it that a formula can name."""
    parts = mark.replace("−", "-").split(_JOINER)
    value = sum(int(part) for part in parts if _NUMBER.fullmatch(part))
    return value, dict(Counter(part for part in parts if NAME_PATTERN.fullmatch(part)))
