"""`rulewright new`: writes a small complete book to start from."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as File
from typing import NamedTuple

from ..adopt.gallery import GALLERY, escape_markdown, format_string, read_gallery, with_title
from ..paths import relative_path
from ..project import GAME_FILE, find_files, find_repository_above, is_page_name
from ..release import REQUIREMENT
from ..render.assets import ASSETS_FOLDER
from ..render.export import write_atomically
from .gallery_names import require_known_game
from .invocation import as_started
from .prompt import QUIT_MESSAGE, Prompter, QuitError, choice_lines
from .terminal import INDENT, NOTHING_WRONG, WIDTH, CommandError, Screen, pad

DEFAULT_GAME = "two-d6"  # default of --game


def game_list() -> str:
    """The list of games in the help text, one per line."""
    width = max(map(len, read_gallery()))
    return "\n".join(f"  {name:<{width}}  {entry.about}" for name, entry in read_gallery().items())


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


class _Host(NamedTuple):
    """A program that builds the site of a new book."""

    build: str
    serve: str
    requirement: str = ""  # what has to be installed besides Rulewright
    runs_plugins: bool = True


HOSTS = {
    "mkdocs": _Host("mkdocs build --strict", "mkdocs serve"),
    "properdocs": _Host("properdocs build --strict -f mkdocs.yml", "properdocs serve -f mkdocs.yml", "properdocs"),
    "zensical": _Host("zensical build --clean --strict", "zensical serve", "zensical", runs_plugins=False),
}
_DEFAULT_HOST = HOSTS["mkdocs"]
_FOR_PLUGIN = re.compile(r"^ +(?:reference|policy): .*\n", re.MULTILINE)  # options in mkdocs.yml
_BUILD_STEP = f"      - run: {_DEFAULT_HOST.build}\n"
_WORKFLOW = ".github/workflows/book.yml"
_ABOUT_WORKFLOW = re.compile(r"\A(?:#.*\n)+")
_PAGES_STEP = re.compile(r"      - uses: actions/upload-pages-artifact@.*\n        if: .*\n        with:\n")
_PUBLISHES = re.compile(r"actions/deploy-pages|actions-gh-pages|mkdocs gh-deploy")
_TITLE_PLACEHOLDER = "BOOK_TITLE"
_REQUIREMENT_PLACEHOLDER = "RULEWRIGHT_REQUIREMENT"


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    if options.list or options.folder is None:
        screen.print(
            *_gallery_lines(screen), "", as_started("rulewright new FOLDER --game NAME starts a book from one of them")
        )
        return NOTHING_WRONG
    folder = File(os.path.normpath(File.cwd() / options.folder))
    require_known_game(options.game)
    _require_empty(folder, options.folder)
    try:
        game = options.game or _choose_game(screen)
    except QuitError:
        screen.print(QUIT_MESSAGE)
        return NOTHING_WRONG
    files = {folder / name: text for name, text in _make_book(game, title_of(folder), HOSTS[options.host]).items()}
    advice: list[str] = []
    if repository := find_repository_above(folder):
        if publisher := _find_publishing_workflow(repository):
            files[folder / _WORKFLOW] = _without_publishing(files[folder / _WORKFLOW])
            advice = _workflow_lines(publisher)
        files = _move_workflow(files, folder, repository)
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())
    screen.print(*_next_steps(options.folder, game, files, HOSTS[options.host]), *advice)
    return NOTHING_WRONG


def _find_publishing_workflow(repository: File) -> File | None:
    """A workflow of the repository that publishes pages; a second one would replace its site."""
    workflows = (repository / _WORKFLOW).parent
    files = sorted([*workflows.glob("*.yml"), *workflows.glob("*.yaml")])
    return next((file for file in files if _PUBLISHES.search(file.read_text("utf-8", errors="replace"))), None)


def _without_publishing(workflow: str) -> str:
    """The workflow with the site as an artifact to download: a repository has one published site."""
    checks, _, _ = workflow.partition("\n  publish:\n")
    text = _PAGES_STEP.sub("      - uses: actions/upload-artifact@v5\n        with:\n          name: site\n", checks)
    return _ABOUT_WORKFLOW.sub(
        "# Checks and builds the book at every push. The site is an artifact of each run.\n", text
    )


def _move_workflow(files: dict[File, str], folder: File, repository: File) -> dict[File, str]:
    """Put the workflow of a book inside a repository where GitHub finds it, to run in the folder of the book."""
    place = folder.relative_to(repository)
    name = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in place.parts)
    moved = repository / File(_WORKFLOW).with_name(f"{name}.yml")
    if moved.exists():
        raise CommandError(f"{relative_path(moved, File.cwd())} exists already; rename it, or choose another folder")
    inside = format_string(place.as_posix())
    text = files[folder / _WORKFLOW].replace("name: Book\n", f"name: {format_string(title_of(folder))}\n")
    text = text.replace("\njobs:\n", f"\ndefaults:\n  run:\n    working-directory: {inside}\n\njobs:\n")
    text = text.replace("path: site\n", f"path: {format_string(f'{place.as_posix()}/site')}\n")
    requirements = format_string(f"{place.as_posix()}/requirements.txt")
    text = text.replace("cache: pip\n", f"cache: pip\n          cache-dependency-path: {requirements}\n")
    return {**{file: text for file, text in files.items() if file != folder / _WORKFLOW}, moved: text}


def _gallery_lines(screen: Screen) -> Iterator[str]:
    """Every mechanic: what it is, and a sample roll."""
    from .game_preview import gallery_preview  # imported only where dice are rolled

    room = max(map(len, read_gallery()))
    for name, entry in read_gallery().items():
        yield f"{screen.paint(pad(name, room), 'title')}{INDENT}{entry.about}"
        line = gallery_preview(entry).roll_line(WIDTH - room - len(INDENT))
        yield screen.paint(f"{' ' * room}{INDENT}{line}", "quiet")


def _choose_game(screen: Screen) -> str:
    """The game to start from: a question in a terminal, else the default."""
    if not sys.stdin.isatty():
        return DEFAULT_GAME
    names = list(read_gallery())
    screen.print("Which mechanic comes closest to your game? (q quits)", "")
    screen.print(*choice_lines([(name, entry.about) for name, entry in read_gallery().items()]), "")

    def read(text: str) -> str | None:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        return names[number - 1] if 1 <= number <= len(names) else text if text in names else None

    default = str(names.index(DEFAULT_GAME) + 1)
    return Prompter(screen, sys.stdin).ask("Your answer", default, read, f"a number from 1 to {len(names)}, or a name")


def _make_book(game: str, title: str, host: _Host) -> dict[str, str]:
    """The texts of the new book's files, by path."""
    texts = {
        name: (_STARTER / own if own else GALLERY / game / File(name).name).read_text("utf-8")
        for name, own in BOOK_FILES.items()
    }
    return {name: insert_title(name, text, title) for name, text in _adapt(texts, host).items()}


def _adapt(texts: Mapping[str, str], host: _Host) -> dict[str, str]:
    """The files of the starter for a program other than MkDocs; what no plugin adds there, the workflow exports."""
    adapted = {
        name: text.replace(_DEFAULT_HOST.build, host.build).replace(_DEFAULT_HOST.serve, host.serve)
        for name, text in texts.items()
    }
    if host.requirement:
        adapted["requirements.txt"] += f"{host.requirement}\n"
    if not host.runs_plugins:
        build = _BUILD_STEP.replace(_DEFAULT_HOST.build, host.build)
        adapted[_WORKFLOW] = adapted[_WORKFLOW].replace(build, f"      - run: rulewright export assets\n{build}")
        adapted[".gitignore"] += f"rules/{ASSETS_FOLDER}/\n"
        settings = _FOR_PLUGIN.sub("", adapted["mkdocs.yml"])
        adapted["mkdocs.yml"] = settings.replace("\ntheme:\n", "watch: [rules/game.toml]\n\ntheme:\n", 1)
    return adapted


def insert_title(name: str, text: str, title: str) -> str:
    """Put the title of the book, and what has to be installed, into the text of a file."""
    quoted = format_string(title)  # TOML and YAML read the same quotes
    if name.endswith(GAME_FILE):
        return with_title(text, title)
    return text.replace(_REQUIREMENT_PLACEHOLDER, REQUIREMENT).replace(
        _TITLE_PLACEHOLDER, escape_markdown(title) if name.endswith(".md") else quoted
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
        fact = f"{folder_name} is not empty, there is {entries[0]}; name a folder that is new or empty"
        has_pages = next(find_files(folder, is_page_name), None)
        raise CommandError(f"{fact}, or run `rulewright init` there to add a game to its pages" if has_pages else fact)


def _next_steps(folder: str, game: str, files: Iterable[File], host: _Host) -> list[str]:
    """The message after writing: the new files and the next steps."""
    there = relative_path(File(folder), File.cwd())
    quoted = f'"{there}"' if " " in there else there
    steps = [
        (as_started("rulewright check"), "looks for mistakes"),
        (as_started(host.serve), "shows the site while you write"),
    ]
    room = max(len(command) for command, _ in steps)
    step = [] if there == os.curdir else [f"  cd {quoted}"]
    return [
        f"a book to start from, with the game {game} ({read_gallery()[game].title}):",
        *(f"  {relative_path(file, File.cwd())}" for file in files),
        "next:",
        *step,
        *(f"  {pad(command, room)}{INDENT}{purpose}" for command, purpose in steps),
    ]


def _workflow_lines(publisher: File) -> list[str]:
    """What the workflow does where the site of a repository is published already."""
    return [
        f"{relative_path(publisher, File.cwd())} publishes a site from this repository already,",
        "so the workflow of this book checks and builds it, and keeps its site as an artifact to download.",
    ]
