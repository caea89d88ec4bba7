"""Games and rules of two editions that are the same: by their names, or nearly alike under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ..game.inputs import shown
from ..game.model import Game, Input, Rule
from ..game.tree import Node, walk
from .compare import matched, new_names
from .declared import category_thing, game_thing, rule_thing
from .old_names import in_old_names
from .renames import Known
from .sides import Side
from .things import TOLD, Thing, renamed


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
        old, new = rule_thing(self.old), rule_thing(self.new)
        old = renamed(old, new_names(old, new))
        return {(one.part, one.name): other.name for one, other, _ in matched(old.inner, new.inner)}

    @cached_property
    def traits_changed(self) -> bool:
        """Do sums of traits come to something else, or may?"""
        old, new = ([(name, bare(category_thing(one))) for name, one in rule.register.items()] for rule in self.both)
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
        old, new = ({one.name: default(one) for one in rule.inputs if one.default is not None} for rule in self.both)
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


def default(entry: Input) -> str:
    return shown(entry, entry.default)


def game_pairs(old: Side, new: Side) -> list[GamePair]:
    """A side that is one game is compared with one that is one game, whatever their folders are called."""
    if len(old.own) == len(new.own) == 1:
        ((_, one),), ((name, other),) = old.own.items(), new.own.items()
        return [GamePair(name, one, other)]
    found = matched(things(old), things(new))
    return [GamePair(other.name, old.own[one.name], new.own[other.name]) for one, other, _ in found]


def things(side: Side) -> list[Thing]:
    return [replace(game_thing(game), name=name) for name, game in side.own.items()]


def rule_pairs(pair: GamePair, headings: Known = ()) -> Iterator[RulePair]:
    old, new = game_thing(pair.old), game_thing(pair.new)
    traits = dict(renamed_traits(old, new, headings))
    other_tables = changed_tables(pair)
    for one, other, _ in matched(old.inner, new.inner):
        if one.part == "rule":
            found = RulePair(pair.name, pair.old.rules[one.name], pair.new.rules[other.name], False, traits)
            yield replace(found, changed=looks_up(other, other_tables) or plays_otherwise(found))


def renamed_traits(old: Thing, new: Thing, headings: Known) -> Iterator[tuple[str, str]]:
    for one, other, _ in matched(old.inner, new.inner):
        if one.part == "traits":
            found = matched(one.inner, other.inner, headings)
            yield from (
                (each.old.name, each.new.name) for each in found if each.sure and each.old.name != each.new.name
            )


def changed_tables(pair: GamePair) -> set[str]:
    """Formulas may look things up in them."""
    old, new = ({name: (table.rows, table.ranges) for name, table in game.tables.items()} for game in pair[1:])
    return {name for name in new if old.get(name) != new[name]}


def looks_up(thing: Thing, tables: set[str]) -> bool:
    formulas = (one.meaning for one in thing.facts.values() if isinstance(one.meaning, Node))
    found = {node.args[0] for formula in formulas for node in walk(formula) if node.op == "lookup"}
    return bool(found & tables) or any(looks_up(one, tables) for one in thing.inner)


def plays_otherwise(pair: RulePair) -> bool:
    """Does more differ than what things are called and what is said of them?"""
    return bare(rule_thing(in_old_names(pair))) != bare(rule_thing(pair.old)) or any(
        map(compares_otherwise, pair.sides)
    )


def compares_otherwise(side: RulePair) -> bool:
    """A contest compares a step: what becomes of it outside of contests does not matter."""
    return bare(compared(in_old_names(side))) != bare(compared(side.old))


def compared(rule: Rule) -> Thing:
    thing = rule_thing(rule)
    return replace(thing, inner=tuple(one for one in thing.inner if one.part not in ("outcome", "mark", "spend")))


def bare(thing: Thing) -> object:
    told = {aspect: one.meaning for aspect, one in thing.facts.items() if aspect not in TOLD}
    return thing.part, told, [(one.name, bare(one)) for one in thing.inner]
