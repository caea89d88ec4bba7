"""Where each key and each value of a TOML file stands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

from ..text import Source, Span

Path = tuple[str | int, ...]
STRING = (  # a string that nothing closes ends with its line, or with the file
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
    """A key stands a second time in one table."""

    def __init__(self, key: str, span: Span, first: Span) -> None:
        super().__init__(key)
        self.key, self.span, self.first = key, span, first


class Scanner:
    """A second, quick look at text that is known to be valid TOML; it only notes where things stand."""

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
        """Puts the number of the present entry behind each part that is an array of tables."""
        full: Path = ()
        for part in path:
            full += (part,)
            if full in self.counts:
                full += (self.counts[full],)
        return full

    def key_path(self, table: Path) -> tuple[Path, Span]:
        """A dotted key of a table, and the place of its last part."""
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
        """An array, whose items are numbered, or an inline table."""
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
    """The part of a text inside its quotes; all of it where the quotes hide how it is spelled."""
    plain = span.text.replace("\r\n", "\n")
    at = plain.find(text, 1) if text and span.text[:1] in ("'", '"') else -1
    if at < 0:
        return span
    ends = [at + start, at + max(end, start + 1)]
    if "\r\n" in span.text:
        ends = [end + plain[:end].count("\n") for end in ends]
    return span.part(*ends)
