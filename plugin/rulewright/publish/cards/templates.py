"""Templates of cards, ours and those of a site."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from ..ready import TEMPLATES, Ready

OWN = "rulewright"  # the folder of a theme's overrides in which cards are looked for first


def has_own(overrides: Path | None) -> bool:
    return overrides is not None and (overrides / OWN).is_dir()


@cache
def environment(overrides: Path | None) -> Environment:
    """Templates of the site come before ours."""
    folders = [FileSystemLoader(folder) for folder in (overrides and overrides / OWN, TEMPLATES) if folder]
    return Environment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        bytecode_cache=Ready(overrides),
    )
