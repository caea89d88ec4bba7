"""A page of a large book needs no more memory than a page of a small one."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

from rulewright.compile.book import compile_book
from small_book import BLOCK, write


def page(number: int) -> str:
    story = "The coins roll over the table, and nobody looks away before the last has come to rest. "
    return "".join(f"# Part {part} of {number}\n\n{story * 3}\n\n{BLOCK}\n" for part in range(3))


def held(folder: Path) -> int:
    """The bytes that a compiled book holds on to."""
    gc.collect()
    tracemalloc.start()
    compiled = compile_book([folder], folder)
    gc.collect()  # or it depends on other tests how much of what is counted is garbage
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert compiled.pages
    return held


def test_each_page_takes_the_same_memory(tmp_path: Path) -> None:
    sizes = {}
    for pages in (5, 10, 20, 50):  # the first only so that everything is imported
        folder = tmp_path / str(pages)
        folder.mkdir()
        write(folder, {f"page-{number}.md": page(number) for number in range(pages)})
        sizes[pages] = held(folder)
    early, late = (sizes[20] - sizes[10]) / 10, (sizes[50] - sizes[20]) / 30
    assert late < 1.1 * early
