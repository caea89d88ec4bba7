"""Finds problems with one cause: those that one figure of a game explains, and what lints repeat about its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from ..book.page import Page
from ..checks.model import BlockContext, CheckedBlock
from ..checks.registry import check_block
from ..game.model import Game
from ..play.validate import load_game_text
from ..source import Problem
from .games import Games

if TYPE_CHECKING:
    from ..checks.number_links import CheckedLink
    from ..checks.prose_numbers import StatedNumber

_MOST_FIGURES = 5  # that are tried in one book
# Codes of lints for what a game reports as `table`, and how many lines to look at.
_REPEATS = {"markup-cell": 1, "rollable-gap": 1, "rollable-overlap": 2}

ProblemKey = tuple[str, str, int, int]


class _Repair(NamedTuple):
    """A figure of a game, what the text says instead, and what problems about it have in common."""

    game: Game
    cause: str
    start: int
    end: int
    text: str
    new: str


class Evidence(NamedTuple):
    """What is known of a page."""

    page: Page
    game: Game | None
    blocks: Sequence[CheckedBlock]
    links: Sequence[CheckedLink]
    numbers: Sequence[StatedNumber]

    @property
    def problems(self) -> list[Problem]:
        blocks = [problem for block in self.blocks for problem in block.problems]
        return [*blocks, *(problem for link in self.links for problem in link.problems)]


def find_causes(pages: Sequence[Evidence], games: Games) -> dict[ProblemKey, str]:
    """The causes of the problems in blocks and links that one figure explains."""
    repairs = {repair.cause: repair for page in pages for repair in _find_repairs(page)}
    causes: dict[ProblemKey, str] = {}
    for repair in list(repairs.values())[:_MOST_FIGURES]:
        game = _load_repaired(repair)
        for page in pages if game else ():
            if game and page.game is repair.game and page.problems:
                left = set(map(problem_key, _check_again(page, game, games)))
                causes |= {key: repair.cause for key in map(problem_key, page.problems) if key not in left}
    return causes


def _find_repairs(page: Evidence) -> Iterator[_Repair]:
    for number in page.numbers:
        if number.is_wrong and page.game and not page.game.is_inline:
            yield from _repair_of(page.game, number)


def _repair_of(game: Game, number: StatedNumber) -> Iterator[_Repair]:
    from ..checks.prose_numbers import figure_cause

    assert number.match
    figure = number.match.figure
    is_own = all(rule.span.source is figure.span.source for rule in game.rules.values())  # not that of a base
    if is_own and figure.span.text.strip(" +-").isdecimal() and abs(figure.value) + number.difference >= 0:
        new = str(abs(figure.value) + number.difference)
        start = figure.span.end - len(str(abs(figure.value)))
        yield _Repair(game, figure_cause(figure), start, figure.span.end, figure.span.source.text, new)


def _load_repaired(repair: _Repair) -> Game | None:
    """The game with another figure; None if it cannot be loaded from its text alone."""
    text = repair.text[: repair.start] + repair.new + repair.text[repair.end :]
    game, problems = load_game_text(text, folder=repair.game.folder)
    return None if any(problem.severity == "error" for problem in problems) else game


def _check_again(page: Evidence, game: Game, games: Games) -> Iterable[Problem]:
    by_folder: Mapping[str, Game] = {**games.by_folder, game.folder: game}
    around = BlockContext(page.page, game, by_folder, games.broken, games.extra_checks)
    problems = [
        problem for block in page.blocks if block.problems for problem in check_block(block.block, around).problems
    ]
    if any(link.problems for link in page.links):
        from ..checks.number_links import check_number_links

        problems += check_number_links(page.page, around)[1]
    return problems


def problem_key(problem: Problem) -> ProblemKey:
    """What tells problems apart when a page is checked again."""
    return problem.code, problem.span.source.path, problem.span.start, problem.span.end


def without_repeats(problems: Sequence[Problem], games: Games) -> tuple[Problem, ...]:
    """The problems of a page without those of lints about rows that the game reports, whose error is the one to fix."""
    reported = {_line_key(problem) for problem in (*games.problems, *problems) if problem.code == "table"}
    return tuple(problem for problem in problems if not (reported and _repeats(problem, reported)))


def _repeats(problem: Problem, reported: Set[tuple[str, int]]) -> bool:
    """Whether a lint reports what the game does: of two rows that overlap, the game reports the second."""
    path, line = _line_key(problem)
    return problem.code in _REPEATS and any((path, line + down) in reported for down in range(_REPEATS[problem.code]))


def _line_key(problem: Problem) -> tuple[str, int]:
    return problem.path, problem.span.source.position(problem.span.start)[0]
