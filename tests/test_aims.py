"""What choices are made for: aims in games, blocks and on the command line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from exhaustive_plans import Table, TinyGame
from odds_helpers import exact_chance
from rulewright.cli import main
from rulewright.odds.aims import relevant_aims
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

TINY = """\
title = "Tiny"
[rules.roll]
aim = "{aim}"
[rules.roll.dice]
d = {{ count = 2, sides = 3 }}
[[rules.roll.again]]
roll = "reroll"
pick = "any"
keep = "new"
[rules.roll.steps]
score = "sum(d)"
[rules.roll.outcomes]
bad = {{ when = "score < 4", degree = "4 - score" }}
good = {{ when = "score = 4" }}
"very good" = {{ degree = "score" }}
"""
TINY_GAME = TinyGame((1, 2, 3), 2, 1, "new")
WORTH: dict[str, Callable[[Table], int]] = {
    "chance(bad)": lambda table: sum(table) < 4,
    "chance(good)": lambda table: sum(table) == 4,
    "chance(bad or very good)": lambda table: sum(table) != 4,
    "-chance(bad)": lambda table: -(sum(table) < 4),
    "mean(score)": sum,
    "-mean(score)": lambda table: -sum(table),
    "mean(degree of bad)": lambda table: max(4 - sum(table), 0),
    "mean(degree of very good)": lambda table: sum(table) if sum(table) > 4 else 0,
}


def odds_of(text: str, aim: str = "", rule: str = "roll") -> Odds:
    game, problems = load_game_text(text)
    assert game, problems
    odds, complaints = compute_odds(game.rules[rule], {}, aim)
    assert isinstance(odds, Odds), complaints
    return odds


def reached(odds: Odds, aim: str) -> Fraction:
    """What an aim is worth with these odds."""
    sign, what = (-1, aim[1:]) if aim.startswith("-") else (1, aim)
    name = what.partition("(")[2].removesuffix(")").removeprefix("degree of ")
    if what.startswith("chance"):
        return sign * sum((exact_chance(odds.chances[own]) for own in name.split(" or ")), Fraction(0))
    mean = odds.mean_degree(name) if "degree" in what else odds.mean(name)
    assert mean is not None
    return sign * mean


@pytest.mark.parametrize("aim", WORTH)
def test_no_plan_is_better(aim: str) -> None:
    best = TINY_GAME.best(WORTH[aim])
    assert reached(odds_of(TINY.format(aim=aim)), aim) == best
    other = "mean(score)" if aim != "mean(score)" else "chance(bad)"
    assert reached(odds_of(TINY.format(aim=other), aim), aim) == best


@pytest.mark.parametrize(
    ("aim", "message"),
    [
        ("chance(victory)", "there is no outcome `victory`"),
        ("mean(total)", "there is no step `total`"),
        ("mean(degree of good)", "`good` is not an outcome with a degree"),
        ("score", "`score` is not an aim"),
        ("always", "`always` cannot say which die is picked"),
    ],
)
def test_a_wrong_aim_is_reported_at_the_game(aim: str, message: str) -> None:
    game, problems = load_game_text(TINY.format(aim=aim))
    assert not game
    assert [problem.code for problem in problems] == ["aim"]
    assert message in problems[0].message
    assert problems[0].span.text == f'"{aim}"'


WORDS = """
title = "Moods"
[rules.roll]
{aim}
[rules.roll.dice]
d = {{ count = 2, sides = 6 }}
[[rules.roll.again]]
roll = "reroll"
pick = "any"
[rules.roll.steps]
score = "sum(d)"
mood = "if(score > 6, 'glad', 'sad')"
again = "mood"
"""


def test_a_word_has_no_mean_and_is_no_aim() -> None:
    """Neither as an aim that is written, nor as the last step where there is none."""
    game, problems = load_game_text(WORDS.format(aim='aim = "mean(again)"'))
    assert not game
    assert [problem.message for problem in problems] == ["`again` is a word, which has no mean"]
    game, problems = load_game_text(WORDS.format(aim='aim = "mean(score)"'))
    assert game, problems
    assert relevant_aims(game.rules["roll"]) == ("mean(score)",)
    for aim in ("", "mean(score)"):
        odds, _ = compute_odds(game.rules["roll"], {}, aim)
        assert isinstance(odds, Odds)
        assert odds.mean("score") == choose_the_worst()


def choose_the_worst() -> Fraction:
    """Two dice, of which the lower one may be rolled again where that is better."""
    rolls = [(min(one, other), max(one, other)) for one in range(1, 7) for other in range(1, 7)]
    return sum((max(Fraction(7, 2), Fraction(low)) + high for low, high in rolls), Fraction(0)) / 36


BLOCKS = """\
```claim
aim: mean(score)
chance(bad; aim chance(bad)) = {bad}
mean(score; aim -mean(score)) = {least}
mean(score) = {most}
```

[{bad_percent:.1%}](chance:bad?aim=chance(bad))

```example
dice: 1 3
rerolled: d 1 -> 2
score: 5
aim: chance(good)
```

```example
wrong: there is no such outcome
dice: 1 3
score: 4
aim: chance(victory)
```
"""


def make_book(folder: Path) -> None:
    (folder / "game.toml").write_text(TINY.format(aim="chance(good)"), "utf-8")
    bad, least, most = (TINY_GAME.best(WORTH[aim]) for aim in ("chance(bad)", "-mean(score)", "mean(score)"))
    text = BLOCKS.format(bad=bad, bad_percent=float(bad), least=-least, most=most)
    (folder / "rules.md").write_text(text, "utf-8")


def test_blocks_take_another_aim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_book(tmp_path)
    assert main(["check", "--strict", str(tmp_path)]) == 0, capsys.readouterr().out


def test_the_command_line_takes_another_aim(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_book(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["odds", "roll", "aim=chance(bad)"]) == 0
    assert "aim: chance(bad)" in capsys.readouterr().out
    assert main(["roll", "roll", "aim=mean(total)"]) != 0
    assert "there is no step `total`" in capsys.readouterr().err
