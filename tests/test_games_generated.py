"""Random games: nothing crashes, and every roll can be recorded and checked."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from recorded_rolls import recheck_result
from rulewright.play.result import (
    Result,
    check_roll,
    derivation_lines,
    describe_outcome,
    dice_line,
    explain_result,
    roll_dice,
)
from rulewright.play.roll import RandomFaces, RandomGenerator
from strategies import GeneratedGame, games, inputs_of

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
EXAMPLES = settings(max_examples=scale_examples(80), deadline=None, suppress_health_check=SLOW)
SCRAWL = st.text("0123456789 +|-→>,[]x", max_size=30) | st.lists(
    st.sampled_from(("1", "2", "3", "6+1", "|", "red", "blue", "long die", "+", "x", "skull", "->", ",")), max_size=12
).map(" ".join)


def thrown(made: GeneratedGame, data: st.DataObject) -> tuple[Result | None, dict[str, str]]:
    inputs = data.draw(inputs_of(made.rule))
    faces = RandomFaces(
        RandomGenerator(data.draw(st.integers(0, 2**32 - 1))), data.draw(st.sampled_from(("always", "never")))
    )
    result, complaints = roll_dice(made.rule, inputs, faces)
    assert bool(result) != bool(complaints)
    return result, inputs


def everything(result: Result) -> list[Any]:
    """All that can be asked of a result."""
    told = [explain_result(result), derivation_lines(result), dice_line(result), describe_outcome(result)]
    return [*told, result.faces, result.marks, result.known, result.unasked_questions, result.dice, result.rerolled]


@EXAMPLES
@given(games(), st.data())
def test_every_roll_can_be_recorded(made: GeneratedGame, data: st.DataObject) -> None:
    result, inputs = thrown(made, data)
    if result:
        again = recheck_result(result, inputs)
        assert (again.dice, again.rerolled, again.tallies) == (result.dice, result.rerolled, result.tallies)
        assert (again.steps, again.outcome, again.degree) == (result.steps, result.outcome, result.degree)
        if not result.roll.rerolls:
            assert again.faces == result.faces


@EXAMPLES
@given(games(), st.data())
def test_nothing_crashes(made: GeneratedGame, data: st.DataObject) -> None:
    result, inputs = thrown(made, data)
    if result:
        assert everything(result)
    some = {name: value for name, value in inputs.items() if data.draw(st.booleans())}
    scrawl, rerolled = data.draw(SCRAWL), data.draw(SCRAWL)
    found, complaints = check_roll(made.rule, some, scrawl, data.draw(st.integers(-1, 3)), rerolled)
    assert found or complaints
    for complaint in complaints:
        text = {"dice": scrawl, "rerolled": rerolled}.get(complaint.part, "")
        assert 0 <= complaint.start <= complaint.end <= len(text)
        assert complaint.message
    if found:
        assert everything(found)
