"""Lowers a game to its core: numbers tallies and sets of dice, and shares equal formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from .aims import BEST_MEAN, TAKING, read_aim
from .core import (
    CORE_VERSION,
    EXPLODE,
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
    Tally,
)
from .formula import DICE_FUNCTIONS, FACE, Node, compared_face
from .model import DiceKind, Game, Rule
from .scope import subject_of_test
from .stages import RuleParts, find_stages


def lower_game(game: Game) -> Core:
    """The core of a game, lowered once."""
    return game.cached(("core",), lambda: _lower_game(game))


def lower_rule(rule: Rule | CoreRule) -> CoreRule:
    """The core of a rule, lowered once."""
    return rule if isinstance(rule, CoreRule) else _lowering(rule).core


def tally_numbers(rule: Rule) -> Mapping[Node, int]:
    """The numbers of the tallies of a rule, by the functions over dice in its formulas."""
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
        self.sets = [DiceSet("kind", (number,)) for number in range(len(rule.dice))]
        self.kept: dict[str, int] = {}  # the set that steps mean by a kind
        for kind in rule.dice:
            self.kept[kind.name] = self.add_kept_set(kind)
        self.tallies: list[Tally] = []
        self.tally_numbers: dict[Node, int] = {}
        self.core = self.lower()

    def lower(self) -> CoreRule:
        rule, lower = self.rule, self.lower_optional
        steps = tuple(CoreStep(step.name, self.lower_formula(step.formula), step.label) for step in rule.steps)
        marks = {name: self.lower_formula(mark) for name, mark in rule.marks.items()}
        outcomes = tuple(
            CoreOutcome(each.name, each.label or None, each.says, each.see, lower(each.when), lower(each.degree))
            for each in rule.outcomes
        )
        inputs = tuple(
            CoreInput(
                entry.name, entry.form, entry.label, entry.least, entry.most, entry.choices, entry.dice, entry.parts,
                entry.default, entry.names, entry.open, lower(entry.asked),
            )
            for entry in rule.inputs
        )  # fmt: skip
        kinds = tuple(map(self.lower_kind, rule.dice))
        again = tuple(self.lower_rerolls())
        spends = tuple(
            CoreSpend(
                each.name, each.label, each.point, self.lower_all(each.changes), each.highest, each.most, each.traits
            )
            for each in rule.spends
        )
        parts = RuleParts(inputs, kinds, self.sets, self.tallies, again, steps)
        contest, sides = rule.contest, tuple(map(lower_rule, rule.contest.of if rule.contest else ()))
        return CoreRule(
            name=rule.name, label=rule.label, inputs=inputs, kinds=kinds, sets=tuple(self.sets),
            tallies=tuple(self.tallies), again=again, order=find_stages(parts),
            steps=steps, marks=marks, outcomes=outcomes, aims=tuple(self.lower_aims(kinds, again, steps, outcomes)),
            spends=spends, traits=rule.traits,
            contest=CoreContest(tuple(side.name for side in sides), contest.compare, contest.ties) if contest else None,
            sides=sides, tables=rule.tables, categories=rule.categories,
        )  # fmt: skip

    def add_kept_set(self, kind: DiceKind) -> int:
        number = self.rule.kind_indices[kind.name]
        if not kind.keep:
            return number
        op = "highest" if kind.keep.highest else "lowest"
        self.sets.append(DiceSet(op, (number,), self.lower_formula(kind.keep.number)))
        return len(self.sets) - 1

    def lower_kind(self, kind: DiceKind) -> CoreKind:
        faces = tuple(
            CoreFace(face.mark, face.value, face.label or None, face.words, face.copies) for face in kind.faces
        )
        again = []
        if kind.explode:
            when, optional = map(self.lower_formula, (kind.explode.when, kind.explode.optional))
            again.append(RollAgain(EXPLODE, when, Expression("1", self.share(Node("number", (1,)))), optional))
        if kind.again:
            when, times, optional = map(self.lower_formula, (kind.again.when, kind.again.times, kind.again.optional))
            again.append(RollAgain(self.rule.kind_indices[kind.again.roll], when, times, optional))
        return CoreKind(
            kind.name, kind.label or None, faces, self.lower_formula(kind.count), self.lower_optional(kind.sides),
            self.lower_all(kind.tests), tuple(again),
        )  # fmt: skip

    def lower_rerolls(self) -> Iterator[Reroll]:
        for entry in self.rule.rerolls:
            kinds = tuple(self.rule.kind_indices[name] for name in entry.among)
            of = kinds[0] if len(kinds) == 1 else self.add_set(DiceSet("together", kinds))
            yield Reroll(of, entry.pick, self.lower_formula(entry.times), self.lower_optional(entry.when), entry.keep)

    def lower_aims(
        self,
        kinds: Sequence[CoreKind],
        again: Sequence[Reroll],
        steps: Sequence[CoreStep],
        outcomes: Sequence[CoreOutcome],
    ) -> Iterator[CoreAim]:
        """The aim of the rule; without one the first policy of each sort that decides anything."""
        if aim := self.rule.aim:
            yield CoreAim(aim.text, aim.what, self.lower_optional(aim.formula))
            return
        is_optional = any(entry.optional.node.args != (0,) for kind in kinds for entry in kind.again)
        is_picked = any(reroll.pick == "any" for reroll in again)
        taking = [name for name in (*self.rule.policies, *TAKING) if name in TAKING]
        best = [name for name in (*self.rule.policies, BEST_MEAN) if name not in TAKING]
        for name in taking[:is_optional] + best[:is_picked]:
            read, _ = read_aim(name, steps, outcomes)
            assert read
            yield read

    def add_set(self, dice_set: DiceSet) -> int:
        if dice_set not in self.sets:
            self.sets.append(dice_set)
        return self.sets.index(dice_set)

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
        elif node.op in DICE_FUNCTIONS:
            own = Node("tally", (f"t{self.number_tally(node)}",))
        else:
            own = Node(node.op, tuple(self.share(arg) if isinstance(arg, Node) else arg for arg in node.args))
        return self.nodes.setdefault(own, own)

    def number_tally(self, node: Node) -> int:
        if node not in self.tally_numbers:
            body = node.args[1] if node.op == "count" else None
            every_throw = body is not None and subject_of_test(body, self.rule.face_words) == "throw"
            shared = body and self.share(body)
            self.tally_numbers[node] = len(self.tallies)
            self.tallies.append(Tally(node.op, self.kept[node.args[0]], shared, every_throw))
        return self.tally_numbers[node]

    def find_slots(self, node: Node) -> Iterable[tuple[int, int, str | int]]:
        """What an explanation replaces by values, in reading order."""
        if node.op == "name":
            return [(node.start, node.end, str(node.args[0]))]
        if node.op in DICE_FUNCTIONS:
            return [(node.start, node.end, self.number_tally(node))]
        return sorted((slot for child in node.child_nodes() for slot in self.find_slots(child)), key=itemgetter(0, 1))
