"""The odds block: computes a table of chances, means or a distribution, and checks the `expect:` entries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ..book.entries import Item, parse_phrase
from ..book.page import Block, Entry
from ..game.model import Rule
from ..odds.answer import side_of
from ..odds.distribution import AROUND, BELOW, Chance, Spread
from ..odds.plan import Question
from ..play.compiled_rule import program
from ..source import Fix, Span, suggest
from .amounts import Written, both_ways, read_number, said
from .claim_parser import trimmed
from .expectations import number_in
from .model import Around, Checked, OddsTable, closed, is_skipped, trouble
from .questions import (
    Answer,
    Answers,
    Event,
    Quantity,
    Refusal,
    Setup,
    Wrong,
    bare,
    by_value,
    guarded,
    is_single,
    outcomes_of,
    read_chance,
    read_degree,
    read_step,
    size,
    too_many,
    whole_table,
)
from .settings import Axis, Opened, open_block, read_axis

SMALLEST_REST = Fraction(1, 10_000)  # the largest tail that a distribution may leave out
FURTHER = (8, 16, 32, 64, 128)
MOST_VALUES = 150  # for a distribution without a greatest value


def spread(answers: Answers, step: str, setup: Setup) -> Spread | Refusal:
    """The distribution of a step, computed until the tail is small."""
    for least in FURTHER:
        found = guarded(partial(spread_upto, answers, step, setup, least))
        if isinstance(found, Refusal) or found.beyond <= SMALLEST_REST:
            break
    return found


def spread_upto(answers: Answers, step: str, setup: Setup, least: int) -> Spread:
    odds = answers.odds(bare(setup))
    formula = odds.setting.program.formulas[step]
    found = odds.solver.gather(Question((), (formula,)), least)
    if not found.beyond or not setup.is_free:
        return odds.spread(step)
    known = [int(value) for _, value in found.weights]
    shares = chances(step, setup, tuple(range(min(known), max(known) + 1)[:MOST_VALUES]))
    side = side_of([far.bounds[0] for far in found.beyond if far.fixed is None], known)
    return cut({value: share for value, share in shares.items() if share}, side)


def chances(step: str, setup: Setup, values: tuple[int, ...]) -> dict[int, Fraction]:
    """The chance of each of these values of a step."""
    row = whole_table(replace(setup, rule=by_value(setup.rule, step, values)), {})[()]
    assert not isinstance(row, Refusal)
    return {value: row[str(value)].low for value in values}


def cut(shares: dict[int, Fraction], side: str) -> Spread:
    """Cuts values off the open end of a distribution while the tail stays small."""
    beyond = 1 - sum(shares.values(), Fraction(0))
    for value in sorted(shares, reverse=side != BELOW):
        if beyond + shares[value] > SMALLEST_REST:
            break
        beyond += shares.pop(value)
    return Spread(shares, beyond, Fraction(0), side)


def spread_over(answers: Answers, step: str, setup: Setup, values: Iterable[int | str]) -> Spread | Refusal:
    """The distribution of a step, with these values listed even if they are in the tail."""
    found = spread(answers, step, setup)
    if isinstance(found, Refusal) or not found.beyond or found.unknown or not setup.is_free:
        return found
    further = tuple(value for value in values if isinstance(value, int) and value not in found.values)
    return guarded(partial(told_apart, found, step, setup, further)) if further else found


def told_apart(found: Spread, step: str, setup: Setup, further: tuple[int, ...]) -> Spread:
    """Moves values from the tail of a distribution into its list."""
    more = chances(step, setup, further)
    return found._replace(values={**found.values, **more}, beyond=found.beyond - sum(more.values(), Fraction(0)))


SHOW = re.compile(r"(chance of|mean degree of|mean|distribution of)\s+(\S.*)", re.IGNORECASE | re.DOTALL)
WAYS = "chance of OUTCOME, mean STEP, mean degree of OUTCOME, distribution of STEP, or no"
NOTHING = "this rule has neither outcomes nor steps, so there are no odds to show"


@dataclass(frozen=True, slots=True)
class Show:
    """What a table shows: `quantity` in each cell, the distribution of `step`, or the chance of every outcome."""

    way: str  # chance, mean, degree, distribution, outcomes
    of: str
    quantity: Quantity | None = None
    step: str = ""

    @property
    def is_chance(self) -> bool:
        return self.way in ("chance", "distribution", "outcomes")


def read_show(opened: Opened, setup: Setup, by_outcome: bool) -> Show | None:
    entry = opened.block.get("show")
    hidden = entry is not None and entry.value.lower() == "no"
    if entry is None or hidden:
        found = Show("outcomes", "") if by_outcome else usual(setup.rule)
        if found is None:
            opened.complain("block-odds", NOTHING, opened.block.word)
        return found
    if by_outcome:
        message = "each column is an outcome already; leave show out, or the columns"
        opened.complain("block-odds", message, entry.value_span)
        return None
    said = SHOW.fullmatch(entry.value)
    if not said:
        opened.complain("block-value", f"«{entry.value}» cannot be shown; write {WAYS}", entry.value_span)
        return None
    shown = understood(setup.rule, said[1].lower(), entry.value_span.part(*said.span(2)))
    if isinstance(shown, Wrong):
        opened.complain("block-value", shown.message, shown.span)
        return None
    return shown


def usual(rule: Rule) -> Show | None:
    """The default for `show:`: the chance of the first outcome, otherwise the mean of the last step."""
    outcomes = outcomes_of(rule)
    if outcomes:
        return Show("chance", outcomes[0], Quantity("chance", Event((outcomes[0],))))
    if rule.steps:
        return Show("mean", rule.steps[-1].name, Quantity("mean", name=rule.steps[-1].name))
    return None


def understood(rule: Rule, way: str, what: Span) -> Show | Wrong:
    if way == "distribution of":
        if rule.contest:
            return Wrong("a contest has no steps of its own; show the distribution of the rule it is about", what)
        step = read_step(rule, what)
        return step if isinstance(step, Wrong) else Show("distribution", step.name, step=step.name)
    readers = {"chance of": read_chance, "mean degree of": read_degree, "mean": read_step}
    quantity = readers[way](rule, what)
    if isinstance(quantity, Wrong):
        return quantity
    return Show(quantity.show, quantity.name or what.text, quantity)


MOST_COLUMNS = 200
ODDS_CELLS_NOTHING = Fraction(0)


@dataclass(frozen=True)
class Layout:
    """What a table shows, its style, and its axes, before values are computed."""

    show: Show
    look: str
    rows: Axis | None
    columns: Axis | None


def fill(layout: Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """Computes the table; a refusal if no cell can be computed."""
    if layout.show.way == "distribution":
        return distribution(layout, setup, answers)
    columns = column_labels(layout, setup)
    lines = [line(layout, setup, answers, name, columns) for name in row_labels(layout)]
    return finished(layout, columns, lines)


def row_labels(layout: Layout) -> tuple[str, ...]:
    return layout.rows.values if layout.rows else ("",)


def column_labels(layout: Layout, setup: Setup) -> tuple[str, ...]:
    if layout.show.way == "outcomes":
        return tuple(outcomes_of(setup.rule))
    return layout.columns.values if layout.columns else (layout.show.of,)


def line(layout: Layout, setup: Setup, answers: Answers, row: str, columns: tuple[str, ...]) -> list[Answer]:
    """Computes one row; `answers` caches the table that all rows share."""
    axes = {axis.name: axis.values for axis in (layout.rows, layout.columns) if axis}
    found = []
    for column in columns:
        quantity = layout.show.quantity or Quantity("chance", Event((column,)))
        cell = ((row,) if layout.rows else ()) + ((column,) if layout.columns else ())
        found.append(answers.table(quantity, setup, axes)[cell])
    return found


def finished(layout: Layout, columns: tuple[str, ...], lines: list[list[Answer]]) -> OddsTable | Refusal:
    """Builds the table; refused cells stay empty, and a refusal is returned if all of them are refused."""
    refusals = [answer for answers in lines for answer in answers if isinstance(answer, Refusal)]
    if refusals and len(refusals) == sum(map(len, lines)):
        return refusals[0]
    show, rows = layout.show, layout.rows
    values = [tuple(None if isinstance(answer, Refusal) else answer for answer in answers) for answers in lines]
    return OddsTable(
        show="chance" if show.way == "outcomes" else show.way,
        of=show.of,
        look=layout.look,
        row_name=rows.name if rows else "",
        rows=row_labels(layout),
        column_name=layout.columns.name if layout.columns else show.step,
        columns=columns,
        values=tuple(values),
    )


def distribution(layout: Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """A table of distributions, with a column for each value that occurs in any row."""
    axes = {layout.rows.name: layout.rows.values} if layout.rows else {}
    cells = [(name,) for name in layout.rows.values] if layout.rows else [()]
    spreads = [spread(answers, layout.show.step, setup.at(axes, cell)) for cell in cells]
    known = [found for found in spreads if isinstance(found, Spread)]
    values = sorted({value for found in known for value in found.values}, key=lambda value: (str(type(value)), value))
    if len(values) > MOST_COLUMNS:
        return Refusal(f"{layout.show.step} has more than {MOST_COLUMNS} values; show its mean, or a smaller pool")
    rests = {found.rest for found in known if found.beyond}
    whole = [spread_over(answers, layout.show.step, setup.at(axes, cell), values) for cell in cells]
    lines = [shares(found, values, bool(rests)) for found in whole]
    return finished(
        layout, (*map(str, values), *([rests.pop() if len(rests) == 1 else AROUND] if rests else [])), lines
    )


def shares(found: Spread | Refusal, values: list[int | str], endless: bool) -> list[Answer]:
    if isinstance(found, Refusal):
        return [found] * (len(values) + endless)
    parts = [*(found.values.get(value, ODDS_CELLS_NOTHING) for value in values), *([found.beyond] if endless else [])]
    return [Chance(share, share + found.unknown) for share in parts]


FORM = "write expect: pool 5, difficulty 6 = 84.4%"


def check_expected(opened: Opened, show: Show, entry: Entry, answers: Answers, computing: bool) -> None:
    """Reports an `expect:` entry that cannot be read or is false; without `computing`, only checks its syntax."""
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
    """Splits an expectation at its last `=` into the phrase and the number."""
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
    """The key that selects a column in a phrase: `outcome` or the name of the step."""
    return {"outcomes": "outcome", "distribution": show.step.lower()}.get(show.way, "")


def no_cell(setup: Setup, show: Show, own: Item | None) -> str:
    """The message if a phrase does not select a cell; empty if it does."""
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
    """Parses a value of a step; None if the step cannot result in it."""
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
    """The chance of one value; a value in the tail has only bounds."""
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


WORDS = ("rows", "columns", "as", "expect")
LOOKS = ("table", "heatmap", "bars")


def check_odds(block: Block, around: Around) -> Checked:
    """Computes the table of an odds block and checks its `expect:` entries."""
    opened = open_block(block, around, WORDS)
    setup = opened.setup
    if setup is None:
        return closed(block, opened.problems)
    layout, computing = read_layout(opened, setup), opened.is_clear and not is_skipped(block)
    table = None
    if layout:
        answers = Answers()
        for entry in block.entries:
            if entry.key == "expect":
                check_expected(opened, layout.show, entry, answers, computing)
        table = filled(opened, layout, setup, answers) if computing else None
    return closed(block, opened.problems, rule=setup.rule, inputs=setup.inputs, policy=setup.policy, odds=table)


def filled(opened: Opened, layout: Layout, setup: Setup, answers: Answers) -> OddsTable | None:
    """Computes the table and reports a refusal, unless `show: no` hides the table: then settings may be missing."""
    table = fill(layout, setup, answers)
    if isinstance(table, OddsTable):
        return table
    entry = opened.block.get("show")
    if entry is None or entry.value.lower() != "no":
        refuse(opened, table)
    return None


def refuse(opened: Opened, table: Refusal) -> None:
    missing = table.message.endswith("must be given")
    note = "write it as a setting of its own, or as rows or columns" if missing else ""
    opened.complain("block-odds", f"there are no odds to show: {table.message}", opened.block.word, note)


def read_layout(opened: Opened, setup: Setup) -> Layout | None:
    """Reads rows, columns, show and as; None if one of them has a problem."""
    before = len(opened.problems)
    block = opened.block
    across = block.get("columns")
    by_outcome = across is not None and across.value.lower() == "outcomes"
    rows = read_entry(opened, setup, block.get("rows"))
    columns = None if by_outcome else read_entry(opened, setup, across)
    show = read_show(opened, setup, by_outcome)
    look = read_look(opened)
    if show is None:
        return None
    agree(opened, setup, show, [axis for axis in (rows, columns) if axis])
    return Layout(show, look, rows, columns) if len(opened.problems) == before else None


def read_entry(opened: Opened, setup: Setup, entry: Entry | None) -> Axis | None:
    if entry is None:
        return None
    items = parse_phrase(entry.value_span)
    if len(items) != 1 or not items[0].name:
        message = f"{entry.key} are one input with its range, such as {entry.key}: pool 1..10"
        opened.complain("block-value", message, entry.value_span if entry.value else entry.key_span)
        return None
    axis, problems = read_axis(setup.rule, items[0], opened.block)
    opened.problems += problems
    return axis


def read_look(opened: Opened) -> str:
    entry = opened.block.get("as")
    if entry is None:
        return LOOKS[0]
    if entry.value.lower() not in LOOKS:
        message = f"odds are not drawn as «{entry.value}»; {suggest(entry.value, LOOKS)}"
        opened.complain("block-value", message, entry.value_span)
    return entry.value.lower()


def agree(opened: Opened, setup: Setup, show: Show, axes: list[Axis]) -> None:
    """Reports conflicts between rows, columns and settings, and tables that are too large."""
    names = [axis.name for axis in axes]
    for entry in opened.block.entries:
        if entry.key in {name.lower() for name in names}:
            message = f"{entry.key} runs through the rows or columns, so it cannot be set as well"
            opened.complain("block-key", message, entry.key_span, "leave one of the two out")
    if len(set(names)) < len(names):
        opened.complain("block-value", f"{names[0]} cannot be both rows and columns", axes[1].item.name_span)
    columns = opened.block.get("columns")
    if show.way == "distribution" and columns:
        message = f"the columns are the values of {show.step} already; leave columns out"
        opened.complain("block-odds", message, columns.value_span)
    single = show.quantity is None or is_single(show.quantity, setup)
    single = single and (show.way != "outcomes" or bool(setup.rule.contest))
    if message := too_many(size({axis.name: axis.values for axis in axes}), single):
        opened.complain("block-odds", message, opened.block.word)
