"""Paths and files where operating systems differ: drives, letter case, composed letters, junctions, open files."""

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path as File
from time import sleep
from types import ModuleType

_IGNORES_CASE = sys.platform in ("win32", "darwin")  # the file system finds `Map.png` under the name `map.png`
_REPLACE_PAUSES = (0.01, 0.05, 0.2, 0.5)  # seconds; a virus scanner or an indexer holds a new file for a moment
_Names = Callable[[str], Iterable[str]]


def relative_path(path: os.PathLike[str] | str, start: os.PathLike[str] | str, rules: ModuleType = os.path) -> str:
    """The path from a folder to a file, with `/`; the whole path if they are on different drives.

    `rules` is `posixpath` or `ntpath`."""
    try:
        relative: str = rules.relpath(path, start)
    except ValueError:
        relative = os.fspath(path)
    return relative.replace(rules.sep, "/")


def compose(path: str) -> str:
    """A path with composed letters: macOS stores `ü` as a `u` and two dots, which no keyboard writes."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def is_link(path: File) -> bool:
    """Whether a path is a symbolic link or, on Windows, a junction."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return False
    tag = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)


def is_spelled_as_on_disk(path: str, ignores_case: bool = _IGNORES_CASE, list_names: _Names = os.listdir) -> bool:
    """Whether an existing file has exactly this name, so that a server that heeds letter case finds it too.

    How the current folder is written does not matter: a shell accepts it in any case."""
    if not ignores_case:
        return True
    folder, name = os.path.split(relative_path(path, os.curdir))
    while name and name != os.pardir:
        if compose(name) not in map(compose, list_names(folder or os.curdir)):
            return False
        folder, name = os.path.split(folder)
    return True


def replace_file(new: File, file: File, system: str = os.name) -> None:
    """Put a finished file in the place of another at once. Windows refuses while another program has that one open."""
    for pause in (*_REPLACE_PAUSES, None):
        try:
            new.replace(file)
            return
        except PermissionError as error:
            if pause is None or system != "nt":
                raise type(error)(error.errno, error.strerror, str(file)) from error
            sleep(pause)
