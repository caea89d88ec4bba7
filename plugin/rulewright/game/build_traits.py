"""The register of traits: categories of what characters have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .build_table import read_range
from .model import Category, Formula, Rule, Specialties, Sum
from .names import NUMBER, Scope, Worth, check
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder


def build_traits(builder: Builder, raw: Mapping[str, Any]) -> dict[str, Category]:
    traits = {name: category(builder, ("traits", name), name, value) for name, value in raw.items()}
    named = [entry for name, value in raw.items() for entry in all_names(("traits", name), value)]
    builder.labels(named, "a trait", "+")
    return traits


def all_names(path: Path, raw: Mapping[str, Any]) -> Iterable[tuple[str, Path]]:
    """The names and the other names of a category; no two traits of a game are called alike."""
    for number, name in enumerate(raw.get("names", ())):
        yield name, (*path, "names", number)
    for trait, others in raw.get("aliases", {}).items():
        if isinstance(others, str):
            yield others, (*path, "aliases", trait)
        else:
            yield from ((other, (*path, "aliases", trait, number)) for number, other in enumerate(others))


def category(builder: Builder, path: Path, name: str, raw: Mapping[str, Any]) -> Category:
    names = tuple(raw.get("names", ()))
    ends = read_range(builder, (*path, "range"), raw["range"]) if "range" in raw else None
    groups = {key: tuple(value) for key, value in raw.get("groups", {}).items()}
    for key, members in groups.items():
        known(builder, [(member, (*path, "groups", key, number)) for number, member in enumerate(members)], names, name)
    for part in ("aliases", "specialties"):
        known(builder, [(trait, (*path, part, trait, KEY)) for trait in raw.get(part, {})], names, name)
    specialties = {
        trait: {sort: tuple(items) for sort, items in kinds.items()}
        for trait, kinds in raw.get("specialties", {}).items()
    }
    aliases = {
        key: (value,) if isinstance(value, str) else tuple(value) for key, value in raw.get("aliases", {}).items()
    }
    least, most = ends or (None, None)
    untrained = changes(builder, (*path, "untrained"), raw.get("untrained", {}))
    return Category(name, names, least, most, groups, aliases, untrained, specialties)


def changes(builder: Builder, path: Path, raw: Mapping[str, Any] | str) -> dict[str, Formula] | None:
    """Inputs with the formulas that change them; None for the words «not allowed»."""
    if isinstance(raw, str):
        return None
    made = {name: builder.formula((*path, name), formula) for name, formula in raw.items()}
    return {name: formula for name, formula in made.items() if formula}


def known(builder: Builder, members: Iterable[tuple[str, Path]], names: tuple[str, ...], category: str) -> None:
    for member, path in members:
        if member not in names:
            builder.problem("trait", path, f"{category} has no trait «{member}»; {suggest(member, names)}")


def check_untrained(builder: Builder, traits: Mapping[str, Category], rules: Mapping[str, Rule]) -> None:
    """What an untrained trait changes are inputs of the rules that take traits."""
    taking = [rule for rule in rules.values() if rule.traits] or list(rules.values())
    values: dict[str, Worth] = {}
    for rule in taking:
        for entry in rule.inputs:
            values |= dict.fromkeys(entry.variables, entry.choices or NUMBER)
    for category in traits.values():
        for key, formula in (category.untrained or {}).items():
            if key not in values:
                said = f"no rule that takes traits has an input «{key}»; {suggest(key, values)}"
                builder.problem("trait", ("traits", category.name, "untrained", key, KEY), said)
            builder.complaints(formula, check(formula.node, Scope(values)))


def build_sum(raw: Mapping[str, Any]) -> Sum | None:
    if not raw:
        return None
    into = raw["into"]
    return Sum((into,) if isinstance(into, str) else tuple(into), raw.get("most"), tuple(raw.get("one_of", ())))


def build_specialties(raw: Mapping[str, Any]) -> Specialties | None:
    if not raw:
        return None
    return Specialties(raw["into"], raw.get("per_dot"), raw.get("least", 1), raw.get("unused_adds", ""))


def check_categories(builder: Builder, path: Path, found: Sum | None, register: Mapping[str, Category]) -> None:
    for number, name in enumerate(found.one_of if found else ()):
        if name not in register:
            said = f"there are no traits «{name}»; {suggest(name, register)}".rstrip("; ")
            builder.problem("trait", (*path, "traits", "one_of", number), said)
