"""`proves: text`: the numbers of a paragraph, list or table against the blocks right below it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulewright.cli import main

GAME = """
title = "Coast"

[rules.test]
label = "Test"

[rules.test.inputs]
pool = { label = "Dice", min = 1, max = 30 }
difficulty = { label = "Difficulty", min = 2, max = 10, default = 6 }

[rules.test.dice]
regular = { count = "pool", sides = 10, tests = { hit = "face >= difficulty" } }

[rules.test.steps]
hits = "count(regular: hit)"

[rules.test.outcomes]
success = { when = "hits > 0", degree = "hits" }
failure = {}
"""
EXAMPLE = "rule: test\ndifficulty: 7\npool: 4\ndice: 1 7 9 3\nhits: 2\noutcome: success"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.toml").write_text(GAME, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(book: Path, text: str, block: str = f"<!-- example\nproves: text\n{EXAMPLE}\n-->") -> None:
    (book / "page.md").write_text(f"# Tests\n\n{text}\n\n{block}\n", "utf-8")


def check(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The numbers that are wrong, and the codes of all other problems."""
    main(["check", "--strict", "--format", "json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    notes = [re.findall(r"the text says (\S+), the block below", problem["message"]) for problem in problems]
    return [note[0] if note else problem["code"] for note, problem in zip(notes, problems, strict=True)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A 7 on one of the dice, and a 9, are what you hope for.", []),
        ("An 8 on one of the dice, and a 9, are what you hope for.", ["8"]),
        ("Four dice are in your hand.", []),  # as many as the block rolls
        ("Five dice are in your hand.", ["Five"]),
        ("Five ways lead to the top; four dice are enough.", []),  # ways are nothing that the game declares
        ("Five ways lead to the top; six dice are enough.", ["six"]),
        ("- a 7 is good\n- so is a 9\n- a 5 is not", ["5"]),
        ("| face | what |\n| --- | --- |\n| 7 | good |\n| 8 | good |", ["8"]),
        ("On page 12 a 7 is enough, since 1998.", []),
        ("The others threw a 5.\n\nHere a 7 is enough.", []),  # another paragraph is not proved
        ("> The others threw a 5.\n>\n> Here an 8 is enough.", ["8"]),
        ("The difficulty is 6, unless they say otherwise. A 7 is enough.", []),  # the 6 is that of the game
        ("It costs 2.5 coins.", ["2.5"]),
        ("A third time a 1, and 20 % of the coins are gone.", ["20"]),
    ],
)
def test_each_number_is_one_of_the_block(
    text: str, wrong: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book, text)
    assert check(capsys) == wrong


def test_blocks_that_follow_each_other_prove_one_text(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = EXAMPLE.replace("1 7 9 3", "8 8 8 8").replace("hits: 2", "hits: 4")
    first, second = f"<!-- example\nproves: text\n{EXAMPLE}\n-->", f"```example\n{other}\n```"
    write(book, "An 8 is good, and so is a 9.", f"{first}\n\n{second}")
    assert check(capsys) == ["8"]  # only what says so proves anything
    both = second.replace("rule:", "proves: text\nrule:")
    write(book, "An 8 is good, and so is a 9.", f"{first}\n\n{both}")
    assert check(capsys) == []
    write(book, "An 8 is good.", f"{second}\n\nMore about it, with a 9.\n\n{first}")
    assert check(capsys) == []


@pytest.mark.parametrize(
    "block",
    [
        "```claim\nproves: text\nrule: test\nmean(hits; pool 5, difficulty 6) ~ 2.5\n```",
        "<!-- odds\nproves: text\nrule: test\nrows: pool 5\nexpect: pool 5 = 96.9%\nshow: chance of success\n-->",
        "```rule\nproves: text\nrule: test\n```",
        "```roller\nproves: text\nrule: test\npool: 5\n```",
    ],
)
def test_every_kind_of_block_knows_the_key(block: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book, "Five dice are enough." if "pool" in block else "Roll.", block)
    assert check(capsys) == []


def test_the_key_has_one_value(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book, "A 7 is enough.", f"<!-- example\nproves: yes\n{EXAMPLE}\n-->")
    assert check(capsys) == ["block-value"]


def test_the_numbers_are_checked_and_a_change_of_them_is_noticed(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book, "A 7 is enough, on four dice.")
    assert main(["coverage", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(entry["state"], entry["to"]) for entry in found["coverage"]} == {("checked", "the block below")}
    assert main(["coverage", "--mutate", "--format", "json"]) == 0
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert [(one["text"], one["noticed"]) for one in changes if one["of"] == "text"] == [("7", True), ("four", True)]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Add a plain number such as 17 to it.", "free"),
        ("Add a plain number of 17 to it.", "unbound"),
        ("**1. Cancel it.** It is taken out.", "free"),
        ("Take out 1. It is gone.", "unbound"),
        ("| step | what |\n| --- | --- |\n| 1 | a |\n| 2 | b |\n| 3 | c |", "free"),
        ("| step | what |\n| --- | --- |\n| 1 | a |\n| 2 | b |\n| 4 | c |", "unbound"),
        ("Roll [seven dice, 8 of them](roll:test?pool=8&difficulty=9).", "checked"),
        ("Roll [seven dice, 5 of them](roll:test?pool=8&difficulty=9).", "unbound"),  # not only settings
        ("Roll [8 and 5](roll:test?pool=8&difficulty=9).", "checked wrong"),
    ],
)
def test_what_else_is_free_or_checked(text: str, state: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book, text, "")
    assert main(["coverage", "--format", "json"]) == 0
    found = [entry for entry in json.loads(capsys.readouterr().out)["coverage"] if entry["text"].isdigit()]
    assert {entry["state"] for entry in found} == {*state.split()}


def test_faces_and_numbers_of_dice_are_told_apart(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book, "Three dice and a 4.", f"<!-- example\nproves: text\n{EXAMPLE}\n-->")
    assert check(capsys) == ["Three", "4"]  # a 3 is among the faces, and 4 is the number of dice


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("At difficulty 7 there are two hits.", []),
        ("At difficulty 9 there are two hits.", ["9"]),  # 9 is a face of the block, but not its difficulty
        ("At difficulty 7 there are three hits.", ["three"]),
        ("Two successes are left.", []),  # the degree of the outcome
        ("Three successes are left.", ["Three"]),
        ("Roll a d10 for each of them.", []),
        ("Roll a d8 for each of them.", ["8"]),  # the rule rolls d10
        ("A 2 does it.", ["2"]),  # no die shows it, though two of them are hits
    ],
)
def test_a_number_with_a_name_is_what_the_block_calls_so(
    text: str, wrong: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book, text, f"<!-- example\nproves: text\n{EXAMPLE}\ndegree: 2\n-->")
    assert check(capsys) == wrong


STEPS = """
title = "Steps"

[rules.test]
label = "Test"

[rules.test.inputs]
die = { label = "Die", die = [4, 6, 8, 10] }
target = { label = "Target", min = 1, max = 20, default = 4 }

[rules.test.dice.test]
sides = "die"

[rules.test.outcomes]
success = { when = "sum(test) >= target" }
failure = {}
"""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A d4 makes it in [25 %](chance:success?die=d4), a d8 in [62.5 %](chance:success?die=d8).", []),
        ("A d5 makes it in [25 %](chance:success?die=d4), a d8 in [62.5 %](chance:success?die=d8).", ["5"]),
        ("Instead of a d20 roll [a d4](roll:test?die=d4).", []),  # the die of the link is there, too
        ("Roll [a d5](roll:test?die=d4).", ["5"]),
        ("You need a d4, a d6, a d8 and a d10.", []),
        ("You need a d4, a d7, a d8 and a d10.", ["d7"]),
        ("You need a d4, a d6, a d8, a d10 and a d20 for tables.", []),  # one more than the rules roll
        ("You need a d4, a d6 and a d12.", []),  # another game's, perhaps
        ("Each trait is a die, from d4 to d10.", []),
        ("Each trait is a die, from d5 to d10.", ["d5"]),
        ("Each trait is a die, from d4 to a d11.", ["d11"]),
        ("The weak have dice from d4 to d6.", []),
    ],
)
def test_a_die_beside_a_link_is_that_of_the_link(
    text: str, wrong: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.toml").write_text(STEPS, "utf-8")
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text, "")
    main(["check", "--strict", "--format", "json"])
    messages = [problem["message"] for problem in json.loads(capsys.readouterr().out)["problems"]]
    assert [message.split()[3].rstrip(",;") for message in messages] == wrong


@pytest.mark.parametrize("key", ["skip: not yet", "wrong: on purpose\nhits: 3"])
def test_what_is_skipped_or_wrong_proves_nothing(book: Path, capsys: pytest.CaptureFixture[str], key: str) -> None:
    block = EXAMPLE.replace("hits: 2", key) if "hits" in key else f"{EXAMPLE}\n{key}"
    write(book, "The 8 counts.", f"<!-- example\nproves: text\n{block}\n-->")
    assert check(capsys) == []


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Three guards are worth 2 medals.", "unbound"),  # 2 are the hits of the block, by chance
        ("It makes 2 hits.", "checked"),
        ("That is 2.", "checked"),  # it says of nothing else
        ("The 7 counts, the 9 as well.", "checked"),
        ("Roll d10s, and get a 9.", "checked"),
        ("Roll d8s, and get a 9.", "checked wrong"),
    ],
)
def test_a_small_number_is_tied_by_what_it_counts(
    text: str, state: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book, text)
    main(["coverage", "--format", "json"])
    found = [entry for entry in json.loads(capsys.readouterr().out)["coverage"] if entry["text"].isdigit()]
    assert {entry["state"] for entry in found} == {*state.split()}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("# Step 2: Roll", "free"),
        ("# A 1 explodes", "unbound"),
        ("# d10", "free"),
        ("He had seen 30 guards on the wall.", "free"),
        ("He rolls 30 dice.", "unbound"),
        ("If she rolls a 9, she wins.", "unbound"),
        ("Roll a d12 for the weather.", "unbound"),
        ("| hits | what |\n| --- | --- |\n| 1 | a |\n| 2 | b |\n| 3 | c |", "unbound"),
        ('"We have 30 guards," said the king.', "free"),
        ("Example: the guard has 30 coins. He rolls a 12.", "free unbound"),
    ],
)
def test_what_a_player_needs_is_not_free(text: str, state: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book, text, "")
    main(["coverage", "--format", "json"])
    found = [entry for entry in json.loads(capsys.readouterr().out)["coverage"] if entry["text"].isdigit()]
    assert {entry["state"] for entry in found} == {*state.split()}


DIE_GAME = """
title = "Steps"
[rules.check.inputs]
die = { label = "Die", die = [4, 6, 8] }
bonus = { label = "Bonus", min = -5, max = 5, default = 0 }
[rules.check.dice]
check = { sides = "die" }
[rules.check.steps]
total = "sum(check) + bonus"
[rules.check.outcomes]
success = { when = "total >= 4" }
failure = {}
"""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Example: with a d6 and a bonus of 2 she rolls 3, a success.", []),
        ("Example: with a d8 and a bonus of 2 she rolls 3, a success.", ["d8"]),
        ("Example: with a d6 and a bonus of 1 she rolls 3, a success.", ["1"]),
        ("Example: with a d6 she rolls 3, a success. A bonus of 1 would not have been enough.", []),  # only supposed
        ("Example: with a d6 she rolls 3, a success, and does 2d8 of harm.", []),  # another roll
        ("Example: with a d6 she rolls 3, a success. Her damage is a d8.", []),
        ("Example: with a d6 she rolls 3, a success. Then a d12 tells the weather if it rains.", []),
    ],
)
def test_an_example_names_the_settings_of_its_block(
    text: str, wrong: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "game.toml").write_text(DIE_GAME, "utf-8")
    write(book, text, "<!-- example\nrule: check\ndie: d6\nbonus: 2\ndice: 3\noutcome: success\n-->")
    main(["check", "--strict", "--format", "json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [re.findall(r"the text says (\S+),", problem["message"]) for problem in problems] == [[one] for one in wrong]
