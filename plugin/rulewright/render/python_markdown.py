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
from markdown.util import ETX, HTML_PLACEHOLDER_RE, STX, AtomicString

from . import document as doc
from .html import HtmlWriter, PageContext, clean_text, define_abbreviations
from .read_document import read_document

_BROKEN_LINK = "data-rulewright-lost"
_MARKER_TAGS = {"==": "mark", "^^": "ins"}  # markers that extensions read only within one text node


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
    """Finishes the tree: broken links, empty header cells, search exclusion of the contents."""

    def run(self, root: Element) -> None:
        for element in [*root.iter("a"), *root.iter("img")]:
            if _BROKEN_LINK in element.attrib:
                _restore_address(element)
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


# Names of registered processors that our parser replaces.
_REPLACED_PATTERNS = (
    "backtick", "escape", "reference", "link", "image_link", "image_reference", "short_reference", "short_image_ref",
    "autolink", "automail", "linebreak", "html", "entity", "not_strong", "em_strong2", "strong_em",
    "strong_em2", "strong", "emphasis", "strong2", "emphasis2", "hardbreak", "footnote", "arithmatex-inline",
)  # fmt: skip
_REPLACED_PREPROCESSORS = ("normalize_whitespace", "html_block", "fenced_code_block", "fenced_raw_block", "meta")
_EMPHASIS = ("delimiter", "em_strong")  # one pattern for the markers of several extensions
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
            marker: tag for marker, tag in _MARKER_TAGS.items() if _has_marker(md, marker)
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

    def build_tree(self, page_context: PageContext) -> Element:
        """The element tree of a page."""
        document = read_document(page_context.page, page_context.resolve, self.markers)
        define_abbreviations(getattr(self.md.treeprocessors["abbr"], "abbrs", {}), document)
        return _SiteWriter(page_context, document, self).write()


class _SiteWriter(HtmlWriter):
    """Writes a page as Python-Markdown continues to process it: what is final is in placeholders."""

    def __init__(self, context: PageContext, document: doc.Document, host: PythonMarkdown) -> None:
        super().__init__(context, document)
        self.host = host
        self.tab_sets = 0

    def text(self, text: str) -> None:
        """A placeholder stays atomic, next to text without the line breaks around it."""
        current = self.stack[-1]
        before = (current[-1].tail if len(current) else current.text) or ""
        if before and isinstance(before, AtomicString) == isinstance(text, AtomicString):
            text = type(text)(before + text)
        elif before:
            text = before.strip("\n") + text if isinstance(before, AtomicString) else before + text.strip("\n")
        if len(current):
            current[-1].tail = text
        else:
            current.text = text

    def write_plain_text(self, text: doc.Text) -> None:
        """Text with escaped characters as placeholders, so that no extension takes them for markup."""
        pieces, at = list[str](), 0
        for place in text.literal:
            character = text.content[place]
            pieces.append(clean_text(text.content[at:place]))
            pieces.append("&amp;" if character == "&" else f"{STX}{ord(character)}{ETX}")
            at = place + 1
        self.text("".join([*pieces, clean_text(text.content[at:])]))

    def write_html(self, html: str, is_block: bool) -> None:
        if is_block:
            self.write_card(html)
        else:
            self.text(self.host.md.htmlStash.store(html))

    def write_card(self, html: str) -> None:
        if html:
            self.write_placeholder(self.host.md.htmlStash.store(html))

    def write_placeholder(self, placeholder: str) -> None:
        """Write the placeholder of stored HTML, which other extensions must not process."""
        before = "\n" if len(self.stack[-1]) else ""
        self.text(AtomicString(f"{before}{placeholder}\n"))

    def write_contents(self) -> None:
        self.element("p", self.host.contents)

    def write_highlighted(self, code: doc.Code | doc.InlineCode) -> bool:
        if isinstance(code, doc.Code):
            placeholder = self.host.fence(code.info, code.content) if code.is_fence else None
            if placeholder:
                self.write_placeholder(placeholder)
            return placeholder is not None
        return self.write_result(self.host.code(code.content))

    def write_formula(self, formula: doc.Formula) -> None:
        element = self.host.math(formula.content, inline=not formula.is_block)
        if not self.write_result(element) and not formula.is_block:
            self.text(clean_text(formula.content))

    def write_result(self, result: Element | str | None) -> bool:
        """Write what an extension has made of a piece of the page, if anything."""
        if isinstance(result, Element):
            self.stack[-1].append(result)
        elif result:
            self.text(result)
        return isinstance(result, Element) or bool(result)

    def write_tabs(self, tabs: doc.Tabs) -> None:
        """A tab set in the markup of pymdownx.tabbed: radio buttons, labels, contents."""
        self.tab_sets += 1
        group = f"__tabbed_{self.tab_sets}"
        names = [f"{group}_{number}" for number in range(1, len(tabs.tabs) + 1)]
        self.start("div", {"class": "tabbed-set tabbed-alternate", "data-tabs": f"{self.tab_sets}:{len(names)}"})
        for name, tab in zip(names, tabs.tabs, strict=True):
            checked = {"checked": "checked"} if tab.is_selected else {}
            self.element("input", None, {"id": name, "name": group, "type": "radio", **checked})
        self.start("div", {"class": "tabbed-labels"})
        for name, tab in zip(names, tabs.tabs, strict=True):
            self.write_inside("label", tab.title, {"for": name})
        self.end("div")
        self.start("div", {"class": "tabbed-content"})
        for tab in tabs.tabs:
            self.write_inside("div", tab.children, {"class": "tabbed-block"})
        self.end("div")
        self.end("div")

    def broken_attributes(self, name: str, written: str) -> doc.Attributes:
        """Hide a broken link from link checkers, because we have reported it."""
        return {name: _DEAD_ADDRESS, _BROKEN_LINK: written}


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
