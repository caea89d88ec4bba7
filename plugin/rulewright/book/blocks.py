"""Blocks of a page, in fences and in HTML comments, and warnings for text that was probably meant as a block."""

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
    """Everything collected from one page while the parser walks its tokens; becomes a `Page`."""

    paper: Paper
    references: dict[str, dict[str, object]]
    has_game: bool = True  # does the book have a game?
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
    written: dict[str, Heading] = field(default_factory=dict)  # headings by their explicit ids
    counted: Counter[str] = field(default_factory=Counter)
    row: list[str] = field(default_factory=list)  # cells of the current table row, as far as they were read
    pipes: list[int] = field(default_factory=list)  # offsets of the separators in that row

    def warn(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "warning", notes, self.trail))

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "error", notes, self.trail))

    def go_below(self, heading: Heading) -> None:
        """Enter the section of a heading; report an explicit id that another heading has."""
        if heading.explicit and self.written.setdefault(heading.id, heading) is not heading:
            first = self.written[heading.id].line
            self.complain(
                "heading-id", f"two headings have the id `{heading.id}`", heading.span, f"the other is in line {first}"
            )
        self.headings.append(heading)
        self.above.append(heading)
        self.trail = tuple(one.text for one in self.above)

    def leave(self, level: int) -> None:
        """Close all open sections of this level or deeper."""
        while self.above and self.above[-1].level >= level:
            self.above.pop()
        self.trail = tuple(one.text for one in self.above)

    def term_id(self, text: str) -> str:
        """The id of a definition term; empty if an earlier term on the page has it."""
        id_ = term(text)
        return "" if any(term.id == id_ for term in self.terms) else id_

    def next_id(self) -> str:
        """The default id of the next block: the id of the heading above it, and a number."""
        slug = self.above[-1].id if self.above else stem(self.paper.source.path)
        self.counted[slug] += 1
        return f"{slug}.{self.counted[slug]}"


def stem(path: str) -> str:
    """File name without folder and extension, for paths of any system."""
    return PurePosixPath(path.replace("\\", "/")).stem


LONG = 6  # letters; words at least this long may have two typos
OTHER_NAMES = {"gams", "role", "border", "cable", "stable", "sweet"}  # languages of other tools
KNOWN = "game|rule|dice|outcome|degree|policy"  # keys that occur almost only in blocks
NOTE = "todo|note|notes|fixme|see|source|author|date"  # keys of notes that authors write for themselves
SETTING = re.compile(rf"(?:(?i:{KNOWN})|(?!(?:{NOTE})\b)[a-z]\w*|side [^:]+)[ \t]*:(?:[ \t].*)?")
STATEMENT = re.compile(r"[a-z]\w*[ \t]*\(.*\).*[=<>≤≥≈~].*")
TOML = re.compile(r"\[[\w.\"-]+\]|[\w.\"-]+[ \t]*=.*")
SURE = re.compile(rf"(?i:{KNOWN})[ \t]*:[ \t]*\S.*")
NUMBER = re.compile(r"[a-z]\w*:[ \t]*\d[\d \t|,;]*(?:\w+:.*)?")
ROLLED = ("example", "roller", "odds")  # for these kinds a line such as `pool: 5` is enough evidence


@cache
def meant(word: str) -> str | None:
    """The kind that a misspelled word probably means; None for a language that highlighters know."""
    bare = word.strip("{}.:").lower()
    if bare in KINDS:
        return bare
    allowed = 2 if len(bare) >= LONG else 1
    close = [(slips(bare, kind), kind) for kind in KINDS if abs(len(bare) - len(kind)) <= allowed]
    best = min(close, default=(allowed + 1, ""))
    return best[1] if best[0] <= allowed and bare not in highlighted() else None


@cache
def highlighted() -> frozenset[str]:
    """Names of all languages that Pygments can highlight."""
    try:
        from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]
    except ImportError:
        return frozenset(OTHER_NAMES)
    return frozenset(alias.lower() for lexer in get_all_lexers(plugins=False) for alias in lexer[1]) | OTHER_NAMES


def is_one_slip(one: str, other: str) -> bool:
    """True for words that differ by exactly one typo."""
    return abs(len(one) - len(other)) < 2 and slips(one, other) == 1


def slips(one: str, other: str) -> int:
    """Edit distance of two words: insertions, deletions, substitutions, swaps of neighbors."""
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
    """True if most lines have the syntax of a block of this kind."""
    lines = written(text)
    forms = (TOML,) if kind == "game" else (SETTING, STATEMENT) if kind == "claim" else (SETTING,)
    return 2 * sum(any(form.fullmatch(line) for form in forms) for line in lines) > len(lines)


def is_surely_set(kind: str, text: str) -> bool:
    """Like `is_set`, but at least one line must have a form that hardly occurs outside of our blocks."""
    forms = (SURE, NUMBER) if kind in ROLLED else (SURE, STATEMENT) if kind == "claim" else (SURE,)
    return is_set(kind, text) and any(form.fullmatch(line) for line in written(text) for form in forms)


def written(text: str) -> list[str]:
    """The lines without comments and empty lines."""
    lines = (line.partition(" #")[0].strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def is_ours(word: str, text: str) -> bool:
    """True if a fence in a book without a game is one of our blocks; other tools use some of the same words."""
    if word not in KINDS:
        return False
    if word == "game":
        lines = written(text)
        return not lines or any(TOML.fullmatch(line) for line in lines)
    return is_surely_set(word, text)


class Place(NamedTuple):
    """Location of a block: its span, the span of its kind word, its first line, and whether readers see it."""

    span: Span
    word: Span
    line: int
    shown: bool


SHOWN_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([A-Za-z]+)\b")


def fence(found: Found, token: Token) -> None:
    """Parse a fence with one of our words as a block; warn if its word looks like a typo or nothing closes it."""
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
    """True if a fence has a closing line: without one, its content has one line more."""
    inside = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    return inside == lines - 2


def info_word(found: Found, token: Token, word: str) -> Span:
    """Span of the kind word in the opening line of a fence."""
    line = token.map[0] if token.map else 0
    text = found.paper.lines[line]
    start = text.find(word, text.find(token.markup) + len(token.markup))
    return found.paper.span(line, start, start + len(word))


def code(found: Found, token: Token) -> None:
    """Warn about indented code that contains the fence of a block."""
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
    """Parse the text of a block and add the block to the page."""
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
    """The value of a key in the first part of a block; empty without the key."""
    if key not in inside.settings:
        return ""
    return next(entry.value for entry in inside.parts[0][2] if entry.key == key)


def same_ids(found: Found) -> None:
    """Report blocks of one page that have the same explicit id."""
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
    """Parse a comment as a block if its first line is nothing but a kind; warn about near misses."""
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
    """The kind that is one typo away. Stricter than `meant`, because a comment may begin with any word."""
    near = None if word in KINDS else meant(word)
    return near if near and is_one_slip(word, near) else None
