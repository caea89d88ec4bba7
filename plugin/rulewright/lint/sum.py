"""Checks calculations in the text: "2 + 1 + 5 = 8", "7+4+2 damage, a total of 13", "15% of 80 is 12"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ..book.text import Passage
from ..prose.sentences import sentence_after, sentence_before
from ..source import Problem, Span
from .arithmetic_parser import DIGITS, Expression, Token, longest_prefix, longest_suffix, parse_number, tokenize
from .interface import Check, LintContext, LintResult
from .table_totals import find_columns, find_right_totals, find_wrong_totals

_OTHER_CHANGES = re.compile(  # more happens to the number than the calculation shows
    r"\b(?:doubl\w+|halv\w+|half|crit\w*|tripl\w+|twice|resist\w*|vulnerab\w*|max\w*|min|minimum|cap|caps|capped|limit\w*|at\smost"
    r"|at\sleast|up\sto|never|nearest|wrong\w*|mistake\w*|incorrect\w*|instead|modulo|carry|remainder|lowest\sof|highest\sof)\b"
    r"|\bround\w*\s(?:\w+\s){0,3}to\b|\bnot\s(?:be\s)?$",
    re.IGNORECASE,
)
_UNITS = re.compile(
    r"gp|sp|cp|ep|pp|gold|silver|copper|platinum|coins?|crowns?|shillings?|pence|penn(?:y|ies)|pounds?|lbs?|oz|ounces?|feet|foot|ft"
    r"|in|inch(?:es)?|yards?|miles?|km|m|cm|kg|g|hours?|h|min|minutes?|sec|seconds?|days?|weeks?|months?|years?|rounds?|turns?",
    re.IGNORECASE,
)
_NOT_A_LABEL = re.compile(
    r"\b(?:per|each|every|times|of|for|to|if|or|and|dice|die|x|level|levels|rank|ranks|d)\b|[0-9]", re.IGNORECASE
)
_LOOSE_MINUS = re.compile(r"[0-9)]\s?[\-–]\s?[0-9(]")
_TIGHT_MINUS = re.compile(r"[0-9)][\-–][0-9(]")
_TIMES_X = re.compile(r"[0-9)]\s?x\s?[0-9(]")
_TIGHT_SLASH = re.compile(r"[0-9)]/[0-9(]")
_DIVIDING = re.compile(r"\b(?:divid\w+|half|halv\w+|quotient|share[sd]?|split\w*|third|quarter)\b|÷", re.IGNORECASE)
_UNIT_AFTER = re.compile(r"\s(?:an?\s)?([^\W\d_]+)")
_SENTENCE_WORD = re.compile(
    r"is|are|and|or|but|so|for|with|which|to|in|on|at|as|if|because|then|when|after|that|this|the|he|she|they|it|you|I"
)
_JOKES = ("1+1=3", "2+2=5")


class _Calculation(NamedTuple):
    passage: Passage
    start: int
    end: int
    expression: Expression
    values: tuple[Fraction, ...]  # the stated result; if an expression follows, also its value
    stated_text: str
    stated_start: int
    stated_end: int

    @property
    def stated(self) -> Fraction:
        return self.values[0]

    @property
    def span(self) -> Span:
        return self.passage.span(self.stated_start, self.stated_end)

    @property
    def expression_text(self) -> str:
        return " ".join(self.passage.text[self.start : self.end].split()).rstrip(" ,")

    @property
    def exact_text(self) -> str:
        value = self.expression.value
        return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.4g}"

    @property
    def suggestion(self) -> str:
        """The correct result: a whole number if the text has one."""
        low, high = floor(self.expression.value), ceil(self.expression.value)
        fraction = low < high and self.stated.denominator == 1
        return f"{low:,} (rounded down) or {high:,} (rounded up)" if fraction else self.exact_text

    @property
    def unit(self) -> str:
        match = _UNIT_AFTER.match(self.passage.text, self.stated_end)
        return match[1] if match and not _SENTENCE_WORD.fullmatch(match[1]) else ""


def _is_correct(calculation: _Calculation) -> bool:
    """Whether a stated result is correct: equal, rounded in any way, or raised to 0 or 1."""
    return any(
        _matches_value(calculation, value, stated)
        for value in _possible_values(calculation.expression)
        for stated in calculation.values
    )


def _possible_values(expression: Expression) -> list[Fraction]:
    """The possible values of an expression: percents as plain numbers or as hundredths."""
    values = [expression.value]
    if expression.percents:
        values += [expression.value / 100**power for power in range(1, expression.percents + 1)]
    return values


def _matches_value(calculation: _Calculation, value: Fraction, stated: Fraction) -> bool:
    if stated == value or (value < 0 and stated in (0, 1)):
        return True
    if calculation.expression.is_whole:
        return False
    scale = 10 ** len(calculation.stated_text.rstrip("%").partition(".")[2])
    return stated * scale in (floor(value * scale), ceil(value * scale))


def _is_unmodified(calculation: _Calculation) -> bool:
    """Whether nothing in the sentence says that more happens to the number."""
    text = calculation.passage.text
    return not _OTHER_CHANGES.search(sentence_before(text, calculation.start)[-60:]) and not _OTHER_CHANGES.search(
        sentence_after(text, calculation.stated_end)[:60]
    )


def _is_calculation(calculation: _Calculation) -> bool:
    """Whether this is surely a calculation: not a range, score, date, conversion or part of a longer rule."""
    text = calculation.passage.text[calculation.start : calculation.end]
    labels = [label for label in calculation.expression.labels if not label.startswith("(")]
    return (
        _is_minus(text, calculation)
        and _is_division(text, calculation)
        and _is_multiplication(text, calculation, labels)
        and _has_consistent_labels(calculation, labels)
        and f"{text}={calculation.stated}".replace(" ", "") not in _JOKES
        and not _has_added_percents(calculation.expression)
        and _is_unmodified(calculation)
    )


def _is_minus(text: str, calculation: _Calculation) -> bool:
    """Whether a hyphen is a minus: 1-2 = 1 is a range, 3-2 = 2 is a score."""
    signs = set(calculation.expression.operators)
    tight = bool(_TIGHT_MINUS.search(text))
    if signs == {"-"} and _LOOSE_MINUS.search(text):
        return not tight and calculation.expression.value >= 0 and not calculation.unit
    return not tight or " " not in text.strip()


def _is_division(text: str, calculation: _Calculation) -> bool:
    """Whether a slash is a division; without spaces it may be a fraction, a date or two values."""
    if not _TIGHT_SLASH.search(text):
        return True
    return _is_correct(calculation) or (
        calculation.expression.operators == "÷"
        and bool(_DIVIDING.search(sentence_before(calculation.passage.text, calculation.start)))
    )


def _is_multiplication(text: str, calculation: _Calculation, labels: list[str]) -> bool:
    """Whether an x is a multiplication: 3x4 may be a size."""
    return not _TIMES_X.search(text) or not (labels or (calculation.unit and not re.search(r"\sx\s", text)))


def _has_consistent_labels(calculation: _Calculation, labels: list[str]) -> bool:
    if any(_NOT_A_LABEL.search(label) or len(label.split()) > 3 or len(label.split()[-1]) == 1 for label in labels):
        return False
    words = {label.split()[-1].lower() for label in labels}
    if any(_UNITS.fullmatch(word) for word in words) or (words and calculation.unit):
        return (
            len(words) == 1
            and len(labels) == calculation.expression.operands
            and calculation.unit.lower() in ("", *words)
        )
    return not labels or set(calculation.expression.operators) <= {"+", "-"}


def _has_added_percents(expression: Expression) -> bool:
    """Whether percents are added to other numbers, so that it is unclear what they are a percentage of."""
    return (
        0 < expression.percents < expression.operands
        and "×" not in expression.operators
        and "÷" not in expression.operators
    )


_MIN_DIVISIONS = 4  # divisions rounded the same way before the book's rounding is known
_ROUNDING_MODES = ("down", "up", "to the nearest")


class _RoundedDivision(NamedTuple):
    """A division with a remainder, and the whole number that the text states."""

    exact: Fraction
    stated: Fraction
    division_text: str
    span: Span
    trail: tuple[str, ...]


_LEAST_SLIP, _MOST_OFF = 5, 2


def _reported_sums(calculations: Sequence[_Calculation], wrong: Sequence[_Calculation]) -> list[_Calculation]:
    """The wrong sums to report: without the doubtful ones if too many of them are wrong.

    Such a page uses the equals sign for something else.
    """
    right = len(calculations) - len(wrong)
    clear = [calculation for calculation in wrong if not _is_doubtful(calculation)]
    return list(wrong) if len(wrong) - len(clear) <= max(1, right // 2) else clear


def _is_doubtful(calculation: _Calculation) -> bool:
    """Whether this may be no calculation: ranges and scores look like subtractions, "2 + 1 = 1 house" is a recipe.

    Where the result is nearly right, as in "4 + 3 = 8 damage", it is a slip."""
    value = calculation.expression.value
    is_slip = value >= _LEAST_SLIP and abs(calculation.stated - value) <= _MOST_OFF
    return set(calculation.expression.operators) <= {"-"} or (bool(calculation.unit) and not is_slip)


def _check_book(facts: Sequence[_RoundedDivision]) -> list[Problem]:
    """Report the only division that is rounded differently from all others."""
    against = [[fact for fact in facts if fact.stated != _round_value(fact.exact, way)] for way in _ROUNDING_MODES]
    fewest = min(map(len, against), default=0)
    if fewest != 1 or len(facts) <= _MIN_DIVISIONS or [len(exceptions) for exceptions in against].count(1) > 1:
        return []
    number = next(at for at, exceptions in enumerate(against) if len(exceptions) == 1)
    return [_rounding_problem(against[number][0], _ROUNDING_MODES[number])]


def _round_value(value: Fraction, way: str) -> int:
    return floor(value) if way == "down" else ceil(value) if way == "up" else floor(value + Fraction(1, 2))


def _rounding_problem(fact: _RoundedDivision, way: str) -> Problem:
    best = _round_value(fact.exact, way)
    message = (
        f"{fact.division_text} comes to {float(fact.exact):.4g}, which this book rounds {way} to {best}, "
        f"but the text says {int(fact.stated)}"
    )
    return Problem("sum-rounded", message, fact.span, "warning", (f"write {best}",), fact.trail)


_MAX_BEFORE, _MAX_AFTER = 120, 80  # characters that are read before and after an equals sign
_EQUALS = re.compile(r"(?<![=<>!≥≤:≈~+*/^|#-])=(?![=<>~≈])|\bequals\b")
_RESULT = re.compile(
    rf"\s?(?P<sign>[+\-−–]\s?)?(?P<value>[$€£]?{DIGITS}%?)(?![\w:^°/]|[+*](?!\s?[0-9(])|[.,'’][0-9]"
    r"|\s[0-9]{3}(?![0-9])"
    r"|[\-–—]\s?[0-9]|\s[\-–—]\s?[0-9]+\s?=|\s?(?:to|or)\s[0-9]|\s?\([0-9]+\s?[\-–+])"
)
_UNIT = re.compile(r"\s([A-Za-z]+)")
_TOTAL = re.compile(
    rf"\btotal(?:s|l?ing|l?ed)?(?:\sof|\sis|\sto|:)?\s(?:only\s|exactly\s|just\s)?(?P<value>{DIGITS})(?![\w:^°/%+*–-]|[.,][0-9])",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\s?\(([0-9][^()\n]{0,60})\)")
_GAP = re.compile(r"(?P<gap>[^0-9.;:!?()\[\]+*=/×\n]{0,40})$")
_MORE_ADDED = re.compile(  # more is added than the sum shows
    r"\b(?:plus|minus|add(?:s|ed|ing)?|bonus\w*|more|extra|again|doubl\w+|half|halv\w+|less|without|another|on\stop|also|each"
    r"|twice|with|after|subtract\w*|from|modif\w+|reroll\w*|best|keep\w*|drop\w*|gran\w*|per|running|new|previous|so\sfar)\b",
    re.IGNORECASE,
)
_ADDING = ("plus", "minus", "times", "add", "adds", "adding", "d")
_PERCENT_OF = re.compile(
    rf"(?<![\w.,/–-])(?<![+*×=÷/−–-]\s)(?P<share>[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)\s?%\sof\s(?:the\s|his\s|her\s|its\s|their\s|your\s)?"
    rf"(?P<base>{DIGITS})(?P<unit>(?:\s[A-Za-z’'-]{{1,15}}){{0,2}}?)\s?(?:,\s)?(?:=|\bis\b|\bequals\b|\bmakes\b|,\swhich\sis\b|\()\s?"
    rf"(?P<value>{DIGITS})(?![\w:^°/%+*–-]|[.,][0-9])"
)


def _check_page(context: LintContext) -> LintResult:
    passages = context.figures_with(_EQUALS, _TOTAL, _PERCENT_OF)
    calculations = [calculation for text in passages for calculation in _find_calculations(text)]
    wrong = [calculation for calculation in calculations if not _is_correct(calculation)]
    problems = [_sum_problem(calculation) for calculation in _reported_sums(calculations, wrong)]
    totals = [(table, columns) for table in context.tables if (columns := find_columns(table))]
    problems += [problem for table, columns in totals for problem in find_wrong_totals(table, columns)]
    compared = [each.passage.span(each.start, each.stated_end) for each in calculations if _is_correct(each)]
    compared += [span for table, columns in totals for span in find_right_totals(table, columns)]
    facts = [
        _RoundedDivision(
            calculation.expression.value,
            calculation.stated,
            calculation.expression_text,
            calculation.span,
            calculation.passage.trail,
        )
        for calculation in calculations
        if _is_rounded_division(calculation)
    ]
    return LintResult(len(calculations), tuple(problems), tuple(facts), tuple(compared))


def _is_rounded_division(calculation: _Calculation) -> bool:
    return (
        _is_correct(calculation)
        and calculation.expression.value.denominator > 1
        and calculation.stated.denominator == 1
        and calculation.expression.value > 1
    )


def _find_calculations(passage: Passage) -> Iterator[_Calculation]:
    last = 0
    for equals in _EQUALS.finditer(passage.text):
        calculation = _parse_equation(passage, last, equals)
        if calculation:
            yield calculation
        last = equals.end()
    for total in _TOTAL.finditer(passage.text):
        yield from _find_totals(passage, total)
    for share in _PERCENT_OF.finditer(passage.text):
        yield from _percent_calculations(passage, share)


def _parse_equation(passage: Passage, last: int, equals: re.Match[str]) -> _Calculation | None:
    """Parse an equation: the expression before an equals sign (from `last` on) and the number after it."""
    result = _RESULT.match(passage.text, equals.end())
    left = _parse_before(passage.text, last, equals.start())
    if not result or not left:
        return None
    start, expression = left
    stated = parse_number(result["value"]) * (-1 if result["sign"] and result["sign"][0] != "+" else 1)
    calculation = _Calculation(
        passage, start, equals.start(), expression, (stated,), result["value"], *result.span("value")
    )
    if _is_correct(calculation):
        return calculation
    text_after = passage.text[equals.end() : equals.end() + _MAX_AFTER].partition("=")[0]
    right = longest_prefix(tokenize(text_after))
    if right and right[1].operands > 1:
        calculation = calculation._replace(values=(stated, right[1].value))
    return calculation if _is_correct(calculation) or _is_calculation(calculation) else None


def _parse_before(text: str, last: int, end: int) -> tuple[int, Expression] | None:
    """The expression that ends at an offset, if nothing before it belongs to it.

    `last` is the end of the previous equals sign, whose result may be the first operand.
    """
    line = text.rfind("\n", max(last, end - _MAX_BEFORE), end) + 1
    begin = max(last, end - _MAX_BEFORE, line)
    found_tokens = tokenize(text[begin:end])
    suffix = longest_suffix(found_tokens)
    if not suffix or suffix[1].operands < 2:
        return None
    at, expression = suffix
    chained = begin == last > 0
    result = found_tokens[0].kind == "sign" if chained else 0  # index of the previous result
    if at <= result and begin not in (0, line):
        return (begin + found_tokens[at].start, expression) if chained and _is_chained(found_tokens[at:]) else None
    before = found_tokens[result + 1 : at] if chained and found_tokens[result].kind == "number" else found_tokens[:at]
    return _start_with_sign(begin, found_tokens[at], before, expression)


def _is_chained(found_tokens: list[Token]) -> bool:
    """Whether the previous result is used again: it is in "= 5 + 1 = 6", but not in "= 5 +2 = 10"."""
    sign = found_tokens[1:2]
    return (
        bool(sign)
        and sign[0].kind == "sign"
        and (found_tokens[0].end == sign[0].start or sign[0].end < found_tokens[2].start)
    )


def _start_with_sign(
    begin: int, first: Token, before: list[Token], expression: Expression
) -> tuple[int, Expression] | None:
    """The start of an expression including the sign of its first number; None if an operand before it is unreadable."""
    if not before or before[-1].kind != "sign":
        return (begin + first.start, expression) if _is_independent(before) else None
    alone = len(before) < 2 or before[-2].text in (":", "(", ",")
    plus = before[-1].text == "+" and before[-1].end == first.start
    return (begin + before[-1].start, expression) if plus and alone else None


def _is_independent(before: list[Token]) -> bool:
    """Whether the tokens before an expression do not belong to it: no number, no word such as "plus"."""
    words = [token for token in before if token.text not in ("(", "[", "“", '"', "a", "an", "the")]
    if not words:
        return True
    if _continues_sum(before):
        return False
    last, others = words[-1], words[:-1]
    if last.text in (",", "&", "and", "or") and others:
        return others[-1].kind not in ("number", "close") and not others[-1].text[0].isdecimal()
    return last.kind not in ("number", "sign") and last.text.lower() not in _ADDING


def _continues_sum(before: Sequence[Token]) -> bool:
    """Whether an operator comes before the last words, so that they name an operand of a longer sum."""
    rest = list(before)
    while rest and rest[-1].kind == "word":
        rest.pop()
    if len(rest) < 2 or rest[-1].kind != "sign":
        return False
    return rest[-2].kind in ("number", "close") or (rest[-2].kind == "word" and rest[-1].text in "+*×·÷x")


def _find_totals(passage: Passage, total: re.Match[str]) -> Iterator[_Calculation]:
    """Sums with the word "total": "7+4+2 damage, a total of 13", "a total of 13 (7+4+2)"."""
    total_sum = _sum_in_brackets(passage.text, total) or _sum_before(passage.text, total)
    if not total_sum or _MORE_ADDED.search(sentence_after(passage.text, total.end())[:30]):
        return
    start, end, expression = total_sum
    calculation = _Calculation(
        passage, start, end, expression, (parse_number(total["value"]),), total["value"], *total.span("value")
    )
    if (
        _is_calculation(calculation)
        and expression.is_whole
        and not expression.percents
        and set(expression.operators) == {"+"}
    ):
        yield calculation


def _sum_before(text: str, total: re.Match[str]) -> tuple[int, int, Expression] | None:
    """The expression before "a total of", unless the words between add something."""
    gap = _GAP.search(text, max(total.start() - _MAX_BEFORE, 0), total.start())
    left = _parse_before(text, 0, gap.start()) if gap and not _MORE_ADDED.search(gap["gap"]) else None
    if not gap or not left or _MORE_ADDED.search(text[max(left[0] - 30, 0) : left[0]]):
        return None
    return left[0], gap.start(), left[1]


def _sum_in_brackets(text: str, total: re.Match[str]) -> tuple[int, int, Expression] | None:
    inside = _BRACKETED.match(text, total.end())
    if not inside:
        return None
    found_tokens = tokenize(inside[1])
    right = longest_prefix(found_tokens)
    return (*inside.span(1), right[1]) if right and right[0] == len(found_tokens) and right[1].operands > 1 else None


def _percent_calculations(passage: Passage, share: re.Match[str]) -> Iterator[_Calculation]:
    expression = Expression(Fraction(share["share"]) / 100 * parse_number(share["base"]), 2, "×", is_whole=False)
    calculation = _Calculation(
        passage,
        share.start(),
        share.end("base"),
        expression,
        (parse_number(share["value"]),),
        share["value"],
        *share.span("value"),
    )
    unit, other = share["unit"].strip(), _UNIT.match(passage.text, share.end())
    if (not unit or not other or unit.split()[-1] == other[1]) and _is_unmodified(calculation):
        yield calculation


def _sum_problem(calculation: _Calculation) -> Problem:
    message = (
        f"{calculation.expression_text} comes to {calculation.exact_text}, but the text says {calculation.stated_text}"
    )
    note = f"write {calculation.suggestion}, or change the number that is wrong before it"
    return Problem("sum-wrong", message, calculation.span, "error", (note,), calculation.passage.trail)


CHECK = Check("sum", "sums", _check_page, _check_book)
