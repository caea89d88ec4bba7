"""Evaluates one roll of an example: from its dice, from the dice of the step before, or from given results."""

from __future__ import annotations

from collections.abc import Mapping

from ..game.codegen import Stuck
from ..game.inputs import bind
from ..game.model import Rule
from ..play.bound_rule import Ready, Refused, Setting
from ..play.record import Record, Thrown, Unreadable, face_text, read_rerolls
from ..play.result import Complaint, Result, check, declined_wrong, play
from ..play.roll import Die, Play
from ..play.spends import maximised, read_spends
from ..source import Problem, Span
from .model import Move, trouble
from .scene import Scene, place_in, spans_of

Hands = dict[tuple[int, str], list[list[int]]]  # by round and kind, the faces of each die in the order rolled


class Redeal(Record):
    """A record that deals the recorded dice to another rule, by round and kind; dice that are left over are ignored."""

    def __init__(self, result: Result, rule: Rule, rerolls: list[Thrown]) -> None:
        super().__init__([], rerolls, 0)
        self.hands = hands(result, rule)
        self.now = 1

    def begin(self, ready: Ready, _fresh: bool) -> None:
        hand = self.hands.get((self.now, ready.kind.name), [])
        if not hand:
            raise Unreadable(f"the recorded dice hold no further {ready.kind.name} die, and here one more is thrown")
        self.chain, self.shown = list(hand.pop(0)), []

    def face(self, ready: Ready) -> int:
        if not self.chain:
            raise Unreadable(f"here a {ready.kind.name} die is thrown on, and the record does not say what it shows")
        face = self.chain.pop(0)
        if face not in ready.face_set:
            raise Unreadable(f"the recorded {face_text(ready.kind, face)} is no face of a {ready.kind.name} die")
        return face

    def end(self, _ready: Ready) -> None:
        self.chain = []

    def round(self, _earned: Mapping[int, int]) -> None:
        self.now += 1

    def offered(self, ready: Ready) -> bool:
        return bool(self.hands.get((self.now, ready.kind.name)))

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        try:
            return super().choose(play, dice, places, number, left)
        except Unreadable:
            return None


def hands(result: Result, rule: Rule) -> Hands:
    """The recorded dice by the kinds of another rule: matched by name, the remaining kinds by position."""
    known = [kind.name for kind in rule.dice]
    old = [kind.name for kind in result.rule.dice]
    free = [name for name in known if name not in old]
    renamed = {name: name for name in old if name in known}
    renamed |= dict(zip([name for name in old if name not in known], free, strict=False))
    found: Hands = {}
    for die in result.throw.dice:
        name = renamed.get(result.rule.dice[die.kind].name)
        if name:
            throws = (die.tries or (die.throws,))[0]
            found.setdefault((die.round, name), []).append([landing.face for landing in throws])
    return found


def work_out(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene from its dice, or from the results it gives instead."""
    told = "given" in scene.roll or "dice" not in scene.roll
    if not told:
        return judge(scene)
    from .stated_results import work_out_given  # imports the odds engine

    return work_out_given(scene)


def own_roll(scene: Scene) -> bool:
    """Whether a what-if has its own dice or given results."""
    return any(scene.part.get(key) for key in ("dice", "given"))


def judge(scene: Scene) -> tuple[Move | None, list[Problem]]:
    """Evaluates the recorded dice."""
    dice, rerolled = scene.roll["dice"], scene.roll.get("rerolled")
    declined, problem = declined_of(scene)
    if problem:
        return None, [problem]
    result, complaints = check(scene.rule, scene.texts, dice.text, declined, rerolled.text if rerolled else "")
    problems = [place(scene, complaint) for complaint in complaints]
    if result is None:
        return None, problems
    result, more = spent(scene, result)
    return move_of(scene, result), [*problems, *more]


def spent(scene: Scene, result: Result) -> tuple[Result, list[Problem]]:
    """Applies the dice that the spends of a scene set to their maximum."""
    said = scene.roll.get("spends")
    if said is None:
        return result, []
    result, slips = maximised(result, read_spends(scene.rule, said.text)[0])
    return result, [trouble(scene.block, "example-spend", one.message, place_in(said, one)) for one in slips]


def declined_of(scene: Scene) -> tuple[int, Problem | None]:
    entry = scene.roll.get("declined")
    if entry is None:
        return 0, None
    if entry.text.isdecimal() and entry.text.isascii() and len(entry.text) < 6:
        return int(entry.text), None
    return 0, trouble(scene.block, "block-value", f"declined is a number of dice, not «{entry.text}»", entry.span)


def deal_again(scene: Scene, before: Result) -> tuple[Move | None, list[Problem]]:
    """Evaluates a what-if with the dice recorded for the step before."""
    asked = {name: text for name, text in scene.texts.items() if name in scene.own or name not in before.unasked}
    values, complaints = bind(scene.rule, asked)
    if complaints:
        return None, [place(scene, Complaint(name, message)) for name, message in complaints]
    rerolled = scene.roll.get("rerolled")
    try:
        rerolls = read_rerolls(rerolled.text, scene.rule) if rerolled else []
        result = play(Setting(scene.rule, values), Redeal(before, scene.rule, rerolls))
        problems = restated(scene, result)
        result, more = spent(scene, result)
        return move_of(scene, result), [*problems, *more]
    except (Unreadable, Refused, Stuck) as error:
        return None, [trouble(scene.block, "example-dice", str(error), scene.part.span)]


def restated(scene: Scene, result: Result) -> list[Problem]:
    """Problems of the `declined:` entry of a what-if."""
    if "declined" not in scene.part.named:
        return []
    declined, problem = declined_of(scene)
    return [problem] if problem else [place(scene, complaint) for complaint in declined_wrong(result, declined)]


def move_of(scene: Scene, result: Result) -> Move:
    outcome = result.outcome.name if result.outcome else None
    return Move(scene.rule, scene.texts, result, result.steps, outcome, result.degree)


def place(scene: Scene, complaint: Complaint) -> Problem:
    """Turns a complaint into a problem with its span."""
    entry = scene.roll.get(complaint.part)
    if entry:
        code, span = "example-dice", inside(entry.span, complaint.start, complaint.end)
    elif complaint.part in scene.inputs:
        code, span = "block-value", spans_of(scene)[complaint.part]
    else:
        dice = scene.roll.get("dice")
        code, span = "example-dice", dice.span if dice else scene.block.word
    return trouble(scene.block, code, complaint.message, span)


def inside(span: Span, start: int, end: int) -> Span:
    """A part of a value, at least one character long."""
    if end <= start and start == 0:
        return span
    return span.part(start, max(end, start + 1))
