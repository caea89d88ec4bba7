"""What a passage tells of a roll beyond what every prose example says: dice by name, chains, signs, kept dice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..book.prose import Passage
from ..checks.told.dice import BETWEEN, PART, TRIGGER, kind, values
from ..checks.told.mood import MODAL, Bit, Reading
from ..checks.told.numbers import NUMBER, number
from ..checks.told.read import Told, read_told

DUE = re.compile(r"need|must|ha[sd]|have|tr|want|hop", re.IGNORECASE)
POSSESSIVE = r"(?:the|an?|his|her|their|its|your|my|each)"
ON_SIZE = re.compile(
    rf"({NUMBER})\s(?:on|from|with)\s{POSSESSIVE}\s(?:[\w-]+\s)?(d(?:100|[1-9][0-9]?))\b", re.IGNORECASE
)
ON_NAMED = re.compile(
    rf"({NUMBER})\s(?:on|from|with)\s{POSSESSIVE}\s((?:[\w-]+\s)?[\w-]+)\s(?:die|dice)\b", re.IGNORECASE
)
SHOWS = re.compile(
    r"\b(?:the|his|her|their|its|your|my)\s(?:([\w-]+)\s(?:die|dice)|(d(?:100|[1-9][0-9]?)))\s"
    rf"(?:only\s|then\s)?(?:shows|showed|show|comes?\sup|came\sup|lands?\son|landed\son|reads?|is|gives|turns?\sup|goes\son\swith|explodes\sinto)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
SIGNS = re.compile(r"(?<![\w+−–\-/])[+−–\-0](?:(?:\s*,\s*(?:and\s)?|\s+and\s|\s+|/)[+−–\-0]){2,11}(?![\w+%/]|\.[0-9])")
SIGN = re.compile(r"[+−–\-0]")
SIGN_WORDS = re.compile(
    r"(?<![\w-])(one|two|three|four|an?|1|2|3|4)\s(?:\w+\s)?(plus(?:es)?|blanks?|minus(?:es)?)\b", re.IGNORECASE
)
KEEP = re.compile(r"\b([1-9][0-9]?)k([1-9][0-9]?)\b", re.IGNORECASE)
ITEM = r"[0-9]{1,3}(?:\+[0-9]{1,3}){0,8}"
CHAINED = re.compile(rf"(?<![\w+./\-−]){ITEM}(?:{BETWEEN}{ITEM}){{0,30}}(?![\w%/]|\.[0-9]|\s?[=+])", re.IGNORECASE)
REROLL = re.compile(
    rf"\b(?:re-?rolls?|re-?rolled|throws?\s(?:again|anew)|rolls?\s(?:again|anew))\s(?:{POSSESSIVE}\s)?(?:lower\s|higher\s)?({NUMBER})"
    rf"[^.;]{{0,40}}?\b(?:gets?|got|shows?|for|into|to|comes\sup|rolls?|is)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
ADDED = re.compile(
    r"(?:(?:\bplus\b|\badds?\b|\badding\b|\badded\b|\bbonus\sof\b|\bmodifier\sof\b)\s(?:(?:the|his|her|their|its|an?)\s)?|(?<![\w+.\])])(?=[+−-][0-9]))"
    rf"([+−-]?[0-9]{{1,2}}|{NUMBER})(?![0-9dD]|\.[0-9]|\s(?:dice|die|success|hit|to\s(?:\w+\s)?difficulty))",
    re.IGNORECASE,
)
RIVAL = re.compile(
    rf"\b([A-Z][\w’'-]+)\s(?:rolls?|rolled|gets?|got|throws?|threw|scores?|scored|reaches|reached|comes\sto|has)\s"
    rf"(?:only\s|just\s)?(?:an?\s)?(?:total\sof\s(?:an?\s)?)?({NUMBER})(?!\s(?:dice|die|successes|dots|on))"
)
WINS = re.compile(
    r"\b([A-Z][\w’'-]+)\s(?:wins?|won|beats?|defeats?|defeated|outdoes|comes\sout\sahead|prevails?|overpowers?)\b"
)
TIED = re.compile(r"\b(?:a\stie|tied|a\sdraw|nobody\swins|no\sone\swins|neither\swins)\b", re.IGNORECASE)


class Token(NamedTuple):
    """A face that came up: on which die, where that is said; `list` counts the lists of faces."""

    face: int
    label: str
    list: int
    alone: bool  # told for itself, so that it may only repeat a face of a list


class Swap(NamedTuple):
    """A die thrown anew: what it showed, and what it shows then."""

    before: int
    after: int


@dataclass(frozen=True)
class Clues:
    """A passage that is to be understood."""

    passage: Passage

    @cached_property
    def told(self) -> Told:
        return read_told(self.passage)

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.passage)

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def words(self) -> str:
        """The text with the headings above it, in small letters."""
        return " ".join([*self.passage.trail[-2:], self.text]).lower()

    def supposed(self, start: int, end: int) -> bool:
        """Whether a value is not meant; what somebody needs or has to reach is."""
        if self.reading.sure(start, end):
            return False
        modal = [one[0] for one in MODAL.finditer(self.text, self.reading.clause(start), start)]
        return self.reading.sentence(start).supposed or not modal or not all(map(DUE.match, modal))

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        found = (one for one in REROLL.finditer(self.text) if self.reading.sure(one.start(1), one.end()))
        pairs = ((number(one[1]), number(one[2])) for one in found)
        return tuple(Swap(before, after) for before, after in pairs if before is not None and after is not None)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The faces in the order in which they are told."""
        labels = dict(labelled(self))
        chained = dict(chains(self))
        lists: list[tuple[int, Sequence[Token]]] = [
            (start, [Token(face, label, -1, False) for face in faces]) for (start, _), (faces, label) in chained.items()
        ]
        known = {place for start, end in chained for place in range(start, end)}
        for count, bit in enumerate(one for one in self.told.faces if one.sure and one.start not in known):
            lists.append((bit.start, list(parted(self, bit, labels, count))))
        known |= {place for bit in self.told.faces for place in range(bit.start, bit.end)}
        for place, (face, label) in labels.items():
            if place not in known and self.reading.sure(place, place + 1):
                lists.append((place, [Token(face, label, len(lists), True)]))
        return tuple(token for _, faces in sorted(lists, key=lambda one: one[0]) for token in faces)

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """Signs such as + - 0, as dice show them that have no numbers."""
        for found in SIGNS.finditer(self.text):
            if self.reading.sure(found.start(), found.end()):
                return tuple(plain_sign(sign) for sign in SIGN.findall(found[0]))
        counted = [
            (plain_sign(one[2]), number(one[1]) or 1)
            for one in SIGN_WORDS.finditer(self.text)
            if self.reading.sure(one.start(), one.end())
        ]
        return tuple(sign for sign, times in counted for _ in range(times))

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Numbers that are added to what the dice show."""
        found = (one for one in ADDED.finditer(self.text, self.reading.label_end))
        told = (signed(one[1]) for one in found if self.reading.sure(one.start(1), one.end()))
        return tuple(dict.fromkeys(value for value in told if value is not None))

    @cached_property
    def kept(self) -> tuple[int, int] | None:
        """5k3: so many dice thrown, so many kept."""
        found = KEEP.search(self.text)
        return (int(found[1]), int(found[2])) if found else None

    @cached_property
    def rivals(self) -> tuple[tuple[str, int], ...]:
        """Who rolled what, where two are told."""
        found = ((one[1], number(one[2])) for one in RIVAL.finditer(self.text, self.reading.label_end))
        return tuple({name: value for name, value in found if value is not None}.items())

    @cached_property
    def winner(self) -> str:
        """Who is said to win; «none» of a tie."""
        names = {name for name, _ in self.rivals}
        found = [one[1] for one in WINS.finditer(self.text) if one[1] in names]
        return found[-1] if found else "none" if TIED.search(self.text) else ""


def plain_sign(text: str) -> str:
    """The sign that is meant: + - 0."""
    low = text.lower()
    return "+" if low == "+" or low.startswith("plus") else "0" if low == "0" or low.startswith("blank") else "-"


def signed(text: str) -> int | None:
    plain = text.replace("−", "-").lstrip("+")
    return -int(plain[1:]) if re.fullmatch(r"-[0-9]+", plain) else number(plain)


def labelled(clues: Clues) -> Iterator[tuple[int, tuple[int, str]]]:
    """Where a face stands that is told with its die: its value and the name or size of the die."""
    text, begin = clues.text, clues.reading.label_end
    for pattern, at, name in ((ON_SIZE, 1, 2), (ON_NAMED, 1, 2)):
        for found in pattern.finditer(text, begin):
            yield from placed(found.start(at), found[at], found[name])
    for found in SHOWS.finditer(text, begin):
        yield from placed(found.start(3), found[3], found[1] or found[2])


def chains(clues: Clues) -> Iterator[tuple[tuple[int, int], tuple[list[int], str]]]:
    """Faces of which some are joined by +, as throws of one die: where they stand, and on which die."""
    for found in CHAINED.finditer(clues.text, clues.reading.label_end):
        begin = clues.reading.clause_start(found.start())
        if "+" in found[0] and TRIGGER.search(clues.text, begin, found.start()) and clues.reading.sure(*found.span()):
            yield (
                found.span(),
                ([int(face) for face in re.findall("[0-9]+", found[0])], kind(clues.reading, *found.span())),
            )


def placed(start: int, figure: str, label: str) -> Iterator[tuple[int, tuple[int, str]]]:
    value = number(figure)
    if value is not None:
        yield start, (value, label.strip().lower())


def parted(clues: Clues, bit: Bit, labels: dict[int, tuple[int, str]], count: int) -> Iterator[Token]:
    """The faces of one list, each with its own die where that is told."""
    faces = bit.value if isinstance(bit.value, tuple) else ()
    for found in PART.finditer(clues.text, bit.start, bit.end):
        inside = [label for place, label in labels.items() if found.start() <= place < found.end()]
        label = inside[0][1] if inside else bit.what
        yield from (Token(face, label, count, len(faces) == 1) for face in values(found[0]))
