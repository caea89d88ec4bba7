"""A badge as an SVG picture: "rules | 603 checked" in green, or "rules | 3 errors" in red. It needs no other site."""

from __future__ import annotations

from xml.sax.saxutils import escape

from ..compile.books import Compiled
from .reports import format_problem_counts
from .text_width import width

_LABEL = "rules"
_GREEN, _AMBER, _RED, _GRAY = "#2d7a34", "#8a5a00", "#b3261e", "#454545"  # each has a contrast above 4.5 with white
_PIXELS_OF_A_LETTER, _MARGIN, _HEIGHT = 6.5, 6, 20


def format_badge(compiled: Compiled) -> str:
    """The badge of one or several books. Remarks do not count."""
    problems = [problem for problem in compiled.problems if problem.severity != "info"]
    has_errors = any(problem.severity == "error" for problem in problems)
    color = _RED if has_errors else _AMBER if problems else _GREEN
    return _draw(format_problem_counts(problems) if problems else _checked(compiled), color)


def format_coverage_badge(percent: int) -> str:
    """The badge of `rulewright coverage`."""
    color = _GREEN if percent >= 80 else _AMBER if percent >= 50 else _RED
    return _draw(f"{percent} % covered", color, "numbers")


def _checked(compiled: Compiled) -> str:
    """The number of blocks; without any, no rule was checked."""
    return f"{len(compiled.blocks):,} checked" if compiled.blocks else "no problems"


def _draw(words: str, color: str, label: str = _LABEL) -> str:
    left, right = (round(width(part) * _PIXELS_OF_A_LETTER) + 2 * _MARGIN for part in (label, words))
    name = escape(f"{label}: {words}", {'"': "&quot;"})
    texts = "".join(
        f'<text x="{start + _MARGIN}" y="14" textLength="{size - 2 * _MARGIN}">{escape(part)}</text>'
        for part, start, size in ((label, 0, left), (words, left, right))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f'aria-label="{name}"><title>{name}</title>'
        f'<clipPath id="r"><rect width="{left + right}" height="{_HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><path fill="{_GRAY}" d="M0 0h{left}v{_HEIGHT}H0z"/>'
        f'<path fill="{color}" d="M{left} 0h{right}v{_HEIGHT}H{left}z"/></g>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g></svg>'
    )
