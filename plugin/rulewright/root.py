"""Restricts file access to the folders of a project: files outside of them are neither read nor written."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from pathlib import Path as File
from posixpath import normpath
from typing import NamedTuple

from .paths import is_link
from .source import Problem, Source, Span

SHARE_ADVICE = "list its folder in the option `shared`"
_OUTSIDE_CODE, FILE_KIND_CODE = "file-outside", "file-kind"


class _Refusal(NamedTuple):
    """Why a path is not read or written: the fact, and the repair."""

    code: str
    message: str
    repair: str


class Root:
    """The folders that a project may read and write. Symbolic links are resolved before a path is checked.

    `shared` is only called for a path outside of the other folders, because it needs the options of the book."""

    def __init__(self, folders: Iterable[File], shared: Callable[[], Iterable[File]] = tuple) -> None:
        self._folders = tuple(dict.fromkeys(map(real_path, folders)))
        self._shared = shared
        self._edited: Mapping[File, bytes] = {}

    @cached_property
    def folders(self) -> tuple[File, ...]:
        """All folders, with symbolic links resolved."""
        return tuple(dict.fromkeys([*self._folders, *map(real_path, self._shared())]))

    def including(self, folder: File) -> Root:
        """With a folder that settings name on purpose; one inside the project may still be a link that leaves it."""
        named = File(os.path.normpath(folder))
        return self if is_below(named, self._folders) else Root([*self._folders, named], self._shared)

    def with_edited(self, file: File, data: bytes) -> Root:
        """The same folders, with a file that reads as if it had been changed."""
        edited = copy(self)
        edited._edited = {**self._edited, real_path(file): data}
        return edited

    def read_bytes(self, file: File) -> bytes:
        return self._edited[real_path(file)] if self._edited and real_path(file) in self._edited else file.read_bytes()

    def contains(self, path: File) -> bool:
        """Whether a path is inside the project; the file need not exist. True for names that no file can have."""
        try:
            target = real_path(path)
        except ValueError:
            return True
        return is_below(target, self._folders) or is_below(target, self.folders)

    def find_refusal(self, file: File) -> _Refusal | None:
        """Why a file may not be read or written; None if it may, or if it does not exist (its reader reports that)."""
        if not self.contains(file):
            return _refuse_outside(file)
        try:
            mode = file.stat().st_mode
        except (OSError, ValueError):
            return None
        if stat.S_ISREG(mode):
            return None
        fact = f"this is {_describe_file_kind(mode)}, not a regular file, so it is not read"
        return _Refusal(FILE_KIND_CODE, fact, "remove it, or put a regular file in its place")

    def find_problem(self, file: File, name: str) -> Problem | None:
        """The problem of a refused file or folder, at the link that leads outside; `name` is the path to display."""
        if link := self.find_outside_link(file):
            name = normpath(name + "/.." * (len(file.parts) - len(link.parts)))
            file = link
        refusal = (
            _refuse_outside(file) if not self.contains(file) else None if file.is_dir() else self.find_refusal(file)
        )
        if refusal is None:
            return None
        return Problem(refusal.code, refusal.message, Span(Source(name, ""), 0, 0), notes=(refusal.repair,))

    def find_outside_link(self, path: File) -> File | None:
        """The link by which a path leaves the project; None if it stays inside, or leaves it without a link."""
        if self.contains(path):
            return None
        outside = (part for part in reversed([path, *path.parents]) if not self.contains(part))
        return next((part for part in outside if is_link(part) and self.contains(part.parent)), None)

    def has_no_outside_links(self, folder: File) -> bool:
        """Whether no link in or below a folder leads out of the project."""
        return next(self.find_outside_links(folder), None) is None

    def find_outside_links(self, folder: File) -> Iterator[File]:
        """The links in and below a folder that lead out of the project."""
        if not self.contains(folder):
            yield folder
            return
        for parent, folders, files in os.walk(folder):
            for name in sorted([*folders, *files]):
                path = File(parent, name)
                if is_link(path) and not self.contains(path):
                    yield path


class _Everywhere(Root):
    """For a game without a project: any regular file may be read."""

    def contains(self, _path: File) -> bool:
        return True


def find_circular_link(path: File) -> File | None:
    """The link in a path that leads to one of its own parents, so that following it would never end; else None."""
    links = (part for part in reversed(path.parents) if is_link(part))
    return next((link for link in links if is_below(real_path(link.parent), [real_path(link)])), None)


def _refuse_outside(file: File) -> _Refusal:
    target = real_path(file)
    folder = target if file.is_dir() else target.parent
    fact = f"this {'link' if is_link(file) else 'path'} leads to {target.as_posix()}, which is outside the project"
    return _Refusal(_OUTSIDE_CODE, fact, f"remove the link, or list {folder.as_posix()} in the option `shared`")


def real_path(path: File) -> File:
    """A path with all links resolved; unlike `Path.resolve`, this does not fail on circular links."""
    return File(os.path.realpath(path))


def is_below(path: File, folders: Iterable[File]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)


def _describe_file_kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


UNRESTRICTED: Root = _Everywhere(())
