"""The pages that a site has besides those of the book, and their place in its navigation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .changes import changes
from .glossary import glossary
from .rules import rules
from .shelf import FOLDER, Shelf
from .state import state

PAGES: dict[str, Callable[[Shelf], str]] = {"rules": rules, "terms": glossary, "changes": changes, "state": state}


def reference_pages(shelf: Shelf) -> dict[str, str]:
    """Their Markdown by their paths; only those that have something to say."""
    made = {f"{FOLDER}/{name}.md": make(shelf) for name, make in PAGES.items()}
    return {path: text for path, text in made.items() if text}


def with_pages(nav: list[Any], title: str, paths: Iterable[str]) -> list[Any]:
    """A navigation that an author wrote, and at its end what is not in it yet."""
    named = set(mentioned(nav))
    missing = [path for path in paths if path not in named]
    return [*nav, {title: missing}] if missing else nav


def mentioned(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from mentioned(part)
