"""Reads TOML with `tomllib`, and adds the spans of keys and values, and syntax errors in plain words."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from ..source import Problem, Source, Span

Path = tuple[str | int, ...]
STRING = (  # an unclosed string ends at the end of its line, or of the file
    r'"""(?:\\.|[^\\])*?(?:""""{0,2}|\\?\Z)|'
    r"'''.*?(?:''''{0,2}|\Z)|"
    r'"(?:\\[^\n]|[^"\\\n])*"?|'
    r"'[^'\n]*'?"
)
STRINGS = re.compile(STRING, re.DOTALL)
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
BARE = re.compile(r"[A-Za-z0-9_-]+")
SCALAR = re.compile(r"[^,\]\}\n#]*")


@dataclass
class Places:
    """Spans of keys and values by their path, such as ("rules", "action", "label")."""

    source: Source
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)


class TwiceError(Exception):
    """A key appears twice in one table."""

    def __init__(self, key: str, span: Span, first: Span) -> None:
        super().__init__(key)
        self.key, self.span, self.first = key, span, first


class Scanner:
    """Records the spans of keys and values in text that is known to be valid TOML."""

    def __init__(self, source: Source, places: Places) -> None:
        self.text, self.source, self.places, self.at = source.text, source, places, 0
        self.counts: dict[Path, int] = {}

    def scan(self) -> None:
        header: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                header = self.header()
            else:
                self.pair(header)
            self.skip()

    def header(self) -> Path:
        start, double = self.at, self.text.startswith("[[", self.at)
        self.at += 1 + double
        path, key = self.key_path(())
        full = self.numbered(path[:-1]) + path[-1:]
        if double:
            self.counts[full] = self.counts.get(full, -1) + 1
            full += (self.counts[full],)
        self.at = self.text.index("]", self.at) + 1 + double
        self.note(full, key, Span(self.source, start, self.at))
        return full

    def note(self, path: Path, key: Span, value: Span) -> None:
        if path in self.places.values:
            raise TwiceError(str(path[-1]), key, self.places.keys[path])
        self.places.keys[path], self.places.values[path] = key, value

    def numbered(self, path: Path) -> Path:
        """The path with the index of the current entry after each part that is an array of tables."""
        full: Path = ()
        for part in path:
            full += (part,)
            if full in self.counts:
                full += (self.counts[full],)
        return full

    def key_path(self, table: Path) -> tuple[Path, Span]:
        """Scan a dotted key: its path, and the span of its last part."""
        path = table
        while True:
            self.skip()
            start, key = self.at, self.key()
            path, span = (*path, key), Span(self.source, start, self.at)
            self.places.keys.setdefault(path if table else self.numbered(path), span)
            self.skip()
            if self.text[self.at] != ".":
                return path, span
            self.at += 1

    def key(self) -> str:
        found = STRINGS.match(self.text, self.at) or BARE.match(self.text, self.at)
        assert found, "tomllib has read this text before"
        self.at = found.end()
        written = found.group()
        if "\\" in written:
            return str(next(iter(tomllib.loads(f"{written} = 0"))))
        return written[1:-1] if written[0] in "\"'" else written

    def pair(self, table: Path) -> None:
        path, key = self.key_path(table)
        self.at = self.text.index("=", self.at) + 1
        if path in self.places.values:
            raise TwiceError(str(path[-1]), key, self.places.keys[path])
        self.value(path)

    def value(self, path: Path) -> None:
        self.skip()
        start, opening = self.at, self.text[self.at]
        if opening == "[":
            self.group(path, "]")
        elif opening == "{":
            self.group(path, "}")
        else:
            found = STRINGS.match(self.text, start) or SCALAR.match(self.text, start)
            assert found, "tomllib has read this text before"
            self.at = start + len(found.group().rstrip())
        self.places.values[path] = Span(self.source, start, self.at)

    def group(self, path: Path, closing: str) -> None:
        """Scan an array or an inline table; the path of an array item ends with its index."""
        self.at += 1
        number = 0
        self.skip()
        while self.text[self.at] != closing:
            if closing == "]":
                self.value((*path, number))
            else:
                self.pair(path)
            number += 1
            self.skip()
            self.at += self.text[self.at] == ","
            self.skip()
        self.at += 1

    def skip(self) -> None:
        found = BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at


def inner(span: Span, text: str, start: int, end: int) -> Span:
    """The span of a part of a quoted text; the whole span if the text contains escapes."""
    plain = span.text.replace("\r\n", "\n")
    at = plain.find(text, 1) if text and span.text[:1] in ("'", '"') else -1
    if at < 0:
        return span
    ends = [at + start, at + max(end, start + 1)]
    if "\r\n" in span.text:
        ends = [end + plain[:end].count("\n") for end in ends]
    return span.part(*ends)


LARGEST_FILE = 256_000
DEEPEST = 100
MOST_PARTS = 16  # of a dotted key; the time of tomllib is quadratic in them
PIECES = re.compile(r"#[^\n]*|" + STRING + r"|[][{}.=,\n]", re.DOTALL)
PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
DIGITS = re.compile(r"[0-9_]{1000,}")
WORD = re.compile(r"[^\s,=#\[\]{}\"']*")
CURLY = tuple("“”„‟«»‘’‚‛")
PLAIN_WORDS = {  # messages of tomllib, and plain ones
    "Invalid value": 'a value is missing here, or text that does not stand in quotes: "…"',
    "Invalid date or datetime": "a number or text is expected here, and this looks like a date",
    "Expected '=' after a key": "a key and its value are joined by =; a key of several words stands in quotes",
    "Expected newline or end of document": "this does not belong here: one setting a line, text in quotes",
    "Expected ']": "the header of a table ends with ], and that is missing here",
    "Invalid statement": "a line begins with a key or with [",
    "Invalid initial character for a key part": "a key is expected here, such as pool or \"two words\"",
    "Unclosed array": "this list is not closed: a comma or ] is missing",
    "Unclosed inline table": "a comma or } is missing here; such a table stands on one line, formulas in quotes",
    "Unterminated string": "this text is not closed: a quote is missing",
    "Wrapped table": "a table in { } stands on one line, and this one goes on in the next",
    "Expected": "this text is not closed: a quote is missing",
    "Unescaped '\\' in a string": "in double quotes a backslash is written \\\\; or put the text in single quotes",
    "Invalid hex value": "behind \\u four digits are expected, behind \\U eight",
    "Escaped character is not": "there is no character of this number",
    "Found invalid character": "this character cannot stand in a game; remove it",
    "Illegal character": "this character cannot stand in a game; remove it",
    "Duplicate inline table key": "this key stands here twice",
    "Cannot": "this was given a value or a table of its own before",
    "Exceeds the limit": "this number is too long",
}  # fmt: skip


def read_toml(source: Source) -> tuple[dict[str, Any], Places, list[Problem]]:
    """The data of a file with its places, or the problem that prevents parsing it."""
    places = Places(source)
    problem = refuse(source)
    if problem is None:
        try:
            data = tomllib.loads(source.text.replace("\r\n", "\n"))
        except ValueError as error:
            problem = unreadable(source, str(error))
        else:
            Scanner(source, places).scan()
            return data, places, []
    return {}, places, [problem]


def refuse(source: Source) -> Problem | None:
    """The problem of a file that is too large or too deeply nested to parse; else None."""
    if len(source.text) > LARGEST_FILE:
        return too_large(source, len(source.text))
    if "\0" in source.text:
        place = source.text.index("\0")
        return Problem("game-toml", "this file holds a NUL character; remove it", Span(source, place, place + 1))
    brackets, parts = 0, 0
    for found in PIECES.finditer(source.text):
        sign = found[0]
        brackets += (sign in ("[", "{")) - (sign in ("]", "}"))
        parts = parts + 1 if sign == "." else parts if sign[0] in "\"'" else 1
        if brackets > DEEPEST or parts > MOST_PARTS:
            deep, long = f"brackets are nested deeper than {DEEPEST}", f"this key has more than {MOST_PARTS} parts"
            return Problem("game-size", deep if brackets > DEEPEST else long, Span(source, *found.span()))
    return None


def too_large(source: Source, size: int) -> Problem:
    said = f"this file has {size:,} bytes and a game at most {LARGEST_FILE:,}; split it, and let one extend the other"
    return Problem("game-size", said, Span(source, 0, 0))


def unreadable(source: Source, said: str) -> Problem:
    """A syntax error of tomllib as a problem: in plain words, at the text to fix."""
    twice = repeated(source) if said.startswith(("Cannot", "Duplicate")) else None
    if twice:
        line, _ = source.place(twice.first.start)
        return Problem("game-toml", f"«{twice.key}» stands here a second time; the first is in line {line}", twice.span)
    start = place_of(source, said)
    if source.text[start : start + 1] in ("\r", "\n"):
        said = at_line_end(said, source.text[:start])
    message = next((plain for opening, plain in PLAIN_WORDS.items() if said.startswith(opening)), said)
    if "a quote is missing" in message:
        start = unclosed(source.text)
    if source.text[start : start + 1] in CURLY:
        message = 'quotes here are straight ones: "…"'
    return Problem("game-toml", message, word(source, start))


def word(source: Source, start: int) -> Span:
    """The span of the word at an offset; of one character if there is no word."""
    found = WORD.match(source.text, start)
    return Span(source, start, max(found.end() if found else 0, start + 1))


def at_line_end(said: str, before: str) -> str:
    """tomllib reports a line that ends too early as an invalid character: the message that fits instead."""
    if said.startswith(("Found invalid", "Illegal")):
        return "Unterminated string"
    inside = before[unclosed(before) :].startswith("{")
    return "Wrapped table" if inside and said.startswith("Invalid initial") else said


def repeated(source: Source) -> TwiceError | None:
    """The first duplicate key; None if there is none."""
    try:
        Scanner(source, Places(source)).scan()
    except TwiceError as error:
        return error
    except (AssertionError, LookupError, ValueError):
        return None
    return None


def place_of(source: Source, said: str) -> int:
    """The offset of an error; for an unexpected end of the file, that of the bracket or quote left open."""
    found = PLACE.search(said)
    if found and found.group(1):
        return min(source.starts[int(found.group(1)) - 1] + int(found.group(2)) - 1, len(source.text))
    digits = DIGITS.search(source.text)
    return unclosed(source.text) if found or not digits else digits.start()


def unclosed(text: str) -> int:
    """The offset of the first unclosed quote, or of the last unclosed bracket; else the end of the text."""
    waiting = [len(text)]
    for found in PIECES.finditer(text):
        sign = found.group()
        if sign[0] in "\"'" and (len(sign) == 1 or sign[0] != sign[-1]):
            return found.start()
        if sign in "[{":
            waiting.append(found.start())
        elif sign in "]}" and len(waiting) > 1:
            waiting.pop()
    return waiting[-1]
