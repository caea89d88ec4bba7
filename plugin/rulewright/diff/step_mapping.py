"""Which steps have the same definition in both editions, and what a given step says about the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..game.core import CoreKind, Expression
from ..game.formula import DICE_FUNCTIONS, DICE_OPERATIONS, Node, collect_names, collect_sets, walk
from ..game.intervals import ANY_NUMBER, EITHER_TRUTH, Bounds, Interval, evaluate_bounds, exact_value
from ..game.lower import tally_numbers
from ..game.model import Rule
from ..play.bound_rule import BoundRule
from .compare import INSIDE_RULES, find_new_names
from .entities import Entity, Names, rename_entity, rule_entity
from .rule_pairs import RulePair

_UNKNOWN_FACES = {
    "face": ANY_NUMBER,
    "last": ANY_NUMBER,
    "throw": ANY_NUMBER,
    "sides": ANY_NUMBER,
    "good": EITHER_TRUTH,
    "bad": EITHER_TRUTH,
}
_ZERO = Node("number", (0,))


class _UnusedDice(NamedTuple):
    """Kinds of dice that are never rolled (`absent`) or never earn dice (`barren`) with some inputs."""

    absent: frozenset[str]
    barren: frozenset[str]

    def new_names(self, names: Mapping[str, str]) -> _UnusedDice:
        absent, barren = (frozenset(names.get(name, name) for name in kinds) for kinds in self)
        return _UnusedDice(absent, barren)


def _find_unused_dice(setting: BoundRule) -> _UnusedDice:
    bounds = setting.program.bounds
    words = {
        name: frozenset((no,)) if isinstance(no, str) else ANY_NUMBER for name, no in setting.rule.face_words.items()
    }
    for name, value in {
        **words,
        **_UNKNOWN_FACES,
        **{name: exact_value(value) for name, value in setting.known.items()},
    }.items():
        bounds = bounds.with_value(name, value)
    kinds = {kind.name: kind for kind in setting.rule.kinds}
    barren = {name for name, kind in kinds.items() if not _earns_dice(kind, bounds)}
    present = {name for name, kind in kinds.items() if not _is_always_zero(kind.count, bounds)}
    for _ in kinds:
        earning = [kind for name, kind in kinds.items() if name in present - barren]
        present |= {setting.rule.kinds[number].name for kind in earning for number in kind.earned_kinds}
    return _UnusedDice(frozenset(kinds.keys() - present), frozenset(barren))


def _earns_dice(kind: CoreKind, bounds: Bounds) -> bool:
    """Whether some face can earn dice."""
    earned = (entry for entry in kind.again if isinstance(entry.roll, int))
    return any(not (_is_always_zero(entry.when, bounds) or _is_always_zero(entry.count, bounds)) for entry in earned)


def _is_always_zero(formula: Expression, bounds: Bounds) -> bool:
    """Whether the formula is 0 for all unknown values."""
    value = evaluate_bounds(formula.node, bounds)
    return isinstance(value, Interval) and value.truth is False


def _drop_dice(node: Node, absent: frozenset[str]) -> Node:
    """The formula without counts over absent dice."""
    if node.op in DICE_FUNCTIONS and collect_sets(node.args[0]) <= absent:
        return _ZERO
    args = tuple(_drop_dice(arg, absent) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op == "+":
        args = tuple(arg for arg in args if arg != _ZERO) or (_ZERO,)
        return args[0] if len(args) == 1 else Node("+", args)
    return Node(node.op, args)


_Key = tuple[str, str]  # the part, and its name
_COUNTED = ("good", "bad")  # used only by formulas that name them
_AGAIN_PREFIX = "again_"
_Facts = Mapping[str, Any]


@dataclass(frozen=True)
class _RuleParts:
    """The parts of a rule, with the names of the newer edition."""

    rule: Rule
    parts: Mapping[_Key, Entity]
    unused_dice: _UnusedDice

    def dependencies(self, keys: Iterable[_Key]) -> dict[_Key, _Facts]:
        """Everything that these parts depend on, down to the dice and the inputs."""
        facts_by_key: dict[_Key, _Facts] = {}
        waiting = [*keys]
        while waiting:
            key = waiting.pop()
            if key not in facts_by_key:
                facts_by_key[key] = self.facts(key)
                waiting += self.referenced_parts(key, facts_by_key[key])
        return facts_by_key

    def definition(self, step: str) -> tuple[_Facts, Mapping[_Key, _Facts]]:
        """The formula of a step and its dependencies; two steps with the same definition are the same."""
        facts_by_key = self.dependencies([("step", step)])
        return facts_by_key.pop(("step", step)), facts_by_key

    def facts(self, key: _Key) -> _Facts:
        part, name = key
        if part == "table":
            table = self.rule.tables.get(name)
            return {"rows": table and (table.columns, dict(table.rows), table.ranges)}
        entity = self.parts.get(("dice", name) if part in _COUNTED else key)
        facts = {aspect: self.simplify_value(value.value) for aspect, value in entity.facts.items()} if entity else {}
        if part in _COUNTED:
            return {part: facts.get(part)}
        if part == "input":
            return {"asked": facts.get("asked")}
        return (
            facts
            if part != "dice"
            else {aspect: value for aspect, value in facts.items() if self.matters(name, aspect)}
        )

    def simplify_value(self, meaning: Any) -> Any:
        return _drop_dice(meaning, self.unused_dice.absent) if isinstance(meaning, Node) else meaning

    def matters(self, kind: str, aspect: str) -> bool:
        """Whether this fact matters for rolls of this kind."""
        return aspect not in _COUNTED and not (aspect.startswith(_AGAIN_PREFIX) and kind in self.unused_dice.barren)

    def referenced_parts(self, key: _Key, facts: _Facts) -> Iterator[_Key]:
        nodes = [value for value in facts.values() if isinstance(value, Node)]
        yield from (other for node in nodes for other in self.parts_of_formula(node))
        if key[0] == "dice":
            yield from ((word, key[1]) for word in _COUNTED if any(word in collect_names(node) for node in nodes))
            yield from (other for other in self.parts if other[0] == "reroll")
            yield from (("dice", roll) for aspect, roll in facts.items() if aspect.startswith("again_roll"))

    def parts_of_formula(self, node: Node) -> Iterator[_Key]:
        return (other for inner in walk(node) for other in self.parts_of_node(inner))

    def parts_of_node(self, node: Node) -> Iterator[_Key]:
        """The parts that one operation of a formula refers to."""
        if node.op in DICE_FUNCTIONS:
            words = collect_names(node.args[1]) if isinstance(node.args[1], Node) else set[str]()
            kinds = sorted(collect_sets(node.args[0]))
            yield from ((word, kind) for word in _COUNTED if word in words for kind in kinds)
        elif node.op == "set":
            yield "step" if ("step", node.args[0]) in self.parts else "dice", node.args[0]
        elif node.op == "lookup":
            yield "table", node.args[0]
        elif node.op == "name":
            yield "step" if ("step", node.args[0]) in self.parts else "input", node.args[0]


def _make_rule_parts(rule: Rule, entity: Entity, setting: BoundRule, names: Names) -> _RuleParts:
    parts = {(child.part, child.name): child for child in entity.children}
    return _RuleParts(rule, parts, _find_unused_dice(setting).new_names(names))


class _BothRuleParts(NamedTuple):
    """Both rules with the names of the newer one, and the known values of the older one."""

    before: _RuleParts
    after: _RuleParts
    names: Names
    known: Mapping[str, Any]


def _rule_parts_of_both(pair: RulePair, old_setting: BoundRule, new_setting: BoundRule) -> _BothRuleParts:
    old, new = rule_entity(pair.old), rule_entity(pair.new)
    names = find_new_names(old, new)
    before = _make_rule_parts(pair.old, _relabel_parts(rename_entity(old, names), names), old_setting, names)
    known = {names.get(name, name): value for name, value in old_setting.known.items()}
    return _BothRuleParts(before, _make_rule_parts(pair.new, new, new_setting, {}), names, known)


def map_same_steps(pair: RulePair, old_setting: BoundRule, new_setting: BoundRule) -> dict[str, str]:
    """Maps each old step to the new step with the same definition, whatever is rolled."""
    before, after, names, known = _rule_parts_of_both(pair, old_setting, new_setting)
    theirs = {name: after.definition(name) for name in (step.name for step in pair.new.steps)}
    mapping: dict[str, str] = {}
    for step in pair.old.steps:
        name = names.get(step.name, step.name)
        own, dependencies = before.definition(name)
        inputs = [other for part, other in dependencies if part == "input"]
        if all(known.get(name) == new_setting.known.get(name) for name in inputs):
            same_steps = [other for other, definition in theirs.items() if definition == (own, dependencies)]
            if same_steps:
                mapping[step.name] = name if name in same_steps else same_steps[0]
    return mapping


def _relabel_parts(entity: Entity, names: Names) -> Entity:
    inner = (
        replace(child, name=names.get(child.name, child.name)) if child.part in INSIDE_RULES else child
        for child in entity.children
    )
    return replace(entity, children=tuple(inner))


_LinearForm = tuple[int, int]  # a constant, and a factor for what is counted over dice


def infer_tallies(pair: RulePair, given: Mapping[str, Any], old: BoundRule, new: BoundRule) -> dict[str, int]:
    """The tallies of the newer rule that follow from given steps of the older one."""
    both = _rule_parts_of_both(pair, old, new)
    given_steps = {both.names.get(name, name): value for name, value in given.items()}
    known = {name: value for name, value in {**both.known, **given_steps}.items() if isinstance(value, int)}
    counted = {}
    for name, value in given_steps.items():
        inverted = _invert_step(both.before, name, value, {other: known[other] for other in known if other != name})
        if inverted and _counts_same_dice(both, inverted[0], new):
            counted[inverted[0]] = inverted[1]
    return _name_tallies(pair.new, new, counted)


def _invert_step(rule: _RuleParts, step: str, value: Any, known: Mapping[str, int]) -> tuple[Node, int] | None:
    """The count over dice in the formula of a step, and the value it must have had."""
    formula = rule.facts(("step", step)).get("formula")
    if not isinstance(formula, Node) or not isinstance(value, int):
        return None
    dice = [node for node in walk(formula) if node.op in DICE_OPERATIONS]
    line = _linear_form(formula, dice[0], known) if len(dice) == 1 else None
    if line is None or not line[1] or (value - line[0]) % line[1]:
        return None
    return dice[0], (value - line[0]) // line[1]


def _linear_form(node: Node, dice: Node, known: Mapping[str, int]) -> _LinearForm | None:
    """The formula as a linear function of a count over dice; None if it is not linear."""
    if node == dice:
        return 0, 1
    if node.op == "number":
        return node.args[0], 0
    if node.op == "name":
        return (known[node.args[0]], 0) if node.args[0] in known else None
    parts = [_linear_form(part, dice, known) for part in node.child_nodes()] if node.op in ("+", "*", "neg") else [None]
    lines = [part for part in parts if part is not None]
    return _combine_forms(node.op, lines) if len(lines) == len(parts) else None


def _combine_forms(op: str, lines: list[_LinearForm]) -> _LinearForm | None:
    if op == "+":
        return sum(const for const, _ in lines), sum(times for _, times in lines)
    if op == "neg":
        return -lines[0][0], -lines[0][1]
    (const, times), *rest = sorted(lines, key=lambda form: form[1] == 0)
    if any(more for _, more in rest):
        return None
    for factor, _ in rest:
        const, times = const * factor, times * factor
    return const, times


def _counts_same_dice(both: _BothRuleParts, node: Node, new: BoundRule) -> bool:
    """Whether both editions roll and count these dice in the same way."""
    dependencies = both.before.dependencies([*both.before.parts_of_formula(node)])
    inputs = [name for part, name in dependencies if part == "input"]
    same = dependencies == both.after.dependencies([*both.after.parts_of_formula(node)])
    return same and all(both.known.get(name) == new.known.get(name) for name in inputs)


def _name_tallies(rule: Rule, setting: BoundRule, counted: Mapping[Node, int]) -> dict[str, int]:
    """Tallies by the names in the compiled rule; counts over absent dice are 0."""
    absent = _find_unused_dice(setting).absent
    numbers = tally_numbers(rule)
    none = {node: 0 for node in numbers if node.op in DICE_FUNCTIONS and collect_sets(node.args[0]) <= absent}
    known = {**none, **counted}
    own = {node: found for node, found in numbers.items() if node in known and (len(found) == 1 or not known[node])}
    return {f"t{number}": known[node] for node, found in own.items() for number in found}
