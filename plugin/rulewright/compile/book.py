"""Compiles a book: finds its files, reads its games and pages once, checks each page, then the book as a whole.

`compile_book` is the entry point. `survey_files` lists the files, `PageChecker` reads and checks pages (in several
processes if there are many), `combine_results` combines the lint results, and `CompiledBook` holds everything that
commands and renderers use.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import TYPE_CHECKING, NamedTuple

from ..book.link_check import find_link_problems, merge_repeated
from ..book.page import BLOCK_KINDS, LARGEST_PAGE, Page
from ..book.parser import read_page
from ..book.resolver import EXTERNAL_TARGET, LinkResolver, is_file_on_disk
from ..book.rule_links import check_schemes, is_rule_link
from ..checks.blocks import check_block
from ..checks.model import BROKEN_GAME_MESSAGE, BlockContext, CheckedBlock
from ..checks.prose_examples import find_examples
from ..checks.trait_names import check_trait_names
from ..game.model import Game
from ..lint.check import nothing_more
from ..lint.registry import CHECKS, Notes, look, problems, settle
from ..project import (
    FILE,
    book_root,
    common_root,
    files_below,
    is_page_name,
    matches,
    overrides_of,
    project_folders,
    published_folder,
    site_settings,
)
from ..root import EVERYWHERE, Root, is_below
from ..source import Problem, Source, Span, in_reading_order
from .aliases import Aliases, read_aliases, settled
from .characters import CheckedCharacter, check_characters, is_character, may_be_character
from .games import (
    Games,
    folder_name,
    game_in_page,
    has_game,
    is_game,
    may_be_game,
    misspelt_game,
    read_games,
    shown,
    with_game,
    with_links,
)
from .options import Options, read_options
from .workers import processes, shared

if TYPE_CHECKING:
    from ..checks.number_links import CheckedLink

PAYS = 1_000_000  # characters of pages from which on several processes are faster
BLOCKS = re.compile(rf"(?:```|~~~|<!--)\s*(?:{'|'.join(BLOCK_KINDS)})\b|\]\(<?(?:roll|chance|value):", re.IGNORECASE)


class Seen(NamedTuple):
    """A page with what can be found without the others. Pages outside of the given places have no `checked`."""

    page: Page
    notes: Notes
    checked: CheckedPage | None = None

    @property
    def lean(self) -> Seen:
        """The same without tokens, which take most of the memory and are needed only for publishing."""
        page = replace(self.page, tokens=())
        return Seen(page, self.notes, replace(self.checked, page=page) if self.checked else None)


class Eyes(NamedTuple):
    """Reads and checks pages, in this process or in several; a `lean` one drops their tokens afterwards."""

    see: Callable[[File], Seen]
    games: Games
    lean: bool

    def all(self, sources: Mapping[File, Source]) -> Iterator[Seen]:
        large = self.lean and sum(len(source.text) for source in sources.values()) > PAYS
        count = processes() if large else 1
        if count == 1:
            yield from map(self.here, sources)
        else:
            plain = [file for file, source in sources.items() if not BLOCKS.search(source.text)]
            yield from self.together(list(sources), plain, count)

    def here(self, file: File) -> Seen:
        return self.see(file).lean if self.lean else self.see(file)

    def together(self, files: Sequence[File], plain: Sequence[File], count: int) -> Iterator[Seen]:
        """Send plain pages to other processes; handle pages with blocks here, as their results do not pickle well."""
        sent, coming = set(plain), shared(self.away, plain, count)
        for file in files:
            seen = next(coming) if file in sent else None
            if seen and seen.checked:
                seen = seen._replace(checked=replace(seen.checked, home=self.games.home(file)))
            yield seen or self.here(file)

    def away(self, file: File) -> Seen | None:
        """Handle a page in a worker process; None if it turns out to have blocks."""
        seen = self.see(file).lean
        if seen.page.blocks or (seen.checked and seen.checked.links):
            return None
        return seen._replace(checked=seen.checked and replace(seen.checked, home=None))


Counts = Mapping[str, int]
LINKS = "links"


class Findings(NamedTuple):
    """The lint problems by source path, and what was looked at by file."""

    problems: Mapping[str, list[Problem]]
    looked: Mapping[File, Counts]


def notice(page: Page, asks: Callable[[str], bool], asked: bool) -> Notes:
    """Run the enabled checks on a page. On pages that are not selected, only those that need the whole book."""
    return look(page, [one for one in CHECKS if asks(one.name) and (asked or one.settle is not nothing_more)])


def findings(seen: Mapping[File, Seen], asks: Callable[[str], bool]) -> Findings:
    """Combine the lint results of all pages and run the checks of the whole book."""
    told: dict[str, list[Problem]] = {}
    every = [one.notes for _, one in sorted(seen.items())]
    for problem in [*problems(every), *settle(every, [check for check in CHECKS if asks(check.name)])]:
        told.setdefault(problem.span.source.path, []).append(problem)
    return Findings(told, {file: counts(one.page, one.notes) for file, one in seen.items()})


def counts(page: Page, notes: Notes) -> Counts:
    """How many things were looked at on a page, by check name; links within the book are counted too."""
    links = sum(link.kind != "autolink" and not EXTERNAL_TARGET.match(link.target) for link in page.links)
    return {**{name: noticed.looked for name, noticed in notes.items()}, LINKS: links}


def looked(pages: Iterable[Counts]) -> dict[str, int]:
    """Total counts of all pages, by the noun of the summary, without zeros."""
    total = Counter[str]()
    for page in pages:
        total.update(page)
    names = {**{check.name: check.things for check in CHECKS}, LINKS: LINKS}
    return {things: total[name] for name, things in names.items() if total[name]}


FILES = re.compile(r"^use_directory_urls[ \t]*:[ \t]*(?:false|no|off)\b", re.MULTILINE | re.IGNORECASE)
HOMES = ("index", "readme")


def shared_addresses(root: File, pages: Mapping[File, Source]) -> list[Problem]:
    """Report pages with the same address in the site; empty for a book without a site."""
    settings = site_settings(root)
    if settings is None or book_root(root) != root:
        return []
    files = FILES.search(settings.read_text(encoding="utf-8-sig", errors="replace")) is not None
    names = {file.relative_to(root).as_posix(): source for file, source in pages.items() if root in file.parents}
    return same_address(((name, address(name, files)) for name in names), names)


def address(name: str, files: bool) -> str:
    """Where MkDocs writes a page: a folder with `index.html`, or a file with `use_directory_urls: false`."""
    stem = posixpath.splitext(name)[0]
    folder, last = posixpath.split(stem)
    if last.lower() in HOMES:
        return posixpath.join(folder, "index.html")
    return f"{stem}.html" if files else f"{stem}/index.html"


def same_address(addresses: Iterable[tuple[str, str]], sources: Mapping[str, Source]) -> list[Problem]:
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


Opened = tuple[Source, Problem | None]  # the text of a page, and the problem if it cannot be read


@dataclass(frozen=True)
class CheckedPage:
    """A page with its checked blocks and all of its problems."""

    file: File
    page: Page
    home: Game | None
    blocks: tuple[CheckedBlock, ...]
    problems: tuple[Problem, ...]
    links: tuple[CheckedLink, ...] = ()
    prose_examples: int = 0
    unchecked_prose: int = 0
    looked: Counts = field(default_factory=dict)


@dataclass(frozen=True)
class Compiled:
    """A book, read and checked."""

    games: Games
    pages: tuple[CheckedPage, ...]
    options: Options = field(default_factory=Options)
    characters: tuple[CheckedCharacter, ...] = ()
    remarks: bool = False  # whether problems of severity "info" are reported
    dialect: str = ""  # the tool whose link syntax the book uses, if it is not plain Markdown
    aliases: Aliases = field(default_factory=Aliases)  # the targets of moved headings
    project: Root = EVERYWHERE  # what may be read and written for this book
    refused: tuple[Problem, ...] = ()  # files and folders that were not read

    @property
    def problems(self) -> list[Problem]:
        """All problems that are switched on: of files, options and games, then page by page."""
        pages = (problem for page in self.pages for problem in page.problems)
        people = (problem for character in self.characters for problem in character.problems)
        shared = shared_addresses(self.games.root, {page.file: page.page.source for page in self.pages})
        every = [*self.of_files, *shared, *pages, *people]
        return merge_repeated(one for one in self.options.of(every) if self.remarks or one.severity != "info")

    @property
    def of_files(self) -> list[Problem]:
        """Problems of files that are not pages, and of those that were not read."""
        found = (*self.options.problems, *in_reading_order(self.games.problems), *self.aliases.problems)
        return once([*self.refused, *found])

    @property
    def looked(self) -> dict[str, int]:
        """How many things were looked at, by the noun of the summary."""
        return looked(page.looked for page in self.pages)

    @property
    def every_game(self) -> dict[str, Game]:
        """All games by name, including those defined in pages."""
        alone = (page.home for page in self.pages if page.home and page.home.alone)
        return {**self.games.found, **{game.folder: game for game in alone}}

    @property
    def blocks(self) -> list[CheckedBlock]:
        return [block for page in self.pages for block in page.blocks]


def once(problems: Iterable[Problem]) -> list[Problem]:
    """Drop duplicates: a file may be refused on several paths. An error wins over a warning."""
    known: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        key = problem.span, problem.code, problem.message
        if key not in known or problem.severity == "error":
            known[key] = problem
    return list(known.values())


class Survey(NamedTuple):
    """The files of a book: games, the selected pages, all pages, characters, and what is not read."""

    root: File
    games: tuple[File, ...]
    asked: tuple[File, ...]
    pages: tuple[File, ...]
    characters: tuple[File, ...] = ()
    refused: tuple[File, ...] = ()  # files and folders that are not read


def survey(places: Sequence[File], project: Root, exclude: Sequence[str] = ()) -> Survey:
    """List the files of a book, without those that `exclude` matches unless a place itself does."""
    root = common_root(places)

    def excluded(file: File) -> bool:
        return bool(exclude) and matches(folder_name(file, root), exclude)

    skipped = (lambda _: False) if any(map(excluded, places)) else excluded
    refused, elsewhere = list[File](), list[File]()
    asked = list(dict.fromkeys(file for place in places for file in files_of(place, project, refused.append, skipped)))
    wanted_below = files_below(
        root, lambda name: may_be_game(name) or is_page_name(name), project, elsewhere.append, skipped
    )
    below = list(wanted_below)
    refused += [file for file in elsewhere if may_be_game(file.name)]
    games = sorted({file for file in [*asked, *below] if is_game(file)})
    wanted = [file for file in asked if is_page(file)]
    pages = dict.fromkeys([*wanted, *filter(is_page, below)])
    people = (file for file in asked if may_be_character(file.name) and is_character(file))
    return Survey(root, tuple(games), tuple(wanted), tuple(pages), tuple(people), tuple(dict.fromkeys(refused)))


def refusals(book: Survey, project: Root, here: File) -> tuple[Problem, ...]:
    """Why some files are not read: an error for files and published folders, a warning for other folders."""
    files = dict.fromkeys([*book.refused, *project.links_out(overrides_of(book.root))])
    problems = ((file, project.problem_at(file, shown(file, here))) for file in files)
    return tuple(
        problem if is_published(file) or not file.is_dir() else problem._replace(severity="warning")
        for file, problem in problems
        if problem
    )


def compile_book(
    places: Sequence[File],
    here: File,
    watch: Callable[[int, int], None] = lambda _done, _pages: None,
    read: Callable[[File, File], Opened] | None = None,
    exists: Callable[[str], bool] | None = None,
    site: File | None = None,
    lean: bool = False,
) -> Compiled:
    """Check the pages at or below some places, with all games and pages of the book they belong to.

    `watch` is called with the number of pages done and their total. A `lean` book takes less memory and time but
    cannot be published.
    """
    root = common_root(places)
    options = read_options(root, here, site)
    project = Root(project_folders(root, site), lambda: options.shared)
    book = survey(places, project, options.exclude)
    games = read_games(book.root, book.games, here, project)
    opened = {file: (read or open_page)(file, here) for file in book.pages}
    played = has_game(book.games, (source.text for source, _ in opened.values()))
    eyes = Eyes(lambda file: see(file, opened[file][0], games, options.asks, file in asked, played), games, lean)
    asked, seen = set(book.asked), dict[File, Seen]()
    for file, one in zip(opened, eyes.all({file: source for file, (source, _) in opened.items()}), strict=True):
        seen[file] = one
        watch(len(seen), len(opened))
    aliases = read_aliases(book.root, here, project)
    every = [one.page for one in seen.values()]
    atlas = LinkResolver(every, shown(book.root, here), exists or is_file_on_disk, aliases=aliases.found)
    links = by_path(find_link_problems(atlas))
    noticed = findings(seen, options.asks)
    pages = (finished(file, seen[file], opened[file][1], links, noticed) for file in book.asked)
    people = check_characters(book.characters, games, here)
    return Compiled(
        with_links(games, atlas),
        tuple(pages),
        options,
        people,
        False,
        atlas.dialect.display_name,
        settled(aliases, atlas),
        project,
        refusals(book, project, here),
    )


def see(file: File, source: Source, games: Games, asks: Callable[[str], bool], asked: bool, played: bool) -> Seen:
    """Read and lint a page, and check its blocks if it is selected."""
    page = read_page(source, has_game=played)
    notes = notice(page, asks, asked)
    return Seen(page, notes, check_page(file, page, games, ()) if asked else None)


def finished(
    file: File, seen: Seen, wrong: Problem | None, links: Mapping[str, list[Problem]], noticed: Findings
) -> CheckedPage:
    """Add the problems of the file, of the links and of the whole book to a checked page."""
    assert seen.checked
    path = seen.page.source.path
    found = [*filter(None, [wrong]), *links.get(path, ()), *noticed.problems.get(path, ()), *seen.checked.problems]
    return replace(seen.checked, problems=tuple(in_reading_order(found)), looked=noticed.looked[file])


def by_path(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.span.source.path, []).append(problem)
    return found


def is_page(file: File) -> bool:
    return is_page_name(file.name)


def files_of(
    place: File, project: Root, refused: Callable[[File], None], is_excluded: Callable[[File], bool]
) -> Iterable[File]:
    if place.is_dir():
        report = lambda file: refused(file) if is_missed(file) else None  # noqa: E731
        return files_below(place, is_ours, project, report, is_excluded)
    if project.refusal(place):
        refused(place)
        return []
    return [place]


def is_missed(file: File) -> bool:
    """Whether an unreadable file is reported. Data files may be anything, so only published ones are."""
    return not may_be_character(file.name) or is_published(file)


def is_published(file: File) -> bool:
    folder = published_folder(file.parent)
    return folder is not None and is_below(file, [folder])


def is_ours(name: str) -> bool:
    return name == FILE or is_page_name(name) or may_be_character(name)


def check_page(file: File, page: Page, games: Games, found: Iterable[Problem]) -> CheckedPage:
    """Check the blocks, numbers, names and prose of a page with its game, and add problems known before."""
    own, problems = game_in_page(page, folder_name(file, games.root))
    folder = None if own or problems else games.nearest(file)  # a game in the page wins over that of its folder
    meant = None if own or problems or folder is not None else misspelt_game(page)
    home = own if folder is None else games.found.get(folder)
    is_broken = bool(problems or meant) or folder in games.broken
    around = BlockContext(page, home, games.found, games.broken | ({""} if is_broken else set()))
    blocks = tuple(with_game(check_block(block, around), page, problems) for block in page.blocks)
    links, wrong = numbers_of(page, around)
    count, lonely, drifted = in_prose(page, blocks, home)
    blamed = (one for block in blocks for one in block.problems)
    every = [*found, *page.problems, *blamed, *wrong, *check_trait_names(around), *lonely, *drifted]
    told = [one for one in every if one.message != BROKEN_GAME_MESSAGE]  # BROKEN is reported where the game is
    if len(told) < len(every):
        told = [one._replace(severity="error") if one is meant else one for one in told]
    return CheckedPage(file, page, home, blocks, tuple(in_reading_order(told)), links, count, len(lonely))


def in_prose(page: Page, blocks: Iterable[CheckedBlock], home: Game | None) -> tuple[int, list[Problem], list[Problem]]:
    """The number of prose examples, the unchecked ones, and those that contradict the blocks next to them."""
    told = find_examples(page)
    if not told:
        return 0, [], []
    from ..checks.prose_examples import check_drift, check_unchecked

    return *check_unchecked(page, told, has_game=home is not None), check_drift(page, blocks, told)


def numbers_of(page: Page, around: BlockContext) -> tuple[tuple[CheckedLink, ...], list[Problem]]:
    """Check number links; their module is imported only for pages that have some."""
    slips = list(check_schemes(page.links))
    if not any(map(is_rule_link, page.links)):
        return (), slips
    from ..checks.number_links import check_number_links

    links, problems = check_number_links(page, around)
    return tuple(links), [*problems, *slips]


def open_page(file: File, here: File) -> Opened:
    """Read the text of a page; if that fails, an empty text and a problem."""
    path = shown(file, here)
    empty = Source(path, "")
    try:
        size = file.stat().st_size
        if size > LARGEST_PAGE:
            message = f"this page has {size:,} bytes; a page may have {LARGEST_PAGE:,}"
            return empty, Problem("page-size", message, Span(empty, 0, 0), notes=("split it into several pages",))
        return Source(path, file.read_bytes().decode("utf-8")), None
    except UnicodeDecodeError as error:
        return empty, Problem("page-text", f"this page is not UTF-8 text (byte {error.start})", Span(empty, 0, 0))
    except OSError as error:
        return empty, Problem("page-text", f"this page cannot be read: {error.strerror}", Span(empty, 0, 0))
