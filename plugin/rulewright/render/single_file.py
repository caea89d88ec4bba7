"""Export as one HTML file that works without a server, network or other files."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path as File
from typing import NamedTuple
from urllib.parse import quote
from xml.etree.ElementTree import Element

from .cards.card import jinja_environment
from .export import BookExport, ExportResult, ProgressCallback
from .export_page import BookRenderer, RenderedPage, shown_headings
from .scripts import book_scripts, minify_style
from .tooltips import TERM_CLASS

WEB = File(__file__).parents[1] / "web"
_STYLES = ("rulewright.css", "rolling.css", "book.css")
KINDS = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml",
    ".webp": "image/webp",
}  # fmt: skip
_DARK = re.compile(r'@media screen \{\s*(?::where\()?\[data-md-color-scheme="slate"\]\)? (\{[^{}]*\})\s*\}')


class _ContentsEntry(NamedTuple):
    """An entry of the table of contents; `part` is a title above it and those that follow."""

    part: str
    is_deep: bool
    title: str
    address: str
    below: list[tuple[str, str]]


class _SingleFileFormat:
    """The single HTML file as an export format."""

    top = 2  # the first level is the title of the book
    card_element = "rule-card"

    def __init__(self) -> None:
        self.explanations: dict[str, int] = {}  # of terms, with their numbers

    def id(self, name: str, anchor: str) -> str:
        return f"{name}:{anchor}" if anchor else name

    def address(self, here: str, there: str, anchor: str) -> str:
        del here
        return "#" + quote(self.id(there, anchor), safe="/:")

    def picture(self, file: File) -> str:
        return f"data:{KINDS[file.suffix.lower()]};base64,{b64encode(file.read_bytes()).decode()}"

    def card(self, html: str) -> str:
        return html

    def finish(self, root: Element) -> None:
        """Keep the explanation of a term at its first use only; the script of the file copies it to the others."""
        for element in root.iter("abbr"):
            if element.get("class") == TERM_CLASS:
                title = element.get("title", "")
                first = {} if title in self.explanations else {"title": title}
                number = self.explanations.setdefault(title, len(self.explanations))
                element.attrib = {"data-term": str(number), **first}


def make(export: BookExport, report_progress: ProgressCallback) -> ExportResult:
    """Export the book as HTML."""
    renderer = BookRenderer(export, _SingleFileFormat())
    rendered_pages = renderer.render_pages(report_progress)
    report_progress("")
    scripts = book_scripts(export)
    page = (
        jinja_environment()
        .get_template("book.html")
        .render(
            title=export.title,
            version=export.compiled.options.version,
            language=export.words.language,
            words=export.words,
            contents=[_contents_entry(renderer, rendered) for rendered in rendered_pages],
            leaves=rendered_pages,
            styles=style_sheet(),
            scripts=scripts,
            policy=_content_policy(script.text for script in scripts),
        )
    )
    return page.encode(), renderer.problems


def _contents_entry(renderer: BookRenderer, rendered: RenderedPage) -> _ContentsEntry:
    def go(anchor: str) -> str:
        return renderer.form.address(rendered.name, rendered.name, anchor)

    below = [(heading.text, go(heading.id)) for heading in shown_headings(rendered.page, 1)]
    return _ContentsEntry(rendered.entry.part, rendered.entry.depth > 0, rendered.page.title, go(""), below)


def style_sheet(names: Iterable[str] = _STYLES) -> str:
    """The styles minified, with the dark scheme also for readers whose system prefers it."""
    whole = "\n".join((WEB / name).read_text(encoding="utf-8") for name in names)
    chosen, automatic = ':root[data-md-color-scheme="slate"]', ':root:not([data-md-color-scheme="default"])'
    both = rf"@media screen {{{chosen}\1}}@media screen and (prefers-color-scheme: dark) {{{automatic}\1}}"
    return minify_style(_DARK.sub(both, whole))


def _content_policy(texts: Iterable[str]) -> str:
    """The content security policy: own scripts by hash, embedded pictures, no network."""
    own = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]
    rules = {"default-src": ["'none'"], "img-src": ["data:"], "style-src": ["'unsafe-inline'"], "script-src": own}
    rules |= {"base-uri": ["'none'"], "form-action": ["'none'"]}
    return "; ".join(f"{name} {' '.join(allowed)}" for name, allowed in rules.items())
