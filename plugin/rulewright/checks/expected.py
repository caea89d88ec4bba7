"""The `expect:` lines of an odds block: a phrase and the number that the table must have there."""

from __future__ import annotations

from ..book.model import Entry
from ..book.phrases import Item, parse_phrase
from ..game.model import Rule
from ..game.odds.answer import Chance, Spread
from ..game.program import program
from ..text import Fix, Span, suggest
from .amounts import Written, both_ways, read_number, said
from .answers import Answer, Answers, Refusal, Setup
from .claim_text import trimmed
from .events import Event, Quantity, outcomes_of
from .expect import number_in
from .model import trouble
from .odds_show import Show
from .opened import Opened
from .spreads import spread_over

FORM = "write expect: pool 5, difficulty 6 = 84.4%"


def check_expected(opened: Opened, show: Show, entry: Entry, answers: Answers, computing: bool) -> None:
    read = split(opened, entry)
    if read is None:
        return
    phrase, number = read
    items = parse_phrase(phrase)
    own = next((item for item in items if item.name.lower() == own_name(show)), None)
    setup = opened.with_phrase([item for item in items if item is not own])
    if setup is None or (missing := no_cell(setup, show, own)):
        if setup:
            opened.complain("block-value", missing, own.value_span if own else phrase)
        return
    answer = worked_out(setup, show, own, answers) if computing else number.exactly
    if isinstance(answer, Refusal):
        opened.complain("block-odds", f"this cannot be worked out: {answer.message}", phrase)
    elif not number.agrees(answer) and computing:
        differ(opened, show, number, answer)


def split(opened: Opened, entry: Entry) -> tuple[Span, Written] | None:
    """The phrase and the number on both sides of the last =."""
    whole = entry.value_span
    at = whole.text.rfind("=")
    if at < 0:
        opened.complain("block-value", "the number is missing that is expected", whole, FORM)
        return None
    place = trimmed(whole.part(at + 1, len(whole.text)))
    number = read_number(place)
    if number is None or number.point == ",":
        message = f"«{place.text}» is no number; write it like 84.4%, 0.844, 5/18 or 1 in 6"
        opened.complain("block-value", message if place.text else "the number behind = is missing", place)
        return None
    return trimmed(whole.part(0, at)), number


def own_name(show: Show) -> str:
    """The name by which a phrase says which of several columns is meant."""
    return {"outcomes": "outcome", "distribution": show.step.lower()}.get(show.way, "")


def no_cell(setup: Setup, show: Show, own: Item | None) -> str:
    """Why a phrase leaves open which cell it means."""
    if show.way not in ("outcomes", "distribution"):
        return ""
    name = own_name(show)
    known = outcomes_of(setup.rule)
    if own is None:
        example = known[0] if show.way == "outcomes" else "7"
        return f"it is not said of which {name}; write {name} {example} in front of the ="
    if show.way == "outcomes" and own.value.lower() not in {outcome.lower() for outcome in known}:
        return f"{setup.rule.name} has no outcome «{own.value}»; {suggest(own.value, known)}".rstrip("; ")
    if show.way == "distribution" and value_of(setup.rule, show.step, own.value) is None:
        return no_value(setup.rule, show.step, own.value)
    return ""


def worked_out(setup: Setup, show: Show, own: Item | None, answers: Answers) -> Answer:
    if show.quantity:
        return answers.single(show.quantity, setup)
    assert own
    if show.way == "outcomes":
        name = next(name for name in outcomes_of(setup.rule) if name.lower() == own.value.lower())
        return answers.single(Quantity("chance", Event((name,))), setup)
    value = value_of(setup.rule, show.step, own.value)
    assert value is not None
    spread = spread_over(answers, show.step, setup, [value])
    return spread if isinstance(spread, Refusal) else share(spread, value)


def value_of(rule: Rule, step: str, text: str) -> int | str | None:
    """A value of a step; None where it is none that the step can have by its kind."""
    worth = program(rule).bounds.values.get(step)
    if isinstance(worth, frozenset):
        return next((word for word in worth if word.lower() == text.lower()), None)
    return number_in(text)


def no_value(rule: Rule, step: str, text: str) -> str:
    worth = program(rule).bounds.values.get(step)
    if isinstance(worth, frozenset):
        return f"{step} cannot be «{text}»; {suggest(text, sorted(worth))}".rstrip("; ")
    return f"{step} is a whole number, not «{text}»"


def share(spread: Spread, value: int | str) -> Chance:
    """The chance of one value; what lies beyond the values that were counted stays open."""
    found = spread.values.get(value)
    if found is None:
        return Chance(0 * spread.beyond, spread.beyond + spread.unknown)
    return Chance(found, found + spread.unknown)


def differ(opened: Opened, show: Show, number: Written, answer: Chance) -> None:
    notes = (f"the rules: {both_ways(answer, show.is_chance, number.exactly)}",)
    text = number.like_this(answer.exact) if answer.exact is not None else ""
    message = f"the rules give {text or said(answer, show.is_chance, number.exactly)}, {number.text} is expected"
    problem = trouble(opened.block, "odds-expect", message, number.span, notes)
    opened.problems.append(problem._replace(fix=Fix(number.span, text) if text else None))
