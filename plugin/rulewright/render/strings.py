"""User interface strings: one JSON catalog for each language, used here and by the scripts in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from .inflection import CASES, inflect

_CATALOGUES = Path(__file__).parent / "catalogue"


@dataclass(frozen=True, eq=False)
class Words:
    """The catalog of a language; call it with the name of a phrase."""

    language: str
    phrases: Mapping[str, str]

    def __call__(self, name: str, /, **values: object) -> str:
        """A phrase of the catalog with its `{placeholders}` filled in; `{what:dative}` inflects what it is given."""
        if name in self._inflecting:
            values = {key: _Inflected(value) for key, value in values.items()}
        return self.phrases[name].format(**values)

    @cached_property
    def _inflecting(self) -> frozenset[str]:
        """The phrases that ask for a case."""
        return frozenset(name for name, text in self.phrases.items() if any(f":{case}}}" in text for case in CASES))


class _Inflected(str):
    """A value of a phrase, formatted by its case."""

    __slots__ = ()

    def __format__(self, case: str) -> str:
        return inflect(str(self), case) if case else str(self)


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
