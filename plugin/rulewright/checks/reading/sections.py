"""Headings below which nothing stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ...book.model import Heading
from ...text import Problem
from .model import Reading

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
PUT_IN_LATER = re.compile(
    r"\S*|.*(?:include|insert|begin|start|end|auto|generat|snippet|toc\b|\{|\}|/).*", re.IGNORECASE | re.DOTALL
)
RULE = re.compile(r"^[ \t>]*[-*_= \t]*$", re.MULTILINE)
FILLED_LATER = re.compile(
    r"(?:table of )?contents?|toc|index|inhalt(?:sverzeichnis)?|sommaire|unreleased|upcoming|\[?(?:v|version )?\d.*",
    re.IGNORECASE,
)
FIRST_WORD = re.compile(r"[\w.'’ -]{5,}?(?=[\s(\[:,]|$)")
MOST = 3  # so many on a page may be forgotten ones; more are a manner of the author


class Section(NamedTuple):
    heading: Heading
    below: str  # what stands between it and the next heading
    following: Heading | None

    @property
    def bare(self) -> bool:
        deeper = self.following is not None and self.following.level > self.heading.level
        if deeper or self.shared or self.title:
            return False
        return not RULE.sub("", COMMENT.sub(left, self.below)).strip()

    @property
    def title(self) -> bool:
        """It only says again what the heading above says, as where a tool has put the name of a file on top."""
        trail = self.heading.trail
        return bool(trail) and letters(trail[-1]) == letters(self.heading.text)

    @property
    def shared(self) -> bool:
        """Two names for one thing, such as two ways to call a command, may share what stands below the second."""
        first = FIRST_WORD.match(self.heading.text)
        return bool(first and self.following and self.following.text.startswith(first[0]))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def left(comment: re.Match[str]) -> str:
    """Some comments are there for a tool that puts something into their place."""
    return comment[1] if PUT_IN_LATER.fullmatch(comment[1].strip()) else ""


def sections(reading: Reading) -> Iterator[Section]:
    """Those that stand in no list, quote or box, and below which there may be nothing."""
    page, tokens, lines = reading.page, reading.page.tokens, reading.sheet.lines
    opened = zip(page.headings, reading.layout.headings, strict=False)
    found = [(one, number) for one, number in opened if tokens[number].map]
    for (heading, number), behind in zip_longest(found, found[1:]):
        if tokens[number].level or (behind and tokens[behind[1]].level):
            continue
        start = (tokens[number].map or [0, 0])[1]
        end = (tokens[behind[1]].map or [0])[0] if behind else len(lines)
        yield Section(heading, "\n".join(lines[start:end]), behind[0] if behind else None)


def problems(reading: Reading) -> Iterator[Problem]:
    page = reading.page
    title = page.headings[0] if page.headings else None
    bare = (section for section in sections(reading) if section.heading is not title and section.bare)
    found = [section for section in bare if is_meant_to_be_full(section.heading)]
    rare = len(found) <= MOST and 3 * len(found) <= len(page.headings)
    if found and not rare:
        others = f" and {len(found) - 1} more headings of this page" if len(found) > 1 else ""
        message = f"nothing stands below «{found[0].heading.text}»{others}"
        yield problem(found[0].heading, message, "info")
        return
    for section in found:
        yield problem(section.heading, f"nothing stands below «{section.heading.text}»", "warning")


def is_meant_to_be_full(heading: Heading) -> bool:
    return bool(heading.text) and heading.level > 1 and not FILLED_LATER.fullmatch(heading.text)


def problem(heading: Heading, message: str, severity: str) -> Problem:
    notes = ("the next heading is no deeper than this one", "write what is missing, or take the heading out")
    return Problem("unfinished-section", message, heading.span, severity, notes, heading.trail)
