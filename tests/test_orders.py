"""Who acts when, against every order that is possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

from rulewright.game.model import Order
from rulewright.game.sheets import Participant, sort_participants
from rulewright.source import Source, Span

NOWHERE = Span(Source("a.md", ""), 0, 0)
NAMES = ["Anna", "Bo", "Cid", "Dag", "Eva"]


def order(*by: str, alternate: str = "", out: tuple[str, ...] = ()) -> Order:
    keys = tuple(key.removeprefix("-") for key in by)
    return Order("any", keys, frozenset(key[1:] for key in by if key[0] == "-"), alternate, out, NOWHERE)


def people(chance: Random, *, teams: int = 0) -> list[Participant]:
    found = []
    for name in NAMES[: chance.randint(1, 5)]:
        values = {"speed": chance.randint(1, 3), "player": chance.random() < 0.5, "late": chance.random() < 0.2}
        if teams:
            values["team"] = f"team {chance.randint(1, teams)}"  # type: ignore[assignment]
        found.append(Participant(name, values))
    return found


def goes_before(one: Participant, other: Participant) -> bool:
    """Faster first, of equally fast ones the players."""
    if one.values["speed"] != other.values["speed"]:
        return bool(one.values["speed"] > other.values["speed"])
    return bool(one.values["player"] and not other.values["player"])


@pytest.mark.parametrize("seed", range(40))
def test_alone(seed: int) -> None:
    """An order is accepted where nobody acts behind somebody who goes before."""
    everybody = people(Random(seed))
    for wish in permutations(everybody):
        names = [one.name for one in wish]
        right = not any(goes_before(later, one) for at, one in enumerate(wish) for later in wish[at:])
        assert (sort_participants(order("-speed", "player"), everybody, names) == names) is right


def fair(wish: Sequence[Participant], ranked: Sequence[str]) -> bool:
    """The book's own procedure: teams in turn, each names one of those who are left, who has nobody left is skipped."""
    pending = {team: {one.name for one in wish if one.values["team"] == team} for team in ranked}
    turn = 0
    for one in wish:
        while not pending[ranked[turn % len(ranked)]]:
            turn += 1
        team = ranked[turn % len(ranked)]
        if one.values["team"] != team:
            return False
        pending[team].remove(one.name)
        turn += 1
    return True


@pytest.mark.parametrize("seed", range(60))
def test_team_by_team(seed: int) -> None:
    everybody = [one for one in people(Random(seed), teams=3) if not one.values["late"]]
    listed = [*everybody, Participant("Zoe", {"speed": 9, "team": "team 1", "late": True})]
    best = {}
    for team in sorted({str(one.values["team"]) for one in everybody}):
        members = [one for one in everybody if one.values["team"] == team]
        best[team] = (max(one.values["speed"] for one in members), any(one.values["player"] for one in members))
    rotations = [
        ranked
        for ranked in permutations(best)
        if sorted(best.values(), reverse=True) == [best[team] for team in ranked]
    ]
    for wish in permutations(everybody):
        names = [one.name for one in wish]
        found = sort_participants(order("-speed", "player", alternate="team", out=("late",)), listed, names)
        assert (found == names) is any(fair(wish, ranked) for ranked in rotations)


@pytest.mark.parametrize("alternate", ["", "team"])
def test_who_waits_for_each_other_acts_at_last(alternate: str) -> None:
    values = {"speed": 1, "team": "red"}
    both = [Participant("Anna", values, waits_for="Bo"), Participant("Bo", values, waits_for="Anna")]
    assert sort_participants(order("-speed", alternate=alternate), both) == ["Anna", "Bo"]


def test_a_minus_turns_numbers_and_flags_round() -> None:
    both = [Participant("Anna", {"n": 1, "f": True}), Participant("Bo", {"n": 2, "f": False})]
    assert sort_participants(order("n"), both) == ["Anna", "Bo"]
    assert sort_participants(order("-n"), both) == ["Bo", "Anna"]
    assert sort_participants(order("f"), both) == ["Anna", "Bo"]
    assert sort_participants(order("-f"), both) == ["Bo", "Anna"]
