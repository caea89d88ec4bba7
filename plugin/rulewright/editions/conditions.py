"""Conditions that hold for some samples and for no other: sums, differences and comparisons of a few quantities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

MOST_QUANTITIES = 10
MOST_ATOMS = 400  # of each sort that are joined two by two
MOST_OF_THREE = 60  # that are joined three by three
SIGNS = {"<=": "≤", "<": "<", "=": "="}


@dataclass(frozen=True)
class Term:
    """A number in words of a formula, and what it is in each sample."""

    text: str
    cost: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Atom:
    """One comparison; `holds` has a bit for each sample."""

    left: Term
    sign: str
    right: Term
    holds: int

    @property
    def cost(self) -> int:
        return self.left.cost + self.right.cost

    @property
    def formula(self) -> str:
        return f"{self.left.text} {self.sign} {self.right.text}"

    @property
    def parts(self) -> tuple[str, str, str]:
        """As people write it: a number stands behind the sign where that makes no difference."""
        turned = self.sign == "=" and self.left.text.isdigit()
        ends = (self.right.text, self.left.text) if turned else (self.left.text, self.right.text)
        return ends[0], SIGNS[self.sign], ends[1]


@dataclass(frozen=True)
class Condition:
    """One comparison, or two joined by a word."""

    atoms: tuple[Atom, ...]
    word: str = "and"

    @property
    def cost(self) -> int:
        return sum(atom.cost for atom in self.atoms)

    @property
    def formula(self) -> str:
        return f" {self.word} ".join(atom.formula for atom in self.atoms)

    @property
    def chain(self) -> tuple[str, ...]:
        """The parts of «1 ≤ kept < failures», where two comparisons are one; else of one after the other."""
        parts = [atom.parts for atom in self.atoms]
        for one, other in permutations(self.atoms, 2) if self.word == "and" else ():
            if one.right == other.left and "=" not in (one.sign, other.sign):
                rest = [part for atom, part in zip(self.atoms, parts, strict=True) if atom not in (one, other)]
                both = (one.left.text, SIGNS[one.sign], one.right.text, SIGNS[other.sign], other.right.text)
                return joined([both, *rest], "and")
        return joined(parts, self.word)


def joined(parts: Sequence[tuple[str, ...]], word: str) -> tuple[str, ...]:
    return tuple(piece for number, part in enumerate(parts) for piece in ((word,) if number else ()) + part)


def find_condition(
    quantities: Mapping[str, Sequence[int]], wanted: Sequence[bool], numbers: Sequence[int] = ()
) -> Condition | None:
    """The simplest condition of the family that holds exactly where it is wanted; `numbers` may be named in it."""
    if not any(wanted) or all(wanted):
        return None
    few = dict(list(quantities.items())[:MOST_QUANTITIES])
    target, every = bits(wanted), (1 << len(wanted)) - 1
    atoms = list(useful(few, numbers, len(wanted), every))
    around = cheapest(atom for atom in atoms if atom.holds & target == target)
    within = cheapest(atom for atom in atoms if atom.holds | target == target)
    found = [Condition((atom,)) for atom in around if atom.holds == target]
    found += [Condition(two, "and") for two in combinations(around, 2) if two[0].holds & two[1].holds == target]
    found += [Condition(two, "or") for two in combinations(within, 2) if two[0].holds | two[1].holds == target]
    found = found or [Condition(three) for three in combinations(around[:MOST_OF_THREE], 3) if all_of(three) == target]
    return min(found, key=lambda one: (one.cost, len(one.atoms)), default=None)


def all_of(atoms: Sequence[Atom]) -> int:
    return atoms[0].holds & atoms[1].holds & atoms[2].holds


def bits(truths: Iterable[bool]) -> int:
    return int("".join("1" if one else "0" for one in truths) or "0", 2)


def cheapest(atoms: Iterable[Atom]) -> list[Atom]:
    """One for each set of samples."""
    best: dict[int, Atom] = {}
    for atom in atoms:
        known = best.get(atom.holds)
        if known is None or atom.cost < known.cost:
            best[atom.holds] = atom
    return sorted(best.values(), key=lambda atom: atom.cost)[:MOST_ATOMS]


def useful(quantities: Mapping[str, Sequence[int]], numbers: Sequence[int], samples: int, every: int) -> Iterator[Atom]:
    """Comparisons that hold in some samples and not in all: of plain terms with each other and with composed ones."""
    named = [Term(name, 1, tuple(values)) for name, values in quantities.items()]
    fixed = list(dict.fromkeys([1, 0, *numbers]))
    plain = [*(Term(str(number), 1, (number,) * samples) for number in fixed), *named]
    composed = list(sums(named))
    ordered = [*combinations(plain, 2), *product(composed, plain)]
    for one, other in ordered:
        yield from (atom for atom in (*compared(one, other), equal(one, other)) if 0 < atom.holds < every)
    for one, other in ordered:
        yield from (atom for atom in compared(other, one) if 0 < atom.holds < every)


def sums(terms: Sequence[Term]) -> Iterator[Term]:
    for one, other in combinations(terms, 2):
        added = tuple(a + b for a, b in zip(one.values, other.values, strict=True))
        yield Term(f"{one.text} + {other.text}", 3, added)
    for one, other in permutations(terms, 2):
        less = tuple(a - b for a, b in zip(one.values, other.values, strict=True))
        yield Term(f"{one.text} - {other.text}", 3, less)
        if min(less) < 0:
            yield Term(f"max({one.text} - {other.text}, 0)", 4, tuple(max(number, 0) for number in less))


def compared(one: Term, other: Term) -> Iterator[Atom]:
    pairs = list(zip(one.values, other.values, strict=True))
    yield Atom(one, "<=", other, bits(a <= b for a, b in pairs))
    yield Atom(one, "<", other, bits(a < b for a, b in pairs))


def equal(one: Term, other: Term) -> Atom:
    """What comes of a roll stands before what is known beforehand, as in «total = difficulty»."""
    return Atom(one, "=", other, bits(a == b for a, b in zip(one.values, other.values, strict=True)))
