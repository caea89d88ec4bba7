"""What prose says against what the rules make of the block beside it; silent where nothing definite is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .account import Account
from .difference import Difference, differs, listed, named, single_numbers, summary
from .drift_dice import codes, faces, pools
from .told.mood import Bit
from .told.read import Bits, Told

SOME_DICE = re.compile(
    r"\s(?:\w+\s){1,2}(?:from|on|with|in|for)\s(?:the|this|that|these|those|her|his|their|its|each)\b"
)
ANOTHER = re.compile(r"\b(?:another|more|each|again|then)\b", re.IGNORECASE)
ASKED = ("difficulty", "target", "target_number", "tn", "dc")
RAISES = ("raised", "raise", "modifier", "modifiers", "unskilled")
TOTALS = ("total", "result", "sum", "score")
COUNTED = {"success", "botch", "failure", "hit", "miss", "fumble", "raise", "boon", "bane"}
CLASSES = {
    "success": "success", "critical success": "success", "hit": "success", "pass": "success",
    "failure": "failure", "fail": "failure", "miss": "failure",
    "botch": "botch", "fumble": "botch", "critical failure": "botch",
}  # fmt: skip


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


def numbers(bits: Bits, name: str, allowed: Sequence[set[int]], beside: Sequence[Account]) -> Iterator[Difference]:
    """Each number must be that of some step; where a step has none, it cannot be told."""
    if not all(allowed) or not beside:
        return
    everything = set().union(*allowed)
    for bit in bits:
        if bit.sure and bit.number not in everything:
            yield differs(bit, f"{name} {bit.number}", f"has {listed(everything)}")


def asked(one: Account) -> set[int]:
    base, raises = named(one, ASKED), named(one, RAISES)
    return base | {number + raised for number in base for raised in raises}


def margins(one: Account) -> set[int]:
    total = {value for name, value in one.numbers.items() if name in TOTALS}
    ways = {abs(value - needed) for value in total for needed in named(one, ASKED)}
    return ways | ({one.degree} if one.degree is not None else set())


def counts(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """«Two successes»: steps of that name; the last count may be any number that is left of them."""
    for number, bit in enumerate(told.counts):
        noun, way = bit.what.rsplit(" ", 1)
        if not bit.sure or way == "change" or not all(own(one, noun) for one in beside):
            continue
        if way == "count" and is_part(told, bit):
            continue
        later = (one.what.split(" ")[0] for one in told.counts[number + 1 :] if one.sure)
        last = way == "final" or noun not in later
        if bit.number not in set().union(*(possible_counts(one, noun, last) for one in beside)):
            shown = "; ".join(dict.fromkeys(summary(one) for one in beside))
            yield differs(bit, told.passage.text[bit.start : bit.end] + f" {plural(noun)}", f"has {shown}")


def is_part(told: Told, bit: Bit) -> bool:
    """«One success with the nine and another with the ten» is no result yet."""
    end = next(one.end for one in told.sentences if one.start <= bit.start < one.end)
    return bool(SOME_DICE.match(told.passage.text, bit.end) or ANOTHER.search(told.passage.text, bit.end, end))


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
