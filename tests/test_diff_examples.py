"""Examples by the rules of the other edition: dice, contests and told results."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from two_editions import DUEL, HIT, Changes, recheck_editions, recheck_example, write_edition

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
            ["said the recorded dice hold no further d die, and here one more is rolled"],
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
    assert recheck_example(tmp_path, example, *changes) == (ends, why)


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
        (contest("total 11", "dice 6 3", "Ann"), [("sum(d) +", "highest(d) +")], [], ["told total"]),
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
    assert recheck_example(tmp_path, example, *changes) == (ends, why)


def test_throw_offs_that_are_not_needed_any_more(tmp_path: Path) -> None:
    again = DUEL.replace('ties = "first"', 'ties = "again"')
    assert recheck_example(tmp_path, TWICE, ('"again"', '"second"'), game=again) == (["winner Ann -> winner Bob"], [])
    assert recheck_example(tmp_path, TWICE, ("sum(d)", "2 * sum(d)"), game=again) == ([], [])
    assert recheck_example(tmp_path, TWICE, HITS, game=again) == ([], ["tie"])


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
        (TOTAL, [("sum(d) + skill", "sum(d) + skill + luck")], [], []),
        (TOTAL + "\nluck: 2", [("sum(d) + skill", "sum(d) + skill + luck")], ["hit 0 -> hit 2"], []),
        (TOTAL + "\nskill: 3", [("+ skill", "+ 2 * skill")], ["hit 0 -> hit 3"], []),
        (TOTAL + "\nskill: 3", [("sum(d) + skill", "3 * sum(d) - skill")], ["hit 0 -> hit 6"], []),
        (TOTAL + "\nskill: 3", [("sum(d) + skill", "count(d: face = 2) + skill")], [], ["told total"]),
        (TOTAL + "\nskill: 3", [("sum(d) + skill", "sum(d)"), ("sides = 6", "sides = 8")], [], ["told total"]),
        (TOTAL + "\nskill: 3", [("sum(d) + skill", "max(sum(d), skill)")], ["hit 0 -> miss"], []),
        (TOTAL, [("count = 2", "count = 3")], [], ["told total"]),
        (TOTAL, [("sides = 6", "sides = 8")], [], ["told total"]),
        (TOTAL, [SKILL], ["hit 0 -> hit 1"], []),
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
    assert recheck_example(tmp_path, example, *changes) == (ends, why)


def both_ways(skill: int) -> str:
    """Every throw of two dice twice: with its faces, and with what they come to."""
    blocks = []
    for hand in combinations_with_replacement(range(1, 7), 2):
        total, hits = sum(hand) + skill, sum(face >= 5 for face in hand)
        outcome, name = "hit" if total >= 9 else "miss", "".join(map(str, hand))
        told = {"dice": f"dice: {hand[0]} {hand[1]}", "told": f"given: total {total}, hits {hits}"}
        blocks += [
            f"```example\nid: {way}-{name}\nskill: {skill}\n{line}\noutcome: {outcome}\n```\n"
            for way, line in told.items()
        ]
    return "# Throws\n\n" + "\n".join(blocks)


@pytest.mark.parametrize(
    ("changes", "judged_by_all"),
    [
        ([(">= 9", ">= 8")], True),
        ([("+ skill", "+ 2 * skill")], True),
        ([("+ skill", "- skill + 2 * hits")], True),
        ([("sum(d) + skill", "3 * sum(d) - max(skill, hits)")], True),
        ([("hits  =", "lucky ="), ("total >= 9", "total + lucky >= 9")], True),
        ([("when = \"total >= 9\"", "when = \"count(d: good) >= 1 and total >= 7\"")], True),
        ([("sum(d) +", "highest(d) +")], False),
        ([("face >= 5", "face >= 4"), (">= 9", ">= 9 - hits")], False),
    ],
)  # fmt: skip
def test_what_is_told_ends_as_what_is_thrown(tmp_path: Path, changes: Changes, judged_by_all: bool) -> None:
    new = DUEL
    for before, after in changes:
        assert before in new
        new = new.replace(before, after)
    page = both_ways(skill=2)
    found = recheck_editions(
        *(write_edition(tmp_path / name, {"game.toml": text, "a.md": page}) for name, text in (("o", DUEL), ("n", new)))
    )
    ends = {one.id: (one.old.text, one.new.text) for one in found.changed}
    left = {one.id for one in found.unchecked}
    assert not any(name.startswith("dice") for name in left)
    assert bool(left) != judged_by_all
    for name in (f"{one}{other}" for one, other in combinations_with_replacement(range(1, 7), 2)):
        if f"told-{name}" not in left:
            assert ends.get(f"told-{name}") == ends.get(f"dice-{name}"), name
    assert any(name.startswith("dice") for name in ends)
