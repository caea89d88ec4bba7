"""Words for what came of a roll: nouns and verbs, denied ones, and those that are only hoped for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .mood import Bit, Reading
from .numbers import AMOUNT, NUMBER

COPULA = (
    r"(?:\b(?:is|was|becomes?|became|means?|meant|results?\sin|ends?\sin|ended\sin|counts\sas|makes\s(?:it|this|that))"
    r"|['’]s)"
)
ADJECTIVES = (
    r"(?:(?:an?|the|only|just|still|even|merely|not|no|real|simple|clear|narrow|great|partial|plain|complete|total|full)"
    r"\s){0,4}"
)
NAMED = re.compile(
    rf"{COPULA}\s({ADJECTIVES})(critical\s(?:success|failure)|success|failure|botch|fumble|miss|hit)\b", re.IGNORECASE
)
SCORED = re.compile(
    r"\b(?:rolls?|rolled|gets?|got|scor\w+|suffers?|suffered)\s(an?\s)(critical\s(?:success|failure)|fumble)\b",
    re.IGNORECASE,
)
VERB = re.compile(
    r"""\b(?:(critically\s)?(succeeds?|succeeded|fails?|failed|botches|botched|fumbles|fumbled|misses|missed"""
    r"""|(?<=n['’]t\s)(?:botch|miss|fumble)|(?<=not\s)(?:botch|miss|fumble))"""
    r"""|(?:is|was|are|were)\s(?:not\s)?(successful|unsuccessful)|(pass(?:es|ed))\s(?:the|this|her|his|their|its)\s(?:test|check|roll))\b""",
    re.IGNORECASE,
)
ENOUGH = re.compile(r"\benough\sto\s(succeed)\b", re.IGNORECASE)
DENIED = re.compile(
    r"(?:\b(?:not|never|no|nobody|none|nothing|neither|nor|without|hardly|cannot)\b|n['’]t\b)(?:\s[\w’']+){0,3}\s*$",
    re.IGNORECASE,
)
ONE_DIE = re.compile(  # «the 2 is no hit», of which the roll may have others
    rf"\b(?:the|each|every|that|this|his|her|their)\s(?:\w+\s)?(?:{NUMBER}|die|one)\s$", re.IGNORECASE
)
MEANS = re.compile(r"\bto\s$", re.IGNORECASE)
ADJECTIVE = re.compile(
    rf"(?:\b(?:an?|the|any|every|each|his|her|their|its|of|both|before|after|from|by|for|with|against|some|more|many)|{AMOUNT})\s$",
    re.IGNORECASE,
)  # «a failed roll»
TO_DO = re.compile(r"\s(?:to|in|at)\b", re.IGNORECASE)  # «fails to notice» tells a story, not a roll
STEMS = {
    "succe": "success",
    "fail": "failure",
    "botch": "botch",
    "fumbl": "botch",
    "miss": "failure",
    "pass": "success",
}
NAMES = {"successful": "success", "unsuccessful": "failure", "fumble": "botch", "miss": "failure", "hit": "success"}
ROLLS = re.compile(r"\b(?:re-?)?(?:roll\w*|dice|die|tests?|checks?|throws?|threw|pool)\b", re.IGNORECASE)


def outcomes(reading: Reading) -> Iterator[Bit]:
    """`value` is success, failure, botch, critical success or critical failure."""
    for pattern in (NAMED, SCORED):
        for found in pattern.finditer(reading.text, reading.label_end):
            name, is_denied = re.sub(r"\s+", " ", found[2].lower()), denied(reading, found.start(2))
            if not (is_denied and ONE_DIE.search(reading.text[: found.start()])):
                yield told(reading, *found.span(2), NAMES.get(name, name), is_denied)
    for found in ENOUGH.finditer(reading.text, reading.label_end):
        yield told(reading, *found.span(1), "success", denied(reading, found.start()))
    yield from verbs(reading)


def verbs(reading: Reading) -> Iterator[Bit]:
    for found in VERB.finditer(reading.text, reading.label_end):
        group = next(number for number in (2, 3, 4) if found[number])
        word, (start, end) = found[group].lower(), found.span(group)
        before = reading.text[reading.clause_start(start) : found.start()]
        name = NAMES.get(word) or next(name for stem, name in STEMS.items() if word.startswith(stem))
        if (
            MEANS.search(before)
            or ADJECTIVE.search(before)
            or (word.startswith("fail") and TO_DO.match(reading.text, end))
        ):
            continue
        name = f"critical {name}" if found[1] else name
        yield told(reading, start, end, name, denied(reading, found.start(group)))


def told(reading: Reading, start: int, end: int, name: str, negated: bool) -> Bit:
    bit = reading.bit(start, end, name)
    return Bit(bit.value, "", bit.span, start, end, bit.sure, negated)


def denied(reading: Reading, start: int) -> bool:
    return bool(DENIED.search(reading.text[reading.clause_start(start) : start]))


def speaks_of_rolls(reading: Reading) -> bool:
    return bool(ROLLS.search(reading.text, reading.label_end))
