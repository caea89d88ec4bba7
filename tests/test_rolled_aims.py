"""Aims of rolls as settings: `you.aim` takes the place of the aim of the rule that is rolled.

The truth is every plan tried one by one (test_rolled_choices.py), and the game with that aim written in its rule."""

from __future__ import annotations

from contextlib import chdir
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from engine_cases import odds_case, roll_case
from example_counts import sample
from exhaustive_plans import TinyGame
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.cli import main
from rulewright.odds.rule_odds import compute_odds
from rulewright.odds.table import compute_odds_table
from rulewright.play.validate import load_game_text
from test_rolled_choices import (
    AGAINST,
    BRAVE,
    DUEL,
    FORMS,
    GIFT,
    Bet,
    assert_engines_agree,
    chance,
    compute,
    load,
    problems_of,
)

AIMS = ("mean(total)", "-mean(total)", "chance(good)", "chance(bad)", "mean(degree of good)")
BETS = [Bet(form, 4, 2, 3, aim) for form, aim in product(FORMS, AIMS)]


@pytest.mark.parametrize("bet", sample(BETS, 4), ids=str)
def test_a_roll_chooses_for_another_aim(bet: Bet) -> None:
    other = bet._replace(aim=AIMS[AIMS.index(bet.aim) - 1])
    game = load(other.text() + DUEL)
    for inputs, you, they in (
        ({"you.aim": bet.aim}, bet, other),
        ({"they.aim": bet.aim}, other, bet),
        ({"you.aim": bet.aim, "they.aim": bet.aim}, bet, bet),
    ):
        odds = compute(game, "duel", inputs)
        assert odds.chances["win"].exact == chance(you.best(1), they.best(), lambda a, b: a > b)
        assert odds.mean("you.total") == sum(total * p for total, p in you.best(1).items())
        assert_engines_agree(game, "duel", inputs)


BET = Bet("flag = true", 4, 2, 3, "{aim}").text().replace("{", "{{").replace("}", "}}").replace("{{aim}}", "{aim}")
NESTED = """
[rules.pair.rolls]
one = {{ rule = "bet" }}
[rules.pair.steps]
twice = "one.total * 2"
[rules.duel.rolls]
you = {{ rule = "pair", times = 2 }}
[rules.duel.steps]
margin = "sum(you: twice)"
"""
TIMES = """
[rules.duel.inputs]
number = {{ min = 0, max = 2, default = 2 }}
[rules.duel.rolls]
you = {{ rule = "bet", times = "number" }}
[rules.duel.steps]
margin = "highest(you: total) - count(you: total >= 3)"
"""
ROUNDS = """
title = "T"
[rules.hold]
aim   = "{aim}"
carry = {{ held = "score" }}
until = "stop or score = 0"
most  = 2
[rules.hold.inputs]
held = {{ min = 0, max = 9, default = 0 }}
stop = {{ flag = true, asked = "score > 0" }}
[rules.hold.dice]
d = {{ sides = 4 }}
[rules.hold.steps]
score = "if(sum(d) = 1, 0, held + sum(d))"
[rules.hold.outcomes]
rich = {{ when = "score >= 6", degree = "score" }}
poor = {{}}
[rules.duel.rolls]
you = {{ rule = "hold", times = 2 }}
[rules.duel.steps]
margin = "sum(you: score)"
"""
TINY = TinyGame((1, 2, 4), 1, 2, "new").text("sum(d)", "score >= 4", "AIM") + AGAINST
PICKED = TINY.replace("{", "{{").replace("}", "}}").replace("AIM", "{aim}")
TURNED = """
title = "T"
[rules.turn]
aim = "{aim}"
[rules.turn.dice]
d = {{ count = 2, sides = 3 }}
[[rules.turn.again]]
turn = "any"
pick = "any"
[rules.turn.steps]
score = "sum(d) - 2 * count(d: face = 2)"
[rules.turn.outcomes]
good = {{ when = "highest(d) = 2" }}
bad  = {{}}
[rules.duel.rolls]
you = {{ rule = "turn" }}
[rules.duel.steps]
margin = "you.score + 10 * sum(you.d)"
"""
OPTIONAL = BRAVE.replace("rules.both", "rules.duel").replace('"{other}"', '"never"').replace("{score}", "sum(d)")
ASKED = """
title = "T"
[rules.bet]
aim = "{aim}"
[rules.bet.inputs]
more = {{ flag = true, asked = "sum(d) < 3" }}
[rules.bet.dice]
d = {{ sides = 4 }}
plus = {{ count = "more", sides = 3 }}
[rules.bet.steps]
round = "sum(d)"
total = "round - sum(plus)"
[rules.bet.outcomes]
"Hit or miss" = {{ when = "total >= 2", degree = "total" }}
bad = {{}}
[rules.duel.rolls]
you = {{ rule = "bet" }}
[rules.duel.steps]
margin = "you.total"
[rules.duel.outcomes]
win = {{ when = "margin > 1" }}
lose = {{}}
"""
EXPLODING = ASKED.replace("sides = 4", 'sides = 4, again = {{ when = "face = 4", roll = "explode", optional = true }}')
EXPLODING = EXPLODING.replace("round - sum", "round + sum").replace("margin > 1", "margin > 4")


class Case(NamedTuple):
    """A game with a place for an aim, the settings for that aim, and what it may be."""

    text: str
    settings: str
    aims: tuple[str, ...]


CASES = {
    "nested": Case(BET + NESTED, "you.one.aim", ("mean(total)", "-mean(total)", "always", "never")),
    "times": Case(BET + TIMES, "you.aim", ("mean(total)", "chance(bad)", "never")),
    "rounds": Case(ROUNDS, "you.aim", ("mean(score)", "-mean(score)", "chance(rich)", "always", "never")),
    "picks": Case(PICKED, "you.aim they.aim", ("mean(score)", "-mean(score)", "chance(good)")),
    "turned": Case(TURNED, "you.aim", ("mean(score)", "-mean(score)", "chance(good or bad)", "-chance(bad)")),
    "dice": Case(
        GIFT.replace("{most}", "1").replace("{worth}", "sum(kept) * count(given)").replace("exchange", "duel")
        .replace('"mean(worth)"', '"{aim}"'), "you.aim they.aim", ("mean(worth)", "-mean(worth)"),
    ),
    "or": Case(ASKED, "you.aim", ("-chance(hit or miss)", "chance(hit or miss)", "mean(degree of hit or miss)")),
    "step called round": Case(
        ASKED.replace('"bet" }}', '"bet", times = 2 }}').replace("you.total", "sum(you: total)"), "you.aim",
        ("mean(total)", "-mean(total)", "-chance(bad)"),
    ),
    "declined": Case(EXPLODING, "you.aim", ("never", "mean(total)", "-mean(total)", "always")),
    "optional": Case(OPTIONAL.replace("{roll}", "explode"), "you.aim", ("always", "never")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_setting_does_what_the_rule_itself_would(name: str) -> None:
    text, settings, aims = CASES[name]
    written = {aim: load(text.format(aim=aim)) for aim in aims}
    answers = {aim: odds_case(game.rules["duel"], {}, "")[1]["odds"] for aim, game in written.items()}
    assert len({str(answer) for answer in answers.values()}) > 1, "the aims make no difference"
    game = written[aims[0]]
    for aim in aims:
        given = dict.fromkeys(settings.split(), aim.upper())
        question, expected = odds_case(game.rules["duel"], given, "")
        assert answers[aim] == expected["odds"], aim
        rolls = [roll_case(game.rules["duel"], given, Random(seed), True)[:2] for seed in range(12)]
        own = [roll_case(written[aim].rules["duel"], {}, Random(seed), True)[1] for seed in range(12)]
        odds, *found = shared_engine().ask(game, "duel", [question, *(asked for asked, _ in rolls)])
        assert not find_odds_differences(expected["odds"], odds["odds"]), aim
        assert [wanted for _, wanted in rolls] == own == found, aim


BOOK = Bet("flag = true", 4, 1, 4, "mean(total)").text() + DUEL


def test_every_door_takes_the_aim_of_a_roll(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bet = Bet("flag = true", 4, 1, 4, "mean(total)")
    plans = {aim: bet.totals(dict.fromkeys((1, 2, 3), added), 1) for aim, added in (("always", 1), ("never", 0))}
    best = {aim: chance(plan, bet.best(), lambda a, b: a > b) for aim, plan in plans.items()}
    never = best["never"]
    assert never != best["always"]
    (tmp_path / "game.toml").write_text(BOOK)
    page = f"""# Duel

```odds
rule: duel
you.aim: never
columns: outcomes
expect: they.aim mean(total), outcome win = {float(100 * never):.1f}%
```

```claim
rule: duel
you.aim: never
chance(win) = {never}
chance(win; you.aim always) = {best["always"]}
chance(win; you.aim chance(good or bad), they.aim mean(degree of good)) > 0
```

```roller
rule: duel
you.aim: never
```

```example
rule: duel
you.aim: never
you.dice: 3
they.dice: 4
you.more: no
outcome: tie
```

You win [{float(100 * never):.1f} %](chance:win?rule=duel&you.aim=never).
"""
    (tmp_path / "page.md").write_text(page)
    assert main(["check", str(tmp_path)]) == 0, capsys.readouterr().out
    (tmp_path / "page.md").write_text(page.replace("you.aim: never\ncol", "you.aim: mean(all)\ncol"))
    assert main(["check", str(tmp_path)]) == 1
    assert 'you.aim cannot be "mean(all)"; ' in capsys.readouterr().out
    with chdir(tmp_path):
        assert main(["odds", "duel", "you.aim=never", "--json"]) == 0
        told = capsys.readouterr().out
        assert f'"exact": "{never}"' in told
        assert '"you.aim": "never"' in told
        assert main(["odds", "duel", "you.aim", "never"]) == 0
        assert "you.aim never" in capsys.readouterr().out
        assert main(["roll", "duel", "you.aim=always", "--seed", "1"]) == 0
        assert main(["roll", "duel", "you.aim=mean(all)"]) == 2
        assert main(["odds", "duel", "yu.aim=never"]) == 2
        assert "did you mean you.aim?" in capsys.readouterr().err


def test_an_aim_that_decides_nothing_is_no_setting() -> None:
    game = load(BET.format(aim="mean(total)") + DUEL.replace('bonus = "1"', 'bonus = "1", more = "1"'))
    _, (problem,) = compute_odds(game.rules["duel"], {"you.aim": "never"})
    assert problem.message == 'duel has no input "you.aim"; did you mean they.aim?'
    _, (problem,) = compute_odds(game.rules["duel"], {"they.aim": "chance(great)"})
    assert problem.message == 'they.aim cannot be "chance(great)"; did you mean chance(bad)?'


BETTER = """
title = "Better"
[rules.roll]
aim = "mean(score)"
[rules.roll.dice]
d = { sides = 4 }
[[rules.roll.again]]
roll = "reroll"
pick = "any"
keep = "better"
[rules.roll.steps]
score = "sum(d)"
[rules.duel.rolls]
you = { rule = "roll" }
they = { rule = "roll" }
[rules.duel.steps]
margin = "you.score - they.score"
"""


def test_better_dice_are_those_for_the_aim_of_the_roll() -> None:
    record = "rule: duel\nyou.dice: 4\nyou.rerolled: 4 -> 2\nthey.dice: 3\nmargin: {}"
    assert problems_of(record.format(1), BETTER) == []
    assert problems_of(f"you.aim: -mean(score)\n{record.format(-1)}", BETTER) == []
    assert problems_of(f"they.aim: -mean(score)\n{record.format(1)}", BETTER) == []
    alone = "rule: roll\naim: {}\ndice: 4\nrerolled: 4 -> 2\nscore: {}"
    assert problems_of(alone.format("mean(score)", 4), BETTER) == []
    assert problems_of(alone.format("-mean(score)", 2), BETTER) == []


def test_an_outcome_may_have_or_in_its_name() -> None:
    """For the chance of 2 or more on a d4 nobody takes a d3 off; against it everybody does who may."""
    for aim, win in (("chance(hit or miss)", "3/4"), ("-chance(hit or miss)", "1/2")):
        game = load(ASKED.format(aim=aim))
        assert compute(game, "duel").chances["win"].exact == Fraction(win)
        good = load(ASKED.format(aim=aim).replace("Hit or miss", "good").replace("hit or miss", "good"))
        assert compute(good, "duel").chances["win"].exact == Fraction(win)


def test_a_setting_takes_what_the_rule_declines() -> None:
    """A 4 explodes: 1/4; a 2 takes a d3, and wins with a 3: 1/12."""
    game = load(EXPLODING.format(aim="never"))
    chances = {aim: compute(game, "duel", {"you.aim": aim}).chances["win"].exact for aim in ("never", "mean(total)")}
    assert chances == {"never": 0, "mean(total)": Fraction(1, 3)}


def test_an_input_called_aim_stays_an_input() -> None:
    text = ASKED.format(aim="mean(total)").replace("inputs]", "inputs]\naim = { min = 0, max = 3, default = 1 }")
    game = load(text.replace("round - sum(plus)", "round + sum(plus) + aim").replace("margin > 1", "margin > 4"))
    for aim, win in (("1", "1/2"), ("2", "11/12")):
        assert compute(game, "duel", {"you.aim": aim}).chances["win"].exact == Fraction(win)
        assert_engines_agree(game, "duel", {"you.aim": aim})
    _, (problem,) = compute_odds(game.rules["duel"], {"you.aim": "never"})
    assert problem.message == 'you.aim is a number from 0 to 3, not "never"'


def test_an_outcome_with_an_apostrophe_is_no_aim_of_a_roll() -> None:
    text = ASKED.replace("Hit or miss", "it's")
    game = load(text.format(aim="mean(total)"))
    (setting,) = game.rules["duel"].aims_of_rolls
    assert setting.choices == ("always", "never", "mean(round)", "mean(total)")
    for aim in ("-mean(degree of it's)", "chance(bad)"):
        _, problems = load_game_text(text.format(aim=aim))
        (problem,) = problems
        assert problem.message == (
            f"\"bet\" is rolled here for `{aim}`, and such an outcome cannot have a ' in its name: it's; "
            'call it "its", with label = "it\'s"'
        )
    fixed = text.format(aim="chance(its)").replace('"it\'s" = {', 'its = { label = "it\'s",')
    assert compute(load(fixed), "duel").chances["win"].exact == Fraction(3, 4)
    load(text.format(aim="chance(bad)").replace(', asked = "sum(d) < 3"', ", default = false"))  # nothing is chosen


PICK = '[[rules.bet.again]]\nof = "d"\nroll = "reroll"\n{}\n[rules.bet.steps]'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[rules.bet.steps]", PICK.format('pick = "any"')),
        ("[rules.bet.steps]", PICK.format('pick = "any"\nkeep = "better"')),
        ("[rules.bet.steps]", PICK.format('turn = "any"').replace('roll = "reroll"\n', "")),
        ('sum(d)"\ntotal', 'sum(kept)"\nkept = "any 1 of d"\ntotal'),
        ("[rules.bet.dice]", 'luck = { min = 0, max = 1, asked = "sum(d) > 2" }\n[rules.bet.dice]'),
    ],
)
def test_always_and_never_are_settings_only_where_the_rule_allows_them(old: str, new: str) -> None:
    text = ASKED.format(aim="mean(total)").replace(old, new)
    _, problems = load_game_text(text.replace("mean(total)", "never"))
    assert any("`never` cannot say " in problem.message for problem in problems)
    _, (problem,) = compute_odds(load(text).rules["duel"], {"you.aim": "never"})
    assert problem.message.startswith('you.aim cannot be "never"; ')


@pytest.mark.parametrize("name", ["or", "declined", "optional", "picks", "times"])
def test_a_table_has_the_aim_of_a_roll_as_an_axis(name: str) -> None:
    text, settings, aims = CASES[name]
    rule, setting = load(text.format(aim=aims[0])).rules["duel"], settings.split()[0]
    if not rule.outcomes:
        rule = load(
            text.format(aim=aims[0])
            + '[rules.duel.outcomes]\nwin = { when = "__ > 3" }\nlose = {}\n'.replace("__", rule.steps[-1].name)
        ).rules["duel"]
    table, problems = compute_odds_table(rule, {}, {setting: aims})
    assert not problems
    for aim in aims:
        odds, _ = compute_odds(rule, {setting: aim})
        assert odds
        assert table[aim,] == odds.chances


def test_blocks_have_the_aim_of_a_roll_as_an_axis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.toml").write_text(ASKED.format(aim="mean(total)"))
    page = """# Duel

```odds
rule: duel
rows: you.aim mean(total), -mean(total)
columns: outcomes
expect: you.aim mean(total), outcome win = 75%
expect: you.aim -mean(total), outcome win = 50%
```

```claim
rule: duel
chance(win) <= 3/4 for you.aim mean(total), -mean(total)
```
"""
    (tmp_path / "page.md").write_text(page)
    assert main(["check", str(tmp_path)]) == 0, capsys.readouterr().out
    (tmp_path / "page.md").write_text(page.replace("<= 3/4", "<= 3/5"))
    assert main(["check", str(tmp_path)]) == 1
    assert "you.aim mean(total)" in capsys.readouterr().out
