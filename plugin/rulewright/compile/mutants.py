"""Changes numbers of a book by one step, one at a time, and finds out which changes no check notices.

A change is noticed if it brings a problem, error or warning, that was not there before. Nothing is written: a changed
file is read from memory, and only what depends on it is checked again, until the first new problem."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import Any, NamedTuple

from ..checks.coverage import BOUND, FREE
from ..checks.model import BlockContext, CheckedBlock
from ..checks.prose_numbers import figure_cause
from ..checks.registry import check_block
from ..game.constants import find_constants
from ..game.figures import LIMIT, find_figures
from ..game.model import Game
from ..game.toml import read_toml
from ..lint.registry import page_problems, run_book_checks
from ..prose.number_words import next_number
from ..source import Problem, Source, Span
from .book import CheckedPage, check_page, failed_page
from .characters import check_characters
from .game_tables import open_game
from .games import Games, display_path, folder_name, source_in_page, span_in_page
from .late_problems import find_game_warnings
from .sentences import check_sentences, without_repeated
from .silence import silence_page
from .watch import BookWatcher, PageState
from .workers import map_in_processes, process_count

_FEW = 8  # mutants for which other processes would not be worth it
_COSTLY = ("claim", "odds")  # blocks that ask for chances are checked last
_Keys = Counter[tuple[str, str, int]]
_Known = dict[int, CheckedBlock]


class Mutant(NamedTuple):
    """A number of a book, and what it becomes."""

    file: File
    span: Span
    becomes: str
    is_constant: bool  # of a game, else a number of the text

    @property
    def text(self) -> str:
        """The whole file with the change."""
        source, start, end = self.span
        return source.text[:start] + self.becomes + source.text[end:]


def find_mutants(watcher: BookWatcher) -> list[Mutant]:
    """All changes of a book: of the games of its pages first, then of the numbers in the text that are not free."""
    pages, root = watcher.compiled.pages, watcher.games.root
    stated = {
        (page.game.folder, number.to)
        for page in pages
        for number in page.coverage
        if page.game and number.state == BOUND
    }
    constants = list[tuple[File, Span]]()
    folders = {page.game.folder for page in pages if page.game}
    for file in watcher.games.files:
        game = watcher.games.by_folder.get(folder_name(file.parent, root))
        if game and game.folder in folders:
            source = Source(display_path(file, watcher.here), file.read_text("utf-8-sig"))
            constants += [(file, span) for span in _constants(game, source, stated)]
    for page in pages:
        inline = source_in_page(page.page) if page.game and page.game.is_inline else None
        if inline and page.game:
            constants += [(page.file, span_in_page(page.page, span)) for span in _constants(page.game, inline, stated)]
    numbers = [(page.file, number.span) for page in pages for number in page.coverage if number.state != FREE]
    return [
        Mutant(file, span, next_number(span.text), is_constant)
        for is_constant, spans in ((True, constants), (False, numbers))
        for file, span in spans
    ]


def _constants(game: Game, source: Source, stated: Collection[tuple[str, str]]) -> list[Span]:
    """The constants of a file; limits of inputs only where a page of the game states them, so that they are rules."""
    constants, limits = find_constants(game, source)
    own = [figure for figure in find_figures(game) if figure.role == LIMIT]
    ruled = [figure.span for figure in own if (game.folder, figure_cause(figure)) in stated]
    kept = [span for span in limits if any(_is_inside(span, one) for one in ruled)]
    return sorted([*constants, *kept], key=lambda span: span.start)


def _is_inside(span: Span, outer: Span) -> bool:
    return span.source.path == outer.source.path and outer.start <= span.start < outer.end


def try_mutants(watcher: BookWatcher, mutants: Sequence[Mutant]) -> Iterator[bool]:
    """Whether each change is noticed, in order."""
    trial = _Trial(watcher)
    count = process_count() if len(mutants) > _FEW else 1
    return map(trial.is_noticed, mutants) if count == 1 else map_in_processes(trial.is_noticed, mutants, count)


@dataclass(frozen=True)
class _Reach:
    """What a change of a game may affect: the games by folder, and names of rules, or all of them."""

    games: Games
    changed: Mapping[str, Game]
    rules: frozenset[str] | None

    def has(self, checked: CheckedBlock) -> bool:
        """Whether a block may use what was changed."""
        used = [*([checked.rule] if checked.rule else []), *(move.rule for move in checked.moves)]
        if not used or any(
            rule.game in self.changed and (self.rules is None or rule.name in self.rules) for rule in used
        ):
            return True
        return any(_mentions(checked.block.text.content, name) for name in self.rules or self.changed)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


class _Trial:
    """A book as it is, against which changes are compared."""

    def __init__(self, watcher: BookWatcher) -> None:
        assert watcher.book
        self.watcher, self.options, self.book, self.states = watcher, watcher.options, watcher.book, watcher.states
        compiled = watcher.compiled
        problems = [*compiled.file_problems, *compiled.book_problems]
        problems += [problem for page in compiled.pages for problem in page.problems]
        problems += [problem for one in watcher.characters for problem in one.problems]
        self.known = self.count(problems)

    def count(self, problems: Iterable[Problem]) -> _Keys:
        enabled = self.options.enabled_problems(problems)
        return Counter((one.code, one.span.source.path, one.line) for one in enabled if one.severity != "info")

    def is_new(self, problems: Iterable[Problem]) -> bool:
        return any(number > self.known[key] for key, number in self.count(problems).items())

    def is_new_in(self, file: File, state: PageState, problems: Iterable[Problem]) -> bool:
        silenced = silence_page(state.page, folder_name(file, self.book.root), problems, self.options)
        return self.is_new(silenced.problems)

    def is_noticed(self, mutant: Mutant) -> bool:
        if mutant.file not in self.states:
            return self.is_noticed_in_games(mutant, self.states)
        state = self.read(mutant)
        states = {**self.states, mutant.file: state}
        lints = [one.lint_results for _, one in sorted(states.items())]
        return (
            self.is_new_in(mutant.file, state, page_problems([state.lint_results]))
            or self.is_new_in(mutant.file, state, self.check(mutant.file, state, self.watcher.games).problems)
            or self.is_new(run_book_checks(lints, [*self.options.lints]))
            or self.is_noticed_in_games(mutant, states)
        )

    def read(self, mutant: Mutant) -> PageState:
        """The changed page."""
        watcher, old = self.watcher, self.states[mutant.file]
        opened = Source(mutant.span.source.path, mutant.text), old.opened[1]
        path = folder_name(mutant.file, self.book.root)
        return PageState(opened, watcher.book_has_game, self.options, watcher.host, path, old.snippets)

    def check(self, file: File, state: PageState, games: Games, known: _Known | None = None) -> CheckedPage:
        """Check a page, without the blocks that are known or as they were."""
        try:
            if state.failure:
                raise state.failure
            known = self.unchanged_blocks(file, state) if known is None else known
            return check_page(file, state.page, games, self.options.is_group_enabled, known)
        except Exception as error:
            return failed_page(file, state.opened[0], error)

    def unchanged_blocks(self, file: File, state: PageState) -> _Known:
        """The checked blocks of a page whose text was changed elsewhere."""
        before = self.states[file].checked
        blocks = state.page.blocks
        is_same = before and [one.block.text.content for one in before.blocks] == [one.text.content for one in blocks]
        if before is None or not is_same or (before.game and before.game.is_inline):
            return {}
        return {number: replace(old, block=blocks[number]) for number, old in enumerate(before.blocks)}

    def is_noticed_in_games(self, mutant: Mutant, states: Mapping[File, PageState]) -> bool:
        """Whether the games that read the changed file, or the pages that use them, have a new problem."""
        root = self.watcher.project.with_edited(mutant.file, mutant.text.encode())
        changed, files = dict[str, Game](), list[File]()
        for file, parts in self.watcher.dependencies.items():
            name = folder_name(file.parent, self.book.root)
            if mutant.file in (part for part, _ in parts):
                game, problems = open_game(file, display_path(file, self.watcher.here), name, root)
                if self.is_new(problems):
                    return True
                changed |= {name: game} if game else {}
                files += [part for part, _ in parts if part.suffix == ".toml"]
        games = replace(self.watcher.games, by_folder={**self.watcher.games.by_folder, **changed})
        reach = _Reach(games, changed, _affected_rules(mutant, dict.fromkeys(files)))
        pages = [state.page for state in states.values()]
        characters = check_characters(self.book.characters, games, self.watcher.here) if changed else ()
        return (
            self.is_noticed_in_pages(states, reach)
            or any(self.is_new(find_game_warnings(game, pages)) for game in changed.values())
            or self.is_new(problem for one in characters for problem in one.problems)
        )

    def is_noticed_in_pages(self, states: Mapping[File, PageState], reach: _Reach) -> bool:
        """Look for a new problem: in sentences first, then in blocks, then in all that is on the pages."""
        users = [
            file for file in self.book.selected if not reach.changed.keys().isdisjoint(self.states[file].games.used)
        ]
        known: dict[File, _Known] = {file: {} for file in users}
        return (
            any(self.is_new_in(file, states[file], self.check_sentences(file, states[file], reach)) for file in users)
            or any(self.is_noticed_in_blocks(file, states[file], reach, known[file], False) for file in users)
            or any(self.is_noticed_in_blocks(file, states[file], reach, known[file], True) for file in users)
            or any(
                self.is_new_in(file, states[file], self.check(file, states[file], reach.games, known[file]).problems)
                for file in users
            )
        )

    def check_sentences(self, file: File, state: PageState, reach: _Reach) -> Sequence[Problem]:
        before = self.states[file].checked
        game = reach.games.game_of(file)
        if before is None or not before.game or before.game.is_inline or not self.options.is_group_enabled("prose"):
            return ()
        return without_repeated(check_sentences(state.page, game, before.links).problems, before.problems)

    def is_noticed_in_blocks(self, file: File, state: PageState, reach: _Reach, known: _Known, costly: bool) -> bool:
        """Check the blocks that may use what was changed, until one has a new problem; they are added to `known`."""
        before = self.states[file].checked
        if before is None or (before.game and before.game.is_inline):
            return False
        games = reach.games
        around = BlockContext(state.page, games.game_of(file), games.by_folder, games.broken, games.extra_checks)
        for number, old in enumerate(before.blocks):
            if (old.block.kind in _COSTLY) == costly:
                known[number] = check_block(old.block, around) if reach.has(old) else old
                if known[number] is not old and self.is_new_in(file, state, known[number].problems):
                    return True
        return False


def _affected_rules(mutant: Mutant, files: Iterable[File]) -> frozenset[str] | None:
    """The rules that a change of a game may affect; None for all of them."""
    if mutant.file.suffix != ".toml":
        return None
    keys = read_toml(mutant.span.source)[1].keys
    path = max((span.start, path) for path, span in keys.items() if span.start <= mutant.span.start)[1]
    if path[0] != "rules":
        return None
    texts = dict[str, str]()
    for file in files:
        data: dict[str, Any] = read_toml(Source("", file.read_text("utf-8-sig")))[0]
        for name, rule in data.get("rules", {}).items():
            texts[name] = texts.get(name, "") + str(rule)
    found, left = set[str](), [str(path[1])]
    while left:
        name = left.pop()
        found.add(name)
        left += [other for other, text in texts.items() if other not in found and _mentions(text, name)]
    return frozenset(found)
