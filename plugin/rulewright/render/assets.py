"""The styles, scripts and data of our pages: as files of a site, or in a page that works without other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path as File

from ..game.model import Game
from .scripts import DiceScripts, PageRolls, generated_styles, site_styles

ASSETS_FOLDER = "assets/rulewright"  # below the root of a site, and of the pages that it is built from
_STYLES, _GENERATED = "rulewright.css", "generated.css"
_GENERATED_PART = re.compile(r'class="rw-(?:terms|reference|cover)"')
_DATA_FILE = re.compile(r"data-[0-9a-f]{10}\.js")
AssetUrl = Callable[[str], str]  # the URL of one of the files, by its name


def asset_files(scripts: DiceScripts, games: Iterable[Game]) -> dict[str, bytes]:
    """The files that pages need to look right and to roll these games, by name."""
    texts = {f"{name}.js": text for name, text in scripts.script_files(games).items()}
    styles = {_STYLES: site_styles(), _GENERATED: generated_styles()}
    return {name: text.encode() for name, text in (styles | texts).items()}


def are_current(folder: File, files: Mapping[str, bytes]) -> bool:
    """Does a folder hold these very files?"""
    return all((folder / name).is_file() and (folder / name).read_bytes() == data for name, data in files.items())


def find_stale(folder: File, files: Mapping[str, bytes]) -> list[File]:
    """The data of earlier exports, which no page needs any more."""
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(file for file in found if _DATA_FILE.fullmatch(file.name) and file.name not in files)


def style_element(asset_url: AssetUrl | None, html: str) -> str:
    """Brings the styles that a page needs from its content, so that instant navigation loads them too."""
    is_generated = bool(_GENERATED_PART.search(html))
    if asset_url:
        names = [_STYLES, *[_GENERATED] * is_generated]
        return "".join(f'<link rel="stylesheet" href="{escape(asset_url(name))}">' for name in names)
    return f"<style>{site_styles()}{generated_styles() * is_generated}</style>"


def page_scripts(scripts: DiceScripts, rolls: PageRolls, asset_url: AssetUrl | None) -> str:
    """The scripts that the dice of a page need, which go below its content."""
    if asset_url is None:
        return "".join(script.html for script in scripts.inline_scripts(rolls))
    return scripts.linked_scripts(rolls, lambda name: asset_url(f"{name}.js"))
