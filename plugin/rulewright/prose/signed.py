"""Results with a sign or the name of a number: "gets a +1 on the dice", "for a Superb (+5) result"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .mood import Reading, StatedValue
from .words import DIFFICULTY

SIGNED = r"[+−–-][0-9]{1,2}(?![0-9%]|d[0-9]|-[a-z])"
BRACKETED = rf"\s\((?:{SIGNED})\)"  # what may follow the name of a number: Good (+3)
_FEW_WORDS = r"(?:(?:an?|the|up|for|[A-Z]?[a-z]+ly|with)\s|[a-z]+\s){0,3}?"
_AS_RESULT = (
    r"(?=[.,;:!)]|$|\s(?:and|but|so|then|meaning|bringing|giving|making|instead|on\s(?:the|his|her|their|its|my|your)\s(?:dice|roll)"
    r"|for\san?|against|versus)\b)"
)
_DICE_SUM = (
    re.compile(rf"\b(?:rolls?|rolled|rolling|gets?|got|getting)\s{_FEW_WORDS}({SIGNED}){_AS_RESULT}"),
    re.compile(rf"\brolls?\s(?:is\s)?(?:[a-z]+\s)?[a-z]+\s\(({SIGNED})\)"),
    re.compile(rf"\b(?:rolls?|rolled|rolling|gets?|got|getting)\san?\s(0){_AS_RESULT}"),
    re.compile(rf"(?<![\w.])({SIGNED}|0)\s(?:on|from)\s(?:the|his|her|their|its|my|your)\sdice\b"),
)
_LEADS = (
    r"\b(?:for|giv(?:es|ing)|rolls?|rolled|gets?|got|getting|mak(?:es|ing)|reach(?:es|ing)|(?:total|effort|result)\s(?:of|is|was)"
    r"|comes\sin\sat"
    r"|(?:total|effort|result|up|down)\sto|from\s[A-Z][a-z]+\s\([^()]{1,4}\)\sto|(?:tying|stays)\sat|ends\sup\s(?:at|with))\s"
)
_NAMED = rf"(?:[A-Z][a-z]+{BRACKETED})"
_AFTER = (
    r"(?=\s(?:results?|efforts?|totals?|rolls?|attacks?|defen[sc]e|blow|on|and|as|so|but|with|meaning|then)\b"
    r"|[.,;:!)]|$)"
)
_TOTAL = (
    re.compile(rf"{_LEADS}(?:(?:an?|the|only|merely|just|[a-z]+ly|[a-z]+ing)\s){{0,4}}({_NAMED}){_AFTER}"),
    re.compile(
        rf"\b(?:total|result|effort)\s(?:(?:of|is|was|to)\s)?(?:an?\s)?(?:[A-Z][a-z]+\s\()?({SIGNED})\)?(?!\s(?:bonus|from|to))"
    ),
)
_NUMBER = re.compile(SIGNED)
_OPPOSES = re.compile(rf"\b(?:{DIFFICULTY}|opposition)\b", re.IGNORECASE)  # "pushes the difficulty up to Superb (+5)"
_NAMED_RESULT = re.compile(
    rf"{_LEADS}(?:(?:an?|the|only|merely|just)\s){{0,2}}([A-Z][a-z]+)\s(?:results?|efforts?|totals?|rolls?)\b"
)


def find_dice_sums(reading: Reading) -> Iterator[StatedValue]:
    """What dice add up to, where faces have signs: "rolls a –2", "gets a 0 on the dice"."""
    return _find_signed(reading, _DICE_SUM)


def find_signed_totals(reading: Reading, names: Mapping[str, int]) -> Iterator[StatedValue]:
    """Totals of rolls with a sign, or the name of the number: "a Great (+4) effort", "a total of +2"."""
    matches = _NAMED_RESULT.finditer(reading.text, reading.label_end)
    named = (reading.stated_value(*match.span(1), names[match[1]]) for match in matches if match[1] in names)
    return iter(sorted([*_find_signed(reading, _TOTAL), *named], key=lambda bit: bit.start))


def _find_signed(reading: Reading, patterns: tuple[re.Pattern[str], ...]) -> Iterator[StatedValue]:
    done = -1
    matches = [match for pattern in patterns for match in pattern.finditer(reading.text, reading.label_end)]
    for match in sorted(matches, key=lambda match: match.start(1)):
        digits = _NUMBER.search(match[1])
        clause = reading.text[reading.clause_begin(match.start(1)) : match.start()]
        if match.start(1) >= done and not (patterns is _TOTAL and _OPPOSES.search(clause)):
            yield reading.stated_value(*match.span(1), _value(digits[0]) if digits else 0)
        done = max(done, match.end(1))


def _value(figure: str) -> int:
    return int(re.sub("[−–]", "-", figure))
