"""A made-up book without mistakes (clean_book.py): no lint may report anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clean_book import page, write_book
from rulewright.compile.book import compile_book
from rulewright.lint.registry import load_checks
from rulewright.render.reports import format_problems

PAGES, WORDS = 60, 900


@pytest.mark.parametrize("seed", [1])
def test_a_clean_book_is_clean(tmp_path: Path, seed: int) -> None:
    write_book(tmp_path, PAGES, WORDS, seed)
    compiled = compile_book([tmp_path], tmp_path)
    told = [problem for page in compiled.pages for problem in page.problems]
    assert not told, format_problems(told[:20])
    assert len(compiled.pages) == PAGES
    assert {check.noun for check in load_checks() if check.noun} <= set(compiled.checked_counts)
    assert compiled.checked_counts["links"] > PAGES


def test_the_same_seed_makes_the_same_book() -> None:
    assert page(3, 7, 10, 200) == page(3, 7, 10, 200) != page(4, 7, 10, 200)


SLIPS = {  # what is changed in the first place that looks so, and what is said then
    "rollable-overlap": (r"(?<=\n\| )9(?= \| \w+ \| 10 \|)", "8"),
    "rollable-gap": (r"\n\| 31–3\d \|[^\n]*", ""),
    "percentages-sum": (r"(?<=\n\| 2 \| )\d+(?=(\.\d)?% )", "97"),
    "average-wrong": (r"(?<=Hit Points )\d+", "999"),
    "sum-wrong": (r"(?<=her skill: )\d+", "77"),
    "die-face": (r"(?<=Oda rolls \dd\d and gets )\d+", "13"),
    "die-count": (r"(?<=Oda rolls )\d(?=d\d)", "1"),
    "unfinished-section": (r"\n(?=\n## \w+ \d+-3\n)", "\n## Lamps\n\n<!-- ask about wicks -->\n"),
    "unfinished-mark": (r"(?<=[a-z])\.(?= See \[)", " (TBD)."),
    "residue-letter": (r"(?<=[a-z]\. )See(?= \[)", "It ﬂoats. See"),
    "residue-line": (r"\n(\w[^\n|]{100,}[a-z]) (?=[a-z]+ [a-z]+\.)", r"\n\1\n\n37\n\n"),
    "markup-emphasis": (r"(?<=[a-z]\. )See(?= \[)", "**See"),
    "repeated-paragraph": (r"\n\n(\w[^\n|]{120,})(?=\n\n)", r"\n\n\1\n\n\1"),
    "link-missing": (r"(?<=\]\(chapter-\d\.md#chapter)-", "_"),
}


@pytest.mark.parametrize("code", SLIPS)
def test_one_slip_is_found(tmp_path: Path, code: str) -> None:
    """Nothing else is said of the whole book."""
    write_book(tmp_path, 20, 500)
    pattern, new = SLIPS[code]
    file = next(file for file in sorted(tmp_path.iterdir()) if re.search(pattern, file.read_text("utf-8")))
    file.write_text(re.sub(pattern, new, file.read_text("utf-8"), count=1), "utf-8")
    told = compile_book([file], tmp_path).problems
    assert [problem.code for problem in told] == [code], format_problems(told)
