"""Sides of a rule that rolls two others, with outcomes of their names: `side Arn: skill 60, dice 5`, `winner: Arn`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..book.page import Entry
from ..book.settings import PIECE, Setting, SettingNames, parse_settings
from ..game.model import Rule
from .written_settings import input_setting, record_setting

NO_WINNER = "none"


def side_rolls(rule: Rule) -> tuple[str, ...]:
    """The two rolls that are sides; none if the rule has no such sides."""
    names, outcomes = tuple(roll.name for roll in rule.rolls), {outcome.name.lower() for outcome in rule.outcomes}
    return names if len(names) == 2 and not rule.contest and outcomes.issuperset(names) else ()


def side_entries(rule: Rule, roll: str, side: Entry) -> Iterator[Entry]:
    """The entries that the phrase of a side stands for: `skill 60` is `attack.skill: 60`."""
    lead = f"{roll}."
    keys = {name: Setting(name, PIECE) for name in ("outcome", "degree", *(step.name for step in rule.steps))}
    keys |= {entry.name: input_setting(entry.name, entry) for entry in rule.inputs}
    names = {key.removeprefix(lead): own for key, own in keys.items() if key.startswith(lead)}
    for item in parse_settings(side.value_span, SettingNames({**names, "dice": record_setting(f"{lead}dice")})):
        name, value = item.name_span, item.value_span
        key = item.name if item.name.startswith(lead) else f"{lead}{item.name.lower()}"
        yield Entry(key, item.value, side.source, name.start, name.end, value.start, value.end)


def name_winners(rule: Rule, sides: Sequence[Entry]) -> Mapping[str, str]:
    """The sides by the outcome in which they win; a side that is not named has the name of its roll."""
    rolls = side_rolls(rule)
    return dict(zip(rolls, [side.name for side in sides][: len(rolls)] + list(rolls[len(sides) :]), strict=True))
