"""Everything that differs between two editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..source import Problem
from .chances import OddsChange, compare_odds
from .compare import Change, compare_entities
from .counterexample import RollComparison, compare_rolls
from .edition import Edition
from .entities import Entity, game_entity
from .headings import HeadingChange, StaleLink, Target, compare_headings, find_moved_targets, find_stale_links
from .recheck import RecheckReport, recheck_blocks
from .renames import HeadingRenames
from .rule_pairs import GamePair, RulePair, pair_games, pair_rules, rule_in_old_names


@dataclass(frozen=True, eq=False)
class GameChange:
    """The change of a game; for an added or removed game `change` has no details."""

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
    recheck: RecheckReport
    headings: tuple[HeadingChange, ...]
    moved_targets: Mapping[Target, Target]  # old places of headings and pages, with the new ones
    stale_links: tuple[StaleLink, ...]  # links of the newer edition to old places
    compared: int  # rules that both editions have

    @property
    def game_problems(self) -> tuple[Problem, ...]:
        """Problems that keep games from being loaded."""
        return (*self.old.game_problems, *self.new.game_problems)

    @property
    def same(self) -> bool:
        moves = [heading for heading in self.headings if heading.way != "rewritten"]
        return not (self.games or self.recheck.changed or moves or self.stale_links)


def diff_editions(old: Edition, new: Edition) -> EditionDiff:
    pairs = pair_games(old, new)
    moves = compare_headings(old, new)
    texts = {(heading.old_text, heading.new_text) for heading in moves if heading.way in ("renamed", "both")}
    rules = [rule for pair in pairs for rule in pair_rules(pair, texts)]
    places = find_moved_targets(old, new, moves)
    aligned = [replace(rule, new=rule_in_old_names(rule, ["input"])) for rule in rules]
    odds = compare_odds(aligned)
    return EditionDiff(
        old, new, tuple(_changed_games(old, new, pairs, texts)), tuple(_compare_all_rolls(aligned, odds)), tuple(odds),
        recheck_blocks(old, new, pairs, rules), tuple(moves), places, tuple(find_stale_links(new, places)), len(rules),
    )  # fmt: skip


def _compare_all_rolls(pairs: Sequence[RulePair], odds: Sequence[OddsChange]) -> Iterator[RollComparison]:
    hints = {id(change.pair): change.largest.inputs for change in odds if change.largest}
    for pair in pairs:
        if pair.changed and (comparison := compare_rolls(pair, hints.get(id(pair), {}))):
            yield comparison


def _changed_games(old: Edition, new: Edition, pairs: list[GamePair], headings: HeadingRenames) -> list[GameChange]:
    """A game is not reported as added or removed if the games of the other edition could not be loaded."""
    changes = [change for pair in pairs if (change := _change_of_pair(pair, headings))]
    olds, news = {id(pair.old) for pair in pairs}, {id(pair.new) for pair in pairs}
    changes += [
        GameChange(name, "", game.title, Change("game", name, "added", name))
        for name, game in new.own_games.items()
        if id(game) not in news and not old.game_problems
    ]
    changes += [
        GameChange(name, game.title, "", Change("game", name, "removed"))
        for name, game in old.own_games.items()
        if id(game) not in olds and not new.game_problems
    ]
    return changes


def _change_of_pair(pair: GamePair, headings: HeadingRenames) -> GameChange | None:
    change = compare_entities(
        _with_folder_name(game_entity(pair.old), pair), _with_folder_name(game_entity(pair.new), pair), headings
    )
    return GameChange(pair.name, pair.old.title, pair.new.title, change) if change else None


def _with_folder_name(entity: Entity, pair: GamePair) -> Entity:
    return replace(entity, name=pair.name)
