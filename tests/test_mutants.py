"""`rulewright coverage --mutate`: every verdict is that of a full check of the changed files."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.mutants import Mutant, find_mutants, try_mutants
from rulewright.compile.watch import BookWatcher
from rulewright.prose.number_words import next_number

GAME = """
title = "Coast"

[traits.attributes]
names = ["Brawn", "Nerve"]
range = "0..5"

[tables.difficulty]
Easy = 6
Hard = 12

[tables.wounds]
columns = ["dice"]
ranges = { "0..5" = 0, "6.." = -1 }

[rules.test]
label = "Test"

[rules.test.inputs]
bonus = { label = "Bonus", min = 0, max = 5, default = 0 }
difficulty = { label = "Difficulty", min = 2, max = 20, default = 9, names = "difficulty" }

[rules.test.dice]
pair = { count = 2, sides = 6 }

[rules.test.steps]
total = "sum(pair) + bonus + 1"

[rules.test.outcomes]
success = { when = "total >= difficulty" }
failure = {}

[rules.time]
label = "Time"
inputs.rounds = { label = "Rounds", min = 0, max = 999 }
steps.seconds = "6 * rounds"
outcomes.late = { when = "seconds > 60", says = "Too late after {seconds} seconds." }
outcomes.early = {}

[rules.opposed]
label = "Opposed"
contest = { of = "test", compare = "total", ties = "again" }
"""
PAGE = """# Tests

The difficulty is 9 unless the GM says otherwise. A round has six seconds. On page 3 there are 7 torches.
The average of 2d6 is 7. The chance of [41.7 %](chance:success?rule=test&difficulty=9) counts.

```example
rule: test
bonus: 2
dice: 4, 3
total: 10
outcome: success
```

## Time

```claim
rule: test
chance(success) = 5/12
```
"""
OTHER = "# Other\n\nA round has six seconds.\n\n```odds\nrule: test\nrows: difficulty 8..10\n```\n"
EXTENDED = 'title = "Inland"\nextends = ".."\n'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with two pages, and a game that extends the other with a page of its own."""
    (tmp_path / "inland").mkdir()
    for name, text in (
        ("game.toml", GAME), ("page.md", PAGE), ("other.md", OTHER), ("inland/game.toml", EXTENDED),
        ("inland/page.md", "# Inland\n\nThe difficulty is 9.\n\n```example\nrule: time\nrounds: 3\nseconds: 18\n```\n"),
    ):  # fmt: skip
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def watch(folder: Path) -> BookWatcher:
    watcher = BookWatcher([folder], folder)
    watcher.update()
    return watcher


def count_problems(compiled: CompiledBook) -> Counter[tuple[str, str, int]]:
    return Counter((one.code, one.path, one.line) for one in compiled.problems if one.severity != "info")


def is_noticed_on_disk(folder: Path, mutant: Mutant, before: Counter[tuple[str, str, int]]) -> bool:
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    (copy / mutant.file.relative_to(folder)).write_text(mutant.text, "utf-8")
    after = count_problems(compile_book([copy], copy))
    shutil.rmtree(copy)
    return bool(after - before)


def test_verdicts_are_those_of_a_full_check(book: Path) -> None:
    watcher = watch(book)
    assert not watcher.compiled.problems
    mutants = find_mutants(watcher)
    verdicts = list(try_mutants(watcher, mutants[:4])) + list(try_mutants(watcher, mutants[4:]))
    assert verdicts == [is_noticed_on_disk(book, mutant, Counter()) for mutant in mutants]
    assert {True, False} == set(verdicts)
    constants = [mutant.span.text for mutant in mutants if mutant.is_constant]
    assert " ".join(constants) == "0 5 6 12 0 5 0 6 1 0 9 2 6 1 6 60"  # no limit of an input


def test_limits_of_inputs_count_where_a_page_states_them(book: Path) -> None:
    page = PAGE.replace("The difficulty is 9 unless", "The difficulty lies between 2 and 20. It is 9 unless")
    (book / "page.md").write_text(page, "utf-8")
    watcher = watch(book)
    assert not watcher.compiled.problems
    mutants = [mutant for mutant in find_mutants(watcher) if mutant.is_constant]
    assert " ".join(mutant.span.text for mutant in mutants) == "0 5 6 12 0 5 0 6 1 0 2 20 9 2 6 1 6 60"
    verdicts = dict(zip(mutants, try_mutants(watcher, mutants), strict=True))
    assert [verdicts[mutant] for mutant in mutants if mutant.span.text in ("2", "20")][:2] == [True, True]


def test_a_game_in_a_page_and_its_table_are_changed(tmp_path: Path) -> None:
    game = GAME.split("[tables.difficulty]")[0] + '[tables.prices]\nheading = "Prices"\n' + GAME.split("Hard = 12")[1]
    game = game.replace(', names = "difficulty"', "")
    table = "## Prices\n\n| thing | coins |\n| --- | --- |\n| rope | 4 |\n"
    page = PAGE.replace("## Time", f"```game\n{game}\n```\n\n{table}\n## Time").replace("## Time", "## Time\n\n---")
    (tmp_path / "page.md").write_text(page, "utf-8")
    watcher = watch(tmp_path)
    assert not watcher.compiled.problems
    mutants = find_mutants(watcher)
    assert {mutant.is_constant for mutant in mutants} == {True, False}
    found = list(try_mutants(watcher, mutants))
    assert found == [is_noticed_on_disk(tmp_path, mutant, Counter()) for mutant in mutants]


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("5", "6"), ("9", "10"), ("1,999", "2,000"), ("9,999", "10,000"), ("41.7", "41.8"), ("9.9", "10.0"),
        ("five", "six"), ("Five", "Six"), ("twelve", "thirteen"), ("twenty", "twenty-one"),
        ("thirty-one", "thirty-two"),
        ("ninety-nine", "100"), ("drei", "vier"), ("zwanzig", "21"), ("1_000", "1_001"), ("00", "01"),
    ],
)  # fmt: skip
def test_next_number(text: str, becomes: str) -> None:
    assert next_number(text) == becomes


def test_the_report(book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(book)
    assert main(["coverage", "--mutate"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert 'game.toml:14:21: 0 becomes 1  ranges = { "0..5" = 0, "6.." = -1 }' in lines
    assert last.endswith("numbers in the text")
    assert "changes noticed: " in last
    assert main(["coverage", "--mutate", "--format", "json", "--fail-under", "100"]) == 1
    whole = json.loads(capsys.readouterr().out)
    assert [entry["noticed"] for entry in whole["changes"]].count(False) == len(lines)
    assert main(["coverage", "--mutate", "--sample", "5", "--format", "json"]) == 0
    sample = json.loads(capsys.readouterr().out)
    assert sample["summary"]["changes"] == 5
    assert [entry for entry in whole["changes"] if entry in sample["changes"]] == sample["changes"]


@pytest.mark.parametrize("words", ["--sample 5", "--mutate --sample 0", "--mutate --badge b.svg"])
def test_options_that_do_not_fit(book: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book)
    assert main(["coverage", *words.split()]) == 2
