"""What prose says against what the rules make of the block beside it; silent where nothing definite is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .account import Account, Faces
from .told.dice import PART, values
from .told.mood import Bit
from .told.read import Bits, Told

ASKED = ("difficulty", "target", "target_number", "tn", "dc")
RAISES = ("raised", "raise", "modifier", "modifiers", "unskilled")
TOTALS = ("total", "result", "sum", "score")
COUNTED = {"success", "botch", "failure", "hit", "miss", "fumble", "raise", "boon", "bane"}
CLASSES = {
    "success": "success", "critical success": "success", "hit": "success", "pass": "success",
    "failure": "failure", "fail": "failure", "miss": "failure",
    "botch": "botch", "fumble": "botch", "critical failure": "botch",
}  # fmt: skip


class Difference(NamedTuple):
    """Where text and block part: the words and what each of them says."""

    bit: Bit
    start: int
    end: int
    message: str


def differences(told: Told, beside: Sequence[Account]) -> list[Difference]:
    """In reading order; several steps beside the text may each account for some of it."""
    if not beside:
        return []
    found = [
        *faces(told, beside),
        *numbers(told.difficulties, "difficulty", [asked(one) for one in beside], beside),
        *numbers(told.thresholds, "threshold", [named(one, ("threshold",)) for one in beside], beside),
        *pools(told, beside),
        *codes(told, beside),
        *counts(told, beside),
        *totals(told, beside),
        *numbers(told.margins, "a margin of", [margins(one) for one in beside], beside),
        *outcomes(told, beside),
    ]
    return sorted(found, key=lambda one: (one.start, one.end))


def differs(bit: Bit, said: str, fact: str, start: int = -1, end: int = -1) -> Difference:
    first, last = (bit.start, bit.end) if start < 0 else (start, end)
    return Difference(bit, first, last, f"the text says {said}, the block beside it {fact}")


def numbers(bits: Bits, name: str, allowed: Sequence[set[int]], beside: Sequence[Account]) -> Iterator[Difference]:
    """Each number must be that of some step; where a step has none, it cannot be told."""
    if not all(allowed) or not beside:
        return
    everything = set().union(*allowed)
    for bit in bits:
        if bit.sure and bit.number not in everything:
            yield differs(bit, f"{name} {bit.number}", f"has {listed(everything)}")


def listed(found: set[int]) -> str:
    return " or ".join(map(str, sorted(found)))


def named(one: Account, names: Sequence[str]) -> set[int]:
    return {value for name, value in one.inputs.items() if name in names and isinstance(value, int)}


def asked(one: Account) -> set[int]:
    base, raises = named(one, ASKED), named(one, RAISES)
    return base | {number + raised for number in base for raised in raises}


def margins(one: Account) -> set[int]:
    total = {value for name, value in one.numbers.items() if name in TOTALS}
    ways = {abs(value - needed) for value in total for needed in named(one, ASKED)}
    return ways | ({one.degree} if one.degree is not None else set())


def faces(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Every list of faces must lie on the table; a single number may also be a sum or a step."""
    if not all(one.faces for one in beside):
        return
    tables: list[Counter[int]] = [Counter(face for _, group in one.faces for face in group) for one in beside]
    for bit in told.faces:
        said = bit.value if isinstance(bit.value, tuple) else ()
        if not bit.sure or any(not Counter(said) - table for table in tables):
            continue
        if len(said) == 1 and any(said[0] in single_numbers(one) for one in beside):
            continue
        yield first_wrong(told, bit, said, nearest(said, beside))


def single_numbers(one: Account) -> set[int]:
    sums = {sum(group) for _, group in one.faces}
    return sums | set(one.numbers.values()) | {sum(sum(group) for _, group in one.faces)}


def nearest(said: Faces, beside: Sequence[Account]) -> Faces:
    """The recorded faces that were probably meant: as many, and as many equal ones as can be."""
    groups = [group for one in beside for _, group in one.faces]
    groups += [tuple(face for _, group in one.faces for face in group) for one in beside]
    return max(groups, key=lambda group: (in_common(group, said), -abs(len(group) - len(said))))


def in_common(some: Faces, others: Faces) -> int:
    return sum(min(some.count(face), others.count(face)) for face in set(some))


def first_wrong(told: Told, bit: Bit, said: Faces, meant: Faces) -> Difference:
    """At the first face that the block does not have."""
    left, shown = Counter(meant), " ".join(map(str, meant))
    for part in PART.finditer(told.passage.text, bit.start, bit.end):
        for face in values(part[0]):
            if not left[face]:
                figure = list(re.finditer(r"[\w’']+", part[0]))[-1]
                at = part.start() + figure.start()
                return differs(bit, f"{face} here", f"has {shown}", at, part.start() + figure.end())
            left[face] -= 1
    return differs(bit, " ".join(map(str, said)), f"has {shown}")


def pools(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    for bit in told.pools:
        known = [pool_sizes(one) for one in beside]
        if bit.sure and not bit.what and all(known) and bit.number not in set().union(*known):
            sizes = set().union(*(set(one.dice[:1]) | named(one, ("pool", "dice")) for one in beside))
            yield differs(bit, f"{bit.number} dice", f"has {listed(sizes)}")


def pool_sizes(one: Account) -> set[int]:
    """How many dice there may be said to be: those of a kind, those thrown so far."""
    if not one.dice and not named(one, ("pool",)):
        return set()
    sums = {sum(one.dice[: number + 1]) for number in range(len(one.dice))}
    return {value for value in one.inputs.values() if isinstance(value, int)} | set(one.dice) | sums


def codes(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """d6+d4: dice of these sizes are thrown."""
    if not all(one.sides for one in beside):
        return
    known = frozenset().union(*(one.sides for one in beside))
    for bit in told.codes:
        for part in re.finditer(r"(?<![0-9])d([0-9]+)", str(bit.value)):
            if bit.sure and int(part[1]) not in known:
                yield differs(bit, f"d{part[1]}", f"throws {' and '.join(f'd{sides}' for sides in sorted(known))}")
                break


def counts(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """«Two successes»: steps of that name; the last count may be any number that is left of them."""
    for number, bit in enumerate(told.counts):
        noun, way = bit.what.rsplit(" ", 1)
        if not bit.sure or way == "change" or not all(own(one, noun) for one in beside):
            continue
        last = way == "final" or all(
            later.what.split(" ")[0] != noun for later in told.counts[number + 1 :] if later.sure
        )
        allowed = set().union(*(possible_counts(one, noun, last) for one in beside))
        if bit.number not in allowed:
            shown = "; ".join(dict.fromkeys(summary(one) for one in beside))
            yield differs(bit, told.passage.text[bit.start : bit.end] + f" {plural(noun)}", f"has {shown}")


def own(one: Account, noun: str) -> dict[str, int]:
    return {name: value for name, value in one.numbers.items() if name in (noun, plural(noun))}


def plural(noun: str) -> str:
    return noun + ("es" if noun.endswith(("s", "h")) else "s")


def possible_counts(one: Account, noun: str, last: bool) -> set[int]:
    found = set(own(one, noun).values())
    kind = CLASSES.get((one.outcome or "").lower())
    if noun == "success":
        others = {name for other in COUNTED - {noun} for name in own(one, other)}
        found |= {value for name, value in one.numbers.items() if name not in others}
        found |= set() if last else set(one.good)
    elif not last:
        found |= set(range(max(found, default=0) + 1))
    if kind and noun in (kind, one.outcome) and one.degree is not None:
        found.add(one.degree)
    return found


def summary(one: Account) -> str:
    """The steps as `successes 3, botches 1`."""
    return ", ".join(f"{name} {value}" for name, value in one.numbers.items())


def totals(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    if not all(set(one.numbers) & set(TOTALS) for one in beside):
        return
    known = {value for one in beside for name, value in one.numbers.items() if name in TOTALS}
    allowed = known.union(*(single_numbers(one) | margins(one) for one in beside))
    for bit in told.totals:
        if bit.sure and bit.number not in allowed:
            yield differs(bit, f"{bit.number}", f"comes to {listed(known)}")


def outcomes(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Only where every word for the outcome is against every step beside the text."""
    said = [bit for bit in told.outcomes if bit.sure]
    if not said or not all(one.outcome for one in beside):
        return
    if any(fits(bit, said, one) for bit in said for one in beside):
        return
    names = " and ".join(dict.fromkeys(str(one.outcome) for one in beside))
    bit = said[-1]
    word = told.passage.text[bit.start : bit.end]
    yield differs(bit, f"not {word}" if bit.negated else word, f"comes to {names}")


def fits(bit: Bit, said: Sequence[Bit], one: Account) -> bool:
    """Whether a word may stand for an outcome; words and outcomes that are not known fit anything."""
    outcome = (one.outcome or "").lower()
    kind, meant = CLASSES.get(outcome), CLASSES.get(str(bit.value))
    if kind is None or meant is None or flagged(one, str(bit.value)):
        return True
    if bit.negated:
        return kind != meant
    if meant == "failure" and kind == "botch":
        return "failure" not in one.outcomes or any(other.value == "botch" for other in said)
    if str(bit.value).startswith("critical") and str(bit.value) not in one.outcomes and meant == "botch":
        return kind != "success"
    return kind == meant


def flagged(one: Account, word: str) -> bool:
    return bool(one.steps.get(word.replace(" ", "_")))
