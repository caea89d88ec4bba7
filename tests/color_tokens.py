"""Color tokens of a style sheet, and the contrast between two colors."""

from __future__ import annotations

import re
from collections.abc import Mapping

DECLARATION = re.compile(r"--([\w-]+):\s*([^;]+);")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
Color = tuple[float, float, float]
Tokens = Mapping[str, str]


def read_tokens(sheet: str, scheme: str) -> dict[str, str]:
    """The tokens of a color scheme: rules that name the scheme override those that name none."""
    plain = re.sub(r"/\*.*?\*/", "", sheet.split("@media (forced-colors")[0].split("@media print")[0], flags=re.DOTALL)
    declared: dict[str, str] = {}
    for selector, body in RULE.findall(plain):
        named = "data-md-color-scheme" in selector
        if ":root" in selector or (named and (f'"{scheme}"' in selector or "[data-md-color-scheme]" in selector)):
            declared |= dict(DECLARATION.findall(body))
    return declared


def resolve_color(known: Tokens, name: str) -> Color:
    """The color of a token, resolved through other tokens."""
    value = known[name]
    while inner := re.fullmatch(r"var\(--([\w-]+)\)", value):
        value = known[inner[1]]
    digits = value.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def blend(front: Color, back: Color, opacity: float) -> Color:
    red, green, blue = (opacity * value + (1 - opacity) * other for value, other in zip(front, back, strict=True))
    return red, green, blue


def luminance(color: Color) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast_ratio(first: Color, other: Color) -> float:
    """The contrast ratio as defined by WCAG, from 1 to 21."""
    dark, light = sorted((luminance(first), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
