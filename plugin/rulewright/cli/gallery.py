"""The games of the gallery, by their names."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path as File

from ..game.find import FILE

GALLERY = File(__file__).parent.parent / "gallery"
FIRST = "two-d6"  # for those who name none


@cache
def games() -> dict[str, str]:
    """The title of each, by its name."""
    folders = sorted(folder for folder in GALLERY.iterdir() if (folder / FILE).is_file())
    return {folder.name: tomllib.loads((folder / FILE).read_text("utf-8"))["title"] for folder in folders}


def listed() -> str:
    """One line for each."""
    width = max(map(len, games()))
    return "\n".join(f"  {name:<{width}}  {title}" for name, title in games().items())
