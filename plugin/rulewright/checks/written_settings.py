"""What may be set for a rule, by name, label or other words; and what is said of a setting that nobody knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..book.settings import FREE, PIECE, PIECES, WORDS, Setting, SettingNames, plain_text
from ..game.aims import TAKING, list_aims
from ..game.core import AIM, PICKED
from ..game.inputs import parse_value
from ..game.model import CONTEST_SIDES, Input, Rule
from ..game.rule_choices import find_open_choices
from ..odds.aims import invalid_aim_message
from ..play.record import ARROW, RECORDS
from ..source import suggest

_PHRASE_KEYS = ("game", "rule", AIM)  # keys of a phrase that are not inputs
INPUT, STEP = "input", "step"  # before a name that is also a word of blocks
_NUMBER = re.compile(r"[+−-]?\d+")
_MOST_FITTING = 3  # inputs named for a value without a name


def named_inputs(rule: Rule) -> dict[str, Input]:
    """The inputs by the name an author writes; in a contest with the side: `first.die`."""
    if not rule.contest:
        return {entry.name: entry for entry in rule.settings if entry.form != PICKED}
    sides = list(zip(CONTEST_SIDES, rule.contest.of, strict=False))
    aims = {f"{side}.{AIM}": _aim_of(own) for side, own in sides if find_open_choices(own)}
    return aims | {f"{side}.{name}": entry for side, own in sides for name, entry in named_inputs(own).items()}


def _aim_of(rule: Rule) -> Input:
    """What one side of a contest chooses for, as a setting."""
    degrees = (outcome.name for outcome in rule.outcomes if outcome.degree)
    steps = (step.name for step in rule.steps if not step.is_set)
    aims = list_aims(steps, (outcome.name for outcome in rule.outcomes), degrees)
    return Input(AIM, AIM, AIM, choices=TAKING + aims, span=rule.span)


def phrase_keys(rule: Rule) -> tuple[str, ...]:
    """The words of a phrase; an input of such a name is written `input game`, but for `aim`."""
    return tuple(key for key in _PHRASE_KEYS if key != AIM or key not in named_inputs(rule))


def input_words(rule: Rule) -> dict[str, str]:
    """The inputs by label and other words, in lower case; not words of several inputs, or names of others."""
    inputs = named_inputs(rule)
    named = [
        (plain_text(f"{name.removesuffix(entry.name)}{word}".lower()), name)
        for name, entry in inputs.items()
        for word in {entry.label, *entry.also}
        if word.strip()
    ]
    counts = Counter(word for word, _ in named)
    return {word: name for word, name in named if counts[word] == 1 and word not in inputs}


def written_inputs(rule: Rule) -> dict[str, tuple[str, Input]]:
    """The name and the input for each way to write it, in lower case: `pool`, `input pool`, `dice pool`."""
    inputs = named_inputs(rule)
    names = {**input_words(rule), **{f"{INPUT} {name}": name for name in inputs}, **{name: name for name in inputs}}
    return {word.lower(): (name, inputs[name]) for word, name in names.items()}


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
        return f'{rule.name} has no input "{name}"; {hint}'.rstrip("; ")
    inputs, values = named_inputs(rule), value.split()
    if len(values) > 1 and all(map(_NUMBER.fullmatch, values)):
        fitting = [", ".join(f"{key} {text}" for key, text in zip(inputs, values, strict=False))]
    else:
        fitting = [f"{key} {text}" for text in values[:1] for key in inputs if not parse_value(inputs[key], text)[1]]
    note = f"write {' or '.join(fitting[:_MOST_FITTING])}" if fitting else suggest("", names)
    return f"a setting begins with its name; {note}".rstrip("; ")


def setting_names(rule: Rule, *keys: Setting) -> SettingNames:
    """The inputs of a rule by their names, labels and other words, and some keys; choices that name one input alone.

    An input that is called like a key is written `input dice`."""
    inputs = rule.cached(
        ("settings",), lambda: {name: input_setting(*own) for name, own in written_inputs(rule).items()}
    )
    known = {key.name: key for key in keys}
    roles = {f"{INPUT} {key}": inputs[key]._replace(name=f"{INPUT} {key}") for key in known.keys() & inputs.keys()}
    settings = {**inputs, **roles, **known}
    named = [
        (plain_text(choice.lower()), name) for name, entry in named_inputs(rule).items() for choice in entry.choices
    ]
    counts = Counter(choice for choice, _ in named)
    is_plain = {choice for choice in counts if counts[choice] == 1 and not _NUMBER.fullmatch(choice)}
    return SettingNames(settings, {choice: name for choice, name in named if choice in is_plain - settings.keys()})


def phrase_settings(rule: Rule, *keys: Setting) -> SettingNames:
    """What may stand in a phrase about a rule, beside some further keys."""
    own = [_phrase_key(rule, key) for key in phrase_keys(rule)]
    return setting_names(rule, *own, *keys) if keys else rule.cached(("phrase",), lambda: setting_names(rule, *own))


def _phrase_key(rule: Rule, key: str) -> Setting:
    return Setting(key, PIECE) if key in ("game", "rule") else aim_setting(rule, key)


def aim_setting(rule: Rule, key: str) -> Setting:
    """`aim` as a setting."""
    return Setting(key, WORDS, lambda text: not invalid_aim_message(rule, text.lower()))


def record_setting(name: str) -> Setting:
    """What was rolled, as a setting: `dice`, `first.dice`, `rerolled`, `declined`."""
    part = name.rpartition(".")[2]
    if part in RECORDS[1:]:
        return Setting(name, PIECES, lambda text: all(map(ARROW.search, text.split(","))))
    return Setting(name, PIECE if part == "declined" else FREE)


def input_setting(name: str, entry: Input) -> Setting:
    """An input as a setting of this name."""
    if entry.form == PICKED:
        return Setting(name, FREE)
    return Setting(name, WORDS, lambda text: not value_message(name, entry, text), entry.form == "flag")


def value_message(name: str, entry: Input, value: str, alone: bool = False) -> str:
    """What is wrong with a value, or with a name `alone`; a choice may have a value for each round: `no; no; yes`."""
    if alone and entry.form != "flag":
        return f"{name} needs a value after its name"
    if not value:
        return f"the value of {name} is missing"
    parts = [part for part in value.split(";") if part.strip()] if entry.is_choice else []
    complaint = next(filter(None, (parse_value(entry, part)[1] for part in parts or [value])), "")
    return f"{name}{complaint.removeprefix(entry.name)}".rstrip("; ") if complaint else ""
