"""German cases in phrases: `{what:dative}` in the catalogue asks for a phrase in that case.

Phrases come in the nominative. They begin with an article, or are names that readers gave, which stay as they are."""

from __future__ import annotations

import re

CASES = ("genitive", "dative", "accusative")
_FEMININE = ("Summe", "Zahl", "Anzahl", "Hälfte", "Seite", "Karte", "Augenzahl")
_ARTICLES = {  # masculine, feminine, neuter, plural
    "genitive": ("von dem", "der", "von dem", "der"),
    "dative": ("dem", "der", "dem", "den"),
    "accusative": ("den", "die", "das", "die"),
}
_HEAD = re.compile(
    r"(der|die|das|dieser|diese) ((?:(?!(?:der|die|das|den) )[a-zäöüß]+(?:e|en|er|es) |\d+ )*)([^\s,;:()]*)"
)


def inflect(text: str, case: str) -> str:
    """A phrase in a case; a name has none, so that its genitive is "von NAME"."""
    match = _HEAD.match(text)
    if not match:
        return f"von {text}" if case == "genitive" else text
    article, adjectives, noun = match.groups()
    gender = _gender_of(article, noun)
    if case != "accusative" or gender == 0:
        adjectives = re.sub(r"e\b", "en", adjectives)
    if noun == "Doppelte" and case != "accusative":
        noun += "n"
    if case == "dative" and gender == 3 and noun != noun.lower():
        noun = re.sub(r"(?<=el|er|fe)$", "n", noun)
    found = _ARTICLES[case][gender]
    if article.startswith("dies"):
        found = found.replace("dem", "diesem").replace("den", "diesen")
        found = {"der": "dieser", "die": "diese", "das": "dieses"}.get(found, found)
    return f"{found} {adjectives}{noun}{text[match.end() :]}"


def _gender_of(article: str, noun: str) -> int:
    if article in ("der", "dieser"):
        return 0
    if article == "das":
        return 2
    return 1 if noun.endswith(tuple(map(str.lower, _FEMININE)) + _FEMININE) else 3
