"""The order block: computes the turn order by the rules of the game and compares it with `result:`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..book.page import Block, Entry
from ..book.settings import PIECE, Item, Setting, SettingNames, parse_settings
from ..game.inputs import FLAG_WORDS
from ..game.model import Order
from ..game.sheets import Participant, find_excluding_key, sort_participants
from ..source import Problem, Span, suggest
from .model import COMMON_KEYS, BlockContext, CheckedBlock, check_show, finish_block, make_problem
from .safe_fixes import either_note
from .static_blocks import find_block_game

_ORDER_KEYS = ("by", "side", "result")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_LIST_ITEM = re.compile(r"[^,]+")


@dataclass
class _OrderReader:
    """Reads the participants of a block and collects problems."""

    block: Block
    order: Order
    participants: list[Participant] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(make_problem(self.block, code, message.rstrip("; "), span, notes))

    def read_side(self, entry: Entry) -> None:
        values: dict[str, Any] = {}
        until = ""
        names = SettingNames({key.lower(): Setting(key, PIECE) for key in self.known_keys})
        for item in parse_settings(entry.value_span, names):
            key = item.name.lower()
            if key == "until":
                until = item.value
                self.spans[f"until {entry.name}"] = item.value_span
            elif key in self.known_keys:
                values[key] = self.read_value(key, item)
            else:
                message = f'the order {self.order.name} has no key "{item.name}"; {suggest(item.name, self.known_keys)}'
                self.report("block-key", message, item.name_span)
        self.spans[entry.name] = entry.name_span
        self.participants.append(Participant(entry.name, values, until))

    @property
    def known_keys(self) -> list[str]:
        team = [self.order.team_key] if self.order.team_key else []
        return list(dict.fromkeys([*self.order.keys, *team, *self.order.excluding_keys, "until"]))

    def read_value(self, key: str, item: Item) -> Any:
        text = item.value.replace("−", "-")
        if key == self.order.team_key:
            return text
        if text.lower() in FLAG_WORDS:
            return bool(FLAG_WORDS[text.lower()])
        if _INTEGER.fullmatch(text) and key not in self.order.excluding_keys:
            return int(text)
        expected = "yes or no" if key in self.order.excluding_keys else "a whole number, or yes or no"
        self.report("block-value", f'{key} is {expected}, not "{item.value}"', item.value_span)
        return None

    def fill_missing_keys(self) -> None:
        """Fills in missing keys: a yes-or-no key defaults to no, a missing number is a problem."""
        for key in self.order.keys:
            forms = {
                type(participant.values[key])
                for participant in self.participants
                if participant.values.get(key) is not None
            }
            for number, participant in enumerate(self.participants):
                if key not in participant.values and forms == {int}:
                    self.report("block-value", f"{participant.name} has no {key}", self.spans[participant.name])
                elif len(forms) > 1 and type(participant.values.get(key)) is bool:
                    message = f"{key} is a number for others, and yes or no for {participant.name}"
                    self.report("block-value", message, self.spans[participant.name])
                self.participants[number] = replace(participant, values={key: False, **participant.values})
        self.check_teams()

    def check_teams(self) -> None:
        names = [participant.name for participant in self.participants]
        for participant in self.participants:
            if self.order.team_key and not participant.values.get(self.order.team_key):
                self.report(
                    "block-value", f"{participant.name} has no {self.order.team_key}", self.spans[participant.name]
                )
            if participant.waits_for and participant.waits_for.lower() not in [
                name.lower() for name in names if name != participant.name
            ]:
                message = (
                    f'there is nobody else called "{participant.waits_for}"; {suggest(participant.waits_for, names)}'
                )
                self.report("block-value", message, self.spans[f"until {participant.name}"])
        names_by_lower = {name.lower(): name for name in names}
        self.participants = [
            replace(participant, waits_for=names_by_lower.get(participant.waits_for.lower(), ""))
            for participant in self.participants
        ]


def check_order(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks the turn order that an order block states."""
    problems = list(check_show(block))
    game, missing = find_block_game(block, context)
    if game is None:
        return finish_block(block, [*missing, *problems])
    order, more = _find_order(block, game.title, list(game.orders.values()))
    problems += more
    if order is None:
        return finish_block(block, problems)
    reading = _OrderReader(block, order, problems=problems)
    for entry in block.entries:
        if entry.key == "side":
            reading.read_side(entry)
        elif entry.key not in (*COMMON_KEYS, *_ORDER_KEYS):
            known = ("side NAME", *_ORDER_KEYS, *COMMON_KEYS)
            reading.report("block-key", f'an order has no "{entry.key}"; {suggest(entry.key, known)}', entry.key_span)
    reading.fill_missing_keys()
    stated = _read_result(reading)
    if reading.problems or block.problems:
        return finish_block(block, reading.problems, order=order)
    acting = tuple(sort_participants(order, reading.participants, [name for name, _ in stated]))
    return finish_block(block, list(_compare_result(reading, stated, acting)), order=order, acting=acting)


def _find_order(block: Block, title: str, orders: list[Order]) -> tuple[Order | None, list[Problem]]:
    entry = block.get("by")
    if entry is None:
        message = f"{title} says nothing of who acts when"
        return (orders[0], []) if orders else (None, [make_problem(block, "block-value", message, block.word)])
    match = next((order for order in orders if order.name.lower() == entry.value.lower()), None)
    if match:
        return match, []
    note = suggest(entry.value, [order.name for order in orders])
    message = f'{title} has no order "{entry.value}"; {note}'.rstrip("; ")
    return None, [make_problem(block, "block-value", message, entry.value_span)]


def _read_result(reading: _OrderReader) -> list[tuple[str, Span]]:
    """The names in `result:`, spelled as in the sides; unknown and repeated names are reported."""
    entry = reading.block.get("result")
    if entry is None or not entry.value:
        span = entry.key_span if entry else reading.block.word
        reading.report("block-value", "nothing is said of who acts when", span, "write result: and the names in order")
        return []
    participants_by_lower = {participant.name.lower(): participant for participant in reading.participants}
    stated: list[tuple[str, Span]] = []
    for piece in _LIST_ITEM.finditer(entry.value):
        name = piece[0].strip()
        start = piece.start() + piece[0].index(name)
        span = entry.value_span.subspan(start, start + len(name))
        participant = participants_by_lower.get(name.lower())
        if name and participant is None:
            names = [participant.name for participant in reading.participants]
            reading.report("block-value", f'there is no side "{name}"; {suggest(name, names)}', span)
        elif participant and participant.name in [stated_name for stated_name, _ in stated]:
            reading.report("block-value", f"{participant.name} appears twice", span)
        elif participant:
            stated.append((participant.name, span))
    return stated


def _compare_result(reading: _OrderReader, stated: list[tuple[str, Span]], actual: Sequence[str]) -> Iterator[Problem]:
    """The problem at the first position where the stated order differs from the computed one."""
    entry = reading.block.get("result")
    assert entry
    names = [name for name, _ in stated]
    if names == [*actual]:
        return
    position = next(
        (
            index
            for index, (actual_name, stated_name) in enumerate(zip(actual, names, strict=False))
            if actual_name != stated_name
        ),
        None,
    )
    if position is None:
        longer = len(names) > len(actual)
        position = len(actual) if longer else len(names) - 1
        message = (
            f"{names[position]} does not act" if longer else f"{actual[len(names)]} acts too, after {names[position]}"
        )
    else:
        message = f"the rules let {actual[position]} act here, the example says {names[position]}"
    involved = [*actual[position : position + 1], names[position]]
    notes = tuple(_describe_participant(reading, name) for name in dict.fromkeys(involved))
    repairs = either_note("result", ", ".join(actual), "the sides or the rule")
    yield make_problem(
        reading.block, "order-result", message, stated[position][1], (*notes, _order_location(reading.order), repairs)
    )


def _describe_participant(reading: _OrderReader, name: str) -> str:
    """A participant with the values that decide the order, as a note."""
    participant = next(one for one in reading.participants if one.name == name)
    values = [
        f"{key} {_format_key_value(participant.values[key])}"
        for key in reading.known_keys
        if participant.values.get(key) not in (None, False)
    ]
    reason = find_excluding_key(reading.order, participant)
    restriction = (
        f"; does not act: {reason}"
        if reason
        else f"; not before {participant.waits_for}"
        if participant.waits_for
        else ""
    )
    return f"{name}: {', '.join(values)}{restriction}"


def _format_key_value(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _order_location(order: Order) -> str:
    line = order.span.source.position(order.span.start)[0]
    by = ", ".join(f"-{key}" if key in order.descending else key for key in order.keys)
    turns = f"; each {order.team_key} in turn" if order.team_key else ""
    return f"{order.span.source.path}:{line}: {order.name} by {by}{turns}"
