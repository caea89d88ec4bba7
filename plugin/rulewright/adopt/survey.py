"""Surveys a folder of pages: the tool that publishes it, its examples, its dice, and the mechanic that fits them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from ..book.page import Page
from ..book.parser import read_page
from ..compile.files import open_page, survey_files
from ..compile.games import game_of_page, read_games
from ..compile.options import read_options, root_of
from ..project import GAME_FILE, BookPlace, find_book, find_files, is_page_name, read_title
from .book import PROJECT_PAGES, book_title, game_folder
from .gallery import escape_markdown
from .game import clearest_mechanic, find_likely_mechanics
from .guess_dice import DICE_CODE, Family, dice_code, guess_family
from .interview import find_outcome_names
from .page import find_rolls

_JEKYLL_SETTINGS = ("_config.yml", "_config.yaml")
_HUGO_SETTINGS = ("hugo.toml", "hugo.yaml", "hugo.json")
FIRST_PAGE = "index.md"
_OPENING_PAGES = ("index", "readme")
_OUTPUT_FOLDERS = {"Jekyll": "_site", "Hugo": "public", "Docusaurus": "build"}


@dataclass(frozen=True)
class BookSurvey:
    """What was seen in a folder of pages."""

    place: BookPlace
    title: str
    pages: int
    examples: tuple[str, ...]  # where the text tells a roll that has no block, as path:line
    dice: tuple[tuple[str, int], ...]  # dice codes, the most frequent first
    mechanics: tuple[tuple[str, int], ...]  # of the gallery that explain half of the examples, and how many
    mechanic: str  # the one that explains clearly the most
    family: Family | None  # of dice that the text speaks of
    outcome_names: Mapping[str, str]  # the usual names of outcomes that the text uses, by kind of game
    games: tuple[File, ...]  # each game.toml, and each page with a game
    output: str  # the folder of the site, if pages lie in it
    contents: tuple[tuple[str, str], ...]  # path and title of each page in the folder, and of the first in each below

    @property
    def game_file(self) -> File:
        """Where a first game goes."""
        return game_folder(self.place.pages) / GAME_FILE

    @property
    def kind(self) -> str:
        """What kind of book it is, as a phrase."""
        if self.place.kind:
            return _PHRASES[self.place.kind]
        return "a single page" if self.pages == 1 else "a folder of pages"


_PHRASES = {
    "MkDocs": "an MkDocs site",
    "Zensical": "a Zensical site",
    "mdBook": "an mdBook",
    "Obsidian": "an Obsidian vault",
    "Docusaurus": "a Docusaurus site",
    "docsify": "a docsify site",
    "Jekyll": "a Jekyll site",
    "Hugo": "a Hugo site",
}


def detect_book(here: File) -> BookPlace:
    """The book around a folder. Jekyll and Hugo are recognized in the folder itself only."""
    place = find_book(here)
    if place.kind:
        return place
    for name in _JEKYLL_SETTINGS:
        if (here / name).is_file():
            return BookPlace("Jekyll", here, here, here / name)
    names = [*_HUGO_SETTINGS, *(["config.toml"] if (here / "content").is_dir() else [])]
    for name in names:
        if (here / name).is_file():
            return BookPlace("Hugo", here, here / "content" if (here / "content").is_dir() else here, here / name)
    return BookPlace("", here, _folder_of_pages(here))


def _folder_of_pages(here: File) -> File:
    """The folder below `here` that has all pages, apart from those about the project; else `here` itself."""
    pages = [file.relative_to(here).parts for file in find_files(here, is_page_name)]
    around = ("readme", *PROJECT_PAGES)
    tops = {parts[0] for parts in pages if len(parts) > 1 or File(parts[0]).stem.lower() not in around}
    folder = here / tops.pop() if len(tops) == 1 else here
    return folder if folder.is_dir() else here


def survey_book(place: BookPlace, here: File, report_progress: Callable[[int, int], None]) -> BookSurvey:
    """Read all pages of a book once."""
    project = root_of(place.pages, here)
    output = _output_folder(place)
    exclude = (*read_options(place.pages, here).exclude, *([output] if output else []))
    files = survey_files([place.pages], project, exclude)
    games = read_games(files.root, files.games, here, project)
    sources = [(file, open_page(file, here)[0]) for file in files.selected]
    pages = []
    for file, source in sources:
        pages.append((file, read_page(source)))
        report_progress(len(pages), len(sources))
    texts = [source.text for _, source in sources]
    examples = [clues for _, page in pages for clues in find_rolls(page)]
    likely = find_likely_mechanics([clues for clues in examples if clues.facts.is_checkable])
    return BookSurvey(
        place,
        read_title(place) or book_title(place.home, pages),
        len(pages),
        tuple(f"{clues.passage.page.source.path}:{clues.passage.line}" for clues in examples),
        count_dice(texts),
        tuple((one.name, one.fitting_examples) for one in likely),
        clearest_mechanic(likely),
        guess_family(texts),
        find_outcome_names(texts),
        (*files.games, *(file for file, page in pages if game_of_page(file, page, games) and file not in files.games)),
        output,
        tuple(_list_contents(place.pages, pages)),
    )


def _list_contents(folder: File, pages: Iterable[tuple[File, Page]]) -> Iterator[tuple[str, str]]:
    """The pages of the folder itself, and of each folder in it the one that it opens with."""
    first: dict[str, tuple[tuple[bool, int], str, str]] = {}
    for file, page in pages:
        path = file.relative_to(folder)
        title = page.headings[0].text.strip() if page.headings else ""
        key = path.parts[0]
        rank = (path.stem.lower() not in _OPENING_PAGES, len(path.parts))
        if key not in first or rank < first[key][0]:
            first[key] = (rank, path.as_posix(), title or path.stem)
    yield from ((path, title) for _, path, title in first.values())


def write_first_page(title: str, contents: Sequence[tuple[str, str]]) -> str:
    """A first page for a site: its title and its contents."""
    links = (f"- [{escape_markdown(name)}](<{path}>)" for path, name in contents)
    return "\n".join([f"# {escape_markdown(title)}", "", *links, ""])


def count_dice(texts: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """The dice codes of these texts, the most frequent first: `d20` and `1d20` are one."""
    counts = Counter(dice_code(*found.groups()) for text in texts for found in DICE_CODE.finditer(text))
    return tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _output_folder(place: BookPlace) -> str:
    """The folder that the tool writes its site into, if it has pages that a check would read."""
    name = _OUTPUT_FOLDERS.get(place.kind, "")
    folder = place.pages / name
    has_pages = name and folder.is_dir() and next(find_files(folder, is_page_name), None)
    return name if has_pages else ""
