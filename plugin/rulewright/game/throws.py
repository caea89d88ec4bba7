"""The questions that a rule asks of each throw, each die and each reroll, compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from .bounds import Bounds, between
from .model import Formula, Reroll
from .program import Program, function, test_functions
from .python import Writer
from .tree import names_in

Run = Callable[..., Any]  # from values and what lies on the table to answers


@lru_cache(maxsize=4096)
def compiled(made: Program, formula: Formula) -> tuple[Run, tuple[str, ...]]:
    writer = made.writer()
    code = writer.expression(formula)
    needs = tuple(sorted(names_in(formula.node)))
    return writer.compile(function("run", "v", [*made.opening(needs, ()), f"return {code}"]), "run"), needs


@lru_cache(maxsize=1024)
def reroll_function(made: Program, reroll: Reroll) -> tuple[Any, frozenset[str]]:
    assert reroll.when
    writer = test_writer(made)
    needs = frozenset(names_in(reroll.when.node)) - {"face", "last", "throw", "sides"}
    body = [*made.opening(needs, ()), "v_last, v_throw = 0, 1", f"return {writer.truth(reroll.when)}"]
    return writer.compile(function("run", "v, v_face, v_sides", body), "run"), needs


@lru_cache(maxsize=1024)
def throw_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled questions that a kind of dice asks of each throw."""
    kind = made.rule.dice[number]
    writer = test_writer(made)
    asked = test_functions(kind)
    body = [
        f"v_{name} = bool({writer.truth(asked[name])})" if name in asked else f"v_{name} = False"
        for name in ("good", "bad")
    ]
    explode = f"bool({writer.truth(asked['explode'])})" if "explode" in asked else "False"
    stop = f"bool({writer.truth(asked['stop'])})" if "stop" in asked else "False"
    earn, decline = "0", "False"
    if "earn" in asked:
        earn = f"({writer.expression(asked['times'])} if {writer.truth(asked['earn'])} else 0)"
        decline = f"bool({writer.truth(asked['decline'])})"
    hits = [writer.truth(Formula("", test, kind.span)) for test in throw_tests(made, number)]
    body.append(
        f"return v_good, v_bad, {explode}, {stop}, {earn}, {decline}, ({''.join(f'int({hit}), ' for hit in hits)})"
    )
    nodes = [formula.node for formula in asked.values()] + throw_tests(made, number)
    needs = frozenset().union(*map(names_in, nodes)) - {"face", "last", "throw", "good", "bad", "value", "sides"}
    run = writer.compile(
        function("run", "v, v_face, v_last, v_throw, v_sides", [*made.opening(needs, ()), *body]), "run"
    )
    return run, needs


@lru_cache(maxsize=1024)
def value_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled questions that tallies ask once a die."""
    kind, writer = made.rule.dice[number], test_writer(made)
    tests = value_tests(made, number)
    hits = "".join(f"int(bool({writer.truth(Formula('', test, kind.span))})), " for test in tests)
    needs = frozenset().union(*map(names_in, tests)) - {"value", "sides"}
    run = writer.compile(function("run", "v, v_value, v_sides", [*made.opening(needs, ()), f"return ({hits})"]), "run")
    return run, needs


def test_writer(made: Program) -> Writer:
    most = between(-(10**9), 10**9)
    words = ("face", "last", "throw", "good", "bad", "value", "sides")
    return Writer(Bounds({}, {**made.bounds.values, **dict.fromkeys(words, most)}, made.rule.tables), made.rule.tables)


@lru_cache(maxsize=4096)
def throw_tallies(made: Program, number: int) -> tuple[int, ...]:
    """The numbers of the tallies of a kind that ask every throw."""
    return tuple(place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.per_throw)


@lru_cache(maxsize=4096)
def value_tallies(made: Program, number: int) -> tuple[int, ...]:
    """The numbers of those that ask once a die."""
    own = (place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.test)
    return tuple(place for place in own if not made.tallies[place].per_throw)


def throw_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in throw_tallies(made, number)]


def value_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in value_tallies(made, number)]
