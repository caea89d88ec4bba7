"""Blocks in comments, and what was probably meant as one; most comments are neither, and nothing is said of them."""

from __future__ import annotations

import re

from .fences import Place, block
from .found import Found
from .model import KINDS, Block
from .nearby import is_one_slip, meant
from .paper import Text

FIRST = re.compile(r"\s*([^\W\d_]+)(?![\w-])[ \t]*([^\n]*)(?:\n(.*))?", re.DOTALL)
KNOWN = "game|rule|dice|outcome|degree|policy"  # keys that hardly anything but a block has
NOTE = "todo|note|notes|fixme|see|source|author|date"  # and those of notes to oneself
SETTING = re.compile(rf"(?:(?i:{KNOWN})|(?!(?:{NOTE})\b)[a-z]\w*|side [^:]+)[ \t]*:(?:[ \t].*)?")
STATEMENT = re.compile(r"[a-z]\w*[ \t]*\(.*\).*[=<>≤≥≈~].*")
TOML = re.compile(r"\[[\w.\"-]+\]|[\w.\"-]+[ \t]*=.*")
SURE = re.compile(rf"(?i:{KNOWN})[ \t]*:[ \t]*\S.*")
NUMBER = re.compile(r"[a-z]\w*:[ \t]*\d[\d \t|,;]*(?:\w+:.*)?")
ROLLED = ("example", "roller", "odds")  # kinds whose names do not go before just any word with a number


def hidden(found: Found, text: Text, comment: re.Match[str]) -> list[Block]:
    """The block that a comment is: its word stands alone in the first line."""
    first = FIRST.match(comment[1])
    if not first:
        return []
    start = comment.start(1)
    word, kind = text.span(start + first.start(1), start + first.end(1)), first[1].lower()
    begins = first[3] is not None and not first[2] and "\n" not in comment[1][: first.start(1)]
    if begins and (first[1] in KINDS or (kind in KINDS and is_set(kind, first[3]))):
        span = text.span(*comment.span())
        place = Place(span, word, span.source.place(span.start)[0], False)
        return [block(found, kind, text.part(start + first.start(3), comment.end(1)), place)]
    if begins and (near := near_kind(kind)) and is_set(near, first[3]):
        message = f"`{first[1]}` is no kind of block, so nothing here is checked"
        found.warn("block-unknown", message, word, f"did you mean {near}?")
    elif kind in KINDS and not begins and is_surely_set(kind, f"{first[2]}\n{first[3] or ''}"):
        message = f"this is no block yet, so nothing here is checked: `{first[1]}` has to stand alone behind <!--"
        found.warn("block-unknown", message, word, "write each key into a line of its own below it")
    return []


def near_kind(word: str) -> str | None:
    """One slip and no more: a comment may begin with any word."""
    near = None if word in KINDS else meant(word)
    return near if near and is_one_slip(word, near) else None


def is_set(kind: str, text: str) -> bool:
    """Whether most of the lines are such as a block of the kind has."""
    lines = written(text)
    forms = (TOML,) if kind == "game" else (SETTING, STATEMENT) if kind == "claim" else (SETTING,)
    return 2 * sum(any(form.fullmatch(line) for form in forms) for line in lines) > len(lines)


def is_surely_set(kind: str, text: str) -> bool:
    forms = (SURE, NUMBER) if kind in ROLLED else (SURE, STATEMENT) if kind == "claim" else (SURE,)
    return is_set(kind, text) and any(form.fullmatch(line) for line in written(text) for form in forms)


def written(text: str) -> list[str]:
    lines = (line.partition(" #")[0].strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]
