"""The styles, scripts and data of our pages: as files of a site, or in a page that works without other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path as File

from ..game.model import Game
from .scripts import DiceScripts, PageRolls, site_styles

ASSETS_FOLDER = "assets/rulewright"  # below the root of a site, and of the pages that it is built from
_STYLES = "rulewright.css"
_DATA_FILE = re.compile(r"data-[0-9a-f]{10}\.js")
AssetUrl = Callable[[str], str]  # the URL of one of the files, by its name


def asset_files(scripts: DiceScripts, games: Iterable[Game]) -> dict[str, bytes]:
    """The files that pages need to look right and to roll these games, by name."""
    texts = {_STYLES: site_styles(), **{f"{name}.js": text for name, text in scripts.script_files(games).items()}}
    return {name: text.encode() for name, text in texts.items()}


def are_current(folder: File, files: Mapping[str, bytes]) -> bool:
    """Does a folder hold these very files?"""
    return all((folder / name).is_file() and (folder / name).read_bytes() == data for name, data in files.items())


def find_stale(folder: File, files: Mapping[str, bytes]) -> list[File]:
    """The data of earlier exports, which no page needs any more."""
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(file for file in found if _DATA_FILE.fullmatch(file.name) and file.name not in files)


def style_element(asset_url: AssetUrl | None) -> str:
    """Brings the styles from the content of a page, so that instant navigation loads them too."""
    if asset_url:
        return f'<link rel="stylesheet" href="{escape(asset_url(_STYLES))}">'
    return f"<style>{site_styles()}</style>"


def page_scripts(scripts: DiceScripts, rolls: PageRolls, asset_url: AssetUrl | None) -> str:
    """The scripts that the dice of a page need, which go below its content."""
    if asset_url is None:
        return "".join(script.html for script in scripts.inline_scripts(rolls))
    return scripts.linked_scripts(rolls, lambda name: asset_url(f"{name}.js"))
