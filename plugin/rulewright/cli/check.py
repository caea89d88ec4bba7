"""`rulewright check`: the pages and games at or below some places, and what is wrong with them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path as File
from typing import Any

from ..compile.books import PAGE, Compiled, compile_book
from ..game.find import FILE
from ..publish import blocks, reports
from .screen import Screen
from .stop import NOTHING_WRONG, SOMETHING_WRONG, Stop

NOUNS = {"error": "error", "warning": "warning", "info": "remark"}
FAILING = {False: ("error",), True: ("error", "warning")}


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    compiled = compile_book([place_of(path, here) for path in options.paths or ["."]], here)
    problems = compiled.problems
    if options.format == "json":
        screen.print(as_json(compiled))
    else:
        found = reports.github(problems) if options.format == "github" else reports.text(problems, screen.colour)
        screen.print(*([found, ""] if found else []), summary(compiled))
    failing = any(problem.severity in FAILING[options.strict] for problem in problems)
    return SOMETHING_WRONG if failing else NOTHING_WRONG


def place_of(path: str, here: File) -> File:
    """The folder, game or page that a path on the command line means."""
    place = File(os.path.normpath(here / path))
    if not place.exists():
        raise Stop(f"there is no file or folder {path}")
    if not place.is_dir() and place.name != FILE and not place.name.lower().endswith(PAGE):
        raise Stop(f"{path} is neither a folder nor a page nor a {FILE}")
    return place


def summary(compiled: Compiled) -> str:
    """«5 games, 11 rules, 7 pages, 42 blocks, no problems»."""
    games = compiled.games
    if not games.files and not compiled.pages:
        return f"nothing to check: there is neither a page nor a {FILE} at or below this place"
    found = Counter(problem.severity for problem in compiled.problems)
    wrong = [count(found[name], noun) for name, noun in NOUNS.items() if found[name]]
    rules = sum(len(game.rules) for game in games.found.values())
    pages = [count(len(compiled.pages), "page"), count(len(compiled.blocks), "block")] if compiled.pages else []
    return ", ".join([count(len(games.files), "game"), count(rules, "rule"), *pages, *(wrong or ["no problems"])])


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(compiled: Compiled) -> str:
    from json import dumps

    report: dict[str, Any] = {
        "version": 1,
        "summary": blocks.summary(compiled),
        "blocks": blocks.as_data(compiled.blocks),
    }
    return dumps({**report, "problems": reports.as_json(compiled.problems)}, ensure_ascii=False, indent=2)
