"""Two files that become one page of the site: the first would be lost without a word."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path as File

from ..game.find import book_root, site_settings
from ..text import Problem, Source, Span

FILES = re.compile(r"^use_directory_urls[ \t]*:[ \t]*(?:false|no|off)\b", re.MULTILINE | re.IGNORECASE)
HOMES = ("index", "readme")


def shared_addresses(root: File, pages: Mapping[File, Source]) -> list[Problem]:
    """The pages of a book for which there is a site; without one no address is taken."""
    settings = site_settings(root)
    if settings is None or book_root(root) != root:
        return []
    files = FILES.search(settings.read_text(encoding="utf-8-sig", errors="replace")) is not None
    names = {file.relative_to(root).as_posix(): source for file, source in pages.items() if root in file.parents}
    return same_address(((name, address(name, files)) for name in names), names)


def address(name: str, files: bool) -> str:
    """Where MkDocs puts a page: in a folder of its own, or, with `use_directory_urls: false`, as a file."""
    stem = posixpath.splitext(name)[0]
    folder, last = posixpath.split(stem)
    if last.lower() in HOMES:
        return posixpath.join(folder, "index.html")
    return f"{stem}.html" if files else f"{stem}/index.html"


def same_address(addresses: Iterable[tuple[str, str]], sources: Mapping[str, Source]) -> list[Problem]:
    """`addresses` are files with the places where their pages will be; disks may not tell A from a."""
    first: dict[str, str] = {}
    problems = []
    for path, address in addresses:
        key = unicodedata.normalize("NFC", address).casefold()
        other = first.setdefault(key, path)
        if other != path:
            message = f"this page and {other} have the same address in the site, {address}: one of them would be lost"
            source = sources.get(path, Source(path, ""))
            problems.append(Problem("page-address", message, Span(source, 0, 0), notes=("rename one of them",)))
    return problems
