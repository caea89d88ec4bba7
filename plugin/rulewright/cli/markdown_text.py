"""Markdown for a terminal: headings, wrapped text, lists, tables that fit the width, code as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from ..handbook import HEADING, fenced_lines
from .terminal import Screen, pad, screen_width

_INDENT = "  "
_CODE_INDENT = "      "
_GAP = "  "  # between the columns of a table
_NARROWEST = 8  # columns of a cell that is wrapped
_ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +(?=\S)")
_RULER = re.compile(r"[\s|:-]+")
_CELL = re.compile(r"(?<!\\)\|")
_BOX = re.compile(r"(?:!!!|\?\?\?\+?|===) *([\w-]*) *(?:\"(.*)\")?\s*$")
_QUOTE = re.compile(r" {0,3}> ?")
_TAG = re.compile(r"\s*</?\w[^>]*>\s*$")
_FENCE_TITLE = re.compile(r'title="([^"]+)"')
_COMMENT = re.compile(r"^<!--.*?-->[^\S\n]*\n?", re.DOTALL | re.MULTILINE)
_LITERAL = re.compile(r"\\([!-/:-@\[-`{-~])|(`+).+?\2(?!`)")  # an escaped character, or code
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^()\s]*)\)(?:\{[^{}]*\})?")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])[*_](?=\S)([^*_]+?)(?<=\S)[*_](?![\w*])")
_TITLE_STYLE = "title"
_LANGUAGES = {  # code of these is shown without its fence; any other fence, such as an `example`, is part of the code
    "", "css", "html", "js", "json", "markdown", "output", "powershell", "pycon", "python", "sh", "text", "toml",
    "yaml",
}  # fmt: skip


class _Chunk(NamedTuple):
    kind: str  # "code", "table", "item", "box", "quote", "heading" or "text"
    lines: list[str]


def format_markdown(text: str, width: int, screen: Screen) -> list[str]:
    """A text as lines of at most `width` columns; only code may be wider."""
    lines, previous = list[str](), ""
    for chunk in _chunks(text):
        is_close = chunk.kind == "item" and previous == "item"
        formatted = _format_chunk(chunk, width, screen)
        lines += [""] if lines and formatted and not is_close else []
        lines += formatted
        previous = chunk.kind
    return lines


def format_words(text: str, screen: Screen) -> str:
    """A piece of text on one line, without markup: links are shortened, code keeps its backticks."""
    literals = list[str]()

    def hide(match: re.Match[str]) -> str:
        literals.append(match[1] or match[0].replace("\\|", "|"))
        return f"\0{len(literals) - 1}\0"

    words = _LINK.sub(_short_link, _LITERAL.sub(hide, text))
    words = _STRONG.sub(lambda match: screen.paint(match[1], _TITLE_STYLE), words)
    words = _EMPHASIS.sub(r"\1", words).replace("[[", "").replace("]]", "")
    return re.sub("\0(\\d+)\0", lambda match: literals[int(match[1])], " ".join(words.split()))


def wrap_words(text: str, width: int, first: str = "", then: str = "") -> list[str]:
    """Break a text at its spaces; lines begin with `first`, and further ones with `then`."""
    lines, line, is_empty = list[str](), first, True
    for word in text.split():
        if not is_empty and screen_width(line) + 1 + screen_width(word) > width:
            lines.append(line)
            line, is_empty = then, True
        line, is_empty = line + word if is_empty else f"{line} {word}", False
    return [*lines, line]


def _short_link(match: re.Match[str]) -> str:
    """The words of a link, and where they lead: a topic of the handbook, or an address."""
    is_picture, words, target = match.groups()
    if is_picture:
        return f"[picture: {words}]"
    if "://" in target:
        return f"{words} ({target})"
    page, found, heading = target.partition(".md")
    if not found or page.startswith(".."):
        return words
    return f"{words} (explain {heading[1:]})" if page == "problems" and heading else f"{words} (help {page})"


def _chunks(text: str) -> Iterator[_Chunk]:
    """The blocks of a text, in order."""
    kind, lines, blank = "", list[str](), False
    for line, is_fenced in fenced_lines(_hide_comments(text)):
        if is_fenced and (kind != "item" or not line.startswith(" ")):
            is_new = kind != "code" or (len(lines) > 1 and _is_closed(lines))
            following = "code"
        elif is_fenced:
            is_new, following = False, kind
        elif not line.strip():
            blank = True
            if kind in ("item", "box"):
                lines.append("")
            continue
        elif kind in ("item", "box") and line.startswith("  ") and not (kind == "item" and _ITEM.match(line)):
            is_new, following = False, kind
        else:
            following = _kind_of(line)
            is_new = following != kind or blank or following in ("item", "heading", "box")
            if following == "text" and kind == "item" and not blank:
                is_new, following = False, "item"  # a paragraph goes on without being indented
        if is_new and kind:
            yield _Chunk(kind, lines)
        kind, lines, blank = following, [*([] if is_new else lines), line], False
    if kind:
        yield _Chunk(kind, lines)


def _hide_comments(text: str) -> str:
    """A text without the HTML comments outside fences."""
    parts, lines, is_code = list[str](), list[str](), False
    for line, is_fenced in [*fenced_lines(text), ("", None)]:
        if is_fenced is not is_code:
            part = "".join(f"{each}\n" for each in lines)
            parts.append(part if is_code else _COMMENT.sub("", part))
            lines, is_code = [], bool(is_fenced)
        lines.append(line)
    return "".join(parts)


def _is_closed(lines: Sequence[str]) -> bool:
    ticks = lines[0].strip()
    fence = ticks[: len(ticks) - len(ticks.lstrip(ticks[0]))]
    return set(lines[-1].strip()) == {ticks[0]} and lines[-1].strip().startswith(fence)


def _kind_of(line: str) -> str:
    tests = {"heading": HEADING, "item": _ITEM, "box": _BOX, "quote": _QUOTE, "tag": _TAG}
    return next((kind for kind, pattern in tests.items() if pattern.match(line)), "table" if line[0] == "|" else "text")


def _format_chunk(chunk: _Chunk, width: int, screen: Screen) -> list[str]:
    match chunk.kind:
        case "heading":
            return _format_heading(chunk.lines[0], screen)
        case "code":
            return _format_code(chunk.lines)
        case "table":
            return _format_table(chunk.lines, width, screen)
        case "item":
            return _format_item(chunk.lines, width, screen)
        case "quote":
            inner = "\n".join(_QUOTE.sub("", line) for line in chunk.lines)
            return [f"{_INDENT}| {line.removeprefix(_INDENT)}" for line in format_markdown(inner, width - 2, screen)]
        case "box":
            return _format_box(chunk.lines, width, screen)
        case "tag":
            return []
    return wrap_words(format_words(" ".join(chunk.lines), screen), width, _INDENT, _INDENT)


def _format_heading(line: str, screen: Screen) -> list[str]:
    match = HEADING.match(line)
    assert match
    heading = format_words(match[2], screen)
    rule = {1: "=", 2: "-"}.get(len(match[1]))
    return [screen.paint(heading, _TITLE_STYLE), *([rule * screen_width(heading)] if rule else [])]


def _format_code(lines: Sequence[str]) -> list[str]:
    title = _FENCE_TITLE.search(lines[0])
    is_code = lines[0].strip("`~ ").partition(" ")[0] in _LANGUAGES
    body = dedent("\n".join(lines[1:-1] if is_code and _is_closed(lines) else lines[is_code:])).split("\n")
    body = _without_prompts(body) if lines[0].strip("`~ ").startswith("pycon") else body
    return [*([f"{_INDENT}{title[1]}:", ""] if title else []), *(f"{_CODE_INDENT}{line}".rstrip() for line in body)]


def _without_prompts(session: Sequence[str]) -> list[str]:
    """A Python session as code that can be copied: without prompts, and with what is printed as comments."""
    return [line[4:] if line.startswith((">>>", "...")) else f"# {line}" if line else "" for line in session]


def _format_item(lines: Sequence[str], width: int, screen: Screen) -> list[str]:
    mark = _ITEM.match(lines[0])
    assert mark
    own = len(mark[0])
    inner = "\n".join(
        [lines[0][own:], *(line[own:] if not line[:own].strip() else line.lstrip() for line in lines[1:])]
    )
    shown = format_markdown(inner, width - own, screen)
    first, *others = shown
    start = f"{_INDENT}{mark[1]}{mark[2]} "
    return [start + first.strip(), *(f"{' ' * (len(start) - len(_INDENT))}{line}".rstrip() for line in others)]


def _format_box(lines: Sequence[str], width: int, screen: Screen) -> list[str]:
    match = _BOX.match(lines[0])
    assert match
    title = match[2] or match[1].capitalize()
    body = format_markdown(dedent("\n".join(lines[1:])), width - len(_INDENT), screen)
    return [f"{_INDENT}{screen.paint(title, _TITLE_STYLE)}:", *(f"{_INDENT}{line}".rstrip() for line in body)]


def _format_table(lines: Sequence[str], width: int, screen: Screen) -> list[str]:
    rows = [[format_words(cell, screen) for cell in _cells(line)] for line in lines if not _RULER.fullmatch(line)]
    count = max(map(len, rows))
    rows = [row + [""] * (count - len(row)) for row in rows]
    widths = _column_widths(rows, width - len(_INDENT) - len(_GAP) * (count - 1))
    head = [screen.paint(cell, _TITLE_STYLE) for cell in rows[0]]
    shown = [line for row in ([head] if any(rows[0]) else []) for line in _format_row(row, widths)]
    ruler = _INDENT + _GAP.join("-" * size for size in widths)
    return [*shown, ruler, *(line for row in rows[1:] for line in _format_row(row, widths))]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().removeprefix("|").removesuffix("|"))]


def _column_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Each column as wide as its widest cell; where that is too much, the widest columns give way."""
    widths = [max(screen_width(row[number]) for row in rows) or 1 for number in range(len(rows[0]))]
    while sum(widths) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _format_row(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    cells = [wrap_words(cell, size) for cell, size in zip(row, widths, strict=True)]
    return [
        (
            _INDENT
            + _GAP.join(
                pad(cell[number] if number < len(cell) else "", size) for cell, size in zip(cells, widths, strict=True)
            )
        ).rstrip()
        for number in range(max(map(len, cells)))
    ]
