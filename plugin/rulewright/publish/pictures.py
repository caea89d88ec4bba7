"""The files of pictures: only what lies inside the folder of the book goes into a file that others will get."""

from __future__ import annotations

import posixpath
from pathlib import Path as File

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")


def picture(root: File, page: str, source: str) -> File | None:
    """The file of an image on a page, whose path is counted from the root as that of the page is."""
    folder = "" if source.startswith("/") else posixpath.dirname(page)
    file = File(posixpath.normpath(posixpath.join(root.as_posix(), folder, source.lstrip("/"))))
    inside = file.is_file() and file.resolve().is_relative_to(root.resolve())
    return file if inside and file.suffix.lower() in PICTURES else None
