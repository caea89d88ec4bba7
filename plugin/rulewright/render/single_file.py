"""Export as one HTML file that works without a server, network or other files."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path as File
from typing import NamedTuple
from urllib.parse import quote

from .cards.card import environment
from .export import Edition, Made, Watch
from .export_page import Binder, Leaf, shown_headings
from .scripts import scripts_scripts, tight

WEB = File(__file__).parents[1] / "web"
STYLES = ("rulewright.css", "book.css")
KINDS = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml",
    ".webp": "image/webp",
}  # fmt: skip
DARK = re.compile(r'@media screen \{\s*\[data-md-color-scheme="slate"\] (\{[^{}]*\})\s*\}')
TERM = re.compile(r'<abbr class="rulewright-term" title="([^"]*)" tabindex="0">')


class Entry(NamedTuple):
    """An entry of the table of contents; `part` is a title above it and those that follow."""

    part: str
    is_deep: bool
    title: str
    address: str
    below: list[tuple[str, str]]


class OneFile:
    """The single HTML file as an export format."""

    top = 2  # the first level is the title of the book

    def id(self, name: str, anchor: str) -> str:
        return f"{name}:{anchor}" if anchor else name

    def address(self, here: str, there: str, anchor: str) -> str:
        del here
        return "#" + quote(self.id(there, anchor), safe="/:")

    def picture(self, file: File) -> str:
        return f"data:{KINDS[file.suffix.lower()]};base64,{b64encode(file.read_bytes()).decode()}"

    def card(self, html: str) -> str:
        """Cards are no landmarks in one long page, where landmark names must be unique."""
        return html.replace('role="region"', 'role="group"')


def make(edition: Edition, watch: Watch) -> Made:
    """Export the book as HTML."""
    binder = Binder(edition, OneFile())
    leaves = told_once(binder.leaves(watch))
    watch("")
    found = scripts_scripts(edition, "".join(leaf.html for leaf in leaves))
    page = (
        environment(edition.overrides)
        .get_template("book.html")
        .render(
            title=edition.title,
            version=edition.compiled.options.version,
            language=edition.words.language,
            words=edition.words,
            contents=[entry(binder, leaf) for leaf in leaves],
            leaves=leaves,
            styles=styles(),
            scripts=found,
            policy=policy(found.texts),
        )
    )
    return page.encode(), binder.problems


def told_once(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Keep the explanation of a term at its first use only; the script of the file copies it to the others."""
    numbers: dict[str, int] = {}

    def shorter(found: re.Match[str]) -> str:
        title = found[1]
        told = "" if title in numbers else f' title="{title}"'
        return f'<abbr data-term="{numbers.setdefault(title, len(numbers))}"{told}>'

    return [leaf._replace(html=TERM.sub(shorter, leaf.html)) for leaf in leaves]


def entry(binder: Binder, leaf: Leaf) -> Entry:
    def go(anchor: str) -> str:
        return binder.form.address(leaf.name, leaf.name, anchor)

    below = [(heading.text, go(heading.id)) for heading in shown_headings(leaf.page, 1)]
    return Entry(leaf.placed.part, leaf.placed.depth > 0, leaf.page.title, go(""), below)


def styles(names: Iterable[str] = STYLES) -> str:
    """The styles minified, with the dark scheme also for readers whose system prefers it."""
    whole = "\n".join((WEB / name).read_text(encoding="utf-8") for name in names)
    asked, unasked = ':root[data-md-color-scheme="slate"]', ':root:not([data-md-color-scheme="default"])'
    both = rf"@media screen {{{asked}\1}}@media screen and (prefers-color-scheme: dark) {{{unasked}\1}}"
    return tight(DARK.sub(both, whole))


def policy(texts: Iterable[str]) -> str:
    """The content security policy: own scripts by hash, embedded pictures, no network."""
    own = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]
    rules = {"default-src": ["'none'"], "img-src": ["data:"], "style-src": ["'unsafe-inline'"], "script-src": own}
    rules |= {"base-uri": ["'none'"], "form-action": ["'none'"]}
    return "; ".join(f"{name} {' '.join(allowed)}" for name, allowed in rules.items())
