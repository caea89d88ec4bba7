"""The terms that a book explains to readers: which pages declare them, and which have several definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..book.page import Definition, Page
from ..globs import matches_any
from ..source import Problem
from .options import ON


class DeclaredTerm(NamedTuple):
    """A definition on a page that declares terms, with the path of the page."""

    path: str
    definition: Definition


DeclaredTerms = Mapping[str | None, Mapping[str, Sequence[DeclaredTerm]]]


def collect_terms(pages: Iterable[tuple[str, str | None, Page]], patterns: Sequence[str]) -> DeclaredTerms:
    """The definitions of each term, by game and by name in lower case.

    Each page has its path and the folder of its game; None is the whole book. `patterns` is the option `terms`.
    """
    terms: dict[str | None, dict[str, list[DeclaredTerm]]] = {}
    for path, game, page in pages:
        for definition in page.definitions if _explains_words(path, page, patterns) else ():
            names = terms.setdefault(game, {})
            names.setdefault(definition.name.lower(), []).append(DeclaredTerm(path, definition))
    return terms


def _explains_words(path: str, page: Page, patterns: Sequence[str]) -> bool:
    """Do the definition lists of a page explain terms? Its front matter or the option `terms` says so."""
    if "terms" in page.meta:
        return page.meta["terms"].text.strip().lower() in ON
    return bool(page.definitions) and matches_any(path, patterns)


def is_ambiguous(terms: Sequence[DeclaredTerm]) -> bool:
    """Whether the definitions of a term differ; it is not explained then."""
    return len({" ".join(term.definition.text.split()) for term in terms}) > 1


def find_ambiguous_terms(declared: DeclaredTerms) -> list[Problem]:
    """A warning for each term that is defined in different ways in one game, at its second definition."""
    problems = []
    for names in declared.values():
        for terms in filter(is_ambiguous, names.values()):
            first, second = terms[0].definition.span, terms[1].definition
            message = f'{len(terms)} definitions of "{second.name}" differ, so readers see none of them'
            place = f"{first.source.path}:{first.source.position(first.start)[0]}"
            notes = (f"the first definition is at {place}", "keep one of them, or write the same text")
            problems.append(Problem("term-ambiguous", message, second.span, "warning", notes))
    return problems
