"""The numbers of the text on a page of the site: what is tied to no rule is shaded, as coverage tools shade lines."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from html import escape, unescape

from ..book.parser import read_page
from ..checks.coverage import BOUND, CHECKED, FREE, STATES, UNBOUND, WRONG, CoveredNumber, count_states
from ..compile.book import CheckedPage
from ..compile.sentences import check_sentences
from ..source import Source
from .strings import Words

_SIGNS = {BOUND: "✓", CHECKED: "=", FREE: "–", WRONG: "!", UNBOUND: "?"}  # besides the color
_PART = re.compile(r"\n(?:[ \t>]*\n|(?=[ \t>]*(?:[-*+|#:]|[0-9]+[.)]\s)))")  # between paragraphs, items and rows
_LEAD = re.compile(r"[ \t>]*(?:[-*+|:]+|[0-9]+[.)])?\s*")  # of an item, a row or a quote
_MARKUP = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]|[\[\]*`\\]|\n[ \t>]*(?<=>)")
_CELLS = re.compile(r"\s*\|\s*")


def cover(checked: CheckedPage, is_hosted: bool) -> Sequence[CoveredNumber]:
    """The numbers of a page with their states. A build reads no sentences, and may have dropped the tokens."""
    if checked.coverage or checked.game is None:
        return checked.coverage
    page = checked.page if checked.page.tokens else read_page(checked.page.source, multimarkdown=is_hosted)
    return check_sentences(page, checked.game, checked.links).covered


def legend_html(numbers: Sequence[CoveredNumber], words: Words) -> str:
    """What the signs mean, each with the count of its numbers."""
    counts = count_states(numbers)
    items = (f"<li>{_sign_html(state, words)} {escape(_name(state, words))}: {counts[state]}</li>" for state in STATES)
    return f'<ul class="rw-cover">{"".join(items)}</ul>'


def numbers_html(source: Source, numbers: Iterable[CoveredNumber], words: Words) -> str:
    """The paragraphs, items and rows with numbers that are not free, with the signs of all their numbers."""
    starts = [0, *(match.end() for match in _PART.finditer(source.text))]
    parts: dict[int, list[CoveredNumber]] = {}
    for number in numbers:
        if number.span.source is source or number.span.source.path == source.path:
            parts.setdefault(bisect(starts, number.span.start) - 1, []).append(number)
    ends = [*starts[1:], len(source.text)]
    shown = [
        f"<p>{_part_html(source.text[starts[at] : ends[at]], starts[at], own, words)}</p>"
        for at, own in parts.items()
        if any(number.state != FREE for number in own)
    ]
    return f'<div class="rw-cover">\n{chr(10).join(shown)}\n</div>' if shown else ""


def _part_html(text: str, start: int, numbers: Sequence[CoveredNumber], words: Words) -> str:
    html, lead = "", _LEAD.match(text)
    done = min(lead.end() if lead else 0, numbers[0].span.start - start)
    for number in numbers:
        at, end = number.span.start - start, number.span.end - start
        sign = _sign_html(number.state, words)
        html += f'{_plain(text[done:at])}<mark data-state="{number.state}">{escape(text[at:end])}{sign}</mark>'
        done = end
    return (html + _plain(text[done:])).strip(" ·")


def _plain(text: str) -> str:
    return escape(re.sub(r"\s+", " ", _CELLS.sub(" · ", unescape(_MARKUP.sub("", text)))))


def _sign_html(state: str, words: Words) -> str:
    return f'<sup data-state="{state}" role="img" aria-label="{escape(_name(state, words))}">{_SIGNS[state]}</sup>'


def _name(state: str, words: Words) -> str:
    return words(f"coverage {state}")
