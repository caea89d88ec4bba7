"""The states of the numbers of a page: bound to the rules, checked in another way, free by a written rule, wrong, or
unbound.

A bound number is noticed when it changes, or when the rule does. `rules/handbook/commands.md` lists what is free."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ..book.page import Page
from ..game.model import Game
from ..prose.frames import Surroundings, read_frames
from ..prose.numbers import find_numbers
from ..prose.statements import Vocabulary
from ..source import Span
from .free_numbers import why_free, why_free_heading
from .number_links import CheckedLink, link_text_span
from .prose_numbers import StatedNumber, figure_cause, vocabulary_of

BOUND, CHECKED, FREE, WRONG, UNBOUND = STATES = ("bound", "checked", "free", "wrong", "unbound")


class CoveredNumber(NamedTuple):
    """A number of a text with its state, and what it is bound to or why it is free."""

    span: Span
    state: str
    to: str


def cover_page(
    page: Page, game: Game, numbers: Iterable[StatedNumber], links: Iterable[CheckedLink], checked: Sequence[Span]
) -> tuple[CoveredNumber, ...]:
    """The states of all numbers of a page in reading order; `checked` are values that are compared with a block."""
    vocabulary, compared = vocabulary_of(game), _Ranges(checked)
    covered = [*_cover_links(links), *_cover_headings(page, vocabulary)]
    for number in numbers:
        frame = number.frame
        is_counted = frame.number.form != "word" or number.is_bound or number.beside or vocabulary.declares(frame)
        if is_counted or compared.contains(frame.span):
            covered.append(_cover(number, compared, vocabulary))
    return tuple(sorted(covered, key=lambda entry: entry.span.start))


def mark_compared(covered: Iterable[CoveredNumber], compared: Sequence[Span]) -> tuple[CoveredNumber, ...]:
    """The same numbers, where those that a calculation of the page compares are checked."""
    ranges, around = _Ranges(compared), "the numbers around it"
    return tuple(
        number._replace(state=CHECKED, to=around)
        if number.state == UNBOUND and ranges.contains(number.span)
        else number
        for number in covered
    )


def count_states(covered: Iterable[CoveredNumber]) -> dict[str, int]:
    """How many numbers there are, and how many in each state."""
    counts = Counter(number.state for number in covered)
    return {"numbers": counts.total(), **{state: counts[state] for state in STATES}}


def _cover(number: StatedNumber, checked: _Ranges, vocabulary: Vocabulary) -> CoveredNumber:
    frame, match = number.frame, number.match
    if number.beside and not (match and number.is_bound):
        return CoveredNumber(frame.span, WRONG if number.beside.problem else CHECKED, number.beside.to)
    if match and number.is_bound:
        return CoveredNumber(frame.span, WRONG if number.is_wrong else BOUND, figure_cause(match.figure))
    if checked.contains(frame.span):
        return CoveredNumber(frame.span, CHECKED, "an example and its block")
    reason = "the number of a row" if number.counts_rows else why_free(frame, vocabulary.declares(frame))
    return CoveredNumber(frame.span, FREE if reason else UNBOUND, reason)


class _Ranges:
    """The parts of a page that some spans cover."""

    def __init__(self, spans: Iterable[Span]) -> None:
        spans = sorted(spans, key=lambda span: span.start)
        self.starts = [span.start for span in spans]
        self.ends = list(accumulate((span.end for span in spans), max))  # how far the spans up to there reach

    def contains(self, span: Span) -> bool:
        at = bisect_right(self.starts, span.start)
        return at > 0 and span.end <= self.ends[at - 1]


def _cover_links(links: Iterable[CheckedLink]) -> Iterator[CoveredNumber]:
    for checked in links:
        span = link_text_span(checked.link) if checked.kind != "roll" else None
        for number in find_numbers(span.text) if span else ():
            if span and number.form != "word":
                state = {"passed": BOUND, "failed": WRONG}.get(checked.status, UNBOUND)
                yield CoveredNumber(span.subspan(number.start, number.end), state, checked.link.target)


def _cover_headings(page: Page, vocabulary: Vocabulary) -> Iterator[CoveredNumber]:
    for heading in page.headings:
        for frame in read_frames(heading.span.text, heading.span.subspan, Surroundings()):
            if frame.number.form != "word":
                reason = why_free_heading(frame, vocabulary.declares(frame))
                yield CoveredNumber(frame.span, FREE if reason else UNBOUND, reason)
