"""The cases of tests/formulas.md, each through the parser, the check of names, compiled code and the ranges."""

from __future__ import annotations

import pytest

from formula_world import PAGE, Case, cases, over_points, played, result_of
from rulewright.game.intervals import exact_value

CASES = list(cases(PAGE.read_text("utf-8")))


def named(case: Case) -> str:
    return f"line {case.line}: {case.formula}"


def test_the_page_is_read() -> None:
    assert len(CASES) > 150
    assert all((case.gives is not None) + (case.stops is not None) + (case.wrong is not None) == 1 for case in CASES)


@pytest.mark.parametrize("case", [case for case in CASES if case.gives is not None], ids=named)
def test_what_it_gives(case: Case) -> None:
    rule, problems, _ = played(case.formula)
    assert rule, problems
    result, complaint = result_of(rule, case.inputs)
    assert result, complaint
    assert str(result.steps["answer"]) == case.gives
    assert over_points(result) == exact_value(result.steps["answer"])


@pytest.mark.parametrize("case", [case for case in CASES if case.stops is not None], ids=named)
def test_why_it_stops(case: Case) -> None:
    rule, problems, _ = played(case.formula)
    assert rule, problems
    result, complaint = result_of(rule, case.inputs)
    assert result is None
    assert complaint.startswith(f"{case.stops}")


@pytest.mark.parametrize("case", [case for case in CASES if case.wrong is not None], ids=named)
def test_what_is_wrong(case: Case) -> None:
    rule, problems, begin = played(case.formula)
    assert rule is None
    found = [(problem.span.start - begin, problem.span.end - begin, problem.message) for problem in problems]
    assert found == [case.wrong]
