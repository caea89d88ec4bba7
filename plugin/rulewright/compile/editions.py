"""Opens an edition of a book as a folder: an existing one, or a Git revision unpacked into a temporary folder."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as File
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..book.page import LARGEST_PAGE
from ..project import SITE_SETTINGS, find_book_root

_EXTENSIONS = (".md", ".markdown", ".mdx", ".toml", ".yml", ".yaml")  # files that are unpacked
TIMEOUT_SECONDS = 60
_GIT_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


class NoEditionError(Exception):
    """There is no edition of that name; the message says why."""


class OpenedEdition(NamedTuple):
    """The folder of an edition, and the folder to which printed paths are relative."""

    folder: File
    here: File
    is_permanent: bool  # not temporary, so its files can be changed


@contextmanager
def open_edition(name: str, here: File) -> Iterator[OpenedEdition]:
    """Open a folder, or the current folder as it was in a Git revision of that name."""
    if folder := find_folder(name, here):
        yield OpenedEdition(folder, here, True)
        return
    commit, top = _resolve_revision(name, here)
    with TemporaryDirectory(prefix="rulewright-", ignore_cleanup_errors=True) as temporary:
        root = File(temporary).resolve()
        unpack(_run_git(here, "-C", str(top), "archive", "--format=tar", commit), root)
        inside = next(
            (folder_inside for folder_inside in _book_folders(here, root, top) if folder_inside.is_dir()), None
        )
        if inside is None:
            raise NoEditionError(f"in the revision {name} there is no folder {here.name} with pages or games")
        yield OpenedEdition(inside, inside, False)


def _book_folders(here: File, root: File, top: File) -> Iterator[File]:
    """The folders in an unpacked revision that may hold the book of the folder `here`."""
    pages = find_book_root(here) if any((here / name).is_file() for name in SITE_SETTINGS) else here
    for folder in (pages.resolve(), here.resolve()):
        if folder.is_relative_to(top):
            yield root / folder.relative_to(top)


def edition_error(name: str, here: File) -> str:
    """Why a name is not an edition; empty if it is one. Unpacks nothing."""
    try:
        if not find_folder(name, here):
            _resolve_revision(name, here)
    except NoEditionError as error:
        return str(error)
    return ""


def find_folder(name: str, here: File) -> File | None:
    if "\0" in name:
        raise NoEditionError("a name of a folder or a revision holds no NUL character")
    folder = File(os.path.normpath(here / name))
    if folder.exists() and not folder.is_dir():
        raise NoEditionError(f"{name} is a file; an edition is a folder or a revision of Git")
    return folder if folder.is_dir() else None


def _resolve_revision(name: str, here: File) -> tuple[str, File]:
    """Resolve a revision to its commit and the root of the repository."""
    try:
        top = File(os.fsdecode(_run_git(here, "rev-parse", "--show-toplevel")).strip()).resolve()
    except _GitError as error:
        raise NoEditionError(
            f"there is no folder {name}, and no Git repository that could have such a revision; name a folder"
        ) from error
    try:
        commit = _run_git(here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except _GitError as error:
        raise NoEditionError(f"there is no folder and no revision {name}") from error
    return commit.decode().strip(), top


class _GitError(Exception):
    """Git returned an error."""


def _run_git(here: File, *arguments: str) -> bytes:
    try:
        process = subprocess.run(
            ["git", *arguments],
            cwd=here,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=True,
            env={**os.environ, **_GIT_ENVIRONMENT},
        )
    except FileNotFoundError as error:
        raise NoEditionError("there is no Git on this machine; name two folders instead") from error
    except subprocess.TimeoutExpired as error:
        raise NoEditionError(f"Git did not answer within {TIMEOUT_SECONDS} seconds") from error
    except (subprocess.CalledProcessError, ValueError) as error:
        raise _GitError from error
    return process.stdout


def unpack(archive: bytes, root: File) -> None:
    """Unpack regular files with known extensions; skip links and paths outside of `root`."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            target = File(os.path.normpath(root / member.name))
            wanted = member.name.lower().endswith(_EXTENSIONS) and member.size <= LARGEST_PAGE
            if member.isreg() and wanted and root in target.parents and (content := files.extractfile(member)):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())
