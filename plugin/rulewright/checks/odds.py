"""The odds block: a table of chances, means or a distribution, and what the author expects of it."""

from __future__ import annotations

from ..book.model import Block, Entry
from ..book.phrases import parse_phrase
from ..text import suggest
from .answers import Answers, Refusal, Setup, is_single, size, too_many
from .expected import check_expected
from .model import Around, Checked
from .odds_cells import Layout, fill
from .odds_show import Show, read_show
from .odds_table import OddsTable
from .opened import Opened, open_block
from .ranges import Axis, read_axis
from .verdict import closed, is_skipped

WORDS = ("rows", "columns", "as", "expect")
LOOKS = ("table", "heatmap", "bars")


def check_odds(block: Block, around: Around) -> Checked:
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
    """The table; settings that only expectations need may be missing when it is not shown."""
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
    """Rows, columns, what is shown and how; None where one of them cannot be read."""
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
    """Whether rows, columns and settings go together."""
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
