"""Points that change a roll after it fell: inputs that change, or a die that is set to its highest face."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..text import suggest
from .expression import Slip, read_terms
from .gathering import worked_out
from .inputs import shown
from .model import Rule, Spend
from .outline import work_out
from .play import Die, count_tallies, drop
from .result import Result
from .specialties import ITEM


class Spent(NamedTuple):
    """A point that is spent, and the kind of dice that it is spent on, if any."""

    spend: Spend
    kind: str
    start: int
    end: int

    def slip(self, message: str) -> Slip:
        return Slip(message, self.start, self.end)


def read_spends(rule: Rule, text: str) -> tuple[list[Spent], list[Slip]]:
    """The points of a list such as `point bonus, fate luck`: names, behind them a kind of dice where it matters."""
    found: list[Spent] = []
    slips: list[Slip] = []
    for item in ITEM.finditer(text):
        piece = item[0].strip()
        if not piece:
            continue
        start = item.start() + item[0].index(piece)
        end, spend = start + len(piece), named(rule, piece)
        if spend is None:
            note = suggest(piece, [one.name for one in rule.spends])
            slips.append(Slip(f"{rule.name} has nothing to spend called «{piece}»; {note}".rstrip("; "), start, end))
            continue
        one = Spent(spend, piece[len(spend.name) :].strip().lower(), start, end)
        slips += strange(one)
        found.append(one)
    return found, [*slips, *too_many(found)]


def named(rule: Rule, piece: str) -> Spend | None:
    """The longest name with which a piece begins."""
    low = piece.lower()
    fitting = [one for one in rule.spends if low == one.name.lower() or low.startswith(one.name.lower() + " ")]
    return max(fitting, key=lambda one: len(one.name), default=None)


def strange(one: Spent) -> Iterator[Slip]:
    """A kind where none is asked for, one that cannot be meant, or none where there are several."""
    kinds = [kind.lower() for kind in one.spend.highest]
    if one.kind and not kinds:
        yield one.slip(f"{one.spend.name} is spent on no die; leave «{one.kind}» out")
    elif one.kind and one.kind not in kinds:
        yield one.slip(f"{one.spend.name} cannot be spent on «{one.kind}»; {suggest(one.kind, one.spend.highest)}")
    elif not one.kind and len(kinds) > 1:
        yield one.slip(f"say which die: {one.spend.name} {one.spend.highest[0]}")


def too_many(found: Sequence[Spent]) -> Iterator[Slip]:
    """More points of one sort than a roll takes."""
    counts: dict[str, int] = {}
    for one in found:
        point = one.spend.point
        counts[point] = counts.get(point, 0) + 1
        if one.spend.most and counts[point] > one.spend.most:
            yield one.slip(f"a roll takes {one.spend.most} {point} at most")


def misplaced(found: Sequence[Spent], traits: str | None) -> Iterator[Slip]:
    """Points that are kept for other traits than those that are rolled."""
    if traits is None:
        return
    rolled = {term.name.lower() for term in read_terms(traits)[0]}
    for one in found:
        if one.spend.traits and not rolled & {name.lower() for name in one.spend.traits}:
            yield one.slip(f"{one.spend.name} is only for {', '.join(one.spend.traits)}")


def changed(rule: Rule, found: Sequence[Spent], inputs: Mapping[str, str]) -> tuple[dict[str, str], list[Slip]]:
    """The inputs that points change, one after the other."""
    texts, slips = dict(inputs), []
    entries = {entry.name: entry for entry in rule.inputs}
    for one in found:
        for name, formula in one.spend.changes.items():
            value = worked_out(rule, formula, texts)
            if value is None:
                slips.append(one.slip(f"{name} has to be known before {one.spend.name} changes it"))
                continue
            texts[name] = shown(entries[name], value)
    return {name: text for name, text in texts.items() if inputs.get(name) != text}, slips


def maximised(result: Result, found: Sequence[Spent]) -> tuple[Result, list[Slip]]:
    """The roll with a die set to its highest face for each point that does so: the lowest die of its kind."""
    slips = []
    for one in found:
        if not one.spend.highest:
            continue
        kind = one.kind or one.spend.highest[0].lower()
        dice = list(result.throw.dice)
        places = [place for place, die in enumerate(dice) if result.rule.dice[die.kind].name.lower() == kind]
        if not places:
            slips.append(one.slip(f"no {kind} die lies on the table"))
            continue
        place = min(places, key=lambda place: dice[place].value)
        dice[place] = highest(result, dice[place])
        result = with_dice(result, dice)
    return result, slips


def highest(result: Result, die: Die) -> Die:
    ready = result.setting.kinds[die.kind]
    throws = (ready.land(max(ready.faces)),)
    return die._replace(throws=throws, tries=(*(die.tries or (die.throws,)), throws))


def with_dice(result: Result, dice: list[Die]) -> Result:
    """What follows when these dice lie instead."""
    kept = tuple(drop(result.setting, [die._replace(kept=True) for die in dice]))
    tallies = count_tallies(result.setting, kept)
    throw = result.throw._replace(dice=kept)
    return replace(result, throw=throw, tallies=tuple(tallies), worked=work_out(result.setting, tallies))
