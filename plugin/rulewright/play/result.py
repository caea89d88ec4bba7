"""The result of a roll: checks a recorded roll, makes a new one, explains the result step by step, and
finds the table cells that it depends on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from ..game.codegen import Stuck
from ..game.formula import DICE, Node, names_in, walk
from ..game.inputs import bind, said
from ..game.intervals import Bounds, evaluate, exactly
from ..game.model import Formula, Outcome, Rule, Table
from ..source import Span
from .bound_rule import Landing, Refused, Setting, Worked, work_out
from .bound_rule import told as outline_told
from .compiled_rule import program
from .record import Record, Unreadable, face_text, read_dice, read_rerolls
from .roll import Die, Faces, Play, Throw, count_tallies


class Complaint(NamedTuple):
    """Why there is no result; `part` is the input or key that it is about, such as `dice`, with offsets in its text."""

    part: str
    message: str
    start: int = 0
    end: int = 0


class Shown(NamedTuple):
    """A face to render: the kind of its die, its text, its round, and its roles such as `good` or `dropped`."""

    kind: str
    text: str
    round: int
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """One roll of a rule with its tallies, steps and outcome."""

    setting: Setting
    throw: Throw
    tallies: tuple[int, ...]
    worked: Worked

    @property
    def rule(self) -> Rule:
        return self.setting.rule

    @property
    def steps(self) -> Mapping[str, Any]:
        return self.worked.steps

    @property
    def outcome(self) -> Outcome | None:
        return self.worked.outcome

    @property
    def degree(self) -> int | None:
        return self.worked.degree

    @cached_property
    def unasked(self) -> dict[str, Formula]:
        """The inputs whose question does not arise, each with its question."""
        made, known = self.setting.program, {**self.setting.known, **told(self.steps)}
        questions = {name: entry.asked for name, entry in made.asked.items() if entry.asked}
        able = {name: question for name, question in questions.items() if made.needed([question]) <= known.keys()}
        return {name: asked for name, asked in able.items() if not made.run_mark(asked)(known, list(self.tallies))}

    @cached_property
    def known(self) -> dict[str, Any]:
        """All known values by name; an input whose question does not arise has its default."""
        defaults = {name: self.setting.program.asked[name].default for name in self.unasked}
        return {**self.setting.known, **defaults, **told(self.steps)}

    @cached_property
    def marks(self) -> dict[str, int]:
        """The number of good faces that are removed and cancelled."""
        made, known, counts = self.setting.program, self.known, {}
        for name in ("removed", "cancelled"):
            formula = self.rule.marks.get(name)
            if formula and made.needed([formula]) <= known.keys():
                with suppress(Stuck):
                    counts[name] = max(int(made.run_mark(formula)(known, list(self.tallies))), 0)
        return counts

    @cached_property
    def faces(self) -> list[list[Shown]]:
        """The faces of each die, in the order rolled."""
        waiting = [role for role in ("removed", "cancelled") for _ in range(min(self.marks.get(role, 0), 10_000))]
        return [self.shown(die, waiting) for die in self.throw.dice]

    def shown(self, die: Die, waiting: list[str]) -> list[Shown]:
        kind = self.rule.dice[die.kind]
        base = (("earned",) if die.earned else ()) + (() if die.kept else ("dropped",))
        faces = [
            Shown(kind.name, face_text(kind, landing.face), die.round, ("rerolled",))
            for throws in die.tries
            if throws is not die.throws
            for landing in throws
        ]
        for number, landing in enumerate(die.throws):
            roles = base + (("good",) if landing.good else ()) + (("bad",) if landing.bad else ())
            if landing.good and die.kept and waiting:
                roles += (waiting.pop(0),)
            if number:
                roles += ("thrown on",)
            faces.append(Shown(kind.name, face_text(kind, landing.face), die.round, roles))
        return faces

    @cached_property
    def dice(self) -> str:
        """The dice as a record for the key `dice`."""
        groups: dict[tuple[int, int], list[str]] = {}
        for die in self.throw.dice:
            text = throws_text(self.rule, die.kind, (die.tries or (die.throws,))[0])
            groups.setdefault((die.round, die.kind), []).append(text)
        several = len(self.rule.dice) > 1
        return " | ".join(
            " ".join([self.rule.dice[kind].name, *texts] if several else texts) for (_, kind), texts in groups.items()
        )

    @cached_property
    def rerolled(self) -> str:
        """The rerolls as a record for the key `rerolled`, as in "skill 2 -> 4, attribute 1 -> 3". Bars separate the
        rerolls of the rule if a player stopped one early."""
        rerolls, parted = self.throw.rerolls, self.throw.parted
        turns: list[list[str]] = [[] for _ in range(rerolls[-1].turn + 1 if parted else 1)]
        for old, new, turn in rerolls:
            before, after = (throws_text(self.rule, die.kind, die.throws) for die in (old, new))
            turns[turn if parted else 0].append(f"{self.rule.dice[old.kind].name} {before} -> {after}")
        return " | ".join(map(", ".join, turns)).strip()


def told(steps: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in steps.items() if value is not None}


def throws_text(rule: Rule, kind: int, throws: tuple[Landing, ...]) -> str:
    return "+".join(face_text(rule.dice[kind], landing.face) for landing in throws)


class Prepared(NamedTuple):
    """A rule bound to the values that an author wrote, or the problems with them."""

    setting: Setting | None
    complaints: tuple[Complaint, ...] = ()


def prepare(rule: Rule, inputs: Mapping[str, Any]) -> Prepared:
    """Bind a rule to its inputs. Cached if all values are texts, because books repeat the same inputs."""
    given = tuple(inputs.items())
    written = all(type(raw) is str for _, raw in given)
    return remembered(rule, given) if written else prepared(rule, given)


def prepared(rule: Rule, given: tuple[tuple[str, Any], ...]) -> Prepared:
    values, complaints = bound(rule, dict(given))
    if complaints:
        return Prepared(None, complaints=tuple(complaints))
    return Prepared(Setting(rule, values))


remembered = lru_cache(maxsize=1024)(prepared)


def check(
    rule: Rule, inputs: Mapping[str, Any], dice: str, declined: int = 0, rerolled: str = ""
) -> tuple[Result | None, list[Complaint]]:
    """The result of recorded dice, and what is wrong with the record."""
    try:
        setting, complaints = prepare(rule, inputs)
        if setting is None:
            return None, list(complaints)
        result = recorded(setting, dice, rerolled)
        return result, [*declined_wrong(result, declined), *asked_in_vain(result, inputs)]
    except Unreadable as error:
        return None, [Complaint(error.part, error.message, error.start, error.end)]
    except (Refused, Stuck) as error:
        return None, [refusal(error)]


def recorded(setting: Setting, dice: str, rerolled: str) -> Result:
    """Replay a record."""
    record = Record(read_dice(dice, setting.rule), read_rerolls(rerolled, setting.rule), len(dice))
    result = play(setting, record)
    record.close()
    return result


def roll(rule: Rule, inputs: Mapping[str, Any], faces: Faces) -> tuple[Result | None, list[Complaint]]:
    """The result of a new roll, or why the inputs do not allow one."""
    values, complaints = bound(rule, inputs)
    if complaints:
        return None, complaints
    try:
        return play(Setting(rule, values), faces), []
    except (Refused, Stuck) as error:
        return None, [refusal(error)]


def refusal(error: Refused | Stuck) -> Complaint:
    formula = error.formula.text if isinstance(error, Stuck) else ""
    return Complaint("rule", f"{error}: {formula}" if formula else str(error))


def play(setting: Setting, faces: Faces) -> Result:
    return finished(setting, Play(setting, faces).run())


def finished(setting: Setting, throw: Throw) -> Result:
    tallies = count_tallies(setting, throw.dice)
    return Result(setting, throw, tuple(tallies), work_out(setting, tallies))


def bound(rule: Rule, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], list[Complaint]]:
    values, complaints = bind(rule, inputs)
    return values, [Complaint(name, message.strip()) for name, message in complaints]


def declined_wrong(result: Result, declined: int) -> list[Complaint]:
    offered = result.throw.declined
    if offered == declined:
        return []
    fact = {0: "no throw was offered that is not here", 1: "1 throw that was offered is not here"}.get(
        offered, f"{offered} throws that were offered are not here"
    )
    if not declined:
        return [Complaint("declined", f"{fact}; write the face, or declined: {offered}")]
    repair = f"write declined: {offered}" if offered else "leave «declined» out"
    return [Complaint("declined", f"{declined} cannot have been declined, {fact}; {repair}")]


def asked_in_vain(result: Result, inputs: Mapping[str, Any]) -> list[Complaint]:
    """Inputs that have a value although their question does not arise."""
    if not result.setting.program.asked:
        return []
    given = {name.lower() for name in inputs}
    return [
        Complaint(name, f"{name} does not come up here: it is asked when {question.text}")
        for name, question in result.unasked.items()
        if name in given
    ]


def explain(result: Result) -> str:
    """The steps and outcome in one line: "successes 3, botches 1, kept 3, net 2: success, degree 2"."""
    steps = ", ".join(f"{name} {explain_told(value)}" for name, value in result.steps.items())
    return ": ".join(part for part in (steps, verdict(result)) if part)


def verdict(result: Result) -> str:
    """The outcome with its degree, or why it is unknown; empty for a rule without outcomes."""
    if not result.rule.outcomes:
        return ""
    if result.outcome is None:
        return not_known(result)
    return result.outcome.name + (f", degree {result.degree}" if result.degree is not None else "")


def not_known(result: Result) -> str:
    """A message that names the inputs without which the outcome is unknown."""
    questions = [outcome.when for outcome in result.rule.outcomes if outcome.when]
    needed, values = result.setting.program.needed(questions), result.setting.values
    missing = [entry.name for entry in result.rule.inputs if needed & {*entry.variables} and entry.name not in values]
    return f"outcome not known without {' and '.join(missing)}" if missing else "outcome not known"


def derivation(result: Result) -> list[str]:
    """One line per step, such as "net: kept - botches → 3 - 1 → 2", then the outcome."""
    formulas = result.setting.program.formulas
    lines = [f"{name}: {worked(result, formula, result.steps[name])}" for name, formula in formulas.items()]
    return lines + ([outcome_line(result)] if result.rule.outcomes else [])


def outcome_line(result: Result) -> str:
    """The outcome and its reason, as in "success: net > 0 → 2 > 0; degree: net → 2"."""
    outcome = result.outcome
    if outcome is None:
        return not_known(result)
    others = len(result.rule.outcomes) > 1
    why = f": {worked(result, outcome.when)}" if outcome.when else ": nothing before it holds" if others else ""
    degree = f"; degree: {worked(result, outcome.degree, result.degree)}" if outcome.degree else ""
    return f"{outcome.name}{why}{degree}"


NOTHING = object()


def worked(result: Result, formula: Formula, value: Any = NOTHING) -> str:
    """A formula, the formula with its values, and the result; equal parts are not repeated."""
    parts = [formula.text, fill(result, formula)]
    if value is not NOTHING:
        parts.append("not known" if value is None else quoted(value))
    return " → ".join(dict.fromkeys(" ".join(part.split()) for part in parts))


def fill(result: Result, formula: Formula) -> str:
    """The text of a formula with each name and each function over dice replaced by its value."""
    text = formula.text
    for start, end, value in sorted(leaves(result, formula.node, result.known), reverse=True):
        after_sign = text[:start].rstrip().endswith(("+", "-", "−", "*"))
        text = text[:start] + (f"({value})" if after_sign and value.startswith("-") else value) + text[end:]
    return text


def leaves(result: Result, node: Node, values: Mapping[str, Any]) -> Iterator[tuple[int, int, str]]:
    if node.op == "name":
        yield node.start, node.end, quoted(values.get(node.args[0]))
    elif node.op in DICE:
        made = result.setting.program
        place = [tally.name for tally in made.tallies].index(made.tally(node))
        yield node.start, node.end, explain_told(result.tallies[place])
    else:
        for child in node.nodes():
            yield from leaves(result, child, values)


def explain_told(value: Any) -> str:
    return "?" if value is None else str(int(value) if isinstance(value, bool) else value)


def quoted(value: Any) -> str:
    """Format a value as in a formula: words in quotes."""
    return f"'{value}'" if isinstance(value, str) else explain_told(value)


def dice_line(result: Result) -> str:
    """The final dice by round and kind, as in "regular 1 4 7 10 | bonus 1 10 | bonus 4 8"."""
    dice = [faces for faces in result.faces if faces]
    groups = groupby(dice, key=lambda faces: (faces[0].round, faces[0].kind))
    return " | ".join(" ".join([kind, *map(die_text, group)]) for (_, kind), group in groups)


def die_text(faces: list[Any]) -> str:
    lying = [face for face in faces if "rerolled" not in face.roles]
    text = "+".join(face.text for face in lying)
    return f"({text})" if any("dropped" in face.roles for face in lying) else text


def say(result: Result) -> str:
    """The description of the outcome with its values filled in; empty if it has none."""
    outcome = result.outcome
    if outcome is None or not outcome.says:
        return ""
    return filled(outcome.says, {**result.known, "degree": result.degree})


def filled(says: str, values: Mapping[str, Any]) -> str:
    """Replace `{names}` in a sentence by their values, with a typographic minus sign."""
    return re.sub(
        r"\{([^{}]*)\}", lambda found: re.sub(r"^-(?=\d)", "−", explain_told(values.get(found.group(1)))), says
    )


def inputs_line(result: Result) -> str:
    """The inputs as in "pool 5, difficulty 6"."""
    every = [name for entry in result.rule.inputs for name in entry.variables]
    return said(result.rule, result.setting.values, every)


class LookedUp(NamedTuple):
    """A table cell that a formula looks up, with its span."""

    table: Table
    row: int | str
    column: str
    value: Any
    span: Span

    @property
    def said(self) -> str:
        line = self.span.source.place(self.span.start)[0]
        return f"{self.span.source.path}:{line}: {self.table.name}, {self.row}, {self.column}: {self.value}"


def looked_up(rule: Rule, formulas: Iterable[Formula], values: Mapping[str, Any]) -> list[LookedUp]:
    """The cells that these formulas look up, directly or through steps; `values` are inputs and steps."""
    made = program(rule)
    formulas = list(formulas)
    needed = made.needed(formulas)
    steps = [step.formula for step in rule.steps if step.name in needed]
    bounds = Bounds({}, {name: exactly(value) for name, value in values.items() if value is not None}, rule.tables)
    found = (cell for formula in dict.fromkeys([*steps, *formulas]) for cell in cells(formula.node, bounds))
    return list(dict.fromkeys(found))


def cells(node: Node, bounds: Bounds) -> Iterator[LookedUp]:
    for inner in reached(node, bounds):
        table, column = bounds.tables[inner.args[0]], inner.args[2]
        row = certain(inner.args[1], bounds)
        number = None if row is None else table.number(row)
        if row is not None and number is not None:
            place = table.columns.index(column)
            yield LookedUp(table, row, column, table.cell(row, place), table.places[number][place])


def reached(node: Node, bounds: Bounds) -> Iterator[Node]:
    """The lookups in a formula, except those in branches that are not taken."""
    if node.op == "lookup":
        yield node
    inner = list(node.nodes())
    if node.op == "if" and (truth := certain(node.args[0], bounds)) is not None:
        inner = [node.args[0], node.args[1 if truth else 2]]
    for child in inner:
        yield from reached(child, bounds)


def certain(node: Node, bounds: Bounds) -> int | str | None:
    """The value of a formula; None if it depends on dice or is unknown."""
    if any(one.op in DICE for one in walk(node)) or not names_in(node) <= bounds.values.keys():
        return None
    return outline_told(evaluate(node, bounds))
