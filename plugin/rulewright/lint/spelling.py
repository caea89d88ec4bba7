"""Terms with two spellings in headings and tables, one frequent and one used once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..book.tables import label_spans
from ..source import Problem, Source, Span
from .check import Check, Noticed, Reading

OFTEN = 4  # uses of a spelling in headings and tables before another one is reported
SAFE_END = 2  # letters at the end of a word that are not compared: endings change on purpose
VARIANTS = (
    ("judgment", "judgement"), ("armor", "armour"), ("defense", "defence"), ("offense", "offence"), ("color", "colour"),
    ("honor", "honour"), ("skillful", "skilful"), ("traveler", "traveller"), ("traveling", "travelling"),
    ("license", "licence"), ("maneuver", "manoeuvre"), ("favor", "favour"), ("center", "centre"), ("fiber", "fibre"),
    ("counselor", "counsellor"), ("rumor", "rumour"), ("vigor", "vigour"), ("theater", "theatre"), ("gray", "grey"),
    ("acknowledgment", "acknowledgement"), ("artifact", "artefact"), ("ax", "axe"), ("sorcerer", "sorceror"),
    ("behavior", "behaviour"), ("savior", "saviour"), ("plow", "plough"), ("mold", "mould"), ("catalog", "catalogue"),
)  # fmt: skip
OTHER = {one: other for pair in VARIANTS for one, other in (pair, pair[::-1])}
PAIR = re.compile(r"(?:^|\s)([^\W\d_]{2,20}[ -][^\W\d_]{2,20})$")
SHORT = re.compile(r"[^\W\d_]{2,30}")


Place = tuple[Span, tuple[str, ...]]  # a heading or a cell, and the headings above it


class Written(NamedTuple):
    """The words in the headings and tables of a page, and its text to count their uses."""

    places: tuple[Place, ...]  # all of them
    words: tuple[str, ...]
    pairs: tuple[str, ...]  # two words at the end of a heading or cell
    source: Source


def look(reading: Reading) -> Noticed:
    known = tuple(places(reading))
    all_texts = "\n".join([span.text for span, _ in known if is_worded(span.text)])
    words = tuple([word.lower() for word in SHORT.findall(all_texts)])
    pairs = tuple([pair[1].lower() for span, _ in known if (pair := pair_in(span))])
    return Noticed(len(words), (), (Written(known, words, pairs, reading.page.source),))


def words_in(span: Span) -> Iterator[re.Match[str]]:
    return SHORT.finditer(span.text) if is_worded(span.text) else iter(())


def is_worded(text: str) -> bool:
    return "`" not in text and "](" not in text


def pair_in(span: Span) -> re.Match[str] | None:
    """The last two words of a heading or cell, which may be one term."""
    return PAIR.search(span.text)


def places(reading: Reading) -> Iterator[Place]:
    yield from ((heading.span, heading.trail) for heading in reading.page.headings)
    yield from label_spans(reading.page, reading.sheet, reading.layout.tables)


def terms(facts: Sequence[Written], wanted: Container[str]) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """The places of the given words."""
    for page in facts:
        for span, trail in page.places if any(word in wanted for word in page.words) else ():
            for word in words_in(span):
                if word[0].lower() in wanted:
                    yield word[0].lower(), span.part(*word.span()), trail


def settle(facts: Sequence[Written]) -> list[Problem]:
    counted = Counter(word for page in facts for word in page.words)
    rare = {word: usual for word, usual in OTHER.items() if counted[word] == 1 and counted[usual] >= OFTEN}
    variants = [variant(span, rare[word], counted[rare[word]], trail) for word, span, trail in terms(facts, rare)]
    return variants + slips(facts, counted) + hyphens(facts)


def slips(facts: Sequence[Written], counted: Counter[str]) -> list[Problem]:
    """Words used once in the book, in a heading or table, that differ from a frequent term by one typo."""
    usual = [word for word, times in counted.items() if times >= OFTEN and len(word) >= 7]
    forms: dict[str, set[str]] = defaultdict(set)
    for word in usual:
        for form in wrong_forms(word):
            forms[form].add(word)
    rare = {word: forms[word] for word in counted if counted[word] == 1 and len(forms.get(word, ())) == 1}
    once = {word: meant.pop() for word, meant in rare.items() if word not in OTHER and times(word, facts) <= 1}
    return [slip(span, once[word], counted[once[word]], trail) for word, span, trail in terms(facts, once)]


def hyphens(facts: Sequence[Written]) -> list[Problem]:
    """Terms written with and without a hyphen: "hit-points", "hit points".

    Only at the end of a heading or cell: before another word, grammar asks for a hyphen.
    """
    counted = Counter(pair for page in facts for pair in page.pairs)
    swapped = {pair: pair.replace("-", " ") if "-" in pair else pair.replace(" ", "-") for pair in counted}
    rare = {pair: other for pair, other in swapped.items() if counted[pair] == 1 and counted[other] >= OFTEN}
    problems = []
    for page in facts:
        for span, trail in page.places if any(pair in rare for pair in page.pairs) else ():
            pair = pair_in(span)
            if pair and (usual := rare.get(pair[1].lower())):
                problems.append(variant(span.part(*pair.span(1)), usual, counted[usual], trail))
    return problems


def times(word: str, facts: Iterable[Written]) -> int:
    whole = re.compile(rf"(?<![^\W\d_]){word}(?![^\W\d_])", re.IGNORECASE)
    return sum(len(whole.findall(page.source.text)) for page in facts)


def wrong_forms(word: str) -> Iterator[str]:
    """Spellings with a letter left out, doubled, or swapped with the next, not at the beginning or end."""
    for at in range(1, len(word) - SAFE_END):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def slip(span: Span, usual: str, often: int, trail: tuple[str, ...]) -> Problem:
    message = f"«{span.text}» stands in this book once; {often} headings and cells say «{usual}»"
    return Problem("spelling-slip", message, span, "warning", ("if it is a slip, correct it",), trail)


def variant(span: Span, usual: str, often: int, trail: tuple[str, ...]) -> Problem:
    message = f"«{span.text}» is spelled so once; {often} headings and cells say «{usual}»"
    return Problem("spelling-variant", message, span, "info", ("spell it the same way everywhere",), trail)


SPELLING = Check("spelling", "terms", look, settle)
