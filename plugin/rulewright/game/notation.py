"""Recorded dice as text: «1 4 7 10 | 1 10», «regular 3 5 2 | wild 6+4», «[1, 4] [1, 10]»."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .model import Kind, Rule

ARROW = re.compile(r"\s*(?:->|→)\s*")


class Mark(NamedTuple):
    """A die, a bar, or the name of a kind, with its place in the text."""

    what: str  # die, bar, kind
    text: str
    start: int
    end: int
    kind: int = -1


class Thrown(NamedTuple):
    """One entry of «rerolled»: the die was this, and became that."""

    kind: int | None
    before: str
    after: str
    start: int
    end: int
    turn: int | None = None  # how many bars stand before it, where there are any


class Unreadable(Exception):
    """A record that does not fit; `start` and `end` are places in the text of `part`: dice or rerolled."""

    def __init__(self, message: str, start: int = 0, end: int = 0, part: str = "dice") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.part = message, start, end, part


def read_dice(text: str, rule: Rule) -> list[Mark]:
    """The dice of a record in the order in which they are written."""
    return list(marks(text, rule))


def kind_names(rule: Rule) -> re.Pattern[str]:
    """Finds the name of a kind at the beginning of a text, the longest first."""
    names = sorted((kind.name for kind in rule.dice), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, names))})(?![^\\s,|\\[\\]])" if names else "(?!)", re.IGNORECASE)


def pieces(rule: Rule) -> re.Pattern[str]:
    """Finds the pieces of a record: names of kinds, bars, dice."""
    return re.compile(rf"(?P<kind>{kind_names(rule).pattern})|(?P<bar>[|\[\]])|(?P<die>[^\s,|\[\]]+)", re.IGNORECASE)


def marks(text: str, rule: Rule) -> Iterator[Mark]:
    for found in pieces(rule).finditer(text):
        what = "kind" if found["kind"] else "bar" if found["bar"] else "die"
        yield Mark(what, found[0].lower() if what == "kind" else found[0], found.start(), found.end())


def read_throws(kind: Kind, text: str) -> list[int] | None:
    """The faces of one die, as they are marked; None where one is not on the die."""
    if not kind.faces and text.isdigit() and text.isascii() and len(text) < 9:  # what nearly every die looks like
        return [int(text)]
    faces = [face_number(kind, part) for part in throw_texts(kind, text)]
    return None if None in faces else [face for face in faces if face is not None]


def throw_texts(kind: Kind, text: str) -> list[str]:
    """The throws of one die, joined by + where it can explode; elsewhere + is a face."""
    return text.split("+") if kind.explode else [text]


def face_number(kind: Kind, text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if kind.faces:
        return next((number for label, number in kind.faces if label.replace("−", "-").lower() == text), None)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def face_text(kind: Kind, face: int) -> str:
    if not kind.faces:
        return str(face)
    return next((label for label, number in kind.faces if number == face), str(face))


def read_rerolls(text: str, rule: Rule) -> list[Thrown]:
    """«skill 2 -> 4, attribute 1 -> 3», in order; the kind may be left out where only one is meant. A bar leads on to
    the next reroll of the rule."""
    found, start = [], 0
    for turn, own in enumerate(text.split("|")):
        for part in own.split(","):
            if part.strip():
                found.append(read_reroll(part, rule, start, turn if "|" in text else None))
            start += len(part) + 1
    return found


def read_reroll(part: str, rule: Rule, start: int, turn: int | None) -> Thrown:
    bare = part.strip()
    start += part.index(bare)
    end, names = start + len(bare), kind_names(rule)
    named = names.match(bare)
    numbers = {kind.name.lower(): number for number, kind in enumerate(rule.dice)}
    sides = ARROW.split(bare[named.end() :].strip() if named else bare)
    if len(sides) != 2 or not all(sides) or any(" " in side for side in sides):
        example = f"{rule.dice[0].name if rule.dice else 'skill'} 2 -> 4"
        message = f"«{bare}» is no reroll; write the kind, the face before, an arrow and the face after: {example}"
        raise Unreadable(message, start, end, "rerolled")
    return Thrown(numbers[named.group().lower()] if named else None, sides[0], sides[1], start, end, turn)
