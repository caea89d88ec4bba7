"""`rulewright adopt`: proposes blocks for the prose examples of a folder, and a game if it has none."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from json import dumps
from pathlib import Path as File
from typing import Any

from ..adopt.game import DraftGame
from ..adopt.page import AdoptedBook, AdoptedPage, adopt_book, diff_lines
from ..book.text import Passage
from ..compile.fixes import MendedPage, write
from ..project import surrounding_book
from ..render.export import write_atomically
from ..render.reports import format_problems, problems_to_json
from ..root import Root
from ..source import LINE_END, Source
from .check import count, paint, place_of
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, Screen, Stop, progress


def run(options: Namespace) -> int:
    if options.write and os.environ.get("CI"):
        raise Stop("--write changes pages, and where CI is set nobody would see it; run it at home")
    here, screen = File.cwd(), Screen(sys.stdout)
    place = place_of(options.folder, here) if options.folder else surrounding_book(here)
    if place.is_file() and place.suffix == ".toml":
        raise Stop(f"{options.folder} is a game already; name a folder or a page with prose examples")
    book = adopt_book(place, here, progress(sys.stderr))
    late = written(book) if options.write else []
    if options.json:
        print(dumps(as_data(book), ensure_ascii=False, indent=2))
    else:
        tell(book, screen, options.write)
    for source in late:
        print(f"rulewright: {source.path} was changed meanwhile and is left as it is; run this again", file=sys.stderr)
    return SOMETHING_WRONG if late or book.problems else NOTHING_WRONG


def written(book: AdoptedBook) -> list[Source]:
    """Write the pages and the game; returns the pages that were not written because they have changed."""
    late = [page.before for file, page in book.changed if not write(mended(file, page, book.project))]
    if book.game and not os.path.lexists(book.file) and book.project.holds(book.file):
        write_atomically(book.file, book.game.text.encode())
    return late


def mended(file: File, page: AdoptedPage, project: Root) -> MendedPage:
    return MendedPage(file, page.before, page.after, frozenset(), project)


def tell(book: AdoptedBook, screen: Screen, done: bool) -> None:
    """Print the difference, the doubts, what was left, and a summary."""
    if book.game:
        screen.print(*(paint(line, screen) for line in new_file(book)), "")
    for _, page in book.changed:
        screen.print(*(paint(line, screen) for line in diff_lines(page.before, page.edits)), "")
    if book.problems:
        screen.print(format_problems(book.problems, screen.colour), "")
    for title, lines in (
        ("please look at these doubts, each stands in its block:", doubts(book)),
        ("left as they are:", left(book)),
    ):
        if lines:
            screen.print(title, *lines, "")
    if book.game:
        screen.print(*game_lines(book.game), "")
    screen.print(summary(book, done))


def new_file(book: AdoptedBook) -> Iterator[str]:
    assert book.game
    after = LINE_END.split(book.game.text.removesuffix("\n"))
    return unified_diff([], after, "/dev/null", book.shown, lineterm="")


def doubts(book: AdoptedBook) -> list[str]:
    proposals = [one for _, page in book.pages for one in page.proposals]
    return [f"{INDENT}{place(one.passage)}: {doubt}" for one in proposals for doubt in one.doubts]


def left(book: AdoptedBook) -> list[str]:
    return [f"{INDENT}{place(one.passage)}: {one.why}" for _, page in book.pages for one in page.unmatched]


def place(passage: Passage) -> str:
    return f"{passage.page.source.path}:{passage.line}"


def game_lines(game: DraftGame) -> list[str]:
    """How many examples each mechanic fits, and what else is in the proposed game."""
    near = [
        f"{INDENT}{one.fitting_examples} of {game.tried} examples fit {one.name} ({one.title})"
        for one in game.mechanics
        if one.fitting_examples
    ]
    parts = [f"{count(len(one.names), 'trait')} as {name}" for name, one in game.traits.items()]
    parts += [f"the table {one.name}" for one in game.tables]
    held = [f"{INDENT}from the pages: {', '.join(parts)}"] if parts else []
    fits = near or [f"{INDENT}no mechanic of the gallery fits any example: its rules are still to be written"]
    return ["there is no game here; this one is proposed:", *fits, *held]


def summary(book: AdoptedBook, done: bool) -> str:
    proposals = [one for _, page in book.pages for one in page.proposals]
    unclear = sum(bool(one.doubts) for one in proposals)
    rest = sum(len(page.unmatched) for _, page in book.pages)
    made = f"{count(len(proposals), 'block')} proposed, {unclear} of them with doubts"
    found = f"{count(len(proposals) + rest, 'prose example')}: {made}, {rest} left"
    if not proposals and not book.game:
        return f"{found}; there is nothing to write"
    return f"{found}; all of it is written" if done else f"{found}; --write puts them in"


def as_data(book: AdoptedBook) -> dict[str, Any]:
    proposals = [one for _, page in book.pages for one in page.proposals]
    others = [one for _, page in book.pages for one in page.unmatched]
    return {
        "version": 1,
        "summary": {
            "pages": len(book.pages),
            "proposed": len(proposals),
            "doubtful": sum(bool(one.doubts) for one in proposals),
            "left": len(others),
        },
        "proposals": [
            {**where(one.passage), "lines": list(one.lines), "doubts": list(one.doubts)} for one in proposals
        ],
        "left": [{**where(one.passage), "why": one.why} for one in others],
        "game": game_data(book),
        "problems": problems_to_json(book.problems),
    }


def where(passage: Passage) -> dict[str, Any]:
    return {"path": passage.page.source.path, "line": passage.line}


def game_data(book: AdoptedBook) -> dict[str, Any] | None:
    if not book.game:
        return None
    near: Sequence[dict[str, Any]] = [{"name": one.name, "fits": one.fitting_examples} for one in book.game.mechanics]
    return {"path": book.shown, "text": book.game.text, "tried": book.game.tried, "mechanics": near}
