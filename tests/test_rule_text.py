"""Rule boxes: every rule of the shipped games in words, and a case for each part of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from games import GAMES, load_shipped_game
from odds_helpers import make_rule
from rulewright.adopt.gallery import read_gallery
from rulewright.game.formula import DICE_FUNCTIONS, FUNCTIONS, ROUNDING_FUNCTIONS
from rulewright.game.model import Game, Rule
from rulewright.play.validate import load_game_text
from rulewright.render.cards.rule_text import describe_contest, describe_outcome, describe_rule, describe_step
from rulewright.render.cards.wording import describe_formula
from rulewright.render.inflection import CASES as GRAMMATICAL_CASES
from rulewright.render.inflection import inflect
from rulewright.render.strings import read_words

ENGLISH = read_words("en")
MECHANICS = Path(__file__).parent / "mechanics"
SIX = "[rules.roll.dice]\nsix = { sides = 6 }"
GERMAN_GAME = """\
title = "Nachtwache"

[rules.wache]
label = "Wache"

[rules.wache.inputs]
vorrat = { label = "Würfelvorrat", min = 1, max = 9 }
schwierigkeit = { label = "Schwierigkeit", min = 2, max = 6, default = 4 }
laterne = { label = "Laterne", flag = true, default = false }

[rules.wache.dice]
licht = { label = "Licht", count = 0, sides = 6, tests = { good = "face >= schwierigkeit" } }

[rules.wache.dice.augen]
label = "Augen"
count = "vorrat"
sides = 6
tests.good = "face >= schwierigkeit"
tests.bad = "face = 1"
again = { when = "face = 6 and laterne", roll = "licht" }

[rules.wache.steps]
erfolge = { is = "count(augen: good) + count(licht: good)", label = "Erfolge" }
patzer  = { is = "count(augen: bad)", label = "Patzer" }
uebrig  = { is = "max(erfolge - patzer, 0)", label = "Resterfolge" }

[rules.wache.outcomes]
success = { when = "uebrig > 0", degree = "uebrig" }
failure = {}
"""


def games() -> Iterator[Game]:
    yield from map(load_shipped_game, GAMES)
    for name, entry in read_gallery().items():
        game, _ = load_game_text(entry.text)
        assert game, name
        yield game


def rules() -> Iterator[Rule]:
    for game in games():
        yield from game.rules.values()


def boxes(language: str) -> str:
    """The rule boxes of all games, as a text to read aloud."""
    words = read_words(language)
    return "\n".join(
        "\n\n".join(
            [
                f"# {game.title}",
                *("\n".join([f"{rule.label}:", *describe_rule(rule, words)]) for rule in game.rules.values()),
            ]
        )
        + "\n"
        for game in games()
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_golden_boxes_of_all_games(language: str, golden: Callable[[str, str], None]) -> None:
    golden(f"rule_boxes/{language}.txt", boxes(language))


def test_golden_a_german_game(golden: Callable[[str, str], None]) -> None:
    game, problems = load_game_text(GERMAN_GAME)
    assert game, problems
    golden("rule_boxes/german-game.txt", "\n".join(describe_rule(game.rules["wache"], read_words("de"))) + "\n")


def test_no_box_shows_code() -> None:
    """No operators, no quotes, no underscores, no parentheses in parentheses, no doubled articles or spaces."""
    code = re.compile(
        r"[<>=_{}'\"“”]|\([^()]*\([^()]*\(|\b(?:the the|a a|an a|the a|a the)\b|  |\.\.|\ba (?!uni)[aeiou]\w",
        re.IGNORECASE,
    )
    others = [
        path for path in sorted(MECHANICS.glob("*/game.toml")) if path.parent.name != "genesys"
    ]  # a symbol is "a"
    every = (*rules(), *(rule for path in others for rule in load_rules(path)))
    found = [(rule.name, code.findall(text)) for rule in every for text in describe_rule(rule, ENGLISH)]
    assert found
    assert [name for name, signs in found if signs] == []


WRONG_GERMAN = (
    r"\b(?:von|zu|bei|aus|mit|nach|gleich) (?:die|das|der (?:höchste|niedrigste|höhere|niedrigere|Wert))\b",
    r"\b(?:über|unter) (?:die|das|der Wert|der höchste)\b[^,.;:]* liegt",
    r"\b(?:für|durch|ohne) (?:der|dem)\b",
    r"\b(?:zwischen|außer) (?:die|das)\b",
    r"(?<!, )(?<!um )(?<!für )\b(?:der|die|das|den|dem|einen) (?:der|die|das|den|dem|einen)\b",
    r", die (?:[^,.;:]| und )* zeigen (?!da)",  # a clause that no comma closes
    r", wenn [^,.;:]* (?:ist|liegt|gilt) (?:plus|minus) ",
    r",\s*[,.;:)]",
    r"\bgilt: [^.;:]* (?:ist|liegt|gilt)[.;:]",  # a main clause with its verb at the end
    r"\bWirf W\d+\b(?! in dieser|, die)",
)


@pytest.mark.parametrize("pattern", WRONG_GERMAN)
def test_german_grammar(pattern: str) -> None:
    found = [(match, text) for text in german_texts() for match in [re.search(pattern, text)] if match]
    assert [text[max(0, match.start() - 20) : match.end() + 30] for match, text in found] == []


@cache
def german_texts() -> list[str]:
    games = [rule for path in sorted(MECHANICS.glob("*/game.toml")) for rule in load_rules(path)]
    texts = [text for rule in (*rules(), *games) for text in describe_rule(rule, read_words("de"))]
    assert len(texts) > 300
    return texts


def load_rules(path: Path) -> list[Rule]:
    game, _ = load_game_text(path.read_text("utf-8"))
    return list(game.rules.values()) if game else []


def test_every_box_is_made_of_sentences() -> None:
    for rule in rules():
        paragraphs = describe_rule(rule, ENGLISH)
        assert paragraphs, rule.name
        for paragraph in paragraphs:
            assert re.fullmatch(r"(?:[A-Z0-9][^.!?]*(?:\.\d[^.!?]*)*[.!?](?: |$))+", paragraph), paragraph


def test_no_box_names_a_hidden_step() -> None:
    hidden = [(rule, step) for rule in rules() for step in rule.steps if step.label == ""]
    assert len(hidden) >= 3
    for rule, step in hidden:
        assert not re.search(rf"\b{step.name}\b|1000", " ".join(describe_rule(rule, ENGLISH))), rule.name


CASES = {
    "one die": (SIX, "Roll a d6."),
    "an eight": ("[rules.roll.dice]\neight = { sides = 8 }", "Roll a d8."),
    "several kinds": (
        "[rules.roll.dice]\nred = { count = 2, sides = 6 }\nblue = { sides = 10, label = 'azure' }",
        "Roll 2d6 (the red dice) and a d10 (the azure die).",
    ),
    "an input as many": (
        ("[rules.roll.inputs]\npool = { label = 'Dice pool', min = 1, max = 9, default = 3 }\n"
        "[rules.roll.dice]\nsix = { count = 'pool', sides = 6 }"),
        "Roll a number of d6s equal to the dice pool. Normally, the dice pool is 3.",
    ),
    "an input that names dice": (
        ("[rules.roll.inputs]\nbase = { label = 'Base dice', min = 1, max = 9 }\n"
        "[rules.roll.dice]\nsix = { count = 'base', sides = 6 }"),
        "Roll the base dice (d6s).",
    ),
    "an input as the die": (
        ("[rules.roll.inputs]\nskill = { label = 'Skill', die = [0, 6, 8] }\n"
        "[rules.roll.dice]\nskill = { count = 'if(skill > 0, 1, 0)', sides = 'skill' }"),
        "Roll the skill die (if any).",
    ),
    "dice under a condition": (
        ("[rules.roll.inputs]\nhurt = { label = 'Wounded', flag = true, default = false }\n"
        "[rules.roll.dice]\nsix = { count = 'if(hurt, 1, 2)', sides = 6 }"),
        "Roll a d6 if wounded, otherwise 2d6.",
    ),
    "faces of their own": (
        "[rules.roll.dice]\nfate = { count = 4, faces = { '-' = -1, '0' = 0, '+' = { is = 1, label = 'plus' } } }",
        "Roll 4 fate dice (faces −, 0 and plus).",
    ),
    "a die with faces of its own": (
        "[rules.roll.dice]\nomen = { faces = ['eye', '1', '2'] }\nsix = { sides = 6 }",
        "Roll an omen die (faces eye, 1 and 2) and a d6 (the six die).",
    ),
    "dice called like theirs": (
        "[rules.roll.dice]\nd6 = { count = 5, faces = ['nine', 'ten', 'ace'] }", "Roll 5d6 (faces nine, ten and ace)."
    ),
    "dice under a flag": (
        ("[rules.roll.inputs]\nblessed = { label = 'Blessed', flag = true, default = false }\n"
        "[rules.roll.dice]\nsix = { count = 2, sides = 6 }\nfour = { count = 'blessed', sides = 4 }\n"
        "[rules.roll.steps]\ntotal = 'sum(six) + sum(four)'"),
        ("Roll 2d6 (the six dice) and a d4 (the four die) if blessed. "
        "The total is the sum of the six dice plus the four die."),
    ),
    "a choice by its label": (
        ("[rules.roll.inputs]\nx = { label = 'Who chooses', choice = ['you', 'they'], default = 'you' }\n"
        "[rules.roll.dice]\nsix = { sides = 6 }"),
        "Roll a d6. Normally, the who chooses is you.",
    ),
    "a die that explodes": (
        "[rules.roll.dice]\nsix = { sides = 6, again = { when = 'face = sides', roll = 'explode', optional = true } }",
        "Roll a d6. If the die shows the highest face, roll it again and add the new roll. You may stop at any time.",
    ),
    "dice that explode": (
        ("[rules.roll.dice]\nsix = { count = 3, sides = 6, "
        "again = { when = 'face > 4', roll = 'explode', optional = 'face = 5' } }"),
        "Roll 3d6. Roll dice that show 5 or more again and add the new roll. You may stop after 5.",
    ),
    "faces by different conditions": (
        ("[rules.roll.inputs]\nlucky = { label = 'Being lucky', flag = true, default = false }\n"
        "[rules.roll.dice]\nsix = { count = 3, sides = 6, "
        "again = { when = 'face = 6 or (face = 5 and lucky)', roll = 'explode' } }"),
        "Roll 3d6. Roll dice that show 6 or 5 (with exceptions) again and add the new roll.",
    ),
    "dice that earn dice": (
        ("[rules.roll.dice.six]\ncount = 3\nsides = 6\n"
        "again = { when = 'face = 6', roll = 'six', count = 2, optional = true }"),
        "Roll 3d6. Dice that show 6 earn 2 more dice each. You may decline.",
    ),
    "the highest": (
        "[rules.roll.dice]\nsix = { count = 3, sides = 6 }\n[rules.roll.steps]\ntotal = 'highest(six)'",
        "Roll 3d6. The total is the highest die.",
    ),
    "rerolls of a face": (
        SIX + "\n[[rules.roll.again]]\nroll = 'reroll'\npick = 'all'\nwhen = 'face > 1 and face < 6'\nkeep = 'new'",
        "Roll a d6. Reroll dice that show 2 to 5, and keep the new result.",
    ),
    "rerolls of the lowest": (
        "[rules.roll.inputs]\nluck = { label = 'Luck', min = 0, max = 3 }\n" + SIX
        + "\n[[rules.roll.again]]\nroll = 'reroll'\ntimes = 'luck'\npick = 'lowest'\nkeep = 'higher'",
        "Roll a d6. Reroll the lowest six die as many times as the luck, and keep the higher result.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_dice(name: str) -> None:
    lines, text = CASES[name]
    head, _, tail = lines.partition("[rules.roll.inputs]\n")
    inputs, _, rest = tail.partition("[rules.roll.dice]")
    made = make_rule("[rules.roll.dice]" + rest, inputs=inputs) if tail else make_rule(head)
    assert " ".join(describe_rule(made, ENGLISH)) == text


INPUTS = """
bonus = { label = "Bonus", min = -9, max = 9 }
hits = { label = "Hits", min = 0, max = 9 }
needed = { label = "Hits needed", min = 0, max = 9 }
hurt = { label = "Wounded", flag = true, default = false }
push = { label = "Push the roll", flag = true, default = false }
mood = { label = "Mood", choice = ["calm", "wild"] }
lost = { label = "The lost die", choice = ["counts", "is dropped"] }
skill = { label = "Skill", die = [0, 6, 8] }
"""
FORMULAS = {
    "2 * bonus + 1 - hits": "The x is twice the bonus plus 1 minus the hits.",
    "bonus * (hits - 1)": "The x is the bonus times (the hits minus 1).",
    "max(bonus - hits, 0)": "The x is the bonus minus the hits, but at least 0.",
    "min(max(bonus, 0), 5)": "The x is the bonus, but at least 0 and at most 5.",
    "max(bonus, hits)": "The x is the higher of the bonus and the hits.",
    "min(bonus, hits, needed)": "The x is the lowest of the bonus, the hits and the hits needed.",
    "min(bonus, -hits)": "The x is the lower of the bonus and the amount by which the number of hits is below 0.",
    "abs(bonus - hits)": "The x is the difference between the bonus and the hits.",
    "down(bonus / 2)": "The x is half of the bonus (rounded down).",
    "up(bonus / hits)": "The x is the bonus divided by the hits (rounded up).",
    "if(hurt, 1, 2)": "The x is 1 if wounded, otherwise 2.",
    "if(mood = 'wild', 1, if(hurt, 2, 3))": "The x is 1 if the mood is wild, 2 if wounded, otherwise 3.",
    "if(hurt, max(bonus, 1), 0)": "If wounded, the x is the bonus, but at least 1; otherwise, it is 0.",
    "bonus + if(hurt, hits, -hits)": "The x is the bonus plus (the hits if wounded, otherwise minus the hits).",
    "if(hurt, 2, 0) + bonus": "The x is (2 if wounded, otherwise 0) plus the bonus.",
    "bonus + if(hurt, 2, 0) + hits": "The x is the bonus plus the hits, plus 2 if wounded.",
    "bonus - if(hurt, 2, 0)": "The x is the bonus, minus 2 if wounded.",
    "sum(d)": "The x is the sum of the dice.",
    "highest(d) - lowest(d)": "The x is the highest die minus the lowest die.",
    "count(d: face >= 5)": "Dice that show 5 or more count as x.",
    "count(d: face != 1 and hurt)": "If wounded, dice that show anything but 1 count as x.",
    "if(hurt, count(d: face = 1), 0)": "If wounded, dice that show 1 count as x.",
    "hits + hurt": "The x is the hits, plus 1 if wounded.",
    "highest 2 of d": "The x are the 2 highest of the dice.",
    "lowest 1 of d": "The x is the lowest of the dice.",
    "first hits of d": "The x are the first of the dice (as many as the hits).",
    "highest 2 of d by 100 * value + sides": (
        "The x are the 2 highest of the dice (of equal dice those with the most sides)."
    ),
    "highest 2 of d by sides - value": (
        "The x are the 2 highest of the dice (compared by the number of sides minus the value of the die)."
    ),
    "d where face >= 5": "The x are the dice that show 5 or more.",
    "d where sides > 6": "The x are the dice for which the number of sides is above 6.",
    "d without highest 1 of d": "The x are the dice other than the highest of the dice.",
    "sum(d where face >= 5)": "The x is the sum of the dice that show 5 or more.",
    "sum(highest 2 of d)": "The x is the sum of the dice.",
    "sum(highest 2 of d) + sum(d)": "The x is the sum of the 2 highest of the dice plus the sum of the dice.",
    "highest(d without highest 1 of d)": "The x is the highest of the dice other than the highest of the dice.",
    "highest(d: sides)": "The x is the highest number of sides among the dice.",
    "sum(d: if(face = 1, 6, face))": "The x is the sum of (6 if the face is 1, otherwise the face) over the dice.",
    "count(highest 2 of d: face >= 5) + sum(d)": (
        "The x is the number of dice among the 2 highest of the dice that show 5 or more plus the sum of the dice."
    ),
    "max(f of d: count(d: face = f))": "The x is the largest number of dice that show the same.",
    "max(f of d: if(count(d: face = f) > 1, f, 0))": (
        "The x is the highest face of the dice for which at least 2 dice show that face."
    ),
    "min(f of d: count(d: face = f))": (
        "The x is the lowest value of the number of dice that show that face for any face of the dice."
    ),
    "sum(i of 1..3: count(d: face = i) > 1)": (
        "The x is the number of times that at least 2 dice show this number, once for each number from 1 to 3."
    ),
    "groups(d, 10)": "The x is the most groups of 10 or more that the dice make.",
}
CONDITIONS = {
    "bonus > 0": "the bonus is above 0",
    "bonus >= hits": "the bonus is at least the hits",
    "hits >= 2": "there are at least 2 hits",
    "hits = 0": "there are no hits",
    "hits >= 1": "there are any hits",
    "hits < 3": "there are at most 2 hits",
    "hits < 0": "the number of hits is below 0",
    "hits >= needed": "the number of hits is at least the hits needed",
    "0 < bonus": "the bonus is above 0",
    "bonus != 3": "the bonus is not 3",
    "not bonus > 3": "the bonus is at most 3",
    "not (bonus > 3 and hurt)": "the bonus is at most 3 or not wounded",
    "hurt and (bonus > 3 or hits > 4)": "wounded and either the bonus is above 3 or there are at least 5 hits",
    "hurt and not (bonus > 3 and hits > 4)": "wounded and either the bonus is at most 3 or there are at most 4 hits",
    "mood = 'wild'": "the mood is wild",
    "mood != 'wild'": "the mood is not wild",
    "lost = 'is dropped'": "the lost die is dropped",
    "skill > 0": "there is a skill die",
    "skill = 0": "there is no skill die",
    "count(d: face = 1) = 0": "no die shows 1",
    "count(d: face = 1) > 0": "any die shows 1",
    "count(d: face <= 2) >= 3": "at least 3 dice show 2 or less",
    "count(d: face = 1 and last = 1) > 0": "any die shows 1 right after 1",
    "count(d: face = 1 and throw = 2) > 0": "any die shows 1 (with exceptions)",
    "hits > if(hurt, 1, 0)": "the number of hits is above (1 if wounded, otherwise 0)",
    "hits = 1": "the number of hits is 1",
    "hits <= 1": "the number of hits is at most 1",
    "count(d: face = 6) = 1": "exactly one die shows 6",
    "count(d: face = 6) < 2": "at most one die shows 6",
    "push": "you push the roll",
    "not push": "you do not push the roll",
    "if(hits = 0, 'none', if(bonus > 3, 'some', 'all')) = 'some'": "there are any hits and the bonus is above 3",
    "if(hits = 0, 'none', if(bonus > 3, 'some', 'all')) != 'none'": "there are any hits",
    "if(bonus > 3, 1, if(hits = 0, 0, hurt))": "the bonus is above 3 or there are any hits and wounded",
    "if(hurt, bonus > 3, hits > 2)": "wounded and the bonus is above 3 or not wounded and there are at least 3 hits",
    "if(hurt, 1, 2) >= 1": "(1 if wounded, otherwise 2) is at least 1",
    "if(hurt, bonus, 2) > 1": "(the bonus if wounded, otherwise 2) is above 1",
}


def with_dice(*lines: str) -> Rule:
    return make_rule("[rules.roll.dice]", "d = { count = 4, sides = 6 }", *lines, inputs=INPUTS)


@pytest.mark.parametrize("formula", FORMULAS)
def test_steps(formula: str) -> None:
    made = with_dice("[rules.roll.steps]", f'x = "{formula}"')
    assert describe_step(made, made.steps[0], ENGLISH) == FORMULAS[formula]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions(condition: str) -> None:
    made = with_dice("[rules.roll.outcomes]", f'success = {{ when = "{condition}" }}', "failure = {}")
    assert describe_outcome(made, made.outcomes[0], ENGLISH) == f"You succeed if {CONDITIONS[condition]}."


def test_a_formula_that_is_too_deep() -> None:
    formula = "if(hurt, down((bonus + if(hits > 2, 1, 0) * 3) / 2), if(mood = 'wild', hits, 0))"
    made = with_dice("[rules.roll.steps]", f'x = {{ is = "{formula}", label = "losses" }}')
    text = "The number of losses depends on whether wounded, the bonus, the hits and the mood."
    assert describe_step(made, made.steps[0], ENGLISH) == text


def test_a_condition_without_label_takes_the_place_of_its_name() -> None:
    steps = ["low = 'sum(d) < 9'", "both = { is = 'low and hurt', label = 'mishap' }"]
    made = with_dice("[rules.roll.steps]", *steps, "[rules.roll.outcomes]", "botch = { when = 'both' }", "failure = {}")
    assert describe_rule(made, ENGLISH)[1:] == [
        "There is a mishap if the sum of the dice is below 9 and wounded.",
        "You botch if there is a mishap. Otherwise, you fail.",
    ]


def test_labels_of_outcomes_are_nouns() -> None:
    outcomes = (
        "a = { when = 'hits > 3', label = 'excellent hit', says = 'Well done.' }",
        "b = { when = 'hits > 2', says = 'With {hits}.', degree = 'hits' }",
        "c = {}",
    )
    made = with_dice("[rules.roll.outcomes]", *outcomes)
    assert describe_rule(made, ENGLISH)[1] == (
        "If there are at least 4 hits, it is an excellent hit. Well done. "
        "Otherwise, if there are at least 3 hits, the outcome is b. The degree is the hits. "
        "Otherwise, the outcome is c."
    )


def test_choices_and_points() -> None:
    game, problems = load_game_text(
        'title = "Made up"\n[rules.roll.inputs]\n'
        'bonus = { label = "Bonus", min = 0, max = 9, default = 0 }\n'
        'push = { label = "Pushing on", flag = true, default = false, asked = "sum(d) < 4" }\n'
        'price = { label = "Price", choice = ["time", "blood"], default = "time", asked = "sum(d) < 3" }\n'
        "[rules.roll.dice]\nd = { sides = 6 }\n[rules.roll.steps]\n"
        "total = \"sum(d) + bonus + push + (price = 'time')\"\n[rules.roll.spends]\n"
        'oil = { changes = { bonus = "bonus + 2" }, most = 1 }\n'
        'luck = { point = "point of luck", highest = ["d"], most = 2, traits = ["Eyes", "Ears"] }\n'
        "nerve = { changes = { push = 1 } }\n"
    )
    assert game, [problem.message for problem in problems]
    assert describe_rule(game.rules["roll"], ENGLISH)[-1] == (
        "If the die is below 4, you may opt for pushing on. If the die is below 3, choose the price: time or blood. "
        "After the roll, you may spend an oil to add 2 to the bonus, once in a roll. "
        "After the roll, you may spend a point of luck to set one d die to its highest face, "
        "in rolls of Eyes or Ears, at most 2 in one roll."
    )


@pytest.mark.parametrize(
    ("ties", "text"), [("again", "both sides roll again"), ("second", "the second side wins"), ("none", "nobody wins")]
)
def test_contests(ties: str, text: str) -> None:
    game, problems = load_game_text(
        f'title = "Made up"\n[rules.look]\n{SIX.replace("roll", "look")}\n[rules.look.steps]\n'
        'seen = "sum(six)"\nrank = { is = "seen * 2", label = "" }\n'
        f'[rules.watch]\ncontest = {{ of = "look", compare = "seen", ties = "{ties}" }}\n'
        '[rules.hide]\ncontest = { of = "look", compare = "rank", ties = "first" }\n'
    )
    assert game, problems
    assert describe_contest(game.rules["watch"], ENGLISH) == [
        "Each side makes this roll: Look.",
        "The higher seen wins.",
        f"On a tie, {text}.",
    ]
    assert describe_contest(game.rules["hide"], ENGLISH)[1] == "The better result wins."


FUNCTION_CALLS = {
    **{name: f"{name}(six) + 1" for name in DICE_FUNCTIONS},
    **{name: f"{name}(sum(six) / 2)" for name in ROUNDING_FUNCTIONS},
    "if": "if(sum(six) > 3, 2, 1)",
    "min": "min(sum(six), 3)",
    "max": "max(sum(six), 3)",
    "abs": "abs(sum(six) - 3)",
    "lookup": "lookup(load, sum(six), weight)",
    "groups": "groups(six, 4)",
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_has_words(function: str) -> None:
    """Both in a formula and in the sentences of a rule box."""
    table = '[tables.load]\ncolumns = ["weight"]\nranges = { "1.." = [4] }\n'
    game, problems = load_game_text(
        f'title = "T"\n{table}{SIX}\n[rules.roll.steps]\nscore = "{FUNCTION_CALLS[function]}"\n'
    )
    assert game, problems
    rule = game.rules["roll"]
    for words in (ENGLISH, read_words("de")):
        assert describe_formula(rule.steps[0].formula, words, rule)
        assert len(describe_step(rule, rule.steps[0], words)) > len("score")


CASES_IN_GERMAN = {
    "die Summe der Würfel": ("der Summe der Würfel", "der Summe der Würfel", "die Summe der Würfel"),
    "die 2 höchsten der Würfel": (
        "der 2 höchsten der Würfel",
        "den 2 höchsten der Würfel",
        "die 2 höchsten der Würfel",
    ),
    "die Würfel, die 5 zeigen,": (
        "der Würfel, die 5 zeigen,",
        "den Würfeln, die 5 zeigen,",
        "die Würfel, die 5 zeigen,",
    ),
    "die roten Karten": ("der roten Karten", "den roten Karten", "die roten Karten"),
    "der höchste Würfel": ("von dem höchsten Würfel", "dem höchsten Würfel", "den höchsten Würfel"),
    "das Doppelte": ("von dem Doppelten", "dem Doppelten", "das Doppelte"),
    "Stärke": ("von Stärke", "Stärke", "Stärke"),
    "7": ("von 7", "7", "7"),
}


@pytest.mark.parametrize("phrase", CASES_IN_GERMAN)
def test_german_cases(phrase: str) -> None:
    assert tuple(inflect(phrase, case) for case in GRAMMATICAL_CASES) == CASES_IN_GERMAN[phrase]
