"""Specialties in a roll: which may be used, and what comes of those that are required and not used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..text import suggest
from .expression import Slip, Term, find_trait, finished
from .model import Category, Rule, Specialties

ITEM = re.compile(r"[^,(]*(?:\([^)]*\)?[^,(]*)*")
OWNED = re.compile(r"(.+?)\s*\(([^()]+)\)", re.DOTALL)
Slips = list[tuple[str, Slip]]  # each with the key it is about: holds, required, uses


class Named(NamedTuple):
    """A specialty as it is written, and the traits it may belong to; None where any trait may have it."""

    name: str
    owners: tuple[str, ...] | None
    start: int
    end: int

    def slip(self, message: str) -> Slip:
        return Slip(message, self.start, self.end)

    def same(self, other: Named) -> bool:
        shared = self.owners is None or other.owners is None or set(self.owners) & set(other.owners)
        return self.name.lower() == other.name.lower() and bool(shared)


def read_list(text: str, register: Mapping[str, Category]) -> Iterator[Named]:
    """The specialties of a list; a trait in brackets says whose it is."""
    for found in ITEM.finditer(text):
        piece = found[0].strip()
        if piece and piece.lower() != "none":
            start = found.start() + found[0].index(piece)
            yield Named(*owned(piece, register), start, start + len(piece))


def owned(piece: str, register: Mapping[str, Category]) -> tuple[str, tuple[str, ...] | None]:
    whose = OWNED.fullmatch(piece)
    if whose:
        category, trait = find_trait(register, whose[2])
        if category and finished(register):
            return whose[1], (trait,) if trait in owners_of(register, whose[1]) else ()
        if category or not finished(register):
            return whose[1], (trait,)
    owners = owners_of(register, piece)
    return piece, tuple(owners) if owners or finished(register) else None


def owners_of(register: Mapping[str, Category], name: str) -> dict[str, str]:
    """The traits that list a specialty, each with the kind that it is there; what stands in brackets is an example."""
    plain = name.partition(" (")[0].lower()
    return {
        trait: kind
        for category in register.values()
        for trait, kinds in category.specialties.items()
        for kind, names in kinds.items()
        if plain in (other.partition(" (")[0].lower() for other in names)
    }


def every_name(register: Mapping[str, Category]) -> list[str]:
    kinds = (kinds for category in register.values() for kinds in category.specialties.values())
    return list(dict.fromkeys(name for kind in kinds for names in kind.values() for name in names))


def strange(found: Named, register: Mapping[str, Category]) -> Slip | None:
    """What is said of a specialty that no trait has."""
    if found.owners != ():
        return None
    known = every_name(register)
    if owners_of(register, found.name):
        return found.slip(f"«{found.name}» belongs to {', '.join(owners_of(register, found.name))}")
    return found.slip(f"no trait has a specialty «{found.name}»; {suggest(found.name, known)}".rstrip("; "))


@dataclass
class Use:
    """The specialties of one roll, judged."""

    rule: Rule
    terms: Sequence[Term]
    lists: Mapping[str, str]  # holds, required, uses: as far as they are written
    slips: Slips = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)  # how many of each trait

    @property
    def settings(self) -> Specialties:
        assert self.rule.specialties
        return self.rule.specialties

    def judge(self) -> tuple[bool, int]:
        """Whether any is used, and how many required ones are not."""
        named = {key: list(read_list(text, self.rule.register)) for key, text in self.lists.items()}
        for key, items in named.items():
            self.slips += [(key, slip) for slip in (strange(one, self.rule.register) for one in items) if slip]
        uses = [one for one in named.get("uses", ()) if one.owners != ()]
        for number, one in enumerate(uses):
            self.use(one, uses[:number], named.get("holds"))
        unused = [one for one in named.get("required", ()) if not any(one.same(other) for other in uses)]
        return bool(uses), len(unused)

    def use(self, one: Named, before: Sequence[Named], held: Sequence[Named] | None) -> None:
        """Notes why a specialty cannot be used, or for which trait it counts."""
        message = ""
        if any(one.same(other) for other in before):
            message = f"{one.name} is used twice"
        elif held is not None and not any(one.same(other) for other in held):
            message = f"{one.name} is used and not held; write it behind holds: too"
        else:
            message = self.belongs(one)
        if message:
            self.slips.append(("uses", one.slip(message)))

    def belongs(self, one: Named) -> str:
        """Why no trait of the roll lets this specialty be used; nothing when one does."""
        rolled = [term for term in self.terms if one.owners is None or term.name in one.owners]
        if not rolled:
            whose = " or ".join(one.owners or ()) or "a trait"
            return f"{one.name} belongs to {whose}, which is not rolled here"
        reasons = [self.full(term) for term in rolled]
        if all(reasons):
            return f"{one.name} cannot be used: {reasons[0]}"
        name = rolled[reasons.index("")].name
        self.used[name] = self.used.get(name, 0) + 1
        return ""

    def full(self, term: Term) -> str:
        """Why a trait allows no further specialty."""
        settings = self.settings
        dots = f"{term.dots} {'dot' if term.dots == 1 else 'dots'}"
        if term.dots < settings.least:
            return f"{term.name} has {dots}, and {settings.least} {'is' if settings.least == 1 else 'are'} needed"
        if settings.per_dot and self.used.get(term.name, 0) >= settings.per_dot * term.dots:
            return f"{term.name} has {dots}, enough for {settings.per_dot * term.dots} at once"
        return ""
