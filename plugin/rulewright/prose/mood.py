"""What a passage says as a fact, and what it only supposes, asks for or hopes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..book.text import Passage
from ..source import Span

LABEL = re.compile(r"[\W_]*Examples?\b", re.IGNORECASE)
BEHIND = re.compile(r"(?:\s+(?:[0-9]+|[A-Z]|of play))?\s*(?:\([^()\n]{0,60}\)\s*)?(?:[:.\n—–]|-\s|$)")
LABELLED = re.compile(rf"{LABEL.pattern}({BEHIND.pattern})?\s*", re.IGNORECASE)  # group 1: what marks it as a label


def is_label(passage: Passage) -> bool:
    """Whether a passage is nothing but «Example:», so that what follows belongs to it."""
    found = LABELLED.match(passage.text)
    return found is not None and not passage.text[found.end() :].strip()


def begins_as_example(passage: Passage) -> bool:
    """«Example:», «**Example** …», a box of the kind `example`; not a sentence that only begins with the word."""
    if "example" in passage.kind.split():
        return True
    word, label = LABEL.match(passage.text), LABELLED.match(passage.text)
    if not word or not label:
        return False
    alone = not passage.text[word.end() :].strip()
    return alone or bool(label[1]) or passage.emphasised(word.end() - 7, word.end())


LONGEST = 400
ENDS = re.compile(r"""(?<![.\s][A-Za-z])[.!?]+["'”’)\]]*(?=\s|$)|\n|…|\.\.\.""")
SUPPOSED = re.compile(
    r"""["'“‘(]*(?:if|had|were|should|suppose|imagine|when|whenever|unless|without|otherwise|any|every|each)\b""",
    re.IGNORECASE,
)
SCENE = re.compile(r"""["'“‘(]*(?:if|when|suppose|imagine)\b""", re.IGNORECASE)
OPEN = re.compile(r"\b(?:if|unless|whether|as though)\b", re.IGNORECASE)
CLAUSE = re.compile(
    r"[;:()—–]|,?\s\b(?:but|because|while|though|although|so|which|who|therefore)\b|,\s(?:and|then|he|she|they|it|you|we|I|the|his|her|their)\b",
    re.IGNORECASE,
)
HARD = re.compile(r"[;—–]|,?\s\b(?:but|because|while|though|although|so|therefore)\b", re.IGNORECASE)
MODAL = re.compile(
    r"""\b(?:would|could|might|may|can|cannot|can't|should|must|will|won't|shall|needs?\sto|ha(?:s|ve|d)\sto|need(?:s|ed|ing)?|tr(?:y|ies|ied|ying)\sto"""
    r"""|hop(?:e|es|ed|ing)|wants?|wanted|chance|chances|odds|likely|unlikely|almost|nearly|potentially|perhaps|maybe)\b"""
    r"""|\w['’](?:d|ll)\b""",
    re.IGNORECASE,
)
FOLLOWED = re.compile(
    r"\s+(?:would|could|might|may|can|will|should|must|is needed|are needed|is required)\b", re.IGNORECASE
)


class Sentence(NamedTuple):
    start: int
    end: int
    supposed: bool


@dataclass(frozen=True, slots=True)
class Bit:
    """One thing a passage says: its value, what it is about, where it stands, whether it is told as a fact."""

    value: int | str | tuple[int, ...]
    what: str
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
    """A passage while it is read."""

    passage: Passage

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def label_end(self) -> int:
        found = LABELLED.match(self.text)
        return found.end() if found else 0

    @cached_property
    def sentences(self) -> list[Sentence]:
        return list(self.split())

    def split(self) -> Iterator[Sentence]:
        start = self.label_end
        for stop in [*(end.end() for end in ENDS.finditer(self.text, start)), len(self.text)]:
            while start < stop and self.text[start].isspace():
                start += 1
            if start < stop:
                yield Sentence(start, stop, self.supposed(start, stop))
                start = stop

    def supposed(self, start: int, stop: int) -> bool:
        """A condition right at the beginning of an example only sets the scene."""
        text = self.text[start:stop]
        if text.rstrip("\"'”’) ").endswith("?"):
            return True
        if start == self.label_end and SCENE.match(text):
            return False
        return bool(SUPPOSED.match(text) or OPEN.search(text))

    def sentence(self, place: int) -> Sentence:
        number = max(bisect_right(self.sentences, place, key=lambda sentence: sentence.start) - 1, 0)
        return self.sentences[number] if self.sentences else Sentence(0, len(self.text), False)

    def begin(self, place: int) -> int:
        """Where the sentence begins in which something stands; of one that never ends, only the last words count."""
        return max(self.sentence(place).start, place - LONGEST)

    def clause(self, place: int) -> int:
        """Where the clause begins in which something stands."""
        begin = self.begin(place)
        marks = [found.end() for found in CLAUSE.finditer(self.text, begin, place)]
        return marks[-1] if marks else begin

    def clause_start(self, place: int) -> int:
        """The same, but a relative clause or an «and» behind a comma goes on with what was said."""
        begin = self.begin(place)
        marks = [found.end() for found in HARD.finditer(self.text, begin, place)]
        return marks[-1] if marks else begin

    def before(self, place: int) -> str:
        """The text of the sentence up to a place."""
        return self.text[self.begin(place) : place]

    def sure(self, start: int, end: int) -> bool:
        if self.sentence(start).supposed or FOLLOWED.match(self.text, end):
            return False
        return not MODAL.search(self.text, self.clause(start), start)

    def bit(self, start: int, end: int, value: int | str | tuple[int, ...], what: str = "", until: int = 0) -> Bit:
        """`until` is the end of all that belongs to it: the noun that is counted."""
        return Bit(value, what, self.passage.span(start, end), start, end, self.sure(start, max(until, end)))
