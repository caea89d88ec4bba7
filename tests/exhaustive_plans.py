"""All plans of a player who may reroll: the best of them by trying each one. No code of the engine or of the oracle.

A plan says for every situation at which a choice arises what the player does there. Situations are the dice on the
table, as rolled, and how many rerolls are left; so the number of plans grows without mercy, and games are tiny."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

Table = tuple[int, ...]  # faces, as rolled
Situation = tuple[Table, int]  # and the rerolls that are left
Plan = Mapping[Situation, int | None]  # the place of the die to reroll; None to stop


class TinyGame(NamedTuple):
    """Some dice with the same faces, of which a player may reroll some, one after the other."""

    faces: tuple[int, ...]
    dice: int
    rerolls: int
    keep: str

    def kept(self, old: int, new: int) -> int:
        return {"new": new, "higher": max(old, new), "lower": min(old, new)}[self.keep]

    def situations(self) -> list[Situation]:
        tables = product(sorted(set(self.faces)), repeat=self.dice)
        return [(table, left) for table in tables for left in range(1, self.rerolls + 1)]

    def plans(self) -> Iterator[Plan]:
        situations = self.situations()
        for choices in product((*range(self.dice), None), repeat=len(situations)):
            yield dict(zip(situations, choices, strict=True))

    @property
    def ways(self) -> int:
        """In how many ways all dice can fall, the rerolled ones included."""
        return int(len(self.faces) ** (self.dice + self.rerolls))

    def count_ends(self, plan: Plan) -> dict[Table, int]:
        """In how many of the ways each table comes about when the player follows a plan to its end."""
        counts: dict[Table, int] = {}
        waiting = [
            (table, self.rerolls, len(self.faces) ** self.rerolls) for table in product(self.faces, repeat=self.dice)
        ]
        while waiting:
            table, left, ways = waiting.pop()
            place = plan[table, left] if left else None
            if place is None:
                counts[table] = counts.get(table, 0) + ways
                continue
            for face in self.faces:
                after = (*table[:place], self.kept(table[place], face), *table[place + 1 :])
                waiting.append((after, left - 1, ways // len(self.faces)))
        return counts

    def ends(self, plan: Plan) -> dict[Table, Fraction]:
        """The chance of each table when the player has followed a plan to its end."""
        return {table: Fraction(count, self.ways) for table, count in self.count_ends(plan).items()}

    def best(self, worth: Callable[[Table], int]) -> Fraction:
        """The most that any plan is worth on average."""
        most = max(sum(worth(table) * count for table, count in ends) for ends in all_ends(self))
        return Fraction(most, self.ways)

    def text(self, score: str, when: str, aim: str) -> str:
        named = ", ".join(f'"f{number}" = {face}' for number, face in enumerate(self.faces))
        return "\n".join(
            [
                'title = "Tiny"',
                "[rules.roll]",
                f'aim = "{aim}"',
                "[rules.roll.dice]",
                f"d = {{ count = {self.dice}, faces = {{ {named} }} }}",
                "[[rules.roll.again]]",
                'roll = "reroll"',
                f'pick = "any"\nkeep = "{self.keep}"\ntimes = {self.rerolls}',
                "[rules.roll.steps]",
                f'score = "{score}"',
                "[rules.roll.outcomes]",
                f'good = {{ when = "{when}" }}',
                "bad = {}",
                "",
            ]
        )


@cache
def all_ends(game: TinyGame) -> set[frozenset[tuple[Table, int]]]:
    """What plans can lead to; many lead to the same."""
    return {frozenset(game.count_ends(plan).items()) for plan in game.plans()}
