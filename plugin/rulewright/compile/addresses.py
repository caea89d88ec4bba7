"""Two files that become one page of the site: the first would be lost without a word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from ..text import Problem, Source, Span


def same_address(addresses: Iterable[tuple[str, str]], sources: Mapping[str, Source]) -> list[Problem]:
    """`addresses` are files with the places where their pages will be; disks may not tell A from a."""
    first: dict[str, str] = {}
    problems = []
    for path, address in addresses:
        key = unicodedata.normalize("NFC", address).casefold()
        other = first.setdefault(key, path)
        if other != path:
            message = f"this page and {other} have the same address in the site, {address}: one of them would be lost"
            source = sources.get(path, Source(path, ""))
            problems.append(Problem("page-address", message, Span(source, 0, 0), notes=("rename one of them",)))
    return problems
