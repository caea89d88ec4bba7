"""Inserts the drafted blocks into the pages of a book, and shows the result as a diff."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path as File
from typing import NamedTuple

from ..book.page import Page
from ..book.parser import read_page
from ..book.text import Passage, blocks_after
from ..checks.model import BlockContext
from ..checks.registry import check_block
from ..compile.files import deduplicate, open_page, refused_problems, survey_files
from ..compile.games import display_path, game_of_page, read_games
from ..compile.options import read_options, root_of
from ..game.model import Game
from ..project import GAME_FILE, find_book, find_common_root
from ..root import UNRESTRICTED, Root
from ..source import LINE_BREAK, Problem, Source
from .candidates import Introduction, find_candidates, next_paragraph
from .game import DraftGame, draft_game
from .passage import Evidence
from .propose import Proposal, Unmatched, propose

_CONTEXT = 3


class _Insertion(NamedTuple):
    """Whole lines to insert before a character of the page."""

    at: int
    text: str


class _Hunk(NamedTuple):
    """Lines of the page, from one up to another, with insertions between them."""

    start: int
    end: int
    added: Sequence[tuple[int, list[str]]]  # line number, and the lines before it


def _apply_insertions(source: Source, insertions: Sequence[_Insertion]) -> Source:
    parts, done = list[str](), 0
    for one in insertions:
        parts += [source.text[done : one.at], one.text]
        done = one.at
    return Source(source.path, "".join([*parts, source.text[done:]]))


def diff_lines(source: Source, insertions: Sequence[_Insertion]) -> Iterator[str]:
    """The diff as lines; insertions must be in reading order."""
    lines = LINE_BREAK.split(source.text)
    if lines and not lines[-1]:
        lines.pop()
    yield f"--- {source.path}"
    yield f"+++ {source.path}"
    shift = 0
    for hunk in _build_hunks(source, insertions, len(lines)):
        number = sum(len(added) for _, added in hunk.added)
        length = hunk.end - hunk.start
        yield f"@@ -{_hunk_range(hunk.start, length)} +{_hunk_range(hunk.start + shift, length + number)} @@"
        yield from _hunk_lines(hunk, lines)
        shift += number


def _build_hunks(source: Source, insertions: Sequence[_Insertion], length: int) -> Iterator[_Hunk]:
    """Insertions with context lines; near ones share a hunk."""
    near: list[tuple[int, list[str]]] = []
    for one in insertions:
        place, added = _insertion_line(source, one, length), _inserted_lines(source, one)
        if near and place - near[-1][0] > 2 * _CONTEXT:
            yield _build_hunk(near, length)
            near = []
        near.append((place, added))
    if near:
        yield _build_hunk(near, length)


def _build_hunk(near: list[tuple[int, list[str]]], length: int) -> _Hunk:
    return _Hunk(max(near[0][0] - _CONTEXT, 0), min(near[-1][0] + _CONTEXT, length), near)


def _insertion_line(source: Source, one: _Insertion, length: int) -> int:
    """Index of the line after the insertion."""
    return length if one.at >= len(source.text) else source.position(one.at)[0] - 1


def _inserted_lines(source: Source, one: _Insertion) -> list[str]:
    """The inserted lines; after a last line without a line end, the insertion begins with one."""
    lines = LINE_BREAK.split(one.text)
    if one.at and source.text[one.at - 1] not in "\n\r":
        lines = lines[1:]
    return lines[:-1] if not lines[-1] else lines


def _hunk_range(start: int, length: int) -> str:
    return f"{start + 1}" if length == 1 else f"{start + (length > 0)},{length}"


def _hunk_lines(one: _Hunk, lines: Sequence[str]) -> Iterator[str]:
    at = one.start
    for place, added in one.added:
        yield from (f" {line}" for line in lines[at:place])
        yield from (f"+{line}" for line in added)
        at = place
    yield from (f" {line}" for line in lines[at : one.end])


_SIGNS = re.compile(r"[ \t]*(?:>[ \t]?)*")
_LONGEST_GAP = 200  # characters of a line of spaces
_MARKER = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")


def _build_insertions(source: Source, proposals: Sequence[Proposal], hidden: bool) -> list[_Insertion]:
    """A block after each passage, in reading order; nothing else in the page changes."""
    found = LINE_BREAK.search(source.text)
    end, text = found[0] if found else "\n", source.text
    items = _list_depths(proposals[0].passage.page) if proposals else []
    places = sorted(((_insertion_offset(one.passage), one) for one in proposals), key=lambda one: one[0])
    return [
        _Insertion(at, _block_text(text, at, _container_prefix(one.passage, items), one, end, hidden))
        for at, one in places
    ]


def _block_text(text: str, at: int, prefix: str, proposal: Proposal, end: str, hidden: bool) -> str:
    """The lines of a block, with the empty lines that keep it apart from its neighbors."""
    bare = prefix.rstrip()
    first, last = ("<!-- example", "-->") if hidden else ("```example", "```")
    lines = [bare, *((prefix + line).rstrip() for line in (first, *proposal.lines, last))]
    opened = "" if at == 0 or text[at - 1] in "\n\r" else end
    after = text[at : at + _LONGEST_GAP]
    follows = after and not LINE_BREAK.match(after.lstrip(" \t"))
    return opened + end.join(lines) + end + (_separator_line(after, bare, end) if follows else "")


def _separator_line(after: str, bare: str, end: str) -> str:
    """An empty line between the block and the text after it; within a quote it has the mark of the quote."""
    return (bare if bare.endswith(">") and after.lstrip(" \t").startswith(">") else "") + end


def _last_line(passage: Passage) -> int:
    """Number of the line after the passage, counted from 0."""
    tokens = passage.page.tokens[passage.first : passage.last + 1]
    return max(
        (token.map[1] for token in tokens if token.map and token.type != "blockquote_open"), default=passage.line
    )


def _insertion_offset(passage: Passage) -> int:
    source, line = passage.page.source, _last_line(passage)
    while line > passage.line and not source.line(line).strip(" \t>"):
        line -= 1
    return source.line_starts[line] if line < len(source.line_starts) else len(source.text)


def _container_prefix(passage: Passage, items: Sequence[int]) -> str:
    """What precedes each line in this container: marks of quotes, indentation of lists and boxes."""
    tokens = passage.page.tokens
    opening = max(
        (
            number
            for number in range(passage.first, passage.last + 1)
            if tokens[number].type == "paragraph_open" and tokens[number].map
        ),
        key=lambda number: (tokens[number].map or [0])[0],
        default=passage.first,
    )
    line = passage.page.source.line((tokens[opening].map or [passage.line - 1])[0] + 1)
    return _line_prefix(line, items[opening])


def _list_depths(page: Page) -> list[int]:
    """Number of open list items at each token."""
    steps = {"list_item_open": 1, "list_item_close": -1}
    return list(accumulate(steps.get(token.type, 0) for token in page.tokens))


def _line_prefix(line: str, items: int) -> str:
    """The container marks at the beginning of a line, with list markers replaced by spaces."""
    prefix, at = "", 0
    for _ in range(items + 1):
        found = _SIGNS.match(line, at)
        assert found
        prefix, at = prefix + found[0], found.end()
        marker = _MARKER.match(line, at) if items else None
        if not marker:
            break
        prefix, at = prefix + " " * len(marker[0]), marker.end()
    return _pad_quote_mark(prefix)


def _pad_quote_mark(prefix: str) -> str:
    return prefix + " " if prefix.endswith(">") else prefix


_NOT_ENOUGH = "a block with only this would fail; write the inputs and the result of the roll"
_MOST_ROUNDS = 5
_UNLABELLED = "this may be no example; begin it with `Example:` if it is one"
_NO_RESULT = "write what the roll results in"
_NO_GAME = f"this page has no {GAME_FILE} to compare it with"


@dataclass(frozen=True)
class AdoptedPage:
    """A page before and after, its insertions, and the examples without a block."""

    before: Source
    after: Source
    edits: tuple[_Insertion, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()


def adopt_page(page: Page, game: Game | None, hidden: bool = False) -> AdoptedPage:
    """The page with a block for each example that the game explains; `hidden` ones are comments."""
    found, left, last = list[Proposal](), list[Unmatched](), -1
    for clues, introduction in examine_page(page):
        if clues.passage.first <= last:
            continue
        labelled = introduction == Introduction.LABEL
        made = _draft_block(page, game, clues, introduction) if game else Unmatched(clues.passage, _NO_GAME)
        last = max(made.passage.last, clues.passage.last) if isinstance(made, Proposal) else last
        is_certain = isinstance(made, Proposal) and _is_certain(made) and (introduction or _shows_dice(clues))
        if isinstance(made, Proposal) and (labelled or is_certain):
            found.append(made)
        elif _is_example(clues, introduction):
            why = _NO_RESULT if labelled else _UNLABELLED
            left.append(made if isinstance(made, Unmatched) else Unmatched(clues.passage, why))
    return _keep_passing(page, game, found, left, hidden)


def find_rolls(page: Page) -> Iterator[Evidence]:
    """The examples of a page that have no block: what `init` counts and `adopt` proposes blocks for."""
    return (clues for clues, introduction in examine_page(page) if _is_example(clues, introduction))


def _is_example(clues: Evidence, introduction: Introduction) -> bool:
    """Whether a passage tells a roll; one without a label must show its dice and a result."""
    is_labelled = introduction == Introduction.LABEL
    return _has_content(clues) if is_labelled else bool(clues.tokens) and clues.facts.is_checkable


def _has_content(clues: Evidence) -> bool:
    return bool(clues.facts.is_checkable or clues.tokens or clues.signs)


def _draft_block(page: Page, game: Game, clues: Evidence, introduction: Introduction) -> Proposal | Unmatched:
    """Draft a block for a passage, or for it and the next paragraph if an example needs both."""
    made = propose(game, clues) if _has_content(clues) else Unmatched(clues.passage, _NO_RESULT)
    after = (
        next_paragraph(page, clues.passage)
        if introduction and not (isinstance(made, Proposal) and _is_certain(made))
        else None
    )
    if after is None:
        return made
    both = Evidence(clues.passage.join(after))
    longer = propose(game, both) if _has_content(both) else made
    if not isinstance(longer, Proposal) or not _is_certain(longer) or blocks_after(page, after.last):
        return made
    return longer._replace(passage=clues.passage) if clues.facts.is_checkable else longer


def examine_page(page: Page) -> Iterator[tuple[Evidence, Introduction]]:
    for passage, introduction in find_candidates(page):
        yield Evidence(passage), introduction


def _shows_dice(clues: Evidence) -> bool:
    """True if the text shows more than one face, symbols, or a total."""
    return len(clues.tokens) > 1 or bool(clues.signs) or any(bit.sure for bit in clues.facts.totals)


def _is_certain(made: Proposal) -> bool:
    """True if the text agrees with the rules in everything; required for a passage without a label."""
    return made.proven and not made.doubts


def _keep_passing(
    page: Page, game: Game | None, found: Sequence[Proposal], left: Sequence[Unmatched], hidden: bool
) -> AdoptedPage:
    """The page with all blocks that pass in place; the others are left out."""
    proposals, others = list(found), list(left)
    for _ in range(_MOST_ROUNDS):
        edits = _build_insertions(page.source, proposals, hidden)
        after = _apply_insertions(page.source, edits)
        bad = _failing_proposals(page, after, game, proposals) if proposals else set()
        if not bad:
            return AdoptedPage(page.source, after, tuple(edits), tuple(proposals), _sort_unmatched(others))
        others += [Unmatched(proposals[place].passage, _NOT_ENOUGH) for place in bad]
        proposals = [one for place, one in enumerate(proposals) if place not in bad]
    others += [Unmatched(one.passage, _NOT_ENOUGH) for one in proposals]
    return AdoptedPage(page.source, page.source, (), (), _sort_unmatched(others))


def _sort_unmatched(left: Sequence[Unmatched]) -> tuple[Unmatched, ...]:
    return tuple(sorted(left, key=lambda one: one.passage.line))


def _failing_proposals(page: Page, after: Source, game: Game | None, proposals: Sequence[Proposal]) -> set[int]:
    """Indexes of proposals whose blocks do not pass on the new page; all of them if blocks went missing."""
    new = read_page(after)
    wanted = {"\n".join(one.lines) for one in proposals}
    around = BlockContext(new, game, {})
    made = [block for block in new.blocks if block.text.content.strip() in wanted]
    passed = {block.text.content.strip() for block in made if check_block(block, around).status == "passed"}
    bad = {place for place, one in enumerate(proposals) if "\n".join(one.lines) not in passed}
    astray = len(new.blocks) != len(page.blocks) + len(proposals)
    return set(range(len(proposals))) if astray and not bad else bad


_ReportProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class _OpenedPage:
    """A parsed page and the game that it belongs to."""

    file: File
    page: Page
    home: Game | None


@dataclass(frozen=True)
class AdoptedBook:
    """The pages of a folder, a new game if there was none, and problems of reading them."""

    pages: tuple[tuple[File, AdoptedPage], ...]
    file: File  # path for the new game
    shown: str
    game: DraftGame | None = None
    problems: tuple[Problem, ...] = ()
    project: Root = UNRESTRICTED  # limits what is read and written
    has_game: bool = False  # before

    @property
    def changed(self) -> list[tuple[File, AdoptedPage]]:
        return [(file, page) for file, page in self.pages if page.proposals]


_CARDLESS = ("Docusaurus", "Obsidian", "docsify", "mdBook")  # tools that would show a block as code


def adopt_book(
    place: File, here: File, watch: _ReportProgress = lambda _done, _pages: None, hidden: bool = False
) -> AdoptedBook:
    """Draft blocks for all pages of a folder; `watch` gets the progress. Where no cards are shown, all are `hidden`."""
    hidden = hidden or find_book(place if place.is_dir() else place.parent).kind in _CARDLESS
    base = find_common_root([place])
    project = root_of(base, here)
    found = survey_files([place], project, read_options(base, here).exclude)
    games = read_games(found.root, found.games, here, project)
    problems = deduplicate([*refused_problems(found, project, here), *games.problems])
    opened = list[_OpenedPage]()
    for file in found.selected:
        source, problem = open_page(file, here)
        problems += [problem] if problem else []
        page = read_page(source)
        opened.append(_OpenedPage(file, page, game_of_page(file, page, games)))
        watch(len(opened), 2 * len(found.selected))
    folder = place if place.is_dir() else place.parent
    has_game = bool(games.files) or any(one.home for one in opened)
    game = None if has_game else _draft_book_game(folder, opened)
    pages = []
    for one in opened:
        home = one.home or (game.game if game and game.game.rules else None)
        pages.append((one.file, adopt_page(one.page, home, hidden)))
        watch(len(opened) + len(pages), 2 * len(opened))
    shown = display_path(folder / GAME_FILE, here)
    return AdoptedBook(tuple(pages), folder / GAME_FILE, shown, game, tuple(problems), project, has_game)


def _draft_book_game(folder: File, opened: Sequence[_OpenedPage]) -> DraftGame | None:
    """Draft a game from all pages of a book that has none."""
    pages = [one.page for one in opened]
    return draft_game(
        book_title(folder, [(one.file, one.page) for one in opened]),
        pages,
        [clues for page in pages for clues in find_rolls(page) if clues.facts.is_checkable],
    )


_GENERIC_TITLES = ("contents", "table of contents", "home", "index", "introduction", "overview", "readme", "welcome")
_GENERIC_FOLDERS = ("book", "content", "docs", "game", "pages", "rules", "src", "vault", "wiki")
_OPENING = re.compile(r"_?index|readme|home|0*[01][^0-9].*", re.IGNORECASE)  # names of pages that open a book


def book_title(folder: File, pages: Sequence[tuple[File, Page]]) -> str:
    """The title of the page that opens the book, else the name of its folder; of a `docs`, the first title there is."""
    name = " ".join(folder.name.replace("-", " ").replace("_", " ").split())
    is_generic = name.lower() in _GENERIC_FOLDERS
    top = min((len(file.parts) for file, _ in pages), default=0)
    opening = [page for file, page in pages if len(file.parts) == top and _OPENING.fullmatch(file.stem)]
    likely = opening if len(pages) > 1 else [page for _, page in pages]
    titles = [page.headings[0].text.strip() for page in likely if page.headings]
    if is_generic:
        titles += [page.headings[0].text.strip() for _, page in pages if page.headings and page.headings[0].level == 1]
    own = next((title for title in titles if title and title.lower() not in _GENERIC_TITLES), "")
    return own or name[:1].upper() + name[1:] or "A new game"
