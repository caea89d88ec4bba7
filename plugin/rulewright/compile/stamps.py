"""Has a file changed? Asked of the disk, without reading the file where that can be told from outside."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path as File
from time import time_ns

from ..game.find import FILE

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


def content(file: File) -> bytes | None:
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return None


def layers(file: File) -> Iterator[tuple[File, bytes | None]]:
    """A game's file, and those of the games that it extends, one below the other."""
    for _ in range(MOST_LAYERS + 1):
        text = content(file)
        yield file, text
        base = extended(text or b"")
        if not base:
            return
        file = File(os.path.normpath(file.parent / base / FILE))


def extended(text: bytes) -> str:
    if b"extends" not in text:
        return ""
    try:
        base = tomllib.loads(text.decode("utf-8").removeprefix("\ufeff")).get("extends")
    except (ValueError, RecursionError):
        return ""
    return base if isinstance(base, str) and "\0" not in base else ""
