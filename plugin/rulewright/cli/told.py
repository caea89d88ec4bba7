"""What every command says about a rule: its title, its inputs, and which of them are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..game.inputs import bind, shown
from ..game.model import Input, Rule, Step
from ..game.program import program, test_functions
from ..game.result import Complaint
from ..game.tree import COMPARISONS
from ..publish.columns import column, visible
from .screen import INDENT, Screen, fold, pad, wrap
from .stop import COULD_NOT_RUN, SOMETHING_WRONG, Stop
from .words import RECORD, Asked, Side, key_of, named_values

MISSING = " must be given"


def heading(asked: Asked, screen: Screen) -> str:
    return screen.heading(asked.title, f"{asked.game}/{asked.rule.name}")


def input_lines(asked: Asked, screen: Screen) -> Iterator[str]:
    """What was said, and below it what holds because nothing was; once for both sides where it is the same."""
    sides = [(f"{side.name}: " if side.name else "", *said_and_other(asked, side)) for side in asked.sides]
    alike = len(sides) == 2 and sides[0][2] == sides[1][2]
    for first, said, other in sides:
        yield from fold(said, ", ", first) if said else ()
        yield from others(other, " " * len(first) if said else first, screen) if other and not alike else ()
    if alike and sides[0][2]:
        yield from others(sides[0][2], "", screen)


def others(phrases: list[str], lead: str, screen: Screen) -> Iterator[str]:
    lines = fold(phrases, ", ", f"{lead}unless said otherwise: ", lead + INDENT)
    yield from (screen.paint(line, "quiet") for line in lines)


def said_and_other(asked: Asked, side: Side) -> tuple[list[str], list[str]]:
    """The inputs that were given, and the defaults of those that were not."""
    values, named = bind(side.rule, side.inputs)[0], named_values(side.rule, side.inputs)
    told = {entry.name: phrase(entry, values, named) for entry in side.rule.inputs if entry.name in values}
    rest = told.keys() - side.inputs.keys()
    if asked.rule.contest:
        rest &= compared(side.rule, asked.rule.contest.compare)
    said, other = ([text for name, text in told.items() if name in names] for names in (side.inputs, rest))
    return said, other


def compared(rule: Rule, step: str) -> set[str]:
    """The inputs that matter where only one step counts."""
    made = program(rule)
    dice = [part for kind in rule.dice for part in (kind.count, kind.sides, *test_functions(kind).values())]
    rerolls = [part for reroll in rule.rerolls for part in (reroll.times, reroll.when)]
    needed = made.needed(filter(None, [made.formulas[step], *dice, *rerolls]))
    return {entry.name for entry in rule.inputs if needed & {*entry.variables}}


def phrase(entry: Input, values: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """«difficulty 9 (Hard)»."""
    name = f" ({named[entry.name]})" if entry.name in named else ""
    return f"{entry.name} {shown(entry, values[entry.name])}{name}"


def plain_inputs(asked: Asked) -> dict[str, Any]:
    """All inputs as data: numbers and flags as such, everything else as it is written."""
    found = {}
    for side in asked.sides:
        values = bind(side.rule, side.inputs)[0]
        for entry in side.rule.inputs:
            if entry.name in values:
                found[key_of(side, entry.name)] = plain(entry, values[entry.name])
    return found


def plain(entry: Input, value: Any) -> Any:
    if entry.form == "flag":
        return bool(value)
    return value if entry.form == "number" else shown(entry, value)


def stop(asked: Asked, complaints: Iterable[Complaint], side: Side | None = None) -> Stop:
    """Nothing can be said; where an input is missing, the inputs of the rule are listed."""
    messages, sides = [], [side] if side else asked.sides
    for complaint in complaints:
        missing = missing_inputs(sides, complaint.message)
        if missing:
            said = f"{' and '.join(missing)} must be given"
            return Stop("\n".join([said, "", *wanted(sides)]), COULD_NOT_RUN)
        messages.append(told(complaint, side))
    return Stop("\n".join(messages), SOMETHING_WRONG)


def missing_inputs(sides: Iterable[Side], message: str) -> list[str]:
    """The inputs without a value that a complaint asks for, by their own names or those that formulas use."""
    if not message.endswith(MISSING):
        return []
    names = set(message.removesuffix(MISSING).split(", "))
    return [
        key_of(side, entry.name)
        for side in sides
        for entry in side.rule.inputs
        if entry.name not in bind(side.rule, side.inputs)[0]
        and {entry.name, key_of(side, entry.name), *entry.variables} & names
    ]


def told(complaint: Complaint, side: Side | None = None) -> str:
    """A complaint, with the side it is about, and the place in the record."""
    about, part = f"{side.name}: " if side and side.name else "", complaint.part
    text = side.record.get(part, "") if side else ""
    if not text or part not in RECORD[:2]:
        return f"{about}{complaint.message}".rstrip("; ")
    left, right = column(text, complaint.start + 1), column(text, complaint.end + 1)
    carets = " " * (len(part) + 1 + left) + "^" * max(right - left, 1)
    return "\n".join([about + complaint.message, f"{INDENT}{part}={visible(text)}", INDENT + carets])


def wanted(sides: Iterable[Side]) -> Iterator[str]:
    """The inputs of a rule, what each may be, and what it is when nothing is said."""
    for rule in dict.fromkeys(side.rule for side in sides):
        yield f"{rule.name} wants to know"
        room = max(len(entry.name) for entry in rule.inputs) + 2
        for entry in rule.inputs:
            yield from wrap(allowed(entry), INDENT + pad(entry.name, room))


def allowed(entry: Input) -> str:
    """«2 to 10; 6 unless said otherwise»."""
    names = f", or {', '.join(entry.names.names)}" if entry.names else ""
    choice = {
        "number": f"{entry.least} to {entry.most}{names}",
        "flag": "yes or no",
        "choice": " or ".join(entry.choices),
        "die": ", ".join(f"d{sides}" if sides else "none" for sides in entry.dice),
        "code": f"a die code such as {entry.least}D+1",
    }[entry.form]
    return choice + (f"; {shown(entry, entry.default)} unless said otherwise" if entry.default is not None else "")


def ties(rule: Rule) -> str:
    """What a contest does with a tie."""
    assert rule.contest
    fate = {"first": "goes to first", "second": "goes to second", "again": "is thrown again", "none": "has no winner"}
    return f"compared is {rule.contest.compare}; a tie {fate[rule.contest.ties]}"


def is_condition(step: Step) -> bool:
    """Whether a step says yes or no."""
    return step.formula.node.op in (*COMPARISONS, "and", "or", "not")


def step_value(step: Step, value: Any) -> str:
    return ("yes" if value else "no") if is_condition(step) and value is not None else str(value)
