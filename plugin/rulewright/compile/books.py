"""A whole book: everything read once, everything checked once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import TYPE_CHECKING, NamedTuple

from ..book.atlas import Atlas
from ..book.disk import on_disk
from ..book.links import check as check_links
from ..book.lost import together
from ..book.model import Page
from ..book.read import read_page
from ..checks.asking import asks, misspelt
from ..checks.beside import examples
from ..checks.blocks import check_block
from ..checks.model import BROKEN, Around, Checked
from ..checks.names import check_names
from ..game.find import (
    FILE,
    common_root,
    files_below,
    is_page_name,
    matches,
    overrides_of,
    project_folders,
    published_folder,
)
from ..game.model import Game
from ..root import EVERYWHERE, Root, is_below
from ..text import Problem, Source, Span, in_reading_order
from .addresses import shared_addresses
from .aliases import Aliases, read_aliases, settled
from .characters import CheckedCharacter, check_characters, is_character, may_be_character
from .further import with_links
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
)
from .noticing import Counts, Findings, findings, looked, notice
from .options import Options, read_options
from .seeing import Eyes, Seen

if TYPE_CHECKING:
    from ..checks.numbers import CheckedLink

LARGEST_PAGE = 4_000_000

Opened = tuple[Source, Problem | None]  # the text of a page, and why it cannot be read


@dataclass(frozen=True)
class CheckedPage:
    """A page with its blocks after their checks, and everything that is wrong on it."""

    file: File
    page: Page
    home: Game | None
    blocks: tuple[Checked, ...]
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
    remarks: bool = False  # is told what may be wrong but is not certain?
    dialect: str = ""  # the tool whose links the book has, where it is a special one
    aliases: Aliases = field(default_factory=Aliases)  # where headings are now that have moved
    project: Root = EVERYWHERE  # what may be read and written for this book
    refused: tuple[Problem, ...] = ()  # files and folders that were not read

    @property
    def problems(self) -> list[Problem]:
        """Those of files that were not read, of the options and the games, then page by page; without those that are
        switched off."""
        pages = (problem for page in self.pages for problem in page.problems)
        people = (problem for character in self.characters for problem in character.problems)
        shared = shared_addresses(self.games.root, {page.file: page.page.source for page in self.pages})
        every = [*self.of_files, *shared, *pages, *people]
        return together(one for one in self.options.of(every) if self.remarks or one.severity != "info")

    @property
    def of_files(self) -> list[Problem]:
        """What is wrong with files that are not pages, and with those that were not read."""
        found = (*self.options.problems, *in_reading_order(self.games.problems), *self.aliases.problems)
        return once([*self.refused, *found])

    @property
    def looked(self) -> dict[str, int]:
        """How many things there were to judge, by what they are called."""
        return looked(page.looked for page in self.pages)

    @property
    def every_game(self) -> dict[str, Game]:
        """By their names, those that stand in pages too."""
        alone = (page.home for page in self.pages if page.home and page.home.alone)
        return {**self.games.found, **{game.folder: game for game in alone}}

    @property
    def blocks(self) -> list[Checked]:
        return [block for page in self.pages for block in page.blocks]


def once(problems: Iterable[Problem]) -> list[Problem]:
    """A file that several others lead to is refused once; what makes it an error counts more than a warning."""
    known: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        key = problem.span, problem.code, problem.message
        if key not in known or problem.severity == "error":
            known[key] = problem
    return list(known.values())


class Survey(NamedTuple):
    """The files of a book: its games, the pages that are asked for, and these with all others of the book."""

    root: File
    games: tuple[File, ...]
    asked: tuple[File, ...]
    pages: tuple[File, ...]
    characters: tuple[File, ...] = ()
    refused: tuple[File, ...] = ()  # files and folders that are not read


def survey(places: Sequence[File], project: Root, exclude: Sequence[str] = ()) -> Survey:
    """Without what `exclude` names, unless one of the places is named there itself."""
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
    """Why some files are not read. Nobody knows whether there are pages in a folder elsewhere, unless a site has it."""
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
    """The pages at or below some places, checked with all games and all pages of the book they belong to.

    `watch` hears how far it is; a lean book cannot be published, and takes less memory and time."""
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
    atlas = Atlas(every, shown(book.root, here), exists or on_disk, aliases=aliases.found)
    links = by_path(check_links(atlas))
    noticed = findings(seen, options.asks)
    pages = (finished(file, seen[file], opened[file][1], links, noticed) for file in book.asked)
    people = check_characters(book.characters, games, here)
    return Compiled(
        with_links(games, atlas),
        tuple(pages),
        options,
        people,
        False,
        atlas.dialect.told,
        settled(aliases, atlas),
        project,
        refusals(book, project, here),
    )


def see(file: File, source: Source, games: Games, asks: Callable[[str], bool], asked: bool, played: bool) -> Seen:
    """Pages that nobody asked for are only learned from."""
    page = read_page(source, has_game=played)
    notes = notice(page, asks, asked)
    return Seen(page, notes, check_page(file, page, games, ()) if asked else None)


def finished(
    file: File, seen: Seen, wrong: Problem | None, links: Mapping[str, list[Problem]], noticed: Findings
) -> CheckedPage:
    """A page with what is wrong with its file, with its links, and with what the whole book shows."""
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
    """Most files that could be characters are none: without a site to publish them nobody misses one."""
    return not may_be_character(file.name) or is_published(file)


def is_published(file: File) -> bool:
    folder = published_folder(file.parent)
    return folder is not None and is_below(file, [folder])


def is_ours(name: str) -> bool:
    return name == FILE or is_page_name(name) or may_be_character(name)


def check_page(file: File, page: Page, games: Games, found: Iterable[Problem]) -> CheckedPage:
    own, problems = game_in_page(page, folder_name(file, games.root))
    folder = None if own or problems else games.nearest(file)  # a game in the page comes before that of its folder
    meant = None if own or problems or folder is not None else misspelt_game(page)
    home = own if folder is None else games.found.get(folder)
    is_broken = bool(problems or meant) or folder in games.broken
    around = Around(page, home, games.found, games.broken | ({""} if is_broken else set()))
    blocks = tuple(with_game(check_block(block, around), page, problems) for block in page.blocks)
    links, wrong = numbers_of(page, around)
    count, lonely, drifted = in_prose(page, blocks, home)
    blamed = (one for block in blocks for one in block.problems)
    every = [*found, *page.problems, *blamed, *wrong, *check_names(around), *lonely, *drifted]
    told = [one for one in every if one.message != BROKEN]  # which is told where the game is
    if len(told) < len(every):
        told = [one._replace(severity="error") if one is meant else one for one in told]
    return CheckedPage(file, page, home, blocks, tuple(in_reading_order(told)), links, count, len(lonely))


def in_prose(page: Page, blocks: Iterable[Checked], home: Game | None) -> tuple[int, list[Problem], list[Problem]]:
    """How many examples the prose tells, those that nothing checks, and what blocks beside them contradict."""
    told = examples(page)
    if not told:
        return 0, [], []
    from ..checks.prose import drift, unchecked

    return *unchecked(page, told, could=home is not None), drift(page, blocks, told)


def numbers_of(page: Page, around: Around) -> tuple[tuple[CheckedLink, ...], list[Problem]]:
    """The numbers in sentences; most pages have none, and do not wait for what checks them."""
    slips = list(misspelt(page.links))
    if not any(map(asks, page.links)):
        return (), slips
    from ..checks.numbers import check_numbers

    links, problems = check_numbers(page, around)
    return tuple(links), [*problems, *slips]


def open_page(file: File, here: File) -> Opened:
    """The text of a page; what cannot be read is a page without text, and a problem."""
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
