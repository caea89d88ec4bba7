"""Sums that a page works out: 2 + 1 + 5 = 8, «7+4+2 damage, a total of 13», 15% of 80 is 12."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ...book.prose import Passage
from ...text import Problem
from .model import Check, Noticed, Reading
from .sum_book import Rounding, kinds, settled
from .sum_sense import Sum, agrees, plain, told_apart
from .terms import FIGURES, Token, Worth, longest_begin, longest_end, number, tokens
from .texts import after, texts

BACK, ON = 120, 80  # so many characters before and behind an equals sign are read
EQUALS = re.compile(r"(?<![=<>!≥≤:≈~+*/^|#-])=(?![=<>~≈])|\bequals\b")
RESULT = re.compile(
    rf"\s?(?P<sign>[+\-−–]\s?)?(?P<value>[$€£]?{FIGURES}%?)(?![\w:^°/]|[+*](?!\s?[0-9(])|[.,'’][0-9]"
    r"|\s[0-9]{3}(?![0-9])"
    r"|[\-–—]\s?[0-9]|\s[\-–—]\s?[0-9]+\s?=|\s?(?:to|or)\s[0-9]|\s?\([0-9]+\s?[\-–+])"
)
UNIT = re.compile(r"\s([A-Za-z]+)")
TOTAL = re.compile(
    rf"\btotal(?:s|l?ing|l?ed)?(?:\sof|\sis|\sto|:)?\s(?:only\s|exactly\s|just\s)?(?P<value>{FIGURES})(?![\w:^°/%+*–-]|[.,][0-9])",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"\s?\(([0-9][^()\n]{0,60})\)")
GAP = re.compile(r"(?P<gap>[^0-9.;:!?()\[\]+*=/×\n]{0,40})$")
MORE = re.compile(  # words by which more is added than the sum shows
    r"\b(?:plus|minus|add(?:s|ed|ing)?|bonus\w*|more|extra|again|doubl\w+|half|halv\w+|less|without|another|on\stop|also|each"
    r"|twice|with|after|subtract\w*|from|modif\w+|reroll\w*|best|keep\w*|drop\w*|gran\w*|per|running|new|previous|so\sfar)\b",
    re.IGNORECASE,
)
ADDING = ("plus", "minus", "times", "add", "adds", "adding", "d")
OF = re.compile(
    rf"(?<![\w.,/–-])(?<![+*×=÷/−–-]\s)(?P<share>[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)\s?%\sof\s(?:the\s|his\s|her\s|its\s|their\s|your\s)?"
    rf"(?P<base>{FIGURES})(?P<unit>(?:\s[A-Za-z’'-]{{1,15}}){{0,2}}?)\s?(?:,\s)?(?:=|\bis\b|\bequals\b|\bmakes\b|,\swhich\sis\b|\()\s?"
    rf"(?P<value>{FIGURES})(?![\w:^°/%+*–-]|[.,][0-9])"
)


def look(reading: Reading) -> Noticed:
    found = [one for text in texts(reading) for one in sums(text)]
    wrong = [one for one in found if not agrees(one)]
    problems = [problem(one) for one in kinds(found, wrong)]
    facts = [Rounding(one.worth.value, one.said, one.shown, one.span, one.text.trail) for one in found if divided(one)]
    return Noticed(len(found), tuple(problems), tuple(facts))


def divided(one: Sum) -> bool:
    return agrees(one) and one.worth.value.denominator > 1 and one.said.denominator == 1 and one.worth.value > 1


def sums(text: Passage) -> Iterator[Sum]:
    last = 0
    for equals in EQUALS.finditer(text.text):
        one = equation(text, last, equals)
        if one:
            yield one
        last = equals.end()
    for total in TOTAL.finditer(text.text):
        yield from totals(text, total)
    for share in OF.finditer(text.text):
        yield from shares(text, share)


def equation(text: Passage, last: int, equals: re.Match[str]) -> Sum | None:
    """What stands left of an equals sign, up to the one before, and the number right of it."""
    result = RESULT.match(text.text, equals.end())
    left = ending(text.text, last, equals.start())
    if not result or not left:
        return None
    start, worth = left
    said = number(result["value"]) * (-1 if result["sign"] and result["sign"][0] != "+" else 1)
    one = Sum(text, start, equals.start(), worth, (said,), result["value"], *result.span("value"))
    if agrees(one):
        return one
    behind = text.text[equals.end() : equals.end() + ON].partition("=")[0]
    right = longest_begin(tokens(behind))
    if right and right[1].operands > 1:
        one = one._replace(values=(said, right[1].value))
    return one if agrees(one) or told_apart(one) else None


def ending(text: str, last: int, end: int) -> tuple[int, Worth] | None:
    """The sum that ends at a place, if nothing before it belongs to it; `last` is where another sum ended."""
    line = text.rfind("\n", max(last, end - BACK), end) + 1
    begin = max(last, end - BACK, line)
    found = tokens(text[begin:end])
    sum_ = longest_end(found)
    if not sum_ or sum_[1].operands < 2:
        return None
    at, worth = sum_
    chained = begin == last > 0
    result = found[0].kind == "sign" if chained else 0  # where the result of the sum before stands
    if at <= result and begin not in (0, line):
        return (begin + found[at].start, worth) if chained and goes_on(found[at:]) else None
    before = found[result + 1 : at] if chained and found[result].kind == "number" else found[:at]
    return signed(begin, found[at], before, worth)


def goes_on(found: list[Token]) -> bool:
    """In «= 5 + 1 = 6» the result is reckoned with again; in «= 5 +2 = 10» something new begins."""
    sign = found[1:2]
    return bool(sign) and sign[0].kind == "sign" and (found[0].end == sign[0].start or sign[0].end < found[2].start)


def signed(begin: int, first: Token, before: list[Token], worth: Worth) -> tuple[int, Worth] | None:
    """A sign before the first number belongs to it; one behind a word says that something is missing."""
    if not before or before[-1].kind != "sign":
        return (begin + first.start, worth) if free(before) else None
    alone = len(before) < 2 or before[-2].text in (":", "(", ",")
    plus = before[-1].text == "+" and before[-1].end == first.start
    return (begin + before[-1].start, worth) if plus and alone else None


def free(before: list[Token]) -> bool:
    """Nothing that is reckoned with stands before a sum: no number, no word such as «plus»."""
    words = [token for token in before if token.text not in ("(", "[", "“", '"', "a", "an", "the")]
    if not words:
        return True
    last, others = words[-1], words[:-1]
    if last.text in (",", "&", "and", "or") and others:
        return others[-1].kind not in ("number", "close") and not others[-1].text[0].isdecimal()
    return last.kind not in ("number", "sign") and last.text.lower() not in ADDING


def totals(text: Passage, total: re.Match[str]) -> Iterator[Sum]:
    """«7+4+2 damage, a total of 13», «a total of 13 (7+4+2)»."""
    found = bracketed(text.text, total) or spoken(text.text, total)
    if not found or MORE.search(after(text.text, total.end())[:30]):
        return
    start, end, worth = found
    one = Sum(text, start, end, worth, (number(total["value"]),), total["value"], *total.span("value"))
    if told_apart(one) and worth.whole and not worth.percents and set(worth.signs) == {"+"}:
        yield one


def spoken(text: str, total: re.Match[str]) -> tuple[int, int, Worth] | None:
    """The sum stands before, and no word of adding in between."""
    gap = GAP.search(text, max(total.start() - BACK, 0), total.start())
    left = ending(text, 0, gap.start()) if gap and not MORE.search(gap["gap"]) else None
    if not gap or not left or MORE.search(text[max(left[0] - 30, 0) : left[0]]):
        return None
    return left[0], gap.start(), left[1]


def bracketed(text: str, total: re.Match[str]) -> tuple[int, int, Worth] | None:
    inside = BRACKETED.match(text, total.end())
    if not inside:
        return None
    found = tokens(inside[1])
    right = longest_begin(found)
    return (*inside.span(1), right[1]) if right and right[0] == len(found) and right[1].operands > 1 else None


def shares(text: Passage, share: re.Match[str]) -> Iterator[Sum]:
    worth = Worth(Fraction(share["share"]) / 100 * number(share["base"]), 2, "×", whole=False)
    one = Sum(
        text, share.start(), share.end("base"), worth, (number(share["value"]),), share["value"], *share.span("value")
    )
    unit, other = share["unit"].strip(), UNIT.match(text.text, share.end())
    if (not unit or not other or unit.split()[-1] == other[1]) and plain(one):
        yield one


def problem(one: Sum) -> Problem:
    message = f"{one.shown} comes to {one.exact}, but the text says {one.written}"
    note = f"write {one.whole}, or change the number that is wrong before it"
    return Problem("sum-wrong", message, one.span, "warning", (note,), one.text.trail)


SUMS = Check("sum", "sums", look, settled)
