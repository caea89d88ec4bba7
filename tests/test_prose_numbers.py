"""Numbers in sentences against the figures of a game: what is noticed, what is not judged, what a change leads to."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from call_counts import LINEAR, call_growth_from_half
from rulewright.book.parser import read_page
from rulewright.checks.model import BlockContext
from rulewright.checks.number_links import check_number_links
from rulewright.checks.prose_numbers import check_stated_numbers, read_stated_numbers
from rulewright.cli import main
from rulewright.game.figures import find_figures
from rulewright.game.model import Game
from rulewright.play.validate import load_game, load_game_text
from rulewright.prose.numbers import find_numbers
from rulewright.source import Source

ROOT = Path(__file__).parent.parent
BOOKS = sorted(
    file.parent
    for folder in ("rules", "plugin/rulewright/gallery", "tests/mechanics")
    for file in (ROOT / folder).rglob("game.toml")
)

GAME = """
title = "Coast"

[traits.attributes]
names = ["Brawn", "Nerve", "Wit"]

[tables.difficulty]
Easy = 6
Hard = 12

[rules.test]
label = "Test"

[rules.test.inputs]
bonus = { label = "Bonus", min = 0, max = 5, default = 0 }
difficulty = { label = "Difficulty", min = 2, max = 20, default = 9, names = "difficulty" }
tired = { label = "Tired", flag = true, default = false }

[rules.test.dice]
pair = { label = "test dice", count = 2, sides = 6, again = { when = "face = 6", roll = "explode" } }
fate = { label = "fate die", count = 1, sides = 20 }

[rules.test.steps]
lucky = "sum(fate) >= 19"
total = "sum(pair) + bonus + if(lucky, 4, 0) - if(tired, 2, 0)"

[rules.test.outcomes]
success = { when = "total >= difficulty" }
failure = {}

[rules.time]
label = "Time"
inputs.rounds = { label = "Rounds", min = 0, max = 999 }
steps.seconds = "6 * rounds"

[rules.turn]
label = "Your turn"
inputs.hurt = { label = "Hurt", flag = true, default = false }
steps.actions = "if(hurt, 1, 3)"

[rules.jump]
label = "Jump"
inputs.roll = { label = "Roll", min = 2, max = 12 }
outcomes.clean = { when = "roll >= 10" }
outcomes.rough = { when = "roll >= 7" }
outcomes.fall = {}
"""


def game() -> Game:
    found, problems = load_game_text(GAME)
    assert found, problems
    return found


def notices(text: str, rule: str = "test", known: Game | None = None) -> list[str]:
    """The numbers of a text that are wrong, with what the game says."""
    page = read_page(Source("page.md", f"{text}\n\n```rule\nrule: {rule}\n```\n"))
    problems = check_stated_numbers(read_stated_numbers(page, known or game()))
    return [re.sub(r"the text says (.*), the game says (.*)", r"\1 not \2", problem.message) for problem in problems]


@pytest.mark.parametrize(
    ("text", "rule", "wrong"),
    [
        ("The difficulty is 9 unless the GM says otherwise.", "test", "8 not 9"),
        ("The difficulty lies between 2 and 20.", "test", "3 not 2"),
        ("Every test has a difficulty. It is 9, unless somebody names another.", "test", "7 not 9"),
        ("If the fate die shows 19, add 4 to your total.", "test", "5 not 4"),
        ("A round takes six seconds.", "time", "seven not 6"),
        ("Time is counted in rounds of six seconds.", "time", "5 not 6"),
        ("In your turn you may take three actions.", "turn", "four not 3"),
        ("From 10 on you land well; from 7 on you stumble.", "jump", "11 not 10"),
        ("From 10 on you land well; from 7 on you stumble.", "jump", "6 not 7"),
        ("There are three attributes.", "test", "four not 3"),
        ("Roll two test dice.", "test", "three not 2"),
        ("A 6 on the test dice explodes.", "test", "5 not 6"),
        ("Difficulty\n: Between 2 and 20.", "test", "3 not 2"),
        ("At the usual difficulty of 9 most tests succeed.", "test", "8 not 9"),
    ],
)
def test_a_wrong_number_is_noticed(text: str, rule: str, wrong: str) -> None:
    stated, _, right = wrong.partition(" not ")
    words = {"3": "three", "6": "six", "2": "two"}
    old = right if right in text else words[right]
    assert not notices(text, rule)
    assert wrong in notices(text.replace(old, stated, 1), rule)


@pytest.mark.parametrize(
    "text",
    [
        "At difficulty 7 things look different.",
        "For example, rounds of seven seconds suit some groups.",
        "Three goblins wait for 40 years behind 12 doors.",
        "The difficulty is mostly 7.",
        "Two rounds, twelve seconds, are enough.",
        "See page 8, chapter 3.",
        "Rolls succeed in 62 % of 100 cases.",
        "Example: The difficulty is 12 for Ben.",
        "What if the difficulty is 4?",
        "A 3 on the fate die is nothing special.",
        "Six dice, the best of them, are rolled by two of the three.",
    ],
)
def test_stories_and_single_cases_are_let_be(text: str) -> None:
    assert not notices(text)


SIZES = """
title = "Dice"

[rules.test]
label = "Test"
inputs.pool = { label = "Dots", min = 1, max = 20 }
dice.d10 = { count = "pool", sides = 10 }
steps.hits = "count(d10: face >= 6)"
outcomes.success = { when = "hits > 0" }
outcomes.failure = {}

[rules.kampf]
label = "Kampf"
dice.klingen = { label = "Klingenwürfel", count = 2, sides = 6 }
outcomes.sieg = { when = "sum(klingen) > 7" }
outcomes.niederlage = {}

[rules.check]
label = "Check"
inputs.skill = { label = "Skill", min = 1, max = 20 }
dice.regular = { count = "skill", sides = 8 }
dice.wild = { label = "wild die", sides = 6 }
outcomes.success = { when = "sum(regular) + sum(wild) > 7" }
outcomes.failure = {}
"""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It costs **1 strain** for each friend whose best die was 1-3.", []),  # no number of sixes
        ("If you rolled a **4**, you'd take 2 strain.", []),  # the six needs a second one
        ("You cannot have more than 2 hindrance.", []),  # "if there is any" is no limit
        ("Choose 1 to 3 main talents and as many others as you need.", []),
        ("Every difficulty from 3 to 8 has a name.", []),  # some of them
        ("The difficulty lies between 3 and 10.", ["3"]),
        ("You gain 1d4 dread.", []),
        ("Roll 1d4 dread dice.", ["4"]),
    ],
)
def test_conditions_in_a_formula_are_no_limits(text: str, wrong: list[str]) -> None:
    found, problems = load_game_text(
        """
title = "Strain"
[rules.brace]
inputs.skill = { label = "Rating", min = 1, max = 8 }
inputs.hindrance = { label = "Hindrance", min = 0, max = 9, default = 0 }
inputs.difficulty = { label = "Difficulty", min = 2, max = 10, default = 4 }
dice.d6 = { count = "skill", sides = 6 }
dice.talent = { label = "main talent", count = "skill", sides = 6 }
dice.dread = { sides = 12 }
steps.kept = "highest skill of talent by if(hindrance > 0, -value, value)"
steps.strain = "6 - sum(kept) - if(skill > 0 and count(d6: face = 6) >= 2, 1, 0) + sum(dread)"
outcomes.success = { when = "strain >= difficulty" }
outcomes.failure = {}
"""
    )
    assert found, problems
    assert [message.split()[0] for message in notices(text, "brace", found)] == wrong


@pytest.mark.parametrize(
    ("text", "rule", "wrong"),
    [
        ("For a test roll a d10 for each dot.", "test", "d10 > d8: 8 not 10"),
        ("Roll a d10 for each dot.", "test", "d10 > d12: 12 not 10"),
        ("Take one ten-sided die for each dot in them.", "test", "ten > 8: 8 not 10"),
        ("Take ten-sided dice for a test.", "test", "ten > twelve: twelve not 10"),
        ("Roll two six-sided dice in a Kampf.", "kampf", "two > three: three not 2"),
        ("Im Kampf würfelst du zwei sechsseitige Würfel.", "kampf", "zwei > drei: drei not 2"),
        ("Im Kampf würfelst du zwei sechsseitige Würfel.", "kampf", "sechs > acht: acht not 6"),
        ("Im Kampf würfelst du zwei 6-seitige Würfel.", "kampf", "6 > 8: 8 not 6"),
        ("The wild die is a d6.", "check", "6 > 8: 8 not 6"),
        ("The wild die is six-sided.", "check", "six > eight: eight not 6"),
    ],
)
def test_a_wrong_die_is_noticed(text: str, rule: str, wrong: str) -> None:
    found, problems = load_game_text(SIZES)
    assert found, problems
    change, _, difference = wrong.partition(": ")
    old, _, new = change.partition(" > ")
    assert not notices(text, rule, found)
    assert difference in notices(text.replace(old, new), rule, found)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("In a Kampf the sword deals 1d8 damage.", "kampf"),
        ("On a successful Kampf, roll a d8.", "kampf"),
        ("Whenever a target makes a test, it can roll a d4 and add it.", "test"),
        ("Test: Melee Strength d8+2 harm", "test"),
        ("For a Kampf roll 1d8 on the table.", "kampf"),
        ("Throw a d8 for each point of Skill and a d6 as the wild die.", "check"),
        ("With d8, d8 and +2 a test is easy.", "test"),
        ("A dagger does d4.", "test"),
        ("Roll a d20 for the weather.", "test"),
        ("Example: Ben rolls a d8 in this Kampf.", "kampf"),
        ("Im Kampf richtet das Schwert 1W8 Schaden an.", "kampf"),
    ],
)
def test_other_dice_are_let_be(text: str, rule: str) -> None:
    found, problems = load_game_text(SIZES)
    assert found, problems
    assert not notices(text, rule, found)


LIMITS = """
title = "Limits"

[traits.attributes]
names = ["Brawn", "Nerve", "Wit"]
range = "1..5"

[rules.test]
label = "Test"
inputs.bonus = { label = "Bonus", min = 0, max = 5, default = 0 }
inputs.pool = { label = "Dice", min = 1, max = 10 }
inputs.difficulty = { label = "Difficulty", min = 2, max = 20, default = 9 }
dice.d6 = { count = "pool", sides = 6 }
outcomes.success = { when = "sum(d6) + bonus >= difficulty" }
outcomes.failure = {}

[rules.other]
label = "Other"
inputs.bonus = { label = "Bonus", min = 0, max = 7, default = 0 }
outcomes.success = { when = "bonus >= 5" }
outcomes.failure = {}
"""


@pytest.mark.parametrize(
    ("text", "wrong", "is_own"),
    [
        ("Attributes go from 1 to 5.", "5 > 6", True),
        ("The difficulty lies between 2 and 20.", "20 > 25", True),
        ("Die Difficulty liegt zwischen 2 und 20.", "2 > 3", True),
        ("The difficulty is at most 20.", "20 > 25", True),
        ("The bonus is at most 5.", "5 > 6", False),  # two rules have one
        ("Three goblins come from 2 to 20 miles away.", "", False),
    ],
)
def test_limits_are_bound_without_a_block(text: str, wrong: str, is_own: bool) -> None:
    found, problems = load_game_text(LIMITS)
    assert found, problems
    old, _, new = wrong.partition(" > ")
    link, block = "\n\n[the test](roll:test)\n", "\n\n```rule\nrule: test\n```\n"
    for tail in ("", link, block):
        is_known = bool(wrong) and (is_own or tail == block)
        numbers, others = (
            read_stated_numbers(page, found, check_number_links(page, BlockContext(page, found, {}))[0])
            for page in (read_page(Source("page.md", stated + tail)) for stated in (text, text.replace(old, new, 1)))
        )
        assert all(number.is_bound for number in numbers) == is_known
        assert not any(number.is_wrong for number in numbers)
        assert any(number.is_wrong for number in others) == (is_known and tail != "")


def test_a_story_is_no_rule() -> None:
    assert "four not 3" in notices("In a turn players take four actions.", "turn")
    assert not notices("Ana had four actions, and he took five.", "turn")


@pytest.mark.parametrize(
    ("text", "values"),
    [("1,200,000 coins", [1_200_000]), ("1,000+ coins", [1000]), ("12345d6", [6]), ("2d6 and 0.25", [2, 6, 0])],
)
def test_numbers_are_read_whole(text: str, values: list[int]) -> None:
    assert [number.value for number in find_numbers(text)] == values


@pytest.mark.parametrize("folder", BOOKS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_no_book_of_ours_has_a_wrong_number(folder: Path) -> None:
    found, _ = load_game(folder / "game.toml")
    if not found:
        pytest.skip("this game is declined")
    for file in sorted(folder.glob("*.md")):
        page = read_page(Source(file.as_posix(), file.read_text("utf-8")))
        assert not [number.frame for number in read_stated_numbers(page, found) if number.is_wrong]


@pytest.mark.parametrize("text", ["1 " * 50_000, "up to " * 16_000 + "5", "at most 5, " * 9_000, "no more " * 12_000])
def test_hostile_prose_is_read_in_linear_time(text: str) -> None:
    own = game()

    def read(part: str) -> None:
        read_stated_numbers(read_page(Source("page.md", part)), own)

    assert call_growth_from_half(read, text) < LINEAR


@pytest.mark.parametrize("folder", BOOKS, ids=str)
def test_figures_are_where_their_numbers_are(folder: Path) -> None:
    found, _ = load_game(folder / "game.toml")
    for figure in find_figures(found) if found else ():
        written = figure.span.text.strip("+- ")
        assert not written.isdecimal() or int(written) == abs(figure.value), figure


def test_changes_for_untrained_traits_are_figures() -> None:
    text = GAME.replace("[tables.difficulty]", 'untrained = { bonus = "bonus - 3" }\n\n[tables.difficulty]')
    text = text.replace('label = "Test"', 'label = "Test"\ntraits = { into = "bonus" }')
    found, problems = load_game_text(text)
    assert found, problems
    assert "untrained attributes: bonus becomes bonus - 3" in [figure.statement for figure in find_figures(found)]


PAGE = """# Tests

The difficulty is 9 unless the GM says otherwise. Roll a d20 on page 12, or 5 torches.

Ana has a bonus of 3. She smiles 4 times.

```rule
rule: test
```
"""


def test_states_of_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.toml").write_text(GAME, "utf-8")
    (tmp_path / "page.md").write_text(PAGE, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["coverage", "--format", "json", "--badge", "badge.svg"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"] == {"numbers": 6, "bound": 1, "checked": 0, "free": 2, "wrong": 0, "unbound": 3}
    assert [(entry["text"], entry["state"]) for entry in found["coverage"]] == [
        ("9", "bound"), ("20", "unbound"), ("12", "free"), ("5", "unbound"), ("3", "unbound"), ("4", "free"),
    ]  # fmt: skip
    assert found["coverage"][0]["to"].startswith("game.toml:16: difficulty")
    assert "25 % covered" in Path("badge.svg").read_text("utf-8")
    assert main(["coverage", "--all", "--fail-under", "50"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["numbers", "bound", "checked", "free", "wrong", "unbound", "covered"]
    assert [line.split()[0] for line in lines[2:5]] == ["page.md:3:59:", "page.md:3:77:", "page.md:5:20:"]
    assert main(["check", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["unbound"] == 3
    assert main(["check"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "3 of 6 numbers in the text are not tied to a rule; `rulewright coverage --all` lists them"
    assert report["coverage"] == [{**entry, "repository_path": entry["path"]} for entry in found["coverage"]]


def test_a_book_without_numbers_cannot_be_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("Nothing to count.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["coverage"]) == 2


def test_one_changed_figure_is_one_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "demo"]) == 0
    monkeypatch.chdir(tmp_path / "demo")
    capsys.readouterr()
    assert main(["check"]) == 0
    assert "no problems" in capsys.readouterr().out
    game = Path("rules/game.toml")
    game.write_text(game.read_text("utf-8").replace(">= 10", ">= 11"), "utf-8")
    assert main(["check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "rules/game.toml:16: success needs total >= 11; 7 places on 1 page disagree"
    assert lines[1] == "rules/rolling.md:3:40: error[prose-number] the text says 10, the game says 11"
    places = [line.strip().partition(": ")[0] for line in lines if line.startswith("   rules/rolling.md")]
    assert [place.split(":")[1] for place in places] == ["22", "31", "32", "37", "41", "43"]


BESIDE = """\
title = "Pool"

[tables.task]
Simple = 2
Risky = 4
Bold = 7
Mad = 9

[rules.pool]
label = "Pool"
inputs.pool = { label = "Dice", min = 1, max = 20 }
inputs.difficulty = { label = "Difficulty", min = 2, max = 10, default = 6 }
dice.d10 = { count = "pool", sides = 10, tests = { good = "face >= difficulty" } }
steps.hits = "count(d10: good)"
outcomes.success = { when = "hits > 0" }
outcomes.failure = {}

[rules.time]
label = "Time"
inputs.rounds = { label = "Rounds", min = 0, max = 999 }
steps.seconds = "6 * rounds"
steps.length = "seconds + 0"

[sheets.start]
require."enough" = "number(attributes, dots >= 1) >= 1"

[traits.attributes]
names = ["Brawn", "Nerve", "Wit", "Luck"]
range = "0..5"
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("Two dice at difficulty 6 succeed in [75 %](chance:success?pool=2).", "6", "7"),
        ("Two dice at difficulty 6 succeed in [75 %](chance:success?pool=2).", "Two", "Three"),
        ("[two dice at difficulty 8](roll:pool?pool=2&difficulty=8) are few.", "8]", "9]"),
        ("| difficulty | two dice |\n| --- | --- |\n| 6 | [75 %](chance:success?pool=2) |", "6 |", "7 |"),
        ("| difficulty | two dice |\n| --- | --- |\n| 6 | [75 %](chance:success?pool=2) |", "two", "three"),
        ("At difficulty 6:\n\n```claim\nchance(success; pool 2) = 75%\n```", "6", "7"),
        ("| task | number |\n| --- | --- |\n| Simple | 2 |\n| Risky | 4 |\n| Bold | 7 |\n| Mad | 9 |", "| 4", "| 5"),
        (
            "| rounds | seconds |\n| --- | --- |\n| 1 | 6 |\n| 2 | 12 |\n| 3 | 18 |\n\n```rule\nrule: time\n```",
            "12",
            "13",
        ),
        ("| who | dots |\n| --- | --- |\n| Ann | 3 |\n| Ben | 4 |\n| together | 7 |", "4", "5"),
        (
            (
                "Brawn 2, Nerve 3, Wit 1 and Luck 1.\n\n"
                "```sheet\nsheet: start\nverdict: legal\nBrawn: 2\nNerve: 3\nWit: 1\nLuck: 1\n```"
            ),
            "Nerve 3",
            "Nerve 4",
        ),
    ],
)
def test_numbers_are_compared_with_what_is_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, old: str, new: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text(BESIDE, "utf-8")
    Path("page.md").write_text(f"# Pool\n\n{text}\n", "utf-8")
    assert main(["check"]) == 0
    assert text.replace(old, new, 1) != text
    Path("page.md").write_text(f"# Pool\n\n{text.replace(old, new, 1)}\n", "utf-8")
    capsys.readouterr()
    assert main(["check"]) == 1
    assert len(re.findall(r"error\[(?:prose-number|sum-total)\]", capsys.readouterr().out)) == 1
    assert main(["coverage"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[6] == ("0" if "together" in text else "1")


@pytest.mark.parametrize(
    "text",
    [
        "Two dice fewer than four succeed in [75 %](chance:success?pool=2).",
        "Would three dice at difficulty 9 be better than [75 %](chance:success?pool=2)?",
        "At difficulty 6 two dice succeed in [75 %](chance:success?pool=2), but at difficulty 9 they hardly do.",
        "Two dice reach 6 in [75 %](chance:success?pool=2).",
    ],
)
def test_other_settings_than_those_beside_are_let_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text(BESIDE, "utf-8")
    Path("page.md").write_text(f"# Pool\n\n{text}\n", "utf-8")
    assert main(["check"]) == 0, capsys.readouterr().out


GERMAN = """\
title = "Küste"

[rules.probe]
label = "Probe"
inputs.bonus = { label = "Bonus", min = 0, max = 5, default = 0 }
inputs.schwierigkeit = { label = "Schwierigkeit", min = 2, max = 20, default = 9 }
dice.paar = { label = "Würfel", count = 2, sides = 6, again = { when = "face = 6", roll = "explode" } }
steps.summe = { is = "sum(paar) + bonus", label = "Summe" }
outcomes.gelungen = { when = "summe >= schwierigkeit" }
outcomes.misslungen = {}

[rules.zeit]
label = "Zeit"
inputs.runden = { label = "Runden", also = ["Runde"], min = 0, max = 99 }
steps.sekunden = { is = "6 * runden", label = "Sekunden" }
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("Die Schwierigkeit ist 9, wenn niemand etwas anderes sagt.", "9", "8"),
        ("Die Schwierigkeit liegt zwischen 2 und 20.", "20", "25"),
        ("Eine Runde dauert sechs Sekunden.", "sechs", "sieben"),
        ("Würfle mit zwei Würfeln.", "zwei", "drei"),
        ("Die übliche Schwierigkeit von 9 ist nicht leicht.", "9", "8"),
        ("Zwei Würfel gegen Schwierigkeit 9 schaffen es oft: [27,8 %](chance:gelungen?rule=probe).", "9", "8"),
    ],
)
def test_german_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, old: str, new: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text(GERMAN, "utf-8")
    for shown, wrong in ((text, 0), (text.replace(old, new, 1), 1)):
        blocks = "".join(f"\n```rule\nrule: {rule}\n```\n" for rule in ("probe", "zeit"))
        Path("page.md").write_text(f"# Probe\n\n{shown}\n{blocks}", "utf-8")
        main(["check"])
        assert capsys.readouterr().out.count("error[prose-number]") == wrong


HITS = """
title = "Hits"
[rules.action.inputs]
skill = { label = "Skill", min = 1, max = 6 }
difficulty = { label = "Difficulty", min = 1, max = 4, default = 1 }
[rules.action.dice.pool]
count = "skill"
sides = 8
tests = { good = "face >= 6", bad = "face = 1" }
[rules.action.steps]
hits = "count(pool: good)"
ones = "count(pool: bad)"
raises = "if(ones > hits, 0, max(hits - difficulty, 0))"
[rules.action.outcomes]
mishap = { when = "ones > hits" }
success = { when = "hits >= difficulty", degree = "raises" }
failure = {}
"""


@pytest.mark.parametrize(
    ("sentence", "messages"),
    [
        ("The game master sets a difficulty of 1 to 4: so many hits are needed.", []),
        ("The game master sets a difficulty of 1 to 5: so many hits are needed.", ["the text says 5, the game says 4"]),
        ("The game master sets a difficulty of 1 to 2: so many hits are needed.", ["the text says 2, the game says 4"]),
        ("Skill ranges from 2 to 6.", ["the text says 2, the game says 1"]),
        ("The highest difficulty is 4.", []),  # not what the difficulty is by default
    ],
)
def test_a_limit_is_that_of_the_input_and_no_floor_of_a_step(sentence: str, messages: list[str]) -> None:
    game, problems = load_game_text(HITS)
    assert game, problems
    page = read_page(Source("page.md", f"# Rolling\n\n{sentence}\n\n```roller\nskill: 3\n```\n"))
    assert [problem.message for problem in check_stated_numbers(read_stated_numbers(page, game))] == messages


def test_a_page_that_does_not_use_the_rule_is_not_accused() -> None:
    """A word of the game may mean something else there; a page with a block of the rule is about it."""
    game, problems = load_game_text(HITS)
    assert game, problems
    text = "# Growing up\n\nSkill ranges from 2 to 6. Choose 1 to 3 skills of your own.\n"
    messages = []
    for block in ("", "\n```roller\nskill: 3\n```\n"):
        page = read_page(Source("page.md", text + block))
        messages.append([problem.message for problem in check_stated_numbers(read_stated_numbers(page, game))])
    assert messages == [[], ["the text says 2, the game says 1"]]


@pytest.mark.parametrize("heading", ["## Example action", "## A skill example", "> #### Example of skill\n>\n> "])
def test_numbers_of_an_example_are_no_rule(heading: str) -> None:
    game, problems = load_game_text(HITS)
    assert game, problems
    end = "" if heading.startswith(">") else "\n\n"
    text = f"# Rolling\n\n```roller\nskill: 3\n```\n\n{heading}{end}Skill ranges from 2 to 6.\n"
    assert not check_stated_numbers(read_stated_numbers(read_page(Source("page.md", text)), game))


def test_a_range_is_no_list_of_outcomes_that_begin_at_zero() -> None:
    net = GAME.replace("roll >= 10", "roll > 0").replace("roll >= 7", "roll < 0")
    found, problems = load_game_text(net)
    assert found, problems
    page = read_page(Source("page.md", "# Jump\n\nHow well you jump. Between 1 and 10.\n\n```rule\nrule: jump\n```\n"))
    assert not [number for number in read_stated_numbers(page, found) if number.is_wrong]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("roll 1d20 and add 5", []), ("d20 against 15", []), ("climb the 10-foot wall", []), ("see rule 3", []),
        ("5", []), ("+5", []), ("+6", ["6"]), ("d20 and 4", ["4"]),
    ],
)  # fmt: skip
def test_only_bare_settings_of_a_link_are_compared(
    text: str, wrong: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = (
        "title = 'G'\n[rules.check.inputs]\nbonus = { label = 'Bonus', min = 0, max = 9 }\n"
        "[rules.check.dice]\nd20 = { sides = 20 }\n[rules.check.outcomes]\n"
        "success = { when = 'sum(d20) + bonus >= 15' }\nfailure = {}\n"
    )
    (tmp_path / "game.toml").write_text(game)
    (tmp_path / "page.md").write_text(f"# A\n\nNow [{text}](roll:check?bonus=5).\n")
    monkeypatch.chdir(tmp_path)
    main(["check", "--format", "json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [re.findall("the text says ([^,]*),", problem["message"])[0] for problem in problems] == wrong
