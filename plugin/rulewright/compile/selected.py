"""Narrows a compiled book to the blocks named by `--only` and their problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..book.page import Block
from ..source import Problem, nearest
from .book import CheckedPage, Compiled


class UnknownBlockError(Exception):
    """No page has a block of this id."""


def only(compiled: Compiled, ids: Sequence[str]) -> Compiled:
    """The book with only the given blocks; unchanged if no ids are given."""
    if not ids:
        return compiled
    pages = (part(page, ids) for page in compiled.pages)
    games, options = replace(compiled.games, problems=()), replace(compiled.options, problems=())
    found = tuple(page for page in pages if page.blocks)
    return replace(compiled, games=games, options=options, pages=found, characters=(), refused=())


def part(page: CheckedPage, ids: Sequence[str]) -> CheckedPage:
    blocks = tuple(one for one in page.blocks if is_asked(one.block, page, ids))
    problems = tuple(one for one in page.problems if any(is_about(one, checked.block) for checked in blocks))
    return replace(page, blocks=blocks, problems=problems, prose_examples=0, unchecked_prose=0, looked={})


def is_asked(block: Block, page: CheckedPage, ids: Iterable[str]) -> bool:
    return any(name in (block.id, f"{page.page.source.path}::{block.id}") for name in map(tidy, ids))


def tidy(name: str) -> str:
    """Drop a leading `./` from `./page.md::id`."""
    return name.removeprefix("./")


def is_about(problem: Problem, block: Block) -> bool:
    """Whether a problem is in a block, or in prose that contradicts it."""
    inside = block.span.start <= problem.span.start and problem.span.end <= block.span.end
    return inside or problem.trail == (*block.trail, block.id)


def check_ids(compiled: Compiled, ids: Iterable[str]) -> None:
    """Raise an error for the first id that no block has."""
    for name in ids:
        if not any(is_asked(one.block, page, [name]) for page in compiled.pages for one in page.blocks):
            names = list(known(compiled, full="::" in name))
            near = next((one for one in names if one.endswith(f"/{tidy(name)}")), None) or nearest(tidy(name), names)
            raise UnknownBlockError(f"there is no block «{name}»" + (f"; did you mean {near}?" if near else ""))


def known(compiled: Compiled, full: bool) -> Iterator[str]:
    for page in compiled.pages:
        for one in page.blocks:
            yield f"{page.page.source.path}::{one.block.id}" if full else one.block.id
