"""The ids of headings, as GitHub makes them and as Python-Markdown does."""

from __future__ import annotations

import re
import unicodedata

STRANGE = re.compile(r"[^a-z0-9_ -]")
NUMBERED = re.compile(r"^(.*)_([0-9]+)$")


def github(text: str) -> str:
    lowered = text.strip().lower()
    if lowered.isascii():
        return STRANGE.sub("", lowered).replace(" ", "-")
    return "".join(kept for kept in lowered if is_word(kept)).replace(" ", "-")


def is_word(character: str) -> bool:
    if character in "_- ":
        return True
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")


def python_markdown(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


class Numbered:
    """GitHub's way with a slug that comes again: -1, -2."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}

    def take(self, slug: str) -> str:
        slug = slug or "section"
        unique = slug
        while unique in self.taken:
            self.taken[slug] = self.taken.get(slug, 0) + 1
            unique = f"{slug}-{self.taken[slug]}"
        self.taken[unique] = 0
        return unique


class Underlined:
    """Python-Markdown's way: _1, _2."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def take(self, slug: str) -> str:
        while slug in self.taken or not slug:
            numbered = NUMBERED.match(slug)
            slug = f"{numbered[1]}_{int(numbered[2]) + 1}" if numbered else f"{slug}_1"
        self.taken.add(slug)
        return slug
