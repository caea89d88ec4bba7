"""Where two editions of a rule part: the smallest throws that end differently, when that is, and how likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..game.model import Rule
from ..game.python import Stuck
from ..game.setting import Refused
from ..game.tree import DICE, walk
from .apart import Apart, ended, most_dice, ranges
from .chances import OddsChange
from .chosen import around, distinct, tables, usual_ones, within_budget
from .conditions import Condition
from .examples import alike
from .further import Further, further
from .grid import Axis, axes, told, usual, written
from .likely import chances
from .matching import RulePair
from .quantities import called, condition
from .things import Text
from .throws import Table, Trial

MOST_SHOWN = 3
NOWHERE: Mapping[str, str] = {}


@dataclass(frozen=True, eq=False)
class Parting:
    """`tried` sets of dice, of up to `dice` dice, all of them where `complete`; `parted` is whether any differs."""

    pair: RulePair
    tried: int
    dice: int
    complete: bool
    parted: bool
    ranges: Mapping[str, tuple[Text, ...]]  # of the inputs, as far as they were tried
    smallest: tuple[Apart, ...] = ()
    condition: tuple[str, ...] = ()  # its parts, in the names of the older edition
    formula: str = ""
    names: Mapping[str, str] = field(default_factory=dict)  # of these quantities in the newer edition
    further: Further | None = None  # where throws go on
    why: str = ""  # what keeps throws from being judged by both
    rows: str = ""
    columns: str = ""
    fixed: Mapping[str, str] = field(default_factory=dict)  # the other inputs, as usual
    chances: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)


def partings(pairs: Sequence[RulePair], odds: Sequence[OddsChange]) -> list[Parting]:
    """The settings in which chances change most are where to look, should nothing be found elsewhere."""
    hints = {id(one.pair): one.largest.inputs for one in odds if one.largest}
    return [found for pair in pairs if pair.changed and (found := parting(pair, hints.get(id(pair), {})))]


def parting(pair: RulePair, hint: Mapping[str, str] = NOWHERE) -> Parting | None:
    """Nothing where no throw can be judged by both."""
    every = None if pair.old.contest or pair.new.contest else axes(pair.old, pair.new)
    if every is None:
        return None
    settings = tables(pair, every)
    possible = [one for one in settings if one.plain]
    looked = [look(pair, within_budget(possible), True)]
    if not looked[0].parted:
        looked.append(look(pair, usual_ones(possible), len(looked[0].chosen) == len(possible)))
    if hint and not looked[-1].parted:
        near = around(pair, every, hint)
        looked.append(look(pair, usual_ones([one for one in near if one.plain]), False))
        settings = [*near, *settings]
    best = next((one for one in looked if one.parted), looked[0] if looked[0].chosen else looked[-1])
    if not settings:
        return Parting(pair, 0, 0, True, False, {}, why="dice") if pair.old.dice and pair.new.dice else None
    return found_in(pair, best, settings, every)


@dataclass(frozen=True, eq=False)
class Look:
    """Settings with all their throws, and which of these end differently."""

    chosen: Sequence[Table]
    trials: Sequence[Trial]
    apart: Sequence[bool]
    complete: bool

    @property
    def parted(self) -> bool:
        return any(self.apart)


def look(pair: RulePair, chosen: Sequence[Table], complete: bool) -> Look:
    trials = [one for table in distinct(chosen) for one in known(table)]
    return Look(chosen, trials, [differs(pair, one) for one in trials], complete)


def found_in(pair: RulePair, seen: Look, settings: Sequence[Table], every: Sequence[Axis]) -> Parting:
    tried, dice = sum(table.all_throws for table in seen.chosen), most_dice(seen.chosen)
    own = Parting(pair, tried, dice, seen.complete, seen.parted, ranges(seen.chosen, every))
    if not own.parted:
        return replace(own, further=further(pair, settings, every))
    own = replace(own, smallest=tuple(smallest(pair, seen.trials, seen.apart, every)))
    found = condition(pair, seen.trials, seen.apart)
    own = replace(own, further=further(pair, settings, every, found))
    return own if found is None else with_condition(own, found, seen.trials, every)


def with_condition(own: Parting, found: Condition, trials: Sequence[Trial], every: Sequence[Axis]) -> Parting:
    pair, names = own.pair, [*(axis.name for axis in every[:2]), "", ""]
    return replace(
        own, condition=tuple(opened(pair.old, found)), formula=found.formula, names=called(trials, found),
        rows=names[0], columns=names[1], fixed=written(usual(every[2:]), every[2:]),
        chances=dict(chances(pair, found, every)) if pair.old.dice else {},
    )  # fmt: skip


def known(table: Table) -> Iterator[Trial]:
    """The throws of a setting; those that a rule cannot judge say nothing."""
    for hand in table.hands():
        try:
            trial = table.trial(hand)
        except (Refused, Stuck):
            continue
        yield trial


def differs(pair: RulePair, trial: Trial) -> bool:
    return not alike(ended(pair.old, trial.old), ended(pair.new, trial.new), pair)


def smallest(pair: RulePair, trials: Sequence[Trial], apart: Sequence[bool], every: Sequence[Axis]) -> Iterator[Apart]:
    """The first of each number of dice in which they differ; the lowest faces come first."""
    found = [trial for trial, yes in zip(trials, apart, strict=True) if yes]
    fewest = min(sum(map(len, trial.hands)) for trial in found)
    few = [trial for trial in found if sum(map(len, trial.hands)) == fewest]
    nearest = sorted(few, key=lambda trial: (unusual(trial, every), trial.hands))
    known = set[tuple[str, str, str]]()
    for trial in nearest:
        one = Apart(told(trial.inputs, every), dice_text(trial), ended(pair.old, trial.old), ended(pair.new, trial.new))
        key = (one.dice or str(one.inputs), one.old.text, one.new.text)
        if key not in known and len(known) < MOST_SHOWN:
            known.add(key)
            yield one


def unusual(trial: Trial, every: Sequence[Axis]) -> int:
    return sum(axis.values.index(trial.inputs[axis.name]) for axis in every if axis.entry.default is not None)


def dice_text(trial: Trial) -> str:
    """As a record."""
    return " | ".join(" ".join(map(str, hand)) for hand in trial.hands if hand)


def opened(rule: Rule, found: Condition) -> Iterator[str]:
    """The condition with steps that rest on no dice written out: «1 ≤ max(successes - threshold, 0) < failures»."""
    steps = {step.name: step.formula for step in rule.steps}
    for part in found.chain:
        formula = steps.get(part)
        plain = formula and not any(node.op in DICE for node in walk(formula.node))
        yield " ".join(formula.text.split()) if formula and plain and len(formula.text) < 60 else part
