"""An edition as a folder: one that lies there, or a revision of Git, whose files are put into a folder for a while."""

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
from ..project import SITE_SETTINGS, book_root

KINDS = (".md", ".markdown", ".toml", ".yml", ".yaml")  # files that can say something of a book
SECONDS = 60
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


class NoEditionError(Exception):
    """Why there is no edition of that name, in words for the person who wrote it."""


class Opened(NamedTuple):
    """Where an edition lies, and the folder from which its paths are shown."""

    folder: File
    here: File
    lasting: bool  # does it stay where it is? Only then can links be mended in it


@contextmanager
def opened(name: str, here: File) -> Iterator[Opened]:
    """A folder; where there is none of that name, the current folder as it was in a revision."""
    if folder := folder_of(name, here):
        yield Opened(folder, here, True)
        return
    commit, top = revision(name, here)
    with TemporaryDirectory(prefix="rulewright-") as place:
        root = File(place).resolve()
        unpack(git(here, "-C", str(top), "archive", "--format=tar", commit), root)
        inside = next((place for place in places(here, root, top) if place.is_dir()), None)
        if inside is None:
            raise NoEditionError(f"in the revision {name} there is no folder {here.name} with pages or games")
        yield Opened(inside, inside, False)


def places(here: File, root: File, top: File) -> Iterator[File]:
    """Where the pages of a book lay that lies here: in the same folder, else somewhere below this one."""
    pages = book_root(here) if any((here / name).is_file() for name in SITE_SETTINGS) else here
    for place in (pages.resolve(), here.resolve()):
        if place.is_relative_to(top):
            yield root / place.relative_to(top)


def complaint(name: str, here: File) -> str:
    """Why a name will not do; nothing where it does. Nothing is unpacked for this."""
    try:
        if not folder_of(name, here):
            revision(name, here)
    except NoEditionError as error:
        return str(error)
    return ""


def folder_of(name: str, here: File) -> File | None:
    if "\0" in name:
        raise NoEditionError("a name of a folder or a revision holds no NUL character")
    folder = File(os.path.normpath(here / name))
    if folder.exists() and not folder.is_dir():
        raise NoEditionError(f"{name} is a file; an edition is a folder or a revision of Git")
    return folder if folder.is_dir() else None


def revision(name: str, here: File) -> tuple[str, File]:
    """The commit that is meant, and the folder in which its files belong."""
    try:
        top = File(git(here, "rev-parse", "--show-toplevel").decode().strip()).resolve()
    except GitError as error:
        raise NoEditionError(
            f"there is no folder {name}, and no Git repository that could have such a revision"
        ) from error
    try:
        commit = git(here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except GitError as error:
        raise NoEditionError(f"there is no folder and no revision {name}") from error
    return commit.decode().strip(), top


class GitError(Exception):
    """Git said no."""


def git(here: File, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=here, capture_output=True, timeout=SECONDS, check=True, env={**os.environ, **QUIET}
        )
    except FileNotFoundError as error:
        raise NoEditionError("there is no Git on this machine; name two folders instead") from error
    except subprocess.TimeoutExpired as error:
        raise NoEditionError(f"Git did not answer within {SECONDS} seconds") from error
    except (subprocess.CalledProcessError, ValueError) as error:
        raise GitError from error
    return done.stdout


def unpack(archive: bytes, root: File) -> None:
    """Plain files of the kinds that matter; nothing that would lie outside, and no links."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            place = File(os.path.normpath(root / member.name))
            wanted = member.name.lower().endswith(KINDS) and member.size <= LARGEST_PAGE
            if member.isreg() and wanted and root in place.parents and (found := files.extractfile(member)):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(found.read())
