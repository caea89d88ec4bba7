"""Character files in TOML or JSON: reads them and checks them against the sheets of their game."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, NamedTuple

from ..checks.model import BROKEN_GAME_MESSAGE
from ..game.model import Game, Sheet
from ..game.toml import MAX_FILE_SIZE, Path, SpanIndex, read_toml
from ..project import GAME_FILE
from ..source import Problem, Source, Span, sort_problems, suggest
from .games import Games, display_path

if TYPE_CHECKING:
    from ..checks.sheet import CharacterReader

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_LITERAL = re.compile(r"[^\s,\]}]+")


def read_json(source: Source, code: str) -> tuple[Any, SpanIndex, list[Problem]]:
    """Parse JSON into data with the spans of its values; or the problem why it cannot be read."""
    places = SpanIndex(source)
    try:
        data = json.loads(source.text)
        _JsonScanner(source, places).scan_value((), 0)
    except json.JSONDecodeError as error:
        span = Span(source, error.pos, min(error.pos + 1, len(source.text)))
        return None, places, [Problem(code, f"this file cannot be read as JSON: {error.msg.lower()} here", span)]
    except RecursionError:
        return None, places, [Problem(code, "this file is nested too deeply to be read", Span(source, 0, 0))]
    return data, places, []


class _JsonScanner:
    """Records the spans of keys and values in text that is known to be valid JSON."""

    def __init__(self, source: Source, places: SpanIndex) -> None:
        self.source, self.places, self.text = source, places, source.text

    def skip_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def scan_value(self, path: Path, at: int) -> int:
        """Record the value at an offset and return the offset after it."""
        start = self.skip_space(at)
        first = self.text[start]
        if first in "{[":
            end = self.scan_container(path, start + 1, named=first == "{")
        else:
            match = (_STRING if first == '"' else _LITERAL).match(self.text, start)
            end = match.end() if match else start + 1
        self.places.values[path] = Span(self.source, start, end)
        return end

    def scan_container(self, path: Path, at: int, named: bool) -> int:
        at, number = self.skip_space(at), 0
        while self.text[at] not in "}]":
            name: str | int = number
            if named:
                name, at = self.scan_key(path, at)
            at = self.skip_space(self.scan_value((*path, name), at))
            at = self.skip_space(at + 1) if self.text[at] == "," else at
            number += 1
        return at + 1

    def scan_key(self, path: Path, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        assert match
        name: str = json.loads(match[0])
        self.places.keys[(*path, name)] = Span(self.source, *match.span())
        return name, self.skip_space(match.end()) + 1


_CODE = "character-file"
_EXTENSIONS = (".toml", ".json")
_SHEET_KEY = re.compile(r"""^\s*\{?\s*["']?sheet["']?\s*[=:]\s*["']""", re.MULTILINE)
_KEYS = ("sheet", "game", "name", "notes", "traits", "holds")
_OWN_KEYS = ("game", "traits", "holds")  # data of other programs may have a sheet, too, but none of these beside it


class CheckedCharacter(NamedTuple):
    """A character file: its sheet, the requirements it does not meet, and all problems."""

    file: File
    sheet: Sheet | None = None
    violations: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def may_be_character(name: str) -> bool:
    return name != GAME_FILE and name.lower().endswith(_EXTENSIONS)


def is_character(file: File) -> bool:
    """Whether the file has a `sheet` key, and another that only characters have."""
    try:
        text = file.read_text("utf-8-sig") if file.stat().st_size <= MAX_FILE_SIZE else ""
    except (OSError, ValueError):
        return False
    if not _SHEET_KEY.search(text):
        return False
    try:
        data = json.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError):
        return any(re.search(rf"\b{key}\b", text) for key in _OWN_KEYS)  # what is wrong is reported later
    return isinstance(data, dict) and isinstance(data.get("sheet"), str) and _has_own_data(data)


def _has_own_data(data: Mapping[str, Any]) -> bool:
    """Whether a file with a sheet has data as only characters have; a list of pictures, too, has a sheet and a game."""
    if set(data) <= set(_KEYS):
        return any(key in data for key in _OWN_KEYS)
    return isinstance(data.get("traits"), dict) or isinstance(data.get("holds"), list)


def check_characters(files: Iterable[File], games: Games, here: File) -> tuple[CheckedCharacter, ...]:
    return tuple(_check_character(file, games, here) for file in files)


def _check_character(file: File, games: Games, here: File) -> CheckedCharacter:
    data, places, problems = _read_character(file, display_path(file, here))
    if problems:
        return CheckedCharacter(file, problems=tuple(problems))
    folder = data.get("game")
    name = folder if isinstance(folder, str) else games.nearest_folder(file)
    game = None if name is None else games.by_folder.get(name)
    if game is None:
        message = (
            f'there is no game "{folder}"; {suggest(str(folder), filter(None, games.by_folder))}'
            if folder
            else _NO_GAME
        )
        message = BROKEN_GAME_MESSAGE if name in games.broken else message
        return CheckedCharacter(file, problems=(_ProblemFactory(places).problem_at(("game",), message),))
    return _check_against_sheet(file, _CharacterData(data, places, game))


_NO_GAME = 'there is no game here; write game = "…" with the folder of one'


def _read_character(file: File, name: str) -> tuple[dict[str, Any], SpanIndex, list[Problem]]:
    try:
        source = Source(name, file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        empty = Source(name, "")
        return {}, SpanIndex(empty), [Problem(_CODE, f"this file cannot be read: {error}", Span(empty, 0, 0))]
    if name.lower().endswith(".json"):
        data, places, problems = read_json(source, _CODE)
    else:
        data, places, problems = read_toml(source)
        problems = [problem._replace(code=_CODE) for problem in problems]
    return (data if isinstance(data, dict) else {}), places, problems


class _ProblemFactory:
    """Creates problems at the keys and values of a file."""

    def __init__(self, places: SpanIndex) -> None:
        self.places = places

    def key_span(self, path: Path) -> Span:
        return self.places.keys.get(path) or Span(self.places.source, 0, 0)

    def value_span(self, path: Path) -> Span:
        return self.places.values.get(path) or self.key_span(path)

    def problem_at(self, path: Path, message: str, notes: tuple[str, ...] = ()) -> Problem:
        return Problem(_CODE, message.rstrip("; "), self.value_span(path), notes=notes)


class _CharacterData(NamedTuple):
    """The data of a character file, with its game."""

    data: Mapping[str, Any]
    places: SpanIndex
    game: Game

    @property
    def factory(self) -> _ProblemFactory:
        return _ProblemFactory(self.places)

    def check_keys(self) -> Iterator[Problem]:
        """Report unknown keys and values of the wrong type."""
        for key in self.data:
            if key not in _KEYS:
                message = f'a character has no "{key}"; {suggest(key, _KEYS)}'
                yield Problem(_CODE, message.rstrip("; "), self.factory.key_span((key,)))
        for key, kind, expected in (
            ("traits", dict, "a table: names and their dots"),
            ("holds", list, "a list of names"),
        ):
            if not isinstance(self.data.get(key, kind()), kind):
                yield self.factory.problem_at((key,), f"{key} is {expected}")

    def read_sheet(self) -> CharacterReader:
        from ..checks.sheet import CharacterReader, WrittenTrait

        sheet_reading = CharacterReader(self.game)
        traits, holds = self.data.get("traits"), self.data.get("holds")
        for name, value in traits.items() if isinstance(traits, dict) else ():
            path = ("traits", name)
            sheet_reading.read_trait(
                WrittenTrait(name, str(value), self.factory.key_span(path), self.factory.value_span(path))
            )
        for number, name in enumerate(holds if isinstance(holds, list) else ()):
            span = self.factory.value_span(("holds", number))
            sheet_reading.read_specialties(str(name), span.subspan(1, max(len(span.text) - 1, 1)))
        return sheet_reading


def _check_against_sheet(file: File, data: _CharacterData) -> CheckedCharacter:
    from ..checks.sheet import JudgedSheet, find_sheet, requirement_notes
    from ..game.sheets import find_violations

    name = str(data.data.get("sheet", ""))
    sheet = find_sheet(data.game, name)
    if sheet is None:
        message = f'{data.game.title} has no sheet "{name}"; {suggest(name, data.game.sheets)}'
        return CheckedCharacter(file, problems=(data.factory.problem_at(("sheet",), message),))
    reading = data.read_sheet()
    problems = [*data.check_keys(), *(Problem(_CODE, message, span) for _, message, span in reading.problems)]
    broken = tuple(find_violations(sheet, data.game, reading.character))
    case = JudgedSheet(sheet, data.game, reading.character, broken)
    sheet_span = data.factory.value_span(("sheet",))
    if not problems:
        reported = ((f"this is broken: {name}", requirement_notes(case, name)) for name in broken)
        problems = [Problem("sheet-verdict", message, sheet_span, notes=notes) for message, notes in reported]
    return CheckedCharacter(file, sheet, broken, tuple(sort_problems(problems)))
