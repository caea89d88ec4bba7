"""The words and signs of a formula, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SIGNS = {  # what people type, and what a formula wants instead
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "&": "and",
    "|": "or", "!": "not", "×": "*", "·": "*", "÷": "down(a / b)", "//": "down(a / b)", "**": "a * a", "^": "a * a",
    "%": "a - b * down(a / b) for what a division leaves over", "[": "(", "]": ")", "{": "(", "}": ")", "–": "-",
    ".": "whole numbers; for a fraction down(a / b), up(a / b) or near(a / b)",
    "\u201c": "single straight quotes: 'word'", "\u201d": "single straight quotes: 'word'",
    "\u201e": "single straight quotes: 'word'", "\u2018": "single straight quotes: 'word'",
    "\u2019": "single straight quotes: 'word'", '"': "single quotes: 'word'",
}  # fmt: skip
TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<word>'[^'\x00-\x1f\x7f\ud800-\udfff]*')"
    r"|(?P<strange>==|<>|=<|=>|&&|\|\||//|\*\*)"
    r"|(?P<sign><=|>=|!=|[-+*/()=<>,−])|(?P<other>.)",
    re.DOTALL,
)


class FormulaError(Exception):
    """What is wrong with a formula, and between which of its characters."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    for found in TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind in ("strange", "other"):
            raise FormulaError(strange(found.group()), found.start(), found.end())
        if kind != "blank":
            yield Token(kind, found.group().replace("−", "-"), found.start(), found.end())
    yield Token("end", "", len(text), len(text))


def strange(sign: str) -> str:
    if sign in SIGNS:
        return f"a formula does not know «{sign}»; write {SIGNS[sign]}"
    if sign == "'":
        return "the word that begins with this quote has no end"
    if sign.isalpha():
        return (
            f"names in a formula have no «{sign}»; a kind of dice, a table or a column that has it stands in 'quotes'"
        )
    return f"a formula cannot hold «{sign}»" if sign.isprintable() else f"a formula cannot hold {ascii(sign)[1:-1]}"


def leftover(text: str) -> str:
    """What to say of a token behind a formula that is complete."""
    if text == "/":
        return "«/» may only divide inside down(a / b), up(a / b) or near(a / b)"
    if text == ")":
        return "this bracket closes nothing"
    if text == ",":
        return "a comma stands only between the values of a function"
    if re.fullmatch(r"d[0-9]+", text):
        return "a formula does not throw dice: declare them, then write sum(…) of their kind"
    if text.lower() in ("and", "or", "not"):
        return f"write «{text.lower()}» in small letters"
    return f"a sign such as + or * is missing before «{text}»"
