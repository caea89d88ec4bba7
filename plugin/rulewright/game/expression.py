"""Sums of traits such as `Precision 3 + Firearms 1`: from text to traits with their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..text import suggest
from .model import Category, Sum, within

PIECE = re.compile(
    r"\s*(?:(?P<name>[^\s+].*?)\s+)?(?:(?P<none>none)|d(?P<die>[0-9]{1,4})|(?P<code>[0-9]{1,4})d|(?P<number>[0-9]{1,6}))\s*",
    re.IGNORECASE | re.DOTALL,
)


class Slip(NamedTuple):
    """What is wrong with a text, and between which of its characters."""

    message: str
    start: int
    end: int


class Value(NamedTuple):
    """A value of a trait: a number, a die, the dice of a code, or none."""

    form: str
    number: int


class Term(NamedTuple):
    """A trait with its values: a number, a die, a code, each perhaps with a number added."""

    name: str
    start: int
    end: int
    values: tuple[Value, ...]
    category: Category | None = None

    @property
    def dots(self) -> int:
        """How much of the trait there is; a die counts its sides, three pips count as a die of a code."""
        weights = {"code": 3 if any(value.form == "code" for value in self.values) else 1}
        return sum(value.number * weights.get(value.form, 1) for value in self.values)

    @property
    def counted(self) -> bool:
        """Whether it is a plain number of dots."""
        return all(value.form in ("number", "none") for value in self.values)


def read_terms(text: str, example: str = "Strength 3") -> tuple[list[Term], list[Slip]]:
    """The traits of a sum; a value without a name belongs to the trait before it."""
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
    """A trait of this game, as it may stand in a sum."""
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
    """The terms under the names that the game gives them; where its lists are unfinished, any name may be right."""
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
    """Whether the game names all its traits: some, and in no category none."""
    return bool(register) and all(category.names for category in register.values())


def find_trait(register: Mapping[str, Category], name: str) -> tuple[Category | None, str]:
    """The category of a trait and the name it has there; capitals do not matter."""
    low = name.lower()
    for category in register.values():
        for trait in category.names:
            if low in (trait.lower(), *(other.lower() for other in category.aliases.get(trait, ()))):
                return category, trait
    return None, name


def unknown(register: Mapping[str, Category], name: str) -> str:
    """What is said of a name that no trait has; it may be that of a specialty."""
    low = name.lower()
    for category in register.values():
        for trait, kinds in category.specialties.items():
            for kind, names in kinds.items():
                if low in (other.partition(" (")[0].lower() for other in names):
                    return f"«{name}» is no trait but a specialty ({kind}) of {trait}"
    known = [trait for category in register.values() for trait in category.names]
    return f"there is no trait «{name}»; {suggest(name, known)}".rstrip("; ")


def crowded(terms: Iterable[Term], into: Sum) -> Iterator[Slip]:
    """Traits beyond those that a roll may have."""
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
