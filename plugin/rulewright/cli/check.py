"""`rulewright check`: the pages and games at or below some places, and what is wrong with them."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path as File
from typing import Any

from ..compile.books import Compiled, compile_book
from ..compile.characters import is_character, may_be_character
from ..compile.options import root_of
from ..compile.selected import UnknownBlockError, check_ids, only
from ..game.find import FILE, is_page_name, surrounding_book
from ..publish import blocks, reports
from ..text import Problem
from .progress import progress
from .screen import Screen
from .stop import NOTHING_WRONG, SOMETHING_WRONG, Stop

NOUNS = {"error": "error", "warning": "warning", "info": "remark"}


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    places = [place_of(path, here) for path in options.paths] or [surrounding_book(here)]
    if options.watch:
        from .watch import watch

        return watch(places, here, options, screen)
    if options.fix:
        from .mend import mend

        return mend(places, here, options, screen)
    compiled = selected(compile_book(places, here, progress(sys.stderr), lean=True), options)
    report(compiled, options, screen)
    return status(compiled, options)


def selected(compiled: Compiled, options: Namespace) -> Compiled:
    """What --only left; an id that no block has is complained of."""
    try:
        check_ids(compiled, options.only)
    except UnknownBlockError as error:
        raise Stop(str(error)) from error
    return asked(compiled, options)


def asked(compiled: Compiled, options: Namespace) -> Compiled:
    """What --only left, with the remarks that --info asks for."""
    return only(replace(compiled, remarks=options.info), options.only)


def report(compiled: Compiled, options: Namespace, screen: Screen, told: Container[Problem] = ()) -> None:
    """Everything that is wrong and was not told before, in the format that was asked for, and the summary."""
    problems = [problem for problem in compiled.problems if problem not in told]
    if options.format == "json":
        screen.print(as_json(compiled))
    else:
        found = reports.github(problems) if options.format == "github" else reports.text(problems, screen.colour)
        screen.print(
            *([found, ""] if found else []), summary(compiled, options.only), *looked(compiled), *read_as(compiled)
        )


def status(compiled: Compiled, options: Namespace) -> int:
    failing = compiled.options.failing(compiled.problems, options.strict)
    return SOMETHING_WRONG if failing else NOTHING_WRONG


def place_of(path: str, here: File) -> File:
    """The folder, game or page that a path on the command line means."""
    place = File(os.path.normpath(here / path))
    if not place.exists():
        raise Stop(f"there is no file or folder {path}")
    if place.is_dir() or place.name == FILE or is_page_name(place.name):
        return place
    if not may_be_character(place.name):
        raise Stop(f"{path} is neither a folder nor a page nor a {FILE}")
    if root_of(place.parent, here).refusal(place) is None and not is_character(place):
        raise Stop(f"{path} does not say which sheet it is; a character does")
    return place


def summary(compiled: Compiled, ids: Iterable[str] = ()) -> str:
    """«5 games, 11 rules, 7 pages, 42 blocks, no problems»; games are not counted when only some blocks are meant."""
    games = compiled.games
    if not games.files and not compiled.pages and not compiled.characters:
        return f"nothing to check: there is neither a page nor a {FILE} at or below this place"
    found = compiled.every_game.values()
    rules, alone = sum(len(game.rules) for game in found), sum(game.alone for game in found)
    played = [] if ids else [count(len(games.files) + alone, "game"), count(rules, "rule")]
    pages = [count(len(compiled.pages), "page"), count(len(compiled.blocks), "block")] if compiled.pages else []
    pages += [count(len(compiled.characters), "character")] if compiled.characters else []
    return ", ".join([*played, *pages, wrong(compiled.problems)])


def looked(compiled: Compiled) -> Iterator[str]:
    """«looked at 1,117 averages, 5,628 links»."""
    if told := [counted(number, things) for things, number in compiled.looked.items()]:
        yield f"looked at {', '.join(told)}"


def read_as(compiled: Compiled) -> Iterator[str]:
    """«links read as Obsidian writes them»; nothing where links are of no special kind."""
    if compiled.dialect:
        yield f"links read as {compiled.dialect} writes them"


def counted(number: int, things: str) -> str:
    """What is counted has an s at its end, or before «with» or «of»."""
    name, link, more = re.match(r"(.*?)( (?:with|of) |$)(.*)", things).groups()  # type: ignore[union-attr]
    return f"{number:,} {name.removesuffix('s') if number == 1 else name}{link}{more}"


def wrong(problems: Iterable[Problem]) -> str:
    found = Counter(problem.severity for problem in problems)
    return ", ".join(count(found[name], noun) for name, noun in NOUNS.items() if found[name]) or "no problems"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(compiled: Compiled) -> str:
    from json import dumps

    report: dict[str, Any] = {
        "version": 1,
        "summary": {**blocks.summary(compiled), "looked": compiled.looked},
        "blocks": blocks.as_data(compiled.blocks),
    }
    return dumps({**report, "problems": reports.as_json(compiled.problems)}, ensure_ascii=False, indent=2)
