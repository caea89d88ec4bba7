"""What a page tells the roller: the rule and the inputs of a card or a `roll:` link, as the engine reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from ..checks.written_settings import named_inputs
from ..game.inputs import normalize_value
from ..game.model import Game, Rule

if TYPE_CHECKING:
    from ..checks.number_links import CheckedLink


def inputs_query(rule: Rule, texts: Mapping[str, str]) -> str:
    """The inputs of a roll as a query string."""
    inputs = named_inputs(rule)
    return urlencode({name: normalize_value(inputs[name], text) for name, text in texts.items() if name in inputs})


def roll_queries(links: Iterable[CheckedLink], home: Game | None) -> dict[str, str]:
    """What each `roll:` link without a mistake rolls, by its target; the game of the page is not named."""
    return {
        link.link.target: _roll_query(link.rule, link.inputs, home)
        for link in links
        if link.kind == "roll" and link.rule
    }


def _roll_query(rule: Rule, inputs: Mapping[str, str], home: Game | None) -> str:
    name = rule.name if home and home.folder == rule.game else f"{rule.game}/{rule.name}"
    return f"{name}?{query}" if (query := inputs_query(rule, inputs)) else name
