"""Glob patterns of paths, as in the options `exclude` and `terms`: which paths they match."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GLOB_SIGN = re.compile(r"(\*\*/|\*\*|\*|\?)")
_GLOB_PATTERNS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path with slashes matches one of the patterns: a file, a folder and everything below it, or a glob."""
    return any(_path_pattern(pattern).fullmatch(path) for pattern in patterns)


def _path_pattern(pattern: str) -> re.Pattern[str]:
    """The regex of a glob: `*` and `?` match within one folder, `**` across folders."""
    name = pattern.strip().replace("\\", "/").removeprefix("./").strip("/")
    parts = (_GLOB_PATTERNS.get(part) or re.escape(part) for part in _GLOB_SIGN.split(name))
    return re.compile(rf"{''.join(parts)}(?:/.*)?", re.DOTALL)
