"""Parses sums of traits, such as "Strength 3 + Brawl 2", and checks the traits and specialties of a roll."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..source import suggest
from .core import Category, TraitSum, is_within
from .model import Rule, SpecialtyRules

_TERM_PATTERN = re.compile(
    r"\s*(?:(?P<name>[^\s+].*?)[\s:=]+)?(?:(?P<none>none)|d(?P<die>[0-9]{1,4})|(?P<code>[0-9]{1,4})d|(?P<number>[0-9]{1,6}))\s*",
    re.IGNORECASE | re.DOTALL,
)


class TextProblem(NamedTuple):
    """A mistake in a text, with its start and end offsets."""

    message: str
    start: int
    end: int


class _TraitValue(NamedTuple):
    """The value of a trait: a number, a die, the dice of a die code, or none."""

    form: str
    number: int


class TraitTerm(NamedTuple):
    """A trait in a sum with its values: a number, a die or a die code, and further values added to it."""

    name: str
    start: int
    end: int
    values: tuple[_TraitValue, ...]
    category: Category | None = None

    @property
    def dots(self) -> int:
        """The size of the trait: a die counts as its sides; with a die code, a die counts as three pips."""
        weights = {"code": 3 if any(value.form == "code" for value in self.values) else 1}
        return sum(value.number * weights.get(value.form, 1) for value in self.values)

    @property
    def is_plain_number(self) -> bool:
        """Whether the trait is a plain number of dots, without dice."""
        return all(value.form in ("number", "none") for value in self.values)


def parse_terms(text: str, example: str = "Strength 3") -> tuple[list[TraitTerm], list[TextProblem]]:
    """Parse a sum of traits; a value without a name belongs to the trait before it."""
    terms: list[TraitTerm] = []
    problems: list[TextProblem] = []
    for start, end in _split_terms(text):
        piece = _TERM_PATTERN.fullmatch(text, start, end)
        if piece is None:
            problems.append(_unnamed_problem(text, start, end))
        elif piece["name"]:
            terms.append(TraitTerm(piece["name"], piece.start("name"), piece.end("name"), (_parse_trait_value(piece),)))
        elif terms:
            terms[-1] = terms[-1]._replace(values=(*terms[-1].values, _parse_trait_value(piece)))
        else:
            problems.append(
                TextProblem(f"a trait begins with its name, as in {example}", *_trim_span(text, start, end))
            )
    return terms, problems


def example_term(categories: Mapping[str, Category]) -> str:
    """A trait of this game with a value, as an example for messages."""
    category = next((entry for entry in categories.values() if entry.names), None)
    if category is None:
        return "Strength 3"
    number = 3 if category.least is None else max(3, category.least)
    return f"{category.names[0]} {number if category.most is None else min(number, category.most)}"


def _split_terms(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for sign in re.finditer(r"\+|(?<=[0-9])[,;&]|$", text):
        yield start, sign.start()
        start = sign.end()


def _parse_trait_value(piece: re.Match[str]) -> _TraitValue:
    form = piece.lastgroup or "none"
    return _TraitValue(form, 0 if form == "none" else int(piece[form]))


def _unnamed_problem(text: str, start: int, end: int) -> TextProblem:
    start, end = _trim_span(text, start, end)
    word = text[start:end]
    if not word:
        return TextProblem("a trait is missing beside this +", start, start + 1)
    return TextProblem(f'"{word}" has no value; write its dots, its die or its code after the name', start, end)


def _trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    word = text[start:end].strip()
    start += text[start:end].index(word)
    return start, start + len(word)


def resolve_terms(
    terms: Iterable[TraitTerm], categories: Mapping[str, Category]
) -> tuple[list[TraitTerm], list[TextProblem]]:
    """The terms under their names in the game, and the unknown ones; a game with incomplete lists allows any name."""
    resolved: list[TraitTerm] = []
    problems: list[TextProblem] = []
    for term in terms:
        category, name = find_trait(categories, term.name)
        if category is None and is_complete(categories):
            problems.append(TextProblem(describe_unknown(categories, term.name), term.start, term.end))
        elif name in [other.name for other in resolved]:
            problems.append(TextProblem(f"{name} appears twice", term.start, term.end))
        elif category and term.is_plain_number and not is_within(term.dots, category.least, category.most):
            problems.append(
                TextProblem(f"{name} goes {describe_limits(category)}, not {term.dots}", term.start, term.end)
            )
        else:
            resolved.append(term._replace(name=name, category=category))
    return resolved, problems


def describe_limits(category: Category) -> str:
    ends = (category.least, category.most)
    if None in ends:
        return f"up to {ends[1]}" if ends[0] is None else f"from {ends[0]}"
    return f"from {ends[0]} to {ends[1]}"


def is_complete(categories: Mapping[str, Category]) -> bool:
    """Whether the game names all its traits: it has categories, and each lists its traits."""
    return bool(categories) and all(category.names for category in categories.values())


def find_trait(categories: Mapping[str, Category], name: str) -> tuple[Category | None, str]:
    """The category of a trait and its name there, ignoring case; None and the name as written if unknown."""
    low = name.lower()
    for category in categories.values():
        for trait in category.names:
            if low in (trait.lower(), *(other.lower() for other in category.aliases.get(trait, ()))):
                return category, trait
    return None, name


def describe_unknown(categories: Mapping[str, Category], name: str) -> str:
    """The message about an unknown trait; its name may be that of a specialty."""
    low = name.lower()
    for category in categories.values():
        for trait, kinds in category.specialties.items():
            for kind, names in kinds.items():
                if low in (other.partition(" (")[0].lower() for other in names):
                    return f'"{name}" is no trait but a specialty ({kind}) of {trait}'
    known = [trait for category in categories.values() for trait in category.names]
    return f'there is no trait "{name}"; {suggest(name, known)}'.rstrip("; ")


def find_extra_traits(terms: Iterable[TraitTerm], into: TraitSum) -> Iterator[TextProblem]:
    """Traits beyond the number that a roll may have."""
    limited: list[TraitTerm] = []
    for number, term in enumerate(terms, 1):
        if into.most and number > into.most:
            most = "1 trait" if into.most == 1 else f"{into.most} traits"
            yield TextProblem(f"a roll takes {most} at most, and {term.name} is one more", term.start, term.end)
        if term.category and term.category.name in into.one_of:
            limited.append(term)
    for term in limited[1:]:
        names = f"{limited[0].name} and {term.name}"
        yield TextProblem(f"only one of {names} may take part in a roll", term.start, term.end)


LIST_ITEM = re.compile(r"[^,(]*(?:\([^)]*\)?[^,(]*)*")
_OWNED_SPECIALTY = re.compile(r"(.+?)\s*\(([^()]+)\)", re.DOTALL)
_KeyedProblems = list[tuple[str, TextProblem]]  # with the key that they are about: holds, required, uses


class ListedSpecialty(NamedTuple):
    """A specialty in a list, and the traits that it may belong to; None if any trait may have it."""

    name: str
    owners: tuple[str, ...] | None
    start: int
    end: int

    def problem(self, message: str) -> TextProblem:
        return TextProblem(message, self.start, self.end)

    def is_same(self, other: ListedSpecialty) -> bool:
        shared = self.owners is None or other.owners is None or set(self.owners) & set(other.owners)
        return self.name.lower() == other.name.lower() and bool(shared)


def parse_specialties(text: str, categories: Mapping[str, Category]) -> Iterator[ListedSpecialty]:
    """Parse a list of specialties; a trait in brackets is the owner."""
    for match in LIST_ITEM.finditer(text):
        piece = match[0].strip()
        if piece and piece.lower() != "none":
            start = match.start() + match[0].index(piece)
            yield ListedSpecialty(*_find_owner(piece, categories), start, start + len(piece))


def _find_owner(piece: str, categories: Mapping[str, Category]) -> tuple[str, tuple[str, ...] | None]:
    match = _OWNED_SPECIALTY.fullmatch(piece)
    if match:
        category, trait = find_trait(categories, match[2])
        if category and is_complete(categories):
            return match[1], (trait,) if trait in find_owners(categories, match[1]) else ()
        if category or not is_complete(categories):
            return match[1], (trait,)
    owners = find_owners(categories, piece)
    return piece, tuple(owners) if owners or is_complete(categories) else None


def find_owners(categories: Mapping[str, Category], name: str) -> dict[str, str]:
    """The traits that have a specialty, each with its kind there; text in brackets in its name is an example."""
    bare_name = name.partition(" (")[0].lower()
    return {
        trait: kind
        for category in categories.values()
        for trait, kinds in category.specialties.items()
        for kind, names in kinds.items()
        if bare_name in (other.partition(" (")[0].lower() for other in names)
    }


def _all_specialties(categories: Mapping[str, Category]) -> list[str]:
    kinds = (kinds for category in categories.values() for kinds in category.specialties.values())
    return list(dict.fromkeys(name for kind in kinds for names in kind.values() for name in names))


def find_unknown_specialty(specialty: ListedSpecialty, categories: Mapping[str, Category]) -> TextProblem | None:
    """The mistake of a specialty that no trait has; else None."""
    if specialty.owners != ():
        return None
    known = _all_specialties(categories)
    if find_owners(categories, specialty.name):
        return specialty.problem(f'"{specialty.name}" belongs to {", ".join(find_owners(categories, specialty.name))}')
    return specialty.problem(
        f'no trait has a specialty "{specialty.name}"; {suggest(specialty.name, known)}'.rstrip("; ")
    )


@dataclass
class SpecialtyUse:
    """Checks the specialties of one roll."""

    rule: Rule
    terms: Sequence[TraitTerm]
    list_texts: Mapping[str, str]  # the texts of holds, required and uses, if present
    problems: _KeyedProblems = field(default_factory=list)
    used_counts: dict[str, int] = field(default_factory=dict)  # number of specialties used per trait

    @property
    def specialty_rules(self) -> SpecialtyRules:
        assert self.rule.specialties
        return self.rule.specialties

    def check(self) -> tuple[bool, int]:
        """Whether any specialty is used, and how many required ones are not."""
        specialties = {
            key: list(parse_specialties(text, self.rule.categories)) for key, text in self.list_texts.items()
        }
        for key, items in specialties.items():
            self.problems += [
                (key, slip) for slip in (find_unknown_specialty(item, self.rule.categories) for item in items) if slip
            ]
        uses = [item for item in specialties.get("uses", ()) if item.owners != ()]
        for number, one in enumerate(uses):
            self.check_use(one, uses[:number], specialties.get("holds"))
        unused = [item for item in specialties.get("required", ()) if not any(item.is_same(other) for other in uses)]
        return bool(uses), len(unused)

    def check_use(
        self, specialty: ListedSpecialty, before: Sequence[ListedSpecialty], held: Sequence[ListedSpecialty] | None
    ) -> None:
        """Check one use of a specialty: report why it is not allowed, or count it for its trait."""
        message = ""
        if any(specialty.is_same(other) for other in before):
            message = f"{specialty.name} is used twice"
        elif held is not None and not any(specialty.is_same(other) for other in held):
            message = f"{specialty.name} is used and not held; write it after holds: too"
        else:
            message = self.why_not_allowed(specialty)
        if message:
            self.problems.append(("uses", specialty.problem(message)))

    def why_not_allowed(self, specialty: ListedSpecialty) -> str:
        """Why no trait of the roll allows this specialty; empty if one does."""
        candidates = [term for term in self.terms if specialty.owners is None or term.name in specialty.owners]
        if not candidates:
            owners = " or ".join(specialty.owners or ()) or "a trait"
            return f"{specialty.name} belongs to {owners}, which is not rolled here"
        reasons = [self.why_full(term) for term in candidates]
        if all(reasons):
            return f"{specialty.name} cannot be used: {reasons[0]}"
        name = candidates[reasons.index("")].name
        self.used_counts[name] = self.used_counts.get(name, 0) + 1
        return ""

    def why_full(self, term: TraitTerm) -> str:
        """Why a trait allows no further specialty; empty if it does."""
        settings = self.specialty_rules
        dots = f"{term.dots} {'dot' if term.dots == 1 else 'dots'}"
        if term.dots < settings.least:
            return f"{term.name} has {dots}, and {settings.least} {'is' if settings.least == 1 else 'are'} needed"
        if settings.per_dot and self.used_counts.get(term.name, 0) >= settings.per_dot * term.dots:
            return f"{term.name} has {dots}, enough for {settings.per_dot * term.dots} at once"
        return ""
