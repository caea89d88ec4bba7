"""Averages written next to dice: "13 (3d8)", "2d6 + 3 [10]", "3d6, 10 on average".

Whether a number next to dice is meant as their average is learned from the whole book (`Habits`), as is the way the
book rounds. So `check_page` collects pairs of dice and number, and `check_book` decides.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import NamedTuple

from ..book.text import Passage
from ..source import Problem, Span
from .check import Check, Noticed, Reading, around, before, texts

DIE = r"(?:[0-9]{1,4})?[dDwW](?:%|[1-9][0-9]{0,3}(?![0-9]))"  # German books write W
PLUS_MINUS = r"(?:\s?[+\-−–]\s?|\splus\s|\sminus\s)"
NUMBER = r"[0-9]{1,5}(?![\w%])"
FORMULA = re.compile(
    rf"(?<![\w.+/½¼])(?<![+−–×*-]\s)(?<![−–-])(?<!/[0-9]\s){DIE}(?![\w%])"
    rf"(?:{PLUS_MINUS}(?:{DIE}(?![\w%])|{NUMBER})){{0,8}}(?:\s?[×x*]\s?{NUMBER})?"
)
PART = re.compile(rf"(?P<sign>{PLUS_MINUS})?(?:(?P<die>{DIE})|(?P<number>{NUMBER}))")
TIMES = re.compile(rf"\s?[×x*]\s?({NUMBER})$")
MINUS = re.compile(r"[\-−–]|minus")


class Dice(NamedTuple):
    """A number of equal dice; negative where they are subtracted."""

    number: int
    sides: int


class Formula(NamedTuple):
    """A sum of dice and a number, multiplied by a factor."""

    dice: tuple[Dice, ...]
    plus: int
    times: int = 1
    bare: bool = False  # "d8" without a count is often a rating, not a roll

    @property
    def mean(self) -> float:
        """The exact mean: always a multiple of one half, so a float is enough."""
        return self.times * (sum(one.number * (one.sides + 1) for one in self.dice) / 2 + self.plus)

    @property
    def least(self) -> int:
        return self.times * (self.plus + sum(one.number * (1 if one.number > 0 else one.sides) for one in self.dice))

    @property
    def most(self) -> int:
        return self.times * (self.plus + sum(one.number * (one.sides if one.number > 0 else 1) for one in self.dice))

    def each_die(self, up: bool) -> int:
        """The mean when every single die is rounded."""
        return self.times * (self.plus + sum(one.number * ((one.sides + up + 1) // 2) for one in self.dice))

    def each_throw(self, up: bool) -> int:
        """The mean when 1d6 and 2d8 in 1d6 + 2d8 are rounded separately."""
        return self.times * (self.plus + sum((one.number * (one.sides + 1) + up) // 2 for one in self.dice))

    @property
    def first_at_most(self) -> float:
        """The mean when the first die counts with its highest face, as for hit points of player characters."""
        return self.mean + (self.dice[0].sides - 1) / 2


def formula(text: str) -> Formula | None:
    """Parse a match of FORMULA; None where it is ambiguous or not rollable."""
    times = TIMES.search(text)
    parts = list(PART.finditer(text, 0, times.start() if times else len(text)))
    if times and len(parts) > 1:
        return None  # 2d6 + 3 × 10: which of them is multiplied?
    dice = tuple(die(part["die"], sign(part)) for part in parts if part["die"])
    if not dice or any(one.sides < 2 or not one.number for one in dice):
        return None
    plus = sum(sign(part) * int(part["number"]) for part in parts if part["number"])
    return Formula(dice, plus, int(times[1]) if times else 1, bare=not text[0].isdecimal())


def sign(part: re.Match[str]) -> int:
    return -1 if MINUS.search(part["sign"] or "") else 1


def die(text: str, sign: int) -> Dice:
    count, sides = re.split("[dDwW]", text)
    return Dice(sign * int(count or 1), 100 if sides == "%" else int(sides))


FIRST_AT_MOST = {"hp", "points", "hits", "lp"}


class Pair(NamedTuple):
    """A number next to dice. `key` is the word before it; each word may have a habit of its own."""

    said: float
    dice: Formula
    written: str  # the dice as the page writes them
    shape: str
    key: str
    label: bool  # the text itself says that this is an average
    damage: bool  # damage in this form is nearly always an average
    span: Span
    trail: tuple[str, ...]


def fits(pair: Pair) -> bool:
    """Whether the number is the average in any rounding. Averages below 1 may be raised to 1."""
    mean, dice = pair.dice.mean, pair.dice
    if pair.said in (mean, floor(mean), ceil(mean)) or (pair.said == 1 and mean < 1):
        return True
    return len(dice.dice) > 1 and pair.said in (dice.each_throw(up=False), dice.each_throw(up=True))


def die_by_die(pair: Pair) -> bool:
    """Whether the number fits only if each die is rounded: 5 for 1d8, 15 for 3d8."""
    return not fits(pair) and pair.said in (pair.dice.each_die(up=False), pair.dice.each_die(up=True))


def hero(pair: Pair) -> bool:
    """Whether these are hit points whose first die counts in full."""
    return pair.key in FIRST_AT_MOST and abs(pair.said - pair.dice.first_at_most) < 1 and not fits(pair)


def near(pair: Pair) -> bool:
    """Whether the number is so close to the mean that it can hardly mean anything else."""
    return abs(pair.said - pair.dice.mean) <= max(2, pair.dice.mean * 0.35)


def way(pair: Pair) -> str:
    """How a fractional mean was rounded: "up", "down" or "not"; empty where that is unknown."""
    mean = pair.dice.mean
    if mean == int(mean) or not fits(pair) or mean < 1:
        return ""
    return "not" if pair.said == mean else "down" if pair.said < mean else "up"


def figure(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}".rstrip("0")


def others(pair: Pair, rounds: str) -> str:
    """Suggest similar dice that have the number in the text as their average."""
    found = [shown(dice) for dice in variants(pair.dice) if average(dice, rounds) == pair.said]
    return f"; {' or '.join(found[:2])} would average {figure(pair.said)}" if found else ""


def average(dice: Formula, rounds: str) -> int:
    return ceil(dice.mean) if rounds == "up" else floor(dice.mean)


def variants(dice: Formula) -> list[Formula]:
    """The formula with one number changed, smallest changes first."""
    if len(dice.dice) != 1 or dice.times != 1:
        return []
    (one,) = dice.dice
    counts = [one.number + step for step in (0, 1, -1, 2, -2) if one.number + step > 0]
    numbers = [dice._replace(plus=dice.plus + step) for step in (1, -1, 2, -2, 3, -3)] if dice.plus else []
    return [*numbers, *(dice._replace(dice=(Dice(count, size),)) for size in by_likeness(one) for count in counts)]


def by_likeness(dice: Dice) -> list[int]:
    """Sizes of dice, the written one first."""
    return [dice.sides, *(size for size in (4, 6, 8, 10, 12, 20) if size != dice.sides)]


def shown(dice: Formula) -> str:
    (one,) = dice.dice
    plus = f" + {dice.plus}" if dice.plus > 0 else f" − {-dice.plus}" if dice.plus else ""
    return f"{one.number}d{one.sides}{plus}"


ENOUGH = 3  # averages that fit before they count as a habit
STEADY = 4  # means rounded the same way before the book's rounding is known
NO_AVERAGE = re.compile(  # a number after one of these words is not an average
    r"levels?|lvl|pages?|pp?|pg|table|chapter|section|roll(?:s|ed|ing)?|throw(?:s|ing)?|threw|target|dc|check|save|ac|hd|die|dice"
    r"|morale|ml|recharge|difficulty|rank|tier|cr|initiative|bonus|step|gets?|got|prices?|costs?|rounds?|turns?|aged?"
)


class Habits(NamedTuple):
    """How a book writes and rounds the averages of dice."""

    shapes: frozenset[str]  # notations in which a number is an average
    keys: frozenset[str]  # words after which it is an average even when it is far off
    strangers: frozenset[str]  # words after which it is something else
    by_die: bool  # each die is rounded by itself
    rounds: str  # "down", "up", or "" when unknown
    ways: Mapping[str, str]  # the same by notation, where it is known
    exact: frozenset[str]  # notations in which a mean keeps its half
    agree: int
    of: int


def judged(pairs: Sequence[Pair]) -> list[Problem]:
    habits = learned(pairs)
    return [problem for pair in pairs for problem in [wrong(pair, habits)] if problem]


def learned(pairs: Sequence[Pair]) -> Habits:
    strangers = frozenset(key for key, (good, bad) in tally(pairs, "key").items() if bad >= 2 and bad >= good)
    known = [
        pair for pair in pairs if pair.key not in strangers and not NO_AVERAGE.fullmatch(pair.key) and not hero(pair)
    ]
    many = [pair for pair in known if any(abs(dice.number) > 1 for dice in pair.dice.dice)]
    by_die = count(die_by_die, many) >= max(ENOUGH, count(fits, many))
    shapes = {shape for shape, (good, bad) in tally(known, "shape", by_die).items() if good >= max(ENOUGH, 2 * bad)}
    keys = {key for key, (good, bad) in tally(known, "key", by_die).items() if key and sure(good, bad)}
    agree = [pair for pair in known if right(pair, by_die)]
    exact = frozenset(pair.shape for pair in agree if way(pair) == "not")
    ways = {shape: rounding([pair for pair in agree if pair.shape == shape]) for shape in shapes}
    told = (rounding(agree), {shape: found for shape, found in ways.items() if found})
    return Habits(frozenset(shapes), frozenset(keys), strangers, by_die, *told, exact, len(agree), len(known))


def count(asks: Callable[[Pair], bool], pairs: Iterable[Pair]) -> int:
    return sum(map(asks, pairs))


def sure(good: int, bad: int) -> bool:
    return good > ENOUGH and good >= 10 * bad - 5


def tally(pairs: Iterable[Pair], what: str, by_die: bool = False) -> dict[str, list[int]]:
    """How many pairs fit and how many do not, by notation or by the word before. Damage that fits counts twice."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair in pairs:
        good = right(pair, by_die)
        counts[pair.shape if what == "shape" else pair.key][not good] += 1 + (good and pair.damage)
    return counts


def right(pair: Pair, by_die: bool) -> bool:
    return fits(pair) or hero(pair) or (by_die and die_by_die(pair))


def rounding(pairs: Iterable[Pair]) -> str:
    """The way in which nearly all means are rounded; empty where there is none."""
    ways = Counter(way(pair) for pair in pairs if not pair.label)
    (best, most), (_, least) = sorted((("down", ways["down"]), ("up", ways["up"])), key=lambda one: -one[1])
    return best if most >= STEADY and most >= 8 * least - 4 else ""


def wrong(pair: Pair, habits: Habits) -> Problem | None:
    if not is_average(pair, habits):
        return None
    if not right(pair, habits.by_die):
        return apart(pair, habits)
    return rounded_else(pair, habits) if not pair.label else None


def is_average(pair: Pair, habits: Habits) -> bool:
    if pair.label:
        return pair.said * 2 == int(pair.said * 2)  # 4.2 is the average of an exploding die
    if pair.key in habits.strangers or NO_AVERAGE.fullmatch(pair.key):
        return False
    usual = pair.shape in habits.shapes or (pair.damage and not pair.dice.bare)
    return usual and (near(pair) or pair.key in habits.keys)


def apart(pair: Pair, habits: Habits) -> Problem:
    mean, best = pair.dice.mean, nearest_way(pair, habits)
    exact = f", {figure(best)} when rounded {habits.rounds or 'down'}" if mean != int(mean) and best != mean else ""
    message = f"{pair.written} averages {figure(mean)}{exact}, but the text says {figure(pair.said)}"
    notes = [f"write {figure(best)}, or change the dice{others(pair, habits.rounds)}"]
    if not pair.label and habits.agree >= ENOUGH:
        notes.append(f"{habits.agree} of {habits.of} numbers beside dice in this book are their averages")
    return Problem("average-wrong", message, pair.span, "warning", tuple(notes), pair.trail)


def nearest_way(pair: Pair, habits: Habits) -> float:
    mean = pair.dice.mean
    if pair.shape in habits.exact or (pair.label and not habits.rounds):
        return mean
    return ceil(mean) if habits.rounds == "up" else max(floor(mean), 1)


def rounded_else(pair: Pair, habits: Habits) -> Problem | None:
    rounds = habits.ways.get(pair.shape, habits.rounds)
    if not rounds or way(pair) not in ("down", "up") or way(pair) == rounds:
        return None
    best = figure(ceil(pair.dice.mean) if rounds == "up" else max(floor(pair.dice.mean), 1))
    message = (
        f"{pair.written} averages {figure(pair.dice.mean)}, which this book rounds {rounds} to {best}, "
        f"but the text says {figure(pair.said)}"
    )
    note = f"write {best}, or change the dice{others(pair, rounds)}"
    return Problem("average-rounded", message, pair.span, "warning", (note,), pair.trail)


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
LISTED = re.compile(r"[)\]]?(?:,|;)?\s(?:(?:and|or)\s)?")  # between items of a list
DAMAGE_BEHIND = re.compile(r"[)\]]\s(?:[a-z]+\s){0,2}(?:damage|dmg|hit points|hp)\b", re.IGNORECASE)
ROLLED = re.compile(r"\b(?:rolls|rolled|rolling|throws|threw)\b", re.IGNORECASE)  # then the number is a result
OTHER_DICE = re.compile(  # then the average differs from that of the plain dice
    r"\b(?:best|worst|highest|lowest|drop\w*|keep\w*|kept|explod\w*|re-?roll\w*|open[- ]ended|(?:dis)?advantage|each|"
    r"per|twice|instead|minimum|maximum|min|max|critical|crit|cap\w*|at\sleast|at\smost|treat\w*|count\w*)\b|[↑↓!]",
    re.IGNORECASE,
)
MEAN_COLUMN = re.compile(rf"{AVERAGE}(?:\s(?:roll|result|damage|dmg|value|hp|hit points|total))?", re.IGNORECASE)
POINTS_COLUMN = re.compile(r"hp|hit points", re.IGNORECASE)
WHOLE = re.compile(rf"(?<![\w.,+−–-])({VALUE})")


class Match(NamedTuple):
    """A number that may be an average: its range in the text and its notation."""

    start: int
    end: int
    shape: str  # the notation, such as "13 (3d8)" or "3d8 [13]"
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
    """The number before or after a dice formula that may be its average."""
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
    """Pairs from tables that have one column full of dice and a column of averages."""
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
