"""Checks the names and types in a formula against the scope in which it is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..source import suggest
from .formula import COMPARISONS, DICE, DIE_WORDS, ROUNDINGS, THROW_WORDS, Node, names_in
from .model import Kind, Table

NUMBER = None
UNKNOWN: tuple[str, ...] = ()  # the type of something that was already reported
Worth = tuple[str, ...] | None  # NUMBER, or the words that a value can be
Complaint = tuple[Node, str]
NAMED_NUMBERS = "number"  # the only column of a table of named numbers
YES_OR_NO = ("yes", "no", "true", "false")
LOOKS_AT_DIE = frozenset((*THROW_WORDS, *DIE_WORDS))
OF_DICE = "it depends on dice; a test over dice may name inputs, and steps that need no dice"


@dataclass(frozen=True)
class Scope:
    """The names that a formula may use: values, dice, tables, and the words of a test over dice."""

    values: Mapping[str, Worth]
    fixed: frozenset[str] = frozenset()  # names that do not depend on dice
    later: frozenset[str] = frozenset()  # names that are defined further down
    dice: Mapping[str, Kind] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    test: frozenset[str] = frozenset()
    barred: Mapping[str, str] = field(default_factory=dict)  # names not allowed here, with the reason

    def inside_test(self, kind: Kind) -> Scope:
        words = ["face", "last", "throw", "value", "sides"]
        words += [word for word in ("good", "bad") if getattr(kind, word)]
        values = {name: worth for name, worth in self.values.items() if name in self.fixed}
        barred = {**dict.fromkeys(self.values.keys() - self.fixed, OF_DICE), **self.barred}
        values |= dict.fromkeys(words, NUMBER)
        return replace(self, values=values, dice={}, test=frozenset(words), barred=barred)

    def without(self, names: Mapping[str, str]) -> Scope:
        """This scope without some names; each maps to the reason."""
        values = {name: worth for name, worth in self.values.items() if name not in names}
        return replace(self, values=values, barred={**self.barred, **names})


def check(node: Node, scope: Scope) -> list[Complaint]:
    """The mistakes in a formula that should yield a number."""
    checker = Checker(scope)
    checker.number(node)
    return checker.complaints


def worth(node: Node, scope: Scope) -> tuple[Worth, list[Complaint]]:
    """The type of a formula, and the mistakes in it."""
    checker = Checker(scope)
    found = checker.worth(node)
    return found, checker.complaints


def asks(test: Node) -> str:
    """Whether a test applies to every throw or once to each die: `throw` or `die`."""
    return "throw" if names_in(test) & set(THROW_WORDS) else "die"


def is_constant(test: Node) -> bool:
    """Whether a test is a plain number, such as the 6 of `explode = "6"`."""
    return test.op == "number" or (test.op == "neg" and is_constant(test.args[0]))


def not_about_die(test: Node) -> Complaint | None:
    """Report a test over dice that does not refer to the die, so that either all dice pass it or none."""
    if names_in(test) & LOOKS_AT_DIE:
        return None
    if is_constant(test):
        number = f"-{test.args[0].args[0]}" if test.op == "neg" else f"{test.args[0]}"
        return test, f"`{number}` does not look at the die; write `face = {number}`"
    what = f"`{test.args[0]}`" if test.op == "name" else "this test"
    return test, f"{what} does not look at the die; compare a face, such as `face >= 5`"


class Checker:
    """Type checker of one formula: infers the type of each node and collects problems."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.complaints: list[Complaint] = []

    def complain(self, node: Node, message: str, note: str = "") -> Worth:
        self.complaints.append((node, f"{message}; {note}" if note else message))
        return UNKNOWN

    def number(self, node: Node) -> None:
        if self.worth(node):
            self.complain(node, "a number is needed here; words can only be compared with = and !=")

    def worth(self, node: Node) -> Worth:
        if node.op == "number":
            return NUMBER
        if node.op == "word":
            return (node.args[0],)
        if node.op == "name":
            return self.name(node)
        if node.op in COMPARISONS:
            return self.comparison(node)
        if node.op in DICE:
            return self.dice(node)
        if node.op == "lookup":
            return self.lookup(node)
        if node.op == "if":
            return self.choice(node)
        for child in node.nodes():
            self.number(child)
        if node.op in ROUNDINGS and node.args[1].op == "number" and node.args[1].args[0] == 0:
            self.complain(node.args[1], "nothing can be divided by 0")
        return NUMBER

    def name(self, node: Node) -> Worth:
        name, scope = node.args[0], self.scope
        if name in scope.values:
            return scope.values[name]
        if name in scope.barred:
            return self.complain(node, f"«{name}» cannot stand here", scope.barred[name])
        if name in THROW_WORDS + DIE_WORDS:
            return self.complain(node, self.misplaced(name))
        if name in scope.later:
            return self.complain(node, f"«{name}» is only worked out further down; move it above this line")
        note = "yes is 1, and no is 0" if name.lower() in YES_OR_NO else suggest(name, scope.values)
        return self.complain(node, f"there is no input or step «{name}»", note)

    def misplaced(self, name: str) -> str:
        if self.scope.test:
            return f"this kind of dice does not say which faces are {name}"
        return f"«{name}» is only known in a test over dice, such as count(regular, face >= 5)"

    def comparison(self, node: Node) -> Worth:
        left, right = (self.worth(arg) for arg in node.args)
        if UNKNOWN in (left, right):
            return NUMBER
        if (left or right) and node.op not in ("=", "!="):
            self.complain(node, "words compare with = and != only")
        elif (left is NUMBER) != (right is NUMBER):
            self.complain(node, "a word is compared with a number here")
        elif left and right and not lower(left) & lower(right):
            self.never(node, left, right)
        return NUMBER

    def never(self, node: Node, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        """Report a comparison of words that can never be equal."""
        for side, other in zip(node.args, (right, left), strict=True):
            if side.op == "word":
                self.complain(
                    side, f"what this is compared with is never «{side.args[0]}»", suggest(side.args[0], other)
                )
                return
        self.complain(node, "these two have no word in common")

    def choice(self, node: Node) -> Worth:
        self.number(node.args[0])
        left, right = self.worth(node.args[1]), self.worth(node.args[2])
        if UNKNOWN in (left, right):
            return UNKNOWN
        if left is NUMBER and right is NUMBER:
            return NUMBER
        if left is NUMBER or right is NUMBER:
            return self.complain(node, "one branch gives a word and the other a number")
        return tuple(dict.fromkeys(left + right))

    def dice(self, node: Node) -> Worth:
        name, test = node.args
        kind = self.scope.dice.get(name)
        if self.scope.test:
            self.complain(node, "a test over dice cannot count dice itself")
        elif kind is None:
            note = suggest(name, self.scope.dice) if self.scope.dice else "there are no dice to look at"
            self.complain(node.label(0), f"there is no kind of dice «{name}» here", note)
        elif test is not None:
            self.test(test, kind)
        return NUMBER

    def test(self, test: Node, kind: Kind) -> None:
        inner = Checker(self.scope.inside_test(kind))
        inner.number(test)
        self.complaints += inner.complaints
        found = names_in(test)
        complaint = not_about_die(test)
        if complaint and not inner.complaints:
            self.complaints.append(complaint)
        if "value" in found and found & set(THROW_WORDS):
            self.complain(test, "a test asks either of each throw (face, last, throw, good, bad) or of the die (value)")

    def lookup(self, node: Node) -> Worth:
        name, row, column = node.args
        row_worth = self.worth(row)
        table = self.scope.tables.get(name)
        if table is None:
            return self.complain(node.label(0), f"there is no table «{name}»", suggest(name, self.scope.tables))
        self.row(row, row_worth, table)
        if column not in table.columns:
            said = f"the table {name} has no column «{column}»"
            return self.complain(node.label(1), said, suggest(column, table.columns))
        return column_worth(table, column)

    def row(self, node: Node, row: Worth, table: Table) -> None:
        if row is NUMBER:
            if not table.ranges:
                self.complain(node, f"the rows of {table.name} have names, not numbers")
        elif row and table.ranges:
            self.complain(node, f"the rows of {table.name} are ranges of numbers")
        elif word := without_row(table, row):
            self.complain(node, f"the table {table.name} has no row «{word}»", suggest(word, table.rows))


def lower(words: tuple[str, ...]) -> set[str]:
    return {word.lower() for word in words}


def column_of(table: Table, column: str) -> list[int | str]:
    """The cells of one column, row by row."""
    place = table.columns.index(column)
    return [cells[place] for cells in (*table.rows.values(), *(cells for _, _, cells in table.ranges))]


def column_worth(table: Table, column: str) -> Worth:
    found = column_of(table, column)
    return NUMBER if any(isinstance(cell, int) for cell in found) else tuple(dict.fromkeys(map(str, found)))


def without_row(table: Table, words: tuple[str, ...]) -> str:
    """The first of these words that is not the name of a row; empty if all are."""
    rows = lower(tuple(table.rows))
    return next((word for word in words if word.lower() not in rows), "")
