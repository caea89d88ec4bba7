"""Tables of a game that are written in a page: prose, examples and rules use the same cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.compile.game_tables import open_game
from rulewright.compile.watch import BookWatcher
from rulewright.game.load_table import PageCell, parse_cells, parse_page_range
from rulewright.game.model import Table
from rulewright.render.reports import format_problems
from rulewright.source import Problem, Source, Span

GAME = """\
title = "Hits"

[tables.armour]
page    = "equipment.md"
heading = "Armour"

[tables.wounds]
page    = "equipment.md"
heading = "Wounds"
columns = ["penalty", "word"]

[rules.hit.inputs]
damage = { min = 0, max = 99 }
worn   = { choice = ["none", "light", "Heavy plate"], default = "none" }

[rules.hit.steps]
lost    = "max(damage - lookup(armour, worn, 'Damage reduction'), 0)"
penalty = "if(lost = 0, 0, lookup(wounds, lost, penalty))"
word    = "lookup(wounds, lost, word)"

[rules.hit.outcomes]
hurt = { when = "penalty < 0", degree = "-penalty" }
fine = {}
"""
PAGE = """\
# Equipment

## Armour

| Armour          | Damage reduction | Noise  |
| --------------- | ---------------: | ------ |
| None            | 0                | silent |
| Light           | 2                | quiet  |
| **Heavy** plate | 4                | loud   |

Light armour takes [2](value:armour?row=Light&column=Damage+reduction).

```example
damage: 7
worn: light
lost: 5
word: deep

then:
worn: heavy plate
damage: 5
lost: 1
outcome: hurt
degree: 1
```

```table
name: armour
columns: Noise
```

## Wounds

| Points | Penalty |        |
| ------ | ------- | ------ |
| < 1    | 0D      | none   |
| 1–4    | −1D     | light  |
| 5–9    | −2D     | deep   |
| 10+    | −5D     | deadly |
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.toml").write_text(GAME, "utf-8")
    (tmp_path / "equipment.md").write_text(PAGE, "utf-8")
    return tmp_path


def spoil(book: Path, name: str, before: str, after: str) -> None:
    content = (book / name).read_text("utf-8")
    assert before in content
    (book / name).write_text(content.replace(before, after), "utf-8")


def problems(book: Path) -> list[Problem]:
    return compile_book([book], book).problems


def table(book: Path, name: str) -> Table:
    game, found = open_game(book / "game.toml", "game.toml")
    assert game, format_problems(found)
    return game.tables[name]


def test_the_book_is_right(book: Path) -> None:
    assert format_problems(problems(book)) == ""


def test_what_is_read(book: Path) -> None:
    armour, wounds = table(book, "armour"), table(book, "wounds")
    assert armour.columns == ("Damage reduction", "Noise")
    assert armour.rows == {"None": (0, "silent"), "Light": (2, "quiet"), "Heavy plate": (4, "loud")}
    assert wounds.columns == ("penalty", "word")
    ranges = ((None, 0, (0, "none")), (1, 4, (-1, "light")), (5, 9, (-2, "deep")), (10, None, (-5, "deadly")))
    assert wounds.ranges == ranges
    span = armour.cell_spans[2][0]
    assert (span.source.path, span.source.position(span.start), span.text) == ("equipment.md", (9, 21), "4")


def test_a_changed_cell_fails_what_rests_on_it(book: Path, golden: Callable[[str, str], None]) -> None:
    spoil(book, "equipment.md", "| Light           | 2 ", "| Light           | 3 ")
    spoil(book, "equipment.md", "| −1D     | light", "| −2D     | light")
    golden("page_tables/changed.txt", format_problems(problems(book)) + "\n")


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        ("game.toml", '"equipment.md"\nheading = "A', '"equipmnt.md"\nheading = "A', "there is no such page"),
        ("game.toml", '"Armour"', '"Armor"', "no table below the heading \"Armor\"; did you mean Armour?"),
        ("game.toml", 'heading = "Armour"\n', "", "there are 2 tables on this page; name one by its heading"),
        ("game.toml", 'page    = "equipment.md"\nheading = "A', 'heading = "A', "say which page has this heading"),
        ("game.toml", '["penalty", "word"]', '["penalty"]', "columns named here: 1; after the first of the page: 2"),
        ("game.toml", 'heading = "Armour"\n', 'heading = "Armour"\nrows = { a = 1 }\n', "takes its rows from a page"),
        ("equipment.md", "| Light  ", "| none   ", "\"None\" already names a row"),
        ("equipment.md", "| Light  ", "| None   ", "the row \"None\" appears twice"),
        ("equipment.md", "| Light  ", "| Lihgt  ", "has no row \"light\"; did you mean Lihgt?"),
        ("equipment.md", "| 2      ", "| two    ", "a column holds one or the other"),
        ("equipment.md", "| 5–9 ", "| 6–9 ", "the table wounds says nothing for 5"),
        ("equipment.md", "Damage reduction |", "Damage reducton |", "did you mean Damage reducton?"),
    ],
)  # fmt: skip
def test_what_is_said(book: Path, file: str, before: str, after: str, message: str) -> None:
    spoil(book, file, before, after)
    assert message in format_problems(problems(book))


def test_a_problem_of_a_cell_stands_in_the_page(book: Path) -> None:
    spoil(book, "equipment.md", "| 5–9 ", "| 4–9 ")
    first = problems(book)[0]
    line = first.span.source.position(first.span.start)[0]
    assert (first.code, first.span.source.path, line, first.span.text) == ("table", "equipment.md", 38, "4–9")


def test_a_game_in_a_page_has_its_tables_there(book: Path) -> None:
    game = GAME.replace('page    = "equipment.md"\n', "")
    (book / "game.toml").unlink()
    (book / "equipment.md").write_text(f"```game\n{game}```\n\n{PAGE}", "utf-8")
    assert format_problems(problems(book)) == ""
    spoil(book, "equipment.md", 'heading = "Wounds"', 'page = "equipment.md"')
    assert "leave page out" in format_problems(problems(book))


def test_a_game_that_extends_another_has_its_tables_too(book: Path) -> None:
    (book / "own").mkdir()
    (book / "own" / "game.toml").write_text('title = "Own"\nextends = ".."\n', "utf-8")
    assert format_problems(problems(book)) == ""
    game, _ = open_game(book / "own" / "game.toml", "own/game.toml")
    assert game
    assert game.tables["armour"].cell_spans[0][0].source.path == "equipment.md"


@pytest.mark.usefixtures("book")
def test_rolling_looks_into_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", "hit", "damage=7", "worn=light"]) == 0
    assert "hurt, degree 2" in capsys.readouterr().out


def test_a_page_that_changes_is_noticed(book: Path) -> None:
    watching = BookWatcher([book], book)
    watching.update()
    assert not watching.compiled.problems
    spoil(book, "equipment.md", "| Light           | 2 ", "| Light           | 3 ")
    assert watching.update()
    assert [one.code for one in watching.compiled.problems] == [one.code for one in problems(book)] != []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1-5", "1..5"), ("1–5", "1..5"), ("1 to 5", "1..5"), ("66..99", "66..99"), ("99%-66%", "66..99"), ("7", "7"),
        ("> 40", "41.."), ("≥ 40", "40.."), (">=40", "40.."), ("41+", "41.."), ("41..", "41.."), ("< 0", "..-1"),
        ("≤ 0", "..0"), ("up to 3", "..3"), ("+6–10", "6..10"), ("−5–−1", "-5..-1"), ("1,000 and more", "1000.."),
        ("Light", ""), ("2d6", ""), ("", ""), ("1–", ""), ("5 or so", ""),
    ],
)  # fmt: skip
def test_ranges(written: str, meant: str) -> None:
    assert parse_page_range(written) == meant


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", " 20 ", "−3"], [1, 20, -3]),
        (["20 lbs", "1,000 lbs"], [20, 1000]),
        (["-1D", "-3D"], [-1, -3]),
        (["1 lb", "2 lbs"], ["1 lb", "2 lbs"]),
        (["1", "2", "–"], [1, 2, "–"]),
        (["1", "–"], ["1", "–"]),
        (["2d6", "3"], ["2d6", "3"]),
        ([], []),
    ],
)
def test_cells(cells: list[str], values: list[int | str]) -> None:
    nowhere = Span(Source("a.md", ""), 0, 0)
    assert parse_cells([PageCell(cell, nowhere) for cell in cells]) == values
