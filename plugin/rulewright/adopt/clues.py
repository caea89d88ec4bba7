"""What a passage tells of a roll beyond what every prose example says: dice by name, chains, signs, kept dice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..book.prose import Passage
from ..checks.told.mood import MODAL, Reading
from ..checks.told.numbers import NUMBER, number
from ..checks.told.read import Told, read_told
from .faces import POSSESSIVE, Group, Token, faces

DUE = re.compile(r"need|must|ha[sd]|have|tr|want|hop", re.IGNORECASE)
SIGNS = re.compile(r"(?<![\w+−–\-/])[+−–\-0](?:(?:\s*,\s*(?:and\s)?|\s+and\s|\s+|/)[+−–\-0]){2,11}(?![\w+%/]|\.[0-9])")
CLOSE_SIGNS = re.compile(r"(?<!\S)[+−–\-0]{4}(?=[\s,.;:)]|$)")
SIGN = re.compile(r"[+−–\-0]")
SIGN_WORDS = re.compile(
    r"(?<![\w-])(one|two|three|four|an?|1|2|3|4)\s(?:\w+\s)?(plus(?:es)?|blanks?|minus(?:es)?)\b", re.IGNORECASE
)
KEEP = re.compile(r"\b([1-9][0-9]?)k([1-9][0-9]?)\b", re.IGNORECASE)
REROLL = re.compile(
    rf"\b(?:re-?rolls?|re-?rolled|throws?\s(?:again|anew)|rolls?\s(?:again|anew))\s(?:{POSSESSIVE}\s)?(?:lower\s|higher\s)?({NUMBER})"
    rf"[^.;]{{0,40}}?\b(?:gets?|got|shows?|for|into|to|comes\sup|rolls?|is)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
THROWN_AGAIN = re.compile(
    rf"\b(?:the|his|her|their)\s({NUMBER})\s(?:is|was|gets|got)\s(?:re-?rolled|(?:thrown|rolled)\s(?:again|anew))"
    rf"[^.;]{{0,30}}?\b(?:gets?|shows?|for|into|to|comes\sup|becomes|is|gives)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
ADDED = re.compile(
    r"(?:\b(plus|adds?|adding|added|bonus\sof|modifier\sof|minus|subtracts?)\s(?:(?:the|his|her|their|its|an?)\s)?"
    r"|(?<![\w+.\])])(?=[+−-][0-9]))"
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
        found = [*REROLL.finditer(self.text), *THROWN_AGAIN.finditer(self.text)]
        told = (one for one in sorted(found, key=lambda one: one.start()) if not self.supposed(one.start(1), one.end()))
        pairs = ((number(one[1]), number(one[2])) for one in told)
        return tuple(Swap(before, after) for before, after in pairs if before is not None and after is not None)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        return faces(self.reading, self.told)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The faces in the order in which they are told."""
        return tuple(token for group in self.groups for token in group.tokens)

    def is_face(self, place: int) -> bool:
        return any(group.start <= place < group.end for group in self.groups)

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """Signs such as + - 0, as dice show them that have no numbers."""
        text = re.sub(r"[][]", " ", self.text)
        for found in (*SIGNS.finditer(text), *CLOSE_SIGNS.finditer(text)):
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
        told = (change(one[1] or "", one[2]) for one in found if self.reading.sure(one.start(2), one.end()))
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


def change(word: str, figure: str) -> int | None:
    """A number that is added, or with «minus» taken away."""
    value = signed(figure)
    return -value if value and word.lower().startswith(("minus", "subtract")) else value


def signed(text: str) -> int | None:
    plain = text.replace("−", "-").lstrip("+")
    return -int(plain[1:]) if re.fullmatch(r"-[0-9]+", plain) else number(plain)
