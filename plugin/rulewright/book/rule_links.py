"""Links to rules (`roll:`, `chance:`, `value:`) and typos in their schemes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..source import Problem
from .blocks import PageBuilder, is_one_typo
from .page import Link, MappedText

SCHEMES = ("roll", "chance", "value")


_ORDINARY_WORDS = ("poll", "toll", "role", "change", "valve")  # ordinary words


_SCHEME = re.compile(r"([a-z]{3,8}):(?!//)", re.IGNORECASE)


_OTHER_SCHEMES = {"odds": "chance", "probability": "chance", "dice": "roll"}  # only with settings after a `?`


_SPACED_LINK = re.compile(rf"\]\(\s*(({'|'.join(SCHEMES)}):[^()\n]*?)\s*\)")


_OTHER_LINK_KINDS = ("image", "wiki", "autolink")


def is_rule_link(link: Link) -> bool:
    """True for a link with one of our schemes."""
    return link.target.partition(":")[0].lower() in SCHEMES


def check_schemes(links: Iterable[Link]) -> Iterator[Problem]:
    """Warn about schemes that are one typo away from ours."""
    for link in links:
        match = _SCHEME.match(link.target) if link.kind not in _OTHER_LINK_KINDS else None
        if match and (scheme := _nearest_scheme(match[1].lower(), "?" in link.target)):
            span = link.span.subspan(0, match.end()) if link.span.text == link.target else link.span
            message = f"`{match[0]}` is no kind of link, so nobody rolls or checks this"
            yield Problem(f"link-{scheme}", message, span, "warning", (f"did you mean {scheme}:?",), link.trail)


def check_spaced_link(builder: PageBuilder, content: str, shown: Iterable[str], text: MappedText) -> None:
    """Warn about links of ours that hold a space, so that readers see them as text; `shown` is what is no code."""
    for match in _SPACED_LINK.finditer(content):
        if " " in match[1] and any(match[0] in piece for piece in shown):
            target = re.sub(r":\s+", ":", match[1])
            target = re.sub(r"\s*[,;&]\s*(?=\w+[=: ])", "&", target)
            target = re.sub(r"(?<=[?&])(\w+)\s+", r"\1=", target).replace(" ", "+")
            message = "a link has no spaces, so this is shown as text and not checked"
            builder.report_warning(f"link-{match[2].lower()}", message, text.span(*match.span(1)), f"write {target}")


def _nearest_scheme(scheme: str, has_settings: bool) -> str:
    """The scheme that is one typo away, or the one that another word means; empty without one."""
    if has_settings and scheme in _OTHER_SCHEMES:
        return _OTHER_SCHEMES[scheme]
    if scheme in SCHEMES or scheme in _ORDINARY_WORDS:
        return ""
    return next((known for known in SCHEMES if is_one_typo(scheme, known)), "")
