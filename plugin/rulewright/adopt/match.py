"""Finds the rules and inputs that explain the dice, or the stated totals, of a passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from ..book.page import Block
from ..book.parser import read_page
from ..checks.drift import Difference, collect_facts, find_differences, step_facts
from ..checks.model import BlockContext, CheckedBlock, Move
from ..checks.registry import check_block
from ..game.core import CoreInput, CoreRule
from ..game.formula import COMPARISONS, collect_names, walk
from ..game.lower import lower_rule
from ..game.model import Game, Input, Rule
from ..play.bound_rule import BoundKind
from ..play.face_text import parse_face
from ..play.record import RecordError
from ..play.result import Result, roll_dice
from ..play.roll import DiceRoller, Die
from ..prose.evidence import Evidence, Reroll, Token
from ..source import Source
from .inputs import (
    TOTALS,
    InputValue,
    Options,
    fixed_sides,
    input_options,
    input_roles,
    kept_inputs,
    lonely_totals,
    longest_code,
    stated_totals,
    value_rows,
)

_MISFIT = "the faces do not fit"


class _FaceDealer:
    """Deals the faces of a text to the dice: labeled faces to their die, all others in order.

    `ahead` is the number of first rolls in the text: further rolls of an exploding die may come after all of them.
    """

    def __init__(self, tokens: Sequence[Token], swaps: Sequence[Reroll] = (), ahead: int = 0) -> None:
        self.waiting = list(tokens)
        self.swaps = list(swaps)
        self.ahead = ahead
        self.chain = False
        self.rerolled_face: int | None = None

    def begin(self, _ready: BoundKind, _fresh: bool) -> None:
        self.chain = False

    def face(self, ready: BoundKind, _way: str) -> int:
        if self.rerolled_face is not None:
            face, self.rerolled_face = self.rerolled_face, None
        else:
            place = self.place(ready)
            if place is None:
                raise RecordError(_MISFIT)
            face = self.waiting.pop(place).face
            self.ahead -= not self.chain or place < self.ahead
        if face not in ready.face_set:
            raise RecordError(_MISFIT)
        self.chain = True
        return face

    def place(self, ready: BoundKind) -> int | None:
        """Index of the waiting face that this die shows."""
        start = max(self.ahead, 0) if self.chain else 0
        own = _die_labels(ready.setting.rule, ready.number, ready.setting.values)
        places = range(start, len(self.waiting))
        labelled = (place for place in places if self.waiting[place].label in own)
        others = (place for place in places if not _belongs_elsewhere(self.waiting[place], ready))
        return next(labelled, next(others, None))

    def onward(self, ready: BoundKind, _way: str) -> bool:
        return self.place(ready) is not None

    def end(self, _ready: BoundKind) -> None:
        self.chain = False

    def offered(self, ready: BoundKind) -> bool:
        return self.place(ready) is not None

    def round(self, _earned: Mapping[int, int]) -> None:
        self.ahead = 0

    def choose(self, _play: DiceRoller, dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        """The die that the next reroll of the text means; None without one."""
        if not self.swaps:
            return None
        return next((place for place in places if dice[place].value == self.swaps[0].before), None)

    def prefers(self, _play: DiceRoller, dice: list[Die], place: int, new: Die, _number: int, _left: int) -> bool:
        return new.value > dice[place].value

    def answer(self, _play: DiceRoller, _dice: list[Die], _entry: CoreInput) -> None:
        """Nothing says what was chosen."""

    def rethrow(self, _ready: BoundKind, die: Die) -> None:
        if self.swaps and self.swaps[0].before == die.value:
            self.rerolled_face = self.swaps.pop(0).after

    def turn_die(
        self, _play: DiceRoller, dice: list[Die], place: int, _number: int, _left: int, face: int | None
    ) -> int:
        if face is None:
            return dice[place].faces[-1]  # as nothing is said of it
        return face

    def goes_on(self, number: int) -> bool:
        return number > 0

    def close(self) -> None:
        if self.waiting or self.swaps:
            raise RecordError(_MISFIT)


def _die_labels(rule: CoreRule, number: int, values: Mapping[str, object]) -> set[str]:
    """Words by which a text may name dice of a kind: its name, and its size if no other kind has it."""
    sizes = Counter(size for kind in range(len(rule.kinds)) if (size := _die_size(rule, kind, values)))
    own = _die_size(rule, number, values)
    name = rule.kinds[number].name.lower()
    return {name, *({f"d{own}"} if own and sizes[own] == 1 else ())}


def _die_size(rule: CoreRule, number: int, values: Mapping[str, object]) -> int | None:
    kind = rule.kinds[number]
    text = kind.sides.text.strip() if kind.sides else ""
    value = int(text) if text.isdecimal() else values.get(text)
    return value if isinstance(value, int) else None


def _belongs_elsewhere(token: Token, ready: BoundKind) -> bool:
    """True if the text names another kind of die for this face."""
    if not token.label:
        return False
    rule, values = ready.setting.rule, ready.setting.values
    return any(
        token.label in _die_labels(rule, other, values) for other in range(len(rule.kinds)) if other != ready.number
    )


_MOST_ROWS = 40  # sets of inputs per rule and reading of the dice
_MOST_TRIES = 60
_MOST_FACES = 60


@dataclass(frozen=True)
class Fit:
    """A rule whose dice are those of the text, with the differences that remain."""

    rule: Rule
    inputs: Mapping[str, InputValue]  # as written in the block
    roll: tuple[str, ...]  # lines for the dice, or for their results
    guessed: tuple[str, ...]  # inputs without evidence in the text that differ from their default
    move: Move
    differences: tuple[Difference, ...]
    dropped: int = 0  # faces that were read as repetitions

    @property
    def named_count(self) -> int:
        return sum(found.is_named for found in self.inputs.values())

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key; the best fit has the least."""
        return len(self.differences), len(self.guessed), -self.named_count, self.dropped


class _FaceReading(NamedTuple):
    """One reading of the faces of a text: which of them repeat others, and which were rerolled."""

    tokens: tuple[Token, ...]
    swaps: tuple[Reroll, ...]
    dropped: int


@cache
def empty_block() -> Block:
    """A block for comparing rolls for which no block exists yet."""
    return read_page(Source("", "```example\n```\n")).blocks[0]


def find_fits(rule: Rule, clues: Evidence) -> list[Fit]:
    """All ways to explain the dice of a text as a roll of this rule."""
    if rule.contest or not rule.dice or _may_be_best_die(rule, clues):
        return []
    fits = (
        fit
        for dealing in _face_readings(rule, clues)
        for found in input_options(rule, clues)
        for fit in _fits_of_reading(rule, clues, found, dealing)
    )
    return list(islice(fits, _MOST_TRIES))


def _may_be_best_die(rule: Rule, clues: Evidence) -> bool:
    """Whether the only face may be the best of a pool: `rolls and gets a 5`, where the text does not count the dice."""
    if len(clues.tokens) != 1 or clues.tokens[0].label:
        return False
    counts = {entry.name for entry in input_roles(rule).counts if entry.default is None}
    picks = any(node.op in ("highest", "lowest") for step in rule.steps for node in walk(step.formula.node))
    return picks and bool(counts) and not any(counts & found.keys() for found in input_options(rule, clues))


def _face_readings(rule: Rule, clues: Evidence) -> Iterator[_FaceReading]:
    tokens = _rule_faces(rule, clues)
    if not tokens or len(tokens) > _MOST_FACES:
        return
    swaps = clues.rerolls if rule.rerolls else ()
    anew = [swap.after for swap in swaps]
    told = tuple(token for token in tokens if not (token.alone and token.face in anew))
    yield _FaceReading(told, swaps, 0)
    lonely = [token for token in told if token.alone][:3]
    for dropped in product((False, True), repeat=len(lonely)):
        gone = [token for token, drop in zip(lonely, dropped, strict=True) if drop]
        if gone and len(gone) < len(told):
            yield _FaceReading(
                tuple(token for token in told if not any(token is one for one in gone)), swaps, len(gone)
            )


def _rule_faces(rule: Rule, clues: Evidence) -> tuple[Token, ...]:
    """The faces of the text as numbers; symbols count for dice with symbols."""
    marked = next((kind for kind in lower_rule(rule).kinds if kind.faces), None)
    if not marked:
        return clues.tokens
    faces = [parse_face(marked, sign) for sign in clues.signs]
    return tuple(Token(face, "", False) for face in faces if face is not None)


def _fits_of_reading(rule: Rule, clues: Evidence, found: Options, dealing: _FaceReading) -> Iterator[Fit]:
    names = [entry.name for entry in rule.inputs]
    for said in value_rows(found, names, _MOST_ROWS):
        for guess in _guess_values(rule, said, len(dealing.tokens)):
            for ahead in _first_roll_counts(rule, dealing):
                fit = _fit_faces(rule, clues, {**said, **guess}, dealing, ahead)
                if fit:
                    yield fit


def _guess_values(rule: Rule, said: Mapping[str, InputValue], faces: int) -> Iterator[dict[str, InputValue]]:
    """Values for inputs without evidence that decide about dice: defaults first, then all others."""
    part = input_roles(rule)
    columns: list[list[tuple[str, InputValue | None]]] = []
    for entry in part.counts:
        if entry.name not in said:
            numbers = (n for n in range(max(entry.least, 0), min(entry.most, faces) + 1) if n != entry.default)
            usual = [(entry.name, None)] if entry.default is not None else []
            columns.append([*usual, *((entry.name, InputValue(str(n), False)) for n in numbers)])
    free = [entry for entry in part.switches if entry.name not in said and not entry.asked]
    columns += [[(e.name, None), *((e.name, InputValue(text, False)) for text in _other_values(e))] for e in free]
    for row in islice(product(*columns), _MOST_ROWS):
        yield {name: found for name, found in row if found}


def _other_values(entry: Input) -> list[str]:
    """Values of a flag or choice other than its default."""
    if entry.form == "flag":
        return ["no" if entry.default else "yes"]
    return [choice for choice in entry.choices if choice != entry.default]


def _first_roll_counts(rule: Rule, dealing: _FaceReading) -> Iterable[int]:
    """Candidates for the number of first rolls that the text lists before the explosions."""
    explodes = any(kind.explodes for kind in rule.dice)
    return range(len(dealing.tokens)) if explodes and len(dealing.tokens) < 12 else (0,)


def _fit_faces(
    rule: Rule, clues: Evidence, inputs: Mapping[str, InputValue], dealing: _FaceReading, ahead: int
) -> Fit | None:
    """Roll with these inputs and the faces of the text; None if they do not fit."""
    hand = _FaceDealer(dealing.tokens, dealing.swaps, ahead)
    texts = {name: found.text for name, found in inputs.items()}
    try:
        result, complaints = roll_dice(rule, texts, hand)
        if result is None or complaints:
            return None
        hand.close()
        first = sum(die.round == 1 for die in result.roll.dice)
        if ahead and ahead != first:
            return None
    except RecordError:
        return None
    return _build_fit(rule, clues, inputs, result, dealing)


def _build_fit(
    rule: Rule, clues: Evidence, inputs: Mapping[str, InputValue], result: Result, dealing: _FaceReading
) -> Fit:
    outcome = result.outcome.name if result.outcome else None
    texts = {name: found.text for name, found in inputs.items()}
    move = Move(rule, texts, result, result.steps, outcome, result.degree)
    found = find_differences(clues.facts, [step_facts(empty_block(), move)])
    switches = {entry.name: entry for entry in input_roles(rule).switches}
    tried_out = [name for name, one in inputs.items() if not one.is_named and name in switches]
    keeping = kept_inputs(rule)
    kept = [
        name for name, one in inputs.items() if not one.is_named and name in keeping and not _is_counted(rule, name)
    ]
    usual = {entry.name: str(entry.default) for entry in input_roles(rule).counts if entry.default is not None}
    extra = [name for name, one in inputs.items() if not one.is_named and usual.get(name, one.text) != one.text]
    guessed = (
        *dict.fromkeys([*kept, *extra]),
        *(name for name in tried_out if inputs[name].text in _other_values(switches[name])),
    )
    return Fit(rule, inputs, _roll_lines(result), guessed, move, tuple(found), dealing.dropped)


def _is_counted(rule: Rule, name: str) -> bool:
    """True if the number of faces shows the value of this input."""
    return any(name in collect_names(kind.count.node) for kind in rule.dice)


def _roll_lines(result: Result) -> tuple[str, ...]:
    """The dice as lines of a block; the kind is named only if there are several groups of dice."""
    groups = {(die.round, die.kind) for die in result.roll.dice}
    dice = result.dice
    if groups == {(1, 0)}:
        dice = dice.removeprefix(f"{result.rule.kinds[0].name} ")
    lines = [f"dice: {dice}"]
    lines += [f"rerolled: {result.rerolled}"] if result.rerolled else []
    lines += [f"turned: {result.turned}"] if result.turned else []
    lines += [f"declined: {result.roll.declined}"] if result.roll.declined else []
    return tuple(lines)


_TELLING_MOST_ROWS = 12
_MOST_NUMBERS = 3
_MOST_GIVEN = 8


def check_lines(game: Game, lines: tuple[str, ...]) -> CheckedBlock:
    """Check a block with these lines."""
    page = read_page(Source("", "\n".join(["```example", *lines, "```", ""])))
    return check_block(page.blocks[0], BlockContext(page, game, {}))


def find_stated_fits(game: Game, rule: Rule, clues: Evidence) -> Iterator[Fit]:
    """All ways to explain the numbers of a text as steps of this rule."""
    if rule.contest or not rule.dice or any(not (token.alone or token.label) for token in clues.tokens):
        return
    names = [entry.name for entry in rule.inputs]
    for prose_roll in islice(_given_lines(rule, clues), _MOST_GIVEN):
        for found in input_options(rule, clues, shown=False):
            for said in value_rows(found, names, _TELLING_MOST_ROWS):
                fit = _rolls_named_dice(rule, clues, said) and _stated_fit(game, rule, clues, said, prose_roll)
                if fit:
                    yield fit


def _rolls_named_dice(rule: Rule, clues: Evidence, said: Mapping[str, InputValue]) -> bool:
    """True if the rule rolls all dice whose sizes the text names."""
    sizes = {size for kind in rule.dice if (size := fixed_sides(kind))}
    chosen = {found.text.lower() for found in said.values()}
    names = {entry.name for entry in input_roles(rule).sides}
    if any(kind.sides and not fixed_sides(kind) and not collect_names(kind.sides.node) & names for kind in rule.dice):
        return True  # the size follows from other values
    return all(size in sizes or f"d{size}" in chosen for _, size in longest_code(clues))


def _stated_fit(
    game: Game, rule: Rule, clues: Evidence, said: Mapping[str, InputValue], roll: tuple[str, ...]
) -> Fit | None:
    lines = (f"rule: {rule.name}", *(f"{name}: {found.text}" for name, found in said.items()), *roll)
    checked = check_lines(game, lines)
    if checked.status != "passed" or not checked.moves:
        return None
    if not (said or clues.dice_sums or checked.moves[0].outcome) and stated_totals(rule, clues):
        return None  # a result that nothing leads to
    found = list(find_differences(clues.facts, list(collect_facts(checked))))
    move = checked.moves[0]
    shown = {value for value in move.steps.values() if isinstance(value, int)}
    stated = {int(one.text) for one in said.values() if one.text.isdecimal()}
    if not set(_stated_totals(rule, clues)) <= shown | stated:
        return None
    return Fit(rule, said, roll, (), move, tuple(found))


def _given_lines(rule: Rule, clues: Evidence) -> Iterator[tuple[str, ...]]:
    """Candidate lines for the results of the dice: counts by name, else one total."""
    steps = [step.name for step in rule.steps]
    counted = dict(_stated_counts(rule, clues))
    shown = _labeled_dice_line(rule, clues.tokens)
    if counted:
        yield (*shown, "given: " + ", ".join(f"{name} {value}" for name, value in counted.items()))
    sums = _total_steps(rule)
    for name, value in product(
        _dice_sum_steps(rule), dict.fromkeys(bit.number for bit in clues.dice_sums[:_MOST_NUMBERS])
    ):
        yield (*shown, f"given: {name} {value}")
        yield from (
            (*shown, f"given: {name} {value}, {whole} {total}")
            for whole, total in product((step for step in steps if step in TOTALS), stated_totals(rule, clues)[:1])
        )
    likely = [name for name in steps if name in TOTALS] + [
        name for name in steps if name not in TOTALS and name in sums
    ]
    for value in dict.fromkeys(_stated_totals(rule, clues)):
        for name in likely:
            yield (*shown, f"given: {name} {value}")
    if not clues.dice_sums and not clues.signs:
        yield from (
            (f"given: {name} {value}",) for value in stated_totals(rule, clues)[:1] for name in steps if name in TOTALS
        )


def _dice_sum_steps(rule: Rule) -> list[str]:
    """Steps that are what the dice add up to, and nothing else."""
    return [step.name for step in rule.steps if step.formula.node.op == "sum" and step.formula.node.args[-1] is None]


def _total_steps(rule: Rule) -> set[str]:
    """Steps that add up dice, or depend on such a step: a text may call them a total."""
    found: set[str] = set()
    for step in rule.steps:
        nodes = list(walk(step.formula.node))
        added = any(node.op in ("sum", "highest", "lowest") for node in nodes)
        asks = any(node.op in COMPARISONS or node.op in ("and", "or", "not") for node in nodes[:1])
        if not asks and (added or collect_names(step.formula.node) & found):
            found.add(step.name)
    return found


def _stated_counts(rule: Rule, clues: Evidence) -> Iterator[tuple[str, int]]:
    """Steps that the text counts. The first count of a name is used: later ones are what is left."""
    names = {step.name for step in rule.steps}
    seen = set()
    for bit in clues.facts.counts:
        noun, way = bit.subject.rsplit(" ", 1)
        step = next((name for name in (noun + "es", noun + "s", noun) if name in names), "")
        if step and bit.sure and way != "change" and step not in seen:
            seen.add(step)
            yield step, bit.number


def _stated_totals(rule: Rule, clues: Evidence) -> list[int]:
    """Sums of dice in the order of the text; a single face may be one too."""
    summed = [(bit.start, bit.number) for bit in clues.facts.totals if bit.sure]
    return [value for _, value in sorted([*lonely_totals(rule, clues), *summed])][:_MOST_NUMBERS]


def _is_die(rule: Rule, name: str) -> bool:
    return any(kind.name.lower() == name for kind in rule.dice)


def _labeled_dice_line(rule: Rule, tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """The line for dice of kinds that the text names."""
    found: dict[str, list[str]] = {}
    for token in tokens:
        if _is_die(rule, token.label):
            found.setdefault(token.label, []).append(str(token.face))
    return ("dice: " + " | ".join(" ".join([name, *faces]) for name, faces in found.items()),) if found else ()
