"""What links ask of the disk: which files there are, and how one of them begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SKIPPED = ("node_modules", "__pycache__")
MOST_NAMES = 100_000
LARGEST_START = 60_000  # characters


def on_disk(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def start_of(path: str) -> str:
    """The beginning of a text, as much of it as one may have to read; nothing for what cannot be read."""
    try:
        if Path(path).is_symlink():  # settings of a tool, perhaps above the book; what they say is not worth a detour
            return ""
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST_START)
    except (OSError, ValueError):
        return ""


def names_below(folder: str) -> Iterator[str]:
    """The names of all files in a folder and below, hidden folders left out."""
    left = MOST_NAMES
    for _place, folders, files in os.walk(folder or "."):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        yield from files[:left]
        left -= len(files)
        if left <= 0:
            return
