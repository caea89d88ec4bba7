"""Definition lists: the terms that a page defines, with the plain text of their definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from markdown_it.token import Token

from .inlines import plain_text
from .page import Definition

_RAW_REFERENCE = re.compile(r"\[([^\[\]\n]+)\]\[[^\[\]\n]*\]")  # `[Pace][]` whose target is not on the page


def read_definitions(tokens: Iterable[Token]) -> Iterator[Definition]:
    """The terms of the outer definition lists; a nested list is part of its definition."""
    name, opening, texts = "", Token("", "", 0), list[str]()
    depth, inside = 0, ""
    for token in tokens:
        kind = token.type.partition("_")[0]
        depth += token.nesting if kind == "dl" else 0
        if name and ((kind == "dt" and depth == 1 and token.nesting > 0) or (kind == "dl" and not depth)):
            yield Definition(name, " ".join(texts), str(opening.meta["id"]), opening.meta["span"])
            name, texts = "", []
        if kind in ("dt", "dd") and depth == 1:
            inside = kind if token.nesting > 0 else ""
            opening = token if inside == "dt" else opening
        elif token.type == "inline" and inside == "dt":
            name = plain_text(token.children or [])
        elif token.type == "inline" and inside:
            texts.append(_RAW_REFERENCE.sub(r"\1", plain_text(token.children or [])))
