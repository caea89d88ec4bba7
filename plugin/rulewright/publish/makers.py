"""The formats in which a book can be taken along, and who makes each."""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from typing import cast

from jinja2 import TemplateError

from ..text import Problem
from .edition import Edition, Made, NotMade, Watch

MAKERS = {"pdf": "typst.pdf", "html": "bound.html", "epub": "bound.epub", "zip": "folder"}  # the module of each


def make(form: str, edition: Edition, watch: Watch) -> Made:
    maker = import_module(f".{MAKERS[form]}", __package__).make
    try:
        made, problems = cast(Made, maker(edition, watch))
        return made, in_order(edition, problems)
    except TemplateError as error:
        raise NotMade(told(error)) from error


def in_order(edition: Edition, problems: list[Problem]) -> list[Problem]:
    """As somebody meets them who reads the book."""
    order = {chapter.page.page.source.path: number for number, chapter in enumerate(edition.chapters)}
    return sorted(problems, key=lambda one: (order.get(one.span.source.path, 0), one.span.start))


def told(error: TemplateError) -> str:
    """A mistake in a template that the book brings along, with its place where that is known."""
    place = f"{getattr(error, 'filename', '') or ''}:{getattr(error, 'lineno', '')}: ".lstrip(":")
    return f"{place if len(place) > 2 else ''}{error.message or type(error).__name__}"


def file_name(title: str) -> str:
    """A title as any disk and any address can have it."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-") or "book"


def size(length: int, sign: str = ".") -> str:
    if length >= 1_000_000:
        return f"{length / 1_000_000:.1f} MB".replace(".", sign)
    return f"{max(length // 1000, 1)} kB"
