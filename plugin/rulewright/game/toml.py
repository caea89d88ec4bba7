"""TOML with places: what `tomllib` reads, and where in the text each key and value stands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from ..text import Problem, Source, Span

Path = tuple[str | int, ...]
LARGEST_FILE = 256_000
DEEPEST = 100
STRINGS = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
BARE = re.compile(r"[A-Za-z0-9_-]+")
SCALAR = re.compile(r"[^,\]\}\n#]*")


@dataclass
class Places:
    """Spans of keys and values by their path, such as ("rules", "action", "label")."""

    source: Source
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)


def read_toml(source: Source) -> tuple[dict[str, Any], Places, list[Problem]]:
    """The data of a file with its places, or the one problem that keeps it from being read."""
    places = Places(source)
    problem = refuse(source)
    if problem is None:
        try:
            data = tomllib.loads(source.text.replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            problem = unreadable(source, str(error))
        else:
            Scanner(source, places).scan()
            return data, places, []
    return {}, places, [problem]


def refuse(source: Source) -> Problem | None:
    """What is too large or nested too deeply is refused before it is parsed."""
    if len(source.text) > LARGEST_FILE:
        return Problem("game-size", f"this file has {len(source.text):,} characters; a game may have {LARGEST_FILE:,}", Span(source, 0, 0))
    if "\0" in source.text:
        place = source.text.index("\0")
        return Problem("game-toml", "this file holds a NUL character; remove it", Span(source, place, place + 1))
    depth, bare = 0, STRINGS.sub(lambda found: " " * len(found.group()), source.text)
    for found in re.finditer(r"[\[\]{}]", bare):
        depth += 1 if found.group() in "[{" else -1
        if depth > DEEPEST:
            return Problem("game-size", f"brackets are nested deeper than {DEEPEST}", Span(source, found.start(), found.end()))
    return None


def unreadable(source: Source, message: str) -> Problem:
    found = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", message)
    text = message[: found.start()].strip() if found else message
    if found and found.group(1):
        start = source.starts[min(int(found.group(1)), len(source.starts)) - 1] + int(found.group(2)) - 1
    else:
        start = len(source.text)
    return Problem("game-toml", "this is no valid TOML: " + text[:1].lower() + text[1:], Span(source, start, start + 1))


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
        path = self.key_path(())
        if double:
            self.counts[path] = self.counts.get(path, -1) + 1
        full = self.numbered(path)
        self.at = self.text.index("]", self.at) + 1 + double
        self.places.keys[full] = self.places.values[full] = Span(self.source, start, self.at)
        return full

    def numbered(self, path: Path) -> Path:
        """Puts the number of the present entry behind each part that is an array of tables."""
        full: Path = ()
        for end, part in enumerate(path, 1):
            full += (part,)
            if path[:end] in self.counts:
                full += (self.counts[path[:end]],)
        return full

    def key_path(self, path: Path) -> Path:
        while True:
            self.skip()
            start, key = self.at, self.key()
            path += (key,)
            self.places.keys.setdefault(path, Span(self.source, start, self.at))
            self.skip()
            if self.text[self.at] != ".":
                return path
            self.at += 1

    def key(self) -> str:
        found = STRINGS.match(self.text, self.at) or BARE.match(self.text, self.at)
        assert found, "tomllib has read this text before"
        self.at = found.end()
        return found.group().strip("\"'")

    def pair(self, header: Path) -> None:
        path = self.key_path(header)
        self.at = self.text.index("=", self.at) + 1
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
