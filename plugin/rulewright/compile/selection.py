"""Narrows a compiled book to the blocks named by `--only` and their problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..book.page import Block
from ..source import Problem, find_similar
from .book import CheckedPage, CompiledBook
from .books import Compiled


class UnknownBlockError(Exception):
    """No page has a block of this id."""


def select_blocks(compiled: CompiledBook, ids: Sequence[str]) -> CompiledBook:
    """The book with only the given blocks; unchanged if no ids are given."""
    if not ids:
        return compiled
    pages = (_select_from_page(page, ids) for page in compiled.pages)
    games, options = replace(compiled.games, problems=()), replace(compiled.options, problems=())
    selected = tuple(page for page in pages if page.blocks)
    return replace(compiled, games=games, options=options, pages=selected, characters=(), refused=(), is_whole=False)


def _select_from_page(page: CheckedPage, ids: Sequence[str]) -> CheckedPage:
    blocks = tuple(item for item in page.blocks if _is_selected(item.block, page, ids))
    problems = tuple(item for item in page.problems if any(is_about(item, checked.block) for checked in blocks))
    return replace(
        page, blocks=blocks, problems=problems, prose_examples=0, unchecked_examples=0, coverage=(), checked_counts={}
    )


def _is_selected(block: Block, page: CheckedPage, ids: Iterable[str]) -> bool:
    return any(name in (block.id, f"{page.page.source.path}::{block.id}") for name in map(_normalize_id, ids))


def _normalize_id(name: str) -> str:
    r"""Write `./page.md::id` and `.\page.md::id` as `page.md::id`."""
    path, colons, block = name.rpartition("::")
    return path.replace("\\", "/").removeprefix("./") + colons + block.removeprefix("" if colons else "./")


def is_about(problem: Problem, block: Block) -> bool:
    """Whether a problem is in a block, or in prose that contradicts it."""
    inside = block.span.start <= problem.span.start and problem.span.end <= block.span.end
    return inside or problem.trail == (*block.trail, block.id)


def check_ids(compiled: Compiled, ids: Iterable[str]) -> None:
    """Raise an error for the first id that no block has."""
    for name in ids:
        if not any(_is_selected(checked.block, page, [name]) for page in compiled.pages for checked in page.blocks):
            names = list(_block_ids(compiled, full="::" in name))
            near = next(
                (checked for checked in names if checked.endswith(f"/{_normalize_id(name)}")), None
            ) or find_similar(_normalize_id(name), names)
            raise UnknownBlockError(f'there is no block "{name}"' + (f"; did you mean {near}?" if near else ""))


def _block_ids(compiled: Compiled, full: bool) -> Iterator[str]:
    for page in compiled.pages:
        for checked in page.blocks:
            yield f"{page.page.source.path}::{checked.block.id}" if full else checked.block.id
