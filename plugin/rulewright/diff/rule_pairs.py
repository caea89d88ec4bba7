"""Pairs the games and rules of two editions: by their names, or by what they have in common under other names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ..game.core import Category, CoreAim, Expression, Rounds
from ..game.formula import Node, walk
from ..game.inputs import format_value
from ..game.model import Contest, DiceKind, Formula, Game, Input, Rule, SpecialtyRules, Spend
from .compare import find_new_names
from .edition import Edition
from .entities import PRESENTATION_FACTS, Entity, category_entity, game_entity, rename_entity, rename_words, rule_entity
from .renames import HeadingRenames, match_entities

_ALL_PARTS = ("rule", "input", "step", "dice", "outcome")
_Names = Mapping[str, str]
T = TypeVar("T", bound=Any)


def rule_in_old_names(pair: RulePair, parts: Collection[str] = _ALL_PARTS) -> Rule:
    """The new rule with the old names; a name that is in use there is not changed."""
    back = {part: {new: old for (kind, old), new in pair.new_names.items() if kind == part} for part in parts}
    values = _unambiguous_names(
        {**back.get("input", {}), **_variable_names(pair, back.get("input", {})), **back.get("step", {})}, pair.new
    )
    compare = {new: old for side in pair.sides[:1] for (kind, old), new in side.new_names.items() if kind == "step"}
    naming = _Renamer(values, _changed_names(back.get("dice", {})), _changed_names(back.get("outcome", {})))
    sides = tuple(rule_in_old_names(side, parts) for side in pair.sides)
    if any(naming) or any(renamed_side is not side.new for renamed_side, side in zip(sides, pair.sides, strict=True)):
        renamed = naming.rule(pair.new, sides, _changed_names(compare) if "step" in parts else {})
        return replace(renamed, name=pair.old.name) if "rule" in parts else renamed
    return replace(pair.new, name=pair.old.name) if "rule" in parts and pair.new.name != pair.old.name else pair.new


def _changed_names(names: _Names) -> dict[str, str]:
    return {new: old for new, old in names.items() if new != old}


def _unambiguous_names(names: _Names, rule: Rule) -> dict[str, str]:
    """Renames that do not collide with a name that was kept."""
    own = [*(entry.name for entry in rule.declared_inputs), *(step.name for step in rule.steps)]
    kept = {name for name in own if names.get(name, name) == name}
    return {new: old for new, old in _changed_names(names).items() if old not in kept}


def _variable_names(pair: RulePair, inputs: _Names) -> dict[str, str]:
    """The names of the variables of renamed inputs; a die code has two."""
    old, new = ({entry.name: entry for entry in rule.declared_inputs} for rule in pair.both)
    both = [(old[before], new[after]) for after, before in inputs.items()]
    return {now: other for before, after in both for now, other in zip(after.parts, before.parts, strict=False)}


class _Renamer(NamedTuple):
    """Renames inputs and steps, kinds of dice, and outcomes of a rule."""

    values: _Names
    kinds: _Names
    outcomes: _Names

    def rule(self, rule: Rule, sides: tuple[Rule, ...], compare: _Names) -> Rule:
        """`compare` renames the step that a contest compares."""
        return replace(
            rule,
            inputs=tuple(map(self.input, rule.declared_inputs)),
            dice=tuple(map(self.kind, rule.dice)),
            rerolls=tuple(
                replace(
                    self.fields(entry, "times", "when", "count", "turn"),
                    of=tuple(map(self.value, self.dice(entry.of))),
                    roll=self.kinds.get(entry.roll, entry.roll),
                )
                for entry in rule.rerolls
            ),
            steps=tuple(replace(self.fields(step, "formula"), name=self.value(step.name)) for step in rule.steps),
            marks={name: self.formula(item) for name, item in rule.marks.items()},
            outcomes=tuple(
                replace(self.fields(outcome, "when", "degree"), name=self.outcomes.get(outcome.name, outcome.name))
                for outcome in rule.outcomes
            ),
            contest=self.contest(rule.contest, sides, compare) if rule.contest else None,
            rounds=self.rounds(rule.rounds) if rule.rounds else None,
            aim=self.aim(rule.aim) if rule.aim else None,
            rolls=tuple(
                replace(self.fields(roll, "when", "times"), given=self.given(roll.given)) for roll in rule.rolls
            ),
            spends=tuple(
                replace(spend, changes=self.changes(spend.changes), highest=self.dice(spend.highest))
                for spend in rule.spends
            ),
            traits=replace(rule.traits, into=tuple(map(self.value, rule.traits.into))) if rule.traits else None,
            specialties=self.specialties(rule.specialties) if rule.specialties else None,
            categories={name: self.category(item) for name, item in rule.categories.items()},
        )

    def contest(self, own: Contest, sides: tuple[Rule, ...], compare: _Names) -> Contest:
        return replace(own, of=sides or own.of, compare=compare.get(own.compare, own.compare))

    def rounds(self, own: Rounds) -> Rounds:
        return replace(self.fields(own, "until", "most"), carry=self.changes(own.carry))

    def aim(self, own: CoreAim) -> CoreAim:
        return replace(self.fields(own, "formula"), text=rename_words(own.text, {**self.outcomes, **self.values}))

    def given(self, own: Mapping[str, Formula]) -> dict[str, Formula]:
        return {name: self.formula(formula) for name, formula in own.items()}

    def value(self, name: str) -> str:
        return self.values.get(name, name)

    def dice(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.kinds.get(name, name) for name in names)

    def input(self, entry: Input) -> Input:
        parts = tuple(map(self.value, entry.parts))
        return replace(self.fields(entry, "asked"), name=self.value(entry.name), parts=parts)

    def kind(self, kind: DiceKind) -> DiceKind:
        again = tuple(
            replace(self.fields(entry, "when", "count", "optional"), roll=self.kinds.get(entry.roll, entry.roll))
            for entry in kind.again
        )
        return replace(
            self.fields(kind, "count", "sides"),
            tests=self.changes(kind.tests),
            name=self.kinds.get(kind.name, kind.name),
            again=again,
        )

    def spend(self, own: Spend) -> Spend:
        return replace(own, changes=self.changes(own.changes), highest=self.dice(own.highest))

    def specialties(self, own: SpecialtyRules) -> SpecialtyRules:
        return replace(own, into=self.value(own.into), unused_adds=self.value(own.unused_adds))

    def category(self, own: Category) -> Category:
        return replace(own, untrained=None if own.untrained is None else self.changes(own.untrained))

    def changes(self, own: Mapping[str, Expression]) -> dict[str, Formula]:
        formulas = {name: formula for name, formula in own.items() if isinstance(formula, Formula)}
        return {self.value(name): self.formula(formula) for name, formula in formulas.items()}

    def fields(self, own: T, *names: str) -> T:
        """Renames the formulas in these fields, where there are any."""
        originals = {name: getattr(own, name) for name in names}
        return replace(
            own, **{name: self.formula(formula) for name, formula in originals.items() if formula is not None}
        )

    def formula(self, formula: Formula) -> Formula:
        return replace(formula, node=self.node(formula.node))

    def node(self, node: Node) -> Node:
        args: list[Any] = [self.node(arg) if isinstance(arg, Node) else arg for arg in node.args]
        if node.op == "name":
            args[0] = self.value(args[0])
        elif node.op == "set":
            args[0] = self.kinds.get(args[0], args[0])
        return replace(node, args=tuple(args))


class GamePair(NamedTuple):
    """The same game in both editions; `name` is its folder in the newer one."""

    name: str
    old: Game
    new: Game


@dataclass(frozen=True, eq=False)
class RulePair:
    """The same rule in both editions; `changed` if more than its labels differs."""

    game: str
    old: Rule
    new: Rule
    changed: bool
    traits: Mapping[str, str] = field(default_factory=dict)  # renames that are certain

    def outcome(self, name: str) -> str:
        """The new name of an outcome; the same name if it was not renamed."""
        return self.names.get(name, name)

    @cached_property
    def names(self) -> Mapping[str, str]:
        return {name: other for (part, name), other in self.new_names.items() if part == "outcome"}

    @cached_property
    def new_names(self) -> Mapping[tuple[str, str], str]:
        """The new name of each part of the older rule; removed parts are missing."""
        old, new = rule_entity(self.old), rule_entity(self.new)
        old = rename_entity(old, find_new_names(old, new))
        return {
            (old_part.part, old_part.name): new_part.name
            for old_part, new_part, _ in match_entities(old.children, new.children)
        }

    @cached_property
    def traits_changed(self) -> bool:
        """Whether sums of traits may have another value."""
        old, new = (
            [(name, without_labels(category_entity(category))) for name, category in rule.categories.items()]
            for rule in self.both
        )
        return old != new

    @cached_property
    def names_changed(self) -> bool:
        """Whether a named value such as "Hard" is another number now."""
        old, new = (
            {entry.name: entry.names.named_numbers for entry in rule.declared_inputs if entry.names}
            for rule in self.both
        )
        called = {name: self.new_names.get(("input", name)) for name in old}
        return any(new.get(now) != old[name] for name, now in called.items() if now)

    @property
    def defaults(self) -> dict[str, tuple[str, str]]:
        """The inputs whose default changed, with both defaults."""
        old, new = (
            {entry.name: _default_text(entry) for entry in rule.declared_inputs if entry.default is not None}
            for rule in self.both
        )
        return {name: (old[name], new[name]) for name in old if name in new and old[name] != new[name]}

    @property
    def both(self) -> tuple[Rule, Rule]:
        return self.old, self.new

    @cached_property
    def reversed(self) -> RulePair:
        """The pair in the other direction."""
        return RulePair(self.game, self.new, self.old, self.changed, {new: old for old, new in self.traits.items()})

    @cached_property
    def sides(self) -> tuple[RulePair, ...]:
        """The rules of the two sides of a contest."""
        of = (
            zip(self.old.contest.of, self.new.contest.of, strict=False) if self.old.contest and self.new.contest else ()
        )
        return tuple(RulePair(self.game, first, second, self.changed, self.traits) for first, second in of)


def _default_text(entry: Input) -> str:
    return format_value(entry, entry.default)


def pair_games(old: Edition, new: Edition) -> list[GamePair]:
    """If both editions have exactly one game, these are a pair, whatever their folders are called."""
    if len(old.own_games) == len(new.own_games) == 1:
        ((_, old_game),), ((name, new_game),) = old.own_games.items(), new.own_games.items()
        return [GamePair(name, old_game, new_game)]
    matches = match_entities(_game_entities(old), _game_entities(new))
    return [
        GamePair(new_game.name, old.own_games[old_game.name], new.own_games[new_game.name])
        for old_game, new_game, _ in matches
    ]


def _game_entities(side: Edition) -> list[Entity]:
    return [replace(game_entity(game), name=name) for name, game in side.own_games.items()]


def pair_rules(pair: GamePair, headings: HeadingRenames = ()) -> Iterator[RulePair]:
    old, new = game_entity(pair.old), game_entity(pair.new)
    traits = dict(_renamed_traits(old, new, headings))
    other_tables = _changed_tables(pair)
    for old_entity, new_entity, _ in match_entities(old.children, new.children):
        if old_entity.part == "rule":
            candidate = RulePair(
                pair.name, pair.old.rules[old_entity.name], pair.new.rules[new_entity.name], False, traits
            )
            yield replace(candidate, changed=_uses_table(new_entity, other_tables) or _differs_in_play(candidate))


def _renamed_traits(old: Entity, new: Entity, headings: HeadingRenames) -> Iterator[tuple[str, str]]:
    for old_entity, new_entity, _ in match_entities(old.children, new.children):
        if old_entity.part == "traits":
            matches = match_entities(old_entity.children, new_entity.children, headings)
            yield from (
                (match.old.name, match.new.name) for match in matches if match.sure and match.old.name != match.new.name
            )


def _changed_tables(pair: GamePair) -> set[str]:
    """The names of tables whose content changed; formulas may use them."""
    old, new = ({name: (table.rows, table.ranges) for name, table in game.tables.items()} for game in pair[1:])
    return {name for name in new if old.get(name) != new[name]}


def _uses_table(entity: Entity, tables: set[str]) -> bool:
    formulas = (fact.value for fact in entity.facts.values() if isinstance(fact.value, Node))
    tables_used = {node.args[0] for formula in formulas for node in walk(formula) if node.op == "lookup"}
    return bool(tables_used & tables) or any(_uses_table(child, tables) for child in entity.children)


def _differs_in_play(pair: RulePair) -> bool:
    """Whether more differs than names, labels and texts."""
    return without_labels(rule_entity(rule_in_old_names(pair))) != without_labels(rule_entity(pair.old)) or any(
        map(_compares_differently, pair.sides)
    )


def _compares_differently(side: RulePair) -> bool:
    """The rule without its outcomes, marks and spends: a contest only compares a step."""
    return without_labels(_compared_part(rule_in_old_names(side))) != without_labels(_compared_part(side.old))


def _compared_part(rule: Rule) -> Entity:
    entity = rule_entity(rule)
    return replace(
        entity, children=tuple(child for child in entity.children if child.part not in ("outcome", "mark", "spend"))
    )


def without_labels(entity: Entity) -> object:
    facts = {aspect: fact.value for aspect, fact in entity.facts.items() if aspect not in PRESENTATION_FACTS}
    return entity.part, facts, [(child.name, without_labels(child)) for child in entity.children]
