"""Examples by the rules of the other edition: dice, contests and told results."""

from __future__ import annotations

from pathlib import Path

import pytest

from two_editions import DUEL, HIT, Changes, told

LUCK = ("luck  = { min = 0, max = 9, default = 0 }\n", "")
HITS = ('compare = "total"', 'compare = "hits"')
SKILL = ("skill = { min = 0, max = 9, default = 0 }", "skill = { min = 0, max = 9, default = 1 }")


@pytest.mark.parametrize(
    ("example", "changes", "ends", "why"),
    [
        (HIT, [(">= 9", ">= 10")], ["hit 0 -> miss"], []),
        (HIT, [("total - 9", "total - 8")], ["hit 0 -> hit 1"], []),
        (HIT, [("miss =", "past =")], [], []),
        (HIT, [("hit  = {", "touch = {")], [], []),
        (HIT, [("[rules.strike", "[rules.swing"), ('"strike"', '"swing"')], [], []),
        (HIT + "\nskill: 0", [("skill", "art")], [], []),
        (HIT, [("count = 2", "count = 1"), (">= 9", ">= 5")], ["hit 0 -> hit -4"], []),
        (
            HIT,
            [("count = 2", "count = 3")],
            [],
            ["said the recorded dice hold no further d die, and here one more is thrown"],
        ),
        (HIT, [("sides = 6", "sides = 4")], [], ["said the recorded 5 is no face of a d die"]),
        (HIT + "\nluck: 0", [LUCK], [], []),
        (HIT + "\nluck: 1", [LUCK], [], ["input luck"]),
        (
            HIT + "\nskill: 0",
            [("skill = { min = 0", "skill = { min = 1"), ("default = 0 }\nluck", "default = 1 }\nluck")],
            [],
            ["said skill goes from 1 to 9, not 0"],
        ),
    ],
)
def test_dice(tmp_path: Path, example: str, changes: Changes, ends: list[str], why: list[str]) -> None:
    assert told(tmp_path, example, *changes) == (ends, why)


def contest(first: str, second: str, winner: str) -> str:
    return f"rule: duel\nside Ann: {first}\nside Bob: {second}\nwinner: {winner}"


TIE = contest("dice 5 4", "dice 6 3", "Ann")
TWICE = contest("dice 5 4, dice 3 3", "dice 6 3, dice 2 2", "Ann")


@pytest.mark.parametrize(
    ("example", "changes", "ends", "why"),
    [
        (TIE, [('"first"', '"second"')], ["winner Ann -> winner Bob"], []),
        (TIE, [('"first"', '"none"')], ["winner Ann -> winner none"], []),
        (TIE, [('"first"', '"again"')], [], ["tie"]),
        (TIE, [HITS], [], []),
        (contest("dice 5 5", "dice 6 4", "Ann"), [('"first"', '"second"'), ('"total"', '"hits"')], [], []),
        (contest("dice 6 2", "dice 4 5", "Bob"), [HITS], ["winner Bob -> winner Ann"], []),
        (
            contest("skill 1, dice 6 2", "dice 4 5", "Ann"),
            [("sum(d) + skill", "sum(d)")],
            ["winner Ann -> winner Bob"],
            [],
        ),
        (contest("total 11", "total 9", "Ann"), [(">= 9", ">= 8")], [], []),
        (contest("total 11", "total 11", "Ann"), [('"first"', '"second"')], ["winner Ann -> winner Bob"], []),
        (contest("total 11", "dice 6 3", "Ann"), [("+ skill", "+ 2 * skill")], [], ["told total"]),
        (contest("skill 2, dice 5 4", "dice 6 3", "Ann"), [("skill", "art")], [], []),
        (contest("luck 2, dice 5 4", "dice 6 3", "Ann"), [LUCK], [], ["input luck"]),
        (
            TIE,
            [('[rules.duel]\ncontest = { of = "strike", compare = "total", ties = "first" }\n', "")],
            [],
            ["rule duel"],
        ),
        (
            TIE,
            [('contest = { of = "strike", compare = "total", ties = "first" }', '[rules.duel.steps]\nx = "1"')],
            [],
            ["contest duel"],
        ),
        (
            TIE + "\n\ninstead:\nside Ann: dice 1 1\nwinner: Bob",
            [('"first"', '"second"')],
            ["winner Ann -> winner Bob"],
            [],
        ),
    ],
)
def test_contests(tmp_path: Path, example: str, changes: Changes, ends: list[str], why: list[str]) -> None:
    assert told(tmp_path, example, *changes) == (ends, why)


def test_throw_offs_that_are_not_needed_any_more(tmp_path: Path) -> None:
    again = DUEL.replace('ties = "first"', 'ties = "again"')
    assert told(tmp_path, TWICE, ('"again"', '"second"'), game=again) == (["winner Ann -> winner Bob"], [])
    assert told(tmp_path, TWICE, ("sum(d)", "2 * sum(d)"), game=again) == ([], [])
    assert told(tmp_path, TWICE, HITS, game=again) == ([], ["tie"])


TOTAL = "given: total 9\noutcome: hit"
BESIDE = """\
dice: d 5 4
given: total 12
outcome: hit
"""


@pytest.mark.parametrize(
    ("example", "changes", "ends", "why"),
    [
        (TOTAL, [(">= 9", ">= 10")], ["hit 0 -> miss"], []),
        (TOTAL, [("total", "score")], [], []),
        (TOTAL, [("total", "score"), (">= 9", ">= 10")], ["hit 0 -> miss"], []),
        (TOTAL, [('good = "face >= 5"', 'good = "face >= 4"'), (">= 9", ">= 10")], ["hit 0 -> miss"], []),
        (TOTAL, [("sum(d) + skill", "sum(d) + skill + luck")], [], ["told total"]),
        (TOTAL, [("count = 2", "count = 3")], [], ["told total"]),
        (TOTAL, [("sides = 6", "sides = 8")], [], ["told total"]),
        (TOTAL, [SKILL], [], ["told total"]),
        (TOTAL + "\nskill: 1", [SKILL, (">= 9", ">= 10")], ["hit 0 -> miss"], []),
        (TOTAL, [('when = "total >= 9"', 'when = "hits >= 1"')], [], ["open"]),
        (
            "given: total 9, hits 1\noutcome: hit",
            [('when = "total >= 9"', 'when = "hits >= 2"')],
            ["hit 0 -> miss"],
            [],
        ),
        (BESIDE + "skill: 3\ndegree: 3", [("+ skill", "+ 2 * skill")], ["hit 3 -> hit 6"], []),
        ("given: hits 1\nhits: 1", [("face >= 5", "face >= 4")], [], ["told hits"]),
        ("given: hits 1\nhits: 1", [(">= 9", ">= 4")], [], []),
    ],
)
def test_told_results(tmp_path: Path, example: str, changes: Changes, ends: list[str], why: list[str]) -> None:
    assert told(tmp_path, example, *changes) == (ends, why)
