"""Rolls that a text tells with their faces: «rolls 2d6 and gets 4 and 8», «five dice show 2, 3, 3, 5»."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Problem
from ..told.numbers import BEHIND, LIMIT, WORD, number
from .texts import after, before

SHAPES = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
VERB = r"\b(?:(?:you|I)\s(?:roll|throw)|rolls|rolled|rolling|throws|threw|throwing)"
FEW = r"[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
DICE = (
    r"(?:(?P<count>[0-9]{0,2})[dDwW](?P<sides>4|6|8|10|12|20|100|%)(?![0-9])(?P<plus>\s?[+−–-]\s?[0-9]{1,2})?"
    rf"(?!\w|\s?[+]|/)|(?P<many>{FEW})\s(?:(?P<shape>{'|'.join(SHAPES)})[- ]sided\s|d(?P<size>4|6|8|10|12|20)\s)?"
    r"(?:dice|d(?P<plural>4|6|8|10|12|20)s?)\b)"
)
GETS = (
    r"(?P<gets>,?\s(?:(?:and|which|that|they|it)\s)?(?:gets?|got|getting|shows?|showed|showing|come\sup|comes\sup|came\sup|coming\sup"
    r"|turns?\sup|lands?\son|landed\son)(?:\sas|\swith)?\s|:\s|\s?(?=[(\[])|,\s(?=\[))"
)
FACE = rf"(?:an?\s)?(?:[0-9]{{1,3}}|{WORD})(?![\w%])"
LISTED = rf"[(\[]?(?P<faces>{FACE}(?:(?:,\s?(?:and\s)?|\sand\s|\s?&\s?|\s?\+\s?){FACE}){{0,30}})[)\]]?"
ROLL = re.compile(
    rf"{VERB}\s(?:(?:an?|his|her|their|its|your|the|my|all|only|just)\s){{0,2}}{DICE}"
    rf"(?P<middle>(?:\s[a-z’']+){{0,4}}?){GETS}(?:only\s|just\s)?{LISTED}",
    re.IGNORECASE,
)
ON_DIE = re.compile(
    rf"\b(?:rolls|rolled|rolling|throws|threw|gets|got|shows)\san?\s(?P<face>[0-9]{{1,2}}|{WORD})\son\s(?:an?|the|his|her|their|your)"
    r"\s1?d(?P<sides>4|6|8|10|12)\b(?!\s?[+−–-])",
    re.IGNORECASE,
)
PHYSICAL = re.compile(r"show|com|came|turn|land", re.IGNORECASE)
CHANGED = re.compile(  # other dice than those are told, or something happened to them
    r"\b(?:explod\w+|again|bonus\w*|extra|wild|aces?|open[- ]ended|re-?roll\w*|re-?throw\w*|keep\w*|kept|drop\w*"
    r"|discard\w*|best|worst|highest|lowest|higher|lower|(?:dis)?advantage|additional|another|more|add(?:s|ed|ing)?|spend\w*|push\w*"
    r"|replac\w*|chang\w+|becom\w+|second|specialty|luck\w*)\b",
    re.IGNORECASE,
)
SUPPOSED = re.compile(  # nothing is told, or of several rolls
    r"\b(?:twice|thrice|times|each|both|every|respectively|plus|minus|penalt\w+|among|including|pairs?|sets?|modif\w*|would|could"
    r"|might|if|per|players?|everybody|everyone|they|we|then\srolls)\b",
    re.IGNORECASE,
)
SOME = re.compile(r"\b(?:success\w*|hits?|totals?|sum|steps?|doubles|triples|matching|only)\b", re.IGNORECASE)
SEVERAL = re.compile(r"\band\s[A-Z][a-z]+\s(?:roll|throw)|\bversus\b|\bvs\b")


class Doubt(NamedTuple):
    """A problem that stands unless dice of this book explode."""

    problem: Problem
    exploding: bool  # exploding dice would explain it


class Roll(NamedTuple):
    """Dice that a text says were thrown, and the faces they came up with."""

    text: Passage
    dice: str
    many: int
    sides: int  # 0: nobody knows
    faces: tuple[int, ...]
    start: int
    end: int


def doubts(text: Passage) -> Iterator[Doubt]:
    for found in ROLL.finditer(text.text):
        one = roll(text, found)
        if one and closed(text.text, found) and not beyond(text.text, found.start(), found.end()):
            yield from doubted(one, found)
    for found in ON_DIE.finditer(text.text):
        face, sides = number(found["face"]) or 0, int(found["sides"])
        if face > sides and not beyond(text.text, found.start(), found.end()):
            one = Roll(text, f"a d{sides}", 1, sides, (face,), *found.span("face"))
            yield Doubt(no_such_face(one, face), exploding=True)


def roll(text: Passage, found: re.Match[str]) -> Roll | None:
    faces = tuple(number(re.sub(r"^an?\s", "", face[0], flags=re.IGNORECASE)) for face in faces_of(found["faces"]))
    sides = found["sides"] or found["size"] or found["plural"] or str(SHAPES.get((found["shape"] or "").lower(), 0))
    count = number(found["many"]) if found["many"] else int(found["count"] or 1)
    dice = text.text[found.start("many" if found["many"] else "count") : dice_end(found)].strip()
    known = tuple(face for face in faces if face is not None)
    if not count or len(known) != len(faces):
        return None
    return Roll(text, dice, count, 100 if sides == "%" else int(sides), known, *found.span("faces"))


def dice_end(found: re.Match[str]) -> int:
    return found.start("middle")


def faces_of(listed: str) -> Iterator[re.Match[str]]:
    return re.finditer(FACE, listed, re.IGNORECASE)


def closed(text: str, found: re.Match[str]) -> bool:
    """No noun follows that would be counted, no range and no limit."""
    return bool(BEHIND.match(text, found.end())) and not LIMIT.match(text, found.end())


def beyond(text: str, start: int, end: int) -> bool:
    """Something in this sentence or in the next one tells of further dice, or nothing was thrown at all."""
    behind = after(text, end)
    sentence = f"{before(text, start)} … {text[start:end]} {behind}"
    told = CHANGED.search(sentence) or SUPPOSED.search(sentence) or SEVERAL.search(sentence)
    return bool(told or CHANGED.search(after(text, end + len(behind) + 2)))


def doubted(one: Roll, found: re.Match[str]) -> Iterator[Doubt]:
    listed = len(one.faces)
    if listed == 1:
        yield from single(one, found)
    elif listed > one.many or (listed == one.many - 1 and only_one_lacks(one)):
        if not found["plus"]:
            yield Doubt(miscounted(one), exploding=listed > one.many)
    elif listed == one.many:
        strange = [face for face in one.faces if impossible(face, one.sides)]
        if strange and one.sides:
            yield Doubt(no_such_face(one, max(strange)), exploding=False)


def only_one_lacks(one: Roll) -> bool:
    """Each number is a face, and not only some faces are told."""
    near = after(one.text.text, one.end)
    return all(face <= (one.sides or face) for face in one.faces) and not SOME.search(near)


def single(one: Roll, found: re.Match[str]) -> Iterator[Doubt]:
    """One face of one die; only where the text speaks of the die and not of a result."""
    face = one.faces[0]
    if (
        one.many == 1
        and one.sides
        and PHYSICAL.search(found["gets"])
        and not found["plus"]
        and impossible(face, one.sides)
    ):
        yield Doubt(no_such_face(one, face), exploding=True)


def impossible(face: int, sides: int) -> bool:
    return face > sides or (face == 0 and sides not in (10, 20, 100))


def miscounted(one: Roll) -> Problem:
    listed = len(one.faces)
    are = f"{one.dice} is one die" if one.many == 1 else f"{one.dice} are {one.many} dice"
    are = are if one.sides else f"{one.dice} were thrown"
    message = f"{are}, but the text lists {listed} faces"
    note = f"list {one.many} faces, or roll {listed} dice"
    return Problem("die-count", message, one.text.span(one.start, one.end), "warning", (note,), one.text.trail)


def no_such_face(one: Roll, face: int) -> Problem:
    message = f"a d{one.sides} has no {face}"
    note = f"change the {face} to a face from 1 to {one.sides}, or the dice"
    return Problem("die-face", message, one.text.span(one.start, one.end), "warning", (note,), one.text.trail)
