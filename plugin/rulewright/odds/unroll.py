"""Rewrites formulas over sets of dice as plain formulas over numbers that sources of chance decide.

A **member** stands for dice of a kind that no formula tells apart: a single die whose face is a variable, or all dice
of a pool that show the same face, of which only the number is unknown. In a set, a member has a part of its dice,
from `low` to `high` in the order rolled. So `sum(highest 2 of d6)` of many dice becomes 6 * min(sixes, 2) + 5 *
min(fives, max(2 - sixes, 0)) + …, and of two dice just a + b. What the elimination makes of such sums is a walk over
the faces, best first, that only knows how many dice are picked.

The words of a body or a test (`face`, `value`, a symbol) become constants or variables of the member; a word over
faces is written out for each of its values. Dice that are still to be rolled stay as they are: their formulas are
unrolled later."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..game import dependencies
from ..game.core import CoreRule, DiceSet, Tally
from ..game.formula import Node
from .budget import Budget, NotExactError
from .fold import (
    ONE,
    ZERO,
    add,
    choose,
    compare,
    constant,
    extreme,
    fold,
    is_number,
    join_tests,
    multiply,
    subtract,
    truth_of,
)
from .rule_facts import find_earning, goes_on, is_family, is_tally

PAIR_COST = 2  # what it costs to tell which of two members is picked first
_FAR = 2**40  # beyond every value of a die
DICE = "how many dice"  # word of a die with those of its own kind that it earns


class OrderMattersError(NotExactError):
    """The dice of this kind must be told apart in the order rolled, or the first ones from the others."""

    def __init__(self, kind: int, first: int | None = None) -> None:
        super().__init__("equal dice of a kind are told apart")
        self.kind, self.first = kind, first


class ThrowAsked(NamedTuple):
    """What is asked of each throw of dice that go on; what earns dice counts for throws that are replaced, too."""

    node: Node
    is_earning: bool


def throw_word(asked: ThrowAsked) -> str:
    """What formulas call the answers of all throws of a die together."""
    return f"{'earned' if asked.is_earning else 'throws'}: {_text_of(asked.node)}"


def _text_of(node: Node) -> str:
    return f"({' '.join([node.op, *(_text_of(arg) if isinstance(arg, Node) else str(arg) for arg in node.args)])})"


class Member(NamedTuple):
    """Dice of a kind that no formula tells apart: what formulas call their properties, and how many they are.

    `place` is where they are in the order rolled; None if dice with other faces lie between them. `follows` is the
    value by which members of this kind are sorted already, highest first."""

    kind: int
    words: Mapping[str, Node]
    number: Node
    place: int | None
    follows: Node | None = None
    since: int = 0  # the stage of the walk in which they were rolled
    weight: int = 1  # on how many sides of a die that face is
    face: Any = None  # all words of the face itself, if that is known
    block: tuple[int, int] | None = None  # the cards in the order drawn among which these are

    @property
    def is_single(self) -> bool:
        """Whether this is one die, which is in a set or not."""
        return self.place is not None or self.follows is not None


Words = Mapping[str, Node]
Range = tuple[Node, Node]  # the dice of a member in a set
Dice = dict[int, Range]  # by the number of the member


class Unroller:
    """Unrolls the formulas of a rule; `known` are values that do not change, `tables` the dice that lie, by kind.

    Formulas over kinds that are `waiting` for more dice stay as they are. What formulas say about single dice is
    collected in `asked`, by kind."""

    def __init__(
        self,
        rule: CoreRule,
        known: Words,
        tables: Mapping[int, Sequence[Member]],
        domains: Mapping[int, Mapping[str, Sequence[int | str]]],
        eager: bool = True,
        waiting: Collection[int] = (),
    ) -> None:
        self.rule, self.known, self.domains, self.eager = rule, known, domains, eager
        self.tables = {kind: tuple(members) for kind, members in tables.items()}
        self.complete = self.tables.keys() - set(waiting)
        self.members = [member for kind in sorted(tables) for member in tables[kind]]
        self.asked: dict[int, dict[Node, None]] = {kind: {} for kind in tables}
        self.asked_throws: dict[int, dict[ThrowAsked, None]] = {kind: {} for kind in tables}
        self.sets: dict[tuple[int, tuple[tuple[str, Node], ...]], Dice] = {}
        self.done: dict[Node, Node] = {}
        self.budget: Budget | None = None  # that pays for comparing members with one another

    def unroll(self, node: Node) -> Node:
        """A formula without dice that lie."""
        if node not in self.done:
            self.done[node] = self.formula(node, {}, {})
        return self.done[node]

    def formula(self, node: Node, words: Words, over: Words) -> Node:
        """A formula, with the words of a die, and those that run over faces."""
        if node.op in ("number", "word", "faces"):
            return node
        if node.op == "dice":  # a step that is a set: how many dice are in it
            number = int(node.args[0])
            if not dependencies.set_kinds(self.rule, number) <= self.complete:
                return node
            return add(size for _, size in self.sizes(self.apart(self.dice(number, over))))
        if node.op == "name":
            name = node.args[0]
            return words.get(name) or over.get(name) or (self.known.get(name) if words or over else None) or node
        if node.op == "tally":
            return self.tally(node, over) if is_tally(node) else node
        if node.op == "earned":
            return self.earned(node)
        args = tuple(self.formula(arg, words, over) if isinstance(arg, Node) else arg for arg in node.args)
        return fold(node.op, args, self.rule.tables)

    def fixed(self, node: Node, over: Words) -> Node:
        """A number that decides which dice are meant."""
        return self.formula(node, {"": ZERO}, over)

    def tally(self, node: Node, over: Words) -> Node:
        number = int(node.args[0][1:])
        tally = self.rule.tallies[number]
        if not dependencies.tally_kinds(self.rule, number) <= self.complete:
            if over:
                raise NotExactError
            return node
        if tally.word:
            return self.over(tally, over)
        assert tally.set is not None
        dice = self.dice(tally.set, over)
        if tally.function == "groups":
            assert tally.body
            return self.groups(tally.body, self.apart(dice), over)
        if tally.function in ("sum", "count"):
            return add(multiply((self.worth(tally, number, over), size)) for number, size in self.sizes(dice))
        if tally.every_throw and any(self.rule.kinds[self.members[number].kind].rolls_on for number in dice):
            raise NotExactError("the highest throw of dice that are rolled on")
        return self.extreme(tally, self.apart(dice), over)

    def apart(self, dice: Dice) -> Dice:
        """Dice that are told apart: those that earn dice of their own kind are only counted together."""
        if any(is_family(self.rule, self.members[number].kind) for number in dice):
            raise NotExactError("dice that earn dice of their own kind are told apart")
        return dice

    def earned(self, node: Node) -> Node:
        """How many dice of a kind are earned by dice that lie since a stage of the walk."""
        kind, since = map(int, node.args)
        earning = find_earning(self.rule, kind)
        if not set(earning) <= self.tables.keys():
            return node
        found = []
        for number, member in enumerate(self.members):
            for entry in earning.get(member.kind, ()) if member.since >= since else ():
                amount = choose(truth_of(entry.when.node), entry.count.node, ZERO)
                if not self.rule.kinds[member.kind].takes(self.eager):
                    amount = choose(truth_of(entry.optional.node), ZERO, amount)
                own = self.ask_throws(number, amount, {}, True) if goes_on(self.rule, member.kind) else None
                found.append(multiply((own or self.ask(number, amount, {}), member.number)))
        return add(found)

    def over(self, tally: Tally, over: Words) -> Node:
        """A word that runs over faces or numbers, written out."""
        assert tally.body
        assert tally.domain
        values = self.domain(tally.domain, over)
        if values is None:
            raise NotExactError
        parts = [self.formula(tally.body, {}, {**over, tally.word: constant(value)}) for value in values]
        if tally.function in ("max", "min"):
            return extreme(tally.function, parts) if parts else ZERO
        return add(parts)

    def domain(self, node: Node, over: Words) -> Sequence[int | str] | None:
        if node.op == "faces":
            part, *kinds = node.args
            found = {value for kind in kinds for value in self.domains.get(kind, {}).get(part or "face", ())}
            if part:  # further cards, such as jokers, do not have it
                faces = (face for kind in kinds for face in self.rule.kinds[kind].faces)
                found &= {face.words[part] for face in faces if part in face.words}
            return sorted(found, key=lambda value: (isinstance(value, str), value))
        low, high = (self.fixed(arg, over) for arg in node.args)
        return range(low.args[0], high.args[0] + 1) if is_number(low) and is_number(high) else None

    def worth(self, tally: Tally, number: int, over: Words) -> Node:
        """What each die of a member gives."""
        member = self.members[number]
        if tally.body is None:
            own = member.words.get(DICE, ONE)
            return own if tally.function == "count" else self.ask(number, Node("name", ("value",)), over)
        if is_family(self.rule, member.kind) or (tally.every_throw and self.rule.kinds[member.kind].rolls_on):
            return self.ask_throws(number, tally.body, over)
        return self.ask(number, tally.body, over)

    def ask(self, number: int, node: Node, over: Words) -> Node:
        """What a formula says about the dice of a member."""
        member = self.members[number]
        plain = self.formula(node, {"": ZERO}, over)
        self.asked[member.kind].setdefault(plain)
        return self.formula(plain, member.words, {})

    def ask_throws(self, number: int, node: Node, over: Words, is_earning: bool = False) -> Node:
        """What a formula says about the throws of a die that goes on, all together."""
        member = self.members[number]
        asked = ThrowAsked(self.formula(node, {"": ZERO}, over), is_earning)
        self.asked_throws[member.kind].setdefault(asked)
        return member.words.get(throw_word(asked)) or self.formula(asked.node, member.words, {})

    def ask_kind(self, kind: int, node: Node) -> None:
        """Something else that is asked about the dice of a kind."""
        if kind in self.asked:
            self.asked[kind].setdefault(self.formula(node, {"": ZERO}, {}))

    def sizes(self, dice: Dice) -> Iterable[tuple[int, Node]]:
        """How many dice of each member are in a set."""
        sizes = ((number, subtract(high, low)) for number, (low, high) in dice.items())
        return [(number, size) for number, size in sizes if size != ZERO]

    def extreme(self, tally: Tally, dice: Dice, over: Words) -> Node:
        """The highest or lowest of a set; 0 if nothing is there."""
        sizes = list(self.sizes(dice))
        worths = [self.worth(tally, number, over) for number, _ in sizes]
        high = tally.function == "highest"
        known = [int(worth.args[0]) for worth in worths if is_number(worth)]
        is_plain = len(known) == len(worths)
        floor = (min(known, default=0) if high else max(known, default=0)) if is_plain else (-_FAR if high else _FAR)
        if high and is_plain and floor >= 0:
            floor = 0
        parts = [
            choose(compare(">", size, ZERO), worth, constant(floor))
            for worth, (_, size) in zip(worths, sizes, strict=True)
        ]
        if not parts:
            return ZERO
        found = extreme("max" if high else "min", parts)
        if floor == 0 and high:
            return found
        return choose(compare(">", add(size for _, size in sizes), ZERO), found, ZERO)

    def groups(self, least: Node, dice: Dice, over: Words) -> Node:
        """How many groups of dice reach a number: an operation on a pile, values and how often they are there."""
        parts: list[Node] = [self.fixed(least, over), ZERO]
        for number, size in self.sizes(dice):
            parts += [self.ask(number, Node("name", ("value",)), over), size]
        return Node("groups", tuple(parts))

    # Sets

    def dice(self, number: int, over: Words) -> Dice:
        key = (number, tuple(over.items()))
        if key not in self.sets:
            own = self.rule.sets[number]
            make = {
                "kind": self.whole_kind, "together": self.together, "where": self.where, "without": self.without,
                "highest": self.pick, "lowest": self.pick, "first": self.first, "any": self.take,
            }.get(own.op)  # fmt: skip
            if make is None:
                raise NotExactError
            self.sets[key] = make(own, over)
            if own.op not in ("kind", "together"):
                self.apart(self.sets[key])
        return self.sets[key]

    def whole_kind(self, own: DiceSet, over: Words) -> Dice:  # noqa: ARG002
        return {number: (ZERO, member.number) for number, member in enumerate(self.members) if member.kind == own.of[0]}

    def together(self, own: DiceSet, over: Words) -> Dice:
        found: Dice = {}
        for part in own.of:
            for number, (low, high) in self.dice(part, over).items():
                member = self.members[number]
                found[number] = _unite(member, found[number], (low, high)) if number in found else (low, high)
        return found

    def where(self, own: DiceSet, over: Words) -> Dice:
        assert own.test
        found = {}
        for number, (low, high) in self.dice(own.of[0], over).items():
            test = truth_of(self.ask(number, own.test, over))
            if test != ZERO:
                found[number] = (low, choose(test, high, low))
        return found

    def without(self, own: DiceSet, over: Words) -> Dice:
        taken, is_part = self.dice(own.of[1], over), self.is_part(own.of[1], own.of[0])
        return {
            number: _take_away(self.members[number], range_, taken[number], is_part) if number in taken else range_
            for number, range_ in self.dice(own.of[0], over).items()
        }

    def is_part(self, number: int, other: int) -> bool:
        """Whether all dice of one set are in another, as far as that is plain."""
        own = self.rule.sets[number]
        parts = own.of[:1] if own.op == "without" else () if own.op == "kind" else own.of
        return number == other or bool(parts and all(self.is_part(part, other) for part in parts))

    def first(self, own: DiceSet, over: Words) -> Dice:
        """The first dice as rolled."""
        assert own.number
        limit, is_whole = self.fixed(own.number.node, over), self.rule.sets[own.of[0]].op == "kind"
        most = int(limit.args[0]) if is_whole and is_number(limit) else None
        found, before = {}, [subtract(ZERO, limit)]
        for number, (low, high) in self.dice(own.of[0], over).items():
            block = self.members[number].block
            if block and most is not None and not block[0] < most < block[1]:
                found[number] = (low, high if block[1] <= most else low)
                continue
            if self.members[number].place is None:
                raise OrderMattersError(self.members[number].kind, most)
            found[number] = _pick_from((low, high), before)
            before.append(subtract(high, low))
        return found

    def pick(self, own: DiceSet, over: Words) -> Dice:
        """The highest or lowest dice of a set: of each member what the better ones leave."""
        assert own.number
        limit = subtract(ZERO, self.fixed(own.number.node, over))
        dice, order = self.dice(own.of[0], over), own.by or Node("name", ("value",))
        if self.budget:
            self.budget.spend(PAIR_COST * len(dice) ** 2)
        keys = {number: self.ask(number, order, over) for number in dice}
        found = {}
        for number, range_ in dice.items():
            better = [
                multiply((self.is_before(other, number, keys, own.op), subtract(high, low)))
                for other, (low, high) in dice.items()
                if other != number
            ]
            found[number] = _pick_from(range_, [limit, *better])
        return found

    def take(self, own: DiceSet, over: Words) -> Dice:
        """What a player picks: of each member a number that is chosen when its dice lie."""
        assert own.by
        found = {}
        for number, (low, _) in self.dice(own.of[0], over).items():
            found[number] = low, add((low, Node("name", (self.taken_name(str(own.by.args[0]), number),))))
        return found

    def taken_name(self, name: str, number: int) -> str:
        """What formulas call the number of dice of a member that are picked."""
        kind = self.members[number].kind
        return taken_name(name, kind, number - next(n for n, own in enumerate(self.members) if own.kind == kind))

    def is_before(self, left: int, right: int, keys: Words | Mapping[int, Node], op: str) -> Node:
        """Whether one member is picked before another; of equal ones the first as declared, then as rolled."""
        one, other = self.members[left], self.members[right]
        a, b = keys[left], keys[right]  # type: ignore[index]
        is_first = (one.kind, left) < (other.kind, right)
        if one.kind == other.kind and (a, b) == (one.follows, other.follows):
            return constant(is_first == (op == "highest"))
        better, equal = compare(">" if op == "highest" else "<", a, b), compare("=", a, b)
        if one.kind == other.kind and equal != ZERO and None in (one.place, other.place):
            raise OrderMattersError(one.kind)
        return join_tests("or", (better, equal)) if is_first else better


def chosen_name(name: str) -> str:
    """What formulas of a walk call the answer to a question."""
    return f"CHOSEN_{name}"


def taken_name(name: str, kind: int, place: int) -> str:
    """What formulas of a walk call the number of dice that are picked, of the member at this place of a kind."""
    return f"{chosen_name(name)}_N{kind}_{place}"


def question_of(name: str) -> str:
    """What formulas call the whole answer that a name is a part of."""
    return name.partition("_N")[0]


def _pick_from(dice: Range, before: Iterable[Node]) -> Range:
    """What is picked of some dice; `before` says what is picked already, less the number to pick."""
    low, high = dice
    left = extreme("max", (subtract(ZERO, add(before)), ZERO))
    return low, add((low, extreme("min", (subtract(high, low), left))))


def _take_away(member: Member, dice: Range, taken: Range, is_part: bool) -> Range:
    (low, high), (start, end) = dice, taken
    if is_part and start == low:
        return end, high
    if member.is_single:
        return ZERO, extreme("max", (subtract(add((high, start)), add((low, end))), ZERO))
    if start in (low, ZERO):
        return extreme("min", (extreme("max", (low, end)), high)), high
    if end == high:
        return low, extreme("max", (extreme("min", (high, start)), low))
    raise OrderMattersError(member.kind)


def _unite(member: Member, left: Range, right: Range) -> Range:
    if member.is_single:
        return ZERO, extreme("max", (subtract(left[1], left[0]), subtract(right[1], right[0])))
    if left[0] == right[0]:
        return left[0], extreme("max", (left[1], right[1]))
    if left[1] == right[0]:
        return left[0], right[1]
    if right[1] == left[0]:
        return right[0], left[1]
    raise OrderMattersError(member.kind)


def ask_about_later_faces(unroller: Unroller) -> None:
    """A word may run over faces of dice that are still to be rolled: then all faces that lie are told apart."""
    rule, domains = unroller.rule, unroller.domains
    for number, tally in enumerate(rule.tallies):
        if tally.domain and not dependencies.kinds_in(rule, tally.domain) <= domains.keys():
            for kind in dependencies.tally_kinds(rule, number):
                for word in ("face", *domains.get(kind, {})):
                    unroller.ask_kind(kind, Node("name", (word,)))
