"""Rolls of Fate dice in a sentence: «rolls [+0+-] with Good (+3) for a Great (+4)»."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Span
from .ladder_learned import SIGNED, amount
from .texts import after, before

FACE = r"[+\-−–0]"
FACES = re.compile(
    rf"\[\s?(?P<listed>{FACE}(?:\s?[,/|]?\s?{FACE}){{2,5}})\s?\]|\((?P<round>{FACE}(?:\s?[,/|]?\s?{FACE}){{3}})\)"
    rf"|(?P<glyphs>[⊞⊟⊡](?:\s?[⊞⊟⊡]){{2,5}})|(?<![\w+\-−–])(?P<tight>{FACE}{{4}})(?![\w+\-−–])"
    rf"|(?<=\s)(?P<apart>{FACE}(?:,?\s{FACE}){{3}})(?=[\s.,;:)])(?!\s{FACE})"
)
VALUES = {"+": 1, "⊞": 1, "-": -1, "−": -1, "–": -1, "⊟": -1, "0": 0, "⊡": 0}
ROLLING = re.compile(r"\b(?:roll\w*|throw\w*|threw|dice|gets?|got|comes?\sup|came\sup|show\w*)\b", re.IGNORECASE)
TOTAL = re.compile(
    r"(?:\b(?:for|totals?|totall?ing|results?|giving|gives?|gave|makes?|made|making|is|gets?|got|getting|yields?|ends?|comes?"
    r"|reach\w*|scor\w+|achiev\w+|final|outcome|becomes?)\b|=)[^0-9+−–;]{0,25}$",
    re.IGNORECASE,
)
OTHERWISE = re.compile(  # words by which more is added, or by which a number is something else
    r"\b(?:invok\w+|stunts?|bonus\w*|boosts?|re-?roll\w*|plus|minus|penalt\w+|another|more|less|help\w*|teamwork|weapon\w*|armou?r"
    r"|against|vs|versus|oppos\w+|difficult\w*|shifts?|again|if|would|could|needs?|aspects?|spends?|target|beats?|defen\w+|extra)\b",
    re.IGNORECASE,
)
ITSELF = re.compile(rf"\s?(?:=|\()\s?(?P<value>{SIGNED})\)?")


class Throw(NamedTuple):
    """Fate dice in a sentence, which is kept until the ladder is known."""

    shown: str
    sum: int
    before: str
    after: str
    span: Span
    trail: tuple[str, ...]


class Told(NamedTuple):
    """A number of the sentence, written or named."""

    value: int
    shown: str
    start: int


def throws(text: Passage) -> Iterator[Throw]:
    for found in FACES.finditer(text.text):
        faces = [VALUES[sign] for sign in found[0] if sign in VALUES]
        ahead = before(text.text, found.start())
        behind = after(text.text, found.end())
        if any(faces) and (ROLLING.search(ahead) or behind.lstrip().startswith("=")):
            yield Throw(found[0], sum(faces), ahead, behind, text.span(*found.span()), text.trail)


def wrong(throw: Throw, ladder: Mapping[str, int]) -> tuple[str, str] | None:
    """What the dice come to and what the sentence says, where the two differ."""
    itself, behind = ITSELF.match(throw.after), throw.after
    mods = told(throw.before, ladder)
    if itself:
        value = amount(itself["value"])
        whole = throw.sum + mods[0].value if len(mods) == 1 and "=" in itself[0] else throw.sum
        if value not in (throw.sum, whole):
            return signed(throw.sum), itself["value"]
        behind = behind[itself.end() :]
    rest = told(behind, ladder)
    more = OTHERWISE.search(throw.before + behind) or FACES.search(throw.before) or FACES.search(behind)
    return None if more else summed(throw, behind, mods, rest)


def summed(throw: Throw, behind: str, mods: list[Told], rest: list[Told]) -> tuple[str, str] | None:
    """Dice, one number that is added, and a total behind them: nothing else may stand in the sentence."""
    if len(mods) + len(rest) != 2 or not rest or not TOTAL.search(behind[: rest[-1].start]):
        return None
    mod, total = [*mods, *rest]
    if throw.sum + mod.value == total.value:
        return None
    return f"{signed(throw.sum)}, with {mod.shown} to {signed(throw.sum + mod.value)}", total.shown


def told(text: str, ladder: Mapping[str, int]) -> list[Told]:
    """The numbers of a part of a sentence: «Good (+3)», «+3», and «Good» where the ladder has it."""
    names = "|".join(map(re.escape, sorted(ladder, key=len, reverse=True))) or "(?!)"
    pattern = rf"(?:\b(?:{names})\s?)?\(?(?<![\w+])(?P<value>{SIGNED})\)?(?![\w%])|\b(?P<name>{names})\b(?!\s[A-Z])"
    found = re.finditer(pattern, text)
    return [
        Told(amount(one["value"]) if one["value"] else ladder[one["name"]], one[0].strip(), one.start())
        for one in found
    ]


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
