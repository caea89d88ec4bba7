"""Formulas in plain words: two formulas that do not mean the same never read the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from odds_helpers import make_formula, make_rule
from rulewright.game.formula import Node
from rulewright.render.cards.rules import describe_rule
from rulewright.render.cards.wording import FormulaWriter, describe_formula
from rulewright.render.strings import read_words

A, ONE, FACE = Node("name", ("a",)), Node("number", (1,)), Node("name", ("face",))
LEAVES = (A, ONE, Node("count", ("red",)), Node("count", ("red", Node(">", (FACE, ONE)))))
PAIRS = ("+", "*", "=", "<", "and", "or", "max", "min", "down", "up", "near")


def grown(parts: Sequence[Node], few: Sequence[Node]) -> Iterator[Node]:
    """Every formula that is made of these."""
    yield from (Node(op, (part,)) for op in ("neg", "not", "abs") for part in parts)
    yield from (Node(op, pair) for op in PAIRS for pair in product(parts, parts))
    yield from (Node(op, three) for op in ("if", "max", "and", "+") for three in product(few, few, few))
    yield from (Node("lookup", ("table", part, "column")) for part in parts)


def with_tests(parts: Sequence[Node]) -> Iterator[Node]:
    """Counts with a condition in which such a formula stands."""
    return (Node("count", ("red", Node(">", (FACE, part)))) for part in parts if not counts(part))


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
        ("count(red, face > 1) + 2", "(red throws with face > 1) + 2"),
        ("count(red, face > 1 + 2)", "red throws with face > 1 + 2"),
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
    told = describe_rule(rule, read_words("en")).sections[-1].items
    assert [item.lines[0] for item in told] == ["When total > 1.", "Otherwise, when total > 2.", "In every other case."]


def test_how_many_dice_are_earned_stands_in_brackets() -> None:
    dice = ("[rules.roll.dice.red]", "sides = 6", "[rules.roll.dice.blue]", "sides = 6")
    rule = make_rule(*dice, "again = { when = 'face = 6', roll = 'red', times = 'if(sides > 4, 2, 1)' }")
    lines = describe_rule(rule, read_words("en")).sections[0].items[1].lines
    assert "Each with face = 6 earns (2 if number of sides > 4, else 1) × red." in lines
