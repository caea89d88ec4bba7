"""Random formulas for the table of tests/formulas.md, and two slow, obvious ways to say what a formula gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from formula_world import table_rule
from rulewright.game.formula import COMPARISONS, MAX_NUMBER, Node

Trees = st.SearchStrategy[Node]
Dice = Mapping[str, list[list[int]]]  # by kind: the throws of each die
SIDES = {"regular": 10, "wild one": 6, "nothing": 6}
FIXED = ("a", "b", "c", "lucky", "die", "d", "pips", "half", "pips_twice")
WORDS = {"mood": ("calm", "very angry"), "zone": ("Head", "Arm", "Leg")}
PRECEDENCE = {"or": 0, "and": 1, "not": 2, **dict.fromkeys(COMPARISONS, 3), "+": 4, "*": 5, "neg": 6}


class NoValueError(Exception):
    """The formula stops."""


def to_json(node: Node) -> Any:
    """A formula as the nested lists that the browser makes of the core; numbers are plain numbers."""
    if node.op == "number":
        return node.args[0]
    return [node.op, *(to_json(arg) if isinstance(arg, Node) else arg for arg in node.args)]


# Random trees, in the form in which the parser makes them.


def name(of: str) -> Node:
    return Node("name", (of,))


def numbers(depth: int, names: tuple[str, ...] = (*FIXED, "points"), test: bool = False) -> Trees:
    plain = st.integers(0, 12).map(lambda number: Node("number", (number,))) | st.sampled_from(names).map(name)
    if not depth:
        return plain if test else plain | st.just(Node("number", (MAX_NUMBER,)))
    inner = numbers(depth - 1, names, test)
    found = [plain, several("+", inner), single("neg", inner), single("abs", inner), several("min", inner)]
    found += [several("max", inner), choice(depth, names, test, inner), conditions(depth - 1, names, test)]
    divisor = st.integers(1, 5).map(lambda number: Node("number", (number,)))
    rounding = st.sampled_from(("down", "up", "near"))
    found.append(st.builds(lambda op, *args: Node(op, args), rounding, inner, divisor if test else inner))
    if not test:
        found += [several("*", inner), over_dice(), lookups(inner)]
    return st.one_of(found)


def several(op: str, inner: Trees) -> Trees:
    return st.lists(inner, min_size=2, max_size=4).map(lambda args: Node(op, tuple(args)))


def single(op: str, inner: Trees) -> Trees:
    return inner.map(lambda arg: Node(op, (arg,)))


def choice(depth: int, names: tuple[str, ...], test: bool, inner: Trees) -> Trees:
    return st.builds(lambda *args: Node("if", args), conditions(depth - 1, names, test), inner, inner)


def conditions(depth: int, names: tuple[str, ...], test: bool = False) -> Trees:
    inner = numbers(max(depth - 1, 0), names, test)
    compared = st.builds(lambda op, *args: Node(op, args), st.sampled_from(COMPARISONS), inner, inner)
    if not depth:
        return compared | words_compared()
    below = conditions(depth - 1, names, test) | inner
    return st.one_of(compared, words_compared(), several("and", below), several("or", below), single("not", below))


def words_compared() -> Trees:
    """One of the words against one that it can be, in any letter case."""
    pairs = [(asked, word) for asked, words in WORDS.items() for word in words]
    sides = st.sampled_from(pairs).map(lambda pair: (name(pair[0]), Node("word", (pair[1],))))
    loud = sides.map(lambda pair: (Node("word", (pair[1].args[0].upper(),)), pair[0]))
    return st.builds(Node, st.sampled_from(("=", "!=")), sides | loud)


def over_dice() -> Trees:
    kinds, functions = st.sampled_from(tuple(SIDES)), st.sampled_from(("sum", "count", "highest", "lowest"))
    throws = conditions(2, ("face", "last", "throw", "sides", *FIXED), test=True)
    judged = conditions(1, ("good", "bad", "face", "b"), test=True)
    values = conditions(2, ("value", "sides", "a"), test=True)
    return st.one_of(
        st.builds(lambda op, of: Node(op, (Node("set", (of,)), None)), functions, kinds),
        st.builds(lambda of, test: Node("count", (Node("set", (of,)), test)), kinds, throws | values),
        st.builds(lambda test: Node("count", (Node("set", ("regular",)), test)), judged),
    )


def lookups(inner: Trees) -> Trees:
    return st.one_of(
        st.just(Node("lookup", ("hit zone", name("zone"), "damage"))),
        inner.map(lambda row: Node("lookup", ("wounds", row, "penalty"))),
    )


# From trees to text, with no bracket that is not needed.


def shown(node: Node, least: int = 0) -> str:
    text = written(node)
    return f"({text})" if PRECEDENCE.get(node.op, 9) < least else text


def written(node: Node) -> str:
    level = PRECEDENCE.get(node.op, 9)
    if node.op in ("number", "name"):
        return str(node.args[0])
    if node.op == "word":
        return f"'{node.args[0]}'"
    if node.op == "+":
        return shown(node.args[0], 5) + "".join(added(arg) for arg in node.args[1:])
    if node.op in ("neg", "not"):
        return {"neg": "-", "not": "not "}[node.op] + shown(node.args[0], level + 1)
    if level < 9:
        return f" {node.op} ".join(shown(arg, level + 1) for arg in node.args)
    if node.op in ("down", "up", "near"):
        return f"{node.op}({shown(node.args[0], 5)} / {shown(node.args[1], 6)})"
    if node.op == "set":
        return f"'{node.args[0]}'"
    parts = (shown(arg) if isinstance(arg, Node) else f"'{arg}'" for arg in node.args if arg is not None)
    return f"{node.op}({(': ' if node.op == 'count' else ', ').join(parts)})"


def added(part: Node) -> str:
    return f" - {shown(part.args[0], 5)}" if part.op == "neg" else f" + {shown(part, 5)}"


# What a formula gives, worked out from its tree.


def value(node: Node, values: Mapping[str, Any], dice: Dice) -> Any:
    def of(arg: Node) -> Any:
        return value(arg, values, dice)

    if node.op in ("number", "word"):
        return node.args[0]
    if node.op == "name":
        return values[node.args[0]]
    if node.op in ("sum", "count", "highest", "lowest"):
        return over(node, values, dice)
    if node.op == "if":
        return of(node.args[1]) if of(node.args[0]) else of(node.args[2])
    if node.op == "and":
        return int(all(of(arg) for arg in node.args))
    if node.op == "or":
        return int(any(of(arg) for arg in node.args))
    if node.op == "lookup":
        return cell(node.args[0], of(node.args[1]), node.args[2])
    return PLAIN[node.op](*map(of, node.args))


def allowed(number: int) -> int:
    if abs(number) > MAX_NUMBER:
        raise NoValueError
    return number


def quotient(over: int, under: int) -> Fraction:
    if under == 0:
        raise NoValueError
    return Fraction(over, under)


def plain_word(word: Any) -> Any:
    return word.lower() if isinstance(word, str) else word


PLAIN: dict[str, Callable[..., int]] = {
    "+": lambda *found: allowed(sum(found)),
    "*": lambda *found: allowed(math.prod(found)),
    "neg": lambda found: allowed(-found),
    "abs": lambda found: allowed(abs(found)),
    "min": min,
    "max": max,
    "not": lambda found: int(not found),
    "=": lambda left, right: int(plain_word(left) == plain_word(right)),
    "!=": lambda left, right: int(plain_word(left) != plain_word(right)),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "down": lambda over, under: math.floor(quotient(over, under)),
    "up": lambda over, under: math.ceil(quotient(over, under)),
    "near": lambda over, under: math.floor(quotient(over, under) + Fraction(1, 2)),
}


def over(node: Node, values: Mapping[str, Any], dice: Dice) -> int:
    kind, test = node.args[0].args[0], node.args[1]
    totals = [sum(throws) for throws in dice[kind]]
    if test is None:
        return {"sum": sum(totals), "count": len(totals), "highest": max(totals, default=0)}.get(
            node.op, min(totals, default=0)
        )
    if not names_of(test) & {"face", "last", "throw", "good", "bad"}:
        return sum(bool(value(test, {**values, "value": total, "sides": SIDES[kind]}, {})) for total in totals)
    count = 0
    for throws in dice[kind]:
        for number, face in enumerate(throws):
            last = throws[number - 1] if number else 0
            words = {"face": face, "last": last, "throw": number + 1, "sides": SIDES[kind]}
            count += bool(value(test, {**values, **words, "good": face >= 7, "bad": face == 1}, {}))
    return count


def names_of(node: Node) -> set[str]:
    below = set().union(*(names_of(arg) for arg in node.child_nodes()))
    return below | {node.args[0]} if node.op == "name" else below


def cell(name: str, row: Any, column: str) -> Any:
    table = table_rule().tables[name]
    found = table.find_row(row)
    if found is None:
        raise NoValueError
    return found[table.columns.index(column)]


# What a formula gives, worked out from the form in which the browser receives it.


def value_of_json(data: Any, values: Mapping[str, Any], dice: Dice) -> Any:
    return value(from_json(data), values, dice)


def from_json(data: Any) -> Node:
    if isinstance(data, int):
        return Node("number", (data,))
    op, *args = data
    texts = {"word": 1, "name": 1, "set": 1}.get(op, 0)
    if op == "lookup":
        return Node(op, (args[0], from_json(args[1]), args[2]))
    found = [arg if number < texts or arg is None else from_json(arg) for number, arg in enumerate(args)]
    return Node(op, tuple(found))
