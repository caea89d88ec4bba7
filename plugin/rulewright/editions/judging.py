"""All that a book shows of its rules, judged by those of the other edition, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..book.model import Block
from ..checks.model import Around
from ..game.model import Category, Game
from .asserted import game_of_block, makes_claims, recheck_block
from .declared import game_entity
from .examples import ChangedBlock, Direction, RecheckedBlock, UncheckedBlock, recheck_example
from .matching import GamePair, RulePair, pair_rules, without_labels
from .old_names import rule_in_old_names
from .sides import Edition, EditionPage
from .translated import Reason


@dataclass(frozen=True)
class RecheckReport:
    """`counts` are the blocks that say something of the rules, by the edition and their kind.

    Of the newer edition only those count that the older one does not have word for word."""

    changed: tuple[ChangedBlock, ...] = ()
    unjudged: tuple[UncheckedBlock, ...] = ()
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def judged(self, edition: str, kind: str) -> int:
        left = sum(one.edition == edition and one.kind == kind for one in self.unjudged)
        return self.counts.get((edition, kind), 0) - left


@dataclass(frozen=True)
class RecheckPass:
    """From the pages of one side to the games of the other."""

    side: Edition
    other: Edition
    bearings: Direction
    games: Mapping[int, Game]  # by the games of the side
    touched: frozenset[int]  # games of which anything at all is different, or that are gone
    known: frozenset[str] = frozenset()  # blocks that need no further word

    def around(self, leaf: EditionPage) -> Around:
        return Around(leaf.page, leaf.home, self.side.games.found)

    def around_other(self, leaf: EditionPage) -> Around:
        games = {name: self.games[id(game)] for name, game in self.side.games.found.items() if id(game) in self.games}
        return Around(leaf.page, self.games.get(id(leaf.home)), games)

    def found(self) -> Iterator[RecheckedBlock]:
        for leaf in self.side.leaves:
            around, other = self.around(leaf), self.around_other(leaf)
            for block in claiming_blocks(leaf, self.known):
                if block.kind == "example":
                    yield from map(self.told, recheck_example(leaf, block, around, self.bearings))
                elif (game := game_of_block(block, around)) and id(game) not in self.games:
                    yield self.told(self.bearings.unjudged(leaf, block, Reason("game")))
                elif game is None or id(game) in self.touched:
                    yield from recheck_block(leaf, block, around, other, self.bearings)

    def told(self, one: RecheckedBlock) -> RecheckedBlock:
        """Nobody can say that a rule is gone where the games could not be read."""
        gone = isinstance(one, UncheckedBlock) and one.why.name in ("rule", "game") and self.other.broken
        return replace(one, why=Reason("broken")) if gone and isinstance(one, UncheckedBlock) else one


def recheck_blocks(old: Edition, new: Edition, games: Sequence[GamePair], rules: Sequence[RulePair]) -> RecheckReport:
    """The blocks of the old edition by the new rules, then those that only the new one has by the old rules."""
    further = games_outside(old, new, games)
    every = [*games, *further]
    pairs = [*rules, *(one for pair in further for one in pair_rules(pair))]
    forth = make_pass("old", old, new, every, pairs)
    known = frozenset(block.span.text for leaf in old.leaves for block in claiming_blocks(leaf))
    back = make_pass("new", new, old, [reverse_pair(pair) for pair in every], [pair.back for pair in pairs])
    back = replace(back, known=known)
    found = [*forth.found()] if forth.touched else []
    seen = {one.key for one in found if isinstance(one, ChangedBlock)}
    found += (
        [one for one in back.found() if not (isinstance(one, ChangedBlock) and one.key in seen)] if back.touched else []
    )
    return RecheckReport(
        tuple(one for one in found if isinstance(one, ChangedBlock)),
        tuple(one for one in found if isinstance(one, UncheckedBlock)),
        {**count_blocks("old", old), **count_blocks("new", new, known)},
    )


def games_outside(old: Edition, new: Edition, games: Sequence[GamePair]) -> list[GamePair]:
    """Games of the whole book that examples of a part of it may be about; they are known by their folders."""
    known = {id(pair.old) for pair in games} | {id(game) for game in old.own.values()}
    both = ((name, game, new.games.found.get(name)) for name, game in old.games.found.items() if id(game) not in known)
    return [GamePair(name, game, other) for name, game, other in both if other]


def reverse_pair(pair: GamePair) -> GamePair:
    return GamePair(pair.name, pair.new, pair.old)


def make_pass(
    edition: str, side: Edition, other: Edition, games: Sequence[GamePair], rules: Iterable[RulePair]
) -> RecheckPass:
    pairs = {id(pair.old): pair for pair in rules}
    new = {id(pair.old): game_in_old_names(pair, pairs) for pair in games}
    touched = {
        id(pair.old) for pair in games if without_labels(game_entity(pair.old)) != without_labels(game_entity(pair.new))
    }
    gone = {id(game) for game in (*side.own.values(), *side.games.found.values()) if id(game) not in new}
    return RecheckPass(side, other, Direction(edition, pairs), new, frozenset(touched | gone))


def game_in_old_names(pair: GamePair, pairs: Mapping[int, RulePair]) -> Game:
    """What has another name is found by its old one."""
    known = {name: pairs[id(rule)] for name, rule in pair.old.rules.items() if id(rule) in pairs}
    rules = {**pair.new.rules, **{one.new.name: rule_in_old_names(one) for one in known.values()}}
    old = {name: rules[one.new.name] for name, one in known.items()}
    return replace(pair.new, rules={**old, **rules}, traits=traits_with_old_names(pair.new, [*known.values()]))


def traits_with_old_names(game: Game, pairs: Sequence[RulePair]) -> dict[str, Category]:
    """Each with its old name besides."""
    old = {now: name for pair in pairs for name, now in pair.traits.items()}
    return {name: replace(one, aliases={**one.aliases, **old_aliases(one, old)}) for name, one in game.traits.items()}


def old_aliases(category: Category, old: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (*category.aliases.get(name, ()), old[name]) for name in category.names if name in old}


def count_blocks(edition: str, side: Edition, known: frozenset[str] = frozenset()) -> dict[tuple[str, str], int]:
    return dict(Counter((edition, block.kind) for leaf in side.leaves for block in claiming_blocks(leaf, known)))


def claiming_blocks(leaf: EditionPage, known: frozenset[str] = frozenset()) -> Iterator[Block]:
    """Those that say something of the rules."""
    for block in leaf.page.blocks:
        if (block.kind == "example" or makes_claims(block)) and block.span.text not in known:
            yield block
