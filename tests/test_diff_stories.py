"""Examples by the rules of the other edition: stories, what-ifs, sums of traits, and those that say nothing sure."""

from __future__ import annotations

from pathlib import Path

import pytest

from two_editions import DUEL, HIT, Changes, recheck_example

STORY = """
rule: strike
skill: 2
dice: 3 4
outcome: hit
degree: 0

instead:
dice: 3 3
outcome: miss

then:
rule: purse
coins: = total
left: 6
"""


@pytest.mark.parametrize(
    ("changes", "ends", "why"),
    [
        ([(">= 9", ">= 8"), ("total - 9", "total - 8")], ["hit 0 -> hit 1", "miss -> hit 0"], []),
        ([("+ skill", "+ skill + 1")], ["hit 0 -> hit 1", "miss -> hit 0", "left 6 -> left 7"], []),
        ([("total", "score"), ("+ skill", "+ skill + 1")], ["hit 0 -> hit 1", "miss -> hit 0"], ["carried coins"]),
        ([("coins - 3", "coins - 4")], ["left 6 -> left 5"], []),
        ([("coins", "money")], [], []),
        ([("sides = 6", "sides = 3")], [], ["said the recorded 4 is no face of a d die"]),
        (
            [("count = 2", "count = 1"), ("sum(d)", "3 * sum(d)"), ("max = 50", "max = 10")],
            ["hit 0 -> hit 2", "miss -> hit 2"],
            ["said coins goes from 0 to 10, not 11"],
        ),
    ],
)
def test_stories(tmp_path: Path, changes: Changes, ends: list[str], why: list[str]) -> None:
    """What a step takes over from the one before is what that one comes to by the other rules."""
    assert recheck_example(tmp_path, STORY, *changes) == (ends, why)


def test_a_step_that_goes_on_from_nothing(tmp_path: Path) -> None:
    """No second reason is told where the first has kept everything else away."""
    ends, why = recheck_example(tmp_path, STORY, ("count = 2", "count = 3"), ("coins - 3", "coins - 4"))
    assert (ends, why) == ([], ["said the recorded dice hold no further d die, and here one more is rolled"])


def test_a_what_if_finds_dice_that_have_fallen_away(tmp_path: Path) -> None:
    """The what-if throws fewer dice by its own rules; by the others it needs them all."""
    pool = DUEL.replace("count = 2", 'count = "1 + skill"').replace("sum(d) + skill", "sum(d)")
    example = "skill: 1\ndice: 5 4\noutcome: hit\n\ninstead:\nskill: 0\noutcome: miss"
    assert recheck_example(tmp_path, example, ('"1 + skill"', '"2"'), game=pool) == (["miss -> hit 0"], [])


TRAITS = """\
title = "Traits"

[traits.skills]
names = ["Rope", "Oars"]
range = "0..5"
untrained = { skill = "skill + 1" }

[rules.pull]
traits = { into = "pool", most = 2 }

[rules.pull.inputs]
pool  = { min = 0, max = 10 }
skill = { min = 0, max = 9, default = 0 }

[rules.pull.dice]
d = { count = "pool", sides = 6 }

[rules.pull.steps]
total = "sum(d) + skill"

[rules.pull.outcomes]
out = { when = "total >= 9" }
in  = {}
"""
SUM = "traits: Rope 2 + Oars 0"


@pytest.mark.parametrize(
    ("example", "changes", "ends", "why"),
    [
        (SUM + "\ndice: 4 4\noutcome: out", [('"skill + 1"', '"skill + 0"')], ["out -> in"], []),
        (SUM + "\nskill: 0\npool: 2", [('"skill + 1"', '"skill + 3"')], ["skill 1 -> skill 3"], []),
        (
            SUM + "\ndice: 4 4\noutcome: out",
            [('"Oars"', '"Boats", "Sails"')],
            [],
            ['said there is no trait "Oars"; did you mean Boats?'],
        ),
        (SUM + "\ndice: 4 4\noutcome: out", [("0..5", "0..1")], [], ["said Rope goes from 0 to 1, not 2"]),
        ("pool: 2\ndice: 4 4\noutcome: in", [('"Oars"', '"Boats", "Sails"')], [], []),
    ],
)
def test_sums_of_traits_are_gathered_anew(
    tmp_path: Path, example: str, changes: Changes, ends: list[str], why: list[str]
) -> None:
    assert recheck_example(tmp_path, example, *changes, game=TRAITS) == (ends, why)


@pytest.mark.parametrize(
    ("example", "ends", "why"),
    [
        (HIT + "\nskip: not yet", [], ["skipped not yet"]),
        ("dice: 5 4\noutcome: miss\nwrong: it hits", ["hit 0 -> miss"], []),
        ("dice: 5 4 1\noutcome: miss\nwrong: one die too many", [], ["wrong"]),
        ("dice: 5 4\noutcome: miss", [], ["failed the rules give outcome hit, the example says miss"]),
        ("dice: 5 4\nnonsense", [], ["failed this line is no key: value"]),
    ],
)
def test_examples_that_say_nothing_sure(tmp_path: Path, example: str, ends: list[str], why: list[str]) -> None:
    found = recheck_example(tmp_path, example, (">= 9", ">= 10"))
    assert found[0] == ends
    assert [one.split(" ", 1)[0] for one in found[1]] == [one.split(" ", 1)[0] for one in why]


@pytest.mark.parametrize("example", [HIT, HIT + "\nskip: not yet", "dice: 5 4\noutcome: miss"])
def test_where_the_rules_are_the_same_nothing_is_to_be_judged(tmp_path: Path, example: str) -> None:
    assert recheck_example(tmp_path, example, ("coins - 3", "coins - 4")) == ([], [])
