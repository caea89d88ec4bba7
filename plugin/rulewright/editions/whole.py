"""Everything that has changed from one edition to the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..text import Problem
from .chances import OddsChange, odds_changes
from .compare import Change, compare
from .counterexample import RollComparison, compare_rolls
from .declared import game_thing
from .headings import Shift, shifts
from .judging import Judgement, judge
from .matching import GamePair, RulePair, game_pairs, rule_pairs
from .old_names import in_old_names
from .places import Stale, Where, learned, stale_links
from .renames import Known
from .sides import Side
from .things import Thing


@dataclass(frozen=True, eq=False)
class GameChange:
    """What became of a game; of one that is new or gone `change` says no more than that."""

    name: str
    old_title: str
    new_title: str
    change: Change


@dataclass(frozen=True, eq=False)
class Editions:
    old: Side
    new: Side
    games: tuple[GameChange, ...]
    rolls: tuple[RollComparison, ...]
    odds: tuple[OddsChange, ...]
    judgement: Judgement
    headings: tuple[Shift, ...]
    learned: Mapping[Where, Where]  # old places of headings and pages, with the new ones
    stale: tuple[Stale, ...]  # links of the newer edition to old places
    compared: int  # rules that both editions have

    @property
    def broken(self) -> tuple[Problem, ...]:
        """What keeps games from being read."""
        return (*self.old.broken, *self.new.broken)

    @property
    def same(self) -> bool:
        moves = [one for one in self.headings if one.way != "rewritten"]
        return not (self.games or self.judgement.changed or moves or self.stale)


def compare_editions(old: Side, new: Side) -> Editions:
    pairs = game_pairs(old, new)
    moves = shifts(old, new)
    texts = {(one.old_text, one.new_text) for one in moves if one.way in ("renamed", "both")}
    rules = [one for pair in pairs for one in rule_pairs(pair, texts)]
    places = learned(old, new, moves)
    aligned = [replace(one, new=in_old_names(one, ["input"])) for one in rules]
    odds = odds_changes(aligned)
    return Editions(
        old, new, tuple(games(old, new, pairs, texts)), tuple(compared_rolls(aligned, odds)), tuple(odds),
        judge(old, new, pairs, rules), tuple(moves), places, tuple(stale_links(new, places)), len(rules),
    )  # fmt: skip


def compared_rolls(pairs: Sequence[RulePair], odds: Sequence[OddsChange]) -> Iterator[RollComparison]:
    hints = {id(one.pair): one.largest.inputs for one in odds if one.largest}
    for pair in pairs:
        if pair.changed and (comparison := compare_rolls(pair, hints.get(id(pair), {}))):
            yield comparison


def games(old: Side, new: Side, pairs: list[GamePair], headings: Known) -> list[GameChange]:
    """A game of which the other edition cannot be read is neither new nor gone."""
    found = [one for pair in pairs if (one := of_pair(pair, headings))]
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


def of_pair(pair: GamePair, headings: Known) -> GameChange | None:
    change = compare(named(game_thing(pair.old), pair), named(game_thing(pair.new), pair), headings)
    return GameChange(pair.name, pair.old.title, pair.new.title, change) if change else None


def named(thing: Thing, pair: GamePair) -> Thing:
    return replace(thing, name=pair.name)
