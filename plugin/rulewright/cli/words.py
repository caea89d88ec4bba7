"""Words such as `pool=5` and `specialty`: what a rule is asked with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..game.game_schema import POLICIES
from ..game.inputs import read_value
from ..game.model import SIDES, Input, Rule
from ..text import nearest, suggest
from .stop import Stop, hint

RECORD = ("dice", "rerolled", "declined")


@dataclass
class Side:
    """One side of a contest, or the only one: its rule, its inputs, and dice that lie already."""

    name: str
    rule: Rule
    inputs: dict[str, str] = field(default_factory=dict)
    record: dict[str, str] = field(default_factory=dict)

    @property
    def declined(self) -> int:
        return int(self.record.get("declined", 0))


@dataclass
class Asked:
    """What was asked of a rule: its game's folder in the book, what both are called, and all that was said."""

    game: str
    title: str
    rule: Rule
    sides: list[Side]
    policy: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        """All inputs; in a contest with the side that they belong to."""
        return {key_of(side, name): value for side in self.sides for name, value in side.inputs.items()}


def key_of(side: Side, name: str) -> str:
    return f"{side.name}.{name}" if side.name else name


def sides_of(rule: Rule) -> list[Side]:
    contest = zip(SIDES, rule.contest.of, strict=True) if rule.contest else [("", rule)]
    return [Side(name, own) for name, own in contest]


def read_words(asked: Asked, words: Sequence[str], judging: bool) -> Asked:
    """The words sorted by what they speak of; `judging` where dice may be given."""
    seen: set[str] = set()
    for word in words:
        key, value = split(word)
        if key in seen:
            raise Stop(f"{key} is given twice")
        seen.add(key)
        if key == "policy":
            asked.policy = policy(asked.rule, value)
        else:
            put(asked, key, value, RECORD if judging else ())
    for side in asked.sides:
        if "dice" not in side.record and side.record:
            raise Stop(f"{key_of(side, next(iter(side.record)))}= goes with {key_of(side, 'dice')}=")
    return asked


def split(word: str) -> tuple[str, str | None]:
    key, equals, value = word.partition("=")
    key = key.strip().lower()
    if not key:
        raise Stop(f"«{word}» has no name in front of its value; write name=value")
    return key, value.strip() if equals else None


def put(asked: Asked, key: str, value: str | None, record: Sequence[str]) -> None:
    """One word, where it belongs."""
    side, name = side_of(asked, key)
    entry = next((entry for entry in side.rule.inputs if entry.name == name), None)
    if entry:
        side.inputs[name] = value_of(side, entry, value)
    elif name in record:
        side.record[name] = record_value(name, key, value)
    else:
        raise Stop(unknown(side, name, record))


def side_of(asked: Asked, key: str) -> tuple[Side, str]:
    if not asked.rule.contest:
        return asked.sides[0], key
    side, dot, name = key.partition(".")
    if not dot:
        raise Stop(f"in a contest each side has its own: write first.{key}=… or second.{key}=…")
    if side not in SIDES:
        raise Stop(f"there is no side «{side}»; the sides are first and second")
    return asked.sides[SIDES.index(side)], name


def value_of(side: Side, entry: Input, value: str | None) -> str:
    key = key_of(side, entry.name)
    if value is None and entry.form != "flag":
        raise Stop(f"{key} needs a value: {key}=…")
    text = "yes" if value is None else value
    complaint = read_value(entry, text)[1]
    if complaint:
        raise Stop(f"{key}{complaint.removeprefix(entry.name)}".rstrip("; "))
    return text


def record_value(name: str, key: str, value: str | None) -> str:
    if value is None:
        raise Stop(f"{key} needs a value: {key}=…")
    if name == "declined" and not (value.isascii() and value.isdigit() and len(value) < 6):
        raise Stop(f"{key} is the number of dice that were not thrown, not «{value}»")
    return value


def unknown(side: Side, name: str, record: Sequence[str]) -> str:
    if name in RECORD and name not in record:
        return f"odds do not depend on dice that lie already; {name}= belongs to rulewright roll"
    if name == "seed":
        return "the seed is an option: --seed N"
    known = [entry.name for entry in side.rule.inputs]
    found = nearest(name, [*known, *record, "policy"])
    note = f"did you mean {found}?" if found else suggest(name, known)
    return hint(f"{side.rule.name} has no input «{name}»", note)


def policy(rule: Rule, value: str | None) -> str:
    name = (value or "").lower()
    if name not in POLICIES:
        raise Stop(f"there is no policy «{name}»; {suggest(name, POLICIES)}")
    from ..game.odds.policies import choices

    known = {name for own in (rule.contest.of if rule.contest else (rule,)) for name in choices(own)}
    if name not in known:
        note = f"known here: {', '.join(sorted(known))}" if known else "nothing there is left to choose"
        raise Stop(f"the policy {name} decides nothing in {rule.name}; {note}")
    return name


def named_values(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The names that were typed instead of numbers, such as Hard, by input."""
    found = {}
    for entry in rule.inputs:
        text = inputs.get(entry.name, "").lower()
        name = next((name for name in (entry.names.names if entry.names else ()) if name.lower() == text), None)
        if name:
            found[entry.name] = name
    return found
