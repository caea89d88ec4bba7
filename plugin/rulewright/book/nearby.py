"""Words that are nearly the name of a kind of block."""

from __future__ import annotations

from functools import cache

from .model import KINDS

LONG = 6  # letters; in a word as long as this two slips are forgiven
OTHER_NAMES = {"gams", "role", "border", "cable", "stable", "sweet"}  # known elsewhere


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
