"""Reads one part of an example into a scene: its rule, inputs, dice and expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..book.page import Block, Entry, Part
from ..book.settings import Item
from ..game.core import PICKED, ROUND
from ..game.inputs import bind_inputs, format_value, parse_value
from ..game.model import Rule
from ..game.traits import SpecialtyUse, TextProblem, TraitTerm
from ..play.record import RECORD_KEYS, RECORDS
from ..play.spends import apply_changes, apply_untrained, find_misplaced, gather_inputs, parse_spends
from ..source import Fix, Problem, Span, find_similar, suggest
from .model import BlockContext, Move, find_rule, find_rule_by_name, make_problem
from .rolled_sides import side_entries
from .written_settings import INPUT, STEP, input_words

TRAIT_KEYS = ("traits", "holds", "required", "uses")
_SPECIALTY_KEYS = TRAIT_KEYS[1:]


@dataclass
class _DerivedInputs:
    """Derives inputs from the traits and specialties of a step; `stated` are the inputs that the step sets itself."""

    block: Block
    rule: Rule
    texts: Mapping[str, str]  # the values of `traits`, `holds`, `required` and `uses`
    spans: Mapping[str, Span]
    stated: Mapping[str, str]
    inputs: dict[str, str] = field(default_factory=dict)  # the inputs derived
    sources: dict[str, str] = field(default_factory=dict)  # the key that each input is derived from
    problems: list[Problem] = field(default_factory=list)

    def derive(self) -> None:
        terms = self.derive_from_traits() if "traits" in self.texts else []
        if any(key in self.texts for key in _SPECIALTY_KEYS):
            self.derive_from_specialties(terms)

    def derive_from_traits(self) -> list[TraitTerm]:
        if self.rule.traits is None:
            self.report_key("traits", f"{self.rule.name} takes no traits; write its inputs", 0, 0)
            return []
        terms, inputs, mistakes = gather_inputs(self.rule, self.texts["traits"])
        changed, more = apply_untrained(self.rule, terms, {**self.stated, **inputs})
        self.report_all("traits", [*mistakes, *more])
        if not mistakes and not more:
            self.set_inputs("traits", {**inputs, **changed})
        return terms

    def derive_from_specialties(self, terms: list[TraitTerm]) -> None:
        settings = self.rule.specialties
        first = next(key for key in _SPECIALTY_KEYS if key in self.texts)
        if settings is None:
            self.report_key(first, f"{self.rule.name} knows no specialties", 0, 0)
            return
        lists = {key: self.texts[key] for key in _SPECIALTY_KEYS if key in self.texts}
        use = SpecialtyUse(self.rule, terms, lists)
        if lists.get("uses") and "traits" not in self.texts:
            self.report_key("uses", "say what is rolled, with its dots: traits: …", 0, 0)
            return
        used, unused = use.check()
        for key, mistake in use.problems:
            self.report_all(key, [mistake])
        if not use.problems and set(lists) != {"holds"}:
            self.set_inputs("uses" if "uses" in lists else "required", {settings.into: "yes" if used else "no"})
            self.raise_input(settings.unused_adds, unused)

    def raise_input(self, name: str, number: int) -> None:
        """Raises an input by the number of required specialties that are not used."""
        if not name or not number:
            return
        current = bind_inputs(self.rule, {**self.stated, **self.inputs})[0].get(name)
        if not isinstance(current, int):
            self.report_key("required", f"{name} has to be known when a required specialty raises it", 0, 0)
            return
        self.set_inputs("required", {name: str(current + number)})

    def set_inputs(self, key: str, inputs: Mapping[str, str]) -> None:
        self.inputs |= inputs
        self.sources |= dict.fromkeys(inputs, key)

    def report_all(self, key: str, mistakes: list[TextProblem]) -> None:
        for mistake in mistakes:
            self.report_key(key, *mistake)

    def report_key(self, key: str, message: str, start: int, end: int) -> None:
        span = self.spans[key]
        if end > start:
            span = span.subspan(start, end)
        self.problems.append(make_problem(self.block, "example-traits", message, span))


def derived_input_names(rule: Rule) -> list[str]:
    """The inputs that follow from traits and specialties alone; if they are also stated, both are compared."""
    into = [*rule.traits.into] if rule.traits else []
    return [*into, rule.specialties.into] if rule.specialties else into


def _contradicted_inputs(derived: _DerivedInputs, entries: Mapping[str, Entry | Item]) -> Iterator[Problem]:
    """Problems for stated inputs that differ from the ones derived from traits."""
    rule = derived.rule
    for entry in rule.inputs:
        stated, derived_text = entries.get(entry.name), derived.inputs.get(entry.name)
        if stated is None or derived_text is None or entry.name not in derived_input_names(rule):
            continue
        if derived.sources[entry.name] not in entries:  # a what-if that changes it on purpose
            continue
        stated_value, complaint = parse_value(entry, stated.value)
        derived_value, wrong = parse_value(entry, derived_text)
        if complaint or wrong or stated_value == derived_value:
            continue
        source = derived.sources[entry.name]
        message = f"`{source}` gives {entry.name} {format_value(entry, derived_value)}, the example says {stated.value}"
        problem = make_problem(derived.block, "example-input", message, stated.value_span)
        yield problem._replace(fix=Fix(stated.value_span, format_value(entry, derived_value)))


_BLOCK_KEYS = ("id", "title", "show", "proves", "wrong", "skip")
_HEAD_KEYS = ("game", "rule", *_BLOCK_KEYS)
_ROLL_KEYS = (*RECORD_KEYS, "given", "winner", "spends", *TRAIT_KEYS)
EXAMPLE_KEYS = (*_HEAD_KEYS, *_ROLL_KEYS, "aim", "side", "outcome", "degree", "instead", "then")


class StatedValue(NamedTuple):
    """A value as text with its location; a value taken from another step has its location there."""

    text: str
    origin: Entry | Span

    @property
    def span(self) -> Span:
        return self.origin.value_span if isinstance(self.origin, Entry) else self.origin


@dataclass(frozen=True)
class Scene:
    """One step of an example before it is evaluated."""

    block: Block
    part: Part
    rule: Rule
    inputs: Mapping[str, StatedValue] = field(default_factory=dict)
    stated: Mapping[str, StatedValue] = field(default_factory=dict)  # the inputs without those derived from traits
    own: frozenset[str] = frozenset()  # inputs that this part sets itself
    roll: Mapping[str, StatedValue] = field(default_factory=dict)
    sides: tuple[Entry, ...] = ()
    expected: tuple[Entry, ...] = ()
    lacks_value: bool = False  # uses a value of a step that could not be evaluated
    round: int = 1  # the number of its first round

    @cached_property
    def texts(self) -> dict[str, str]:
        return {name: value.text for name, value in self.inputs.items()}


_SceneResult = tuple[Scene | None, list[Problem]]


def read_scene(block: Block, part: Part, context: BlockContext, base: Scene | None, last: Move | None) -> _SceneResult:
    """Reads a part: on its own, after `then:` (with the rule and values of the step before), or a what-if on `base`."""
    rule, problems = _find_scene_rule(block, part, context, base)
    if rule is None:
        return None, problems
    builder = _SceneBuilder(block, part, rule)
    if part.is_what_if and base:
        builder.copy_base(base)
    elif part.name and last:
        builder.go_on(last)
    for entry in part.entries:
        problems += builder.add_entry(entry, base, last)
    scene = builder.build()
    if builder.roll.keys() & set(TRAIT_KEYS):
        scene, more = with_traits(scene, part.by_key)
        problems += more
    if "spends" in builder.roll:
        scene, more = with_spends(scene)
        problems += more
    return scene, problems


def with_spends(scene: Scene) -> tuple[Scene, list[Problem]]:
    """The scene with the inputs that its spends change."""
    stated, traits = scene.roll["spends"], scene.roll.get("traits")
    spends, mistakes = parse_spends(scene.rule, stated.text)
    mistakes += find_misplaced(spends, traits.text if traits else None)
    inputs, more = apply_changes(scene.rule, spends, scene.texts)
    problems = [
        make_problem(scene.block, "example-spend", mistake.message, mistake_span(stated, mistake))
        for mistake in [*mistakes, *more]
    ]
    spent = {name: StatedValue(text, stated.origin) for name, text in inputs.items()}
    return replace(scene, inputs={**scene.inputs, **spent}), problems


def mistake_span(stated: StatedValue, mistake: TextProblem) -> Span:
    return stated.span.subspan(mistake.start, mistake.end)


def with_traits(scene: Scene, named: Mapping[str, Entry | Item]) -> tuple[Scene, list[Problem]]:
    """The scene with the inputs derived from its traits and specialties; `named` are its own entries."""
    lines = {key: scene.roll[key] for key in TRAIT_KEYS if key in scene.roll}
    texts, spans = {key: said.text for key, said in lines.items()}, {key: said.span for key, said in lines.items()}
    derived = _DerivedInputs(scene.block, scene.rule, texts, spans, scene.texts)
    derived.derive()
    values = {name: StatedValue(text, lines[derived.sources[name]].origin) for name, text in derived.inputs.items()}
    stated_names = {name for name in derived_input_names(scene.rule) if name in scene.own}
    problems = [*derived.problems, *_contradicted_inputs(derived, named)]
    added = {name: value for name, value in values.items() if name not in stated_names}
    return replace(scene, inputs={**scene.inputs, **added}), problems


def _classify_keys(rule: Rule) -> Mapping[str, str]:
    """Classifies the keys of an example of this rule: the name of an input, or one of the constants below."""
    kinds = input_words(rule) if not rule.contest else {}
    kinds |= (
        {"aim": _ROLLED} | {step.name: _EXPECTED for step in rule.steps} | {"outcome": _EXPECTED, "degree": _EXPECTED}
    )
    kinds |= {ROUND: _EXPECTED} if rule.has_rounds else {}
    kinds |= {f"{roll.name}.{key}": _ROLLED for roll in rule.rolls for key in RECORDS}
    kinds |= {entry.name.lower(): entry.name for entry in rule.settings}
    return kinds | dict.fromkeys(_HEAD_KEYS, _HEADING) | {"side": _SIDE} | dict.fromkeys(_ROLL_KEYS, _ROLLED)


_EXPECTED, _HEADING, _SIDE, _ROLLED = "an expectation", "a heading", "a side", "a roll"  # not valid names of inputs


def stated_step(entry: Entry) -> str:
    """The step, or the word such as `outcome`, of which an entry of an example tells the value; empty if of none."""
    role, _, name = entry.key.partition(" ")
    if role == STEP and name:
        return name
    return "" if entry.key in EXAMPLE_KEYS and entry.key not in ("outcome", "degree", "winner") else entry.key


class _SceneBuilder:
    """Builds a scene entry by entry."""

    def __init__(self, block: Block, part: Part, rule: Rule) -> None:
        self.block, self.part, self.rule, self.keys = block, part, rule, _classify_keys(rule)
        self.inputs, self.roll = dict[str, StatedValue](), dict[str, StatedValue]()
        self.own, self.expected = set[str](), list[Entry]()
        self.sides: tuple[Entry, ...] = ()
        self.lacks_value, self.round = False, 1

    def copy_base(self, base: Scene) -> None:
        """Copies inputs and dice of the base into a what-if, but not its expectations."""
        own_entries, dropped = self.part.by_key, {"winner"}
        if "dice" in own_entries and "dice" not in base.roll:
            dropped |= {"given"}
        if "given" in own_entries and "given" not in base.roll:
            dropped |= {*RECORD_KEYS}
        names = {entry.name for entry in self.rule.settings if "dice" not in own_entries or entry.form != PICKED}
        if any(key in own_entries for key in TRAIT_KEYS):
            names -= set(derived_input_names(self.rule))
        if self.rule.traits is None:
            dropped |= set(TRAIT_KEYS)
        self.inputs = {name: value for name, value in base.stated.items() if name in names}
        records = (key for key in base.roll if key.rpartition(".")[2] in RECORDS and "." in key)
        dropped |= {key for key in records if key not in self.keys}
        self.roll = {key: value for key, value in base.roll.items() if key not in dropped}
        self.sides, self.lacks_value, self.round = base.sides, base.lacks_value, base.round

    def go_on(self, last: Move) -> None:
        """Takes over what the step before carries: all inputs if its rounds are not over."""
        result = last.result
        if last.rule is not self.rule or result is None or not self.rule.rounds:
            return
        is_open = result.is_over is False
        values = {**(result.setting.values if is_open else {}), **result.carried}
        self.inputs = {
            entry.name: StatedValue(format_value(entry, values[entry.name]), self.part.span)
            for entry in self.rule.settings
            if entry.name in values and not entry.asked
        }
        self.round = result.setting.round + 1 if is_open else 1

    def add_entry(self, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        """Adds one entry; returns its problems."""
        role, _, name = entry.key.partition(" ")
        if role in (INPUT, STEP) and name:
            return self.add_named(role, entry._replace(key=name), base, last)
        kind = self.keys.get(entry.key)
        if kind is None and (copies := _find_copies(self.rule, entry.key)):
            return self.add_times(copies, entry, base, last)
        if kind is _EXPECTED:
            self.expected.append(entry)
        elif kind is _ROLLED:
            self.roll[entry.key] = StatedValue(entry.value, entry)
            self.expected += [entry] if entry.key == "winner" and self.rule.sides else []
        elif kind is _SIDE:
            self.sides = _with_side(self.sides, entry)
            return self.add_side(entry, base, last) if self.rule.sides else []
        elif kind is None:
            return [_unknown_key_problem(self.block, self.rule, entry)]
        elif kind is not _HEADING:
            return self.set_input(kind, entry, base, last)
        elif self.part.name and entry.key in _BLOCK_KEYS:
            message = f"`{entry.key}:` is about the whole block; write it above `{self.part.name}:`"
            return [make_problem(self.block, "block-key", message, entry.key_span)]
        return []

    def add_times(self, names: list[str], entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        """Adds `stat.stop: no; no; yes`, an answer for each time that a rule is rolled; a blank one is not given."""
        parts, problems, at = entry.value.split(";"), list[Problem](), 0
        if len(parts) > len(names):
            message = f"this is rolled {len(names)} times at most, and these are {len(parts)} answers"
            return [make_problem(self.block, "block-value", message, entry.value_span)]
        self.inputs = {name: value for name, value in self.inputs.items() if name in self.own or name not in names}
        for name, part in zip(names, parts, strict=False):
            if text := part.strip():
                start = entry.value_at + at + part.index(text)
                own = entry._replace(value=text, value_at=start, value_end=start + len(text))
                problems += self.set_input(name, own, base, last)
            at += len(part) + 1
        return problems

    def add_side(self, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        """Adds what a side says of its roll; the first side makes the first roll."""
        number = [side.name.lower() for side in self.sides].index(entry.name.lower())
        rolls = self.rule.sides
        if number >= len(rolls):
            message = f"{self.rule.name} has two sides, {' and '.join(rolls)}; leave this one out"
            return [make_problem(self.block, "example-side", message, entry.key_span)]
        own = list(side_entries(self.rule, rolls[number], entry))
        if self.part.is_what_if and any(self.keys.get(one.key) is _EXPECTED for one in own):
            self.roll.pop(f"{rolls[number]}.dice", None)  # what it tells takes the place of its dice
        return [problem for one in own for problem in self.add_entry(one, base, last)]

    def add_named(self, role: str, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        """Adds `input dice: 3` or `step dice: 3`, of a name that is also a word of blocks or might be."""
        inputs = {own.name.lower(): own.name for own in self.rule.inputs}
        steps = {step.name for step in self.rule.steps}
        if entry.key not in (inputs if role == INPUT else steps):
            return [_unknown_key_problem(self.block, self.rule, entry)]
        if role == INPUT:
            return self.set_input(inputs[entry.key], entry, base, last)
        self.expected.append(entry)
        return []

    def set_input(self, name: str, entry: Entry, base: Scene | None, last: Move | None) -> list[Problem]:
        before = self.inputs[name].origin if name in self.own else entry
        if isinstance(before, Entry) and before.key_span.text.lower() != entry.key_span.text.lower():
            message = f"{name} is set twice; keep one of the two"
            return [make_problem(self.block, "block-key", message, entry.key_span)]
        stated, problems = _resolve_value(self.block, entry, base, last)
        flags = (rule_input.name for rule_input in self.rule.inputs if rule_input.form == "flag")
        if stated and entry.value.startswith("=") and name in flags:
            stated = stated._replace(text={"1": "yes", "0": "no"}.get(stated.text, stated.text))
        if stated is None:
            self.lacks_value = True
        else:
            self.inputs[name] = stated
            self.own.add(name)
        return problems

    def build(self) -> Scene:
        own, expected = frozenset(self.own), tuple(self.expected)
        inputs, roll = self.inputs, self.roll
        return Scene(
            self.block, self.part, self.rule, inputs, inputs, own, roll, self.sides, expected, self.lacks_value,
            self.round,
        )  # fmt: skip


def _find_scene_rule(
    block: Block, part: Part, context: BlockContext, base: Scene | None
) -> tuple[Rule | None, list[Problem]]:
    game, rule = part.get("game"), part.get("rule")
    if base is None:
        return find_rule(block, context)
    if not game and not rule:
        return base.rule, []
    folder, _, name = rule.value.rpartition("/") if rule else ("", "", base.rule.name)
    span = (rule or game).value_span  # type: ignore[union-attr]
    return find_rule_by_name(block, context, folder or (game.value if game else base.rule.game), name, span)


_RESULT_KEYS = ("result", "results", "ergebnis")
_OTHER_KEYS = {  # what authors call our keys, also in German
    **dict.fromkeys(("roll", "rolls", "rolled", "throw", "thrown", "faces", "würfel", "wurf"), "dice"),
    "regel": "rule",
    "spiel": "game",
    "titel": "title",
    "ausgang": "outcome",
}


def _unknown_key_problem(block: Block, rule: Rule, entry: Entry) -> Problem:
    own = [*(rule_input.name for rule_input in rule.inputs), *(step.name for step in rule.steps)]
    outcomes = [outcome.name.lower() for outcome in rule.outcomes]
    if entry.key in _RESULT_KEYS:
        similar = "outcome" if entry.value.lower() in outcomes else None
    else:
        similar = _OTHER_KEYS.get(entry.key) or find_similar(entry.key, [*own, *EXAMPLE_KEYS])
    listed = f"known here: {', '.join(own)}; of every rule: dice, outcome, degree"
    note = f"did you mean {similar}?" if similar else listed
    message = f'{rule.name} has no input or step "{entry.key}"; {note}'
    return make_problem(block, "block-key", message.rstrip("; "), entry.key_span)


def _find_copies(rule: Rule, key: str) -> list[str]:
    """The inputs that a key such as `stat.stop` means, one for each time that a rule is rolled."""
    inputs = {entry.name.lower(): entry.name for entry in rule.inputs if not rule.has_rounds}
    copies = (name.lower() for roll in rule.rolls for name in roll.find_copies(key))
    return [inputs[name] for name in copies if name in inputs]


def _with_side(sides: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """Adds a side, or replaces the side of the same name in a what-if."""
    names = [side.name.lower() for side in sides]
    if entry.name.lower() not in names:
        return (*sides, entry)
    position = names.index(entry.name.lower())
    return (*sides[:position], entry, *sides[position + 1 :])


def _resolve_value(
    block: Block, entry: Entry, base: Scene | None, last: Move | None
) -> tuple[StatedValue | None, list[Problem]]:
    """The value as written; `= name` takes it from the step before, and is None if that step has no such value."""
    stated = StatedValue(entry.value, entry)
    if not entry.value.startswith("="):
        return stated, []
    name = entry.value[1:].strip()
    values = dict(move_values(last)) if last else {}
    if name in values:
        return StatedValue(values[name], entry), []
    names = list(values) if last or base is None else _value_names(base)
    if name in names:
        return None, []
    note = suggest(name, names) if base else "there is no step before this one"
    return None, [make_problem(block, "block-value", f'"{name}" cannot be taken over; {note}', entry.value_span)]


def _value_names(scene: Scene) -> list[str]:
    """The names of all values that a step can pass on."""
    rule = scene.rule
    return [*(entry.name for entry in rule.inputs), *(step.name for step in rule.steps), "outcome", "degree"]


def move_values(move: Move) -> Iterator[tuple[str, str]]:
    """The values of a step that the next one can use."""
    entries = {entry.name: entry for entry in move.rule.inputs}
    if move.result:
        yield from ((name, format_value(entries[name], value)) for name, value in move.result.setting.values.items())
    yield from move.inputs.items()
    yield from ((name, str(value)) for name, value in move.steps.items() if value is not None)
    if move.outcome is not None:
        yield "outcome", move.outcome
    if move.degree is not None:
        yield "degree", str(move.degree)


def input_spans(scene: Scene) -> dict[str, Span]:
    """The span of each input."""
    return {name: value.span for name, value in scene.inputs.items()}


def has_errors(problems: Iterable[Any]) -> bool:
    return any(problem.severity == "error" for problem in problems)
