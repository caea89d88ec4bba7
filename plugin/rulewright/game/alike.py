"""Which throws of one die a rule tells apart: by the face before, and by the number of the throw.

Only a face that is thrown on can be the one before, and only formulas that name the throw are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from .program import Program, test_functions
from .ranges import Bounds, Range, between, evaluate, exactly
from .setting import Refused, Setting
from .throws import throw_tests
from .tree import Node, names_in

FURTHEST = 64  # throws that formulas may tell apart
MOST_LOOKS = 10_000  # pairs of a face and the face before it
NOTHING = Node("number", (0,))


class Questions(NamedTuple):
    """What a kind of dice asks of each throw, with good and bad written out."""

    tests: Mapping[str, Node]
    names: frozenset[str]

    @property
    def telling(self) -> dict[str, Node]:
        """Those that can depend on how often a die was thrown."""
        return {name: node for name, node in self.tests.items() if "throw" in names_in(node)}


def told_apart(setting: Setting, kind: int) -> tuple[bool, int]:
    """Whether the face before matters, and the throw from which on all throws are alike."""
    asked = questions(setting.program, kind)
    if "throw" not in asked.names:
        return "last" in asked.names, 1
    known = tuple(sorted((name, setting.known[name]) for name in asked.names & setting.known.keys()))
    found = furthest(setting.program, kind, tuple(sorted(set(setting.kinds[kind].faces))), known)
    if found is None:
        raise Refused(f"the {setting.rule.dice[kind].name} dice tell more than {FURTHEST} throws apart")
    return "last" in asked.names, found


@lru_cache(maxsize=1024)
def questions(made: Program, kind: int) -> Questions:
    asked = {name: formula.node for name, formula in test_functions(made.rule.dice[kind]).items()}
    words = {name: Node("!=", (asked.pop(name, NOTHING), NOTHING)) for name in ("good", "bad")}
    tests = {name: written_out(node, words) for name, node in asked.items()}
    tests |= {f"hit {number}": written_out(node, words) for number, node in enumerate(throw_tests(made, kind))}
    return Questions(tests, frozenset().union(*map(names_in, tests.values())))


def written_out(node: Node, words: Mapping[str, Node]) -> Node:
    if node.op == "name":
        return words.get(node.args[0], node)
    return Node(node.op, tuple(written_out(arg, words) if isinstance(arg, Node) else arg for arg in node.args))


@lru_cache(maxsize=1024)
def furthest(made: Program, kind: int, faces: tuple[int, ...], known: tuple[tuple[str, Any], ...]) -> int | None:
    """The throw from which on all throws are alike; None where there is none before `FURTHEST`."""
    asked, bounds = questions(made, kind), made.bounds
    sides = len(faces) if not made.rule.dice[kind].faces else len(made.rule.dice[kind].faces)
    for name, value in (*known, ("sides", sides)):
        bounds = bounds.with_value(name, exactly(value))
    throw = 1
    for face, last in looks(asked, faces, bounds):  # what is alike from some throw on stays so
        while not alike(asked, bounds, throw, face, last):
            throw += 1
            if throw == FURTHEST:
                return None
    return throw


def looks(asked: Questions, faces: tuple[int, ...], bounds: Bounds) -> Iterator[tuple[int, int]]:
    """Each face with each that may lie before it; where the one before does not matter, 0 stands for all."""
    before = [0]
    if "explode" not in asked.tests:
        before = []
    elif "last" in asked.names:
        wide = since(bounds, 1).with_value("last", between(min(0, *faces), max(0, *faces)))
        before = [face for face in faces if may_hold(asked.tests["explode"], wide.with_value("face", exactly(face)))]
    if len(before) * len(faces) > MOST_LOOKS:
        raise Refused(f"dice that tell throws apart cannot have {len(faces):,} faces")
    return product(faces, before)


def since(bounds: Bounds, throw: int) -> Bounds:
    """The bounds from some throw on."""
    later = Bounds({"throw": (throw, inf)}, bounds.values, bounds.tables)
    return later.with_value("throw", later.variable("throw"))


def may_hold(node: Node, bounds: Bounds) -> bool:
    found = evaluate(node, bounds)
    return not isinstance(found, Range) or found.truth is not False


def alike(asked: Questions, bounds: Bounds, throw: int, face: int, last: int) -> bool:
    """Whether this face, after this one, does the same on this throw and on all later ones."""
    known = since(bounds, throw).with_value("face", exactly(face)).with_value("last", exactly(last))
    found = {name: evaluate(node, known) for name, node in asked.telling.items()}
    if "times" in found and not may_hold(asked.tests["earn"], known):
        del found["times"]  # nothing is earned, so the number does not matter
    return all(
        isinstance(one, Range) and (one.certain if name == "times" else one.truth is not None)
        for name, one in found.items()
    )
