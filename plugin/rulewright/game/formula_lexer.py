"""Lexer of formulas: text to tokens, and what to say about a sign that no formula has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .formula import FUNCTIONS

_SIGN_ALIASES = {  # signs of other languages and of mathematics that mean exactly one of ours
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "×": "*",
    "·": "*", "−": "-",
}  # fmt: skip
_SIGN_ADVICE = {  # what people type: what to write instead
    "&": "and", "|": "or", "!": "not", "÷": "down(a / b)", "//": "down(a / b)",
    "%": "rest(a / b) for the rest of a division", "[": "(", "]": ")", "{": "(", "}": ")", "–": "-",
    ".": "whole numbers, or down(a / b), up(a / b) or near(a / b) for a fraction",
    "\u201c": "single straight quotes: 'word'", "\u201d": "single straight quotes: 'word'",
    "\u201e": "single straight quotes: 'word'", "\u2018": "single straight quotes: 'word'",
    "\u2019": "single straight quotes: 'word'", '"': "single quotes: 'word'",
}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r"|(?P<word>'[^'\x00-\x1f\x7f\ud800-\udfff]*')"
    r"|(?P<strange>//|\*\*)"
    r"|(?P<sign>==|<>|=<|=>|&&|\|\||<=|>=|!=|\.\.|[-+*/()=<>,:−≤≥≠×·])|(?P<other>.)",
    re.DOTALL,
)


class FormulaError(Exception):
    """A syntax error in a formula, with its start and end offsets."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def tokenize(text: str) -> Iterator[Token]:
    """The tokens of a formula; one that no formula has is `bad`, and its text is the message."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind in ("strange", "other"):
            following = match.string[match.end() :].lstrip()
            yield Token("bad", _describe_bad_character(match.group(), following), match.start(), match.end())
        elif kind != "blank":
            yield Token(kind, _canonical_text(kind, match), match.start(), match.end())
    yield Token("end", "", len(text), len(text))


def _canonical_text(kind: str, match: re.Match[str]) -> str:
    """The text of a token in its one spelling: `≥` is `>=`, `AND` is `and`, and `COUNT(` is `count(`."""
    text = match.group()
    if kind == "sign":
        return _SIGN_ALIASES.get(text, text)
    lower = text.lower()
    is_call = lower in FUNCTIONS and match.string[match.end() :].lstrip()[:1] == "("
    return lower if kind == "name" and (is_call or text in ("AND", "OR", "NOT")) else text


def _describe_bad_character(sign: str, following: str) -> str:
    """The message about a character that formulas do not have; `following` is the text after it."""
    if sign in ("^", "**"):
        other = (
            "a * a" if following[:1].isdigit() else "the powers into a table, and look them up: lookup(t, n, column)"
        )
        return f"a formula does not have `{sign}`; write {other}"
    if sign in _SIGN_ADVICE:
        return f"a formula does not have `{sign}`; write {_SIGN_ADVICE[sign]}"
    if sign == "'":
        return "the word that begins with this quote has no end"
    if sign.isalpha():
        return f"names in a formula have no \"{sign}\"; a kind of dice, a table or a column that has it needs 'quotes'"
    return f'a formula cannot hold "{sign}"' if sign.isprintable() else f"a formula cannot hold {ascii(sign)[1:-1]}"


def describe_leftover(text: str) -> str:
    """The message about a token after a complete formula."""
    if text == "/":
        return "a division says how it rounds; write down(a / b), up(a / b) or near(a / b)"
    if text == ")":
        return "this bracket closes nothing; remove it, or write ( before it"
    if text == ",":
        return "a comma can only separate the values of a function, such as max(a, b); remove it"
    if text == ":":
        return "a colon can only be used in a function over dice, such as count(d6: face >= 5); remove it"
    if text == "..":
        return "`..` can only be used after `of`, such as sum(i of 1..3: i); remove it"
    if re.fullmatch(r"d[0-9]+", text):
        declaration = f"{text} = {{ sides = {text[1:]} }}"
        return f"a formula does not roll dice; declare them, such as {declaration}, and write sum({text})"
    if text == "in":
        return "a formula does not have `in`; write one comparison for each value: face = 2 or face = 4"
    if text in ("x", "X"):
        return f"`{text}` does not multiply; write *"
    return f"a sign such as + or * is missing before `{text}`"
