"""Typst as text. Whatever comes from a book is put between quotes, so that no sign of it can mean anything."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
STROKE, LINES = "\u1680", "\x85\u2028\u2029"  # a blank that fonts draw; ends of lines, where no soft hyphen can follow


def quoted(text: str) -> str:
    """A string of Typst."""
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    if not clean.isprintable():
        clean = "".join(sign if sign.isprintable() or sign in "\u00ad\u200b" else unprintable(sign) for sign in clean)
    return f'"{clean}"'


def unprintable(sign: str) -> str:
    """Blanks of all kinds stay blanks; what no printer can show is left out, unless a font may have a sign for it."""
    if category(sign) in ("Co", "Cn"):
        return sign
    known = ord(sign) > 31 and sign not in STROKE + LINES
    return "" if not sign.isspace() else f"\\u{{{ord(sign):x}}}" if known else " "


def text(words: str) -> str:
    plain = words if words.isascii() else words.translate(LIGATURES)
    return f"#{quoted(plain)};" if words else ""


def call(name: str, *arguments: str, body: str | None = None, **named: str) -> str:
    """`#name(arguments, key: value)[body]`; a semicolon ends it, whatever comes behind."""
    given = ", ".join([*arguments, *(f"{key.replace('_', '-')}: {value}" for key, value in named.items())])
    inside = "" if body is None else f"[{body}]"
    return f"#{name}({given}){inside};" if given or body is None else f"#{name}{inside};"


def flag(value: object) -> str:
    return "true" if value else "false"


def content(body: str) -> str:
    return f"[{body}]"


def many(items: Iterable[str]) -> str:
    """The items of an array; one alone needs its comma."""
    return "(" + "".join(f"{item}, " for item in items) + ")"


def label(name: str) -> str:
    """A mark behind what stands before it."""
    return f"#label({quoted(name)})"
