"""Opens a game.toml, or the game in a page, for a program or a command; stays inside the project."""

from __future__ import annotations

from itertools import islice
from pathlib import Path as File

from ..compile.game_tables import open_game
from ..game.model import Game
from ..paths import relative_path
from ..project import GAME_FILE, find_game_pages, find_games, find_surrounding_book, project_folders
from ..root import Root
from ..source import Problem

_MOST_GAMES = 3  # that a message names


def open_any_game(file: File, here: File) -> tuple[Game | None, list[Problem]]:
    """Load a game.toml, whatever it is called, or the game that a page declares."""
    project = project_of(find_surrounding_book(file.parent))
    if problem := project.find_problem(file, relative_path(file, here)):
        return None, [problem]
    return (
        open_game(file, relative_path(file, here), None, project)
        if file.suffix == ".toml"
        else _game_of_page(file, here)
    )


def _game_of_page(file: File, here: File) -> tuple[Game | None, list[Problem]]:
    from ..book.parser import read_page  # imported only for games in pages
    from ..compile.files import open_page
    from ..compile.games import game_in_page

    source, problem = open_page(file, here)
    return (
        (None, [problem]) if problem else game_in_page(read_page(source), game_name(file, find_surrounding_book(here)))
    )


def only_game(folder: File) -> File | None:
    """The game of a book that has no more than one, anywhere below its folder."""
    project = project_of(folder)
    files = list(islice(find_games(folder, project), 2)) or list(islice(find_game_pages(folder, project), 2))
    return files[0] if len(files) == 1 else None


def suggest_games(folder: File, here: File) -> str:
    """The hint "did you mean mybot/rules?" if there are games below a folder; empty if there are none."""
    files = find_games(folder, project_of(folder)) if folder.is_dir() else ()
    names = [relative_path(game_place(file), here) for file in islice(files, _MOST_GAMES)]
    return f"did you mean {' or '.join(names)}?" if names else ""


def project_of(folder: File) -> Root:
    """The folders a book may read. Its options are read only when a file is outside the project."""

    def shared() -> tuple[File, ...]:
        from ..compile.options import read_options

        return read_options(folder, File.cwd()).shared

    return Root(project_folders(folder), shared)


def game_name(file: File, root: File) -> str:
    """The folder or page of a game, relative to the book's root if it is below it."""
    own = game_place(file)
    return own.relative_to(root).as_posix() if own.is_relative_to(root) and own != root else own.name


def game_place(file: File) -> File:
    """The folder of a game.toml, or the page itself."""
    return file.parent if file.name == GAME_FILE else file
