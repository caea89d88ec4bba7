"""What has been found so far while a page is read from top to bottom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ..text import Problem, Span
from . import slugs
from .model import Anchor, Block, Heading, Link, Term, Trail
from .paper import Paper
from .slugs import Numbered


@dataclass
class Found:
    paper: Paper
    references: dict[str, dict[str, object]]
    has_game: bool = True  # does the book have one?
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    contents: list[Span] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    above: list[Heading] = field(default_factory=list)
    trail: Trail = ()
    containers: list[str] = field(default_factory=list)
    slugs: Numbered = field(default_factory=Numbered)
    written: dict[str, Heading] = field(default_factory=dict)  # headings by the ids that authors gave them
    counted: Counter[str] = field(default_factory=Counter)
    row: list[str] = field(default_factory=list)  # the cells of the table row, as far as they were read
    pipes: list[int] = field(default_factory=list)  # and where its cells end

    def warn(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "warning", notes, self.trail))

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "error", notes, self.trail))

    def go_below(self, heading: Heading) -> None:
        if heading.explicit and self.written.setdefault(heading.id, heading) is not heading:
            first = self.written[heading.id].line
            self.complain(
                "heading-id", f"two headings have the id `{heading.id}`", heading.span, f"the other is in line {first}"
            )
        self.headings.append(heading)
        self.above.append(heading)
        self.trail = tuple(one.text for one in self.above)

    def leave(self, level: int) -> None:
        """A heading of this level ends the sections that are as deep or deeper."""
        while self.above and self.above[-1].level >= level:
            self.above.pop()
        self.trail = tuple(one.text for one in self.above)

    def term_id(self, text: str) -> str:
        id_ = slugs.term(text)
        return "" if any(term.id == id_ for term in self.terms) else id_

    def next_id(self) -> str:
        """The id of the next block: the heading above it, and a number."""
        slug = self.above[-1].id if self.above else stem(self.paper.source.path)
        self.counted[slug] += 1
        return f"{slug}.{self.counted[slug]}"


def stem(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).stem
