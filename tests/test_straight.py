"""Records that are read in one go, beside the reader that takes die after die."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import rolled_rules, rule
from rulewright.game.dealt import Dealt
from rulewright.game.generator import Generator
from rulewright.game.notation import Unreadable
from rulewright.game.result import prepare, recorded, roll
from rulewright.game.setting import Setting
from rulewright.game.straight import read_straight, straight
from strategies import Made, games, inputs_of

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
PIECES = st.sampled_from(("1", "2", "3", "4", "6", "06", "10", "11", "0", "|", "| ", ",", "x", "red", "6+1", "["))


def agree(setting: Setting, text: str) -> bool:
    """Whether the quick reader took the record; it must then say what the careful one says."""
    made = straight(setting)
    quick = read_straight(made, text) if made else None
    if quick is None:
        return False
    careful = recorded(setting, text, "")
    assert quick == careful.throw
    return True


@settings(max_examples=300, deadline=None, suppress_health_check=SLOW)
@given(games(), st.data())
def test_both_readers_agree_in_games_that_nobody_thought_of(made: Made, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(made.rule))
    result, _ = roll(made.rule, inputs, Dealt(Generator(data.draw(st.integers(0, 99))), "always"))
    if result:
        figures = " ".join(word for word in result.dice.split() if not word.isalpha())
        agree(result.setting, figures)
        agree(result.setting, " ".join(data.draw(st.lists(PIECES, max_size=10))))


def test_both_readers_agree_on_rolls_of_our_own_games_and_on_what_is_spoiled() -> None:
    chance, taken = random.Random(7), Counter[str]()
    for name in rolled_rules():
        for seed in range(60):
            result, complaints = roll(rule(name), some_inputs(name, chance), Dealt(Generator(seed), "always"))
            if result is None:
                assert complaints
                continue
            words = [word for word in result.dice.split() if word[0].isdigit() or word == "|"]
            taken[name] += agree(result.setting, " ".join(words))
            spoil(words, chance)
            agree(result.setting, " ".join(words))
    assert taken["maelstrom/action"] > 40
    assert taken["maelstrom/willpower"] > 40


def some_inputs(name: str, chance: random.Random) -> dict[str, str]:
    given = {"pool": "5", "current": "6", "specialty": "yes", "code": "4D+1", "die": "d8", "attribute": "d6"}
    known = {entry.name for entry in rule(name).inputs}
    made = {key: value for key, value in given.items() if key in known}
    if "difficulty" in known and chance.random() < 0.8:
        made["difficulty"] = str(chance.randint(2, 10))
    return made


def spoil(words: list[str], chance: random.Random) -> None:
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(len(words) + 1)
        if words and chance.random() < 0.5:
            words.pop(place - 1)
        else:
            words.insert(place, chance.choice(("|", "11", "1", "0", "x")))


def test_what_is_remembered_of_a_setting_depends_on_every_text() -> None:
    action = rule("maelstrom/action")
    first = prepare(action, {"pool": "3", "difficulty": "6"}).setting
    assert prepare(action, {"pool": "3", "difficulty": "6"}).setting is first
    for other in ({"pool": "3", "difficulty": "7"}, {"pool": "4", "difficulty": "6"}, {"pool": "3"}):
        assert prepare(action, other).setting is not first
    assert prepare(rule("maelstrom-first-edition/action"), {"pool": "3", "difficulty": "6"}).setting is not first


def test_a_record_that_is_no_plain_one_is_left_to_the_careful_reader() -> None:
    setting = prepare(rule("maelstrom/action"), {"pool": "2", "difficulty": "6", "specialty": "yes"}).setting
    assert setting
    made = straight(setting)
    assert made
    for text in ("", "1", "1 11", "1 2 3", "regular 1 2", "1 x", "10 2", "10 2 | 3", "1+2 3", "[1, 2]", "1 | 2"):
        assert read_straight(made, text) is None, text
    for text in ("1 2", "1,2", "| 1 2 |", "10 2 | 3 4", "10 2 3 4", "10, 2 || 10 4 | 5 6", "01 2"):
        assert read_straight(made, text) == recorded(setting, text, "").throw, text


def test_the_careful_reader_still_refuses_what_it_refused() -> None:
    setting = prepare(rule("maelstrom/action"), {"pool": "2"}).setting
    assert setting
    with pytest.raises(Unreadable, match="nothing calls for"):
        recorded(setting, "1 2 3", "")
