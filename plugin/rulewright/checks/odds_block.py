"""The odds block: computes a table of chances, means or a distribution, and checks the `expect:` entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ..book.page import Block, Entry
from ..book.settings import Item, Setting
from ..game.model import Rule
from ..odds.distribution import TAIL_BELOW, TAIL_ON_BOTH_SIDES, Chance, Distribution
from ..odds.plan import Question
from ..odds.rule_odds import find_tail_side
from ..play.compiled_rule import compile_rule
from ..source import Fix, Span, suggest
from .answers import (
    Answer,
    Answers,
    Refusal,
    Setup,
    catch_refusal,
    compute_whole_table,
    count_cells,
    is_single,
    too_many_message,
    with_value_outcomes,
    without_rule_outcomes,
)
from .claim_parser import trim_span
from .expectations import parse_number
from .model import BlockContext, CheckedBlock, OddsTable, finish_block, is_skipped, make_problem
from .quantities import Event, InvalidQuantity, Quantity, outcome_names, read_chance, read_degree, read_step
from .settings import Axis, OpenBlock, open_block, read_axes, read_axis
from .written_numbers import WrittenNumber, format_value, format_with_fraction, read_number
from .written_settings import named_inputs

_MAX_TAIL = Fraction(1, 10_000)  # the largest tail that a distribution may leave out
_VALUE_COUNTS = (8, 16, 32, 64, 128)
_MAX_VALUES = 150  # for a distribution without a greatest value


def _step_distribution(answers: Answers, step: str, setup: Setup) -> Distribution | Refusal:
    """The distribution of a step, computed until the tail is small."""
    for least in _VALUE_COUNTS:
        result = catch_refusal(partial(_step_distribution_upto, answers, step, setup, least))
        if isinstance(result, Refusal) or result.tail <= _MAX_TAIL:
            break
    return result


def _step_distribution_upto(answers: Answers, step: str, setup: Setup, least: int) -> Distribution:
    odds = answers.build_odds(without_rule_outcomes(setup))
    formula = odds.setting.program.formulas[step]
    counted = odds.solver.list_values(Question((), (formula,)), least)
    if not counted.tail or not setup.ignores_outcomes:
        return odds.distribution(step, _MAX_TAIL)
    counted_values = [int(value) for _, value in counted.weights]
    value_shares = _value_chances(step, setup, tuple(range(min(counted_values), max(counted_values) + 1)[:_MAX_VALUES]))
    side = find_tail_side(counted.open_ends, counted_values)
    return _trim_tail({value: share for value, share in value_shares.items() if share}, side)


def _value_chances(step: str, setup: Setup, values: tuple[int, ...]) -> dict[int, Fraction]:
    """The chance of each of these values of a step."""
    row = compute_whole_table(replace(setup, rule=with_value_outcomes(setup.rule, step, values)), {})[()]
    assert not isinstance(row, Refusal)
    return {value: row[str(value)].low for value in values}


def _trim_tail(shares: dict[int, Fraction], side: str) -> Distribution:
    """Cuts values off the open end of a distribution while the tail stays small."""
    beyond = 1 - sum(shares.values(), Fraction(0))
    for value in sorted(shares, reverse=side != TAIL_BELOW):
        if beyond + shares[value] > _MAX_TAIL:
            break
        beyond += shares.pop(value)
    return Distribution(shares, beyond, Fraction(0), side)


def _step_distribution_with(
    answers: Answers, step: str, setup: Setup, values: Iterable[int | str]
) -> Distribution | Refusal:
    """The distribution of a step, with these values listed even if they are in the tail."""
    result = _step_distribution(answers, step, setup)
    if isinstance(result, Refusal) or not result.tail or result.unknown or not setup.ignores_outcomes:
        return result
    tail_values = tuple(value for value in values if isinstance(value, int) and value not in result.values)
    return catch_refusal(partial(_move_from_tail, result, step, setup, tail_values)) if tail_values else result


def _move_from_tail(base: Distribution, step: str, setup: Setup, tail_values: tuple[int, ...]) -> Distribution:
    """Moves values from the tail of a distribution into its list."""
    tail_chances = _value_chances(step, setup, tail_values)
    return base._replace(
        values={**base.values, **tail_chances}, tail=base.tail - sum(tail_chances.values(), Fraction(0))
    )


_SHOW_PATTERN = re.compile(r"(chance of|mean degree of|mean|distribution of)\s+(\S.*)", re.IGNORECASE | re.DOTALL)
_SHOW_FORMS = "chance of OUTCOME, mean STEP, mean degree of OUTCOME, distribution of STEP, or no"
_NO_ODDS = "this rule has neither outcomes nor steps, so there are no odds to show"


@dataclass(frozen=True, slots=True)
class _Show:
    """What a table shows: `quantity` in each cell, the distribution of `step`, or the chance of every outcome."""

    kind: str  # chance, mean, degree, distribution, outcomes
    of: str
    quantity: Quantity | None = None
    step: str = ""

    @property
    def is_chance(self) -> bool:
        return self.kind in ("chance", "distribution", "outcomes")


def _read_show(opened: OpenBlock, setup: Setup, by_outcome: bool) -> _Show | None:
    entry = opened.block.get("show")
    is_hidden = entry is not None and entry.value.lower() == "no"
    if entry is None or is_hidden:
        default = _Show("outcomes", "") if by_outcome else _default_show(setup.rule)
        if default is None:
            opened.report("block-odds", _NO_ODDS, opened.block.word)
        return default
    if by_outcome:
        message = "each column is an outcome already; leave show out, or the columns"
        opened.report("block-odds", message, entry.value_span)
        return None
    match = _SHOW_PATTERN.fullmatch(entry.value)
    if not match:
        opened.report("block-value", f'"{entry.value}" cannot be shown; write {_SHOW_FORMS}', entry.value_span)
        return None
    parsed = _parse_show(setup.rule, match[1].lower(), entry.value_span.subspan(*match.span(2)))
    if isinstance(parsed, InvalidQuantity):
        opened.report("block-value", parsed.message, parsed.span)
        return None
    return parsed


def _default_show(rule: Rule) -> _Show | None:
    """The default for `show:`: the chance of the first outcome, otherwise the mean of the last step."""
    outcomes = outcome_names(rule)
    if outcomes:
        return _Show("chance", outcomes[0], Quantity("chance", Event((outcomes[0],))))
    if rule.steps:
        return _Show("mean", rule.steps[-1].name, Quantity("mean", name=rule.steps[-1].name))
    return None


def _parse_show(rule: Rule, form: str, span: Span) -> _Show | InvalidQuantity:
    if form == "distribution of":
        if rule.contest:
            return InvalidQuantity(
                "a contest has no steps of its own; show the distribution of the rule it is about", span
            )
        step = read_step(rule, span)
        return step if isinstance(step, InvalidQuantity) else _Show("distribution", step.name, step=step.name)
    readers = {"chance of": read_chance, "mean degree of": read_degree, "mean": read_step}
    quantity = readers[form](rule, span)
    if isinstance(quantity, InvalidQuantity):
        return quantity
    return _Show(quantity.show, quantity.name or span.text, quantity)


_MAX_COLUMNS = 200
_ZERO = Fraction(0)


@dataclass(frozen=True)
class _Layout:
    """What a table shows, its style, and its axes, before values are computed."""

    show: _Show
    look: str
    rows: Axis | None
    columns: Axis | None


def _compute_table(layout: _Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """Computes the table; a refusal if no cell can be computed."""
    if layout.show.kind == "distribution":
        return _compute_distributions(layout, setup, answers)
    columns = _column_labels(layout, setup)
    answer_rows = [_compute_row(layout, setup, answers, name, columns) for name in _row_labels(layout)]
    return _build_table(layout, columns, answer_rows)


def _row_labels(layout: _Layout) -> tuple[str, ...]:
    return layout.rows.values if layout.rows else ("",)


def _column_labels(layout: _Layout, setup: Setup) -> tuple[str, ...]:
    if layout.show.kind == "outcomes":
        return tuple(outcome_names(setup.rule))
    return layout.columns.values if layout.columns else (layout.show.of,)


def _compute_row(layout: _Layout, setup: Setup, answers: Answers, row: str, columns: tuple[str, ...]) -> list[Answer]:
    """Computes one row; `answers` caches the table that all rows share."""
    axes = {axis.name: axis.values for axis in (layout.rows, layout.columns) if axis}
    row_answers = []
    for column in columns:
        quantity = layout.show.quantity or Quantity("chance", Event((column,)))
        cell = ((row,) if layout.rows else ()) + ((column,) if layout.columns else ())
        answer = answers.get_table(quantity, setup, axes)[cell]
        if isinstance(answer, Refusal) and answer.is_cost:
            answer = answers.estimate(quantity, setup.with_cell(axes, cell))
        row_answers.append(answer)
    return row_answers


def _build_table(layout: _Layout, columns: tuple[str, ...], answer_rows: list[list[Answer]]) -> OddsTable | Refusal:
    """Builds the table; refused cells stay empty, and a refusal is returned if all of them are refused."""
    refusals = [answer for answers in answer_rows for answer in answers if isinstance(answer, Refusal)]
    if refusals and len(refusals) == sum(map(len, answer_rows)):
        return refusals[0]
    show, rows = layout.show, layout.rows
    values = [tuple(None if isinstance(answer, Refusal) else answer for answer in answers) for answers in answer_rows]
    return OddsTable(
        show="chance" if show.kind == "outcomes" else show.kind,
        of=show.of,
        look=layout.look,
        row_name=rows.name if rows else "",
        rows=_row_labels(layout),
        column_name=layout.columns.name if layout.columns else show.step,
        columns=columns,
        values=tuple(values),
    )


def _compute_distributions(layout: _Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """A table of distributions, with a column for each value that occurs in any row."""
    axes = {layout.rows.name: layout.rows.values} if layout.rows else {}
    cells = [(name,) for name in layout.rows.values] if layout.rows else [()]
    spreads = [_step_distribution(answers, layout.show.step, setup.with_cell(axes, cell)) for cell in cells]
    computed = [row_distribution for row_distribution in spreads if isinstance(row_distribution, Distribution)]
    values = sorted(
        {value for row_distribution in computed for value in row_distribution.values},
        key=lambda value: (str(type(value)), value),
    )
    if len(values) > _MAX_COLUMNS:
        return Refusal(f"{layout.show.step} has more than {_MAX_COLUMNS} values; show its mean, or a smaller pool")
    tail_labels = {row_distribution.tail_side for row_distribution in computed if row_distribution.tail}
    completed = [
        _step_distribution_with(answers, layout.show.step, setup.with_cell(axes, cell), values) for cell in cells
    ]
    answer_rows = [_distribution_row(row_distribution, values, bool(tail_labels)) for row_distribution in completed]
    return _build_table(
        layout,
        (
            *map(str, values),
            *([tail_labels.pop() if len(tail_labels) == 1 else TAIL_ON_BOTH_SIDES] if tail_labels else []),
        ),
        answer_rows,
    )


def _distribution_row(
    row_distribution: Distribution | Refusal, values: list[int | str], has_tail: bool
) -> list[Answer]:
    if isinstance(row_distribution, Refusal):
        return [row_distribution] * (len(values) + has_tail)
    parts = [
        *(row_distribution.values.get(value, _ZERO) for value in values),
        *([row_distribution.tail] if has_tail else []),
    ]
    return [Chance(share, share + row_distribution.unknown) for share in parts]


_EXPECT_SIGN = re.compile(r"(?:[=~≈]|:(?=[\s\d.,/%]+(?:in[\s\d]+)?$))(?![^=~≈]*[=~≈])")
_EXPECT_NOTE = "write expect: pool 5, difficulty 6 = 84.4%"


def _check_expectation(opened: OpenBlock, show: _Show, entry: Entry, answers: Answers, computing: bool) -> None:
    """Reports an `expect:` entry that cannot be read or is false; without `computing`, only checks its syntax."""
    parts = _split_expectation(opened, entry)
    if parts is None:
        return
    phrase, number = parts
    column, own = _column_key(show), opened.setup
    assert own
    key = Setting(column, accepts=lambda text: not _missing_cell_message(own, show, Item(column, text, phrase, phrase)))
    read = opened.with_phrase(phrase, *([key] if column else []))
    if read is None:
        return
    setup, column_item = read.setup, read.items.get(column)
    if message := _missing_cell_message(setup, show, column_item):
        opened.report("block-value", message, column_item.value_span if column_item else phrase)
        return
    answer = _compute_cell(setup, show, column_item, answers) if computing else number.as_chance
    if isinstance(answer, Refusal):
        opened.report("block-odds", f"this cannot be worked out: {answer.message}", phrase, *answer.notes)
    elif not number.agrees(answer, show.is_chance) and computing:
        _report_difference(opened, show, number, answer)


def _split_expectation(opened: OpenBlock, entry: Entry) -> tuple[Span, WrittenNumber] | None:
    """Splits an expectation at its last `=` into the phrase and the number; `~`, `≈` and `:` are read as `=`."""
    value_span = entry.value_span
    match = _EXPECT_SIGN.search(value_span.text)
    if not match:
        opened.report("block-value", "the number is missing that is expected", value_span, _EXPECT_NOTE)
        return None
    equals_sign = match.start()
    number_span = trim_span(value_span.subspan(match.end(), len(value_span.text)))
    number = read_number(number_span)
    if number is None or number.separator == ",":
        message = f"`{number_span.text}` is not a number; write it like 84.4%, 0.844, 5/18 or 1 in 6"
        if number:
            message = f"a decimal number has a point here; write {number.text.replace(',', '.')}"
        opened.report("block-value", message if number_span.text else "the number after = is missing", number_span)
        return None
    return trim_span(value_span.subspan(0, equals_sign)), number


def _column_key(show: _Show) -> str:
    """The key that selects a column in a phrase: `outcome` or the name of the step."""
    return {"outcomes": "outcome", "distribution": show.step.lower()}.get(show.kind, "")


def _missing_cell_message(setup: Setup, show: _Show, column_item: Item | None) -> str:
    """The message if a phrase does not select a cell; empty if it does."""
    if show.kind not in ("outcomes", "distribution"):
        return ""
    name = _column_key(show)
    known = outcome_names(setup.rule)
    if column_item is None:
        example = known[0] if show.kind == "outcomes" else "7"
        return f"it is not said of which {name}; write {name} {example} in front of the ="
    if show.kind == "outcomes" and column_item.value.lower() not in {outcome.lower() for outcome in known}:
        return f'{setup.rule.name} has no outcome "{column_item.value}"; {suggest(column_item.value, known)}'.rstrip(
            "; "
        )
    if show.kind == "distribution" and _parse_step_value(setup.rule, show.step, column_item.value) is None:
        return _invalid_step_value_message(setup.rule, show.step, column_item.value)
    return ""


def _compute_cell(setup: Setup, show: _Show, column_item: Item | None, answers: Answers) -> Answer:
    if show.quantity:
        return answers.get_single(show.quantity, setup)
    assert column_item
    if show.kind == "outcomes":
        name = next(name for name in outcome_names(setup.rule) if name.lower() == column_item.value.lower())
        return answers.get_single(Quantity("chance", Event((name,))), setup)
    value = _parse_step_value(setup.rule, show.step, column_item.value)
    assert value is not None
    spread = _step_distribution_with(answers, show.step, setup, [value])
    return spread if isinstance(spread, Refusal) else _value_chance(spread, value)


def _parse_step_value(rule: Rule, step: str, text: str) -> int | str | None:
    """Parses a value of a step; None if the step cannot result in it."""
    possible_values = compile_rule(rule).bounds.values.get(step)
    if isinstance(possible_values, frozenset):
        return next((word for word in possible_values if word.lower() == text.lower()), None)
    return parse_number(text)


def _invalid_step_value_message(rule: Rule, step: str, text: str) -> str:
    possible_values = compile_rule(rule).bounds.values.get(step)
    if isinstance(possible_values, frozenset):
        return f'{step} cannot be "{text}"; {suggest(text, sorted(possible_values))}'.rstrip("; ")
    return f'{step} is a whole number, not "{text}"'


def _value_chance(spread: Distribution, value: int | str) -> Chance:
    """The chance of one value; a value in the tail has only bounds."""
    counted = spread.values.get(value)
    if counted is None:
        return Chance(0 * spread.tail, spread.tail + spread.unknown)
    return Chance(counted, counted + spread.unknown)


def _report_difference(opened: OpenBlock, show: _Show, number: WrittenNumber, answer: Chance) -> None:
    percent_notes = number.percent_notes(show.is_chance)
    notes = (f"the rules: {format_with_fraction(answer, show.is_chance, number.as_chance)}", *percent_notes)
    text = number.format_like(answer.exact) if answer.exact is not None and not percent_notes else ""
    message = (
        f"the rules give {text or format_value(answer, show.is_chance, number.as_chance)}, {number.text} is expected"
    )
    problem = make_problem(opened.block, "odds-expect", message, number.span, notes)
    opened.problems.append(problem._replace(fix=Fix(number.span, text) if text else None))


ODDS_KEYS = ("rows", "columns", "as", "expect")
_STYLES = ("table", "heatmap", "bars")


def check_odds(block: Block, context: BlockContext) -> CheckedBlock:
    """Computes the table of an odds block and checks its `expect:` entries."""
    opened = open_block(block, context, ODDS_KEYS)
    setup = opened.setup
    if setup is None:
        return finish_block(block, opened.problems)
    layout, computing = _read_layout(opened, setup), opened.is_readable and not is_skipped(block)
    table = None
    if layout:
        answers = Answers()
        for entry in block.entries:
            if entry.key == "expect":
                _check_expectation(opened, layout.show, entry, answers, computing)
        table = _compute_shown_table(opened, layout, setup, answers) if computing else None
    return finish_block(block, opened.problems, rule=setup.rule, inputs=setup.inputs, aim=setup.aim, odds=table)


def _compute_shown_table(opened: OpenBlock, layout: _Layout, setup: Setup, answers: Answers) -> OddsTable | None:
    """Computes the table and reports a refusal, unless `show: no` hides the table: then settings may be missing."""
    table = _compute_table(layout, setup, answers)
    if isinstance(table, OddsTable):
        return table
    entry = opened.block.get("show")
    if entry is None or entry.value.lower() != "no":
        _report_refusal(opened, table)
    return None


def _report_refusal(opened: OpenBlock, table: Refusal) -> None:
    lacks_setting = table.message.endswith("must be given")
    note = "write it as a setting of its own, or as rows or columns" if lacks_setting else ""
    opened.report("block-odds", f"there are no odds to show: {table.message}", opened.block.word, note)


def _read_layout(opened: OpenBlock, setup: Setup) -> _Layout | None:
    """Reads rows, columns, show and as; None if one of them has a problem."""
    problem_count = len(opened.problems)
    block = opened.block
    across = block.get("columns")
    by_outcome = across is not None and across.value.lower() == "outcomes"
    rows = _read_axis_entry(opened, setup, block.get("rows"))
    columns = None if by_outcome else _read_axis_entry(opened, setup, across)
    show = _read_show(opened, setup, by_outcome)
    look = _read_style(opened)
    if show is None:
        return None
    _report_conflicts(opened, setup, show, [axis for axis in (rows, columns) if axis])
    return _Layout(show, look, rows, columns) if len(opened.problems) == problem_count else None


def _read_axis_entry(opened: OpenBlock, setup: Setup, entry: Entry | None) -> Axis | None:
    if entry is None:
        return None
    items = read_axes([setup.rule], entry.value_span)
    if len(items) != 1 or not items[0].name:
        message = f"{entry.key} are one input with its range, such as {entry.key}: {_sample_axis(setup, items)}"
        opened.report("block-value", message, entry.value_span if entry.value else entry.key_span)
        return None
    axis, problems = read_axis(setup.rule, items[0], opened.block)
    opened.problems += problems
    return axis


def _sample_axis(setup: Setup, items: Sequence[Item]) -> str:
    """What the author may have meant: the input that is written, alone if its values have names."""
    name = next((item.name.lower() for item in items if item.name), "")
    entry = next((entry for key, entry in named_inputs(setup.rule).items() if key.lower() == name), None)
    if entry is None:
        return "pool 1..10"
    return name if entry.form != "number" or entry.names else f"{name} {entry.least}..{entry.most}"


def _read_style(opened: OpenBlock) -> str:
    entry = opened.block.get("as")
    if entry is None:
        return _STYLES[0]
    if entry.value.lower() not in _STYLES:
        message = f'odds are not drawn as "{entry.value}"; {suggest(entry.value, _STYLES)}'
        opened.report("block-value", message, entry.value_span)
    return entry.value.lower()


def _report_conflicts(opened: OpenBlock, setup: Setup, show: _Show, axes: list[Axis]) -> None:
    """Reports conflicts between rows, columns and settings, and tables that are too large."""
    names = [axis.name for axis in axes]
    for entry in opened.block.entries:
        if entry.key in {name.lower() for name in names}:
            message = f"{entry.key} runs through the rows or columns, so it cannot be set as well"
            opened.report("block-key", message, entry.key_span, "leave one of the two out")
    if len(set(names)) < len(names):
        opened.report("block-value", f"{names[0]} cannot be both rows and columns", axes[1].item.name_span)
    columns = opened.block.get("columns")
    if show.kind == "distribution" and columns:
        message = f"the columns are the values of {show.step} already; leave columns out"
        opened.report("block-odds", message, columns.value_span)
    single = show.quantity is None or is_single(show.quantity, setup)
    single = single and (show.kind != "outcomes" or bool(setup.rule.contest))
    if message := too_many_message(count_cells({axis.name: axis.values for axis in axes}), single):
        opened.report("block-odds", message, opened.block.word)
