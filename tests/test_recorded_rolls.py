"""Recorded rolls of the five games: every result and every message, word for word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games import load_shipped_rule, rules_with_dice
from recorded_rolls import Case, case_text, play_case, read_cases, recheck_result
from rulewright.play.result import check_roll

ALL = list(read_cases())
RECORDS = json.loads((Path(__file__).parent / "data/vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.file}: {case.name}")
def test_case(case: Case, golden: Callable[[str, str], None]) -> None:
    golden(case.golden, case_text(case))


def test_names_are_unique() -> None:
    names = [case.golden for case in ALL]
    assert len(names) == len(set(names))


def test_no_golden_is_left_behind(golden_folder: Path) -> None:
    written = {path.relative_to(golden_folder).as_posix() for path in (golden_folder / "check").rglob("*.txt")}
    assert written == {case.golden for case in ALL}


@pytest.mark.parametrize("name", rules_with_dice())
def test_every_outcome_is_seen(name: str) -> None:
    results = [play_case(case)[0] for case in ALL if case.value("rule") == name]
    seen = {result.outcome.name for result in results if result and result.outcome}
    assert seen == {outcome.name for outcome in load_shipped_rule(name).outcomes}


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.file}: {case.name}")
def test_a_result_can_be_recorded_again(case: Case) -> None:
    result, complaints = play_case(case)
    if result and not complaints:
        again = recheck_result(result, case.inputs)
        assert (again.tallies, again.evaluation, again.faces) == (result.tallies, result.evaluation, result.faces)


def records(*kinds: str) -> list[Any]:
    wanted = [record for record in RECORDS if record["kind"] in kinds and "dice" in record and "given" not in record]
    return [pytest.param(record, id=record["id"]) for record in wanted]


@pytest.mark.parametrize("record", records("roll"))
def test_recorded_figures(record: dict[str, Any]) -> None:
    found = load_shipped_rule(f"{record['game']}/{record['rule']}")
    result, complaints = check_roll(found, record["inputs"], record["dice"], record.get("declined", 0))
    assert not complaints
    assert result
    outcome = result.outcome.name if result.outcome else None
    known = {**result.steps, "outcome": outcome, "degree": result.degree}
    assert {name: known[name] for name in record["expect"]} == record["expect"]


@pytest.mark.parametrize("record", records("problem"))
def test_recorded_problems(record: dict[str, Any]) -> None:
    _, complaints = check_roll(
        load_shipped_rule(f"{record['game']}/{record['rule']}"), record["inputs"], record["dice"]
    )
    assert complaints
