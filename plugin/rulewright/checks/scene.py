"""Reads one part of an example into a scene: its rule, inputs, dice and expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..book.entries import Item
from ..book.page import Block, Entry, Part
from ..game.inputs import bind, read_value, shown
from ..game.model import Rule
from ..game.traits import Slip, Term, Use
from ..play.spends import changed, gather, misplaced, read_spends, untrained
from ..source import Fix, Problem, Span, suggest
from .model import Around, Move, find_rule, rule_of, trouble

KEYS = ("traits", "holds", "required", "uses")
LISTS = KEYS[1:]


@dataclass
class Gathered:
    """Derives inputs from the traits and specialties of a step; `stated` are the inputs that the step sets itself."""

    block: Block
    rule: Rule
    texts: Mapping[str, str]  # the values of `traits`, `holds`, `required` and `uses`
    spans: Mapping[str, Span]
    stated: Mapping[str, str]
    inputs: dict[str, str] = field(default_factory=dict)  # the inputs derived
    sources: dict[str, str] = field(default_factory=dict)  # the key that each input is derived from
    problems: list[Problem] = field(default_factory=list)

    def work_out(self) -> None:
        terms = self.sum() if "traits" in self.texts else []
        if any(key in self.texts for key in LISTS):
            self.specialties(terms)

    def sum(self) -> list[Term]:
        if self.rule.traits is None:
            self.refuse("traits", f"{self.rule.name} takes no traits; write its inputs", 0, 0)
            return []
        terms, inputs, slips = gather(self.rule, self.texts["traits"])
        changed, more = untrained(self.rule, terms, {**self.stated, **inputs})
        self.note("traits", [*slips, *more])
        if not slips and not more:
            self.set("traits", {**inputs, **changed})
        return terms

    def specialties(self, terms: list[Term]) -> None:
        settings = self.rule.specialties
        first = next(key for key in LISTS if key in self.texts)
        if settings is None:
            self.refuse(first, f"{self.rule.name} knows no specialties", 0, 0)
            return
        lists = {key: self.texts[key] for key in LISTS if key in self.texts}
        use = Use(self.rule, terms, lists)
        if lists.get("uses") and "traits" not in self.texts:
            self.refuse("uses", "say what is rolled, with its dots: traits: …", 0, 0)
            return
        used, unused = use.judge()
        for key, slip in use.slips:
            self.note(key, [slip])
        if not use.slips and set(lists) != {"holds"}:
            self.set("uses" if "uses" in lists else "required", {settings.into: "yes" if used else "no"})
            self.add(settings.unused_adds, unused)

    def add(self, name: str, number: int) -> None:
        """Raises an input by the number of required specialties that are not used."""
        if not name or not number:
            return
        before = bind(self.rule, {**self.stated, **self.inputs})[0].get(name)
        if not isinstance(before, int):
            self.refuse("required", f"{name} has to be known when a required specialty raises it", 0, 0)
            return
        self.set("required", {name: str(before + number)})

    def set(self, key: str, inputs: Mapping[str, str]) -> None:
        self.inputs |= inputs
        self.sources |= dict.fromkeys(inputs, key)

    def note(self, key: str, slips: list[Slip]) -> None:
        for slip in slips:
            self.refuse(key, *slip)

    def refuse(self, key: str, message: str, start: int, end: int) -> None:
        span = self.spans[key]
        if end > start:
            span = span.part(start, end)
        self.problems.append(trouble(self.block, "example-traits", message, span))


def settled(rule: Rule) -> list[str]:
    """The inputs that follow from traits and specialties alone; if they are also stated, both are compared."""
    into = [*rule.traits.into] if rule.traits else []
    return [*into, rule.specialties.into] if rule.specialties else into


def contradicted(gathered: Gathered, entries: Mapping[str, Entry | Item]) -> Iterator[Problem]:
    """Problems for stated inputs that differ from the ones derived from traits."""
    rule = gathered.rule
    for entry in rule.inputs:
        stated, found = entries.get(entry.name), gathered.inputs.get(entry.name)
        if stated is None or found is None or entry.name not in settled(rule):
            continue
        if gathered.sources[entry.name] not in entries:  # a what-if that changes it on purpose
            continue
        meant, complaint = read_value(entry, stated.value)
        right, wrong = read_value(entry, found)
        if complaint or wrong or meant == right:
            continue
        source = gathered.sources[entry.name]
        message = f"`{source}` gives {entry.name} {shown(entry, right)}, the example says {stated.value}"
        problem = trouble(gathered.block, "example-input", message, stated.value_span)
        yield problem._replace(fix=Fix(stated.value_span, shown(entry, right)))


OF_ALL = ("id", "title", "show", "wrong", "skip")
HEAD = ("game", "rule", *OF_ALL)
ROLL = ("dice", "given", "rerolled", "declined", "policy", "winner", "spends", *KEYS)
KNOWN = (*HEAD, *ROLL, "side", "outcome", "degree", "instead", "then")


class Said(NamedTuple):
    """A value as text with its location; a value taken from another step has its location there."""

    text: str
    place: Entry | Span

    @property
    def span(self) -> Span:
        return self.place.value_span if isinstance(self.place, Entry) else self.place


@dataclass(frozen=True)
class Scene:
    """One step of an example before it is evaluated."""

    block: Block
    part: Part
    rule: Rule
    inputs: Mapping[str, Said] = field(default_factory=dict)
    stated: Mapping[str, Said] = field(default_factory=dict)  # the inputs without those derived from traits
    own: frozenset[str] = frozenset()  # inputs that this part sets itself
    roll: Mapping[str, Said] = field(default_factory=dict)
    sides: tuple[Entry, ...] = ()
    expected: tuple[Entry, ...] = ()
    hollow: bool = False  # uses a value of a step that could not be evaluated

    @cached_property
    def texts(self) -> dict[str, str]:
        return {name: said.text for name, said in self.inputs.items()}


Read = tuple[Scene | None, list[Problem]]


def read_scene(block: Block, part: Part, around: Around, base: Scene | None, last: Move | None) -> Read:
    """Reads a part: on its own, after `then:` (with the rule and values of the step before), or a what-if on `base`."""
    rule, problems = scene_rule(block, part, around, base)
    if rule is None:
        return None, problems
    draft = Draft(block, part, rule)
    if part.name == "instead" and base:
        draft.repeat(base)
    for entry in part.entries:
        problems += draft.place(entry, base, last)
    scene = draft.scene()
    if draft.roll.keys() & set(KEYS):
        scene, more = with_traits(scene, part.named)
        problems += more
    if "spends" in draft.roll:
        scene, more = with_spends(scene)
        problems += more
    return scene, problems


def with_spends(scene: Scene) -> tuple[Scene, list[Problem]]:
    """The scene with the inputs that its spends change."""
    said, traits = scene.roll["spends"], scene.roll.get("traits")
    found, slips = read_spends(scene.rule, said.text)
    slips += misplaced(found, traits.text if traits else None)
    inputs, more = changed(scene.rule, found, scene.texts)
    problems = [trouble(scene.block, "example-spend", one.message, place_in(said, one)) for one in [*slips, *more]]
    spent = {name: Said(text, said.place) for name, text in inputs.items()}
    return replace(scene, inputs={**scene.inputs, **spent}), problems


def place_in(said: Said, slip: Slip) -> Span:
    return said.span.part(slip.start, slip.end)


def with_traits(scene: Scene, named: Mapping[str, Entry | Item]) -> tuple[Scene, list[Problem]]:
    """The scene with the inputs derived from its traits and specialties; `named` are its own entries."""
    lines = {key: scene.roll[key] for key in KEYS if key in scene.roll}
    texts, spans = {key: said.text for key, said in lines.items()}, {key: said.span for key, said in lines.items()}
    gathered = Gathered(scene.block, scene.rule, texts, spans, scene.texts)
    gathered.work_out()
    found = {name: Said(text, lines[gathered.sources[name]].place) for name, text in gathered.inputs.items()}
    decided = {name for name in settled(scene.rule) if name in scene.own}
    problems = [*gathered.problems, *contradicted(gathered, named)]
    kept = {name: said for name, said in found.items() if name not in decided}
    return replace(scene, inputs={**scene.inputs, **kept}), problems


def keys_of(rule: Rule) -> Mapping[str, str]:
    """Classifies the keys of an example of this rule: the name of an input, or one of the constants below."""
    found = {step.name: EXPECTED for step in rule.steps} | {"outcome": EXPECTED, "degree": EXPECTED}
    found |= dict.fromkeys(HEAD, HEADING) | {"side": SIDE} | dict.fromkeys(ROLL, ROLLED)
    return found | {entry.name.lower(): entry.name for entry in rule.inputs}


EXPECTED, HEADING, SIDE, ROLLED = "an expectation", "a heading", "a side", "a roll"  # not valid names of inputs


class Draft:
    """Builds a scene entry by entry."""

    def __init__(self, block: Block, part: Part, rule: Rule) -> None:
        self.block, self.part, self.rule, self.keys = block, part, rule, keys_of(rule)
        self.inputs, self.roll = dict[str, Said](), dict[str, Said]()
        self.own, self.expected = set[str](), list[Entry]()
        self.sides: tuple[Entry, ...] = ()
        self.hollow = False

    def repeat(self, base: Scene) -> None:
        """Copies inputs and dice of the base into a what-if, but not its expectations."""
        own, left = self.part.named, {"winner"}
        if "dice" in own and "dice" not in base.roll:
            left |= {"given"}
        if "given" in own and "given" not in base.roll:
            left |= {"dice", "rerolled", "declined"}
        names = {entry.name for entry in self.rule.inputs}
        if any(key in own for key in KEYS):
            names -= set(settled(self.rule))
        if self.rule.traits is None:
            left |= set(KEYS)
        self.inputs = {name: said for name, said in base.stated.items() if name in names}
        self.roll = {key: said for key, said in base.roll.items() if key not in left}
        self.sides, self.hollow = base.sides, base.hollow

    def place(self, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        """Adds one entry; returns its problems."""
        what = self.keys.get(entry.key)
        if what is EXPECTED:
            self.expected.append(entry)
        elif what is ROLLED:
            self.roll[entry.key] = Said(entry.value, entry)
        elif what is SIDE:
            self.sides = with_side(self.sides, entry)
        elif what is None:
            return [unknown_key(self.block, self.rule, entry)]
        elif what is not HEADING:
            return self.set(what, entry, base, last)
        elif self.part.name and entry.key in OF_ALL:
            message = f"`{entry.key}:` is about the whole block; write it above `{self.part.name}:`"
            return [trouble(self.block, "block-key", message, entry.key_span)]
        return []

    def set(self, name: str, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        said, problems = value_of(self.block, entry, base, last)
        flags = (one.name for one in self.rule.inputs if one.form == "flag")
        if said and entry.value.startswith("=") and name in flags:
            said = said._replace(text={"1": "yes", "0": "no"}.get(said.text, said.text))
        if said is None:
            self.hollow = True
        else:
            self.inputs[name] = said
            self.own.add(name)
        return problems

    def scene(self) -> Scene:
        own, expected = frozenset(self.own), tuple(self.expected)
        inputs, roll = self.inputs, self.roll
        return Scene(self.block, self.part, self.rule, inputs, inputs, own, roll, self.sides, expected, self.hollow)


def scene_rule(block: Block, part: Part, around: Around, base: Scene | None) -> tuple[Rule | None, list[Problem]]:
    game, rule = part.get("game"), part.get("rule")
    if base is None:
        return find_rule(block, around)
    if not game and not rule:
        return base.rule, []
    folder, _, name = rule.value.rpartition("/") if rule else ("", "", base.rule.name)
    span = (rule or game).value_span  # type: ignore[union-attr]
    return rule_of(block, around, folder or (game.value if game else base.rule.game), name, span)


def unknown_key(block: Block, rule: Rule, entry: Entry) -> Problem:
    known = [*(one.name for one in rule.inputs), *(step.name for step in rule.steps), *KNOWN]
    message = f"{rule.name} has no input or step «{entry.key}»; {suggest(entry.key, known)}"
    return trouble(block, "block-key", message.rstrip("; "), entry.key_span)


def with_side(sides: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """Adds a side, or replaces the side of the same name in a what-if."""
    names = [side.name.lower() for side in sides]
    if entry.name.lower() not in names:
        return (*sides, entry)
    place = names.index(entry.name.lower())
    return (*sides[:place], entry, *sides[place + 1 :])


def value_of(block: Block, entry: Entry, base: Scene | None, last: Move | None) -> tuple[Said | None, list[Problem]]:
    """The value as written; `= name` takes it from the step before, and is None if that step has no such value."""
    said = Said(entry.value, entry)
    if not entry.value.startswith("="):
        return said, []
    name = entry.value[1:].strip()
    values = dict(values_of(last)) if last else {}
    if name in values:
        return Said(values[name], entry), []
    names = list(values) if last or base is None else names_of(base)
    if name in names:
        return None, []
    note = suggest(name, names) if base else "there is no step before this one"
    return None, [trouble(block, "block-value", f"«{name}» cannot be taken over; {note}", entry.value_span)]


def names_of(scene: Scene) -> list[str]:
    """The names of all values that a step can pass on."""
    rule = scene.rule
    return [*(entry.name for entry in rule.inputs), *(step.name for step in rule.steps), "outcome", "degree"]


def values_of(move: Move) -> Iterator[tuple[str, str]]:
    """The values of a step that the next one can use."""
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
    """The span of each input."""
    return {name: said.span for name, said in scene.inputs.items()}


def any_of(problems: Iterable[Any]) -> bool:
    return any(problem.severity == "error" for problem in problems)
