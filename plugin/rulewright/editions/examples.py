"""Examples judged by the rules of the other edition: which end differently there, and which cannot be judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..book.model import Block
from ..checks.example import Story
from ..checks.example import told as story_of
from ..checks.model import Around, Move
from ..checks.scene import Scene
from ..checks.traits import KEYS as TRAITS
from ..checks.traits import settled
from ..game.inputs import bind, shown
from ..game.model import Input
from ..text import Span
from .matching import RulePair
from .retelling import Replay
from .sides import EditionPage
from .translated import Reason, trait_keys


@dataclass(frozen=True)
class BlockResult:
    """What came of a block; where there is no outcome, the steps that are known.

    `sort` is what the word is: outcome, winner, verdict, result, or claim for what holds or does not."""

    outcome: str
    degree: int | None
    steps: Mapping[str, Any]
    sort: str = "outcome"

    @property
    def text(self) -> str:
        """In words of the language; of a claim there are none."""
        if not self.outcome:
            return ", ".join(f"{name} {value}" for name, value in self.steps.items() if value is not None)
        if self.sort != "outcome":
            return f"{self.sort} {self.outcome}"
        return self.outcome if self.degree is None else f"{self.outcome} {self.degree}"


@dataclass(frozen=True)
class ChangedBlock:
    """A step of an example, or another block, that ends differently."""

    edition: str  # in whose pages it stands: old or new
    path: str
    span: Span
    id: str
    kind: str
    rule: str  # as the newer edition calls it; none for blocks that are about no rule
    inputs: str
    dice: str
    old: BlockResult
    new: BlockResult
    place: int = 0  # among the steps of its block
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.path, self.id, self.place, self.dice


@dataclass(frozen=True)
class UncheckedBlock:
    """A block of which nobody can say how it ends by the other rules, or not all of it."""

    edition: str
    path: str
    span: Span
    id: str
    kind: str
    why: Reason


RecheckedBlock = ChangedBlock | UncheckedBlock


@dataclass(frozen=True)
class Direction:
    """From which edition to which: `pairs` by the rules of the edition in whose pages the examples stand."""

    edition: str
    pairs: Mapping[int, RulePair]

    def retold(self, leaf: EditionPage, block: Block, span: Span, **found: Any) -> ChangedBlock:
        """With the two ends, which are given in the order of this way, in the order of the editions."""
        old, new = found.pop("ends")
        ends = {"old": old, "new": new} if self.edition == "old" else {"old": new, "new": old}
        return ChangedBlock(self.edition, leaf.path, span, block.id, block.kind, **ends, **found)

    def unjudged(self, leaf: EditionPage, block: Block, why: Reason) -> UncheckedBlock:
        return UncheckedBlock(self.edition, leaf.path, block.span, block.id, block.kind, why)


def recheck_example(leaf: EditionPage, block: Block, around: Around, way: Direction) -> Iterator[RecheckedBlock]:
    """What ends differently, and no more than one reason why the whole cannot be judged."""
    story = story_of(block, around)
    scenes = [*story.scenes, *[(None, None)] * (len(block.parts) - len(story.scenes))]
    if not any(scene is None or may_differ(scene, way.pairs) for scene, _ in scenes):
        return
    why = why_example_unusable(story)
    retelling = Replay(way.pairs)
    for place, (scene, move) in enumerate(scenes if why is None else ()):
        if scene is None or move is None:
            why = why or Reason("wrong")
            break
        twin, found = retelling.judge(scene, move)
        if isinstance(found, Reason):
            why = why or found
        elif twin and not is_same_result(
            *(ends := (example_result(scene, move), example_result(twin, found))), pair := way.pairs[id(scene.rule)]
        ):
            rule = found.rule if way.edition == "old" else move.rule
            told = {"inputs": inputs_text(move), "dice": dice_text(scene, move), "rule": rule.name, "place": place}
            yield way.retold(
                leaf,
                block,
                block.parts[place].span if place else block.span,
                ends=only_changed_steps(*ends, pair),
                **told,
            )
    if why:
        yield way.unjudged(leaf, block, why)


def may_differ(scene: Scene, pairs: Mapping[int, RulePair]) -> bool:
    """Can this step end otherwise at all?"""
    pair = pairs.get(id(scene.rule))
    by_register = bool(scene.sides or scene.roll.keys() & set(TRAITS))
    return pair is None or pair.changed or pair.names_changed or (by_register and pair.traits_changed)


def why_example_unusable(story: Story) -> Reason | None:
    """Why a block says nothing even by its own rules."""
    skip, checked = story.block.get("skip"), story.closed()
    if skip:
        return Reason("skipped", skip.value)
    if checked.status != "passed" or (story.block.problems and not story.block.get("wrong")):
        problems = [*checked.problems, *story.block.problems]
        return Reason("failed", problems[0].message.partition("; ")[0] if problems else "")
    return None


def example_result(scene: Scene, move: Move) -> BlockResult:
    if move.sides:
        return BlockResult(move.outcome or "", None, {}, "winner")
    if move.outcome:
        return BlockResult(move.outcome, move.degree, {})
    known = {name: value for name, value in move.steps.items() if value is not None}
    return BlockResult("", None, {**gathered_inputs(scene), **known})


def gathered_inputs(scene: Scene) -> dict[str, str]:
    """The inputs that traits and points have given to it."""
    own = set(settled(scene.rule)) if scene.roll.keys() & trait_keys(scene) else set[str]()
    return {name: said.text for name, said in scene.inputs.items() if name in own or scene.stated.get(name) is not said}


def is_same_result(one: BlockResult, other: BlockResult, pair: RulePair) -> bool:
    """The same outcome, whose degree only one of them may count; where there is none, all steps that both know."""
    if one.sort == "winner":
        return one.outcome == other.outcome
    if not one.outcome:
        return not changed_steps(one, other, pair)
    name = pair.outcome(one.outcome)
    return name.lower() == other.outcome.lower() and (None in (one.degree, other.degree) or one.degree == other.degree)


def changed_steps(one: BlockResult, other: BlockResult, pair: RulePair) -> dict[str, str]:
    """The steps and inputs that have another value there, each with its name there."""
    called = pair.called
    names = {name: called.get(("step", name)) or called.get(("input", name)) or "" for name in one.steps}
    return {name: new for name, new in names.items() if other.steps.get(new, one.steps[name]) != one.steps[name]}


def only_changed_steps(one: BlockResult, other: BlockResult, pair: RulePair) -> tuple[BlockResult, BlockResult]:
    """Where there is no outcome, what is the same in both is not told."""
    if one.outcome or other.outcome:
        return one, other
    names = changed_steps(one, other, pair)
    old, new = ({name: end.steps[name] for name in kept} for end, kept in ((one, names), (other, names.values())))
    return replace(one, steps=old), replace(other, steps=new)


def inputs_text(move: Move) -> str:
    """«pool 4, difficulty Hard»: what was said, and not what holds anyway."""
    values = bind(move.rule, move.inputs)[0]
    said = {name.lower(): text for name, text in move.inputs.items()}
    given = [one for one in move.rule.inputs if one.name in values and one.name.lower() in said]
    return ", ".join(f"{one.name} {value_text(one, said[one.name.lower()], values[one.name])}" for one in given)


def value_text(entry: Input, text: str, value: Any) -> str:
    """A name stays a name: it may stand for another number now."""
    names = {name.lower(): name for name in entry.names.names} if entry.names else {}
    return names.get(text.strip().lower()) or shown(entry, value)


def dice_text(scene: Scene, move: Move) -> str:
    """The dice that lie there, what is told instead, or what the sides of a contest show."""
    if move.sides:
        return "; ".join(f"{entry.name}: {' '.join(entry.value.split())}" for entry in scene.sides)
    if move.result:
        return move.result.dice
    told = {key: scene.roll[key].text for key in ("dice", "given") if key in scene.roll}
    return ", ".join(text if key == "dice" else f"{key} {text}" for key, text in told.items())
