"""Evaluates one roll of an example: from its dice, from the dice of the step before, or from given results."""

from __future__ import annotations

from collections.abc import Mapping

from ..game.codegen import EvaluationError
from ..game.inputs import bind_inputs
from ..game.lower import lower_rule
from ..game.model import Rule
from ..odds.advise import make_judge
from ..play.bound_rule import BoundKind, BoundRule, RollError
from ..play.face_text import format_face, parse_face
from ..play.record import REROLLED, Record, RecordedReroll, RecordError, parse_again
from ..play.result import Result, RollProblem, check_declined, check_roll, play_roll
from ..play.roll import DiceRoller, Die
from ..play.spends import apply_highest, parse_spends
from ..source import Problem, Span
from .model import Move, make_problem
from .roll_records import JoinedRecord, find_again, join_records, roll_keys, texts_of
from .rolled_sides import told_sides
from .scene import Scene, input_spans, mistake_span

_DiceByKind = dict[tuple[int, str], list[list[str]]]  # by round and kind, the faces of each die in the order rolled
_NO_FACE = -1  # of the kind that it is dealt to


class RedealtRecord(Record):
    """A record that deals the recorded dice to another rule, by round and kind; dice that are left over are ignored."""

    def __init__(self, result: Result, rule: Rule, rerolls: list[RecordedReroll]) -> None:
        super().__init__([], rerolls, 0, judge=make_judge(rule))
        self.results, self.new_rule = iter(result.rounds), rule
        self.texts: list[str] = []  # what was recorded of the current die
        self.goes_on(1)

    def goes_on(self, number: int) -> bool:  # noqa: ARG002
        """Takes the dice of the next recorded round."""
        result = next(self.results, None)
        if result:
            self.dice_by_kind, self.current_round = _group_dice(result, self.new_rule), 1
        return result is not None

    def begin(self, ready: BoundKind, _fresh: bool) -> None:
        dice = self.dice_by_kind.get((self.current_round, ready.kind.name), [])
        if not dice:
            raise RecordError(f"the recorded dice hold no further {ready.kind.name} die, and here one more is rolled")
        self.texts, self.shown = dice.pop(0), []
        faces = (parse_face(ready.kind, text) for text in self.texts)
        self.chain = [_NO_FACE if face is None else face for face in faces]

    def face(self, ready: BoundKind, _way: str) -> int:
        if not self.chain:
            raise RecordError(f"here a {ready.kind.name} die is rolled again, and the dice do not say what it shows")
        face = self.chain.pop(0)
        if face not in ready.face_set:
            text = format_face(ready.kind, face) if face != _NO_FACE else self.texts[-1 - len(self.chain)]
            raise RecordError(f"the recorded {text} is no face of a {ready.kind.name} die")
        return face

    def onward(self, _ready: BoundKind, _way: str) -> bool:
        return bool(self.chain)

    def end(self, _ready: BoundKind) -> None:
        self.chain = []

    def round(self, _earned: Mapping[int, int]) -> None:
        self.current_round += 1

    def offered(self, ready: BoundKind) -> bool:
        return bool(self.dice_by_kind.get((self.current_round, ready.kind.name)))

    def choose(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        try:
            return super().choose(play, dice, places, number, left)
        except RecordError:
            return None


def _group_dice(result: Result, rule: Rule) -> _DiceByKind:
    """The recorded dice by the kinds of another rule: matched by name, the remaining kinds by position."""
    new_names = [kind.name for kind in rule.dice]
    old_names = [kind.name for kind in result.rule.kinds]
    unmatched = [name for name in new_names if name not in old_names]
    renamed = {name: name for name in old_names if name in new_names}
    renamed |= dict(zip([name for name in old_names if name not in new_names], unmatched, strict=False))
    groups: _DiceByKind = {}
    for die in result.roll.dice:
        name = renamed.get(result.rule.kinds[die.kind].name)
        if name:
            rolled = (die.tries or (die.rolled,))[0]
            groups.setdefault((die.round, name), []).append(
                [format_face(result.rule.kinds[die.kind], landing.face) for landing in rolled]
            )
    return groups


def evaluate_roll(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene from its dice, or from the results it gives instead."""
    has_dice = any(key in scene.roll for key in ("dice", *roll_keys(scene.rule)))
    is_given = "given" in scene.roll or not has_dice or told_sides(scene.rule, scene.sides, scene.roll)
    if not is_given:
        return _evaluate_dice(scene)
    from .stated_results import evaluate_given  # imports the odds engine

    return evaluate_given(scene)


def has_own_roll(scene: Scene) -> bool:
    """Whether a what-if has its own dice or given results."""
    return any(scene.part.get(key) for key in ("dice", "given", "side", *roll_keys(scene.rule)))


def _evaluate_dice(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates the recorded dice."""
    joined, again = join_records(scene.rule, scene.roll), find_again(scene.rule, scene.roll)
    dice = joined.text if joined else scene.roll["dice"].text
    declined, problem = read_declined(scene)
    if problem:
        return None, [problem]
    aim = scene.roll["aim"].text if "aim" in scene.roll else ""
    judge, texts = make_judge(scene.rule, aim) if REROLLED in again else None, texts_of(again)
    result, complaints = check_roll(scene.rule, scene.texts, dice, declined, number=scene.round, judge=judge, **texts)
    parts = {"dice": joined, **again}
    problems = [_complaint_problem(scene, complaint, parts.get(complaint.part)) for complaint in complaints]
    if result is None:
        return None, problems
    result, more = apply_spends(scene, result)
    return make_move(scene, result), [*problems, *more]


def apply_spends(scene: Scene, result: Result) -> tuple[Result, list[Problem]]:
    """Applies the dice that the spends of a scene set to their maximum."""
    spends = scene.roll.get("spends")
    if spends is None:
        return result, []
    result, mistakes = apply_highest(result, parse_spends(scene.rule, spends.text)[0])
    return result, [
        make_problem(scene.block, "example-spend", mistake.message, mistake_span(spends, mistake))
        for mistake in mistakes
    ]


def read_declined(scene: Scene) -> tuple[int, Problem | None]:
    entry = scene.roll.get("declined")
    if entry is None:
        return 0, None
    if entry.text.isdecimal() and entry.text.isascii() and len(entry.text) < 6:
        return int(entry.text), None
    return 0, make_problem(scene.block, "block-value", f'declined is a number of dice, not "{entry.text}"', entry.span)


def evaluate_redealt(scene: Scene, previous: Result) -> tuple[Move | None, list[Problem]]:
    """Evaluates a what-if with the dice recorded for the step before."""
    inputs = {
        name: text for name, text in scene.texts.items() if name in scene.own or name not in previous.unasked_questions
    }
    values, complaints = bind_inputs(scene.rule, inputs)
    if complaints:
        return None, [_complaint_problem(scene, RollProblem(name, message)) for name, message in complaints]
    try:
        rerolls = parse_again(lower_rule(scene.rule), **texts_of(find_again(scene.rule, scene.roll)))
        setting = BoundRule(scene.rule, values, previous.rounds[0].setting.round)
        result = play_roll(setting, RedealtRecord(previous, scene.rule, rerolls))
        problems = _check_restated(scene, result)
        result, more = apply_spends(scene, result)
        return make_move(scene, result), [*problems, *more]
    except (RecordError, RollError, EvaluationError) as error:
        return None, [make_problem(scene.block, "example-dice", str(error), scene.part.span)]


def _check_restated(scene: Scene, result: Result) -> list[Problem]:
    """Problems of the `declined:` entry of a what-if."""
    if "declined" not in scene.part.by_key:
        return []
    declined, problem = read_declined(scene)
    return (
        [problem]
        if problem
        else [_complaint_problem(scene, complaint) for complaint in check_declined(result, declined)]
    )


def make_move(scene: Scene, result: Result) -> Move:
    outcome = result.outcome.name if result.outcome else None
    return Move(scene.rule, scene.texts, result, result.steps, outcome, result.degree)


def _complaint_problem(scene: Scene, complaint: RollProblem, joined: JoinedRecord | None = None) -> Problem:
    """Turns a complaint into a problem with its span."""
    entry = scene.roll.get(complaint.part)
    if joined and (place := joined.locate(complaint.start, complaint.end)):
        code, span = "example-dice", place
    elif entry:
        code, span = "example-dice", _clamp_span(entry.span, complaint.start, complaint.end)
    elif complaint.part in scene.inputs:
        code, span = "block-value", input_spans(scene)[complaint.part]
    else:
        dice = scene.roll.get("dice")
        code, span = "example-dice", dice.span if dice else scene.block.word
    return make_problem(scene.block, code, complaint.message, span)


def _clamp_span(span: Span, start: int, end: int) -> Span:
    """A part of a value, at least one character long."""
    if end <= start and start == 0:
        return span
    return span.subspan(start, max(end, start + 1))
