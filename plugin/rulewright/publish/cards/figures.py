"""Numbers as readers of a language write them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...game.odds.answer import Chance
from .. import figures
from ..words import Words


def local(text: str, words: Words) -> str:
    """«84.4%» with the decimal sign and the percent sign of the language."""
    bare = text.removesuffix("%").replace(".", words("decimal sign")).replace("-", "−")
    return words("percent", number=bare) if text.endswith("%") else bare


def percent(chance: Chance, words: Words) -> str:
    """A chance, or the bounds between which it lies."""
    if (exact := chance.exact) is not None:
        return local(figures.percent(exact), words)
    ends = figures.between(chance.low, chance.high).split(" to ")
    return words("between", low=local(ends[0], words), high=local(ends[1], words))


def mean(chance: Chance, words: Words) -> str:
    return local(figures.mean(Fraction(float(chance)) if chance.exact is None else chance.exact), words)


def figure(chance: Chance, is_chance: bool, words: Words) -> str:
    return percent(chance, words) if is_chance else mean(chance, words)


def rounded(chance: Chance, is_chance: bool, places: int, words: Words) -> str:
    """With so many decimals; never 0% where something can happen, and never 100% where it can fail."""
    exact = chance.exact
    if exact is None:
        return figure(chance, is_chance, words)
    over, under = exact.as_integer_ratio()
    if is_chance:
        return local(figures.percents(over, under, places), words)
    return local(("-" if over < 0 else "") + figures.rounded(abs(over), under, places), words)


def fraction(chance: Chance, words: Words) -> str:
    """«211/250»; empty where nobody would read it, or where it says nothing new."""
    if chance.exact is None or chance.exact.denominator == 1 or chance.exact.denominator >= 10**9:
        return ""
    return words("fraction", over=chance.exact.numerator, under=chance.exact.denominator).replace("-", "−")


def value(found: Any, words: Words, truth: bool = False) -> str:
    """The value of a step or an input: a number, a word, or whether something is so."""
    if found is None:
        return words("not known")
    if truth and found in (0, 1):
        return words("yes" if found else "no")
    return str(int(found) if isinstance(found, bool) else found).replace("-", "−")


def counted(name: str, number: int, words: Words) -> str:
    """«1 case», «10 cases»."""
    return words(f"{name} one" if number == 1 else f"{name} many", number=number)


def listed(items: list[str], words: Words, last: str = "or") -> str:
    """«d4, d6 or d8»."""
    return f" {words(last)} ".join([*([", ".join(items[:-1])] if items[1:] else []), *items[-1:]])
