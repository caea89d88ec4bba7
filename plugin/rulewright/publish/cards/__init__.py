"""What readers see in the place of a block: a card for each kind, filled into a template."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from ...checks.model import Checked
from ...game.model import Outcome, Rule
from ..words import Words
from .claims import claim
from .examples import example
from .formulas import begun
from .grids import odds, table
from .people import order, sheet
from .rollers import roller
from .rules import rule_in_words
from .templates import environment
from .written import written

FILLED: dict[str, Callable[[Checked, Words], object]] = {
    "example": example,
    "odds": odds,
    "claim": claim,
    "rule": lambda checked, words: rule_in_words(checked.rule, words) if checked.rule else None,
    "roller": roller,
    "table": table,
    "sheet": sheet,
    "order": order,
}


SAID = ("title", "wrong", "skip")  # on a card of which nothing else is known


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
    fill = FILLED.get(block.kind)
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
