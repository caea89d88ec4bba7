"""Claims about games that nobody thought of: what counting shows to be so passes, what is off by a little does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from generated_pages import Counted, checked, count_thrown, set_to
from rulewright.game.inputs import parse_value
from strategies import GeneratedGame, Names, aims_of, games, inputs_of, truth_formula, value_of

SLOW = list(HealthCheck)
EXAMPLES = settings(max_examples=scale_examples(15), deadline=None, suppress_health_check=SLOW)
UNLIKELY = Fraction(1, 2000)
A_LITTLE = Fraction(1, 10**9)


def open_to_claims(made: GeneratedGame) -> Names:
    """What a formula of a claim may name: inputs and steps."""
    rule = made.rule
    words = {entry.name: entry.choices for entry in rule.inputs if entry.form == "choice"}
    words |= {"mood": ("glad", "sad")} if any(step.name == "mood" for step in rule.steps) else {}
    plain = [name for entry in rule.inputs if entry.form != "choice" for name in entry.variable_names]
    return Names((*plain, *(step.name for step in rule.steps if step.name != "mood")), words)


def asked(data: st.DataObject, made: GeneratedGame) -> tuple[str, str, str]:
    """What is asked: `chance` or `mean`, of what, and given what."""
    rule = made.rule
    outcomes = [outcome.name for outcome in rule.outcomes]
    means = [step.name for step in rule.steps if step.name != "mood"]
    means += [f"degree of {outcome.name}" for outcome in rule.outcomes if outcome.degree]
    event_of = truth_formula(open_to_claims(made)) | st.lists(st.sampled_from(outcomes), min_size=1, unique=True).map(
        " or ".join
    )
    if data.draw(st.booleans()):
        return "chance", data.draw(event_of), data.draw(st.just("") | event_of)
    return "mean", data.draw(st.sampled_from(means)), ""


def worth(counted: Counted, word: str, what: str, condition: str) -> Fraction | None:
    if word == "chance":
        return counted.chance(what, condition)
    if what.startswith("degree of "):
        return counted.mean_degree(what.removeprefix("degree of "))
    return counted.mean(what)


def call(word: str, what: str, condition: str, phrase: str = "") -> str:
    return f"{word}({what}{f' | {condition}' if condition else ''}{f'; {phrase}' if phrase else ''})"


def passes(made: GeneratedGame, lines: list[str], statement: str) -> bool | None:
    """Whether a claim passes; None where it is refused with a plain word."""
    found = checked(made.game, "claim", *lines, statement)
    if found.status == "error":
        event("refused: " + found.problems[0].message[:60])
        return None
    fix = found.problems[0].fix if found.problems else None
    if fix:
        text = found.block.word.source.text
        mended = text[: fix.span.start] + fix.text + text[fix.span.end :]
        again = checked(made.game, "claim", *mended.splitlines()[3:-1])
        assert again.status == "passed", (statement, fix.text)
    return found.status == "passed"


def aim_of(data: st.DataObject, made: GeneratedGame) -> str:
    return data.draw(aims_of(made.rule))


def lines_of(inputs: Mapping[str, str], aim: str) -> list[str]:
    return [*set_to(inputs), *([f"aim: {aim}"] if aim else [])]


def assert_told(made: GeneratedGame, lines: list[str], statement: str, true: bool) -> None:
    said = passes(made, lines, statement)
    assert said in (None, true), (statement, lines, "is true" if true else "is false")


@EXAMPLES
@given(games(), st.data())
def test_one_number(made: GeneratedGame, data: st.DataObject) -> None:
    inputs, aim = data.draw(inputs_of(made.rule)), aim_of(data, made)
    question = asked(data, made)
    counted = count_thrown(made, inputs, aim, UNLIKELY)
    number = worth(counted, *question)
    lines = lines_of(inputs, aim)
    if number is None:
        assert passes(made, lines, f"{call(*question)} >= 0") is None
        return
    assume(max(number.numerator, number.denominator) < 10**14)
    said = passes(made, lines, f"{call(*question)} = {number}")
    if said is None:
        return
    event(question[0])
    assert said
    more, less = number + A_LITTLE, number - A_LITTLE
    for sign, true in (("=", False), ("<", True), ("<=", True), (">", False), (">=", False)):
        assume(max(more.numerator, more.denominator) < 10**15)
        assert_told(made, lines, f"{call(*question)} {sign} {more}", true)
        assert_told(made, lines, f"{less} {sign} {call(*question)}", true)
    for sign, true in (("<", False), ("<=", True), (">", False), (">=", True)):
        assert_told(made, lines, f"{call(*question)} {sign} {number}", true)
    assert_rounded(made, lines, call(*question), number, data.draw(st.integers(0, 4)))


def assert_rounded(made: GeneratedGame, lines: list[str], question: str, number: Fraction, places: int) -> None:
    """`~` holds for what it rounds to, and not for the neighbours."""
    rounded = round(number * 10**places)
    for off in (-1, 0, 1):
        written = decimal(rounded + off, places)
        near = abs(Fraction(rounded + off, 10**places) - number) <= Fraction(1, 2 * 10**places)
        assert_told(made, lines, f"{question} ~ {written}", near)
        if question.startswith("chance") and places >= 2:
            assert_told(made, lines, f"{question} ~ {decimal(rounded + off, places - 2)}%", near)


def decimal(number: int, places: int) -> str:
    text = str(abs(number)).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + (f"{text[:-places]}.{text[-places:]}" if places else text)


@EXAMPLES
@given(games(), st.data())
def test_ranges(made: GeneratedGame, data: st.DataObject) -> None:
    entries = list(made.rule.inputs)
    assume(entries)
    inputs, aim = data.draw(inputs_of(made.rule)), aim_of(data, made)
    names = data.draw(st.lists(st.sampled_from(entries), min_size=1, max_size=2, unique=True))
    values = [data.draw(st.lists(value_of(entry, 3), min_size=1, max_size=3, unique=True)) for entry in names]
    question = asked(data, made)
    axes = {entry.name: cells for entry, cells in zip(names, values, strict=True)}
    numbers: dict[tuple[str, ...], Any] = {}
    for cell in product(*values):
        at = {**inputs, **dict(zip(axes, cell, strict=True))}
        numbers[cell] = worth(count_thrown(made, at, aim, UNLIKELY), *question)
    assume(all(number is not None for number in numbers.values()))
    lines = lines_of({name: value for name, value in inputs.items() if name not in axes}, aim)
    ranges = ", ".join(f"{name} {' '.join(cells)}" for name, cells in axes.items())
    for number in (min(numbers.values()), max(numbers.values())):
        assume(max(number.numerator, number.denominator) < 10**14)
        for sign in ("<", "<=", "=", ">=", ">"):
            true = all(compared(one, sign, number) for one in numbers.values())
            assert_told(made, lines, f"{call(*question)} {sign} {number} for {ranges}", true)
    *others, along = axes
    behind = ", ".join(f"{name} {' '.join(axes[name])}" for name in others)
    entry = names[-1]
    upward = (
        axes[along] if entry.form == "choice" else sorted(axes[along], key=lambda text: parse_value(entry, text)[0])
    )
    runs = [[numbers[(*cell, last)] for last in upward] for cell in product(*(axes[name] for name in others))]
    for word, sign in (("rises", "<="), ("falls", ">=")):
        true = all(compared(one, sign, other) for run in runs for one, other in pairwise(run))
        statement = f"{call(*question)} {word} with {along} {' '.join(axes[along])}"
        assert_told(made, lines, statement + (f" for {behind}" if behind else ""), true)
    event("varies" if len(set(numbers.values())) > 1 else "the same throughout")
    assert_sides(made, inputs, aim, question, axes, numbers)


def assert_sides(
    made: GeneratedGame,
    inputs: Mapping[str, str],
    aim: str,
    question: tuple[str, str, str],
    axes: Mapping[str, Sequence[str]],
    numbers: Mapping[tuple[str, ...], Fraction],
) -> None:
    """Two cells held against each other by phrases, one of them standing and one running."""
    (first, one), *_, (last, other) = [*numbers.items(), *numbers.items()]
    left, right = (
        ", ".join(f"{name} {value}" for name, value in zip(axes, cell, strict=True)) for cell in (first, last)
    )
    lines = lines_of(inputs, aim)
    for sign in ("<", "<=", "=", ">=", ">"):
        statement = f"{call(*question, left)} {sign} {call(*question, right)}"
        assert_told(made, lines, statement, compared(one, sign, other))
        ranges = ", ".join(f"{name} {' '.join(cells)}" for name, cells in axes.items())
        true = all(compared(one, sign, number) for number in numbers.values())
        assert_told(made, lines, f"{call(*question, left)} {sign} {call(*question)} for {ranges}", true)


def compared(one: Fraction, sign: str, other: Fraction) -> bool:
    return {"<": one < other, "<=": one <= other, "=": one == other, ">=": one >= other, ">": one > other}[sign]
