"""Claims: what is said, whether it holds, and the exact values."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from ...checks import amounts
from ...checks.model import Checked
from ...checks.proof import Proof, Worth
from ...game.odds.answer import Chance
from .. import figures
from ..words import Words
from .dice import mark
from .figures import counted, figure, fraction
from .inputs import Given, given

SPELLED = {"<=": "≤", ">=": "≥", "~": "≈"}


class Statement(NamedTuple):
    """`verdict` says in a word whether it holds; it is empty where nobody could tell."""

    text: str
    verdict: str
    mark: Markup
    lines: list[str]


class Claim(NamedTuple):
    inputs: list[Given]
    statements: list[Statement]


def claim(checked: Checked, words: Words) -> Claim | None:
    proofs = {proof.statement.start: proof for proof in checked.proofs}
    statements = [statement(span.text.strip(), proofs.get(span.start), words) for span in checked.block.statements]
    inputs = given(checked.rule, checked.inputs, words) if checked.rule and not checked.rule.contest else []
    return Claim(inputs, statements) if statements else None


def statement(text: str, proof: Proof | None, words: Words) -> Statement:
    for written, sign in SPELLED.items():
        text = text.replace(written, sign)
    if proof is None:
        return Statement(text, "", Markup(), [])
    sign, verdict = ("good", "holds") if proof.holds else ("bad", "holds not")
    lines = [line for line in (values(proof, words), cases(proof, words)) if line]
    return Statement(text, words(verdict), mark(sign), lines)


def values(proof: Proof, words: Words) -> str:
    """The value of each side that was worked out; two that are the same once."""
    return ", ".join(dict.fromkeys(worth(one, words) for one in proof.worths))


def worth(found: Worth, words: Words) -> str:
    least, greatest = figure(found.least, found.is_chance, words), figure(found.greatest, found.is_chance, words)
    if found.least != found.greatest:
        return words("from to", low=least, high=greatest)
    exact = certain(found) or fraction(found.least, words)
    if not exact:
        return least
    return words("exactly" if is_exact(found.least, found.is_chance) else "about", fraction=exact, number=least)


def certain(found: Worth) -> str:
    """Never and always are said as whole numbers: 0.0% alone might have been rounded."""
    exact = found.least.exact if found.is_chance else None
    return str(exact) if exact in (0, 1) else ""


def is_exact(chance: Chance, is_chance: bool) -> bool:
    """Whether nothing is rounded away in the number that is shown."""
    if chance.exact is None:
        return False
    shown = figures.percent(chance.exact) if is_chance else figures.mean(chance.exact)
    return shown[0] not in "<>" and amounts.is_exact(chance.exact, shown)


def cases(proof: Proof, words: Words) -> str:
    if proof.cases == 1:
        return ""
    return counted("holds in" if proof.holds else "looked at", proof.cases, words)
