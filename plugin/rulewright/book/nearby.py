"""Words that are nearly the name of a kind of block, and whether a text looks like the inside of one."""

from __future__ import annotations

import re
from functools import cache

from .model import KINDS

LONG = 6  # letters; in a word as long as this two slips are forgiven
OTHER_NAMES = {"gams", "role", "border", "cable", "stable", "sweet"}  # known elsewhere
KNOWN = "game|rule|dice|outcome|degree|policy"  # keys that hardly anything but a block has
NOTE = "todo|note|notes|fixme|see|source|author|date"  # and those of notes to oneself
SETTING = re.compile(rf"(?:(?i:{KNOWN})|(?!(?:{NOTE})\b)[a-z]\w*|side [^:]+)[ \t]*:(?:[ \t].*)?")
STATEMENT = re.compile(r"[a-z]\w*[ \t]*\(.*\).*[=<>≤≥≈~].*")
TOML = re.compile(r"\[[\w.\"-]+\]|[\w.\"-]+[ \t]*=.*")
SURE = re.compile(rf"(?i:{KNOWN})[ \t]*:[ \t]*\S.*")
NUMBER = re.compile(r"[a-z]\w*:[ \t]*\d[\d \t|,;]*(?:\w+:.*)?")
ROLLED = ("example", "roller", "odds")  # kinds whose names do not go before just any word with a number


@cache
def meant(word: str) -> str | None:
    """The kind that was probably meant; nothing for the name of a language that highlighters know."""
    bare = word.strip("{}.:").lower()
    if bare in KINDS:
        return bare
    allowed = 2 if len(bare) >= LONG else 1
    close = [(slips(bare, kind), kind) for kind in KINDS if abs(len(bare) - len(kind)) <= allowed]
    best = min(close, default=(allowed + 1, ""))
    return best[1] if best[0] <= allowed and bare not in highlighted() else None


@cache
def highlighted() -> frozenset[str]:
    try:
        from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]
    except ImportError:
        return frozenset(OTHER_NAMES)
    return frozenset(alias.lower() for lexer in get_all_lexers(plugins=False) for alias in lexer[1]) | OTHER_NAMES


def is_one_slip(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) < 2 and slips(one, other) == 1


def slips(one: str, other: str) -> int:
    """How many letters are too many, missing, wrong, or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        older, before, row = before, row, [i + 1]
        for j, wanted in enumerate(other):
            row.append(min(before[j] + (letter != wanted), before[j + 1] + 1, row[j] + 1))
            if i and j and letter == other[j - 1] and one[i - 1] == wanted:
                row[-1] = min(row[-1], older[j - 1] + 1)
    return row[-1]


def is_set(kind: str, text: str) -> bool:
    """Whether most of the lines are such as a block of the kind has."""
    lines = written(text)
    forms = (TOML,) if kind == "game" else (SETTING, STATEMENT) if kind == "claim" else (SETTING,)
    return 2 * sum(any(form.fullmatch(line) for form in forms) for line in lines) > len(lines)


def is_surely_set(kind: str, text: str) -> bool:
    forms = (SURE, NUMBER) if kind in ROLLED else (SURE, STATEMENT) if kind == "claim" else (SURE,)
    return is_set(kind, text) and any(form.fullmatch(line) for line in written(text) for form in forms)


def written(text: str) -> list[str]:
    lines = (line.partition(" #")[0].strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def is_ours(word: str, text: str) -> bool:
    """Whether a fence in a book without any game is a block of ours; other tools know such words, too."""
    if word not in KINDS:
        return False
    if word == "game":
        lines = written(text)
        return not lines or any(TOML.fullmatch(line) for line in lines)
    return is_surely_set(word, text)
