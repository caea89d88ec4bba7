"""Cards put aside while others read the words of a page: the search need not take them apart to leave them out."""

from __future__ import annotations

import re

CARD = re.compile(r"(<(rule-card|rule-roller)\b[^>]*+)>[^<]*+(?:<(?!/\2>)[^<]*+)*+</\2>")
SLOT = re.compile(r'<(rule-card|rule-roller)\b[^>]* data-number="(\d+)"></\1>')


def put_aside(html: str) -> tuple[str, list[str]]:
    """A page with empty elements in the place of its cards, and the cards."""
    cards: list[str] = []

    def slot(found: re.Match[str]) -> str:
        cards.append(found[0])
        return f'{found[1]} data-number="{len(cards) - 1}"></{found[2]}>'

    return CARD.sub(slot, html), cards


def put_back(html: str, cards: list[str]) -> str:
    return SLOT.sub(lambda found: cards[int(found[2])], html) if cards else html
