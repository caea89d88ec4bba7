"""The files of pictures: only what is inside the folder of the book goes into a file that others will get."""

from __future__ import annotations

import posixpath
import re
from html import unescape
from pathlib import Path as File
from urllib.parse import unquote

from ..root import Root

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
REACHES = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')""")  # what a drawing takes in from elsewhere


def picture(root: File, page: str, source: str, project: Root | None = None) -> File | None:
    """The file of an image on a page, whose path is counted from the root as that of the page is."""
    project = project or Root([root])
    folder = "" if source.startswith("/") else posixpath.dirname(page)
    file = File(posixpath.normpath(posixpath.join(root.as_posix(), folder, source.lstrip("/"))))
    return (
        file
        if file.suffix.lower() in PICTURES and is_inside(root, file, project) and stays(root, file, project)
        else None
    )


def is_inside(root: File, file: File, project: Root) -> bool:
    """Below the folder of the book by its path, which a link may lead elsewhere in the project."""
    path = File(posixpath.normpath(file.as_posix()))
    return path.is_relative_to(root) and path.is_file() and project.holds(path)


def stays(root: File, file: File, project: Root) -> bool:
    """Does a drawing take in nothing but what lies inside as well?"""
    if file.suffix.lower() != ".svg":
        return True
    reached = ("".join(found) for found in REACHES.findall(file.read_text(encoding="utf-8", errors="replace")))
    paths = (unquote(unescape(one)) for one in reached if not one.startswith(("#", "data:")))
    return all(is_inside(root, file.parent / path, project) for path in paths)
