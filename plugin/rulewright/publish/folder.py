"""The site as an archive: unpacked anywhere, it is read from there, with its search and its dice."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path as File
from tempfile import TemporaryDirectory

from ..game.find import site_settings
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
        return packed(site, edition.title), []


def written(edition: Edition, folder: File) -> File:
    """The settings of a site for a book that has none."""
    plain = {"site_name": edition.title, "docs_dir": str(edition.root), "plugins": ["search", "rulewright"]}
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


def packed(site: File, title: str) -> bytes:
    """A folder that is called as the book is, and in it what readers need."""
    folder = file_name(title)
    return archive({f"{folder}/{path}": lean(path, data) for path, data in site_files(site) if path not in LEFT_OUT})


def lean(path: str, data: bytes) -> bytes:
    """A page without the blanks that its templates leave between tags."""
    if not path.endswith(".html"):
        return data
    parts = AS_WRITTEN.split(data)
    return b"".join(part if number % 2 else BLANKS.sub(b">\n<", part) for number, part in enumerate(parts))
