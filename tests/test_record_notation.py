"""Recorded dice in the ways that authors write them."""

from __future__ import annotations

import re

import pytest

from games import load_shipped_rule
from rulewright.play.result import check_roll


@pytest.mark.parametrize("record", ["10 2 3 4", "10, 2 || 3 4", "| 10 2 | 3 4 |", "010 02 3 4", "regular 10 2 | 3 4"])
def test_commas_bars_and_leading_zeros_change_nothing(record: str) -> None:
    inputs = {"pool": "2", "difficulty": "6", "specialty": "yes"}
    plain, _ = check_roll(load_shipped_rule("maelstrom/action"), inputs, "10 2 | 3 4")
    result, complaints = check_roll(load_shipped_rule("maelstrom/action"), inputs, record)
    assert result, complaints
    assert plain
    assert result.roll == plain.roll


@pytest.mark.parametrize(
    ("record", "why"), [("1 2 3", "nothing calls for"), ("1", "none is|only 1 is"), ("1 11", "11"), ("1 x", "x")]
)
def test_a_record_that_does_not_fit_is_refused(record: str, why: str) -> None:
    result, (complaint, *_) = check_roll(
        load_shipped_rule("maelstrom/action"), {"pool": "2", "difficulty": "6"}, record
    )
    assert result is None
    assert re.search(why, complaint.message)
