"""Blocks in comments, and what was probably meant as one; most comments are neither, and nothing is said of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from markdown_it.token import Token

from ..source import Problem, Span
from .anchors import Numbered, term
from .entries import Inside
from .page import KINDS, Anchor, Block, Heading, Link, Paper, Term, Text, Trail


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
        id_ = term(text)
        return "" if any(term.id == id_ for term in self.terms) else id_

    def next_id(self) -> str:
        """The id of the next block: the heading above it, and a number."""
        slug = self.above[-1].id if self.above else stem(self.paper.source.path)
        self.counted[slug] += 1
        return f"{slug}.{self.counted[slug]}"


def stem(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).stem


LONG = 6  # letters; in a word as long as this two slips are forgiven
OTHER_NAMES = {"gams", "role", "border", "cable", "stable", "sweet"}  # known elsewhere
KNOWN = "game|rule|dice|outcome|degree|policy"  # keys that hardly anything but a block has
NOTE = "todo|note|notes|fixme|see|source|author|date"  # and those of notes to oneself
SETTING = re.compile(rf"(?:(?i:{KNOWN})|(?!(?:{NOTE})\b)[a-z]\w*|side [^:]+)[ \t]*:(?:[ \t].*)?")
STATEMENT = re.compile(r"[a-z]\w*[ \t]*\(.*\).*[=<>≤≥≈~].*")
TOML = re.compile(r"\[[\w.\"-]+\]|[\w.\"-]+[ \t]*=.*")
SURE = re.compile(rf"(?i:{KNOWN})[ \t]*:[ \t]*\S.*")
NUMBER = re.compile(r"[a-z]\w*:[ \t]*\d[\d \t|,;]*(?:\w+:.*)?")
ROLLED = ("example", "roller", "odds")  # kinds whose names do not go before just any word with a number


@cache
def meant(word: str) -> str | None:
    """The kind that was probably meant; nothing for the name of a language that highlighters know."""
    bare = word.strip("{}.:").lower()
    if bare in KINDS:
        return bare
    allowed = 2 if len(bare) >= LONG else 1
    close = [(slips(bare, kind), kind) for kind in KINDS if abs(len(bare) - len(kind)) <= allowed]
    best = min(close, default=(allowed + 1, ""))
    return best[1] if best[0] <= allowed and bare not in highlighted() else None


@cache
def highlighted() -> frozenset[str]:
    try:
        from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]
    except ImportError:
        return frozenset(OTHER_NAMES)
    return frozenset(alias.lower() for lexer in get_all_lexers(plugins=False) for alias in lexer[1]) | OTHER_NAMES


def is_one_slip(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) < 2 and slips(one, other) == 1


def slips(one: str, other: str) -> int:
    """How many letters are too many, missing, wrong, or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        older, before, row = before, row, [i + 1]
        for j, wanted in enumerate(other):
            row.append(min(before[j] + (letter != wanted), before[j + 1] + 1, row[j] + 1))
            if i and j and letter == other[j - 1] and one[i - 1] == wanted:
                row[-1] = min(row[-1], older[j - 1] + 1)
    return row[-1]


def is_set(kind: str, text: str) -> bool:
    """Whether most of the lines are such as a block of the kind has."""
    lines = written(text)
    forms = (TOML,) if kind == "game" else (SETTING, STATEMENT) if kind == "claim" else (SETTING,)
    return 2 * sum(any(form.fullmatch(line) for form in forms) for line in lines) > len(lines)


def is_surely_set(kind: str, text: str) -> bool:
    forms = (SURE, NUMBER) if kind in ROLLED else (SURE, STATEMENT) if kind == "claim" else (SURE,)
    return is_set(kind, text) and any(form.fullmatch(line) for line in written(text) for form in forms)


def written(text: str) -> list[str]:
    lines = (line.partition(" #")[0].strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def is_ours(word: str, text: str) -> bool:
    """Whether a fence in a book without any game is a block of ours; other tools know such words, too."""
    if word not in KINDS:
        return False
    if word == "game":
        lines = written(text)
        return not lines or any(TOML.fullmatch(line) for line in lines)
    return is_surely_set(word, text)


class Place(NamedTuple):
    """Where a block stands: all of it, its word, its first line."""

    span: Span
    word: Span
    line: int
    shown: bool


SHOWN_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([A-Za-z]+)\b")


def fence(found: Found, token: Token) -> None:
    if token.map is None:
        return
    first, end = token.map
    word = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    if word.lower() in KINDS and (found.has_game or is_ours(word, token.content)):
        inside = found.paper.cut(first + 1, token.content)
        place = Place(found.paper.block(first, end), info_word(found, token, word), first + 1, True)
        token.meta["block"] = block(found, word.lower(), inside, place)
    elif word and (kind := meant(word)) and (found.has_game or (kind == "game" and is_set(kind, token.content))):
        message = f"`{word}` is no kind of block, so nothing here is checked"
        found.warn("block-unknown", message, info_word(found, token, word), f"did you mean {kind}?")
    if not is_closed(token, end - first):
        message = f"nothing closes this fence: what follows it, up to line {end}, is part of it"
        found.warn("block-unclosed", message, found.paper.whole(first), f"a line of {token.markup} closes it")


def is_closed(token: Token, lines: int) -> bool:
    """Opening and closing line are not content; without the closing one a line more is."""
    inside = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    return inside == lines - 2


def info_word(found: Found, token: Token, word: str) -> Span:
    line = token.map[0] if token.map else 0
    text = found.paper.lines[line]
    start = text.find(word, text.find(token.markup) + len(token.markup))
    return found.paper.span(line, start, start + len(word))


def code(found: Found, token: Token) -> None:
    """Indented code that shows the fence of a block."""
    first = token.map[0] if token.map else 0
    if not found.has_game:
        return
    for number, line in enumerate(token.content.split("\n"), first):
        shown = SHOWN_FENCE.match(line)
        if shown and shown[1].lower() in KINDS:
            message = f"indented this far, this is code and no block: the {shown[1].lower()} is not checked"
            note = "indent it less, or put it between longer fences if it is only to be shown"
            found.warn("block-indented", message, found.paper.whole(number), note)
            return


def block(found: Found, kind: str, text: Text, place: Place) -> Block:
    given, made = found.next_id(), Inside(kind, text)
    if kind == "game":
        made.begin("", text.span(0, 0))
    else:
        made.read()
    id_ = setting(made, "id") or given
    trail = (*found.trail, id_)
    new = Block(
        kind=kind,
        id=id_,
        text=text,
        span=place.span,
        word=place.word,
        parts=made.finished(),
        statements=tuple(made.statements),
        shown=place.shown and setting(made, "show").lower() != "no",
        trail=found.trail,
        containers=tuple(found.containers),
        line=place.line,
        problems=tuple([problem._replace(trail=trail) for problem in made.problems]),
    )
    found.blocks.append(new)
    return new


def setting(inside: Inside, key: str) -> str:
    """What the block says of itself, before any `then:`."""
    if key not in inside.settings:
        return ""
    return next(entry.value for entry in inside.parts[0][2] if entry.key == key)


def same_ids(found: Found) -> None:
    """An id that an author wrote belongs to one block of the page."""
    known: dict[str, Block] = {}
    for new in found.blocks:
        first = known.setdefault(new.id, new)
        entry = None if first is new else new.get("id") or first.get("id")
        if entry:
            other = first if new.get("id") else new
            message = f"two blocks have the id `{entry.value}`"
            found.complain("block-id", message, entry.value_span, f"the other one begins in line {other.line}")


FIRST = re.compile(r"\s*([^\W\d_]+)(?![\w-])[ \t]*([^\n]*)(?:\n(.*))?", re.DOTALL)


def hidden(found: Found, text: Text, comment: re.Match[str]) -> list[Block]:
    """The block that a comment is: its word stands alone in the first line."""
    first = FIRST.match(comment[1])
    if not first:
        return []
    start = comment.start(1)
    word, kind = text.span(start + first.start(1), start + first.end(1)), first[1].lower()
    begins = first[3] is not None and not first[2] and "\n" not in comment[1][: first.start(1)]
    if begins and (first[1] in KINDS or (kind in KINDS and is_set(kind, first[3]))):
        span = text.span(*comment.span())
        place = Place(span, word, span.source.place(span.start)[0], False)
        return [block(found, kind, text.part(start + first.start(3), comment.end(1)), place)]
    if begins and (near := near_kind(kind)) and is_set(near, first[3]):
        message = f"`{first[1]}` is no kind of block, so nothing here is checked"
        found.warn("block-unknown", message, word, f"did you mean {near}?")
    elif kind in KINDS and not begins and is_surely_set(kind, f"{first[2]}\n{first[3] or ''}"):
        message = f"this is no block yet, so nothing here is checked: `{first[1]}` has to stand alone behind <!--"
        found.warn("block-unknown", message, word, "write each key into a line of its own below it")
    return []


def near_kind(word: str) -> str | None:
    """One slip and no more: a comment may begin with any word."""
    near = None if word in KINDS else meant(word)
    return near if near and is_one_slip(word, near) else None
