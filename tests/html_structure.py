"""The block structure of HTML: which lists, quotes, tables, headings, terms and code stand in one another."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin

BLOCKS = {
    "ul",
    "ol",
    "li",
    "blockquote",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "dl",
    "dt",
    "dd",
    "pre",
    "p",
    "hr",
}
BLOCKS |= {f"h{level}" for level in range(1, 7)}
VOID = {"hr"}


class Outline(HTMLParser):
    """Tags of blocks in order, and the letters and figures of what stands in them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.words: list[str] = []
        self.hidden: list[str] = []  # what no page has by itself

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if self.hidden or named.get("class") in ("headerlink", "footnote", "toc", "rulewright-block"):
            if tag not in ("br", "hr", "img", "input"):
                self.hidden.append(tag)
        elif tag in BLOCKS:
            self.flush()
            self.found.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden:
            self.hidden.pop()
        elif tag in BLOCKS - VOID:
            self.flush()
            self.found.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words.append("".join(sign for sign in data if sign.isalnum()))

    def flush(self) -> None:
        words = "".join(self.words)
        self.words.clear()
        if words:
            self.found.append(words)


def structure(html: str) -> list[str]:
    outline = Outline()
    outline.feed(html)
    outline.close()
    outline.flush()
    return outline.found


def by_itself(text: str) -> list[str]:
    """What markdown-it-py alone makes of a text."""
    return structure(MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(deflist_plugin).render(text))
