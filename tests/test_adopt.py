"""`rulewright adopt`: blocks worked out from prose, right ones or with a doubt, and where they are put."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from call_counts import LINEAR, call_growth_from_half, hang_guard
from example_counts import sample, scale_examples
from rulewright.adopt.game import draft_game, rank_mechanics
from rulewright.adopt.game_text import write_game
from rulewright.adopt.insert import diff_lines
from rulewright.adopt.interview import complete
from rulewright.adopt.page import AdoptedPage, adopt_page, examine_page, find_rolls
from rulewright.book.parser import read_page
from rulewright.checks.adopt_doubts import DOUBT
from rulewright.checks.model import BlockContext
from rulewright.checks.prose_examples import check_drift
from rulewright.checks.registry import check_block
from rulewright.cli import main
from rulewright.game.model import Game
from rulewright.play.validate import load_game, load_game_text
from rulewright.source import Source
from small_book import write as write_book
from source_books import BOTH, GAMES, Books, source_books

Golden = Callable[[str, str], None]
Said = Callable[..., tuple[int, str, str]]

HERE = Path(__file__).parent
ROOT = HERE.parent
CASES = sorted(path for path in (HERE / "cases" / "adopt").glob("*.md") if path.name != "README.md")
FENCE = re.compile(
    r"^(?:```example\n.*?^```\n\n?|>\n> ```example\n.*?^> ```\n)", re.DOTALL | re.MULTILINE
)  # what stands behind an example, also inside its quote


def game_of(name: str) -> Game:
    """A game by its place: `rules/maelstrom`, `gallery/d20`, `mechanics/cypher`, `ladder.toml` beside the examples."""
    places = {"rules": ROOT, "gallery": ROOT / "plugin" / "rulewright", "mechanics": HERE}
    file = HERE / "cases" / "adopt" / name
    if not name.endswith(".toml"):
        file = places[name.partition("/")[0]] / name / "game.toml"
    game, problems = load_game(file)
    assert game, problems
    return game


def adopt(text: str, game: Game | None) -> AdoptedPage:
    return adopt_page(read_page(Source("page.md", text)), game)


@pytest.fixture
def said(ran: Said) -> Said:
    return partial(ran, "adopt")


def without_blocks(text: str) -> str:
    return FENCE.sub("", text).rstrip() + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_each_example_gets_its_block(path: Path) -> None:
    text = path.read_text("utf-8")
    head, _, body = text.partition("\n")
    bare = without_blocks(body.lstrip("\n"))
    made = adopt(bare, game_of(head.removeprefix("game: "))).after.text
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        path.write_text(f"{head}\n\n{made}", "utf-8")
    assert path.read_text("utf-8") == f"{head}\n\n{made}", "`make golden` writes the page anew"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_blocks_pass_and_those_without_a_doubt_say_what_the_text_says(path: Path) -> None:
    head, _, body = path.read_text("utf-8").partition("\n")
    page = read_page(Source(path.name, body))
    checked = [
        check_block(block, BlockContext(page, game_of(head.removeprefix("game: ")), {})) for block in page.blocks
    ]
    assert {one.status for one in checked} == {"passed"}
    assert not check_drift(page, [one for one in checked if DOUBT not in one.block.text.content])


def test_most_examples_have_a_block_without_a_doubt() -> None:
    texts = [path.read_text("utf-8") for path in CASES]
    examples = sum(len(re.findall(r"^(?:> )?\**Example[:.]", text, re.MULTILINE)) for text in texts)
    blocks = [found[0] for text in texts for found in FENCE.finditer(text)]
    assert examples >= 100
    assert len(blocks) >= 0.9 * examples
    assert sum(DOUBT not in block for block in blocks) >= 0.65 * examples  # others tell too little, or are wrong


POOL_OF_D20 = """\
title = "Pool"
[rules.check.inputs]
pool = { min = 1, max = 4 }
[rules.check.dice]
d20 = { count = "pool", sides = 20 }
[rules.check.steps]
total = "sum(d20)"
"""


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("The d20 shows a 16. With the 16 on the d20 she has a total of 16.", "16"),
        ("The d20 shows a 16. The d20 still shows the 16 when she looks again: a total of 16.", "16"),
        ("The d20 shows a 16, and 16 plus 0 makes a total of 16.", "16"),
        ("His d20 shows a 7. She gets a 7 on another die. That is a total of 14.", "7 7"),
        ("She rolls 16 and 16 on 2d20, a total of 32.", "16 16"),
    ],
)
def test_a_face_that_is_told_again_is_no_second_die(text: str, dice: str) -> None:
    game, _ = load_game_text(POOL_OF_D20)
    proposals = adopt(f"# A\n\nExample: {text}\n", game).proposals
    assert [line for made in proposals for line in made.lines if line.startswith("dice:")] == [f"dice: {dice}"]


HARD = """\
title = "Hard"
[rules.test.inputs]
trait = { label = "Trait", min = 1, max = 9 }
difficulty = { label = "Difficulty", min = 1, max = 5, default = 1 }
[rules.test.dice]
d6 = { count = "trait", sides = 6, tests = { good = "face >= 5" } }
[rules.test.outcomes]
success = { when = "count(d6: good) >= difficulty" }
failure = {}
"""
NAMES = '[tables.hardness]\ncolumns = ["needed"]\nrows = { Easy = [1], Hard = [2] }\n'


@pytest.mark.parametrize(
    ("game_text", "difficulty", "doubts"),
    [
        (HARD, "Hard", ("difficulty Hard is not known to the game",)),
        (HARD, "2", ()),
        (HARD.replace("default = 1", 'default = 1, names = "hardness"') + NAMES, "Hard", ()),
    ],
)
def test_a_named_difficulty_that_the_game_does_not_know_is_a_doubt(
    game_text: str, difficulty: str, doubts: tuple[str, ...]
) -> None:
    game, problems = load_game_text(game_text)
    assert game, problems
    told = f"Mirel has a trait of 4. The difficulty is {difficulty}. She rolls 2, 5, 6 and 1 and succeeds."
    text = f"# A\n\nExample: {told}\n"
    assert [proposal.doubts for proposal in adopt(text, game).proposals] == [doubts]


AT_A_COST = """\
title = "At a cost"
[rules.move.dice]
d6 = { count = 2, sides = 6 }
[rules.move.steps]
total = "sum(d6)"
[rules.move.outcomes]
success = { when = "total >= 10" }
"success at a cost" = { when = "total >= 7" }
failure = {}
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("rolls 3 and 4: a success at a cost.", ["outcome: success at a cost"]),
        ("rolls 3 and 4. It is a success, but at a cost.", ["outcome: success at a cost"]),
        ("rolls 6 and 5. That is a success.", ["outcome: success"]),
        ("rolls 6 and 5. She succeeds.", ["outcome: success"]),
        (
            "rolls 6 and 5: a success at a cost.",
            ["# ? the text says success at a cost, this block comes to success", "outcome: success"],
        ),
        (
            "rolls 3 and 4: a success.",
            ["# ? the text says success, this block comes to success at a cost", "outcome: success at a cost"],
        ),
        ("rolls 3 and 4. She succeeds.", []),
        ("rolls 3 and 4. That is a success.", []),
    ],
)
def test_the_longest_name_of_an_outcome_counts(text: str, lines: list[str]) -> None:
    game, _ = load_game_text(AT_A_COST)
    page = adopt(f"# A\n\nExample: Ann {text}\n", game)
    made = [line for proposal in page.proposals for line in proposal.lines]
    assert [line for line in made if line.startswith(("#", "outcome"))] == lines
    why = "write which outcome it is: success or success at a cost"
    assert [one.why for one in page.unmatched] == ([] if lines else [why])


def test_a_point_that_is_spent_is_known_by_the_name_in_the_book() -> None:
    """The game is the one that `init` makes for such a book."""
    words = {"extra": "yes", "compare": "target", "labels": "Craft, Lucky star, Target", "title": "Stars"}
    game, problems = load_game_text(write_game(complete({"family": "highest", **words}, {})))
    assert not problems
    text = "Ann has a craft of 2 against a target of 5. She spends a lucky star and rolls 3, 4 and 6: a success."
    made = adopt(f"# A\n\nExample: {text}\n", game).proposals
    assert [line for proposal in made for line in proposal.lines] == [
        "rule: action", "craft: 2", "lucky_star: 1", "target: 5", "dice: 3 4 6", "outcome: success",
    ]  # fmt: skip


def test_one_success_is_the_outcome_where_none_are_counted() -> None:
    page = adopt("# A\n\nExample: Ann rolls 6 and 5. She has a total of 11, a success.\n", load_game_text(AT_A_COST)[0])
    assert [proposal.doubts for proposal in page.proposals] == [()]


def test_examples_that_cannot_be_read_are_counted(tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"Example: Ann rolls 3 and {face}, a total of 3.\n\n" for face in range(8, 20))
    monkeypatch.chdir(write_book(tmp_path, {"page.md": f"# A\n\n{text}"}))
    (tmp_path / "game.toml").write_text(AT_A_COST, "utf-8")
    left = said()[1].partition("12 examples could not be read and are left:\n")[2].splitlines()
    assert [line.split(": ")[0] for line in left[:3]] == ["  page.md:3", "  page.md:5", "  page.md:7"]
    assert left[10:12] == ["  … and 2 more; --json lists them all", ""]
    assert len(json.loads(said("--json")[1])["left"]) == 12


# Where blocks are put

PAGE = (HERE / "pages" / "adopt.txt").read_text("utf-8")  # an example in every kind of container


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_book(tmp_path, {"page.md": PAGE}))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def test_what_is_shown(book: Path, said: Said, golden: Golden) -> None:
    status, printed, errors = said()
    golden("adopt/shown.txt", printed)
    assert (status, errors) == (0, "")
    assert (book / "page.md").read_text() == PAGE


def test_what_is_written(book: Path, said: Said, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = said("--write")
    golden("adopt/page.md", (book / "page.md").read_text())
    assert (status, printed.splitlines()[-1].endswith("all of it is written")) == (0, True)
    assert main(["check"]) == 0
    assert "prose-drift" not in capsys.readouterr().out


def test_a_second_run_proposes_nothing(book: Path, said: Said) -> None:
    said("--write")
    before = (book / "page.md").read_bytes()
    _, printed, _ = said("--write")
    assert "0 blocks proposed" in printed
    assert (book / "page.md").read_bytes() == before


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_ends_of_lines_stay(book: Path, said: Said, end: str) -> None:
    said("--write")
    expected = (book / "page.md").read_bytes().decode().replace("\n", end)
    (book / "page.md").write_bytes(PAGE.replace("\n", end).encode())
    said("--write")
    assert (book / "page.md").read_bytes().decode() == expected


def test_nothing_is_lost(book: Path) -> None:
    """Without the lines of the blocks the page is what it was."""
    game, _ = load_game(book / "game.toml")
    made = adopt(PAGE, game)
    lines = iter(made.after.text.split("\n"))
    assert all(line in lines for line in PAGE.split("\n"))
    assert made.after.text.count("```example") == len(made.proposals) > 10


def applied(lines: list[str], printed: list[str]) -> list[str]:
    """What a unified difference makes of a page."""
    found, at = list[str](), 0
    for line in printed[2:]:
        head = re.match(r"@@ -([0-9]+)(,[0-9]+)? \+([0-9]+)(?:,([0-9]+))? @@", line)
        if head:
            start = int(head[1]) - (head[2] != ",0")
            found += lines[at:start]
            assert len(found) == int(head[3]) - 1
            at = start
        elif line[0] == " ":
            assert lines[at] == line[1:]
            found.append(line[1:])
            at += 1
        else:
            found.append(line[1:])
    return found + lines[at:]


@pytest.mark.parametrize(
    "text", [PAGE, PAGE.rstrip(), PAGE.replace("\n", "\r\n"), "Example: Ann gets 5, 6. She succeeds."]
)
def test_the_difference_is_what_would_be_written(book: Path, text: str) -> None:
    game, _ = load_game(book / "game.toml")
    made = adopt(text, game if text != "Example: Ann gets 5, 6. She succeeds." else game_of("gallery/two-d6"))
    before, after = (
        re.split(r"\r\n|\n", one.text.removesuffix("\n").removesuffix("\r")) for one in (made.before, made.after)
    )
    assert made.proposals
    assert applied(before, list(diff_lines(made.before, made.edits))) == after


def test_nothing_is_written_where_nobody_looks(book: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    status, printed, errors = said("--write")
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert (book / "page.md").read_text() == PAGE


@pytest.mark.usefixtures("book")
def test_data_for_tools(said: Said) -> None:
    data = json.loads(said("--json")[1])
    assert data["version"] == 1
    assert data["summary"]["proposed"] == len(data["proposals"])
    assert data["summary"]["left"] == len(data["left"]) == 1
    assert data["proposals"][0]["lines"][0] == "rule: toss"
    assert data["game"] is None


@pytest.mark.usefixtures("book")
def test_a_game_is_no_page(said: Said) -> None:
    status, _, errors = said("game.toml")
    assert (status, errors.count("\n")) == (2, 1)


@pytest.mark.usefixtures("book")
def test_a_page_that_changes_meanwhile_is_left(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.cli.adopt.write_page", lambda _page: False)
    status, _, errors = said("--write")
    assert status == 1
    assert "page.md was changed meanwhile" in errors


def test_without_a_game_examples_are_left() -> None:
    page = adopt("Example: Ann rolls 3 and 5. She has two hits.\n", None)
    assert [one.why for one in page.unmatched] == ["this page has no game.toml to compare it with"]


def test_rules_that_speak_of_rolls_are_no_examples() -> None:
    game = game_of("gallery/two-d6")
    rule = "If you roll 6 and 6 with a bonus of +1, the total is 13 and you succeed.\n"
    assert not adopt(rule, game).proposals
    told = "Then Ann rolls 6 and 6 with a bonus of +1 for a total of 13. She succeeds.\n"
    assert len(adopt(told, game).proposals) == 1
    assert not adopt(told.replace("13", "14"), game).proposals


RUNS_OVER = """\
Example: Ann wants to lift the gate.

She rolls 5 and 6 with a bonus of +1, a total of 12, and succeeds.

What comes now is another story.
"""


def test_an_example_may_run_over_two_paragraphs() -> None:
    game = game_of("gallery/two-d6")
    made = adopt(RUNS_OVER, game)
    assert (
        made.after.text.index("succeeds.") < made.after.text.index("```example") < made.after.text.index("What comes")
    )
    assert not adopt(made.after.text, game).proposals
    two = adopt(RUNS_OVER.replace("She rolls", "Example: She rolls"), game)
    assert [one.passage.line for one in two.proposals] == [3]


# The source books

BOOKS: dict[str, dict[tuple[str, int], dict[str, str]]] = {  # what examples that show faces or totals come to, by line
    "own": {
        ("000.md", 73): {"pool": "6", "difficulty": "7", "dice": "1 2 5 7 8 9", "outcome": "success", "degree": "2"},
        ("000.md", 78): {"threshold": "1", "given": "successes 1, botches 1", "outcome": "botch", "degree": "1"},
        ("000.md", 83): {
            "pool": "5", "difficulty": "7", "specialty": "yes", "dice": "regular 1 3 6 7 10 | bonus 2 10 | bonus 5 9",
            "outcome": "success", "degree": "3",
        },
        ("001.md", 24): {"pool": "6", "difficulty": "7", "dice": "1 2 5 7 8 9", "outcome": "success", "degree": "2"},
        ("001.md", 27): {"threshold": "1", "given": "successes 1, failures 1", "outcome": "botch"},
        ("001.md", 30): {
            "pool": "6", "difficulty": "7", "specialty": "yes", "dice": "regular 2 3 4 6 7 10 | added 9",
            "outcome": "success", "degree": "3",
        },
        ("002.md", 37): {"difficulty": "14", "given": "total 9", "outcome": "failure", "degree": "5"},
        ("004.md", 15): {"attribute": "d8", "skill": "d6", "proficiency": "2", "given": "total 9"},
        ("004.md", 24): {"attribute": "d6", "given": "total 4"},
        ("004.md", 42): {"attribute": "d6", "given": "total 3"},
        ("004.md", 49): {"rule": "contest", "winner": "Ottilie"},
        ("004.md", 59): {
            "attribute": "d8", "skill": "d6", "proficiency": "2", "dice": "luck 20", "given": "base 8", "total": "11",
        },
    },
    "source": {
        ("000.md", 374): {"pool": "5", "difficulty": "6", "dice": "1 3 4 6 7", "outcome": "success", "degree": "1"},
        ("000.md", 381): {"threshold": "2", "given": "successes 2, botches 1", "outcome": "botch", "degree": "1"},
        ("000.md", 396): {
            "pool": "4", "difficulty": "8", "specialty": "yes", "dice": "regular 1 4 7 10 | bonus 1 10 | bonus 4 8",
            "outcome": "success", "degree": "2",
        },
        ("001.md", 52): {"pool": "5", "difficulty": "6", "dice": "1 3 4 6 7", "outcome": "success", "degree": "1"},
        ("001.md", 59): {"threshold": "2", "given": "successes 2, failures 1", "outcome": "botch"},
        ("001.md", 68): {
            "pool": "7", "difficulty": "8", "specialty": "yes", "dice": "regular 2 3 3 5 7 8 10 | added 8",
            "outcome": "success", "degree": "3",
        },
        ("002.md", 240): {"difficulty": "16", "given": "total 10", "outcome": "failure", "degree": "6"},
        ("004.md", 20): {"attribute": "d6", "skill": "d4", "proficiency": "1", "given": "total 7"},
        ("004.md", 29): {"attribute": "d4", "given": "total 3"},
        ("004.md", 48): {"attribute": "d4", "given": "total 2"},
        ("004.md", 81): {"rule": "contest", "winner": "Arnbjorg"},
        ("004.md", 95): {
            "attribute": "d6", "skill": "d4", "proficiency": "1", "dice": "luck 20", "given": "base 9", "total": "12",
        },
    },
}  # fmt: skip
OPEN = {  # they do not tell the difficulty, or no result
    "own": {("002.md", 37), ("004.md", 15), ("004.md", 24), ("004.md", 42), ("004.md", 59)},
    "source": {("002.md", 240), ("004.md", 20), ("004.md", 29), ("004.md", 48), ("004.md", 95)},
}


@pytest.mark.parametrize("which", BOTH)
def test_examples_of_the_source_books(which: Books) -> None:
    made: dict[tuple[str, int], tuple[str, ...]] = {}
    for (number, text), name in zip(source_books(which).items(), GAMES, strict=True):
        page = adopt(text, game_of(f"rules/{name}"))
        made |= {(number, one.passage.line): one.lines for one in page.proposals}
    assert made.keys() == BOOKS[which].keys()
    for place, lines in made.items():
        entries = dict(line.split(": ", 1) for line in lines if not line.startswith("#"))
        assert BOOKS[which][place].items() <= entries.items(), place
    assert {place for place, lines in made.items() if any(line.startswith("# ") for line in lines)} == OPEN[which]


# Books without a game

OLD = HERE / "pages" / "old"  # a book as somebody may have written it


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "the-salt-road"
    shutil.copytree(OLD, folder)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    return folder


def test_a_game_is_proposed(old: Path, said: Said, golden: Golden) -> None:
    golden("adopt/old.txt", said()[1])
    assert not (old / "game.toml").exists()


def test_the_proposed_game_is_without_problems(
    old: Path, said: Said, golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    said("--write")
    golden("adopt/game.toml", (old / "game.toml").read_text("utf-8"))
    game, problems = load_game(old / "game.toml")
    assert game
    assert not problems
    assert set(game.traits) == {"attributes", "skills", "talents"}
    assert game.traits["attributes"].groups == {"body": ("Strength", "Speed"), "mind": ("Wits", "Will")}
    assert game.rules["check"].inputs[1].names is game.tables["difficulties"]
    assert main(["check"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("path", sample(CASES, 3), ids=lambda path: path.stem)
def test_the_nearest_mechanic_is_found(path: Path) -> None:
    """The examples of each style are played with every mechanic; their own comes to most of them."""
    head, _, body = path.read_text("utf-8").partition("\n")
    kind, _, name = head.removeprefix("game: ").partition("/")
    examples = [clues for clues, _ in examine_page(read_page(Source("", without_blocks(body))))]
    if kind == "gallery" and len(examples) >= 8:
        found = rank_mechanics(examples[:8])
        assert found[0].name == name, [(one.name, one.fitting_examples) for one in found[:3]]


ODD = """\
## Wounds

| Lost | Name |
| --- | --- |
| 1-3 | a scratch |
| 5-7 | a wound |

## Skills

- **Riding**: horses
- **Rowing**: boats

## Odd "names" = [1]

| Name | Number |
| --- | --- |
| A "quoted" \\\\ name | 3 |
| ]] [rules.x] | 4 |

## Prices

| Good | Price | Note |
| --- | --- | --- |
| Bread | 2 cp | stale |
| Wine | 1,050 cp | |
| Air | – | free |
"""


def test_parts_that_no_game_can_have_are_left_out() -> None:
    found = draft_game('The "odd" \\ book', [read_page(Source("", ODD))], [])
    assert found
    assert found.game.title == 'The "odd" \\ book'
    assert set(found.traits) == {"skills"}
    assert {one.name: dict(one.rows) for one in found.tables} == {
        "odd names 1": {'A "quoted" \\ name': (3,), "]] [rules.x]": (4,)},
        "prices": {"Bread": (2,), "Wine": (1050,)},
    }


def test_a_book_without_anything() -> None:
    assert draft_game("Nothing", [read_page(Source("", "# A story\n\nOnce upon a time.\n"))], []) is None


# The page of the handbook

GUIDE = ROOT / "rules" / "handbook" / "adopt.md"
FILES = re.compile(r"^````markdown title=\"(.*?)\"\n(.*?)^````$", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^(````text.*?\n)(.*?)(^````)$", re.DOTALL | re.MULTILINE)


def test_golden_the_handbook_shows_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GUIDE.read_text("utf-8")
    folder = tmp_path / "salt-road"
    folder.mkdir()
    for name, content in FILES.findall(text):
        (folder / name).write_text(content, "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    shown = [said()[1]]
    said("--write")
    main(["check"])
    shown.append(capsys.readouterr().out)
    made = SHOWN.sub(lambda found: f"{found[1]}{shown.pop(0)}{found[3]}", text)
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        GUIDE.write_text(made, "utf-8")
    assert GUIDE.read_text("utf-8") == made, "`make golden` writes the page anew"


def test_the_handbook_knows_every_doubt() -> None:
    below = GUIDE.read_text("utf-8").partition("## What the doubts say")[2]
    told = [row.split("|")[1].strip() for row in below.splitlines() if row.startswith("|")][2:]
    doubts = [
        doubt
        for path in CASES
        for doubt in re.findall(rf"^{re.escape(DOUBT)}(.*)$", path.read_text("utf-8"), re.MULTILINE)
    ]
    kinds = [
        "the text says", "is taken as usual", "does not say what comes", "nowhere in this block",
        "may also be", "only so the dice fit", "read in another way", "is not known to the game",
    ]  # fmt: skip
    assert [kind for kind in kinds if not any(kind in row for row in told)] == []
    assert [doubt for doubt in doubts if not any(kind in doubt for kind in kinds)] == []


@pytest.mark.parametrize(
    ("text", "game", "lines"),
    [
        (  # nothing in the block is doubtful, it only checks less
            "> Iva has Good (+3) Lore. She rolls, getting a +2, for a Superb (+5) result.",
            "ladder.toml",
            ["# opposition is not said, so its result is not checked", "rule: action", "skill: Good"],
        ),
        (
            "> Iva rolls Lore and gets a Great (+4). The warden rolls Will and gets a Fair (+2).",
            "ladder.toml",
            ["rule: action", "opposition: 2", "given: result 4", "outcome: success", "degree: 2"],
        ),
        (
            "> Iva rolls and gets a +1, for a total of Great (+4). Bran rolls for the warden, tying at Great (+4).",
            "ladder.toml",
            ["rule: action", "opposition: 4", "given: rolled 1, result 4", "outcome: tie"],
        ),
        (
            "> Iva breaks even, getting a 0. That is Fair.",
            "ladder.toml",
            ["# skill and opposition are not said, so its result is not checked", "rule: action", "given: rolled 0"],
        ),
        (
            "> The witch makes a Learning roll and gets a 25, while Bran gets a 20 on his Might roll.",
            "attribute-dice.toml",
            ["rule: action", "target: 20", "given: total 25", "outcome: success"],
        ),
        ("> Take two dice and subtract one, to get a result of -5 to +5.", "ladder.toml", []),
        ("> Iva has Great (+4) Lore. Noise pushes the difficulty up to Superb (+5).", "ladder.toml", []),
        ("> Ann, Bo and Cy are ambushed. Ann rolls an 8, Bo rolls a 15, and Cy rolls a 4.", "mechanics/cypher", []),
        ("**Example:** Three attacks are three times harder (3 x 2 = 6).", "attribute-dice.toml", []),
    ],
)  # fmt: skip
def test_what_is_not_said_is_no_doubt(text: str, game: str, lines: list[str]) -> None:
    made = adopt(f"# Rolling\n\n{text}\n", game_of(game)).proposals
    assert [line for one in made for line in one.lines][: len(lines) or None] == lines


def test_written_blocks_leave_a_clean_book_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Said) -> None:
    """The page speaks of numbers that the rule has, too, but of others: only the blocks make it a page of the rule."""
    shutil.copy(HERE / "cases" / "adopt" / "attribute-dice.toml", tmp_path / "game.toml")
    (tmp_path / "page.md").write_text(
        "# Rolling\n\nYou cannot have disadvantage greater than 1 without attribute dice. Every attribute from 2 to 4\n"
        "is common. Choose 1 to 3 main attributes.\n\n> Iva has Might 5 and rolls 1d20 + 2d6. The d20 rolls a 13\n"
        "> and the d6s come up 2 and 3, for a total of 18, enough for the challenge rating of 15: a success.\n"
        ">\n> ---\n>\n> Bran has Might 5 and must roar at 4 targets. He rolls 1d20 + 2d6. The d20 rolls a 9 and the\n"
        "> d6s come up 1 and 2, for a total of 12, short of the challenge rating of 18: a failure.\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    assert main(["check"]) == 0
    said("--write")
    assert "```example" in (tmp_path / "page.md").read_text()
    assert main(["check"]) == 0


# Whatever people write

HOSTILE = {
    "a list without end": "Example: she rolls " + "1, " * 40_000 + "and wins.",
    "sums": "Example: she rolls " + "6+" * 50_000 + "1.",
    "rerolls": "Example: " + "rerolls the 3 " * 8_000,
    "blanks": "Example: a pool of" + " " * 100_000 + "5",
    "dice": "Example: " + "d6+" * 33_000 + "1",
    "signs": "Example: he rolls " + "+ - 0 " * 17_000,
    "names": "Example: " + "Ann rolls 3 while " * 6_000,
    "quotes": "> " * 90 + "Example: she rolls 5 and 6.",
    "no end of a sentence": "Example: " + "the wild die shows the wild die " * 3_500,
    "many examples": "Example: Ann rolls 5 and 6 for a total of 11. She succeeds.\n\n" * 400,
    "large numbers": "Example: she rolls 99999, 88888 with a bonus of 99999999999999999999.",
}


@pytest.mark.parametrize("name", sample(HOSTILE, 4))
def test_hostile_pages_of_100_kb_are_read(name: str) -> None:
    game = game_of("gallery/two-d6")
    with hang_guard():
        adopt(HOSTILE[name], game)


@pytest.mark.parametrize("name", sample([name for name, text in HOSTILE.items() if len(text) > 1000], 4))
def test_twice_the_page_is_twice_the_work(name: str) -> None:
    game = game_of("gallery/two-d6")
    assert call_growth_from_half(lambda text: adopt(text, game), HOSTILE[name]) < LINEAR


WORDS = st.sampled_from(
    [
        "Example:",
        "rolls",
        "gets",
        "1",
        "2",
        "3,",
        "4",
        "and",
        "6",
        "five",
        "dice",
        "with",
        "a",
        "difficulty",
        "of",
        "six",
        "two",
        "successes",
        "botch",
        "+",
        "-",
        "0",
        "d6+d4+1",
        "4D+2",
        "on",
        "the",
        "wild",
        "die",
        "total",
        "of",
        "7",
        ".",
        "She",
        "succeeds",
        "fails",
        "by",
        "bonus",
        "+3",
        "again",
        "rerolls",
        "the",
        "10",
        "target",
        "threshold",
        "needs",
        "a",
        "none",
        "[1,",
        "4]",
        "(2)",
        "beats",
        "Ann",
        "Bob",
        "wins",
        "tie",
        "pool",
        "k",
        "5k3",
        "advantage",
        "Hard",
        "Fair",
        "\n",
        "\n\n",
        ">",
        "-",
        "1.",
        "```",
        "<!--",
        "-->",
        "|",
        "#",
        "**",
    ]
)


@settings(max_examples=scale_examples(60))
@given(
    st.lists(WORDS, max_size=60),
    st.sampled_from(["rules/maelstrom", "rules/ingenuity", "rules/wild-die", "gallery/fate"]),
)
def test_any_words_can_be_read(words: list[str], name: str) -> None:
    """Whatever is proposed passes where it stands, and nothing of the page is lost."""
    game = game_of(name)
    text = "Example: " + " ".join(words)
    made = adopt(text, game)
    page = read_page(made.after)
    blocks = [block for block in page.blocks if any(one.lines[-1] in block.text.content for one in made.proposals)]
    assert all(check_block(block, BlockContext(page, game, {})).status == "passed" for block in blocks)
    lines = iter(re.split(r"\r\n|\n|\r", made.after.text))
    assert all(line in lines for line in re.split(r"\r\n|\n|\r", text))


@settings(max_examples=scale_examples(60))
@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    adopt("Example: she rolls " + text, game_of("rules/wild-die"))


PLAIN = "Example: Ann has a bonus of 1. She rolls 3 and 5, for a total of 9.\n"
SEVERAL = "".join(PLAIN.replace("Ann", name) + "\n" for name in ("Ann", "Bea", "Cid"))
STRANGE = "Example: {} rolls 7, 7, 1 and 9, and wins with a total of 90.\n"


@pytest.mark.parametrize(
    ("files", "options", "is_hidden"),
    [
        ({}, (), False),
        ({}, ("--hidden",), True),
        ({"mkdocs.yml": "docs_dir: .\n"}, (), False),
        ({".obsidian/app.json": "{}"}, (), True),
        ({"docusaurus.config.js": ""}, (), True),
        ({"book.toml": "[book]\nsrc = '.'\n"}, (), True),
    ],
)
def test_blocks_are_hidden_where_no_cards_are_shown(
    files: dict[str, str], options: tuple[str, ...], is_hidden: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    said: Said, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """They are checked either way."""
    for name, text in {**files, "index.md": f"# Rolling\n\n{SEVERAL}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    assert said("--write", *options)[0] == 0
    written = (tmp_path / "index.md").read_text("utf-8")
    assert written.count("<!-- example\n" if is_hidden else "```example\n") == 3
    assert ("```" in written, "-->" in written) == (not is_hidden, is_hidden)
    assert main(["check"]) == 0
    assert ", 3 blocks, " in capsys.readouterr().out


def test_a_mechanic_that_fits_too_few_examples_is_not_proposed() -> None:
    strange = "".join(f"{STRANGE.format(name)}\n" for name in "BCDE")
    texts = [plain + strange[: len(strange) * share // 4] for plain, share in ((SEVERAL, 3), (SEVERAL, 4), (PLAIN, 0))]
    pages = [read_page(Source("a.md", text)) for text in texts]
    half, less, few = (list(find_rolls(page)) for page in pages)
    assert (len(half), len(less), len(few)) == (6, 7, 1)
    assert draft_game("A", pages[1:2], less) is None
    assert draft_game("A", pages[2:], few) is None
    draft = draft_game("A", pages[:1], half)
    assert draft
    assert [*draft.game.rules]


def test_a_mechanic_that_is_named_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Said) -> None:
    (tmp_path / "page.md").write_text(f"# Lanterns\n\n{PLAIN}", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    assert said("--game", "two-d7")[0] == 2
    assert said("--game", "two-d6", "--write")[0] == 0
    game, problems = load_game(tmp_path / "game.toml")
    assert game
    assert not problems
    assert "bonus: 1" in (tmp_path / "page.md").read_text("utf-8")
    status, _, error = said("--game", "d20")
    assert (status, "this book has a game already" in error) == (2, True)


@pytest.mark.parametrize(
    ("sentence", "game", "report"),
    [
        ("Roll a d20 and add your bonus.\n\n" * 5, "a game", "5 sentences speak of one die plus a bonus (d20 + bonus)"),
        ("", "", "there is nothing to write; `rulewright init` asks which dice you roll"),
    ],
)
def test_without_a_mechanic_it_goes_by_the_dice_that_init_recognizes(
    sentence: str, game: str, report: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    strange = "".join(f"{STRANGE.format(name)}\n" for name in "ABC")
    (tmp_path / "page.md").write_text(f"# Lanterns\n\n{sentence}{strange}", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    assert report in said()[1]
    assert said("--write")[0] == 0
    assert (tmp_path / "game.toml").exists() == bool(game)
    if game:
        drafted, problems = load_game(tmp_path / "game.toml")
        assert drafted
        assert not problems
        assert [kind.name for kind in drafted.rules["check"].dice] == ["d20"]


def test_a_total_is_no_item() -> None:
    table = "| Item | Cost |\n|---|---|\n| Rope | 3 |\n| Lamp | 5 |\n| **Total** | 8 |\n"
    page = read_page(Source("a.md", f"# Gear\n\n{table}"))
    draft = draft_game("A", [page], [])
    assert draft
    assert [*draft.game.tables["gear"].rows] == ["Rope", "Lamp"]


LANTERNS = """\
title = "Lanterns"

[traits.skills]
names = ["Grit", "Wits"]
range = "0..5"

[rules.act]
traits = { into = "pool", most = 1 }

[rules.act.inputs]
pool    = { label = "Pool", min = 1, max = 5 }
lantern = { label = "Lantern", min = 0, max = 1, default = 0 }

[rules.act.dice]
d6 = { count = "pool + lantern", sides = 6 }

[rules.act.steps]
best = "highest(d6)"

[rules.act.outcomes]
success = { when = "best >= 5" }
failure = {}
"""


@pytest.mark.parametrize(
    ("told", "dice"),
    [("with Grit 3 rolls 2, 4 and 6", 3), ("has Grit 3 and lights a lantern. She rolls 2, 4, 6 and 1", 4)],
)
def test_a_pool_that_is_a_sum_is_filled(told: str, dice: int) -> None:
    game, problems = load_game_text(LANTERNS)
    assert game, problems
    (proposal,) = adopt(f"Example: Nell {told}: a success.\n", game).proposals
    entries = dict(line.split(": ", 1) for line in proposal.lines if not line.startswith(DOUBT))
    assert entries["pool"] == "3"
    assert int(entries["pool"]) + int(entries.get("lantern", "0")) == dice == len(entries["dice"].split())


def test_other_words_of_inputs_and_outcomes() -> None:
    """`also` lists what prose calls them."""
    text = LANTERNS.replace('"Lantern",', '"Lantern", also = ["torches"],')
    text = text.replace("success = {", 'success = { label = "clean hit",')
    text = text.replace("failure = {}", 'failure = { also = ["flop"] }')
    game, problems = load_game_text(text.replace("max = 1", "max = 3"))
    assert game, problems
    prose = "Example: Nell has Grit 3 and torches 2. She rolls 2, 4, 6, 1 and 3: a {}.\n"
    for word, doubtful in (("clean hit", False), ("flop", True), ("failure", True)):
        (proposal,) = adopt(prose.format(word), game).proposals
        assert "lantern: 2" in proposal.lines
        assert any(line.startswith(DOUBT) for line in proposal.lines) == doubtful, (word, proposal.lines)


def test_an_example_that_is_left_says_what_was_read_and_what_is_missing() -> None:
    game, _ = load_game_text(AT_A_COST)
    page = adopt("# A\n\nExample: Ann rolls 3 and 9, for a total of 12.\n\nExample: Bo rolls his dice well.\n", game)
    assert [(one.passage.line, one.read) for one in page.unmatched][:1] == [(3, "faces 3 9, total 12")]
    assert "9" in page.unmatched[0].why


GUISES = (
    "> [!example]\n> {}",
    "> [!EXAMPLE] Climbing\n> {}",
    "For example, {}",
    "As an example, {}",
    "*For instance:* {}",
    "### Example of advantage\n\n{}",
    "### A combat example\n\n{}",
    ":::info Example\n{}\n:::",
    "<details><summary>Example</summary>\n\n{}\n\n</details>",
    "*Example: {}*",
    "> > Example: {}",
)


@pytest.mark.parametrize("guise", GUISES)
def test_every_form_of_an_example_gets_a_block(guise: str) -> None:
    """The same sentence, which shows one face only; without a form it may be no example."""
    told = "The thief rolls a 4 against difficulty 3, and succeeds."
    game, problems = load_game_text(
        'title = "One die"\n[rules.check.inputs]\ndifficulty = { min = 1, max = 12 }\n[rules.check.dice]\n'
        "d6 = { sides = 6 }\n[rules.check.steps]\ntotal = 'sum(d6)'\n[rules.check.outcomes]\n"
        "success = { when = 'total >= difficulty' }\nfailure = {}\n"
    )
    assert game, problems
    [proposal] = adopt(f"# Rolls\n\n{guise.format(told)}\n", game).proposals
    assert proposal.lines == ("rule: check", "difficulty: 3", "dice: 4", "outcome: success")
    assert not adopt(f"# Rolls\n\n{told}\n", game).proposals
    assert not adopt(f"# Rolls\n\n{guise.format('A thief may roll against difficulty 3.')}\n", game).proposals


def test_a_heading_in_a_quote_introduces_an_example() -> None:
    game = game_of("gallery/d20")
    text = "> #### Example of a check\n>\n> {}\n"
    told = "Vera rolls a 16 on the d20 and adds 3, for a total of 19 against difficulty 15: a success."
    assert [proposal.doubts for proposal in adopt(text.format(told), game).proposals] == [()]


LADDER = """
title = "Ladder"
[tables.ladder]
columns = ["number", "sides"]
ranges = { "1..4" = [1, 8], "5..9" = [3, 10] }
[traits.talents]
names = ["Brawn", "Wit"]
range = "0..9"
[rules.test]
traits = { into = "talent", most = 1 }
[rules.test.inputs]
talent = { min = 1, max = 9 }
edge = { label = "Edge", min = 0, max = 3, default = 0 }
target = { label = "Target", min = 1, max = 60, default = 10 }
[rules.test.dice]
d20 = { sides = 20 }
ladder = { count = "lookup(ladder, talent, number) + edge", sides = "lookup(ladder, talent, sides)" }
[rules.test.steps]
kept = { is = "lookup(ladder, talent, number)", label = "" }
total = "sum(d20) + sum(highest kept of ladder)"
[rules.test.outcomes]
success = { when = "total >= target" }
failure = {}
"""


@pytest.mark.parametrize(
    "told",
    [
        (
            "Her Brawn score is 7, and she has edge 1. The d20 shows a 12 and the d10s show 2, 4, 6 and 9. She drops "
            "the lowest d10, for a final roll of 12 + 4 + 6 + 9 = 31 against target 30: a success."
        ),
        (
            "With Brawn 7 and edge 1 she rolls 12 on the d20; the d10s come up 2, 4, 6 and 9. Her final roll is 31 "
            "(12 + 4 + 6 + 9), against a target of 30: a success."
        ),
    ],
)
def test_a_trait_and_the_sum_of_what_counts_are_read(told: str) -> None:
    game, problems = load_game_text(LADDER)
    assert game, problems
    [proposal] = adopt(f"Example: {told}\n", game).proposals
    assert "talent: 7" in proposal.lines
    assert "dice: d20 12 | ladder 2 4 6 9" in proposal.lines
    assert "total: 31" in proposal.lines
    assert "outcome: success" in proposal.lines
    assert proposal.doubts == ()
