"""Rows of numbers in which each is a fixed sum of those before it, and endless sums over two of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

ZERO, ONE = Fraction(0), Fraction(1)


def recurrence(row: Sequence[Fraction]) -> list[Fraction] | None:
    """The shortest c with c0 = 1 and c0·row[k] + c1·row[k-1] + … = 0 throughout (Berlekamp and Massey)."""
    now, before = [ONE], [ONE]
    length, since, gap_before = 0, 1, ONE
    for place in range(len(row)):
        gap = sum((now[back] * row[place - back] for back in range(min(len(now), place + 1))), ZERO)
        if not gap:
            since += 1
            continue
        after = subtract(now, before, gap / gap_before, since)
        if 2 * length <= place:
            length, before, gap_before, since = place + 1 - length, now, gap, 1
        else:
            since += 1
        now = after
    now += [ZERO] * (length + 1 - len(now))
    return now if 2 * length <= len(row) else None


def subtract(left: list[Fraction], right: list[Fraction], times: Fraction, shift: int) -> list[Fraction]:
    found = left + [ZERO] * (len(right) + shift - len(left))
    for place, part in enumerate(right):
        found[place + shift] -= times * part
    return found


def endless_sum(
    left: Sequence[Fraction], left_rule: Sequence[Fraction], right: Sequence[Fraction], right_rule: Sequence[Fraction]
) -> Fraction:
    """The sum of left[k]·right[k] over all k.

    With A(x) and B(x) the series of the rows, it is the constant term of A(x)·B(1/x). Partial fractions part that
    product into U / (denominator of A), which holds no negative powers, and a rest with only such: it is U(0)."""
    if not left_rule or not right_rule or len(left_rule) == 1 or len(right_rule) == 1:
        return ZERO
    above, below = numerator(left, left_rule), numerator(right, right_rule)
    turned = [ZERO, *reversed(below + [ZERO] * (len(right_rule) - 1 - len(below)))]
    return part_fractions(times(above, turned), list(left_rule), list(reversed(right_rule)))


def numerator(row: Sequence[Fraction], rule: Sequence[Fraction]) -> list[Fraction]:
    """The polynomial that the series of a row has over the denominator of its recurrence."""
    size = len(rule) - 1
    return [sum((rule[back] * row[place - back] for back in range(place + 1)), ZERO) for place in range(size)]


def times(left: Sequence[Fraction], right: Sequence[Fraction]) -> list[Fraction]:
    found = [ZERO] * (len(left) + len(right) - 1)
    for place, part in enumerate(left):
        for further, other in enumerate(right):
            found[place + further] += part * other
    return found


def part_fractions(above: list[Fraction], left: list[Fraction], right: list[Fraction]) -> Fraction:
    """U(0), where U·right + V·left = above, U shorter than left and V shorter than right."""
    size = len(left) + len(right) - 2
    rows = []
    for place in range(size):
        row = [right[place - k] if 0 <= place - k < len(right) else ZERO for k in range(len(left) - 1)]
        row += [left[place - k] if 0 <= place - k < len(left) else ZERO for k in range(len(right) - 1)]
        rows.append([*row, above[place] if place < len(above) else ZERO])
    return eliminated(rows)[0]


def eliminated(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of a square system of equations."""
    size = len(rows)
    for column in range(size):
        pivot = next(place for place in range(column, size) if rows[place][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column]
        for place in range(column + 1, size):
            if rows[place][column]:
                ratio = rows[place][column] / head[column]
                rows[place] = [own - ratio * part if part else own for own, part in zip(rows[place], head, strict=True)]
    found = [ZERO] * size
    for column in reversed(range(size)):
        known = sum((rows[column][k] * found[k] for k in range(column + 1, size) if rows[column][k]), ZERO)
        found[column] = (rows[column][-1] - known) / rows[column][column]
    return found
