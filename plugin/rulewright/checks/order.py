"""The order block: computes the turn order by the rules of the game and compares it with `result:`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..book.entries import Item, parse_phrase
from ..book.page import Block, Entry
from ..game.inputs import YES
from ..game.model import Order
from ..game.sheets import Participant, arranged, barred
from ..source import Problem, Span, suggest
from .model import COMMON, Around, Checked, closed, trouble, wrong_show
from .safe_fixes import either
from .static_blocks import game_of

WORDS = ("by", "side", "result")
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
PIECE = re.compile(r"[^,]+")


@dataclass
class Reading:
    """Reads the participants of a block and collects problems."""

    block: Block
    order: Order
    people: list[Participant] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(trouble(self.block, code, message.rstrip("; "), span, notes))

    def side(self, entry: Entry) -> None:
        values: dict[str, Any] = {}
        until = ""
        for item in parse_phrase(entry.value_span):
            key = item.name.lower()
            if key == "until":
                until = item.value
                self.places[f"until {entry.name}"] = item.value_span
            elif key in self.known:
                values[key] = self.value(key, item)
            else:
                said = f"the order {self.order.name} has no key «{item.name}»; {suggest(item.name, self.known)}"
                self.complain("block-key", said, item.name_span)
        self.places[entry.name] = entry.name_span
        self.people.append(Participant(entry.name, values, until))

    @property
    def known(self) -> list[str]:
        team = [self.order.alternate] if self.order.alternate else []
        return list(dict.fromkeys([*self.order.keys, *team, *self.order.out, "until"]))

    def value(self, key: str, item: Item) -> Any:
        text = item.value.replace("−", "-")
        if key == self.order.alternate:
            return text
        if text.lower() in YES:
            return bool(YES[text.lower()])
        if NUMBER.fullmatch(text) and key not in self.order.out:
            return int(text)
        what = "yes or no" if key in self.order.out else "a whole number, or yes or no"
        self.complain("block-value", f"{key} is {what}, not «{item.value}»", item.value_span)
        return None

    def finish(self) -> None:
        """Fills in missing keys: a yes-or-no key defaults to no, a missing number is a problem."""
        for key in self.order.keys:
            forms = {type(one.values[key]) for one in self.people if one.values.get(key) is not None}
            for number, one in enumerate(self.people):
                if key not in one.values and forms == {int}:
                    self.complain("block-value", f"{one.name} has no {key}", self.places[one.name])
                elif len(forms) > 1 and type(one.values.get(key)) is bool:
                    said = f"{key} is a number for others, and yes or no for {one.name}"
                    self.complain("block-value", said, self.places[one.name])
                self.people[number] = replace(one, values={key: False, **one.values})
        self.teams()

    def teams(self) -> None:
        names = [one.name for one in self.people]
        for one in self.people:
            if self.order.alternate and not one.values.get(self.order.alternate):
                self.complain("block-value", f"{one.name} has no {self.order.alternate}", self.places[one.name])
            if one.until and one.until.lower() not in [name.lower() for name in names if name != one.name]:
                said = f"there is nobody else called «{one.until}»; {suggest(one.until, names)}"
                self.complain("block-value", said, self.places[f"until {one.name}"])
        spelled = {name.lower(): name for name in names}
        self.people = [replace(one, until=spelled.get(one.until.lower(), "")) for one in self.people]


def check_order(block: Block, around: Around) -> Checked:
    """Checks the turn order that an order block states."""
    problems = list(wrong_show(block))
    game, missing = game_of(block, around)
    if game is None:
        return closed(block, [*missing, *problems])
    order, more = named_order(block, game.title, list(game.orders.values()))
    problems += more
    if order is None:
        return closed(block, problems)
    reading = Reading(block, order, problems=problems)
    for entry in block.entries:
        if entry.key == "side":
            reading.side(entry)
        elif entry.key not in (*COMMON, *WORDS):
            known = ("side NAME", *WORDS, *COMMON)
            reading.complain("block-key", f"an order has no «{entry.key}»; {suggest(entry.key, known)}", entry.key_span)
    reading.finish()
    wished = read_result(reading)
    if reading.problems or block.problems:
        return closed(block, reading.problems, order=order)
    acting = tuple(arranged(order, reading.people, [name for name, _ in wished]))
    return closed(block, list(compare(reading, wished, acting)), order=order, acting=acting)


def named_order(block: Block, title: str, orders: list[Order]) -> tuple[Order | None, list[Problem]]:
    entry = block.get("by")
    if entry is None:
        message = f"{title} says nothing of who acts when"
        return (orders[0], []) if orders else (None, [trouble(block, "block-value", message, block.word)])
    found = next((order for order in orders if order.name.lower() == entry.value.lower()), None)
    if found:
        return found, []
    note = suggest(entry.value, [order.name for order in orders])
    message = f"{title} has no order «{entry.value}»; {note}".rstrip("; ")
    return None, [trouble(block, "block-value", message, entry.value_span)]


def read_result(reading: Reading) -> list[tuple[str, Span]]:
    """The names in `result:`, spelled as in the sides; unknown and repeated names are reported."""
    entry = reading.block.get("result")
    if entry is None or not entry.value:
        span = entry.key_span if entry else reading.block.word
        reading.complain(
            "block-value", "nothing is said of who acts when", span, "write result: and the names in order"
        )
        return []
    spelled = {one.name.lower(): one for one in reading.people}
    found: list[tuple[str, Span]] = []
    for piece in PIECE.finditer(entry.value):
        name = piece[0].strip()
        start = piece.start() + piece[0].index(name)
        span = entry.value_span.part(start, start + len(name))
        one = spelled.get(name.lower())
        if name and one is None:
            names = [other.name for other in reading.people]
            reading.complain("block-value", f"there is no side «{name}»; {suggest(name, names)}", span)
        elif one and one.name in [other for other, _ in found]:
            reading.complain("block-value", f"{one.name} stands here twice", span)
        elif one:
            found.append((one.name, span))
    return found


def compare(reading: Reading, wished: list[tuple[str, Span]], expected: Sequence[str]) -> Iterator[Problem]:
    """The problem at the first position where the stated order differs from the computed one."""
    entry = reading.block.get("result")
    assert entry
    names = [name for name, _ in wished]
    if names == [*expected]:
        return
    place = next((at for at, (one, other) in enumerate(zip(expected, names, strict=False)) if one != other), None)
    if place is None:
        longer = len(names) > len(expected)
        place = len(expected) if longer else len(names) - 1
        said = f"{names[place]} does not act" if longer else f"{expected[len(names)]} acts too, after {names[place]}"
    else:
        said = f"the rules let {expected[place]} act here, the example says {names[place]}"
    concerned = [*expected[place : place + 1], names[place]]
    notes = tuple(told(reading, name) for name in dict.fromkeys(concerned))
    repairs = either("result", ", ".join(expected), "the sides or the rule")
    yield trouble(reading.block, "order-result", said, wished[place][1], (*notes, where(reading.order), repairs))


def told(reading: Reading, name: str) -> str:
    """A participant with the values that decide the order, as a note."""
    one = next(one for one in reading.people if one.name == name)
    values = [f"{key} {said(one.values[key])}" for key in reading.known if one.values.get(key) not in (None, False)]
    reason = barred(reading.order, one)
    kept = f"; does not act: {reason}" if reason else f"; not before {one.until}" if one.until else ""
    return f"{name}: {', '.join(values)}{kept}"


def said(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def where(order: Order) -> str:
    line = order.span.source.place(order.span.start)[0]
    by = ", ".join(f"-{key}" if key in order.downward else key for key in order.keys)
    turns = f"; each {order.alternate} in turn" if order.alternate else ""
    return f"{order.span.source.path}:{line}: {order.name} by {by}{turns}"
