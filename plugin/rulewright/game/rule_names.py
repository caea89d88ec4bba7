"""Names of a rule: unique, readable in blocks and formulas, and traits go into inputs that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..source import suggest
from .formula import RESERVED_WORDS
from .game_schema import NAME_PATTERN, RESERVED_NAMES
from .model import Rule
from .schema import KEY
from .toml import Path


def find_name_problems(rule: Rule) -> Iterator[tuple[Path, str]]:
    """What is wrong with the names in a rule, with the path of each in the rule."""
    taken: dict[str, str] = {}
    for role, name, path in _named_entries(rule):
        duplicate = f'"{name}" already names {taken[name]} of this rule; choose another name' if name in taken else ""
        is_of_roll = "." in name  # named where it is declared
        if message := "" if is_of_roll else _why_unfit(role, name) or duplicate:
            yield path, message
        taken.setdefault(name, role)
    kinds = {kind.name for kind in rule.dice}
    for step in rule.steps:
        if step.is_set and step.name in kinds:
            yield ("steps", step.name, KEY), f'"{step.name}" already names dice of this rule; choose another name'
    yield from _find_face_words(rule, taken)
    forms = {entry.name: entry.form for entry in rule.inputs}
    for path, name, allowed in _trait_targets(rule):
        if name not in forms:
            able = [known for known in forms if forms[known] in allowed]
            yield path, f'there is no input "{name}"; {suggest(name, able)}'
        elif forms[name] not in allowed:
            yield path, f'"{name}" is a {forms[name]}; this goes into a {" or a ".join(allowed)}'


def _named_entries(rule: Rule) -> Iterator[tuple[str, str, Path]]:
    """The inputs and steps that formulas can name: what each is, its name, and its path in the rule."""
    for entry in rule.declared_inputs:
        yield "an input", entry.name, ("inputs", entry.name, KEY)
        for number, part in enumerate(entry.parts):
            yield "an input", part, ("inputs", entry.name, "code", number)
    for step in rule.steps:
        yield "a step", step.name, ("steps", step.name, KEY)


def _find_face_words(rule: Rule, taken: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Tests and symbols that a formula could not tell from values or from each other."""
    for kind in rule.dice:
        symbols = {word for face in kind.faces for word in face.words}
        for word in kind.tests:
            path: Path = ("dice", kind.name, "tests", word, KEY)
            if word in symbols:
                yield path, f"`{word}` is a symbol on these dice already; choose another name"
            elif message := _why_unfit("a test", word, RESERVED_WORDS):
                yield path, message
        for word in sorted(kind.face_words):
            if word in taken:
                shown = "deck" if kind.deck else "faces"
                path = ("dice", kind.name, "tests", word, KEY) if word in kind.tests else ("dice", kind.name, shown)
                role = "a test" if word in kind.tests else "a part" if word in kind.parts else "a symbol"
                yield path, f"`{word}` names {taken[word]} of this rule and {role} of its dice; rename one of them"


def _why_unfit(role: str, name: str, reserved: frozenset[str] = RESERVED_NAMES) -> str:
    if name in reserved:
        return f'"{name}" has a meaning of its own and cannot name {role}; choose another name'
    if NAME_PATTERN.fullmatch(name):
        return ""
    better = re.sub(r"[ -]+", "_", name.lower())
    note = f"; write {better}" if NAME_PATTERN.fullmatch(better) and better not in reserved else ""
    return f'"{name}" cannot name {role}: only a to z, digits and _, with a letter first{note}'


def _trait_targets(rule: Rule) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """The inputs that traits and specialties go into: path, name and allowed forms."""
    for number, name in enumerate(rule.traits.into if rule.traits else ()):
        yield ("traits", "into", number), name, ("number", "die", "code")
    if special := rule.specialties:
        yield ("specialties", "into"), special.into, ("flag",)
        if special.unused_adds:
            yield ("specialties", "unused_adds"), special.unused_adds, ("number",)
