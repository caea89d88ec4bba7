"""Parser for the statements of a claim: `chance(success; pool 5) > 1/2 for difficulty 4..6`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..source import Span, suggest
from .written_numbers import MOST_FRACTION_DIGITS, NUMBER_PATTERN, WrittenNumber, number_from_match

_SIGN_PATTERN = re.compile(r"==|=>|=<|<=|>=|[=<>~≤≥≈](?!=)|(?:rises|falls)\s+with\b", re.IGNORECASE)
_CALL_PATTERN = re.compile(r"(\w+)\s*\(")
_FOR_PATTERN = re.compile(r"\bfor\b", re.IGNORECASE)
_MAX_STATEMENT_LENGTH = 2_000  # characters
_FURTHER_DIGITS = re.compile(r"\d[\d.,]*(?:\s*/\s*\d+)?")  # behind a number that has too many
_TOO_LONG = f"a number has at most 15 digits, above and below a fraction bar {MOST_FRACTION_DIGITS}"
_SIGN_ALIASES = {"≤": "<=", "≥": ">=", "==": "=", "≈": "~", "=>": ">=", "=<": "<="}
_SIGN_ADVICE = {  # what people write for a sign: what to write instead
    "!=": "< or >", "≠": "< or >", "<>": "< or >", ":": "=", "is": "=", "equals": "=", "are": "=", "about": "~",
    "increases": "rises with", "grows": "rises with", "climbs": "rises with", "decreases": "falls with",
    "drops": "falls with", "sinks": "falls with", "rises": "rises with", "falls": "falls with",
}  # fmt: skip
_FUNCTION_ADVICE = {  # names of other tools for the two functions
    **dict.fromkeys(("p", "pr", "prob", "probability", "odds", "chances", "likelihood"), "chance"),
    **dict.fromkeys(("e", "average", "avg", "expected", "expectation", "median"), "mean"),
}
_SEPARATORS = re.compile(r"'[^']*'|[()|;,]|\?(?=\s*\w[\w.]*\s*=)")
_EXAMPLE_NOTE = "a statement begins with chance(…) or mean(…), such as chance(success; pool 5) > 1/2"


@dataclass(frozen=True, slots=True)
class Call:
    """`chance(what | given; phrase)` or `mean(what; phrase)`."""

    function: str
    expression: Span
    condition: Span | None
    phrase: Span | None
    span: Span


Operand = Call | WrittenNumber


@dataclass(frozen=True, slots=True)
class Statement:
    """A parsed statement; `along` is the range of `rises with` (there is no right side then), `ranges` follow `for`."""

    left: Operand
    sign: str
    sign_span: Span
    right: Operand | None
    along: Span | None
    ranges: Span | None
    span: Span

    @property
    def calls(self) -> list[Call]:
        return [side for side in (self.left, self.right) if isinstance(side, Call)]


class ClaimSyntaxError(Exception):
    """A syntax error in a statement, with its span and a note on how to correct it."""

    def __init__(self, message: str, span: Span, note: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.note = message, span, note


def parse_statement(span: Span) -> Statement:
    """Parses one line of a claim; raises the syntax error if there is one."""
    if span.end - span.start > _MAX_STATEMENT_LENGTH:
        raise ClaimSyntaxError(f"a statement has at most {_MAX_STATEMENT_LENGTH:,} characters", span.subspan(0, 1))
    return _StatementParser(span).parse()


class _StatementParser:
    """Recursive-descent parser over one statement."""

    def __init__(self, span: Span) -> None:
        self.span, self.text, self.offset = span, span.text, 0

    def parse(self) -> Statement:
        left = self.parse_operand()
        sign_span = self.parse_sign()
        sign = " ".join(sign_span.text.lower().split())
        sign = _SIGN_ALIASES.get(sign, sign)
        if sign.endswith("with"):
            return self.parse_trend(left, sign, sign_span)
        right = self.parse_operand()
        ranges = self.parse_ranges()
        if isinstance(left, WrittenNumber) and isinstance(right, WrittenNumber):
            raise ClaimSyntaxError("two numbers say nothing about a rule", self.span, _EXAMPLE_NOTE)
        if sign == "~" and isinstance(left, Call) and isinstance(right, Call):
            raise ClaimSyntaxError(
                "~ needs a number on one side, to say how far to round", sign_span, "write = instead"
            )
        return Statement(left, sign, sign_span, right, None, ranges, self.span)

    def parse_trend(self, left: Operand, sign: str, sign_span: Span) -> Statement:
        """Parses `rises with pool 1..20`, optionally followed by `for difficulty 2..10`."""
        if isinstance(left, WrittenNumber):
            raise ClaimSyntaxError(f"a number never {sign.split()[0]}", left.span, _EXAMPLE_NOTE)
        match = _FOR_PATTERN.search(self.text, self.offset)
        end = match.start() if match else len(self.text)
        along = trim_span(self.span.subspan(self.offset, end))
        if not along.text:
            raise ClaimSyntaxError(f"{sign} what?", sign_span, f"write an input and its range: {sign} pool 1..10")
        self.offset = end
        return Statement(left, sign, sign_span, None, along, self.parse_ranges(), self.span)

    def skip_spaces(self) -> None:
        while self.offset < len(self.text) and self.text[self.offset].isspace():
            self.offset += 1

    def next_token(self) -> Span:
        """The next token, for error messages."""
        self.skip_spaces()
        match = re.compile(r"\w+|\S|\Z").match(self.text, self.offset)
        return self.span.subspan(self.offset, match.end() if match else self.offset)

    def parse_operand(self) -> Operand:
        self.skip_spaces()
        if call := _CALL_PATTERN.match(self.text, self.offset):
            return self.parse_call(call)
        match = NUMBER_PATTERN.match(self.text, self.offset)
        if not match:
            token = self.next_token()
            raise ClaimSyntaxError("a chance, a mean or a number belongs here", token, self.operand_hint(token.text))
        self.offset = match.end()
        if rest := _FURTHER_DIGITS.match(self.text, self.offset):
            span = self.span.subspan(match.start(), rest.end())
            raise ClaimSyntaxError(_TOO_LONG, span, "write it rounded, with a ~ before it: ~ 27.8%")
        number = number_from_match(match, self.span.subspan(*match.span()))
        if number is None:
            raise ClaimSyntaxError("nothing can be divided by 0", self.span.subspan(*match.span()))
        if number.separator == ",":
            corrected = number.text.replace(",", ".")
            raise ClaimSyntaxError("a decimal number has a point here", number.span, f"write {corrected}")
        return number

    def operand_hint(self, word: str) -> str:
        return f"{word} needs brackets: {word}(…)" if word.lower() in ("chance", "mean") else _EXAMPLE_NOTE

    def parse_call(self, match: re.Match[str]) -> Call:
        function = match[1].lower()
        if function not in ("chance", "mean"):
            span = self.span.subspan(*match.span(1))
            other = _FUNCTION_ADVICE.get(function)
            note = f"write {other}(…)" if other else suggest(function, ("chance", "mean"))
            raise ClaimSyntaxError(f"`{match[1]}` is not a function of claims; {note}", span, _EXAMPLE_NOTE)
        bar, semicolon, end = self.find_separators(match.end() - 1)
        start = match.start()
        self.offset = end + 1
        expression = trim_span(self.span.subspan(match.end(), min(bar, semicolon, end)))
        condition = trim_span(self.span.subspan(bar + 1, min(semicolon, end))) if bar < end else None
        phrase = trim_span(self.span.subspan(semicolon + 1, end)) if semicolon < end else None
        if condition is not None and function == "mean":
            raise ClaimSyntaxError("a mean has no condition; leave out what comes after |", condition)
        return Call(function, expression, condition, phrase, self.span.subspan(start, self.offset))

    def find_separators(self, opening: int) -> tuple[int, int, int]:
        """Offsets of `|`, `;` and the closing parenthesis; a missing separator gets `len(text)`.

        The settings may also follow a comma, or `?` as in a link: outside of functions no formula has either."""
        depth, missing = 0, len(self.text)
        bar = semicolon = missing
        for match in _SEPARATORS.finditer(self.text, opening):
            depth += {"(": 1, ")": -1}.get(match[0], 0)
            if depth == 0:
                return bar, semicolon, match.start()
            if depth == 1 and match[0] == "|" and semicolon == missing:
                bar = min(bar, match.start())
            if depth == 1 and match[0] in (";", ",", "?"):
                semicolon = min(semicolon, match.start())
        raise ClaimSyntaxError(
            "this bracket is never closed", self.span.subspan(opening, opening + 1), "a ) is missing"
        )

    def parse_sign(self) -> Span:
        self.skip_spaces()
        match = _SIGN_PATTERN.match(self.text, self.offset)
        if not match:
            advice = next(iter(re.findall(r"^(?:!=|<>|\w+|\S)", self.text[self.offset :])), "").lower()
            if advice in _SIGN_ADVICE:
                span = self.span.subspan(self.offset, self.offset + len(advice))
                raise ClaimSyntaxError(f"`{advice}` does not compare; write {_SIGN_ADVICE[advice]}", span)
            signs = "=, <, <=, >, >=, ~, rises with or falls with"
            raise ClaimSyntaxError("a sign that compares is missing here", self.next_token(), f"write {signs}")
        self.offset = match.end()
        return self.span.subspan(*match.span())

    def parse_ranges(self) -> Span | None:
        """The ranges after `for`; nothing else may follow a statement."""
        self.skip_spaces()
        if self.offset == len(self.text):
            return None
        match = _FOR_PATTERN.match(self.text, self.offset)
        if not match:
            span = self.next_token()
            raise ClaimSyntaxError(
                "the statement is complete before this", span, "ranges follow after for: for pool 1..10"
            )
        ranges = trim_span(self.span.subspan(match.end(), len(self.text)))
        if not ranges.text:
            span = self.span.subspan(*match.span())
            raise ClaimSyntaxError("for what?", span, "write an input and its range: for pool 1..10")
        return ranges


def trim_span(span: Span) -> Span:
    text = span.text
    start = len(text) - len(text.lstrip())
    return span.subspan(start, max(len(text.rstrip()), start))
