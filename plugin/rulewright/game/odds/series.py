"""Power series as lists of whole numbers, cut off after a fixed number of coefficients."""

from __future__ import annotations

from operator import mul

FEW = 3
MANY = 10_000


def multiply(left: list[int], right: list[int], cut: int) -> list[int]:
    """The product of two series; a right side of a few terms is shifted and added."""
    terms = [(place, part) for place, part in enumerate(right) if part]
    if len(terms) <= FEW:
        return multiply_few(left, terms, cut)
    length = min(len(left) + len(right) - 1, cut)
    if len(left) * len(right) > MANY:
        return multiply_packed(left, right)[:length]
    padded = left + [0] * (length - len(left)) if len(left) < length else left
    turned = right[::-1]
    size = len(right)
    return [
        sum(map(mul, padded[max(0, k - size + 1) : k + 1], turned[max(0, size - 1 - k) :]))
        for k in range(length)
    ]  # fmt: skip


def multiply_packed(left: list[int], right: list[int]) -> list[int]:
    """Long series are written into two long numbers, whose product Python makes faster than we can."""
    bits = max(left).bit_length() + max(right).bit_length() + min(len(left), len(right)).bit_length()
    width = bits // 8 + 1
    numbers = [
        int.from_bytes(b"".join(part.to_bytes(width, "little") for part in row), "little") for row in (left, right)
    ]
    length = len(left) + len(right) - 1
    packed = (numbers[0] * numbers[1]).to_bytes(width * length, "little")
    return [int.from_bytes(packed[place : place + width], "little") for place in range(0, width * length, width)]


def multiply_few(left: list[int], terms: list[tuple[int, int]], cut: int) -> list[int]:
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
    found = [0] * length
    for place, times in terms:
        for k in range(place, min(length, place + len(left))):
            found[k] += left[k - place] * times
    return found


def power(series: list[int], times: int, cut: int) -> list[int]:
    """A power in one pass: with P = p0 + p1·x + …, k·p0·c[k] = sum over j of (j·(times + 1) - k)·p[j]·c[k-j]."""
    lead = next((place for place, part in enumerate(series) if part), 0)
    first, *terms = [(place - lead, part) for place, part in enumerate(series) if part]
    shift = lead * times
    length = min((len(series) - 1 - lead) * times + 1, cut - shift)
    if length < 1:
        return [0]
    found = [first[1] ** times]
    for k in range(1, length):
        total = sum([(j * (times + 1) - k) * part * found[k - j] for j, part in terms if j <= k])
        found.append(total // (k * first[1]))
    return [0] * shift + found


def root_multiple(number: int, degree: int) -> int:
    """The least m such that number divides m**degree."""
    found, prime = 1, 2
    while number > 1:
        times = 0
        while number % prime == 0:
            number //= prime
            times += 1
        found *= prime ** -(-times // degree)
        prime += 1
        if prime * prime > number > 1:
            prime = number
    return found
