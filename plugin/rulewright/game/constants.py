"""The constants of a game: every number that its file writes in a field, a formula, a table or a range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ..source import Source, Span
from .formula import walk
from .model import Formula, Game
from .toml import Path, SpanIndex, inner_span, read_toml

_DIGITS = re.compile(r"[0-9][0-9_]*")


def find_constants(game: Game, source: Source) -> tuple[list[Span], list[Span]]:
    """The constants that are written in one file of a game, in order: what results depend on, and limits of inputs.

    A limit of an input says what may be entered; a roll that is allowed gives the same whatever it is."""
    data, places, _ = read_toml(source)
    limits = [span for path, value in places.values.items() if _is_input_limit(path) for span in _digits_in(value)]
    found = [*_find_numbers(data, places), *_find_in_formulas(game, source), *_find_in_ranges(places)]
    return _in_order(source, {*map(_ends, found)} - {*map(_ends, limits)}), _in_order(source, {*map(_ends, limits)})


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _in_order(source: Source, ends: Iterable[tuple[int, int]]) -> list[Span]:
    return [Span(source, start, end) for start, end in sorted(ends)]


def _is_input_limit(path: Path) -> bool:
    return path[0] == "rules" and len(path) == 5 and path[2] == "inputs" and path[4] in ("min", "max")


def _find_numbers(data: Mapping[str, Any], places: SpanIndex) -> Iterator[Span]:
    for path, span in places.values.items():
        value = _value_at(data, path)
        if isinstance(value, int) and not isinstance(value, bool):
            yield from _digits_in(span)


def _value_at(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


def _digits_in(span: Span) -> Iterator[Span]:
    return (span.subspan(*match.span()) for match in _DIGITS.finditer(span.text))


def _find_in_ranges(places: SpanIndex) -> Iterator[Span]:
    """The ends of ranges: of traits, and of the rows of tables."""
    for path, span in places.values.items():
        if path[0] == "traits" and path[-1] == "range":
            yield from _digits_in(span)
    for path, span in places.keys.items():
        if path[0] == "tables" and len(path) == 4 and path[2] == "ranges":
            yield from _digits_in(span)


def _find_in_formulas(game: Game, source: Source) -> Iterator[Span]:
    for formula in _collect_formulas(game, set()):
        if formula.span.source.path == source.path:
            for node in walk(formula.node):
                if node.op == "number":
                    yield from _digits_in(inner_span(formula.span, formula.text, node.start, node.end))


def _collect_formulas(part: Any, seen: set[int]) -> Iterator[Formula]:
    """All formulas in a part of a game."""
    if isinstance(part, Formula):
        yield part
    elif id(part) not in seen and not isinstance(part, (str, Span)):
        seen.add(id(part))
        inner: Iterable[Any] = [getattr(part, entry.name) for entry in fields(part)] if is_dataclass(part) else ()
        inner = part.values() if isinstance(part, Mapping) else part if isinstance(part, (tuple, list)) else inner
        for value in inner:
            yield from _collect_formulas(value, seen)
