"""All that a book shows of its rules, judged by those of the other edition, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..book.model import Block
from ..checks.model import Around
from ..game.model import Category, Game
from .asserted import asserts, game_of, judge_block
from .declared import game_thing
from .examples import Bearings, Judged, Retold, Unjudged, judge_example
from .matching import GamePair, RulePair, bare, rule_pairs
from .old_names import in_old_names
from .sides import Leaf, Side
from .translated import Reason


@dataclass(frozen=True)
class Judgement:
    """`counts` are the blocks that say something of the rules, by the edition and their kind.

    Of the newer edition only those count that the older one does not have word for word."""

    changed: tuple[Retold, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def judged(self, edition: str, kind: str) -> int:
        left = sum(one.edition == edition and one.kind == kind for one in self.unjudged)
        return self.counts.get((edition, kind), 0) - left


@dataclass(frozen=True)
class Way:
    """From the pages of one side to the games of the other."""

    side: Side
    other: Side
    bearings: Bearings
    games: Mapping[int, Game]  # by the games of the side
    touched: frozenset[int]  # games of which anything at all is different, or that are gone
    known: frozenset[str] = frozenset()  # blocks that need no further word

    def around(self, leaf: Leaf) -> Around:
        return Around(leaf.page, leaf.home, self.side.games.found)

    def around_other(self, leaf: Leaf) -> Around:
        games = {name: self.games[id(game)] for name, game in self.side.games.found.items() if id(game) in self.games}
        return Around(leaf.page, self.games.get(id(leaf.home)), games)

    def found(self) -> Iterator[Judged]:
        for leaf in self.side.leaves:
            around, other = self.around(leaf), self.around_other(leaf)
            for block in blocks_of(leaf, self.known):
                if block.kind == "example":
                    yield from map(self.told, judge_example(leaf, block, around, self.bearings))
                elif (game := game_of(block, around)) and id(game) not in self.games:
                    yield self.told(self.bearings.unjudged(leaf, block, Reason("game")))
                elif game is None or id(game) in self.touched:
                    yield from judge_block(leaf, block, around, other, self.bearings)

    def told(self, one: Judged) -> Judged:
        """Nobody can say that a rule is gone where the games could not be read."""
        gone = isinstance(one, Unjudged) and one.why.name in ("rule", "game") and self.other.broken
        return replace(one, why=Reason("broken")) if gone and isinstance(one, Unjudged) else one


def judge(old: Side, new: Side, games: Sequence[GamePair], rules: Sequence[RulePair]) -> Judgement:
    """The blocks of the old edition by the new rules, then those that only the new one has by the old rules."""
    further = outside(old, new, games)
    every = [*games, *further]
    pairs = [*rules, *(one for pair in further for one in rule_pairs(pair))]
    forth = way("old", old, new, every, pairs)
    known = frozenset(block.span.text for leaf in old.leaves for block in blocks_of(leaf))
    back = way("new", new, old, [turned(pair) for pair in every], [pair.back for pair in pairs])
    back = replace(back, known=known)
    found = [*forth.found()] if forth.touched else []
    seen = {one.key for one in found if isinstance(one, Retold)}
    found += [one for one in back.found() if not (isinstance(one, Retold) and one.key in seen)] if back.touched else []
    return Judgement(
        tuple(one for one in found if isinstance(one, Retold)),
        tuple(one for one in found if isinstance(one, Unjudged)),
        {**counted("old", old), **counted("new", new, known)},
    )


def outside(old: Side, new: Side, games: Sequence[GamePair]) -> list[GamePair]:
    """Games of the whole book that examples of a part of it may be about; they are known by their folders."""
    known = {id(pair.old) for pair in games} | {id(game) for game in old.own.values()}
    both = ((name, game, new.games.found.get(name)) for name, game in old.games.found.items() if id(game) not in known)
    return [GamePair(name, game, other) for name, game, other in both if other]


def turned(pair: GamePair) -> GamePair:
    return GamePair(pair.name, pair.new, pair.old)


def way(edition: str, side: Side, other: Side, games: Sequence[GamePair], rules: Iterable[RulePair]) -> Way:
    pairs = {id(pair.old): pair for pair in rules}
    new = {id(pair.old): with_old_names(pair, pairs) for pair in games}
    touched = {id(pair.old) for pair in games if bare(game_thing(pair.old)) != bare(game_thing(pair.new))}
    gone = {id(game) for game in (*side.own.values(), *side.games.found.values()) if id(game) not in new}
    return Way(side, other, Bearings(edition, pairs), new, frozenset(touched | gone))


def with_old_names(pair: GamePair, pairs: Mapping[int, RulePair]) -> Game:
    """What has another name is found by its old one."""
    known = {name: pairs[id(rule)] for name, rule in pair.old.rules.items() if id(rule) in pairs}
    rules = {**pair.new.rules, **{one.new.name: in_old_names(one) for one in known.values()}}
    old = {name: rules[one.new.name] for name, one in known.items()}
    return replace(pair.new, rules={**old, **rules}, traits=traits_as_before(pair.new, [*known.values()]))


def traits_as_before(game: Game, pairs: Sequence[RulePair]) -> dict[str, Category]:
    """Each with its old name besides."""
    old = {now: name for pair in pairs for name, now in pair.traits.items()}
    return {name: replace(one, aliases={**one.aliases, **also(one, old)}) for name, one in game.traits.items()}


def also(category: Category, old: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (*category.aliases.get(name, ()), old[name]) for name in category.names if name in old}


def counted(edition: str, side: Side, known: frozenset[str] = frozenset()) -> dict[tuple[str, str], int]:
    return dict(Counter((edition, block.kind) for leaf in side.leaves for block in blocks_of(leaf, known)))


def blocks_of(leaf: Leaf, known: frozenset[str] = frozenset()) -> Iterator[Block]:
    """Those that say something of the rules."""
    for block in leaf.page.blocks:
        if (block.kind == "example" or asserts(block)) and block.span.text not in known:
            yield block
