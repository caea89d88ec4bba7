"""Rolls the dice of a side, and formats inputs, dice, steps and complaints for `roll` and `odds`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..api.describe import hidden_steps
from ..api.request import RuleRequest, Side, find_missing_inputs, key_of, usage
from ..game.core import PICKED, CoreStep
from ..game.formula import COMPARISONS
from ..game.inputs import bind_inputs, format_value
from ..game.model import Input, Rule, Step
from ..play.compiled_rule import compile_rule
from ..play.picked_dice import pick_highest
from ..play.record import RECORDS
from ..play.result import RenderedFace, Result, RollProblem
from ..render.text_width import screen_column, visible
from .rule_arguments import named_values
from .terminal import (
    COULD_NOT_RUN,
    INDENT,
    SOMETHING_WRONG,
    WIDTH,
    CommandError,
    Screen,
    join_parts,
    pad,
    screen_width,
    wrap,
)


def heading(request: RuleRequest, screen: Screen) -> str:
    return screen.heading(request.title, f"{request.game}/{request.rule.name}")


def input_lines(request: RuleRequest, screen: Screen) -> Iterator[str]:
    """The given inputs, then the defaults of the others; equal defaults of both sides are printed once."""
    sides = [(f"{side.name}: " if side.name else "", *_given_and_default(request, side)) for side in request.sides]
    alike = len(sides) == 2 and sides[0][2] == sides[1][2]
    for first, given, other in sides:
        yield from join_parts(given, ", ", first) if given else ()
        yield from _default_lines(other, " " * len(first) if given else first, screen) if other and not alike else ()
    if alike and sides[0][2]:
        yield from _default_lines(sides[0][2], "", screen)


def _default_lines(phrases: list[str], lead: str, screen: Screen) -> Iterator[str]:
    lines = join_parts(phrases, ", ", f"{lead}unless said otherwise: ", lead + INDENT)
    yield from (screen.paint(line, "quiet") for line in lines)


def _given_and_default(request: RuleRequest, side: Side) -> tuple[list[str], list[str]]:
    """The given inputs and the defaults of the others, as phrases."""
    values, named = bind_inputs(side.rule, side.inputs)[0], named_values(side.rule, side.inputs)
    phrases = {entry.name: _input_phrase(entry, values, named) for entry in side.rule.settings if entry.name in values}
    rest = phrases.keys() - side.inputs.keys() - {entry.name for entry in side.rule.inputs if not entry.label}
    if request.rule.contest:
        rest &= _relevant_inputs(side.rule, request.rule.contest.compare)
    given, other = ([text for name, text in phrases.items() if name in names] for names in (side.inputs, rest))
    return given, other


def _relevant_inputs(rule: Rule, step: str) -> set[str]:
    """The inputs on which a step depends."""
    compiled = compile_rule(rule)
    needed = compiled.dice_names | compiled.collect_dependencies([compiled.formulas[step]])
    return {entry.name for entry in rule.inputs if needed & {*entry.variable_names}}


def _input_phrase(entry: Input, values: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """An input with its value, such as "difficulty 9 (Hard)"."""
    name = f" ({named[entry.name]})" if entry.name in named else ""
    return f"{entry.name} {format_value(entry, values[entry.name])}{name}"


def complaint_error(request: RuleRequest, complaints: Iterable[RollProblem], side: Side | None = None) -> CommandError:
    """The error for complaints without a result; if an input is missing, it lists the inputs of the rule."""
    messages, sides = [], [side] if side else request.sides
    for complaint in complaints:
        missing = find_missing_inputs(sides, complaint.message)
        if missing:
            message = f"{' and '.join(missing)} must be given"
            return CommandError("\n".join([message, "", *_needed_inputs(sides)]), COULD_NOT_RUN)
        messages.append(format_complaint(complaint, side))
    return CommandError("\n".join(messages), SOMETHING_WRONG)


def format_complaint(complaint: RollProblem, side: Side | None = None) -> str:
    """Format a complaint with its side and, for given dice, carets below the place in the record."""
    about, part = f"{side.name}: " if side and side.name else "", complaint.part
    text = side.record.get(part, "") if side else ""
    if not text or part not in RECORDS:
        return f"{about}{complaint.message}".rstrip("; ")
    left, right = screen_column(text, complaint.start + 1), screen_column(text, complaint.end + 1)
    carets = " " * (len(part) + 1 + left) + "^" * max(right - left, 1)
    return "\n".join([about + complaint.message, f"{INDENT}{part}={visible(text)}", INDENT + carets])


def _needed_inputs(sides: Iterable[Side]) -> Iterator[str]:
    """The inputs of a rule with their allowed values and defaults."""
    for rule, rows in usage(sides):
        yield f"{rule.name} wants to know"
        room = max(len(name) for name, _ in rows) + 2
        for name, allowed in rows:
            yield from wrap(allowed, INDENT + pad(name, room))


def tie_line(rule: Rule) -> str:
    """What a contest does with a tie."""
    assert rule.contest
    compared = rule.contest.compare
    fate = {"first": "goes to first", "second": "goes to second", "again": "is rolled again", "none": "has no winner"}
    tie = f"a tie {fate[rule.contest.ties]}"
    return tie if compared in hidden_steps(rule.contest.of[0]) else f"compares {compared}; {tie}"


def is_condition(step: Step | CoreStep) -> bool:
    """Whether the value of a step is yes or no."""
    return step.formula.node.op in (*COMPARISONS, "and", "or", "not")


def step_value(step: Step | CoreStep, value: Any) -> str:
    return ("yes" if value else "no") if is_condition(step) and value is not None else str(value)


_MARKS = {"cancelled": ("x", "lost"), "removed": ("-", "lost"), "good": ("*", "good"), "bad": ("!", "bad")}
_UNCOUNTED_ROLES = ("rerolled", "dropped")
_MARK_MEANINGS = {"good": "good", "bad": "bad", "cancelled": "good, but cancelled", "removed": "good, but removed"}


def dice_groups(result: Result) -> list[tuple[str, list[list[RenderedFace]]]]:
    """The dice grouped by round and kind, each group with its name."""
    faces = [die for die in result.faces if die]
    groups = groupby(faces, key=lambda die: (die[0].round, die[0].kind, "earned" in die[0].roles))
    return [(f"earned: {kind}" if is_earned else kind, list(dice)) for (_, kind, is_earned), dice in groups]


def dice_lines(result: Result, screen: Screen, room: int) -> Iterator[str]:
    """All dice, and a legend of their marks."""
    groups = dice_groups(result)
    for name, dice in groups:
        yield from join_parts([_format_die(die, screen) for die in dice], "  ", f"{INDENT}{pad(name, room)}{INDENT}")
    legend = [*_legend_lines([die for _, dice in groups for die in dice])]
    if legend:
        yield from (screen.paint(line, "quiet") for line in join_parts(legend, "   ", INDENT + " " * room + INDENT))


def _format_die(die: Sequence[RenderedFace], screen: Screen) -> str:
    """The faces of a die, such as "7*", "6+4" or "(2) 5"; brackets are for faces that do not count."""
    parts = [(face, _format_face(face, screen)) for face in die]
    text = ""
    for face, part in parts:
        text += ("+" if "thrown on" in face.roles else " " if text else "") + part
    return text


def _format_face(face: RenderedFace, screen: Screen) -> str:
    if any(role in _UNCOUNTED_ROLES for role in face.roles):
        return screen.paint(f"({face.text})", "quiet")
    mark, style = next((_MARKS[role] for role in _MARKS if role in face.roles), ("", ""))
    return screen.paint(face.text + mark, style)


def _legend_lines(dice: Sequence[Sequence[RenderedFace]]) -> Iterator[str]:
    """The legend of the marks in use."""
    lying = [face for die in dice for face in die if not any(role in _UNCOUNTED_ROLES for role in face.roles)]
    used = {next((role for role in _MARKS if role in face.roles), "") for face in lying}
    yield from (f"{_MARKS[role][0]} {meaning}" for role, meaning in _MARK_MEANINGS.items() if role in used)
    if any("thrown on" in face.roles for die in dice for face in die):
        yield "a+b thrown on"
    if any("rerolled" in face.roles for die in dice for face in die):
        yield "( ) replaced"
    elif any("dropped" in face.roles for die in dice for face in die):
        yield "( ) not kept"


def aim_lines(names: Iterable[str]) -> Iterator[str]:
    """A line for each aim that explains it."""
    meaning = {"always": "optional dice are rolled", "never": "optional dice are declined"}
    for name in names:
        yield f"aim {name}: {meaning[name]}" if name in meaning else f"aim: {name}"


def questions(side: Side, result: Result) -> Iterator[str]:
    """Inputs that this roll depends on but that were not given, with the argument to write."""
    compiled = result.setting.program
    for name, entry in compiled.asked.items():
        known = entry.asked and compiled.collect_dependencies([entry.asked]) <= result.known.keys()
        if known and name not in side.inputs and name not in result.unasked_questions:
            key = key_of(side, name)
            now = result.known.get(name)
            others = [f"{key}={_quote(format_value(entry, value))}" for value in entry.options[:10] if value != now]
            if entry.form == PICKED:
                now, others = result.setting.values.get(name), [f'{key}="{pick_highest(result.setting, name)}"']
            sentence = f"{key} comes up here: it is {format_value(entry, now)} unless you write"
            if now is None:
                sentence = f"{key} is to be chosen here: write"
            elif entry.form == PICKED:
                sentence = f"{key} is picked by the aim; to pick by yourself write the dice, such as"
            yield from join_parts([*sentence.split(), " or ".join(others)], " ", "")


def _quote(value: str) -> str:
    """Quote a value for the shell."""
    return f'"{value}"' if " " in value else value


def step_lines(steps: Iterable[tuple[str, str]], room: int) -> Iterator[str]:
    """Each step as "formula → with values → result"; without the formula if the line is too long."""
    for name, worked in steps:
        lead = f"{INDENT}{pad(name, room)}{INDENT}"
        short = worked if screen_width(lead + worked) <= WIDTH else " → ".join(worked.split(" → ")[1:]) or worked
        yield from wrap(short, lead)


def record_lines(result: Result, given: Container[str] = ()) -> Iterator[str]:
    """The dice as lines of an example block, and the choices that are not given."""
    for name, entry in result.setting.program.asked.items():
        values = [own.setting.values.get(name) for own in result.rounds]
        if entry.is_choice and name not in given and any(value is not None for value in values):
            texts = ("" if value is None else format_value(entry, value) for value in values)
            yield f"{name}: {'; '.join(texts)}"
    if result.dice:
        yield f"dice: {result.dice}"
    if result.rerolled:
        yield f"rerolled: {result.rerolled}"
    if result.turned:
        yield f"turned: {result.turned}"
    if result.roll.declined:
        yield f"declined: {result.roll.declined}"
