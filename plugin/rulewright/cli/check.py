"""`rulewright check`: every game at or below some folders, and what is wrong with them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path as File
from typing import Any

from ..game.find import FILE, games_below
from ..game.model import Game
from ..game.read import read_game
from ..publish import reports
from ..text import Problem, Source
from .rules import shown
from .screen import Screen
from .stop import NOTHING_WRONG, SOMETHING_WRONG, Stop

COUNTED = ("pages", "blocks", "passed", "failed", "errors", "skipped", "prose_examples", "unchecked_prose")
NOUNS = {"error": "error", "warning": "warning", "info": "remark"}
FAILING = {False: ("error",), True: ("error", "warning")}


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    files = list(dict.fromkeys(file for path in options.paths or ["."] for file in files_of(path, here)))
    games, problems = read_all(files, here)
    if options.format == "json":
        screen.print(as_json(problems))
    else:
        found = reports.github(problems) if options.format == "github" else reports.text(problems, screen.colour)
        screen.print(*([found, ""] if found else []), summary(files, games, problems))
    failing = any(problem.severity in FAILING[options.strict] for problem in problems)
    return SOMETHING_WRONG if failing else NOTHING_WRONG


def files_of(path: str, here: File) -> list[File]:
    """The games that a path on the command line means."""
    place = File(os.path.normpath(here / path))
    if place.is_dir():
        return list(games_below(place))
    if not place.exists():
        raise Stop(f"there is no file or folder {path}")
    if place.name != FILE:
        raise Stop(f"{path} is neither a folder nor a {FILE}")
    return [place]


def read_all(files: Sequence[File], here: File) -> tuple[list[Game], list[Problem]]:
    """The games that can be read, and all problems once: a game that others extend would repeat its own."""
    games: list[Game] = []
    problems: dict[tuple[str, int, int, str, str], Problem] = {}
    for file in files:
        game, found = read_game(file, shown(file, here))
        games += [game] if game else []
        for problem in map(straight, found):
            span = problem.span
            problems.setdefault((span.source.path, span.start, span.end, problem.code, problem.message), problem)
    return games, list(problems.values())


def straight(problem: Problem) -> Problem:
    """The problem with a path that makes no detour, as the path of an extended game does."""
    source = problem.span.source
    path = os.path.normpath(source.path).replace("\\", "/")
    if path == source.path:
        return problem
    return replace(problem, span=replace(problem.span, source=Source(path, source.text)))


def summary(files: Sequence[File], games: Iterable[Game], problems: Iterable[Problem]) -> str:
    """«5 games, 11 rules, no problems»."""
    if not files:
        return f"no games here: there is no {FILE} at or below this place"
    found = Counter(problem.severity for problem in problems)
    wrong = [count(found[name], noun) for name, noun in NOUNS.items() if found[name]]
    rules = sum(len(game.rules) for game in games)
    return ", ".join([count(len(files), "game"), count(rules, "rule"), *(wrong or ["no problems"])])


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(problems: Iterable[Problem]) -> str:
    from json import dumps

    report: dict[str, Any] = {"version": 1, "summary": dict.fromkeys(COUNTED, 0), "blocks": []}
    return dumps({**report, "problems": reports.as_json(problems)}, ensure_ascii=False, indent=2)
