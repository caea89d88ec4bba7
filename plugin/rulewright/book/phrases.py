"""Settings on one line: `pool 5, difficulty Hard, specialty`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..text import Span

SIGN = re.compile(r"""[,"[(]|(?<!\w)'""")
CLOSING = {'"': '"', "'": "'", "[": "]", "(": ")"}
NAMED = re.compile(r"""(?:"([^"]+)"|([^\W\d][\w.]*))\s*(.*)""", re.DOTALL)
FIELD = re.compile(r"([^&=]*)=?([^&]*)")


class Item(NamedTuple):
    """A name and its value; a name alone means yes."""

    name: str
    value: str
    name_span: Span
    value_span: Span


def parse_phrase(span: Span) -> list[Item]:
    """A piece that does not begin with a name belongs to the value before it: `dice 1, 4, 7`."""
    items: list[Item] = []
    text, start = span.text, 0
    for end in [*commas(text), len(text)]:
        piece = trimmed(span.part(start, end))
        start = end + 1
        named = NAMED.fullmatch(piece.text)
        if named:
            items.append(item(piece, named))
        elif piece.text:
            add_nameless(items, piece)
    return items


def commas(text: str) -> Iterator[int]:
    """Commas between settings: not those in brackets or quotes."""
    at = 0
    while sign := SIGN.search(text, at):
        at = sign.end()
        if sign[0] == ",":
            yield sign.start()
        else:
            at = text.find(CLOSING[sign[0]], at) + 1 or at


def item(span: Span, named: re.Match[str]) -> Item:
    group = 1 if named[1] else 2
    name = span.part(*named.span(group))
    value = span.part(*named.span(3))
    return Item(named[group], value.text, name, value) if named[3] else Item(named[group], "yes", name, name)


def add_nameless(items: list[Item], span: Span) -> None:
    if not items:
        items.append(Item("", span.text, Span(span.source, span.start, span.start), span))
        return
    last = items[-1]
    start = last.value_span.start if last.value_span != last.name_span else span.start
    whole = Span(span.source, start, span.end)
    items[-1] = Item(last.name, whole.text, last.name_span, whole)


def trimmed(span: Span) -> Span:
    text = span.text
    start = len(text) - len(text.lstrip())
    return span.part(start, max(len(text.rstrip()), start))


def parse_query(span: Span) -> list[Item]:
    """What stands behind the question mark of `roll:action?pool=5&difficulty=Very+Hard`, decoded."""
    from urllib.parse import unquote_plus

    items = []
    for field in FIELD.finditer(span.text):
        if field[1]:
            name, value = span.part(*field.span(1)), span.part(*field.span(2))
            items.append(Item(unquote_plus(field[1]), unquote_plus(field[2]) or "yes", name, value))
    return items
