"""What owns results that depend only on it, such as a rule or a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

_MISSING: Any = object()  # no value in a cache
_T = TypeVar("_T")


class Cached:
    """Owns what is computed from it, so that this goes when the book goes."""

    @cached_property
    def cache(self) -> dict[tuple[object, ...], Any]:
        return {}

    def cached(self, key: tuple[object, ...], compute: Callable[[], _T]) -> _T:
        """What depends only on the owner and on the key, computed once; keys start with a name."""
        found: _T = self.cache.get(key, _MISSING)
        if found is _MISSING:
            found = self.cache[key] = compute()
        return found
