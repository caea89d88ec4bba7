"""Where each key and each value of a JSON file stands."""

from __future__ import annotations

import json
import re
from typing import Any

from ..game.places import Path, Places
from ..text import Problem, Source, Span

BLANK = re.compile(r"[ \t\r\n]*")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
PLAIN = re.compile(r"[^\s,\]}]+")


def read_json(source: Source, code: str) -> tuple[Any, Places, list[Problem]]:
    """The data of a file with its places, or the one problem that keeps it from being read."""
    places = Places(source)
    try:
        data = json.loads(source.text)
        Scanner(source, places).value((), 0)
    except json.JSONDecodeError as error:
        span = Span(source, error.pos, min(error.pos + 1, len(source.text)))
        return None, places, [Problem(code, f"this file cannot be read as JSON: {error.msg.lower()} here", span)]
    except RecursionError:
        return None, places, [Problem(code, "this file is nested too deeply to be read", Span(source, 0, 0))]
    return data, places, []


class Scanner:
    """A second, quick look at text that is known to be valid JSON."""

    def __init__(self, source: Source, places: Places) -> None:
        self.source, self.places, self.text = source, places, source.text

    def blank(self, at: int) -> int:
        found = BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, path: Path, at: int) -> int:
        """Notes the value that begins here; gives the place behind it."""
        start = self.blank(at)
        sign = self.text[start]
        if sign in "{[":
            end = self.inside(path, start + 1, named=sign == "{")
        else:
            found = (STRING if sign == '"' else PLAIN).match(self.text, start)
            end = found.end() if found else start + 1
        self.places.values[path] = Span(self.source, start, end)
        return end

    def inside(self, path: Path, at: int, named: bool) -> int:
        at, number = self.blank(at), 0
        while self.text[at] not in "}]":
            name: str | int = number
            if named:
                name, at = self.key(path, at)
            at = self.blank(self.value((*path, name), at))
            at = self.blank(at + 1) if self.text[at] == "," else at
            number += 1
        return at + 1

    def key(self, path: Path, at: int) -> tuple[str, int]:
        found = STRING.match(self.text, at)
        assert found
        name: str = json.loads(found[0])
        self.places.keys[(*path, name)] = Span(self.source, *found.span())
        return name, self.blank(found.end()) + 1
