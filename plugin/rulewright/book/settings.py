"""The one parser of settings: `pool 5, difficulty=Hard; specialty`, in blocks, claims, links and on the command line.

- Between settings stand commas, semicolons, `&`, ends of lines, or blanks alone; between a name and its value a blank,
  `=` or `:`. Quotes may stand around a name or a value, and what they hold is not split.
- At each place the longest known name is read, then the longest text that its value may be. So a value may hold blanks
  and separators: `Very Hard`, `Salt & Pepper`, `no; no; yes`.
- Dice, traits and other texts that only their rule can judge (`ends` is FREE) go on until a separator with a known name
  behind it, or with any name and `=`; PIECE ends at the first separator.
- A flag alone means yes. A word that is one choice of one input alone needs no name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ..source import Source, Span

_SEPARATORS = re.compile(r"""(?:[\s,;&:=?"]|(?<=&)amp;|\.(?=\s|$))*""")
_WORD = re.compile(r"""[^\s,;&:=?"]+""")
_NUMBER = re.compile(r"[+−-]?\d+")
_STOP = re.compile(r"""["(\[]|[,;&?\n]|(?<!\s)[^\S\n]+(?=[^\W\d][\w.]*[=:])""")  # a delimiter, or where a piece may end
_CLOSING = {'"': '"', "[": "]", "(": ")"}
_NAMED = re.compile(r"[^\W\d][\w.]*\s*[=:]")
_MOST_WORDS, _MOST_PIECES = 12, 24  # of a value that is checked
WORDS, PIECES, PIECE, FREE = "words", "pieces", "piece", "free"  # where a value may end


class Item(NamedTuple):
    """A name and its value; a name alone has the value yes."""

    name: str
    value: str
    name_span: Span
    value_span: Span

    @property
    def is_alone(self) -> bool:
        return self.name_span == self.value_span


class Setting(NamedTuple):
    """What may be set: its name, where its value may end, and whether a text is such a value."""

    name: str
    ends: str = WORDS
    accepts: Callable[[str], bool] = bool
    is_flag: bool = False


@dataclass(frozen=True, eq=False)
class SettingNames:
    """What may be set by each way to write it, in lower case; and names by choices that need no name."""

    settings: Mapping[str, Setting]
    choices: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return _longest_of(self.settings)

    @cached_property
    def choice_pattern(self) -> re.Pattern[str]:
        return _longest_of(self.choices)


def plain_text(text: str) -> str:
    """A text with one blank between its words."""
    return " ".join(text.split())


def _longest_of(names: Iterable[str]) -> re.Pattern[str]:
    """Matches any of these names as a whole, the longest first."""
    known = "|".join(r"\s+".join(map(re.escape, name.split())) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:{known or '(?!)'})(?![\w]|\.\w)", re.IGNORECASE)


def parse_settings(span: Span, names: SettingNames) -> list[Item]:
    """The settings in a text; a word that begins none of them keeps its own name, a number has none."""
    return list(_Parser(span, names).parse())


def parse_query(span: Span, names: SettingNames) -> list[Item]:
    """The settings of a link, whose text is encoded: `pool=5&difficulty=Very+Hard`."""
    if not re.search("[%+]", span.text):
        return parse_settings(span, names)
    from urllib.parse import unquote_plus

    parts = [*re.finditer(r"(?:%[0-9A-Fa-f]{2})+|\+|[^%+]+|%", span.text)]
    plain = [unquote_plus(part[0]) for part in parts]
    places = [
        part.start() + (at if part[0] == own else 0)
        for part, own in zip(parts, plain, strict=True)
        for at in range(len(own))
    ]
    places.append(len(span.text))
    text = "".join(plain)
    items = parse_settings(Span(Source("", text), 0, len(text)), names)

    def place(own: Span) -> Span:
        return span.subspan(places[own.start], places[own.end])

    return [item._replace(name_span=place(item.name_span), value_span=place(item.value_span)) for item in items]


class _Parser:
    """Reads settings from left to right."""

    def __init__(self, span: Span, names: SettingNames) -> None:
        self.span, self.text, self.names = span, span.text, names

    def parse(self) -> Iterator[Item]:
        text, at = self.text, 0
        while (at := _skip(text, at)) < len(text):
            match = self.names.pattern.match(text, at) or self.names.choice_pattern.match(text, at)
            word = plain_text(match[0]) if match else ""
            place = self.span.subspan(at, match.end() if match else at)
            if match and (setting := self.names.settings.get(word.lower())):
                item, at = self.read_value(setting, place, match.end())
            elif match and (name := self.names.choices.get(word.lower())):
                item, at = Item(name, word, place.subspan(0, 0), place), match.end()
            else:
                item, at = self.read_unknown(at)
            yield item

    def read_value(self, setting: Setting, name: Span, name_end: int) -> tuple[Item, int]:
        start = _skip(self.text, name_end)
        quoted = self.text.find('"', start) if '"' in self.text[name_end:start].lstrip('"') else -1
        end = quoted if quoted > start else self.end_of_value(setting, name_end, start)
        value = self.span.subspan(start, end) if end > name_end else name
        text = plain_text(value.text) if end > name_end else "yes"
        return Item(setting.name, text, name, value), end

    def end_of_value(self, setting: Setting, name_end: int, start: int) -> int:
        """The end of the value that begins at `start`; the end of the name if it has none."""
        if setting.ends in (FREE, PIECE):
            is_alone = re.search("[,;&]", self.text[name_end:start]) or (
                setting.ends == PIECE and self.names.pattern.match(self.text, start)
            )
            return name_end if is_alone else max(next(self.piece_ends(start, setting.ends == FREE)), name_end)
        ends = [*(self.word_ends(start) if setting.ends == WORDS else islice(self.piece_ends(start), _MOST_PIECES))]
        valid = (end for end in reversed(ends) if end > start and setting.accepts(plain_text(self.text[start:end])))
        if end := next(valid, 0):
            return end
        is_flag = setting.is_flag and not re.search("[:=]", self.text[name_end:start])
        if is_flag or start == len(self.text) or self.names.pattern.match(self.text, start):
            return name_end
        number = _NUMBER.match(self.text, start)
        if number and setting.ends == WORDS and number.end() == ends[0]:
            return number.end()
        return self.next_setting(start)

    def word_ends(self, at: int) -> Iterator[int]:
        """The ends of the next words, one after another."""
        for _ in range(_MOST_WORDS):
            if not (word := _WORD.match(self.text, at)):
                return
            yield word.end() - (word[0].endswith(".") and len(word[0]) > 1)
            at = _skip(self.text, word.end())

    def piece_ends(self, at: int, is_free: bool = False) -> Iterator[int]:
        """Where separators outside of brackets and quotes end a value, then the end of the text; those of a free value
        have a name behind them."""
        start = at
        while match := _STOP.search(self.text, at):
            at = match.end()
            if match[0] in _CLOSING:
                at = self.text.find(_CLOSING[match[0]], at) + 1 or at
                continue
            behind = _skip(self.text, at)
            if not is_free or self.names.pattern.match(self.text, behind) or _NAMED.match(self.text, behind):
                yield self.trimmed(start, match.start())
        yield self.trimmed(start, len(self.text))

    def read_unknown(self, start: int) -> tuple[Item, int]:
        """Words that begin with no known name; without a name if they begin with a number."""
        word = _WORD.match(self.text, start)
        assert word
        end = max(self.next_setting(start, word.end()), word.end())
        whole, value = self.span.subspan(start, end), self.span.subspan(_skip(self.text, word.end()), end)
        if not word[0][0].isalpha():
            return Item("", whole.text, whole.subspan(0, 0), whole), end
        name = self.span.subspan(start, min(word.end(), end))
        return Item(name.text, value.text, name, value) if value.text else Item(name.text, "yes", name, name), end

    def next_setting(self, start: int, at: int = 0) -> int:
        """The end of words that belong to no setting: before the next name, or before a separator."""
        at = max(start, at)
        sign = re.compile("[,;&]").search(self.text, at)
        end = sign.start() if sign else len(self.text)
        while at < end and not self.names.pattern.match(self.text, at):
            word = _WORD.match(self.text, at)
            at = _skip(self.text, word.end() if word else at + 1)
        return self.trimmed(start, min(at, end))

    def trimmed(self, start: int, end: int) -> int:
        """The end of a part of the text without the separators at its end."""
        return start + len(self.text[start:end].rstrip(' \t\r\n,;&:=?".'))


def _skip(text: str, at: int) -> int:
    match = _SEPARATORS.match(text, at)
    return match.end() if match else at
