"""Checks prose for trait names in roll expressions that the game does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from ..book.page import Page
from ..book.text import Passage, passages
from ..game.model import Category, Game
from ..source import Problem, Span, in_reading_order
from .model import Around

CLOSE = 0.75
GENERIC = [
    "attribute",
    "ability",
    "skill",
    "talent",
    "trait",
    "specialty",
    "proficiency",
    "bonus",
    "bonuses",
    "modifier",
    "modifiers",
    "penalty",
    "dice",
    "die",
    "dots",
    "level",
    "rank",
    "score",
    "value",
    "pips",
    "threshold",
    "difficulty",
    "total",
    "result",
    "pool",
    "points",
]


class Register(NamedTuple):
    """An index of traits by lower-case name, specialties with kind and ability, and other words of the game."""

    traits: dict[str, str]
    specialties: dict[str, list[tuple[str, str]]]
    others: frozenset[str]

    def knows(self, phrase: str) -> bool:
        return phrase.lower() in self.traits

    def means_else(self, phrase: str) -> bool:
        return phrase.lower() in self.others

    def near(self, phrase: str) -> str | None:
        """The trait with nearly the same spelling or the same stem, or None."""
        word = phrase.lower()
        best = max(self.traits, key=lambda known: likeness(word, known), default="")
        return self.traits[best] if best and likeness(word, best) >= CLOSE else None

    def specialty(self, phrase: str) -> list[tuple[str, str]]:
        return self.specialties.get(phrase.lower(), [])

    def likely(self, phrase: str) -> bool:
        """Whether a trait is probably meant, although there is none with this name."""
        return bool(self.specialty(phrase) or self.near(phrase))


def likeness(word: str, known: str) -> float:
    shorter = min(len(word), len(known))
    stem = next((at for at in range(shorter) if word[at] != known[at]), shorter)
    if shorter >= 4 and stem >= max(4, shorter - 1):
        return 0.8 + stem / 1000
    return SequenceMatcher(None, word, known).ratio() if abs(len(word) - len(known)) <= 3 else 0.0


def register(game: Game) -> Register | None:
    """Builds the index; None if the game has no traits or an unfinished list, where any name may be valid."""
    if not game.traits or not all(category.names for category in game.traits.values()):
        return None
    traits = {name.lower(): name for category in game.traits.values() for name in names(category)}
    specialties: dict[str, list[tuple[str, str]]] = {}
    for category in game.traits.values():
        for spelling, kind, ability in special(category):
            specialties.setdefault(spelling, []).append((kind, ability))
    return Register(traits, specialties, frozenset(other_words(game)) - traits.keys())


def names(category: Category) -> Iterator[str]:
    yield from category.names
    for others in category.aliases.values():
        yield from others


def special(category: Category) -> Iterator[tuple[str, str, str]]:
    """Each specialty as authors write it, with its kind and ability."""
    for ability, kinds in category.specialties.items():
        for kind, listed in kinds.items():
            for name in listed:
                yield name.partition(" (")[0].lower(), kind, ability


def other_words(game: Game) -> Iterator[str]:
    """Names that are not traits: categories, groups, tables, rules, inputs and steps."""
    yield from GENERIC
    for category in game.traits.values():
        for name in (category.name, *category.groups):
            yield from (name.lower(), name.lower().removesuffix("s"))
    yield from (name.lower() for name in game.tables)
    for rule in game.rules.values():
        yield from (rule.name.lower(), rule.label.lower())
        for entry in rule.inputs:
            yield from (entry.name.lower(), entry.label.lower())
        yield from (step.name.lower() for step in rule.steps)


NAME = r"[^\W\d_][\w’'-]*"
RIGHT = re.compile(rf"{NAME}(?: {NAME}){{0,3}}")
LEFT = re.compile(rf"({NAME}(?: {NAME}){{0,3}})(?:\s[0-9]+)?\s?$")
PLUS = re.compile(r"\s?\+\s?(?=[^\W\d_])|\splus\s(?=[^\W\d_])")
AND = re.compile(r"\sand\s(?=[^\W\d_])")
ROLL = re.compile(
    r"\b(?:roll(?:s|ed|ing)?|test(?:s|ing)?|check(?:s|ing)?|use(?:s|d)?|using)(?:\s(?:an?|the|both|his|her|their|your|its))?\s$",
    re.IGNORECASE,
)
VERBS = {
    "roll",
    "rolls",
    "rolled",
    "rolling",
    "use",
    "uses",
    "using",
    "make",
    "test",
    "check",
    "a",
    "an",
    "the",
    "with",
}
DOTS = re.compile(
    r"\b(?:some|few|couple|one|two|three|four|five|six|zero|more|many|additional|extra|a|[0-9]+)(?:\s(?:of|more))?\sdots?\s(?:in|into)\s"
    r"(?=[^\W\d_])"
)
NEXT = re.compile(r",?\s(?:and|or)\s|,\s")
ALONE = re.compile(rf"\b[Rr]oll(?:s|ed|ing)?\s(?:an?\s|his\s|her\s|their\s|your\s)?(?={NAME})")


class Operand(NamedTuple):
    start: int
    end: int
    text: str


def check_names(around: Around) -> list[Problem]:
    """Problems for traits in prose that the game of the page does not have; silent if uncertain."""
    known = register(around.home) if around.home else None
    return in_reading_order(in_prose(around.page, known)) if known else []


def in_prose(page: Page, known: Register) -> Iterator[Problem]:
    for passage in passages(page):
        seen: dict[str, int] = {}
        for operand in sorted({*sums(passage, known), *dots(passage, known), *alone(passage, known)}):
            if seen.setdefault(operand.text.lower(), operand.start) == operand.start:
                yield unknown(operand.text, passage.span(operand.start, operand.end), known, passage.trail)


def unknown(name: str, span: Span, known: Register, trail: tuple[str, ...]) -> Problem:
    message, note = f"there is no trait «{name}»", ""
    special = known.specialty(name)
    if special:
        abilities = " and of ".join(dict.fromkeys(ability for _, ability in special))
        kind = special[0][0] if len({kind for kind, _ in special}) == 1 else ""
        message = f"«{name}» is no trait: it is {article(kind)} specialty of {abilities}"
        note = f"write {special[0][1]}, and {name} as the specialty that is used"
    elif near := known.near(name):
        note = f"did you mean {near}?"
    else:
        note = "write one of the game's traits, or add this one to [traits] in game.toml"
    return Problem("trait-unknown", message, span, "warning", (note,), trail)


def article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}" if kind else "a"


def sums(passage: Passage, known: Register) -> Iterator[Operand]:
    """Unknown names in `Strength + Melee`, "strength plus melee" and "roll *strength* and *melee*"."""
    text = passage.text
    for pattern in (PLUS, AND):
        for joint in pattern.finditer(text):
            left, right = before(text, joint.start(), known), behind(text, joint.end(), known)
            rolled = left and ROLL.search(text, max(left.start - 40, 0), left.start)
            if left and right and (rolled or (pattern is PLUS and (known.knows(left.text) or known.knows(right.text)))):
                yield from (one for one in (left, right) if is_wrong(one, left, right, passage, known, pattern is PLUS))


def is_wrong(one: Operand, left: Operand, right: Operand, passage: Passage, known: Register, plus: bool) -> bool:
    """Whether an operand is an unknown trait: the other one is a trait, or both are close to one."""
    other = right if one is left else left
    if known.knows(one.text) or known.means_else(one.text) or known.means_else(other.text):
        return False
    marked = passage.emphasised(one.start, one.end) or (plus and one.text[0].isupper())
    if known.knows(other.text):
        return marked or (known.likely(one.text) and (plus or one.text[0].isupper()))
    return plus and known.likely(one.text) and known.likely(other.text)


def behind(text: str, at: int, known: Register) -> Operand | None:
    """The name that begins at an offset: the longest known one, otherwise a word and the capitalized words after it."""
    found = RIGHT.match(text, at)
    if not found:
        return None
    ends = [word.end() for word in re.finditer(NAME, found[0])]
    for end in reversed(ends):
        if is_name(found[0][:end], known):
            return Operand(at, at + end, found[0][:end])
    words = found[0].split(" ")
    length = 1
    while words[0][0].isupper() and length < len(words) and words[length][0].isupper():
        length += 1
    name = " ".join(words[:length])
    return Operand(at, at + len(name), name)


def before(text: str, at: int, known: Register) -> Operand | None:
    """The name that ends at an offset."""
    found = LEFT.search(text, max(at - 80, 0), at)
    if not found:
        return None
    begin, whole = found.start(1), found[1]
    for word in re.finditer(NAME, whole):
        if is_name(whole[word.start() :], known):
            return Operand(begin + word.start(), begin + len(whole), whole[word.start() :])
    words = whole.split(" ")
    length = 1
    while length < len(words) and words[-1][0].isupper() and words[-length - 1][0].isupper():
        if words[-length - 1].lower() in VERBS:
            break
        length += 1
    name = " ".join(words[-length:])
    return Operand(begin + len(whole) - len(name), begin + len(whole), name)


def is_name(phrase: str, known: Register) -> bool:
    return known.knows(phrase) or known.means_else(phrase) or bool(known.specialty(phrase))


def dots(passage: Passage, known: Register) -> Iterator[Operand]:
    """Unknown names in "two dots in Melee", if they are capitalized."""
    for found in DOTS.finditer(passage.text):
        at: int | None = found.end()
        while at and (name := behind(passage.text, at, known)) and name.text[0].isupper():
            if not known.knows(name.text) and not known.means_else(name.text):
                yield name
            joint = NEXT.match(passage.text, name.end)
            at = joint.end() if joint else None


def alone(passage: Passage, known: Register) -> Iterator[Operand]:
    """Unknown names in "roll Reflex", if a trait has nearly the same spelling."""
    for found in ALONE.finditer(passage.text):
        name = behind(passage.text, found.end(), known)
        if not name or is_name(name.text, known) or not known.near(name.text):
            continue
        if name.text[0].isupper() or passage.emphasised(name.start, name.end):
            yield name
