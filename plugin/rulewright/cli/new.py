"""`rulewright new`: writes a small complete book to start from."""

from __future__ import annotations

import json
import os
import re
import tomllib
from argparse import Namespace
from pathlib import Path as File

from ..project import GAME_FILE
from ..release import REQUIREMENT
from ..render.export import write_atomically
from ..source import suggest
from .terminal import NOTHING_WRONG, CommandError

GALLERY = File(__file__).parent.parent / "gallery"
DEFAULT_GAME = "two-d6"  # default of --game


def gallery_games() -> dict[str, str]:
    """The titles of the games in the gallery, by name."""
    folders = sorted(folder for folder in GALLERY.iterdir() if (folder / GAME_FILE).is_file())
    return {folder.name: tomllib.loads((folder / GAME_FILE).read_text("utf-8"))["title"] for folder in folders}


def game_list() -> str:
    """The list of games in the help text, one per line."""
    width = max(map(len, gallery_games()))
    return "\n".join(f"  {name:<{width}}  {title}" for name, title in gallery_games().items())


_STARTER = GALLERY.parent / "starter"
BOOK_FILES = {  # files of the new book and their templates; an empty template is a file of the game in the gallery
    "rules/index.md": "index.md",
    "rules/game.toml": "",
    "rules/rolling.md": "",
    "rules/look.css": "look.css",
    "mkdocs.yml": "mkdocs.yml",
    "requirements.txt": "requirements.txt",
    ".gitignore": "gitignore.txt",
    ".github/workflows/book.yml": "book.yml",
}
_TITLE_PLACEHOLDER = "BOOK_TITLE"
_REQUIREMENT_PLACEHOLDER = "RULEWRIGHT_REQUIREMENT"
_MARKDOWN_CHARACTERS = re.compile(r"([\\`*\[\]<>&#|~$])")  # characters with a meaning in Markdown headings


def run(options: Namespace) -> int:
    folder = File(os.path.normpath(File.cwd() / options.folder))
    book = _make_book(options.game, title_of(folder))
    _require_empty(folder, options.folder)
    for name, text in book.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())
    print(*_next_steps(options), sep="\n")
    return NOTHING_WRONG


def _make_book(game: str, title: str) -> dict[str, str]:
    """The texts of the new book's files, by path."""
    known = gallery_games()
    if game not in known:
        raise CommandError(f"the gallery has no game «{game}»; {suggest(game, list(known))}")
    return {
        name: insert_title(
            name, (_STARTER / own if own else GALLERY / game / File(name).name).read_text("utf-8"), title
        )
        for name, own in BOOK_FILES.items()
    }


def insert_title(name: str, text: str, title: str) -> str:
    """Put the title of the book, and what has to be installed, into the text of a file."""
    quoted = json.dumps(title, ensure_ascii=False)  # TOML and YAML read the same quotes
    if name.endswith("game.toml"):
        return re.sub(r"^title = .*$", lambda _: f"title = {quoted}", text, count=1, flags=re.MULTILINE)
    return text.replace(_REQUIREMENT_PLACEHOLDER, REQUIREMENT).replace(
        _TITLE_PLACEHOLDER, _MARKDOWN_CHARACTERS.sub(r"\\\1", title) if name.endswith(".md") else quoted
    )


def title_of(folder: File) -> str:
    """The title for a folder: "The long river" for `the-long-river`."""
    words = " ".join(re.sub(r"[-_\s]+|[^\w\s'’.,!?&()]", " ", folder.name).split())
    return words[:1].upper() + words[1:] or "A new book"


def _require_empty(folder: File, folder_name: str) -> None:
    """Stop if the folder has files other than `.git`: nothing is ever overwritten."""
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder_name} is a file; name a folder that is new or empty")
    entries = sorted(entry.name for entry in folder.iterdir() if entry.name != ".git") if folder.is_dir() else []
    if entries:
        raise CommandError(f"{folder_name} is not empty, there is {entries[0]}; name a folder that is new or empty")


def _next_steps(options: Namespace) -> list[str]:
    """The message after writing: the new files and the next steps."""
    there = File(os.path.relpath(options.folder)).as_posix()
    step = [] if there == os.curdir else [f"  cd {there}"]
    return [
        f"a book to start from, with the game {options.game} ({gallery_games()[options.game]}):",
        *(f"  {there}/{name}" if step else f"  {name}" for name in BOOK_FILES),
        "next:",
        *step,
        "  rulewright check       looks for mistakes",
        "  mkdocs serve           shows the site while you write",
    ]
