"""An outcome that no roll can have is a warning at its condition; what is possible, or unknown, never is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.impossible_outcomes import find_impossible_outcomes
from rulewright.odds.cost_warnings import find_seen_outcomes
from rulewright.play.validate import load_game_text

Ran = Callable[..., tuple[int, str, str]]
NEVER = "this never holds, whatever is rolled, so the outcome can never come about; change it or remove the outcome"
SHADOWED = (
    "whenever this holds, an outcome above it holds too and is taken, so this one can never come about; move it up"
)
INPUTS = "bonus = { min = -1, max = 4, default = 0 }\ntarget = { min = 1, max = 30, default = 8 }"


def write_game(dice: str, total: str, *conditions: str, inputs: str = INPUTS) -> str:
    outcomes = [f'o{number} = {{ when = "{condition}" }}' for number, condition in enumerate(conditions)]
    parts = ["[rules.check.inputs]", inputs, "[rules.check.dice]", dice, "[rules.check.steps]", f'total = "{total}"']
    return "\n".join(['title = "T"', *parts, "[rules.check.outcomes]", *outcomes, "rest = {}", ""])


def warnings(text: str) -> list[tuple[str, str]]:
    game, problems = load_game_text(text)
    assert game, problems
    found = list(find_impossible_outcomes(game))
    assert {(problem.code, problem.severity) for problem in found} <= {("outcome", "warning")}
    return [(problem.span.text.strip('"'), problem.message.partition('": ')[2]) for problem in found]


PLAIN, D6 = ("d6 = { count = 2, sides = 6 }", "sum(d6) + bonus"), "d6 = { sides = 6"
EXPLODING = 'd6 = { sides = 6, again = { when = "face = 6", roll = "explode" } }'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (write_game(*PLAIN, "total > 100"), [("total > 100", NEVER)]),
        (write_game(*PLAIN, "total > 16", "total >= target"), [("total > 16", NEVER)]),
        (write_game(*PLAIN, "total >= target", "total = 0"), [("total = 0", NEVER)]),
        (write_game(*PLAIN, "total >= target", "sum(d6) > 12"), [("sum(d6) > 12", NEVER)]),
        (write_game(*PLAIN, "total >= 10", "total >= 12"), [("total >= 12", SHADOWED)]),
        (write_game(*PLAIN, "total >= 12", "total >= 10"), []),
        (write_game(*PLAIN, "total = 16", "total = 1"), []),  # one roll in 36, with one bonus of six
        (write_game(f"{D6}, count = \"pool\" }}", "count(d6: face = 6)", "total > 5", inputs="pool = {min=1,max=5}"),
         [("total > 5", NEVER)]),
        (write_game(f"{D6}, count = \"pool\" }}", "count(d6: face = 6)", "total > 4", inputs="pool = {min=1,max=5}"),
         []),
        (write_game(EXPLODING, "sum(d6)", "total > 100"), []),
        (write_game(EXPLODING, "sum(d6)", "total = 6"), [("total = 6", NEVER)]),
        (write_game("d6 = { count = 2, sides = 6 }", "sum(highest 1 of d6)", "total > 6"),
         [("total > 6", NEVER)]),
        (write_game("d = { sides = \"die\" }", "sum(d)", "total > 10", inputs="die = { die = [4, 6, 12] }"), []),
        (write_game("d = { sides = \"die\" }", "sum(d)", "total > 12", inputs="die = { die = [4, 6, 12] }"),
         [("total > 12", NEVER)]),
        (write_game("d6 = { sides = 6 }", "sum(d6) + if(luck, 1, 0)", "total = 7", inputs="luck = { flag = true }"),
         []),
        (write_game("d6 = { sides = 6 }\nlate = { count = \"sum(d6)\", sides = 4 }", "sum(late)", "total > 24"),
         [("total > 24", NEVER)]),
        (write_game("d6 = { sides = 6 }\nlate = { count = \"sum(d6)\", sides = 4 }", "sum(late)", "total > 23"), []),
        (write_game("d6 = { sides = 6 }\nlate = { count = \"sum(d6) > 3\", sides = 4 }", "sum(late)",
                    "total > 0", "total > 3"), [("total > 3", SHADOWED)]),
        (write_game("d6 = { sides = 6 }\nlate = { count = \"sum(d6) - 1\", sides = 4 }", "sum(late)",
                    "total >= target", "total > 16"), []),
        (write_game("d6 = { sides = 6 }\nlate = { count = \"sum(d6) - 2\", sides = 4 }", "sum(late)",  # not for a 1
                    "total > 99"), []),
        (write_game("d6 = { count = 3, sides = 6 }", "sum(highest 2 of d6)", "total > 12"), [("total > 12", NEVER)]),
        (write_game("d6 = { sides = 6 }", "sum(d6) + a + b", "total > 2000",  # too many values for a proof
                    inputs="a = { min = 0, max = 999 }\nb = { min = 0, max = 99 }"), []),
        (write_game("d6 = { count = 9, sides = 6 }",  # too many states for a proof
                    " + ".join(f"count(d6: face = {face})" for face in range(1, 7)), "total > 10"), []),
    ],
)  # fmt: skip
def test_outcomes(text: str, expected: list[tuple[str, str]]) -> None:
    assert warnings(text) == expected


def test_it_is_reported_with_its_place(tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file and in a page; blocks of the page work all the same."""
    monkeypatch.chdir(tmp_path)
    text = write_game(*PLAIN, "total > 100", "total > 8")
    example = "```example\ndice: 6 5\noutcome: o1\n```\n"
    Path("game.toml").write_text(text, "utf-8")
    Path("a.md").write_text(f"# A\n\n{example}", "utf-8")
    status, out, _ = ran("check")
    assert (status, out.count("warning[outcome]")) == (0, 1)
    assert f'game.toml:10:15: warning[outcome] "o0": {NEVER}\n' in out
    assert ran("check", "--strict")[0] == 1
    Path("game.toml").unlink()
    Path("a.md").write_text(f"# A\n\n```game\n{text}```\n\n{example}", "utf-8")
    status, out, _ = ran("check")
    assert (status, out.count("[outcome]")) == (0, 1)
    assert f'a.md:13:15: warning[outcome] "o0": {NEVER}\n' in out


def test_outcomes_seen_before_are_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = load_game_text(write_game(*PLAIN, "total >= target"))
    assert game
    assert find_seen_outcomes(game.rules["check"]) == {"o0", "rest"}
    monkeypatch.setattr("rulewright.checks.impossible_outcomes.compute_odds", None)
    assert not list(find_impossible_outcomes(game, find_seen_outcomes))
