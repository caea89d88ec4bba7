"""Adapts a Markdown instance: our tokens replace its parsers, while its highlighting, math and contents stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ElementTree

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions.abbr import AbbrTreeprocessor
from markdown.extensions.toc import TocExtension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, HTML_PLACEHOLDER_RE, STX

from ..book.rule_links import SCHEMES
from .elements import MARKER_TAGS

RULE_LINK = re.compile(rf"({'|'.join(SCHEMES)}):(.*)", re.DOTALL | re.IGNORECASE)
_BROKEN_LINK = "data-rulewright-lost"


def _get_item(registry: Any, name: str) -> Any:
    """The item of this name, or None; a Registry has no `get`."""
    return registry[name] if name in registry else None  # noqa: SIM401


class _IdlePreprocessor(Preprocessor):
    """Replaces the preprocessor of fences: changes nothing, but still provides its settings to others."""

    def __init__(self, fences: Any) -> None:
        self.fences = fences

    def __getattr__(self, name: str) -> Any:
        return getattr(self.fences, name)

    def run(self, lines: list[str]) -> list[str]:
        return lines


class _TailKeeper(Treeprocessor):
    """Wraps a highlighter and restores the text after the code, which it drops."""

    def __init__(self, inner: Treeprocessor) -> None:
        super().__init__(inner.md)
        self.inner = inner

    def run(self, root: Element) -> None:
        tails = [(element, element.tail) for element in root.iter("pre")]
        self.inner.run(root)
        for element, tail in tails:
            element.tail = tail


class _ControlCharacterFilter(Preprocessor):
    """Removes the control characters that Python-Markdown uses internally."""

    def run(self, lines: list[str]) -> list[str]:
        return [line.replace(STX, "").replace(ETX, "") for line in lines]


class TreeFinisher(Treeprocessor):
    """Finishes the tree: broken links, roll links, empty header cells, search exclusion of the contents."""

    def run(self, root: Element) -> None:
        for element in [*root.iter("a"), *root.iter("img")]:
            if _BROKEN_LINK in element.attrib:
                _restore_address(element)
            elif element.tag == "a" and (match := RULE_LINK.match(element.get("href", ""))):
                link_to_span(element, match)
        for element in [*root.iter("th")]:
            if not len(element) and not (element.text or "").strip():
                element.tag = "td"  # an empty header cell describes nothing
        contents = getattr(_get_item(self.md.treeprocessors, "toc"), "toc_class", "toc")
        for element in root.iter("div"):
            if element.get("class") == contents:
                element.set("data-search-exclude", "")


def _restore_address(element: Element) -> None:
    """Give a broken link back the address that the author wrote."""
    name = "src" if element.tag == "img" else "href"
    written = element.attrib.pop(_BROKEN_LINK)
    if written:
        element.set(name, written)
    else:
        del element.attrib[name]


def link_to_span(element: Element, match: re.Match[str]) -> None:
    """Turn a link such as `roll:…` into a `span` with data attributes, for the scripts."""
    element.tag = "span"
    element.attrib.pop("href")
    kind = match[1].lower()
    element.set("class", f"{element.get('class', '')} rulewright-{kind}".strip())
    element.set(f"data-{kind}", match[2])


# Names of registered processors that our parser replaces.
_REPLACED_PATTERNS = (
    "backtick", "escape", "reference", "link", "image_link", "image_reference", "short_reference", "short_image_ref",
    "autolink", "automail", "linebreak", "html", "entity", "not_strong", "em_strong2", "strong_em",
    "strong_em2", "strong", "emphasis", "strong2", "emphasis2", "hardbreak", "footnote", "arithmatex-inline",
)  # fmt: skip
_REPLACED_PREPROCESSORS = ("normalize_whitespace", "html_block", "fenced_code_block", "fenced_raw_block", "meta")
_EMPHASIS = ("delimiter", "em_strong")  # one pattern for the markers of several extensions
_REPLACED_PROCESSORS = (
    "markdown.blockprocessors", "markdown.extensions.abbr", "markdown.extensions.admonition",
    "markdown.extensions.def_list", "markdown.extensions.footnotes", "markdown.extensions.md_in_html",
    "markdown.extensions.sane_lists", "markdown.extensions.tables", "pymdownx.arithmatex", "pymdownx.details",
    "pymdownx.quotes", "pymdownx.saneheaders", "pymdownx.superfences", "pymdownx.tabbed",
)  # fmt: skip
_HIGHLIGHTERS = ("hilite", "indent-highlight")  # of indented code
_BACKTICKS = re.compile(r"`+")
_DEAD_ADDRESS = "#"


class PythonMarkdown:
    """The host for a Markdown instance: removes the processors that our parser replaces, and calls some itself."""

    contents = "[TOC]"

    def __init__(self, md: Markdown) -> None:
        self.md = md
        self.fences: Any = _get_item(md.preprocessors, "fenced_code_block")
        self.backticks: Any = _get_item(md.inlinePatterns, "backtick")
        self.markers: Mapping[str, str] = {
            marker: tag for marker, tag in MARKER_TAGS.items() if _has_marker(md, marker)
        }
        self.formula: Any = _get_item(md.inlinePatterns, "arithmatex-inline")
        self.formulas: Any = _get_item(md.parser.blockprocessors, "arithmatex-block")
        for name in _REPLACED_PREPROCESSORS:
            md.preprocessors.deregister(name, strict=False)
        for name in _REPLACED_PATTERNS:
            md.inlinePatterns.deregister(name, strict=False)
        for name in _EMPHASIS:
            if name in md.inlinePatterns and not _remove_emphasis(md.inlinePatterns[name]):
                md.inlinePatterns.deregister(name)
        if not len(md.inlinePatterns):
            md.treeprocessors.deregister("inline", strict=False)
        if self.fences:
            md.preprocessors.register(_IdlePreprocessor(self.fences), "fenced_code_block", 25)
        for name in _HIGHLIGHTERS:
            if name in md.treeprocessors:
                md.treeprocessors.register(_TailKeeper(md.treeprocessors[name]), name, 30)
        _register_defaults(md)
        self.contents = getattr(md.treeprocessors["toc"], "marker", "") or self.contents
        md.preprocessors.register(_ControlCharacterFilter(md), "rulewright", 30)
        md.treeprocessors.register(TreeFinisher(md), "rulewright", -1)

    @property
    def has_formulas(self) -> bool:
        """Does an extension read TeX formulas?"""
        return bool(self.formula or self.formulas)

    def stash(self, html: str) -> str:
        return self.md.htmlStash.store(html)

    def fence(self, info: str, code: str) -> str | None:
        """The placeholder of highlighted code: with the whole info string if the host knows it, else its first word."""
        if not self.fences:
            return None
        mark = ("~" if "`" in info else "`") * max(3, *(len(run) + 1 for run in [*_BACKTICKS.findall(code), ""]))
        for head in dict.fromkeys([info, info.split(maxsplit=1)[0] if info else "", ""]):
            lines = self.fences.run([mark + head, *code.removesuffix("\n").split("\n"), mark])
            if HTML_PLACEHOLDER_RE.fullmatch(placeholder := "\n".join(lines).strip()):
                return str(placeholder)
        return None

    def code(self, text: str) -> Element | str | None:
        if not self.backticks or type(self.backticks).__module__ == "markdown.inlinepatterns":
            return None
        mark = "`" * max(1, *(len(run) + 1 for run in [*_BACKTICKS.findall(text), ""]))
        apart = " " if "`" in (text[:1], text[-1:]) else ""
        element = _apply_pattern(self.backticks, mark + apart + text + apart + mark)
        return element if isinstance(element, Element | str) else None

    def math(self, text: str, *, inline: bool) -> Element | None:
        if inline:
            element = _apply_pattern(self.formula, text) if self.formula else None
            return element if isinstance(element, Element) else None
        parent = Element("div")
        if self.formulas and self.formulas.test(parent, text):
            self.formulas.run(parent, [text])
        return parent[0] if len(parent) else None

    def abbreviate(self, name: str, meaning: str) -> None:
        abbreviations: dict[str, str] = getattr(self.md.treeprocessors["abbr"], "abbrs", {})
        if meaning in ("''", '""'):
            abbreviations.pop(name, None)
        else:
            abbreviations[name] = meaning

    def mark_broken(self, element: Element, written: str) -> None:
        """Hide a broken link from link checkers, because we have reported it."""
        element.set("src" if element.tag == "img" else "href", _DEAD_ADDRESS)
        element.set(_BROKEN_LINK, written)


def _apply_pattern(pattern: Any, text: str) -> Any:
    """The element that an inline pattern makes of a text; None if it does not match."""
    match = pattern.getCompiledRegExp().search(text)
    return pattern.handleMatch(match, text)[0] if match else None


def _has_marker(md: Markdown, marker: str) -> bool:
    """Does an extension read this marker?"""
    return any(marker[0] in getattr(_get_item(md.inlinePatterns, name), "delimiters", ()) for name in _EMPHASIS)


def _remove_emphasis(pattern: Any) -> bool:
    """Remove emphasis from a pattern that also reads other markers; is anything left of it?"""
    if not hasattr(pattern, "remove"):
        return False
    for marker in "*_":
        pattern.remove(marker)
    return bool(pattern.delimiters)


def _register_defaults(md: Markdown) -> None:
    """Register the table of contents and abbreviations if no extension has."""
    if "toc" not in md.treeprocessors:
        TocExtension().extendMarkdown(md)
    if "abbr" not in md.treeprocessors:
        md.treeprocessors.register(AbbrTreeprocessor(md, {}), "abbr", 7)


_KNOWN_EXTENSIONS = {
    "abbr", "admonition", "attr_list", "codehilite", "def_list", "extra", "fenced_code", "footnotes", "md_in_html",
    "meta", "sane_lists", "smarty", "tables", "toc", "mdx_truly_sane_lists", "rulewright", "pymdownx.arithmatex",
    "pymdownx.betterem", "pymdownx.caret", "pymdownx.details", "pymdownx.emoji", "pymdownx.extra", "pymdownx.highlight",
    "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.magiclink", "pymdownx.mark", "pymdownx.quotes",
    "pymdownx.saneheaders", "pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.superfences", "pymdownx.tabbed",
    "pymdownx.tasklist", "pymdownx.tilde",
}  # fmt: skip
# Extensions with blocks of their own, which are recognized page by page.
_BLOCK_EXTENSIONS = ("pymdownx.blocks.", "mkdocstrings.", "mkdocs_autorefs.")


def find_unknown_extensions(extensions: Iterable[Any]) -> tuple[str, ...]:
    """The Markdown extensions of a site with which Rulewright cannot render its pages."""
    names = (name if isinstance(name, str) else f"{type(name).__module__}.{type(name).__name__}" for name in extensions)
    plain = (name.removeprefix("markdown.extensions.") for name in names)
    return tuple(name for name in plain if name not in _KNOWN_EXTENSIONS and not name.startswith(_BLOCK_EXTENSIONS))


def unknown_message(names: Iterable[str]) -> str:
    """What to tell an author whose pages are left to Python-Markdown."""
    return f"Python-Markdown renders all pages: Rulewright does not know the extension {', '.join(names)}"


def find_slug(md: Markdown) -> Callable[[str], str]:
    """How the table of contents makes the ids of headings."""
    contents: Any = md.treeprocessors["toc"]
    return lambda text: str(contents.slugify(text, contents.sep))


class TokenParser(BlockParser):
    """Replaces the block parser: returns a tree that we built."""

    def __init__(self, before: BlockParser, read: Callable[[list[str]], Element]) -> None:
        super().__init__(before.md)
        self.blockprocessors = before.blockprocessors
        self.read = read

    def parseDocument(self, lines: Iterable[str]) -> ElementTree[Element | None]:  # noqa: N802
        self.root = self.read([*lines])
        return ElementTree(self.root)
