"""Passages in which two people roll against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..game.model import Game, Rule
from .clues import Clues
from .telling import judged


class Bout(NamedTuple):
    """A contest as a block tells it, and who wins by the rules."""

    rule: Rule
    lines: tuple[str, ...]
    winner: str
    told: str  # who wins by the text; empty where it does not say

    @property
    def agrees(self) -> bool:
        return self.winner.lower() == self.told.lower()


def bouts(game: Game, clues: Clues) -> Iterator[Bout]:
    """Each contest of the game that two people of the text may have played."""
    if len(clues.rivals) != 2:
        return
    for rule in game.rules.values():
        contest = rule.contest
        if contest and len(contest.of) == 2:
            sides = [f"side {name}: {contest.compare} {value}" for name, value in clues.rivals]
            lines = (f"rule: {rule.name}", *sides)
            moves = judged(game, lines).moves
            winner = moves[0].outcome or "none" if moves else ""
            if moves and judged(game, (*lines, f"winner: {winner}")).status == "passed":
                yield Bout(rule, lines, winner, clues.winner)
