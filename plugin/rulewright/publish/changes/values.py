"""Numbers and values of inputs as readers of a language write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ...editions.matching import RulePair
from ...editions.things import Text
from ...game.model import SIDES, Rule
from .. import figures
from ..cards.figures import local
from ..words import Words

InputTexts = Mapping[str, str | tuple[Text, ...]]  # of inputs by their names: a value, or all that were tried


def phrase_text(text: Text, words: Words) -> str:
    return text if isinstance(text, str) else words(text.name, **dict(text.values))


def integer_text(number: int, words: Words) -> str:
    """«16,540,038»."""
    return f"{number:,}".replace(",", words("thousands sign"))


def percent_text(chance: Fraction, words: Words) -> str:
    return local(figures.percent(chance), words)


def points_text(old: Fraction, new: Fraction, words: Words) -> str:
    """«+3.1»: percentage points."""
    if old == new:
        return "0"
    return ("+" if new > old else "−") + local(figures.percent(abs(new - old)).removesuffix("%"), words)


def value_text(rule: Rule, name: str, text: Text, words: Words) -> str:
    """Of an input, also one of a side such as `first.bold`: whether something is so is said in words."""
    side, _, own = name.rpartition(".")
    if rule.contest and side in SIDES:
        return value_text(rule.contest.of[SIDES.index(side)], own, text, words)
    is_flag = any(entry.name == name and entry.form == "flag" for entry in rule.inputs)
    return words("yes" if text == "yes" else "no") if is_flag else phrase_text(text, words)


def inputs_text(pair: RulePair, inputs: InputTexts, words: Words) -> str:
    """«pool 3, difficulty 6»."""
    every = {key: (one,) if isinstance(one, str) else one for key, one in inputs.items()}
    return ", ".join(
        f"{key} {', '.join(value_text(pair.old, key, one, words) for one in values)}" for key, values in every.items()
    )


def with_inputs_text(text: str, pair: RulePair, inputs: InputTexts, words: Words) -> str:
    return f"{text} ({inputs_text(pair, inputs, words)})" if inputs else text
