"""The one Markdown parser: CommonMark and what authors of Material sites are used to."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from . import abbreviations, attributes, containers, inner_html, math, traces

DEEPEST = 100  # containers in containers; every list counts twice, for itself and its item
OPTIONS = {"maxNesting": DEEPEST, "alerts": True, "tasklists": True, "store_labels": True}


@cache
def parser(formulas: bool = False) -> MarkdownIt:
    """Footnotes stay where they are written, so that nothing in them is lost when nobody refers to them."""
    md = MarkdownIt("commonmark", OPTIONS).enable(["table", "strikethrough"]).disable("normalize")  # a paper is normal
    md.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    containers.install(md)
    inner_html.install(md)
    attributes.install(md)
    traces.install(md)
    abbreviations.install(md)
    if formulas:
        math.install(md)
    return md


def parse(text: str, formulas: bool = False) -> tuple[list[Token], dict[str, object]]:
    found: dict[str, object] = {}
    return parser(formulas).parse(text, found), found
