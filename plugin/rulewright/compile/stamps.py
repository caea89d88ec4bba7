"""Has a file changed? Asked of the disk, without reading the file where that can be told from outside."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path as File
from time import time_ns
from typing import Any

from ..game.find import FILE, games_below
from ..root import Root
from .settings import nearest_table

SETTLED = 2_000_000_000  # nanoseconds; some disks tell the time of a change no better than this
MOST_LAYERS = 10

Stamp = tuple[int, int, int] | None  # of a file that is there


class Stamps:
    """What files looked like when they were asked about before."""

    def __init__(self) -> None:
        self.known: dict[File, Stamp] = {}

    def suspects(self, files: Iterable[File]) -> list[File]:
        """Those that have changed, or changed so lately that a second change could look the same."""
        return [file for file in files if self.suspect(file)]

    def suspect(self, file: File) -> bool:
        new = file not in self.known
        before, now = self.known.get(file), stamp(file)
        self.known[file] = now
        return new or before != now or (now is not None and abs(time_ns() - now[0]) < SETTLED)


def stamp(file: File) -> Stamp:
    try:
        found = file.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def content(file: File, project: Root) -> bytes | None:
    if project.refusal(file):
        return None
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return None


def layers(file: File, project: Root) -> Iterator[tuple[File, bytes | None]]:
    """A game's file with the pages that its tables come from, and those of the games that it extends."""
    for _ in range(MOST_LAYERS + 1):
        text = content(file, project)
        data = read(text or b"")
        for one in (file, *pages_of(data, file.parent)):
            yield one, text if one is file else content(one, project)
        base = data.get("extends")
        if not isinstance(base, str) or not base or "\0" in base:
            return
        file = File(os.path.normpath(file.parent / base / FILE))


def read(text: bytes) -> dict[str, Any]:
    """The data of a game that looks at other files; nothing of one that does not."""
    if b"extends" not in text and b"page" not in text:
        return {}
    try:
        return tomllib.loads(text.decode("utf-8").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}


def pages_of(data: dict[str, Any], folder: File) -> Iterator[File]:
    tables = data.get("tables")
    for table in tables.values() if isinstance(tables, dict) else ():
        page = table.get("page") if isinstance(table, dict) else None
        if isinstance(page, str) and "\0" not in page:
            yield File(os.path.normpath(folder / page))


def watched(docs: File, project: Root) -> Iterator[File]:
    """What the book rests on outside of its folder, which MkDocs watches anyway."""
    for game in games_below(docs, project):
        outside = (file for file, _ in layers(game, project) if docs not in file.parents)
        yield from filter(project.holds, outside)
    settings = nearest_table(docs)
    if settings:
        yield settings
