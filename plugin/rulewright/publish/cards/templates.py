"""Templates of cards, ours and those of a site."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache, lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Macro
from markupsafe import Markup

TEMPLATES = Path(__file__).parents[1] / "templates"
OWN = "rulewright"  # the folder of a theme's overrides in which cards are looked for first


def has_own(overrides: Path | None) -> bool:
    return overrides is not None and (overrides / OWN).is_dir()


@cache
def environment(overrides: Path | None) -> Environment:
    """Templates of the site come before ours, and may change while it is served."""
    folders = [FileSystemLoader(folder) for folder in (overrides and overrides / OWN, TEMPLATES) if folder]
    made = Environment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=has_own(overrides),
    )
    made.filters["drawn"] = drawn
    return made


@lru_cache(maxsize=4096)
def drawn(found: Hashable, macro: Macro) -> Markup:
    """What a macro makes of something that comes again and again, such as a die that shows 1."""
    return Markup(macro(found))
