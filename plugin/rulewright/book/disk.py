"""Reads the disk for links: whether a file exists as it is spelled, how it begins, and which files a folder has."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path

from ..paths import is_spelled_as_on_disk

_SKIPPED_FOLDERS = ("node_modules", "__pycache__")
_MAX_NAMES = 100_000
_MAX_START_LENGTH = 60_000  # characters


def is_file_on_disk(path: str) -> bool:
    """Whether there is a file of exactly this name: a server finds no `map.png` if the file is `Map.png`."""
    try:
        return Path(path).is_file() and is_spelled_as_on_disk(path)
    except (OSError, ValueError):
        return False


def read_start(path: str) -> str:
    """The beginning of a text file; empty if it cannot be read."""
    try:
        if Path(path).is_symlink():  # never follow a link out of the book
            return ""
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return file.read(_MAX_START_LENGTH)
    except (OSError, ValueError):
        return ""


def files_below(folder: str) -> Iterator[str]:
    """The paths of all files in a folder and below, without hidden folders."""
    remaining = _MAX_NAMES
    for place, folders, files in os.walk(folder or "."):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        yield from (posixpath.join(place.replace("\\", "/"), name) for name in files[:remaining])
        remaining -= len(files)
        if remaining <= 0:
            return
