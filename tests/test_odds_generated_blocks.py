"""Tables of odds of games that nobody thought of: each cell is what counting gives, and what is expected of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from generated_pages import Counted, checked, count_cell, set_to
from rulewright.checks.model import CheckedBlock
from rulewright.play.validate import load_game_text
from strategies import GeneratedGame, aims_of, games, inputs_of, value_of

EXAMPLES = settings(max_examples=scale_examples(20), deadline=None, suppress_health_check=list(HealthCheck))
UNLIKELY = Fraction(1, 2000)
A_LITTLE = Fraction(1, 10**9)
Cell = Callable[[Counted], Fraction]

FALLING = """
title = "Falling"
[rules.roll.inputs]
n = { min = 0, max = 30, default = 0 }
[rules.roll.dice]
d = { sides = 6, again = { when = "face = 6", roll = "explode" } }
[rules.roll.steps]
luck = "sum(d) = 5"
total = "sum(d) + n"
mood = "if(sum(d) > 3, 'glad', 'sad')"
"""


def falling(*lines: str) -> CheckedBlock:
    game, problems = load_game_text(FALLING)
    assert game, problems
    return checked(game, "odds", *lines)


def test_what_is_so_or_not_is_1_or_0() -> None:
    found = falling("show: distribution of luck", "expect: luck 1 = 1/6", "expect: luck no = 5/6")
    assert found.status == "passed"
    assert found.odds
    assert (found.odds.columns, found.odds.cells) == (("0", "1"), ((Fraction(5, 6), Fraction(1, 6)),))


@pytest.mark.parametrize(("value", "status"), [("mood glad", "passed"), ("mood gald", "error"), ("mood 1", "error")])
def test_only_what_a_step_can_be_may_be_expected(value: str, status: str) -> None:
    found = falling("show: distribution of mood", f"expect: {value} = 50%")
    assert found.status == status


def test_a_value_far_out_has_its_own_chance() -> None:
    """6 nine times in a row, then 1: too rare for a row of its own, and neither 0 nor open."""
    rare = Fraction(1, 6**10)
    assert falling("show: distribution of total", f"expect: total 55 = {rare}").status == "passed"
    assert falling("show: distribution of total", "expect: total 55 = 0.000000000").status == "failed"


def test_in_no_row_a_value_is_0_that_may_come() -> None:
    found = falling("rows: n 0 10", "show: distribution of total").odds
    assert found
    for row, n in zip(found.cells, (0, 10), strict=True):
        assert sum(cell or 0 for cell in row) == 1
        for column, cell in zip(found.columns[:-1], row, strict=False):
            sixes, rest = divmod(int(column) - n, 6)
            assert cell == (Fraction(1, 6 ** (sixes + 1)) if rest and int(column) > n else 0)


def cells_of(data: st.DataObject, made: GeneratedGame) -> tuple[list[str], dict[str, Cell]]:
    """What a table shows: its lines, and what each column should be, by how a phrase names it."""
    rule = made.rule
    plain = [step.name for step in rule.steps if step.name != "mood"]
    shows: list[tuple[list[str], dict[str, Cell]]] = [
        (["columns: outcomes"], {f"outcome {one.name}": chance_of(one.name) for one in rule.outcomes})
    ]
    shows += [([f"show: chance of {one.name}"], {"": chance_of(one.name)}) for one in rule.outcomes]
    shows += [([f"show: mean {name}"], {"": mean_of(name)}) for name in plain]
    shows += [([f"show: mean degree of {one.name}"], {"": degree_of(one.name)}) for one in rule.outcomes if one.degree]
    return data.draw(st.sampled_from(shows))


def chance_of(name: str) -> Cell:
    return lambda counted: counted.chance(name) or Fraction(0)


def mean_of(name: str) -> Cell:
    return lambda counted: counted.mean(name)


def degree_of(name: str) -> Cell:
    return lambda counted: counted.mean_degree(name)


def drawn_rows(data: st.DataObject, made: GeneratedGame) -> dict[str, list[str]]:
    entries = (
        data.draw(st.lists(st.sampled_from(made.rule.inputs), max_size=2, unique=True)) if made.rule.inputs else []
    )
    return {
        entry.name: data.draw(st.lists(value_of(entry, 3), min_size=1, max_size=3, unique=True)) for entry in entries
    }


@EXAMPLES
@given(games(), st.data())
def test_each_cell_is_what_counting_gives(made: GeneratedGame, data: st.DataObject) -> None:
    inputs, aim = data.draw(inputs_of(made.rule)), data.draw(aims_of(made.rule))
    lines, columns = cells_of(data, made)
    axes = list(drawn_rows(data, made).items())[: 1 if lines[0] == "columns: outcomes" else 2]
    lines += [
        f"{side}: {name} {' '.join(values)}" for side, (name, values) in zip(("rows", "columns"), axes, strict=False)
    ]
    lines += [*set_to({name: value for name, value in inputs.items() if name not in dict(axes)})]
    lines += [f"aim: {aim}"] if aim else []
    cells = places(dict(axes))
    counted = {tuple(cell.values()): count_cell(made, {**inputs, **cell}, aim, UNLIKELY) for cell in cells}
    found = checked(made.game, "odds", *lines)
    if not found.odds:
        event("refused")
        return
    event("shown")
    wanted = [tuple(cell.values()) for cell in cells]
    flat = [cell for row in found.odds.values for cell in row]
    expected = [(cell, name, columns[name]) for cell in wanted for name in columns]
    assert len(flat) == len(expected)
    for shown, (cell, name, worth) in zip(flat, expected, strict=True):
        own = counted[cell]
        if shown is None or own is None or shown.exact is None:
            event("empty cell")
            continue
        assert shown.exact == worth(own), (lines, cell, name)
        assert_expected(made, lines, ", ".join([*phrase(dict(axes), cell), *([name] if name else [])]), shown.exact)


def places(axes: dict[str, list[str]]) -> list[dict[str, str]]:
    cells: list[dict[str, str]] = [{}]
    for name, values in axes.items():
        cells = [{**cell, name: value} for cell in cells for value in values]
    return cells


def phrase(axes: dict[str, Any], cell: tuple[str, ...]) -> list[str]:
    return [f"{name} {value}" for name, value in zip(axes, cell, strict=True)]


def assert_expected(made: GeneratedGame, lines: list[str], phrase: str, number: Fraction) -> None:
    """What is shown may be expected; what is off by a little may not."""
    if not phrase or max(number.numerator, number.denominator) > 10**14:
        return
    assert checked(made.game, "odds", *lines, f"expect: {phrase} = {number}").status == "passed"
    more = number + A_LITTLE
    if more.denominator < 10**15:
        found = checked(made.game, "odds", *lines, f"expect: {phrase} = {more}")
        assert found.status == "failed"
        assert [problem.fix and problem.fix.text for problem in found.problems] == [str(number)]


@EXAMPLES
@given(games(), st.data())
def test_each_share_of_a_distribution_is_what_counting_gives(made: GeneratedGame, data: st.DataObject) -> None:
    inputs, aim = data.draw(inputs_of(made.rule)), data.draw(aims_of(made.rule))
    step = data.draw(st.sampled_from([step.name for step in made.rule.steps]))
    counted = count_cell(made, inputs, aim, UNLIKELY)
    assume(counted is not None)
    assert counted
    lines = [*set_to(inputs), f"show: distribution of {step}", *([f"aim: {aim}"] if aim else [])]
    found = checked(made.game, "odds", *lines)
    if not found.odds:
        event("refused")
        return
    shares = {str(value): share for value, share in counted.ends.distribution(lambda end: end.value(step)).items()}
    assert dict(zip(found.odds.columns, found.odds.cells[0], strict=True)) == shares
    for value, share in shares.items():
        assert_expected(made, lines, f"{step} {value}", share)
