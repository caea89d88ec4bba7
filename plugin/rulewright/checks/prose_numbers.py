"""Compares the numbers in the sentences and tables of a page with the figures of its game."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..book.page import Block, Page, Trail
from ..game.figures import SHEETS, Figure, find_figures
from ..game.model import Game
from ..prose.frames import Frame
from ..prose.statements import Match, Vocabulary, find_ladder, find_match
from ..prose.stems import stems_of
from ..prose.table_rows import KnownTable, known_tables, match_table
from ..source import Problem, Span
from .beside import compare_beside
from .computed_tables import compare_computed
from .dice_lists import compare_dice
from .number_links import CheckedLink, link_text_span
from .page_numbers import Beside, PageNumber, read_page_numbers, row_numbers
from .proved_text import compare_proved

_Rules = dict[Trail, frozenset[str]]


class StatedNumber(NamedTuple):
    """A number of a text, and the figure of the game that it speaks about, if that is known."""

    frame: Frame
    trail: Trail
    match: Match | None
    beside: Beside | None = None  # what a link or block beside it says
    counts_rows: bool = False  # 1, 2, 3 … in the first column of a table

    @property
    def is_wrong(self) -> bool:
        return self.match is not None and not self.match.is_equal

    @property
    def is_bound(self) -> bool:
        """Whether it states what the game says: a change would be noticed where a block or link of the page uses the
        rule."""
        return self.match is not None and self.match.is_strong

    @property
    def difference(self) -> int:
        """What the text says less what the game says."""
        if self.match is None:
            return 0
        figure, frame = self.match.figure, self.frame
        if frame.edge is not None and figure.edge is not None:
            return frame.edge - figure.edge
        return frame.value - abs(figure.value)


def vocabulary_of(game: Game) -> Vocabulary:
    """The figures of a game, prepared once."""
    vocabulary: Vocabulary = game.cached(("vocabulary",), lambda: Vocabulary(find_figures(game)))
    return vocabulary


def read_stated_numbers(
    page: Page, game: Game, links: Iterable[CheckedLink] = (), examples: Sequence[tuple[Span, Sequence[Block]]] = ()
) -> list[StatedNumber]:
    """All numbers in the running text and the tables of a page, section by section, but those that links check;
    `examples` are texts with the blocks that they tell."""
    links = tuple(links)
    linked = [span for checked in links if checked.kind != "roll" and (span := link_text_span(checked.link))]
    found = read_page_numbers(page)
    linked.sort(key=lambda span: span.start)
    starts = [span.start for span in linked]
    own = [number for number in found.numbers if not _is_linked(number, linked, starts)]
    by_trail: dict[Trail, list[Frame]] = {}
    for number in own:
        by_trail.setdefault(number.trail, []).append(number.frame)
    vocabulary, sections = vocabulary_of(game), _rules_by_section(page, game)
    linked_rules = [checked.rule.name for checked in links if checked.rule and checked.rule in game.rules.values()]
    page_rules = frozenset[str]().union(*sections.values(), linked_rules)
    tables = _tables_of(game) if found.grids else ()
    in_tables = {id(frame): match for grid in found.grids for frame, match in match_table(*grid[1:], tables)}
    beside = compare_dice(game, own) | compare_beside(page, game, own, links, examples)
    used = [rule for name, rule in game.rules.items() if name in page_rules]
    for grid in found.grids:
        beside |= compare_computed(grid, used)
    counting = {
        id(frame)
        for grid in found.grids
        if not vocabulary.knows(stems_of(grid.header[0]))
        for frame in row_numbers(grid)
    }
    proved = compare_proved(page, [one for one in own if id(one.frame) not in counting], game, vocabulary)
    numbers = list[StatedNumber]()
    for trail, frames in by_trail.items():
        rules = sections.get(trail, frozenset[str]())
        known = {id(frame): match for frame, match in find_ladder(frames, vocabulary, rules)} | in_tables
        for frame in frames:
            match = known.get(id(frame)) or find_match(frame, vocabulary, rules, page_rules)
            known_beside = beside.get(id(frame)) or (None if match and match.is_strong else proved.get(id(frame)))
            numbers.append(StatedNumber(frame, trail, match, known_beside, id(frame) in counting))
    return numbers


def _is_linked(number: PageNumber, linked: Sequence[Span], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, number.frame.span.start)
    return at > 0 and number.frame.span.start < linked[at - 1].end


def _tables_of(game: Game) -> tuple[KnownTable, ...]:
    tables: tuple[KnownTable, ...] = game.cached(("stated tables",), lambda: known_tables(vocabulary_of(game).figures))
    return tables


def check_stated_numbers(numbers: Iterable[StatedNumber]) -> list[Problem]:
    """A problem for each number that says something else than the game."""
    problems = [_number_problem(number, number.match) for number in numbers if number.match and number.is_wrong]
    return [*problems, *(number.beside.problem for number in numbers if number.beside and number.beside.problem)]


def figure_cause(figure: Figure) -> str:
    """What problems have in common whose cause is one figure."""
    return f"{figure.place}: {figure.statement}"


def _number_problem(number: StatedNumber, match: Match) -> Problem:
    figure, frame = match.figure, number.frame
    message = f"the text says {frame.span.text}, the game says {figure.shown}"
    line = figure.place.rpartition(":")[2]
    notes = (figure_cause(figure), f"correct the number here, or line {line} of {figure.span.source.path}")
    return Problem("prose-number", message, frame.span, notes=notes, trail=number.trail, cause=figure_cause(figure))


def _rules_by_section(page: Page, game: Game) -> _Rules:
    """The rules and sheets that blocks use, by the headings above them; a block without a rule uses the first."""
    found: _Rules = {}
    for block in page.blocks:
        found[block.trail] = found.get(block.trail, frozenset()) | _rules_of(block, game)
    return found


def _rules_of(block: Block, game: Game) -> frozenset[str]:
    if block.kind in ("sheet", "table", "order", "game"):
        sheet = block.get("sheet")
        return frozenset((f"{SHEETS}{sheet.value}",)) if sheet else frozenset()
    named = {entry.value.rpartition("/")[2] for part in block.parts for entry in part.entries if entry.key == "rule"}
    return frozenset(named or list(game.rules)[:1])
