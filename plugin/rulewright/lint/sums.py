"""Checks calculations in the text: "2 + 1 + 5 = 8", "7+4+2 damage, a total of 13", "15% of 80 is 12"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ..book.text import Passage
from ..source import Problem, Span
from .arithmetic import FIGURES, Token, Worth, longest_begin, longest_end, number, tokens
from .check import Check, Noticed, Reading, after, before, texts

ELSEWHERE = re.compile(  # more happens to the number than the calculation shows
    r"\b(?:doubl\w+|halv\w+|half|crit\w*|tripl\w+|twice|resist\w*|vulnerab\w*|max\w*|min|minimum|cap|caps|capped|limit\w*|at\smost"
    r"|at\sleast|up\sto|never|nearest|wrong\w*|mistake\w*|incorrect\w*|instead|modulo|carry|remainder|lowest\sof|highest\sof)\b"
    r"|\bround\w*\s(?:\w+\s){0,3}to\b|\bnot\s(?:be\s)?$",
    re.IGNORECASE,
)
UNITS = re.compile(
    r"gp|sp|cp|ep|pp|gold|silver|copper|platinum|coins?|crowns?|shillings?|pence|penn(?:y|ies)|pounds?|lbs?|oz|ounces?|feet|foot|ft"
    r"|in|inch(?:es)?|yards?|miles?|km|m|cm|kg|g|hours?|h|min|minutes?|sec|seconds?|days?|weeks?|months?|years?|rounds?|turns?",
    re.IGNORECASE,
)
NO_LABEL = re.compile(
    r"\b(?:per|each|every|times|of|for|to|if|or|and|dice|die|x|level|levels|rank|ranks|d)\b|[0-9]", re.IGNORECASE
)
LOOSE_MINUS = re.compile(r"[0-9)]\s?[\-–]\s?[0-9(]")
TIGHT_MINUS = re.compile(r"[0-9)][\-–][0-9(]")
SIZE = re.compile(r"[0-9)]\s?x\s?[0-9(]")
TIGHT_OVER = re.compile(r"[0-9)]/[0-9(]")
DIVIDING = re.compile(r"\b(?:divid\w+|half|halv\w+|quotient|share[sd]?|split\w*|third|quarter)\b|÷", re.IGNORECASE)
UNIT_BEHIND = re.compile(r"\s(?:an?\s)?([^\W\d_]+)")
WORD_ON = re.compile(
    r"is|are|and|or|but|so|for|with|which|to|in|on|at|as|if|because|then|when|after|that|this|the|he|she|they|it|you|I"
)
JOKES = ("1+1=3", "2+2=5")


class Sum(NamedTuple):
    text: Passage
    start: int
    end: int
    worth: Worth
    values: tuple[Fraction, ...]  # the stated result; if an expression follows, also its value
    written: str
    at: int
    until: int

    @property
    def said(self) -> Fraction:
        return self.values[0]

    @property
    def span(self) -> Span:
        return self.text.span(self.at, self.until)

    @property
    def shown(self) -> str:
        return " ".join(self.text.text[self.start : self.end].split()).rstrip(" ,")

    @property
    def exact(self) -> str:
        value = self.worth.value
        return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.4g}"

    @property
    def whole(self) -> str:
        """The correct result: a whole number if the text has one."""
        low, high = floor(self.worth.value), ceil(self.worth.value)
        fraction = low < high and self.said.denominator == 1
        return f"{low:,} (rounded down) or {high:,} (rounded up)" if fraction else self.exact

    @property
    def unit(self) -> str:
        found = UNIT_BEHIND.match(self.text.text, self.until)
        return found[1] if found and not WORD_ON.fullmatch(found[1]) else ""


def agrees(one: Sum) -> bool:
    """Whether a stated result is correct: equal, rounded in any way, or raised to 0 or 1."""
    return any(comes_to(one, value, said) for value in readings(one.worth) for said in one.values)


def readings(worth: Worth) -> list[Fraction]:
    """The possible values of an expression: percents as plain numbers or as hundredths."""
    every = [worth.value]
    if worth.percents:
        every += [worth.value / 100**power for power in range(1, worth.percents + 1)]
    return every


def comes_to(one: Sum, value: Fraction, said: Fraction) -> bool:
    if said == value or (value < 0 and said in (0, 1)):
        return True
    if one.worth.whole:
        return False
    scale = 10 ** len(one.written.rstrip("%").partition(".")[2])
    return said * scale in (floor(value * scale), ceil(value * scale))


def plain(one: Sum) -> bool:
    """Whether nothing in the sentence says that more happens to the number."""
    text = one.text.text
    return not ELSEWHERE.search(before(text, one.start)[-60:]) and not ELSEWHERE.search(after(text, one.until)[:60])


def told_apart(one: Sum) -> bool:
    """Whether this is surely a calculation: not a range, score, date, conversion or part of a longer rule."""
    text = one.text.text[one.start : one.end]
    labels = [label for label in one.worth.labels if not label.startswith("(")]
    return (
        minus_is_minus(text, one)
        and over_is_over(text, one)
        and times_is_times(text, one, labels)
        and labels_fit(one, labels)
        and f"{text}={one.said}".replace(" ", "") not in JOKES
        and not mixed(one.worth)
        and plain(one)
    )


def minus_is_minus(text: str, one: Sum) -> bool:
    """Whether a hyphen is a minus: 1-2 = 1 is a range, 3-2 = 2 is a score."""
    signs = set(one.worth.signs)
    tight = bool(TIGHT_MINUS.search(text))
    if signs == {"-"} and LOOSE_MINUS.search(text):
        return not tight and one.worth.value >= 0 and not one.unit
    return not tight or " " not in text.strip()


def over_is_over(text: str, one: Sum) -> bool:
    """Whether a slash is a division; without spaces it may be a fraction, a date or two values."""
    if not TIGHT_OVER.search(text):
        return True
    return agrees(one) or (one.worth.signs == "÷" and bool(DIVIDING.search(before(one.text.text, one.start))))


def times_is_times(text: str, one: Sum, labels: list[str]) -> bool:
    """Whether an x is a multiplication: 3x4 may be a size."""
    return not SIZE.search(text) or not (labels or (one.unit and not re.search(r"\sx\s", text)))


def labels_fit(one: Sum, labels: list[str]) -> bool:
    if any(NO_LABEL.search(label) or len(label.split()) > 3 or len(label.split()[-1]) == 1 for label in labels):
        return False
    words = {label.split()[-1].lower() for label in labels}
    if any(UNITS.fullmatch(word) for word in words) or (words and one.unit):
        return len(words) == 1 and len(labels) == one.worth.operands and one.unit.lower() in ("", *words)
    return not labels or set(one.worth.signs) <= {"+", "-"}


def mixed(worth: Worth) -> bool:
    """Whether percents are added to other numbers, so that it is unclear what they are a percentage of."""
    return 0 < worth.percents < worth.operands and "×" not in worth.signs and "÷" not in worth.signs


ENOUGH = 4  # divisions rounded the same way before the book's rounding is known
WAYS = ("down", "up", "to the nearest")


class Rounding(NamedTuple):
    """A division with a remainder, and the whole number that the text states."""

    exact: Fraction
    said: Fraction
    shown: str
    span: Span
    trail: tuple[str, ...]


def kinds(found: Sequence[Sum], wrong: Sequence[Sum]) -> list[Sum]:
    """The wrong sums to report: without the doubtful ones if too many of them are wrong.

    Such a page uses the equals sign for something else.
    """
    right = len(found) - len(wrong)
    clear = [one for one in wrong if not doubtful(one)]
    return list(wrong) if len(wrong) - len(clear) <= max(1, right // 2) else clear


def doubtful(one: Sum) -> bool:
    """Whether this may be no calculation: ranges and scores look like subtractions, "2 + 1 = 1 house" is a recipe."""
    return set(one.worth.signs) <= {"-"} or bool(one.unit)


def settled(facts: Sequence[Rounding]) -> list[Problem]:
    """Report the only division that is rounded differently from all others."""
    against = [[fact for fact in facts if fact.said != rounded(fact.exact, way)] for way in WAYS]
    fewest = min(map(len, against), default=0)
    if fewest != 1 or len(facts) <= ENOUGH or [len(one) for one in against].count(1) > 1:
        return []
    number = next(at for at, one in enumerate(against) if len(one) == 1)
    return [problem(against[number][0], WAYS[number])]


def rounded(value: Fraction, way: str) -> int:
    return floor(value) if way == "down" else ceil(value) if way == "up" else floor(value + Fraction(1, 2))


def problem(fact: Rounding, way: str) -> Problem:
    best = rounded(fact.exact, way)
    message = (
        f"{fact.shown} comes to {float(fact.exact):.4g}, which this book rounds {way} to {best}, "
        f"but the text says {int(fact.said)}"
    )
    return Problem("sum-rounded", message, fact.span, "warning", (f"write {best}",), fact.trail)


BACK, ON = 120, 80  # characters that are read before and after an equals sign
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
MORE = re.compile(  # more is added than the sum shows
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
    problems = [sum_problem(one) for one in kinds(found, wrong)]
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
    """Parse an equation: the expression before an equals sign (from `last` on) and the number after it."""
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
    """The expression that ends at an offset, if nothing before it belongs to it.

    `last` is the end of the previous equals sign, whose result may be the first operand.
    """
    line = text.rfind("\n", max(last, end - BACK), end) + 1
    begin = max(last, end - BACK, line)
    found = tokens(text[begin:end])
    sum_ = longest_end(found)
    if not sum_ or sum_[1].operands < 2:
        return None
    at, worth = sum_
    chained = begin == last > 0
    result = found[0].kind == "sign" if chained else 0  # index of the previous result
    if at <= result and begin not in (0, line):
        return (begin + found[at].start, worth) if chained and goes_on(found[at:]) else None
    before = found[result + 1 : at] if chained and found[result].kind == "number" else found[:at]
    return signed(begin, found[at], before, worth)


def goes_on(found: list[Token]) -> bool:
    """Whether the previous result is used again: it is in "= 5 + 1 = 6", but not in "= 5 +2 = 10"."""
    sign = found[1:2]
    return bool(sign) and sign[0].kind == "sign" and (found[0].end == sign[0].start or sign[0].end < found[2].start)


def signed(begin: int, first: Token, before: list[Token], worth: Worth) -> tuple[int, Worth] | None:
    """The start of an expression including the sign of its first number; None if an operand before it is unreadable."""
    if not before or before[-1].kind != "sign":
        return (begin + first.start, worth) if free(before) else None
    alone = len(before) < 2 or before[-2].text in (":", "(", ",")
    plus = before[-1].text == "+" and before[-1].end == first.start
    return (begin + before[-1].start, worth) if plus and alone else None


def free(before: list[Token]) -> bool:
    """Whether the tokens before an expression do not belong to it: no number, no word such as "plus"."""
    words = [token for token in before if token.text not in ("(", "[", "“", '"', "a", "an", "the")]
    if not words:
        return True
    last, others = words[-1], words[:-1]
    if last.text in (",", "&", "and", "or") and others:
        return others[-1].kind not in ("number", "close") and not others[-1].text[0].isdecimal()
    return last.kind not in ("number", "sign") and last.text.lower() not in ADDING


def totals(text: Passage, total: re.Match[str]) -> Iterator[Sum]:
    """Sums with the word "total": "7+4+2 damage, a total of 13", "a total of 13 (7+4+2)"."""
    found = bracketed(text.text, total) or spoken(text.text, total)
    if not found or MORE.search(after(text.text, total.end())[:30]):
        return
    start, end, worth = found
    one = Sum(text, start, end, worth, (number(total["value"]),), total["value"], *total.span("value"))
    if told_apart(one) and worth.whole and not worth.percents and set(worth.signs) == {"+"}:
        yield one


def spoken(text: str, total: re.Match[str]) -> tuple[int, int, Worth] | None:
    """The expression before "a total of", unless the words between add something."""
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


def sum_problem(one: Sum) -> Problem:
    message = f"{one.shown} comes to {one.exact}, but the text says {one.written}"
    note = f"write {one.whole}, or change the number that is wrong before it"
    return Problem("sum-wrong", message, one.span, "warning", (note,), one.text.trail)


SUMS = Check("sum", "sums", look, settled)
