"""Text of a certain width in a terminal: how wide it is, to put carets below the right characters, and bars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from fractions import Fraction

BLOCKS = " ▏▎▍▌▋▊▉█"

_TAB = 4
_JOINERS = "\u200b\u200c\u200d\ufe0e\ufe0f"
_CONTROL_CHARACTER = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(line: str) -> str:
    """The line as it is printed: tabs as spaces, control characters as symbols."""
    if "\t" in line:
        line = _expand_tabs(line)
    return _CONTROL_CHARACTER.sub(lambda match: _control_symbol(match.group()), line)


def _expand_tabs(line: str) -> str:
    """Expand tabs to the next stop."""
    first, *others = line.split("\t")
    for piece in others:
        first += " " * (_TAB - width(first) % _TAB) + piece
    return first


def _control_symbol(sign: str) -> str:
    """The symbol for a control character."""
    return chr(0x2400 + ord(sign)) if ord(sign) < 32 else "\ufffd"


def width(line: str) -> int:
    """The number of columns of a text."""
    return len(line) if line.isascii() else sum(map(_character_width, line))


def _character_width(sign: str) -> int:
    """The number of columns of a character: 0, 1 or 2."""
    if sign in _JOINERS or category(sign) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def screen_column(line: str, number: int) -> int:
    """The screen column (from 0) of a character (from 1)."""
    before = line[: number - 1]
    return width(visible(before)) + max(number - 1 - len(line), 0)


def draw_bar(share: Fraction, length: int, has_blocks: bool = True) -> str:
    """A bar for a chance; every chance above zero has a visible bar."""
    eighths = max(round(share * length * 8), 1 if share > 0 else 0)
    if not has_blocks:
        return ("#" * max(round(eighths / 8), 1 if share > 0 else 0)).ljust(length)
    full, part = divmod(eighths, 8)
    return (BLOCKS[8] * full + BLOCKS[part].strip()).ljust(length)
