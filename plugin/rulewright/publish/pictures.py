"""The files of pictures: only what lies inside the folder of the book goes into a file that others will get."""

from __future__ import annotations

import posixpath
import re
from html import unescape
from pathlib import Path as File
from urllib.parse import unquote

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
REACHES = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')""")  # what a drawing takes in from elsewhere


def picture(root: File, page: str, source: str) -> File | None:
    """The file of an image on a page, whose path is counted from the root as that of the page is."""
    folder = "" if source.startswith("/") else posixpath.dirname(page)
    file = File(posixpath.normpath(posixpath.join(root.as_posix(), folder, source.lstrip("/"))))
    return file if file.suffix.lower() in PICTURES and is_inside(root, file) and stays(root, file) else None


def is_inside(root: File, file: File) -> bool:
    return file.is_file() and file.resolve().is_relative_to(root.resolve())


def stays(root: File, file: File) -> bool:
    """Does a drawing take in nothing but what lies inside as well?"""
    if file.suffix.lower() != ".svg":
        return True
    reached = ("".join(found) for found in REACHES.findall(file.read_text(encoding="utf-8", errors="replace")))
    paths = (unquote(unescape(one)) for one in reached if not one.startswith(("#", "data:")))
    return all(is_inside(root, file.parent / path) for path in paths)
