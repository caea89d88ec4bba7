"""Writes the Python code of tallies that depend on other dice, or on sets that are picked of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..game.codegen import CodeWriter
from ..game.core import CoreRule, Expression, Tally
from ..game.dependencies import names_in, tally_number
from ..game.formula import Node, collect_names, walk
from ..game.intervals import Bounds
from .table import TableDie, count_groups, join_dice, leave_out, pick_dice, take_dice

_PLAIN = {"sum": "sum([z.value for z in {}])", "count": "len({})"}
_GIVEN = {"highest": "max({}, default=0)", "max": "max({}, default=0)", "lowest": "min({}, default=0)"}
_GIVEN |= {"min": "min({}, default=0)", "sum": "sum({})", "count": "sum({})"}
WordFunction = Callable[..., tuple[Any, ...]]  # of values, face, last, throw, sides, first, value
FindWords = Callable[[int, Sequence[str]], WordFunction]


def is_plain(rule: CoreRule, number: int) -> bool:
    """Whether a tally is known once the dice of one kind are: nothing else decides which dice it looks at, and how."""
    tally = rule.tallies[number]
    if tally.word or tally.set is None or tally.function == "groups" or (tally.body and tally.function != "count"):
        return False
    dice, kinds = rule.sets[tally.set], rule.kinds_of(tally.set)
    is_whole = dice is rule.kept_sets[kinds[0]] or (dice.op == "kind" and rule.kept_sets[kinds[0]] is None)
    names = names_in(rule, tally.body)
    has_dice = tally.body is not None and any(node.op == "tally" for node in walk(tally.body))
    return is_whole and not has_dice and "first" not in names and names - rule.face_words.keys() <= rule.early_names


class DiceCodeWriter(CodeWriter):
    """Writes formulas; a tally that is not plain is written out, unless it is `assigned` to a variable already."""

    def __init__(self, rule: CoreRule, bounds: Bounds, find_words: FindWords) -> None:
        super().__init__(bounds, rule.tables)
        self.rule, self.find_words = rule, find_words
        self.assigned = {number for number in range(len(rule.tallies)) if is_plain(rule, number)}
        self.helpers |= {
            "join": join_dice,
            "leave": leave_out,
            "pick": pick_dice,
            "take": take_dice,
            "groups": count_groups,
        }

    def write_assignments(self, *nodes: Node | None, target: str = "t[{0}] = t{0}") -> Iterator[str]:
        """Assigns the tallies in formulas that are not assigned yet."""
        for node in (inner for own in nodes if own for inner in walk(own)):
            if node.op == "tally" and (number := tally_number(node)) not in self.assigned:
                yield f"{target.format(number)} = {self.write_tally_code(self.rule.tallies[number])}"
                self.assigned.add(number)

    def write_unchecked(self, node: Node) -> str:
        if node.op == "tally" and tally_number(node) not in self.assigned:
            return self.write_tally_code(self.rule.tallies[tally_number(node)])
        return super().write_unchecked(node)

    def write_min_max(self, node: Node) -> str:
        return f"{node.op}({', '.join(map(self.write_value, node.args))})"  # no variables inside of comprehensions

    def write_tally_code(self, tally: Tally) -> str:
        if tally.word and tally.body and tally.domain:
            domain, outer = self.write_domain(tally.domain), self.bounds
            part = (tally.domain.args[0] if tally.domain.op == "faces" else "") or "face"
            self.bounds = outer.with_value(tally.word, outer.values[part])
            body, self.bounds = self.write_body(tally.body), outer
            return _GIVEN[tally.function].format(f"[{body} for v_{tally.word} in {domain}]")
        assert tally.set is not None
        dice = self.write_set(tally.set)
        if tally.function == "groups" and tally.body:
            return f"groups([z.value for z in {dice}], {self.write_body(tally.body)})"
        if tally.body is None:
            return _PLAIN.get(tally.function, _GIVEN[tally.function].format("[z.value for z in {}]")).format(dice)
        words = self.write_words(tally.body, tally.every_throw)
        return _GIVEN[tally.function].format(f"[{self.write_body(tally.body)} for z in {dice} {words}]")

    def write_body(self, node: Node) -> str:
        return self.write_expression(Expression("", node))

    def write_domain(self, node: Node) -> str:
        if node.op == "faces":
            return f"d.faces({', '.join(map(repr, node.args))})"
        low, high = map(self.write_body, node.args)
        return f"range({low}, {high} + 1)"

    def write_words(self, node: Node, every_throw: bool) -> str:
        """A loop over the throws of the die `z`, or its last one, that binds the words of a formula."""
        words = tuple(sorted(collect_names(node) & self.rule.face_words.keys()))
        reader = self.add_helper(_WordReader(words, every_throw, self.find_words))
        return (
            f"for ({''.join(f'v_{word}, ' for word in words)}) in {reader}(v, z)"
            if words
            else f"for _ in {reader}(v, z)"
        )

    def write_set(self, number: int) -> str:
        own = self.rule.sets[number]
        if own.op == "kind":
            return f"d.dice[{own.of[0]}]"
        parts = [self.write_set(part) for part in own.of]
        if own.op == "together":
            return f"join({', '.join(parts)})"
        if own.op == "without":
            return f"leave({', '.join(parts)})"
        if own.op == "where" and own.test:
            condition = self.write_truth(Expression("", own.test))
            return f"[z for z in {parts[0]} {self.write_words(own.test, False)} if {condition}]"
        if own.op == "any" and own.by:
            return f"take({parts[0]}, {self.write_body(own.by)})"
        assert own.number
        amount = self.write_body(own.number.node)
        if own.op == "first":
            return f"{parts[0]}[:max({amount}, 0)]"
        words = self.write_words(own.by, False) if own.by else ""
        keys = f"[{self.write_body(own.by) if own.by else 'z.value'} for z in s {words}]"
        return f"(lambda s: pick(s, {amount}, {1 if own.op == 'highest' else -1}, {keys}))({parts[0]})"


class _WordReader:
    """Reads the words of a die: a row for each throw, or one for the die."""

    def __init__(self, words: Sequence[str], every_throw: bool, find_words: FindWords) -> None:
        self.words, self.every_throw, self.find_words = words, every_throw, find_words

    def __call__(self, values: Any, die: TableDie) -> Iterable[tuple[Any, ...]]:
        if not self.words and not self.every_throw:
            return ((),)
        run, rows, last = self.find_words(die.kind, self.words), [], 0
        for number, throw in enumerate(die.throws, 1):
            rows.append(run(values, throw.face, last, number, die.sides, die.throws[0].value, die.value))
            last = throw.value
        if self.every_throw:
            return rows
        place = self.words.index("face") if "face" in self.words else None
        row = rows[-1] if place is None else (*rows[-1][:place], die.value, *rows[-1][place + 1 :])
        return (row,)
