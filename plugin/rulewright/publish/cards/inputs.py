"""Inputs of a rule in words: what was given, and what may be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...game.inputs import die_name, read_value, shown
from ...game.model import SIDES, Input, Rule
from ..words import Words
from .figures import listed, local
from .formulas import named, readable


class Given(NamedTuple):
    """An input with its value; a flag that is set says all by its label."""

    label: str
    value: str


class Asked(NamedTuple):
    """An input as the rule declares it: its label, the name that formulas use, what it may be, where it starts."""

    label: str
    name: str
    may_be: str
    start: str


def given(rule: Rule, texts: Mapping[str, str], words: Words) -> list[Given]:
    """The inputs that are stated, in the order of the rule."""
    return [stated(entry, texts[entry.name], words) for entry in rule.inputs if entry.name in texts]


def stated(entry: Input, text: str, words: Words) -> Given:
    """«Difficulty 6», «Using a specialty», «Using a specialty: no», «Pace: running»."""
    value = given_text(entry, text, words)
    return Given(f"{label(entry)}:" if entry.form in ("flag", "choice") and value else label(entry), value)


def label(entry: Input) -> str:
    return entry.label or named(entry.name).capitalize()


def label_of(rule: Rule, name: str, words: Words) -> str:
    """What readers call an input, also one of a side such as `first.die`; another name as it is."""
    if rule.contest and "." in name:
        side, _, own = name.partition(".")
        number = SIDES.index(side)
        return words(f"of side {number + 1}", name=label_of(rule.contest.of[number], own, words))
    found = next((entry for entry in rule.inputs if entry.name == name), None)
    return label(found) if found else named(name)


def given_text(entry: Input, text: str, words: Words) -> str:
    """A value as it was written; a name with the number that it stands for."""
    value, complaint = read_value(entry, text)
    if complaint:
        return text
    if entry.form == "flag":
        return "" if value else words("no")
    written = local(shown(entry, value), words)
    if entry.form == "number" and text.strip().replace("−", "-").lstrip("+") != str(value):
        return words("named number", name=text, number=written)
    return words("none") if written == die_name(0) else written


def asked(rule: Rule, words: Words, texts: Mapping[str, str] | None = None) -> list[Asked]:
    """All inputs; where `texts` are given, with the values to start from."""
    return [question(rule, entry, words, texts) for entry in rule.inputs]


def question(rule: Rule, entry: Input, words: Words, texts: Mapping[str, str] | None) -> Asked:
    name = listed([named(one) for one in entry.variables], words, "and")
    told = "" if name == label(entry).lower() else name
    text = (texts or {}).get(entry.name)
    start = default(entry, words) if text is None else given_text(entry, text, words) or words("yes")
    return Asked(label(entry), told, may_be(rule, entry, words), start)


def default(entry: Input, words: Words) -> str:
    return "" if entry.default is None else given_text(entry, shown(entry, entry.default), words) or words("yes")


def may_be(rule: Rule, entry: Input, words: Words) -> str:
    """«2 to 10», «d4, d6 or d8», «yes or no»; with what it is called, and when it is asked."""
    text = RANGES[entry.form](entry, words)
    if entry.names:
        names = [name for name, number in entry.names.names.items() if entry.least <= number <= entry.most]
        text = words("or by name", values=text, names=listed(names, words))
    if entry.open:
        text = words("may be unknown", values=text)
    return words("asked when", values=text, test=readable(entry.asked, words, rule)) if entry.asked else text


def number_range(entry: Input, words: Words) -> str:
    return words("range", low=local(str(entry.least), words), high=local(str(entry.most), words))


def code_range(entry: Input, words: Words) -> str:
    return words("range", low=f"{entry.least}D", high=f"{entry.most}D+2")


def dice_range(entry: Input, words: Words) -> str:
    return listed([die_name(sides) if sides else words("none") for sides in entry.dice], words)


def either(_entry: Input, words: Words) -> str:
    return listed([words("yes"), words("no")], words)


def choices(entry: Input, words: Words) -> str:
    return listed([words("quoted", text=choice) for choice in entry.choices], words)


RANGES = {"number": number_range, "code": code_range, "die": dice_range, "flag": either, "choice": choices}
