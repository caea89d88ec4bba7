"""Parser for the text of blocks: `key: value` lines, phrases (`pool 5, difficulty Hard`), and URL queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..source import Problem, Span
from .page import Entry, MappedText, Part

_USUAL_LINE = re.compile(
    r"([a-z][a-z0-9_]*):[ \t]*([^\s#:](?:[^#]*[^\s#])?)\s*"
)  # fast path: the form of nearly every line
_KEY = re.compile(r"\w[\w .'’/-]*")
_SIDE = re.compile(r"side\s+(.+)", re.IGNORECASE | re.DOTALL)
_MISSING_COLON = re.compile(
    r"(?:[-*+][ \t]+)?[*_`]*([^\W\d][\w.]*?)[*_`]*[ \t]*(?:(?:[=:：]|-?->|=>|→)[*_`]*[ \t]*|(?<=[ \t]))(\S.*)$",
    re.DOTALL,
)
_COMMENT = re.compile(r"""(?<![^\s(=,\[|])(?:"[^"]*"|'[^']*')|(?:^|(?<=\s))#""")

_PART_KEYS = ("instead", "then")
_REPEATABLE_KEYS = {"expect"}


@dataclass
class BlockParser:
    """Parses the text of a block line by line."""

    kind: str
    text: MappedText
    parts: list[tuple[str, Span, list[Entry]]] = field(default_factory=list)
    statements: list[Span] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    key_offsets: dict[str, int] = field(default_factory=dict)  # keys of the current part
    first_part_keys: dict[str, int] = field(default_factory=dict)  # keys of the first part

    def parse(self) -> BlockParser:
        """Parse all lines; most of them match `USUAL` and need no further checks."""
        self.start_part("", self.text.span(0, 0))
        source, fullmatch = self.text.source, _USUAL_LINE.fullmatch
        for offset, line in zip(self.text.offsets, self.text.content.split("\n"), strict=True):
            if match := fullmatch(line):
                key, value = match.groups()
                value_at = offset + match.start(2)
                entry = Entry(key, value, source, offset, offset + len(key), value_at, value_at + len(value))
                if key in self.key_offsets or key in _PART_KEYS or self.statements:
                    self.add_entry(entry, key)
                else:
                    self.key_offsets[key] = offset
                    self.parts[-1][2].append(entry)
            elif line:
                self.parse_line(offset, line)
        return self

    def parse_line(self, offset: int, line: str) -> None:
        """Parse a line of any form: spaces before the key, capitals in it, a comment, a statement."""
        source, bare = self.text.source, _strip_comment(line) if "#" in line else line
        head, colon, tail = bare.partition(":")
        key, value = head.strip(), tail.strip().lstrip(":").lstrip()
        if colon and (key.isidentifier() or _KEY.fullmatch(key)):
            key_at, value_at = offset + head.index(key), offset + len(head) + 1 + tail.index(value)
            self.add_entry(
                Entry(key.lower(), value, source, key_at, key_at + len(key), value_at, value_at + len(value)), key
            )
        elif colon or key:
            key_at = offset + bare.index(bare.strip())
            self.parse_other_line(Span(source, key_at, key_at + len(bare.strip())))

    def start_part(self, name: str, span: Span) -> None:
        """Start a part; each part may use the same keys."""
        self.parts.append((name, span, []))
        self.key_offsets = {}
        if not name:
            self.first_part_keys = self.key_offsets

    def add_entry(self, entry: Entry, written: str) -> None:
        """Append an entry to the current part; report a key that is written twice."""
        key = entry.key
        if key in _PART_KEYS and self.kind == "example":
            self.add_part(entry)
            return
        if key.startswith("side"):
            entry = _name_side(entry, written)
        if self.statements:
            self.report_error("block-line", "settings stand before the first statement of a claim", entry.key_span)
        self.parts[-1][2].append(entry)
        label = f"{entry.key} {entry.name.lower()}" if entry.name else key
        if label not in self.key_offsets:
            self.key_offsets[label] = entry.key_at
        elif label not in _REPEATABLE_KEYS:
            line = entry.source.position(self.key_offsets[label])[0]
            span = entry.name_span if entry.name else entry.key_span
            note = f"it stands in line {line} already; keep one of the two"
            self.report_error("block-key", f"`{label}` is written twice", span, note)

    def parse_other_line(self, span: Span) -> None:
        """Handle a line without a colon: a statement of a claim, a line under `verdict:`, or an error."""
        if self.kind == "claim":
            self.statements.append(span)
            return
        entries = self.parts[-1][2]
        if self.kind == "sheet" and entries and entries[-1].key == "verdict":
            entries[-1] = entries[-1]._replace(lines=(*entries[-1].lines, span))
            return
        match = _MISSING_COLON.match(span.text)
        note = (
            f"did you mean `{match[1]}: {match[2]}`?" if match else "write `key: value`; anything after # is a comment"
        )
        if span.text.isidentifier():
            note = f"write `{span.text}: yes`, or another value after the colon"
        self.report_error("block-line", "this line is not `key: value`", span, note)

    def add_part(self, entry: Entry) -> None:
        """Start the part of an `instead:` or `then:` line."""
        self.start_part(entry.key, entry.key_span)
        if entry.value:
            message = f"`{entry.key}:` stands alone on its line"
            self.report_error("block-line", message, entry.value_span, "write this on the lines below it")

    def report_error(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, notes=notes))

    def build_parts(self) -> tuple[Part, ...]:
        return tuple([_build_part(name, span, entries) for name, span, entries in self.parts])


def _build_part(name: str, span: Span, entries: list[Entry]) -> Part:
    return Part(name, span, tuple(entries), {entry.key: entry for entry in reversed(entries)})


def _name_side(entry: Entry, written: str) -> Entry:
    """Turn `side Anna: ...` into an entry `side` with a name."""
    match = _SIDE.match(written)
    if not match:
        return entry
    return entry._replace(key="side", key_end=entry.key_at + 4, name=match[1], name_at=entry.key_at + match.start(1))


def _strip_comment(line: str) -> str:
    """The line up to a # at its start or after a space; a # in quotes is text."""
    for match in _COMMENT.finditer(line):
        if match[0] == "#":
            return line[: match.start()]
    return line


_DELIMITER = re.compile(r"""[,"[(]|(?<!\w)'""")
_CLOSING_DELIMITER = {'"': '"', "'": "'", "[": "]", "(": ")"}
_NAMED_ITEM = re.compile(r"""(?:"([^"]+)"|([^\W\d][\w.]*))\s*(?:[=:]\s*(?=\S))?(.*)""", re.DOTALL)
_QUERY_FIELD = re.compile(r"([^&=:]*)[=:]?([^&]*)")


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
    for end in [*_find_commas(text), len(text)]:
        piece = _trim_span(span.subspan(start, end))
        start = end + 1
        match = _NAMED_ITEM.fullmatch(piece.text)
        if match:
            items.append(_parse_item(piece, match))
        elif piece.text:
            _add_unnamed(items, piece)
    return items


def _find_commas(text: str) -> Iterator[int]:
    """Offsets of commas outside of brackets and quotes."""
    at = 0
    while match := _DELIMITER.search(text, at):
        at = match.end()
        if match[0] == ",":
            yield match.start()
        else:
            at = text.find(_CLOSING_DELIMITER[match[0]], at) + 1 or at


def _parse_item(span: Span, match: re.Match[str]) -> Item:
    group = 1 if match[1] else 2
    name = span.subspan(*match.span(group))
    value = span.subspan(*match.span(3))
    return Item(match[group], value.text, name, value) if match[3] else Item(match[group], "yes", name, name)


def _add_unnamed(items: list[Item], span: Span) -> None:
    """Append a piece to the value of the last item; without one, it becomes an item without a name."""
    if not items:
        items.append(Item("", span.text, Span(span.source, span.start, span.start), span))
        return
    last = items[-1]
    start = last.value_span.start if last.value_span != last.name_span else span.start
    whole = Span(span.source, start, span.end)
    items[-1] = Item(last.name, whole.text, last.name_span, whole)


def split_item(item: Item, names: Iterable[str]) -> list[Item]:
    """An item whose value goes on with further settings, as in `3; difficulty 5` or `3 difficulty=5`, as several.

    Only a separator before one of these names counts: a value such as `Salt & Pepper` may hold the same sign."""
    span, is_encoded = item.value_span, item.value != item.value_span.text
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    setting = rf"(?:\s*[,;&?]\s*(?:amp;\s*)?|\s+)(?=(?:{known})(?![\w.])|[^\W\d][\w.]*=)"
    starts = [*re.finditer(setting, span.text, re.IGNORECASE)]
    if not (known and starts) or item.value_span == item.name_span:
        return [item]
    ends = [*(match.start() for match in starts), len(span.text)]
    value = span.subspan(0, ends[0])
    items = [Item(item.name, _decode(value.text, is_encoded), item.name_span, value)]
    for match, end in zip(starts, ends[1:], strict=True):
        parts = parse_phrase(span.subspan(match.end(), end))
        items += [part._replace(value=_decode(part.value, is_encoded)) for part in parts]
    return items


def _decode(text: str, is_encoded: bool) -> str:
    from urllib.parse import unquote_plus

    return unquote_plus(text) if is_encoded else text


def _trim_span(span: Span) -> Span:
    """The span without spaces around it."""
    text = span.text
    start = len(text) - len(text.lstrip())
    return span.subspan(start, max(len(text.rstrip()), start))


def parse_query(span: Span) -> list[Item]:
    """Parse and decode the query of `roll:action?pool=5&difficulty=Very+Hard`."""
    from urllib.parse import unquote_plus

    items = []
    for match in _QUERY_FIELD.finditer(span.text):
        if match[1]:
            name, value = span.subspan(*match.span(1)), span.subspan(*match.span(2 if match[2] else 1))
            items.append(Item(unquote_plus(match[1]), unquote_plus(match[2]) or "yes", name, value))
    return items
