"""The paths that a written one can stand for, counted from the root of the book."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from .dialects import Dialect

HOME = ("index", "README", "_index")


def folders(dialect: Dialect, prefix: str) -> tuple[str, ...]:
    """The folders from which a path may count that begins with /, as seen from the root."""
    start, seen = prefix or ".", ["."]
    if dialect.name:
        named = (posixpath.join(start, dialect.home, folder) for folder in dialect.folders)
        seen += [posixpath.relpath(posixpath.normpath(folder), start) for folder in named]
    return tuple(dict.fromkeys(seen))


def joined(written: str, path: str, roots: Sequence[str]) -> Iterator[str]:
    """A path counts from the folder of the page at `path`, or, as browsers see it, from the page's own address."""
    if written.startswith("/"):
        yield from (posixpath.normpath(posixpath.join(root, written.strip("/") or ".")) for root in roots)
        return
    folder, name = posixpath.split(path)
    yield posixpath.normpath(posixpath.join(folder, written))
    if posixpath.splitext(name)[0] not in HOME:
        yield posixpath.normpath(posixpath.join(posixpath.splitext(path)[0], written))


def files(joined: str) -> Iterator[str]:
    """The pages that can be meant by a path."""
    stem, end = posixpath.splitext(joined)
    yield joined
    base = stem if end in (".html", ".htm") else joined
    yield f"{base}.md"
    yield f"{base}.markdown"
    yield from (posixpath.normpath(f"{base}/{home}.md") for home in HOME)


def file_name(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].lower()
