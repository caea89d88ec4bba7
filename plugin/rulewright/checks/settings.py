"""Settings of a block or link: inputs, aim and rule, and ranges of an input.

Ranges are written `pool 1..10`, `difficulty 3..24 by 3`, `die d4 d6 d8`, or `difficulty` for all its named values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from ..book.page import Block, Entry, Link
from ..book.settings import PIECES, Item, Setting, SettingNames, parse_query, parse_settings
from ..game.core import AIM
from ..game.inputs import format_die, parse_value
from ..game.model import Input, Rule
from ..odds.aims import invalid_aim_message
from ..source import Problem, Source, Span
from .answers import Setup
from .model import COMMON_KEYS, BlockContext, find_rule, find_rule_by_name, make_problem, setting_entries, value_notes
from .written_settings import (
    named_inputs,
    phrase_keys,
    phrase_settings,
    setting_names,
    unknown_input_message,
    value_message,
    written_inputs,
)


def _read_inputs(
    rule: Rule, items: Iterable[Item], block: Block | Link | None, words: Iterable[str] = ()
) -> tuple[dict[str, str], list[Problem]]:
    """The text of each input by its name; `words` are other valid keys, for suggestions."""
    inputs: dict[str, str] = {}
    problems: list[Problem] = []
    inputs_by_lower = written_inputs(rule)
    for item in items:
        name, value, name_span, value_span = item
        known = inputs_by_lower.get(name.lower())
        if known is None:
            message = unknown_input_message(rule, name, value, (*named_inputs(rule), *words), list_all=block is None)
            problems.append(make_problem(block, "block-key", message, name_span))
        elif known[0] in inputs:
            problems.append(
                make_problem(block, "block-key", f"{known[0]} is set twice; keep one of the two", name_span)
            )
        elif complaint := value_message(*known, value, item.is_alone):
            problems.append(make_problem(block, "block-value", complaint, value_span, value_notes(value)))
        else:
            inputs[known[0]] = value
    return inputs, problems


def read_settings(rule: Rule, text: str) -> tuple[dict[str, str], list[Problem]]:
    """The inputs in a text that people write, such as `pool 5, difficulty=Hard`, and what is wrong with it."""
    items = parse_settings(Span(Source("", text), 0, len(text)), setting_names(rule))
    return _read_inputs(rule, items, None)


def find_aim(block: Block, rule: Rule) -> Entry | None:
    """The aim of a block; `aim` may also be an input of the rule."""
    return None if AIM in named_inputs(rule) else block.get(AIM)


@dataclass
class OpenBlock:
    """A block with its rule and settings while it is checked; `setup` is None if the rule is unknown."""

    block: Block
    context: BlockContext
    setup: Setup | None = None
    problems: list[Problem] = field(default_factory=list)
    is_readable: bool = True  # whether all settings are valid; if not, nothing is computed

    def report(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(make_problem(self.block, code, message, span, tuple(note for note in notes if note)))

    def with_phrase(self, phrase: Span | None, *keys: Setting) -> Phrase | None:
        """The settings as changed by a phrase; None if the phrase has problems, which are reported."""
        assert self.setup
        changed, problems = override_settings(self.setup, phrase, self.block, self.context, keys)
        self.problems += problems
        return changed


def open_block(block: Block, context: BlockContext, words: Iterable[str] = ()) -> OpenBlock:
    """Reads the rule and settings of a block; `words` are the keys of its kind that are not inputs."""
    words = tuple(words)
    rule, problems = find_rule(block, context)
    opened = OpenBlock(block, context, problems=problems)
    if rule is None:
        return opened
    aim, words = find_aim(block, rule), (*words, AIM)
    entries = setting_entries(block, words)
    items = (Item(entry.key, entry.value, entry.key_span, entry.value_span) for entry in entries)
    inputs, more = _read_inputs(rule, items, block, (*COMMON_KEYS, *words))
    opened.problems += more
    if aim and (message := invalid_aim_message(rule, aim.value)):
        opened.report("block-value", message, aim.value_span)
        aim = None
    opened.setup = Setup(rule, inputs, aim.value.lower() if aim else "")
    opened.is_readable = not opened.problems and not block.problems
    return opened


class Phrase(NamedTuple):
    """Settings as a phrase changes them, and what it says by name."""

    setup: Setup
    items: Mapping[str, Item]


def override_settings(
    setup: Setup, phrase: Span | None, block: Block | Link, context: BlockContext, keys: Sequence[Setting] = ()
) -> tuple[Phrase | None, list[Problem]]:
    """Settings overridden by a phrase, which may also name another rule, game or aim, and has some further keys."""
    items = _read_phrase(setup.rule, phrase, block, keys)
    special = {item.name: item for item in items if item.name in phrase_keys(setup.rule)}
    rule, problems = _find_other_rule(setup.rule, special, block, context)
    if rule is None:
        return None, problems
    items = items if rule is setup.rule else _read_phrase(rule, phrase, block, keys)
    base_inputs = setup.inputs if rule is setup.rule else _keep_valid_inputs(rule, setup.inputs)
    others = {*phrase_keys(rule), *(key.name for key in keys)}
    inputs, more = _read_inputs(rule, (item for item in items if item.name not in others), block, others)
    problems += more
    aim = "" if invalid_aim_message(rule, setup.aim) else setup.aim
    if item := special.get(AIM):
        aim = item.value.lower()
        if message := invalid_aim_message(rule, aim):
            problems.append(make_problem(block, "block-value", message, item.value_span))
    changed = Setup(rule, {**base_inputs, **inputs}, aim)
    return (None if problems else Phrase(changed, {item.name: item for item in items})), problems


def _read_phrase(rule: Rule, phrase: Span | None, block: Block | Link, keys: Sequence[Setting]) -> list[Item]:
    names = phrase_settings(rule, *keys)
    return (parse_query if isinstance(block, Link) else parse_settings)(phrase, names) if phrase else []


def _find_other_rule(
    rule: Rule, special_items: Mapping[str, Item], block: Block | Link, context: BlockContext
) -> tuple[Rule | None, list[Problem]]:
    """The rule that a phrase selects: `rule other`, or the rule of the same name in `game other`."""
    item = special_items.get("rule") or special_items.get("game")
    if item is None:
        return rule, []
    folder, _, name = special_items["rule"].value.rpartition("/") if "rule" in special_items else ("", "", rule.name)
    game = special_items["game"].value if "game" in special_items else _game_folder(rule, context)
    return find_rule_by_name(block, context, folder or game, name, item.value_span)


def _game_folder(rule: Rule, context: BlockContext) -> str:
    """The folder of the game of a rule; empty for the game of the page."""
    return next((folder for folder, game in context.games.items() if rule in game.rules.values()), "")


def _keep_valid_inputs(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The settings that are valid for another rule too."""
    known = named_inputs(rule)
    return {
        name: value for name, value in inputs.items() if name in known and not value_message(name, known[name], value)
    }


_RANGE_PATTERN = re.compile(r"(\S+?)\s*\.\.\s*(\S+?)(?:\s+by\s+(\d{1,6}))?", re.ASCII | re.IGNORECASE)
_LOOSE_RANGE = re.compile(  # a range in other spellings, which numbers and dice cannot mean otherwise
    r"((?:d|none)?\d*)\s*(?:[-‐-—−]|\.{2,3}|…|\bto\b)\s*(d?\d+)(?:\s+by\s+(\d{1,6}))?", re.IGNORECASE
)
_MAX_VALUES = 1_000
_MAX_LIST_WORDS, _MAX_VALUE_WORDS = 100, 12  # words in a list of values, and in one value
_Values = tuple[str, ...]


@dataclass(frozen=True)
class Axis:
    """An input and its range of values, each as an author writes it."""

    name: str
    values: _Values
    item: Item


def read_axes(rules: Iterable[Rule], text: Span) -> list[Item]:
    """The inputs in a text with their ranges."""
    settings: dict[str, Setting] = {}
    for rule in rules:
        for name, (own, entry) in written_inputs(rule).items():
            settings.setdefault(name, Setting(own, PIECES, partial(_is_range, entry)))
    return parse_settings(text, SettingNames(settings))


def _is_range(entry: Input, text: str) -> bool:
    return not _parse_values(entry, text)[1]


def read_axis(rule: Rule, item: Item, block: Block) -> tuple[Axis | None, list[Problem]]:
    """Parses an input with its range of values."""
    known = written_inputs(rule)
    if item.name.lower() not in known:
        message = unknown_input_message(rule, item.name, item.value, named_inputs(rule))
        return None, [make_problem(block, "block-key", message, item.name_span)]
    name, entry = known[item.name.lower()]
    values, complaint = _named_values(entry) if item.is_alone else _parse_values(entry, item.value)
    if complaint:
        return None, [make_problem(block, "block-value", complaint, item.value_span)]
    return Axis(name, values, item), []


def sort_axis(rule: Rule, axis: Axis) -> Axis:
    """The axis with its values in ascending order; the words of a choice keep their order."""
    entry = named_inputs(rule)[axis.name]
    if entry.form == "choice":
        return axis
    return replace(axis, values=tuple(sorted(axis.values, key=lambda text: parse_value(entry, text)[0])))


def _named_values(entry: Input) -> tuple[_Values, str]:
    """All named values of an input, or a message if it has none."""
    if entry.form == "flag":
        return ("no", "yes"), ""
    if entry.form == "choice":
        return entry.choices, ""
    if entry.form == "die":
        return tuple(map(format_die, entry.dice)), ""
    if entry.names:
        allowed = [name for name, number in entry.names.named_numbers.items() if entry.least <= number <= entry.most]
        return tuple(allowed[:_MAX_VALUES]), "" if allowed else f"no named value of {entry.name} is allowed"
    if entry.form == "code":
        return (), f"write the values of {entry.name}: 1D..5D, or a list such as 2D 3D+1"
    return (), f"the values of {entry.name} have no names; write a range, such as {entry.least}..{entry.most}"


def _parse_values(entry: Input, text: str) -> tuple[_Values, str]:
    pattern = _LOOSE_RANGE if entry.form in ("number", "die") else _RANGE_PATTERN
    match = pattern.fullmatch(text.strip()) or _RANGE_PATTERN.fullmatch(text.strip())
    return _parse_range(entry, match[1], match[2], match[3]) if match else _parse_list(entry, text)


def _parse_range(entry: Input, first: str, last: str, step: str | None) -> tuple[_Values, str]:
    low, low_complaint = parse_value(entry, first)
    high, high_complaint = parse_value(entry, last)
    if low_complaint or high_complaint:
        return (), (low_complaint or high_complaint).rstrip("; ")
    if entry.form in ("flag", "choice"):
        return (
            (),
            f"{entry.name} has no range; write its values one after another: {' '.join(entry.choices) or 'no yes'}",
        )
    if step is not None and (int(step) < 1 or entry.form == "die"):
        return (), '"by" says how far it is from one number to the next, 1 or more'
    values = _range_values(entry, low, high, int(step or 1))
    if not values:
        return (), f"a range goes from the lower to the higher value; write {last}..{first}"
    if len(values) > _MAX_VALUES:
        return (), f'these are more than {_MAX_VALUES:,} values; leave some out with "by"'
    return values, ""


def _range_values(entry: Input, low: object, high: object, step: int) -> _Values:
    if isinstance(low, tuple) and isinstance(high, tuple):  # die codes, without pips
        return tuple(f"{dice}D" for dice in range(low[0], high[0] + 1, step)[: _MAX_VALUES + 1])
    assert isinstance(low, int)
    assert isinstance(high, int)
    if entry.form == "die":
        return tuple(format_die(sides) for sides in sorted(entry.dice) if low <= sides <= high)
    return tuple(str(number) for number in range(low, high + 1, step)[: _MAX_VALUES + 1])


def _parse_list(entry: Input, text: str) -> tuple[_Values, str]:
    """Parses a list of values separated by spaces or commas; a value may have several words, the longest match wins."""
    words = text.replace(",", " ").split()
    if len(words) > _MAX_LIST_WORDS:
        return (), f"a list holds up to {_MAX_LIST_WORDS} words"
    values: list[str] = []
    start = 0
    while start < len(words):
        ends = range(min(len(words), start + _MAX_VALUE_WORDS), start, -1)
        end = next((end for end in ends if not parse_value(entry, " ".join(words[start:end]))[1]), None)
        if end is None:
            return (), parse_value(entry, words[start])[1].rstrip("; ")
        values.append(" ".join(words[start:end]))
        start = end
    return tuple(dict.fromkeys(values)), ""
