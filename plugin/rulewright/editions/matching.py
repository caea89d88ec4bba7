"""Games and rules of two editions that are the same: by their names, or nearly alike under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ..game.inputs import shown
from ..game.model import Game, Input, Rule
from ..game.tree import Node, walk
from .compare import find_new_names, match_entities
from .declared import category_entity, game_entity, rule_entity
from .old_names import rule_in_old_names
from .renames import HeadingRenames
from .sides import Edition
from .things import PRESENTATION_FACTS, Entity, rename_entity


class GamePair(NamedTuple):
    """`name` is the folder of the game from the folder of the newer side."""

    name: str
    old: Game
    new: Game


@dataclass(frozen=True, eq=False)
class RulePair:
    """Two rules of which the one has become the other; `changed` is whether anything but their labels differs."""

    game: str
    old: Rule
    new: Rule
    changed: bool
    traits: Mapping[str, str] = field(default_factory=dict)  # those that surely have another name now

    def outcome(self, name: str) -> str:
        """How an outcome of the older rule is called in the newer one; the same where nobody knows better."""
        return self.names.get(name, name)

    @cached_property
    def names(self) -> Mapping[str, str]:
        return {name: other for (part, name), other in self.called.items() if part == "outcome"}

    @cached_property
    def called(self) -> Mapping[tuple[str, str], str]:
        """How each part of the older rule is called in the newer one; what is gone is not there."""
        old, new = rule_entity(self.old), rule_entity(self.new)
        old = rename_entity(old, find_new_names(old, new))
        return {(one.part, one.name): other.name for one, other, _ in match_entities(old.inner, new.inner)}

    @cached_property
    def traits_changed(self) -> bool:
        """Do sums of traits come to something else, or may?"""
        old, new = (
            [(name, without_labels(category_entity(one))) for name, one in rule.register.items()] for rule in self.both
        )
        return old != new

    @cached_property
    def names_changed(self) -> bool:
        """Does a word such as «difficulty Hard» stand for another number?"""
        old, new = ({one.name: one.names.names for one in rule.inputs if one.names} for rule in self.both)
        called = {name: self.called.get(("input", name)) for name in old}
        return any(new.get(now) != old[name] for name, now in called.items() if now)

    @property
    def defaults(self) -> dict[str, tuple[str, str]]:
        """The inputs for which another value is taken now where they are left out; both values."""
        old, new = (
            {one.name: default_text(one) for one in rule.inputs if one.default is not None} for rule in self.both
        )
        return {name: (old[name], new[name]) for name in old if name in new and old[name] != new[name]}

    @property
    def both(self) -> tuple[Rule, Rule]:
        return self.old, self.new

    @cached_property
    def back(self) -> RulePair:
        """The newer rule, and the older one that it has been."""
        return RulePair(self.game, self.new, self.old, self.changed, {new: old for old, new in self.traits.items()})

    @cached_property
    def sides(self) -> tuple[RulePair, ...]:
        """The rules of the two sides of a contest."""
        of = (
            zip(self.old.contest.of, self.new.contest.of, strict=False) if self.old.contest and self.new.contest else ()
        )
        return tuple(RulePair(self.game, one, other, self.changed, self.traits) for one, other in of)


def default_text(entry: Input) -> str:
    return shown(entry, entry.default)


def pair_games(old: Edition, new: Edition) -> list[GamePair]:
    """A side that is one game is compared with one that is one game, whatever their folders are called."""
    if len(old.own) == len(new.own) == 1:
        ((_, one),), ((name, other),) = old.own.items(), new.own.items()
        return [GamePair(name, one, other)]
    found = match_entities(game_entities(old), game_entities(new))
    return [GamePair(other.name, old.own[one.name], new.own[other.name]) for one, other, _ in found]


def game_entities(side: Edition) -> list[Entity]:
    return [replace(game_entity(game), name=name) for name, game in side.own.items()]


def pair_rules(pair: GamePair, headings: HeadingRenames = ()) -> Iterator[RulePair]:
    old, new = game_entity(pair.old), game_entity(pair.new)
    traits = dict(renamed_traits(old, new, headings))
    other_tables = changed_tables(pair)
    for one, other, _ in match_entities(old.inner, new.inner):
        if one.part == "rule":
            found = RulePair(pair.name, pair.old.rules[one.name], pair.new.rules[other.name], False, traits)
            yield replace(found, changed=uses_table(other, other_tables) or differs_in_play(found))


def renamed_traits(old: Entity, new: Entity, headings: HeadingRenames) -> Iterator[tuple[str, str]]:
    for one, other, _ in match_entities(old.inner, new.inner):
        if one.part == "traits":
            found = match_entities(one.inner, other.inner, headings)
            yield from (
                (each.old.name, each.new.name) for each in found if each.sure and each.old.name != each.new.name
            )


def changed_tables(pair: GamePair) -> set[str]:
    """Formulas may look things up in them."""
    old, new = ({name: (table.rows, table.ranges) for name, table in game.tables.items()} for game in pair[1:])
    return {name for name in new if old.get(name) != new[name]}


def uses_table(thing: Entity, tables: set[str]) -> bool:
    formulas = (one.meaning for one in thing.facts.values() if isinstance(one.meaning, Node))
    found = {node.args[0] for formula in formulas for node in walk(formula) if node.op == "lookup"}
    return bool(found & tables) or any(uses_table(one, tables) for one in thing.inner)


def differs_in_play(pair: RulePair) -> bool:
    """Does more differ than what things are called and what is said of them?"""
    return without_labels(rule_entity(rule_in_old_names(pair))) != without_labels(rule_entity(pair.old)) or any(
        map(compares_differently, pair.sides)
    )


def compares_differently(side: RulePair) -> bool:
    """A contest compares a step: what becomes of it outside of contests does not matter."""
    return without_labels(compared_part(rule_in_old_names(side))) != without_labels(compared_part(side.old))


def compared_part(rule: Rule) -> Entity:
    thing = rule_entity(rule)
    return replace(thing, inner=tuple(one for one in thing.inner if one.part not in ("outcome", "mark", "spend")))


def without_labels(thing: Entity) -> object:
    told = {aspect: one.meaning for aspect, one in thing.facts.items() if aspect not in PRESENTATION_FACTS}
    return thing.part, told, [(one.name, without_labels(one)) for one in thing.inner]
