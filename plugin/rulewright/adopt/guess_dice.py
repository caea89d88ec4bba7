"""Which family of dice a rulebook rolls: counts the sentences that speak for each, and answers only if they agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

DICE_CODE = re.compile(r"(?<![\w/.-])([1-9]?[0-9]?)[dD](100|20|12|10|8|6|4|3|2|%|[Ff])(?![\w-])")
_MIN_SENTENCES = 4  # fewer are no evidence
MARGIN = 1.5  # times the sentences of the next family
_LONGEST = 600  # characters of a sentence that are read
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_EMPHASIS = re.compile(r"[*_`\[\]]")
_PARAGRAPH_END, _SENTENCE_END = re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?;])\s+")
ABOUT_DICE = re.compile(r"\b(?:dice|die|rolls?|rolled|rolling)\b|\bd(?:[468]|1[02]|20|100|%|F)(?!\w)", re.IGNORECASE)
_ROLLING = re.compile(
    r"\b(?:roll(?:s|ed|ing)?|throw(?:s|ing)?|test(?:s|ed|ing)?|checks?|saves?|attacks?)\b", re.IGNORECASE
)
_EFFECT = re.compile(  # such dice say how much, not whether
    r"\b(?:damage|hit points?|hp|heals?|healing|harm|regains?|loses?|lost|armou?r|days?|hours?|minutes?|weeks?|gold"
    r"|coins?|gp|sp|worth|feet|tables?|appears?|per|times|chance)\b",
    re.IGNORECASE,
)
_SIGNS: Mapping[str, re.Pattern[str]] = {
    "fate": re.compile(r"\b[0-9]?dF\b|\b(?:[Ff]ate|[Ff]udge) [Dd]ice\b"),
    "keep": re.compile(r"\b[1-9][0-9]?k[1-9]\b"),
    "challenge": re.compile(r"\bchallenge (?:dice|die)\b", re.IGNORECASE),
    "pool": re.compile(
        r"\b(?:count|number of|each|any|total)\b[^.]{0,40}\bsuccesses\b"
        r"|\bdice\b[^.]{0,40}\b(?:is|are|counts? as|shows?) (?:an? )?(?:success|hit)(?:es|s)?\b",
        re.IGNORECASE,
    ),
    "highest": re.compile(
        r"\b(?:highest|best) (?:single )?(?:die|dice|result|(?:one|roll) (?:of|counts))", re.IGNORECASE
    ),
    "mixed": re.compile(r"\b1?d20\s?\+\s?[1-9]?[0-9]?d(?:4|6|8|10|12)\b"),
    "step": re.compile(
        r"\bd4\b(?:\W+(?:\w+\W+){0,2}d(?:6|8|10|12)\b){3}|\b(?:die|dice) (?:type|step)s?\b|\bstep dice\b", re.IGNORECASE
    ),
    "under": re.compile(  # at or below a value of the character, not a number or another die
        r"\broll-under\b|\b(?:roll(?:s|ed|ing)?|result)\b[^.]{0,60}"
        r"\b(?:under|below|(?:less|lower) than or equal to|equal to or (?:less|lower|under|below)(?: than)?) "
        r"(?!the (?:following|table))(?:an?|the|your|their|his|her|its|that|this) (?![^.]{0,25}\b(?:die|dice)\b)[a-z]",
        re.IGNORECASE,
    ),
}
_NOT_FAMILIES = ("under", "mixed")  # signs that need more, or that speak against a family
_NOT_EFFECTS = ("highest", "under")  # signs that the dice of an effect show as well


class Family(NamedTuple):
    """A family of dice as answers to the interview, and how many sentences speak for it."""

    answers: Mapping[str, str]
    sentences: int


def guess_family(texts: Iterable[str]) -> Family | None:
    """The family that these texts speak of; None without enough evidence, or if they speak of several."""
    signs, codes = Counter[str](), Counter[str]()
    for text in texts:
        for sentence in split_sentences(text):
            effect = is_effect(sentence)
            signs.update(
                name for name, sign in _SIGNS.items() if not (effect and name in _NOT_EFFECTS) and sign.search(sentence)
            )
            if not effect and _ROLLING.search(sentence):
                codes.update({dice_code(*found.groups()) for found in DICE_CODE.finditer(sentence)})
    ranked = sorted(_weigh(signs, codes), key=lambda family: -family.sentences)
    best, others = ranked[0] if ranked else None, ranked[1:2]
    is_clear = best and best.sentences >= max([_MIN_SENTENCES, *(MARGIN * other.sentences for other in others)])
    return best if is_clear else None


def dice_code(count: str, sides: str) -> str:
    """The usual spelling of a dice code: `1d20` is `d20`."""
    return f"{'' if count == '1' else count}d{'100' if sides == '%' else sides.upper()}"


def is_effect(sentence: str) -> bool:
    """Whether the dice of a sentence say how much something does, not whether it succeeds."""
    return _EFFECT.search(sentence) is not None


def split_sentences(text: str) -> Iterator[str]:
    """The sentences about dice, without tables and emphasis."""
    for paragraph in _PARAGRAPH_END.split(_FENCED.sub("", text)):
        lines = " ".join(line for line in paragraph.splitlines() if not line.lstrip().startswith("|"))
        for sentence in _SENTENCE_END.split(_EMPHASIS.sub("", lines)):
            if ABOUT_DICE.search(sentence, 0, _LONGEST):
                yield sentence[:_LONGEST]


def _weigh(signs: Mapping[str, int], codes: Counter[str]) -> Iterator[Family]:
    """Every family with evidence. Dice codes alone count only if no other dice are rolled more often."""
    for name in signs:
        if name not in _NOT_FAMILIES:
            yield Family({"family": name}, signs[name])
    code, most = next(iter(codes.most_common(1)), ("", 0))
    under = signs.get("under", 0)
    if code == "d100":
        if under:  # else they are rolled on tables
            yield Family({"family": "under", "sides": "d100"}, most + under)
    elif under >= _MIN_SENTENCES - 1 and code in ("d20", "3d6"):  # perhaps some rolls of the game are like that
        yield Family({"family": "under", "sides": code}, 2 * under)
        yield Family({"family": "one" if code == "d20" else "sum"}, most)
    elif code == "d20" and signs.get("mixed", 0) < _MIN_SENTENCES:
        yield Family({"family": "one", "sides": "d20"}, most)
    elif found := re.fullmatch(r"([2-4])d(6|8|10|12)", code):
        compared = {} if code == "2d6" else {"compare": "target"}
        yield Family({"family": "sum", "sides": f"d{found[2]}", "count": found[1], **compared}, most)
