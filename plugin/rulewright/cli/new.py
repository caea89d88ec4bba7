"""`rulewright new`: writes a small complete book to start from."""

from __future__ import annotations

import json
import os
import re
import tomllib
from argparse import Namespace
from functools import cache
from pathlib import Path as File

from ..project import FILE
from ..render.export import write_atomically
from ..source import suggest
from .terminal import NOTHING_WRONG, Stop

GALLERY = File(__file__).parent.parent / "gallery"
FIRST = "two-d6"  # default of --game


@cache
def games() -> dict[str, str]:
    """The titles of the games in the gallery, by name."""
    folders = sorted(folder for folder in GALLERY.iterdir() if (folder / FILE).is_file())
    return {folder.name: tomllib.loads((folder / FILE).read_text("utf-8"))["title"] for folder in folders}


def listed() -> str:
    """The list of games in the help text, one per line."""
    width = max(map(len, games()))
    return "\n".join(f"  {name:<{width}}  {title}" for name, title in games().items())


STARTER = GALLERY.parent / "starter"
WRITTEN = {  # files of the new book and their templates; an empty template is a file of the game in the gallery
    "rules/index.md": "index.md",
    "rules/game.toml": "",
    "rules/rolling.md": "",
    "rules/look.css": "look.css",
    "mkdocs.yml": "mkdocs.yml",
    "requirements.txt": "requirements.txt",
    ".gitignore": "gitignore.txt",
    ".github/workflows/book.yml": "book.yml",
}
PLACE = "BOOK_TITLE"
MARKS = re.compile(r"([\\`*\[\]<>&#|~$])")  # characters with a meaning in Markdown headings


def run(options: Namespace) -> int:
    folder = File(os.path.normpath(File.cwd() / options.folder))
    book = made(options.game, title_of(folder))
    refuse_used(folder, options.folder)
    for name, text in book.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())
    print(*told(options), sep="\n")
    return NOTHING_WRONG


def made(game: str, title: str) -> dict[str, str]:
    """The texts of the new book's files, by path."""
    known = games()
    if game not in known:
        raise Stop(f"the gallery has no game «{game}»; {suggest(game, list(known))}")
    return {
        name: titled(name, (STARTER / own if own else GALLERY / game / File(name).name).read_text("utf-8"), title)
        for name, own in WRITTEN.items()
    }


def titled(name: str, text: str, title: str) -> str:
    """Put the title of the book into the text of a file."""
    quoted = json.dumps(title, ensure_ascii=False)  # TOML and YAML read the same quotes
    if name.endswith("game.toml"):
        return re.sub(r"^title = .*$", lambda _: f"title = {quoted}", text, count=1, flags=re.MULTILINE)
    return text.replace(PLACE, MARKS.sub(r"\\\1", title) if name.endswith(".md") else quoted)


def title_of(folder: File) -> str:
    """The title for a folder: "The long river" for `the-long-river`."""
    words = " ".join(re.sub(r"[-_\s]+|[^\w\s'’.,!?&()]", " ", folder.name).split())
    return words[:1].upper() + words[1:] or "A new book"


def refuse_used(folder: File, said: str) -> None:
    """Stop if the folder has files other than `.git`: nothing is ever overwritten."""
    if folder.exists() and not folder.is_dir():
        raise Stop(f"{said} is a file; name a folder that is new or empty")
    found = sorted(entry.name for entry in folder.iterdir() if entry.name != ".git") if folder.is_dir() else []
    if found:
        raise Stop(f"{said} is not empty, there is {found[0]}; name a folder that is new or empty")


def told(options: Namespace) -> list[str]:
    """The message after writing: the new files and the next steps."""
    there = File(os.path.relpath(options.folder)).as_posix()
    step = [] if there == os.curdir else [f"  cd {there}"]
    return [
        f"a book to start from, with the game {options.game} ({games()[options.game]}):",
        *(f"  {there}/{name}" if step else f"  {name}" for name in WRITTEN),
        "next:",
        *step,
        "  rulewright check       looks for mistakes",
        "  mkdocs serve           shows the site while you write",
    ]
