"""Character files in TOML or JSON: reads them and checks them against the sheets of their game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, NamedTuple

from ..checks.model import BROKEN_GAME_MESSAGE
from ..game.model import Game, Sheet
from ..game.toml import LARGEST_FILE, Path, Places, read_toml
from ..project import FILE
from ..source import Problem, Source, Span, in_reading_order, suggest
from .games import Games, shown

if TYPE_CHECKING:
    from ..checks.sheet import CharacterReader

BLANK = re.compile(r"[ \t\r\n]*")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
PLAIN = re.compile(r"[^\s,\]}]+")


def read_json(source: Source, code: str) -> tuple[Any, Places, list[Problem]]:
    """Parse JSON into data with the spans of its values; or the problem why it cannot be read."""
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
    """Records the spans of keys and values in text that is known to be valid JSON."""

    def __init__(self, source: Source, places: Places) -> None:
        self.source, self.places, self.text = source, places, source.text

    def blank(self, at: int) -> int:
        found = BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, path: Path, at: int) -> int:
        """Record the value at an offset and return the offset after it."""
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


CODE = "character-file"
KINDS = (".toml", ".json")
SPEAKS = re.compile(r"""^\s*\{?\s*["']?sheet["']?\s*[=:]\s*["']""", re.MULTILINE)
KEYS = ("sheet", "game", "name", "notes", "traits", "holds")


class CheckedCharacter(NamedTuple):
    """A character file: its sheet, the requirements it does not meet, and all problems."""

    file: File
    sheet: Sheet | None = None
    violations: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def may_be_character(name: str) -> bool:
    return name != FILE and name.lower().endswith(KINDS)


def is_character(file: File) -> bool:
    """Whether the file has a `sheet` key."""
    try:
        return file.stat().st_size <= LARGEST_FILE and bool(SPEAKS.search(file.read_text("utf-8-sig")))
    except (OSError, ValueError):
        return False


def check_characters(files: Iterable[File], games: Games, here: File) -> tuple[CheckedCharacter, ...]:
    return tuple(check_character(file, games, here) for file in files)


def check_character(file: File, games: Games, here: File) -> CheckedCharacter:
    data, places, problems = open_character(file, shown(file, here))
    if problems:
        return CheckedCharacter(file, problems=tuple(problems))
    folder = data.get("game")
    name = folder if isinstance(folder, str) else games.nearest(file)
    game = None if name is None else games.found.get(name)
    if game is None:
        said = f"there is no game «{folder}»; {suggest(str(folder), games.found)}" if folder else NO_GAME
        said = BROKEN_GAME_MESSAGE if name in games.broken else said
        return CheckedCharacter(file, problems=(Slips(places).at(("game",), said),))
    return judged(file, Told(data, places, game))


NO_GAME = 'there is no game here; write game = "…" with the folder of one'


def open_character(file: File, name: str) -> tuple[dict[str, Any], Places, list[Problem]]:
    try:
        source = Source(name, file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        empty = Source(name, "")
        return {}, Places(empty), [Problem(CODE, f"this file cannot be read: {error}", Span(empty, 0, 0))]
    if name.lower().endswith(".json"):
        data, places, problems = read_json(source, CODE)
    else:
        data, places, problems = read_toml(source)
        problems = [one._replace(code=CODE) for one in problems]
    return (data if isinstance(data, dict) else {}), places, problems


class Slips:
    """Creates problems at the keys and values of a file."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def key(self, path: Path) -> Span:
        return self.places.keys.get(path) or Span(self.places.source, 0, 0)

    def value(self, path: Path) -> Span:
        return self.places.values.get(path) or self.key(path)

    def at(self, path: Path, message: str, notes: tuple[str, ...] = ()) -> Problem:
        return Problem(CODE, message.rstrip("; "), self.value(path), notes=notes)


class Told(NamedTuple):
    """The data of a character file, with its game."""

    data: Mapping[str, Any]
    places: Places
    game: Game

    @property
    def slips(self) -> Slips:
        return Slips(self.places)

    def strange(self) -> Iterator[Problem]:
        """Report unknown keys and values of the wrong type."""
        for key in self.data:
            if key not in KEYS:
                message = f"a character has no «{key}»; {suggest(key, KEYS)}"
                yield Problem(CODE, message.rstrip("; "), self.slips.key((key,)))
        for key, kind, what in (("traits", dict, "a table: names and their dots"), ("holds", list, "a list of names")):
            if not isinstance(self.data.get(key, kind()), kind):
                yield self.slips.at((key,), f"{key} is {what}")

    def reading(self) -> CharacterReader:
        from ..checks.sheet import CharacterReader, WrittenTrait

        found = CharacterReader(self.game)
        traits, holds = self.data.get("traits"), self.data.get("holds")
        for name, value in traits.items() if isinstance(traits, dict) else ():
            path = ("traits", name)
            found.read_trait(WrittenTrait(name, str(value), self.slips.key(path), self.slips.value(path)))
        for number, name in enumerate(holds if isinstance(holds, list) else ()):
            span = self.slips.value(("holds", number))
            found.read_specialties(str(name), span.part(1, max(len(span.text) - 1, 1)))
        return found


def judged(file: File, told: Told) -> CheckedCharacter:
    from ..checks.sheet import JudgedSheet, find_sheet, requirement_notes
    from ..game.sheets import violations

    name = str(told.data.get("sheet", ""))
    sheet = find_sheet(told.game, name)
    if sheet is None:
        said = f"{told.game.title} has no sheet «{name}»; {suggest(name, told.game.sheets)}"
        return CheckedCharacter(file, problems=(told.slips.at(("sheet",), said),))
    reading = told.reading()
    problems = [*told.strange(), *(Problem(CODE, message, span) for _, message, span in reading.problems)]
    broken = tuple(violations(sheet, told.game, reading.character))
    case = JudgedSheet(sheet, told.game, reading.character, broken)
    place = told.slips.value(("sheet",))
    if not problems:
        found = ((f"this is broken: {name}", requirement_notes(case, name)) for name in broken)
        problems = [Problem("sheet-verdict", message, place, notes=notes) for message, notes in found]
    return CheckedCharacter(file, sheet, broken, tuple(in_reading_order(problems)))
