"""What rules carry, how they end, what they roll and aim for belongs to a rule: a change of it is named."""

from __future__ import annotations

import pytest

from games import made_game
from rulewright.diff.compare import Change, compare_entities
from rulewright.diff.entities import rule_entity
from rulewright.diff.rule_pairs import GamePair, pair_rules, rule_in_old_names, without_labels

GAME = """
title = "T"
[rules.skill.inputs]
skill = { min = 1, max = 9 }
[rules.skill.dice]
d = { sides = 10 }
[rules.skill.steps]
over = "sum(d) - skill"
[rules.race]
carry = { held = "min(total, 30)" }
until = "total >= 20"
most = 6
aim = "chance(win)"
[rules.race.inputs]
held = { min = 0, max = 30, default = 0 }
own = { min = 1, max = 5 }
push = { flag = true, asked = "sum(d6) < 9" }
[rules.race.dice]
d6 = { count = 3, sides = 6 }
[rules.race.rolls]
foe = { rule = "skill", with = { skill = "own" } }
[[rules.race.again]]
pick = "lowest"
roll = "reroll"
times = "push"
of = "d6"
[rules.race.steps]
total = "held + sum(d6) - foe.over"
[rules.race.outcomes]
win = { when = "total > 25" }
lose = {}
"""


def changes(old: str, new: str) -> list[str]:
    """The edits of the rule `race`, each with its part."""
    change = compare_entities(rule_entity(made_game(old).rules["race"]), rule_entity(made_game(new).rules["race"]))
    return list(_list_edits(change)) if change else []


def _list_edits(change: Change) -> list[str]:
    own = [f"{change.part} {change.name}: {edit.aspect}: {edit.old} -> {edit.new}" for edit in change.edits]
    own += [f"{change.part} {change.name} {change.way}"] if change.way != "changed" else []
    return own + [line for child in change.children for line in _list_edits(child)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('until = "total >= 20"', 'until = "total >= 18"', "rule race: until: total >= 20 -> total >= 18"),
        ("most = 6", "most = 7", "rule race: most: 6 -> 7"),
        ("most = 6\n", "", "rule race: most: 6 -> "),
        ('"chance(win)"', '"mean(total)"', "rule race: aim: chance(win) -> mean(total)"),
        ('"min(total, 30)"', '"min(total, 29)"', "carry held: formula: min(total, 30) -> min(total, 29)"),
        ('times = "push"', 'times = "2 * push"', "reroll 1: times: push -> 2 * push"),
    ],
)
def test_one_change(old: str, new: str, expected: str) -> None:
    assert old in GAME
    assert changes(GAME, GAME.replace(old, new)) == [expected]


def test_what_is_rolled() -> None:
    found = changes(GAME, GAME.replace('with = { skill = "own" }', 'with = { skill = "own + 1" }, when = "own > 1"'))
    assert "roll foe: skill: own -> own + 1" in found
    assert "roll foe: when:  -> own > 1" in found
    without = GAME.replace('foe = { rule = "skill", with = { skill = "own" } }', "").replace("foe.over", "own")
    assert "roll foe removed" in changes(GAME, without)


def test_another_name_is_no_change() -> None:
    new = made_game(GAME.replace("total", "sum_of_all").replace("held", "kept"))
    (pair,) = (pair for pair in pair_rules(GamePair("", made_game(GAME), new)) if pair.old.name == "race")
    assert not pair.changed
    assert without_labels(rule_entity(rule_in_old_names(pair))) == without_labels(rule_entity(pair.old))
