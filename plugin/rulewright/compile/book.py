"""Compiles a book: finds its files, reads its games and pages once, checks each page, then the book as a whole.

`compile_book` is the entry point. `survey_files` lists the files, `PageChecker` reads and checks pages, in several
processes if there are many, `combine_results` combines the lint results, and `CompiledBook` holds everything.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import TYPE_CHECKING, NamedTuple

from ..book.disk import is_file_on_disk
from ..book.finished_site import FinishedSite
from ..book.host import Host, HostSettings
from ..book.link_problems import find_link_problems
from ..book.link_rules import LinkRules
from ..book.page import BLOCK_KINDS, Page
from ..book.parser import read_page
from ..book.resolver import EXTERNAL_TARGET, LinkResolver
from ..book.rule_links import check_schemes, is_rule_link
from ..book.snippets import SnippetReader
from ..checks.adopt_doubts import find_doubts
from ..checks.model import BROKEN_GAME_MESSAGE, BlockContext, CheckedBlock
from ..checks.registry import check_block
from ..game.model import Game
from ..lint.interface import Check, no_book_problems
from ..lint.registry import LintResults, compared_text, page_problems, run_book_checks, run_checks
from ..project import find_common_root, project_folders
from ..root import UNRESTRICTED, Root
from ..source import Problem, Source, Span, sort_problems
from .aliases import Aliases, read_aliases, with_all_problems
from .causes import Evidence, find_causes, problem_key, without_repeats
from .characters import CheckedCharacter, check_characters
from .extensions import report_once
from .files import OpenedPage, deduplicate, file_problems, open_page, survey_files
from .games import (
    Games,
    add_game_problems,
    display_path,
    folder_name,
    game_in_page,
    has_game,
    misspelled_game,
    place_in_page,
    read_games,
)
from .host_settings import make_host, make_snippet_reader, read_host_settings
from .late_problems import find_game_warnings, with_late_problems
from .options import Options, read_options
from .sentences import CheckedSentences, check_names, check_prose, check_sentences, with_compared, without_repeated
from .silence import check_ignored_paths, silence_page
from .terms import DeclaredTerms, collect_terms, find_ambiguous_terms
from .workers import map_in_processes, process_count

if TYPE_CHECKING:
    from ..checks.coverage import CoveredNumber
    from ..checks.number_links import CheckedLink
    from ..checks.prose_numbers import StatedNumber

TRACEBACK = "RULEWRIGHT_TRACEBACK"  # environment variable; if set, bugs print their traceback
MIN_PARALLEL_CHARACTERS = 1_000_000  # characters of pages from which on several processes are faster
_BLOCK_OR_LINK = re.compile(
    rf"(?:```|~~~|<!--)\s*(?:{'|'.join(BLOCK_KINDS)})\b|\]\(<?(?:roll|chance|value):", re.IGNORECASE
)


class PageResult(NamedTuple):
    """A page with what can be found without the others. Pages outside of the given places have no `checked`."""

    page: Page
    lint_results: LintResults
    checked: CheckedPage | None = None

    @property
    def without_tokens(self) -> PageResult:
        """The same without tokens, which take most of the memory and are needed only for publishing."""
        page = replace(self.page, tokens=())
        return PageResult(page, self.lint_results, replace(self.checked, page=page) if self.checked else None)


class _PageChecker(NamedTuple):
    """Reads and checks pages, in this process or, if they are many and have no tokens, in several."""

    check_file: Callable[[File], PageResult]
    games: Games
    lean: bool

    def check_all(self, sources: Mapping[File, Source]) -> Iterator[PageResult]:
        large = self.lean and sum(len(source.text) for source in sources.values()) > MIN_PARALLEL_CHARACTERS
        count = process_count() if large else 1
        if count == 1:
            yield from map(self.check_file, sources)
        else:
            plain = [file for file, source in sources.items() if not _BLOCK_OR_LINK.search(source.text)]
            yield from self.check_in_parallel(list(sources), plain, count)

    def check_in_parallel(self, files: Sequence[File], plain: Sequence[File], count: int) -> Iterator[PageResult]:
        """Send plain pages to other processes; handle pages with blocks here, as their results do not pickle well."""
        sent, results = set(plain), map_in_processes(self.check_in_worker, plain, count)
        for file in files:
            result = next(results) if file in sent else None
            if result and result.checked:
                result = result._replace(checked=replace(result.checked, game=self.games.game_of(file)))
            yield result or self.check_file(file)

    def check_in_worker(self, file: File) -> PageResult | None:
        """Handle a page in a worker process; None if it turns out to have blocks."""
        result = self.check_file(file)
        if result.page.blocks or (result.checked and result.checked.links):
            return None
        return result._replace(checked=result.checked and replace(result.checked, game=None))


_Counts = Mapping[str, int]
_Known = Mapping[int, CheckedBlock]  # blocks by number
_LINKS = "links"


class LintSummary(NamedTuple):
    """The lint problems by source path, and what was looked at by file."""

    problems: Mapping[str, list[Problem]]
    counts: Mapping[File, _Counts]
    compared: Mapping[File, Sequence[Span]]  # what the lints compared, where a change is reported


def _lint_page(page: Page, options: Options, is_selected: bool, host: HostSettings | None) -> LintResults:
    """Run the enabled checks on a page. On pages that are not selected, only those that need the whole book."""
    wanted = [check for check in options.lints if is_selected or check.check_book is not no_book_problems]
    return run_checks(page, wanted, host)


def combine_results(results: Mapping[File, PageResult], lints: Iterable[Check]) -> LintSummary:
    """Combine the lint results of all pages and run the checks of the whole book."""
    problems_by_path: dict[str, list[Problem]] = {}
    lint_results = [result.lint_results for _, result in sorted(results.items())]
    for problem in [*page_problems(lint_results), *run_book_checks(lint_results, [*lints])]:
        problems_by_path.setdefault(problem.span.source.path, []).append(problem)
    counts = {file: _count_checked(result.page, result.lint_results) for file, result in results.items()}
    compared = {file: compared_text(result.lint_results) for file, result in results.items()}
    return LintSummary(problems_by_path, counts, compared)


def _count_checked(page: Page, lint_results: LintResults) -> _Counts:
    """How many things were looked at on a page, by check name; links within the book are counted too."""
    links = sum(link.kind != "autolink" and not EXTERNAL_TARGET.match(link.target) for link in page.links)
    return {**{name: result.checked_count for name, result in lint_results.items()}, _LINKS: links}


def _total_counts(pages: Iterable[_Counts], lints: Iterable[Check]) -> dict[str, int]:
    """Total counts of all pages, by the noun of the summary, without zeros."""
    total = Counter[str]()
    for page in pages:
        total.update(page)
    by_noun = Counter[str]()
    for name, noun in [*((lint.name, lint.noun) for lint in lints), (_LINKS, _LINKS)]:
        by_noun[noun] += total[name]
    return {noun: number for noun, number in by_noun.items() if noun and number}


def find_same_addresses(addresses: Iterable[tuple[str, str]], sources: Mapping[str, Source]) -> list[Problem]:
    """Report files that share an address; case does not matter, because some file systems ignore it."""
    first: dict[str, str] = {}
    problems = []
    for path, address in addresses:
        key = unicodedata.normalize("NFC", address).casefold()
        other = first.setdefault(key, path)
        if other != path:
            message = f"this page and {other} have the same address in the site, {address}: one of them would be lost"
            source = sources.get(path, Source(path, ""))
            problems.append(Problem("page-address", message, Span(source, 0, 0), notes=("rename one of them",)))
    return problems


@dataclass(frozen=True)
class CheckedPage:
    """A page with its checked blocks and all of its problems."""

    file: File
    page: Page
    game: Game | None
    blocks: tuple[CheckedBlock, ...]
    problems: tuple[Problem, ...]
    links: tuple[CheckedLink, ...] = ()
    prose_examples: int = 0
    unchecked_examples: int = 0
    checked_counts: _Counts = field(default_factory=dict)
    ignored_count: int = 0
    wrong_numbers: tuple[StatedNumber, ...] = ()  # in its sentences and tables
    coverage: tuple[CoveredNumber, ...] = ()  # the states of all of them
    used_ignores: frozenset[Span] = frozenset()  # codes of comments and options that a problem has


@dataclass(frozen=True)
class CompiledBook:
    """A book, read and checked."""

    games: Games
    pages: tuple[CheckedPage, ...]
    options: Options = field(default_factory=Options)
    characters: tuple[CheckedCharacter, ...] = ()
    with_info: bool = False  # whether problems of severity "info" are reported
    link_rules: LinkRules = field(default_factory=LinkRules)  # how the links of the book were read
    aliases: Aliases = field(default_factory=Aliases)  # the targets of moved headings
    project: Root = UNRESTRICTED  # what may be read and written for this book
    refused: tuple[Problem, ...] = ()  # files and folders that were not read, or are missing
    unread: tuple[File, ...] = ()  # pages in formats that are not read
    host: Host | None = None  # MkDocs, if it publishes the book
    is_whole: bool = False  # whether all pages and blocks were checked

    @property
    def books(self) -> tuple[CompiledBook, ...]:
        """Itself, as several books have this, too (`compile/books.py`)."""
        return (self,)

    @property
    def unpublished(self) -> list[CheckedPage]:
        """The pages that are not in the site: the settings exclude them, or the finished site has none of them."""
        return [page for page in self.pages if self.host and not self.host.find_destination(self.path(page))]

    def path(self, page: CheckedPage) -> str:
        """The path of a page from the root of the book."""
        return folder_name(page.file, self.games.root)

    def make_resolver(self, pages: Iterable[Page], here: File, exists: Callable[[str], bool]) -> LinkResolver:
        """Resolves links of pages that are published, by the rules by which the book was checked."""
        root, aliases = display_path(self.games.root, here), self.aliases.targets
        return LinkResolver(pages, root, exists, self.link_rules.dialect, aliases, self.host)

    @property
    def declared_terms(self) -> DeclaredTerms:
        """The terms that the book explains to readers."""
        pages = ((self.path(page), page.game.folder if page.game else None, page.page) for page in self.pages)
        return collect_terms(pages, self.options.terms)

    @property
    def book_problems(self) -> list[Problem]:
        """Problems between pages: terms with several definitions, and addresses of several pages."""
        return [*find_ambiguous_terms(self.declared_terms), *self._find_same_addresses()]

    def _find_same_addresses(self) -> list[Problem]:
        if not self.host:
            return []
        files = {self.path(page): page.page.source for page in self.pages}
        addresses = ((path, self.host.find_destination(path) or "") for path in files)
        return find_same_addresses((pair for pair in addresses if pair[1]), files)

    @property
    def problems(self) -> list[Problem]:
        """All problems that are switched on: of files, options and games, then page by page."""
        pages = (problem for page in self.pages for problem in page.problems)
        characters = (problem for character in self.characters for problem in character.problems)
        ignores = check_ignored_paths(self.options, (page.used_ignores for page in self.pages), self.is_whole)
        all_problems = [*self.file_problems, *self.book_problems, *pages, *characters, *ignores]
        paths = [page.page.source.path for page in self.pages] if self.is_whole else ()
        new = report_once(self.options.compare_with_baseline(all_problems, paths))
        return [problem for problem in new if self.with_info or problem.severity != "info"]

    @property
    def nav_problems(self) -> list[Problem]:
        """The pages that the navigation of the site leaves out, and its entries without a page."""
        return [problem for problem in self.options.enabled_problems(self.refused) if problem.code.startswith("nav-")]

    @property
    def file_problems(self) -> list[Problem]:
        """Problems of files that are not pages, and of those that were not read."""
        problems_found = (*self.options.problems, *sort_problems(self.games.problems), *self.aliases.problems)
        return deduplicate([*self.refused, *problems_found])

    @property
    def checked_counts(self) -> dict[str, int]:
        """How many things were looked at, by the noun of the summary."""
        return _total_counts((page.checked_counts for page in self.pages), self.options.lints)

    @property
    def all_games(self) -> dict[str, Game]:
        """All games by name, including those defined in pages."""
        alone = (page.game for page in self.pages if page.game and page.game.is_inline)
        return {**self.games.by_folder, **{game.folder: game for game in alone}}

    @property
    def coverage(self) -> list[CoveredNumber]:
        """The states of all numbers in its sentences and tables."""
        return [number for page in self.pages for number in page.coverage]

    @property
    def blocks(self) -> list[CheckedBlock]:
        return [block for page in self.pages for block in page.blocks]


def compile_book(
    places: Sequence[File],
    here: File,
    watch: Callable[[int, int], None] = lambda _done, _pages: None,
    read: Callable[[File, File], OpenedPage] | None = None,
    exists: Callable[[str], bool] | None = None,
    site: File | None = None,
    lean: bool = False,
    is_build: bool = False,
    finished: FinishedSite | None = None,
    options: Options | None = None,
) -> CompiledBook:
    """Check the pages at or below some places, with all games and pages of the book they belong to.

    `watch` is called with the number of pages done and their total. A `lean` book takes less memory and time but
    cannot be published. `is_build` leaves out what a build does not check (`Options.for_build`), and the tokens of
    pages that only the host renders. With a `finished` site links are judged by its pages. Without `options` they are
    read from the settings of the book.
    """
    root = find_common_root(places)
    options = options or read_options(root, here, site)
    host = make_host(read_host_settings(root, site), options, finished)
    if is_build:
        options = options.for_build()
    project = Root(project_folders(root, site), lambda: options.shared)
    book = survey_files(places, project, options.exclude)
    games = replace(read_games(book.root, book.games, here, project), extra_checks=options.extensions.block_checks)
    opened = {file: (read or open_page)(file, here) for file in book.pages}
    book_has_game = has_game(book.games, (source.text for source, _ in opened.values()))
    snippets = make_snippet_reader(root, project, host.settings if host else None, site)

    def check_file(file: File) -> PageResult:
        source = opened[file][0]
        result = _read_and_check(file, source, games, options, file in selected, book_has_game, host, snippets)
        is_rendered_by_host = host is not None and host.renders(folder_name(file, games.root), result.page)
        return result.without_tokens if lean or (is_build and is_rendered_by_host and not options.exports) else result

    checker = _PageChecker(check_file, games, lean)
    selected, results = set(book.selected), dict[File, PageResult]()
    for file, result in zip(
        opened, checker.check_all({file: source for file, (source, _) in opened.items()}), strict=True
    ):
        results[file] = result
        watch(len(results), len(opened))
    aliases = read_aliases(book.root, here, project)
    all_pages, shown_root = [result.page for result in results.values()], display_path(book.root, here)
    resolver = LinkResolver(all_pages, shown_root, exists or is_file_on_disk, aliases=aliases.targets, host=host)
    links = group_by_path(find_link_problems(resolver)) if options.judges_links else {}
    lint_summary = combine_results(results, options.lints)
    pages = (
        finish_page(file, result.checked, opened[file][1], links, lint_summary, folder_name(file, book.root), options)
        for file in book.selected
        if (result := results[file]).checked
    )
    characters = check_characters(book.characters, games, here)
    return CompiledBook(
        with_late_problems(games, resolver),
        share_causes(pages, games),
        options,
        characters,
        False,
        resolver.rules,
        with_all_problems(aliases, resolver),
        project,
        file_problems(book, project, here, host),
        book.unread,
        host,
        list(book.selected) == list(book.pages),
    )


def _read_and_check(
    file: File,
    source: Source,
    games: Games,
    options: Options,
    is_selected: bool,
    book_has_game: bool,
    host: Host | None,
    snippets: SnippetReader,
) -> PageResult:
    """Read and lint a page, and check its blocks if it is selected."""
    try:
        kinds = frozenset(games.extra_checks)
        included = snippets.snippets_of(source.text)
        page = read_page(source, False, book_has_game, kinds, host is not None, included)
        settings = host.markdown_of(folder_name(file, games.root), page) if host else None
        lint_results = _lint_page(page, options, is_selected, settings)
        checked = check_page(file, page, games, options.is_group_enabled) if is_selected else None
        return PageResult(page, lint_results, checked)
    except Exception as error:  # a bug on one page must not hide the problems of all others
        failed = failed_page(file, source, error)
        return PageResult(failed.page, {}, failed if is_selected else None)


def share_causes(pages: Iterable[CheckedPage], games: Games) -> tuple[CheckedPage, ...]:
    """The pages, where problems that follow from one figure of a game have one cause, and none is reported twice."""
    pages = tuple(replace(page, problems=without_repeats(page.problems, games)) for page in pages)
    evidence = [Evidence(page.page, page.game, page.blocks, page.links, page.wrong_numbers) for page in pages]
    causes = find_causes(evidence, games)
    if not causes:
        return pages
    return tuple(
        replace(page, problems=tuple(p._replace(cause=causes.get(problem_key(p), p.cause)) for p in page.problems))
        for page in pages
    )


def failed_page(file: File, source: Source, error: Exception) -> CheckedPage:
    """A page that could not be checked because of a bug, with the problem that says so."""
    return CheckedPage(file, read_page(Source(source.path, "")), None, (), (internal_problem(source, error),))


def internal_problem(source: Source, error: Exception) -> Problem:
    """The problem of a page at which an exception was raised; with RULEWRIGHT_TRACEBACK the exception itself."""
    if TRACEBACK in os.environ:
        raise error
    message = f"a bug in Rulewright keeps this page from being checked: {type(error).__name__}: {error}"
    note = f"please report it; {TRACEBACK}=1 in the environment shows where it is"
    return Problem("internal-error", message.partition("\n")[0], Span(source, 0, 0), notes=(note,))


def finish_page(
    file: File,
    checked: CheckedPage,
    file_problem: Problem | None,
    links: Mapping[str, Sequence[Problem]],
    lint_summary: LintSummary,
    path: str,
    options: Options,
) -> CheckedPage:
    """A checked page with the problems of its file, its links and the whole book, without those to ignore."""
    own, source_path = [file_problem] if file_problem else [], checked.page.source.path
    problems = [*own, *links.get(source_path, ()), *lint_summary.problems.get(source_path, ()), *checked.problems]
    silenced = silence_page(checked.page, path, problems, options)
    return replace(
        checked,
        problems=tuple(sort_problems(silenced.problems)),
        coverage=with_compared(checked.coverage, lint_summary.compared[file]),
        checked_counts=lint_summary.counts[file],
        ignored_count=silenced.ignored_count,
        used_ignores=silenced.used,
    )


def group_by_path(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(problem.span.source.path, []).append(problem)
    return groups


def check_page(
    file: File, page: Page, games: Games, is_group_enabled: Callable[[str], bool], known: _Known | None = None
) -> CheckedPage:
    """Check the blocks and numbers of a page with its game, and names and prose if these groups are enabled.

    `known` are blocks by number that have been checked before."""
    own, problems = game_in_page(page, folder_name(file, games.root))
    folder = None if own or problems else games.nearest_folder(file)  # a game in the page wins over that of its folder
    misspelling = None if own or problems or folder is not None else misspelled_game(page)
    game = own if folder is None else games.by_folder.get(folder)
    is_broken = bool(problems or misspelling) or folder in games.broken
    broken_games = games.broken | ({""} if is_broken else set())
    around = BlockContext(page, game, games.by_folder, broken_games, games.extra_checks)
    blocks = tuple(
        (known or {}).get(number) or add_game_problems(check_block(block, around), page, problems)
        for number, block in enumerate(page.blocks)
    )
    links, number_problems = _check_page_numbers(page, around)
    example_count, unchecked_examples, contradictions = (
        check_prose(page, blocks, game) if is_group_enabled("prose") else (0, [], [])
    )
    sentences = check_sentences(page, game, links) if is_group_enabled("prose") else CheckedSentences()
    block_problems = (problem for block in blocks for problem in block.problems)
    all_problems: list[Problem] = [
        *page.problems,
        *(place_in_page(page, find_game_warnings(own, [page])) if own else ()),
        *block_problems,
        *number_problems,
        *find_doubts(page),
        *(check_names(around) if is_group_enabled("names") else ()),
        *unchecked_examples,
        *contradictions,
        *without_repeated(sentences.problems, contradictions),
    ]
    reported = [one for one in all_problems if one.message != BROKEN_GAME_MESSAGE]  # reported where the game is
    if len(reported) < len(all_problems):
        reported = [problem._replace(severity="error") if problem is misspelling else problem for problem in reported]
    prose = (example_count, len(unchecked_examples))
    checked = CheckedPage(file, page, game, blocks, tuple(sort_problems(reported)), links, *prose)
    return replace(checked, wrong_numbers=sentences.wrong, coverage=sentences.covered)


def _check_page_numbers(page: Page, around: BlockContext) -> tuple[tuple[CheckedLink, ...], list[Problem]]:
    """Check number links; their module is imported only for pages that have some."""
    misspelled = list(check_schemes(page.links))
    if not any(map(is_rule_link, page.links)):
        return (), misspelled
    from ..checks.number_links import check_number_links

    links, problems = check_number_links(page, around)
    return tuple(links), [*problems, *misspelled]
