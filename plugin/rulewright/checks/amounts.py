"""Numbers as authors write them (84.4%, 0.844, 5/18, 1 in 6), and the formatting of chances and means in messages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from ..odds.distribution import Chance
from ..source import Span

NUMBER = re.compile(
    r"(?P<hits>\d{1,15})\s+in\s+(?P<tries>\d{1,15})(?!\w)"
    r"|(?P<over>[-−+]?\d{1,15})\s*/\s*(?P<under>\d{1,15})"
    r"|(?P<whole>[-−+]?\d{1,15})(?P<point>[.,](?P<digits>\d{1,15}))?(?P<percent>[\s\u00a0\u2009\u202f]*%)?",
    re.ASCII,
)
LONGEST_FRACTION = 200  # bits of the numerator or the denominator; longer fractions are not shown


@dataclass(frozen=True, slots=True)
class Written:
    """A number found in a text; `style` is percent, decimal, fraction or odds (1 in 6)."""

    value: Fraction
    style: str
    places: int
    point: str  # the decimal separator
    gap: str  # the space between the digits and the percent sign
    hits: int
    span: Span

    @property
    def text(self) -> str:
        return self.span.text

    @property
    def exactly(self) -> Chance:
        return Chance(self.value, self.value)

    def agrees(self, value: Chance) -> bool | None:
        """Whether a value rounds to this number at the precision written; None if its bounds do not decide it."""
        low, high = self.rounds_to(value.low), self.rounds_to(value.high)
        if low and high:
            return True
        return False if value.exact is not None or self.outside(value) else None

    def rounds_to(self, value: Fraction) -> bool:
        if self.style == "odds":
            return self.is_one_in(value)
        return abs(value - self.value) * 2 <= self.unit

    def is_one_in(self, value: Fraction) -> bool:
        """Whether "1 in 6" is close enough: equal after rounding to whole tries, and off by at most 5%."""
        if not value or not self.value:
            return value == self.value
        tries = self.hits / self.value
        return abs(self.hits / value - tries) <= min(Fraction(1, 2), tries / 20)

    def outside(self, value: Chance) -> bool:
        return value.high < self.value - self.unit or value.low > self.value + self.unit

    @property
    def unit(self) -> Fraction:
        """The value of one unit in the last digit written."""
        if self.style not in ("percent", "decimal"):
            return Fraction(0)
        return Fraction(1, 10**self.places * (100 if self.style == "percent" else 1))

    def one_in(self, value: Fraction) -> str:
        if value <= 0 or not self.hits:
            return ""
        tries = round(self.hits / value)
        again = replace(self, value=Fraction(self.hits, tries)) if tries else self
        return f"{self.hits} in {tries}" if again.is_one_in(value) else ""

    def can_say(self, value: Fraction) -> bool:
        """Whether this style and number of decimals can write a value exactly."""
        times = 100 if self.style == "percent" else 1
        return self.style == "fraction" or (self.style != "odds" and (value * times * 10**self.places).denominator == 1)

    def like_this(self, value: Fraction) -> str:
        """Another value in the same style; empty if the style cannot write it, such as 1/2 without decimals."""
        if self.style == "decimal" and not self.places and 0 < value < 1:
            return ""
        if self.style == "odds":
            return self.one_in(value)
        if self.style == "fraction":
            return str(value) if is_short(value) else ""
        times = 100 if self.style == "percent" else 1
        text = fixed(value * times, self.places).replace(".", self.point)
        return text + (f"{self.gap}%" if self.style == "percent" else "")


def read_number(span: Span) -> Written | None:
    """The number that makes up the whole span, or None."""
    found = NUMBER.fullmatch(span.text)
    return written(found, span) if found else None


def written(found: re.Match[str], span: Span) -> Written | None:
    """Converts a match of the pattern at `span`; None if it divides by 0."""
    if found["tries"]:
        hits, tries = int(found["hits"]), int(found["tries"])
        return Written(Fraction(hits, tries), "odds", 0, ".", "", hits, span) if tries else None
    if found["under"]:
        under = int(found["under"])
        return Written(Fraction(whole(found["over"]), under), "fraction", 0, ".", "", 0, span) if under else None
    digits, percent = found["digits"] or "", found["percent"] or ""
    value = Fraction(whole(found["whole"] + digits), 10 ** len(digits))
    style, point = "percent" if percent else "decimal", (found["point"] or ".")[0]
    return Written(value / 100 if percent else value, style, len(digits), point, percent[:-1], 0, span)


def whole(text: str) -> int:
    return int(text.replace("−", "-"))


def fixed(number: Fraction, places: int) -> str:
    """Formats a number with a fixed number of decimals, rounding halves away from 0."""
    scaled = (2 * abs(number) * 10**places + 1) // 2
    text = str(scaled).rjust(places + 1, "0")
    sign = "-" if number < 0 and scaled else ""
    return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)


def said(value: Chance, is_chance: bool, beside: Chance | None = None) -> str:
    """A chance as a percentage or a mean as a decimal, with enough digits to differ from `beside`."""
    for places in range(2, 16):
        text = rounded(value, is_chance, places)
        if beside is None or value == beside or text != rounded(beside, is_chance, places):
            break
    return text


def rounded(value: Chance, is_chance: bool, places: int) -> str:
    ends = [trimmed(fixed(end * (100 if is_chance else 1), places)) for end in dict.fromkeys(value)]
    sign = "%" if is_chance else ""
    return f"between {ends[0]}{sign} and {ends[1]}{sign}" if len(ends) == 2 else f"{ends[0]}{sign}"


def trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def both_ways(value: Chance, is_chance: bool, beside: Chance | None = None) -> str:
    """The exact fraction and the rounded value: `5/18 ≈ 27.78%`."""
    shown = said(value, is_chance, beside)
    if value.exact is None:
        return shown
    exact = str(value.exact) if is_short(value.exact) else f"a fraction of {digits(value.exact):,} digits"
    sign = "=" if is_exact(value.exact, shown) else "≈"
    return shown if exact == shown else f"{exact} {sign} {shown}"


def is_exact(value: Fraction, shown: str) -> bool:
    """Whether the formatted text equals the value, without rounding."""
    times = 100 if shown.endswith("%") else 1
    return Fraction(shown.rstrip("%")) == value * times


def is_short(value: Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= LONGEST_FRACTION


def digits(value: Fraction) -> int:
    """The approximate number of digits in the numerator and the denominator."""
    return int((value.numerator.bit_length() + value.denominator.bit_length()) * 0.30103) + 1
