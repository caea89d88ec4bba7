"""What readers see in the place of a block: a card for each kind, filled into a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from ...checks.model import Checked
from ...text import Problem
from ..words import Words
from . import content

TEMPLATES = Path(__file__).parent.parent / "templates"
OWN = "rulewright"  # the folder of a theme's overrides in which cards are looked for first
FILLED: dict[str, Callable[[Checked], object]] = {
    "example": content.example,
    "odds": content.odds,
    "claim": content.claim,
    "rule": content.rule,
    "roller": content.rule,
    "table": content.table,
}


def card(checked: Checked, words: Words, overrides: Path | None = None) -> str:
    """The HTML of a block; what is not known about it is not shown."""
    fill = FILLED.get(checked.block.kind)
    filled = fill(checked) if fill else None
    name = checked.block.kind if filled is not None else "written"
    template = environment(overrides).get_template(f"{name}.html")
    return template.render(checked=checked, block=checked.block, words=words, card=filled)


def mistakes(problems: Iterable[Problem], words: Words, overrides: Path | None = None) -> str:
    """What is wrong with a block, for the author who looks at the page while writing it."""
    places = [(problem, problem.span.source.place(problem.span.start)[0]) for problem in problems]
    return environment(overrides).get_template("mistakes.html").render(places=places, words=words)


@cache
def environment(overrides: Path | None) -> Environment:
    """Templates of the site come before ours."""
    folders = [FileSystemLoader(folder) for folder in (overrides and overrides / OWN, TEMPLATES) if folder]
    return Environment(
        loader=ChoiceLoader(folders), autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
