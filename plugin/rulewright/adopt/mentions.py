"""What a passage says of the inputs of a rule by their names: numbers, named values, flags, choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..checks.told.numbers import NUMBER, WORD
from ..game.inputs import read_value
from ..game.model import Input, Rule
from ..game.tree import names_in
from .clues import Clues, signed
from .roles import asked, fixed_sides, spoken

SIGNED = rf"(?:[+−-][0-9]{{1,3}}|{NUMBER})"
IS = r"(?:\s+(?:of|is|was|at|to|has|equals?|rating|value|level|score|being|only|just|an?|set|now)){0,4}\s*[:=(]?\s*"
FROM = r"\s+(?:points?\sof\s|ranks?\sin\s|dots?\sin\s|(?:in|for|as|of)\s)?(?:(?:the|an?|his|her|their|its|my|your)\s)?"
NEEDS = re.compile(rf"\bneed(?:s|ed|ing)?\s(?:at\sleast\s)?(?:an?\s)?({NUMBER})(?!\sdice)", re.IGNORECASE)
NEEDED = re.compile(rf"({NUMBER})\s(?:[^\W\d]+\s){{1,3}}(?:needed|required)\b", re.IGNORECASE)
KEEPS = re.compile(rf"\bkeep(?:s|ing)?\s(?:only\s)?(?:the\s)?(?:best\s|highest\s)?({WORD})(?=[\s.,;:])", re.IGNORECASE)
PERCENT = re.compile(r"(?<![\w.])([0-9]{1,3})\s?%")
CODE = re.compile(r"[0-9]{1,2}[dD](?:[+][0-9])?")
NO = re.compile(r"\b(?:no|not|without|never|lacks?|nor|n['’]t)\b[^.;]{0,30}$", re.IGNORECASE)


class Found(NamedTuple):
    """A value of an input as an author would write it; `named` where the text names the input."""

    text: str
    named: bool


def readable(entry: Input, text: str) -> bool:
    return not read_value(entry, text)[1]


def told_values(rule: Rule, entry: Input, clues: Clues) -> Iterator[Found]:
    """Values that the text gives to an input by name."""
    if entry.form in ("flag", "choice"):
        yield from switched(rule, entry, clues)
        return
    texts = [*standing(rule, entry, clues), *mentioned(rule, entry, clues)]
    if entry.form == "die" and not texts:
        texts = [
            "none" for word in spoken(entry, rule) if re.search(rf"\b(?:no|without)\s{re.escape(word)}\b", clues.words)
        ]
    if not texts and entry.name in rerolling(rule):
        texts = ["1"] if stands_there(entry, clues) else []
    if not texts and entry.default is None and any(fixed_sides(kind) == 100 for kind in rule.dice):
        texts = PERCENT.findall(clues.text)
    yield from (Found(text, True) for text in texts if readable(entry, text))


@lru_cache(maxsize=512)
def rerolling(rule: Rule) -> set[str]:
    """Inputs that say how many dice are thrown anew."""
    return {name for reroll in rule.rerolls for name in names_in(reroll.times.node)}


def stands_there(entry: Input, clues: Clues) -> bool:
    found = re.search(rf"\b{re.escape(entry.name)}\b", clues.text, re.IGNORECASE)
    return bool(found and not NO.search(clues.reading.before(found.start())))


def standing(rule: Rule, entry: Input, clues: Clues) -> Iterator[str]:
    """Difficulty, threshold: what every prose example may say."""
    bits = clues.told.difficulties if asked(entry) else clues.told.thresholds if entry.name == "threshold" else ()
    yield from (str(bit.number) for bit in bits if not clues.supposed(bit.start, bit.end))
    keeping = any(kind.keep and entry.name in names_in(kind.keep.number.node) for kind in rule.dice)
    if keeping and not any(entry.name in names_in(kind.count.node) for kind in rule.dice):
        yield from (str(signed(found[1])) for found in KEEPS.finditer(clues.text))
    needed = entry.name in ("needed", "required") or "needed" in entry.label.lower()
    if needed or (asked(entry) and not bits):
        for found in (*NEEDS.finditer(clues.text), *NEEDED.finditer(clues.text)):
            value = signed(found[1])
            if value is not None:
                yield str(value)


@lru_cache(maxsize=2048)
def patterns(rule: Rule, entry: Input) -> tuple[re.Pattern[str], ...]:
    """How a text gives a value to this input: `skill of 12`, `12 in skill`, `Hard difficulty`."""
    words = "|".join(re.escape(word).replace(r"\ ", r"\s") for word in spoken(entry, rule))
    if not words:
        return ()
    value = r"d(?:100|[1-9][0-9]?)|none" if entry.form == "die" else CODE.pattern if entry.form == "code" else SIGNED
    if entry.names:
        value += "|" + "|".join(re.escape(name) for name in sorted(entry.names.names, key=len, reverse=True) if name)
    plain = r"(?!\s?(?:dice\b|die\b|%)|\.[0-9])"
    many = r"(?:\sdice)?"
    return (
        re.compile(rf"\b(?:{words})s?\b{IS}({value})\b{plain}", re.IGNORECASE),
        re.compile(rf"(?<![\w.])({value}){FROM}(?:{words})\b{many}", re.IGNORECASE),
    )


def mentioned(rule: Rule, entry: Input, clues: Clues) -> Iterator[str]:
    begin = clues.reading.label_end
    found = (one for pattern in patterns(rule, entry) for one in pattern.finditer(clues.text, begin))
    meant = (one for one in found if not clues.supposed(one.start(), one.end()) and not clues.is_face(one.start(1)))
    hits = [(one.start(1), one[1]) for one in meant]
    if not hits and entry.names:
        hits = list(by_name(rule, entry, clues))
    for _, text in sorted(hits):
        value = signed(text)
        yield str(value) if value is not None and entry.form == "number" else text


def by_name(rule: Rule, entry: Input, clues: Clues) -> Iterator[tuple[int, str]]:
    """A named value that stands alone: «a Hard lock»; only where one input has these names."""
    assert entry.names
    if sum(one.names is entry.names for one in rule.inputs) > 1:
        return
    for name in entry.names.names:
        for found in re.finditer(rf"\b{re.escape(name)}\b(?!\s+(?:to|not)\b)", clues.text):
            begins = found.start() == clues.reading.sentence(found.start()).start
            if name[:1].isupper() and not begins and clues.reading.sure(found.start(), found.end()):
                yield found.start(), name


def switched(rule: Rule, entry: Input, clues: Clues) -> Iterator[Found]:
    """Flags and choices of which the text speaks."""
    if entry.form == "choice":
        others = {*(kind.name for kind in rule.dice), *(one.name for one in rule.inputs)}
        for choice in entry.choices:
            found = re.search(rf"\b{re.escape(choice)}\b", clues.text, re.IGNORECASE)
            if (
                found
                and choice != entry.default
                and choice not in others
                and not NO.search(clues.reading.before(found.start()))
            ):
                yield Found(choice, True)
        return
    for word in spoken(entry, rule):
        stem = re.escape(word[: max(len(word) - 3, 5)]).replace(r"\ ", r"\s")
        for found in re.finditer(rf"\b{stem}", clues.text, re.IGNORECASE):
            denied = NO.search(clues.reading.before(found.start()))
            yield Found("no" if denied else "yes", True)
            yield Found("yes" if entry.default else "no", False)  # the word may mean something else
