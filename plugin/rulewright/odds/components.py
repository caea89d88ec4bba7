"""Groups of states that lead to one another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)


def find_components(states: Iterable[_T], following: Callable[[_T], Iterable[_T]]) -> list[list[_T]]:
    """Groups of states that lead to one another; a group comes before those that it leads to (Tarjan)."""
    numbers: dict[Hashable, int] = {}
    lowest: dict[Hashable, int] = {}
    stack: list[_T] = []
    on_stack: set[_T] = set()
    groups: list[list[_T]] = []

    for root in states:
        if root in numbers:
            continue
        work: list[tuple[_T, Iterator[_T]]] = [(root, iter(following(root)))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        on_stack.add(root)
        while work:
            state, others = work[-1]
            other = next(others, None)
            if other is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[state])
                if lowest[state] == numbers[state]:
                    group: list[_T] = []
                    while not group or group[-1] != state:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    groups.append(group)
            elif other not in numbers:
                numbers[other] = lowest[other] = len(numbers)
                stack.append(other)
                on_stack.add(other)
                work.append((other, iter(following(other))))
            elif other in on_stack:
                lowest[state] = min(lowest[state], numbers[other])
    return groups[::-1]
