"""Examples of games that nobody thought of: every roll as it fell passes, with one number changed it does not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from generated_pages import checked, page_of, set_to
from oracle import FAILED, RollResult, TooManyRollsError, possible_results
from rulewright.checks.scene import read_scene
from rulewright.checks.stated_results import free_inputs
from rulewright.game.inputs import format_value
from rulewright.game.model import Rule
from rulewright.play.result import Result, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator
from rulewright.play.validate import load_game_text
from rulewright.source import Problem
from strategies import GeneratedGame, games, inputs_of

EXAMPLES = settings(max_examples=scale_examples(25), deadline=None, suppress_health_check=list(HealthCheck))
UNLIKELY = Fraction(1, 1000)


def rolled(made: GeneratedGame, data: st.DataObject, inputs: Mapping[str, str]) -> Result:
    faces = RandomFaces(
        RandomGenerator(data.draw(st.integers(0, 2**32 - 1))), data.draw(st.sampled_from(("always", "never")))
    )
    result, _ = roll_dice(made.rule, inputs, faces)
    assume(result is not None)
    assert result
    return result


def recorded(result: Result, inputs: Mapping[str, str]) -> list[str]:
    """The roll as a book would record it."""
    lines = set_to({name: value for name, value in inputs.items() if name not in result.unasked_questions})
    lines.append(f"dice: {result.dice}")
    lines += [f"rerolled: {result.rerolled}"] if result.rerolled else []
    return [*lines, *([f"declined: {result.roll.declined}"] if result.roll.declined else [])]


def came_to(result: Result) -> list[str]:
    """Everything that can be said of what came of a roll."""
    lines = [f"{name}: {value}" for name, value in result.steps.items()]
    lines += [f"outcome: {result.outcome.name}"] if result.outcome else []
    return [*lines, *([f"degree: {result.degree}"] if result.degree is not None else [])]


def spoiled(line: str, rule: Rule, data: st.DataObject) -> str:
    """The same line with something else in it."""
    key, _, value = line.partition(": ")
    if key == "outcome":
        others = [outcome.name for outcome in rule.outcomes if outcome.name != value]
        assume(others)
        return f"{key}: {data.draw(st.sampled_from(others))}"
    if key == "mood":
        return f"{key}: {'sad' if value == 'glad' else 'glad'}"
    return f"{key}: {int(value) + data.draw(st.sampled_from((-10, -1, 1, 2)))}"


def mended(lines: Sequence[str], made: GeneratedGame, problems: Sequence[Problem]) -> list[str]:
    """The block with every fix, or the answer that the note names, written into it."""
    text = page_of(made.game, "example", *lines).page.source.text
    for problem in sorted(problems, key=lambda one: -one.span.start):
        assert not (problem.fix and problem.code in ("example-outcome", "example-degree"))
        named = re.match(r"either write `(\w+): (.*?)` and correct the sentences around it", problem.notes[-1])
        assert problem.fix or named, problem.message
        new = problem.fix.text if problem.fix else named[2] if named else ""
        text = text[: problem.span.start] + new + text[problem.span.end :]
    return text.splitlines()[3:-1]


TOLD = """
title = "Told"
[rules.roll.inputs]
n = { min = 1, max = 30, default = 2 }
[rules.roll.dice]
red = { count = "n", sides = 6 }
wild = { sides = 6, again = { when = "face = 6", roll = "explode", optional = "1" } }
[rules.roll.steps]
many = "count(red)"
total = "sum(wild)"
left = "1000 - total"
both = "total + highest(red)"
"""


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["given: total 6"], "passed"),  # a 6 that was not thrown on
        (["given: total 0"], "failed"),
        (["given: many 7"], "passed"),  # of the inputs that are left out all values are tried
        (["given: many 31"], "failed"),
        (["given: left 900"], "passed"),  # far out, yet it can be
        (["n: 2", "given: left 1000"], "failed"),
        (["dice: wild 5", "given: both 11"], "passed"),
        (["dice: wild 5", "given: both 12"], "failed"),  # the dice that are shown leave no 7
    ],
)
def test_what_is_told_and_can_be(lines: list[str], status: str) -> None:
    game, problems = load_game_text(TOLD)
    assert game, problems
    found = checked(game, "example", *lines)
    assert found.status == status, [problem.message for problem in found.problems]


HALF = """
title = "Half"
[rules.roll.inputs]
n = { min = 1, max = 30, default = 2 }
[rules.roll.dice]
red = { count = 3, sides = 6 }
[rules.roll.steps]
half = "up(n / 2)"
low = "count(red: face <= half)"
high = "count(red: face > 4)"
"""


def test_an_input_that_is_left_out_may_decide_by_way_of_a_step() -> None:
    """With n 12 every face is low and may be high."""
    game, problems = load_game_text(HALF)
    assert game, problems
    assert checked(game, "example", "given: low 3, high 3").status == "passed"
    assert checked(game, "example", "n: 2", "given: low 3, high 3").status == "failed"


@EXAMPLES
@given(games(), st.data())
def test_a_roll_passes_as_it_fell_and_with_nothing_changed(made: GeneratedGame, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(made.rule))
    result = rolled(made, data, inputs)
    lines, expected = recorded(result, inputs), came_to(result)
    assume(expected)
    found = checked(made.game, "example", *lines, *expected)
    assert found.status == "passed", [problem.message for problem in found.problems]
    place = data.draw(st.integers(0, len(expected) - 1))
    wrong = [*expected[:place], spoiled(expected[place], made.rule, data), *expected[place + 1 :]]
    found = checked(made.game, "example", *lines, *wrong)
    assert found.status == "failed"
    assert mended([*lines, *wrong], made, found.problems) == [*lines, *expected]


@EXAMPLES
@given(games(), st.data())
def test_a_what_if_that_changes_nothing_is_the_same(made: GeneratedGame, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(made.rule))
    result = rolled(made, data, inputs)
    lines, expected = recorded(result, inputs), came_to(result)
    assume(expected)
    stated = [name for name in inputs if name not in result.unasked_questions]
    again = set_to(
        {name: inputs[name] for name in data.draw(st.lists(st.sampled_from(stated), unique=True))} if stated else {}
    )
    found = checked(made.game, "example", *lines, *expected, "instead:", *again, *expected)
    assert found.status == "passed", [problem.message for problem in found.problems]
    wrong = [spoiled(expected[0], made.rule, data), *expected[1:]]
    assert checked(made.game, "example", *lines, *expected, "instead:", *again, *wrong).status == "failed"


@EXAMPLES
@given(games(), st.data())
def test_a_what_if_gives_what_the_same_dice_give_on_their_own(made: GeneratedGame, data: st.DataObject) -> None:
    inputs, others = data.draw(inputs_of(made.rule)), data.draw(inputs_of(made.rule))
    assume(made.rule.inputs)
    result = rolled(made, data, inputs)
    lines, expected = recorded(result, inputs), came_to(result)
    assume(expected and not result.roll.rerolls and not result.roll.declined)
    name = data.draw(st.sampled_from([entry.name for entry in made.rule.inputs]))
    changed = {
        **{key: value for key, value in inputs.items() if key not in result.unasked_questions},
        name: others[name],
    }
    alone = checked(made.game, "example", *set_to(changed), f"dice: {result.dice}", f"{expected[0]}")
    assume(alone.moves and alone.status in ("passed", "failed"))
    own = alone.moves[0].result
    assert own
    assume(not own.roll.declined)
    found = checked(made.game, "example", *lines, *expected, "instead:", f"{name}: {others[name]}", *came_to(own))
    event("another result" if came_to(own) != expected else "the same result")
    assert found.status == "passed", [problem.message for problem in found.problems]


@EXAMPLES
@given(games(), st.data())
def test_a_value_taken_over_is_that_value(made: GeneratedGame, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(made.rule))
    first, second = rolled(made, data, inputs), rolled(made, data, inputs)
    assume(came_to(first) and came_to(second) and made.rule.inputs)
    entry = data.draw(st.sampled_from(made.rule.inputs))
    known = [
        one for one in made.rule.inputs if one.name not in first.unasked_questions
    ]  # the others are not written down
    values: dict[str, Any] = {one.name: format_value(one, first.setting.values[one.name]) for one in known}
    values |= dict(first.steps)
    taken = data.draw(st.sampled_from(list(values)))
    written = str(values[taken])
    if entry.form == "flag":
        written = {"1": "yes", "0": "no"}.get(written, written)
    rest = set_to(
        {name: value for name, value in inputs.items() if name != entry.name and name not in first.unasked_questions}
    )
    start = [*recorded(first, inputs), *came_to(first), "then:", *rest]
    end = [f"dice: {second.dice}", *([f"rerolled: {second.rerolled}"] if second.rerolled else []), *came_to(second)]
    plain = checked(made.game, "example", *start, f"{entry.name}: {written}", *end)
    over = checked(made.game, "example", *start, f"{entry.name}: = {taken}", *end)
    event(plain.status)
    assert (plain.status, [move.steps for move in plain.moves]) == (over.status, [move.steps for move in over.moves])
    assert [one.message for one in plain.problems] == [one.message for one in over.problems]


def all_ends(made: GeneratedGame, inputs: Mapping[str, str]) -> set[RollResult]:
    """All ends under these inputs; nothing where no dice can be thrown."""
    try:
        ends = possible_results(made.text, "roll", inputs, UNLIKELY)
    except TooManyRollsError:
        ends = None
    assume(ends is not None)
    assert ends is not None
    return set() if any(FAILED in (end.outcome, *dict(end.steps).values()) for end in ends) else ends


def settings_of(made: GeneratedGame, texts: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The stated inputs with all values of those that are free."""
    around = page_of(made.game, "example", *set_to(texts), "given: step0 0")
    block = around.page.blocks[0]
    scene, _ = read_scene(block, block.parts[0], around, None, None)
    assert scene
    free = free_inputs(scene, replace(made.rule, rerolls=()))  # these make nothing possible that was not
    defaults = {entry.name: format_value(entry, entry.default) for entry in made.rule.inputs}
    columns = {entry.name: every(entry) for entry in free}
    for cells in product(*columns.values()):
        yield {**defaults, **texts, **dict(zip(columns, cells, strict=True))}


def every(entry: Any) -> list[str]:
    values: dict[str, Sequence[Any]] = {
        "number": range(entry.least, entry.most + 1),
        "flag": (False, True),
        "choice": entry.choices,
        "die": entry.dice,
        "code": [(dice, pips) for dice in range(entry.least, entry.most + 1) for pips in range(3)],
    }
    return [format_value(entry, value) for value in values[entry.form]]


@EXAMPLES
@given(games(), st.data())
def test_what_is_told_passes_where_a_throw_gives_it_and_only_there(made: GeneratedGame, data: st.DataObject) -> None:
    rule = made.rule
    inputs = data.draw(inputs_of(rule, 2))
    texts = {name: value for name, value in inputs.items() if data.draw(st.booleans())}
    names = [step.name for step in rule.steps]
    told = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    values = list(settings_of(made, texts))
    assume(len(values) <= 12)
    ends = {end for one in values for end in all_ends(made, one)}
    assume(ends)
    rows = sorted({tuple(end.value(name) for name in told) for end in ends}, key=str)
    row = data.draw(st.sampled_from(rows))
    assert_told(made, texts, dict(zip(told, row, strict=True)), True)
    near = tuple(value if isinstance(value, str) else value + data.draw(st.integers(-2, 2)) for value in row)
    assert_told(made, texts, dict(zip(told, near, strict=True)), near in rows)
    if len(values) == 1:
        assert_follows(made, texts, dict(zip(told, row, strict=True)), ends)


def assert_told(made: GeneratedGame, texts: Mapping[str, str], given: Mapping[str, Any], can_be: bool) -> None:
    phrase = ", ".join(f"{name} {value}" for name, value in given.items())
    found = checked(made.game, "example", *set_to(texts), f"given: {phrase}")
    event(f"{found.status}, {can_be}")
    wrong = [problem for problem in found.problems if problem.code == "example-given"]
    messages = [problem.message for problem in found.problems]
    if can_be:
        shown = [one for one in wrong if not one.message.startswith("what is shown gives")]
        assert not shown, (texts, given, messages)
    else:
        assert wrong or found.status == "error", (texts, given)


def assert_follows(
    made: GeneratedGame, texts: Mapping[str, str], given: Mapping[str, Any], ends: set[RollResult]
) -> None:
    """What is worked out from what is told is so wherever that is so."""
    phrase = ", ".join(f"{name} {value}" for name, value in given.items())
    found = checked(made.game, "example", *set_to(texts), f"given: {phrase}")
    fitting = [end for end in ends if all(end.value(name) == value for name, value in given.items())]
    for move in found.moves:
        for name, value in move.steps.items():
            assert value is None or {end.value(name) for end in fitting} == {value}, (given, name, value)
        assert move.outcome is None or {end.outcome for end in fitting} == {move.outcome}
        assert move.degree is None or {end.degree for end in fitting} == {move.degree}
