"""Sentences and clauses of a passage, and whether a value in them is a fact or only supposed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..book.text import Passage
from ..source import Span
from .sentences import find_ends
from .words import CLAUSE, CLAUSE_AFTER_COMMA, EXAMPLE, HARD_CLAUSE, IF, MODALS, MODALS_AFTER, SETS_SCENE, SUPPOSES

LABEL = re.compile(rf"[\W_]*{EXAMPLE}\b", re.IGNORECASE)
_AFTER_LABEL = re.compile(r"(?:\s+(?:[0-9]+|[A-Z]|of play))?\s*(?:\([^()\n]{0,60}\)\s*)?(?:[:.\n—–]|-\s|$)")
_LABELLED = re.compile(
    rf"{LABEL.pattern}({_AFTER_LABEL.pattern})?\s*", re.IGNORECASE
)  # group 1: what marks it as a label


def is_label(passage: Passage) -> bool:
    """True if a passage is only a label such as `Example:`, so that the example is what follows."""
    found = _LABELLED.match(passage.text) or BOX.match(passage.text)
    return found is not None and not passage.text[found.end() :].strip("] \n")


def begins_as_example(passage: Passage) -> bool:
    """True for `Example:`, a bold `Example`, and boxes of the type example; not for any sentence with that word."""
    if "example" in passage.kind.split() or BOX.match(passage.text):
        return True
    word, label = LABEL.match(passage.text), _LABELLED.match(passage.text)
    if not word or not label:
        return False
    alone = not passage.text[word.end() :].strip()
    return alone or bool(label[1]) or passage.is_emphasized(word.end() - 7, word.end())


_EXAMPLE_WORD = rf"(?:{EXAMPLE}|instance)"
BOX = re.compile(  # a callout of Obsidian, a box of Docusaurus
    rf"\[!{_EXAMPLE_WORD}\]|:{{3,}}\s?\S{{0,20}}[^\n]{{0,60}}\b{_EXAMPLE_WORD}\b", re.IGNORECASE
)
_OPENS = re.compile(r"[\W_]*(?:(?:for|as\san)\s(?:example|instance)|zum\sbeispiel|beispielsweise)\b", re.IGNORECASE)
_TITLE = re.compile(rf"(?:an?\s|ein\s)?{_EXAMPLE_WORD}\b|.{{1,60}}\s{_EXAMPLE_WORD}$", re.IGNORECASE)
_MOST_TOKENS = 60  # between a heading in a quote and its last paragraph
_SUMMARY = re.compile(rf"<summary>[^<]{{0,60}}\b{_EXAMPLE_WORD}\b", re.IGNORECASE)


def opens_example(passage: Passage) -> bool:
    """True for a passage that says itself that it is an example: `Example:`, "For example, …", a box."""
    return begins_as_example(passage) or _OPENS.match(passage.text) is not None


def is_introduced(passage: Passage) -> bool:
    """True for an example that says so itself, or by its heading or its summary, as "Example of advantage"."""
    before = passage.page.tokens[passage.first - 1] if passage.first else None
    is_folded = before and before.type == "html_block" and _SUMMARY.search(before.content)
    titles = (_title_inside(passage), passage.trail[-1] if passage.trail else "")
    return bool(is_folded or any(_TITLE.match(title.strip()) for title in titles) or opens_example(passage))


def _title_inside(passage: Passage) -> str:
    """The heading of a quote or box, or above a paragraph in it, which is no heading of the page."""
    tokens, level = passage.page.tokens, passage.page.tokens[passage.first].level
    if passage.container and tokens[passage.first + 1].type == "heading_open":
        return tokens[passage.first + 2].content
    for number in range(passage.first - 1, max(passage.first - _MOST_TOKENS, 0), -1):
        if tokens[number].level < level:
            return ""
        if tokens[number].type == "heading_close" and tokens[number].level == level:
            return tokens[number - 1].content
    return ""


_MAX_SENTENCE = 400
_QUOTE = r"""["'“„‘(]*"""
_CONDITION_START = re.compile(rf"{_QUOTE}{SUPPOSES}\b", re.IGNORECASE)
SCENE = re.compile(rf"{_QUOTE}{SETS_SCENE}\b", re.IGNORECASE)
_CONDITION = re.compile(rf"\b{IF}\b", re.IGNORECASE)
_CLAUSE = re.compile(rf"[;:()—–]|,?\s\b{CLAUSE}\b|,\s{CLAUSE_AFTER_COMMA}\b", re.IGNORECASE)
_HARD_CLAUSE = re.compile(rf"[;—–]|,?\s\b{HARD_CLAUSE}\b", re.IGNORECASE)
MODAL = re.compile(rf"\b{MODALS}\b|\w['’](?:d|ll)\b", re.IGNORECASE)
_MODAL_AFTER = re.compile(rf"\s+{MODALS_AFTER}\b", re.IGNORECASE)


class Sentence(NamedTuple):
    start: int
    end: int
    is_supposed: bool


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value in a passage: what it is about, its location, and whether the text states it as a fact."""

    value: int | str | tuple[int, ...]
    subject: str
    span: Span
    start: int
    end: int
    sure: bool
    negated: bool = False

    @property
    def number(self) -> int:
        return self.value if isinstance(self.value, int) else 0


@dataclass(frozen=True)
class Reading:
    """Analyzes a passage: its sentences and clauses, and which of its values are facts."""

    passage: Passage

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def label_end(self) -> int:
        found = _LABELLED.match(self.text)
        return found.end() if found else 0

    @cached_property
    def sentences(self) -> list[Sentence]:
        return list(self.split_sentences())

    def split_sentences(self) -> Iterator[Sentence]:
        start = self.label_end
        for stop in [*(end.end() for end in find_ends(self.text, start)), len(self.text)]:
            while start < stop and self.text[start].isspace():
                start += 1
            if start < stop:
                yield Sentence(start, stop, self.is_supposed(start, stop))
                start = stop

    def is_supposed(self, start: int, stop: int) -> bool:
        """True for questions and conditions; a condition at the beginning of an example only sets the scene."""
        text = self.text[start:stop]
        if text.rstrip("\"'”’) ").endswith("?"):
            return True
        if start == self.label_end and SCENE.match(text):
            return False
        return bool(_CONDITION_START.match(text) or _CONDITION.search(text))

    def sentence(self, place: int) -> Sentence:
        number = max(bisect_right(self.sentences, place, key=lambda sentence: sentence.start) - 1, 0)
        return self.sentences[number] if self.sentences else Sentence(0, len(self.text), False)

    def sentence_start(self, place: int) -> int:
        """Start of the sentence around an offset; of a very long sentence only the last words count."""
        return max(self.sentence(place).start, place - _MAX_SENTENCE)

    def clause_begin(self, place: int) -> int:
        """Start of the clause around an offset."""
        begin = self.sentence_start(place)
        marks = [found.end() for found in _CLAUSE.finditer(self.text, begin, place)]
        return marks[-1] if marks else begin

    def clause_start(self, place: int) -> int:
        """Like `clause`, but relative clauses and `and` after a comma do not begin a new one."""
        begin = self.sentence_start(place)
        marks = [found.end() for found in _HARD_CLAUSE.finditer(self.text, begin, place)]
        return marks[-1] if marks else begin

    def before(self, place: int) -> str:
        """The text of the sentence before an offset."""
        return self.text[self.sentence_start(place) : place]

    def sure(self, start: int, end: int) -> bool:
        """True if the text states this as a fact: no condition, no modal verb."""
        if self.sentence(start).is_supposed or _MODAL_AFTER.match(self.text, end):
            return False
        return not MODAL.search(self.text, self.clause_begin(start), start)

    def stated_value(
        self, start: int, end: int, value: int | str | tuple[int, ...], what: str = "", until: int = 0
    ) -> StatedValue:
        """Build a Bit; `until` is the end of the noun that the value counts."""
        return StatedValue(value, what, self.passage.span(start, end), start, end, self.sure(start, max(until, end)))
