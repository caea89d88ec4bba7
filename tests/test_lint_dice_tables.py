"""Random tables with dice, then damaged: compared with plain counting and with the original table."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.parser import read_page
from rulewright.compile.fixes import apply_fixes
from rulewright.lint.dice_coverage import compute_coverage
from rulewright.lint.dice_results import find_dice_tables, parse_header, parse_results
from rulewright.lint.interface import LintContext
from rulewright.lint.rollable import CHECK
from rulewright.source import Problem, Source

DICE = ("d6", "d8", "d10", "1d12", "d20", "d100", "2d6", "3d6", "d66")
Row = tuple[int, int]


class Made:
    """A right table: its die, its rows, and how they are written."""

    def __init__(self, seed: int, most: int = 9) -> None:
        self.random = Random(seed)
        self.name = self.random.choice(DICE)
        die = parse_header(self.name)
        assert die
        self.results = die.results
        places = range(1, len(self.results))
        cuts = sorted(self.random.sample(places, self.random.randint(4, min(most, len(places)))))
        edges = zip([0, *cuts], [*cuts, len(self.results)], strict=True)
        self.rows = [(self.results[first], self.results[last - 1]) for first, last in edges]
        self.dash = self.random.choice(["-", "–", " to "])
        self.falls = self.random.random() < 0.2
        self.width = 2 if self.name == "d100" and self.random.random() < 0.7 else 0

    def written(self, row: Row) -> str:
        return self.dash.join(str(end).zfill(self.width) for end in dict.fromkeys(row))

    def table(self, texts: list[str]) -> str:
        rows = [f"| {text} | Fine |" for text in texts]
        return "\n".join([f"| {self.name} | Which |", "|---|---|", *(reversed(rows) if self.falls else rows), ""])

    @property
    def texts(self) -> list[str]:
        return [self.written(row) for row in self.rows]


def told(text: str) -> list[Problem]:
    return list(CHECK.check_page(LintContext(read_page(Source("page.md", text)))).problems)


@pytest.mark.parametrize("seed", range(60))
def test_right_tables_are_right(seed: int) -> None:
    made = Made(seed)
    assert not told(made.table(made.texts))


@pytest.mark.parametrize("seed", range(60))
def test_a_row_that_is_gone_is_missed(seed: int) -> None:
    made = Made(seed)
    gone = made.random.randrange(len(made.rows))
    lost = sum(made.rows[gone][0] <= result <= made.rows[gone][1] for result in made.results)
    found = told(made.table(made.texts[:gone] + made.texts[gone + 1 :]))
    if 3 * lost >= len(made.results):
        assert not found  # so much is missing that it may be something else
    else:
        assert [problem.code for problem in found] == ["rollable-gap"]
        assert made.written(made.rows[gone]).replace(" to ", "–") in found[0].message.replace(" to ", "–")


@pytest.mark.parametrize("seed", range(200))
def test_a_fix_brings_back_what_was_there(seed: int) -> None:
    """Whatever is done to one row: either nobody claims to know better, or the fix is the row as it was."""
    made = Made(seed)
    number = made.random.randrange(len(made.rows))
    low, high = made.rows[number]
    spoiled = made.random.choice(
        [
            made.texts[number - 1],
            made.written((high, low)) + "0",
            made.written((low, max(high - 1, low))),
            made.written((low, high + made.random.randint(1, 9))),
            made.written((low - made.random.randint(1, 5), high)),
            made.texts[number].replace("1", "l", 1),
            made.texts[number][::-1],
        ]
    )
    before, after = made.table(made.texts), made.table([*made.texts[:number], spoiled, *made.texts[number + 1 :]])
    found = told(after)
    if any(problem.fix for problem in found):
        assert bare(apply_fixes(Source("page.md", after), found).text) == bare(before)


def bare(text: str) -> str:
    """Without zeros that only make numbers longer."""
    return re.sub(r"\b0+(?=[1-9])", "", text)


@given(st.sampled_from(DICE), st.lists(st.tuples(st.integers(-2, 110), st.integers(0, 40)), min_size=3, max_size=12))
def test_what_is_lacking_and_doubled_is_counted(name: str, rows: list[tuple[int, int]]) -> None:
    """The same as looking at each result of the die by itself."""
    die = parse_header(name)
    assert die
    texts = [f"{low}–{low + more}" if more else f"{low}" for low, more in rows]
    body = "".join(f"| {text} | x |\n" for text in texts)
    one = find_dice_tables(LintContext(read_page(Source("page.md", f"| {name} | x |\n|---|---|\n{body}"))).tables)[0]
    found = compute_coverage(die, one.entries)
    assert found
    counts = Counter(result for low, more in rows for result in range(low, low + more + 1))
    if 0 in counts and die.zero_is_highest:
        return
    assert found.missing == tuple(result for result in die.results if not counts[result])
    if found.missing:
        assert found.doubled == tuple(result for result in die.results if counts[result] > 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", [(7, 7, "")]),
        ("01–05", [(1, 5, "")]),
        ("96-00", [(96, 0, "")]),
        ("3 to 4", [(3, 4, "")]),
        ("20+", [(20, 20, "+")]),
        ("9 or more", [(9, 9, "+")]),
        ("≥ 12", [(12, 12, "+")]),
        ("1 or less", [(1, 1, "-")]),
        ("up to 4", [(4, 4, "-")]),
        ("2-", [(2, 2, "?")]),
        ("−2", [(-2, -2, "")]),
        ("−1 to +1", [(-1, 1, "")]),
        ("2, 12", [(2, 2, ""), (12, 12, "")]),
        ("1–2 or 5", [(1, 2, ""), (5, 5, "")]),
        ("5.", [(5, 5, "")]),
        ("8*", [(8, 8, "")]),
        ("1d6", []),
        ("five", []),
        ("", []),
        ("1 gp", []),
        ("3–4–5", []),
        ("2 or 3 or more", []),
        ("1" * 60, []),
    ],
)
def test_cells(text: str, said: list[tuple[int, int, str]]) -> None:
    assert [tuple(one) for one in parse_results(text)] == said


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("d6", (1, 6)),
        ("1D20", (1, 20)),
        ("d%", (1, 100)),
        ("2d6", (2, 12)),
        ("d66", (11, 66)),
        ("d666", (111, 666)),
        ("d88", (11, 88)),
        ("W6", (1, 6)),
        ("4dF", (-4, 4)),
        ("d6+1", (2, 7)),
        ("Roll (d12)", (1, 12)),
        ("Die roll: 1d8", (1, 8)),
        ("d20 roll", (1, 20)),
    ],
)
def test_dice_in_headers(text: str, ends: tuple[int, int]) -> None:
    die = parse_header(text)
    assert die
    assert (die.results[0], die.results[-1]) == ends


@pytest.mark.parametrize(
    "text", ["d6 damage", "d00", "0d6", "d1", "d36", "1d8 per level", "Die", "d", "6", "Level", ""]
)
def test_no_dice_in_headers(text: str) -> None:
    assert parse_header(text) is None
