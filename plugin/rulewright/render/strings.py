"""The words that readers see: one catalogue for each language, read by Python here and by the roller in browsers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CATALOGUES = Path(__file__).parent / "catalogue"


@dataclass(frozen=True, eq=False)
class Words:
    language: str
    found: Mapping[str, str]

    def __call__(self, name: str, /, **values: object) -> str:
        """A phrase of the catalogue, with `{values}` filled in."""
        return self.found[name].format(**values)


@cache
def read_words(language: str) -> Words:
    """The catalogue of a language: `de` for `de-AT`, and English where there is none."""
    for name in (language, language.partition("-")[0], "en"):
        file = CATALOGUES / f"{name.lower()}.json"
        if file.is_file():
            return Words(name, json.loads(file.read_text(encoding="utf-8")))
    raise FileNotFoundError(CATALOGUES)


def languages() -> list[str]:
    return sorted(file.stem for file in CATALOGUES.glob("*.json"))
