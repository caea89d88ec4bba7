"""The site as an archive: unpacked anywhere, it is read from there, with its search and its dice."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path as File
from tempfile import TemporaryDirectory

from ..book.atlas import Place
from ..game.find import site_settings
from ..text import Problem
from .bound.archive import archive
from .edition import Edition, Made, NotMade, Watch
from .finished import INDEX, site_files
from .makers import file_name

FOR_DISK = "RULEWRIGHT_FOR_DISK"  # tells the plugin of MkDocs in the other process what its site is for
AS_WRITTEN = re.compile(rb"(<(?:pre|textarea|script|style)\b.*?</(?:pre|textarea|script|style)>)", re.DOTALL)
BLANKS = re.compile(rb">\s*\n\s*<")
LEFT_OUT = (INDEX, "404.html")  # nobody sends these from a disk


def make(edition: Edition, watch: Watch) -> Made:
    watch("")
    with TemporaryDirectory() as name:
        site = File(name, "site")
        settings = site_settings(edition.root) or written(edition, File(name))
        build(settings, site)
        return packed(site, edition)


def written(edition: Edition, folder: File) -> File:
    """The settings of a site for a book that has none."""
    shared = [str(folder) for folder in edition.compiled.options.shared]  # else relative to this file's own folder
    plugins = ["search", {"rulewright": {"shared": shared}}]
    plain = {"site_name": edition.title, "docs_dir": str(edition.root), "plugins": plugins}
    file = folder / "mkdocs.yml"
    file.write_text(json.dumps({**plain, "theme": {"name": "material", "font": False}}), encoding="utf-8")
    return file


def build(settings: File, site: File) -> None:
    """By MkDocs, in a process of its own: no other part of this program knows it."""
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(settings), "-d", str(site)]
    world = os.environ | {FOR_DISK: "1", "NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(
        command, cwd=settings.parent, env=world, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    if ran.returncode:
        lines = ran.stderr.strip().split("\n")
        raise NotMade(f"the site could not be built: {lines[-1]}")


def packed(site: File, edition: Edition) -> Made:
    """A folder that is called as the book is, and in it what readers need."""
    folder, files = file_name(edition.title), dict(site_files(site))
    strangers = {path for path in files if is_from_outside(edition.root / path, edition)}
    kept = {path: lean(path, data) for path, data in files.items() if path not in strangers and path not in LEFT_OUT}
    return archive({f"{folder}/{path}": data for path, data in kept.items()}), list(told(edition))


def is_from_outside(file: File, edition: Edition) -> bool:
    """MkDocs follows links on the disk wherever they lead."""
    return file.is_file() and not edition.compiled.project.holds(file)


def told(edition: Edition) -> Iterator[Problem]:
    for page in (chapter.page.page for chapter in edition.chapters):
        for link in page.links:
            found = edition.atlas.resolve(link, page)
            if not isinstance(found, Place) or found.path.startswith("../"):
                continue
            if is_from_outside(edition.root / found.path, edition):
                message = f"{link.target[:80]} cannot go along"
                yield Problem("export-picture", message, link.span, "warning", ("it lies outside of the book",))


def lean(path: str, data: bytes) -> bytes:
    """A page without the blanks that its templates leave between tags."""
    if not path.endswith(".html"):
        return data
    parts = AS_WRITTEN.split(data)
    return b"".join(part if number % 2 else BLANKS.sub(b">\n<", part) for number, part in enumerate(parts))
