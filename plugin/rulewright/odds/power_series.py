"""Power series: products and powers, linear recurrences of their coefficients, and infinite sums over two series.

All numbers are integers, because fractions would be reduced at every step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul

_FEW_TERMS = 3
_MANY_PRODUCTS = 10_000


def multiply(left: list[int], right: list[int], cut: int) -> list[int]:
    """The product of two series, at most `cut` terms; a right side with few terms is shifted and added."""
    terms = [(place, part) for place, part in enumerate(right) if part]
    if len(terms) <= _FEW_TERMS:
        return _multiply_few(left, terms, cut)
    length = min(len(left) + len(right) - 1, cut)
    if len(left) * len(right) > _MANY_PRODUCTS:
        return _multiply_packed(left, right)[:length]
    padded = left + [0] * (length - len(left)) if len(left) < length else left
    turned = right[::-1]
    size = len(right)
    return [
        sum(map(mul, padded[max(0, k - size + 1) : k + 1], turned[max(0, size - 1 - k) :]))
        for k in range(length)
    ]  # fmt: skip


def _multiply_packed(left: list[int], right: list[int]) -> list[int]:
    """Kronecker substitution: packs each series into one integer, whose product Python computes faster."""
    bits = max(left).bit_length() + max(right).bit_length() + min(len(left), len(right)).bit_length()
    width = bits // 8 + 1
    numbers = [
        int.from_bytes(b"".join(part.to_bytes(width, "little") for part in row), "little") for row in (left, right)
    ]
    length = len(left) + len(right) - 1
    packed = (numbers[0] * numbers[1]).to_bytes(width * length, "little")
    return [int.from_bytes(packed[place : place + width], "little") for place in range(0, width * length, width)]


def _multiply_few(left: list[int], terms: list[tuple[int, int]], cut: int) -> list[int]:
    if not terms:
        return [0]
    if len(terms) == 1 and terms[0][0] == 0:
        return [part * terms[0][1] for part in left]
    length = min(len(left) + terms[-1][0], cut)
    if len(terms) == 2 and terms[0][0] == 0 and terms[1][0] == 1 and length > 1:
        first, second = terms[0][1], terms[1][1]
        shifted = [0, *left]
        return [
            part * first + before * second for part, before in zip([*left, 0][:length], shifted[:length], strict=False)
        ]
    product = [0] * length
    for place, times in terms:
        for k in range(place, min(length, place + len(left))):
            product[k] += left[k - place] * times
    return product


def raise_to_power(series: list[int], times: int, cut: int) -> list[int]:
    """A power in one pass: with P = p0 + p1·x + …, k·p0·c[k] = sum over j of (j·(times + 1) - k)·p[j]·c[k-j]."""
    lead = next((place for place, part in enumerate(series) if part), 0)
    first, *terms = [(place - lead, part) for place, part in enumerate(series) if part]
    shift = lead * times
    length = min((len(series) - 1 - lead) * times + 1, cut - shift)
    if length < 1:
        return [0]
    coefficients = [first[1] ** times]
    for k in range(1, length):
        total = sum([(j * (times + 1) - k) * part * coefficients[k - j] for j, part in terms if j <= k])
        coefficients.append(total // (k * first[1]))
    return [0] * shift + coefficients


def root_multiple(number: int, degree: int) -> int:
    """The least m such that number divides m**degree."""
    multiple, prime = 1, 2
    while number > 1:
        times = 0
        while number % prime == 0:
            number //= prime
            times += 1
        multiple *= prime ** -(-times // degree)
        prime += 1
        if prime * prime > number > 1:
            prime = number
    return multiple


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


def infinite_sum(
    left: Sequence[Fraction], left_rule: Sequence[Fraction], right: Sequence[Fraction], right_rule: Sequence[Fraction]
) -> Fraction:
    """The sum of left[k]·right[k] over all k.

    With the generating functions A(x) and B(x) it is the constant term of A(x)·B(1/x). Partial fractions split that
    product into U / (denominator of A), without negative powers, and a rest with only negative powers: the sum is
    U(0)."""
    if not left_rule or not right_rule or len(left_rule) == 1 or len(right_rule) == 1:
        return Fraction(0)
    (ours, our_divisor), (our_rule, rule_divisor), (theirs, their_divisor), (their_rule, _) = map(
        _to_integers, (left, left_rule, right, right_rule)
    )
    above, below = _series_numerator(ours, our_rule), _series_numerator(theirs, their_rule)
    turned = [0, *reversed(below + [0] * (len(their_rule) - 1 - len(below)))]
    return _partial_fraction_at_zero(_multiply_polynomials(above, turned), our_rule, their_rule[::-1]) / (
        our_divisor * rule_divisor * their_divisor
    )


def _series_numerator(row: Sequence[int], rule: Sequence[int]) -> list[int]:
    """The numerator of the generating function of a row, over the denominator that its recurrence gives."""
    return [sum([rule[back] * row[place - back] for back in range(place + 1)]) for place in range(len(rule) - 1)]


def _multiply_polynomials(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials."""
    product = [0] * (len(left) + len(right) - 1)
    for place, part in enumerate(left):
        for further, other in enumerate(right):
            product[place + further] += part * other
    return product


def _partial_fraction_at_zero(above: list[int], left: list[int], right: list[int]) -> Fraction:
    """U(0), where U·right + V·left = above, U shorter than left and V shorter than right."""
    rows = []
    for place in range(len(left) + len(right) - 2):
        row = [left[place - k] if 0 <= place - k < len(left) else 0 for k in range(len(right) - 1)]
        row += [right[place - k] if 0 <= place - k < len(right) else 0 for k in reversed(range(len(left) - 1))]
        rows.append([*row, above[place] if place < len(above) else 0])
    return _solve_last_unknown(rows)


def _solve_last_unknown(rows: list[list[int]]) -> Fraction:
    """The last unknown of a square system of linear equations, by elimination."""
    for column in range(len(rows) - 1):
        pivot = next(place for place in range(column, len(rows)) if rows[place][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column]
        for place in range(column + 1, len(rows)):
            if own := rows[place][column]:
                common = gcd(own, head[column])
                more, less = head[column] // common, own // common
                rows[place] = _divide_by_gcd(
                    [more * entry - less * part for entry, part in zip(rows[place], head, strict=True)]
                )
    return Fraction(rows[-1][-1], rows[-1][-2])
