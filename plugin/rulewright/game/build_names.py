"""Names in a rule: one name, one thing, and none that a block or a formula needs for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..text import suggest
from .model import Rule
from .places import Path
from .shape import KEY
from .tree import RESERVED

if TYPE_CHECKING:
    from .build import Builder

NAME = re.compile(r"[a-z][a-z0-9_]*")
BLOCK_WORDS = (
    "dice given rerolled declined skip wrong then instead traits holds uses policy side winner outcome degree expect"
    " rows columns show as required verdict by result name game rule id title spends"
)
KEYS = frozenset(BLOCK_WORDS.split()) | RESERVED


def check_names(builder: Builder, path: Path, rule: Rule) -> None:
    taken: dict[str, str] = {}
    for what, name, place in named(path, rule):
        if complaint := unfit(what, name) or (
            f"«{name}» already names {taken[name]} of this rule" if name in taken else ""
        ):
            builder.problem("name", place, complaint)
        taken.setdefault(name, what)
    for outcome in rule.outcomes:
        if outcome.name in taken:
            said = f"«{outcome.name}» already names {taken[outcome.name]} of this rule"
            builder.problem("name", (*path, "outcomes", outcome.name, KEY), said)
    builder.labels([(outcome.name, (*path, "outcomes", outcome.name, KEY)) for outcome in rule.outcomes], "an outcome")
    references(builder, path, rule)


def named(path: Path, rule: Rule) -> list[tuple[str, str, Path]]:
    """Everything that formulas of a rule can name, and what it is."""
    found: list[tuple[str, str, Path]] = []
    for entry in rule.inputs:
        place: Path = (*path, "inputs", entry.name)
        found.append(("an input", entry.name, (*place, KEY)))
        found += [("an input", part, (*place, "code", number)) for number, part in enumerate(entry.parts)]
    return found + [("a step", step.name, (*path, "steps", step.name, KEY)) for step in rule.steps]


def unfit(what: str, name: str) -> str:
    if name in KEYS:
        return f"«{name}» has a meaning of its own and cannot name {what}; choose another name"
    if NAME.fullmatch(name):
        return ""
    better = re.sub(r"[ -]+", "_", name.lower())
    note = f"; write {better}" if NAME.fullmatch(better) and better not in KEYS else ""
    return f"«{name}» cannot name {what}: only a to z, digits and _, with a letter first{note}"


def references(builder: Builder, path: Path, rule: Rule) -> None:
    """Where traits and specialties go are inputs of the right form."""
    forms = {entry.name: entry.form for entry in rule.inputs}
    for place, name, allowed in aims(path, rule):
        if forms.get(name) in allowed:
            continue
        if name in forms:
            said = f"«{name}» is a {forms[name]}; this goes into a {' or a '.join(allowed)}"
        else:
            said = f"there is no input «{name}»; {suggest(name, [known for known in forms if forms[known] in allowed])}"
        builder.problem("name", place, said)


def aims(path: Path, rule: Rule) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Each input into which traits or specialties go, with its place and the forms it may have."""
    into = rule.traits.into if rule.traits else ()
    for number, name in enumerate(into):
        place: Path = (*path, "traits", "into", number)
        yield place, name, ("number", "die", "code")
    special = rule.specialties
    if special:
        yield (*path, "specialties", "into"), special.into, ("flag",)
        if special.unused_adds:
            yield (*path, "specialties", "unused_adds"), special.unused_adds, ("number",)
