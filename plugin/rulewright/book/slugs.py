"""The ids of headings, as GitHub makes them, as Python-Markdown does, and as others do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

STRANGE = re.compile(r"[^a-z0-9_ -]")
NUMBERED = re.compile(r"^(.*)_([0-9]+)$")


def github(text: str) -> str:
    lowered = text.strip().lower()
    if lowered.isascii():
        return STRANGE.sub("", lowered).replace(" ", "-")
    return "".join(kept for kept in lowered if is_word(kept)).replace(" ", "-")


def term(text: str) -> str:
    """The id of a word where a list of definitions explains it; no heading can have it."""
    return f"term:{github(text)}"


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


Slug = Callable[[str], str]

DOCSIFY = re.compile(r"[\u2000-\u206f\u2e00-\u2e7f\\'!\"#$%&()*+,./:;<=>?@\[\]^`{|}~]")
VITEPRESS = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'“”‘’<>,.?/]+""")


def docsify(text: str) -> str:
    slug = re.sub(r"-+", "-", re.sub(r"\s", "-", DOCSIFY.sub("", text.strip().lower())))
    return f"_{slug}" if slug[:1].isdigit() else slug


def vitepress(text: str) -> str:
    plain = "".join(kept for kept in unicodedata.normalize("NFKD", text) if not unicodedata.combining(kept))
    slug = VITEPRESS.sub("-", plain).strip("-").lower()
    return f"_{slug}" if slug[:1].isdigit() else slug


def kramdown(text: str) -> str:
    begun = re.sub(r"^[^a-zA-Z]+", "", text)
    return re.sub(r"[^a-zA-Z0-9 -]", "", begun).replace(" ", "-").lower() or "section"


def mdbook(text: str) -> str:
    kept = (letter for letter in text.strip() if letter.isalnum() or letter in "_-" or letter.isspace())
    return "".join("-" if letter.isspace() else letter.lower() for letter in kept)


def gitbook(text: str) -> str:
    """«Skills & feats» is `skills-and-feats` there, and blanks that follow each other are one."""
    return re.sub(r"-+", "-", github(text.replace("&", "and")))


def letters(text: str) -> str:
    """What all ways to write an id have in common."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if letter.isalnum())
