"""The handbook as data: its topics, their sections, and the explanation of each problem code.

The pages are those of the site, `rules/handbook`. A wheel has a copy of them beside this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_COPY = files(__name__) / "pages"
_SOURCE = Path(__file__).parents[3] / "rules" / "handbook"
_FIRST = "start"  # the topic to begin with
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r"(#{1,6}) +(.*?)(?: +\{[^{}]*\})?\s*$")
_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_CODE_HEADING = re.compile(r"`([a-z-]+)`")
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")


@dataclass(frozen=True)
class Section:
    """A heading and the text below it, up to the next heading."""

    topic: str
    level: int
    heading: str  # Markdown
    text: str  # Markdown, without the heading

    @property
    def summary(self) -> str:
        """The first sentence, if the section begins with one; Markdown."""
        paragraph = self.text.strip().partition("\n\n")[0]
        match = _SENTENCE.match(" ".join(paragraph.split())) if paragraph[:1].isalnum() else None
        return match[0] if match else ""


@dataclass(frozen=True)
class Topic:
    """A page of the handbook."""

    name: str  # such as "blocks" or "gallery/fate"
    text: str  # Markdown

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return tuple(_split(self.name, self.text))

    @property
    def title(self) -> str:
        return self.sections[0].heading

    @property
    def summary(self) -> str:
        return self.sections[0].summary or self.title


@dataclass(frozen=True)
class Explanation:
    """What the handbook says about one problem code."""

    code: str
    group: str  # the heading above it, such as "Blocks that cannot be read"
    section: Section


def read_topics() -> dict[str, Topic]:
    """All topics by name: the one to begin with, then in alphabetical order."""
    names = sorted(_page_names(_pages()), key=lambda name: (name != _FIRST, "/" in name, name))
    return {name: _read(name) for name in names}


def read_explanations() -> dict[str, Explanation]:
    """The explanations of all problem codes, in the order of the page "Problems"."""
    explanations, group = dict[str, Explanation](), ""
    for section in _read("problems").sections:
        code = _CODE_HEADING.fullmatch(section.heading)
        if code:
            explanations[code[1]] = Explanation(code[1], group, section)
        else:
            group = section.heading
    return explanations


def fenced_lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of a Markdown text, and whether each belongs to a fence."""
    fence = ""
    for line in text.splitlines():
        ticks = _FENCE.match(line)
        if fence:
            yield line, True
            closes = ticks is not None and ticks[1].startswith(fence) and not line[ticks.end() :].strip()
            fence = "" if closes else fence
        else:
            yield line, ticks is not None
            fence = ticks[1] if ticks else ""


def _pages() -> Traversable:
    return _COPY if _COPY.is_dir() else _SOURCE


def _read(name: str) -> Topic:
    text = _pages().joinpath(*f"{name}.md".split("/")).read_text("utf-8").replace("\r\n", "\n")
    return Topic(name, _FRONT_MATTER.sub("", text))


def _page_names(folder: Traversable, above: str = "") -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _page_names(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".md"):
            yield above + entry.name.removesuffix(".md")


def _split(topic: str, text: str) -> Iterator[Section]:
    level, heading, lines = 0, "", list[str]()
    for line, is_fenced in fenced_lines(text):
        match = None if is_fenced else HEADING.match(line)
        if match:
            if heading:
                yield Section(topic, level, heading, "\n".join(lines))
            level, heading, lines = len(match[1]), match[2], []
        else:
            lines.append(line)
    yield Section(topic, level, heading, "\n".join(lines))
