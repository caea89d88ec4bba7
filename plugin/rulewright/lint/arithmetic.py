"""Lexer, parser and evaluator for arithmetic in running text, such as "7 (base) + 3"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

VULGAR = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
FIGURES = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,9}(?![0-9]))(?:\.[0-9]{1,2}(?![0-9]))?"
NUMBER = rf"(?:[$€£](?=[0-9]))?(?:{FIGURES}[½¼¾]?|[½¼¾⅓⅔])%?(?![\w:^°²³#/.,'’]*[0-9A-Za-z_]|[:^°²³#])"
TOKEN = re.compile(
    rf"(?P<number>(?<![\w.,:#§^°])(?:{NUMBER}|[0-9]{{1,9}}(?=\s?[x/][0-9])))|(?P<sign>[+\-−–*×·÷/]|x(?=\s?[0-9(])(?<=[\s0-9)]x))"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<power>[⁰¹²³⁴-⁹])|(?P<word>\w[\w'’.]*)|(?P<other>\S)"
)
MEANS = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "×", "×": "×", "·": "×", "x": "×", "÷": "÷", "/": "÷"}
NO_NAME = re.compile(
    r"is|are|was|were|has|have|had|an?|the|your|his|her|their|its|my|our|with|at|in|on|by|that|which|who|gives?|makes?|gets?"
    r"|rolls?|so|then|than|and|or|but|he|she|it|they|you|vs|versus"
)
MOST_OPERANDS = 40


class Token(NamedTuple):
    kind: str  # number, sign, open, close, power, word, other
    text: str
    start: int
    end: int


class Worth(NamedTuple):
    """The value of an arithmetic expression, and how it was written."""

    value: Fraction
    operands: int = 1
    signs: str = ""
    labels: tuple[str, ...] = ()
    percents: int = 0
    whole: bool = True  # only whole numbers, no division


class Unreadable(Exception):
    """The tokens are not an arithmetic expression."""


def tokens(text: str) -> list[Token]:
    return [Token(str(found.lastgroup), found[0], found.start(), found.end()) for found in TOKEN.finditer(text)]


def number(text: str) -> Fraction:
    if text.isdecimal():
        return Fraction(int(text))
    plain = text.strip("$€£%").replace(",", "")
    part = VULGAR.get(plain[-1:], Fraction(0))
    return (Fraction(plain.rstrip("".join(VULGAR)) or 0)) + part


class Reader:
    """Recursive descent parser that evaluates as it goes: sum, product, factor, operand."""

    def __init__(self, found: Sequence[Token], at: int = 0) -> None:
        self.found, self.at = found, at

    @property
    def kind(self) -> str:
        return self.found[self.at].kind if self.at < len(self.found) else ""

    @property
    def sign(self) -> str:
        return MEANS[self.found[self.at].text] if self.kind == "sign" else ""

    def sum(self) -> Worth:
        total = self.product()
        while self.sign in ("+", "-") and self.goes_on():
            sign = self.sign
            self.at += 1
            total = joined(total, sign, self.product())
        return total

    def product(self) -> Worth:
        total = self.factor()
        while self.sign in ("×", "÷") and self.goes_on():
            sign = self.sign
            self.at += 1
            total = joined(total, sign, self.factor())
        return total

    def goes_on(self) -> bool:
        """Whether an operand follows the operator."""
        following = self.found[self.at + 1 : self.at + 2]
        return bool(following) and following[0].kind in ("number", "open", "sign", "word")

    def factor(self) -> Worth:
        if self.kind == "sign" and self.sign in ("+", "-") and self.attached():
            minus = self.sign == "-"
            self.at += 1
            inner = self.operand()
            return inner._replace(value=-inner.value) if minus else inner
        return self.operand()

    def attached(self) -> bool:
        here, following = self.found[self.at], self.found[self.at + 1 : self.at + 2]
        return bool(following) and following[0].start == here.end

    def operand(self) -> Worth:
        before = self.named()
        if self.kind == "number":
            text = self.found[self.at].text
            self.at += 1
            worth = Worth(number(text), percents=text.endswith("%"), whole=number(text).denominator == 1)
        elif self.kind == "open":
            self.at += 1
            worth = self.sum()
            if self.kind != "close":
                raise Unreadable
            self.at += 1
        else:
            raise Unreadable
        return worth._replace(labels=(*before, *worth.labels, *self.label()))

    def named(self) -> tuple[str, ...]:
        """Read the one or two words before a number, as in "10 + Dex 3"."""
        words = self.found[self.at : self.at + 2]
        count = 1 if len(words) == 2 and words[1].kind == "number" else 2
        named = self.found[self.at : self.at + count]
        following = self.found[self.at + count : self.at + count + 1]
        if self.kind != "word" or any(one.kind != "word" for one in named) or not following:
            return ()
        if following[0].kind != "number":
            return ()
        self.at += count
        return (" ".join(one.text for one in named),)

    def label(self) -> tuple[str, ...]:
        """Read the words after a number that name it, in brackets or not."""
        end = self.at
        bracketed = self.kind == "open"
        end += bracketed
        begin = end
        while end < len(self.found) and end - begin < 5 and self.found[end].kind in ("word", "number")[: 1 + bracketed]:
            end += 1
        words = self.found[begin:end]
        if not any(word.kind == "word" for word in words) or not (self.closes(end) if bracketed else self.names(end)):
            return ()
        self.at = end + bracketed
        text = " ".join(word.text for word in words)
        return (f"({text})" if bracketed else text,)

    def closes(self, end: int) -> bool:
        return end < len(self.found) and self.found[end].kind == "close"

    def names(self, end: int) -> bool:
        """Whether words without brackets name the number before them.

        They do not if they are ordinary words of the sentence, or if a signed number follows them.
        """
        if any(NO_NAME.fullmatch(word.text.lower()) for word in self.found[self.at : end]):
            return False
        sign, following = self.found[end : end + 1], self.found[end + 1 : end + 2]
        return not (sign and sign[0].kind == "sign" and following and sign[0].end == following[0].start)


def joined(left: Worth, sign: str, right: Worth) -> Worth:
    if left.operands + right.operands > MOST_OPERANDS or (sign == "÷" and not right.value):
        raise Unreadable
    value = {
        "+": lambda: left.value + right.value,
        "-": lambda: left.value - right.value,
        "×": lambda: left.value * right.value,
        "÷": lambda: left.value / right.value,
    }[sign]()
    return Worth(
        value,
        left.operands + right.operands,
        left.signs + sign + right.signs,
        (*left.labels, *right.labels),
        left.percents + right.percents,
        left.whole and right.whole and sign != "÷",
    )


def longest_end(found: Sequence[Token]) -> tuple[int, Worth] | None:
    """The longest expression that ends at the last token, and the index of its first token."""
    for at, token in enumerate(found):
        if token.kind in ("number", "open"):
            reader = Reader(found, at)
            try:
                worth = reader.sum()
            except Unreadable:
                continue
            if reader.at == len(found):
                return at, worth
    return None


def longest_begin(found: Sequence[Token]) -> tuple[int, Worth] | None:
    """The longest expression that begins at the first token, and the index where it ends."""
    reader = Reader(found)
    try:
        worth = reader.sum()
    except Unreadable:
        return None
    return reader.at, worth
