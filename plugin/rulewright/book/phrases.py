"""Settings on one line: `pool 5, difficulty Hard, specialty`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..text import Span

PIECE = re.compile(r"""(?:"[^"]*"|(?<!\w)'[^']*'|\[[^\]]*\]|\([^)]*\)|[^,])+""")
NAMED = re.compile(r"""\s*(?:"([^"]+)"|([^\W\d][\w.]*))\s*(.*?)\s*$""", re.DOTALL)
FIELD = re.compile(r"([^&=]*)=?([^&]*)")


@dataclass(frozen=True, slots=True)
class Item:
    """A name and its value; a name alone means yes."""

    name: str
    value: str
    name_span: Span
    value_span: Span


def parse_phrase(span: Span) -> list[Item]:
    """A piece that does not begin with a name belongs to the value before it: `dice 1, 4, 7`."""
    items: list[Item] = []
    for piece in PIECE.finditer(span.text):
        if not piece[0].strip():
            continue
        named = NAMED.match(piece[0])
        if named:
            items.append(item(span.part(*piece.span()), named))
        else:
            add_nameless(items, trimmed(span.part(*piece.span())))
    return items


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
