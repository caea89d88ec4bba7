"""`rulewright adopt`: proposes blocks for the prose examples of a folder, and a game if it has none."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path as File
from typing import Any

from ..adopt.book import AdoptedBook, adopt_book
from ..adopt.game import DraftGame
from ..adopt.insert import diff_lines
from ..adopt.interview import family_text
from ..adopt.page import AdoptedPage
from ..book.text import Passage
from ..compile.fixes import FixedPage, write_page
from ..project import find_surrounding_book
from ..render.export import write_atomically
from ..render.reports import count, format_problems, problems_to_json
from ..root import Root
from ..source import LINE_BREAK, Source
from .check import paint, resolve_path
from .gallery_names import require_known_game
from .invocation import as_started
from .streams import json_text
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, progress

_MAX_LEFT = 10  # places of examples without a block


def run(options: Namespace) -> int:
    if options.write and os.environ.get("CI"):
        raise CommandError("--write changes pages, and where CI is set nobody would see it; run it at home")
    here, screen = File.cwd(), Screen(sys.stdout)
    path = resolve_path(options.folder, here) if options.folder else find_surrounding_book(here)
    if path.is_file() and path.suffix == ".toml":
        raise CommandError(f"{options.folder} is a game already; name a folder or a page with prose examples")
    require_known_game(options.game)
    book = adopt_book(path, here, progress(sys.stderr), options.hidden, options.game or "")
    if options.game and book.has_game:
        raise CommandError("this book has a game already; --game is for a book without one")
    unwritten = _write_book(book) if options.write else []
    if options.json:
        print(json_text(_as_data(book)))
    else:
        _print_report(book, screen, options.write)
    for source in unwritten:
        print(f"rulewright: {source.path} was changed meanwhile and is left as it is; run this again", file=sys.stderr)
    return SOMETHING_WRONG if unwritten or book.problems else NOTHING_WRONG


def _write_book(book: AdoptedBook) -> list[Source]:
    """Write the pages and the game; returns the pages that were not written because they have changed."""
    unwritten = [page.before for file, page in book.changed if not write_page(_fixed_page(file, page, book.project))]
    if book.game and not os.path.lexists(book.file) and book.project.contains(book.file):
        write_atomically(book.file, book.game.text.encode())
    return unwritten


def _fixed_page(file: File, page: AdoptedPage, project: Root) -> FixedPage:
    return FixedPage(file, page.before, page.after, frozenset(), project)


def _print_report(book: AdoptedBook, screen: Screen, done: bool) -> None:
    """Print the difference, the doubts, what was left, and a summary."""
    if book.game:
        screen.print(*(paint(line, screen) for line in _game_difference(book)), "")
    for _, page in book.changed:
        screen.print(*(paint(line, screen) for line in diff_lines(page.before, page.edits)), "")
    if book.problems:
        screen.print(format_problems(book.problems, screen.color), "")
    if doubts := _doubt_lines(book):
        screen.print("please look at these doubts; each is also a comment in its block:", *doubts, "")
    screen.print(*_left_lines(book))
    if book.game:
        screen.print(*_game_lines(book.game), "")
    screen.print(_summary(book, done))


def _game_difference(book: AdoptedBook) -> Iterator[str]:
    assert book.game
    after = LINE_BREAK.split(book.game.text.removesuffix("\n"))
    return unified_diff([], after, "/dev/null", book.shown, lineterm="")


def _doubt_lines(book: AdoptedBook) -> list[str]:
    proposals = [proposal for _, page in book.pages for proposal in page.proposals]
    return [f"{INDENT}{_location(proposal.passage)}: {doubt}" for proposal in proposals for doubt in proposal.doubts]


def _left_lines(book: AdoptedBook) -> Iterator[str]:
    """How many examples could not be read, and where the first of them are."""
    lines = [
        f"{INDENT}{_location(one.passage)}: read {one.read}; {one.why}"
        for _, page in book.pages
        for one in page.unmatched
    ]
    if lines:
        yield f"{count(len(lines), 'example')} could not be read and {'is' if len(lines) == 1 else 'are'} left:"
        yield from lines[:_MAX_LEFT]
        if len(lines) > _MAX_LEFT:
            yield f"{INDENT}… and {len(lines) - _MAX_LEFT} more; --json lists them all"
        yield ""


def _location(passage: Passage) -> str:
    return f"{passage.page.source.path}:{passage.line}"


_INTERVIEW = "`rulewright init` asks for your own rules instead"


def _game_lines(game: DraftGame) -> list[str]:
    """How many examples each mechanic fits, and what else is in the proposed game."""
    mechanic_lines = [
        f"{INDENT}{entry.fitting_examples} of {game.tried} examples fit {entry.name} ({entry.title})"
        for entry in game.mechanics
        if entry.fitting_examples
    ]
    parts = [f"{count(len(entry.names), 'trait')} as {name}" for name, entry in game.traits.items()]
    parts += [f"the table {entry.name}" for entry in game.tables]
    held = [f"{INDENT}from the pages: {', '.join(parts)}"] if parts else []
    if game.family:
        dice = f"{game.family.sentences} sentences speak of {family_text(game.family.answers)}"
        fits = [f"{INDENT}{dice}, so it has the usual rules of such dice", as_started(f"{INDENT}{_INTERVIEW}")]
    elif not game.game.rules:
        fits = [f"{INDENT}no mechanic of the gallery fits three examples and half of them: the rules are missing"]
        fits.append(as_started(f"{INDENT}{_INTERVIEW}"))
    else:
        fits = mechanic_lines
    return ["there is no game here; this one is proposed:", *fits, *held]


def _summary(book: AdoptedBook, done: bool) -> str:
    proposals = [proposal for _, page in book.pages for proposal in page.proposals]
    unclear = sum(bool(proposal.doubts) for proposal in proposals)
    rest = sum(len(page.unmatched) for _, page in book.pages)
    proposed = f"{count(len(proposals), 'block')} proposed, {unclear} of them with doubts"
    counted_examples = f"{count(len(proposals) + rest, 'prose example')}: {proposed}, {rest} left"
    if not proposals and not book.game:
        more = "" if not rest or book.has_game else as_started("; `rulewright init` asks which dice you roll")
        return f"{counted_examples}; there is nothing to write{more}"
    return f"{counted_examples}; all of it is written" if done else f"{counted_examples}; --write puts them in"


def _as_data(book: AdoptedBook) -> dict[str, Any]:
    proposals = [item for _, page in book.pages for item in page.proposals]
    others = [one for _, page in book.pages for one in page.unmatched]
    return {
        "version": 1,
        "summary": {
            "pages": len(book.pages),
            "proposed": len(proposals),
            "doubtful": sum(bool(item.doubts) for item in proposals),
            "left": len(others),
        },
        "proposals": [
            {**_location_data(item.passage), "lines": list(item.lines), "doubts": list(item.doubts)}
            for item in proposals
        ],
        "left": [{**_location_data(item.passage), "read": item.read, "why": item.why} for item in others],
        "game": _game_data(book),
        "problems": problems_to_json(book.problems),
    }


def _location_data(passage: Passage) -> dict[str, Any]:
    return {"path": passage.page.source.path, "line": passage.line}


def _game_data(book: AdoptedBook) -> dict[str, Any] | None:
    if not book.game:
        return None
    mechanics: Sequence[dict[str, Any]] = [
        {"name": one.name, "fits": one.fitting_examples} for one in book.game.mechanics
    ]
    return {"path": book.shown, "text": book.game.text, "tried": book.game.tried, "mechanics": mechanics}
