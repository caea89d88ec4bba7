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
from .anchors import GitHubNumbering, term_id
from .entries import BlockParser
from .page import BLOCK_KINDS, HIDDEN_KINDS, Anchor, Block, Heading, Ignore, LineMap, Link, MappedText, Term, Trail


@dataclass
class PageBuilder:
    """Everything collected from one page while the parser walks its tokens; becomes a `Page`."""

    line_map: LineMap
    references: dict[str, dict[str, object]]
    has_game: bool = True  # does the book have a game?
    extra_kinds: frozenset[str] = frozenset()  # block kinds that other packages add
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    contents: list[Span] = field(default_factory=list)
    ignores: list[Ignore] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    open_headings: list[Heading] = field(default_factory=list)
    trail: Trail = ()
    containers: list[str] = field(default_factory=list)
    slugs: GitHubNumbering = field(default_factory=GitHubNumbering)
    explicit_headings: dict[str, Heading] = field(default_factory=dict)  # headings by their explicit ids
    block_counts: Counter[str] = field(default_factory=Counter)
    row_cells: list[str] = field(default_factory=list)  # cells of the current table row, as far as they were read
    row_pipes: list[int] = field(default_factory=list)  # offsets of the separators in that row

    def report_warning(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "warning", notes, self.trail))

    def report_error(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(Problem(code, message, span, "error", notes, self.trail))

    def enter_section(self, heading: Heading) -> None:
        """Enter the section of a heading; report an explicit id that another heading has."""
        if heading.explicit and self.explicit_headings.setdefault(heading.id, heading) is not heading:
            first = self.explicit_headings[heading.id].line
            self.report_error(
                "heading-id", f"two headings have the id `{heading.id}`", heading.span, f"the other is in line {first}"
            )
        self.headings.append(heading)
        self.open_headings.append(heading)
        self.trail = tuple(parent.text for parent in self.open_headings)

    def leave_sections(self, level: int) -> None:
        """Close all open sections of this level or deeper."""
        while self.open_headings and self.open_headings[-1].level >= level:
            self.open_headings.pop()
        self.trail = tuple(parent.text for parent in self.open_headings)

    def new_term_id(self, text: str) -> str:
        """The id of a definition term; empty if an earlier term on the page has it."""
        id_ = term_id(text)
        return "" if any(term.id == id_ for term in self.terms) else id_

    def next_block_id(self) -> str:
        """The default id of the next block: the id of the heading above it, and a number."""
        slug = self.open_headings[-1].id if self.open_headings else file_stem(self.line_map.source.path)
        self.block_counts[slug] += 1
        return f"{slug}.{self.block_counts[slug]}"


def file_stem(path: str) -> str:
    """File name without folder and extension, for paths of any system."""
    return PurePosixPath(path.replace("\\", "/")).stem


_LONG_WORD = 6  # letters; words at least this long may have two typos
_OTHER_LANGUAGES = {"gams", "role", "border", "cable", "stable", "sweet"}  # languages of other tools
_BLOCK_KEYS = "game|rule|dice|outcome|degree|aim"  # keys that occur almost only in blocks
_NOTE_KEYS = "todo|note|notes|fixme|see|source|author|date"  # keys of notes that authors write for themselves
_SETTING_LINE = re.compile(rf"(?:(?i:{_BLOCK_KEYS})|(?!(?:{_NOTE_KEYS})\b)[a-z]\w*|side [^:]+)[ \t]*:(?:[ \t].*)?")
_STATEMENT_LINE = re.compile(r"[a-z]\w*[ \t]*\(.*\).*[=<>≤≥≈~].*")
_TOML_LINE = re.compile(r"\[[\w.\"-]+\]|[\w.\"-]+[ \t]*=.*")
_BLOCK_KEY_LINE = re.compile(rf"(?i:{_BLOCK_KEYS})[ \t]*:[ \t]*\S.*")
_NUMBER_LINE = re.compile(r"[a-z]\w*:[ \t]*\d[\d \t|,;]*(?:\w+:.*)?")
_ROLL_KINDS = ("example", "roller", "odds")  # for these kinds a line such as `pool: 5` is enough evidence


_GERMAN_KINDS = {
    "beispiel": "example", "regel": "rule", "tabelle": "table", "spiel": "game", "bogen": "sheet",
    "reihenfolge": "order", "chancen": "odds", "behauptung": "claim", "würfler": "roller",
}  # fmt: skip


@cache
def guess_kind(word: str) -> str | None:
    """The kind that a misspelled word probably means; None for a language that highlighters know."""
    name = word.strip("{}.:").lower()
    if name in BLOCK_KINDS or name in _GERMAN_KINDS:
        return _GERMAN_KINDS.get(name, name)
    max_typos = 2 if len(name) >= _LONG_WORD else 1
    candidates = [(edit_distance(name, kind), kind) for kind in BLOCK_KINDS if abs(len(name) - len(kind)) <= max_typos]
    best = min(candidates, default=(max_typos + 1, ""))
    return best[1] if best[0] <= max_typos and name not in _highlighter_languages() else None


@cache
def _highlighter_languages() -> frozenset[str]:
    """Names of all languages that Pygments can highlight."""
    try:
        from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]
    except ImportError:
        return frozenset(_OTHER_LANGUAGES)
    return frozenset(alias.lower() for lexer in get_all_lexers(plugins=False) for alias in lexer[1]) | _OTHER_LANGUAGES


def is_one_typo(word: str, other: str) -> bool:
    """True for words that differ by exactly one typo."""
    return abs(len(word) - len(other)) < 2 and edit_distance(word, other) == 1


def edit_distance(word: str, other: str) -> int:
    """Edit distance of two words: insertions, deletions, substitutions, swaps of neighbors."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word):
        older, before, row = before, row, [i + 1]
        for j, other_letter in enumerate(other):
            row.append(min(before[j] + (letter != other_letter), before[j + 1] + 1, row[j] + 1))
            if i and j and letter == other[j - 1] and word[i - 1] == other_letter:
                row[-1] = min(row[-1], older[j - 1] + 1)
    return row[-1]


def _looks_like_block(kind: str, text: str) -> bool:
    """True if most lines have the syntax of a block of this kind."""
    lines = _content_lines(text)
    forms = (
        (_TOML_LINE,) if kind == "game" else (_SETTING_LINE, _STATEMENT_LINE) if kind == "claim" else (_SETTING_LINE,)
    )
    return 2 * sum(any(form.fullmatch(line) for form in forms) for line in lines) > len(lines)


def _is_surely_block(kind: str, text: str) -> bool:
    """Whether a fence is surely a block: a line has a form that hardly occurs outside of our blocks."""
    forms = (
        (_BLOCK_KEY_LINE, _NUMBER_LINE)
        if kind in _ROLL_KINDS
        else (_BLOCK_KEY_LINE, _STATEMENT_LINE)
        if kind == "claim"
        else (_BLOCK_KEY_LINE,)
    )
    return _looks_like_block(kind, text) and any(
        form.fullmatch(line) for line in _content_lines(text) for form in forms
    )


def _content_lines(text: str) -> list[str]:
    """The lines without comments and empty lines."""
    lines = (line.partition(" #")[0].strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def _is_block_fence(word: str, text: str) -> bool:
    """True if a fence in a book without a game is one of our blocks; other tools use some of the same words."""
    if word not in BLOCK_KINDS:
        return False
    if word == "game":
        lines = _content_lines(text)
        return not lines or any(_TOML_LINE.fullmatch(line) for line in lines)
    return _is_surely_block(word, text)


class _BlockLocation(NamedTuple):
    """Location of a block: its span, the span of its kind word, its first line, and whether readers see it."""

    span: Span
    word: Span
    line: int
    shown: bool


_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([A-Za-z]+)\b")


def collect_fence(builder: PageBuilder, token: Token) -> None:
    """Parse a fence with one of our words as a block; warn if its word looks like a typo or nothing closes it."""
    if token.map is None:
        return
    first, end = token.map
    is_closed = _is_closed(token, end - first)
    word = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    is_block = word.lower() in BLOCK_KINDS and (builder.has_game or _is_block_fence(word, token.content))
    if is_block or word.lower() in builder.extra_kinds:
        is_closed = is_closed and not _swallows_block(token.content)
        content = token.content if is_closed else _first_paragraph(token.content)
        text = builder.line_map.locate(first + 1, content)
        location = _BlockLocation(
            builder.line_map.range_span(first, end), _kind_word_span(builder, token, word), first + 1, True
        )
        token.meta["block"] = _add_block(builder, word.lower(), text, location)
    elif (
        word
        and (kind := guess_kind(word))
        and (builder.has_game or (kind == "game" and _looks_like_block(kind, token.content)))
    ):
        message = f"`{word}` is no kind of block, so nothing here is checked"
        builder.report_warning("block-unknown", message, _kind_word_span(builder, token, word), f"did you mean {kind}?")
    if not is_closed:
        message = f"nothing closes this fence: what follows it, up to line {end}, is part of it"
        builder.report_warning(
            "block-unclosed", message, builder.line_map.line_span(first), f"a line of {token.markup} closes it"
        )


def _swallows_block(text: str) -> bool:
    """Whether another block begins in the text of a block, so that its own fence was hardly meant to go on."""
    matches = filter(None, map(_FENCE_LINE.match, text.split("\n")))
    return any(match[1].lower() in BLOCK_KINDS for match in matches)


def _first_paragraph(text: str) -> str:
    """The text up to its first empty line: of an unclosed block, what follows is hardly meant as a part of it."""
    return re.split(r"\n[ \t]*\n", text, maxsplit=1)[0] + "\n"


LOOSE_FENCE_SIGNS = tuple("`'\":´-={[")  # what a paragraph begins with that may be meant as a block
_LOOSE_FENCE = re.compile(
    r"[ \t]*(?:`{1,2}|'+|\"+|:{2,}|´+|-{3,}|={3,}|[{\[])[ \t]*([A-Za-z]+)[ \t]*[}\]]?[ \t]*\n(.*)", re.DOTALL
)


def check_loose_fence(builder: PageBuilder, token: Token) -> None:
    """Warn about a paragraph that has the lines of a block, but begins with something else than three backticks."""
    match = _LOOSE_FENCE.match(token.content) if builder.has_game and token.map else None
    kind = match[1].lower() if match else ""
    if match and token.map and kind in BLOCK_KINDS and _is_surely_block(kind, match[2].rstrip("`'\":´}] \n")):
        message = "a block begins with three backticks, and this does not, so nothing here is checked"
        note = f"write ```{kind} on a line of its own, and ``` below the last line"
        builder.report_warning("block-unknown", message, builder.line_map.line_span(token.map[0]), note)


def _is_closed(token: Token, lines: int) -> bool:
    """True if a fence has a closing line: without one, its content has one line more."""
    content_length = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    return content_length == lines - 2


def _kind_word_span(builder: PageBuilder, token: Token, word: str) -> Span:
    """Span of the kind word in the opening line of a fence."""
    line = token.map[0] if token.map else 0
    text = builder.line_map.lines[line]
    start = text.find(word, text.find(token.markup) + len(token.markup))
    return builder.line_map.span(line, start, start + len(word))


def check_indented_code(builder: PageBuilder, token: Token) -> None:
    """Warn about indented code that contains the fence of a block."""
    first = token.map[0] if token.map else 0
    if not builder.has_game:
        return
    for number, line in enumerate(token.content.split("\n"), first):
        match = _FENCE_LINE.match(line)
        if match and match[1].lower() in BLOCK_KINDS:
            message = f"indented this far, this is code and no block: the {match[1].lower()} is not checked"
            note = "indent it less, or put it between longer fences if it is only to be shown"
            builder.report_warning("block-indented", message, builder.line_map.line_span(number), note)
            return


def _add_block(builder: PageBuilder, kind: str, text: MappedText, location: _BlockLocation) -> Block:
    """Parse the text of a block and add the block to the page."""
    default_id, block_parser = builder.next_block_id(), BlockParser(kind, text)
    if kind == "game":
        block_parser.start_part("", text.span(0, 0))
    else:
        block_parser.parse()
    id_, show = _first_part_value(block_parser, "id") or default_id, _first_part_value(block_parser, "show")
    trail = (*builder.trail, id_)
    new_block = Block(
        kind=kind,
        id=id_,
        text=text,
        span=location.span,
        word=location.word,
        parts=block_parser.build_parts(),
        statements=tuple(block_parser.statements),
        shown=location.shown and show.lower() != "no" and (show != "" or kind not in HIDDEN_KINDS),
        trail=builder.trail,
        containers=tuple(builder.containers),
        line=location.line,
        problems=tuple([problem._replace(trail=trail) for problem in block_parser.problems]),
    )
    builder.blocks.append(new_block)
    return new_block


def _first_part_value(block_parser: BlockParser, key: str) -> str:
    """The value of a key in the first part of a block; empty without the key."""
    if key not in block_parser.first_part_keys:
        return ""
    return next(entry.value for entry in block_parser.parts[0][2] if entry.key == key)


def check_block_ids(builder: PageBuilder) -> None:
    """Report blocks of one page that have the same explicit id."""
    first_blocks: dict[str, Block] = {}
    for new in builder.blocks:
        first = first_blocks.setdefault(new.id, new)
        entry = None if first is new else new.get("id") or first.get("id")
        if entry:
            other = first if new.get("id") else new
            message = f"two blocks have the id `{entry.value}`"
            builder.report_error("block-id", message, entry.value_span, f"the other one begins in line {other.line}")


_COMMENT_START = re.compile(r"\s*([^\W\d_]+)(?![\w-])[ \t]*([^\n]*)(?:\n(.*))?", re.DOTALL)


def parse_comment(builder: PageBuilder, text: MappedText, comment: re.Match[str]) -> list[Block]:
    """Parse a comment as a block if its first line is nothing but a kind; warn about near misses."""
    match = _COMMENT_START.match(comment[1])
    if not match:
        return []
    start = comment.start(1)
    word, kind = text.span(start + match.start(1), start + match.end(1)), match[1].lower()
    starts_block = match[3] is not None and not match[2] and "\n" not in comment[1][: match.start(1)]
    is_kind = match[1] in BLOCK_KINDS or match[1] in builder.extra_kinds
    if starts_block and (is_kind or (kind in BLOCK_KINDS and _looks_like_block(kind, match[3]))):
        span = text.span(*comment.span())
        location = _BlockLocation(span, word, span.source.position(span.start)[0], False)
        return [_add_block(builder, kind, text.part(start + match.start(3), comment.end(1)), location)]
    if starts_block and (similar := _similar_kind(kind)) and _looks_like_block(similar, match[3]):
        message = f"`{match[1]}` is no kind of block, so nothing here is checked"
        builder.report_warning("block-unknown", message, word, f"did you mean {similar}?")
    elif kind in BLOCK_KINDS and not starts_block and _is_surely_block(kind, f"{match[2]}\n{match[3] or ''}"):
        message = f"this is no block yet, so nothing here is checked: `{match[1]}` has to be alone after <!--"
        builder.report_warning("block-unknown", message, word, "write each key into a line of its own below it")
    return []


def _similar_kind(word: str) -> str | None:
    """The kind that is one typo away; strict, because a comment may begin with any word."""
    similar = None if word in BLOCK_KINDS else guess_kind(word)
    return similar if similar and is_one_typo(word, similar) else None
