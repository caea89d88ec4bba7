"""Checks what links say against the headings that they lead to."""

from __future__ import annotations

import posixpath
import re

from ..source import Problem
from .anchors import github_slug
from .page import Heading, Link, Page
from .resolver import LinkResolver, LinkTarget


def check_label(resolver: LinkResolver, link: Link, target: LinkTarget) -> list[Problem]:
    """Warn if the text of a link is the name of another heading than the one it leads to."""
    if not target.heading or not target.page or link.kind == "image":
        return []
    label = github_slug(link.text)
    if not label or label == target.anchor or label == target.heading.id:
        return []
    qualified = github_slug(_BRACKETS.sub("", link.text))  # "Mule (young)" may lead to "Mule variants"
    anchors = resolver.anchors[target.path]
    others = anchors.by_text.get(label, [])
    if (
        not others
        or _matches_heading(label, target.heading)
        or (qualified != label and _matches_heading(qualified, target.heading))
        or _names_page(label, target.path, target.page)
        or any(_is_related(other, target.heading) for other in others)
    ):
        return []
    other = others[0]
    message = f'the text says "{link.text}", but the link goes to "{target.heading.text}"'
    note = f'"{other.text}" is #{anchors.id_of(other)}'
    return [Problem("link-label", message, link.span, "warning", (note,), link.trail)]


_BRACKETS = re.compile(r"\([^()]*\)")


def _names_page(label: str, path: str, page: Page) -> bool:
    """True if the label is the name of the page: "see Combat" may lead to a section of that page."""
    folder, name = posixpath.split(posixpath.splitext(path)[0])
    title = page.headings[0].text if page.headings else ""
    return label in {github_slug(name), github_slug(posixpath.basename(folder)), github_slug(title)}


def _matches_heading(label: str, heading: Heading) -> bool:
    """True if the label is a part of the heading's words: `lookup()` for `lookup(name)`."""
    slug = github_slug(heading.text)
    return _slug_words(label) <= _slug_words(slug) or label.replace("-", "") in slug.replace("-", "")


def _slug_words(slug: str) -> set[str]:
    return {word.rstrip("s") for word in slug.split("-") if word}


def _is_related(heading: Heading, other: Heading) -> bool:
    """True for headings with the same text, and if one is in the section of the other."""
    path, other_path = (*heading.trail, heading.text), (*other.trail, other.text)
    return heading.text == other.text or path[: len(other_path)] == other_path or other_path[: len(path)] == path
