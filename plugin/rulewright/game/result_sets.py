"""Sets of results: `highest 3 of stat by total` of a roll that is made several times, as formulas over those results.

Each function over a set becomes hidden steps. The best few results are found in one pass, which remembers only these,
so that odds need not tell all results apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .formula import Node, walk

_NOTHING = "-1000000000"  # the key of a place that no result has
_MOST_PLACES = 60  # of results by places, found in one pass
Write = Callable[[Node, int], str]  # a part of a formula, for a result by its number


class ResultSetError(Exception):
    """A set of results that cannot be meant; with the node that is wrong."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.message, self.node = message, node


def find_roll(node: Node) -> str:
    """The roll whose results a set holds; empty for other sets."""
    names = {str(inner.args[0]) for inner in walk(node) if inner.op == "set"}
    return names.pop() if len(names) == 1 else ""


@dataclass
class ResultSets:
    """Writes a function over a set of results; `guards` say when each is rolled, `steps` collects hidden steps.

    Their names begin with `name`."""

    name: str
    guards: Sequence[str]
    write: Write
    steps: dict[str, str] = field(default_factory=dict)

    def function(self, op: str, dice: Node, body: Node | None) -> str:
        """The text of a function over a set."""
        numbers = range(len(self.guards))
        values = ["1" if body is None else f"({self.write(body, number)})" for number in numbers]
        if dice.op in ("highest_of", "lowest_of") and dice.args[0].op == "number":
            places = min(dice.args[0].args[0], len(self.guards))
            if 0 < places * len(self.guards) <= _MOST_PLACES:
                return self.combine(op, *self.find_best(dice, places, values))
        return self.combine(op, self.members(dice), values)

    def combine(self, op: str, members: Sequence[str], values: Sequence[str]) -> str:
        """The text of a function over the values of which these are members."""
        pairs = list(zip(members, values, strict=True))
        if op in ("sum", "count"):
            return " + ".join(f"if({member}, {value}, 0)" for member, value in pairs) or "0"
        function, none = ("max", _NOTHING) if op == "highest" else ("min", _NOTHING[1:])
        listed = ", ".join(f"if({member}, {value}, {none})" for member, value in pairs)
        some = " or ".join(f"({member})" for member in members)
        return f"if({some}, {function}({listed}, {none}), 0)" if pairs else "0"

    def add(self, text: str) -> str:
        """A hidden step with this text; names and numbers need none."""
        if re.fullmatch(r"[\w.]+|-[0-9]+", text):
            return text
        step = f"{self.name}_{len(self.steps) + 1}"
        self.steps[step] = text
        return step

    def members(self, node: Node) -> list[str]:
        """For each result the condition that it is in a set."""
        if node.op == "set":
            return [guard or "1" for guard in self.guards]
        if node.op not in ("where", "without", "first_of", "highest_of", "lowest_of"):
            raise ResultSetError("results of one roll are picked by highest, lowest, first, where or without", node)
        of = node.args[0] if node.op in ("where", "without") else node.args[1]
        inner = [self.add(member) for member in self.members(of)]
        if node.op == "where":
            return [f"{own} and ({self.write(node.args[1], at)})" for at, own in enumerate(inner)]
        if node.op == "without":
            return [f"{own} and not ({other})" for own, other in zip(inner, self.members(node.args[1]), strict=True)]
        number = self.write(node.args[0], -1)
        if node.op == "first_of":
            before = [" + ".join(inner[:at]) or "0" for at in range(len(inner))]
            return [f"{own} and {first} < ({number})" for own, first in zip(inner, before, strict=True)]
        keys = self.keys(node)
        better = [" + ".join(self.list_better(at, inner, keys)) or "0" for at in range(len(inner))]
        return [f"{own} and {others} < ({number})" for own, others in zip(inner, better, strict=True)]

    def keys(self, node: Node) -> list[str]:
        """What results are compared by, the highest first."""
        if node.args[2] is None:
            raise ResultSetError("a result has no value of its own; say what is compared, as in `by total`", node)
        texts = [self.write(node.args[2], at) for at in range(len(self.guards))]
        return [self.add(text if node.op == "highest_of" else f"-({text})") for text in texts]

    def list_better(self, at: int, members: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
        """For each other result whether it comes first; of equal ones the first."""
        for other, key in enumerate(keys):
            if other != at:
                yield f"({members[other]} and {key} {'>=' if other < at else '>'} {keys[at]})"

    def find_best(self, node: Node, places: int, values: Sequence[str]) -> tuple[list[str], list[str]]:
        """The best results, place by place: whether there is one, and its value."""
        keys, members = self.keys(node), [self.add(member) for member in self.members(node.args[1])]
        best, worth = [_NOTHING] * places, ["0"] * places
        is_same = list(values) == [f"({key})" for key in keys]  # what is compared is what each gives
        for member, key, value in zip(members, keys, values, strict=True):
            own = key if member == "1" else self.add(f"if({member}, {key}, {_NOTHING})")
            new = [self.move(own, best, place) for place in range(places)]
            if not is_same:
                given = self.add(value)
                worth = [self.move_value(own, given, best, worth, place) for place in range(places)]
            best = new
        return [f"{own} > {_NOTHING}" for own in best], best if is_same else worth

    def move(self, key: str, best: Sequence[str], place: int) -> str:
        """What is at a place when one more result has come; others move down."""
        if not place:
            return key if best[0] == _NOTHING else self.add(f"max({best[0]}, {key})")
        if best[place - 1] == _NOTHING:
            return _NOTHING
        below = f"min({best[place - 1]}, {key})"
        return self.add(below if best[place] == _NOTHING else f"max({best[place]}, {below})")

    def move_value(self, key: str, value: str, best: Sequence[str], worth: Sequence[str], place: int) -> str:
        """What the result at a place gives then."""
        if place and best[place - 1] == _NOTHING:
            return "0"
        stays = f"if({key} > {best[place]}, {value}, {worth[place]})"
        return self.add(f"if({key} > {best[place - 1]}, {worth[place - 1]}, {stays})" if place else stays)
