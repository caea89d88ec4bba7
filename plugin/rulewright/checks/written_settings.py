"""Reads settings as people write them: `pool 5, difficulty Hard`, `Dice pool: 5 Hits needed: 2`, `advantage`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..book.entries import Item, parse_phrase
from ..game.core import AIM
from ..game.inputs import parse_value
from ..game.model import CONTEST_SIDES, Input, Rule
from ..game.rule_choices import find_open_choices
from ..source import Source, Span, suggest

_PHRASE_KEYS = ("game", "rule", "policy", "aim")  # keys of a phrase that are not inputs
INPUT, STEP = "input", "step"  # before a name that is also a word of blocks
_SEPARATORS = re.compile(r"""(?:[\s,;&:=?"]|(?<=&)amp;|\.(?=\s|$))*""")
_WORD = re.compile(r"""[^\s,;&:=?"]+""")
_SIGN = re.compile("[,;&]")
_NUMBER = re.compile(r"[+−-]?\d+")
_CALL = re.compile(r"[-−]?\s*\w+\s*\([^()]*\)")  # an aim such as -mean(harm)
_MOST_VALUE_WORDS = 12
_MOST_FITTING = 3  # inputs named for a value without a name


def named_inputs(rule: Rule) -> dict[str, Input]:
    """The inputs by the name an author writes; in a contest with the side: `first.die`."""
    if not rule.contest:
        return {entry.name: entry for entry in rule.declared_inputs}
    sides = list(zip(CONTEST_SIDES, rule.contest.of, strict=False))
    aims = {f"{side}.{AIM}": _aim_of(side_rule) for side, side_rule in sides if find_open_choices(side_rule)}
    return aims | {f"{side}.{entry.name}": entry for side, side_rule in sides for entry in side_rule.declared_inputs}


def _aim_of(rule: Rule) -> Input:
    """What one side of a contest chooses for, as a setting."""
    return Input(AIM, AIM, AIM, span=rule.span)


def phrase_keys(rule: Rule) -> tuple[str, ...]:
    """The words of a phrase; an input of such a name is written `input game`, but for `aim`."""
    return tuple(key for key in _PHRASE_KEYS if key != "aim" or key not in named_inputs(rule))


def written_inputs(rule: Rule) -> dict[str, tuple[str, Input]]:
    """The name and the input for each way to write it, in lower case: `pool`, `input pool`."""
    named = [(name, (name, entry)) for name, entry in named_inputs(rule).items()]
    return {f"{INPUT} {name.lower()}": entry for name, entry in named} | {name.lower(): entry for name, entry in named}


def with_role(item: Item, role: str) -> Item | None:
    """`input` with the value `dice 3` as the setting `dice`; None if it is none."""
    if item.name.lower() != role or item.value_span == item.name_span:
        return None
    return next(iter(parse_phrase(item.value_span)), None)


def unknown_input_message(rule: Rule, name: str, value: str, known: Iterable[str], list_all: bool = False) -> str:
    """The message for a name that is no input, or for a value without a name: an example with this value."""
    names = list(known)
    sides = [side for side in CONTEST_SIDES if f"{side}.{name.lower()}" in names]
    if sides:
        return "in a contest each side has its own: write " + " or ".join(f"{side}.{name}" for side in sides)
    if name:
        near, full_list = suggest(name, names), suggest("", names)
        hint = (
            f"{near} {full_list[:1].upper()}{full_list[1:]}" if list_all and full_list and near != full_list else near
        )
        return f"{rule.name} has no input «{name}»; {hint}".rstrip("; ")
    inputs, values = named_inputs(rule), value.split()
    if len(values) > 1 and all(map(_NUMBER.fullmatch, values)):
        fitting = [", ".join(f"{key} {text}" for key, text in zip(inputs, values, strict=False))]
    else:
        fitting = [f"{key} {text}" for text in values[:1] for key in inputs if not parse_value(inputs[key], text)[1]]
    note = f"write {' or '.join(fitting[:_MOST_FITTING])}" if fitting else suggest("", names)
    return f"a setting begins with its name; {note}".rstrip("; ")


def split_items(rule: Rule, items: Iterable[Item]) -> list[Item]:
    """The items of a phrase or link, with each that is not valid as it stands read again as `read_items` does."""
    inputs, keys = written_inputs(rule), phrase_keys(rule)
    reader, parts = None, list[Item]()
    for item in items:
        entry = None if item.name.lower() in keys else inputs.get(item.name.lower(), ("", None))[1]
        is_alone = item.name_span == item.value_span
        is_valid = entry and (entry.form == "flag" or not is_alone) and not parse_value(entry, item.value)[1]
        if is_valid:
            parts.append(item)
        else:
            reader = reader or _Reader(rule, keys)
            parts += _read_again(reader, item, is_alone)
    return parts


def read_items(rule: Rule, span: Span, keys: Iterable[str] = ()) -> list[Item]:
    """The settings in a text, named as the rule names its inputs; a word that begins none of them keeps its own name.

    An input may be written with its label or its other words, a choice by its value alone. Between names and values are
    spaces, commas, semicolons, colons, `&` or `=`, all alike. `keys` are other names; their values are not checked."""
    return list(_Reader(rule, keys).read(span))


def _read_again(reader: _Reader, item: Item, is_alone: bool) -> Iterator[Item]:
    """The settings in an item; those of an item with encoded characters have the place of the whole item."""
    name, value = item.name_span, item.value_span
    if item.name == name.text and (is_alone or item.value == value.text):
        yield from reader.read(Span(name.source, name.start, value.end))
        return
    text = item.name if is_alone else f"{item.name}={item.value}"
    for part in reader.read(Span(Source("", text), 0, len(text))):
        yield part._replace(name_span=name, value_span=name if part.name_span == part.value_span else value)


class _Reader:
    """Reads settings from left to right: at each place the longest name that fits, then the longest valid value."""

    def __init__(self, rule: Rule, keys: Iterable[str] = ()) -> None:
        self.inputs = named_inputs(rule)
        self.keys = {key: key for key in keys}
        roles = {f"{INPUT} {name.lower()}": f"{INPUT} {name}" if name in self.keys else name for name in self.inputs}
        self.names = _input_words(self.inputs, self.keys) | {name.lower(): name for name in self.inputs}
        self.names |= roles | self.keys
        self.name_pattern = _longest_of(self.names)
        choices = [(choice.lower(), name) for name, entry in self.inputs.items() for choice in entry.choices]
        counts = Counter(choice for choice, _ in choices)
        self.choices = {
            choice: name
            for choice, name in choices
            if counts[choice] == 1 and choice not in self.names and not _NUMBER.fullmatch(choice)
        }
        self.choice_pattern = _longest_of(self.choices)

    def read(self, span: Span) -> Iterator[Item]:
        text, at = span.text, 0
        while (at := _end_of_separators(text, at)) < len(text):
            start = at
            if match := self.name_pattern.match(text, at):
                name, value_at = self.names[match[0].lower()], _end_of_separators(text, match.end())
                at = self._end_of_value(name, text, match.end(), value_at)
                name_span = span.subspan(start, match.end())
                value_span = span.subspan(value_at, at) if at > match.end() else name_span
                yield Item(name, value_span.text if at > match.end() else "yes", name_span, value_span)
            elif match := self.choice_pattern.match(text, at):
                choice, at = match[0], match.end()
                yield Item(self.choices[choice.lower()], choice, span.subspan(start, start), span.subspan(start, at))
            else:
                word = _WORD.match(text, at)
                assert word
                at = self._next_setting(text, word.end())
                yield _unknown_item(span.subspan(start, at), word[0])

    def _end_of_value(self, name: str, text: str, name_end: int, start: int) -> int:
        """The end of the value that begins at `start`; the end of the name if it has none."""
        if name in self.keys:
            if call := _CALL.match(text, start):
                return call.end()
            return _without_separators(text, start, self._next_name(text, start, len(text)))
        entry, ends = self.inputs[name.removeprefix(f"{INPUT} ")], [*_word_ends(text, start)]
        valid = (end for end in reversed(ends) if not parse_value(entry, text[start:end])[1])
        if end := next(valid, 0):
            return end
        is_flag = entry.form == "flag" and not re.search("[:=]", text[name_end:start])
        if is_flag or not ends or self.name_pattern.match(text, start):
            return name_end
        number = _NUMBER.match(text, start)
        if number and number.end() == ends[0]:
            return ends[0]
        return self._next_setting(text, start)

    def _next_name(self, text: str, at: int, end: int) -> int:
        """Where the next name begins; `end` if there is none before it."""
        while at < end and not self.name_pattern.match(text, at):
            word = _WORD.match(text, at)
            at = _end_of_separators(text, word.end() if word else at + 1)
        return min(at, end)

    def _next_setting(self, text: str, at: int) -> int:
        """The end of words that belong to no setting: before the next name, or before a comma, semicolon or `&`."""
        sign = _SIGN.search(text, at)
        return _without_separators(text, at, self._next_name(text, at, sign.start() if sign else len(text)))


def _unknown_item(span: Span, word: str) -> Item:
    """Words that begin with the name of no input; without a name if they begin with a number."""
    if not word[0].isalpha():
        return Item("", span.text, span.subspan(0, 0), span)
    name = span.subspan(0, len(word))
    value = span.subspan(_end_of_separators(span.text, len(word)), len(span.text))
    return Item(word, value.text, name, value) if value.text else Item(word, "yes", name, name)


def _end_of_separators(text: str, at: int) -> int:
    match = _SEPARATORS.match(text, at)
    return match.end() if match else at


def _without_separators(text: str, start: int, end: int) -> int:
    """The end of a part of a text without the separators at its end."""
    return start + len(text[start:end].rstrip(' \t\r\n,;&:=?".'))


def _word_ends(text: str, at: int) -> Iterator[int]:
    """The ends of the next words, one after another."""
    for _ in range(_MOST_VALUE_WORDS):
        if not (word := _WORD.match(text, at)):
            return
        yield word.end() - (word[0].endswith(".") and len(word[0]) > 1)
        at = _end_of_separators(text, word.end())


def _longest_of(names: Iterable[str]) -> re.Pattern[str]:
    """Matches any of these names as a whole, the longest first."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:{known or '(?!)'})(?![\w]|\.\w)", re.IGNORECASE)


def _input_words(inputs: dict[str, Input], keys: Iterable[str]) -> dict[str, str]:
    """The inputs by label and other words, in lower case; words of several inputs, or that name one, are left out."""
    named = [
        (f"{name.removesuffix(entry.name)}{word}".lower(), name)
        for name, entry in inputs.items()
        for word in {entry.label, *entry.also}
        if word
    ]
    counts = Counter(word for word, _ in named)
    return {word: name for word, name in named if counts[word] == 1 and word not in {*inputs, *keys}}
