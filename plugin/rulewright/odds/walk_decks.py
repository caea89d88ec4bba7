"""Cards of a walk: what is left of a deck, and cards that are told apart by when they were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ..game.formula import collect_names
from ..play.bound_rule import BoundRule
from .budget import NotExactError
from .fold import ZERO, constant, is_number, join_tests, substitute, truth_of
from .rule_facts import find_earning
from .unroll import Member, Unroller, Words
from .walk_pools import COUNTS, ORDERED, SORTED, Face, Pool, complete_words, order_faces

_MOST_DRAWS = 60  # one after the other
_MOST_SINGLE = 80  # cards that are told apart one by one, times the faces they may show


def count_draws(setting: BoundRule, kind: int, known: Mapping[str, Any], constants: Words) -> int:
    """How often dice of a kind may be earned one after the other: once, but from a deck by each of its own cards."""
    rule, own = setting.rule, setting.rule.kinds[kind]
    entries = find_earning(rule, kind).get(kind, ())
    unroller, draws = Unroller(rule, constants, {}, {}), 0
    for place, copies in enumerate(own.deck if entries else ()):
        number = substitute(copies.node, known, rule.tables)
        face = {name: constant(value) for name, value in rule.words_on(kind, place).items()}
        words = complete_words(unroller, own, face, len(own.deck))
        earns = join_tests("or", [truth_of(unroller.formula(entry.when.node, words, {})) for entry in entries])
        if earns != ZERO:
            if not is_number(number):
                raise NotExactError("it is not known which cards are in a deck")
            draws += int(number.args[0])
    if draws > _MOST_DRAWS:
        raise NotExactError("cards are drawn again and again")
    return max(draws, 1)


def asked_size(pool: Pool, probe: Unroller) -> int:
    """How many cards a deck has, if formulas ask for its `sides`; else states share formulas."""
    tests = (test.node for test in probe.rule.kinds[pool.kind].tests.values())
    names = set().union(*map(collect_names, (*probe.asked[pool.kind], *tests)))
    return sum(face.weight for face in pool.faces) + pool.drawn if pool.is_deck and "sides" in names else 0


def take_drawn(
    faces: tuple[Face, ...], members: Sequence[Member], known: Mapping[str, Any]
) -> tuple[tuple[Face, ...], int]:
    """The cards that are left of a deck, as formulas tell them apart, and how many have been drawn."""
    if not members:
        return faces, 0
    left: dict[Any, int] = {}
    drawn = 0
    for member in members:
        number = substitute(member.number, known, {})
        if not is_number(number) or member.face is None:
            raise NotExactError("it is not known which cards have been drawn")
        left[member.face] = left.get(member.face, member.weight) - int(number.args[0])
        drawn += int(number.args[0])
    return tuple(Face(words, weight) for words, weight in left.items()), drawn


def _divide_cards(cards: int, faces: int, blocks: tuple[int, ...], first: int | None) -> tuple[int, ...]:
    """Blocks of cards in the order drawn, so that the first ones are whole blocks; else each card is one."""
    ends = {sum(blocks[: number + 1]) for number in range(len(blocks))} | {cards}
    if first is not None and 0 < first < cards and first not in ends:
        starts = sorted({0, first, *ends})
        return tuple(end - start for start, end in pairwise(starts))
    if len(blocks) == cards or cards * faces > _MOST_SINGLE:
        raise NotExactError("equal cards are told apart")
    return (1,) * cards


def tell_apart(pool: Pool, before: Pool, first: int | None) -> Pool:
    """A pool in a form that knows more of the order of its dice, of cards which are the first ones."""
    if pool.is_deck:
        return replace(pool, blocks=_divide_cards(pool.dice, len(pool.faces), pool.blocks, first))
    if pool.form == ORDERED:
        raise NotExactError("equal dice of a kind are told apart")
    return replace(pool, form=COUNTS if pool.form == SORTED else ORDERED, faces=order_faces(before.faces))
