"""TOML with places: what `tomllib` reads, where it stands, and in plain words why it cannot be read."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ..text import Problem, Source, Span
from .places import STRING, Path, Places, Scanner, TwiceError

__all__ = ["LARGEST_FILE", "Path", "Places", "read_toml", "too_large"]

LARGEST_FILE = 256_000
DEEPEST = 100
MOST_PARTS = 16  # of a dotted key; tomllib's work grows with their square
PIECES = re.compile(r"#[^\n]*|" + STRING + r"|[][{}.=,\n]", re.DOTALL)
PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
DIGITS = re.compile(r"[0-9_]{1000,}")
WORD = re.compile(r"[^\s,=#\[\]{}\"']*")
CURLY = tuple("“”„‟«»‘’‚‛")
PLAIN_WORDS = {  # what tomllib says, and what it means
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
    """The data of a file with its places, or the one problem that keeps it from being read."""
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
    """What is too large or nested too deeply is refused before it is parsed."""
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
    """What tomllib complains of, in plain words, at the place that has to be mended."""
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
    """The word that begins here; one character where none does."""
    found = WORD.match(source.text, start)
    return Span(source, start, max(found.end() if found else 0, start + 1))


def at_line_end(said: str, before: str) -> str:
    """A line that ends too early is complained of as a strange character."""
    if said.startswith(("Found invalid", "Illegal")):
        return "Unterminated string"
    inside = before[unclosed(before) :].startswith("{")
    return "Wrapped table" if inside and said.startswith("Invalid initial") else said


def repeated(source: Source) -> TwiceError | None:
    """The first key that stands twice, if that is what is wrong."""
    try:
        Scanner(source, Places(source)).scan()
    except TwiceError as error:
        return error
    except (AssertionError, LookupError, ValueError):
        return None
    return None


def place_of(source: Source, said: str) -> int:
    """Where to look: for an open end, at the bracket or quote that opens it."""
    found = PLACE.search(said)
    if found and found.group(1):
        return min(source.starts[int(found.group(1)) - 1] + int(found.group(2)) - 1, len(source.text))
    digits = DIGITS.search(source.text)
    return unclosed(source.text) if found or not digits else digits.start()


def unclosed(text: str) -> int:
    """The first quote that nothing closes, or the last bracket; without them, the end of the text."""
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
