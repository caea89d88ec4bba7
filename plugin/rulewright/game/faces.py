"""The faces of a kind of dice: what is written on them, what they are worth, and which symbols they show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .core import EXPLODE, REROLL, ROLLS_AGAIN, TURN
from .formula import RESERVED_WORDS
from .game_schema import BEFORE, DICE_SEPARATORS, NAME_PATTERN
from .model import MAX_SIDES, Face, Formula
from .schema import KEY, Loader
from .toml import Path

_NUMBER = re.compile(r"[+-]?[0-9]+")
_RECORDED = re.compile(r"[-+−]?\d+([+]\d+)*")  # what would be faces in a record
_RANGE = re.compile(r"-?[0-9]{1,6}\.\.-?[0-9]{1,6}")
_MAX_CARDS = 1_000  # that are different
_JOINER = "&"  # between the symbols of a face
_MAX_DIGITS = 6
_RawFaces = Mapping[str, Any] | Sequence[Any]  # names with values, or a list of faces


def marks_of(raw: _RawFaces) -> list[str]:
    """The faces as they are recorded, in order."""
    return [entry if isinstance(entry, str) else entry["is"] for entry in raw] if isinstance(raw, list) else [*raw]


def read_faces(raw: _RawFaces) -> Iterator[Face]:
    """The different faces of a die; in a list a face may be repeated."""
    marks = marks_of(raw)
    entries = raw.values() if isinstance(raw, Mapping) else raw
    named = {mark: entry for mark, entry in zip(marks, entries, strict=True) if isinstance(entry, dict)}
    for mark, copies in Counter(marks).items():
        value, words = read_symbols(mark)
        if isinstance(raw, Mapping):
            value, words = named[mark]["is"] if mark in named else raw[mark], {}
        more = named.get(mark, {})
        yield Face(mark, value, words, copies, more.get("label", ""), tuple(more.get("also", ())))


def read_symbols(mark: str) -> tuple[int, dict[str, int | str]]:
    """The value of a face such as `5&s&s`, and how often each symbol is on it that a formula can name."""
    parts = mark.replace("−", "-").split(_JOINER)
    value = sum(int(part) for part in parts if _NUMBER.fullmatch(part))
    return value, {**Counter(part for part in parts if NAME_PATTERN.fullmatch(part) and part not in RESERVED_WORDS)}


class Deck(NamedTuple):
    """The cards of a deck: what each shows, how many there are of it, and the names of its parts."""

    faces: tuple[Face, ...] = ()
    copies: tuple[Formula, ...] = ()
    parts: tuple[str, ...] = ()


def _split_deck(raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The parts of the cards of a deck, and the numbers of its further cards."""
    parts = {name: entry for name, entry in raw.items() if isinstance(entry, list) or _RANGE.fullmatch(str(entry))}
    return parts, {mark: copies for mark, copies in raw.items() if mark not in parts}


def load_deck(loader: Loader, path: Path, raw: Mapping[str, Any]) -> Deck:
    """Read a deck: parts of which each card has one, and the number of each further card."""
    parts, others = _split_deck(raw)
    values = {name: _read_part(loader, (*path, name), entry) for name, entry in parts.items()}
    for name in parts:
        if not NAME_PATTERN.fullmatch(name) or name in RESERVED_WORDS:
            message = f"`{name}` cannot name a part of a card: only a to z, digits and _, and no word of formulas"
            loader.report("name", (*path, name, KEY), message)
    if prod(map(len, values.values())) > _MAX_CARDS:
        loader.report("dice", path, f"this deck would have more than {_MAX_CARDS:,} different cards")
        return Deck()
    cards = [_make_card(dict(zip(values, card, strict=True))) for card in product(*values.values())] if parts else []
    for card in cards:
        if card.mark in others:
            message = f"`{card.mark}` is in this deck already, with its {' and '.join(parts)}"
            loader.report("dice", (*path, card.mark, KEY), message)
    one = loader.parse_formula_at(path, 1, BEFORE)
    copies = [loader.parse_formula_at((*path, mark), number, BEFORE) for mark, number in others.items()]
    faces = (*cards, *(Face(mark, *read_symbols(mark)) for mark in others))
    return Deck(faces, (*(one,) * len(cards), *copies), tuple(parts))


def _read_part(loader: Loader, path: Path, raw: Any) -> list[int | str]:
    """The values of a part of a card: numbers from a range, or what is in a list."""
    if isinstance(raw, list):
        loader.check_labels(
            [(str(item), (*path, place)) for place, item in enumerate(raw)], "a card", " &+" + DICE_SEPARATORS
        )
        if len({type(item) for item in raw}) > 1:
            loader.report("dice", path, "a part of a card is a number or a word, and here both are in one list")
        return raw
    low, high = map(int, raw.split(".."))
    if not low <= high <= low + _MAX_CARDS or max(abs(low), abs(high)) > MAX_SIDES:
        loader.report("dice", path, f"`{raw}` is no range for a card; write the lowest number first, such as 1..13")
        return [low]
    return list(range(low, high + 1))


def _make_card(parts: Mapping[str, int | str]) -> Face:
    """A card with these parts; its value is the first of them, if that is a number."""
    first = next(iter(parts.values()))
    return Face(_JOINER.join(map(str, parts.values())), first if isinstance(first, int) else 0, parts)


def check_faces(loader: Loader, path: Path, raw: _RawFaces, signs: str, is_deck: bool = False) -> None:
    """Report faces that could not be read in a record, or not be asked for; `signs` stand between throws of one die."""
    marks = marks_of(raw)
    listed: dict[str, Path] = {
        mark: (*path, number) if isinstance(raw, list) else (*path, mark, KEY) for number, mark in enumerate(marks)
    }
    loader.check_labels(listed.items(), "a face", " " + DICE_SEPARATORS + signs)
    for mark, place in listed.items() if isinstance(raw, list) or is_deck else ():
        for part in mark.replace("−", "-").split(_JOINER):
            if not part:
                loader.report("dice", place, f"`{mark}` joins nothing with &; write the symbols, such as s&s")
            elif _NUMBER.fullmatch(part) and (len(part) > _MAX_DIGITS or abs(int(part)) > MAX_SIDES):
                loader.report("dice", place, f"the numbers on a die go from {-MAX_SIDES} to {MAX_SIDES}")


def check_kind(loader: Loader, path: Path, name: str, dice: Mapping[str, Mapping[str, Any]]) -> None:
    """Check the sides and faces of one of these kinds; its name must not be ambiguous in a record of dice."""
    raw = dice[name]
    own = raw["faces"] if isinstance(raw.get("faces"), dict) else ()
    marks = {mark.lower() for mark in marks_of(own)}
    if _RECORDED.fullmatch(name) or name.lower() in marks:
        message = f'"{name}" cannot name a kind of dice: in a row of dice it would be a face'
        loader.report("name", (*path, KEY), message)
    shown = [key for key in ("sides", "faces", "deck") if key in raw]
    if not shown:
        loader.report("dice", (*path, KEY), f"the {name} dice need sides or faces, such as sides = 6")
    if len(shown) > 1:
        message = f"the {name} dice have {shown[0]} and {shown[1]}; one of the two says it all"
        loader.report("dice", (*path, shown[1], KEY), message)
    if "faces" in raw and not raw["faces"]:
        loader.report("dice", (*path, "faces"), "a die needs at least one face")
    again = raw.get("again", [])
    rolls = {entry.get("roll") for entry in ([again] if isinstance(again, dict) else again)}
    if name.lower() in (*ROLLS_AGAIN, TURN):
        message = f'"{name}" cannot name a kind of dice: with roll = "{name}" the same die is rolled again'
        loader.report("name", (*path, KEY), message)
    signs = "+" * (EXPLODE in rolls) + ">" * (REROLL in rolls)
    check_faces(loader, (*path, "faces"), raw.get("faces", {}), signs)
    if isinstance(raw.get("deck"), dict):
        check_faces(loader, (*path, "deck"), _split_deck(raw["deck"])[1], signs, True)
