"""Ladders: at least five named steps in a row, each one better than the next, in a table, a list or a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...book.prose import Passage
from ...book.tables import Row, Table
from .model import Reading

STEPS = 5  # fewer named numbers in a row are no ladder
SIGNED = r"(?:[+\-−–][0-9]{1,2}|[+±−-]?0)(?![0-9])"
NAME = r"[A-ZÄÖÜ][^\W\d_]{1,20}(?:[ -][A-ZÄÖÜ][^\W\d_]{1,20}){0,2}"
NUMBER_CELL = re.compile(rf"\(?({SIGNED})\)?")
NAME_CELL = re.compile(rf"({NAME})[:.]?")
BOTH = re.compile(
    rf"(?P<first>{SIGNED})[:,]?\s(?:[=–—-]\s)?(?P<named>{NAME})|(?P<name>{NAME})[:,]?\s?\(?(?P<value>{SIGNED})\)?"
)
BEHIND = re.compile(r"$|[.:;,(—–]|\s[(—–-]")
USE = re.compile(rf"(?P<name>{NAME})\s?\((?P<value>{SIGNED})\)|(?<![\w(+])(?P<first>{SIGNED})\s?\((?P<named>{NAME})\)")
CALLED = re.compile(r"\b(?:ladders?|scales?|adjectives?|ranks?|ratings?|grades?|degrees?)\b", re.IGNORECASE)
OTHER = re.compile(
    r"\b(?:skills?|approach\w*|attributes?|abilit\w+|traits?|weapons?|armou?r|spells?|characters?|npcs?|creatures?|monsters?"
    r"|gear|bonus\w*)\b",
    re.IGNORECASE,
)
WELL_KNOWN = frozenset(
    ["Legendary", "Epic", "Fantastic", "Superb", "Great", "Good", "Fair", "Average", "Mediocre", "Poor", "Terrible"]
)


class Step(NamedTuple):
    name: str
    value: int


Ladder = tuple[Step, ...]


def amount(text: str) -> int:
    size = int(text.strip("+-−–±"))
    return -size if text[0] in "-−–" else size


def ladders(reading: Reading) -> Iterator[Ladder]:
    for table in reading.tables:
        words = " ".join([*table.trail[-1:], table.caption, *(cell.text for cell in table.header)])
        yield from clear(found_in(table), words)
    for group, words in lists(reading.passages):
        yield from clear(runs(group), words)
    for text in reading.passages:
        yield from clear(runs([step(found) for found in USE.finditer(text.text)]), text.text[:400])


def clear(found: Iterable[Ladder], words: str) -> Iterator[Ladder]:
    """The skills of a hero may stand in such a row too; a ladder has well-known names, or the text calls it one."""
    for ladder in found:
        if sum(one.name in WELL_KNOWN for one in ladder) >= 3 or (CALLED.search(words) and not OTHER.search(words)):
            yield ladder


def found_in(table: Table) -> Iterator[Ladder]:
    """In a table the numbers stand in one column and the names in another, or both in each cell."""
    rows = (table.header, *table.rows)  # some tables begin with their first step
    for column in zip(*rows, strict=True):
        yield from runs([step(found) for cell in column if (found := BOTH.fullmatch(cell.text.strip()))])
    names, numbers = columns(rows, NAME_CELL), columns(rows, NUMBER_CELL)
    if len(names) >= 1 and len(numbers) == 1:
        pairs = zip(names[0], numbers[0], strict=True)
        yield from runs([Step(name[1], amount(number[1])) for name, number in pairs if name and number])


def columns(rows: Sequence[Row], shape: re.Pattern[str]) -> list[list[re.Match[str] | None]]:
    """Those columns that hold little else than what is asked for."""
    matches = ([shape.fullmatch(cell.text.strip()) for cell in column] for column in zip(*rows, strict=True))
    return [column for column in matches if sum(map(bool, column)) >= max(STEPS, len(column) - 2)]


def lists(passages: Iterable[Passage]) -> Iterator[tuple[list[Step], str]]:
    """Paragraphs or items one after the other that begin with a name and a number, and what stands above them."""
    group: list[Step] = []
    above, words = "", ""
    for text in passages:
        found = BOTH.match(text.text)
        if found and BEHIND.match(text.text, found.end()):
            words = words if group else " ".join([*text.trail[-1:], above])
            group.append(step(found))
        else:
            yield group, words
            group, above = [], text.text[-400:]
    yield group, words


def step(found: re.Match[str]) -> Step:
    return Step(found["name"] or found["named"], amount(found["value"] or found["first"]))


def runs(steps: Sequence[Step]) -> Iterator[Ladder]:
    """The stretches that go up or down by one; a ladder begins below or above zero and has no name twice."""
    start = 0
    for at in range(1, len(steps) + 1):
        if at == len(steps) or abs(steps[at].value - steps[at - 1].value) != 1 or turned(steps[start : at + 1]):
            ladder = tuple(steps[start:at])
            if len(ladder) >= STEPS and len({one.name for one in ladder}) == len(ladder):
                yield ladder
            start = at


def turned(steps: Sequence[Step]) -> bool:
    return len(steps) > 2 and steps[-1].value - steps[-2].value != steps[1].value - steps[0].value


def known(every: Iterable[Ladder]) -> dict[str, int]:
    """What each name stands for; a name that two ladders put at two places stands for nothing."""
    found: dict[str, set[int]] = {}
    for ladder in every:
        for one in ladder:
            found.setdefault(one.name, set()).add(one.value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}
