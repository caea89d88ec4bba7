"""Snippets of pymdownx: the files that a text includes by `--8<-- "file"`, and the link definitions in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .page import NO_SNIPPETS, Snippets

_MARKER = re.compile(r"""[ \t]*-+8<-+(?:[ \t]+("[^"\n]+"|'[^'\n]+'))?\r?""")
_OTHER_INCLUDE = re.compile(r"\{![^!\n]+!\}")
_MAX_NESTING = 20  # snippets in snippets


def snippet_names(text: str) -> Iterator[str]:
    """The names of the included files: in quotes after a marker, or one on each line between two markers."""
    if "8<" not in text:
        return
    is_between = False
    for line in text.split("\n"):
        marker = _MARKER.fullmatch(line)
        name = marker[1][1:-1].strip() if marker and marker[1] else "" if marker else line.strip()
        if marker and not marker[1]:
            is_between = not is_between
        elif name and (marker is None) == is_between and not name.startswith(";"):
            yield name


class SnippetReader:
    """Reads the snippets of pages, each file once. `read` returns the text of a file, or None if there is none."""

    def __init__(self, read: Callable[[str], str | None], appended: Sequence[str] = ()) -> None:
        self._read, self._appended = read, tuple(appended)
        self._known: dict[str, Snippets] = {}

    def snippets_of(self, text: str) -> Snippets:
        """The snippets of a page, with those that the settings append to every page."""
        return self._combine([*snippet_names(text), *self._appended], _OTHER_INCLUDE.search(text) is None, 0)

    def _combine(self, names: Sequence[str], has_only_links: bool, depth: int) -> Snippets:
        """Python-Markdown uses the last definition of a label."""
        parts = [self._snippet(name, depth) for name in names]
        if not parts:
            return NO_SNIPPETS
        references = {label: reference for part in parts for label, reference in part.references.items()}
        return Snippets(references, has_only_links and all(part.has_only_links for part in parts))

    def _snippet(self, name: str, depth: int) -> Snippets:
        if name not in self._known:
            self._known[name] = NO_SNIPPETS  # for one that includes itself
            text = self._read(name) if depth < _MAX_NESTING else None
            if text is not None:
                self._known[name] = self._read_links(text, depth)
        return self._known[name]

    def _read_links(self, text: str, depth: int) -> Snippets:
        from .markdown import parse_markdown  # rolls and odds need no parser of pages

        tokens, env = parse_markdown(text)
        own: Any = env.get("references", {})
        nested = self._combine(list(snippet_names(text)), False, depth + 1)
        references = {label: {**reference, "map": None} for label, reference in own.items()}
        return Snippets({**nested.references, **references}, all(token.type == "abbreviation" for token in tokens))
