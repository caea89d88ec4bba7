"""A made-up book in which everything is right: nothing may be said about it. What is right is made in clean_book.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from clean_book import page, write_book
from rulewright.checks.reading.all import CHECKS
from rulewright.compile.books import compile_book
from rulewright.publish.reports import text

PAGES, WORDS = 200, 900


@pytest.mark.parametrize("seed", [1])
def test_a_clean_book_is_clean(tmp_path: Path, seed: int) -> None:
    write_book(tmp_path, PAGES, WORDS, seed)
    compiled = compile_book([tmp_path], tmp_path)
    told = [problem for page in compiled.pages for problem in page.problems]
    assert not told, text(told[:20])
    assert len(compiled.pages) == PAGES
    assert {check.things for check in CHECKS} <= set(compiled.looked)
    assert compiled.looked["links"] > PAGES


def test_the_same_seed_makes_the_same_book() -> None:
    assert page(3, 7, 10, 200) == page(3, 7, 10, 200) != page(4, 7, 10, 200)
