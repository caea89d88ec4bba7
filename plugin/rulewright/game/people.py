"""What a game says of characters: where their traits go, what they have to keep to, who acts when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text import Span

if TYPE_CHECKING:
    from .model import Formula


@dataclass(frozen=True, slots=True)
class Sum:
    """Where the traits of a roll go: each value into the first of these inputs that takes it."""

    into: tuple[str, ...]
    most: int | None = None
    one_of: tuple[str, ...] = ()  # of the traits of these categories only one


@dataclass(frozen=True, slots=True)
class Specialties:
    """What a specialty does that is used, and what one does that is required and not used."""

    into: str
    per_dot: int | None = None
    least: int = 1  # dots that a trait needs before its specialties can be used
    unused_adds: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is required of a character; a group has the names of categories, of groups and of traits."""

    name: str
    groups: Mapping[str, tuple[str, ...]]
    require: Mapping[str, Formula]
    span: Span


@dataclass(frozen=True, slots=True)
class Order:
    """Keys by which participants are sorted, the first counts most."""

    name: str
    keys: tuple[str, ...]
    downward: frozenset[str]  # the greatest first
    alternate: str  # the key that names a team; teams take turns
    out: tuple[str, ...]  # who has one of these does not act
    span: Span
