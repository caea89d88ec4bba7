"""Lowers a game to its core: numbers tallies and sets of dice, and shares equal formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from .aims import TAKING, mean_of_last
from .core import (
    CORE_VERSION,
    MARK,
    Category,
    Core,
    CoreAim,
    CoreContest,
    CoreFace,
    CoreInput,
    CoreKind,
    CoreOutcome,
    CoreRule,
    CoreSpend,
    CoreStep,
    DiceSet,
    Expression,
    Reroll,
    RollAgain,
    Rounds,
    Tally,
)
from .formula import COMPARISONS, DICE_OPERATIONS, FACE, SET_OPERATIONS, Node, compared_face
from .model import DiceKind, Game, Input, Rule, RuleAgain, Step
from .scope import subject_of_test
from .stages import RuleParts, find_stages

_ONE = Node("number", (1,))


def lower_game(game: Game) -> Core:
    """The core of a game, lowered once."""
    return game.cached(("core",), lambda: _lower_game(game))


def lower_rule(rule: Rule | CoreRule) -> CoreRule:
    """The core of a rule, lowered once."""
    return rule if isinstance(rule, CoreRule) else _lowering(rule).core


def tally_numbers(rule: Rule) -> Mapping[Node, tuple[int, ...]]:
    """The numbers of the tallies of a rule, by the functions over dice in its formulas; several add up."""
    return _lowering(rule).tally_numbers


def _lowering(rule: Rule) -> _Lowering:
    return rule.cached(("lowered",), lambda: _Lowering(rule))


def _lower_game(game: Game) -> Core:
    takes_traits = any(rule.traits for rule in game.rules.values())
    register: Mapping[str, Category] = game.traits if takes_traits else {}
    rules = {name: lower_rule(rule) for name, rule in game.rules.items()}
    return Core(CORE_VERSION, game.folder, game.is_inline, game.title, game.tables, register, rules)


class _Lowering:
    """Lowers one rule."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.nodes: dict[Node, Node] = {}  # equal nodes are one
        self.sets: list[DiceSet] = []
        self.set_numbers: dict[tuple[object, ...], int] = {}
        self.named_sets: dict[str, int] = {}  # what steps mean by the name of a kind or of a set
        for number in range(len(rule.dice)):
            self.add_set(DiceSet("kind", (number,)))
        for kind in rule.dice:
            self.named_sets[kind.name] = rule.kind_indices[kind.name]
        self.set_steps = {step.name: step for step in rule.steps if step.is_set}
        self.tallies: list[Tally] = []
        self.tally_numbers: dict[Node, tuple[int, ...]] = {}
        self.core = self.lower()

    def lower(self) -> CoreRule:
        rule, lower = self.rule, self.lower_optional
        steps = tuple(
            CoreStep(
                step.name, self.lower_step(step), step.label, self.named_sets.get(step.name) if step.is_set else None
            )
            for step in rule.steps
        )
        marks = {name: self.lower_formula(mark) for name, mark in rule.marks.items()}
        outcomes = tuple(
            CoreOutcome(each.name, each.label or None, each.says, each.see, lower(each.when), lower(each.degree))
            for each in rule.outcomes
        )
        inputs, aims = tuple(map(self.lower_input, rule.inputs)), tuple(map(self.lower_input, rule.aims_of_rolls))
        kinds = tuple(map(self.lower_kind, rule.dice))
        again = tuple(self.lower_rerolls())
        spends = tuple(
            CoreSpend(
                each.name, each.label, each.point, self.lower_all(each.changes), each.highest, each.most, each.traits
            )
            for each in rule.spends
        )
        parts = RuleParts(inputs, kinds, self.sets, self.tallies, again, steps)
        rounds = self.lower_rounds()
        contest, sides = rule.contest, tuple(map(lower_rule, rule.contest.of if rule.contest else ()))
        return CoreRule(
            name=rule.name, label=rule.label, inputs=inputs, kinds=kinds, sets=tuple(self.sets),
            tallies=tuple(self.tallies), again=again, order=find_stages(parts),
            steps=steps, marks=marks, outcomes=outcomes, aims=tuple(self.lower_aims(kinds, again, steps)),
            spends=spends, traits=rule.traits,
            contest=CoreContest(tuple(side.name for side in sides), contest.compare, contest.ties) if contest else None,
            rounds=rounds, aims_of_rolls=aims or None, sides=sides, tables=rule.tables, categories=rule.categories,
        )  # fmt: skip

    def lower_input(self, entry: Input) -> CoreInput:
        return CoreInput(
            entry.name, entry.form, entry.label, entry.least, entry.most, entry.choices, entry.dice, entry.parts,
            entry.default, entry.names, entry.open, self.lower_optional(entry.asked), entry.is_choice,
            self.lower_optional(entry.goal), entry.wholes,
        )  # fmt: skip

    def lower_step(self, step: Step) -> Expression:
        if not step.is_set:
            return self.lower_formula(step.formula)
        return Expression(step.formula.text, Node("dice", (self.number_set(Node("set", (step.name,))),)))

    def lower_kind(self, kind: DiceKind) -> CoreKind:
        faces = tuple(
            CoreFace(face.mark, face.value, face.label or None, face.words, face.copies) for face in kind.faces
        )
        again = []
        for entry in kind.again:
            when, count, optional = map(self.lower_formula, (entry.when, entry.count, entry.optional))
            again.append(RollAgain(self.rule.kind_indices.get(entry.roll, entry.roll), when, count, optional))
        return CoreKind(
            kind.name, kind.label or None, faces, self.lower_formula(kind.count), self.lower_optional(kind.sides),
            self.lower_all(kind.tests), tuple(again), tuple(map(self.lower_formula, kind.deck)),
            self.rule.kind_indices.get(kind.deck_of), kind.taken,
        )  # fmt: skip

    def lower_rerolls(self) -> Iterator[Reroll]:
        numbers = self.rule.kind_indices
        for entry in self.rule.rerolls:
            parts = tuple(numbers.get(name, self.number_set(Node("set", (name,)))) for name in entry.of)
            of = parts[0] if len(parts) == 1 else self.add_set(DiceSet("together", parts))
            times = self.count_earned(entry) if entry.roll in numbers else entry.times
            when, roll = self.lower_optional(entry.when), numbers.get(entry.roll, entry.roll)
            yield Reroll(
                of, entry.pick, self.lower_formula(times), when, entry.keep, roll, self.lower_optional(entry.goal),
                self.lower_optional(entry.turn),
            )  # fmt: skip

    def count_earned(self, entry: RuleAgain) -> Expression:
        """How many dice are earned, once the dice lie that earn them; of each die 0 at the least."""
        zero = Node("number", (0,))
        if entry.when and entry.when.node == zero:
            return Expression(entry.times.text, zero)
        sets = tuple(Node("set", (name,)) for name in entry.of)
        dice = sets[0] if len(sets) == 1 else Node("together", sets)
        if entry.when and entry.when.node.op != "number":
            dice = Node("where", (dice, entry.when.node))
        if entry.pick != "all":
            dice = Node(f"{entry.pick}_of", (_ONE, dice, None))
        earned = Node("count", (dice, None))
        if entry.count.node != _ONE:
            earned = Node("sum", (dice, Node("max", (entry.count.node, zero))))
        times = Node("max", (entry.times.node, zero))
        return Expression(entry.times.text, earned if entry.times.node == _ONE else Node("*", (times, earned)))

    def lower_aims(
        self, kinds: Sequence[CoreKind], again: Sequence[Reroll], steps: Sequence[CoreStep]
    ) -> Iterator[CoreAim]:
        """The aim of the rule; without one dice are taken, and the mean of the last step decides what is picked."""
        if aim := self.rule.aim:
            yield CoreAim(aim.text, aim.what, self.lower_optional(aim.formula))
            return
        is_optional = any(kind.follows_aim for kind in kinds)
        is_picked = any(reroll.follows_aim for reroll in again)
        if is_optional:
            yield CoreAim(TAKING[0], TAKING[0])
        if is_picked:
            yield mean_of_last(steps)

    def add_set(self, dice_set: DiceSet) -> int:
        """The number of a set; equal sets are one."""
        number = dice_set.number and dice_set.number.node
        key = (dice_set.op, dice_set.of, number, dice_set.by, dice_set.test)
        if key not in self.set_numbers:
            self.set_numbers[key] = len(self.sets)
            self.sets.append(dice_set)
        return self.set_numbers[key]

    def number_set(self, node: Node) -> int:
        """The number of the set that a formula names or picks."""
        if node.op in ("set", "name"):
            name = str(node.args[0])
            if name not in self.named_sets:
                self.named_sets[name] = self.number_step(name, self.set_steps[name].formula.node)
            return self.named_sets[name]
        if node.op in ("together", "without"):
            return self.add_set(DiceSet(node.op, tuple(map(self.number_set, node.args))))
        if node.op == "where":
            dice, test = node.args
            return self.add_set(DiceSet("where", (self.number_set(dice),), test=self.share(test)))
        number, dice, order = node.args
        return self.add_set(self.lower_pick(node.op, number, dice, order and self.share(order)))

    def number_step(self, name: str, node: Node) -> int:
        """The number of the set that a step is; what a player picks belongs to that step."""
        if node.op != "any_of":
            return self.number_set(node)
        number, dice, _ = node.args
        return self.add_set(self.lower_pick(node.op, number, dice, Node("name", (name,))))

    def lower_pick(self, op: str, number: Node, dice: Node, by: Node | None) -> DiceSet:
        text = str(number.args[0]) if number.op in ("number", "name") else ""
        return DiceSet(op.removesuffix("_of"), (self.number_set(dice),), Expression(text, self.share(number)), by)

    def lower_rounds(self) -> Rounds | None:
        if not (rounds := self.rule.rounds):
            return None
        return Rounds(self.lower_all(rounds.carry), self.lower_optional(rounds.until), self.lower_optional(rounds.most))

    def lower_all(self, formulas: Mapping[str, Expression]) -> dict[str, Expression]:
        return {name: self.lower_formula(formula) for name, formula in formulas.items()}

    def lower_optional(self, formula: Expression | None) -> Expression | None:
        return self.lower_formula(formula) if formula else None

    def lower_formula(self, formula: Expression) -> Expression:
        return Expression(formula.text, self.share(formula.node), slots=tuple(self.find_slots(formula.node)))

    def share(self, node: Node) -> Node:
        """The node without places, and with tallies instead of functions over dice; equal nodes are one."""
        if compared_face(node):
            own = Node(node.op, tuple(Node("name", (MARK,)) if arg == FACE else self.share(arg) for arg in node.args))
        elif node.op in DICE_OPERATIONS:
            parts = [Node("tally", (f"t{number}",)) for number in self.number_tallies(node)]
            own = parts[0] if len(parts) == 1 else Node("+", tuple(parts))
        elif node.op == "rest":
            dividend, divisor = map(self.share, node.args)
            own = Node("+", (dividend, Node("neg", (Node("*", (divisor, Node("down", (dividend, divisor)))),))))
        elif node.op == "lookup" and isinstance(node.args[2], Node):
            own = self.share(self.choose_column(*node.args))
        elif node.op in SET_OPERATIONS:
            own = Node("dice", (self.number_set(node),))
        elif node.op == "faces_of":
            dice, part = node.args
            own = Node("faces", (part or "", *self.kinds_of(self.number_set(dice))))
        else:
            own = Node(node.op, tuple(self.share(arg) if isinstance(arg, Node) else arg for arg in node.args))
        return self.nodes.setdefault(own, own)

    def choose_column(self, table: str, row: Node, column: Node) -> Node:
        """A lookup in a column that is worked out; of numbers too low or too high the first or last column."""
        *others, last = self.rule.tables[table].columns
        node, is_word = Node("lookup", (table, row, last)), self.is_word(column)
        for number, name in reversed([*enumerate(others, 1)]):
            right = Node("word", (name,)) if is_word else Node("number", (number,))
            test = Node("=" if is_word else "<=", (column, right))
            node = Node("if", (test, Node("lookup", (table, row, name)), node))
        return node

    def is_word(self, node: Node) -> bool:
        """Whether a formula yields a word."""
        if node.op == "name":
            steps = {step.name: step.formula.node for step in self.rule.steps}
            choices = {entry.name for entry in self.rule.inputs if entry.form == "choice"}
            return node.args[0] in choices or (node.args[0] in steps and self.is_word(steps[node.args[0]]))
        if node.op == "if":
            return self.is_word(node.args[1])
        if node.op == "lookup":
            column = self.rule.tables[node.args[0]].columns[-1] if isinstance(node.args[2], Node) else node.args[2]
            return isinstance(self.rule.tables[node.args[0]].column_cells(column)[0], str)
        return node.op == "word"

    def kinds_of(self, number: int) -> tuple[int, ...]:
        """The kinds of dice in a set, in its order."""
        own = self.sets[number]
        if own.op == "kind":
            return own.of
        parts = own.of[:1] if own.op == "without" else own.of
        return tuple(dict.fromkeys(kind for part in parts for kind in self.kinds_of(part)))

    def number_tallies(self, node: Node) -> tuple[int, ...]:
        """The numbers of the tallies that a function over dice stands for; several add up."""
        if node not in self.tally_numbers:
            if node.op == "over":
                function, word, domain, body = node.args
                tally = Tally(function, None, self.share(body), False, word, self.share(domain))
                self.tally_numbers[node] = (self.add_tally(tally),)
            else:
                dice, body = node.args
                words = self.rule.face_words
                every_throw = node.op != "groups" and body is not None and subject_of_test(body, words) == "throw"
                shared = self.share(body) if body else None
                parts = self.split_sum(node.op, self.number_set(dice))
                is_amount = node.op == "count" and body is not None and not self.is_truth(body)
                function = "sum" if is_amount else node.op
                tallies = (Tally(function, part, shared, every_throw) for part in parts)
                self.tally_numbers[node] = tuple(map(self.add_tally, tallies))
        return self.tally_numbers[node]

    def is_truth(self, body: Node) -> bool:
        """Whether a body is 1 or 0, so that it counts dice."""
        tests = {"good", "bad", *(name for kind in self.rule.dice for name in kind.tests)}
        return body.op in (*COMPARISONS, "and", "or", "not") or (body.op == "name" and body.args[0] in tests)

    def split_sum(self, function: str, number: int) -> Iterator[int]:
        """The sets whose tallies add up to that of a set: sums and counts of dice together are those of each part."""
        own = self.sets[number]
        parts = [kind for part in own.of for kind in self.kinds_of(part)] if own.op == "together" else []
        if function not in ("sum", "count") or not parts or len(set(parts)) < len(parts):
            yield number
        else:
            for part in own.of:
                yield from self.split_sum(function, part)

    def add_tally(self, tally: Tally) -> int:
        """The number of a tally; equal tallies are one."""
        if tally not in self.tallies:
            self.tallies.append(tally)
        return self.tallies.index(tally)

    def find_slots(self, node: Node) -> Iterable[tuple[int, int, str | tuple[int, ...]]]:
        """What an explanation replaces by values, in reading order."""
        if node.op == "name":
            return [(node.start, node.end, str(node.args[0]))]
        if node.op in DICE_OPERATIONS:
            return [(node.start, node.end, self.number_tallies(node))]
        if node.op in SET_OPERATIONS:
            return []
        return sorted((slot for child in node.child_nodes() for slot in self.find_slots(child)), key=itemgetter(0, 1))
