"""What readers see in the place of a block: a card for each kind, filled into a template."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import urlencode

from ...checks.model import Checked
from ...game.model import Outcome, Rule
from ..words import Words
from .formulas import begun
from .templates import environment
from .written import written

FILLED = {
    "example": "examples.example",
    "odds": "grids.odds",
    "claim": "claims.claim",
    "rule": "rules.rule",
    "roller": "rollers.roller",
    "table": "grids.table",
    "sheet": "people.sheet",
    "order": "people.order",
}

SAID = ("title", "wrong", "skip")  # on a card of which nothing else is known


class Fill(Protocol):
    def __call__(self, checked: Checked, words: Words) -> object: ...


@cache
def fill_of(kind: str) -> Fill | None:
    """Imported with the first card of its kind."""
    module, _, name = FILLED.get(kind, "").partition(".")
    return cast(Fill, getattr(import_module(f".{module}", __package__), name)) if module else None


def nowhere(_outcome: Outcome) -> str:
    return ""


def card(
    checked: Checked, words: Words, overrides: Path | None = None, leads: Callable[[Outcome], str] = nowhere
) -> str:
    """The HTML of a block; what is not known about it is not shown. `leads` tells where more is said of an outcome."""
    block = checked.block
    show = block.get("show")
    length = show.value.lower() if show else "card"
    if length == "no":
        return ""
    if block.kind == "game":
        return f'<pre><code class="language-toml">{escape(block.text.content, quote=False)}</code></pre>'
    fill = fill_of(block.kind)
    filled = fill(checked, words) if fill else None
    if filled is None:
        filled, fill = written(block, words), None
        if not (filled or any(map(block.get, SAID))):
            return ""
    name = "written" if fill is None else "line" if length == "line" and block.kind == "example" else block.kind
    template = environment(overrides).get_template(f"{name}.html")
    known = {
        "checked": checked,
        "block": block,
        "words": words,
        "card": filled,
        "settings": settings(checked),
        "begun": begun,
    }
    return template.render(known, more=partial(read_on, leads))


def read_on(leads: Callable[[Outcome], str], rule: Rule, name: str) -> str:
    found = next((one for one in rule.outcomes if one.name == name), None)
    return leads(found) if found and found.see else ""


def settings(checked: Checked) -> str:
    """The inputs as a link would carry them, for the program that rolls the same dice anew."""
    inputs = checked.moves[0].inputs if checked.moves else checked.inputs
    return urlencode(dict(inputs))
