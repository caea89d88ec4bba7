"""Dice that a player picks, as they are written (`d6 5 d8 7`) and as formulas see them: by places on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..game.core import CoreRule
from .bound_rule import BoundRule, RollError
from .face_text import format_throws, parse_dice
from .table import TableDie, Tallies

NONE = "none"  # is picked


class PickError(RollError):
    """These dice cannot be picked for the input `part`."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


def find_pickable(setting: BoundRule, name: str) -> tuple[Sequence[TableDie], int]:
    """The dice that can be picked for an input, and how many at most; the tallies must be those of the table."""
    own = setting.rule.picks[name]
    assert isinstance(setting.tallies, Tallies)
    assert own.number
    dice: Sequence[TableDie] = setting.program.get_set(own.of[0])[0](setting.known, setting.tallies)
    return dice, max(setting.evaluate(own.number), 0)


def read_picked(setting: BoundRule, name: str, text: str) -> str:
    """The places of the dice that a text means."""
    dice, most = find_pickable(setting, name)
    left, tokens = list(dice), _read_tokens(setting.rule, text)
    for at, token in enumerate(tokens):
        able = [die for die in left if _is_meant(setting.rule, die, *token)]
        kinds = list(dict.fromkeys(setting.rule.kinds[die.kind].name for die in able))
        if not able:
            there = write_picked(setting.rule, dice)
            raise PickError(name, f"none of the dice to pick from shows {token[1]}: there is {there}")
        if len(kinds) > 1 and tokens[at:].count(token) < len(able):
            both = f"{' and '.join(kinds)} dice show {token[1]}"
            raise PickError(name, f"{both}; write which one is picked: {kinds[0]} {token[1]}")
        left.remove(able[0])
    if len(tokens) > most:
        raise PickError(name, f"{name} takes {most} at most, not {len(tokens)}")
    return " ".join(str(die.place) for die in dice if die not in left)


def pick_highest(setting: BoundRule, name: str) -> str:
    """What to pick if nothing better is known."""
    dice, most = find_pickable(setting, name)
    return write_picked(setting.rule, sorted(sorted(dice, key=lambda die: -die.value)[:most]))


def write_picked(rule: CoreRule, dice: Iterable[TableDie]) -> str:
    """Dice as a text, with the names of their kinds if there are several in the rule."""
    by_kind: dict[int, list[str]] = {}
    for die in dice:
        by_kind.setdefault(die.kind, []).append(format_throws(rule.kinds[die.kind], die.throws))
    named = ((rule.kinds[kind].name if len(rule.kinds) > 1 else "", texts) for kind, texts in sorted(by_kind.items()))
    return " ".join(" ".join(filter(None, (name, *texts))) for name, texts in named) or NONE


def _read_tokens(rule: CoreRule, text: str) -> list[tuple[str, str]]:
    """The dice in a text, each with the name of its kind, if that is written before it."""
    kind, found = "", list[tuple[str, str]]()
    for token in parse_dice("" if text.lower() == NONE else text.replace("−", "-"), rule):
        if token.token_type == "kind":
            kind = token.text
        elif token.token_type == "die":
            found.append((kind, token.text.lower()))
    return found


def _is_meant(rule: CoreRule, die: TableDie, kind: str, text: str) -> bool:
    own = rule.kinds[die.kind]
    shown = {format_throws(own, die.throws).lower(), *([str(die.value)] if own.explodes else [])}
    return kind in ("", own.name.lower()) and text in shown
