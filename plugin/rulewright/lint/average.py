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
from ..prose.sentences import sentence_around, sentence_before
from ..source import Problem, Span
from .interface import Check, LintContext, LintResult

_LETTER = "[dDwWкК]"  # German books write W, Russian and Ukrainian ones к
_DIE = rf"(?:[0-9]{{1,4}})?{_LETTER}(?:%|[1-9][0-9]{{0,3}}(?![0-9]))"
_PLUS_MINUS = r"(?:\s?[+\-−–]\s?|\splus\s|\sminus\s)"
_NUMBER = r"[0-9]{1,5}(?![\w%])"
FORMULA = re.compile(
    rf"(?<![\w.+/½¼])(?<![+−–×*-]\s)(?<![−–-])(?<!/[0-9]\s){_DIE}(?![\w%])"
    rf"(?:{_PLUS_MINUS}(?:{_DIE}(?![\w%])|{_NUMBER})){{0,8}}(?:\s?[×x*]\s?{_NUMBER})?"
)
_PART = re.compile(rf"(?P<sign>{_PLUS_MINUS})?(?:(?P<die>{_DIE})|(?P<number>{_NUMBER}))")
_TIMES = re.compile(rf"\s?[×x*]\s?({_NUMBER})$")
_MINUS = re.compile(r"[\-−–]|minus")


class _Dice(NamedTuple):
    """A number of equal dice; negative where they are subtracted."""

    number: int
    sides: int


class _Formula(NamedTuple):
    """A sum of dice and a number, multiplied by a factor."""

    dice: tuple[_Dice, ...]
    plus: int
    factor: int = 1
    is_bare: bool = False  # "d8" without a count is often a rating, not a roll

    @property
    def mean(self) -> float:
        """The exact mean: always a multiple of one half, so a float is enough."""
        return self.factor * (sum(term.number * (term.sides + 1) for term in self.dice) / 2 + self.plus)

    def mean_rounding_dice(self, up: bool) -> int:
        """The mean when every single die is rounded."""
        return self.factor * (self.plus + sum(term.number * ((term.sides + up + 1) // 2) for term in self.dice))

    def mean_rounding_terms(self, up: bool) -> int:
        """The mean when 1d6 and 2d8 in 1d6 + 2d8 are rounded separately."""
        return self.factor * (self.plus + sum((term.number * (term.sides + 1) + up) // 2 for term in self.dice))

    @property
    def mean_with_first_maximal(self) -> float:
        """The mean when the first die counts with its highest face, as for hit points of player characters."""
        return self.mean + (self.dice[0].sides - 1) / 2


def parse_formula(text: str) -> _Formula | None:
    """Parse a match of FORMULA; None where it is ambiguous or not rollable."""
    multiplier = _TIMES.search(text)
    parts = list(_PART.finditer(text, 0, multiplier.start() if multiplier else len(text)))
    if multiplier and len(parts) > 1:
        return None  # 2d6 + 3 × 10: which of them is multiplied?
    dice = tuple(_parse_dice(part["die"], _parse_sign(part)) for part in parts if part["die"])
    if not dice or any(term.sides < 2 or not term.number for term in dice):
        return None
    plus = sum(_parse_sign(part) * int(part["number"]) for part in parts if part["number"])
    return _Formula(dice, plus, int(multiplier[1]) if multiplier else 1, is_bare=not text[0].isdecimal())


def _parse_sign(part: re.Match[str]) -> int:
    return -1 if _MINUS.search(part["sign"] or "") else 1


def _parse_dice(text: str, sign: int) -> _Dice:
    count, sides = re.split(_LETTER, text)
    return _Dice(sign * int(count or 1), 100 if sides == "%" else int(sides))


_HIT_POINT_WORDS = {"hp", "points", "hits", "lp"}


class _Pair(NamedTuple):
    """A number next to dice. `key` is the word before it; each word may have a habit of its own."""

    stated: float
    dice: _Formula
    dice_text: str  # the dice as the page writes them
    shape: str
    key: str
    is_labeled: bool  # the text itself says that this is an average
    is_damage: bool  # damage in this form is nearly always an average
    span: Span
    trail: tuple[str, ...]


def _fits_mean(pair: _Pair) -> bool:
    """Whether the number is the average in any rounding. Averages below 1 may be raised to 1."""
    mean, dice = pair.dice.mean, pair.dice
    if pair.stated in (mean, floor(mean), ceil(mean)) or (pair.stated == 1 and mean < 1):
        return True
    return len(dice.dice) > 1 and pair.stated in (dice.mean_rounding_terms(up=False), dice.mean_rounding_terms(up=True))


def _fits_rounded_dice(pair: _Pair) -> bool:
    """Whether the number fits only if each die is rounded: 5 for 1d8, 15 for 3d8."""
    return not _fits_mean(pair) and pair.stated in (
        pair.dice.mean_rounding_dice(up=False),
        pair.dice.mean_rounding_dice(up=True),
    )


def _fits_hit_points(pair: _Pair) -> bool:
    """Whether these are hit points whose first die counts in full."""
    return (
        pair.key in _HIT_POINT_WORDS
        and abs(pair.stated - pair.dice.mean_with_first_maximal) < 1
        and not _fits_mean(pair)
    )


def _is_near_mean(pair: _Pair) -> bool:
    """Whether the number is so close to the mean that it can hardly mean anything else."""
    return abs(pair.stated - pair.dice.mean) <= max(2, pair.dice.mean * 0.35)


def _find_rounding(pair: _Pair) -> str:
    """How a fractional mean was rounded: "up", "down" or "not"; empty where that is unknown."""
    mean = pair.dice.mean
    if mean == int(mean) or not _fits_mean(pair) or mean < 1:
        return ""
    return "not" if pair.stated == mean else "down" if pair.stated < mean else "up"


def _format_number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}".rstrip("0")


def _suggest_dice(pair: _Pair, rounding_mode: str) -> str:
    """Suggest similar dice that have the number in the text as their average."""
    letter = re.findall(_LETTER, pair.dice_text)[0]
    suggestions = [
        _format_formula(dice, letter)
        for dice in _similar_formulas(pair.dice)
        if _rounded_mean(dice, rounding_mode) == pair.stated
    ]
    return f"; {' or '.join(suggestions[:2])} would average {_format_number(pair.stated)}" if suggestions else ""


def _rounded_mean(dice: _Formula, rounding_mode: str) -> int:
    return ceil(dice.mean) if rounding_mode == "up" else floor(dice.mean)


def _similar_formulas(dice: _Formula) -> list[_Formula]:
    """The formula with one number changed, smallest changes first."""
    if len(dice.dice) != 1 or dice.factor != 1:
        return []
    (term,) = dice.dice
    counts = [term.number + step for step in (0, 1, -1, 2, -2) if term.number + step > 0]
    numbers = [dice._replace(plus=dice.plus + step) for step in (1, -1, 2, -2, 3, -3)] if dice.plus else []
    return [*numbers, *(dice._replace(dice=(_Dice(count, size),)) for size in _similar_sizes(term) for count in counts)]


def _similar_sizes(dice: _Dice) -> list[int]:
    """Sizes of dice, the written one first."""
    return [dice.sides, *(size for size in (4, 6, 8, 10, 12, 20) if size != dice.sides)]


def _format_formula(dice: _Formula, letter: str) -> str:
    (term,) = dice.dice
    plus = f" + {dice.plus}" if dice.plus > 0 else f" − {-dice.plus}" if dice.plus else ""
    return f"{term.number}{letter}{term.sides}{plus}"


_MIN_EVIDENCE = 3  # averages that fit before they count as a habit
_MIN_SAME_ROUNDING = 4  # means rounded the same way before the book's rounding is known
_NOT_AN_AVERAGE = re.compile(  # a number after one of these words is not an average
    r"levels?|lvl|pages?|pp?|pg|table|chapter|section|roll(?:s|ed|ing)?|throw(?:s|ing)?|threw|target|dc|check|save|ac|hd|die|dice"
    r"|morale|ml|recharge|difficulty|rank|tier|cr|initiative|bonus|step|gets?|got|prices?|costs?|rounds?|turns?|aged?"
)


class _Habits(NamedTuple):
    """How a book writes and rounds the averages of dice."""

    shapes: frozenset[str]  # notations in which a number is an average
    keys: frozenset[str]  # words after which it is an average even when it is far off
    other_keys: frozenset[str]  # words after which it is something else
    rounds_each_die: bool  # each die is rounded by itself
    rounding_mode: str  # "down", "up", or "" when unknown
    rounding_by_shape: Mapping[str, str]  # the same by notation, where it is known
    exact_shapes: frozenset[str]  # notations in which a mean keeps its half
    fitting_count: int
    pair_count: int


def _check_book(pairs: Sequence[_Pair]) -> list[Problem]:
    habits = _learn_habits(pairs)
    return [problem for pair in pairs for problem in [_check_pair(pair, habits)] if problem]


def _learn_habits(pairs: Sequence[_Pair]) -> _Habits:
    strangers = frozenset(key for key, (good, bad) in _count_fits(pairs, "key").items() if bad >= 2 and bad >= good)
    known = [
        pair
        for pair in pairs
        if pair.key not in strangers and not _NOT_AN_AVERAGE.fullmatch(pair.key) and not _fits_hit_points(pair)
    ]
    many = [pair for pair in known if any(abs(dice.number) > 1 for dice in pair.dice.dice)]
    by_die = _count_pairs(_fits_rounded_dice, many) >= max(_MIN_EVIDENCE, _count_pairs(_fits_mean, many))
    shapes = {
        shape
        for shape, (good, bad) in _count_fits(known, "shape", by_die).items()
        if good >= max(_MIN_EVIDENCE, 2 * bad)
    }
    keys = {key for key, (good, bad) in _count_fits(known, "key", by_die).items() if key and _is_habit(good, bad)}
    fitting = [pair for pair in known if _is_right(pair, by_die)]
    exact = frozenset(pair.shape for pair in fitting if _find_rounding(pair) == "not")
    rounding_by_shape = {shape: _usual_rounding([pair for pair in fitting if pair.shape == shape]) for shape in shapes}
    roundings = (_usual_rounding(fitting), {shape: mode for shape, mode in rounding_by_shape.items() if mode})
    return _Habits(frozenset(shapes), frozenset(keys), strangers, by_die, *roundings, exact, len(fitting), len(known))


def _count_pairs(predicate: Callable[[_Pair], bool], pairs: Iterable[_Pair]) -> int:
    return sum(map(predicate, pairs))


def _is_habit(good: int, bad: int) -> bool:
    return good > _MIN_EVIDENCE and good >= 10 * bad - 5


def _count_fits(pairs: Iterable[_Pair], group_by: str, by_die: bool = False) -> dict[str, list[int]]:
    """How many pairs fit and how many do not, by notation or by the word before. Damage that fits counts twice."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair in pairs:
        good = _is_right(pair, by_die)
        counts[pair.shape if group_by == "shape" else pair.key][not good] += 1 + (good and pair.is_damage)
    return counts


def _is_right(pair: _Pair, by_die: bool) -> bool:
    return _fits_mean(pair) or _fits_hit_points(pair) or (by_die and _fits_rounded_dice(pair))


def _usual_rounding(pairs: Iterable[_Pair]) -> str:
    """The way in which nearly all means are rounded; empty where there is none."""
    mode_counts = Counter(_find_rounding(pair) for pair in pairs if not pair.is_labeled)
    (best, most), (_, least) = sorted(
        (("down", mode_counts["down"]), ("up", mode_counts["up"])), key=lambda one: -one[1]
    )
    return best if most >= _MIN_SAME_ROUNDING and most >= 8 * least - 4 else ""


def _check_pair(pair: _Pair, habits: _Habits) -> Problem | None:
    if not _is_average(pair, habits):
        return None
    if not _is_right(pair, habits.rounds_each_die):
        return _wrong_average(pair, habits)
    return _wrong_rounding(pair, habits) if not pair.is_labeled else None


def _is_average(pair: _Pair, habits: _Habits) -> bool:
    if pair.is_labeled:
        return pair.stated * 2 == int(pair.stated * 2)  # 4.2 is the average of an exploding die
    if pair.key in habits.other_keys or _NOT_AN_AVERAGE.fullmatch(pair.key):
        return False
    usual = pair.shape in habits.shapes or (pair.is_damage and not pair.dice.is_bare)
    return usual and (_is_near_mean(pair) or pair.key in habits.keys)


def _wrong_average(pair: _Pair, habits: _Habits) -> Problem:
    mean, expected = pair.dice.mean, _expected_average(pair, habits)
    exact = (
        f", {_format_number(expected)} when rounded {habits.rounding_mode or 'down'}"
        if mean != int(mean) and expected != mean
        else ""
    )
    message = (
        f"{pair.dice_text} averages {_format_number(mean)}{exact}, but the text says {_format_number(pair.stated)}"
    )
    notes = [f"write {_format_number(expected)}, or change the dice{_suggest_dice(pair, habits.rounding_mode)}"]
    if not pair.is_labeled and habits.fitting_count >= _MIN_EVIDENCE:
        notes.append(
            f"{habits.fitting_count} of {habits.pair_count} numbers beside dice in this book are their averages"
        )
    return Problem("average-wrong", message, pair.span, "error", tuple(notes), pair.trail)


def _expected_average(pair: _Pair, habits: _Habits) -> float:
    mean = pair.dice.mean
    if pair.shape in habits.exact_shapes or (pair.is_labeled and not habits.rounding_mode):
        return mean
    return ceil(mean) if habits.rounding_mode == "up" else max(floor(mean), 1)


def _wrong_rounding(pair: _Pair, habits: _Habits) -> Problem | None:
    rounding_mode = habits.rounding_by_shape.get(pair.shape, habits.rounding_mode)
    if not rounding_mode or _find_rounding(pair) not in ("down", "up") or _find_rounding(pair) == rounding_mode:
        return None
    expected = _format_number(ceil(pair.dice.mean) if rounding_mode == "up" else max(floor(pair.dice.mean), 1))
    message = (
        f"{pair.dice_text} averages {_format_number(pair.dice.mean)}, "
        f"which this book rounds {rounding_mode} to {expected}, but the text says {_format_number(pair.stated)}"
    )
    note = f"write {expected}, or change the dice{_suggest_dice(pair, rounding_mode)}"
    return Problem("average-rounded", message, pair.span, "warning", (note,), pair.trail)


_VALUE = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})(?:\.[0-9]{1,2}(?![0-9])|½)?"
_AVERAGE = r"(?:averag(?:es?|ing|ed)|avg\.?|av\.|mean|ø|im\s(?:schnitt|mittel)|durchschnitt(?:lich)?)"
_UNIT = r"(?:hp|hit\spoints?|hits?|lp|points?|pts\.?|damage|dmg)"
_NUMBER_BEFORE = re.compile(  # 13 (
    rf"(?P<label>\b{_AVERAGE}(?:\s(?:of|is|roll|result|damage))*:?\s)?"
    rf"(?<![\w.,+/−–$€£#§-])(?<![0-9]:)(?P<value>{_VALUE})(?P<unit>\s{_UNIT})?\s?[(\[]$",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\s?(?:[)\]]|[;,]\s[A-Za-z])")
_NUMBER_AFTER = re.compile(  # 3d8 (13 hp)
    rf"\s?(?P<open>[(\[])\s?(?P<label>{_AVERAGE}(?:\s(?:of|is|roll|result|damage))*\s?[:=]?\s?)?"
    rf"[~≈]?(?P<value>{_VALUE})(?P<unit>\s{_UNIT})?(?P<mean>\s(?:on\saverage|average|avg\.?|mean))?\s?[)\]]",
    re.IGNORECASE,
)
_AVERAGE_AFTER = re.compile(  # 3d8, averaging 13
    rf"(?:\s{_UNIT})?[,:;]?\s(?:[–—-]\s)?[(\[]?(?:(?:with|for|has|have|is|of)\s)?(?:an?\s|the\s)?(?P<label>{_AVERAGE}"
    rf"(?:\s(?:of|is|roll|result|damage|total))*)\s?[:=]?\s?(?P<value>{_VALUE})(?![\w%/:]|[.,][0-9]|\s?[×x+*/–−-]\s?[0-9d])",
    re.IGNORECASE,
)
_ON_AVERAGE = re.compile(
    rf"(?:,|\sis|\s=)\s(?P<value>{_VALUE})(?:\s{_UNIT})?\s(?P<label>on\saverage|im\sschnitt)\b", re.IGNORECASE
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[^\w+]{0,3}$")
_LIST_SEPARATOR = re.compile(r"[)\]]?(?:,|;)?\s(?:(?:and|or)\s)?")  # between items of a list
_DAMAGE_AFTER = re.compile(r"[)\]]\s(?:[a-z]+\s){0,2}(?:damage|dmg|hit points|hp)\b", re.IGNORECASE)
_ROLL_VERB = re.compile(r"\b(?:rolls|rolled|rolling|throws|threw)\b", re.IGNORECASE)  # then the number is a result
_OTHER_DICE = re.compile(  # then the average differs from that of the plain dice
    r"\b(?:best|worst|highest|lowest|drop\w*|keep\w*|kept|explod\w*|re-?roll\w*|open[- ]ended|(?:dis)?advantage|each|"
    r"per|twice|instead|minimum|maximum|min|max|critical|crit|cap\w*|at\sleast|at\smost|treat\w*|count\w*)\b|[↑↓!]",
    re.IGNORECASE,
)
_MEAN_COLUMN = re.compile(rf"{_AVERAGE}(?:\s(?:roll|result|damage|dmg|value|hp|hit points|total))?", re.IGNORECASE)
_POINTS_COLUMN = re.compile(r"hp|hit points", re.IGNORECASE)
_CELL_NUMBER = re.compile(rf"(?<![\w.,+−–-])({_VALUE})")


class _NumberMatch(NamedTuple):
    """A number that may be an average: its range in the text and its notation."""

    start: int
    end: int
    shape: str  # the notation, such as "13 (3d8)" or "3d8 [13]"
    is_labeled: bool  # the text itself says that this is an average


def _check_page(context: LintContext) -> LintResult:
    pairs = [*(pair for text in context.figures_with(FORMULA) for pair in _find_pairs(text)), *_column_pairs(context)]
    all_pairs = {pair.span: pair for pair in reversed(pairs)}.values()  # "2d6 averages 7 (2d6)" has one number
    return LintResult(
        sum(pair.is_labeled or _is_near_mean(pair) for pair in all_pairs), facts=tuple(reversed(all_pairs))
    )


def _find_pairs(text: Passage) -> Iterator[_Pair]:
    last, key = 0, ""
    for dice_match in FORMULA.finditer(text.text):
        dice = parse_formula(dice_match[0])
        number_match = _find_number(text.text, dice_match) if dice else None
        if dice and number_match:
            first, end = min(number_match.start, dice_match.start()), max(number_match.end, dice_match.end())
            key = (
                key if last and _LIST_SEPARATOR.fullmatch(text.text, last, first) else _preceding_word(text.text, first)
            )
            last = end
            if not (number_match.is_labeled and _OTHER_DICE.search(sentence_around(text.text, *dice_match.span()))):
                yield _make_pair(text, dice_match, dice, number_match, key)


def _preceding_word(text: str, offset: int) -> str:
    if verb := _ROLL_VERB.search(sentence_before(text, offset)):
        return verb[0].lower()
    word = _WORD_BEFORE.search(text[max(offset - 30, 0) : offset])
    return word[1].lower() if word else ""


def _make_pair(text: Passage, dice_match: re.Match[str], dice: _Formula, number_match: _NumberMatch, key: str) -> _Pair:
    number_text = text.text[number_match.start : number_match.end]
    is_damage = number_match.shape == "13 (3d8)" and bool(
        _DAMAGE_AFTER.match(text.text, _skip_space(text.text, dice_match.end()))
    )
    shape = number_match.shape + (" die" if dice.is_bare else "")
    return _Pair(
        _parse_number(number_text),
        dice,
        dice_match[0],
        shape,
        key,
        number_match.is_labeled,
        is_damage,
        text.span(number_match.start, number_match.end),
        text.trail,
    )


def _skip_space(text: str, offset: int) -> int:
    return offset + (text.startswith(" ", offset))


def _find_number(text: str, dice_match: re.Match[str]) -> _NumberMatch | None:
    """The number before or after a dice formula that may be its average."""
    start, end = dice_match.span()
    window = max(start - 60, 0)
    before_match = _NUMBER_BEFORE.search(text[window:start])
    if before_match and _CLOSED.match(text, end):
        return _NumberMatch(
            window + before_match.start("value"),
            window + before_match.end("value"),
            "13 (3d8)",
            bool(before_match["label"]),
        )
    if (after_match := _NUMBER_AFTER.match(text, end)) and not (before_match and not after_match["label"]):
        label = bool(after_match["label"] or after_match["mean"])
        shape = f"3d8 {after_match['open']}13{(after_match['unit'] or '').lower()}"
        return _NumberMatch(*after_match.span("value"), shape, label)
    average_match = _AVERAGE_AFTER.match(text, end) or _ON_AVERAGE.match(text, end)
    return _NumberMatch(*average_match.span("value"), "averages", True) if average_match else None


def _column_pairs(context: LintContext) -> Iterator[_Pair]:
    """Pairs from tables that have one column full of dice and a column of averages."""
    for table in context.tables:
        means = [at for at, head in enumerate(table.header) if _is_mean(head.text.strip())]
        dice = [formulas for cells in table.columns if (formulas := _parse_formulas(cells))] if means else []
        for at in means if len(dice) == 1 else ():
            yield from _pairs_of_column(table.columns[at], dice[0], f"column of line {table.line}")


def _is_mean(header: str) -> bool:
    return bool(_MEAN_COLUMN.fullmatch(header) or _POINTS_COLUMN.fullmatch(header))


def _parse_formulas(cells: Iterable[Passage]) -> list[tuple[_Formula, str]]:
    cell_texts = [cell.text.strip() for cell in cells]
    if not all(map(FORMULA.fullmatch, cell_texts)):
        return []
    return [(parsed, text) for text in cell_texts if (parsed := parse_formula(text))]


def _pairs_of_column(cells: Iterable[Passage], dice: list[tuple[_Formula, str]], shape: str) -> Iterator[_Pair]:
    for cell, (dice_formula, text) in zip(cells, dice, strict=False):
        match = _CELL_NUMBER.fullmatch(cell.text.strip())
        if match:
            start = cell.text.find(match[1])
            span: Span = cell.span(start, start + len(match[1]))
            yield _Pair(_parse_number(match[1]), dice_formula, text, shape, shape, False, False, span, cell.trail)


def _parse_number(text: str) -> float:
    plain = text.replace(",", "")
    return float(plain.rstrip("½")) + (0.5 if plain.endswith("½") else 0)


CHECK = Check("average", "averages", _check_page, _check_book)
