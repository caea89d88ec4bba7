"""Who acts when: participants sorted by the keys of an order, alone or team by team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .model import Order

Ranks = dict[str, tuple[int, ...]]  # what a name is sorted by, the least first


@dataclass(frozen=True)
class Participant:
    """Somebody with values for the keys of an order: a number, yes or no, the word of a team."""

    name: str
    values: Mapping[str, Any]
    until: str = ""  # cannot act before this one has acted


def arranged(order: Order, all_of_them: Sequence[Participant], wish: Sequence[str] = ()) -> list[str]:
    """The names in the order in which they act; where the rules leave a choice, as wished, else as listed."""
    acting = [one for one in all_of_them if not barred(order, one)]
    wished = {name: place for place, name in enumerate(wish)}
    listed = {one.name: wished.get(one.name, len(wished) + place) for place, one in enumerate(acting)}
    if order.alternate:
        return list(by_turns(order, acting, listed))
    ranks = {one.name: (*(rank(order, one, key) for key in order.keys), listed[one.name]) for one in acting}
    return list(one_by_one(acting, ranks))


def barred(order: Order, one: Participant) -> str:
    """The key that keeps somebody from acting at all; nothing where there is none."""
    return next((key for key in order.out if one.values.get(key)), "")


def rank(order: Order, one: Participant, key: str) -> int:
    """Numbers go up and yes comes before no; a key with a minus turns this round."""
    value = one.values.get(key, 0)
    upward = -value if isinstance(value, bool) else int(value)
    return -upward if key in order.downward else upward


def one_by_one(acting: Sequence[Participant], ranks: Ranks) -> Iterator[str]:
    pending = sorted(acting, key=lambda one: ranks[one.name])
    done: set[str] = set()
    while pending:
        one = next((one for one in pending if free(one, done, pending)), pending[0])
        pending.remove(one)
        done.add(one.name)
        yield one.name


def free(one: Participant, done: set[str], pending: Sequence[Participant]) -> bool:
    """Whether somebody can act by now; who waits for somebody that never acts does not wait."""
    return not one.until or one.until in done or all(one.until != other.name for other in pending)


def by_turns(order: Order, acting: Sequence[Participant], listed: Mapping[str, int]) -> Iterator[str]:
    """Teams take turns, the best first; each names one of those who have not acted; who has nobody left is skipped."""
    pending = {team: list(members) for team, members in teams(order, acting, listed)}
    done: set[str] = set()
    everybody = list(acting)
    while everybody:
        before = len(everybody)
        for members in pending.values():
            able = [one for one in members if free(one, done, everybody)]
            if able:
                one = min(able, key=lambda one: listed[one.name])
                members.remove(one)
                everybody.remove(one)
                done.add(one.name)
                yield one.name
        if len(everybody) == before:  # all wait for each other
            yield from (one.name for one in everybody)
            return


def teams(
    order: Order, acting: Sequence[Participant], listed: Mapping[str, int]
) -> list[tuple[str, list[Participant]]]:
    """The teams in the order of their best members, key by key."""
    found: dict[str, list[Participant]] = {}
    for one in acting:
        found.setdefault(str(one.values.get(order.alternate, "")).lower(), []).append(one)
    ranks = {
        team: (
            *(min(rank(order, one, key) for one in members) for key in order.keys),
            min(listed[one.name] for one in members),
        )
        for team, members in found.items()
    }
    return sorted(found.items(), key=lambda entry: ranks[entry[0]])
