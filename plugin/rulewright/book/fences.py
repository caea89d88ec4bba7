"""Fences: blocks, and what was probably meant as one."""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it.token import Token

from ..text import Span
from .entries import Inside
from .found import Found
from .model import KINDS, Block
from .nearby import is_ours, is_set, meant
from .paper import Text


class Place(NamedTuple):
    """Where a block stands: all of it, its word, its first line."""

    span: Span
    word: Span
    line: int
    shown: bool


SHOWN_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([A-Za-z]+)\b")


def fence(found: Found, token: Token) -> None:
    if token.map is None:
        return
    first, end = token.map
    word = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    if word.lower() in KINDS and (found.has_game or is_ours(word, token.content)):
        inside = found.paper.cut(first + 1, token.content)
        place = Place(found.paper.block(first, end), info_word(found, token, word), first + 1, True)
        token.meta["block"] = block(found, word.lower(), inside, place)
    elif word and (kind := meant(word)) and (found.has_game or (kind == "game" and is_set(kind, token.content))):
        message = f"`{word}` is no kind of block, so nothing here is checked"
        found.warn("block-unknown", message, info_word(found, token, word), f"did you mean {kind}?")
    if not is_closed(token, end - first):
        message = f"nothing closes this fence: what follows it, up to line {end}, is part of it"
        found.warn("block-unclosed", message, found.paper.whole(first), f"a line of {token.markup} closes it")


def is_closed(token: Token, lines: int) -> bool:
    """Opening and closing line are not content; without the closing one a line more is."""
    inside = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    return inside == lines - 2


def info_word(found: Found, token: Token, word: str) -> Span:
    line = token.map[0] if token.map else 0
    text = found.paper.lines[line]
    start = text.find(word, text.find(token.markup) + len(token.markup))
    return found.paper.span(line, start, start + len(word))


def code(found: Found, token: Token) -> None:
    """Indented code that shows the fence of a block."""
    first = token.map[0] if token.map else 0
    if not found.has_game:
        return
    for number, line in enumerate(token.content.split("\n"), first):
        shown = SHOWN_FENCE.match(line)
        if shown and shown[1].lower() in KINDS:
            message = f"indented this far, this is code and no block: the {shown[1].lower()} is not checked"
            note = "indent it less, or put it between longer fences if it is only to be shown"
            found.warn("block-indented", message, found.paper.whole(number), note)
            return


def block(found: Found, kind: str, text: Text, place: Place) -> Block:
    given, made = found.next_id(), Inside(kind, text)
    if kind == "game":
        made.begin("", text.span(0, 0))
    else:
        made.read()
    id_ = setting(made, "id") or given
    trail = (*found.trail, id_)
    new = Block(
        kind=kind,
        id=id_,
        text=text,
        span=place.span,
        word=place.word,
        parts=made.finished(),
        statements=tuple(made.statements),
        shown=place.shown and setting(made, "show").lower() != "no",
        trail=found.trail,
        containers=tuple(found.containers),
        line=place.line,
        problems=tuple([problem._replace(trail=trail) for problem in made.problems]),
    )
    found.blocks.append(new)
    return new


def setting(inside: Inside, key: str) -> str:
    """What the block says of itself, before any `then:`."""
    if key not in inside.settings:
        return ""
    return next(entry.value for entry in inside.parts[0][2] if entry.key == key)


def same_ids(found: Found) -> None:
    """An id that an author wrote belongs to one block of the page."""
    known: dict[str, Block] = {}
    for new in found.blocks:
        first = known.setdefault(new.id, new)
        entry = None if first is new else new.get("id") or first.get("id")
        if entry:
            other = first if new.get("id") else new
            message = f"two blocks have the id `{entry.value}`"
            found.complain("block-id", message, entry.value_span, f"the other one begins in line {other.line}")
