"""What one part of an example says: its rule, its inputs, its dice, and what it expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..book.model import Block, Entry, Part
from ..game.inputs import shown
from ..game.model import Rule
from ..text import Problem, Span, suggest
from .model import Around, Move, find_rule, rule_of, trouble

HEAD = ("id", "title", "show", "game", "rule", "wrong", "skip")
ROLL = ("dice", "given", "rerolled", "declined", "policy", "winner")
LATER = ("traits", "holds", "required", "uses")
KNOWN = (*HEAD, *ROLL, *LATER, "side", "outcome", "degree", "instead", "then")


@dataclass(frozen=True)
class Said:
    """A value as it is written, and where; what is taken over from another step has its place there."""

    text: str
    span: Span


@dataclass(frozen=True)
class Scene:
    """One step of an example before it is worked out."""

    block: Block
    part: Part
    rule: Rule
    inputs: Mapping[str, Said] = field(default_factory=dict)
    own: frozenset[str] = frozenset()  # inputs that this part states itself
    roll: Mapping[str, Said] = field(default_factory=dict)
    sides: tuple[Entry, ...] = ()
    expected: tuple[Entry, ...] = ()
    hollow: bool = False  # takes a value from a step that could not be worked out

    @property
    def texts(self) -> dict[str, str]:
        return {name: said.text for name, said in self.inputs.items()}


Read = tuple[Scene | None, list[Problem]]


def read_scene(block: Block, part: Part, around: Around, base: Scene | None, last: Move | None) -> Read:
    """The scene of a part: on its own, after `then:` (rule and values of the step before), or a what-if on `base`."""
    rule, problems = scene_rule(block, part, around, base)
    if rule is None:
        return None, problems
    scene = what_if(Scene(block, part, rule), base) if part.name == "instead" and base else Scene(block, part, rule)
    for entry in part.entries:
        scene, found = placed(scene, entry, base, last)
        problems += found
    return scene, problems


def scene_rule(block: Block, part: Part, around: Around, base: Scene | None) -> tuple[Rule | None, list[Problem]]:
    game, rule = part.get("game"), part.get("rule")
    if base is None:
        return find_rule(block, around)
    if not game and not rule:
        return base.rule, []
    folder, _, name = rule.value.rpartition("/") if rule else ("", "", base.rule.name)
    span = (rule or game).value_span  # type: ignore[union-attr]
    return rule_of(block, around, folder or (game.value if game else base.rule.game), name, span)


def what_if(scene: Scene, base: Scene) -> Scene:
    """A what-if repeats inputs and dice, not what was expected."""
    names = {name.lower() for entry in scene.rule.inputs for name in (entry.name,)}
    inputs = {name: said for name, said in base.inputs.items() if name in names}
    own = {entry.key for entry in scene.part.entries}
    left = {"winner"}
    if "dice" in own and "dice" not in base.roll:
        left |= {"given"}
    if "given" in own and "given" not in base.roll:
        left |= {"dice", "rerolled", "declined"}
    roll = {key: said for key, said in base.roll.items() if key not in left}
    return replace(scene, inputs=inputs, roll=roll, sides=base.sides, hollow=base.hollow)


def placed(scene: Scene, entry: Entry, base: Scene | None, last: Move | None) -> tuple[Scene, list[Problem]]:
    """The scene with one more entry, put where it belongs."""
    key = entry.key
    names = {known.name.lower(): known.name for known in scene.rule.inputs}
    if key in names:
        said, problems = value_of(scene.block, entry, base, last)
        if said is None:
            return replace(scene, hollow=True), problems
        inputs = {**scene.inputs, names[key]: said}
        return replace(scene, inputs=inputs, own=scene.own | {names[key]}), problems
    if key in ROLL:
        return replace(scene, roll={**scene.roll, key: Said(entry.value, entry.value_span)}), []
    if key == "side":
        return replace(scene, sides=with_side(scene.sides, entry)), []
    if key in HEAD:
        return scene, []
    if key in ("outcome", "degree") or key in {step.name for step in scene.rule.steps}:
        return replace(scene, expected=(*scene.expected, entry)), []
    return scene, [unknown_key(scene, entry)]


def unknown_key(scene: Scene, entry: Entry) -> Problem:
    if entry.key in LATER:
        note = "write the inputs that follow from it"
        return trouble(scene.block, "block-key", f"`{entry.key}` is not worked out here", entry.key_span, (note,))
    known = [*(one.name for one in scene.rule.inputs), *(step.name for step in scene.rule.steps), *KNOWN]
    message = f"{scene.rule.name} has no input or step «{entry.key}»; {suggest(entry.key, known)}"
    return trouble(scene.block, "block-key", message.rstrip("; "), entry.key_span)


def with_side(sides: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """The sides with one more, or with one that a what-if states anew."""
    names = [side.name.lower() for side in sides]
    if entry.name.lower() not in names:
        return (*sides, entry)
    place = names.index(entry.name.lower())
    return (*sides[:place], entry, *sides[place + 1 :])


def value_of(block: Block, entry: Entry, base: Scene | None, last: Move | None) -> tuple[Said | None, list[Problem]]:
    """The value as written; `= name` takes it from the step before, and is None where that cannot be."""
    said = Said(entry.value, entry.value_span)
    if not entry.value.startswith("="):
        return said, []
    name = entry.value[1:].strip()
    values = dict(values_of(last)) if last else {}
    if name in values:
        return Said(values[name], entry.value_span), []
    names = list(values) if last or base is None else names_of(base)
    if name in names:
        return None, []
    note = suggest(name, names) if base else "there is no step before this one"
    return None, [trouble(block, "block-value", f"«{name}» cannot be taken over; {note}", entry.value_span)]


def names_of(scene: Scene) -> list[str]:
    """The names of all that a step may hand on."""
    rule = scene.rule
    return [*(entry.name for entry in rule.inputs), *(step.name for step in rule.steps), "outcome", "degree"]


def values_of(move: Move) -> Iterator[tuple[str, str]]:
    """Every value of a step that the next one may take."""
    entries = {entry.name: entry for entry in move.rule.inputs}
    if move.result:
        yield from ((name, shown(entries[name], value)) for name, value in move.result.setting.values.items())
    yield from move.inputs.items()
    yield from ((name, str(value)) for name, value in move.steps.items() if value is not None)
    if move.outcome is not None:
        yield "outcome", move.outcome
    if move.degree is not None:
        yield "degree", str(move.degree)


def spans_of(scene: Scene) -> dict[str, Span]:
    """Where each input is written."""
    return {name: said.span for name, said in scene.inputs.items()}


def any_of(problems: Iterable[Any]) -> bool:
    return any(problem.severity == "error" for problem in problems)
