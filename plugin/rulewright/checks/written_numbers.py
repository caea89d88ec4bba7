"""Numbers as authors write them (84.4%, 0.844, 5/18, 1 in 6), and the formatting of chances and means in messages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from ..odds.distribution import Chance
from ..prose.number_words import match_portions
from ..source import Span

MOST_FRACTION_DIGITS = 61  # above and below the line; those of 200 bits
NUMBER_PATTERN = re.compile(
    r"(?P<hits>\d{1,15})\s+in\s+(?P<tries>\d{1,15})(?!\w)"
    rf"|(?P<over>[-−+]?\d{{1,{MOST_FRACTION_DIGITS}}})\s*/\s*(?P<under>\d{{1,{MOST_FRACTION_DIGITS}}})"
    r"|(?P<whole>[-−+]?\d{1,15})(?P<point>[.,](?P<digits>\d{1,15}))?(?P<percent>[\s\u00a0\u2009\u202f]*%)?",
    re.ASCII,
)
_MAX_FRACTION_BITS = 200  # bits of the numerator or the denominator; longer fractions are not shown


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number found in a text; `style` is percent, decimal, fraction, odds (1 in 6) or words (a third)."""

    value: Fraction
    style: str
    places: int
    separator: str  # the decimal separator
    percent_gap: str  # the space between the digits and the percent sign
    hits: int
    span: Span

    @property
    def text(self) -> str:
        return self.span.text

    @property
    def as_chance(self) -> Chance:
        return Chance(self.value, self.value)

    def agrees(self, value: Chance, is_chance: bool = False) -> bool | None:
        """Whether a value rounds to this number at the precision written; None if its bounds do not decide it.

        A chance of 1 or 0 means 100% or 0%, because nearly every chance would round to one of them."""
        number = replace(self, style="percent") if is_chance and self.is_bare else self
        low, high = number.rounds_to(value.low), number.rounds_to(value.high)
        if low and high:
            return True
        return False if value.exact is not None or number.is_outside(value) else None

    @property
    def is_bare(self) -> bool:
        """Whether this is a whole number without a percent sign."""
        return self.style == "decimal" and not self.places

    def rounds_to(self, value: Fraction) -> bool:
        if self.style in ("odds", "words"):
            return self.is_one_in(value)
        return abs(value - self.value) * 2 <= self.unit

    def is_one_in(self, value: Fraction) -> bool:
        """Whether "1 in 6" is close enough: equal after rounding to whole tries, and off by at most 5%."""
        if not value or not self.value:
            return value == self.value
        tries = self.hits / self.value
        return abs(self.hits / value - tries) <= min(Fraction(1, 2), tries / 20)

    def is_outside(self, value: Chance) -> bool:
        return value.high < self.value - self.unit or value.low > self.value + self.unit

    @property
    def unit(self) -> Fraction:
        """The value of one unit in the last digit written."""
        if self.style not in ("percent", "decimal"):
            return Fraction(0)
        return Fraction(1, 10**self.places * (100 if self.style == "percent" else 1))

    def percent_notes(self, is_chance: bool) -> tuple[str, ...]:
        """The question about a missing percent sign: a chance such as 70 is probably meant as 70%."""
        if not is_chance or self.style != "decimal" or self.value > 100:
            return ()
        if self.value > 1:
            return (f"did you mean {self.text}%?",)
        return (f"without a percent sign this is {int(self.value * 100)}%",) if self.is_bare and self.value >= 0 else ()

    def format_one_in(self, value: Fraction) -> str:
        if value <= 0 or not self.hits:
            return ""
        tries = round(self.hits / value)
        candidate = replace(self, value=Fraction(self.hits, tries)) if tries else self
        return f"{self.hits} in {tries}" if candidate.is_one_in(value) else ""

    def can_express(self, value: Fraction) -> bool:
        """Whether this style and number of decimals can write a value exactly."""
        times = 100 if self.style == "percent" else 1
        is_decimal = self.style in ("percent", "decimal")
        return self.style == "fraction" or (is_decimal and (value * times * 10**self.places).denominator == 1)

    def format_like(self, value: Fraction) -> str:
        """Another value in the same style; empty if the style cannot write it, such as 1/2 without decimals.

        A single digit is too coarse for a fix unless it is exact: 0.844 is no 0.8.
        """
        if self.style == "words":
            return ""
        if self.style == "odds":
            return self.format_one_in(value)
        if self.style == "fraction":
            return str(value) if _is_short(value) else ""
        times = 100 if self.style == "percent" else 1
        text = _format_decimal(value * times, self.places)
        if len(re.sub(r"\D", "", text).lstrip("0")) < 2 and not self.can_express(value):
            return ""
        text = text.replace(".", self.separator)
        return text + (f"{self.percent_gap}%" if self.style == "percent" else "")


def read_number(span: Span) -> WrittenNumber | None:
    """The number that makes up the whole span, or None."""
    match = NUMBER_PATTERN.fullmatch(span.text)
    return number_from_match(match, span) if match else None


def number_in_words(span: Span) -> WrittenNumber | None:
    """The only fraction in words of a text, such as "a third" or "one in six"."""
    found = list(match_portions(span.text))
    if len(found) != 1:
        return None
    match, hits, tries = found[0]
    return WrittenNumber(Fraction(hits, tries), "words", 0, ".", "", hits, span.subspan(*match.span()))


def number_from_match(match: re.Match[str], span: Span) -> WrittenNumber | None:
    """Converts a match of the pattern at `span`; None if it divides by 0."""
    if match["tries"]:
        hits, tries = int(match["hits"]), int(match["tries"])
        return WrittenNumber(Fraction(hits, tries), "odds", 0, ".", "", hits, span) if tries else None
    if match["under"]:
        under = int(match["under"])
        return (
            WrittenNumber(Fraction(_parse_integer(match["over"]), under), "fraction", 0, ".", "", 0, span)
            if under
            else None
        )
    digits, percent = match["digits"] or "", match["percent"] or ""
    value = Fraction(_parse_integer(match["whole"] + digits), 10 ** len(digits))
    style, separator = "percent" if percent else "decimal", (match["point"] or ".")[0]
    return WrittenNumber(value / 100 if percent else value, style, len(digits), separator, percent[:-1], 0, span)


def _parse_integer(text: str) -> int:
    return int(text.replace("−", "-"))


def _format_decimal(number: Fraction, places: int) -> str:
    """Formats a number with a fixed number of decimals, rounding halves away from 0."""
    scaled = (2 * abs(number) * 10**places + 1) // 2
    text = str(scaled).rjust(places + 1, "0")
    sign = "-" if number < 0 and scaled else ""
    return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)


def format_value(value: Chance, is_chance: bool, beside: Chance | None = None) -> str:
    """A chance as a percentage or a mean as a decimal, with enough digits to differ from `beside`."""
    for places in range(2, 16):
        text = _format_rounded(value, is_chance, places)
        if beside is None or value == beside or text != _format_rounded(beside, is_chance, places):
            break
    return text


def _format_rounded(value: Chance, is_chance: bool, places: int) -> str:
    bounds = dict.fromkeys((value.low, value.high))
    ends = [_strip_zeros(_format_decimal(end * (100 if is_chance else 1), places)) for end in bounds]
    sign = "%" if is_chance else ""
    return f"between {ends[0]}{sign} and {ends[1]}{sign}" if len(ends) == 2 else f"{ends[0]}{sign}"


def _strip_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_with_fraction(value: Chance, is_chance: bool, beside: Chance | None = None) -> str:
    """The exact fraction and the rounded value: `5/18 ≈ 27.78%`."""
    text = format_value(value, is_chance, beside)
    if value.exact is None:
        return text
    exact = str(value.exact) if _is_short(value.exact) else f"a fraction of {_count_digits(value.exact):,} digits"
    sign = "=" if is_exact(value.exact, text) else "≈"
    return text if exact == text else f"{exact} {sign} {text}"


def is_exact(value: Fraction, text: str) -> bool:
    """Whether the formatted text equals the value, without rounding."""
    times = 100 if text.endswith("%") else 1
    return Fraction(text.rstrip("%")) == value * times


def _is_short(value: Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= _MAX_FRACTION_BITS


def _count_digits(value: Fraction) -> int:
    """The approximate number of digits in the numerator and the denominator."""
    return int((value.numerator.bit_length() + value.denominator.bit_length()) * 0.30103) + 1
