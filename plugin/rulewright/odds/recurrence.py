"""Linear recurrences: the shortest one that a row of numbers follows, and sums of products of two such rows.

A recurrence c with c0 = 1 stands for the denominator of the generating function of a row; that of a pool is a power of
that of one die. What two rows multiply to follows a recurrence again, which only depends on theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import gcd, isqrt, lcm, prod
from operator import mul
from typing import TypeVar

from .budget import Budget, BudgetError

_LONGEST = 2_000
Recurrence = list[Fraction]
_Number = TypeVar("_Number", int, Fraction)


def recurrence_step(rule: Recurrence) -> int:
    """The step of a recurrence: every number follows from numbers a multiple of it before."""
    return gcd(*(back for back, share in enumerate(rule) if share)) or 1


def recurrence_of_products(
    first: Iterable[tuple[Recurrence, int]], second: Iterable[tuple[Recurrence, int]], step: int, budget: Budget
) -> list[int]:
    """What the products of two rows follow, taken in steps. Each row follows a product of powers of recurrences."""
    joined = [1]
    for (left, times), (right, more) in product(first, second):
        length = prod((len(rule) - 1) // recurrence_step(rule) for rule in (left, right))
        budget.spend(step * length**2 * (times + more))
        both = _multiply_roots(left, right, step)
        if len(joined) + (len(both) - 1) * (times + more) > _LONGEST:
            raise BudgetError
        for _ in range(times + more - 1):
            joined = multiply(joined, both)
    return joined


def _multiply_roots(left: Recurrence, right: Recurrence, step: int) -> list[int]:
    """The recurrence whose roots are the products of the roots of two others, all to the power of a step.

    The power sums of the products are products of power sums. Equal recurrences have each pair of roots once."""
    length = prod((len(rule) - 1) // recurrence_step(rule) for rule in (left, right))
    (sums, size), (others, more) = _power_sums(left, step, 2 * length), _power_sums(right, step, length)
    products = [a * b for a, b in zip(sums, others, strict=False)]
    if left == right:
        length = (length + isqrt(length)) // 2
        products = [(both + double) // 2 for both, double in zip(products, sums[1::2], strict=False)]
    row = [1]
    for k in range(1, length + 1):
        row.append(-sum(map(mul, products, reversed(row))) // k)
    return _divide_by_gcd([part * (size * more) ** (length - k) for k, part in enumerate(row)])


def _power_sums(rule: Recurrence, step: int, length: int) -> tuple[list[int], int]:
    """The sums of powers k·step of the roots, by Newton's identities, as integers over size^k."""
    own = recurrence_step(rule)
    size = lcm(*(share.denominator for share in rule))
    row = [int(share * size**k) for k, share in enumerate(rule[::own])]
    sums: list[int] = []
    for k in range(1, length * (step // own) + 1):
        recent = sum(map(mul, row[1:k], reversed(sums)))
        sums.append(-recent - (k * row[k] if k < len(row) else 0))
    return sums[step // own - 1 :: step // own], size ** (step // own)


def sum_row(row: Sequence[Fraction], rule: Sequence[int]) -> Fraction:
    """The sum of a row without end that follows a recurrence, from as many numbers as that is long.

    Its generating function is N(x) / C(x), where C has the coefficients of the recurrence: the sum is N(1) / C(1)."""
    upto = list(accumulate(rule))[-2::-1]
    return sum((share * part for share, part in zip(row, upto, strict=False)), Fraction(0)) / sum(rule)


def multiply(left: Sequence[_Number], right: Sequence[_Number]) -> list[_Number]:
    """The product of two polynomials."""
    result = [left[0] * 0] * (len(left) + len(right) - 1)
    for place, part in enumerate(left):
        for further, other in enumerate(right):
            result[place + further] += part * other
    return result


def _to_integers(row: Sequence[Fraction]) -> tuple[list[int], int]:
    """Fractions as integers over a common denominator."""
    common = lcm(*(fraction.denominator for fraction in row))
    return [fraction.numerator * (common // fraction.denominator) for fraction in row], common


def _divide_by_gcd(row: list[int]) -> list[int]:
    """Divides by the greatest common divisor."""
    common = gcd(*row)
    return [number // common for number in row] if common > 1 else row


def find_recurrence(row: Sequence[Fraction]) -> list[Fraction] | None:
    """The shortest c with c0 = 1 and c0·row[k] + c1·row[k-1] + … = 0 throughout (Berlekamp-Massey)."""
    terms, _ = _to_integers(row)
    current, before = [1], [1]
    length, since, gap_before = 0, 1, 1
    for place in range(len(terms)):
        gap = sum([current[back] * terms[place - back] for back in range(min(len(current), place + 1))])
        if not gap:
            since += 1
            continue
        after = _divide_by_gcd(_subtract_shifted(current, gap_before, before, gap, since))
        if 2 * length <= place:
            length, before, gap_before, since = place + 1 - length, current, gap, 1
        else:
            since += 1
        current = after
    current += [0] * (length + 1 - len(current))
    return [Fraction(coefficient, current[0]) for coefficient in current] if 2 * length <= len(terms) else None


def _subtract_shifted(left: list[int], more: int, right: list[int], times: int, shift: int) -> list[int]:
    """`more` times the left row minus `times` times the right row, which is shifted."""
    difference = [more * coefficient for coefficient in left] + [0] * (len(right) + shift - len(left))
    for place, part in enumerate(right):
        difference[place + shift] -= times * part
    return difference
