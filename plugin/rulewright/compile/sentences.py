"""Checks what a page says outside of its blocks: prose examples, numbers in sentences and names of traits.

The modules that read prose are imported only for pages that need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..book.page import Page
from ..checks.model import BlockContext, CheckedBlock
from ..game.model import Game
from ..source import Problem, Span

if TYPE_CHECKING:
    from ..checks.coverage import CoveredNumber
    from ..checks.number_links import CheckedLink
    from ..checks.prose_numbers import StatedNumber


class CheckedSentences(NamedTuple):
    """What sentences state: the numbers that the game contradicts, the states of all, and the problems."""

    wrong: tuple[StatedNumber, ...] = ()
    covered: tuple[CoveredNumber, ...] = ()
    problems: tuple[Problem, ...] = ()


def check_prose(
    page: Page, blocks: Iterable[CheckedBlock], game: Game | None
) -> tuple[int, list[Problem], list[Problem]]:
    """The number of prose examples, the unchecked ones, and those that contradict the blocks next to them."""
    from ..checks.prose_examples import check_drift, check_unchecked, find_examples  # imports many patterns

    prose_examples = find_examples(page)
    if not prose_examples:
        return 0, [], []
    return *check_unchecked(page, prose_examples, has_game=game is not None), check_drift(page, blocks, prose_examples)


def check_sentences(page: Page, game: Game | None, links: tuple[CheckedLink, ...]) -> CheckedSentences:
    """Compare the numbers in the sentences of a page with its game."""
    if game is None:
        return CheckedSentences()
    from ..checks.coverage import cover_page
    from ..checks.prose_examples import compared_values, find_examples, told_blocks
    from ..checks.prose_numbers import check_stated_numbers, read_stated_numbers

    examples = find_examples(page)
    numbers = read_stated_numbers(page, game, links, told_blocks(examples))
    covered = cover_page(page, game, numbers, links, compared_values(examples))
    wrong = tuple(number for number in numbers if number.is_wrong)
    return CheckedSentences(wrong, covered, tuple(check_stated_numbers(numbers)))


def without_repeated(sentences: Iterable[Problem], contradictions: Iterable[Problem]) -> list[Problem]:
    """The problems of sentences but for those that compare a number with its block where a contradiction is reported
    already."""
    told = [one.span for one in contradictions if one.code == "prose-drift"]
    return [
        problem
        for problem in sentences
        if problem.cause or not any(span.start <= problem.span.start < span.end for span in told)
    ]


def with_compared(covered: tuple[CoveredNumber, ...], compared: Sequence[Span]) -> tuple[CoveredNumber, ...]:
    """The states of numbers, those that lints compare among them."""
    if not covered or not compared:
        return covered
    from ..checks.coverage import mark_compared

    return mark_compared(covered, compared)


def check_names(around: BlockContext) -> list[Problem]:
    """Check the names in roll expressions; the module is imported only if the check is enabled."""
    from ..checks.trait_names import check_trait_names

    return check_trait_names(around)
