"""User interface strings: one JSON catalog for each language, used here and by the scripts in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_CATALOGUES = Path(__file__).parent / "catalogue"


@dataclass(frozen=True, eq=False)
class Words:
    """The catalog of a language; call it with the name of a phrase."""

    language: str
    phrases: Mapping[str, str]

    def __call__(self, name: str, /, **values: object) -> str:
        """A phrase of the catalog with its `{placeholders}` filled in."""
        return self.phrases[name].format(**values)


@cache
def read_words(language: str) -> Words:
    """The catalog of a language: `de` for `de-AT`, English if there is none."""
    for name in (language, language.partition("-")[0], "en"):
        file = _CATALOGUES / f"{name.lower()}.json"
        if file.is_file():
            return Words(name, json.loads(file.read_text(encoding="utf-8")))
    raise FileNotFoundError(_CATALOGUES)


def languages() -> list[str]:
    return sorted(file.stem for file in _CATALOGUES.glob("*.json"))
