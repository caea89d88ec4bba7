"""The result of a roll: checks a recorded roll, makes a new one, explains the result step by step, and
finds the table cells that it depends on."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from ..game.codegen import EvaluationError
from ..game.core import CoreOutcome, CoreRule, Expression
from ..game.inputs import bind_inputs
from ..game.lower import lower_rule
from ..game.model import Rule
from .bound_rule import BoundRule, Evaluation, RollError, Transition, evaluate_roll
from .face_text import format_face, format_throws, parse_dice
from .picked_dice import PickError
from .record import Record, RecordError, parse_again
from .roll import DiceRoll, DiceRoller, Die, FaceSource, Judge, count_tallies
from .rounds import carried_values, is_last_round, next_round, split_answers, value_text
from .table import TableDie, Tallies

_MOST_PICKS = 3  # steps whose dice are marked


class RollProblem(NamedTuple):
    """Why there is no result; `part` is the input or key that it is about, such as `dice`, with offsets in its text."""

    part: str
    message: str
    start: int = 0
    end: int = 0


class RenderedFace(NamedTuple):
    """A face to render: the kind of its die, its text, its round, and its roles such as `good` or `dropped`."""

    kind: str
    text: str
    round: int
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """One roll of a rule with its tallies, steps and outcome; of a rule with rounds, its last round."""

    setting: BoundRule
    roll: DiceRoll
    tallies: Sequence[int]
    evaluation: Evaluation
    before: tuple[Result, ...] = ()  # the rounds before
    is_over: bool | None = True  # whether no further round follows; None if that is not known

    @property
    def rule(self) -> CoreRule:
        return self.setting.rule

    @cached_property
    def steps(self) -> Mapping[str, Any]:
        """The values of steps; those that are sets of dice have faces."""
        found, sets = self.evaluation.steps, [step for step in self.rule.steps if step.set is not None]
        if not sets:
            return found
        known = {**self.setting.known, **_drop_unknown(found)}
        faces = {step.name: self.list_faces(step.set, known) for step in sets if step.set is not None}
        return {step.name: faces[step.name] if step.name in faces else found[step.name] for step in self.rule.steps}

    def list_faces(self, number: int, known: Mapping[str, Any]) -> str | None:
        """The faces of the dice in a set, in the order rolled; None if these are not known."""
        dice = self.find_dice(number, known)
        return None if dice is None else " ".join(_format_throws(self.rule, die.kind, die.throws) for die in dice)

    def find_dice(self, number: int, known: Mapping[str, Any]) -> Sequence[TableDie] | None:
        """The dice in a set, in the order rolled; None if these are not known."""
        run, needs = self.setting.program.get_set(number)
        if not needs <= known.keys() or not isinstance(self.tallies, Tallies):
            return None
        found: Sequence[TableDie] = run(known, self.tallies)
        return found

    @cached_property
    def picks(self) -> dict[int, tuple[str, ...]]:
        """The roles of dice that steps pick, by their places: `picked 1` for the first such step."""
        found: dict[int, tuple[str, ...]] = {}
        for number, step in enumerate(self.rule.picking_steps[:_MOST_PICKS], 1):
            for die in self.find_dice(step.set or 0, self.known) or ():
                found[die.place] = (*found.get(die.place, ()), f"picked {number}")
        return found

    @property
    def known_steps(self) -> dict[str, Any]:
        """The values of steps as formulas name them; dice that were picked are known as answers."""
        return {name: value for name, value in _drop_unknown(self.steps).items() if name not in self.rule.picks}

    @property
    def open_picks(self) -> list[str]:
        """Dice that a player picks here, and nobody says which."""
        return [name for name in self.rule.picks if self.setting.is_open(name)]

    @property
    def outcome(self) -> CoreOutcome | None:
        return self.evaluation.outcome if self.is_over else None

    @property
    def degree(self) -> int | None:
        return self.evaluation.degree if self.is_over else None

    @property
    def rounds(self) -> tuple[Result, ...]:
        """All rounds, this one included."""
        return (*self.before, self)

    @property
    def declined(self) -> int:
        return sum(result.roll.declined for result in self.rounds)

    @cached_property
    def carried(self) -> dict[str, Any]:
        """What the carried inputs are afterwards, as far as it is known."""
        return carried_values(self.setting, self.known, self.tallies)

    def add_tallies(self, numbers: Iterable[int]) -> int | None:
        """The value of a function over dice, which may be several tallies; None if it is not known."""
        found = [self.tallies[number] for number in numbers]
        return None if None in found else sum(found)

    @cached_property
    def unasked_questions(self) -> dict[str, Expression]:
        """The inputs whose question does not arise, each with its question."""
        compiled_rule, known = self.setting.program, {**self.setting.known, **self.known_steps}
        questions = {name: entry.asked for name, entry in compiled_rule.asked.items() if entry.asked}
        arose = self.setting.questions
        early = compiled_rule.asked_early & arose.keys()
        able = {
            name: question
            for name, question in questions.items()
            if name in early or compiled_rule.collect_dependencies([question]) <= known.keys()
        }
        return {
            name: question
            for name, question in able.items()
            if not (arose[name] if name in early else compiled_rule.get_function(question)[0](known, self.tallies))
        }

    @cached_property
    def known(self) -> dict[str, Any]:
        """All known values by name; an input whose question does not arise has its default."""
        defaults = {name: self.setting.program.asked[name].default for name in self.unasked_questions}
        return {**self.setting.known, **defaults, **self.known_steps}

    @cached_property
    def marks(self) -> dict[str, int]:
        """The number of good faces that are removed and cancelled."""
        compiled_rule, known, counts = self.setting.program, self.known, {}
        for name in ("removed", "cancelled"):
            formula = self.rule.marks.get(name)
            if formula and compiled_rule.collect_dependencies([formula]) <= known.keys():
                with suppress(EvaluationError):
                    counts[name] = max(int(compiled_rule.get_function(formula)[0](known, self.tallies)), 0)
        return counts

    @cached_property
    def faces(self) -> list[list[RenderedFace]]:
        """The faces of each die, in the order rolled."""
        mark_roles = [role for role in ("removed", "cancelled") for _ in range(min(self.marks.get(role, 0), 10_000))]
        return [self.render_die(die, mark_roles, self.picks.get(at, ())) for at, die in enumerate(self.roll.dice)]

    def render_die(self, die: Die, mark_roles: list[str], picks: tuple[str, ...]) -> list[RenderedFace]:
        kind = self.rule.kinds[die.kind]
        base = (("earned",) if die.earned else ()) + (() if die.kept else ("dropped",)) + picks
        faces = [
            RenderedFace(kind.name, format_face(kind, transition.face), die.round, ("rerolled",))
            for throws in die.tries
            if throws is not die.rolled
            for transition in throws
        ]
        for number, landing in enumerate(die.rolled):
            roles = base + (("good",) if landing.good else ()) + (("bad",) if landing.bad else ())
            if landing.is_replaced:
                roles = (*base, "rerolled")
            elif landing.good and die.kept and mark_roles:
                roles += (mark_roles.pop(0),)
            if number and not die.rolled[number - 1].is_replaced:
                roles += ("thrown on",)
            faces.append(RenderedFace(kind.name, format_face(kind, landing.face), die.round, roles))
        return faces

    @property
    def dice(self) -> str:
        """The dice as a record for the key `dice`."""
        return "; ".join(result.own_dice for result in self.rounds)

    @cached_property
    def own_dice(self) -> str:
        """The dice of this round as a record."""
        groups: dict[tuple[int, int], list[str]] = {}
        for die in self.roll.dice:
            text = _format_throws(self.rule, die.kind, (die.tries or (die.rolled,))[0])
            groups.setdefault((die.round, die.kind), []).append(text)
        several = len(self.rule.kinds) > 1
        return " | ".join(
            " ".join([self.rule.kinds[kind].name, *texts] if several else texts) for (_, kind), texts in groups.items()
        )

    @property
    def rerolled(self) -> str:
        return self.join_rounds(False)

    @property
    def turned(self) -> str:
        return self.join_rounds(True)

    def join_rounds(self, is_turned: bool) -> str:
        return "; ".join(texts) if any(texts := [result.write_again(is_turned) for result in self.rounds]) else ""

    def write_again(self, is_turned: bool) -> str:
        """The rerolled or turned dice of this round as a record, as in "skill 2 -> 4, attribute 1 -> 3". Bars separate
        the entries of the rule if a player stopped one early."""
        rerolls = [entry for entry in self.roll.rerolls if entry.is_turned == is_turned]
        parted = self.roll.has_split_rerolls and rerolls
        turns: list[list[str]] = [[] for _ in range(rerolls[-1].reroll_index + 1 if parted else 1)]
        for old, new, turn, stays, _ in rerolls:
            before, after = (_format_throws(self.rule, die.kind, die.rolled) for die in (old, new))
            lies = "" if stays is None else f" = {before if stays else after}"
            turns[turn if parted else 0].append(f"{self.rule.kinds[old.kind].name} {before} -> {after}{lies}")
        return " | ".join(map(", ".join, turns)).strip()


def _drop_unknown(steps: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in steps.items() if value is not None}


def _format_throws(rule: CoreRule, kind: int, throws: tuple[Transition, ...]) -> str:
    return format_throws(rule.kinds[kind], throws)


def _bind_rule(
    rule: Rule | CoreRule, inputs: Mapping[str, Any], number: int = 1
) -> tuple[BoundRule | None, list[RollProblem]]:
    """A rule bound to the values that an author wrote, or what is wrong with them."""
    core = lower_rule(rule)
    values, problems = bind_inputs(core, inputs)
    if problems:
        return None, [RollProblem(name, message.strip()) for name, message in problems]
    return BoundRule(core, values, number), []


def check_roll(
    rule: Rule | CoreRule,
    inputs: Mapping[str, Any],
    dice: str,
    declined: int = 0,
    rerolled: str = "",
    number: int = 1,
    judge: Judge | None = None,
    turned: str = "",
) -> tuple[Result | None, list[RollProblem]]:
    """The result of recorded dice, from the round with this number on, and what is wrong with the record.

    `judge` says which of two dice is better, where the record does not."""
    try:
        one_by_one, inputs, problems = split_answers(lower_rule(rule), inputs)
        bound_rule, more = _bind_rule(rule, inputs, number)
        if bound_rule is None or problems:
            return None, [RollProblem(*problem) for problem in problems] + more
        again = parse_again(bound_rule.rule, rerolled, turned)
        record = Record(parse_dice(dice, bound_rule.rule), again, len(dice), one_by_one, judge)
        result = play_roll(bound_rule, record)
        record.close()
        return result, [*check_declined(result, declined), *find_unneeded_answers(result, inputs)]
    except RecordError as error:
        return None, [RollProblem(error.part, error.message, error.start, error.end)]
    except (RollError, EvaluationError) as error:
        return None, [error_problem(error)]


def roll_dice(
    rule: Rule | CoreRule, inputs: Mapping[str, Any], faces: FaceSource
) -> tuple[Result | None, list[RollProblem]]:
    """The result of a new roll, or why the inputs do not allow one."""
    try:
        bound_rule, problems = _bind_rule(rule, inputs)
        return play_roll(bound_rule, faces) if bound_rule else None, problems
    except (RollError, EvaluationError) as error:
        return None, [error_problem(error)]


def error_problem(error: RollError | EvaluationError) -> RollProblem:
    if isinstance(error, PickError):
        return RollProblem(error.part, str(error))
    formula = error.formula.text if isinstance(error, EvaluationError) else ""
    return RollProblem("rule", f"{error}: {formula}" if formula else str(error))


def play_roll(bound_rule: BoundRule, faces: FaceSource) -> Result:
    """A roll; of a rule with rounds, all of them, as far as there are faces."""
    given = bound_rule.values  # choices are made again each round
    result = _play_round(bound_rule, faces)
    while result.is_over is False and faces.goes_on(result.setting.round + 1):
        result = _play_round(next_round(result.setting, result.carried, given), faces, result.rounds)
    return result


def _play_round(bound_rule: BoundRule, faces: FaceSource, before: tuple[Result, ...] = ()) -> Result:
    roller = DiceRoller(bound_rule, faces)
    throw = roller.roll_all()
    setting, tallies = roller.setting, count_tallies(roller.setting, throw.dice)
    result = Result(setting, throw, tallies, evaluate_roll(setting, tallies), before)
    if not setting.rule.has_rounds:
        return result
    return replace(result, is_over=is_last_round(setting, result.known, tallies))


def check_declined(result: Result, declined: int) -> list[RollProblem]:
    offered = result.declined
    if offered == declined:
        return []
    fact = {0: "no throw was offered that is not here", 1: "1 throw that was offered is not here"}.get(
        offered, f"{offered} throws that were offered are not here"
    )
    if not declined:
        return [RollProblem("declined", f"{fact}; write the face, or declined: {offered}")]
    repair = f"write declined: {offered}" if offered else 'leave "declined" out'
    return [RollProblem("declined", f"{declined} cannot have been declined, {fact}; {repair}")]


def find_unneeded_answers(result: Result, inputs: Mapping[str, Any]) -> list[RollProblem]:
    """Inputs that have a value although their question does not arise."""
    if not result.setting.program.asked:
        return []
    input_names = {name.lower() for name in inputs}
    return [
        RollProblem(name, f"{name} does not come up here: it is asked when {question.text}")
        for name, question in result.unasked_questions.items()
        if name in input_names and all(name in other.unasked_questions for other in result.before)
    ]


def explain_result(result: Result, without: Container[str] = ()) -> str:
    """The steps and outcome in one line: "successes 3, botches 1, kept 3, net 2: success, degree 2"."""
    shown = {name: value for name, value in result.steps.items() if name not in without}
    steps = ", ".join(f"{name} {_format_number(value)}" for name, value in shown.items())
    return ": ".join(part for part in (steps, format_outcome(result)) if part)


def format_outcome(result: Result) -> str:
    """The outcome with its degree, or why it is unknown; empty for a rule without outcomes."""
    if not result.rule.outcomes:
        return ""
    if result.outcome is None:
        return describe_unknown_outcome(result)
    return result.outcome.name + (f", degree {result.degree}" if result.degree is not None else "")


def describe_unknown_outcome(result: Result) -> str:
    """A message that names the inputs without which the outcome is unknown, or the round that has none."""
    rounds = result.rule.rounds
    if result.is_over is False and rounds and rounds.until:
        return f"round {result.setting.round} is not the last: {_format_evaluation(result, rounds.until)} does not hold"
    questions = [outcome.when for outcome in result.rule.outcomes if outcome.when]
    needed, values = result.setting.program.collect_dependencies(questions), result.setting.values
    missing = [
        entry.name for entry in result.rule.inputs if needed & {*entry.variable_names} and entry.name not in values
    ]
    return f"outcome not known without {' and '.join(missing)}" if missing else "outcome not known"


def derivation_lines(result: Result) -> list[str]:
    """One line per step, such as "net: kept - botches → 3 - 1 → 2", then the outcome."""
    formulas = result.setting.program.formulas
    lines = [line for earlier in result.before for line in round_lines(earlier)]
    values = result.setting.values
    lines += [f"{name}: {values[name]}" for name in result.rule.picks if values.get(name)]
    lines += [f"{name}: {describe_step(result, name)}" for name in formulas]
    return lines + ([_outcome_line(result)] if result.rule.outcomes else [])


def describe_step(result: Result, name: str) -> str:
    """How a step was worked out, such as "kept - botches → 3 - 1 → 2"; a set of dice has its faces."""
    if formula := result.setting.program.formulas.get(name):
        return _format_evaluation(result, formula, result.steps[name])
    text = next(step.formula.text for step in result.rule.steps if step.name == name)
    return " → ".join([" ".join(text.split()), _format_number(result.steps[name])])


def describe_reason(result: Result) -> tuple[str, str]:
    """Why it is this outcome, and how its degree was worked out; either may be empty."""
    outcome = result.outcome
    if outcome is None:
        return "", ""
    others = len(result.rule.outcomes) > 1
    why = _format_evaluation(result, outcome.when) if outcome.when else "nothing before it holds" if others else ""
    return why, _format_evaluation(result, outcome.degree, result.degree) if outcome.degree else ""


def round_lines(result: Result) -> Iterator[str]:
    """One line for a round that is not the last: "round 1: 12; good 0 → 1, bad 0 → 0"."""
    before, shown = result.setting.values, {entry.name: entry for entry in result.rule.inputs if entry.label}
    named = [
        f"{name} {' → '.join(value_text(shown[name], value) for value in (before.get(name), after))}"
        for name, after in result.carried.items()
        if name in shown
    ]
    yield f"round {result.setting.round}: " + "; ".join(filter(None, [result.own_dice, ", ".join(named)]))


def _outcome_line(result: Result) -> str:
    """The outcome and its reason, as in "success: net > 0 → 2 > 0; degree: net → 2"."""
    outcome = result.outcome
    if outcome is None:
        return describe_unknown_outcome(result)
    why, degree = describe_reason(result)
    return outcome.name + (f": {why}" if why else "") + (f"; degree: {degree}" if degree else "")


_NO_VALUE = object()


def _format_evaluation(result: Result, formula: Expression, value: Any = _NO_VALUE) -> str:
    """A formula, the formula with its values, and the result; equal parts are not repeated."""
    parts = [formula.text, _fill_formula(result, formula)]
    if value is not _NO_VALUE:
        parts.append("not known" if value is None else _format_word(value))
    return " → ".join(dict.fromkeys(" ".join(part.split()) for part in parts))


def _fill_formula(result: Result, formula: Expression) -> str:
    """The text of a formula with each name and each tally replaced by its value."""
    text, values = formula.text, result.known
    for start, end, leaf in reversed(formula.slots):
        value = _format_word(values.get(leaf)) if isinstance(leaf, str) else _format_number(result.add_tallies(leaf))
        after_sign = text[:start].rstrip().endswith(("+", "-", "−", "*"))
        text = text[:start] + (f"({value})" if after_sign and value.startswith("-") else value) + text[end:]
    return text


def _format_number(value: Any) -> str:
    return "?" if value is None else str(int(value) if isinstance(value, bool) else value)


def _format_word(value: Any) -> str:
    """Format a value as in a formula: words in quotes."""
    return f"'{value}'" if isinstance(value, str) else _format_number(value)


def dice_line(result: Result) -> str:
    """The final dice by round and kind, as in "regular 1 4 7 10 | bonus 1 10 | bonus 4 8"."""
    return "; ".join(_own_dice_line(one) for one in result.rounds)


def _own_dice_line(result: Result) -> str:
    dice = [faces for faces in result.faces if faces]
    groups = groupby(dice, key=lambda faces: (faces[0].round, faces[0].kind))
    return " | ".join(" ".join([kind, *map(_format_faces, group)]) for (_, kind), group in groups)


def _format_faces(faces: list[Any]) -> str:
    final_faces = [face for face in faces if "rerolled" not in face.roles]
    text = "+".join(face.text for face in final_faces)
    return f"({text})" if any("dropped" in face.roles for face in final_faces) else text


def describe_outcome(result: Result) -> str:
    """The description of the outcome with its values filled in; empty if it has none."""
    outcome = result.outcome
    if outcome is None or not outcome.says:
        return ""
    return fill_placeholders(outcome.says, {**result.known, "degree": result.degree})


def fill_placeholders(says: str, values: Mapping[str, Any]) -> str:
    """Replace `{names}` in a sentence by their values, with a typographic minus sign."""
    return re.sub(
        r"\{([^{}]*)\}", lambda match: re.sub(r"^-(?=\d)", "−", _format_number(values.get(match.group(1)))), says
    )
