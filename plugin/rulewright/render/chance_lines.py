"""Chances as lines of text: percentage, bar and fraction, for the command line and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from textwrap import wrap

from ..odds.distribution import Chance
from .number_format import (
    count_digits,
    format_bounds,
    format_estimate,
    format_fraction,
    format_percent,
    margin_of_error,
)
from .text_width import draw_bar, visible, width

_WIDTH = 80
_INDENT = "  "
_BAR_LENGTH = 24
_BOUNDED = "These chances have no exact value that could be found; each lies between the two bounds given."
_ESTIMATED = (
    "An exact answer would cost too much. This is an estimate from {rolls:,} rolls, rarely off by more than {points}."
)


def format_chances(
    chances: Mapping[str, Chance],
    bar: Callable[[Fraction, int], str] = draw_bar,
    indent: str = "",
    advice: str = "",
    with_long: bool = True,
) -> Iterator[str]:
    """A line for each outcome with percentage, bar and fraction. If a fraction is too long, all are listed below.

    `advice` follows where even that is too long; without `with_long`, long fractions are left out."""
    names = [visible(name) for name in chances]
    room = max(map(width, names), default=0)
    shares = [chance.likely for chance in chances.values()]
    exact = [_exact_text(chance, advice) for chance in chances.values()]
    percents = _align_numbers([_percent(chance) for chance in chances.values()])
    heads = [indent + name + " " * (room - width(name)) + _INDENT for name in names]
    leads = [head + text + _INDENT for head, text in zip(heads, percents, strict=True)]
    fits = all(
        width(lead) + _BAR_LENGTH + len(_INDENT + text) <= _WIDTH for lead, text in zip(leads, exact, strict=True)
    )
    for lead, share, text in zip(leads, shares, exact, strict=True):
        yield (lead + bar(share, _BAR_LENGTH) + (_INDENT + text if fits else "")).rstrip()
    if not fits and with_long:
        yield from ("", "bounds" if any(chance.exact is None for chance in chances.values()) else "exactly")
        for head, text in zip(heads, exact, strict=True):
            yield from _break_fraction(text, head if indent else _INDENT + head)
    rolls = max((chance.rolls for chance in chances.values()), default=0)
    if rolls:
        yield from ("", *wrap(_ESTIMATED.format(rolls=rolls, points=margin_of_error(rolls)), _WIDTH))
    elif any(chance.exact is None for chance in chances.values()):
        yield from ("", *wrap(_BOUNDED, _WIDTH))


def _percent(chance: Chance) -> str:
    return format_estimate(chance) if chance.rolls else format_percent(chance.likely)


def _exact_text(chance: Chance, advice: str) -> str:
    if chance.rolls:
        return "an estimate"
    if chance.exact is None:
        return format_bounds(chance.low, chance.high)
    return format_fraction(chance.exact) or f"a fraction of {count_digits(chance.exact):,} digits{advice}"


def _break_fraction(text: str, first: str) -> Iterator[str]:
    """Break a long fraction into lines."""
    room = _WIDTH - width(first)
    for start in range(0, len(text), room):
        yield (" " * width(first) if start else first) + text[start : start + room]


def _align_numbers(numbers: list[str]) -> list[str]:
    """Pad numbers so that their decimal points are aligned."""
    parts = [(whole, point + rest) for whole, point, rest in (number.partition(".") for number in numbers)]
    left, right = (max((len(part[side]) for part in parts), default=0) for side in range(2))
    return [whole.rjust(left) + rest.ljust(right) for whole, rest in parts]
