"""One term spelled two ways in headings and tables: one of them often, the other once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...text import Problem, Source, Span, late
from .model import Check, Noticed, Reading

OFTEN = 4  # in headings and tables; so often a term is spelled rightly before another spelling is called a slip
SAFE_END = 2  # letters; endings are where words change on purpose
VARIANTS = (
    ("judgment", "judgement"), ("armor", "armour"), ("defense", "defence"), ("offense", "offence"), ("color", "colour"),
    ("honor", "honour"), ("skillful", "skilful"), ("traveler", "traveller"), ("traveling", "travelling"),
    ("license", "licence"), ("maneuver", "manoeuvre"), ("favor", "favour"), ("center", "centre"), ("fiber", "fibre"),
    ("counselor", "counsellor"), ("rumor", "rumour"), ("vigor", "vigour"), ("theater", "theatre"), ("gray", "grey"),
    ("acknowledgment", "acknowledgement"), ("artifact", "artefact"), ("ax", "axe"), ("sorcerer", "sorceror"),
    ("behavior", "behaviour"), ("savior", "saviour"), ("plow", "plough"), ("mold", "mould"), ("catalog", "catalogue"),
)  # fmt: skip
OTHER = {one: other for pair in VARIANTS for one, other in (pair, pair[::-1])}
PAIR = late(r"(?:^|\s)([^\W\d_]{2,20}[ -][^\W\d_]{2,20})$")
SHORT = late(r"[^\W\d_]{2,30}")


class Written(NamedTuple):
    """The words of a page in headings and tables with their places; and the page, to see whether they return."""

    terms: tuple[tuple[str, Span, tuple[str, ...]], ...]
    pairs: tuple[tuple[str, Span, tuple[str, ...]], ...]  # two words at the end of a heading or cell
    source: Source


def look(reading: Reading) -> Noticed:
    page = reading.page
    known = list(places(reading))
    found = [(word[0].lower(), span.part(*word.span()), trail) for span, trail in known for word in words_in(span)]
    pairs = [(written, place, trail) for span, trail in known for written, place in pairs_in(span)]
    return Noticed(len(found), (), (Written(tuple(found), tuple(pairs), page.source),))


def words_in(span: Span) -> Iterator[re.Match[str]]:
    return SHORT.finditer(span.text) if "`" not in span.text and "](" not in span.text else iter(())


def places(reading: Reading) -> Iterator[tuple[Span, tuple[str, ...]]]:
    yield from ((heading.span, heading.trail) for heading in reading.page.headings)
    for table in reading.tables:
        cells = [*table.header, *(row[0] for row in table.rows)]
        yield from ((cell.span(0, len(cell.text)), cell.trail) for cell in cells if cell.text)


def settle(facts: Sequence[Written]) -> list[Problem]:
    counted = Counter(word for page in facts for word, _, _ in page.terms)
    problems = []
    for page in facts:
        for word, span, trail in page.terms:
            usual = OTHER.get(word)
            if usual and counted[word] == 1 and counted[usual] >= OFTEN:
                problems.append(variant(span, usual, counted[usual], trail))
    return problems + slips(facts, counted) + hyphens(facts)


def slips(facts: Sequence[Written], counted: Counter[str]) -> list[Problem]:
    """Words that stand in the book once, in a heading or a table, and nearly are a frequent term."""
    usual = [word for word, times in counted.items() if times >= OFTEN and len(word) >= 7]
    forms: dict[str, set[str]] = defaultdict(set)
    for word in usual:
        for form in wrong_forms(word):
            forms[form].add(word)
    rare = {word: forms[word] for word in counted if counted[word] == 1 and len(forms.get(word, ())) == 1}
    once = {word: meant.pop() for word, meant in rare.items() if word not in OTHER and times(word, facts) <= 1}
    found = (term for page in facts for term in page.terms if term[0] in once)
    return [slip(span, once[word], counted[once[word]], trail) for word, span, trail in found]


def hyphens(facts: Sequence[Written]) -> list[Problem]:
    """«hit-points» beside «hit points»; before another word a hyphen is what grammar asks for."""
    every = [pair for page in facts for pair in page.pairs]
    counted = Counter(written for written, _, _ in every)
    problems = []
    for written, span, trail in every:
        other = written.replace("-", " ") if "-" in written else written.replace(" ", "-")
        if counted[written] == 1 and counted[other] >= OFTEN:
            problems.append(variant(span, other, counted[other], trail))
    return problems


def pairs_in(span: Span) -> Iterator[tuple[str, Span]]:
    """Two words that could be one term: all that the cell or the heading says, or all but a word before them."""
    if found := PAIR.search(span.text):
        yield found[1].lower(), span.part(*found.span(1))


def times(word: str, facts: Iterable[Written]) -> int:
    whole = re.compile(rf"(?<![^\W\d_]){word}(?![^\W\d_])", re.IGNORECASE)
    return sum(len(whole.findall(page.source.text)) for page in facts)


def wrong_forms(word: str) -> Iterator[str]:
    """A letter left out, doubled, or swapped with the next; first and last letters are nobody's slip."""
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
