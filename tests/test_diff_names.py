"""What has only another name is the same: nothing plays otherwise, and everything can still be asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games import made_game
from rulewright.diff.compare import compare_entities
from rulewright.diff.diff import EditionDiff, diff_editions
from rulewright.diff.edition import Edition
from rulewright.diff.entities import rule_entity
from rulewright.diff.rule_pairs import GamePair, RulePair, pair_rules, rule_in_old_names, without_labels
from rulewright.game.inputs import format_value
from two_editions import DUEL, example_page, recheck_example, write_edition

FULL = """\
title = "Full"
[tables.rungs]
Low = 3
High = 9
[traits.skills]
names = ["Rope", "Oars"]
range = "0..5"
untrained = { strain = "strain + 1" }
specialties = { Rope = { fine = ["Knots"] } }
[rules.act]
traits = { into = "lot", most = 2 }
specialties = { into = "apt", unused_adds = "strain" }
[rules.act.inputs]
lot    = { min = 0, max = 9 }
strain = { min = 0, max = 9, default = 0 }
apt    = { flag = true, default = false }
need   = { min = 0, max = 20, names = "rungs", open = true }
code   = { code = ["whole", "part"], min = 1, max = 9, default = "1D" }
late   = { choice = ["stay", "go"], default = "stay", asked = "rough > 1" }
[rules.act.dice.main]
count = "lot + whole"
sides = 6
tests.good = "face >= 4 + strain"
tests.bad = "face = 1"
again = { when = "face = 6 and apt", roll = "extra", count = 2 }
[rules.act.dice.extra]
count = 0
sides = 6
tests.good = "face >= 4"
[rules.act.dice.luck]
sides = 6
again = { when = "face = 6", roll = "explode" }
[[rules.act.again]]
roll = "reroll"
times = "part"
of = ["main", "luck"]
pick = "highest"
keep = "lower"
[rules.act.steps]
rough = "count(main: good) + count(extra: good) + sum(luck)"
fine  = "rough - count(main: bad) + lookup(rungs, 'Low', number)"
[rules.act.marks]
removed = "strain"
[rules.act.outcomes]
gone = { when = "late = 'go'" }
done = { when = "fine >= need", degree = "fine - need" }
lost = {}
[rules.act.spends]
push = { label = "Push", changes = { strain = "strain + 1" } }
lift = { label = "Lift", highest = ["luck"] }
[rules.duel]
contest = { of = "act", compare = "fine", ties = "again" }
"""
OTHERS = {
    "lot": "pool", "strain": "weight", "apt": "able", "need": "reach", "whole": "d", "part": "pips", "late": "after",
    "main": "first", "extra": "more", "luck": "fate", "rough": "raw", "fine": "net", "gone": "away", "done": "won",
    "lost": "not won",
}  # fmt: skip


def otherwise(text: str) -> str:
    """With other names for everything, but for the traits and the table."""
    head, rules = text.split("[rules.act]")
    head = head.replace("strain", "weight")
    quoted = {name: f'"{other}"' if " " in other else other for name, other in OTHERS.items()}
    return head + "[rules.act]" + re.sub(r"\b(" + "|".join(OTHERS) + r")\b", lambda one: quoted[one[0]], rules)


def pairs(old: str, new: str) -> dict[str, RulePair]:
    return {one.old.name: one for one in pair_rules(GamePair("", made_game(old), made_game(new)))}


def test_the_newer_rule_in_the_names_of_the_older_one() -> None:
    """Everything that a rule declares comes back, formulas and all."""
    for pair in pairs(FULL, otherwise(FULL)).values():
        again = rule_in_old_names(pair)
        assert again is not pair.new
        assert without_labels(rule_entity(again)) == without_labels(rule_entity(pair.old))
        assert [
            (one.name, one.parts, format_value(one, one.default)) for one in again.inputs if one.default is not None
        ] == [
            (one.name, one.parts, format_value(one, one.default)) for one in pair.old.inputs if one.default is not None
        ]
        assert pair.old.contest or [*(again.categories["skills"].untrained or ())] == ["strain"]


def test_names_alone_play_alike() -> None:
    assert not any(one.changed for one in pairs(FULL, otherwise(FULL)).values())
    stricter = otherwise(FULL).replace("net >= reach", "net > reach")
    found = pairs(FULL, stricter)
    assert (found["act"].changed, found["duel"].changed) == (True, False)  # a contest compares a step
    harder = otherwise(FULL).replace("face >= 4 + weight", "face >= 5 + weight")
    assert all(one.changed for one in pairs(FULL, harder).values())


def test_nothing_is_asked_anew_where_names_are_the_same() -> None:
    for pair in pairs(FULL, FULL.replace("Push", "Shove")).values():
        assert rule_in_old_names(pair) is pair.new


def test_a_name_that_is_taken_stays() -> None:
    """What was `hits` is `count` now, and another step is called `hits`."""
    new = DUEL.replace('hits  = "count(d: good)"', 'lucky = "count(d: good)"\nhits = "skill + 1"')
    again = rule_in_old_names(pairs(DUEL, new)["strike"])
    assert [step.name for step in again.steps] == ["lucky", "hits", "total"]


def books(folder: Path, *texts: str, page: str = "") -> tuple[Edition, ...]:
    both = zip(("old", "new"), texts, strict=True)
    return tuple(write_edition(folder / name, {"game.toml": text, "a.md": page}) for name, text in both)


def compared(folder: Path, old: str, new: str, page: str = "") -> EditionDiff:
    return diff_editions(*books(folder, old, new, page=page))


CLAIMS = """\
# Duel

```claim
rule: strike
chance(hit; skill 3) = 13/18
mean(total; skill 0) = 7
```

```odds
rule: strike
rows: skill 0..3
columns: outcomes
expect: skill 3, outcome hit = 72.2%
```
"""
SKILL, TOTAL = ("skill", "art"), ("total", "sum_of_all")


def edited(*changes: tuple[str, str]) -> str:
    text = DUEL
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def test_where_an_input_has_another_name_everything_is_compared(tmp_path: Path) -> None:
    found = compared(tmp_path, DUEL, edited(SKILL, (">= 9", ">= 10")))
    rolls = next(rolls for rolls in found.rolls if rolls.pair.old.name == "strike")
    assert rolls.smallest
    assert rolls.smallest.inputs.keys() >= {"skill"}
    odds = next(one for one in found.odds if one.pair.old.name == "strike")
    assert odds.largest
    assert "skill" in (odds.rows, odds.columns)


def test_names_alone_are_all_that_is_told(tmp_path: Path) -> None:
    found = compared(tmp_path, DUEL, edited(SKILL, TOTAL, ("hit  =", "touch  ="), ("miss =", "past =")), CLAIMS)
    assert (found.rolls, found.odds) == ((), ())
    assert (found.recheck.changed, found.recheck.unchecked) == ((), ())
    assert found.recheck.rechecked("old", "claim") == found.recheck.rechecked("old", "odds") == 1


def test_claims_are_asked_in_the_names_that_they_know(tmp_path: Path) -> None:
    found = compared(tmp_path, DUEL, edited(SKILL, TOTAL, ("miss =", "past ="), (">= 9", ">= 10")), CLAIMS)
    told = [(one.kind, one.new.outcome, one.notes) for one in found.recheck.changed]
    assert [one[:2] for one in told] == [("claim", "fails"), ("odds", "fails")]
    assert told[0][2][0].startswith("the rules give 58.33%")
    assert found.recheck.unchecked == ()


LADDER = DUEL.replace("luck  = { min = 0, max = 9, default = 0 }", 'luck  = { min = 0, max = 20, names = "rungs" }')
LADDER = LADDER.replace("total >= 9", "total >= luck").replace("total - 9", "total - luck")
LADDER += "[tables.rungs]\nHard = 9\n"


def test_a_word_that_stands_for_another_number(tmp_path: Path) -> None:
    example = "luck: Hard\ndice: 5 4\noutcome: hit\ndegree: 0"
    assert recheck_example(tmp_path, example, ("Hard = 9", "Hard = 8"), game=LADDER) == (["hit 0 -> hit 1"], [])
    new = LADDER.replace("Hard = 9", "Hard = 8")
    found = compared(tmp_path / "again", LADDER, new, example_page(example))
    assert [one.inputs for one in found.recheck.changed] == ["luck Hard"]
    assert (found.rolls, found.odds) == ((), ())  # for the same number it is the same rule


def test_a_value_that_is_left_out(tmp_path: Path) -> None:
    before = "skill = { min = 0, max = 9, default = 0 }"
    found = compared(tmp_path, DUEL, edited((before, before.replace("default = 0", "default = 2"))))
    rolls = next(rolls for rolls in found.rolls if rolls.pair.old.name == "strike")
    assert rolls.smallest is None
    assert rolls.pair.defaults == {"skill": ("0", "2")}


FAR = """\
title = "Far"
[rules.reach.inputs]
size = {{ die = [4, 6, 8, 10, 12] }}
need = {{ min = 0, max = 60, names = "rungs" }}
help = {{ min = 0, max = 12, default = 0 }}
ease = {{ min = 0, max = 12, default = 0 }}
wind = {{ min = 0, max = 12, default = 0 }}
[tables.rungs]
Low = 6
Middle = 30
High = 60
[rules.reach.dice]
d = {{ sides = "size" }}
luck = {{ sides = 20 }}
[rules.reach.steps]
total = "sum(d) + help + ease + wind + if(sum(luck) >= {lucky}, 3, 0)"
[rules.reach.outcomes]
yes = {{ when = "total >= need" }}
no  = {{}}
"""


def test_where_chances_change_most_throws_are_looked_at(tmp_path: Path) -> None:
    """What is usual lies far away from what makes a difference."""
    found = compared(tmp_path, FAR.format(lucky=20), FAR.format(lucky=19))
    assert found.odds[0].largest
    assert found.rolls[0].smallest
    assert found.rolls[0].smallest.dice.endswith("| luck 19")


@pytest.mark.parametrize("low", [-1000, -3, 0, 2])
def test_what_is_usual_lies_near_to_nothing(low: int) -> None:
    from rulewright.diff.chances import input_axes

    text = f'title = "T"\n[rules.r.inputs]\nx = {{{{ min = {low}, max = 1000 }}}}\n[rules.r.steps]\ny = "x + {{}}"\n'
    found = input_axes(*(made_game(text.format(more)).rules["r"] for more in (1, 2)))
    assert found
    assert found[0].usual == max(low, 0)


LABELS = (
    ('fine  = "rough', "fine = { label = '', is = \"rough"),
    ('number)"\n', 'number)" }\n'),
    ("done = { when", "done = { label = 'deed', also = ['feat', 'stunt'], when"),
    ("[rules.act.dice.luck]\n", "[rules.act.dice.luck]\nlabel = 'fortune'\n"),
    ("lot    = { min", "lot    = { also = ['pool'], min"),
)


def test_new_labels_are_told_and_change_no_roll() -> None:
    text = FULL
    for before, after in LABELS:
        assert text.count(before) == 1
        text = text.replace(before, after)
    assert [pair.changed for pair in pairs(FULL, text).values()] == [False, False]
    change = compare_entities(rule_entity(made_game(FULL).rules["act"]), rule_entity(made_game(text).rules["act"]))
    assert change
    edits = {(one.name, edit.aspect): edit.new for one in change.children for edit in one.edits}
    assert getattr(edits.pop(("fine", "label")), "name", "") == "hidden"
    assert edits == {
        ("done", "label"): "deed",
        ("done", "also"): "feat, stunt",
        ("luck", "label"): "fortune",
        ("lot", "also"): "pool",
    }


def test_a_label_of_a_face_is_told() -> None:
    text = 'title = "Coins"\n[rules.toss.dice]\ncoin = { faces = { heads = 1, tails = 0 } }\n'
    named = text.replace("heads = 1", 'heads = { is = 1, label = "crown", also = ["king"] }')
    change = compare_entities(rule_entity(made_game(text).rules["toss"]), rule_entity(made_game(named).rules["toss"]))
    assert change
    assert [(edit.aspect, edit.new) for edit in change.children[0].edits] == [("face_labels", "heads = crown, king")]
