"""The numbers of an example against the block that it tells: whose they are, and which of several counts."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rulewright.cli import main

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "plugin" / "rulewright" / "gallery"
CHECK = "rule: check\nbonus: 5\ntarget: 15\ndice: 14\noutcome: success"
ACTION = "rule: action\npool: 5\nneeded: 2\ndice: 5 5 5 2 3\nhits: 3"


def check(book: Path, game: str, text: str, block: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """The problems of an example with its block: severity and message."""
    (book / "game.toml").write_text((GALLERY / game / "game.toml").read_text("utf-8"), "utf-8")
    (book / "page.md").write_text(f"# Page\n\nExample: {text}\n\n```example\n{block}\n```\n", "utf-8")
    main(["check", "--format", "json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    return [(problem["severity"], problem["message"]) for problem in problems]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("His bonus is 3, and his sword has a bonus of 2, so he adds 5. He rolls a 14, a success.", []),
        ("Ann has a bonus of 3, and her sword adds another 2. She rolls a 14, a success.", []),
        ("Ann has a bonus of 6 in a dry hall; on ice the bonus is 5. She rolls a 14, a success.", []),
        ("Ann rolls a 14, a success. Her brother has a bonus of 7.", []),
        ("Ann rolls a 14, a success. The guard's bonus is 7.", []),
        ("Ann rolls a 14, a success. Ben, her brother, has a bonus of 7.", []),
        ("Ann rolls a 14 against Ben, who has a bonus of 7: a success.", []),
        ("Ann rolls a 14 with a bonus of 6, a success.", ["6"]),
        ("Ann mends the boiler, target 15, with a bonus of 6. She rolls a 14, a success.", ["6"]),
        ("Ann has a bonus of 6. She rolls a 14, a success.", ["6"]),
        ("Ann's bonus is 6. She rolls a 14, a success.", ["6"]),
        ("His bonus is 4, and his bonus from the sword is 2. He rolls a 14, a success.", ["4"]),
    ],
)
def test_a_number_of_somebody_else_is_not_compared(
    text: str, wrong: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(book, "d20", text, CHECK, capsys) == [
        ("error", f"the text says {number}, the block below 5") for number in wrong
    ]


def test_a_number_is_reported_once(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Ann has a dice pool of 5. She rolls 5 5 5 2 3 and gets three hits."
    assert not check(book, "d6-pool", text, ACTION, capsys)
    found = check(book, "d6-pool", text.replace("of 5", "of 6"), ACTION, capsys)
    assert found == [("warning", "the text says 6 dice, the block beside it has 5")]


@pytest.mark.parametrize("filler", ["pool: 5{0}x: 5", "pool{0}x", "traits: {1}", "pool: 5{2}"])
def test_long_blocks_are_read_in_linear_time(filler: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    block = filler.format(" " * 18_000, "word " * 8_000, ", 5" * 8_000)
    start = time.process_time()
    check(book, "d6-pool", "Ann rolls 5 5 5 2 3 and gets three hits.", f"{ACTION}\n{block}", capsys)
    assert time.process_time() - start < 3


def states(book: Path, game: Path, text: str, block: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The states of the numbers of a text above a block, and the messages."""
    (book / "game.toml").write_text((game / "game.toml").read_text("utf-8"), "utf-8")
    (book / "page.md").write_text(f"# Page\n\n{text}\n\n{block}\n", "utf-8")
    main(["check", "--strict", "--format", "json"])
    messages = [problem["message"] for problem in json.loads(capsys.readouterr().out)["problems"]]
    assert main(["coverage", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["coverage"]
    return "; ".join([" ".join(f"{entry['text']} {entry['state']}" for entry in found), *messages])


PROOF = "<!-- example\nproves: text\nrule: action\npool: {}\nneeded: 2\ndice: {}\nhits: 3\n-->"
FIVE, SIX = PROOF.format(5, "5 5 5 2 3"), PROOF.format(6, "2 3 4 5 5 5")


@pytest.mark.parametrize(
    ("text", "block", "expected"),
    [
        ("Any task takes two hits; three hits are a surplus.", FIVE, "two checked three checked"),
        (
            "Any task takes two hits; four hits are a surplus.",
            FIVE,
            "two checked four wrong; the text says four, the block below says 2 or 3",
        ),
        ("A lock has 2 bolts and the tower has 4 floors.", SIX, "2 unbound 4 unbound"),
        ("The 2 still counts.", SIX, "2 checked"),
        ("Roll 2, 3, 4, 5, 5 and 5.", SIX, " ".join(f"{face} checked" for face in (2, 3, 4, 5, 5, 5))),
        ("A pool of 10 dice gets 3 hits.", FIVE.replace("proves: text\n", ""), "10 unbound 3 unbound"),
        ("With a pool of 10 dice you get 3 hits on average.", "```rule\n```", "10 unbound 3 unbound"),
        ("Cid saw it coming, and he met 30 guards.", "", "30 free"),
        ("He saw it coming, and 30 guards ran away.", "", "30 free"),
        ("He saw it coming, and 7 ran away.", "", "7 unbound"),
    ],
)
def test_a_number_is_tied_by_what_it_is_called(
    text: str, block: str, expected: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert states(book, GALLERY / "d6-pool", text, block, capsys) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Change every d20 to a d12.", "20 unbound 12 unbound"),
        ("Change every d5 to a d12.", "5 unbound 12 unbound"),
        ("The weapon deals damage from d2 to d12.", "2 unbound 12 unbound"),
        ("This one does not go from d4 to d20.", "4 unbound 20 unbound"),
        (
            "Besides d4, d6, d8 and d10 you need a d20 for the weather.",
            "4 unbound 6 unbound 8 unbound 10 unbound 20 unbound",
        ),
        ("Traits go from d4 to d12.", "4 checked 12 checked"),
        (
            "Get [d4](page.md), [d6](page.md), d8 (few), a d10 and a d12.",
            "4 checked 6 checked 8 checked 10 checked 12 checked",
        ),
        ("Traits go from d4 to d13.", "4 unbound 13 wrong; the text says d13; the largest die here is d12"),
        ("Traits go from W5 to W12.", "5 wrong 12 unbound; the text says W5; the smallest die here is W4"),
        (
            "The dice are d4, d6, d8, d10 and d12, and a beginner has a d4.",
            "4 checked 6 checked 8 checked 10 checked 12 checked 4 unbound",
        ),
        (
            "The dice are d4, d6, d7, d10 and d12.",
            (
                "4 checked 6 checked 7 wrong 10 checked 12 checked;"
                " the text says d7; the die of the game that is missing here is d8"
            ),
        ),
    ],
)
def test_dice_of_another_roll_are_no_mistake(
    text: str, expected: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert states(book, GALLERY / "trait-and-wild", text, "", capsys) == expected


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Ann's attribute is a d6 and her skill a d4.", "6 checked", "4 checked"),
        ("Ann's attribute is a d4 and her skill a d6.", "4 unbound", "6 unbound"),
        ("Ann has dexterity d4 and handling d6.", "4 unbound", "6 unbound"),
        ("Ann has a d4 and a d6.", "4 checked", "6 checked"),
    ],
)
def test_a_die_is_that_of_its_name(
    text: str, first: str, second: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    block = "rule: test\nattribute: d6\nskill: d4\nproficiency: 1\ndifficulty: 6\ndice: attribute 4, skill 2, luck 13"
    told = f"Example: {text} Difficulty 6. She throws a 4 and a 2 and adds 1: a total of 7."
    found = states(book, ROOT / "rules" / "ingenuity", told, f"```example\n{block}\n```", capsys)
    assert found.startswith(f"{first} {second} 6 checked")
