"""Settings of a block or link: inputs, policy and rule, and ranges of an input.

Ranges are written `pool 1..10`, `difficulty 3..24 by 3`, `die d4 d6 d8`, or `difficulty` for all its named values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..book.entries import Item
from ..book.page import Block, Entry, Link
from ..game.game_schema import POLICIES
from ..game.inputs import die_name, read_value
from ..game.model import SIDES, Input, Rule
from ..odds.policies import choices
from ..source import Problem, Span, suggest
from .model import COMMON, Around, find_rule, rule_of, settings, trouble
from .questions import Setup

Named = tuple[str, str, Span, Span]  # name, value, and the span of each


def from_entries(entries: Iterable[Entry]) -> list[Named]:
    return [(entry.key, entry.value, entry.key_span, entry.value_span) for entry in entries]


def from_items(items: Iterable[Item]) -> list[Named]:
    return [(item.name, item.value, item.name_span, item.value_span) for item in items]


def inputs_of(rule: Rule) -> dict[str, Input]:
    """The inputs by the name an author writes; in a contest with the side: `first.die`."""
    if not rule.contest:
        return {entry.name: entry for entry in rule.inputs}
    sides = zip(SIDES, rule.contest.of, strict=False)
    return {f"{side}.{entry.name}": entry for side, own in sides for entry in own.inputs}


def read_inputs(
    rule: Rule, items: Sequence[Named], block: Block | Link, words: Iterable[str] = ()
) -> tuple[dict[str, str], list[Problem]]:
    """The text of each input by its name; `words` are other valid keys, for suggestions."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    spelled = {name.lower(): (name, entry) for name, entry in inputs_of(rule).items()}
    for name, value, name_span, value_span in items:
        known = spelled.get(name.lower())
        if known is None:
            problems.append(trouble(block, "block-key", unknown(rule, name, (*spelled, *words)), name_span))
        elif known[0] in found:
            problems.append(trouble(block, "block-key", f"{known[0]} is set twice; keep one of the two", name_span))
        elif complaint := wrong_value(*known, value, alone=name_span == value_span):
            problems.append(trouble(block, "block-value", complaint, value_span))
        else:
            found[known[0]] = value
    return found, problems


def wrong_value(name: str, entry: Input, value: str, alone: bool = False) -> str:
    """The message for an invalid value; empty if it is valid. `alone` means a name without a value."""
    if alone and entry.form != "flag":
        return f"{name} needs a value behind its name"
    if not value:
        return f"the value of {name} is missing"
    complaint = read_value(entry, value)[1]
    return f"{name}{complaint.removeprefix(entry.name)}".rstrip("; ") if complaint else ""


def unknown(rule: Rule, name: str, known: Iterable[str]) -> str:
    names = list(known)
    sides = [side for side in SIDES if f"{side}.{name.lower()}" in names]
    if sides:
        return "in a contest each side has its own: write " + " or ".join(f"{side}.{name}" for side in sides)
    fact = f"{rule.name} has no input «{name}»" if name else "a setting begins with its name"
    return f"{fact}; {suggest(name, names)}".rstrip("; ")


def policies_of(rule: Rule) -> list[str]:
    """The policies that have an effect in a rule."""
    rules = rule.contest.of if rule.contest else (rule,)
    return list(dict.fromkeys(name for own in rules for name in choices(own)))


def wrong_policy(rule: Rule, value: str) -> str:
    """The message for a policy that does not exist or has no effect; empty if it is valid."""
    if value.lower() not in POLICIES:
        return f"there is no policy «{value}»; {suggest(value, POLICIES)}".rstrip("; ")
    known = policies_of(rule)
    if value.lower() in known:
        return ""
    note = f"known here: {', '.join(known)}" if known else "nothing there is left to choose, so leave it out"
    return f"the policy {value.lower()} decides nothing in {rule.name}; {note}"


ABOVE = ("game", "rule", "policy")  # keys of a phrase that are not inputs


@dataclass
class Opened:
    """A block with its rule and settings while it is checked; `setup` is None if the rule is unknown."""

    block: Block
    around: Around
    setup: Setup | None = None
    problems: list[Problem] = field(default_factory=list)
    is_clear: bool = True  # whether all settings are valid; if not, nothing is computed

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(trouble(self.block, code, message, span, tuple(note for note in notes if note)))

    def with_phrase(self, items: Sequence[Item]) -> Setup | None:
        """The settings as changed by a phrase; None if the phrase has problems, which are reported."""
        assert self.setup
        found, problems = override(self.setup, items, self.block, self.around)
        self.problems += problems
        return found


def open_block(block: Block, around: Around, words: Iterable[str] = ()) -> Opened:
    """Reads the rule and settings of a block; `words` are the keys of its kind that are not inputs."""
    words = tuple(words)
    rule, problems = find_rule(block, around)
    opened = Opened(block, around, problems=problems)
    if rule is None:
        return opened
    policy = block.get("policy")
    items = from_entries(settings(block, (*words, "policy")))
    inputs, more = read_inputs(rule, items, block, (*COMMON, *words, "policy"))
    opened.problems += more
    if policy and (message := wrong_policy(rule, policy.value)):
        opened.complain("block-value", message, policy.value_span)
        policy = None
    opened.setup = Setup(rule, inputs, policy.value.lower() if policy else "")
    opened.is_clear = not opened.problems and not block.problems
    return opened


def override(
    setup: Setup, items: Sequence[Item], block: Block | Link, around: Around
) -> tuple[Setup | None, list[Problem]]:
    """Settings overridden by a phrase, which may also name another rule, game or policy."""
    above = {item.name.lower(): item for item in items if item.name.lower() in ABOVE}
    rule, problems = other_rule(setup.rule, above, block, around)
    if rule is None:
        return None, problems
    kept = setup.inputs if rule is setup.rule else fitting(rule, setup.inputs)
    own = [item for item in items if item.name.lower() not in ABOVE]
    inputs, more = read_inputs(rule, from_items(own), block, ABOVE)
    problems += more
    policy = setup.policy if setup.policy in policies_of(rule) else ""
    if "policy" in above:
        policy = above["policy"].value.lower()
        if message := wrong_policy(rule, policy):
            problems.append(trouble(block, "block-value", message, above["policy"].value_span))
    return (None if problems else Setup(rule, {**kept, **inputs}, policy)), problems


def other_rule(
    rule: Rule, above: Mapping[str, Item], block: Block | Link, around: Around
) -> tuple[Rule | None, list[Problem]]:
    """The rule that a phrase selects: `rule other`, or the rule of the same name in `game other`."""
    item = above.get("rule") or above.get("game")
    if item is None:
        return rule, []
    folder, _, name = above["rule"].value.rpartition("/") if "rule" in above else ("", "", rule.name)
    game = above["game"].value if "game" in above else folder_of(rule, around)
    return rule_of(block, around, folder or game, name, item.value_span)


def folder_of(rule: Rule, around: Around) -> str:
    """The folder of the game of a rule; empty for the game of the page."""
    return next((folder for folder, game in around.games.items() if rule in game.rules.values()), "")


def fitting(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The settings that are valid for another rule too."""
    known = inputs_of(rule)
    return {
        name: value for name, value in inputs.items() if name in known and not wrong_value(name, known[name], value)
    }


RANGE = re.compile(r"(\S+?)\s*\.\.\s*(\S+?)(?:\s+by\s+(\d{1,6}))?", re.ASCII | re.IGNORECASE)
MOST_VALUES = 1_000
LONGEST_LIST = 100  # words in a list of values
Values = tuple[str, ...]


@dataclass(frozen=True)
class Axis:
    """An input and its range of values, each as an author writes it."""

    name: str
    values: Values
    item: Item


def read_axis(rule: Rule, item: Item, block: Block) -> tuple[Axis | None, list[Problem]]:
    """Parses an input with its range of values."""
    known = {name.lower(): (name, entry) for name, entry in inputs_of(rule).items()}
    if item.name.lower() not in known:
        message = unknown(rule, item.name, known)
        return None, [trouble(block, "block-key", message, item.name_span)]
    name, entry = known[item.name.lower()]
    alone = item.value_span == item.name_span
    values, complaint = every_value(entry) if alone else values_in(entry, item.value)
    if complaint:
        return None, [trouble(block, "block-value", complaint, item.value_span)]
    return Axis(name, values, item), []


def from_low_to_high(rule: Rule, axis: Axis) -> Axis:
    """The axis with its values in ascending order; the words of a choice keep their order."""
    entry = inputs_of(rule)[axis.name]
    if entry.form == "choice":
        return axis
    return replace(axis, values=tuple(sorted(axis.values, key=lambda text: read_value(entry, text)[0])))


def every_value(entry: Input) -> tuple[Values, str]:
    """All named values of an input, or a message if it has none."""
    if entry.form == "flag":
        return ("no", "yes"), ""
    if entry.form == "choice":
        return entry.choices, ""
    if entry.form == "die":
        return tuple(map(die_name, entry.dice)), ""
    if entry.names:
        fitting = [name for name, number in entry.names.names.items() if entry.least <= number <= entry.most]
        return tuple(fitting[:MOST_VALUES]), "" if fitting else f"no named value of {entry.name} is allowed"
    if entry.form == "code":
        return (), f"write the values of {entry.name}: 1D..5D, or a list such as 2D 3D+1"
    return (), f"the values of {entry.name} have no names; write a range, such as {entry.least}..{entry.most}"


def values_in(entry: Input, text: str) -> tuple[Values, str]:
    found = RANGE.fullmatch(text.strip())
    return between(entry, found[1], found[2], found[3]) if found else listed(entry, text)


def between(entry: Input, first: str, last: str, by: str | None) -> tuple[Values, str]:
    low, complaint = read_value(entry, first)
    high, other = read_value(entry, last)
    if complaint or other:
        return (), (complaint or other).rstrip("; ")
    if entry.form in ("flag", "choice"):
        return (), f"{entry.name} has no range; write its values one behind the other"
    if by is not None and (int(by) < 1 or entry.form == "die"):
        return (), "«by» says how far it is from one number to the next, 1 or more"
    values = steps(entry, low, high, int(by or 1))
    if not values:
        return (), f"a range goes from the lower to the higher value: {last}..{first}"
    if len(values) > MOST_VALUES:
        return (), f"these are more than {MOST_VALUES:,} values; leave some out with «by»"
    return values, ""


def steps(entry: Input, low: object, high: object, by: int) -> Values:
    if isinstance(low, tuple) and isinstance(high, tuple):  # die codes, without pips
        return tuple(f"{dice}D" for dice in range(low[0], high[0] + 1, by)[: MOST_VALUES + 1])
    assert isinstance(low, int)
    assert isinstance(high, int)
    if entry.form == "die":
        return tuple(die_name(sides) for sides in sorted(entry.dice) if low <= sides <= high)
    return tuple(str(number) for number in range(low, high + 1, by)[: MOST_VALUES + 1])


def listed(entry: Input, text: str) -> tuple[Values, str]:
    """Parses a list of values separated by spaces; a value may have several words, the longest match wins."""
    words = text.split()
    if len(words) > LONGEST_LIST:
        return (), f"a list holds up to {LONGEST_LIST} words"
    values: list[str] = []
    start = 0
    while start < len(words):
        ends = range(len(words), start, -1)
        end = next((end for end in ends if not read_value(entry, " ".join(words[start:end]))[1]), None)
        if end is None:
            return (), read_value(entry, words[start])[1].rstrip("; ")
        values.append(" ".join(words[start:end]))
        start = end
    return tuple(dict.fromkeys(values)), ""
