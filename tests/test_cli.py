"""The command line: what is printed, what is data, and the exit code."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from example_counts import scale_examples
from rulewright import __version__
from rulewright.api.odds import outcome_data
from rulewright.cli import TRACEBACK, main
from rulewright.cli.odds import chance_lines
from rulewright.cli.terminal import PAINTED, Screen, join_parts, screen_width
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import NO_FRACTION
from rulewright.render.number_format import all_digits, format_mean, format_percent

Golden = Callable[[str, str], None]
MODULE = [sys.executable, "-m", "rulewright"]

ODDS = {
    "maelstrom": "maelstrom/action pool=5",
    "maelstrom-specialty": "maelstrom/action pool=12 specialty threshold=2",
    "maelstrom-willpower": "maelstrom/willpower current=5 spend",
    "maelstrom-first-edition": "maelstrom-first-edition/action pool=5 specialty",
    "wild-die": "wild-die/check code=4D+2 difficulty=11",
    "wild-die-opposed": "wild-die/opposed first.code=3D second.code=3D+2",
    "step-dice": "step-dice/check die=d8 aim=never",
    "step-dice-contest": "step-dice/contest first.die=d8 second.die=d6",
    "ingenuity": "ingenuity/test attribute=d6 skill=d4 proficiency=1 difficulty=Moderate advantage=2",
    "ingenuity-against": "ingenuity/against first.attribute=d6 second.attribute=d8",
}
ROLLS = {
    "maelstrom": "maelstrom/action pool=6 difficulty=7 specialty threshold=1 --seed 120",
    "maelstrom-willpower": "maelstrom/willpower current=5 --seed 3",
    "maelstrom-first-edition": "maelstrom-first-edition/action pool=6 specialty --seed 4 aim=never",
    "wild-die": "wild-die/check code=4D+2 difficulty=Moderate --seed 4",
    "wild-die-open": "wild-die/check code=4D+2 --seed 9",
    "wild-die-opposed": "wild-die/opposed first.code=3D second.code=4D second.bonus=2 --seed 2",
    "step-dice": "step-dice/check die=d4 --seed 30",
    "step-dice-contest": "step-dice/contest first.die=d8 second.die=d6 --seed 4",
    "ingenuity": "ingenuity/test attribute=d6 skill=d8 difficulty=Hard advantage=2 --seed 3",
    "ingenuity-contest": "ingenuity/contest first.attribute=d8 second.attribute=d8 --seed 1",
}
JUDGED = {
    "maelstrom": ("maelstrom/action pool=4 difficulty=8 specialty", "1 4 7 10 | 1 10 | 4 8"),
    "maelstrom-first-edition": ("maelstrom-first-edition/action pool=3 specialty declined=1", "10 7 1"),
    "wild-die": ("wild-die/check code=4D difficulty=11", "regular 3 5 2 | wild 6+4"),
    "step-dice": ("step-dice/check die=d8", "8+1+5"),
    "ingenuity": ("ingenuity/test attribute=d6 skill=d8 difficulty=9", "5 | 6 | 20"),
}


@pytest.fixture(autouse=True)
def in_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test stands in the folder of the five games, and a bug shows itself."""
    monkeypatch.chdir(games.RULES)
    monkeypatch.setenv(TRACEBACK, "1")


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command prints when it succeeds."""

    def run(*arguments: str) -> str:
        assert main(arguments) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("name", ODDS)
def test_odds_as_a_person_sees_them(name: str, printed: Callable[..., str], golden: Golden) -> None:
    golden(f"cli/odds/{name}.txt", printed("odds", *ODDS[name].split()))


@pytest.mark.parametrize("name", ROLLS)
def test_rolls_as_a_person_sees_them(name: str, printed: Callable[..., str], golden: Golden) -> None:
    golden(f"cli/roll/{name}.txt", printed("roll", *ROLLS[name].split()))


@pytest.mark.parametrize("name", JUDGED)
def test_dice_on_the_table_are_judged(name: str, printed: Callable[..., str], golden: Golden) -> None:
    words, dice = JUDGED[name]
    golden(f"cli/judged/{name}.txt", printed("roll", *words.split(), f"dice={dice}"))


@pytest.mark.parametrize(
    "command", ["", "check", "coverage", "roll", "odds", "new", "init", "adopt", "diff", "help", "explain"]
)
def test_help(command: str, printed: Callable[..., str], golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = printed(*command.split(), "--help")
    assert max(map(screen_width, found.splitlines())) <= 80
    golden(f"cli/help/{command or 'rulewright'}.txt", found)


COMMANDS = [f"odds {words}" for words in ODDS.values()] + [f"roll {words}" for words in ROLLS.values()]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_wider_than_a_screen(command: str, printed: Callable[..., str]) -> None:
    """Lines to be copied into a book aside: there they must not be broken."""
    lines = printed(*command.split()).splitlines()
    assert not [line for line in lines if screen_width(line) > 80 and not line.startswith(("  dice: ", "  side "))]


def schema(required: str, **properties: Any) -> dict[str, Any]:
    """Data with at least these keys."""
    return {"type": "object", "required": required.split(), "properties": properties}


def each(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


ASKED = {
    "version": {"const": 1},
    "game": {"type": "string"},
    "rule": {"type": "string"},
    "inputs": {"type": "object", "additionalProperties": {"type": ["integer", "boolean", "string"]}},
    "aim": {"type": ["string", "null"], "minLength": 1},  # an aim, such as mean(total)
}
CHANCE = schema(
    "name exact chance", exact={"type": ["string", "null"], "pattern": r"^\d+(/\d+)?$"}, chance={"maximum": 1}
)
MEANS = {"type": "object", "additionalProperties": {"type": ["number", "null"]}}
ODDS_DATA = schema("version game rule inputs aim outcomes steps", outcomes=each(CHANCE), steps=MEANS, **ASKED)

FACES = each(schema("face roles"))
DICE = schema(
    "dice record result",
    dice=each(schema("kind round faces", faces=FACES)),
    record=schema("dice rerolled declined"),
    result=schema("outcome degree values"),
)
WINNER = {"enum": ["first", "second", "none", None]}
CONTEST = schema("throws winner", throws=each(schema("first second", first=DICE, second=DICE)), winner=WINNER)
ROLL_DATA = schema("version game rule inputs aim seed complaints", **ASKED) | {"oneOf": [DICE, CONTEST]}


def validated(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    jsonschema.validate(data, schema)
    return data


@pytest.mark.parametrize("name", ODDS)
def test_odds_as_data(name: str, printed: Callable[..., str]) -> None:
    data = validated(printed("odds", *ODDS[name].split(), "--json"), ODDS_DATA)
    assert sum(outcome["chance"] for outcome in data["outcomes"]) == pytest.approx(1)
    assert f"{data['game']}/{data['rule']}" == ODDS[name].split()[0]


def test_odds_of_a_rule_as_data_say_what_was_asked(printed: Callable[..., str]) -> None:
    data = json.loads(printed("odds", "maelstrom/action", "pool=5", "--json"))
    assert data["inputs"] == {"pool": 5, "difficulty": 6, "raised": 0, "threshold": 0, "specialty": False}
    assert data["outcomes"][0] == {"name": "success", "exact": "211/250", "chance": 0.844}
    assert data["steps"] == {"successes": 2.5, "botches": 0.5, "kept": 2.5, "net": 2.0}
    assert data["aim"] is None


@pytest.mark.parametrize("name", ROLLS)
def test_rolls_as_data(name: str, printed: Callable[..., str]) -> None:
    validated(printed("roll", *ROLLS[name].split(), "--json"), ROLL_DATA)


@pytest.mark.parametrize("name", ["maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"])
def test_a_roll_judged_again_comes_to_the_same(name: str, printed: Callable[..., str]) -> None:
    words = [word for word in ROLLS[name].split(" --seed")[0].split() if not word.startswith("aim")]
    for seed in range(scale_examples(10)):
        rolled = json.loads(printed("roll", *words, "--seed", str(seed), "--json"))
        record = [f"{key}={value}" for key, value in rolled["record"].items() if value]
        again = json.loads(printed("roll", *words, *record, "--json"))
        assert again["result"] == rolled["result"]
        assert again["dice"] == rolled["dice"]


def test_a_seed_that_was_not_given_is_printed_and_gives_the_same_roll(printed: Callable[..., str]) -> None:
    first = printed("roll", "maelstrom/action", "pool=9", "specialty")
    seed = first.rstrip().rpartition("--seed ")[2]
    assert printed("roll", "maelstrom/action", "pool=9", "specialty", "--seed", seed) == first


def test_seeds_differ(printed: Callable[..., str]) -> None:
    seeds = {json.loads(printed("roll", "ingenuity/luck", "--json"))["seed"] for _ in range(5)}
    assert len(seeds) > 1


COMPLAINTS = [
    ("roll maelstrom/action", 2, "pool must be given"),
    ("odds wild-die/check", 2, "code and difficulty must be given"),
    ("odds step-dice/contest first.die=d8", 2, "second.die must be given"),
    ("odds maelstrom/action pol=5", 2, 'action has no input "pol"; did you mean pool?'),
    ("roll maelstrom/action pool=5 dic=4", 2, 'action has no input "dic"; did you mean dice?'),
    ("odds maelstrom/action pool=5 dice=4", 2, "dice= belongs to rulewright roll"),
    ("odds maelstrom/action pool=five", 2, 'pool is a number from 1 to 30, not "five"'),
    ("odds maelstrom/action pool=31", 2, "pool goes from 1 to 30, not 31"),
    ("odds maelstrom/action pool", 2, "pool needs a value; write pool=…"),
    ("odds maelstrom/action pool=", 2, "pool needs a value; write pool=…"),
    ("odds maelstrom/action pool 5 dark 6", 2, 'action has no input "dark"; known here: pool, difficulty'),
    ("odds maelstrom/action =5", 2, "a setting begins with its name; write pool 5 or difficulty 5 or threshold 5"),
    ("odds maelstrom/action pool=5 Pool=6", 2, "pool is given twice"),
    ("odds maelstrom/action pool=5 specialty=perhaps", 2, 'specialty is yes or no, not "perhaps"'),
    ("odds ingenuity/test attribute=d6 difficulty=Hord", 2, "did you mean Hard?"),
    ("odds ingenuity/test attribute=d7 difficulty=Hard", 2, "known here: d4, d6, d8, d10, d12"),
    ("odds wild-die/check code=4E difficulty=5", 2, "code is a die code such as 4D+2"),
    ("odds step-dice/check die=d8 aim=nevr", 2, 'there is no aim "nevr"; write always or never'),
    ("odds step-dice/check die=d8 aim", 2, "aim needs a value; write aim=…"),
    ("odds maelstrom/action pool=5 aim=never", 2, "never decides nothing in action; nothing there is left to choose"),
    ("odds step-dice/check die=d8 aim=", 2, "aim needs a value; write aim=…"),
    ("odds step-dice/contest first.die=d8 aim=always aim=never", 2, "aim is given twice"),
    ("odds ingenuity/test attribute=d6 aim=best", 2, 'there is no aim "best"; write mean(total) or chance(success)'),
    ("odds ingenuity/test attribute=d6 aim=never", 2, "decides nothing in test; write mean(total) or chance(success)"),
    ("odds step-dice/contest die=d8", 2, "write first.die=… or second.die=…"),
    ("odds step-dice/contest third.die=d8", 2, "the sides are first and second"),
    ("roll maelstrom/action pool=5 seed=5", 2, "the seed is an option; write --seed N"),
    ("roll maelstrom/action pool=5 --seed x", 2, 'a seed is a whole number from 0 to 4294967295, such as 7, not "x"'),
    ("roll maelstrom/action pool=5 --seed 4294967296", 2, "a seed is a whole number"),
    ("roll maelstrom/action pool=5 declined=1", 2, "declined= goes with dice="),
    ("roll maelstrom/action pool=5 dice=1 declined=x", 2, "declined is the number of dice"),
    ("roll maelstrom/action pool=2 dice=1", 1, "the rule rolls 2 regular dice (pool 2), but only 1 is written here"),
    ("roll maelstrom/action pool=1 dice=11", 1, 'no regular die shows "11"'),
    ("roll wild-die/check code=1D extra=-3", 1, "-3 regular dice"),
    (
        "roll ingenuity/contest first.attribute=d4 second.attribute=d4 first.dice=9",
        1,
        'first: no attribute die shows "9"',
    ),
    ("roll step-dice/check die=d8 dice=8", 1, "write the face, or declined: 1"),
    ("roll maelstrom/willpower current=1 spend dice=7", 1, "spend does not come up here"),
    ("roll maelstrom/willpower current=1 spend --seed 1", 1, "spend does not come up here"),
    ("roll actoin pool=5", 2, 'no game here has a rule "actoin"; did you mean action?'),
    ("roll maelstrm/action", 2, 'there is no game "maelstrm"; did you mean maelstrom?'),
    ("roll maelstrom/actoin", 2, 'maelstrom has no rule "actoin"; did you mean action?'),
    ("odds check", 2, '2 games have a rule "check"; write one of'),
    ("odds", 2, "which rule? Write one of"),
    ("odds pool=5", 2, "which rule? Write one of"),
    ("oods", 2, "there is no command `oods`; did you mean odds?"),
    ("--frob", 2, "there is no option --frob"),
    ("check --format xml", 2, "invalid choice: 'xml'"),
    ("check nowhere", 2, "there is no file or folder nowhere"),
    ("check ../Makefile", 2, "../Makefile is neither a folder nor a page nor a game.toml"),
    ("odds maelstrom/action pool=5 --seed 1", 2, "--seed belongs to rulewright roll"),
    ("export docx", 2, "invalid choice: 'docx'"),
]


@pytest.mark.parametrize(("command", "status", "message"), COMPLAINTS, ids=[command for command, _, _ in COMPLAINTS])
def test_complaints(command: str, status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == status
    told = capsys.readouterr()
    assert told.err.startswith("rulewright: ")
    assert message in told.err.replace("\n", " ")


def test_a_bad_record_is_shown_with_its_place(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    main(["roll", "maelstrom/action", "pool=4", "specialty", "dice=1 4 7 10 | 1 1O"])
    test = ["roll", "ingenuity/test", "attribute=d4", "skill=d4", "difficulty=5", "advantage=1"]
    main([*test, "dice=2 3 4", "rerolled=skill 4 -> 2"])
    main(["roll", "maelstrom/action"])
    golden("cli/complaints.txt", capsys.readouterr().err)


def test_the_same_words_in_other_letters_mean_the_same(printed: Callable[..., str]) -> None:
    assert printed("odds", "Ingenuity/TEST", "ATTRIBUTE=D6", "difficulty=hard") == printed(
        "odds", "ingenuity/test", "attribute=6", "difficulty=Hard"
    )
    assert printed("odds", "maelstrom/action", "pool=5", "specialty") == printed(
        "odds", "maelstrom/action", "specialty=yes", "--", "pool=5"
    )


def test_a_choice_that_came_up_is_mentioned(printed: Callable[..., str]) -> None:
    assert "fumble comes up here: it is complication unless you write" in printed(
        "roll", "wild-die/check", "code=2D", "difficulty=5", "dice=3 | 1"
    )


def test_a_step_that_picks_dice_leaves_no_gap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason of the outcome was once listed twice, and the odds of such a rule could not be proved."""
    dice = 'dice.d6 = { count = 2, sides = 6 }\nsteps = { n = "sum(best)", best = "highest 1 of d6" }'
    rule = f'{dice}\n[rules.r.outcomes]\nhigh = {{ when = "n > 3" }}\nlow = {{}}\n'
    (tmp_path / "game.toml").write_text(f'title = "x"\n[rules.r]\n{rule}', "utf-8")
    with chdir(tmp_path):
        assert main(["roll", "r", "dice=3 5"]) == 0
        assert capsys.readouterr().out.count("n > 3 → 5 > 3") == 1
        assert main(["odds", "r"]) == 0


def test_a_tie_between_recorded_dice_is_not_thrown_on(printed: Callable[..., str]) -> None:
    found = printed("roll", "step-dice/contest", "first.die=d8", "second.die=d6", "first.dice=5", "second.dice=5")
    assert "a tie, 5 to 5: both sides roll again" in found
    assert "--seed" not in found


# Terminals and pipes


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_a_terminal(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    main(command.split())
    return terminal.getvalue()


@pytest.mark.parametrize("command", [f"roll {ROLLS['maelstrom']}", f"odds {ODDS['wild-die']}"])
def test_colour_on_a_terminal_changes_nothing_else(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    coloured = on_a_terminal(command, monkeypatch)
    assert "\033[1m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = on_a_terminal(command, monkeypatch)
    assert "\033" not in plain
    assert PAINTED.sub("", coloured) == plain


def test_what_a_game_says_cannot_steer_a_terminal() -> None:
    terminal = Terminal()
    Screen(terminal).print("a\033]0;title\007b", "\033[1mbold\033[0m")
    assert terminal.getvalue() == "a␛]0;title␇b\n\033[1mbold\033[0m\n"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ("0", "0.0%"), ("1", "100.0%"), ("1/2", "50.0%"), ("211/250", "84.4%"), ("1/18", "5.6%"), ("1/800", "0.13%"),
        ("21/40000", "0.053%"), ("799/800", "99.88%"), ("1/3000000", "0.000033%"), ("1/6000000000000", "<0.00000001%"),
        ("5999999999999/6000000000000", ">99.99999999%"), ("1/160", "0.63%"), ("1/80", "1.3%"),
    ],
)  # fmt: skip
def test_percentages(share: str, text: str) -> None:
    assert format_percent(Fraction(share)) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [("3", "3"), ("-7/2", "-3.5"), ("167/10", "16.7"), ("1/3", "0.3333"), ("2/3", "0.6667"), ("1/3000", "0.000333")],
)
def test_means(number: str, text: str) -> None:
    assert format_mean(Fraction(number)) == text


def test_chances_that_are_only_bounded(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    low, width = Fraction(4494845, 10**7), Fraction(1, 190_000)
    chances = {"some": Chance(low, low + width), "none": Chance(1 - low - width, 1 - low)}
    terminal = Terminal()
    Screen(terminal).print(*chance_lines(chances, Screen(terminal)))
    golden("cli/odds/bounded.txt", terminal.getvalue())
    assert outcome_data("some", chances["some"]) == {
        "name": "some",
        "exact": None,
        "chance": pytest.approx(float(low + width / 2)),
        "low": float(low),
        "high": float(low + width),
        "why": NO_FRACTION,
    }


def test_fractions_of_thousands_of_digits() -> None:
    chance = Chance(Fraction(1, 7**9000), Fraction(1, 7**9000))
    assert "a fraction of 7,607 digits; --json prints it" in "".join(
        chance_lines({"rare": chance}, Screen(io.StringIO()))
    )
    with all_digits():
        assert len(outcome_data("rare", chance)["exact"]) == 7608


def test_folded_lines() -> None:
    assert join_parts(["a" * 50, "b" * 40, "c"], ", ", "x: ") == ["x: " + "a" * 50 + ",", "   " + "b" * 40 + ", c"]


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MODULE, *arguments], capture_output=True, text=True, encoding="utf-8", check=False, **more)


def test_version() -> None:
    found = run("--version")
    assert (found.returncode, found.stdout, found.stderr) == (0, f"rulewright {__version__}\n", "")


def test_a_pipe_gets_no_colour() -> None:
    found = run("odds", "maelstrom/action", "pool=5", env={**os.environ, "TERM": "xterm"})
    assert found.returncode == 0
    assert "\033" not in found.stdout


def test_letters_that_the_screen_does_not_have() -> None:
    few = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    found = run("odds", "maelstrom/action", "pool=5", env=few)
    assert found.returncode == 0
    assert "84.4%  ####################" in found.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_a_reader_who_leaves_is_not_complained_about() -> None:
    line = f"{' '.join(MODULE)} odds maelstrom/action pool=5 | head -c 1"
    found = subprocess.run(["sh", "-c", line], capture_output=True, check=False)
    assert (found.returncode, found.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123  no file of ours
        found = subprocess.run(
            [*MODULE, "odds", "maelstrom/action", "pool=5"], stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    assert found.returncode == 2
    assert found.stderr == "rulewright: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_is_quiet() -> None:
    code = """import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from rulewright.cli import main, roll
roll.random_seed = lambda: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(["roll", "ingenuity/luck"]))"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (128 + signal.SIGINT, b"", b"")


def test_a_bug_of_ours_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> int:
        raise KeyError("oops")

    monkeypatch.setattr("rulewright.cli.run", broken)
    with pytest.raises(KeyError):
        main(["check"])
    monkeypatch.delenv(TRACEBACK)
    assert main(["check"]) == 2
    assert capsys.readouterr().err.startswith("rulewright: a mistake in rulewright itself: KeyError: 'oops'")


# What starting costs

STARTS = {
    "python": ["-c", "pass"],
    "version": ["-m", "rulewright", "--version"],
    "roll": ["-m", "rulewright", "roll", "maelstrom/action", "pool=5"],
}


def test_starting_costs_little() -> None:
    """Nearly all that starting takes is importing modules; 22 and 158 of them when this was written."""
    count = {name: imported(arguments) for name, arguments in STARTS.items()}
    assert count["version"] - count["python"] < 40
    assert count["roll"] - count["python"] < 200


def imported(arguments: list[str]) -> int:
    """How many modules a process imports."""
    found = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True, cwd=games.RULES
    )
    return found.stderr.count("import time:")


# Whatever is typed

NAMES = [rule for name in games.GAMES for rule in (f"{name}/{own}" for own in games.load_shipped_game(name).rules)]
KEYS = ["pool", "difficulty", "threshold", "specialty", "current", "spend", "code", "extra", "die", "skill", "luck"]
SIDED = [f"{side}.{name}" for side in ("first", "second") for name in (*KEYS, "attribute", "dice")]
VALUES = ["5", "d6", "4D+2", "Hard", "yes", "0", "-1", "99", "1 4 7 10", "1 | 10", "6+4", "never", "mean(total)", ""]
key = st.sampled_from([*KEYS, *SIDED, "attribute", "advantage", "dice", "rerolled", "declined", "aim"])
word = st.one_of(
    st.builds("{}={}".format, key, st.sampled_from(VALUES)),
    st.builds("{}={}".format, key, st.text(max_size=12)),
    st.sampled_from([*KEYS, "--json", "--seed", "--strict", "--format", "--", "-h", "--version"]),
    st.text(max_size=12),
)
arguments = st.builds(
    lambda command, rule, words: [command, rule, *words],
    st.sampled_from(["roll", "odds"]),
    st.one_of(st.sampled_from(NAMES), st.text(max_size=8)),
    st.lists(word, max_size=6),
)


@settings(deadline=None, max_examples=scale_examples(80))
@given(arguments=st.one_of(arguments, st.lists(word, max_size=4)))
def test_nothing_that_can_be_typed_is_a_bug(arguments: list[str]) -> None:
    os.environ[TRACEBACK] = "1"
    before = sys.stdout, sys.stderr, Path.cwd()
    os.chdir(games.RULES)
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        assert main(arguments) in (0, 1, 2)
    finally:
        sys.stdout, sys.stderr = before[:2]
        os.chdir(before[2])
