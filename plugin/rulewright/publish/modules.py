"""The scripts of a page, each as one file: a module and all that it imports, as far as games need it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from ..game.model import Game, Rule

WEB = Path(__file__).parent.parent / "web"
IMPORTED = re.compile(r'\n(?:im|ex)port .* from "\./([\w-]+)\.js";')  # each begins with the end of the line before
EXPORTED = re.compile(r"\nexport (?=function|class|const)")
Parts = frozenset[str]  # names of modules
# In this order, found by trying, they weigh least. Who extends a class stands behind it; all else is looked up later.
ORDER = (
    "formula", "ranges", "program", "plan", "words", "outline", "space", "play", "setting", "changes", "notation",
    "answer", "reckoner", "rests", "chances", "result", "asking", "anew", "odds", "random", "turns", "kept",
    "inputs", "family", "explain", "traits", "contest", "spend", "written", "record", "number", "match", "page",
    "element", "named", "code", "character", "reached", "field", "verdict", "tray", "drawing", "rewritten",
    "points", "example", "outcome", "question", "choices", "card",
)  # fmt: skip
# Modules for some rules only: whoever imports one reaches for it only where a rule has what stands beside it.
NEEDED: dict[str, Callable[[Rule], object]] = {
    "odds": lambda rule: rule.dice,
    "family": lambda rule: any(kind.again for kind in rule.dice),
    "kept": lambda rule: any(kind.keep for kind in rule.dice),
    "anew": lambda rule: rule.rerolls,
    "turns": lambda rule: rule.rerolls,
    "rewritten": lambda rule: rule.rerolls,
    "contest": lambda rule: rule.contest,
    "outline": lambda rule: any(entry.default is None for entry in rule.inputs),
    "reached": lambda rule: any(entry.open and entry.names for entry in rule.inputs),
    "choices": lambda rule: any(entry.asked for entry in rule.inputs),
    "code": lambda rule: any(entry.form == "code" for entry in rule.inputs),
    "named": lambda rule: any(entry.names for entry in rule.inputs),
    "points": lambda rule: rule.spends,
    "spend": lambda rule: rule.spends,
    "character": lambda rule: rule.traits,
    "traits": lambda rule: rule.traits,
}
EVERYTHING: Parts = frozenset(NEEDED)


def needed(games: Iterable[Game]) -> Parts:
    """Those of these modules that some rule asks for."""
    rules = [rule for game in games for rule in game.rules.values()]
    return frozenset(name for name, asks in NEEDED.items() if any(map(asks, rules)))


@cache
def bundle(start: str, parts: Parts = EVERYTHING) -> str:
    """A module and all that it imports in one script, for pages read from a disk, where browsers fetch no modules. They
    share one block, which would take no name twice."""
    return '"use strict";\n{\n' + "".join(map(joined, ordered(start, parts))) + "}\n"


@cache
def source_of(name: str) -> str:
    return (WEB / f"{name}.js").read_text(encoding="utf-8")


@cache
def ordered(start: str, parts: Parts = EVERYTHING) -> tuple[str, ...]:
    """A module behind all that it imports, and that these import."""
    found = [start]
    for name in found:  # which grows on the way
        others = (other for other in IMPORTED.findall(source_of(name)) if other in parts or other not in NEEDED)
        found += (other for other in others if other not in found)
    places = {name: place for place, name in enumerate(ORDER)}
    return (*sorted(found[:0:-1], key=lambda name: places.get(name, len(places))), start)


def joined(name: str) -> str:
    return EXPORTED.sub("\n", IMPORTED.sub("", source_of(name)))
