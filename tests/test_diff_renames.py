"""Traits that are no more than names in a list: which have another name, which probably, and which are gone."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_counts import hang_guard
from rulewright.cli import main
from rulewright.diff.compare import Change, compare_entities
from rulewright.diff.diff import diff_editions
from rulewright.diff.entities import game_entity
from rulewright.diff.renames import name_similarity
from rulewright.play.validate import load_game_text
from two_editions import recheck_example, write_edition

SKILLS = ("Athletics", "Hide", "Melee", "Ride", "Survival")


def game(names: tuple[str, ...], more: str = "") -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f'title = "T"\n[traits.skills]\nnames = [{listed}]\nrange = "0..5"\n{more}'


def change(old: str, new: str, known: tuple[tuple[str, str], ...] = ()) -> Change | None:
    things = []
    for text in (old, new):
        found, problems = load_game_text(text, "game.toml")
        assert found, [one.message for one in problems]
        things.append(game_entity(found))
    return compare_entities(things[0], things[1], known)


def ways(found: Change | None, part: str = "trait") -> list[str]:
    """ "Hide = Stealth", "Hide ~ Stealth" where it is only probable, "+ Stealth", "- Hide"."""
    own = [one for thing in found.children for one in thing.children if one.part == part] if found else []
    signs = {"renamed": lambda one: f"{one.name} {'=' if one.sure else '~'} {one.new_name}"}
    signs |= {"added": lambda one: f"+ {one.new_name}", "removed": lambda one: f"- {one.name}"}
    return sorted(signs[one.way](one) for one in own if one.way in signs)


def swapped(*pairs: tuple[str, str]) -> tuple[str, ...]:
    return tuple(dict(pairs).get(name, name) for name in SKILLS)


GROUPS = 'groups = {{ sly = ["{name}"], brave = ["Melee"] }}\n'


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (swapped(("Hide", "Stealth")), ["Hide ~ Stealth"]),  # only the place speaks for it
        (swapped(("Athletics", "Gymnastics")), ["Athletics ~ Gymnastics"]),  # the first, before the same name
        (swapped(("Survival", "Lore")), ["Survival ~ Lore"]),
        (swapped(("Hide", "Hiding")), ["Hide = Hiding"]),  # the place and the letters
        (swapped(("Melee", "Mellee")), ["Melee = Mellee"]),
        (swapped(("Melee", "Melee Weapons")), ["Melee = Melee Weapons"]),
        (("Athletics", "Melee", "Ride", "Survival", "Stealth"), ["+ Stealth", "- Hide"]),  # neither
        (("Athletics", "Melee", "Ride", "Survival", "Hiding"), ["Hide ~ Hiding"]),  # the letters alone
        (("Athletics", "Stealth", "Cunning", "Melee", "Ride", "Survival"), ["+ Cunning", "+ Stealth", "- Hide"]),
        (swapped(("Hide", "Stealth"), ("Melee", "Brawl")), ["+ Brawl", "+ Stealth", "- Hide", "- Melee"]),
        (swapped(("Hide", "Hiding"), ("Melee", "Brawl")), ["+ Brawl", "- Melee", "Hide ~ Hiding"]),
        (swapped(("Hide", "Brawl"), ("Ride", "Row")), ["Hide ~ Brawl", "Ride ~ Row"]),
        (("Knots",), ["+ Knots", "- Athletics", "- Hide", "- Melee", "- Ride", "- Survival"]),
        (SKILLS[:1] + SKILLS[2:], ["- Hide"]),
        (SKILLS, []),
        (("HIDE", "Athletics", "Melee", "Ride", "Survival"), ["Hide = HIDE"]),  # another spelling, wherever it is
    ],
)
def test_names_in_a_list(new: tuple[str, ...], said: list[str]) -> None:
    assert ways(change(game(SKILLS), game(new))) == said


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Hide", "Hiding", True), ("Armour", "Armor", True), ("Persuasion", "Persuassion", True),
        ("Sleight of hand", "Sleight-of-Hand", True),
        ("Weapons", "Heavy Weapons", True), ("Heavy Weapons", "Heavy Arms", True), ("Sneak", "sneaking", True),
        ("Hide", "Ride", False), ("Driving", "Diving", False), ("Persuasion", "Perception", False),
        ("Melee", "Medicine", False), ("Hide", "Stealth", False), ("Law", "Lawn mowing", False),
    ],
)  # fmt: skip
def test_names_that_are_alike(one: str, other: str, alike: bool) -> None:
    assert bool(name_similarity(one, other)) == bool(name_similarity(other, one)) == alike


@pytest.mark.parametrize("new", ["Sleight-of-Hand", "SLEIGHT OF HAND", "sleight_of_hand", "Sleight of  Hand"])
def test_another_spelling_is_the_same_name_wherever_it_is(new: str) -> None:
    before, after = ("Sleight of hand", *SKILLS), (*reversed(SKILLS), new)
    assert ways(change(game(before), game(after))) == [f"Sleight of hand = {new}"]


def test_what_is_said_of_them_speaks_as_well() -> None:
    new = swapped(("Hide", "Stealth"))
    groups = [GROUPS.format(name=name) for name in ("Hide", "Stealth")]
    assert ways(change(game(SKILLS, groups[0]), game(new, groups[1]))) == ["Hide ~ Stealth"]
    bold = GROUPS.replace("sly", "bold").format(name="Stealth")
    assert ways(change(game(SKILLS, groups[0]), game(new, bold))) == ["+ Stealth", "- Hide"]
    own = 'specialties = {{ {name} = {{ all = ["Shadows"] }} }}\n'
    moved = ("Athletics", "Melee", "Ride", "Survival", "Stealth")
    found = change(game(SKILLS, own.format(name="Hide")), game(moved, own.format(name="Stealth")))
    assert ways(found) == ["Hide = Stealth"]


def test_the_game_or_a_page_says_so() -> None:
    moved = ("Athletics", "Melee", "Ride", "Survival", "Stealth")
    also = 'aliases = { Stealth = ["Hide"] }\n'
    assert ways(change(game(SKILLS), game(moved, also))) == ["Hide = Stealth"]
    assert ways(change(game(SKILLS), game(moved), (("Hide", "Stealth"),))) == ["Hide = Stealth"]
    assert ways(change(game(SKILLS), game(moved), (("Hide", "Lore"),))) == ["+ Stealth", "- Hide"]


def test_a_heading_with_another_text_says_so(tmp_path: Path) -> None:
    body = "Whoever wants to pass unseen rolls this, and whoever keeps watch rolls against it with open eyes.\n"
    moved = ("Athletics", "Melee", "Ride", "Survival", "Stealth")
    old = write_edition(tmp_path / "old", {"game.toml": game(SKILLS), "a.md": f"# Skills\n\n## Hide\n\n{body}"})
    new = write_edition(tmp_path / "new", {"game.toml": game(moved), "a.md": f"# Skills\n\n## Stealth\n\n{body}"})
    assert ways(diff_editions(old, new).games[0].change) == ["Hide = Stealth"]


OUTCOMES = """\
title = "O"
[rules.r.dice]
d = {{ sides = 6 }}
[rules.r.outcomes]
{lines}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hit miss", "hit fail", ["miss = fail"]),  # when it comes is the same
        ("hit miss", "strike miss", ["hit = strike"]),
        ("hit>2 miss", "strike>3 miss", ["hit ~ strike"]),
        ("hit>2 miss", "strike>3 fail", ["+ strike", "- hit", "miss = fail"]),
        ("hit>2! miss", "strike>3 miss", ["+ strike", "- hit"]),  # only one of them is counted
        ("best>5 hit>2 miss", "top>4 hit>2 miss", ["best ~ top"]),
        ("best>5 hit>2 miss", "hit>2 top>4 miss", ["+ top", "- best"]),
    ],
)
def test_outcomes(old: str, new: str, said: list[str]) -> None:
    texts = [OUTCOMES.format(lines="\n".join(outcome_line(one) for one in names.split())) for names in (old, new)]
    assert ways(change(texts[0], texts[1]), "outcome") == said


def outcome_line(text: str) -> str:
    """`hit>2!` is counted, `hit` comes above 2, `miss` and `fail` are the last."""
    name, _, number = text.rstrip("!").partition(">")
    degree = ', degree = "sum(d)"' if text.endswith("!") else ""
    return f"{name} = {{}}" if name in ("miss", "fail") else f'{name} = {{ when = "sum(d) > {number or 2}"{degree} }}'


RULE = """
[rules.act]
traits = { into = "pool" }
[rules.act.inputs]
pool = { min = 0, max = 9 }
[rules.act.dice]
d = { count = "pool", sides = 6 }
[rules.act.outcomes]
yes = { when = "sum(d) >= 7" }
no  = {}
"""


def test_examples_follow_a_name_that_is_sure(tmp_path: Path) -> None:
    """One that is only probable is no ground to stand on."""
    example, text = "traits: Hide 2\ndice: 3 4\noutcome: yes", game(SKILLS, RULE)
    stricter = ("sum(d) >= 7", "sum(d) >= 8")
    assert recheck_example(tmp_path, example, ('"Hide"', '"Hiding"'), stricter, game=text) == (["yes -> no"], [])
    ends, why = recheck_example(tmp_path / "again", example, ('"Hide"', '"Stealth"'), stricter, game=text)
    assert ends == []
    assert why[0].startswith('said there is no trait "Hide"')


def test_how_it_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    new = swapped(("Hide", "Stealth"), ("Ride", "Riding"))
    for name, text in (("old", game(SKILLS)), ("new", game(new))):
        write_edition(tmp_path / name, {"game.toml": text})
    assert main(["diff", "old", "new"]) == 0
    printed = capsys.readouterr().out
    assert "trait Hide is probably trait Stealth now" in printed
    assert "trait Ride is now trait Riding" in printed


TREES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Oak", "Pine", "Yew")
NAMES = st.lists(st.sampled_from(TREES), unique=True, max_size=7)


@given(NAMES, NAMES)
def test_each_name_once(old: list[str], new: list[str]) -> None:
    """Every name of both lists is told once or has stayed, whatever is guessed."""
    found = ways(change(game((*old, "Rowan")), game((*new, "Rowan"))))
    gone = [one.split(" ")[0 if one[0] not in "+-" else 1] for one in found if one[0] != "+"]
    fresh = [one.split(" ")[-1] for one in found if one[0] != "-"]
    assert sorted(gone) == sorted(set(old) - set(new))
    assert sorted(fresh) == sorted(set(new) - set(old))


@pytest.mark.parametrize("order", list(permutations(("Hide", "Ride", "Swim")))[:3])
def test_a_new_order_is_no_new_name(order: tuple[str, ...]) -> None:
    assert ways(change(game(("Hide", "Ride", "Swim")), game(order))) == []


def test_a_thousand_names() -> None:
    names = tuple(f"skill {number}" for number in range(900))
    new = tuple(name if place % 3 else f"art {place}" for place, name in enumerate(names))
    with hang_guard():
        found = ways(change(game(names), game(new)))
    assert len(found) == 300
    assert found[0].startswith("skill 0 ")
