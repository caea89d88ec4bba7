"""What became of a statement of a claim, as readers get to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..text import Span

if TYPE_CHECKING:
    from ..game.odds.answer import Chance


class Worth(NamedTuple):
    """The values of one side over all cases; where there is one case, least and greatest are the same."""

    asked: Span
    least: Chance
    greatest: Chance
    is_chance: bool


class Proof(NamedTuple):
    """A statement of which it could be told whether it holds; `cases` are the combinations of its ranges."""

    statement: Span
    holds: bool
    cases: int
    worths: tuple[Worth, ...] = ()
