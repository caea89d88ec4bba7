"""What programs and players pass to the Python library: it sets inputs only, and every mistake is one kind of error."""

from __future__ import annotations

import inspect
import io
import pydoc
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulewright
import rulewright.api
from rulewright import Book, Distribution, Game, Odds, RulewrightError
from rulewright.cli.markdown_text import format_markdown
from rulewright.cli.terminal import Screen

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "plugin" / "rulewright" / "gallery"


@pytest.fixture(autouse=True)
def in_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "rules")


ANY_GAME: Any = Game  # arguments of wrong types are what these tests are about
ANY_BOOK: Any = Book


@cache
def game(name: str = "maelstrom") -> Any:
    return Game.load(ROOT / "rules" / name)


def error(call: Callable[[], object]) -> str:
    with pytest.raises(RulewrightError) as raised:
        call()
    return str(raised.value)


@pytest.mark.parametrize("name", ["dice", "rerolled", "declined", "seed", "aim", "rule", "inputs"])
def test_players_cannot_choose_their_dice(name: str) -> None:
    assert f'action has no input "{name}"' in error(lambda: game().roll("action", inputs={"pool": 5, name: "10"}))
    assert f'action has no input "{name}"' in error(lambda: game().odds("action", inputs={"pool": 5, name: "10"}))


@pytest.mark.parametrize("inputs", [{"first.dice": "8"}, {"first": {"dice": "8"}}])
def test_players_cannot_choose_the_dice_of_a_side(inputs: dict[str, Any]) -> None:
    sides = {"first.die": "d8", "second.die": "d6"}
    assert 'check has no input "dice"' in error(lambda: game("step-dice").roll("contest", inputs={**sides, **inputs}))


def test_an_input_with_the_name_of_an_argument_is_set_by_inputs() -> None:
    seeds = Game.from_text("""\
title = "Seeds"
[rules.grow]
inputs.seed = { min = 1, max = 9 }
dice.d6 = { count = 1, sides = 6 }
steps.total = "sum(d6) + seed"
outcomes.tall = { when = "total > 8" }
outcomes.small = {}
""")
    roll = seeds.roll("grow", seed=3, inputs={"seed": 9})
    assert (roll.seed, roll.inputs, roll.outcome) == (3, {"seed": 9}, "tall")
    assert seeds.odds("grow", inputs={"seed": 3})["tall"] == Fraction(1, 6)


TOSS = Game.from_text("""
title = "Toss"
[rules.toss.inputs]
pool = { min = 1, max = 9 }
luck = { flag = true, default = false }
mood = { choice = ["calm", "wild"], default = "calm" }
[rules.toss.dice]
coin = { sides = 2, count = "pool + luck + (mood = 'wild')" }
[rules.toss.outcomes]
win = { when = "sum(coin) > 4" }
loss = {}
[rules.other.dice]
d6 = { sides = 6 }
[rules.other.outcomes]
six = { when = "sum(d6) = 6" }
low = {}
""")


def test_without_a_name_the_first_rule_is_meant() -> None:
    assert TOSS.roll(pool=5, seed=1).rule == "toss"
    assert TOSS.odds(pool=1) == TOSS.odds("toss", pool=1)
    assert TOSS.read_settings("", "pool 3 wild") == {"pool": "3", "mood": "wild"}
    assert TOSS.check(pool=1, dice="2", outcome="loss") == ()
    assert error(lambda: Game.from_text('title = "X"').roll()) == "X has no rule"


def test_text_of_players_is_shortened() -> None:
    long = "x" * 50
    for call in (lambda: TOSS.roll(long), lambda: TOSS.odds(inputs={long: 1}), lambda: TOSS.roll(pool=long)):
        assert "x" * 40 + "…" in error(call)
        assert "x" * 41 not in error(call)


def test_a_roll_needs_its_inputs_unless_the_dice_are_given() -> None:
    usage = """pool must be given
toss wants to know
  pool  1 to 9
  luck  yes or no; no unless said otherwise
  mood  calm or wild; calm unless said otherwise"""
    assert error(lambda: TOSS.roll("toss")) == error(lambda: TOSS.odds("toss")) == usage
    die = {"die": "d8"}
    missing = error(lambda: game("step-dice").roll("contest", first=die))
    assert missing == error(lambda: game("step-dice").odds("contest", first=die))
    assert missing.startswith("second.die must be given\ncheck wants to know\n  die ")
    assert game("step-dice").roll("check", die="d8", dice="5").record == "5"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: game().roll("action", pool=1, seed="7"), 'not the text "7"'),
        (lambda: game().roll("action", pool=1, seed=1.5), "a seed is a whole number from 0 to 4294967295, not 1.5"),
        (lambda: game().roll("action", pool=1, seed=True), "a seed is a whole number"),
        (lambda: game().roll("action", pool=1, seed=10**5000), "a seed is a whole number"),
        (lambda: game().roll(5), "the name of a rule is a text, not 5"),
        (lambda: game().odds(None), "the name of a rule is a text, not None"),
        (lambda: game().odds("acton"), 'Maelstrom has no rule "acton"; did you mean action?'),
        (lambda: game().odds("action", pool=5, aim=3), "an aim is a text, not 3"),
        (lambda: game().odds("action", inputs=5), "inputs are a mapping from names to values, not 5"),
        (lambda: game().odds("action", inputs={5: 5}), "the name of an input is a text, not 5"),
        (lambda: game().odds("action", pool=[1, 2]), "pool is a number from 1 to 30"),
        (lambda: game().odds("action", pool=5, inputs={"pool": 5}), "pool is given twice"),
        (lambda: game().odds("action", inputs={"pool": 5, "Pool": 6}), "pool is given twice"),
        (
            lambda: game("step-dice").odds("contest", first={"die": 8}, inputs={"first.die": 8}),
            "first.die is given twice",
        ),
        (lambda: game().odds("action", pool=5)["sucess"], 'action has no outcome "sucess"; did you mean success?'),
        (
            lambda: game().odds("action", pool=5).bounds("win"),
            'action has no outcome "win"; known here: success, botch',
        ),
        (lambda: game().odds("action", pool=5).mean(3), 'action has no step "3"'),
        (lambda: game().table(5), "the name of a table is a text, not 5"),
        (lambda: ANY_GAME.from_text(b"x"), "a game is a text, not b'x'"),
        (lambda: ANY_GAME.load(5), "5 is not the path of a file or folder"),
        (lambda: Game.load("\0"), "there is no file or folder"),
        (lambda: ANY_BOOK.load(None), "None is not the path of a file or folder"),
    ],
)
def test_every_wrong_argument_is_one_kind_of_error(call: Callable[[], object], message: str) -> None:
    assert message in error(call)


@pytest.mark.parametrize(
    "call",
    [
        lambda text: game().odds("action", pool=text),
        lambda text: game().odds("action", inputs={text: 1}),
        lambda text: game("step-dice").odds("contest", inputs={f"{text}.die": 1}),
        lambda text: game().odds("action", pool=int("9" * 5000 if len(text) < 9000 else "9" * 4000)),
        lambda text: game().odds("action", pool=5, aim=text),
        lambda text: game().odds("action", pool=5)[text],
        lambda text: game().roll("action", pool=5, seed=text),
        lambda text: game().roll("action", pool=2, dice=text),
        lambda text: game().roll(text),
        lambda text: game().table(text),
        Game.load,
        lambda text: game().roll("action", pool=2, dice=f"{text[0]} " * 5000),
    ],
)
def test_long_values_are_cut(call: Callable[[str], object]) -> None:
    assert len(error(lambda: call("9x" * 5000))) < 300


def test_an_unknown_outcome_is_what_a_mapping_expects() -> None:
    odds = game().odds("action", pool=5)
    assert "win" not in odds
    assert odds.get("win") is None
    assert odds.get("success") == Fraction(211, 250)


def test_a_folder_without_a_game_has_the_only_one_below_or_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mybot/rules", "mybot/.cache", "empty"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("mybot/rules", "mybot/.cache"):
        (tmp_path / folder / "game.toml").write_text('title = "X"\n', encoding="utf-8")
    assert Game.load("mybot").title == "X"
    (tmp_path / "mybot/other").mkdir()
    (tmp_path / "mybot/other/game.toml").write_text('title = "Y"\n', encoding="utf-8")
    assert error(lambda: Game.load("mybot")) == "there is no game in mybot; did you mean mybot/other or mybot/rules?"
    assert error(lambda: Game.load("empty")) == "there is no game in empty"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "x.md").write_text('```game\ntitle = "On a page"\n```\n', encoding="utf-8")
    assert Game.load("pages").title == "On a page"


@pytest.mark.parametrize("name", sorted(path.name for path in GALLERY.iterdir() if path.is_dir()))
def test_a_loop_over_all_steps_has_a_mean_or_none(name: str) -> None:
    shown = Game.load(GALLERY / name)
    for rule in shown.rules.values():
        values = {
            entry.name: entry.least if entry.least is not None else entry.choices[0]
            for entry in rule.inputs
            if entry.required
        }
        odds = shown.odds(rule.name, inputs=values)
        means = {step: odds.mean(step) for step in odds.steps}
        assert {step: None if mean is None else float(mean) for step, mean in means.items()} == odds.to_dict()["steps"]
        for step in odds.steps:
            listed = odds.distribution(step)
            assert listed
            assert sum(listed.values()) + listed.tail + listed.unknown == 1
            if (mean := means[step]) is not None:
                assert sum(share * int(value) for value, share in listed.items()) == pytest.approx(float(mean))


def test_the_tail_and_what_is_unknown_are_shown() -> None:
    hits = Game.load(GALLERY / "d6-pool").odds("action", pool=1).distribution("hits")
    assert str(hits).split("\n")[0].split() == ["0", "66.7%", "█" * 16, "2/3"]
    assert str(hits).split("\n")[-1].startswith("beyond these  <0.00000001%")
    assert "beyond these" in hits._repr_html_()
    unsure = Distribution({1: Fraction(1, 2)}, Fraction(0), Fraction(1, 2), "beyond")
    assert str(unsure).split("\n")[-1].split() == ["unknown", "50.0%", "█" * 12, "1/2"]
    assert "unknown" in unsure._repr_html_()
    assert "unknown" not in str(game().odds("action", pool=5).distribution("net"))


def test_printed_odds_have_the_lines_of_the_command(ran: Callable[..., tuple[int, str, str]]) -> None:
    lines = str(game().odds("action", pool=5)).split("\n")
    _, printed, _ = ran("odds", "maelstrom/action", "pool=5")
    assert [line.strip() for line in printed.split("\n") if line.strip() in lines] == lines
    assert lines[0].endswith("211/250")


def test_help_is_about_what_programs_use() -> None:
    for kind in (Game, Book, Odds):
        text = pydoc.plain(pydoc.render_doc(kind))
        assert "__init__" not in text
        assert "_make" not in text
    text = pydoc.plain(pydoc.render_doc(Game))
    assert ">>> game.odds(" in text
    assert len(text.split("\n")) < 115
    for name in ("Roll", "ContestRoll", "Report"):
        assert not [own for own in inspect.signature(getattr(rulewright, name)).parameters if own.startswith("_")]


def test_help_about_the_package_is_an_overview() -> None:
    """Its first screens name everything, before the classes."""
    overview = pydoc.plain(pydoc.render_doc(rulewright)).partition("PACKAGE CONTENTS")[0]
    assert not [name for name in rulewright.__all__ if not re.search(rf"\b{name}\b", overview) and name[0] != "_"]
    assert len(overview.splitlines()) <= 80
    assert "help(rulewright)" in pydoc.plain(pydoc.render_doc(rulewright.api))


def test_python_sessions_are_code_to_copy_in_the_terminal() -> None:
    session = "```pycon\n>>> for n in (1, 2):\n...     print(n)\n1\n2\n```\n"
    lines = format_markdown(session, 80, Screen(io.StringIO()))
    assert [line.strip() for line in lines] == ["for n in (1, 2):", "print(n)", "# 1", "# 2"]
    exec("\n".join(line[6:] for line in lines))  # noqa: S102
