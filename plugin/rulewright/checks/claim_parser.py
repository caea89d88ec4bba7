"""Parser for the statements of a claim: `chance(success; pool 5) > 1/2 for difficulty 4..6`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..source import Span, suggest
from .amounts import NUMBER, Written, written

SIGN = re.compile(r"<=|>=|[=<>~]|(?:rises|falls)\s+with\b", re.IGNORECASE)
CALL = re.compile(r"(\w+)\s*\(")
FOR = re.compile(r"\bfor\b", re.IGNORECASE)
LONGEST = 2_000  # characters
SPELLED = {"≤": "<=", "≥": ">=", "==": "=", "≈": "~", "=>": ">=", "=<": "<=", "!=": "< or >", "≠": "< or >"}
MARKS = re.compile(r"'[^']*'|[()|;]")
EXAMPLE = "a statement begins with chance(…) or mean(…), such as chance(success; pool 5) > 1/2"


@dataclass(frozen=True, slots=True)
class Asked:
    """`chance(what | given; phrase)` or `mean(what; phrase)`."""

    word: str
    what: Span
    given: Span | None
    phrase: Span | None
    span: Span


Side = Asked | Written


@dataclass(frozen=True, slots=True)
class Statement:
    """A parsed statement; `along` is the range of `rises with` (there is no right side then), `ranges` follow `for`."""

    left: Side
    sign: str
    sign_span: Span
    right: Side | None
    along: Span | None
    ranges: Span | None
    span: Span

    @property
    def asked(self) -> list[Asked]:
        return [side for side in (self.left, self.right) if isinstance(side, Asked)]


class Unreadable(Exception):
    """A syntax error in a statement, with its span and a note on how to correct it."""

    def __init__(self, message: str, span: Span, note: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.note = message, span, note


def parse_statement(span: Span) -> Statement:
    """Parses one line of a claim; raises the syntax error if there is one."""
    if span.end - span.start > LONGEST:
        raise Unreadable(f"a statement has at most {LONGEST:,} characters", span.part(0, 1))
    return Reader(span).statement()


class Reader:
    """Recursive-descent parser over one statement."""

    def __init__(self, span: Span) -> None:
        self.span, self.text, self.at = span, span.text, 0

    def statement(self) -> Statement:
        left = self.side()
        sign_span = self.sign()
        sign = " ".join(sign_span.text.lower().split())
        if sign.endswith("with"):
            return self.course(left, sign, sign_span)
        right = self.side()
        ranges = self.ranges()
        if isinstance(left, Written) and isinstance(right, Written):
            raise Unreadable("two numbers say nothing about a rule", self.span, EXAMPLE)
        if sign == "~" and isinstance(left, Asked) and isinstance(right, Asked):
            raise Unreadable("~ needs a number on one side, to say how far to round", sign_span, "write = instead")
        return Statement(left, sign, sign_span, right, None, ranges, self.span)

    def course(self, left: Side, sign: str, sign_span: Span) -> Statement:
        """Parses `rises with pool 1..20`, optionally followed by `for difficulty 2..10`."""
        if isinstance(left, Written):
            raise Unreadable(f"a number never {sign.split()[0]}", left.span, EXAMPLE)
        found = FOR.search(self.text, self.at)
        end = found.start() if found else len(self.text)
        along = trimmed(self.span.part(self.at, end))
        if not along.text:
            raise Unreadable(f"{sign} what?", sign_span, f"write an input and its range: {sign} pool 1..10")
        self.at = end
        return Statement(left, sign, sign_span, None, along, self.ranges(), self.span)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def rest(self) -> Span:
        """The next token, for error messages."""
        self.skip()
        found = re.compile(r"\w+|\S|\Z").match(self.text, self.at)
        return self.span.part(self.at, found.end() if found else self.at)

    def side(self) -> Side:
        self.skip()
        if call := CALL.match(self.text, self.at):
            return self.call(call)
        found = NUMBER.match(self.text, self.at)
        if not found:
            place = self.rest()
            raise Unreadable("a chance, a mean or a number belongs here", place, self.known(place.text))
        self.at = found.end()
        number = written(found, self.span.part(*found.span()))
        if number is None:
            raise Unreadable("nothing can be divided by 0", self.span.part(*found.span()))
        if number.point == ",":
            point = number.text.replace(",", ".")
            raise Unreadable("here a decimal sign is a point", number.span, f"write {point}")
        return number

    def known(self, word: str) -> str:
        return f"{word} needs brackets: {word}(…)" if word.lower() in ("chance", "mean") else EXAMPLE

    def call(self, call: re.Match[str]) -> Asked:
        word = call[1].lower()
        if word not in ("chance", "mean"):
            place = self.span.part(*call.span(1))
            raise Unreadable(f"«{call[1]}» cannot be asked for; {suggest(word, ('chance', 'mean'))}", place, EXAMPLE)
        bar, semicolon, end = self.marks(call.end() - 1)
        start = call.start()
        self.at = end + 1
        what = trimmed(self.span.part(call.end(), min(bar, semicolon, end)))
        given = trimmed(self.span.part(bar + 1, min(semicolon, end))) if bar < end else None
        phrase = trimmed(self.span.part(semicolon + 1, end)) if semicolon < end else None
        if given is not None and word == "mean":
            raise Unreadable("a mean has no condition; leave out what stands behind |", given)
        return Asked(word, what, given, phrase, self.span.part(start, self.at))

    def marks(self, opening: int) -> tuple[int, int, int]:
        """Offsets of `|`, `;` and the closing parenthesis; a missing separator gets `len(text)`."""
        depth, far = 0, len(self.text)
        bar = semicolon = far
        for mark in MARKS.finditer(self.text, opening):
            depth += {"(": 1, ")": -1}.get(mark[0], 0)
            if depth == 0:
                return bar, semicolon, mark.start()
            if depth == 1 and mark[0] == "|" and semicolon == far:
                bar = min(bar, mark.start())
            if depth == 1 and mark[0] == ";":
                semicolon = min(semicolon, mark.start())
        raise Unreadable("this bracket is never closed", self.span.part(opening, opening + 1), "a ) is missing")

    def sign(self) -> Span:
        self.skip()
        strange = next((sign for sign in SPELLED if self.text.startswith(sign, self.at)), None)
        if strange:
            place = self.span.part(self.at, self.at + len(strange))
            raise Unreadable(f"«{strange}» is written {SPELLED[strange]} here", place)
        found = SIGN.match(self.text, self.at)
        if not found:
            signs = "= < <= > >= ~, or «rises with», «falls with»"
            raise Unreadable("a sign that compares is missing here", self.rest(), f"known are {signs}")
        self.at = found.end()
        return self.span.part(*found.span())

    def ranges(self) -> Span | None:
        """The ranges after `for`; nothing else may follow a statement."""
        self.skip()
        if self.at == len(self.text):
            return None
        found = FOR.match(self.text, self.at)
        if not found:
            place = self.rest()
            raise Unreadable("the statement is complete before this", place, "ranges follow behind for: for pool 1..10")
        ranges = trimmed(self.span.part(found.end(), len(self.text)))
        if not ranges.text:
            place = self.span.part(*found.span())
            raise Unreadable("for what?", place, "write an input and its range: for pool 1..10")
        return ranges


def trimmed(span: Span) -> Span:
    text = span.text
    start = len(text) - len(text.lstrip())
    return span.part(start, max(len(text.rstrip()), start))
