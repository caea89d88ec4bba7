"""Examples judged by the rules of the other edition: which of them end differently there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..book.model import Block
from ..checks.example import check_example
from ..checks.model import Around, Move
from ..checks.redeal import Redeal
from ..game.inputs import bind, shown
from ..game.model import Rule
from ..game.notation import Unreadable, read_rerolls
from ..game.outline import Worked, outline
from ..game.python import Stuck
from ..game.result import Result, play
from ..game.setting import Refused, Setting
from ..text import Span
from .matching import RulePair
from .sides import Leaf, Side


@dataclass(frozen=True)
class End:
    """What came of a roll; where a rule has no outcomes, its steps."""

    outcome: str
    degree: int | None
    steps: Mapping[str, Any]

    @property
    def text(self) -> str:
        if not self.outcome:
            return ", ".join(f"{name} {value}" for name, value in self.steps.items() if value is not None)
        return self.outcome if self.degree is None else f"{self.outcome} {self.degree}"


@dataclass(frozen=True)
class Retold:
    """A step of an example that ends differently; where one end is missing, `why` says what keeps it away."""

    edition: str  # in whose pages it stands: old or new
    path: str
    span: Span
    id: str
    pair: RulePair
    inputs: str
    dice: str
    old: End | None
    new: End | None
    why: str = ""
    place: int = 0  # among the steps of its block

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.path, self.id, self.place, self.dice


def retold(old: Side, new: Side, pairs: Iterable[RulePair]) -> list[Retold]:
    """The examples of the old edition under the new rules, then those that only the new one has under the old rules."""
    changed = [pair for pair in pairs if pair.changed]
    forth = {id(pair.old): pair for pair in changed}
    back = {id(pair.new): pair for pair in changed}
    if not changed:
        return []
    first = [one for leaf in old.leaves for one in of_page("old", leaf, old, forth)]
    seen = {one.key for one in first}
    return [*first, *(one for leaf in new.leaves for one in of_page("new", leaf, new, back) if one.key not in seen)]


def of_page(edition: str, leaf: Leaf, side: Side, pairs: Mapping[int, RulePair]) -> Iterator[Retold]:
    around = Around(leaf.page, leaf.home, side.games.found)
    for block in leaf.page.blocks:
        if block.kind == "example" and not block.get("wrong") and not block.get("skip"):
            yield from of_block(edition, leaf, block, around, pairs)


def of_block(edition: str, leaf: Leaf, block: Block, around: Around, pairs: Mapping[int, RulePair]) -> Iterator[Retold]:
    checked = check_example(block, around)
    for place, move in enumerate(checked.moves if checked.status == "passed" else ()):
        pair = pairs.get(id(move.rule))
        own = end(move.rule, move) if pair else None
        if pair is None or own is None or move.sides or (move.result is None and move.rule.dice):
            continue
        its, why = judged(move, pair.new if edition == "old" else pair.old)
        old, new = (own, its) if edition == "old" else (its, own)
        if not alike(old, new, pair):
            inputs, dice = told_inputs(move), dice_of(move.result)
            yield Retold(edition, leaf.path, block.span, block.id, pair, inputs, dice, old, new, why, place)


def judged(move: Move, rule: Rule) -> tuple[End | None, str]:
    """The same dice under another rule, or why that cannot be."""
    known = {entry.name.lower() for entry in rule.inputs}
    given = {name: raw for name, raw in move.inputs.items() if name.lower() in known}
    values, complaints = bind(rule, given)
    if complaints:
        return None, complaints[0][1].strip()
    try:
        found = dealt(move.result, Setting(rule, values)) if move.result else outline(Setting(rule, values), {}, {})
    except (Unreadable, Refused, Stuck) as error:
        return None, str(error)
    return end(rule, found), ""


def dealt(result: Result, setting: Setting) -> Result:
    rerolls = read_rerolls(result.rerolled, setting.rule) if setting.rule.rerolls and result.rerolled else []
    return play(setting, Redeal(result, setting.rule, rerolls))


def end(rule: Rule, found: Move | Result | Worked) -> End | None:
    """Nothing where it is unknown."""
    outcome = found.outcome if isinstance(found.outcome, str) or found.outcome is None else found.outcome.name
    if rule.outcomes and not outcome:
        return None
    return End(outcome or "", found.degree, {} if outcome else dict(found.steps))


def alike(one: End | None, other: End | None, pair: RulePair) -> bool:
    """The same outcome, whose degree only one of them may count; where there is none, all steps that both know."""
    if one is None or other is None:
        return False
    if not one.outcome:
        shared = one.steps.keys() & other.steps.keys()
        return all(one.steps[name] == other.steps[name] for name in shared)
    name = pair.outcome(one.outcome)
    return name.lower() == other.outcome.lower() and (None in (one.degree, other.degree) or one.degree == other.degree)


def told_inputs(move: Move) -> str:
    """«pool 4, difficulty 8»: what was said, and not what holds anyway."""
    values = bind(move.rule, move.inputs)[0]
    said = {name.lower() for name in move.inputs}
    return ", ".join(
        f"{one.name} {shown(one, values[one.name])}"
        for one in move.rule.inputs
        if one.name in values and one.name.lower() in said
    )


def dice_of(result: Result | None) -> str:
    return result.dice if result else ""
