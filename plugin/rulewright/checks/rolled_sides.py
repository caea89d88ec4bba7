"""Sides of a rule that rolls two others, with outcomes of their names: `side Arn: skill 60, dice 5`, `winner: Arn`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..book.page import Entry
from ..book.settings import PIECE, Item, Setting, SettingNames, parse_settings
from ..game.model import Rule
from ..play.record import DICE, RECORDS
from .written_settings import input_setting, record_setting

NO_WINNER = "none"


def side_entries(rule: Rule, roll: str, side: Entry) -> Iterator[Entry]:
    """The entries that the phrase of a side stands for: `skill 60` is `attack.skill: 60`, and dice of several rounds
    are one record, `dice 3, dice 5` as `attack.dice: 3; 5`."""
    dice, record, source = f"{roll}.{DICE}", list[Item](), side.source.text
    for item in _read_side(rule, roll, side):
        if item.name == dice:
            record.append(item)
        else:
            yield _make_entry(side, item.name, item.value, item, item)
    if record:
        text, end = "", record[0].value_span.start
        for item in record:
            span = item.value_span
            text += (";" if text else "").ljust(span.start - end) + source[span.start : span.end]  # keeps each place
            end = span.end
        yield _make_entry(side, dice, text, record[0], record[-1])


def told_sides(rule: Rule, sides: Sequence[Entry], recorded: Collection[str]) -> list[Item]:
    """The steps that sides without dice tell: `side Arn: total 11`; `recorded` are the keys of dice of the block."""
    steps, pairs = {step.name for step in rule.steps}, zip(rule.sides, sides, strict=False)
    told = [pair for pair in pairs if not {DICE, f"{pair[0]}.{DICE}"} & {*recorded}]
    return [item for roll, side in told for item in _read_side(rule, roll, side) if item.name in steps]


def _read_side(rule: Rule, roll: str, side: Entry) -> Iterator[Item]:
    """What a side says of its roll, by whole names."""
    lead = f"{roll}."
    keys = {name: Setting(name, PIECE) for name in ("outcome", "degree", *(step.name for step in rule.steps))}
    keys |= {entry.name: input_setting(entry.name, entry) for entry in rule.settings}
    names = {key.removeprefix(lead): own for key, own in keys.items() if key.startswith(lead)}
    names |= {key: record_setting(f"{lead}{key}") for key in RECORDS}
    for item in parse_settings(side.value_span, SettingNames(names)):
        yield item if item.name.startswith(lead) else item._replace(name=f"{lead}{item.name.lower()}")


def _make_entry(side: Entry, key: str, text: str, first: Item, last: Item) -> Entry:
    name, start, end = first.name_span, first.value_span.start, last.value_span.end
    return Entry(key, text, side.source, name.start, name.end, start, end)


def name_winners(rule: Rule, sides: Sequence[Entry]) -> Mapping[str, str]:
    """The sides by the outcome in which they win; a side that is not named has the name of its roll."""
    rolls = rule.sides
    return dict(zip(rolls, [side.name for side in sides][: len(rolls)] + list(rolls[len(sides) :]), strict=True))
