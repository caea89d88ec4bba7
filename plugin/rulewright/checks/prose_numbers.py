"""Compares the numbers in the sentences and tables of a page with the figures of its game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ..book.page import Block, Page, Trail, map_lines
from ..book.tables import Table, build_tables
from ..book.text import Passage, build_passage, read_layout
from ..game.figures import SHEETS, Figure, find_figures
from ..game.model import Game
from ..prose.frames import Frame, Surroundings, read_frames
from ..prose.mood import begins_as_example
from ..prose.statements import Match, Vocabulary, find_ladder, find_match
from ..source import Problem
from .number_links import CheckedLink, link_text_span

_MOST_NUMBERS = 5_000  # of a page that are read
_MOST_ITEMS = 12  # of a list whose first line is looked for
_Rules = dict[Trail, frozenset[str]]


class StatedNumber(NamedTuple):
    """A number of a text, and the figure of the game that it speaks about, if that is known."""

    frame: Frame
    trail: Trail
    match: Match | None

    @property
    def is_wrong(self) -> bool:
        return self.match is not None and not self.match.is_equal

    @property
    def is_bound(self) -> bool:
        """Whether a change of the number or of the game would be noticed."""
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


def read_stated_numbers(page: Page, game: Game, links: Iterable[CheckedLink] = ()) -> list[StatedNumber]:
    """All numbers in the running text and the tables of a page, section by section, but those that links check."""
    linked = [span for checked in links if checked.kind != "roll" and (span := link_text_span(checked.link))]
    by_trail: dict[Trail, list[Frame]] = {}
    for trail, frame in islice(_read_page(page), _MOST_NUMBERS):
        if any(span.start <= frame.span.start < span.end for span in linked):
            continue
        by_trail.setdefault(trail, []).append(frame)
    vocabulary, sections = vocabulary_of(game), _rules_by_section(page, game)
    page_rules = frozenset[str]().union(*sections.values())
    numbers = list[StatedNumber]()
    for trail, frames in by_trail.items():
        rules = sections.get(trail, frozenset[str]())
        ladder = {id(frame): match for frame, match in find_ladder(frames, vocabulary, rules)}
        for frame in frames:
            match = ladder.get(id(frame)) or find_match(frame, vocabulary, rules, page_rules)
            numbers.append(StatedNumber(frame, trail, match))
    return numbers


def check_stated_numbers(numbers: Iterable[StatedNumber]) -> list[Problem]:
    """A problem for each number that says something else than the game."""
    return [_number_problem(number, number.match) for number in numbers if number.match and number.is_wrong]


def figure_cause(figure: Figure) -> str:
    """What problems have in common whose cause is one figure."""
    return f"{figure.place}: {figure.statement}"


def _number_problem(number: StatedNumber, match: Match) -> Problem:
    figure, frame = match.figure, number.frame
    message = f"the text says {frame.span.text}, the game says {figure.shown}"
    line = figure.place.rpartition(":")[2]
    notes = (figure_cause(figure), f"correct the number here, or line {line} of {figure.span.source.path}")
    return Problem("prose-number", message, frame.span, notes=notes, trail=number.trail, cause=figure_cause(figure))


def _read_page(page: Page) -> Iterator[tuple[Trail, Frame]]:
    line_map, layout = map_lines(page.source), read_layout(page)
    passages = [build_passage(page, line_map, opening, opening.number + 2) for opening in layout.texts]
    for place, passage in enumerate(passages):
        around = Surroundings(passage.trail, _intro(passages, place), is_doubtful=begins_as_example(passage))
        yield from ((passage.trail, frame) for frame in read_frames(passage.text, passage.span, around))
    for table in build_tables(page, line_map, layout.tables):
        yield from ((table.trail, frame) for frame in _read_table(table))


def _read_table(table: Table) -> Iterator[Frame]:
    headers = [cell.text for cell in table.header]
    for row in (table.header, *table.rows):
        for place, cell in enumerate(row):
            beside = f"{table.caption} {row[0].text if place else ''}"
            around = Surroundings(table.trail, row=beside, column=headers[place])
            yield from read_frames(cell.text, cell.span, around)


def _intro(passages: Sequence[Passage], place: int) -> str:
    """The paragraph above a list, for an item of it; else nothing."""
    passage = passages[place]
    if not _is_item(passage):
        return ""
    for before in reversed(passages[max(place - _MOST_ITEMS, 0) : place]):
        if not _is_item(before):
            return before.text if before.trail == passage.trail else ""
    return ""


def _is_item(passage: Passage) -> bool:
    token = passage.container_token
    return token >= 0 and passage.page.tokens[token].type == "list_item_open"


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
