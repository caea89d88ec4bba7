"""Parser for the text of blocks: `key: value` lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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
            self.report_error("block-line", "settings come before the first statement of a claim", entry.key_span)
        self.parts[-1][2].append(entry)
        label = f"{entry.key} {entry.name.lower()}" if entry.name else key
        if label not in self.key_offsets:
            self.key_offsets[label] = entry.key_at
        elif label not in _REPEATABLE_KEYS:
            line = entry.source.position(self.key_offsets[label])[0]
            span = entry.name_span if entry.name else entry.key_span
            note = f"it is in line {line} already; keep one of the two"
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
            message = f"`{entry.key}:` is alone on its line"
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
