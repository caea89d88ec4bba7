"""The interview of `init`: every combination of answers is a game that loads, with odds that work."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from rulewright.adopt.gallery import read_gallery
from rulewright.adopt.game import Mechanic, clearest_mechanic
from rulewright.adopt.game_text import sample_rule, samples, write_game
from rulewright.adopt.interview import (
    QUESTIONS,
    Answers,
    complete,
    default_of,
    expectation,
    likely_total,
    next_question,
    read_answer,
    suggest_answers,
)
from rulewright.adopt.survey import count_dice
from rulewright.cli.game_preview import GamePreview, gallery_preview
from rulewright.cli.terminal import WIDTH, Screen, screen_width
from rulewright.odds.rule_odds import compute_chances

WORDING = ("labels", "names", "title")  # questions that change no dice


def every_answer(answers: dict[str, str]) -> Iterator[Answers]:
    """Every way through the questions; of a number the least, the default and the greatest, one wording each."""
    question = next_question(answers)
    if question is None:
        yield answers
        return
    values = [choice.value for choice in question.choices(answers)]
    if question.name in WORDING:
        values = values[:1]
    elif question.free == "number":
        values += map(str, question.bounds(answers))
    for value in dict.fromkeys(values):
        assert read_answer(question, answers, value) == value
        yield from every_answer({**answers, question.name: value})


ALL = list(every_answer({}))


def few() -> list[Answers]:
    """Some of them, with every answer of each family."""
    left = {(answers["family"], *item) for answers in ALL for item in answers.items()}
    chosen = []
    for answers in ALL:
        own = {(answers["family"], *item) for item in answers.items()}
        if own & left and not (answers.get("sides") == "d100" and answers.get("explode") == "yes"):
            chosen.append(answers)
            left -= own
    return chosen


def require_good(answers: Answers) -> None:
    """The game loads, the chances of each sample are exact, and the text is one that people like to read."""
    text = write_game(answers)
    preview = GamePreview(text, sample_rule(answers), samples(answers))
    lines = preview.odds_lines(Screen(io.StringIO()))
    assert 0 < max(map(screen_width, lines)) <= WIDTH, lines
    for sample in preview.samples:
        chances = compute_chances(preview.rule, sample.inputs).values()
        assert all(chance.exact is not None for chance in chances)
        assert sum((chance.low for chance in chances), Fraction(0)) == 1
    if answers["family"] != "gallery":
        assert all(len(line) <= 120 for line in text.splitlines()), text
        assert text.count("\n# ") >= 4
        assert "\n\n\n" not in text


def test_every_answer_gives_a_good_game() -> None:
    assert len(ALL) > 800
    for answers in few():
        require_good(answers)


@pytest.mark.long
def test_all_combinations_of_answers() -> None:
    for answers in ALL:
        require_good(answers)


def test_every_outcome_can_have_another_name() -> None:
    for question in QUESTIONS:
        if question.name != "names":
            continue
        for answers in few():
            for choice in question.choices(answers):
                game = GamePreview(write_game({**answers, "names": choice.value}), "", ()).game
                rule = next(iter(game.rules.values()))
                assert [outcome.name for outcome in rule.outcomes] == choice.value.split(", ")


@pytest.mark.parametrize(
    ("answers", "question", "typed", "value"),
    [
        ({}, "family", "2", "sum"), ({}, "family", "SUM", "sum"), ({}, "family", "10", "gallery"),
        ({}, "family", "11", None), ({}, "family", "0", None),
        ({}, "family", "", None), ({"family": "one"}, "sides", "d10", "d10"), ({"family": "one"}, "sides", "3", "d10"),
        ({"family": "sum"}, "count", "3", "3"), ({"family": "sum"}, "count", "7", None),
        ({"family": "sum"}, "count", "x", None),
        ({"family": "under", "compare": "target"}, "names", "2", "hit, miss"),
        ({"family": "under", "compare": "target"}, "names", " Yes,  no way ", "Yes, no way"),
        ({"family": "under", "compare": "target"}, "names", "yes", None),
        ({"family": "under", "compare": "target"}, "names", "yes, Yes", None),
        ({"family": "under", "compare": "target"}, "names", "yes, no, maybe", None),
        ({"family": "under", "compare": "target"}, "names", 'yes", no', None),
        ({}, "title", '  The "long"  river ', 'The "long" river'),
    ],
)  # fmt: skip
def test_answers_that_are_typed(answers: Answers, question: str, typed: str, value: str | None) -> None:
    asked = next(entry for entry in QUESTIONS if entry.name == question)
    assert read_answer(asked, answers, typed) == value
    assert expectation(asked, answers)


@pytest.mark.parametrize("title", ['The "long" river', "Wölfe \\ Schafe", "'", "# 1"])
def test_titles_and_names_of_any_kind(title: str) -> None:
    for game in ({"family": "one"}, {"family": "gallery"}):
        answers = complete({**game, "title": title}, {})
        assert GamePreview(write_game(answers), "", ()).game.title == title
    text = write_game(complete({"family": "one", "names": "fröhlich, don't"}, {}))
    assert '"fröhlich" = ' in text
    assert [outcome.name for outcome in GamePreview(text, "", ()).game.rules["check"].outcomes] == ["fröhlich", "don't"]


def test_two_d6_have_the_bands_that_everybody_knows() -> None:
    answers = complete({"family": "sum"}, {})
    assert answers["bands"] == "10 7"
    assert likely_total({"family": "sum", "sides": "d6", "count": "3"}, Fraction(1, 2)) == 11
    assert likely_total({"family": "one", "sides": "d20"}, Fraction(1, 2)) == 11


def chances(answers: Answers, **inputs: str) -> dict[str, Fraction | None]:
    preview = GamePreview(write_game(answers), sample_rule(answers), samples(answers))
    return {name: chance.exact for name, chance in compute_chances(preview.rule, inputs).items()}


def test_challenge_dice() -> None:
    """Counted by hand: every die of the action against every pair of challenge dice; the score ends at 10."""
    answers = complete({"family": "challenge", "names": "strong hit, weak hit, miss"}, {})
    for bonus in (0, 2, 5):
        scores = [min(die + bonus, 10) for die in range(1, 7)]
        beaten = [sum(score > die for die in pair) for score in scores for pair in product(range(1, 11), repeat=2)]
        assert chances(answers, bonus=str(bonus)) == {
            name: Fraction(beaten.count(number), 600)
            for name, number in (("strong hit", 2), ("weak hit", 1), ("miss", 0))
        }


@pytest.mark.parametrize("family", ["pool", "highest"])
def test_a_point_spent_before_the_roll_is_one_more_die(family: str) -> None:
    plain, boosted = (complete({"family": family, "extra": extra}, {}) for extra in ("no", "yes"))
    assert "extra" not in write_game(plain)
    assert chances(boosted, pool="3") == chances(plain, pool="3")
    assert chances(boosted, pool="3", extra="1") == chances(plain, pool="4")


def test_step_dice_with_a_modifier() -> None:
    answers = complete({"family": "step", "method": "added", "modifier": "yes", "target": "8"}, {})
    hits = sum(trait + skill + 1 >= 8 for trait in range(1, 7) for skill in range(1, 9))
    assert chances(answers, trait="d6", skill="d8", modifier="1")["success"] == Fraction(hits, 48)


@pytest.mark.parametrize("name", read_gallery())
def test_a_mechanic_that_fits_the_examples_is_the_default(name: str) -> None:
    """And what the pages suggest is always possible."""
    suggested = suggest_answers(name, {})
    answers = complete({}, suggested)
    assert {key: answers[key] for key in suggested} == suggested
    assert suggested["family"] != "gallery" or suggested["game"] == name


def test_a_family_without_a_suggestion_has_no_default() -> None:
    family = QUESTIONS[0]
    assert default_of(family, {}, {"title": "Salt"}) == ""
    assert default_of(family, {}, {"family": "step"}) == "step"
    assert read_answer(family, {}, "") is None


def test_dice_are_counted_alike_however_they_are_written() -> None:
    assert count_dice(["d20, 1d20 and 1D20", "d% d100 4df"]) == (("d20", 3), ("d100", 2), ("4dF", 1))


def test_a_suggestion_that_does_not_fit_is_not_a_default() -> None:
    question = next(entry for entry in QUESTIONS if entry.name == "sides")
    assert default_of(question, {"family": "pool"}, {"sides": "d20"}) == "d6"


@pytest.mark.parametrize("name", read_gallery())
def test_odds_without_block_characters(name: str) -> None:
    lines = gallery_preview(read_gallery()[name]).odds_lines(Screen(io.TextIOWrapper(io.BytesIO(), "ascii")))
    assert "\n".join(lines).isascii()
    assert "#" in lines[0]
    assert max(map(screen_width, lines)) <= WIDTH


@pytest.mark.parametrize(
    ("fits", "best"),
    [
        ({"two-d6": 3, "weapon-table": 3}, "two-d6"),  # the unusual one is no rival
        ({"two-d6": 6, "weapon-table": 7}, ""),
        ({"two-d6": 3, "weapon-table": 7}, "weapon-table"),
        ({"d20": 4, "blackjack": 3}, ""),
        ({"d20": 6, "blackjack": 4}, "d20"),
        ({"matches": 4, "raises": 4}, ""),
        ({}, ""),
    ],
)
def test_only_a_clear_mechanic_is_a_default(fits: dict[str, int], best: str) -> None:
    likely = [Mechanic(name, name, number, number) for name, number in fits.items()]
    assert clearest_mechanic(likely) == best


def test_text_and_examples_that_contradict_each_other_give_no_default() -> None:
    assert suggest_answers("two-d6", {"family": "pool"}) == {}
    assert suggest_answers("two-d6", {"family": "sum"})["family"] == "sum"
    assert suggest_answers("", {"family": "pool"}) == {"family": "pool"}


def test_a_question_with_one_answer_is_not_asked() -> None:
    compare = next(entry for entry in QUESTIONS if entry.name == "compare")
    assert compare.only_answer({"family": "challenge"}) == "bands"
    assert compare.only_answer({"family": "one"}) == ""
