"""The five games: their names are a promise to every book that uses them."""

from __future__ import annotations

import pytest

from games import GAMES, RULES, load_shipped_game, load_shipped_rule, rules_with_dice
from rulewright.play.validate import load_game

# game/rule: inputs | kinds of dice | steps | outcomes
NAMES = {
    "maelstrom/action": (
        "pool difficulty raised threshold specialty",
        "regular bonus",
        "successes botches kept net",
        "success, botch, failure",
    ),
    "maelstrom/willpower": (
        "current difficulty threshold spend",
        "regular",
        "successes botches kept net left",
        "botch, success, failure",
    ),
    "maelstrom-first-edition/action": (
        "pool difficulty raised threshold specialty",
        "regular added",
        "successes failures kept",
        "botch, success, failure",
    ),
    "maelstrom-first-edition/willpower": (
        "current difficulty threshold spend",
        "regular",
        "successes botches kept net left",
        "botch, success, failure",
    ),
    "wild-die/check": (
        "code extra bonus difficulty fumble wild_one",
        "regular wild",
        "critical_success critical_failure complication lost total",
        "success, failure",
    ),
    "wild-die/opposed": ("", "", "", ""),
    "step-dice/check": (
        "die bonus target ones exploding_one",
        "check",
        "critical total rank",
        "critical failure, success, failure",
    ),
    "step-dice/contest": ("", "", "", ""),
    "ingenuity/test": (
        "attribute skill proficiency difficulty advantage disadvantage luck tie",
        "attribute skill luck",
        "base lucky total",
        "success, failure",
    ),
    "ingenuity/luck": ("target", "luck", "total", "success, failure"),
    "ingenuity/against": ("", "", "", ""),
    "ingenuity/contest": ("", "", "", ""),
}
CONTESTS = {
    "wild-die/opposed": ("check", "total", "first"),
    "step-dice/contest": ("check", "rank", "again"),
    "ingenuity/against": ("test", "total", "first"),
    "ingenuity/contest": ("test", "total", "again"),
}
ABILITIES = {
    "talents": "Alertness, Athletics, Investigation, Melee, Stealth, Streetwise, Survival, Technology",
    "skills": "Artistry, Driving, Firearms, Heavy Weapons, Performance, Piloting, Remote Weapons, Tradecraft",
    "knowledges": "Computer Science, Engineering, Humanities, Manufacturing, Medicine, Science, Navigation",
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_loads_without_problems(name: str) -> None:
    found, problems = load_game(RULES / name / "game.toml")
    assert found is not None
    assert problems == []


def test_no_folder_is_forgotten() -> None:
    assert {path.parent.name for path in RULES.glob("*/game.toml")} == set(GAMES)


def test_the_rules_are_these_in_this_order() -> None:
    """What throws dice comes first; plain computations follow."""
    for folder in GAMES:
        names = [f"{folder}/{name}" for name in load_shipped_game(folder).rules]
        wanted = [name for name in NAMES if name.startswith(f"{folder}/")]
        assert names[: len(wanted)] == wanted
        assert not any(load_shipped_rule(name).dice or load_shipped_rule(name).contest for name in names[len(wanted) :])


@pytest.mark.parametrize("name", NAMES)
def test_the_names_of_a_rule(name: str) -> None:
    found = load_shipped_rule(name)
    inputs = " ".join(entry.name for entry in found.inputs)
    kinds = " ".join(kind.name for kind in found.dice)
    steps = " ".join(step.name for step in found.steps)
    assert (inputs, kinds, steps, ", ".join(outcome.name for outcome in found.outcomes)) == NAMES[name]


@pytest.mark.parametrize("name", NAMES)
def test_contests_compare_what_they_promise(name: str) -> None:
    contest = load_shipped_rule(name).contest
    found = ([side.name for side in contest.of], contest.compare, contest.ties) if contest else None
    wanted = CONTESTS.get(name)
    assert found == (wanted and ([wanted[0], wanted[0]], *wanted[1:]))


@pytest.mark.parametrize("name", rules_with_dice())
def test_every_outcome_says_what_it_means(name: str) -> None:
    assert all(outcome.says for outcome in load_shipped_rule(name).outcomes)


def test_the_abilities_of_maelstrom() -> None:
    traits = load_shipped_game("maelstrom").traits
    assert {name: ", ".join(traits[name].names) for name in ABILITIES} == ABILITIES
    changes = [traits[name].untrained for name in ABILITIES]
    told = [None if found is None else {name: formula.text for name, formula in found.items()} for found in changes]
    assert told == [{}, {"raised": "raised + 1"}, None]
    for category in (traits[name] for name in ABILITIES):
        assert list(category.specialties) == list(category.names)
        assert all(list(sorts) == ["advanced", "general"] for sorts in category.specialties.values())
        assert (category.least, category.most) == (0, 5)


def test_the_specialties_of_maelstrom() -> None:
    """How many there are of each sort, and that no ability lists one twice."""
    abilities = [
        sorts for name in ABILITIES for sorts in load_shipped_game("maelstrom").traits[name].specialties.values()
    ]
    assert sum(len(sorts["advanced"]) for sorts in abilities) == 81
    assert sum(len(sorts["general"]) for sorts in abilities) == 102
    assert all(len({*sorts["advanced"], *sorts["general"]}) == sum(map(len, sorts.values())) for sorts in abilities)


def test_the_attributes_of_both_editions() -> None:
    second, first = (load_shipped_game(name).traits["attributes"] for name in ("maelstrom", "maelstrom-first-edition"))
    assert second.groups == {
        "physical": ("Strength", "Precision", "Reflexes"),
        "mental": ("Perception", "Intelligence", "Wits"),
    }
    assert first.groups == {
        "physical": ("Strength", "Precision", "Reflexes", "Fortitute"),
        "mental": ("Intelligence", "Wisdom", "Technology", "Willpower"),
    }


def test_the_first_edition_inherits_no_ability() -> None:
    traits = load_shipped_game("maelstrom-first-edition").traits
    assert {trait for category in traits.values() for trait in category.names} == set(traits["attributes"].names)
