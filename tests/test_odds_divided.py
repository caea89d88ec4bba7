"""Formulas that divide by a sum of exploding dice: the sum has no upper bound, and the odds are exact all the same."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from math import ceil, floor, inf
from pathlib import Path

import pytest

from claims_page import printed
from formula_trees import to_json
from games import made_game
from js_engine import NODE, shared_engine
from odds_helpers import exact_chance, make_formula, make_rule, rule_odds
from rulewright.book.parser import read_page
from rulewright.checks.claim import check_claim
from rulewright.checks.model import BlockContext
from rulewright.game.codegen import EvaluationError
from rulewright.game.formula_parser import parse_formula
from rulewright.game.intervals import Bounds, Interval, divide_endpoints, evaluate_bounds, interval_between
from rulewright.source import Source

WEB = Path(__file__).parents[1] / "plugin" / "rulewright" / "web"
WAYS = ("down", "up", "near")
FAR = 10**9  # large enough for every quotient of the small numbers below to have reached its limit

TURNS = """\
title = "Turns"
[rules.check.dice]
wild = { sides = 6, again = { when = "face = 6", roll = "explode" } }
[rules.check.steps]
turns = "down(12 / sum(wild))"
[rules.check.outcomes]
some = { when = "turns >= 1" }
none = {}
"""


def rounded(way: str, over: int, under: int) -> int:
    """Division by its definition, with nothing of the engine."""
    quotient = Fraction(over, under)
    return {"down": floor(quotient), "up": ceil(quotient), "near": floor(quotient + Fraction(1, 2))}[way]


# What a quotient tends to.


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("over", range(-5, 6))
def test_a_number_divided_by_infinity_is_what_large_divisors_make_of_it(way: str, sign: int, over: int) -> None:
    assert (
        divide_endpoints(way, over, sign * inf) == rounded(way, over, sign * FAR) == rounded(way, over, sign * FAR**2)
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("under", [-3, -1, 1, 3])
@pytest.mark.parametrize("over", [inf, -inf])
def test_infinity_divided_by_a_number_keeps_its_size(way: str, under: int, over: float) -> None:
    assert divide_endpoints(way, over, under) == (over if under > 0 else -over)


ENDS = (-inf, -4, -1, 0, 2, 5, inf)
SPANS = [(low, high) for low in ENDS[:-1] for high in ENDS[1:] if low <= high]


def numbers(span: tuple[float, float]) -> list[int]:
    """Some numbers between two bounds, the near ones and far ones."""
    tries = (*range(-6, 7), -FAR, FAR, -FAR - 1, FAR + 1, -(FAR**2) // 3, FAR**2 // 3)
    return [number for number in tries if span[0] <= number <= span[1]]


@pytest.mark.parametrize("way", WAYS)
def test_the_range_of_a_quotient_holds_every_quotient(way: str) -> None:
    tree = parse_formula(f"{way}(a / b)")
    for over in SPANS:
        for under in SPANS:
            found = evaluate_bounds(tree, Bounds({}, {"a": interval_between(*over), "b": interval_between(*under)}))
            assert isinstance(found, Interval)
            quotients = [rounded(way, a, b) for a in numbers(over) for b in numbers(under) if b]
            assert all(found.low <= quotient <= found.high for quotient in quotients), (over, under)
            if quotients and abs(found.low) < FAR:
                assert found.low in quotients, (over, under)
            if quotients and abs(found.high) < FAR:
                assert found.high in quotients, (over, under)


def test_the_ranges_in_javascript_are_the_same() -> None:
    asked = [(f"{way}(a / b)", over, under) for way in WAYS for over in SPANS for under in SPANS]
    script = f"""
    import {{ readFileSync }} from "node:fs";
    import {{ between, valueSet }} from "{(WEB / "engine" / "intervals.js").as_uri()}";
    const end = (value) => ({{ low: -Infinity, high: Infinity }})[value] ?? value;
    const list = ([low, high]) => between(end(low), end(high)), sign = (value) =>
      value === Infinity ? "high" : value === -Infinity ? "low" : value + 0;
    for (const [tree, a, b] of JSON.parse(readFileSync(0, "utf8")))
      console.log(JSON.stringify(valueSet(tree, {{ a: list(a), b: list(b) }}, [], {{ tables: {{}} }}).map(sign)));
    """
    questions = [[to_json(parse_formula(text)), named(over), named(under)] for text, over, under in asked]
    command = [str(NODE), "--input-type=module", "-e", script]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, encoding="utf-8", check=True)
    for (text, over, under), line in zip(asked, done.stdout.splitlines(), strict=True):
        found = evaluate_bounds(
            parse_formula(text), Bounds({}, {"a": interval_between(*over), "b": interval_between(*under)})
        )
        assert isinstance(found, Interval)
        assert json.loads(line) == named((found.low, found.high)), (text, over, under)


def named(span: tuple[float, float]) -> list[float | str]:
    """Bounds as JSON can say them."""
    return ["low" if end == -inf else "high" if end == inf else int(end) for end in span]


# The game that was certified wrongly.


def test_twelve_divided_by_an_exploding_die() -> None:
    found = rule_odds(made_game(TURNS).rules["check"])
    assert {name: exact_chance(chance) for name, chance in found.chances.items()} == {
        "some": Fraction(35, 36),
        "none": Fraction(1, 36),
    }
    assert found.mean("turns") == Fraction(12 + 6 + 4 + 3 + 2, 6) + Fraction(5, 36)  # 7 to 11 give 1, 12 and more 0


def test_the_browser_has_the_same_odds() -> None:
    (answer,) = shared_engine().ask_once(made_game(TURNS), "check", [{"door": "odds", "inputs": {}}])
    assert answer["odds"]["chances"] == pytest.approx({"some": 35 / 36, "none": 1 / 36})


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("chance(none) = 0", "failed"),
        ("chance(some) = 100%", "failed"),
        ("chance(none) = 1/36", "passed"),
        ("chance(some) ~ 97.2%", "passed"),
    ],
)
def test_a_page_cannot_claim_certainty(statement: str, status: str) -> None:
    game = made_game(TURNS)
    page = read_page(Source("page.md", f"# Page\n\n```claim\nrule: check\n{statement}\n```\n"))
    found = check_claim(page.blocks[0], BlockContext(page, game, {"": game}))
    assert found.status == status, printed(found.problems)


# What has no value.

MARGIN = """\
title = "Margin"
[rules.check.dice]
pair = { count = 2, sides = 6 }
[rules.check.steps]
margin = "sum(pair) - 7"
[rules.check.outcomes]
good = { when = "margin > 0", degree = "down(12 / margin)" }
bad = { when = "margin < 0", degree = "up(-12 / margin)" }
even = {}
"""


@pytest.mark.parametrize("outcome", ["good", "bad"])
def test_a_degree_needs_a_value_only_where_the_outcome_holds(outcome: str) -> None:
    ways = [a + b - 7 for a in range(1, 7) for b in range(1, 7)]
    mean = Fraction(
        sum(
            12 // way if outcome == "good" else ceil(Fraction(-12, way))
            for way in ways
            if (way > 0) == (outcome == "good") and way
        ),
        36,
    )
    assert rule_odds(made_game(MARGIN).rules["check"]).mean_degree(outcome) == mean


@pytest.mark.parametrize("step", ["down(0 / (sum(d) - 3))", "min(0, abs(up(4 / (sum(d) - 3))))"])
def test_a_division_by_zero_is_not_hidden_by_what_its_quotient_would_be(step: str) -> None:
    """A roll of 3 has no result, so this has no mean."""
    rule = make_rule("[rules.roll.dice]", "d = { sides = 6 }", "[rules.roll.steps]", f'quotient = "{step}"')
    with pytest.raises(EvaluationError):
        rule_odds(rule).mean("quotient")


def test_a_total_that_no_dice_have_may_divide_by_zero() -> None:
    lines = ["[rules.roll.dice]", "d = { faces = { minus = -1, plus = 1 } }", "[rules.roll.steps]"]
    found = rule_odds(make_rule(*lines, 'quotient = "down(6 / sum(d))"'))
    assert exact_chance(found.chance(make_formula("quotient > 0"))) == Fraction(1, 2)


def test_a_step_that_divides_by_zero_is_not_hidden_in_another_step() -> None:
    """`total` is at least 1 either way, but a roll without a result has no total."""
    lines = ["[rules.roll.dice]", "d = { sides = 6 }", "[rules.roll.steps]", 'quotient = "down(0 / (sum(d) - 3))"']
    rule = make_rule(*lines, 'total = "max(if(quotient = 2, 0, 1), 1)"')
    with pytest.raises(EvaluationError):
        rule_odds(rule).mean("total")
