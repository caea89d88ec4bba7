"""Averages beside dice: 13 (3d8), 2d6 + 3 [10], «3d6, 10 on average»."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Span
from .average_book import judged
from .formulas import FORMULA, Formula, formula
from .model import Check, Noticed, Reading
from .pairs import Pair, near
from .texts import around, before, texts

VALUE = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})(?:\.[0-9]{1,2}(?![0-9])|½)?"
AVERAGE = r"(?:averag(?:es?|ing|ed)|avg\.?|av\.|mean|ø|im\s(?:schnitt|mittel)|durchschnitt(?:lich)?)"
UNIT = r"(?:hp|hit\spoints?|hits?|lp|points?|pts\.?|damage|dmg)"
AHEAD = re.compile(  # 13 (
    rf"(?P<label>\b{AVERAGE}(?:\s(?:of|is|roll|result|damage))*:?\s)?"
    rf"(?<![\w.,+/−–$€£#§-])(?<![0-9]:)(?P<value>{VALUE})(?P<unit>\s{UNIT})?\s?[(\[]$",
    re.IGNORECASE,
)
CLOSED = re.compile(r"\s?(?:[)\]]|[;,]\s[A-Za-z])")
BEHIND = re.compile(  # 3d8 (13 hp)
    rf"\s?(?P<open>[(\[])\s?(?P<label>{AVERAGE}(?:\s(?:of|is|roll|result|damage))*\s?[:=]?\s?)?"
    rf"[~≈]?(?P<value>{VALUE})(?P<unit>\s{UNIT})?(?P<mean>\s(?:on\saverage|average|avg\.?|mean))?\s?[)\]]",
    re.IGNORECASE,
)
TOLD = re.compile(  # 3d8, averaging 13
    rf"(?:\s{UNIT})?[,:;]?\s(?:[–—-]\s)?[(\[]?(?:(?:with|for|has|have|is|of)\s)?(?:an?\s|the\s)?(?P<label>{AVERAGE}"
    rf"(?:\s(?:of|is|roll|result|damage|total))*)\s?[:=]?\s?(?P<value>{VALUE})(?![\w%/:]|[.,][0-9]|\s?[×x+*/–−-]\s?[0-9d])",
    re.IGNORECASE,
)
ON_AVERAGE = re.compile(
    rf"(?:,|\sis|\s=)\s(?P<value>{VALUE})(?:\s{UNIT})?\s(?P<label>on\saverage|im\sschnitt)\b", re.IGNORECASE
)
WORD_BEFORE = re.compile(r"([^\W\d_]+)[^\w+]{0,3}$")
LISTED = re.compile(r"[)\]]?(?:,|;)?\s(?:(?:and|or)\s)?")  # between the items of a list
DAMAGE_BEHIND = re.compile(r"[)\]]\s(?:[a-z]+\s){0,2}(?:damage|dmg|hit points|hp)\b", re.IGNORECASE)
ROLLED = re.compile(r"\b(?:rolls|rolled|rolling|throws|threw)\b", re.IGNORECASE)  # then it is a result
OTHER_DICE = re.compile(  # then the mean of the dice is another one
    r"\b(?:best|worst|highest|lowest|drop\w*|keep\w*|kept|explod\w*|re-?roll\w*|open[- ]ended|(?:dis)?advantage|each|"
    r"per|twice|instead|minimum|maximum|min|max|critical|crit|cap\w*|at\sleast|at\smost|treat\w*|count\w*)\b|[↑↓!]",
    re.IGNORECASE,
)
MEAN_COLUMN = re.compile(rf"{AVERAGE}(?:\s(?:roll|result|damage|dmg|value|hp|hit points|total))?", re.IGNORECASE)
POINTS_COLUMN = re.compile(r"hp|hit points", re.IGNORECASE)
WHOLE = re.compile(rf"(?<![\w.,+−–-])({VALUE})")


class Match(NamedTuple):
    """A number that may be an average: where it stands, and what says so."""

    start: int
    end: int
    shape: str  # «13 (3d8)» and «3d8 [13]» are different habits
    label: bool  # the text itself says that this is an average


def look(reading: Reading) -> Noticed:
    found = [*(pair for text in texts(reading) for pair in pairs(text)), *columns(reading)]
    return Noticed(sum(pair.label or near(pair) for pair in found), facts=tuple(found))


def pairs(text: Passage) -> Iterator[Pair]:
    last, key = 0, ""
    for found in FORMULA.finditer(text.text):
        dice = formula(found[0])
        match = beside(text.text, found) if dice else None
        if dice and match:
            first, end = min(match.start, found.start()), max(match.end, found.end())
            key = key if last and LISTED.fullmatch(text.text, last, first) else word_before(text.text, first)
            last = end
            if not (match.label and OTHER_DICE.search(around(text.text, *found.span()))):
                yield pair(text, found, dice, match, key)


def word_before(text: str, place: int) -> str:
    if told := ROLLED.search(before(text, place)):
        return told[0].lower()
    word = WORD_BEFORE.search(text[max(place - 30, 0) : place])
    return word[1].lower() if word else ""


def pair(text: Passage, found: re.Match[str], dice: Formula, match: Match, key: str) -> Pair:
    said = text.text[match.start : match.end]
    damage = match.shape == "13 (3d8)" and bool(DAMAGE_BEHIND.match(text.text, match_end(text.text, found.end())))
    shape = match.shape + (" die" if dice.bare else "")
    return Pair(
        value(said), dice, found[0], shape, key, match.label, damage, text.span(match.start, match.end), text.trail
    )


def match_end(text: str, place: int) -> int:
    return place + (text.startswith(" ", place))


def beside(text: str, found: re.Match[str]) -> Match | None:
    """The number that belongs to a dice formula."""
    start, end = found.span()
    window = max(start - 60, 0)
    ahead = AHEAD.search(text[window:start])
    if ahead and CLOSED.match(text, end):
        return Match(window + ahead.start("value"), window + ahead.end("value"), "13 (3d8)", bool(ahead["label"]))
    if (behind := BEHIND.match(text, end)) and not (ahead and not behind["label"]):
        label = bool(behind["label"] or behind["mean"])
        shape = f"3d8 {behind['open']}13{(behind['unit'] or '').lower()}"
        return Match(*behind.span("value"), shape, label)
    told = TOLD.match(text, end) or ON_AVERAGE.match(text, end)
    return Match(*told.span("value"), "averages", True) if told else None


def columns(reading: Reading) -> Iterator[Pair]:
    """Tables with a column of dice and one of averages beside it; both must be full of them."""
    for table in reading.tables:
        means = [at for at, head in enumerate(table.header) if is_mean(head.text.strip())]
        dice = [found for cells in table.columns if (found := formulas_of(cells))] if means else []
        for at in means if len(dice) == 1 else ():
            yield from column(table.columns[at], dice[0], f"column of line {table.line}")


def is_mean(header: str) -> bool:
    return bool(MEAN_COLUMN.fullmatch(header) or POINTS_COLUMN.fullmatch(header))


def formulas_of(cells: Iterable[Passage]) -> list[tuple[Formula, str]]:
    written = [cell.text.strip() for cell in cells]
    if not all(map(FORMULA.fullmatch, written)):
        return []
    return [(one, text) for text in written if (one := formula(text))]


def column(cells: Iterable[Passage], dice: list[tuple[Formula, str]], shape: str) -> Iterator[Pair]:
    for cell, (one, text) in zip(cells, dice, strict=False):
        found = WHOLE.fullmatch(cell.text.strip())
        if found:
            start = cell.text.find(found[1])
            span: Span = cell.span(start, start + len(found[1]))
            yield Pair(value(found[1]), one, text, shape, shape, False, False, span, cell.trail)


def value(text: str) -> float:
    plain = text.replace(",", "")
    return float(plain.rstrip("½")) + (0.5 if plain.endswith("½") else 0)


AVERAGES = Check("average", "averages", look, judged)
