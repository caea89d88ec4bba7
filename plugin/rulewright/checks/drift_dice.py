"""Dice in prose against the dice of the block beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from .account import Account, Faces
from .difference import Difference, all_faces, differs, figures, listed, named, single_numbers, summary
from .told.dice import PART, values
from .told.mood import Bit
from .told.read import Told


def faces(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Every list of faces must lie on the table; a single number may also be a sum or a step."""
    if not all(one.faces for one in beside):
        return
    for bit in told.faces:
        said = bit.value if isinstance(bit.value, tuple) else ()
        groups = [shown for one in beside for shown in on_the_table(one, bit.what)]
        if not bit.sure or any(not Counter(said) - Counter(group) for group in groups):
            continue
        if len(said) > 1 or is_kind(bit.what, beside):
            yield first_wrong(told, bit, said, max(groups, key=lambda group: likeness(group, said)))
        elif not any(said[0] in single_numbers(one) for one in beside):
            shown = "; ".join(f"{figures(all_faces(one))} ({summary(one)})" for one in beside)
            yield differs(bit, str(said[0]), f"has {shown}")


def on_the_table(one: Account, kind: str) -> list[Faces]:
    """The faces of the kind that is named, else of each kind and round and of all together."""
    if is_kind(kind, [one]):
        return [tuple(face for name, group in one.faces if name.lower() == kind for face in group)]
    return [*(group for _, group in one.faces), all_faces(one)]


def is_kind(name: str, beside: Sequence[Account]) -> bool:
    return bool(name) and all(any(kind.lower() == name for kind, _ in one.faces) for one in beside)


def likeness(group: Faces, said: Faces) -> tuple[int, int]:
    return in_common(group, said), -abs(len(group) - len(said))


def in_common(some: Faces, others: Faces) -> int:
    return sum(min(some.count(face), others.count(face)) for face in set(some))


def first_wrong(told: Told, bit: Bit, said: Faces, meant: Faces) -> Difference:
    """At the first face that the block does not have."""
    left, shown = Counter(meant), figures(meant)
    for part in PART.finditer(told.passage.text, bit.start, bit.end):
        for face in values(part[0]):
            if not left[face]:
                figure = list(re.finditer(r"[\w’']+", part[0]))[-1]
                at = part.start() + figure.start()
                return differs(bit, f"{face} here", f"has {shown}", at, part.start() + figure.end())
            left[face] -= 1
    return differs(bit, figures(said), f"has {shown}")


def pools(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    for bit in told.pools:
        known = [pool_sizes(one) for one in beside]
        if bit.sure and not bit.what and all(known) and bit.number not in set().union(*known):
            sizes = set().union(*(set(one.dice[:1]) | named(one, ("pool", "dice")) for one in beside))
            yield differs(bit, f"{bit.number} dice", f"has {listed(sizes)}")


def pool_sizes(one: Account) -> set[int]:
    """How many dice there may be said to be: those of a kind, those thrown so far."""
    if not one.dice and not named(one, ("pool",)):
        return set()
    sums = {sum(one.dice[: number + 1]) for number in range(len(one.dice))}
    return {value for value in one.inputs.values() if isinstance(value, int)} | set(one.dice) | sums


def codes(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """d6+d4: dice of these sizes are thrown."""
    if not all(one.sides for one in beside):
        return
    known = frozenset().union(*(one.sides for one in beside))
    for bit in told.codes:
        for part in re.finditer(r"(?<![0-9])d([0-9]+)", str(bit.value)):
            if bit.sure and int(part[1]) not in known:
                yield differs(bit, f"d{part[1]}", f"throws {' and '.join(f'd{sides}' for sides in sorted(known))}")
                break
