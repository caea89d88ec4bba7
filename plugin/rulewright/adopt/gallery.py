"""The gallery: well-known mechanics, each with its game, a line for designers, and a sample roll."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path as File

from ..project import GAME_FILE
from ..source import suggest

GALLERY = File(__file__).parent.parent / "gallery"
_INDEX = "index.toml"
_MARKDOWN_CHARACTERS = re.compile(r"([\\`*\[\]<>&#|~$])")  # characters with a meaning in Markdown headings
_TITLE = re.compile(r"^title = .*$", re.MULTILINE)


@dataclass(frozen=True)
class GalleryGame:
    """A mechanic of the gallery: what it is in one line, the inputs of its sample roll, and the text of its game."""

    name: str
    about: str
    sample: Mapping[str, str]
    text: str

    @property
    def title(self) -> str:
        title: str = tomllib.loads(self.text)["title"]
        return title


@cache
def read_gallery() -> dict[str, GalleryGame]:
    """All mechanics by name, in the order of the list."""
    entries = tomllib.loads((GALLERY / _INDEX).read_text("utf-8"))
    return {
        name: GalleryGame(name, entry["about"], entry["sample"], (GALLERY / name / GAME_FILE).read_text("utf-8"))
        for name, entry in entries.items()
    }


def with_title(text: str, title: str) -> str:
    """The text of a game with another title."""
    return _TITLE.sub(lambda _: f"title = {format_string(title)}", text, count=1)


def format_string(text: str) -> str:
    """A string as TOML and YAML write it."""
    return json.dumps(text, ensure_ascii=False)


def escape_markdown(text: str) -> str:
    """A text without meaning for Markdown, as in a heading."""
    return _MARKDOWN_CHARACTERS.sub(r"\\\1", text)


def suggest_game(name: str) -> str:
    """The game of the gallery that may be meant, or all of them."""
    games = list(read_gallery())
    return suggest(name, games) or f"known here: {', '.join(games)}"
