"""The Python library: its answers, its errors, and that it is the same as the command line."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulewright
import rulewright.api.game
import rulewright.api.odds
from rulewright import Book, ContestRoll, Game, RulewrightError
from small_book import BLOCK, GAME, WRONG, write

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def in_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)


@cache
def game(name: str = "maelstrom") -> Game:
    return Game.load(RULES / name)


def error(call: Callable[[], object]) -> RulewrightError:
    with pytest.raises(RulewrightError) as raised:
        call()
    return raised.value


def test_odds_are_a_mapping_of_exact_fractions() -> None:
    odds = game().odds("action", pool=5, difficulty=6)
    assert dict(odds) == {
        "success": Fraction(211, 250),
        "botch": Fraction(647, 12500),
        "failure": Fraction(1303, 12500),
    }
    assert sum(odds.values()) == 1
    assert odds.exact
    assert odds.bounds("botch") == (Fraction(647, 12500), Fraction(647, 12500))
    assert odds.mean("net") == 2
    assert odds.steps == ("successes", "botches", "kept", "net")
    assert odds.inputs == {"pool": 5, "difficulty": 6, "raised": 0, "threshold": 0, "specialty": False}
    with pytest.raises(KeyError):
        odds["triumph"]


def test_a_distribution_adds_up_and_agrees_with_the_odds() -> None:
    odds = game().odds("action", pool=5)
    net = odds.distribution("net")
    assert sum(net.values()) + net.tail + net.unknown == 1
    assert not net.tail + net.unknown
    assert sum(share for value, share in net.items() if isinstance(value, int) and value > 0) == odds["success"]
    assert sum((share * int(value) for value, share in net.items()), Fraction()) == odds.mean("net")
    assert [*net] == sorted(net)


def test_a_tail_without_end_is_counted() -> None:
    total = game("step-dice").odds("check", die="d4").distribution("total")
    assert total.tail > 0
    assert sum(total.values()) + total.tail + total.unknown == 1


def test_what_has_no_exact_value_has_bounds_and_no_number() -> None:
    """Without any 1, a chance q = 1/4 + q/4 + q²/4, so q = (3 - sqrt(5)) / 2."""
    again = Game.from_text("""\
title = "Again"
[rules.roll.dice.d]
sides = 4
again = { when = "face > 2", roll = "d", count = "face - 2" }
[rules.roll.outcomes]
some = { when = "count(d: face = 1) > 0" }
none = {}
""")
    odds = again.odds("roll")
    low, high = odds.bounds("none")
    assert not odds.exact
    assert low**2 - 3 * low + 1 > 0 > high**2 - 3 * high + 1
    assert str(error(lambda: odds["none"])) == "the chance of none has no exact value; use bounds('none')"
    assert " to " in repr(odds)
    assert odds.to_dict()["outcomes"][1]["exact"] is None


@pytest.mark.parametrize(
    ("name", "words", "inputs"),
    [
        ("maelstrom/action", ["pool=5", "difficulty=6"], {"pool": 5, "difficulty": 6}),
        ("maelstrom/action", ["pool=5", "specialty"], {"pool": "5", "specialty": True}),
        ("step-dice/check", ["die=d8", "aim=never"], {"die": 8, "aim": "never"}),
        ("wild-die/check", ["code=4D+2", "difficulty=Easy"], {"code": "4D+2", "difficulty": "easy"}),
        ("ingenuity/test", ["attribute=d6", "difficulty=6"], {"attribute": "d6", "difficulty": 6}),
        ("step-dice/contest", ["first.die=d8", "second.die=d6"], {"first": {"die": 8}, "second": {"die": "d6"}}),
        ("step-dice/contest", ["first.die=d8", "second.die=d6"], {"inputs": {"first.die": "d8", "second.die": "d6"}}),
    ],
)
def test_data_is_what_the_commands_print(ran: Ran, name: str, words: list[str], inputs: dict[str, Any]) -> None:
    folder, _, rule = name.partition("/")
    status, printed, _ = ran("odds", name, *words, "--json")
    assert (status, json.loads(printed)) == (0, game(folder).odds(rule, **inputs).to_dict())
    for seed in (0, 7, 4294967295):
        status, printed, _ = ran("roll", name, *words, "--json", "--seed", str(seed))
        assert (status, json.loads(printed)) == (0, game(folder).roll(rule, seed=seed, **inputs).to_dict())


def test_given_dice_are_judged_as_the_command_does(ran: Ran) -> None:
    status, printed, _ = ran("roll", "maelstrom/action", "pool=4", "difficulty=8", "dice=1 4 7 9", "--json")
    roll = game().roll("action", pool=4, difficulty=8, dice=[1, 4, 7, 9])
    assert (status, json.loads(printed)) == (0, roll.to_dict())
    assert (roll.seed, roll.record, roll.outcome) == (None, "regular 1 4 7 9", "failure")


def test_an_explanation_has_the_rerolls() -> None:
    game = Game.from_text(
        'title = "Luck"\n[rules.toss.dice]\nd = { count = 2, sides = 6 }\n[[rules.toss.again]]\nroll = "reroll"\n'
        'of = "d"\ntimes = 1\npick = "lowest"\nkeep = "higher"\n[rules.toss.steps]\ntotal = "sum(d)"\n'
    )
    roll = game.roll("toss", dice="2 5", rerolled="d 2 -> 4")
    assert "rerolled: d 2 -> 4" in roll.explain().split("\n")


def test_a_roll_has_everything_a_table_sees() -> None:
    roll = game().roll("action", pool=5, seed=7)
    assert (roll.rule, roll.outcome, roll.degree, roll.seed) == ("action", "botch", 1, 7)
    assert roll.steps == {"successes": 1, "botches": 2, "kept": 1, "net": -1}
    assert [str(die) for die in roll.dice] == ["3", "1", "5", "1", "6"]
    assert roll.dice[4].faces[0].roles == ("good", "cancelled")
    lines = roll.explain().split("\n")
    assert lines[0] == "regular 3 1 5 1 6"
    assert "net: kept - botches → 1 - 2 → -1" in lines
    assert lines[-1] == str(roll) == "botch, degree 1: It goes badly wrong."
    assert game().roll("action", pool=5, dice=roll.record).outcome == roll.outcome


def test_rolls_without_a_seed_differ_and_can_be_repeated() -> None:
    rolls = [game().roll("action", pool=30) for _ in range(4)]
    assert len({roll.record for roll in rolls}) > 1
    assert game().roll("action", pool=30, seed=rolls[0].seed) == rolls[0]


def test_a_contest_has_a_winner_and_the_rolls_of_both_sides() -> None:
    rolls = [
        game("step-dice").roll("contest", first={"die": "d8"}, second={"die": "d6"}, seed=seed) for seed in range(30)
    ]
    assert {roll.outcome for roll in rolls} == {"first", "second"}
    for roll in rolls:
        assert isinstance(roll, ContestRoll)
        ranks = {name: side.steps["rank"] for name, side in roll.rounds[-1].items()}
        assert roll.winner == max(ranks, key=lambda name: int(ranks[name] or 0))
        assert roll.steps == {f"{name}.rank": rank for name, rank in ranks.items()}
    assert any(len(roll.rounds) > 1 for roll in rolls if isinstance(roll, ContestRoll))  # a tie was rolled again


def test_a_check_returns_problems() -> None:
    assert game().check("action", dice="1 3 4 6 7", pool=5, degree=1, outcome="success") == ()
    (problem,) = game().check("action", dice=[1, 3, 4, 6, 7], pool=5, degree=2)
    assert (problem.code, problem.message) == ("example-degree", "the rules give degree 1, the example says 2")
    assert (problem.line, problem.span.text) == (5, "2")
    assert [problem.code for problem in game().check("action", dice="1 x", pool=2, degree=1)] == ["example-dice"]
    assert [problem.code for problem in game().check("acton", dice="1", degree=1)] == ["block-rule"]
    sides = {"first": {"die": "d8", "dice": 5}, "second": {"die": "d6", "dice": 3}}
    assert game("step-dice").check("contest", **sides, winner="first") == ()
    assert [one.code for one in game("step-dice").check("contest", **sides, winner="second")] == ["example-winner"]


@pytest.mark.parametrize(
    ("name", "words", "inputs"),
    [
        ("maelstrom/action", [], {}),
        ("maelstrom/action", ["pool=99"], {"pool": 99}),
        ("maelstrom/action", ["pool=5", "difficulty=many"], {"pool": 5, "difficulty": "many"}),
        ("maelstrom/action", ["pol=5"], {"pol": 5}),
        ("maelstrom/action", ["pool=5", "aim=best"], {"pool": 5, "aim": "best"}),
        ("wild-die/check", [], {}),
        ("step-dice/contest", ["die=d8"], {"die": "d8"}),
        ("step-dice/contest", ["third.die=d8"], {"third": {"die": "d8"}}),
        ("step-dice/contest", ["first.die=d9"], {"first": {"die": "d9"}}),
        ("step-dice/contest", ["first.die=d8"], {"first": {"die": 8}}),
    ],
)
def test_errors_say_what_the_command_says(ran: Ran, name: str, words: list[str], inputs: dict[str, Any]) -> None:
    folder, _, rule = name.partition("/")
    wrong = error(lambda: game(folder).odds(rule, **inputs))
    status, _, printed = ran("odds", name, *words)
    assert status
    assert printed.removeprefix("rulewright: ").split("\n")[0] == str(wrong).split("\n")[0]
    assert str(wrong).split("\n")[: len(wrong.problems)] == [problem.message for problem in wrong.problems]


def test_errors_of_rolls_and_files() -> None:
    assert [one.code for one in error(lambda: game().roll("action", pool=1, dice="x")).problems] == ["example-dice"]
    assert str(error(lambda: game().roll("action", pool=1, rerolled="1"))) == "rerolled= goes with dice="
    assert "a seed is a whole number" in str(error(lambda: game().roll("action", pool=1, seed=-1)))
    assert str(error(lambda: game().odds("action", pool=1).mean("nett"))).endswith("did you mean net?")
    assert str(error(lambda: game().table("dotts"))) == 'Maelstrom has no table "dotts"; did you mean dots?'
    assert str(error(lambda: Game.load("nowhere"))) == "there is no file or folder nowhere"
    assert str(error(lambda: Game.load("index.md"))) == "there is no game in index.md"
    broken = error(lambda: Game.from_text('title = "X"\n[rules.x]\nlabel = 1\n'))
    assert {problem.path for problem in broken.problems} == {"game.toml"}
    assert str(broken.problems[0]).startswith("game.toml:3:")
    assert issubclass(RulewrightError, ValueError)


def test_a_game_outside_of_the_project_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").mkdir()
    book = write(tmp_path / "book", {"mkdocs.yml": "docs_dir: ."})
    (book / "game.toml").rename(tmp_path / "secret" / "game.toml")
    (book / "game.toml").symlink_to(tmp_path / "secret" / "game.toml")
    monkeypatch.chdir(book)
    assert [problem.code for problem in error(lambda: Game.load("game.toml")).problems] == ["file-outside"]


def test_a_game_describes_enough_for_a_form() -> None:
    rules = game("wild-die").rules
    assert game("wild-die").title == "Wild Die"
    inputs = {entry.name: entry for entry in rules["check"].inputs}
    code, difficulty = inputs["code"], inputs["difficulty"]
    assert (code.kind, code.required, code.default, code.least, code.most) == ("code", True, None, 1, 30)
    assert difficulty.names["Easy"] == 6
    contest = game("step-dice").rules["contest"]
    assert contest.is_contest
    assert [outcome.name for outcome in contest.outcomes] == ["first", "second"]
    assert contest.inputs[0].name == "first.die"
    assert contest.inputs[0].choices == ("d4", "d6", "d8", "d10", "d12")
    flag = next(entry for entry in game().rules["action"].inputs if entry.name == "specialty")
    assert (flag.kind, flag.default, flag.choices, flag.least) == ("flag", False, ("yes", "no"), None)


@pytest.mark.parametrize("name", ["maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"])
def test_every_description_gives_valid_inputs(name: str) -> None:
    """A form that fills in the least, or the first, of everything gets a roll."""
    for rule in game(name).rules.values():
        values = {
            entry.name: (f"{entry.least}D" if entry.kind == "code" else entry.least)
            if entry.least is not None
            else entry.choices[0]
            for entry in rule.inputs
            if entry.required
        }
        assert game(name).roll(rule.name, seed=1, inputs=values).rule == rule.name


def test_tables() -> None:
    difficulty = game("ingenuity").table("Difficulty")
    assert difficulty["Hard"] == {"number": 9}
    assert difficulty.lookup("hard") == {"number": 9}
    assert difficulty.lookup("soft") is None
    grades = game().table("grades")
    assert grades.lookup(1) == grades[next(iter(grades))]


def test_a_game_in_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "coins.md").write_text(f"# Coins\n\n```game\n{GAME}```\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert Game.load("coins.md").odds("toss", coins=2)["win"] == Fraction(1, 4)
    assert [*Book.load().games] == ["coins.md"]


def test_notebooks_show_a_table_that_is_escaped() -> None:
    names = Game.from_text(GAME.replace("win =", '"a<b" =').replace("loss =", "loss ="))
    html = names.odds("toss", coins=2)._repr_html_()
    assert "a&lt;b" in html
    assert "a<b" not in html
    assert html.count("<tr>") == 3
    assert ">1/4<" in html
    assert repr(names.odds("toss", coins=2)) == "<Odds of toss: a<b 25.0%, loss 75.0%>"
    assert str(names.odds("toss", coins=2)).split("\n")[0] == "a<b   25.0%  ██████" + " " * 20 + "1/4"


def test_a_book_reports_what_the_command_reports(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"index.md": f"# Coins\n\n{BLOCK}\n{WRONG}\n\n[gone](gone.md)\n"})
    monkeypatch.chdir(tmp_path)
    book = Book.load()
    report = book.check()
    status, printed, _ = ran("check", "--format", "json")
    assert (status, json.loads(printed)) == (1, report.to_dict())
    assert not report.ok
    assert [(block.id, block.status) for block in report.blocks] == [("coins.1", "passed"), ("coins.2", "failed")]
    assert [problem.code for problem in report.blocks[1].problems] == ["example-degree"]
    assert sorted(problem.code for problem in report.problems) == ["example-degree", "link-missing"]
    assert report.summary["blocks"] == 2
    assert "error[example-degree]" in report.text()
    assert (report.problems[0].path, report.problems[0].line) == ("index.md", 16)
    assert [(page.path, page.title) for page in book.pages] == [("index.md", "Coins")]
    assert book.games[""].odds("toss", coins=1) == {"win": 0, "loss": 1}
    only = book.check(only=["coins.1"])
    assert (only.ok, len(only.blocks), str(only)) == (True, 1, "no problems")
    assert str(error(lambda: book.check(only="coin.2"))) == 'there is no block "coin.2"; did you mean coins.2?'
    assert str(error(lambda: Book.load("gone"))) == "there is no file or folder gone"


def test_strict_and_info_count_more(tmp_path: Path) -> None:
    write(tmp_path, {"index.md": "# Coins\n\n```exampel\nrule: toss\n```\n"})
    book = Book.load(tmp_path)
    assert book.check().ok
    assert not book.check(strict=True).ok
    assert len(book.check(info=True).problems) >= len(book.check().problems)


def test_only_public_names_are_promised() -> None:
    assert {*rulewright.__all__} <= {*dir(rulewright)}
    for name in rulewright.__all__:
        assert getattr(rulewright, name).__doc__
    with pytest.raises(AttributeError, match="has no attribute 'Gaem'"):
        rulewright.Gaem  # type: ignore[attr-defined]  # noqa: B018


def loaded_by(code: str) -> set[str]:
    """The top-level packages, and our modules, that a program loads."""
    program = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], cwd=RULES, capture_output=True, text=True, check=True)
    return {*done.stdout.split("\n")[-2].split()}


HEAVY = {"mkdocs", "markdown_it", "jinja2", "typst", "markdown", "yaml", "pygments", "importlib.metadata"}


def test_importing_loads_nothing() -> None:
    assert {name for name in loaded_by("import rulewright") if name.partition(".")[0] != "rulewright"} == set()


def test_games_load_neither_a_site_nor_a_parser() -> None:
    play = "g = Game.load('maelstrom'); g.odds('action', pool=5); g.roll('action', pool=5)"
    assert not loaded_by(f"from rulewright import Game; {play}") & HEAVY


# A browser starts no processes and loads no libraries in C.
NOT_IN_A_BROWSER = {"mkdocs", "typst", "click", "multiprocessing", "concurrent", "subprocess", "ctypes"}


def test_checking_a_book_needs_nothing_that_a_browser_lacks() -> None:
    loaded = loaded_by("from rulewright import Book; Book.load('maelstrom').check()")
    assert "markdown_it" in loaded
    assert not loaded & NOT_IN_A_BROWSER


def test_doctests_of_the_package() -> None:
    for module in (rulewright, rulewright.api.game, rulewright.api.odds):
        results = doctest.testmod(module, extraglobs={"Game": Game})
        assert results.attempted
        assert not results.failed


USER = """\
from fractions import Fraction
from rulewright import Book, ContestRoll, Game, Odds, RulewrightError

game: Game = Game.load("maelstrom")
odds: Odds = game.odds("action", pool=5)
chance: Fraction = odds["success"]
mean: Fraction | None = odds.mean("net")
for value, share in odds.distribution("net").items():
    print(value, share + chance)
roll = game.roll("action", pool=5, seed=1)
degree: int | None = roll.degree
if isinstance(roll, ContestRoll):
    print(roll.winner)
messages: list[str] = [problem.message for problem in game.check("action", pool=5, dice="1")]
report = Book.load(".").check()
print(report.ok, [block.status for block in report.blocks], report.problems[0].fix)
try:
    game.roll("x")
except RulewrightError as error:
    print(error.problems[0].code)
"""


@pytest.mark.long
def test_a_script_of_a_user_passes_mypy(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(USER, encoding="utf-8")
    strict = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*strict, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    script.write_text(USER.replace("roll.degree", "roll.degre"), encoding="utf-8")
    done = subprocess.run([*strict, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'has no attribute "degre"' in done.stdout


@pytest.mark.parametrize("aim", ["best mean", "lots"])
def test_an_aim_that_is_none_shows_that_of_the_rule(aim: str) -> None:
    turn = Game.gallery("push-your-luck")
    message = f'there is no aim "{aim}"; write always or never or mean(loot)'
    assert str(error(lambda: turn.odds("turn", aim=aim))) == message
    assert turn.odds("turn").to_dict()["aim"] == "mean(loot)"


def test_odds_of_a_rule_without_outcomes_print_its_means() -> None:
    game = Game.from_text(
        "title = 'Falls'\n[rules.fall.dice]\nd6 = { count = 2, sides = 6 }\n[rules.fall.steps]\nharm = 'sum(d6)'\n"
    )
    assert str(game.odds("fall")) == "harm  mean 7"


def test_a_game_may_have_any_name_and_its_only_rule_none(tmp_path: Path) -> None:
    file = tmp_path / "fall.toml"
    inputs = "[rules.fall.inputs]\nn = { min = 1, max = 9 }\n"
    file.write_text(f"title = 'Falls'\n[rules.fall.dice]\nd6 = {{ count = 'n', sides = 6 }}\n{inputs}")
    game = Game.load(file)
    assert game.read_settings("n 3") == game.read_settings("fall", "n 3") == {"n": "3"}
    file.write_text("title = 'Falls'\n[rules.fall.dice]\nd6 = { sides = 'n' }\n")
    assert "n" in str(error(lambda: Game.load(file)))
    assert "there is no game in" not in str(error(lambda: Game.load(file)))
