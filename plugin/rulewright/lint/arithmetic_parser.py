"""Lexer, parser and evaluator for arithmetic in running text, such as "7 (base) + 3"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

_FRACTIONS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,9}(?![0-9]))(?:\.[0-9]{1,2}(?![0-9]))?"
_NUMBER = rf"(?:[$€£](?=[0-9]))?(?:{DIGITS}[½¼¾]?|[½¼¾⅓⅔])%?(?![\w:^°²³#/.,'’]*[0-9A-Za-z_]|[:^°²³#])"
_TOKEN = re.compile(
    rf"(?P<number>(?<![\w.,:#§^°])(?:{_NUMBER}|[0-9]{{1,9}}(?=\s?[x/][0-9])))|(?P<sign>[+\-−–*×·÷/]|x(?=\s?[0-9(])(?<=[\s0-9)]x))"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<power>[⁰¹²³⁴-⁹])|(?P<word>\w[\w'’.]*)|(?P<other>\S)"
)
_OPERATORS = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "×", "×": "×", "·": "×", "x": "×", "÷": "÷", "/": "÷"}
_NOT_A_LABEL = re.compile(
    r"is|are|was|were|has|have|had|an?|the|your|his|her|their|its|my|our|with|at|in|on|by|that|which|who|gives?|makes?|gets?"
    r"|rolls?|so|then|than|and|or|but|he|she|it|they|you|vs|versus"
)
_MAX_OPERANDS = 40
_MAX_LABEL = 4  # words that name a number


class Token(NamedTuple):
    kind: str  # number, sign, open, close, power, word, other
    text: str
    start: int
    end: int


class Expression(NamedTuple):
    """The value of an arithmetic expression, and how it was written."""

    value: Fraction
    operands: int = 1
    operators: str = ""
    labels: tuple[str, ...] = ()
    percents: int = 0
    is_whole: bool = True  # only whole numbers, no division


class _ExpressionError(Exception):
    """The tokens are not an arithmetic expression."""


def tokenize(text: str) -> list[Token]:
    return [Token(str(match.lastgroup), match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _leading_label(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words at the beginning, if they may name a number: few, and no ordinary words of a sentence."""
    count = next((at for at, token in enumerate(tokens) if token.kind != "word"), len(tokens))
    is_label = count <= _MAX_LABEL and not any(_NOT_A_LABEL.fullmatch(word.text.lower()) for word in tokens[:count])
    return tokens[:count] if is_label else ()


def parse_number(text: str) -> Fraction:
    if text.isdecimal():
        return Fraction(int(text))
    plain = text.strip("$€£%").replace(",", "")
    fraction = _FRACTIONS.get(plain[-1:], Fraction(0))
    return (Fraction(plain.rstrip("".join(_FRACTIONS)) or 0)) + fraction


class _Parser:
    """Recursive descent parser that evaluates as it goes: sum, product, factor, operand."""

    def __init__(self, tokens: Sequence[Token], position: int = 0) -> None:
        self.tokens, self.position = tokens, position

    @property
    def kind(self) -> str:
        return self.tokens[self.position].kind if self.position < len(self.tokens) else ""

    @property
    def operator(self) -> str:
        return _OPERATORS[self.tokens[self.position].text] if self.kind == "sign" else ""

    def parse_sum(self) -> Expression:
        total = self.parse_product()
        while self.operator in ("+", "-") and self.has_next_operand():
            operator = self.operator
            self.position += 1
            total = _combine(total, operator, self.parse_product())
        return total

    def parse_product(self) -> Expression:
        total = self.parse_factor()
        while self.operator in ("×", "÷") and self.has_next_operand():
            operator = self.operator
            self.position += 1
            total = _combine(total, operator, self.parse_factor())
        return total

    def has_next_operand(self) -> bool:
        """Whether an operand follows the operator."""
        following = self.tokens[self.position + 1 : self.position + 2]
        return bool(following) and following[0].kind in ("number", "open", "sign", "word")

    def parse_factor(self) -> Expression:
        if self.kind == "sign" and self.operator in ("+", "-") and self.is_attached():
            minus = self.operator == "-"
            self.position += 1
            inner = self.parse_operand()
            return inner._replace(value=-inner.value) if minus else inner
        return self.parse_operand()

    def is_attached(self) -> bool:
        here, following = self.tokens[self.position], self.tokens[self.position + 1 : self.position + 2]
        return bool(following) and following[0].start == here.end

    def parse_operand(self) -> Expression:
        before = self.parse_prefix()
        if self.kind == "number":
            text = self.tokens[self.position].text
            self.position += 1
            expression = Expression(
                parse_number(text), percents=text.endswith("%"), is_whole=parse_number(text).denominator == 1
            )
        elif self.kind == "open":
            self.position += 1
            expression = self.parse_sum()
            if self.kind != "close":
                raise _ExpressionError
            self.position += 1
        else:
            raise _ExpressionError
        return expression._replace(labels=(*before, *expression.labels, *self.parse_label()))

    def parse_prefix(self) -> tuple[str, ...]:
        """Read the words before a number or a bracket, as in "10 + Dex 3" and "Luck (2 × 4)"."""
        words = _leading_label(self.tokens[self.position : self.position + _MAX_LABEL + 1])
        following = self.tokens[self.position + len(words) : self.position + len(words) + 1]
        if not words or not following or following[0].kind not in ("number", "open"):
            return ()
        self.position += len(words)
        return (" ".join(token.text for token in words),)

    def parse_label(self) -> tuple[str, ...]:
        """Read the words after a number that name it, in brackets or not."""
        end = self.position
        bracketed = self.kind == "open"
        end += bracketed
        begin = end
        while (
            end < len(self.tokens) and end - begin < 5 and self.tokens[end].kind in ("word", "number")[: 1 + bracketed]
        ):
            end += 1
        words = self.tokens[begin:end]
        if not any(word.kind == "word" for word in words) or not (
            self.is_closed_at(end) if bracketed else self.is_label(end)
        ):
            return ()
        self.position = end + bracketed
        text = " ".join(word.text for word in words)
        return (f"({text})" if bracketed else text,)

    def is_closed_at(self, end: int) -> bool:
        return end < len(self.tokens) and self.tokens[end].kind == "close"

    def is_label(self, end: int) -> bool:
        """Whether words without brackets name the number before them.

        They do not if they are ordinary words of the sentence, or if a signed number follows them.
        """
        if any(_NOT_A_LABEL.fullmatch(word.text.lower()) for word in self.tokens[self.position : end]):
            return False
        sign, following = self.tokens[end : end + 1], self.tokens[end + 1 : end + 2]
        return not (sign and sign[0].kind == "sign" and following and sign[0].end == following[0].start)


def _combine(left: Expression, operator: str, right: Expression) -> Expression:
    if left.operands + right.operands > _MAX_OPERANDS or (operator == "÷" and not right.value):
        raise _ExpressionError
    value = {
        "+": lambda: left.value + right.value,
        "-": lambda: left.value - right.value,
        "×": lambda: left.value * right.value,
        "÷": lambda: left.value / right.value,
    }[operator]()
    return Expression(
        value,
        left.operands + right.operands,
        left.operators + operator + right.operators,
        (*left.labels, *right.labels),
        left.percents + right.percents,
        left.is_whole and right.is_whole and operator != "÷",
    )


def longest_suffix(tokens: Sequence[Token]) -> tuple[int, Expression] | None:
    """The longest expression that ends at the last token, and the index of its first token."""
    for at, token in enumerate(tokens):
        if token.kind in ("number", "open"):
            parser = _Parser(tokens, at)
            try:
                expression = parser.parse_sum()
            except _ExpressionError:
                continue
            if parser.position == len(tokens):
                return at, expression
    return None


def longest_prefix(tokens: Sequence[Token]) -> tuple[int, Expression] | None:
    """The longest expression that begins at the first token, and the index where it ends."""
    parser = _Parser(tokens)
    try:
        expression = parser.parse_sum()
    except _ExpressionError:
        return None
    return parser.position, expression
