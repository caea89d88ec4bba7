"""Parser for the text of blocks: `key: value` lines, phrases (`pool 5, difficulty Hard`), and URL queries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..source import Problem, Span
from .page import Entry, Part, Text

USUAL = re.compile(r"([a-z][a-z0-9_]*):[ \t]*([^\s#](?:[^#]*[^\s#])?)\s*")  # fast path: the form of nearly every line
KEY = re.compile(r"\w[\w .'’/-]*")
SIDE = re.compile(r"side\s+(.+)", re.IGNORECASE | re.DOTALL)
MEANT = re.compile(r"([^\W\d][\w.]*)(?:[ \t]*=[ \t]*|[ \t]+)(.+)$", re.DOTALL)
COMMENT = re.compile(r"""(?<![^\s(=,\[|])(?:"[^"]*"|'[^']*')|(?:^|(?<=\s))#""")

PARTS = ("instead", "then")
REPEATED = {"expect"}


@dataclass
class Inside:
    """Parses the text of a block line by line."""

    kind: str
    text: Text
    parts: list[tuple[str, Span, list[Entry]]] = field(default_factory=list)
    statements: list[Span] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)  # keys of the current part
    settings: dict[str, int] = field(default_factory=dict)  # keys of the first part

    def read(self) -> Inside:
        """Parse all lines; most of them match `USUAL` and need no further checks."""
        self.begin("", self.text.span(0, 0))
        source, plain = self.text.source, USUAL.fullmatch
        for place, line in zip(self.text.places, self.text.content.split("\n"), strict=True):
            if usual := plain(line):
                key, value = usual.groups()
                to = place + usual.start(2)
                entry = Entry(key, value, source, place, place + len(key), to, to + len(value))
                if key in self.seen or key in PARTS or self.statements:
                    self.add(entry, key)
                else:
                    self.seen[key] = place
                    self.parts[-1][2].append(entry)
            elif line:
                self.line(place, line)
        return self

    def line(self, place: int, line: str) -> None:
        """Parse a line of any form: spaces before the key, capitals in it, a comment, a statement."""
        source, bare = self.text.source, without_comment(line) if "#" in line else line
        head, colon, tail = bare.partition(":")
        key, value = head.strip(), tail.strip()
        if colon and (key.isidentifier() or KEY.fullmatch(key)):
            at, to = place + head.index(key), place + len(head) + 1 + tail.index(value)
            self.add(Entry(key.lower(), value, source, at, at + len(key), to, to + len(value)), key)
        elif colon or key:
            at = place + bare.index(bare.strip())
            self.other(Span(source, at, at + len(bare.strip())))

    def begin(self, name: str, span: Span) -> None:
        """Start a part; each part may use the same keys."""
        self.parts.append((name, span, []))
        self.seen = {}
        if not name:
            self.settings = self.seen

    def add(self, entry: Entry, written: str) -> None:
        """Append an entry to the current part; report a key that is written twice."""
        key = entry.key
        if key in PARTS and self.kind == "example":
            self.part(entry)
            return
        if key.startswith("side"):
            entry = named(entry, written)
        if self.statements:
            self.complain("block-line", "settings stand before the first statement of a claim", entry.key_span)
        self.parts[-1][2].append(entry)
        known = f"{entry.key} {entry.name.lower()}" if entry.name else key
        if known not in self.seen:
            self.seen[known] = entry.key_at
        elif known not in REPEATED:
            line = entry.source.place(self.seen[known])[0]
            span = entry.name_span if entry.name else entry.key_span
            note = f"it stands in line {line} already; keep one of the two"
            self.complain("block-key", f"`{known}` is written twice", span, note)

    def other(self, span: Span) -> None:
        """Handle a line without a colon: a statement of a claim, a line under `verdict:`, or an error."""
        if self.kind == "claim":
            self.statements.append(span)
            return
        entries = self.parts[-1][2]
        if self.kind == "sheet" and entries and entries[-1].key == "verdict":
            entries[-1] = entries[-1]._replace(lines=(*entries[-1].lines, span))
            return
        meant = MEANT.match(span.text)
        note = (
            f"did you mean `{meant[1]}: {meant[2]}`?" if meant else "a line says `key: value`; behind # all is comment"
        )
        self.complain("block-line", "this line is no `key: value`", span, note)

    def part(self, entry: Entry) -> None:
        """Start the part of an `instead:` or `then:` line."""
        self.begin(entry.key, entry.key_span)
        if entry.value:
            message = f"`{entry.key}:` stands alone on its line"
            self.complain("block-line", message, entry.value_span, "write this on the lines below it")

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, notes=notes))

    def finished(self) -> tuple[Part, ...]:
        return tuple([part(name, span, entries) for name, span, entries in self.parts])


def part(name: str, span: Span, entries: list[Entry]) -> Part:
    return Part(name, span, tuple(entries), {entry.key: entry for entry in reversed(entries)})


def named(entry: Entry, written: str) -> Entry:
    """Turn `side Anna: ...` into an entry `side` with a name."""
    side = SIDE.match(written)
    if not side:
        return entry
    return entry._replace(key="side", key_end=entry.key_at + 4, name=side[1], name_at=entry.key_at + side.start(1))


def without_comment(line: str) -> str:
    """The line up to a # at its start or after a space; a # in quotes is text."""
    for found in COMMENT.finditer(line):
        if found[0] == "#":
            return line[: found.start()]
    return line


SIGN = re.compile(r"""[,"[(]|(?<!\w)'""")
CLOSING = {'"': '"', "'": "'", "[": "]", "(": ")"}
NAMED = re.compile(r"""(?:"([^"]+)"|([^\W\d][\w.]*))\s*(.*)""", re.DOTALL)
FIELD = re.compile(r"([^&=]*)=?([^&]*)")


class Item(NamedTuple):
    """A name and its value; a name alone has the value yes."""

    name: str
    value: str
    name_span: Span
    value_span: Span


def parse_phrase(span: Span) -> list[Item]:
    """Parse settings separated by commas; a piece that does not begin with a name extends the value before it."""
    items: list[Item] = []
    text, start = span.text, 0
    for end in [*commas(text), len(text)]:
        piece = trimmed(span.part(start, end))
        start = end + 1
        named = NAMED.fullmatch(piece.text)
        if named:
            items.append(item(piece, named))
        elif piece.text:
            add_nameless(items, piece)
    return items


def commas(text: str) -> Iterator[int]:
    """Offsets of commas outside of brackets and quotes."""
    at = 0
    while sign := SIGN.search(text, at):
        at = sign.end()
        if sign[0] == ",":
            yield sign.start()
        else:
            at = text.find(CLOSING[sign[0]], at) + 1 or at


def item(span: Span, named: re.Match[str]) -> Item:
    group = 1 if named[1] else 2
    name = span.part(*named.span(group))
    value = span.part(*named.span(3))
    return Item(named[group], value.text, name, value) if named[3] else Item(named[group], "yes", name, name)


def add_nameless(items: list[Item], span: Span) -> None:
    """Append a piece to the value of the last item; without one, it becomes an item without a name."""
    if not items:
        items.append(Item("", span.text, Span(span.source, span.start, span.start), span))
        return
    last = items[-1]
    start = last.value_span.start if last.value_span != last.name_span else span.start
    whole = Span(span.source, start, span.end)
    items[-1] = Item(last.name, whole.text, last.name_span, whole)


def trimmed(span: Span) -> Span:
    """The span without spaces around it."""
    text = span.text
    start = len(text) - len(text.lstrip())
    return span.part(start, max(len(text.rstrip()), start))


def parse_query(span: Span) -> list[Item]:
    """Parse and decode the query of `roll:action?pool=5&difficulty=Very+Hard`."""
    from urllib.parse import unquote_plus

    items = []
    for match in FIELD.finditer(span.text):
        if match[1]:
            name, value = span.part(*match.span(1)), span.part(*match.span(2))
            items.append(Item(unquote_plus(match[1]), unquote_plus(match[2]) or "yes", name, value))
    return items
