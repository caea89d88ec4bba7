"""Links to rules (`roll:`, `chance:`, `value:`) and typos in their schemes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..source import Problem
from .blocks import is_one_slip
from .page import Link

SCHEMES = ("roll", "chance", "value")


OTHERS = ("poll", "toll", "role", "change", "valve")  # ordinary words


WRITTEN = re.compile(r"([a-z]{3,8}):(?!//)", re.IGNORECASE)


OWN_WAY = ("image", "wiki", "autolink")


def asks(link: Link) -> bool:
    """True for a link with one of our schemes."""
    return link.target.partition(":")[0].lower() in SCHEMES


def misspelt(links: Iterable[Link]) -> Iterator[Problem]:
    """Warn about schemes that are one typo away from ours."""
    for link in links:
        found = WRITTEN.match(link.target) if link.kind not in OWN_WAY else None
        if found and (meant := near(found[1].lower())):
            span = link.span.part(0, found.end()) if link.span.text == link.target else link.span
            message = f"`{found[0]}` is no kind of link, so nobody rolls or checks this"
            yield Problem(f"link-{meant}", message, span, "warning", (f"did you mean {meant}:?",), link.trail)


def near(scheme: str) -> str:
    """The scheme that is one typo away; empty without one."""
    if scheme in SCHEMES or scheme in OTHERS:
        return ""
    return next((known for known in SCHEMES if is_one_slip(scheme, known)), "")
