"""Chances as bars: each with its number beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from ...game.odds.answer import Chance
from ..words import Words
from .figures import percent
from .formulas import named

HEAT = (0.04, 0.56)  # how dense the colour is where nothing is, and how much denser where most is
TRACK = '<rect class="rw-track" width="100" height="8"/>'


class Bar(NamedTuple):
    """A chance by name; `here` marks the one that came true."""

    name: str
    text: str
    svg: Markup
    here: bool = False


def bars(chances: Mapping[str, Chance], words: Words, here: str | None = None) -> list[Bar]:
    return [
        Bar(
            words("nobody") if name == "none" else named(name), percent(chance, words), bar(float(chance)), name == here
        )
        for name, chance in chances.items()
    ]


def bar(share: float, whole: bool = True) -> Markup:
    """A line as long as the share, on a ground that is the whole; the number beside it says the same."""
    width = f"{max(min(share, 1.0), 0.0) * 100:.2f}".rstrip("0").rstrip(".")
    return Markup(
        '<svg class="rw-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{TRACK if whole else ""}<rect class="rw-share" width="{width}" height="8"/></svg>'
    )


def heat(share: float) -> Markup:
    """The ground of a cell, darker where more is."""
    opacity = f"{HEAT[0] + HEAT[1] * max(min(share, 1.0), 0.0):.2f}"
    return Markup(
        '<svg class="rw-heat" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="1" height="1" fill-opacity="{opacity}"/></svg>'
    )
