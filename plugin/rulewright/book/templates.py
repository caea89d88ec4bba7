"""Links that a template makes of something in the text of a page, and files that are put into a page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from ..text import Span
from .model import Link, Page

BY_DIALECT = {
    "Hugo": re.compile(r"""\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["']([^"'\n]{1,300})["'][^{}\n]{0,200}[>%]\}\}"""),
    "Jekyll": re.compile(r"\{%-?\s*link\s+([^\s{}%]{1,300})\s*-?%\}(?:#[\w-]{1,200})?"),
    "mdBook": re.compile(r"(?<!\\)\{\{\s*#(?:rustdoc_)?(?:include|playground)\s+([^\s:{}]{1,300})[^{}\n]{0,200}\}\}"),
}
PUT_IN = re.compile(
    r"""--8<--\s+["']([^"'\n]{1,300})|\{\{\s*#(?:rustdoc_)?include\s+([^\s:{}]{1,300})|<!--\s*@include:\s*([^\s{}]{1,300})"""
    r"""|\{%-?\s*include\S{0,20}\s+["']?([^\s"'{}%]{1,300})|\{\{[<%]\s*\S{0,20}include\S{0,20}\s+["']?([^\s"'{}%]{1,300})"""
    r"""|\{!\s*([^\s!{}]{1,300})|^import\s+\w{1,80}\s+from\s+["']([^"'\n]{1,300}\.mdx?)["']""",
    re.MULTILINE,
)
JEKYLL_BASE = re.compile(
    r"""\{\{\s*(?:site\.(?:baseurl|url)|["']([^"'{}\n]*)["']\s*\|\s*(?:relative|absolute)_url)\s*\}\}"""
)
FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})", re.MULTILINE)
INLINE = re.compile(r"`[^`\n]{1,300}`")
BASED = re.compile(r"\]\((\{\{[^{}\n]{1,200}\}\}[^\s(){}]{0,300})\)")


def template_links(page: Page, dialect: str) -> Iterator[Link]:
    """Those that no Markdown parser sees, outside of code and comments."""
    expression = BY_DIALECT.get(dialect)
    if expression is None:
        return
    text, code = page.source.text, Code(page)
    for found in expression.finditer(text):
        if found.start() not in code:
            span = Span(page.source, found.start(1), found.end(1))
            anchor = found[0].rpartition("}")[2]
            yield Link("", span.text + anchor, span, "include" if dialect == "mdBook" else "template", ())
    if dialect == "Jekyll":
        known = {link.span.start for link in page.links}
        for found in BASED.finditer(text):
            if found.start(1) not in known and found.start() not in code:
                yield Link("", found[1], Span(page.source, found.start(1), found.end(1)), "inline", ())


def fenced(text: str) -> Iterator[tuple[int, int]]:
    """From the opening line of each fence to its closing one, or to the end."""
    opened: re.Match[str] | None = None
    for found in FENCE.finditer(text):
        if opened is None:
            opened = found
        elif found[1].startswith(opened[1]):
            yield opened.start(), found.end()
            opened = None
    if opened:
        yield opened.start(), len(text)


class Code:
    """The places of a page that are code or comment."""

    def __init__(self, page: Page) -> None:
        text = page.source.text
        found = [*fenced(text), *((span.start, span.end) for span in page.comments)]
        found += [stretch.span() for stretch in INLINE.finditer(text)]
        found.sort()
        self.begins = [begin for begin, _ in found]
        self.ends = list(accumulate((end for _, end in found), max))

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self.begins, place)
        return before > 0 and place < self.ends[before - 1]


def put_in(page: Page) -> list[str]:
    """The files of which this page shows the text."""
    return [next(filter(None, found.groups())) for found in PUT_IN.finditer(page.source.text)]


def without_base(target: str) -> str:
    """`{{ site.baseurl }}/combat` counts from the root, whatever the base is."""
    return JEKYLL_BASE.sub(lambda found: found[1] or "", target)
