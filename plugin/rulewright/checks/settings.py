"""Settings of a block, a phrase or a link: names and values, held against the inputs of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..book.model import Block, Entry, Link
from ..book.phrases import Item
from ..game.game_schema import POLICIES
from ..game.inputs import read_value
from ..game.model import SIDES, Input, Rule
from ..game.odds.policies import choices
from ..text import Problem, Span, suggest
from .model import trouble

Named = tuple[str, str, Span, Span]  # a name and its value, and where the two stand


def from_entries(entries: Iterable[Entry]) -> list[Named]:
    return [(entry.key, entry.value, entry.key_span, entry.value_span) for entry in entries]


def from_items(items: Iterable[Item]) -> list[Named]:
    return [(item.name, item.value, item.name_span, item.value_span) for item in items]


def inputs_of(rule: Rule) -> dict[str, Input]:
    """The inputs as an author names them; in a contest the side comes first: `first.die`."""
    if not rule.contest:
        return {entry.name: entry for entry in rule.inputs}
    sides = zip(SIDES, rule.contest.of, strict=False)
    return {f"{side}.{entry.name}": entry for side, own in sides for entry in own.inputs}


def read_inputs(
    rule: Rule, items: Sequence[Named], block: Block | Link, words: Iterable[str] = ()
) -> tuple[dict[str, str], list[Problem]]:
    """What was written for each input, by the input's own name; `words` are other names that may stand there."""
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
    """What is to be said of a value; nothing when it is all right. `alone` stands a name without any."""
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
    """The policies that make a difference in a rule."""
    rules = rule.contest.of if rule.contest else (rule,)
    return list(dict.fromkeys(name for own in rules for name in choices(own)))


def wrong_policy(rule: Rule, value: str) -> str:
    """What is to be said of a policy; nothing when it is all right."""
    if value.lower() not in POLICIES:
        return f"there is no policy «{value}»; {suggest(value, POLICIES)}".rstrip("; ")
    known = policies_of(rule)
    if value.lower() in known:
        return ""
    note = f"known here: {', '.join(known)}" if known else "nothing there is left to choose, so leave it out"
    return f"the policy {value.lower()} decides nothing in {rule.name}; {note}"
