"""Links to rules (`roll:`, `chance:`, `value:`) and typos in their schemes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..source import Problem
from .blocks import is_one_typo
from .page import Link

SCHEMES = ("roll", "chance", "value")


_ORDINARY_WORDS = ("poll", "toll", "role", "change", "valve")  # ordinary words


_SCHEME = re.compile(r"([a-z]{3,8}):(?!//)", re.IGNORECASE)


_OTHER_LINK_KINDS = ("image", "wiki", "autolink")


def is_rule_link(link: Link) -> bool:
    """True for a link with one of our schemes."""
    return link.target.partition(":")[0].lower() in SCHEMES


def check_schemes(links: Iterable[Link]) -> Iterator[Problem]:
    """Warn about schemes that are one typo away from ours."""
    for link in links:
        match = _SCHEME.match(link.target) if link.kind not in _OTHER_LINK_KINDS else None
        if match and (scheme := _nearest_scheme(match[1].lower())):
            span = link.span.subspan(0, match.end()) if link.span.text == link.target else link.span
            message = f"`{match[0]}` is no kind of link, so nobody rolls or checks this"
            yield Problem(f"link-{scheme}", message, span, "warning", (f"did you mean {scheme}:?",), link.trail)


def _nearest_scheme(scheme: str) -> str:
    """The scheme that is one typo away; empty without one."""
    if scheme in SCHEMES or scheme in _ORDINARY_WORDS:
        return ""
    return next((known for known in SCHEMES if is_one_typo(scheme, known)), "")
