"""Checks the names and types in a formula against the scope in which it is evaluated."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ..source import suggest
from .core import CoreTable
from .formula import (
    COMPARISONS,
    DICE_FUNCTIONS,
    DIE_WORDS,
    FACE,
    MARKING_TESTS,
    RESERVED_WORDS,
    ROUNDING_FUNCTIONS,
    SET_OPERATIONS,
    THROW_WORDS,
    Node,
    collect_names,
    collect_sets,
    compared_face,
    needs_dice,
)
from .model import DiceKind

NUMBER_TYPE = None
UNKNOWN_TYPE: tuple[str, ...] = ()  # the type of something that was already reported
ValueType = tuple[str, ...] | None  # NUMBER, or the words that a value can be
NodeProblem = tuple[Node, str]
Kinds = tuple[DiceKind, ...]  # the kinds of dice in a set
NAMED_NUMBERS_COLUMN = "number"  # the only column of a table of named numbers
_FLAG_WORDS = ("yes", "no", "true", "false")
_TEST_WORDS = frozenset((*THROW_WORDS, *DIE_WORDS))
_DEPENDS_ON_DICE = "it depends on dice; a test over dice may name inputs, and steps that need no dice"


@dataclass(frozen=True)
class Scope:
    """The names that a formula may use: values, dice, tables, and the words of a test over dice."""

    values: Mapping[str, ValueType]
    dice_free: frozenset[str] = frozenset()  # names that do not depend on dice
    dice: Mapping[str, DiceKind] = field(default_factory=dict)
    sets: Mapping[str, Kinds] = field(default_factory=dict)  # steps that pick dice, with the kinds of these
    tables: Mapping[str, CoreTable] = field(default_factory=dict)
    test: frozenset[str] = frozenset()
    kinds: tuple[DiceKind, ...] = ()  # the dice that are tested
    forbidden: Mapping[str, str] = field(default_factory=dict)  # names not allowed here, with the reason

    def test_scope(self, kind: DiceKind) -> Scope:
        """The scope of what a kind asks of its throws, before all dice lie on the table."""
        words = ["face", "last", "throw", "value", "sides", *kind.face_words]
        values = {name: worth for name, worth in self.values.items() if name in self.dice_free - set(THROW_WORDS)}
        excluded = {**dict.fromkeys(self.values.keys() - self.dice_free, _DEPENDS_ON_DICE), **self.forbidden}
        values |= {**dict.fromkeys(words, NUMBER_TYPE), **_face_types((kind,))}
        return replace(self, values=values, dice={}, kinds=(kind,), test=frozenset(words), forbidden=excluded)

    def body_scope(self, kinds: Kinds) -> Scope:
        """The scope of what each throw or each die of a set gives, once the dice lie on the table."""
        words = ["face", "last", "first", "throw", "value", "sides", *_face_words(kinds)]
        values = {**self.values, **dict.fromkeys(words, NUMBER_TYPE), **_face_types(kinds)}
        return replace(self, values=values, kinds=kinds, test=frozenset(words))

    def without(self, names: Mapping[str, str]) -> Scope:
        """This scope without some names; each maps to the reason."""
        values = {name: worth for name, worth in self.values.items() if name not in names}
        return replace(self, values=values, forbidden={**self.forbidden, **names})


def check_formula(node: Node, scope: Scope) -> list[NodeProblem]:
    """The mistakes in a formula that should yield a number."""
    checker = _TypeChecker(scope)
    checker.check_number(node)
    return checker.complaints


def infer_type(node: Node, scope: Scope) -> tuple[ValueType, list[NodeProblem]]:
    """The type of a formula, and the mistakes in it."""
    checker = _TypeChecker(scope)
    value_type = checker.infer(node)
    return value_type, checker.complaints


def infer_set(node: Node, scope: Scope) -> tuple[Kinds, list[NodeProblem]]:
    """The kinds of dice in a set, and the mistakes in it."""
    checker = _TypeChecker(scope)
    kinds = checker.infer_set(node)
    return kinds, checker.complaints


def is_set(node: Node, scope: Scope) -> bool:
    """Whether a formula picks dice: a set, or the name of one that is no value."""
    if node.op == "name":
        name = node.args[0]
        return name not in scope.values and (name in scope.dice or name in scope.sets)
    names = (*scope.dice, *scope.sets)
    return node.op in SET_OPERATIONS and (node.op != "together" or any(name in names for name in collect_sets(node)))


def subject_of_test(test: Node, face_words: Collection[str] = ()) -> str:
    """Whether a test applies to every throw or once to each die: `throw` or `die`."""
    return "throw" if collect_names(test) & {*THROW_WORDS, *face_words} else "die"


def is_constant(test: Node) -> bool:
    """Whether a test is a plain number, such as the 6 of `explode = "6"`."""
    return test.op == "number" or (test.op == "neg" and is_constant(test.args[0]))


def find_unrelated_test(test: Node, face_words: Collection[str] = ()) -> NodeProblem | None:
    """Report a test over dice that does not refer to the die, so that either all dice pass it or none."""
    if collect_names(test) & {*_TEST_WORDS, *face_words}:
        return None
    if is_constant(test):
        number = f"-{test.args[0].args[0]}" if test.op == "neg" else f"{test.args[0]}"
        return test, f"`{number}` does not look at the die; write `face = {number}`"
    subject = f"`{test.args[0]}`" if test.op == "name" else "this test"
    return test, f"{subject} does not look at the die; compare a face, such as `face >= 5`"


class _TypeChecker:
    """Type checker of one formula: infers the type of each node and collects problems."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.complaints: list[NodeProblem] = []

    def report(self, node: Node, message: str, note: str = "") -> ValueType:
        self.complaints.append((node, f"{message}; {note}" if note else message))
        return UNKNOWN_TYPE

    def check_number(self, node: Node) -> None:
        if self.infer(node):
            self.report(node, "a number is needed here; words can only be compared with = and !=")

    def infer(self, node: Node) -> ValueType:
        if node.op == "number":
            return NUMBER_TYPE
        if node.op == "word":
            return (node.args[0],)
        if node.op in COMPARISONS:
            return self.infer_comparison(node)
        if node.op in (*DICE_FUNCTIONS, "groups"):
            return self.infer_dice(node)
        if node.op in SET_OPERATIONS:
            return self.report_set(node)
        own_types = {
            "name": self.infer_name,
            "lookup": self.infer_lookup,
            "if": self.infer_branches,
            "over": self.infer_over,
        }
        if node.op in own_types:
            return own_types[node.op](node)
        for child in node.child_nodes():
            self.check_number(child)
        if node.op in ROUNDING_FUNCTIONS and node.args[1].op == "number" and node.args[1].args[0] == 0:
            self.report(node.args[1], "nothing can be divided by 0")
        return NUMBER_TYPE

    def report_set(self, node: Node) -> ValueType:
        """Report a set of dice where a number is needed."""
        if not is_set(node, self.scope):
            return self.report(node, "a comma can only separate the values of a function, such as max(a, b); remove it")
        return self.report(node, "these are dice; for a number write sum(…), count(…) or highest(…)")

    def infer_name(self, node: Node) -> ValueType:
        name, scope = node.args[0], self.scope
        if name in scope.values:
            return scope.values[name]
        if name in scope.sets:
            return self.report(node, f"`{name}` is a set of dice; write sum({name}), count({name}) or highest({name})")
        if name in scope.forbidden:
            return self.report(node, f'"{name}" cannot be used here', scope.forbidden[name])
        if name in THROW_WORDS + DIE_WORDS + MARKING_TESTS:
            return self.report(node, self.describe_misplaced(name))
        if any(face.mark == name for kind in scope.kinds for face in kind.faces):
            return self.report(node, f"`{name}` is a face; write face = '{name}'")
        if kinds := [kind.name for kind in scope.kinds if any(face.words for face in kind.faces)]:
            message = f"`{name}` is no input or step, and nothing on the {' or '.join(kinds)} dice"
            return self.report(node, message, suggest(name, scope.values))
        note = "yes is 1, and no is 0" if name.lower() in _FLAG_WORDS else suggest(name, scope.values)
        if re.fullmatch(r"d[0-9]+", name):
            declared = "" if name in scope.dice else "declare these dice and "
            sides = f"for the number of sides, write {name[1:]}"
            note = f"{declared}write sum({name}); {sides}" if scope.dice else sides
        return self.report(node, f'there is no input or step "{name}"', note)

    def describe_misplaced(self, name: str) -> str:
        if self.scope.test:
            return f"this kind of dice does not say which faces are {name}"
        return f'"{name}" is only known in a test over dice, such as count(regular: face >= 5)'

    def infer_whole_face(self, node: Node, word: Node) -> ValueType:
        """The type of `face = 'word'`."""
        self.infer(next(arg for arg in node.args if arg == FACE))
        marks = [face.mark for kind in self.scope.kinds for face in kind.faces]
        if marks and word.args[0].replace("−", "-").lower() not in _lowercase(tuple(marks)):
            self.report(word, f"no face is `{word.args[0]}`", suggest(word.args[0], marks))
        elif self.scope.kinds and not marks:
            self.report(word, "these dice show numbers; compare face with a number")
        return NUMBER_TYPE

    def infer_comparison(self, node: Node) -> ValueType:
        if word := compared_face(node):
            return self.infer_whole_face(node, word)
        left, right = (self.infer(arg) for arg in node.args)
        if UNKNOWN_TYPE in (left, right):
            return NUMBER_TYPE
        if (left or right) and node.op not in ("=", "!="):
            self.report(node, "words compare with = and != only")
        elif (left is NUMBER_TYPE) != (right is NUMBER_TYPE):
            self.report(node, "a word is compared with a number here")
        elif left and right and not _lowercase(left) & _lowercase(right):
            self.report_never_equal(node, left, right)
        return NUMBER_TYPE

    def report_never_equal(self, node: Node, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        """Report a comparison of words that can never be equal."""
        for side, other in zip(node.args, (right, left), strict=True):
            if side.op == "word":
                self.report(side, f'what this is compared with is never "{side.args[0]}"', suggest(side.args[0], other))
                return
        self.report(node, "these two have no word in common")

    def infer_branches(self, node: Node) -> ValueType:
        self.check_number(node.args[0])
        left, right = self.infer(node.args[1]), self.infer(node.args[2])
        if UNKNOWN_TYPE in (left, right):
            return UNKNOWN_TYPE
        if left is NUMBER_TYPE and right is NUMBER_TYPE:
            return NUMBER_TYPE
        if left is NUMBER_TYPE or right is NUMBER_TYPE:
            return self.report(node, "one branch gives a word and the other a number")
        return tuple(dict.fromkeys(left + right))

    def infer_dice(self, node: Node) -> ValueType:
        dice, body = node.args
        if self.scope.test and not self.scope.dice:
            self.report(node, "a test over dice cannot count dice itself")
            return NUMBER_TYPE
        kinds = self.infer_set(dice)
        if node.op == "groups":
            self.check_number(body)
        elif body is not None and kinds:
            self.check_body(body, kinds)
        return NUMBER_TYPE

    def infer_set(self, node: Node) -> Kinds:
        """The kinds of dice in a set; none if something was reported."""
        if node.op in ("set", "name"):
            return self.find_set(node)
        if node.op in ("together", "without"):
            if values := [arg for arg in node.args if self.is_value(arg)]:  # meant as the test of a count
                self.report(
                    values[0], f"`{values[0].args[0]}` does not look at the die; compare a face, such as `face >= 5`"
                )
                return ()
            parts = [self.infer_set(arg) for arg in node.args]
            kinds = parts[0] if node.op == "without" else tuple(kind for part in parts for kind in part)
            return tuple(dict.fromkeys(kinds)) if all(parts) else ()
        if node.op == "where":
            kinds = self.infer_set(node.args[0])
            if kinds:
                self.check_die_formula(node.args[1], kinds)
            return kinds
        number, dice, order = node.args
        self.check_number(number)
        kinds = self.infer_set(dice)
        if order and kinds:
            self.check_die_formula(order, kinds)
        return kinds

    def is_value(self, node: Node) -> bool:
        name = node.args[0]
        return node.op == "set" and name in self.scope.values and name not in (*self.scope.dice, *self.scope.sets)

    def find_set(self, node: Node) -> Kinds:
        name, scope = node.args[0], self.scope
        if name in scope.dice:
            return (scope.dice[name],)
        if name in scope.sets:
            return scope.sets[name]
        note = suggest(name, [*scope.dice, *scope.sets]) if scope.dice else "there are no dice to look at"
        self.report(node, f'there is no kind of dice "{name}" here', note)
        return ()

    def check_body(self, body: Node, kinds: Kinds) -> None:
        """Check what each throw or each die gives."""
        inner = _TypeChecker(self.scope.body_scope(kinds))
        inner.check_number(body)
        self.complaints += inner.complaints
        names = collect_names(body)
        words = _face_words(kinds)
        problem = find_unrelated_test(body, words)
        if problem and not inner.complaints:
            self.complaints.append(problem)
        if "value" in names and names & {*THROW_WORDS, *words}:
            self.report(body, "this asks either of each throw (face, last, first, throw) or of the die (value)")

    def check_die_formula(self, formula: Node, kinds: Kinds) -> None:
        """Check what `by` compares, or the test after `where`: both ask each die, whose `face` is its value."""
        inner = _TypeChecker(self.scope.body_scope(kinds))
        inner.check_number(formula)
        self.complaints += inner.complaints
        problem = find_unrelated_test(formula, _face_words(kinds))
        if problem and not inner.complaints:
            self.complaints.append(problem)
        exploding = next((kind.name for kind in kinds if kind.explodes), None)
        if exploding is not None and "face" in collect_names(formula):
            self.report(formula, f"{exploding} dice explode, so that one die shows several faces; write value")

    def infer_over(self, node: Node) -> ValueType:
        _, word, domain, body = node.args
        if word in self.scope.values or word in RESERVED_WORDS:
            self.report(node.label_node(0), f"`{word}` already means something here; choose another word")
        values = {**self.scope.values, word: self.infer_domain(domain)}
        inner = _TypeChecker(replace(self.scope, values=values))
        inner.check_number(body)
        self.complaints += inner.complaints
        if word not in collect_names(body) and not inner.complaints:
            self.report(body, f"`{word}` is not in it, so that it is the same each time")
        return NUMBER_TYPE

    def infer_domain(self, domain: Node) -> ValueType:
        """The type of a word that runs over faces, parts of cards, or numbers."""
        if domain.op == "faces_of":
            return self.infer_part(domain, self.infer_set(domain.args[0]))
        for end in domain.args:
            self.check_number(end)
            if needs_dice(end) or not collect_names(end) <= self.scope.dice_free:
                self.report(end, "how far a word runs is known before the dice; name inputs only")
        return NUMBER_TYPE

    def infer_part(self, domain: Node, kinds: Kinds) -> ValueType:
        """The type of a part of cards, as in `cards.suit`; without a part, of faces."""
        dice, part = domain.args
        parts = [name for kind in kinds for name in kind.parts]
        if not kinds or not part:
            return NUMBER_TYPE
        if any(part not in kind.parts for kind in kinds):
            message = f"`{part}` is not a part of {dice.args[0]}"
            return self.report(domain, message, suggest(part, parts) or "a deck says which parts its cards have")
        types = [kind.find_words(part) for kind in kinds]
        if len({found is NUMBER_TYPE for found in types}) > 1:
            return self.report(domain, f"`{part}` is a number on some of these cards and a word on others")
        return _face_types(kinds)[part]

    def infer_lookup(self, node: Node) -> ValueType:
        name, row, column = node.args
        row_worth = self.infer(row)
        column_worth = self.infer(column) if isinstance(column, Node) else (column,)
        table = self.scope.tables.get(name)
        if table is None:
            return self.report(node.label_node(0), f'there is no table "{name}"', suggest(name, self.scope.tables))
        self.check_row(row, row_worth, table)
        columns = tuple(table.columns) if column_worth is NUMBER_TYPE else column_worth
        known = table.columns if isinstance(column, str) else _lowercase(table.columns)
        for word in columns:
            if (word if isinstance(column, str) else word.lower()) not in known:
                place = node.label_node(1) if isinstance(column, str) else column
                is_value = isinstance(column, str) and word in self.scope.values
                note = f"its value needs brackets: ({word})" if is_value else suggest(word, table.columns)
                return self.report(place, f'the table {name} has no column "{word}"', note)
        types = [_column_type(table, (name,)) for name in columns]
        if len({found is NUMBER_TYPE for found in types}) > 1:
            return self.report(node, f"these columns of {table.name} hold words and numbers")
        return _column_type(table, columns)

    def check_row(self, node: Node, row: ValueType, table: CoreTable) -> None:
        if row is NUMBER_TYPE:
            if not table.ranges:
                self.report(node, f"the rows of {table.name} have names, not numbers")
        elif row and table.ranges:
            self.report(node, f"the rows of {table.name} are ranges of numbers")
        elif word := _find_missing_row(table, row):
            self.report(node, f'the table {table.name} has no row "{word}"', suggest(word, table.rows))


def _face_words(kinds: Kinds) -> tuple[str, ...]:
    """The tests, symbols and parts that any of these kinds have."""
    return tuple(dict.fromkeys(word for kind in kinds for word in kind.face_words))


def _face_types(kinds: Kinds) -> dict[str, ValueType]:
    """The words that parts of cards can be; everything else is a number."""
    found = {word: [kind.find_words(word) or () for kind in kinds] for word in _face_words(kinds)}
    return {
        word: tuple(dict.fromkeys(value for own in values for value in own)) or None for word, values in found.items()
    }


def _lowercase(words: tuple[str, ...]) -> set[str]:
    return {word.lower() for word in words}


def _column_type(table: CoreTable, columns: tuple[str, ...]) -> ValueType:
    names = [name.lower() for name in table.columns]
    values = [cells[names.index(column.lower())] for column in columns for cells in table.cells]
    return NUMBER_TYPE if any(isinstance(cell, int) for cell in values) else tuple(dict.fromkeys(map(str, values)))


def _find_missing_row(table: CoreTable, words: tuple[str, ...]) -> str:
    """The first of these words that is not the name of a row; empty if all are."""
    rows = _lowercase(tuple(table.rows))
    return next((word for word in words if word.lower() not in rows), "")
