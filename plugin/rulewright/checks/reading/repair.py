"""The one row of a table with dice that is wrong, and what it should say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .coverage import Coverage, covered
from .results import Stretch
from .rows import Claim

MOST_SUSPECTS = 6
DASH = re.compile(r"(?<=\d)(\s?(?:[-–—−‒‑~…]|\.{2,3}|to|bis)\s?)(?=\d)")


class Repair(NamedTuple):
    """A row, and the results it would have to be for to make the table whole."""

    claim: Claim
    low: int
    high: int


def repair(found: Coverage) -> Repair | None:
    """Only when one row alone can make the table whole, or one alone makes all of them as wide."""
    suspects = [number for number, claim in enumerate(found.claims) if is_suspect(claim, found)]
    if not suspects or len(suspects) > MOST_SUSPECTS:
        return None
    mended = [one for number in suspects for one in mends(found, number)]
    if len(mended) > 1:
        mended = [one for one in mended if is_even(one, found)]
    return mended[0] if len(mended) == 1 else None


def is_even(mended: Repair, found: Coverage) -> bool:
    """Would all rows be of one width?"""
    others = {claim.high - claim.low for claim in found.claims if claim is not mended.claim}
    return others == {mended.high - mended.low}


def is_suspect(claim: Claim, found: Coverage) -> bool:
    if len(claim.stretches) > 1 or any(one.open for one in claim.stretches):
        return False
    shared = any(claim.low <= result <= claim.high for result in found.doubled)
    return not claim.stretches or claim in found.outside or shared


def mends(found: Coverage, number: int) -> Iterator[Repair]:
    """What stands between the rows beside it, if that makes everything right."""
    claims, expected = found.claims, found.expected
    before, after = claims[number - 1] if number else None, claims[number + 1] if number + 1 < len(claims) else None
    if is_falling(claims):
        before, after = after, before
    rest = [one for one in expected if (not before or one > before.high) and (not after or one < after.low)]
    if rest:
        new = claims[number]._replace(stretches=(Stretch(rest[0], rest[-1]),))
        changed = (*claims[:number], new, *claims[number + 1 :])
        if covered(expected, changed, found.open).perfect:
            yield Repair(claims[number], rest[0], rest[-1])


def is_falling(claims: tuple[Claim, ...]) -> bool:
    named = [claim for claim in claims if claim.stretches]
    return named[0].low > named[-1].low


def written(found: Coverage, low: int, high: int, leaving: Claim | None = None) -> str:
    """Results as the rows of the table write them, leaving out one that is wrong."""
    texts = [claim.cell.text.strip() for claim in found.claims if claim is not leaving]
    width = max((len(part) for text in texts for part in re.findall(r"\b0\d+", text)), default=0)
    top = "0" * width if any(re.search(rf"(?<!\d)0{{{width}}}(?!\d)", text) for text in texts) and width else ""
    own = DASH.findall(leaving.cell.text) if leaving else []
    dash = Counter(own or [dash for text in texts for dash in DASH.findall(text)]).most_common(1)
    last = found.expected[-1]
    shown = [top if top and result == last else str(result).zfill(width) for result in (low, high)]
    return shown[0] if low == high else (dash[0][0] if dash else "–").join(shown)
