"""Reads TOML with `tomllib`, and adds the spans of keys and values, and syntax errors in plain words."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from ..source import Problem, Source, Span

Path = tuple[str | int, ...]
_STRING_PATTERN = (  # an unclosed string ends at the end of its line, or of the file
    r'"""(?:\\.|[^\\])*?(?:""""{0,2}|\\?\Z)|'
    r"'''.*?(?:''''{0,2}|\Z)|"
    r'"(?:\\[^\n]|[^"\\\n])*"?|'
    r"'[^'\n]*'?"
)
_STRING_TOKEN = re.compile(_STRING_PATTERN, re.DOTALL)
_BLANK_TOKEN = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR_TOKEN = re.compile(r"[^,\]\}\n#]*")


@dataclass
class SpanIndex:
    """Spans of keys and values by their path, such as ("rules", "action", "label")."""

    source: Source
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)


class _DuplicateKeyError(Exception):
    """A key appears twice in one table."""

    def __init__(self, key: str, span: Span, first: Span) -> None:
        super().__init__(key)
        self.key, self.span, self.first = key, span, first


class SpanScanner:
    """Records the spans of keys and values in text that is known to be valid TOML."""

    def __init__(self, source: Source, places: SpanIndex) -> None:
        self.text, self.source, self.places, self.at = source.text, source, places, 0
        self.counts: dict[Path, int] = {}

    def scan(self) -> None:
        header: Path = ()
        self.skip_blanks()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                header = self.scan_header()
            else:
                self.scan_pair(header)
            self.skip_blanks()

    def scan_header(self) -> Path:
        start, double = self.at, self.text.startswith("[[", self.at)
        self.at += 1 + double
        path, key = self.scan_key_path(())
        full = self.add_array_indices(path[:-1]) + path[-1:]
        if double:
            self.counts[full] = self.counts.get(full, -1) + 1
            full += (self.counts[full],)
        self.at = self.text.index("]", self.at) + 1 + double
        self.add_spans(full, key, Span(self.source, start, self.at))
        return full

    def add_spans(self, path: Path, key: Span, value: Span) -> None:
        if path in self.places.values:
            raise _DuplicateKeyError(str(path[-1]), key, self.places.keys[path])
        self.places.keys[path], self.places.values[path] = key, value

    def add_array_indices(self, path: Path) -> Path:
        """The path with the index of the current entry after each part that is an array of tables."""
        full: Path = ()
        for part in path:
            full += (part,)
            if full in self.counts:
                full += (self.counts[full],)
        return full

    def scan_key_path(self, table: Path) -> tuple[Path, Span]:
        """Scan a dotted key: its path, and the span of its last part."""
        path = table
        while True:
            self.skip_blanks()
            start, key = self.at, self.scan_key()
            path, span = (*path, key), Span(self.source, start, self.at)
            self.places.keys.setdefault(path if table else self.add_array_indices(path), span)
            self.skip_blanks()
            if self.text[self.at] != ".":
                return path, span
            self.at += 1

    def scan_key(self) -> str:
        match = _STRING_TOKEN.match(self.text, self.at) or _BARE_KEY.match(self.text, self.at)
        assert match, "tomllib has read this text before"
        self.at = match.end()
        written = match.group()
        if "\\" in written:
            return str(next(iter(tomllib.loads(f"{written} = 0"))))
        return written[1:-1] if written[0] in "\"'" else written

    def scan_pair(self, table: Path) -> None:
        path, key = self.scan_key_path(table)
        self.at = self.text.index("=", self.at) + 1
        if path in self.places.values:
            raise _DuplicateKeyError(str(path[-1]), key, self.places.keys[path])
        self.scan_value(path)

    def scan_value(self, path: Path) -> None:
        self.skip_blanks()
        start, opening = self.at, self.text[self.at]
        if opening == "[":
            self.scan_group(path, "]")
        elif opening == "{":
            self.scan_group(path, "}")
        else:
            match = _STRING_TOKEN.match(self.text, start) or _SCALAR_TOKEN.match(self.text, start)
            assert match, "tomllib has read this text before"
            self.at = start + len(match.group().rstrip())
        self.places.values[path] = Span(self.source, start, self.at)

    def scan_group(self, path: Path, closing: str) -> None:
        """Scan an array or an inline table; the path of an array item ends with its index."""
        self.at += 1
        number = 0
        self.skip_blanks()
        while self.text[self.at] != closing:
            if closing == "]":
                self.scan_value((*path, number))
            else:
                self.scan_pair(path)
            number += 1
            self.skip_blanks()
            self.at += self.text[self.at] == ","
            self.skip_blanks()
        self.at += 1

    def skip_blanks(self) -> None:
        match = _BLANK_TOKEN.match(self.text, self.at)
        self.at = match.end() if match else self.at


def inner_span(span: Span, text: str, start: int, end: int) -> Span:
    """The span of a part of a quoted text; the whole span if the text contains escapes."""
    span_text = span.text.replace("\r\n", "\n")
    at = span_text.find(text, 1) if text and span.text[:1] in ("'", '"') else -1
    if at < 0:
        return span
    ends = [at + start, at + max(end, start + 1)]
    if "\r\n" in span.text:
        ends = [end + span_text[:end].count("\n") for end in ends]
    return span.subspan(*ends)


MAX_FILE_SIZE = 256_000
_MAX_DEPTH = 100
_MAX_KEY_PARTS = 16  # of a dotted key; the time of tomllib is quadratic in them
_STRUCTURE_TOKEN = re.compile(r"#[^\n]*|" + _STRING_PATTERN + r"|[][{}.=,\n]", re.DOTALL)
_ERROR_POSITION = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
_LONG_NUMBER = re.compile(r"[0-9_]{1000,}")
_WORD_TOKEN = re.compile(r"[^\s,=#\[\]{}\"']*")
_TYPOGRAPHIC_QUOTES = tuple("“”„‟«»‘’‚‛")
_PLAIN_MESSAGES = {  # messages of tomllib, and plain ones
    "Invalid value": 'a value is missing here, or text that is not in quotes: "…"',
    "Invalid date or datetime": "a number or text is expected here, and this looks like a date",
    "Expected '=' after a key": "a key and its value are joined by =; a key of several words needs quotes",
    "Expected newline or end of document": "this does not belong here: one setting a line, text in quotes",
    "Expected ']": "the header of a table ends with ], and that is missing here",
    "Invalid statement": "a line begins with a key or with [",
    "Invalid initial character for a key part": "a key is expected here, such as pool or \"two words\"",
    "Unclosed array": "this list is not closed: a comma or ] is missing",
    "Unclosed inline table": "a comma or } is missing here; such a table is on one line, formulas in quotes",
    "Unterminated string": "this text is not closed: a quote is missing",
    "Wrapped table": "a table in { } is written on one line; join this line and the next ones",
    "Expected": "this text is not closed: a quote is missing",
    "Unescaped '\\' in a string": "in double quotes a backslash is written \\\\; or put the text in single quotes",
    "Invalid hex value": "\\u needs four digits after it, \\U eight",
    "Escaped character is not": "there is no character of this number",
    "Found invalid character": "this character cannot be used in a game; remove it",
    "Illegal character": "this character cannot be used in a game; remove it",
    "Duplicate inline table key": "this key appears twice",
    "Cannot": "this was given a value or a table of its own before",
    "Exceeds the limit": "this number is too long",
}  # fmt: skip


def read_toml(source: Source) -> tuple[dict[str, Any], SpanIndex, list[Problem]]:
    """The data of a file with its places, or the problem that prevents parsing it."""
    places = SpanIndex(source)
    problem = _find_size_problem(source)
    if problem is None:
        try:
            data = tomllib.loads(source.text.replace("\r\n", "\n"))
        except ValueError as error:
            problem = syntax_problem(source, str(error))
        else:
            SpanScanner(source, places).scan()
            return data, places, []
    return {}, places, [problem]


def _find_size_problem(source: Source) -> Problem | None:
    """The problem of a file that is too large or too deeply nested to parse; else None."""
    if len(source.text) > MAX_FILE_SIZE:
        return size_problem(source, len(source.text))
    if "\0" in source.text:
        offset = source.text.index("\0")
        return Problem("game-toml", "this file holds a NUL character; remove it", Span(source, offset, offset + 1))
    brackets, parts = 0, 0
    for match in _STRUCTURE_TOKEN.finditer(source.text):
        sign = match[0]
        brackets += (sign in ("[", "{")) - (sign in ("]", "}"))
        parts = parts + 1 if sign == "." else parts if sign[0] in "\"'" else 1
        if brackets > _MAX_DEPTH or parts > _MAX_KEY_PARTS:
            deep, long = (
                f"brackets are nested deeper than {_MAX_DEPTH}",
                f"this key has more than {_MAX_KEY_PARTS} parts",
            )
            return Problem("game-size", deep if brackets > _MAX_DEPTH else long, Span(source, *match.span()))
    return None


def size_problem(source: Source, size: int) -> Problem:
    message = (
        f"this file has {size:,} bytes and a game at most {MAX_FILE_SIZE:,}; split it, and let one extend the other"
    )
    return Problem("game-size", message, Span(source, 0, 0))


def syntax_problem(source: Source, tomllib_message: str) -> Problem:
    """A syntax error of tomllib as a problem: in plain words, at the text to fix."""
    duplicate = _find_duplicate_key(source) if tomllib_message.startswith(("Cannot", "Duplicate")) else None
    if duplicate:
        line, _ = source.position(duplicate.first.start)
        return Problem(
            "game-toml",
            f"`{duplicate.key}` is written twice; the first is in line {line}: join the two, or remove one",
            duplicate.span,
        )
    start = _find_error_offset(source, tomllib_message)
    if source.text[start : start + 1] in ("\r", "\n"):
        tomllib_message = _correct_line_end(tomllib_message, source.text[:start])
    message = next(
        (plain for opening, plain in _PLAIN_MESSAGES.items() if tomllib_message.startswith(opening)), tomllib_message
    )
    if "a quote is missing" in message:
        start = _find_unclosed(source.text)
        quote = (re.match(r'"""|\'\'\'|["\']', source.text[start:]) or ['"'])[0]
        message = f"this text is not closed; write {quote} at its end"
    if source.text[start : start + 1] in _TYPOGRAPHIC_QUOTES:
        inner = re.split(r"[“”„‟«»‘’‚‛\n]", source.text[start + 1 :], maxsplit=1)[0]
        message = f'quotes here are straight ones; write "{inner}"'
    else:
        message = _explain_line(source, start) or message
    return Problem("game-toml", message, _word_span(source, start))


_COMMENT_SIGN = re.compile(r"//+|--+|/\*+")
_COMMENT_LINE = re.compile(r"\s*(?://+|--+|/\*+|[%;]+)")
_JOINED_OTHERWISE = re.compile(r"(\s*)([A-Za-z0-9_.-]+|\"[^\"]*\")\s*(?:==|=>|:=|->|:)\s*(.*?)\s*")
_SPACED_KEY = re.compile(r"(?:(?<=[{,])|^)\s*([^\W\d][\w-]*(?: +[\w-]+)+)(?=\s*=)")
_FOREIGN_KEY = re.compile(r"[\w-]+(?=\s*=)")
_UNQUOTED_VALUE = re.compile(
    r"""(?:\((?:[^()\n#"]|\([^()\n#"]*\))*\)|[^,\]}\n#"'])*"""
)  # a comma in brackets is part of it
_TRUTH_WORDS = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}


def _explain_line(source: Source, start: int) -> str:
    """What to write instead of a line with an error at `start`; empty if that is not certain."""
    first = source.text.rfind("\n", 0, start) + 1
    before, after = source.text[first:start], source.text[start:].partition("\n")[0].rstrip("\r")
    line = before + after
    comment = _COMMENT_LINE.match(line) or _COMMENT_SIGN.match(after)
    if comment:
        return f"a comment begins with #; write # {comment.string[comment.end() :].strip()}".rstrip()
    if after.strip() in (",", ";"):
        return f"nothing follows a value at the end of a line; remove the {after.strip()}"
    if not source.text[:start].strip() and after.startswith("{"):
        return 'a game is TOML, not JSON; write lines such as title = "…" and headers such as [rules.NAME]'
    if line.lstrip().startswith("["):
        name = re.sub(r"[\s.]+", ".", line.strip().strip("[]").strip())
        return f"the header of a table is a name in brackets, its parts joined by points; write [{name}]"
    if joined := _JOINED_OTHERWISE.fullmatch(line):
        value = joined[3] if _is_value(joined[3]) else f'"{joined[3]}"'
        example = f"{joined[2]} = {value}" if joined[3] else f"[{joined[2]}]"
        return f"a key and its value are joined by one =; write {example}"
    return _explain_key(line, before, after) or _explain_value(before, after)


def _explain_key(line: str, before: str, after: str) -> str:
    """What to write instead of a key with spaces or foreign letters, which ends or goes on at the error."""
    spaced = next((match for match in _SPACED_KEY.finditer(line) if match.end(1) > len(before)), None)
    if spaced and spaced.start(1) < len(before):
        joined = re.sub(r"[ -]+", "_", spaced[1].lower())
        return f'a key has no spaces; write {joined}, or "{spaced[1]}" where a name may have spaces'
    key = re.search(r"[\w-]*$", before)
    whole = (key[0] if key else "") + (re.match(r"[\w-]*", after) or [""])[0]
    if whole and not whole.isascii() and _FOREIGN_KEY.match(line, len(before) - len(key[0] if key else "")):
        return (
            f'a key has only a to z, digits, _ and -; write another name, or "{whole}" where a name may have any letter'
        )
    return ""


def _explain_value(before: str, after: str) -> str:
    """What to write instead of a value without quotes, or of a number with a comma or a percent sign."""
    if after.startswith("%"):
        return "a number has no percent sign; remove it"
    if re.search(r"\d,\d+\s*$", before):
        return "a number here is whole and has no comma; write it without what follows the comma"
    if after.startswith(";"):
        return "settings in { } are separated by commas; write , for ;"
    word = (_UNQUOTED_VALUE.match(after) or [""])[0].strip()
    if not word or word[0].isdigit() or not re.search(r"[=\[,]\s*$", before):
        return ""
    if word.lower() in _TRUTH_WORDS:
        return f"a yes or no is true or false here; write {_TRUTH_WORDS[word.lower()]}"
    return f'text and formulas are written in quotes; write "{word}"'


def _is_value(text: str) -> bool:
    """Whether a text is a value of TOML."""
    try:
        tomllib.loads(f"key = {text}")
    except ValueError:
        return False
    return True


def _word_span(source: Source, start: int) -> Span:
    """The span of the word at an offset; of one character if there is no word."""
    match = _WORD_TOKEN.match(source.text, start)
    return Span(source, start, max(match.end() if match else 0, start + 1))


def _correct_line_end(tomllib_message: str, before: str) -> str:
    """tomllib reports a line that ends too early as an invalid character: the message that fits instead."""
    if tomllib_message.startswith(("Found invalid", "Illegal")):
        return "Unterminated string"
    inside = before[_find_unclosed(before) :].startswith("{")
    return "Wrapped table" if inside and tomllib_message.startswith("Invalid initial") else tomllib_message


def _find_duplicate_key(source: Source) -> _DuplicateKeyError | None:
    """The first duplicate key; None if there is none."""
    try:
        SpanScanner(source, SpanIndex(source)).scan()
    except _DuplicateKeyError as error:
        return error
    except (AssertionError, LookupError, ValueError):
        return None
    return None


def _find_error_offset(source: Source, tomllib_message: str) -> int:
    """The offset of an error; for an unexpected end of the file, that of the bracket or quote left open."""
    match = _ERROR_POSITION.search(tomllib_message)
    if match and match.group(1):
        return min(source.line_starts[int(match.group(1)) - 1] + int(match.group(2)) - 1, len(source.text))
    digits = _LONG_NUMBER.search(source.text)
    return _find_unclosed(source.text) if match or not digits else digits.start()


def _find_unclosed(text: str) -> int:
    """The offset of the first unclosed quote, or of the last unclosed bracket; else the end of the text."""
    open_brackets = [len(text)]
    for match in _STRUCTURE_TOKEN.finditer(text):
        sign = match.group()
        if sign[0] in "\"'" and (len(sign) == 1 or sign[0] != sign[-1]):
            return match.start()
        if sign in "[{":
            open_brackets.append(match.start())
        elif sign in "]}" and len(open_brackets) > 1:
            open_brackets.pop()
    return open_brackets[-1]
