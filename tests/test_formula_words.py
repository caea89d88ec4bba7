"""Formulas in plain words: two formulas that do not mean the same never read the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from odds_helpers import make_formula, make_rule
from rulewright.game.formula import Node
from rulewright.game.model import Rule
from rulewright.render.cards.rule_text import describe_rule
from rulewright.render.cards.wording import FormulaWriter, describe_event, describe_formula, reader_name
from rulewright.render.strings import read_words

RED = Node("set", ("red",))
A, ONE, FACE = Node("name", ("a",)), Node("number", (1,)), Node("name", ("face",))
LEAVES = (A, ONE, Node("count", (RED, None)), Node("count", (RED, Node(">", (FACE, ONE)))))
PAIRS = ("+", "*", "=", "<", "and", "or", "max", "min", "down", "up", "near")


def grown(parts: Sequence[Node], few: Sequence[Node]) -> Iterator[Node]:
    """Every formula that is made of these."""
    yield from (Node(op, (part,)) for op in ("neg", "not", "abs") for part in parts)
    yield from (Node(op, pair) for op in PAIRS for pair in product(parts, parts))
    yield from (Node(op, three) for op in ("if", "max", "and", "+") for three in product(few, few, few))
    yield from (Node("lookup", ("table", part, "column")) for part in parts)


def with_tests(parts: Sequence[Node]) -> Iterator[Node]:
    """Counts with a condition in which such a formula stands."""
    return (Node("count", (RED, Node(">", (FACE, part)))) for part in parts if not counts(part))


def counts(node: Node) -> bool:
    return node.op == "count" or any(counts(arg) for arg in node.args if isinstance(arg, Node))


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_two_formulas_read_the_same(language: str) -> None:
    small = [*LEAVES, *grown(LEAVES, LEAVES[::3])]
    some = [*small[::9], *with_tests(small[:40:4])]
    speaker, found = FormulaWriter(read_words(language), frozenset()), dict[str, Node]()
    for node in dict.fromkeys([*small, *some, *grown(some, some[::9])]):
        words = speaker.write(flat(node))
        assert flat(found.setdefault(words, node)) == flat(node), words
    assert len(found) > 2_000


def flat(node: Node) -> Node:
    """A sum that begins with a sum is one sum."""
    args = tuple(flat(arg) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op == "+" and args[0].op == "+":
        return Node("+", (*args[0].args, *args[1:]))
    return Node(node.op, args)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("count(red: face > 1) + 2", "(red dice with face > 1) + 2"),
        ("count(red: face > 1 + 2)", "red dice with face > 1 + 2"),
        ("max(a and 1, 2, b or 1)", "the greater of (a and 1), 2 and (b or 1)"),
    ],
)
def test_where_brackets_stand(text: str, words: str) -> None:
    assert FormulaWriter(read_words("en"), frozenset()).write(make_formula(text).node) == words


def test_a_die_that_others_earn_is_not_the_only_one() -> None:
    dice = ("[rules.roll.dice.red]", "sides = 6", "[rules.roll.dice.blue]", "sides = 6")
    earns = "again = { when = 'face = 6', roll = 'red' }"
    steps = ("[rules.roll.steps]", "total = 'sum(red) + sum(blue)'")
    for more, words in (((), "red die + blue die"), ((earns,), "sum of red dice + sum of blue dice")):
        rule = make_rule(*dice, *more, *steps)
        assert describe_formula(rule.steps[0].formula, read_words("en"), rule) == words


def test_an_outcome_comes_only_where_those_before_it_do_not() -> None:
    """Both conditions may hold, and then the first outcome is meant."""
    steps = ("[rules.roll.steps]", "total = '3'", "[rules.roll.outcomes]")
    rule = make_rule(*steps, "a = { when = 'total > 1' }", "b = { when = 'total > 2' }", "c = {}")
    assert describe_rule(rule, read_words("en"))[-1] == (
        "If the total is above 1, the outcome is a. Otherwise, if the total is above 2, the outcome is b. "
        "Otherwise, the outcome is c."
    )


def test_how_many_dice_are_earned() -> None:
    dice = ("[rules.roll.dice.red]", "sides = 6", "[rules.roll.dice.blue]", "sides = 6")
    rule = make_rule(*dice, "again = { when = 'face = 6', roll = 'red', count = 'if(sides > 4, 2, 1)' }")
    (text,) = describe_rule(rule, read_words("en"))
    assert (
        "Blue dice that show 6 earn as many red dice as 2 if the number of sides is above 4, otherwise 1 each." in text
    )


@pytest.fixture(scope="module")
def labeled_rule() -> Rule:
    """A rule of which everything has a label."""
    inputs = (
        "to_hit = { label = 'Aim', min = 0, max = 9 }",
        "code = { label = 'Dice code', code = ['d', 'pips'], min = 1, max = 9 }",
        "lucky_one = { label = 'Being lucky', flag = true, default = false }",
        "lost = { label = 'The lost die', choice = ['counts', 'is dropped'], default = 'counts' }",
        "mood = { label = 'Mood', choice = ['calm', 'wild'], default = 'calm' }",
    )
    return make_rule(
        "[rules.roll.dice]",
        "red_die = { sides = 6, label = 'crimson' }",
        "many = { count = 'd', sides = 6 }",
        "[rules.roll.steps]",
        "sum_all = { is = 'sum(red_die) + to_hit', label = 'result' }",
        "rank = { is = 'if(sum_all = 1, -1000, sum_all)', label = '' }",
        inputs="\n".join(inputs),
    )


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("to_hit + sum_all", "aim + result"),
        ("sum(red_die)", "crimson die"),
        ("highest(many) - pips", "highest many die − pips of dice code"),
        ("d", "dice of dice code"),
        ("lucky_one and to_hit > 1", "being lucky and aim > 1"),
        ("mood = 'wild'", "mood is wild"),
        ("lost = 'is dropped'", "the lost die is dropped"),
        ("rank", "−1000 if result = 1, else result"),
        ("rank > 1", "(−1000 if result = 1, else result) > 1"),
    ],
)
def test_readers_see_labels(labeled_rule: Rule, formula: str, words: str) -> None:
    assert describe_formula(make_formula(formula), read_words("en"), labeled_rule) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("sum_all", "result"),
        ("sum_all >= 3", "result ≥ 3"),
        ("hit or miss", "hit or miss"),
        ("strong hit", "strong hit"),
    ],
)
def test_an_event_in_words(labeled_rule: Rule, event: str, words: str) -> None:
    assert describe_event(labeled_rule, event, read_words("en")) == words


def test_a_hidden_step_has_no_name(labeled_rule: Rule) -> None:
    names = ("sum_all", "rank", "red_die", "to_hit", "many", "not_there")
    assert [reader_name(labeled_rule, name) for name in names] == [
        "result", "", "crimson", "Aim", "many", "not there",
    ]  # fmt: skip
