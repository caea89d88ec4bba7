"""Terms with two spellings in headings and tables, one frequent and one used once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..book.tables import label_spans
from ..source import Problem, Source, Span
from .interface import Check, LintContext, LintResult

_MIN_USES = 4  # uses of a spelling in headings and tables before another one is reported
_SAFE_END = 2  # letters at the end of a word that are not compared: endings change on purpose
_VARIANTS = (
    ("judgment", "judgement"), ("armor", "armour"), ("defense", "defence"), ("offense", "offence"), ("color", "colour"),
    ("honor", "honour"), ("skillful", "skilful"), ("traveler", "traveller"), ("traveling", "travelling"),
    ("license", "licence"), ("maneuver", "manoeuvre"), ("favor", "favour"), ("center", "centre"), ("fiber", "fibre"),
    ("counselor", "counsellor"), ("rumor", "rumour"), ("vigor", "vigour"), ("theater", "theatre"), ("gray", "grey"),
    ("acknowledgment", "acknowledgement"), ("artifact", "artefact"), ("ax", "axe"), ("sorcerer", "sorceror"),
    ("behavior", "behaviour"), ("savior", "saviour"), ("plow", "plough"), ("mold", "mould"), ("catalog", "catalogue"),
)  # fmt: skip
_OTHER_SPELLING = {one: other for pair in _VARIANTS for one, other in (pair, pair[::-1])}
_LAST_TWO_WORDS = re.compile(r"(?:^|\s)([^\W\d_]{2,20}[ -][^\W\d_]{2,20})$")
_WORD = re.compile(r"[^\W\d_]{2,30}")


_Place = tuple[Span, tuple[str, ...]]  # a heading or a cell, and the headings above it


class _PageTerms(NamedTuple):
    """The words in the headings and tables of a page, and its text to count their uses."""

    places: tuple[_Place, ...]  # all of them
    words: tuple[str, ...]
    pairs: tuple[str, ...]  # two words at the end of a heading or cell
    source: Source


def _check_page(context: LintContext) -> LintResult:
    term_spans = tuple(_term_places(context))
    all_texts = "\n".join([span.text for span, _ in term_spans if _is_plain_text(span.text)])
    words = tuple([word.lower() for word in _WORD.findall(all_texts)])
    pairs = tuple([pair[1].lower() for span, _ in term_spans if (pair := _last_pair(span))])
    return LintResult(len(words), (), (_PageTerms(term_spans, words, pairs, context.page.source),))


def _find_words(span: Span) -> Iterator[re.Match[str]]:
    return _WORD.finditer(span.text) if _is_plain_text(span.text) else iter(())


def _is_plain_text(text: str) -> bool:
    return "`" not in text and "](" not in text


def _last_pair(span: Span) -> re.Match[str] | None:
    """The last two words of a heading or cell, which may be one term."""
    return _LAST_TWO_WORDS.search(span.text)


def _term_places(context: LintContext) -> Iterator[_Place]:
    yield from ((heading.span, heading.trail) for heading in context.page.headings)
    yield from label_spans(context.page, context.source_map, context.layout.tables)


def _find_terms(facts: Sequence[_PageTerms], wanted: Container[str]) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """The places of the given words."""
    for page in facts:
        for span, trail in page.places if any(word in wanted for word in page.words) else ():
            for word in _find_words(span):
                if word[0].lower() in wanted:
                    yield word[0].lower(), span.subspan(*word.span()), trail


def _check_book(facts: Sequence[_PageTerms]) -> list[Problem]:
    counted = Counter(word for page in facts for word in page.words)
    rare = {
        word: usual for word, usual in _OTHER_SPELLING.items() if counted[word] == 1 and counted[usual] >= _MIN_USES
    }
    variants = [
        _variant_problem(span, rare[word], counted[rare[word]], trail) for word, span, trail in _find_terms(facts, rare)
    ]
    return variants + _typo_problems(facts, counted) + _hyphen_problems(facts)


def _typo_problems(facts: Sequence[_PageTerms], counted: Counter[str]) -> list[Problem]:
    """Words used once in the book, in a heading or table, that differ from a frequent term by one typo."""
    usual = [word for word, times in counted.items() if times >= _MIN_USES and len(word) >= 7]
    forms: dict[str, set[str]] = defaultdict(set)
    for word in usual:
        for form in _typos_of(word):
            forms[form].add(word)
    rare = {word: forms[word] for word in counted if counted[word] == 1 and len(forms.get(word, ())) == 1}
    once = {
        word: meant.pop()
        for word, meant in rare.items()
        if word not in _OTHER_SPELLING and _count_uses(word, facts) <= 1
    }
    return [
        _typo_problem(span, once[word], counted[once[word]], trail) for word, span, trail in _find_terms(facts, once)
    ]


def _hyphen_problems(facts: Sequence[_PageTerms]) -> list[Problem]:
    """Terms written with and without a hyphen: "hit-points", "hit points".

    Only at the end of a heading or cell: before another word, grammar asks for a hyphen.
    """
    counted = Counter(pair for page in facts for pair in page.pairs)
    swapped = {pair: pair.replace("-", " ") if "-" in pair else pair.replace(" ", "-") for pair in counted}
    rare = {pair: other for pair, other in swapped.items() if counted[pair] == 1 and counted[other] >= _MIN_USES}
    problems = []
    for page in facts:
        for span, trail in page.places if any(pair in rare for pair in page.pairs) else ():
            pair = _last_pair(span)
            if pair and (usual := rare.get(pair[1].lower())):
                problems.append(_variant_problem(span.subspan(*pair.span(1)), usual, counted[usual], trail))
    return problems


def _count_uses(word: str, facts: Iterable[_PageTerms]) -> int:
    whole = re.compile(rf"(?<![^\W\d_]){word}(?![^\W\d_])", re.IGNORECASE)
    return sum(len(whole.findall(page.source.text)) for page in facts)


def _typos_of(word: str) -> Iterator[str]:
    """Spellings with a letter left out, doubled, or swapped with the next, not at the beginning or end."""
    for at in range(1, len(word) - _SAFE_END):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _typo_problem(span: Span, usual: str, often: int, trail: tuple[str, ...]) -> Problem:
    message = f'"{span.text}" appears only once in this book; {often} headings and cells say "{usual}"'
    return Problem("spelling-slip", message, span, "warning", ("if it is a slip, correct it",), trail)


def _variant_problem(span: Span, usual: str, often: int, trail: tuple[str, ...]) -> Problem:
    message = f'"{span.text}" is spelled so once; {often} headings and cells say "{usual}"'
    return Problem("spelling-variant", message, span, "info", ("spell it the same way everywhere",), trail)


CHECK = Check("spelling", "terms", _check_page, _check_book)
