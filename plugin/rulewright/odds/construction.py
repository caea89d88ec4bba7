"""Says what in a formula makes its odds expensive, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..game.core import CoreRule, Expression, Tally
from ..game.dependencies import tally_number
from ..game.formula import Node, walk
from ..play.compiled_rule import CompiledRule

_LESS = "ask for less at once: fewer dice or rerolls, fewer sums, or one sum instead of single faces"


class Construction(NamedTuple):
    """Why the odds of a formula are expensive, and what would help."""

    reason: str
    repair: str


def find_construction(program: CompiledRule, formula: Expression) -> Construction:
    """The part of a formula, or of the steps that it rests on, that costs the most."""
    rule = program.rule
    names = program.get_dependencies(formula) & program.formulas.keys()
    tallies = _find_tallies(rule, [own.node for own in (formula, *(program.formulas[name] for name in names))])
    kinds = {kind for tally in tallies if tally.set is not None for kind in rule.kinds_of(tally.set)}
    endless = [own.name for number, own in enumerate(rule.kinds) if number in kinds and _is_endless(rule, number)]
    if any(tally.function == "groups" for tally in tallies):
        return Construction("`groups` has to know each die", "fewer dice, or faces with fewer values, cost less")
    if len(endless) > 1:
        reason = f"{', '.join(endless[:-1])} and {endless[-1]} dice have no end, and are looked at together"
        return Construction(reason, "let one of them end, or compare them in rules of their own")
    if any(tally.word for tally in tallies):
        return Construction("a word over faces has to know how many dice show each face", _LESS)
    if len(tallies) > 1:
        return Construction(f"{len(tallies)} sums or counts have to be known together", _LESS)
    return Construction("", _LESS)


def _is_endless(rule: CoreRule, kind: int) -> bool:
    own = rule.kinds[kind]
    return own.explodes or kind in own.earned_kinds


def _find_tallies(rule: CoreRule, nodes: Iterable[Node]) -> list[Tally]:
    """The functions over dice in formulas, also those inside of others."""
    numbers: dict[int, None] = {}
    waiting = list(nodes)
    while waiting:
        for number in _numbers_in(waiting.pop()):
            if number not in numbers:
                numbers[number] = None
                waiting += [body] if (body := rule.tallies[number].body) else []
    return [rule.tallies[number] for number in numbers]


def _numbers_in(node: Node) -> Iterator[int]:
    return (tally_number(inner) for inner in walk(node) if inner.op == "tally")
