"""Tables of odds, and blocks of which only names and values are checked."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims_page import checked, printed
from games import load_shipped_rule
from rulewright.checks.model import OddsTable
from rulewright.compile.book import compile_book
from rulewright.odds.rule_odds import Odds, compute_odds

EXAMPLE = """
rule: action
rows: pool 1..10
columns: difficulty 2..10        # or 3..24 by 3; d4 d6 d8; a name alone: all its named values; outcomes
threshold: 0
show: chance of success          # or: mean degree of success; mean total; distribution of total
as: heatmap                      # table | heatmap | bars
expect: pool 5, difficulty 6 = 84.4%
""".strip()


def table(inside: str, home: str = "maelstrom") -> OddsTable:
    found = checked("odds", inside, home)
    assert found.status == "passed", printed(found.problems)
    assert found.odds
    return found.odds


def exactly(name: str, inputs: dict[str, object], outcome: str) -> Fraction | None:
    found, _ = compute_odds(load_shipped_rule(name), inputs)
    assert found
    return found.chances[outcome].exact


def test_the_example_of_the_handbook() -> None:
    found = table(EXAMPLE)
    assert (found.look, found.row_name, found.column_name) == ("heatmap", "pool", "difficulty")
    assert found.rows == tuple(map(str, range(1, 11)))
    assert found.cells[4][4] == Fraction(211, 250)
    for row, pool in zip(found.cells, range(1, 11), strict=True):
        assert row[3] == exactly("maelstrom/action", {"pool": pool, "difficulty": 5}, "success")


def test_each_outcome_is_a_column() -> None:
    found = table("rows: pool 1..5\ncolumns: outcomes\nexpect: pool 3, outcome botch = 7.6%")
    assert found.columns == ("success", "botch", "failure")
    assert all(sum(cell or 0 for cell in row) == 1 for row in found.cells)


def test_a_name_alone_means_all_named_values() -> None:
    found = table("rule: test\nrows: difficulty\ncolumns: attribute\nskill: d4", "ingenuity")
    assert found.rows[:3] == ("Easy", "Moderate", "Hard")
    assert found.columns == ("d4", "d6", "d8", "d10", "d12")
    assert found.cells[2][1] == exactly("ingenuity/test", {"attribute": 6, "skill": 4, "difficulty": 9}, "success")


def test_numbers_by_a_step() -> None:
    found = table("rule: test\nattribute: d6\nrows: difficulty 3..24 by 3", "ingenuity")
    assert found.rows == tuple(str(number) for number in range(3, 25, 3))


def test_means() -> None:
    assert table("rows: pool 5\nshow: mean degree of success\nexpect: pool 5 = 2.07").show == "degree"
    found = table("rule: check\nrows: die\nshow: mean total", "step-dice")
    whole, _ = compute_odds(load_shipped_rule("step-dice/check"), {"die": 6})
    assert isinstance(whole, Odds)
    assert found.cells[1][0] == whole.mean("total")


def test_distributions() -> None:
    found = table("rows: pool 1..3\nshow: distribution of net\nexpect: pool 1, net -1 = 10%")
    assert found.columns == ("-3", "-2", "-1", "0", "1", "2", "3")
    assert all(sum(cell or 0 for cell in row) == 1 for row in found.cells)


def test_an_endless_distribution_is_exact_up_to_what_lies_beyond() -> None:
    found = table("rule: check\nrows: code 1D..3D\nshow: distribution of total", "wild-die")
    assert found.columns[-1] == "beyond"
    assert found.cells[0][:5] == (Fraction(1, 6),) * 5
    assert all(sum(cell or 0 for cell in row) == 1 for row in found.cells)
    assert all((row[-1] or 0) < Fraction(1, 1000) for row in found.cells)


def test_a_contest() -> None:
    found = table("rule: contest\nrows: first.die\ncolumns: second.die d6 d8\nshow: chance of first", "step-dice")
    assert found.cells[1][0] == Fraction(1, 2)


def test_where_nothing_can_be_thrown_the_cell_is_empty() -> None:
    found = table("rule: check\ncode: 3D\nrows: extra -4..0\ndifficulty: Moderate", "wild-die")
    assert [row[0] is None for row in found.cells] == [True, True, False, False, False]


def test_hidden_odds_only_check_what_is_expected() -> None:
    assert checked("odds", "show: no\nexpect: pool 5 = 84.4%").status == "passed"
    assert checked("odds", "show: no\nexpect: pool 5 = 84.5%").status == "failed"


WRONG = (
    "pool: 5\nexpect: pool 5, difficulty 6 = 85%",
    "pool: 5\nexpect: pool 5 = 1 in 3",
    "pool: 5\nexpect: pool 5",
    "pool: 5\nexpect: pool 5 = often",
    "pool: 5\nexpect: pol 5 = 84%",
    "rows: pool 1..3\ncolumns: outcomes\nexpect: pool 3 = 1%",
    "rows: pool 1..3\ncolumns: outcomes\nexpect: pool 3, outcome bodge = 1%",
    "rows: 1..3",
    "rows: pol 1..3",
    "rows: pool 3..1",
    "rows: pool 1..3 by 0",
    "rows: pool 1..3\ncolumns: pool 1..3",
    "pool: 5\nrows: pool 1..3",
    "rows: pool",
    "show: chance of success",
    "pool: 5\nshow: odds",
    "pool: 5\nshow: chance of sucess",
    "pool: 5\nshow: mean degree of failure",
    "pool: 5\nshow: mean nett",
    "rows: pool 1..3\ncolumns: outcomes\nshow: chance of success",
    "rows: pool 1..3\ncolumns: difficulty\nshow: distribution of net",
    "pool: 5\nas: heatmaps",
    "pool: 5\ncolour: red",
    "rows: pool 1..3, difficulty 2..3",
    "pool: 5\ncolumns: difficulty 6, Hard",
    "rows:",
    "pool: 5\nwrong: no\nexpect: pool 5 = 84.4%",
    "pool: 5\nexpect: = 84.4%%",
)


def test_wrong_tables(golden: Callable[[str, str], None]) -> None:
    found = [checked("odds", inside) for inside in WRONG]
    assert all(one.status in ("failed", "error") for one in found)
    golden("odds_blocks/wrong.txt", "\n".join(printed(one.problems) for one in found))


@pytest.mark.parametrize(
    ("kind", "inside", "home", "status", "codes"),
    [
        ("roller", "rule: action\npool: 5\nspecialty", "maelstrom", "passed", []),
        ("roller", "rule: action\npool: 5\nspecialty: yes\nshow: line", "maelstrom", "passed", []),
        ("roller", "pol: 5", "maelstrom", "error", ["block-key"]),
        ("roller", "pool: many", "maelstrom", "error", ["block-value"]),
        ("roller", "rule: contest\nfirst.attribute: d8", "ingenuity", "passed", []),
        ("roller", "rule: contest\nattribute: d8", "ingenuity", "error", ["block-key"]),
        ("rule", "rule: willpower", "maelstrom", "passed", []),
        ("rule", "rule: wilpower", "maelstrom", "error", ["block-rule"]),
        ("rule", "rule: willpower\npool: 5", "maelstrom", "error", ["block-key"]),
        ("table", "name: Difficulty", "ingenuity", "passed", []),
        ("table", "name: dificulty", "ingenuity", "error", ["block-value"]),
        ("table", "", "ingenuity", "error", ["block-value"]),
        ("table", "game: wild-die\nname: standard difficulty\ncolumns: name", "ingenuity", "passed", []),
        (
            "table",
            "game: wild-die\nname: standard difficulty\ncolumns: name, nam",
            "ingenuity",
            "error",
            ["block-value"],
        ),
        ("table", "game: wild\nname: standard difficulty", "ingenuity", "error", ["block-game"]),
        ("table", "name: difficulty\nskip: later", "ingenuity", "skipped", []),
    ],
)
def test_plain_blocks(kind: str, inside: str, home: str, status: str, codes: list[str]) -> None:
    found = checked(kind, inside, home)
    assert (found.status, [problem.code for problem in found.problems]) == (status, codes)


KEYS = st.sampled_from(["rows", "columns", "show", "as", "expect", "pool", "rule", "aim", "name", "skip", "wrong", "x"])
VALUES = st.sampled_from(
    ["pool 1..3", "outcomes", "chance of success", "mean net", "distribution of net", "5", "pool 5 = 84%", "d4 d6", "",
     "difficulty", "action", "code 1D..3D", "1 in 6", "=", "no"]
) | st.text(max_size=12)  # fmt: skip


@given(st.lists(st.tuples(KEYS, VALUES), max_size=6), st.sampled_from(["odds", "roller", "rule", "table"]))
def test_whatever_is_written_nothing_raises(entries: list[tuple[str, str]], kind: str) -> None:
    inside = "\n".join(f"{key}: {' '.join(value.split())}" for key, value in entries)
    found = checked(kind, inside.replace("`", ""))
    assert found.status in ("passed", "failed", "error", "skipped")
    printed(found.problems)


GAME_WITH_A_FLAG = """\
```game
title = "Lanterns"

[rules.go.inputs]
lantern = { flag = true, default = false }

[rules.go.dice]
d6 = { count = "if(lantern, 2, 1)", sides = 6 }

[rules.go.steps]
best = "highest(d6)"

[rules.go.outcomes]
success = { when = "best >= 5" }
failure = {}
```
"""


@pytest.mark.parametrize("columns", ["lantern no, yes", "lantern: no, yes"])
def test_columns_of_a_flag_may_name_its_values(columns: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{GAME_WITH_A_FLAG}\n```odds\ncolumns: {columns}\nshow: chance of success\n```\n", "utf-8")
    problems = compile_book([page], tmp_path).problems
    assert not problems
    page.write_text(page.read_text("utf-8").replace(columns, "lantern"), "utf-8")
    assert not compile_book([page], tmp_path).problems


EVEN = """\
title = "Even"
[rules.r.inputs]
pool = { min = 1, max = 9 }
[rules.r.dice]
d10 = { count = "pool", sides = 10 }
[rules.r.steps]
fine = "count(d10: face >= 4)"
[rules.r.outcomes]
success = { when = "fine >= 1" }
failure = {}
"""
WAYS = {  # every way to state a chance, with the code of its problem
    "```odds\nrows: pool 1..5\nshow: chance of success\nexpect: pool {pool} = {number}\n```": "odds-expect",
    "```claim\nchance(success; pool {pool}) ~ {number}\n```": "claim-false",
    "```claim\n{number} ~ chance(success; pool {pool})\n```": "claim-false",
    "[{number}](chance:success?pool={pool})": "link-chance",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("pool", "number", "note"),
    [  # a pool of 1 succeeds in 70%, one of 4 in 99.19%, one of 5 in 99.757%
        (1, "1", "without a percent sign this is 100%"),
        (1, "0", "without a percent sign this is 0%"),
        (1, "70", "did you mean 70%?"),
        (4, "1", "without a percent sign this is 100%"),
        (5, "1", None),
        (1, "70%", None),
        (1, "0.7", None),
        (4, "0.99", None),
        (4, "1.0", None),  # one decimal is written, and it is right
    ],
)
def test_a_chance_without_a_percent_sign(
    way: str, pool: int, number: str, note: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that rounds to 1 is no certainty: it is asked about if it is off by more than half a percent."""
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text(EVEN, "utf-8")
    Path("a.md").write_text(f"# A\n\n{way.format(pool=pool, number=number)}\n", "utf-8")
    problems = compile_book([tmp_path], tmp_path).problems
    assert [problem.code for problem in problems] == ([WAYS[way]] if note else [])
    assert all(note in problem.notes and problem.fix is None for problem in problems)


def test_a_mean_without_decimals_is_rounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text(EVEN, "utf-8")
    Path("a.md").write_text("# A\n\n```claim\nmean(fine; pool 1) ~ 1\n```\n", "utf-8")
    assert not compile_book([tmp_path], tmp_path).problems
