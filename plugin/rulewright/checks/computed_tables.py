"""Tables of a text that list what a rule without dice gives: "actions | penalty", row by row.

A column that is headed like an input is put into the rule; a column that agrees with a step in all rows, or in all but
one, states that step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ..book.page import Trail
from ..game.figures import name_phrases
from ..game.model import Input, Rule, Step
from ..play.result import check_roll
from ..prose.frames import Frame
from ..prose.stems import read_subjects, stems_of
from ..source import Problem
from .page_numbers import Beside, Grid

_LEAST_ROWS = 3  # that are compared before a column says anything
_MOST_ROWS = 40


class _Column(NamedTuple):
    """A column of a text beside a step of a rule."""

    rule: Rule
    step: Step
    pairs: tuple[tuple[Frame, int], ...]

    @property
    def wrong(self) -> list[tuple[Frame, int]]:
        return [pair for pair in self.pairs if pair[0].value != abs(pair[1])]


def compare_computed(grid: Grid, rules: Collection[Rule]) -> dict[int, Beside]:
    """What rules say of the numbers in a table, by the identity of the frame."""
    found: dict[int, Beside] = {}
    rows = grid.numbers[:_MOST_ROWS]
    for place, header in enumerate(grid.header):
        given = [_only(row[place]) for row in rows]
        for rule in rules if sum(frame is not None for frame in given) >= _LEAST_ROWS else ():
            for entry in rule.inputs if not (rule.dice or rule.contest) else ():
                if _is_headed(entry, header):
                    columns = _find_columns(rule, entry, place, given, rows)
                    found |= {id(frame): beside for column in columns for frame, beside in _judge(column, grid.trail)}
                    found |= {id(frame): Beside(rule.label) for frame in given if frame and columns}
    return found


def _only(cell: Sequence[Frame]) -> Frame | None:
    return cell[0] if len(cell) == 1 and cell[0].number.form != "decimal" else None


def _is_headed(entry: Input, header: str) -> bool:
    words = stems_of(header)
    return entry.form == "number" and any(core <= words for core, _ in read_subjects(name_phrases(entry)))


def _find_columns(
    rule: Rule, entry: Input, place: int, given: Sequence[Frame | None], rows: Sequence[Sequence[Sequence[Frame]]]
) -> list[_Column]:
    """The columns that agree with a step in all rows, or in all but one if no other column does better."""
    results = [check_roll(rule, {entry.name: str(frame.value)}, "")[0] if frame else None for frame in given]
    steps = [result.steps if result else {} for result in results]
    columns = list[_Column]()
    for other in range(len(rows[0]) if rows else 0):
        cells = [_only(row[other]) for row in rows]
        candidates = [
            column
            for step in rule.steps
            if other != place and (column := _compare(rule, step, cells, [found.get(step.name) for found in steps]))
        ]
        right = [column for column in candidates if not column.wrong]
        alike = {tuple(value for _, value in column.pairs) for column in candidates}
        columns += right[:1] or (candidates[:1] if len(alike) == 1 else [])  # several steps may say the same
    return columns


def _compare(rule: Rule, step: Step, cells: Sequence[Frame | None], values: Sequence[object]) -> _Column | None:
    pairs = tuple(
        (frame, value) for frame, value in zip(cells, values, strict=True) if frame and isinstance(value, int)
    )
    column = _Column(rule, step, pairs)
    is_varied = len({value for _, value in pairs}) >= _LEAST_ROWS
    return column if len(pairs) >= _LEAST_ROWS and is_varied and len(column.wrong) <= 1 else None


def _judge(column: _Column, trail: Trail) -> Iterator[tuple[Frame, Beside]]:
    label = f"{column.rule.label}: {column.step.label or column.step.name}"
    for frame, value in column.pairs:
        if frame.value == abs(value):
            yield frame, Beside(label)
        else:
            message = f"the text says {frame.span.text}, the game says {abs(value)}"
            notes = (f"{label} is {value} here", "correct the number here, or the rule")
            yield frame, Beside("", Problem("prose-number", message, frame.span, notes=notes, trail=trail))
