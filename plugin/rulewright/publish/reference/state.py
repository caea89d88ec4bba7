"""The state of the book: the numbers of its check, what is unfinished, what nobody has checked, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from typing import NamedTuple

from ...compile.books import CheckedPage
from ...text import Problem
from .shelf import Shelf, heading, paragraph, whole

STATUSES = ("passed", "failed", "error", "skipped")


class Remark(NamedTuple):
    """Something to be done: the page and the line, and what is said of it."""

    page: CheckedPage
    line: int
    text: str


def state(shelf: Shelf) -> str:
    """As Markdown; search leaves the page out."""
    words = shelf.words
    parts = ["---\nsearch:\n  exclude: true\n---", heading(1, words("state of the book")), numbers(shelf)]
    for name, find in SECTIONS.items():
        found = [remark for page in shelf.pages for remark in find(shelf, page)]
        parts += [heading(2, words(name)), listed(shelf, found) or paragraph(words(f"{name} none"))]
    return whole(parts)


def numbers(shelf: Shelf) -> str:
    blocks = Counter(one.status for page in shelf.pages for one in page.blocks)
    found = {
        "count pages": len(shelf.pages),
        "count games": len(shelf.games),
        "count blocks": sum(blocks.values()),
        **{f"count {status}": blocks[status] for status in STATUSES},
        "count prose": sum(page.prose_examples for page in shelf.pages),
        "count unchecked": sum(page.unchecked_prose for page in shelf.pages),
    }
    rows = (
        f'<tr><th scope="row">{escape(shelf.words(name))}</th><td>{number}</td></tr>' for name, number in found.items()
    )
    return '<table class="rw-numbers"><tbody>\n' + "\n".join(rows) + "\n</tbody></table>"


def listed(shelf: Shelf, found: list[Remark]) -> str:
    """Page by page, each remark with a link to the heading above it."""
    if not found:
        return ""
    items = "\n".join(f"<li>{where(shelf, one)}: {escape(one.text)}</li>" for one in found)
    return f'<ul class="rw-remarks">\n{items}\n</ul>'


def where(shelf: Shelf, one: Remark) -> str:
    page, path = one.page.page, shelf.path(one.page.page)
    above = [found for found in page.headings if found.line <= one.line]
    text = page.title if not above or above[-1].text == page.title else f"{page.title} › {above[-1].text}"
    return f"{shelf.link(path, above[-1].id if above else '', text)} ({escape(shelf.words('line', number=one.line))})"


def of_code(page: CheckedPage, shelf: Shelf, wanted: Callable[[Problem], bool]) -> Iterator[Remark]:
    for problem in shelf.compiled.options.of(page.problems):
        if wanted(problem):
            yield Remark(page, problem.span.source.place(problem.span.start)[0], problem.message)


def unfinished(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    return of_code(page, shelf, is_unfinished)


def unchecked(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    for one in page.blocks:
        reason = one.block.get("skip")
        if one.status == "skipped" and reason:
            yield Remark(page, one.block.line, f"{one.block.id}: {reason.value}")
    yield from of_code(page, shelf, is_unchecked)


def wrong(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    return of_code(page, shelf, is_wrong)


def is_unfinished(problem: Problem) -> bool:
    return problem.code.startswith("unfinished-")


def is_unchecked(problem: Problem) -> bool:
    return problem.code == "prose-unchecked"


def is_wrong(problem: Problem) -> bool:
    return problem.severity != "info" and not is_unfinished(problem) and not is_unchecked(problem)


SECTIONS: dict[str, Callable[[Shelf, CheckedPage], Iterator[Remark]]] = {
    "to be finished": unfinished,
    "to be checked": unchecked,
    "to be mended": wrong,
}
