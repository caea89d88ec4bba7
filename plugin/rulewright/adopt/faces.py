"""The faces that a passage tells, in order, each with its die where that is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..checks.told.dice import BETWEEN, PART, TRIGGER, kind, values
from ..checks.told.mood import Bit, Reading
from ..checks.told.numbers import BEHIND, LIMIT, NUMBER, number
from ..checks.told.read import Told

POSSESSIVE = r"(?:the|an?|his|her|their|its|your|my|each)"
SIZE = r"d(?:100|[1-9][0-9]?)"
VERBS = (
    r"(?:shows|showed|show|comes?\sup|came\sup|lands?\son|landed\son|reads?|is|gives|turns?\sup|goes\son\swith"
    r"|explodes\sinto|adds)"
)
ON_SIZE = re.compile(rf"({NUMBER})\s(?:on|from|with)\s{POSSESSIVE}\s(?:[\w-]+\s)?({SIZE})\b", re.IGNORECASE)
ON_NAMED = re.compile(
    rf"({NUMBER})\s(?:on|from|with)\s{POSSESSIVE}\s((?:[\w-]+\s)?[\w-]+)\s(?:die|dice)\b", re.IGNORECASE
)
SHOWS = re.compile(
    rf"\b(?<!on\s)(?<!from\s)(?<!with\s)(?:the|his|her|their|its|your|my)\s(?:([\w-]+)\s(?:die|dice)|({SIZE}))\s"
    rf"(?:(?:only\s|then\s)?{VERBS}\s(?:an?\s)?|an?\s)({NUMBER})",
    re.IGNORECASE,
)
SET_OFF = re.compile(rf",\son\s{POSSESSIVE}\s(?:([\w-]+)\s(?:die|dice)|({SIZE})),\s(?:an?\s)?({NUMBER})", re.IGNORECASE)
IN_BRACKETS = re.compile(rf"({NUMBER})\s\(([^\W\d_]{{3,12}})\)", re.IGNORECASE)
ONWARD = re.compile(
    r"\b(?:followed\sby|(?:explod\w+|goes\son),?\s(?:into|with|(?:and\s)?then|for|shows|showing)|then\scomes|(?<=,\s)then)\s"
    rf"(?:an?\s)?({NUMBER})(?!\s(?:dice|die)\b)",
    re.IGNORECASE,
)
ITEM = r"[0-9]{1,3}(?:\+[0-9]{1,3}){0,8}"
LISTED = re.compile(
    rf"(?<![\w+./\-−])(?:{ITEM}(?:\s{ITEM}){{2,40}}|{ITEM}(?:{BETWEEN}{ITEM}){{0,40}})(?![\w%/]|\.[0-9]|\s?[=+])",
    re.IGNORECASE,
)
HEADED = re.compile(
    rf"\b(?:dice|die|rolls?|rolled|rolling|throws?|pool|[0-9]{{1,2}}D(?:\+[0-9])?|[0-9]{{0,2}}{SIZE}(?:[+−-][0-9]{{1,2}})?"
    r"|[0-9]k[0-9])(?:\s[^.;:(]{0,30})?\s?[:(]\s?(?:an?\s)?$",
    re.IGNORECASE,
)
SINGLY = re.compile(rf"\b(?:rolls?|rolled|die|{SIZE}):\s?$", re.IGNORECASE)
POOL_BEFORE = re.compile(r"\s?[:(]\s?(?:an?\s)?$")


class Token(NamedTuple):
    """A face that came up: on which die, where that is said; `alone` where it may only repeat a face of a list."""

    face: int
    label: str
    alone: bool


class Group(NamedTuple):
    """Faces that stand together, and where."""

    start: int
    end: int
    tokens: tuple[Token, ...]


def faces(reading: Reading, told: Told) -> tuple[Group, ...]:
    """All faces in the order in which they are told; of two readings of one place the one with more faces."""
    labels = dict(labelled(reading))
    groups = [*lists(reading), *(parted(reading, bit, labels) for bit in told.faces if bit.sure)]
    groups += [Group(*found.span(1), (Token(number(found[1]) or 0, "", True),)) for found in further(reading)]
    single = (Group(at, at + 1, (Token(face, name, True),)) for at, (face, name) in labels.items())
    groups += [group for group in single if reading.sure(group.start, group.end)]
    taken: list[Group] = []
    for group in sorted(groups, key=lambda one: -len(one.tokens)):
        if group.tokens and not any(group.start < other.end and other.start < group.end for other in taken):
            taken.append(group)
    taken.sort()
    return tuple(without_sizes(reading, list(of_one_die(reading, taken))))


def of_one_die(reading: Reading, groups: Sequence[Group]) -> Iterator[Group]:
    """With faces that are told as further throws of a die: on the die that was named last."""
    onward = {found.start(1) for found in ONWARD.finditer(reading.text, reading.label_end)}
    last = ""
    for group in groups:
        if group.start in onward and len(group.tokens) == 1 and not group.tokens[0].label:
            yield Group(group.start, group.end, (group.tokens[0]._replace(label=last),))
        else:
            last = group.tokens[-1].label
            yield group


def without_sizes(reading: Reading, groups: Sequence[Group]) -> Iterator[Group]:
    """In «rolls three: 6, 6 and 4» the three is no face."""
    for place, group in enumerate(groups):
        after = groups[place + 1] if place + 1 < len(groups) else None
        size = after and len(group.tokens) == 1 and group.tokens[0].face == len(after.tokens)
        if not (size and after and POOL_BEFORE.fullmatch(reading.text[group.end : after.start])):
            yield group


def lists(reading: Reading) -> Iterator[Group]:
    """Lists of figures: with throws of one die joined by +, with nothing but blanks between them, behind a colon."""
    text = reading.text
    for found in LISTED.finditer(text, reading.label_end):
        start, end = found.span()
        figures = [int(face) for face in re.findall("[0-9]+", found[0])]
        rolled = TRIGGER.search(text, reading.clause_start(start), start) or HEADED.search(reading.before(start))
        name = kind(reading, start, end)
        several = len(figures) > 1 or bool(SINGLY.search(reading.before(start)))
        ends = bool(name or BEHIND.match(text, end)) and not LIMIT.match(text, end)
        meant = several and ends and bool(rolled or name)
        if meant and reading.sure(start, end):
            yield Group(start, end, tuple(Token(face, name, False) for face in figures))


def further(reading: Reading) -> list[re.Match[str]]:
    """Where a further throw of the same die is told."""
    return [one for one in ONWARD.finditer(reading.text, reading.label_end) if reading.sure(one.start(1), one.end(1))]


def labelled(reading: Reading) -> Iterator[tuple[int, tuple[int, str]]]:
    """Where a face stands that is told with its die: its value and the name or size of the die."""
    text, begin = reading.text, reading.label_end
    for pattern in (ON_SIZE, ON_NAMED, IN_BRACKETS):
        for found in pattern.finditer(text, begin):
            yield from placed(found.start(1), found[1], found[2])
    for found in (*SHOWS.finditer(text, begin), *SET_OFF.finditer(text, begin)):
        yield from placed(found.start(3), found[3], found[1] or found[2])


def placed(start: int, figure: str, label: str) -> Iterator[tuple[int, tuple[int, str]]]:
    value = number(figure)
    if value is not None:
        yield start, (value, label.strip().lower())


def parted(reading: Reading, bit: Bit, labels: dict[int, tuple[int, str]]) -> Group:
    """The faces of one list, each with its own die where that is told."""
    alone = isinstance(bit.value, tuple) and len(bit.value) == 1
    tokens: list[Token] = []
    for found in PART.finditer(reading.text, bit.start, bit.end):
        inside = [label for place, label in labels.items() if found.start() <= place < found.end()]
        label = inside[0][1] if inside else bit.what
        tokens += [Token(face, label, alone) for face in values(found[0])]
    return Group(bit.start, bit.end, tuple(tokens))
