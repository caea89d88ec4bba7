"""What nothing uses is a warning at its place; what formulas, contests, other rules, pages or readers use never is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.game.unused import find_unused
from rulewright.play.validate import load_game_text

Ran = Callable[..., tuple[int, str, str]]
D6 = 'dice.d6 = { count = "pool", sides = 6, tests = { hit = "face > 4" } }'
GAME = f"""
inputs.pool = {{ min = 1, max = 6 }}
{D6}
steps.hits = "count(d6: hit)"
"""


def warnings(text: str, *words: str) -> list[str]:
    game, problems = load_game_text(text)
    assert game, problems
    found = list(find_unused(game, words.__contains__))
    assert {(problem.code, problem.severity) for problem in found} <= {("unused", "warning"), ("unused", "info")}
    return [problem.message.partition(";")[0] for problem in found]


def in_rule(*lines: str) -> str:
    return "\n".join(['title = "T"', "[rules.check]", GAME, *lines, ""])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("inputs.tn = { min = 1, max = 6 }", "no formula of check uses the input tn"),
        ('inputs.tn = { code = ["d", "p"], min = 1, max = 6 }', "no formula of check uses the input tn"),
        ('inputs.tn = { flag = true, asked = "hits > 2", default = false }', "no formula of check uses the input tn"),
        ("dice.skill = { sides = 12 }", "no formula of check looks at the skill dice"),
        ("dice.skill = { faces = { '-' = -1, '+' = 1 } }", "no formula of check looks at the skill dice"),
        ('dice.k = { sides = 6, tests = { s = "face = 1" } }\nsteps.k = "sum(k)"', "no formula asks for the test s"),
        ('steps.secret = { is = "hits * 2", label = "" }', "nothing uses the step secret, and readers do not see it"),
        ('spends.grit.changes = { tn = "2" }\ninputs.tn = { min = 1, max = 6 }',
         "no formula of check uses the input tn"),
        ('[traits.skill]\nnames = ["Rowing"]', "no rule takes the traits of skill"),
    ],
)  # fmt: skip
def test_unused(line: str, expected: str) -> None:
    assert warnings(in_rule(line)) == [expected]


TN = "inputs.tn = { min = 1, max = 6 }"


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (TN, 'steps.double = "tn * 2"'),  # a step is a result
        (TN, 'steps.secret = { is = "tn * 2", label = "" }', 'outcomes = { a = { when = "secret > 3" }, b = {} }'),
        (TN, 'outcomes.a.says = "You needed {tn}."'),
        (TN, 'dice.other = { sides = "tn" }', 'steps.other = "sum(other)"'),
        (TN, 'dice.other = { sides = 6, again = { when = "face > tn", roll = "explode" } }', 'steps.o = "sum(other)"'),
        (TN, 'again = { pick = "highest", roll = "reroll", times = "tn" }'),
        (TN, 'carry.tn = "min(hits + 1, 6)"'),
        (TN, 'inputs.luck = { flag = true, asked = "hits > tn", default = false }', 'steps.l = "luck"'),
        (TN, 'inputs.held = { min = 0, max = 9, default = 0 }', 'carry.held = "min(held + tn, 9)"'),
        ('inputs.code = { code = ["d", "p"], min = 1, max = 6 }', 'steps.pips = "p"'),
        ('dice.more = { count = 0, sides = 4 }', 'steps.m = "sum(more)"',
         'dice.skill = { sides = 6, again = { when = "face = 6", roll = "more" } }'),
        ('dice.skill = { sides = 6 }', 'steps.best = "highest 1 of d6, skill"'),
        ('dice.skill = { sides = 6 }', 'steps.most = "max(f of skill: f)"'),
        ('dice.skill = { sides = 6, tests.good = "face = 6" }',),  # drawn as good
        ('dice.place = { faces = ["head", "arm", "leg"] }',),  # readers see where
        ('dice.k = { sides = 6, tests = { s = "face = 1", d = "s or face = 2" } }', 'steps.k = "count(k where d)"'),
        ('aim = "mean(secret)"', 'inputs.luck = { flag = true, asked = "hits > 2" }',
         'steps.secret = { is = "hits + luck", label = "" }'),
        ('[rules.duel]', 'contest = { of = "check", compare = "secret", ties = "none" }',
         '[rules.check.steps.secret]', 'is = "hits * 2"', 'label = ""'),
        (TN, 'steps.secret = { is = "hits * 2", label = "" }', '[rules.two.rolls]', 'one = { rule = "check" }',
         '[rules.two.steps]', 'needed = "one.tn + one.secret"'),
        ('aim = "mean(best)"', 'steps.picked = "any 1 of d6"', 'steps.best = "sum(picked)"'),
        ('aim = "mean(hits)"', 'steps.picked = "any 1 of d6"'),  # shown to readers
        (TN, 'traits.into = ["tn", "pool"]', '[traits.skill]', 'names = ["Rowing"]'),
    ],
)  # fmt: skip
def test_used(lines: tuple[str, ...]) -> None:
    assert warnings(in_rule(*lines)) == []


def test_dice_without_formulas_are_read_by_people() -> None:
    assert warnings('title = "T"\n[rules.place.dice]\nd20 = { sides = 20 }\n') == []


def test_pages_use_hidden_steps_and_traits() -> None:
    text = in_rule('steps.secret = { is = "hits * 2", label = "" }', "[traits.skill]", 'names = ["Rowing"]')
    assert len(warnings(text)) == 2
    assert warnings(text, "secret", "Rowing") == []


def test_the_book_is_what_counts(tmp_path: Path, ran: Ran) -> None:
    lines = ("inputs.tn = { min = 1, max = 6 }", 'steps.secret = { is = "hits * 2", label = "" }')
    (tmp_path / "game.toml").write_text(in_rule(*lines), "utf-8")
    page = tmp_path / "page.md"
    page.write_text("# Rules\n", "utf-8")
    code, out, _ = ran("check", str(tmp_path))
    assert (code, out.count("warning[unused]")) == (0, 2), out
    page.write_text("# Rules\n\n```claim\nrule: check\npool: 2\nmean(secret) = 4/3\n```\n", "utf-8")
    _, out, _ = ran("check", str(tmp_path))
    assert out.count("warning[unused]") == 1, out


def test_what_a_game_inherits_is_judged_where_it_is_written(tmp_path: Path, ran: Ran) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "own").mkdir()
    base = in_rule("inputs.tn = { min = 1, max = 6 }", 'steps.over = "hits - tn"')
    (tmp_path / "base" / "game.toml").write_text(base, "utf-8")
    own = 'title = "Own"\nextends = "../base"\n[rules.check.steps]\nover = "count(d6: hit)"\n'
    (tmp_path / "own" / "game.toml").write_text(own, "utf-8")
    _, out, _ = ran("check", str(tmp_path))
    assert "unused" not in out, out
