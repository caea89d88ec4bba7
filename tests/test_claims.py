"""Claims: what is true passes, what is false shows a counter-example, what cannot be read says why."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims_page import checked, claimed, printed, told
from games import load_shipped_rule
from rulewright.checks.written_numbers import WrittenNumber, read_number
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import compute_odds
from rulewright.source import Source, Span

HARD = ("difficulty: 9", "threshold: 1")
ACTION, WILLPOWER, WILD, STEP, TEST = (
    "maelstrom/action", "maelstrom/willpower", "wild-die/check", "step-dice/check", "ingenuity/test",
)  # fmt: skip

TRUE = [
    (ACTION, "chance(success; difficulty 10) = chance(botch; difficulty 10) for pool 1..10"),
    (ACTION, "chance(botch; pool 5, difficulty 6, threshold 2) ~ 27.8%"),
    (ACTION, "chance(net >= 3; pool 7, difficulty 6) > 1/4"),
    (ACTION, "mean(degree of success; pool 5, difficulty 6) ~ 2.07"),
    (ACTION, "chance(success; difficulty 6, specialty) rises with pool 1..20"),
    (ACTION, "chance(success; pool 5) = 84.4%"),
    (ACTION, "0.844 = chance(Success; Pool 5)"),
    (ACTION, "chance(success or botch or failure) = 1 for pool 1..30, difficulty 2..10, threshold 0..9, specialty"),
    (ACTION, "chance(failure | success or failure; pool 5) < chance(failure | net <= 0; pool 5)"),
    (ACTION, "chance(success) falls with difficulty 2..10 for pool 1..30"),
    (ACTION, "chance(success; pool 1, difficulty 7) ~ 2 in 5"),
    (ACTION, "chance(success) >= chance(success; game maelstrom-first-edition) for pool 1..10, difficulty 2..10"),
    (ACTION, "mean(net; pool 4) = 1.6"),
    (WILLPOWER, "chance(left >= 5; current 5, spend) < 1"),
    (WILLPOWER, "mean(left; current 5) <= mean(left; current 6)"),
    (WILD, "chance(success; code 4D) falls with difficulty"),
    (WILD, "mean(total) rises with code 1D..6D"),
    (WILD, "chance(critical_failure; code 3D+1) = 1 in 6"),
    (STEP, "chance(critical failure; die d4) > chance(critical failure; die d12)"),
    (STEP, "chance(success) falls with target 4..20 for die d4 d6 d8"),
    (TEST, "chance(success; attribute d6, skill d4) falls with difficulty for luck"),
    (TEST, "chance(success; skill d4, difficulty Hard) rises with attribute"),
    ("step-dice/contest", "chance(first; first.die d8, second.die d6) > 1/2"),
    ("ingenuity/contest", "chance(first; second.attribute d6) rises with first.attribute"),
]


@pytest.mark.parametrize(("name", "statement"), TRUE)
def test_what_is_true_passes(name: str, statement: str) -> None:
    found = claimed(statement, name)
    assert found.status == "passed", printed(found.problems)


@pytest.mark.parametrize("most", range(1, 31))
def test_failure_is_likelier_than_a_botch_up_to_six_dice(most: int) -> None:
    found = claimed(f"chance(failure) > chance(botch) for pool 1..{most}", ACTION, *HARD)
    assert found.status == ("passed" if most <= 6 else "failed")
    if most > 6:
        assert found.problems[0].notes[0].startswith("first counter-example: pool 7 ")


def test_in_the_first_edition_failure_is_always_likelier() -> None:
    found = claimed("chance(failure) > chance(botch) for pool 1..30", "maelstrom-first-edition/action", *HARD)
    assert found.status == "passed"


def test_a_formula_is_worth_what_the_engine_says() -> None:
    found, _ = compute_odds(load_shipped_rule(ACTION), {"pool": 7, "difficulty": 6})
    assert found
    exact = found.chances["success"].exact
    assert claimed(f"chance(net > 0; pool 7) = {exact}").status == "passed"
    assert claimed(f"chance(not net > 0; pool 7) = {1 - (exact or 0)}").status == "passed"


@pytest.mark.parametrize("listed", ["Easy Hard Ambitious", "Ambitious Hard Easy", "Hard Ambitious Easy", ""])
def test_what_rises_rises_from_the_lowest_value_up(listed: str) -> None:
    for word, status in (("falls", "passed"), ("rises", "failed")):
        found = claimed(f"chance(success; attribute d6, skill d4) {word} with difficulty {listed}", TEST)
        assert found.status == status


FALSE = """
# Wrong claims

```claim
rule: action
difficulty: 9
threshold: 1
chance(failure) > chance(botch) for pool 1..30
chance(failure; pool 3) ~ 90%
chance(failure; pool 3) = 1 in 2
chance(success; pool 5) = 35.8%
chance(success) falls with pool 1..20
mean(degree of success; pool 5) ~ 2.1
1/3 < chance(botch) for pool 1..3, specialty
chance(success; game maelstrom-first-edition) > chance(success) for pool 2..4
```

```claim
rule: step-dice/contest
chance(first; first.die d8, second.die d6) ~ 50%
chance(first) rises with second.die for first.die d4 d6
```
"""


def test_false_claims(golden: Callable[[str, str], None]) -> None:
    golden("claims/false.txt", told(FALSE))


STATEMENTS = (
    "chance(sucess; pool 5) = 1",
    "chance(net >= threshld; pool 5) = 1",
    "chance(success and net > 1; pool 5) = 1",
    "chance(sum(regular) > 3; pool 5) = 1",
    "chance(net >; pool 5) = 1",
    "chance(; pool 5) = 1",
    "chance(success; pol 5) = 1",
    "chance(success; pool 50) = 1",
    "chance(success; pool) = 1",
    "chance(success; pool 5, pool 6) = 1",
    "chance(success; pool 5 = 1",
    "chance(success; pool 5) = 27,8%",
    "chance(success; pool 5) = 1/0",
    "chance(success; pool 5)",
    "chance = 1",
    "chances(success; pool 5) = 1",
    "chance(success; pool 5) = 1 please",
    "1 = 1",
    "success > 1/2",
    "chance(success; pool 5) ~ chance(botch; pool 5)",
    "chance(success) = 1",
    "chance(success | net > 90; pool 4) = 1",
    "chance(success; pool 5) < 1 for pool 1..10",
    "chance(success) < 1 for pool",
    "chance(success) < 1 for pool 9..2",
    "chance(success) < 1 for pol 1..5",
    "chance(success) < 1 for pool 1..5, pool 6..7",
    "chance(success) < 1 for",
    "chance(success) < 1 for pool 1..100",
    "chance(success) rises with",
    "chance(success) rises with pool 1..5, raised 0..2",
    "1/2 rises with pool 1..5",
    "mean(nett; pool 5) = 1",
    "mean(degree of failure; pool 5) = 1",
    "mean(net | success; pool 5) = 1",
    "chance(success; pool 5, rule acton) = 1",
    "chance(success; pool 5, game x) = 1",
    "chance(success; pool 5, aim never) = 1",
    "chance(success; pool 5, aim lazy) = 1",
)


def test_claims_that_cannot_be_read(golden: Callable[[str, str], None]) -> None:
    found = [(statement, claimed(statement)) for statement in STATEMENTS]
    assert all(one.status == "error" for _, one in found), [line for line, one in found if one.status != "error"]
    golden("claims/unreadable.txt", "\n".join(printed(one.problems) for _, one in found))


@pytest.mark.parametrize(
    ("settings", "status", "codes"),
    [
        ("skip: later\nchance(success; pool 5) = 1", "skipped", []),
        ("skip: later\nchance(success; pol 5) = 1", "error", ["block-key"]),
        ("skip:\nchance(success; pool 5) = 1", "error", ["block-value"]),
        ("wrong: it is rarer\nchance(success; pool 5) = 1", "passed", []),
        ("wrong: it is rarer\nchance(success; pool 5) = 84.4%", "failed", ["wrong-passes"]),
        ("wrong: no such input\nchance(success; pol 5) = 1", "error", ["block-key"]),
        ("wrong: out of range\nchance(success; pool 50) = 1", "passed", []),
        ("game: nowhere\nchance(success; pool 5) = 1", "error", ["block-game"]),
        ("rule: acton\nchance(success; pool 5) = 1", "error", ["block-rule"]),
        ("pol: 5\nchance(success; pool 5) = 84.4%", "error", ["block-key"]),
        ("show: big\nchance(success; pool 5) = 84.4%", "error", ["block-value"]),
        ("pool: 5", "error", ["block-claim"]),
        ("aim: never\ngame: maelstrom-first-edition\nchance(success; pool 5) < 1", "passed", []),
        ("aim: best mean\nchance(success; pool 5) < 1", "error", ["block-value"]),
        ("pool: 9\nchance(success; pool 5) = 84.4%", "passed", []),
    ],
)
def test_settings_above_the_statements(settings: str, status: str, codes: list[str]) -> None:
    found = checked("claim", settings)
    assert (found.status, [problem.code for problem in found.problems]) == (status, codes)


def test_a_fix_writes_what_is_true() -> None:
    for statement in ("chance(failure; pool 3) ~ 90%", "mean(net; pool 5) ~ 7.00", "chance(success; pool 5) = 84.3%"):
        problem = claimed(statement).problems[0]
        assert problem.fix
        text, start = problem.fix.span.source.text, problem.fix.span.start
        line = text[:start] + problem.fix.text + text[problem.fix.span.end :]
        assert claimed(line.splitlines()[4]).status == "passed"


def number(text: str) -> WrittenNumber:
    found = read_number(Span(Source("", text), 0, len(text)))
    assert found
    return found


@pytest.mark.parametrize(
    ("text", "value", "agrees"),
    [
        ("27.8%", Fraction(27849, 100000), True),
        ("27.8%", Fraction(27851, 100000), False),
        ("27.8 %", Fraction(278, 1000), True),
        ("28%", Fraction(275, 1000), True),
        ("0.278", Fraction(27849, 100000), True),
        ("5/18", Fraction(5, 18), True),
        ("5/18", Fraction(6, 18), False),
        ("1 in 6", Fraction(16, 100), True),
        ("1 in 6", Fraction(15, 100), False),
        ("1 in 2", Fraction(65, 100), False),
        ("1 in 1", Fraction(9, 10), False),
        ("-1.5", Fraction(-3, 2), True),
        ("−2", Fraction(-21, 10), True),
        ("100%", Fraction(9951, 10000), True),
    ],
)
def test_numbers_are_compared_after_rounding(text: str, value: Fraction, agrees: bool) -> None:
    assert number(text).agrees(Chance(value, value)) is agrees


WORDS = (
    "chance mean ( ) ; | = < <= ~ for rises with falls pool 5 1..10 difficulty Hard success or botch net >= 3 , degree"
    " of 27.8% 1 in 6 5/18 'x specialty first.die d8 . .. by % - threshold \" [ ] # : rule game aim never"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=16).map(" ".join) | st.text(max_size=40))
def test_whatever_is_claimed_nothing_raises(statement: str) -> None:
    line = " ".join(statement.split())
    for name in (ACTION, "step-dice/contest"):
        found = claimed(f"chance(success; pool 5) {line}", name)
        assert found.status in ("passed", "failed", "error")
        printed(found.problems)
        claimed(line, name)


def test_numbers_of_many_digits() -> None:
    """The fraction that `rulewright odds` prints can be claimed; what is longer is said to be."""
    exact = load_shipped_rule(ACTION)
    odds, _ = compute_odds(exact, {"pool": "20", "difficulty": "9", "specialty": "yes"})
    assert odds
    fraction = odds.chances["success"].exact
    assert fraction
    assert len(str(fraction.numerator)) > 15
    phrase = "chance(success; pool 20, difficulty 9, specialty)"
    assert claimed(f"{phrase} = {fraction}", ACTION).status == "passed"
    for number in ("0.1234567890123456", f"1/{10**61}", f"{10**61}/3", f"{10**61}/{10**70}"):
        (problem,) = claimed(f"{phrase} = {number}", ACTION).problems
        assert (problem.span.text, problem.notes) == (number, ("write it rounded, with a ~ before it: ~ 27.8%",))
        assert problem.message == "a number has at most 15 digits, above and below a fraction bar 61"
