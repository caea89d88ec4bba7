"""Editions that are large, odd or alike: answers come soon, and nothing is taken for something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from call_counts import hang_guard
from example_counts import sample, scale_examples
from games import made_game
from rulewright.cli import main
from rulewright.diff.compare import Change, compare_entities, drop_moves
from rulewright.diff.diff import EditionDiff, diff_editions
from rulewright.diff.edition import Edition, read_edition
from rulewright.diff.entities import game_entity
from rulewright.diff.headings import HeadingChange
from rulewright.diff.renames import best_pairs


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def side(folder: Path, pages: dict[str, str]) -> Edition:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    folder.mkdir(exist_ok=True)
    return read_edition(folder.name, folder, folder.parent)


def editions(tmp_path: Path, old: dict[str, str], new: dict[str, str]) -> EditionDiff:
    return diff_editions(side(tmp_path / "old", old), side(tmp_path / "new", new))


def ways(found: EditionDiff) -> list[tuple[str, str, str]]:
    return [(one.way, one.old_text, one.new_text) for one in found.headings]


def change(old: str, new: str) -> Change | None:
    return compare_entities(game_entity(made_game(old)), game_entity(made_game(new)))


def told(found: Change | None) -> list[tuple[str, str, str, str]]:
    """Every thing that has changed: what it is, how, what it was called and what it is called."""
    if found is None:
        return []
    own = [(found.part, found.way, found.name, found.new_name)]
    return [*own, *(one for inner in found.children for one in told(inner))]


def section(number: int) -> str:
    return f"## Part {number}\n\nThe {number}th part tells of {number * 7919} lamps and of {number * 104729} oars.\n\n"


def test_a_thousand_headings_with_other_names(tmp_path: Path) -> None:
    old = "# Book\n\n" + "".join(map(section, range(1000)))
    new = old.replace("## Part ", "## Chapter ")
    with hang_guard():
        found = editions(tmp_path, {"a.md": old}, {"b.md": new})
    assert {way for way, _, _ in ways(found)} == {"both", "moved"}
    assert len(found.headings) == 1001
    assert found.moved_targets[["a.md", "part-7"][0], "part-7"] == ("b.md", "chapter-7")
    assert found.moved_targets["a.md", ""] == ("b.md", "")


def test_a_thousand_headings_that_are_all_alike(tmp_path: Path) -> None:
    text = "# Book\n\n" + "## Example\n\nRoll the dice.\n\n" * 1000
    with hang_guard():
        found = editions(tmp_path, {"a.md": text}, {"b.md": text + "## Example\n\nRoll the dice again.\n"})
    assert len(found.headings) >= 1001


def test_what_is_called_alike_is_told_apart_by_what_stands_below(tmp_path: Path) -> None:
    one = "Lanterns burn for an hour, and then somebody has to fetch more oil from the cellar.\n\n"
    other = "Oars are made of ash, because ash bends, and nothing that bends breaks on the first day.\n\n"
    old = {"a.md": f"# A\n\n## More\n\n{one}", "b.md": f"# B\n\n## More\n\n{other}"}
    new = {"a.md": f"# A\n\n## More\n\n{other}", "b.md": f"# B\n\n## More\n\n{one}", "c.md": "# C\n"}
    assert ("added", "", "C") in ways(editions(tmp_path, old, new))


def test_sections_that_change_places_stay_what_they_are(tmp_path: Path) -> None:
    old = "# A\n\n" + section(1) + section(2) + section(3)
    new = "# A\n\n" + section(3) + section(1) + section(2)
    assert editions(tmp_path, {"a.md": old}, {"a.md": new}).headings == ()


def test_an_id_that_means_something_else_now_is_no_old_place(tmp_path: Path) -> None:
    """The old section has another name, and its id went to a new one: links to it cannot be mended unseen."""
    old = "# A\n\n## Light {#light}\n\nLanterns burn for an hour, and then somebody fetches more oil from below.\n"
    new = old.replace("Light {#light}", "Lamps") + "\n## Light {#light}\n\nNot heavy.\n"
    found = editions(tmp_path, {"a.md": old}, {"a.md": new})
    assert ("a.md", "light") not in found.moved_targets


TABLE = 'title = "T"\n[tables.prices]\ncolumns = ["coins"]\nrows = {{ {rows} }}\n'


def rows(names: list[str], first: int = 0) -> str:
    return TABLE.format(rows=", ".join(f'"{name}" = [{first + place}]' for place, name in enumerate(names)))


def test_a_thousand_rows_with_other_names() -> None:
    names = [f"lamp {number}" for number in range(1000)]
    with hang_guard():
        found = told(change(rows(names), rows([name.replace("lamp", "oar") for name in names])))
    assert [one for one in found if one[0] == "row"] == [
        ("row", "renamed", name, name.replace("lamp", "oar")) for name in names
    ]


def test_a_row_is_gone_or_has_another_name() -> None:
    assert told(change(rows(["a", "b", "c"]), rows(["a", "b"])))[2:] == [("row", "removed", "c", "")]
    assert told(change(rows(["a", "b", "c"]), rows(["a", "b", "d"])))[2:] == [("row", "renamed", "c", "d")]
    found = change(rows(["a", "b"]), rows(["b", "a"], -1))
    assert ("row", "moved", "a", "a") in told(found) or ("row", "moved", "b", "b") in told(found)


def test_a_row_with_another_name_and_nearly_the_same_values() -> None:
    text = 'title = "T"\n[tables.armour]\ncolumns = ["guard", "weight", "price"]\nrows = {{ {rows} }}\n'
    old, new = (text.format(rows=rows) for rows in ("Mail = [4, 9, 40], Hide = [1, 2, 3]", "Chain = [4, 9, 45]"))
    assert told(change(old, new))[2:] == [("row", "renamed", "Mail", "Chain"), ("row", "removed", "Hide", "")]


def test_traits_with_other_names() -> None:
    """One that has specialties is known by them; nobody knows what became of a bare name."""
    text = 'title = "T"\n[traits.skills]\nnames = ["{one}", "{other}"]\n'
    text += 'specialties = {{ {one} = {{ all = ["Knots"] }} }}\n'
    found = told(change(text.format(one="Rope", other="Oars"), text.format(one="Lines", other="Rudder")))
    assert [one[1:] for one in found[2:]] == [
        ("renamed", "Rope", "Lines"),
        ("added", "Rudder", "Rudder"),
        ("removed", "Oars", ""),
    ]


def test_order_alone_is_a_move() -> None:
    old, new = (TABLE.format(rows=text) for text in ("a = [1], b = [2]", "b = [2], a = [1]"))
    found = change(old, new)
    assert found
    assert drop_moves(found) is None


STEPS = """\
title = "S"
[rules.roll.inputs]
lot = {{ min = 1, max = 5 }}
[rules.roll.dice]
d = {{ count = "lot", sides = 6 }}
[rules.roll.steps]
{one} = "sum(d)"
{two} = "{one} * 2 + lot"
[rules.roll.outcomes]
{outcomes}
"""
FIRST = 'high = {{ when = "{two} > 9" }}\nlow = {{}}'
LAST = 'top = {{ when = "{two} > 20" }}\nhigh = {{ when = "{two} > 9" }}\nlow = {{}}'


def steps(one: str, two: str, outcomes: str = FIRST) -> str:
    return STEPS.format(one=one, two=two, outcomes=outcomes.format(two=two))


def test_steps_that_rest_on_renamed_steps() -> None:
    """Only the names are news; that formulas use them is not."""
    assert told(change(steps("total", "score"), steps("all", "points"))) == [
        ("game", "changed", "", ""),
        ("rule", "changed", "roll", "roll"),
        ("step", "renamed", "total", "all"),
        ("step", "renamed", "score", "points"),
    ]


def test_the_order_of_outcomes_is_part_of_the_rule() -> None:
    more = LAST.split("\n")
    swapped = "\n".join([more[1], more[0], more[2]])
    found = change(steps("a", "b", LAST), steps("a", "b", swapped))
    assert found
    assert [(edit.aspect, edit.new) for edit in found.children[0].edits] == [("order", "high, top, low")]


EXPLODES = """\
title = "T"
[rules.r.dice]
d = {{ count = 2, sides = 6{more} }}
[rules.r.outcomes]
won = {{ when = "sum(d) > 7" }}
lost = {{}}
"""


@pytest.mark.parametrize(
    ("before", "aspects"),
    [
        ("", ["explode_when"]),
        (", optional = 0", ["explode_when"]),
        (', optional = "face = 6"', ["explode_when", "explode_optional"]),
    ],
)
def test_what_nobody_may_decline_is_no_fact(before: str, aspects: list[str]) -> None:
    old = EXPLODES.format(more=f', again = {{ when = "face = 6", roll = "explode"{before} }}')
    found = change(old, EXPLODES.format(more=""))
    assert found
    assert [edit.aspect for edit in found.children[0].children[0].edits] == aspects


def test_how_a_formula_is_written_is_no_change() -> None:
    assert change(steps("a", "b"), steps("a", "b").replace("a * 2 + lot", "(a*2)  +lot")) is None


@pytest.mark.parametrize(
    "pages",
    [
        {"a.md": "\u202e# \u202e\n\n[x](#\u202e)\n"},
        {"a.md": "# A\n" * 50 + "#" * 500},
        {"a.md": ""},
        {"a.md": "\ufeff# A\r\n\r\n## B\r\ntext"},
        {"game.toml": "\x00"},
        {"game.toml": 'title = "T"'},
        {"sub/game.toml": 'title = "T"', "other/game.toml": 'title = "T"'},
        {"a.md": '# A\n\n```game\ntitle = "In a page"\n[rules.r.inputs]\nx = { min = 1, max = 1000000000 }\n```\n'},
    ],
)
def test_odd_editions(tmp_path: Path, pages: dict[str, str]) -> None:
    plain = {"a.md": "# A\n\n## B\n\ntext\n", "game.toml": 'title = "T"\n[rules.r.inputs]\nx = { min = 1, max = 2 }\n'}
    for place, (old, new) in enumerate([(pages, plain), (plain, pages), (pages, pages)]):
        found = editions(tmp_path / str(place), old, new)
        assert old != new or found.same


def test_endless_inputs_are_looked_at_where_they_are_usual() -> None:
    from rulewright.diff.chances import input_axes

    text = 'title = "T"\n[rules.r.inputs]\nx = {{ min = 0, max = 1000000000, default = {usual} }}\n'
    text += '[rules.r.steps]\ny = "x + 1"\n'
    one, other = (made_game(text.format(usual=usual)).rules["r"] for usual in (500, 501))
    found = input_axes(one, other)
    assert found
    assert found[0].ordered[0] <= 500 <= found[0].ordered[-1]
    assert len(found[0].values) <= 12


SETS = st.lists(st.frozensets(st.integers(0, 12), max_size=5), max_size=8)


@settings(max_examples=scale_examples(60))
@given(SETS, SETS)
def test_pairs_beside_all_pairs(old: list[frozenset[int]], new: list[frozenset[int]]) -> None:
    """The index finds what looking at every pair finds: as good a first pair, nothing below the mark, nothing twice."""
    found = best_pairs(dict(enumerate(old)), dict(enumerate(new)), 0.5)
    every = [
        (like(one, other), place, number)
        for place, one in enumerate(old)
        for number, other in enumerate(new)
        if one & other
    ]
    best = max(every, default=(0.0, 0, 0))[0]
    assert bool(found) == (best >= 0.5)
    assert len(set(found.values())) == len(found)
    scores = [like(old[place], new[number]) for place, number in found.items()]
    assert not scores or max(scores) == best
    assert all(score >= 0.5 for score in scores)


def like(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def test_a_lost_place_is_one_that_is_somewhere_else() -> None:
    assert HeadingChange("moved", "A", "A", ("a.md", "a"), ("b.md", "a")).lost
    assert not HeadingChange("removed", "A", "", ("a.md", "a"), ("", "")).lost
    assert not HeadingChange("renamed", "A", "B", ("a.md", "a"), ("a.md", "a")).lost


def test_an_edition_without_anything_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has judged what there is nobody to judge by."""
    page = "# A\n\n```example\nx: 2\ny: 3\n```\n\n```claim\nrule: r\nx: 2\nmean(y) = 3\n```\n"
    text = 'title = "T"\n[rules.r.inputs]\nx = { min = 1, max = 2 }\n[rules.r.steps]\ny = "x + 1"\n'
    side(tmp_path / "full", {"a.md": page, "game.toml": text})
    side(tmp_path / "empty", {})
    assert main(["diff", "full", "empty"]) == 0
    printed = capsys.readouterr().out
    assert "Judged by the new rules: examples 0 of 1, claims 0 of 1." in printed
    assert "not judged: the other edition has no rule r\n    a.md:3 a.1\n" in printed
    assert "not judged: the other edition has no such game\n    a.md:8 a.2\n" in printed
    assert "None ends differently" not in printed
    assert main(["diff", "empty", "full"]) == 0
    assert "judged" not in capsys.readouterr().out


def test_what_cannot_be_read_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("game.toml", "a.md"):
        (tmp_path / "bin" / name).write_bytes(bytes(range(256)) * 99)
    assert main(["diff", "bin", "bin"]) == 2
    assert capsys.readouterr().out.count("bin/game.toml:") == 1


@pytest.mark.parametrize("count", sample([2_000, 10_000], 2))
def test_thousands_of_headings(tmp_path: Path, count: int) -> None:
    old = "# Book\n\n" + "".join(map(section, range(count)))
    with hang_guard():
        found = editions(tmp_path, {"a.md": old}, {"a.md": old.replace("## Part ", "## Chapter ")})
    assert len(found.moved_targets) == count
