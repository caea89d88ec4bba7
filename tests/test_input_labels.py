"""The words that a book uses for what goes into a roll become the labels and names of its first game."""

from __future__ import annotations

import tomllib

import pytest

from rulewright.adopt.game_text import sample_rule, samples, write_game
from rulewright.adopt.input_labels import find_labels
from rulewright.adopt.interview import (
    QUESTIONS,
    Answers,
    complete,
    default_of,
    expectation,
    read_answer,
    suggest_answers,
)
from rulewright.cli.preview import GamePreview
from rulewright.odds.rule_odds import compute_chances


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("Roll 2d6 and add your **Grit**.", {"added": "Grit"}),
        ("Roll d20 + _Edge_.", {"added": "Edge"}),
        ("Roll as many dice as your **Craft dots**.", {"pool": "Craft dots"}),
        ("Roll a number of d6 equal to your [Lore](lore.md).", {"pool": "Lore"}),
        ("Spend a **Fortune** point to roll an extra die.", {"point": "Fortune"}),
        ("You may burn one *ember* for another d6.", {"point": "Ember"}),
        ("Roll the die of your **Body** and the die of your **Craft**.", {"trait": "Body", "second": "Craft"}),
        ("Roll a d20 equal to or under your **Wits**.", {"skill": "Wits"}),
        ("The dice have to beat the **Hazard**.", {"target": "Hazard"}),
        ("Roll 2d6 and add your cunning.", {"added": "Cunning"}),  # a heading
        ("Roll 2d6 and add your pluck.", {}),
        ("Roll 2d6 damage and add your **Grit**.", {}),
        ("Roll the dice and add the **two** highest.", {}),
        ("| Roll 2d6 and add your **Grit** |", {}),
    ],
)
def test_words_near_the_dice(sentence: str, labels: dict[str, str]) -> None:
    assert find_labels([f"{sentence}\n\n" * 2], ["Cunning"]) == labels
    assert find_labels([sentence], ["Cunning"]) == {}, "once is not enough"


def test_one_of_many_is_no_label() -> None:
    skills = "".join(f"Roll 2d6 and add **{name}**.\n\n" * 2 for name in ("Grit", "Edge", "Lore"))
    assert find_labels([skills], []) == {}


FORTUNE = {"point": "Fortune", "pool": "Craft dots"}


def test_a_point_has_the_name_that_the_author_gives_it() -> None:
    defaults = suggest_answers("", {"family": "pool"}, FORTUNE)
    answers = complete({}, defaults)
    assert (answers["extra"], answers["labels"]) == ("yes", "Craft dots, Fortune, Hits needed")
    inputs = tomllib.loads(write_game(answers))["rules"]["action"]["inputs"]
    assert {name: entry["label"] for name, entry in inputs.items()} == {
        "craft_dots": "Craft dots", "fortune": "Fortune", "needed": "Hits needed",
    }  # fmt: skip


def preview(answers: Answers) -> GamePreview:
    return GamePreview(write_game(answers), sample_rule(answers), samples(answers))


@pytest.mark.parametrize("family", [choice.value for choice in QUESTIONS[0].choices({}) if choice.value != "gallery"])
@pytest.mark.parametrize("compare", ["target", "bands", "opposed"])
@pytest.mark.parametrize("extra", ["yes", "no"])
def test_other_names_change_no_chances(family: str, compare: str, extra: str) -> None:
    """Whatever the names: also one of a step, a word of the language, one in another script."""
    answers = complete({"family": family}, {"compare": compare, "extra": extra, "modifier": extra, "method": "added"})
    count = len(answers["labels"].split(", "))
    usual = [
        list(compute_chances(preview(answers).rule, sample.inputs).values()) for sample in preview(answers).samples
    ]
    for names in (["Grit", "Édge", "Old lore", "Salt"], ["Total", "Dice", "Удача", "Sum"], ["9 lives", "a", "b", "c"]):
        renamed = {**answers, "labels": ", ".join(names[:count])}
        other = preview(renamed)
        assert [list(compute_chances(other.rule, sample.inputs).values()) for sample in other.samples] == usual
        inputs = next(iter(other.game.rules.values())).inputs
        assert [entry.label for entry in inputs] == names[:count]


def test_labels_are_typed() -> None:
    question = next(entry for entry in QUESTIONS if entry.name == "labels")
    answers = {"family": "one", "compare": "target"}
    assert default_of(question, answers, {}) == "Bonus, Target"
    assert default_of(question, answers, {"label of added": "Grit"}) == "Grit, Target"
    assert read_answer(question, answers, " Grit,hazard ") == "Grit, hazard"
    assert [read_answer(question, answers, text) for text in ("Grit", "1", "a, b, c", "Grit, grit", "")] == [None] * 5
    assert expectation(question, answers) == "2 names, separated by commas"
