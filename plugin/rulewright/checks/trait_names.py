"""Checks prose for trait names in roll expressions that the game does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from ..book.page import Page
from ..book.text import Passage, read_passages
from ..game.core import Category
from ..game.model import Game, NamedPart
from ..prose.number_words import NUMBER
from ..source import Problem, Span, sort_problems
from .model import BlockContext

_MIN_SIMILARITY = 0.75
_GENERIC_WORDS = [
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


class _TraitIndex(NamedTuple):
    """An index of traits by lower-case name, specialties with kind and ability, and other words of the game."""

    traits: dict[str, str]
    specialties: dict[str, list[tuple[str, str]]]
    others: frozenset[str]

    def has_trait(self, phrase: str) -> bool:
        return phrase.lower() in self.traits

    def is_other_word(self, phrase: str) -> bool:
        return phrase.lower() in self.others

    def find_similar(self, phrase: str) -> str | None:
        """The trait with nearly the same spelling or the same stem, or None."""
        word = phrase.lower()
        best = max(self.traits, key=lambda known: _similarity(word, known), default="")
        return self.traits[best] if best and _similarity(word, best) >= _MIN_SIMILARITY else None

    def find_specialties(self, phrase: str) -> list[tuple[str, str]]:
        return self.specialties.get(phrase.lower(), [])

    def is_likely_trait(self, phrase: str) -> bool:
        """Whether a trait is probably meant, although there is none with this name."""
        return bool(self.find_specialties(phrase) or self.find_similar(phrase))


def _similarity(word: str, known: str) -> float:
    shorter = min(len(word), len(known))
    stem = next((index for index in range(shorter) if word[index] != known[index]), shorter)
    if shorter >= 4 and stem >= max(4, shorter - 1):
        return 0.8 + stem / 1000
    return SequenceMatcher(None, word, known).ratio() if abs(len(word) - len(known)) <= 3 else 0.0


def _build_index(game: Game) -> _TraitIndex | None:
    """Builds the index; None if the game has no traits or an unfinished list, where any name may be valid."""
    if not game.traits or not all(category.names for category in game.traits.values()):
        return None
    traits = {name.lower(): name for category in game.traits.values() for name in _category_names(category)}
    specialties: dict[str, list[tuple[str, str]]] = {}
    for category in game.traits.values():
        for spelling, kind, ability in _specialty_names(category):
            specialties.setdefault(spelling, []).append((kind, ability))
    return _TraitIndex(traits, specialties, frozenset(_other_words(game)) - traits.keys())


def _category_names(category: Category) -> Iterator[str]:
    yield from category.names
    for others in category.aliases.values():
        yield from others


def _specialty_names(category: Category) -> Iterator[tuple[str, str, str]]:
    """Each specialty as authors write it, with its kind and ability."""
    for ability, kinds in category.specialties.items():
        for kind, listed in kinds.items():
            for name in listed:
                yield name.partition(" (")[0].lower(), kind, ability


def _other_words(game: Game) -> Iterator[str]:
    """Names that are not traits: categories, groups, tables, rules, inputs and steps."""
    yield from _GENERIC_WORDS
    for category in game.traits.values():
        for name in (category.name, *category.groups):
            yield from (name.lower(), name.lower().removesuffix("s"))
    yield from (name.lower() for name in game.tables)
    for rule in game.rules.values():
        yield from (rule.name.lower(), rule.label.lower())
        parts: tuple[NamedPart, ...] = (*rule.inputs, *rule.steps)
        for part in parts:
            yield from (word.lower() for word in (part.name, part.label, *part.also) if word)


_NAME_PATTERN = r"[^\W\d_][\w’'-]*"
_RIGHT_OPERAND = re.compile(rf"{_NAME_PATTERN}(?: {_NAME_PATTERN}){{0,3}}")
_LEFT_OPERAND = re.compile(  # from the start of a word
    rf"(?<![^\W\d_])({_NAME_PATTERN}(?: {_NAME_PATTERN}){{0,3}})(?:\s[0-9]+)?\s?$"
)
_PLUS = re.compile(r"(?:\s\+\s|(?<!\s)\+\s?|\splus\s)(?=[^\W\d_])")  # "roll +wits" is no sum
_AND = re.compile(r"\sand\s(?=[^\W\d_])")
_ROLL_VERB = re.compile(
    r"\b(?:roll(?:s|ed|ing)?|test(?:s|ing)?|check(?:s|ing)?|use(?:s|d)?|using)(?:\s(?:an?|the|both|his|her|their|your|its))?\s$",
    re.IGNORECASE,
)
_STOP_WORDS = {
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
_DOTS_IN = re.compile(
    rf"(?:{NUMBER}|\b(?:some|few|couple|more|many|additional|extra|a))(?:\s(?:of|more))?\sdots?\s(?:in|into)\s"
    r"(?=[^\W\d_])"
)
_LIST_SEPARATOR = re.compile(r",?\s(?:and|or)\s|,\s")
_ROLL_NAME = re.compile(rf"\b[Rr]oll(?:s|ed|ing)?\s(?:an?\s|his\s|her\s|their\s|your\s)?(?={_NAME_PATTERN})")


class _TraitMention(NamedTuple):
    start: int
    end: int
    text: str


def check_trait_names(context: BlockContext) -> list[Problem]:
    """Problems for traits in prose that the game of the page does not have; silent if uncertain."""
    index = _build_index(context.home) if context.home else None
    return sort_problems(_find_unknown_traits(context.page, index)) if index else []


def _find_unknown_traits(page: Page, index: _TraitIndex) -> Iterator[Problem]:
    for passage in read_passages(page):
        first_starts: dict[str, int] = {}
        for mention in sorted(
            {
                *_unknown_in_sums(passage, index),
                *_unknown_after_dots(passage, index),
                *_unknown_after_roll(passage, index),
            }
        ):
            if first_starts.setdefault(mention.text.lower(), mention.start) == mention.start:
                yield _unknown_trait_problem(
                    mention.text, passage.span(mention.start, mention.end), index, passage.trail
                )


def _unknown_trait_problem(name: str, span: Span, index: _TraitIndex, trail: tuple[str, ...]) -> Problem:
    message, note = f'there is no trait "{name}"', ""
    specialties = index.find_specialties(name)
    if specialties:
        abilities = " and of ".join(dict.fromkeys(ability for _, ability in specialties))
        kind = specialties[0][0] if len({kind for kind, _ in specialties}) == 1 else ""
        message = f'"{name}" is no trait: it is {_article(kind)} specialty of {abilities}'
        note = f"write {specialties[0][1]}, and {name} as the specialty that is used"
    elif similar := index.find_similar(name):
        note = f"did you mean {similar}?"
    else:
        note = "write one of the game's traits, or add this one to [traits] in game.toml"
    return Problem("trait-unknown", message, span, "warning", (note,), trail)


def _article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}" if kind else "a"


def _unknown_in_sums(passage: Passage, index: _TraitIndex) -> Iterator[_TraitMention]:
    """Unknown names in `Strength + Melee`, "strength plus melee" and "roll *strength* and *melee*"."""
    text = passage.text
    for pattern in (_PLUS, _AND):
        for joint in pattern.finditer(text):
            left, right = _name_before(text, joint.start(), index), _name_after(text, joint.end(), index)
            follows_roll_verb = left and _ROLL_VERB.search(text, max(left.start - 40, 0), left.start)
            if (
                left
                and right
                and (
                    follows_roll_verb
                    or (pattern is _PLUS and (index.has_trait(left.text) or index.has_trait(right.text)))
                )
            ):
                yield from (
                    mention
                    for mention in (left, right)
                    if _is_unknown_trait(mention, left, right, passage, index, pattern is _PLUS)
                )


def _is_unknown_trait(
    mention: _TraitMention, left: _TraitMention, right: _TraitMention, passage: Passage, index: _TraitIndex, plus: bool
) -> bool:
    """Whether an operand is an unknown trait: the other one is a trait, or both are close to one."""
    other = right if mention is left else left
    if index.has_trait(mention.text) or index.is_other_word(mention.text) or index.is_other_word(other.text):
        return False
    looks_like_name = passage.is_emphasized(mention.start, mention.end) or (plus and mention.text[0].isupper())
    if index.has_trait(other.text):
        return looks_like_name or (index.is_likely_trait(mention.text) and (plus or mention.text[0].isupper()))
    return plus and index.is_likely_trait(mention.text) and index.is_likely_trait(other.text)


def _name_after(text: str, offset: int, index: _TraitIndex) -> _TraitMention | None:
    """The name that begins at an offset: the longest known one, otherwise a word and the capitalized words after it."""
    match = _RIGHT_OPERAND.match(text, offset)
    if not match:
        return None
    ends = [word.end() for word in re.finditer(_NAME_PATTERN, match[0])]
    for end in reversed(ends):
        if _is_known_name(match[0][:end], index):
            return _TraitMention(offset, offset + end, match[0][:end])
    words = match[0].split(" ")
    length = 1
    while words[0][0].isupper() and length < len(words) and words[length][0].isupper():
        length += 1
    name = " ".join(words[:length])
    return _TraitMention(offset, offset + len(name), name)


def _name_before(text: str, offset: int, index: _TraitIndex) -> _TraitMention | None:
    """The name that ends at an offset."""
    match = _LEFT_OPERAND.search(text, max(offset - 80, 0), offset)
    if not match:
        return None
    start, whole = match.start(1), match[1]
    for word in re.finditer(_NAME_PATTERN, whole):
        if _is_known_name(whole[word.start() :], index):
            return _TraitMention(start + word.start(), start + len(whole), whole[word.start() :])
    words = whole.split(" ")
    length = 1
    while length < len(words) and words[-1][0].isupper() and words[-length - 1][0].isupper():
        if words[-length - 1].lower() in _STOP_WORDS:
            break
        length += 1
    name = " ".join(words[-length:])
    return _TraitMention(start + len(whole) - len(name), start + len(whole), name)


def _is_known_name(phrase: str, index: _TraitIndex) -> bool:
    return index.has_trait(phrase) or index.is_other_word(phrase) or bool(index.find_specialties(phrase))


def _unknown_after_dots(passage: Passage, index: _TraitIndex) -> Iterator[_TraitMention]:
    """Unknown names in "two dots in Melee", if they are capitalized."""
    for match in _DOTS_IN.finditer(passage.text):
        offset: int | None = match.end()
        while offset and (name := _name_after(passage.text, offset, index)) and name.text[0].isupper():
            if not index.has_trait(name.text) and not index.is_other_word(name.text):
                yield name
            joint = _LIST_SEPARATOR.match(passage.text, name.end)
            offset = joint.end() if joint else None


def _unknown_after_roll(passage: Passage, index: _TraitIndex) -> Iterator[_TraitMention]:
    """Unknown names in "roll Reflex", if a trait has nearly the same spelling."""
    for match in _ROLL_NAME.finditer(passage.text):
        name = _name_after(passage.text, match.end(), index)
        if not name or _is_known_name(name.text, index) or not index.find_similar(name.text):
            continue
        if name.text[0].isupper() or passage.is_emphasized(name.start, name.end):
            yield name
