"""Sets of dice, functions over them and words over faces, as players say them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...game.formula import PICKS, Node, collect_names, walk
from ...game.model import DiceKind, Roll, Rule
from ..number_format import join_alternatives
from ..strings import Words
from .throw_tests import ONE, ZERO, ThrowTest, ThrowTests, flatten
from .wording import BOOLEAN_OPERATORS, find_single_kinds, format_name, is_alike, kind_label, kind_of, test_of

_DIE_NAME = re.compile(r"[dw](\d+)", re.IGNORECASE)
_DOMINANT = 100  # no die has so many sides that a smaller multiple of its value could be made up for
_VALUE, _SIDES = (Node("name", (name,)) for name in ("value", "sides"))


@dataclass(frozen=True, eq=False)
class DicePhrases(ABC):
    """Says what the formulas of one rule look at; a Speaker says the rest of them."""

    rule: Rule
    words: Words
    bound: Mapping[str, str] = field(default_factory=dict)  # what words over faces are called here

    @abstractmethod
    def noun(self, node: Node, within: bool = False) -> str:
        """A number in words."""

    @abstractmethod
    def clause(self, node: Node, holds: bool = True) -> str:
        """A condition in words."""

    @abstractmethod
    def the(self, label: str) -> str:
        """A label with its article."""

    @abstractmethod
    def label(self, name: str) -> str:
        """The label of a value."""

    @cached_property
    def kinds(self) -> dict[str, DiceKind]:
        return {kind.name: kind for kind in self.rule.dice}

    @cached_property
    def single(self) -> frozenset[str]:
        return find_single_kinds(self.rule)

    @cached_property
    def tests(self) -> ThrowTests:
        return ThrowTests(self.rule, self.words, self.clause, self.noun)

    def throw_test(self, kind: str, test: Node) -> ThrowTest:
        return self.tests.describe(kind, test)

    # Dice by kind

    def adjective(self, kinds: Sequence[str]) -> str:
        """The labels of kinds of dice before the word "dice"; empty if these are all kinds of the rule."""
        if len(kinds) == len(self.kinds) and self.kinds.keys() >= set(kinds):
            return ""
        labels = (kind_label(self.rule, kind) if kind in self.kinds else self.label(kind) for kind in kinds)
        return self.words("rule kinds and").join(labels)

    def piece(self, kinds: Sequence[str]) -> str:
        """Whether these are dice or cards, as phrases are called."""
        return "card" if all(kind in self.kinds and self.kinds[kind].deck for kind in kinds) else "die"

    def dice_of(self, kinds: Sequence[str]) -> str:
        """Kinds of dice in the plural: "dice", "regular dice", "base and gear dice", "cards"."""
        many = "cards" if self.piece(kinds) == "card" else "dice"
        adjective = self.adjective(kinds)
        if adjective and len(kinds) == 1 and (sides := self.plain_sides(kinds[0])):
            return self.words("rule dice name", sides=sides)
        return self.words(f"rule kind {many}", kind=adjective) if adjective else self.words(f"rule lone {many}")

    def die_of(self, kind: str) -> str:
        """One of a kind of dice: "die", "wild die", "card"."""
        one, adjective = self.piece([kind]), self.adjective([kind])
        if adjective and (name := self.plain_name(kind)):
            return name
        return self.words(f"rule kind {one}", kind=adjective) if adjective else self.words(f"rule lone {one}")

    def the_dice(self, kinds: Sequence[str]) -> str:
        return self.words("rule the dice", dice=self.dice_of(kinds))

    def the_die(self, kind: str) -> str:
        """A single die: "the die", "the d20", "the wild die"."""
        return self.words(f"rule the {self.piece([kind])}", die=self.plain_name(kind) or self.die_of(kind))

    def plain_name(self, kind: str) -> str:
        """The name of a kind that is called like its die, "d20"; else empty."""
        sides = self.plain_sides(kind)
        return self.words("rule die name", sides=sides) if sides else ""

    def plain_sides(self, kind: str) -> str:
        """The sides of a kind that is called like its die; else empty."""
        match = _DIE_NAME.fullmatch(kind_label(self.rule, kind))
        return match[1] if match else ""

    # Sets

    def dice_set(self, node: Node) -> str:
        """A set of dice with its article: "the dice", "the 2 highest of the red dice", "the best two"."""
        if kinds := self.kinds_of(node):
            return self.the_die(kinds[0]) if node.op == "set" and kinds[0] in self.single else self.the_dice(kinds)
        if node.op == "set":
            name = str(node.args[0])
            roll = next((own for own in self.rule.rolls if own.name == name), None)
            return self.words("rule the rolls", roll=roll.label) if roll else self.the(self.label(name))
        if node.op == "together":
            return join_alternatives(list(map(self.dice_set, node.args)), self.words, "and")
        if node.op == "without":
            dice, other = map(self.dice_set, node.args)
            return self.words("rule dice without", dice=dice, other=other)
        return self._pick(node) if node.op in PICKS else self._filter(node)

    def kinds_of(self, node: Node) -> list[str]:
        """The kinds that a set consists of, if it is whole kinds."""
        parts = [str(part.args[0]) for part in flatten("together", node) if part.op == "set"]
        is_whole = len(parts) == len(flatten("together", node)) and all(part in self.kinds for part in parts)
        return list(dict.fromkeys(parts)) if is_whole else []

    def _pick(self, node: Node) -> str:
        number, dice, order = node.args
        name, of = f"rule pick {node.op.removesuffix('_of')}", self.dice_set(dice)
        if number == ONE and node.op != "any_of":
            text = self.words(name.replace("pick", "pick one"), dice=of)
        elif number.op == "number" or node.op == "any_of":
            text = self.words(name, number=self.noun(number), dice=of)
        else:
            text = self.words("rule so many of", what=self.words(f"{name} some", dice=of), number=self.noun(number))
        return text if order is None else self.words("rule ranked", dice=text, order=self._order(order))

    def _order(self, order: Node) -> str:
        """What dice are picked by; of equal values the sides may decide."""
        parts = flatten("+", order)
        if len(parts) == 2 and self._is_mostly_value(parts[0]):
            if parts[1] == _SIDES:
                return self.words("rule most sides first")
            if parts[1] == Node("neg", (_SIDES,)):
                return self.words("rule fewest sides first")
        return self.words("rule ranked by", value=self.noun(order))

    def _is_mostly_value(self, node: Node) -> bool:
        factors = flatten("*", node)
        numbers = [part.args[0] for part in factors if part.op == "number"]
        return len(factors) == 2 and _VALUE in factors and bool(numbers) and numbers[0] >= _DOMINANT

    def _filter(self, node: Node) -> str:
        """Dice that pass a test: "the dice that show 2 or more"."""
        dice, test = node.args
        if faces := self._shown(dice, test):
            return self.words("rule dice that show", dice=self.dice_set(dice), faces=faces)
        return self.words("rule dice for which", dice=self.dice_set(dice), test=self.clause(test))

    def _shown(self, dice: Node, test: Node) -> str:
        """The faces that meet a test of the dice in a set; empty if it asks for more."""
        names = collect_names(test)
        if not names & {*self.tests.face_words} or names & {"sides", "throw", "first", "last"}:
            return ""
        kinds = self.kinds_of(dice) or [
            str(own.args[0]) for own in walk(dice) if own.op == "set" and own.args[0] in self.kinds
        ]
        found = {self.throw_test(kind, test) for kind in kinds or list(self.kinds)[:1]}
        return found.pop().faces if len(found) == 1 and not any(one.condition for one in found) else ""

    # Functions

    def dice_function(self, node: Node) -> str:
        """A number that is read from dice."""
        if node.op == "groups":
            return self.words("rule groups", dice=self.dice_set(node.args[0]), goal=self.noun(node.args[1], True))
        if node.op == "over":
            return self._over(node)
        kind, (dice, body) = kind_of(node), node.args
        if kind in self.kinds and node.op != "count" and kind in self.single:
            return self.the_die(kind)
        if body is None:
            return self._plain_function(node.op, dice)
        if node.op != "count":
            return self._body_function(node.op, dice, body)
        if symbol := self._symbol_of(dice, body):
            return self.words("rule count symbols", symbol=format_name(symbol), dice=self.dice_set(dice))
        if kind in self.kinds:
            return self._count(kind, body)
        if body.op not in (*BOOLEAN_OPERATORS, "name"):
            return self._body_function("sum", dice, body)
        return self.words("rule count among", dice=self._filter(Node("where", (dice, body))))

    def all_results(self, roll: Roll, node: Node) -> str:
        """A function over the results of a roll: "the highest value of the score among the ability rolls"."""
        names = [name for name in collect_names(node) if name.startswith(f"{roll.prefixes[0]}.")]
        labels = (self.label(name).removeprefix(f"{roll.label}: ").rpartition(".")[2] for name in names)
        inner = replace(self, bound={**self.bound, **dict(zip(names, map(self.the, labels), strict=True))})
        dice, body = node.args
        if node.op != "count":
            return inner.dice_function(node)
        rolls = self.dice_set(dice)
        return (
            self.words("rule count results", rolls=rolls, test=inner.clause(body))
            if body
            else self.words("rule count among", dice=rolls)
        )

    def _plain_function(self, op: str, dice: Node) -> str:
        """A function of the values of dice."""
        kinds = self.kinds_of(dice)
        if op == "sum":
            return self.words("rule sum", dice=self.dice_set(dice))
        if op == "count":
            return (
                self.words("rule count", dice=self.dice_of(kinds))
                if kinds
                else self.words("rule count among", dice=self.dice_set(dice))
            )
        if len(kinds) == 1:
            return self.words(f"rule {op} {self.piece(kinds)}", die=self.die_of(kinds[0]))
        return self.words(f"rule pick one {op}", dice=self.dice_set(dice))

    def _body_function(self, op: str, dice: Node, body: Node) -> str:
        if body == _SIDES and op != "sum":
            return self.words(f"rule {op} sides", dice=self.dice_set(dice))
        return self.words(f"rule {op} over", value=self.noun(body, True), dice=self.dice_set(dice))

    def _symbol_of(self, dice: Node, body: Node) -> str:
        """The symbol that is counted, if a face may show it more than once."""
        name = str(body.args[0]) if body.op == "name" else ""
        kinds = self.kinds_of(dice)
        if any(name in self.kinds[kind].tests for kind in kinds):
            return ""
        counts = [face.words.get(name, 0) for kind in kinds for face in self.kinds[kind].faces]
        return name if any(isinstance(count, int) and count > 1 for count in counts) else ""

    def _count(self, kind: str, counted: Node) -> str:
        """How many dice of a kind pass a test."""
        test = self.throw_test(kind, counted)
        text = self.words("rule count with", dice=self.dice_of([kind]), faces=test.faces)
        return self.words("rule case alone", what=text, test=test.condition) if test.condition else text

    def counts_alike(self, node: Node) -> tuple[str, Node] | None:
        """The kind and the test of a count of dice of one kind, whose dice count one each."""
        test = test_of(node)
        if test is None or self._symbol_of(node.args[0], test) or kind_of(node) not in self.kinds:
            return None
        return kind_of(node), test

    # Words over faces

    def _over(self, node: Node) -> str:
        function, word, domain, body = node.args
        if is_alike(node):
            return self._alike(domain)
        if domain.op == "range":
            low, high = (self.noun(end, True) for end in domain.args)
            name, values = self.words("rule that number"), self.words("rule number between", low=low, high=high)
        else:
            dice, part = self.dice_set(domain.args[0]), domain.args[1]
            name = self.words("rule that part", part=format_name(part)) if part else self.words("rule that face")
            values = self.words("rule part of", part=format_name(part or self.words("rule face")), dice=dice)
        inner = replace(self, bound={**self.bound, word: name})
        return inner.say_over(function, Node("name", (word,)), body, values)

    def say_over(self, function: str, word: Node, body: Node, values: str) -> str:
        """A function over values, whose word has a name here."""
        if function in ("max", "min") and body.op == "if" and body.args[1:] == (word, ZERO):
            return self.words(f"rule {function} for which", values=values, test=self.clause(body.args[0]))
        if function == "count" or (function == "sum" and body.op in BOOLEAN_OPERATORS):
            return self.words("rule count for which", values=values, test=self.clause(body))
        return self.words(f"rule {function} for any", value=self.noun(body, True), values=values)

    def _alike(self, domain: Node) -> str:
        """The size of the largest set of equal dice."""
        part = domain.args[1]
        dice = self.dice_of(self.kinds_of(domain.args[0]))
        return (
            self.words("rule most of a part", dice=dice, part=format_name(part))
            if part
            else self.words("rule most alike", dice=dice)
        )

    def is_one_die(self, node: Node) -> bool:
        """Whether a set is a single die: `highest 1 of d6`."""
        return (node.op in PICKS and node.args[0] == ONE) or (node.op == "set" and node.args[0] in self.single)
