"""Parses sums of traits, such as "Strength 3 + Brawl 2", and checks the traits and specialties of a roll."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..source import suggest
from .model import Category, Rule, Specialties, Sum, within

PIECE = re.compile(
    r"\s*(?:(?P<name>[^\s+].*?)\s+)?(?:(?P<none>none)|d(?P<die>[0-9]{1,4})|(?P<code>[0-9]{1,4})d|(?P<number>[0-9]{1,6}))\s*",
    re.IGNORECASE | re.DOTALL,
)


class Slip(NamedTuple):
    """A mistake in a text, with its start and end offsets."""

    message: str
    start: int
    end: int


class Value(NamedTuple):
    """The value of a trait: a number, a die, the dice of a die code, or none."""

    form: str
    number: int


class Term(NamedTuple):
    """A trait in a sum with its values: a number, a die or a die code, and further values added to it."""

    name: str
    start: int
    end: int
    values: tuple[Value, ...]
    category: Category | None = None

    @property
    def dots(self) -> int:
        """The size of the trait: a die counts as its sides; with a die code, a die counts as three pips."""
        weights = {"code": 3 if any(value.form == "code" for value in self.values) else 1}
        return sum(value.number * weights.get(value.form, 1) for value in self.values)

    @property
    def counted(self) -> bool:
        """Whether the trait is a plain number of dots, without dice."""
        return all(value.form in ("number", "none") for value in self.values)


def read_terms(text: str, example: str = "Strength 3") -> tuple[list[Term], list[Slip]]:
    """Parse a sum of traits; a value without a name belongs to the trait before it."""
    found: list[Term] = []
    slips: list[Slip] = []
    for start, end in pieces(text):
        piece = PIECE.fullmatch(text, start, end)
        if piece is None:
            slips.append(nameless(text, start, end))
        elif piece["name"]:
            found.append(Term(piece["name"], piece.start("name"), piece.end("name"), (value_of(piece),)))
        elif found:
            found[-1] = found[-1]._replace(values=(*found[-1].values, value_of(piece)))
        else:
            slips.append(Slip(f"a trait begins with its name, as in {example}", *trimmed(text, start, end)))
    return found, slips


def example_of(register: Mapping[str, Category]) -> str:
    """A trait of this game with a value, as an example for messages."""
    category = next((one for one in register.values() if one.names), None)
    if category is None:
        return "Strength 3"
    number = 3 if category.least is None else max(3, category.least)
    return f"{category.names[0]} {number if category.most is None else min(number, category.most)}"


def pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for sign in re.finditer(r"\+|$", text):
        yield start, sign.start()
        start = sign.end()


def value_of(piece: re.Match[str]) -> Value:
    form = piece.lastgroup or "none"
    return Value(form, 0 if form == "none" else int(piece[form]))


def nameless(text: str, start: int, end: int) -> Slip:
    start, end = trimmed(text, start, end)
    word = text[start:end]
    if not word:
        return Slip("a trait is missing beside this +", start, max(end, start + 1))
    return Slip(f"«{word}» has no value; write its dots, its die or its code behind the name", start, end)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), max(end - len(piece) + len(piece.rstrip()), start)


def known_terms(terms: Iterable[Term], register: Mapping[str, Category]) -> tuple[list[Term], list[Slip]]:
    """The terms under their names in the game, and the unknown ones; a game with incomplete lists allows any name."""
    found: list[Term] = []
    slips: list[Slip] = []
    for term in terms:
        category, name = find_trait(register, term.name)
        if category is None and finished(register):
            slips.append(Slip(unknown(register, term.name), term.start, term.end))
        elif name in [other.name for other in found]:
            slips.append(Slip(f"{name} stands here twice", term.start, term.end))
        elif category and term.counted and not within(term.dots, category.least, category.most):
            slips.append(Slip(f"{name} goes {limits(category)}, not {term.dots}", term.start, term.end))
        else:
            found.append(term._replace(name=name, category=category))
    return found, slips


def limits(category: Category) -> str:
    ends = (category.least, category.most)
    if None in ends:
        return f"up to {ends[1]}" if ends[0] is None else f"from {ends[0]}"
    return f"from {ends[0]} to {ends[1]}"


def finished(register: Mapping[str, Category]) -> bool:
    """Whether the game names all its traits: it has categories, and each lists its traits."""
    return bool(register) and all(category.names for category in register.values())


def find_trait(register: Mapping[str, Category], name: str) -> tuple[Category | None, str]:
    """The category of a trait and its name there, ignoring case; None and the name as written if unknown."""
    low = name.lower()
    for category in register.values():
        for trait in category.names:
            if low in (trait.lower(), *(other.lower() for other in category.aliases.get(trait, ()))):
                return category, trait
    return None, name


def unknown(register: Mapping[str, Category], name: str) -> str:
    """The message about an unknown trait; its name may be that of a specialty."""
    low = name.lower()
    for category in register.values():
        for trait, kinds in category.specialties.items():
            for kind, names in kinds.items():
                if low in (other.partition(" (")[0].lower() for other in names):
                    return f"«{name}» is no trait but a specialty ({kind}) of {trait}"
    known = [trait for category in register.values() for trait in category.names]
    return f"there is no trait «{name}»; {suggest(name, known)}".rstrip("; ")


def crowded(terms: Iterable[Term], into: Sum) -> Iterator[Slip]:
    """Traits beyond the number that a roll may have."""
    limited: list[Term] = []
    for number, term in enumerate(terms, 1):
        if into.most and number > into.most:
            most = "1 trait" if into.most == 1 else f"{into.most} traits"
            yield Slip(f"a roll takes {most} at most, and {term.name} is one more", term.start, term.end)
        if term.category and term.category.name in into.one_of:
            limited.append(term)
    for term in limited[1:]:
        names = f"{limited[0].name} and {term.name}"
        yield Slip(f"only one of {names} may take part in a roll", term.start, term.end)


ITEM = re.compile(r"[^,(]*(?:\([^)]*\)?[^,(]*)*")
OWNED = re.compile(r"(.+?)\s*\(([^()]+)\)", re.DOTALL)
Slips = list[tuple[str, Slip]]  # with the key that they are about: holds, required, uses


class Named(NamedTuple):
    """A specialty in a list, and the traits that it may belong to; None if any trait may have it."""

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
    """Parse a list of specialties; a trait in brackets is the owner."""
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
    """The traits that have a specialty, each with its kind there; text in brackets in its name is an example."""
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
    """The mistake of a specialty that no trait has; else None."""
    if found.owners != ():
        return None
    known = every_name(register)
    if owners_of(register, found.name):
        return found.slip(f"«{found.name}» belongs to {', '.join(owners_of(register, found.name))}")
    return found.slip(f"no trait has a specialty «{found.name}»; {suggest(found.name, known)}".rstrip("; "))


@dataclass
class Use:
    """Checks the specialties of one roll."""

    rule: Rule
    terms: Sequence[Term]
    lists: Mapping[str, str]  # the texts of holds, required and uses, if present
    slips: Slips = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)  # number of specialties used per trait

    @property
    def settings(self) -> Specialties:
        assert self.rule.specialties
        return self.rule.specialties

    def judge(self) -> tuple[bool, int]:
        """Whether any specialty is used, and how many required ones are not."""
        named = {key: list(read_list(text, self.rule.register)) for key, text in self.lists.items()}
        for key, items in named.items():
            self.slips += [(key, slip) for slip in (strange(one, self.rule.register) for one in items) if slip]
        uses = [one for one in named.get("uses", ()) if one.owners != ()]
        for number, one in enumerate(uses):
            self.use(one, uses[:number], named.get("holds"))
        unused = [one for one in named.get("required", ()) if not any(one.same(other) for other in uses)]
        return bool(uses), len(unused)

    def use(self, one: Named, before: Sequence[Named], held: Sequence[Named] | None) -> None:
        """Check one use of a specialty: report why it is not allowed, or count it for its trait."""
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
        """Why no trait of the roll allows this specialty; empty if one does."""
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
        """Why a trait allows no further specialty; empty if it does."""
        settings = self.settings
        dots = f"{term.dots} {'dot' if term.dots == 1 else 'dots'}"
        if term.dots < settings.least:
            return f"{term.name} has {dots}, and {settings.least} {'is' if settings.least == 1 else 'are'} needed"
        if settings.per_dot and self.used.get(term.name, 0) >= settings.per_dot * term.dots:
            return f"{term.name} has {dots}, enough for {settings.per_dot * term.dots} at once"
        return ""
