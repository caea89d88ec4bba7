"""Formats numbers for people: percentages, fractions, means, bounds; also in the notation of a language."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from ..odds.distribution import Chance
from .strings import Words

_MOST_DECIMALS = 8
_MOST_BOUNDS = 15
_LONG_FRACTION = 400  # bits of a denominator; longer ones are unreadable


def _percent_decimals(over: int, under: int) -> int:
    """The number of decimals for a percentage: 1, or enough for two significant digits near 0% and 100%."""
    rest = min(over, under - over) * 100
    if not rest or rest >= under:
        return 1
    return next((places for places in range(2, _MOST_DECIMALS) if rest * 10**places >= 10 * under), _MOST_DECIMALS)


def format_percent(share: Fraction) -> str:
    """For example "84.4%"; never 0% for what can happen, and never 100% for what can fail.

    Works with integers, which are much faster than fractions: those are reduced at every step.
    """
    over, under = share.as_integer_ratio()
    return _format_share(over, under, _percent_decimals(over, under))


def format_estimate(chance: Chance) -> str:
    """An estimate in whole percents: "about 84%"; never 0% or 100%, because rolls prove neither."""
    least = Fraction(1, 10**6)
    return f"about {_format_share(*min(max(chance.likely, least), 1 - least).as_integer_ratio(), 0)}"


def margin_of_error(rolls: int) -> str:
    """What an estimate from so many rolls rarely misses by: two standard errors of an even chance."""
    points = max(round(100 / rolls**0.5), 1)
    return f"{points} point{'s' * (points > 1)}"


def _format_share(over: int, under: int, places: int) -> str:
    """`over / under` as a percentage with this many decimals."""
    least = 2 * 10 ** (places + 2)  # a smaller share would be rounded to 0
    if 0 < over * least < under:
        return f"<{10.0**-places:.{places}f}%"
    if 0 < (under - over) * least < under:
        return f">{100 - 10.0**-places:.{places}f}%"
    return f"{_format_rounded(over * 100, under, places)}%"


def _format_fixed(number: Fraction, places: int, down: bool | None = None) -> str:
    """A number ≥ 0 with this many decimals, rounded half up, or down, or up."""
    return _format_rounded(number.numerator, number.denominator, places, down)


def _format_rounded(over: int, under: int, places: int, down: bool | None = None) -> str:
    """`over / under` as text, rounded half up, or down, or up."""
    over *= 10**places
    whole = (2 * over + under) // (2 * under) if down is None else over // under if down else -(-over // under)
    text = str(whole).rjust(places + 1, "0")
    return f"{text[:-places]}.{text[-places:]}" if places else text


def format_bounds(low: Fraction, high: Fraction) -> str:
    """Two bounds, the lower rounded down and the upper up, with as many decimals as they justify."""
    places = next((places for places in range(4, _MOST_BOUNDS) if (high - low) * 10**places >= 1), _MOST_BOUNDS)
    return f"{_format_fixed(low * 100, places, True)}% to {_format_fixed(high * 100, places, False)}%"


def format_mean(number: Fraction) -> str:
    """A mean with at most four decimals; near 0 with three significant digits."""
    if number.denominator == 1:
        return str(number)
    if abs(number) < Fraction(1, 100):
        return f"{float(number):.3g}"
    sign = "-" if number < 0 else ""
    return sign + _format_fixed(abs(number), 4).rstrip("0").rstrip(".")


def format_estimated_mean(number: Fraction) -> str:
    """A mean with three digits."""
    return f"{float(number):.3g}" if abs(number) < 1000 else str(round(number))


def format_fraction(share: Fraction) -> str:
    """For example "211/250"; empty if too long to read."""
    return str(share) if share.denominator.bit_length() <= _LONG_FRACTION else ""


def count_digits(share: Fraction) -> int:
    """The approximate number of digits of a fraction, numerator and denominator together."""
    return int((share.numerator.bit_length() + share.denominator.bit_length()) * 0.30103) + 1


@contextmanager
def all_digits() -> Iterator[None]:
    """Lift the limit of Python on the digits of integers that are converted to text."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def localize(text: str, words: Words) -> str:
    """The number with the decimal sign, percent sign and minus of the language."""
    bare = text.removesuffix("%").replace(".", words("decimal sign")).replace("-", "−")
    return words("percent", number=bare) if text.endswith("%") else bare


def localized_percent(chance: Chance, words: Words) -> str:
    """A chance, or its bounds if it is not exact."""
    if (exact := chance.exact) is not None:
        return localize(format_percent(exact), words)
    if chance.rolls:
        return words("estimate", number=localize(format_estimate(chance).removeprefix("about "), words))
    ends = format_bounds(chance.low, chance.high).split(" to ")
    return words("between", low=localize(ends[0], words), high=localize(ends[1], words))


def _localized_mean(chance: Chance, words: Words) -> str:
    """The mean in the notation of the language."""
    if chance.rolls:
        return words("estimate", number=localize(format_estimated_mean(chance.likely), words))
    return localize(format_mean(Fraction(float(chance)) if chance.exact is None else chance.exact), words)


def localized_figure(chance: Chance, is_chance: bool, words: Words) -> str:
    """A chance as percentage, or a mean."""
    return localized_percent(chance, words) if is_chance else _localized_mean(chance, words)


def localized_rounded(chance: Chance, is_chance: bool, places: int, words: Words) -> str:
    """With this many decimals; never 0% for what can happen, and never 100% for what can fail."""
    exact = chance.exact
    if exact is None:
        return localized_figure(chance, is_chance, words)
    over, under = exact.as_integer_ratio()
    if is_chance:
        return localize(_format_share(over, under, places), words)
    return localize(("-" if over < 0 else "") + _format_rounded(abs(over), under, places), words)


def localized_fraction(chance: Chance, words: Words) -> str:
    """For example "211/250"; empty if too long or if it adds nothing."""
    if chance.exact is None or chance.exact.denominator == 1 or chance.exact.denominator >= 10**9:
        return ""
    return words("fraction", over=chance.exact.numerator, under=chance.exact.denominator).replace("-", "−")


def format_value(raw: Any, words: Words, truth: bool = False) -> str:
    """The value of a step or an input: a number, a word, or yes or no."""
    if raw is None:
        return words("not known")
    if truth and raw in (0, 1):
        return words("yes" if raw else "no")
    return str(int(raw) if isinstance(raw, bool) else raw).replace("-", "−")


def counted_noun(name: str, number: int, words: Words) -> str:
    """For example "1 case", "10 cases"."""
    return words(f"{name} one" if number == 1 else f"{name} many", number=number)


def join_alternatives(items: list[str], words: Words, last: str = "or") -> str:
    """For example "d4, d6 or d8"."""
    return f" {words(last)} ".join([*([", ".join(items[:-1])] if items[1:] else []), *items[-1:]])
