"""Everything that has changed from one edition to the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..text import Problem
from .chances import OddsChange, compare_odds
from .compare import Change, compare_entities
from .counterexample import RollComparison, compare_rolls
from .declared import game_entity
from .headings import HeadingChange, compare_headings
from .judging import RecheckReport, recheck_blocks
from .matching import GamePair, RulePair, pair_games, pair_rules
from .old_names import rule_in_old_names
from .places import StaleLink, Target, find_moved_targets, find_stale_links
from .renames import HeadingRenames
from .sides import Edition
from .things import Entity


@dataclass(frozen=True, eq=False)
class GameChange:
    """What became of a game; of one that is new or gone `change` says no more than that."""

    name: str
    old_title: str
    new_title: str
    change: Change


@dataclass(frozen=True, eq=False)
class EditionDiff:
    old: Edition
    new: Edition
    games: tuple[GameChange, ...]
    rolls: tuple[RollComparison, ...]
    odds: tuple[OddsChange, ...]
    judgement: RecheckReport
    headings: tuple[HeadingChange, ...]
    learned: Mapping[Target, Target]  # old places of headings and pages, with the new ones
    stale: tuple[StaleLink, ...]  # links of the newer edition to old places
    compared: int  # rules that both editions have

    @property
    def broken(self) -> tuple[Problem, ...]:
        """What keeps games from being read."""
        return (*self.old.broken, *self.new.broken)

    @property
    def same(self) -> bool:
        moves = [one for one in self.headings if one.way != "rewritten"]
        return not (self.games or self.judgement.changed or moves or self.stale)


def diff_editions(old: Edition, new: Edition) -> EditionDiff:
    pairs = pair_games(old, new)
    moves = compare_headings(old, new)
    texts = {(one.old_text, one.new_text) for one in moves if one.way in ("renamed", "both")}
    rules = [one for pair in pairs for one in pair_rules(pair, texts)]
    places = find_moved_targets(old, new, moves)
    aligned = [replace(one, new=rule_in_old_names(one, ["input"])) for one in rules]
    odds = compare_odds(aligned)
    return EditionDiff(
        old, new, tuple(changed_games(old, new, pairs, texts)), tuple(compare_all_rolls(aligned, odds)), tuple(odds),
        recheck_blocks(old, new, pairs, rules), tuple(moves), places, tuple(find_stale_links(new, places)), len(rules),
    )  # fmt: skip


def compare_all_rolls(pairs: Sequence[RulePair], odds: Sequence[OddsChange]) -> Iterator[RollComparison]:
    hints = {id(one.pair): one.largest.inputs for one in odds if one.largest}
    for pair in pairs:
        if pair.changed and (comparison := compare_rolls(pair, hints.get(id(pair), {}))):
            yield comparison


def changed_games(old: Edition, new: Edition, pairs: list[GamePair], headings: HeadingRenames) -> list[GameChange]:
    """A game of which the other edition cannot be read is neither new nor gone."""
    found = [one for pair in pairs if (one := change_of_pair(pair, headings))]
    olds, news = {id(pair.old) for pair in pairs}, {id(pair.new) for pair in pairs}
    found += [
        GameChange(name, "", game.title, Change("game", name, "added", name))
        for name, game in new.own.items()
        if id(game) not in news and not old.broken
    ]
    found += [
        GameChange(name, game.title, "", Change("game", name, "removed"))
        for name, game in old.own.items()
        if id(game) not in olds and not new.broken
    ]
    return found


def change_of_pair(pair: GamePair, headings: HeadingRenames) -> GameChange | None:
    change = compare_entities(
        with_folder_name(game_entity(pair.old), pair), with_folder_name(game_entity(pair.new), pair), headings
    )
    return GameChange(pair.name, pair.old.title, pair.new.title, change) if change else None


def with_folder_name(thing: Entity, pair: GamePair) -> Entity:
    return replace(thing, name=pair.name)
