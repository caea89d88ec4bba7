"""The register of traits: categories of what characters have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .build_table import read_range
from .model import Category, Rule
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
    return Category(name, names, least, most, groups, aliases, raw.get("untrained"), specialties)


def known(builder: Builder, members: Iterable[tuple[str, Path]], names: tuple[str, ...], category: str) -> None:
    for member, path in members:
        if member not in names:
            builder.problem("trait", path, f"{category} has no trait «{member}»; {suggest(member, names)}")


def check_untrained(builder: Builder, raw: Mapping[str, Any], rules: Mapping[str, Rule]) -> None:
    """What an untrained trait changes are inputs of the rules that take traits."""
    taking = [rule for rule in rules.values() if rule.traits] or list(rules.values())
    values: dict[str, Worth] = {}
    for rule in taking:
        for entry in rule.inputs:
            values |= dict.fromkeys(entry.variables, entry.choices or NUMBER)
    for name, spec in raw.items():
        changes = spec.get("untrained")
        for key, formula in changes.items() if isinstance(changes, dict) else ():
            path: Path = ("traits", name, "untrained", key)
            if key not in values:
                builder.problem(
                    "trait", (*path, KEY), f"no rule that takes traits has an input «{key}»; {suggest(key, values)}"
                )
            made = builder.formula(path, formula)
            if made:
                builder.complaints(made, check(made.node, Scope(values)))
