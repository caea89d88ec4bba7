"""Formulas of any form: text and tree say the same, and four ways to work a formula out agree."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from call_counts import hang_guard
from formula_trees import FIXED, NoValueError, from_json, numbers, shown, to_json, value, value_of_json
from formula_world import over_points, table_rule
from rulewright.game.formula import MAX_NUMBER, Node, walk
from rulewright.game.formula_lexer import FormulaError
from rulewright.game.formula_parser import parse_formula
from rulewright.game.inputs import to_variables
from rulewright.game.intervals import Bounds, Interval, evaluate_bounds, exact_value, interval_between
from rulewright.game.model import Formula, Rule, Step
from rulewright.game.scope import NUMBER_TYPE, Scope, ValueType, check_formula, find_unrelated_test
from rulewright.play.compiled_rule import compile_rule
from rulewright.play.result import check_roll

TREES = numbers(3)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
INPUTS = st.fixed_dictionaries(
    {
        "a": st.integers(-20, 20) | st.sampled_from((-(10**9), 10**9)),
        "b": st.integers(-5, 5),
        "c": st.integers(0, 9),
        "lucky": st.booleans(),
        "mood": st.sampled_from(("calm", "very angry")),
        "zone": st.sampled_from(("Head", "Arm", "Leg")),
        "die": st.sampled_from((0, 4, 6, 8)),
        "code": st.builds("{}D+{}".format, st.integers(0, 9), st.integers(0, 2)),
    }
)
DICE = st.fixed_dictionaries(
    {
        "regular": st.lists(st.integers(1, 10).map(lambda face: [face]), min_size=4, max_size=4),
        "wild one": st.builds(lambda sixes, last: [[6] * sixes + [last]], st.integers(0, 3), st.integers(1, 5)),
        "nothing": st.just([]),
    }
)


def rule_with(tree: Node) -> Rule:
    """The rule of the table with this formula as its last step."""
    rule = table_rule()
    return replace(rule, steps=(*rule.steps, Step("answer", Formula(shown(tree), tree, rule.span))))


def values_of(inputs: dict[str, Any], dice: dict[str, list[list[int]]]) -> dict[str, Any]:
    code = inputs["code"].split("D+")
    known = {**inputs, "lucky": int(inputs["lucky"]), "d": int(code[0]), "pips": int(code[1])}
    points = sum(map(sum, dice["regular"]))
    return {**known, "half": known["a"] // 2, "pips_twice": 2 * known["pips"], "points": points}


def record(dice: dict[str, list[list[int]]]) -> str:
    kinds = ("regular", "wild one")
    return " | ".join(" ".join([kind, *("+".join(map(str, throws)) for throws in dice[kind])]) for kind in kinds)


@given(TREES)
def test_what_is_printed_is_read_back(tree: Node) -> None:
    assert parse_formula(shown(tree)) == tree
    assert parse_formula(f"(({shown(tree)}))") == tree


@given(TREES)
def test_every_operation_knows_its_place(tree: Node) -> None:
    text = shown(tree)
    waiting = [parse_formula(text)]
    while waiting:
        node = waiting.pop()
        part = text[node.start : node.end]
        assert (
            node.op == "set" or parse_formula(part) == node or node.op == "neg"
        )  # a - b: the place of the negative begins with the sign
        waiting += node.child_nodes()


@given(TREES)
def test_json_says_the_same(tree: Node) -> None:
    assert from_json(json.loads(json.dumps(to_json(tree)))) == tree


@given(TREES)
def test_names_and_kinds_of_values_fit(tree: Node) -> None:
    rule = table_rule()
    values = {entry.name: entry.choices for entry in rule.inputs if entry.choices}
    names: dict[str, ValueType] = {**dict.fromkeys((*FIXED, "points"), NUMBER_TYPE), **values}
    dice = {kind.name: kind for kind in rule.dice}
    scope = Scope(names, frozenset(names) - {"points"}, dice=dice, tables=rule.tables)
    asked = [find_unrelated_test(test, ("good", "bad")) for test in dice_tests(tree)]
    blind = {problem[1] for problem in asked if problem}
    assert {message for _, message in check_formula(tree, scope)} - {"nothing can be divided by 0"} == blind


def dice_tests(tree: Node) -> list[Node]:
    return [node.args[1] for node in walk(tree) if node.op == "count" and node.args[1]]


@SLOW
@given(TREES, INPUTS, DICE)
def test_compiled_json_ranges_and_reference_agree(tree: Node, inputs: dict[str, Any], dice: Any) -> None:
    values = values_of(inputs, dice)
    result, complaints = check_roll(rule_with(tree), inputs, record(dice))
    try:
        expected = value(tree, values, dice)
    except NoValueError:
        assert result is None
        return
    assert result, complaints
    assert result.steps["answer"] == expected
    assert over_points(result) == exact_value(expected)
    assert value_of_json(to_json(tree), values, dice) == expected


@SLOW
@given(TREES, INPUTS, DICE, st.data())
def test_a_range_contains_every_value(tree: Node, inputs: dict[str, Any], dice: Any, data: st.DataObject) -> None:
    values = values_of(inputs, dice)
    try:
        expected = value(tree, values, dice)
    except NoValueError:
        assume(False)
    result, _ = check_roll(rule_with(tree), inputs, record(dice))
    assert result
    made = compile_rule(result.rule)
    known: dict[str, Any] = {**to_variables(result.rule, result.setting.values), **result.steps}
    known |= {tally.name: number for tally, number in zip(made.tallies, result.tallies, strict=True)}
    bounds = blurred(known, rule_with(tree), data)
    found = evaluate_bounds(made.formulas["answer"].node, bounds)
    assert isinstance(found, Interval)
    assert found.low <= expected <= found.high
    if found.terms is not None:
        assert expected == found.const + sum(times * known[name] for name, times in found.terms.items())


def blurred(known: dict[str, Any], rule: Rule, data: st.DataObject) -> Bounds:
    """Bounds that hold these values, each as a point, as a range, or as a variable."""
    ends: dict[str, tuple[float, float]] = {}
    bounds = Bounds(ends, {}, rule.tables)
    low, high = st.integers(0, 5) | st.just(math.inf), st.integers(0, 5) | st.just(math.inf)
    for name, number in known.items():
        how = data.draw(st.sampled_from(("point", "range", "variable")), label=name)
        if isinstance(number, str):
            words = frozenset((number, *rule_words(rule, name))) if how != "point" else frozenset((number,))
            bounds = bounds.with_value(name, words)
        elif how == "point":
            bounds = bounds.with_value(name, exact_value(number))
        else:
            ends[name] = (number - data.draw(low), number + data.draw(high))
            bounds = bounds.with_value(
                name, bounds.variable_interval(name) if how == "variable" else interval_between(*ends[name])
            )
    return bounds


def rule_words(rule: Rule, name: str) -> tuple[str, ...]:
    return next(entry.choices for entry in rule.inputs if entry.name == name)


HOSTILE = {
    "brackets": "(" * 1000 + "1" + ")" * 1000,
    "few brackets": "(" * 300 + "1" + ")" * 300,
    "open brackets": "(" * 1990,
    "functions": "max(1, " * 250 + "1" + ")" * 250,
    "roundings": "down(" * 200 + "1" + " / 2)" * 200,
    "tests": "count(x, " * 200,
    "ten megabytes": "1 + " * 2_500_000 + "1",
    "ten megabytes of blanks": " " * 10_000_000,
    "ten megabytes of quotes": "'" * 10_000_000,
    "one long name": "a" * 10_000_000,
    "NUL": "1 + \0",
    "NUL in a word": "'a\0b' = 'c'",
    "lone surrogate": "1 + \ud800",
    "lone surrogate in a word": "mood = '\udfff'",
    "line break in a word": "mood = 'a\nb'",
    "a long number": "9" * 1999,
    "a very long number": "9" * 100_000,
    "plus signs": "+" * 10_000,
    "ten thousand terms": "1" + " + 1" * 10_000,
    "few plus signs": "+" * 1990,
    "other digits": "١ + ٢",
    "right to left": "\u202e1 + 2",
    "empty": "",
    "blanks": " \t\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_in_one_complaint(name: str) -> None:
    text = HOSTILE[name]
    with pytest.raises(FormulaError) as found, hang_guard():
        parse_formula(text)
    assert 0 <= found.value.start <= found.value.end <= len(text)
    assert len(found.value.message) < 300
    found.value.message.encode()


@pytest.mark.parametrize(
    "text",
    [
        "-" * 1990 + "1",
        "not " * 490 + "1",
        "1" + "+1" * 990,
        "1" + "*1" * 990,
        "a" + " or a" * 390,
        "max(" + "1," * 990 + "1)",
        "if(a, 1, " * 39 + "2" + ")" * 39,
        "max(a, " * 39 + "1" + ")" * 39,
        "-(" * 39 + "a" + ")" * 39,
        "not (" * 39 + "a" + ")" * 39,
        "(a + " * 39 + "a" + ")" * 39,
        "(a * 9007199254740991 + " * 39 + "a" + ")" * 39,
        "down((1 + " * 19 + "a" + ") / 2)" * 19,
        "abs(-" * 39 + "a" + ")" * 39,
        "(c or " * 39 + "c" + ")" * 39,
        "(c < 3) + (" * 39 + "c" + ")" * 39,
        "(1 or 1 and not 1 = 1 + " * 15 + "c" + ")" * 15,
    ],
)
def test_the_longest_and_deepest_formulas_still_run(text: str) -> None:
    """What the parser lets through must not break Python's compiler or run out of stack, also deep in other code."""
    tree = parse_formula(text)

    def deep(levels: int) -> Any:
        return deep(levels - 1) if levels else check_roll(rule_with(tree), {}, "regular 1 1 1 1 | wild one 1")

    result, complaints = deep(150)
    assert result or "leaves the numbers" in complaints[0].message
    assert to_json(tree)


def read_or_refused(text: str) -> None:
    places: tuple[int, ...] = ()
    try:
        parse_formula(text)
    except FormulaError as error:
        places = (0, error.start, error.end, len(text))
    assert list(places) == sorted(places)


@given(st.text() | st.text("()ab1+-*/<>=!, '"))
def test_any_text_gives_a_tree_or_a_complaint(text: str) -> None:
    read_or_refused(text)


@given(TREES, st.data())
def test_a_spoiled_formula_gives_a_tree_or_a_complaint(tree: Node, data: st.DataObject) -> None:
    text = shown(tree)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.sampled_from(("", "(", ")", ",", " or ", "1", "'", text[start:end] * 2)))
    read_or_refused(text[:start] + new + text[end:])


def test_no_number_is_too_large_for_the_browser() -> None:
    assert to_json(parse_formula(str(MAX_NUMBER))) == MAX_NUMBER
    assert float(MAX_NUMBER) == MAX_NUMBER
    assert float(MAX_NUMBER + 2) != MAX_NUMBER + 2
